"""Quantifiers of the tree → bounded quantifiers of the norms, the zone of `x в Z` as the first conjunct."""

from __future__ import annotations

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import calls, codes, typing
from svod.norms.lower.scope import Scope, Typed
from svod.norms.lower.world import report_unknown
from svod.source import Span
from svod.syntax import tree


def variable_sort(scope: Scope, word: str, span: Span) -> str | None:
    """Sort of a declared variable; reported if there is none."""
    sort = scope.world.variables.get(word)
    if sort is None:
        known = set(scope.world.variables)
        kind = ("переменная", "variable")
        report_unknown(scope.world, scope.problems, kind, word, known, span, scope.rule, codes.UNKNOWN_VARIABLE)
    return sort


def lower_quantifier(scope: Scope, quantifier: tree.Quantifier) -> Typed | None:
    """A quantifier of any kind; None once a problem is reported."""
    sort = variable_sort(scope, quantifier.variable, quantifier.span)
    if sort is None:
        return None
    inner, variable = scope.bind(quantifier.variable, sort, quantifier.span)
    where = _where(scope, inner, variable, quantifier)
    match quantifier.kind:
        case "exists":
            return None if where is None else Typed(ir.Exists(variable, where), ir.Truth())
        case "count":
            most = len(scope.world.sorts[sort].values)
            return None if where is None else Typed(ir.Count(variable, where), ir.Whole(0, most))
        case "only":
            return None if where is None else Typed(ir.Only(variable, where), ir.Member(sort))
        case "all":
            holds = inner.condition(quantifier.of)
            return None if where is None or holds is None else Typed(ir.ForAll(variable, where, holds), ir.Truth())
        case "sum":
            return _sum(inner, variable, where, quantifier)
        case _:
            return _best(inner, variable, where, quantifier)


def lower_first_clockwise(scope: Scope, first: tree.FirstClockwise) -> Typed | None:
    """«первый x по часовой после E, где C»."""
    sort = variable_sort(scope, first.variable, first.span)
    start = scope.wanted(first.start, ir.Member(scope.world.seats))
    if sort is None:
        return None
    if sort != scope.world.seats:
        scope.report(
            codes.TYPE_MISMATCH,
            Text(
                f"по часовой стрелке сидят игроки, а «{first.variable}» из сорта {sort}",
                f"only seats go clockwise, “{first.variable}” is of {sort}",
            ),
            first.span,
        )
        return None
    inner, variable = scope.bind(first.variable, sort, first.span)
    where = inner.condition(first.where)
    if start is None or where is None:
        return None
    return Typed(ir.FirstClockwise(start, first.inclusive, variable, where), ir.Member(sort))


def conjunction(*parts: ir.Expression) -> ir.Expression:
    """All of the parts from left to right, flat, without those that are plainly true."""
    flat: list[ir.Expression] = []
    for part in parts:
        if isinstance(part, ir.And):
            flat.extend(part.parts)
        elif part != ir.Boolean(True):
            flat.append(part)
    if not flat:
        return ir.Boolean(True)
    return flat[0] if len(flat) == 1 else ir.And(tuple(flat))


def _where(outer: Scope, inner: Scope, variable: ir.Variable, quantifier: tree.Quantifier) -> ir.Expression | None:
    condition = inner.condition(quantifier.where)
    if quantifier.zone is None:
        return condition
    zone = calls.zone_ref(outer, quantifier.zone)
    if variable.sort != outer.world.card_sort:
        outer.report(
            codes.TYPE_MISMATCH,
            Text(
                f"в зоне лежат карты, а «{quantifier.variable}» из сорта {variable.sort}",
                f"zones hold cards, “{quantifier.variable}” is of {variable.sort}",
            ),
            quantifier.span,
        )
        return None
    if zone is None or condition is None:
        return None
    return conjunction(ir.InZone(variable, zone), condition)


def _sum(inner: Scope, variable: ir.Variable, where: ir.Expression | None, quantifier: tree.Quantifier) -> Typed | None:
    assert quantifier.of is not None
    number = ir.Whole(None, None)
    typed = inner.lower(quantifier.of, number)
    of = None if typed is None else inner.coerce(typed, number, quantifier.of.span)
    if typed is None or of is None or where is None:
        return None
    assert isinstance(typed.type, ir.Whole)
    most = len(inner.world.sorts[variable.sort].values)
    low = None if typed.type.low is None else min(0, most * typed.type.low)
    high = None if typed.type.high is None else max(0, most * typed.type.high)
    if typed.type.optional:
        of = ir.Present(typed.expression)
    return Typed(ir.Sum(variable, where, of), ir.Whole(low, high))


def _best(
    inner: Scope, variable: ir.Variable, where: ir.Expression | None, quantifier: tree.Quantifier
) -> Typed | None:
    assert quantifier.of is not None
    key = inner.lower(quantifier.of)
    if key is None or where is None:
        return None
    ordered = isinstance(key.type, ir.Whole) or (
        isinstance(key.type, ir.Member) and inner.world.sorts[key.type.sort].ordered
    )
    if not ordered:
        inner.report(
            codes.NOT_ORDERED,
            Text(
                f"сравнивать по этому нельзя: {typing.name_ru(key.type)} без порядка",
                f"there is no order to compare by: this is {typing.name_en(key.type)}",
            ),
            quantifier.of.span,
        )
        return None
    value = ir.Present(key.expression) if typing.is_optional(key.type) else key.expression
    largest = quantifier.kind == "largest"
    return Typed(ir.Best(variable, where, value, largest), ir.Member(variable.sort))
