"""Which numbers an item's statements and prose name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from svod.rulebook import numbers
from svod.rulebook.book import Reference
from svod.syntax import tree


def clause_references(statements: Iterable[tree.Statement]) -> Iterator[tree.RuleName]:
    """Every rule number that the statements name: edges, steps, variants, acceptances, goto and values."""
    for statement in statements:
        match statement:
            case tree.Edged():
                yield from statement.excepts
                yield from statement.after
                yield from _in_clause(statement.clause)
            case tree.ReadingGroup():
                for option in statement.options:
                    yield from clause_references(option.statements)
            case tree.ProcedureDeclaration():
                yield tree.RuleName(statement.procedure, span=statement.span)
                yield from statement.steps
            case tree.VariantDeclaration() | tree.Acceptance():
                yield from statement.rules
            case tree.SlotOption():
                yield from _in_expressions(statement.when)
            case tree.ActionDeclaration():
                yield from _in_expressions(statement.possible)
            case tree.RegisterDeclaration():
                yield from _in_expressions(statement.initial)
            case _:
                continue


def prose_mentions(prose: str, known: Iterable[str], look_same: Iterable[str] = ()) -> list[numbers.Mention]:
    """Numbers that the prose mentions; `known` numbers say which prefixes count, `look_same` which merely look so."""
    names = list(known)
    prefixes = {
        prefix for number in names if (prefix := numbers.prefix_of(number)) is not None and prefix.endswith("-")
    }
    return numbers.mentions(prose, prefixes, names, tuple(look_same))


def resolve_mention(number: str, known: Iterable[str]) -> str | None:
    """The item meant: `R-5.3b` is part (b) of item R-5.3 unless there is an item R-5.3b."""
    names = set(known)
    if number in names:
        return number
    shorter = number[:-1]
    return shorter if number[-1:].isalpha() and shorter in names else None


def gather(
    statements: tuple[tree.Statement, ...], prose: str, order: tuple[str, ...], own: str
) -> tuple[Reference, ...]:
    """All numbers in `order` that the item names, ranges spelt out, without repetition and without itself."""
    found: dict[str, Reference] = {}
    for name in clause_references(statements):
        if name.number != own:
            found.setdefault(name.number, Reference(name.number, True, name.span))
    for mention in prose_mentions(prose, order):
        for number in _spelt_out(mention, order):
            if number != own:
                found.setdefault(number, Reference(number, False))
    return tuple(found.values())


def _spelt_out(mention: numbers.Mention, order: tuple[str, ...]) -> list[str]:
    first = resolve_mention(mention.number, order)
    last = None if mention.range_to is None else resolve_mention(mention.range_to, order)
    if first is None or last is None:
        return [number for number in (first, last) if number is not None]
    low, high = sorted((order.index(first), order.index(last)))
    return list(order[low : high + 1])


def _in_clause(clause: tree.BareClause) -> Iterator[tree.RuleName]:
    match clause:
        case tree.TermDefinition():
            yield from _in_expressions(clause.value, clause.condition)
        case tree.NormClause() | tree.DutyClause():
            yield from _in_expressions(clause.condition)
        case tree.OnClause():
            yield from _in_expressions(*clause.pattern.arguments, clause.condition)
            yield from _in_effects(clause.effects)
        case tree.EdgeClause():
            yield from _in_expressions(clause.condition)
            yield from _in_effects(clause.effects)
        case tree.ViolationClause():
            yield from _in_expressions(*clause.pattern.arguments, clause.condition)
            yield from clause.breaks
        case tree.LapseClause():
            yield from _in_expressions(*clause.pattern.arguments, clause.condition)
        case tree.PenaltyClause():
            yield from _in_expressions(*clause.arguments, clause.condition)
            yield from _in_effects(clause.effects)
        case tree.EndingClause():
            yield from _in_expressions(clause.condition)
        case tree.InvariantClause():
            yield from _in_expressions(clause.holds)
        case _:
            assert_never(clause)


def _in_effects(effects: Iterable[tree.Effect]) -> Iterator[tree.RuleName]:
    for effect in effects:
        match effect:
            case tree.GoTo():
                yield tree.RuleName(effect.step, span=effect.span)
            case tree.ForEach():
                yield from _in_effects(effect.effects)
            case tree.Assign():
                yield from _in_expressions(*effect.arguments, effect.value)
            case tree.Raise() | tree.SetWindow():
                yield from _in_expressions(*effect.arguments)
            case tree.Move() | tree.Begin() | tree.Restore():
                continue
            case _:
                assert_never(effect)


def _in_expressions(*expressions: tree.Expression | None) -> Iterator[tree.RuleName]:
    for expression in expressions:
        if expression is not None:
            yield from _in_expression(expression)


def _in_expression(expression: tree.Expression) -> Iterator[tree.RuleName]:
    match expression:
        case tree.RuleName():
            yield expression
        case tree.StepOf():
            yield tree.RuleName(expression.procedure, span=expression.span)
        case tree.Name() | tree.Numeral() | tree.Truth() | tree.Nothing():
            return
        case tree.Call() | tree.HappenedNow() | tree.Allowed():
            yield from _in_expressions(*expression.arguments)
        case tree.Binary():
            yield from _in_expressions(expression.left, expression.right)
        case tree.Not() | tree.Minus() | tree.Before():
            yield from _in_expression(expression.of)
        case tree.Emptiness():
            yield from _in_expression(expression.zone)
        case tree.Membership():
            yield from _in_expressions(expression.card, expression.zone)
        case tree.Quantifier():
            yield from _in_expressions(expression.zone, expression.where, expression.of)
        case tree.FirstClockwise():
            yield from _in_expressions(expression.start, expression.where)
        case tree.Conditional():
            yield from _in_expressions(expression.condition, expression.then, expression.otherwise)
        case _:
            assert_never(expression)
