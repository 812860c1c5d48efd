"""Expressions without state → value numbers: arguments of acts, cards and registers of an example."""

from __future__ import annotations

from typing import TypeAlias

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.scope import Scope
from svod.syntax import tree

Ground: TypeAlias = int | None


class _NotGround(Exception):
    """The expression needs a state."""


def ground(norms: ir.Norms, expression: ir.Expression) -> Ground:
    """Number of the value (truth as 0 or 1, «нет» as None). Raises _NotGround if a state is needed."""
    match expression:
        case ir.Number():
            return expression.value
        case ir.Boolean():
            return int(expression.value)
        case ir.Value():
            return expression.index
        case ir.Nothing():
            return None
        case ir.SeatCount():
            return norms.player_count
        case ir.Extreme():
            return len(norms.sort(expression.sort).values) - 1 if expression.greatest else 0
        case ir.Compose():
            parts = tuple(_number(norms, part) for part in expression.parts)
            sort = norms.sort(expression.sort)
            if parts in sort.components:
                return sort.components.index(parts)
            raise _NotGround
        case ir.Arithmetic():
            left, right = _number(norms, expression.left), _number(norms, expression.right)
            match expression.operator:
                case ir.Operator.ADD:
                    return left + right
                case ir.Operator.SUBTRACT:
                    return left - right
                case ir.Operator.MULTIPLY:
                    return left * right
        case _:
            raise _NotGround


def _number(norms: ir.Norms, expression: ir.Expression) -> int:
    value = ground(norms, expression)
    if value is None:
        raise _NotGround
    return value


def ground_value(scope: Scope, norms: ir.Norms, expression: tree.Expression, expected: ir.Type) -> tuple[Ground] | None:
    """The value in a 1-tuple; None once a problem is reported."""
    lowered = scope.wanted(expression, expected)
    if lowered is None:
        return None
    try:
        return (ground(norms, lowered),)
    except _NotGround:
        scope.report(
            codes.EXAMPLE_FORM,
            Text("в примере здесь нужно само значение", "an example needs a plain value here"),
            expression.span,
        )
        return None


def ground_arguments(
    scope: Scope,
    norms: ir.Norms,
    arguments: tuple[tree.Expression, ...],
    sorts: tuple[str, ...],
    open_places: tuple[bool, ...],
) -> tuple[Ground, ...] | None:
    """Values of the sorts; None where a place is left open; None as a whole once a problem is reported."""
    result: list[Ground] = []
    failed = False
    for argument, sort, is_open in zip(arguments, sorts, open_places, strict=True):
        value = (None,) if is_open else ground_value(scope, norms, argument, ir.Member(sort))
        if value is None:
            failed = True
        else:
            result.append(value[0])
    return None if failed else tuple(result)
