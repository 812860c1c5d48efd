"""Expressions as trees: their parts, their free variables, and copies with something replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from svod.norms import ir

Rewrite = Callable[[ir.Expression], ir.Expression]


def _zone(zone: ir.ZoneRef) -> tuple[ir.Expression, ...]:
    return () if zone.owner is None else (zone.owner,)


def children(e: ir.Expression) -> tuple[ir.Expression, ...]:
    """Direct parts, in the order they are read."""
    match e:
        case (
            ir.Number()
            | ir.Boolean()
            | ir.Value()
            | ir.Nothing()
            | ir.Variable()
            | ir.Switch()
            | ir.SeatCount()
            | ir.Extreme()
        ):
            return ()
        case ir.ReadRegister(arguments=parts) | ir.ReadTerm(arguments=parts) | ir.Happened(arguments=parts):
            return parts
        case ir.Compose(parts=parts) | ir.And(parts=parts) | ir.Or(parts=parts):
            return parts
        case ir.Component(of=of) | ir.StepValue(of=of) | ir.Not(of=of) | ir.Present(of=of) | ir.Before(of=of):
            return (of,)
        case ir.Distance(origin=a, target=b) | ir.Compare(left=a, right=b) | ir.Arithmetic(left=a, right=b):
            return (a, b)
        case ir.FirstClockwise(start=start, where=where):
            return (start, where)
        case ir.Only(where=where) | ir.Count(where=where) | ir.Exists(where=where):
            return (where,)
        case ir.Best(where=where, key=key):
            return (where, key)
        case ir.Sum(where=where, of=of):
            return (where, of)
        case ir.ForAll(where=where, holds=holds):
            return (where, holds)
        case ir.Size(zone=zone) | ir.Top(zone=zone) | ir.Bottom(zone=zone):
            return _zone(zone)
        case ir.Author(card=card, zone=zone) | ir.CardAbove(card=card, zone=zone) | ir.InZone(card=card, zone=zone):
            return (card, *_zone(zone))
        case ir.ZonesHolding(card=card):
            return (card,)
        case ir.Choose(condition=a, then=b, otherwise=c):
            return (a, b, c)
        case _:
            assert_never(e)


def map_zone(zone: ir.ZoneRef, f: Rewrite) -> ir.ZoneRef:
    """The zone with its owner rewritten."""
    return zone if zone.owner is None else ir.ZoneRef(zone.zone, f(zone.owner))


def map_children(e: ir.Expression, f: Rewrite) -> ir.Expression:
    """The same node with every direct part rewritten."""
    match e:
        case (
            ir.Number()
            | ir.Boolean()
            | ir.Value()
            | ir.Nothing()
            | ir.Variable()
            | ir.Switch()
            | ir.SeatCount()
            | ir.Extreme()
        ):
            return e
        case ir.ReadRegister() | ir.ReadTerm() | ir.Happened():
            return replace(e, arguments=tuple(map(f, e.arguments)))
        case ir.Compose() | ir.And() | ir.Or():
            return replace(e, parts=tuple(map(f, e.parts)))
        case ir.Component() | ir.StepValue() | ir.Not() | ir.Present() | ir.Before():
            return replace(e, of=f(e.of))
        case ir.Distance():
            return ir.Distance(f(e.origin), f(e.target))
        case ir.Compare() | ir.Arithmetic():
            return replace(e, left=f(e.left), right=f(e.right))
        case ir.FirstClockwise():
            return replace(e, start=f(e.start), where=f(e.where))
        case ir.Only() | ir.Count() | ir.Exists():
            return replace(e, where=f(e.where))
        case ir.Best():
            return replace(e, where=f(e.where), key=f(e.key))
        case ir.Sum():
            return replace(e, where=f(e.where), of=f(e.of))
        case ir.ForAll():
            return replace(e, where=f(e.where), holds=f(e.holds))
        case ir.Size() | ir.Top() | ir.Bottom():
            return replace(e, zone=map_zone(e.zone, f))
        case ir.Author() | ir.CardAbove() | ir.InZone():
            return replace(e, card=f(e.card), zone=map_zone(e.zone, f))
        case ir.ZonesHolding():
            return ir.ZonesHolding(f(e.card))
        case ir.Choose():
            return ir.Choose(f(e.condition), f(e.then), f(e.otherwise))
        case _:
            assert_never(e)


def bound_variable(e: ir.Expression) -> ir.Variable | None:
    """The variable that the node binds in its `where` (and `key`, `of`, `holds`; never in `start`)."""
    match e:
        case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
            return e.variable
        case _:
            return None


def free_variables(e: ir.Expression) -> tuple[ir.Variable, ...]:
    """Variables not bound inside, in order of first reading."""
    found: dict[str, ir.Variable] = {}

    def visit(node: ir.Expression, bound: frozenset[str]) -> None:
        if isinstance(node, ir.Variable):
            if node.name not in bound:
                found.setdefault(node.name, node)
            return
        if isinstance(node, ir.FirstClockwise):
            visit(node.start, bound)
            visit(node.where, bound | {node.variable.name})
            return
        binder = bound_variable(node)
        inner = bound if binder is None else bound | {binder.name}
        for child in children(node):
            visit(child, inner)

    visit(e, frozenset())
    return tuple(found.values())


def mentions(e: ir.Expression, name: str) -> bool:
    """Whether the variable is free in the expression."""
    return any(v.name == name for v in free_variables(e))


def substitute(e: ir.Expression, values: Mapping[str, ir.Expression]) -> ir.Expression:
    """The expression with free variables replaced; a binder that would capture a variable is renamed."""
    if not values:
        return e
    if isinstance(e, ir.Variable):
        return values.get(e.name, e)
    binder = bound_variable(e)
    if binder is None:
        return map_children(e, lambda child: substitute(child, values))
    inner = {name: value for name, value in values.items() if name != binder.name}
    taken = {v.name for value in inner.values() for v in free_variables(value)}
    if binder.name in taken:
        fresh = ir.Variable(_fresh(binder.name, taken | set(inner)), binder.sort)
        inner[binder.name] = fresh
        e = _rebind(e, fresh)
    if isinstance(e, ir.FirstClockwise):
        return replace(e, start=substitute(e.start, values), where=substitute(e.where, inner))
    return map_children(e, lambda child: substitute(child, inner))


def _rebind(e: ir.Expression, variable: ir.Variable) -> ir.Expression:
    match e:
        case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
            return replace(e, variable=variable)
        case _:
            return e


def _fresh(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def conjuncts(e: ir.Expression) -> tuple[ir.Expression, ...]:
    """The operands of nested conjunctions, left to right."""
    if isinstance(e, ir.And):
        return tuple(c for part in e.parts for c in conjuncts(part))
    return (e,)


def conjunction(parts: tuple[ir.Expression, ...]) -> ir.Expression:
    """Their conjunction; true if there are none."""
    if not parts:
        return ir.Boolean(True)
    return parts[0] if len(parts) == 1 else ir.And(parts)


def map_effect(effect: ir.Effect, f: Rewrite) -> ir.Effect:
    """The effect with every expression rewritten."""
    match effect:
        case ir.MoveCard():
            author = None if effect.author is None else f(effect.author)
            return ir.MoveCard(
                f(effect.card), map_zone(effect.source, f), map_zone(effect.target, f), effect.to_bottom, author
            )
        case ir.MoveAll():
            return ir.MoveAll(map_zone(effect.source, f), map_zone(effect.target, f))
        case ir.Assign():
            return ir.Assign(effect.register, tuple(map(f, effect.arguments)), f(effect.value))
        case ir.Post():
            return ir.Post(effect.register, tuple(map(f, effect.arguments)), f(effect.amount))
        case ir.Raise():
            return ir.Raise(effect.event, tuple(map(f, effect.arguments)))
        case ir.ForEach():
            return ir.ForEach(effect.variable, f(effect.where), tuple(map_effect(x, f) for x in effect.effects))
        case _:
            assert_never(effect)


def effect_parts(effect: ir.Effect) -> tuple[ir.Expression, ...]:
    """Every expression of an effect, those of inner effects too."""
    found: list[ir.Expression] = []

    def note(e: ir.Expression) -> ir.Expression:
        found.append(e)
        return e

    map_effect(effect, note)
    return tuple(found)


def flat_effects(effects: tuple[ir.Effect, ...]) -> tuple[ir.Effect, ...]:
    """The effects with those inside `ForEach` (and the `ForEach` itself)."""
    flat: list[ir.Effect] = []
    for effect in effects:
        flat.append(effect)
        if isinstance(effect, ir.ForEach):
            flat.extend(flat_effects(effect.effects))
    return tuple(flat)
