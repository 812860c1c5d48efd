"""From an expression to the sort of its values; only for expressions that give a value of a sort."""

from __future__ import annotations

from svod.naive.world import World
from svod.norms import ir


def sort_of(world: World, expression: ir.Expression) -> str:
    """The sort whose values the expression gives."""
    match expression:
        case ir.Value() | ir.Nothing() | ir.Variable() | ir.Compose() | ir.Extreme():
            return expression.sort
        case ir.ReadRegister():
            return member(world.registers[expression.register].type)
        case ir.ReadTerm():
            return member(world.terms[expression.term].type)
        case ir.Component(of=of, factor=factor):
            return world.sorts[sort_of(world, of)].factors[factor]
        case ir.StepValue(of=of) | ir.Present(of=of) | ir.Before(of=of):
            return sort_of(world, of)
        case ir.FirstClockwise() | ir.Only() | ir.Best():
            return expression.variable.sort
        case ir.Top() | ir.Bottom() | ir.CardAbove():
            return world.zones[expression.zone.zone].card_sort
        case ir.Author():
            return world.norms.seats
        case ir.Choose(then=then):
            return sort_of(world, then)
        case _:
            raise TypeError(f"no value of a sort: {expression}")


def member(type_: ir.Type) -> str:
    if not isinstance(type_, ir.Member):
        raise TypeError(f"no sort: {type_}")
    return type_.sort
