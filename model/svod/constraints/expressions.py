"""Expressions of the norms as Z3 terms: a moment and an environment in, (defined, value) out.

The rules are those of `norms.ir`: `and`, `or`, `if` shield what follows; a filter or quantifier instance that is
undefined counts as not met; order relations, arithmetic and arguments need values that are present.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from svod.constraints import quantifiers
from svod.constraints import terms as t
from svod.constraints.moments import UNDEFINED, UNDEFINED_TRUTH, Environment, Moment, Result
from svod.constraints.symbols import World
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir


def met(expression: ir.Expression, env: Environment, moment: Moment) -> Truth:
    """Defined and true."""
    result = evaluate(expression, env, moment)
    return t.conjunction(result.defined, result.value)


def needed(result: Result) -> Result:
    """The same where the value is present, undefined where it is «нет»."""
    value = result.value
    if not isinstance(value, Quantity) or value.absent is False:
        return result
    if value.absent is True:
        return UNDEFINED
    bare = Quantity(value.low, value.high, value.number)
    return Result(t.conjunction(result.defined, t.negation(value.absent)), bare)


def present(expression: ir.Expression, env: Environment, moment: Moment) -> Result:
    """The value where it is defined and not «нет»."""
    return needed(evaluate(expression, env, moment))


def arguments(
    expressions: tuple[ir.Expression, ...], env: Environment, moment: Moment
) -> tuple[Truth, tuple[Quantity, ...]]:
    """Present values of all, and whether all are defined."""
    results = [present(expression, env, moment) for expression in expressions]
    return t.conjunction(*(r.defined for r in results)), tuple(r.value for r in results)


def zone_of(reference: ir.ZoneRef, env: Environment, moment: Moment) -> tuple[Truth, ir.Zone, Quantity | None]:
    """The zone, its owner, and whether the owner is defined."""
    zone = moment.world.zones[reference.zone]
    if reference.owner is None:
        return True, zone, None
    owner = present(reference.owner, env, moment)
    return owner.defined, zone, owner.value


def sort_of(expression: ir.Expression, world: World) -> str:
    """Name of the sort of a finite expression («» for numbers and truths)."""
    match expression:
        case ir.Value() | ir.Nothing() | ir.Variable() | ir.Compose() | ir.Extreme():
            return expression.sort
        case ir.ReadRegister():
            kind = world.registers[expression.register].type
            return kind.sort if isinstance(kind, ir.Member) else ""
        case ir.ReadTerm():
            kind = world.terms[expression.term].type
            return kind.sort if isinstance(kind, ir.Member) else ""
        case ir.Component():
            return world.sorts[sort_of(expression.of, world)].factors[expression.factor]
        case ir.StepValue() | ir.Present() | ir.Before():
            return sort_of(expression.of, world)
        case ir.FirstClockwise() | ir.Only() | ir.Best():
            return expression.variable.sort
        case ir.Top() | ir.Bottom() | ir.CardAbove():
            return world.norms.card_sort
        case ir.Author():
            return world.norms.seats
        case ir.Choose():
            return sort_of(expression.then, world) or sort_of(expression.otherwise, world)
        case _:
            return ""


def evaluate(expression: ir.Expression, env: Environment, moment: Moment) -> Result:
    """Both faces of an expression."""
    match expression:
        case ir.Number() | ir.Boolean() | ir.Value() | ir.Nothing() | ir.Variable() | ir.Switch() | ir.SeatCount():
            return _leaf(expression, env, moment)
        case ir.ReadRegister():
            defined, index = arguments(expression.arguments, env, moment)
            value = moment.register(expression.register, index) if defined is not False else t.NOTHING
            truth = moment.world.cell_types[expression.register].truth
            return Result(defined, t.equal(value, t.constant(1)) if truth else value)
        case ir.ReadTerm():
            from svod.constraints import clauses  # the two recur into each other

            return clauses.read_term(expression, env, moment)
        case ir.Lawful():
            from svod.constraints import lawfulness  # the two recur into each other

            return lawfulness.read_lawful(expression, env, moment)
        case ir.Happened():
            return _happened(expression, env, moment)
        case ir.Component() | ir.Compose() | ir.StepValue() | ir.Extreme() | ir.Distance():
            return _of_sorts(expression, env, moment)
        case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
            return quantifiers.evaluate(expression, env, moment)
        case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone() | ir.ZonesHolding():
            return _of_zones(expression, env, moment)
        case ir.Not():
            inner = evaluate(expression.of, env, moment)
            return Result(inner.defined, t.negation(inner.value))
        case ir.And():
            return _shielded(expression.parts, env, moment, False)
        case ir.Or():
            return _shielded(expression.parts, env, moment, True)
        case ir.Compare():
            return _compare(expression, env, moment)
        case ir.Arithmetic():
            return _arithmetic(expression, env, moment)
        case ir.Choose():
            return _choose(expression, env, moment)
        case ir.Present():
            return present(expression.of, env, moment)
        case ir.Before():
            if moment.earlier is None:
                return UNDEFINED_TRUTH if _is_truth(expression.of, moment.world) else UNDEFINED
            return evaluate(expression.of, env, moment.earlier)
    assert_never(expression)


def _leaf(
    expression: ir.Number | ir.Boolean | ir.Value | ir.Nothing | ir.Variable | ir.Switch | ir.SeatCount,
    env: Environment,
    moment: Moment,
) -> Result:
    match expression:
        case ir.Number(value):
            return Result(True, t.constant(value))
        case ir.Boolean(truth):
            return Result(True, truth)
        case ir.Value(_, index):
            return Result(True, t.constant(index))
        case ir.Nothing():
            return Result(True, t.NOTHING)
        case ir.Variable(name, _):
            return Result(True, env[name])
        case ir.Switch(name):
            return Result(True, moment.world.switches.get(name, False))
        case ir.SeatCount():
            return Result(True, moment.world.seats)
    assert_never(expression)


def _shielded(parts: tuple[ir.Expression, ...], env: Environment, moment: Moment, stop: bool) -> Result:
    """`and` (stop at false) and `or` (stop at true)."""
    defined: Truth = True
    reached: Truth = True  # no operand so far has settled the answer
    for part in parts:
        result = evaluate(part, env, moment)
        defined = t.conjunction(defined, t.implication(reached, result.defined))
        go_on = t.negation(result.value) if stop else result.value
        reached = t.conjunction(reached, go_on)
        if reached is False or defined is False:
            break
    return Result(defined, t.negation(reached) if stop else reached)


def _compare(expression: ir.Compare, env: Environment, moment: Moment) -> Result:
    small = _size_against_number(expression, env, moment)
    if small is not None:
        return small
    left, right = evaluate(expression.left, env, moment), evaluate(expression.right, env, moment)
    defined = t.conjunction(left.defined, right.defined)
    if defined is False:
        return UNDEFINED_TRUTH
    if expression.relation in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
        if isinstance(left.value, Quantity):
            same = t.equal(left.value, right.value)
        else:
            same = t.same_truth(left.value, right.value)
        return Result(defined, same if expression.relation is ir.Relation.EQUAL else t.negation(same))
    left, right = needed(left), needed(right)
    defined = t.conjunction(left.defined, right.defined)
    if defined is False:
        return UNDEFINED_TRUTH
    match expression.relation:
        case ir.Relation.LESS:
            return Result(defined, t.less(left.value, right.value))
        case ir.Relation.GREATER_EQUAL:
            return Result(defined, t.negation(t.less(left.value, right.value)))
        case ir.Relation.GREATER:
            return Result(defined, t.less(right.value, left.value))
        case ir.Relation.LESS_EQUAL:
            return Result(defined, t.negation(t.less(right.value, left.value)))
    raise AssertionError(expression.relation)


def _size_against_number(expression: ir.Compare, env: Environment, moment: Moment) -> Result | None:
    """Comparisons of a set's size with 0 or 1 as tests on its mask: no counting."""
    if not isinstance(expression.left, ir.Size) or not isinstance(expression.right, ir.Number):
        return None
    defined, zone, owner = zone_of(expression.left.zone, env, moment)
    if zone.pile or defined is False:
        return None
    mask, width = moment.mask(zone, owner), moment.world.cards
    if isinstance(mask, int):
        return None

    def at_most(limit: int) -> Truth | None:
        if limit < 0:
            return False
        if limit == 0:
            return t.mask_empty(mask, width)
        return t.mask_empty(mask & (mask - 1), width) if limit == 1 else None

    number = expression.right.value
    found: Truth | None
    match expression.relation:
        case ir.Relation.LESS_EQUAL:
            found = at_most(number)
        case ir.Relation.LESS:
            found = at_most(number - 1)
        case ir.Relation.GREATER:
            found = _maybe_not(at_most(number))
        case ir.Relation.GREATER_EQUAL:
            found = _maybe_not(at_most(number - 1))
        case ir.Relation.EQUAL | ir.Relation.UNEQUAL:
            upper, lower = at_most(number), at_most(number - 1)
            found = None if upper is None or lower is None else t.conjunction(upper, t.negation(lower))
            if expression.relation is ir.Relation.UNEQUAL:
                found = _maybe_not(found)
    return None if found is None else Result(defined, found)


def _maybe_not(truth: Truth | None) -> Truth | None:
    return None if truth is None else t.negation(truth)


def _arithmetic(expression: ir.Arithmetic, env: Environment, moment: Moment) -> Result:
    left, right = present(expression.left, env, moment), present(expression.right, env, moment)
    defined = t.conjunction(left.defined, right.defined)
    if defined is False:
        return UNDEFINED
    operations: dict[ir.Operator, Callable[[Quantity, Quantity], Quantity]] = {
        ir.Operator.ADD: t.add,
        ir.Operator.SUBTRACT: t.subtract,
        ir.Operator.MULTIPLY: t.multiply,
    }
    return Result(defined, operations[expression.operator](left.value, right.value))


def _choose(expression: ir.Choose, env: Environment, moment: Moment) -> Result:
    condition = evaluate(expression.condition, env, moment)
    then, otherwise = evaluate(expression.then, env, moment), evaluate(expression.otherwise, env, moment)
    defined = t.choose_truth(condition.value, then.defined, otherwise.defined)
    if isinstance(then.value, Quantity):
        value = t.choose(condition.value, then.value, otherwise.value)
    else:
        value = t.choose_truth(condition.value, then.value, otherwise.value)
    return Result(t.conjunction(condition.defined, defined), value)


def _is_truth(expression: ir.Expression, world: World) -> bool:
    match expression:
        case ir.Boolean() | ir.Switch() | ir.Happened() | ir.Exists() | ir.ForAll() | ir.InZone() | ir.Compare():
            return True
        case ir.Lawful():
            return True
        case ir.Not() | ir.And() | ir.Or():
            return True
        case ir.ReadRegister():
            return world.cell_types[expression.register].truth
        case ir.ReadTerm():
            return isinstance(world.terms[expression.term].type, ir.Truth)
        case ir.Choose():
            return _is_truth(expression.then, world)
        case ir.Before() | ir.Present():
            return _is_truth(expression.of, world)
        case _:
            return False


def _happened(expression: ir.Happened, env: Environment, moment: Moment) -> Result:
    defined, values = arguments(expression.arguments, env, moment)
    if defined is False:
        return UNDEFINED_TRUTH
    cases = []
    for (event, index), raised in moment.events.items():
        if event == expression.event:
            same = [t.equal(t.constant(i), value) for i, value in zip(index, values, strict=True)]
            cases.append(t.conjunction(raised, *same))
    return Result(defined, t.disjunction(*cases))


def _of_sorts(
    expression: ir.Component | ir.Compose | ir.StepValue | ir.Extreme | ir.Distance, env: Environment, moment: Moment
) -> Result:
    world = moment.world
    match expression:
        case ir.Component():
            of = present(expression.of, env, moment)
            sort = world.sorts[sort_of(expression.of, world)]
            parts = [component[expression.factor] for component in sort.components]
            return Result(of.defined, t.table(of.value, parts)) if of.defined is not False else UNDEFINED
        case ir.Compose():
            return _compose(expression, env, moment)
        case ir.StepValue():
            return _step_value(expression, env, moment)
        case ir.Extreme():
            last = world.values(expression.sort) - 1
            if world.sorts[expression.sort].seats:
                return Result(True, t.subtract(world.seats, t.constant(1)) if expression.greatest else t.constant(0))
            return Result(True, t.constant(last if expression.greatest else 0))
        case ir.Distance():
            origin, target = present(expression.origin, env, moment), present(expression.target, env, moment)
            defined = t.conjunction(origin.defined, target.defined)
            if defined is False:
                return UNDEFINED
            ahead = t.subtract(target.value, origin.value)
            around = t.choose(t.less(target.value, origin.value), t.add(ahead, world.seats), ahead)
            most = world.norms.player_count - 1
            return Result(defined, Quantity(0, most, t.widened(around, 0, most)))
    assert_never(expression)


def _compose(expression: ir.Compose, env: Environment, moment: Moment) -> Result:
    defined, (first, second) = arguments(expression.parts, env, moment)
    if defined is False:
        return UNDEFINED
    sort = moment.world.sorts[expression.sort]
    index = {component: value for value, component in enumerate(sort.components)}
    firsts, seconds = (range(moment.world.values(factor)) for factor in sort.factors)
    rows = [t.table(second, [index.get((a, b), 0) for b in seconds]) for a in firsts]
    found = [t.truth_table(second, [(a, b) in index for b in seconds]) for a in firsts]
    value = t.select(first.number, rows, t.choose)
    return Result(t.conjunction(defined, t.truth_table(first, found)), value)


def _step_value(expression: ir.StepValue, env: Environment, moment: Moment) -> Result:
    of = present(expression.of, env, moment)
    if of.defined is False:
        return UNDEFINED
    world = moment.world
    sort = world.sorts[sort_of(expression.of, world)]
    count = len(sort.values)
    if sort.seats and world.seats.constant is None:
        last = t.subtract(world.seats, t.constant(1))
        if expression.delta > 0:
            value = t.choose(t.equal(of.value, last), t.constant(0), t.add(of.value, t.constant(1)))
        else:
            value = t.choose(t.equal(of.value, t.constant(0)), last, t.subtract(of.value, t.constant(1)))
        return Result(of.defined, Quantity(0, count - 1, t.widened(value, 0, count - 1)))
    wraps = expression.wrap or sort.ring or sort.seats
    value = t.table(of.value, [(i + expression.delta) % count for i in range(count)])
    if wraps:
        return Result(of.defined, value)
    inside = t.truth_table(of.value, [0 <= i + expression.delta < count for i in range(count)])
    return Result(t.conjunction(of.defined, inside), value)


def _of_zones(
    expression: ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove | ir.InZone | ir.ZonesHolding,
    env: Environment,
    moment: Moment,
) -> Result:
    world = moment.world
    if isinstance(expression, ir.ZonesHolding):
        card = present(expression.card, env, moment)
        if card.defined is False:
            return UNDEFINED
        places = [(zone, owner) for zone in world.norms.zones for _, owner in world.places(zone)]
        owners = [(zone, None if owner is None else t.constant(owner)) for zone, owner in places]
        lying = t.count_of([moment.holds(zone, owner, card.value) for zone, owner in owners])
        boxed = t.negation(t.holds_card(world.deck, card.value, world.cards))  # a card not in play lies in the box
        return Result(card.defined, t.choose(boxed, t.constant(1), lying))
    defined, zone, owner = zone_of(expression.zone, env, moment)
    if defined is False:
        return UNDEFINED_TRUTH if isinstance(expression, ir.InZone) else UNDEFINED
    match expression:
        case ir.Size():
            return Result(defined, moment.size(zone, owner))
        case ir.Top():
            found = moment.top(zone, owner)
        case ir.Bottom():
            found = moment.bottom(zone, owner)
        case ir.Author() | ir.CardAbove() | ir.InZone():
            card = present(expression.card, env, moment)
            if card.defined is False:
                return UNDEFINED_TRUTH if isinstance(expression, ir.InZone) else UNDEFINED
            defined = t.conjunction(defined, card.defined)
            if isinstance(expression, ir.InZone):
                return Result(defined, moment.holds(zone, owner, card.value))
            reader = moment.author if isinstance(expression, ir.Author) else moment.above
            found = reader(zone, owner, card.value)
        case _:
            assert_never(expression)
    return Result(t.conjunction(defined, found.defined), found.value)
