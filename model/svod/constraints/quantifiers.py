"""Quantifiers, counts and choices of a value: expanded over the values of a sort, or over the slots of a pile."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from svod.constraints import terms as t
from svod.constraints.dependencies import mentions
from svod.constraints.moments import UNDEFINED, Environment, Moment, Result
from svod.constraints.symbols import World, slot_card, slot_used
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir

Quantified: TypeAlias = ir.FirstClockwise | ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll


def evaluate(expression: Quantified, env: Environment, moment: Moment) -> Result:
    """Both faces of a quantified expression."""
    match expression:
        case ir.Exists():
            return Result(True, t.disjunction(*(c for _, c, _ in _instances(expression, env, moment))))
        case ir.Count():
            return Result(True, t.count_of([c for _, c, _ in _instances(expression, env, moment)]))
        case ir.ForAll():
            return Result(True, _for_all(expression, env, moment))
        case ir.Only():
            return _only(expression, env, moment)
        case ir.Best():
            return _best(expression, env, moment)
        case ir.Sum():
            return _sum(expression, env, moment)
        case ir.FirstClockwise():
            return _first_clockwise(expression, env, moment)
    assert_never(expression)


def _read(expression: ir.Expression, env: Environment, moment: Moment) -> Result:
    from svod.constraints import expressions  # the two recur into each other

    return expressions.needed(expressions.evaluate(expression, env, moment))


def _met(expression: ir.Expression, env: Environment, moment: Moment) -> Truth:
    result = _read(expression, env, moment)
    return t.conjunction(result.defined, result.value)


def _conjuncts(expression: ir.Expression) -> list[ir.Expression]:
    if isinstance(expression, ir.And):
        return [inner for part in expression.parts for inner in _conjuncts(part)]
    return [expression]


def _instances(expression: Quantified, env: Environment, moment: Moment) -> list[tuple[Quantity, Truth, Environment]]:
    """(value, it exists and `where` is met, environment with it) for everything that can meet `where`.

    Where one conjunct says that the value lies in a pile, the slots of the pile are enough: their cards differ.
    """
    variable, parts = expression.variable, _conjuncts(expression.where)
    found: list[tuple[Quantity, Truth, Environment]] = []
    for part in parts:
        if not isinstance(part, ir.InZone) or part.card != variable:
            continue
        zone = moment.world.zones[part.zone.zone]
        if not zone.pile or zone.capacity >= moment.world.cards or mentions(part.zone, variable.name):
            continue
        owner = None if part.zone.owner is None else _read(part.zone.owner, env, moment)
        if owner is not None and owner.defined is False:
            return []
        pile = moment.pile(zone, None if owner is None else owner.value)
        rest = [other for other in parts if other is not part]
        for slot in range(len(pile.cards)):
            value = slot_card(moment.world, pile, slot)
            inner = {**env, variable.name: value}
            there = t.conjunction(True if owner is None else owner.defined, slot_used(pile, slot))
            if there is not False:
                conditions = [_met(other, inner, moment) for other in rest]
                found.append((value, t.conjunction(there, *conditions), inner))
        return found
    for value, exists in moment.world.variable(variable):
        inner = {**env, variable.name: value}
        condition = exists
        for part in parts:
            if condition is False:
                break
            condition = t.conjunction(condition, _met(part, inner, moment))
        if condition is not False:
            found.append((value, condition, inner))
    return found


def _for_all(expression: ir.ForAll, env: Environment, moment: Moment) -> Truth:
    if conserves(expression, moment.world):
        return _each_card_in_one_zone(moment)
    parts = []
    for _, condition, inner in _instances(expression, env, moment):
        parts.append(t.implication(condition, _met(expression.holds, inner, moment)))
    return t.conjunction(*parts)


def conserves(expression: ir.Expression, world: World) -> bool:
    """It says that every card lies in exactly one zone."""
    match expression:
        case ir.ForAll(
            variable=variable,
            where=ir.Boolean(True),
            holds=ir.Compare(relation=ir.Relation.EQUAL, left=ir.ZonesHolding(card=card), right=ir.Number(1)),
        ):
            return card == variable and variable.sort == world.norms.card_sort
        case _:
            return False


def _each_card_in_one_zone(moment: Moment) -> Truth:
    """By masks: no counting."""
    width = moment.world.cards
    seen: t.Mask = 0
    apart: list[Truth] = []
    for zone in moment.world.norms.zones:
        for place in moment.world.places(zone):
            mask = moment.mask(zone, None if place[1] is None else t.constant(place[1]))
            apart.append(t.mask_empty(t.mask_common(seen, mask, width), width))
            seen = t.mask_union(seen, mask, width)
    return t.conjunction(*apart, t.mask_empty(t.mask_without(moment.world.deck, seen, width), width))


def _only(expression: ir.Only, env: Environment, moment: Moment) -> Result:
    instances = _instances(expression, env, moment)
    if not instances:
        return UNDEFINED
    some: Truth = False
    several: Truth = False
    chosen = instances[0][0]
    for value, condition, _ in instances:
        several = t.disjunction(several, t.conjunction(some, condition))
        some = t.disjunction(some, condition)
        chosen = t.choose(condition, value, chosen)
    return Result(t.conjunction(some, t.negation(several)), chosen)


def _best(expression: ir.Best, env: Environment, moment: Moment) -> Result:
    some: Truth = False
    tie: Truth = False
    keyed: Truth = True  # the keys of all candidates are defined
    best = chosen = t.constant(0)
    first = True
    for value, condition, inner in _instances(expression, env, moment):
        key = _read(expression.key, inner, moment)
        keyed = t.conjunction(keyed, t.implication(condition, key.defined))
        candidate = condition
        if key.defined is False:
            continue
        if first:
            some, best, chosen, first = candidate, key.value, value, False
            continue
        ahead = t.less(best, key.value) if expression.largest else t.less(key.value, best)
        better = t.conjunction(candidate, t.disjunction(t.negation(some), ahead))
        level = t.conjunction(candidate, some, t.equal(best, key.value))
        tie = t.conjunction(t.negation(better), t.disjunction(tie, level))
        best, chosen = t.choose(better, key.value, best), t.choose(better, value, chosen)
        some = t.disjunction(some, candidate)
    return Result(t.conjunction(some, keyed, t.negation(tie)), chosen)


def _sum(expression: ir.Sum, env: Environment, moment: Moment) -> Result:
    defined: Truth = True
    parts = []
    for _, condition, inner in _instances(expression, env, moment):
        summand = _read(expression.of, inner, moment)
        defined = t.conjunction(defined, t.implication(condition, summand.defined))
        parts.append(
            t.choose(condition, summand.value, t.constant(0)) if summand.defined is not False else t.constant(0)
        )
    return Result(defined, t.total(parts))


def _first_clockwise(expression: ir.FirstClockwise, env: Environment, moment: Moment) -> Result:
    """The least candidate beyond `start`, else the least of all: absent seats come last and are no candidates,
    so the ring closes by itself."""
    start = _read(expression.start, env, moment)
    instances = _instances(expression, env, moment)
    if start.defined is False or not instances:
        return UNDEFINED
    around = instances[-1][0]
    for value, condition, _ in reversed(instances[:-1]):
        around = t.choose(condition, value, around)
    ahead: Quantity | None = None
    any_ahead: Truth = False
    for value, condition, _ in reversed(instances):
        far = t.less(start.value, value)
        if expression.inclusive:
            far = t.disjunction(far, t.equal(start.value, value))
        beyond = t.conjunction(condition, far)
        ahead = value if ahead is None else t.choose(beyond, value, ahead)
        any_ahead = t.disjunction(any_ahead, beyond)
    assert ahead is not None
    some = t.disjunction(*(condition for _, condition, _ in instances))
    return Result(t.conjunction(start.defined, some), t.choose(any_ahead, ahead, around))
