"""Expressions as trees: their parts, their free variables, and copies with something replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from svod.norms import ir
from svod.norms.walk import binder as bound_variable
from svod.norms.walk import children, map_children, map_zone

__all__ = ["bound_variable", "children", "map_children", "map_zone"]  # used by the generator together with what is here

Rewrite = Callable[[ir.Expression], ir.Expression]


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
        case ir.Restore():
            return effect
        case _:
            assert_never(effect)


def map_clause(clause: ir.Clause, f: Rewrite) -> ir.Clause:
    """The clause with every expression rewritten."""
    head = replace(clause.head, guard=f(clause.head.guard))
    match clause:
        case ir.TermClause():
            return replace(clause, head=head, value=f(clause.value))
        case ir.Duty():
            return replace(
                clause,
                head=head,
                bearer=f(clause.bearer),
                arguments=_places(clause.arguments, f),
                blocks=tuple(replace(b, arguments=_places(b.arguments, f)) for b in clause.blocks),
            )
        case ir.Trigger():
            return replace(clause, head=head, effects=tuple(map_effect(e, f) for e in clause.effects))
        case ir.Violation():
            return replace(clause, head=head, offenders=tuple(map(f, clause.offenders)))
        case ir.Invariant():
            return replace(clause, head=head, holds=f(clause.holds))
        case ir.Permission() | ir.Prohibition() | ir.Lapse() | ir.Ending():
            return replace(clause, head=head)
        case _:
            assert_never(clause)


def _places(arguments: tuple[ir.Expression | None, ...], f: Rewrite) -> tuple[ir.Expression | None, ...]:
    return tuple(None if a is None else f(a) for a in arguments)


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
