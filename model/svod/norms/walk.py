"""Parts of an expression, and an expression with its parts replaced; everything that walks the norms uses these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from svod.norms import ir


def children(expression: ir.Expression) -> tuple[ir.Expression, ...]:
    """Direct parts from left to right, owners of zones among them; variables that are bound here are not parts."""
    match expression:
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
        case ir.ReadRegister() | ir.ReadTerm() | ir.Happened() | ir.Lawful():
            return expression.arguments
        case ir.Component() | ir.StepValue() | ir.Not() | ir.Present() | ir.Before():
            return (expression.of,)
        case ir.Compose() | ir.And() | ir.Or():
            return expression.parts
        case ir.Distance():
            return (expression.origin, expression.target)
        case ir.FirstClockwise():
            return (expression.start, expression.where)
        case ir.Only() | ir.Count() | ir.Exists():
            return (expression.where,)
        case ir.Best():
            return (expression.where, expression.key)
        case ir.Sum():
            return (expression.where, expression.of)
        case ir.ForAll():
            return (expression.where, expression.holds)
        case ir.Size() | ir.Top() | ir.Bottom():
            return owner(expression.zone)
        case ir.Author() | ir.CardAbove() | ir.InZone():
            return (expression.card, *owner(expression.zone))
        case ir.ZonesHolding():
            return (expression.card,)
        case ir.Compare() | ir.Arithmetic():
            return (expression.left, expression.right)
        case ir.Choose():
            return (expression.condition, expression.then, expression.otherwise)
        case _:
            assert_never(expression)


def owner(zone: ir.ZoneRef) -> tuple[ir.Expression, ...]:
    """The owner's expression, if the zone has one."""
    return () if zone.owner is None else (zone.owner,)


def everything(expression: ir.Expression) -> Iterator[ir.Expression]:
    """The expression and all expressions in it, outer before inner."""
    yield expression
    for part in children(expression):
        yield from everything(part)


Change = Callable[[ir.Expression], ir.Expression]


def map_children(expression: ir.Expression, change: Change) -> ir.Expression:
    """The same expression with every direct part changed."""
    match expression:
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
            return expression
        case ir.ReadRegister() | ir.ReadTerm() | ir.Happened() | ir.Lawful():
            return replace(expression, arguments=tuple(change(argument) for argument in expression.arguments))
        case ir.Component() | ir.StepValue() | ir.Not() | ir.Present() | ir.Before():
            return replace(expression, of=change(expression.of))
        case ir.Compose() | ir.And() | ir.Or():
            return replace(expression, parts=tuple(change(part) for part in expression.parts))
        case ir.Distance():
            return ir.Distance(change(expression.origin), change(expression.target))
        case ir.FirstClockwise():
            return replace(expression, start=change(expression.start), where=change(expression.where))
        case ir.Only() | ir.Count() | ir.Exists():
            return replace(expression, where=change(expression.where))
        case ir.Best():
            return replace(expression, where=change(expression.where), key=change(expression.key))
        case ir.Sum():
            return replace(expression, where=change(expression.where), of=change(expression.of))
        case ir.ForAll():
            return replace(expression, where=change(expression.where), holds=change(expression.holds))
        case ir.Size() | ir.Top() | ir.Bottom():
            return replace(expression, zone=map_zone(expression.zone, change))
        case ir.Author() | ir.CardAbove() | ir.InZone():
            return replace(expression, card=change(expression.card), zone=map_zone(expression.zone, change))
        case ir.ZonesHolding():
            return ir.ZonesHolding(change(expression.card))
        case ir.Compare() | ir.Arithmetic():
            return replace(expression, left=change(expression.left), right=change(expression.right))
        case ir.Choose():
            return ir.Choose(change(expression.condition), change(expression.then), change(expression.otherwise))
        case _:
            assert_never(expression)


def map_zone(zone: ir.ZoneRef, change: Change) -> ir.ZoneRef:
    """The zone with its owner changed."""
    return zone if zone.owner is None else ir.ZoneRef(zone.zone, change(zone.owner))


def binder(expression: ir.Expression) -> ir.Variable | None:
    """The variable that the expression binds, if it binds one."""
    match expression:
        case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
            return expression.variable
        case _:
            return None


def substitute(expression: ir.Expression, values: dict[str, ir.Expression]) -> ir.Expression:
    """The expression with free variables replaced by name. A bound variable that would catch one of them is renamed."""
    if isinstance(expression, ir.Variable):
        return values.get(expression.name, expression)
    variable = binder(expression)
    if variable is None:
        return map_children(expression, lambda part: substitute(part, values))
    inner = {name: value for name, value in values.items() if name != variable.name}
    caught = {name for value in inner.values() for name in free_names(value)}
    fresh = variable
    while fresh.name in caught:
        fresh = ir.Variable(fresh.name + "′", variable.sort)
    if fresh != variable:
        inner[variable.name] = fresh
    start = expression.start if isinstance(expression, ir.FirstClockwise) else None
    changed = map_children(expression, lambda part: substitute(part, values if part is start else inner))
    return _rebind(changed, fresh)


def _rebind(expression: ir.Expression, variable: ir.Variable) -> ir.Expression:
    match expression:
        case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
            return replace(expression, variable=variable)
        case _:
            return expression


def free_names(expression: ir.Expression) -> set[str]:
    """Names of the variables that occur free."""
    if isinstance(expression, ir.Variable):
        return {expression.name}
    found: set[str] = set()
    for part in children(expression):
        found |= free_names(part)
    variable = binder(expression)
    if variable is None:
        return found
    found.discard(variable.name)
    if isinstance(expression, ir.FirstClockwise):
        found |= free_names(expression.start)
    return found


def effect_expressions(effect: ir.Effect) -> Iterator[ir.Expression]:
    """Every expression that the effect evaluates, outer effects first."""
    match effect:
        case ir.MoveCard():
            yield effect.card
            yield from owner(effect.source)
            yield from owner(effect.target)
            if effect.author is not None:
                yield effect.author
        case ir.MoveAll():
            yield from owner(effect.source)
            yield from owner(effect.target)
        case ir.Assign():
            yield from effect.arguments
            yield effect.value
        case ir.Post():
            yield from effect.arguments
            yield effect.amount
        case ir.Raise():
            yield from effect.arguments
        case ir.ForEach():
            yield effect.where
            for inner in effect.effects:
                yield from effect_expressions(inner)
        case ir.Restore():
            return
        case _:
            assert_never(effect)


def all_effects(effects: tuple[ir.Effect, ...]) -> Iterator[ir.Effect]:
    """The effects and those inside «для всех»."""
    for effect in effects:
        yield effect
        if isinstance(effect, ir.ForEach):
            yield from all_effects(effect.effects)


def clause_expressions(clause: ir.Clause) -> Iterator[ir.Expression]:
    """The guard, then every other expression that the clause evaluates."""
    yield clause.head.guard
    match clause:
        case ir.TermClause():
            yield clause.value
        case ir.Duty():
            yield clause.bearer
            yield from (argument for argument in clause.arguments if argument is not None)
            for blocked in clause.blocks:
                yield from (argument for argument in blocked.arguments if argument is not None)
        case ir.Trigger():
            for effect in clause.effects:
                yield from effect_expressions(effect)
        case ir.Violation():
            yield from clause.offenders
        case ir.Invariant():
            yield clause.holds
        case ir.Permission() | ir.Prohibition() | ir.Lapse() | ir.Ending():
            return
        case _:
            assert_never(clause)


def everything_in(clause: ir.Clause) -> Iterator[ir.Expression]:
    """Every expression in the clause, outer before inner."""
    for expression in clause_expressions(clause):
        yield from everything(expression)
