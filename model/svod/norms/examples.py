"""Examples of a book → typed examples ready to run: norms at their parameters, a position, acts, expectations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.from_rulebook import lower_book
from svod.norms.lower import codes, constants
from svod.norms.lower.grounds import Ground, ground_arguments
from svod.norms.lower.patterns import action_targets, is_wildcard
from svod.norms.lower.scenes import position_from_given
from svod.norms.lower.scope import Scope
from svod.norms.lower.world import report_unknown
from svod.norms.parameters import parameters_of
from svod.norms.trace import Act, Position, Status
from svod.rulebook.book import Book, BookItem
from svod.source import Span
from svod.syntax import tree

_STATUS = {
    "lawful": Status.LAWFUL,
    "unlawful": Status.UNLAWFUL,
    "contested": Status.CONTESTED,
    "impossible": Status.IMPOSSIBLE,
}


@dataclass(frozen=True, slots=True)
class Happens:
    """An act that happens; it must be possible."""

    act: Act
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Holds:
    """A condition that must hold in the position reached."""

    condition: ir.Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class HasStatus:
    """What the norms must say about an act: every possible act of `action` with these arguments (None: any)."""

    status: Status
    action: str
    arguments: tuple[int | None, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Stops:
    """The last act must end in a hole, a race or a clash («hole», «race», «clash»), at this place if one is named.

    `place` is a slot, register, zone, or number of an item whose clause is concerned.
    """

    outcome: str
    place: str | None
    span: Span = field(compare=False)


ExampleStep: TypeAlias = Happens | Holds | HasStatus | Stops


@dataclass(frozen=True, slots=True)
class Example:
    """An example of item `rule` at fixed parameters. `position` None: it begins at the start of a play.

    `switches` are the readings adopted and the variants that the example switches on.
    """

    rule: str
    title: str
    parameters: tuple[tuple[str, int], ...]
    norms: ir.Norms = field(repr=False)
    switches: tuple[str, ...]
    position: Position | None
    steps: tuple[ExampleStep, ...]
    span: Span = field(compare=False)


def examples_from_book(
    book: Book, problems: Problems, defaults: Mapping[str, int] | None = None
) -> tuple[Example, ...]:
    """All examples that can be understood. A parameter left open takes its default, else its first value."""
    cache: dict[tuple[tuple[str, int], ...], tuple[ir.Norms, Scope] | None] = {}
    result = []
    for item in book.items:
        for example in item.examples:
            typed = _example(book, item, example, defaults or {}, cache, problems)
            if typed is not None:
                result.append(typed)
    return tuple(result)


_Cache: TypeAlias = dict[tuple[tuple[str, int], ...], tuple[ir.Norms, Scope] | None]


def _example(
    book: Book, item: BookItem, example: tree.Example, defaults: Mapping[str, int], cache: _Cache, problems: Problems
) -> Example | None:
    chosen = _parameters(book, item, example, defaults, problems)
    if chosen not in cache:
        cache[chosen] = lower_book(book, dict(chosen), problems)
    found = cache[chosen]
    if found is None:
        return None
    norms, scope = found
    own = Problems()
    scope = Scope(scope.world, own, item.number, scope.lowering, judging=True)
    given = [line for line in example.lines if isinstance(line, tree.Given | tree.Rest)]
    _given_first(scope, example)
    names = {name for name, _ in chosen}
    scene = [line for line in given if isinstance(line, tree.Rest) or line.name not in names]
    switches, scene = _switches(scope, norms, scene)
    position = position_from_given(scope, norms, scene, switches)
    steps = [_step(scope, norms, line) for line in example.lines if not isinstance(line, tree.Given | tree.Rest)]
    for diagnostic in own:
        problems.add(diagnostic)
    if own.has_errors:
        return None
    whole = tuple(step for step in steps if step is not None)
    return Example(item.number, example.title, chosen, norms, switches, position, whole, example.span)


def _parameters(
    book: Book, item: BookItem, example: tree.Example, defaults: Mapping[str, int], problems: Problems
) -> tuple[tuple[str, int], ...]:
    given = {line.name: line for line in example.lines if isinstance(line, tree.Given)}
    result = []
    for parameter in parameters_of(book):
        value = defaults.get(parameter.name, parameter.default)
        line = given.get(parameter.name)
        if line is not None and line.value is not None:
            value = constants.number(line.value, {}, item.number, problems)
        if value is not None:
            result.append((parameter.name, value))
    return tuple(result)


def _given_first(scope: Scope, example: tree.Example) -> None:
    begun = False
    for line in example.lines:
        if isinstance(line, tree.Given | tree.Rest):
            if begun:
                scope.report(
                    codes.EXAMPLE_FORM,
                    Text("«дано» стоит до действий и ожиданий", "`given` comes before acts and expectations"),
                    line.span,
                )
        else:
            begun = True


def _switches(
    scope: Scope, norms: ir.Norms, scene: list[tree.Given | tree.Rest]
) -> tuple[tuple[str, ...], list[tree.Given | tree.Rest]]:
    """Readings adopted and variants given as `вариант = V` or `V = да`; and the lines that are left."""
    on = {reading.switch(reading.adopted) for reading in norms.readings}
    variants = {variant.name for variant in norms.variants}
    left = []
    for line in scene:
        if isinstance(line, tree.Given) and line.name in ("вариант", "variant") and isinstance(line.value, tree.Name):
            if line.value.text in variants:
                on.add(line.value.text)
            else:
                kind = ("вариант", "variant")
                word, span = line.value.text, line.value.span
                report_unknown(scope.world, scope.problems, kind, word, variants, span, scope.rule, codes.UNKNOWN_NAME)
        elif (
            isinstance(line, tree.Given) and line.name in variants and isinstance(line.value, tree.Truth | tree.Nothing)
        ):
            if isinstance(line.value, tree.Truth) and line.value.value:
                on.add(line.name)
        else:
            left.append(line)
    return tuple(sorted(on)), left


def _step(scope: Scope, norms: ir.Norms, line: tree.Do | tree.Expect) -> ExampleStep | None:
    if isinstance(line, tree.Do):
        found = _act(scope, norms, line.act)
        if found is None:
            return None
        action, arguments = found
        whole = tuple(argument for argument in arguments if argument is not None)
        if len(whole) < len(arguments):
            scope.report(
                codes.EXAMPLE_FORM,
                Text(
                    "действие в примере называют целиком, без «_»", "an act that happens is named in full, without “_”"
                ),
                line.act.span,
            )
            return None
        return Happens(Act(action, whole), line.span)
    if line.condition is not None:
        condition = scope.condition(line.condition)
        return None if condition is None else Holds(condition, line.span)
    if line.status is not None and line.act is not None:
        found = _act(scope, norms, line.act)
        return None if found is None else HasStatus(_STATUS[line.status], *found, line.span)
    return _stops(scope, norms, line)


def _act(scope: Scope, norms: ir.Norms, pattern: tree.Pattern) -> tuple[str, tuple[Ground, ...]] | None:
    if pattern.name in scope.world.classes:
        scope.report(
            codes.EXAMPLE_FORM,
            Text("в примере называют действие, а не класс", "an example names an action, not a class"),
            pattern.span,
        )
        return None
    targets = action_targets(scope, pattern)
    if not targets:
        return None
    sorts = tuple(parameter.sort for parameter in targets[0].parameters)
    open_places = tuple(is_wildcard(argument) for argument in pattern.arguments)
    arguments = ground_arguments(scope, norms, pattern.arguments, sorts, open_places)
    return None if arguments is None else (pattern.name, arguments)


def _stops(scope: Scope, norms: ir.Norms, line: tree.Expect) -> Stops | None:
    place = line.place
    if place is not None:
        world = scope.world
        known = {*world.slots, *world.registers, *world.zones, *(clause.head.rule for clause in norms.clauses)}
        if place not in known:
            kind = ("место", "place")
            report_unknown(world, scope.problems, kind, place, known, line.span, scope.rule, codes.UNKNOWN_NAME)
            return None
    return Stops(line.outcome or "", place, line.span)
