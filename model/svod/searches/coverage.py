"""In: a book, its norms, its examples. Out: for every item whether it is formal, and what exercises it.

An example exercises an item if a clause of it has a part in what the example does or states (see `exercising`), or, for
an item that only declares things, if something with a part speaks of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import assert_never

from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import Example, Happens, HasStatus, Holds, Stops
from svod.norms.trace import Act, Next, Position, StepOutcome
from svod.norms.walk import all_effects, everything, everything_in
from svod.rulebook.book import Book, BookItem
from svod.searches.exercising import Exercised
from svod.source import Span
from svod.syntax import tree


class ItemKind(Enum):
    """What an item is to the program."""

    FORMAL = "formal"
    CHECKING = "checking"  # only speaks of checks: projections, accepted findings
    INFORMATIVE = "informative"
    PENDING = "pending"  # says of itself that it is not formal yet
    SILENT = "silent"  # prose without clauses, and no word why


@dataclass(frozen=True, slots=True)
class Exerciser:
    """An example or a case: its item (None: a case), its name."""

    rule: str | None
    title: str


@dataclass(frozen=True, slots=True)
class ItemCoverage:
    """One item. `clauses` are written ones, `exercised` those of them that something exercises; `declares`: it has no
    clause and only declares. `here`: what exercises it and stands in its own chapter; `elsewhere`: the rest."""

    number: str
    title: str
    chapter: str
    kind: ItemKind
    reason: str
    clauses: int
    exercised: int
    declares: bool
    here: tuple[Exerciser, ...]
    elsewhere: tuple[Exerciser, ...]

    @property
    def bare(self) -> bool:
        """Formal, and exercised by nothing."""
        return self.kind is ItemKind.FORMAL and not self.here and not self.elsewhere


@dataclass(frozen=True, slots=True)
class Part:
    """What had a part in one example: clauses (ids, and places in the text), and names that they speak of."""

    by: Exerciser
    clauses: frozenset[str]
    spans: frozenset[Span]
    rules: frozenset[str]
    names: frozenset[str]


_CHECKING = (tree.ProjectionDeclaration, tree.CheckDecksDeclaration, tree.Acceptance, tree.Answers, tree.Basis)
_DECLARING = (
    tree.ParameterDeclaration,
    tree.SortDeclaration,
    tree.ProductDeclaration,
    tree.CatalogueDeclaration,
    tree.SeatsDeclaration,
    tree.VariablesDeclaration,
    tree.ZoneDeclaration,
    tree.RegisterDeclaration,
    tree.StagesDeclaration,
    tree.EventDeclaration,
    tree.ClassDeclaration,
    tree.ActionDeclaration,
    tree.SlotOption,
    tree.VariantDeclaration,
)


def coverage(
    book: Book, norms: Iterable[ir.Norms], parts: Sequence[Part], cited: Mapping[str, Sequence[str]] | None = None
) -> tuple[ItemCoverage, ...]:
    """Every item in text order. `norms`: at all parameters that matter; `cited`: case → numbers of its chain."""
    written: dict[str, set[Span | str]] = {}
    for each in norms:
        for clause in each.clauses:
            written.setdefault(clause.head.rule, set()).add(clause.head.span or clause.head.id)
    chapters = {item.number: item.chapter for item in book.items}
    declared = _Declared(book)
    found = []
    for item in book.items:
        own = written.get(item.number, set())
        exercisers = [part.by for part in parts if declared.exercises(part, item, bool(own))]
        exercisers += [Exerciser(None, case) for case, rules in (cited or {}).items() if item.number in rules]
        used = {span for part in parts for span in part.spans} | {name for part in parts for name in part.clauses}
        here = [by for by in exercisers if by.rule is not None and chapters.get(by.rule) == item.chapter]
        kind = kind_of(item)
        status = item.status
        found.append(
            ItemCoverage(
                item.number,
                item.title,
                item.chapter,
                kind,
                "" if status is None else status.reason,
                len(own),
                len(own & used),
                kind is ItemKind.FORMAL and not own,
                tuple(here),
                tuple(by for by in exercisers if by not in here),
            )
        )
    return tuple(found)


def kind_of(item: BookItem) -> ItemKind:
    """What the item is to the program, by what stands in its fence."""
    status = item.status
    if status is not None:
        return ItemKind.INFORMATIVE if status.kind == "informative" else ItemKind.PENDING
    if not item.statements:
        return ItemKind.SILENT
    return ItemKind.CHECKING if all(isinstance(each, _CHECKING) for each in item.statements) else ItemKind.FORMAL


class _Declared:
    """Which item declares which name, and what a declaration itself speaks of."""

    def __init__(self, book: Book) -> None:
        self.names: dict[str, set[str]] = {}
        self.spoken: dict[str, set[str]] = {}
        for item in book.items:
            for statement in item.statements:
                if isinstance(statement, _DECLARING):
                    own = set(_declared_by(statement))
                    self.names.setdefault(item.number, set()).update(own)
                    words = set(_words(statement)) - own
                    for name in own:
                        self.spoken.setdefault(name, set()).update(words)

    def exercises(self, part: Part, item: BookItem, has_clauses: bool) -> bool:
        """Whether the example exercises the item."""
        if has_clauses:
            return item.number in part.rules
        return bool(self.names.get(item.number, set()) & self._closed(part.names))

    def _closed(self, names: frozenset[str]) -> set[str]:
        """The names, and those that their declarations speak of."""
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.spoken.get(name, ())
        return found


def _declared_by(statement: tree.Statement) -> Iterator[str]:
    match statement:
        case tree.VariablesDeclaration(names=names) | tree.StagesDeclaration(names=names):
            yield from names
        case tree.SeatsDeclaration(name=name, parameter=parameter):
            yield from (name, parameter)
        case (
            tree.ParameterDeclaration(name=name)
            | tree.SortDeclaration(name=name)
            | tree.ProductDeclaration(name=name)
            | tree.CatalogueDeclaration(name=name)
            | tree.ZoneDeclaration(name=name)
            | tree.RegisterDeclaration(name=name)
            | tree.EventDeclaration(name=name)
            | tree.ClassDeclaration(name=name)
            | tree.ActionDeclaration(name=name)
            | tree.SlotOption(name=name)
            | tree.VariantDeclaration(name=name)
        ):
            yield name


def _words(node: object) -> Iterator[str]:
    """Every name in a statement."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _words(part)
    elif is_dataclass(node) and not isinstance(node, Span):
        for field in fields(node):
            yield from _words(getattr(node, field.name))


# --------------------------------------------------------------------------------------------------- examples


def parts_of(examples: Iterable[Example]) -> Iterator[Part]:
    """Run every example and tell what had a part in it; one that cannot be run counts as far as it goes."""
    players: dict[tuple[object, ...], Exercised] = {}
    for example in examples:
        key = (example.parameters, example.switches)
        player = players.setdefault(key, Exercised(example.norms, example.switches))
        run = _Run(example, player)
        run.whole()
        yield part_of(example.norms, Exerciser(example.rule, example.title), run.clauses, run.acts, example.switches)


def part_of(
    norms: ir.Norms, by: Exerciser, clauses: Iterable[str], acts: Iterable[Act], switches: Iterable[str]
) -> Part:
    """The clauses and acts of one example as what they speak of."""
    table = {clause.head.id: clause for clause in norms.clauses}
    known = frozenset(identifier for identifier in clauses if identifier in table)
    found = [table[identifier] for identifier in sorted(known)]
    names = {name for clause in found for name in _names_of_clause(clause)}
    done = {act.action for act in acts}
    for action in norms.actions:
        if action.name in done or action.name in names:
            names |= {action.name, action.act_class, *_names_of_action(action)}
    stages = next((r.type for r in norms.registers if r.name == norms.stage_register), None)
    if isinstance(stages, ir.Member) and norms.stage_register in names:
        names.update(norms.sort(stages.sort).values)
    spans = frozenset(clause.head.span for clause in found if clause.head.span is not None)
    rules = frozenset(clause.head.rule for clause in found)
    return Part(by, known, spans, rules, frozenset(names).union(switches))


class _Run:
    """An example under way."""

    def __init__(self, example: Example, player: Exercised) -> None:
        self.example, self.player = example, player
        self.clauses: set[str] = set()
        self.acts: list[Act] = []
        self.outcome: StepOutcome | None = None

    def whole(self) -> None:
        """Every line, as long as there is a position."""
        given = self.example.position
        if given is None:
            outcome, heard = self.player.start()
            self._reach(outcome, heard)
        else:
            self._reach(Next(given, ()), frozenset())
        for step in self.example.steps:
            position = self.position
            if position is None:
                return
            match step:
                case Happens(act=act):
                    self._happens(position, act)
                case Holds(condition=condition):
                    self.clauses |= self.player.condition(position, condition)[1]
                case HasStatus():
                    self._has_status(position, step)
                case Stops():
                    pass
                case _:
                    assert_never(step)

    @property
    def position(self) -> Position | None:
        """Where the example stands."""
        return self.outcome.position if isinstance(self.outcome, Next) else None

    def _reach(self, outcome: StepOutcome, heard: frozenset[str]) -> None:
        self.outcome = outcome
        self.clauses |= heard
        if isinstance(outcome, Next):
            self.clauses.update(self.player.ended(outcome.position), self.player.watched(outcome.position))

    def _happens(self, position: Position, act: Act) -> None:
        if self._possible(self.player.naive, position, act):
            self.acts.append(act)
            self._reach(*self.player.step(position, act))
        else:
            self.outcome = None

    def _possible(self, naive: Naive, position: Position, act: Act) -> bool:
        return naive.status(position, act) != 0

    def _has_status(self, position: Position, step: HasStatus) -> None:
        for act in self.player.naive.possible_acts(position):
            if act.action == step.action and all(
                wanted is None or wanted == value for wanted, value in zip(step.arguments, act.arguments, strict=True)
            ):
                self.acts.append(act)
                self.clauses |= self.player.decide(position, act)[1]


# ------------------------------------------------------------------------------------------------------ names


def _names_of_clause(clause: ir.Clause) -> Iterator[str]:
    for variable in clause.head.variables:
        yield variable.sort
    for expression in everything_in(clause):
        yield from _names_of(expression)
    match clause:
        case ir.Permission(action=action) | ir.Prohibition(action=action) | ir.Duty(action=action):
            yield action
        case ir.Violation(action=action) | ir.Lapse(action=action):
            yield action
        case ir.TermClause(term=term):
            yield term
        case ir.Trigger(cause=cause, effects=effects):
            if isinstance(cause, ir.OnAct):
                yield cause.action
            elif isinstance(cause, ir.OnEvent):
                yield cause.event
            yield from _names_of_effects(effects)
        case ir.Ending() | ir.Invariant():
            pass
        case _:
            assert_never(clause)


def _names_of_effects(effects: tuple[ir.Effect, ...]) -> Iterator[str]:
    for effect in all_effects(effects):
        match effect:
            case ir.MoveCard(source=source, target=target) | ir.MoveAll(source=source, target=target):
                yield from (source.zone, target.zone)
            case ir.Assign(register=register) | ir.Post(register=register):
                yield register
            case ir.Raise(event=event):
                yield event
            case ir.ForEach(variable=variable):
                yield variable.sort
            case ir.Restore():
                pass
            case _:
                assert_never(effect)


def _names_of_action(action: ir.Action) -> Iterator[str]:
    for parameter in action.parameters:
        yield parameter.sort
    for expression in everything(action.possible):
        yield from _names_of(expression)
    yield from _names_of_effects(action.body)


def _names_of(expression: ir.Expression) -> Iterator[str]:
    match expression:
        case ir.Value(sort=sort) | ir.Variable(sort=sort) | ir.Compose(sort=sort) | ir.Extreme(sort=sort):
            yield sort
        case ir.ReadRegister(register=name) | ir.ReadTerm(term=name) | ir.Happened(event=name):
            yield name
        case ir.Lawful(action=name) | ir.Switch(name=name):
            yield name
        case ir.Size(zone=zone) | ir.Top(zone=zone) | ir.Bottom(zone=zone):
            yield zone.zone
        case ir.Author(zone=zone) | ir.CardAbove(zone=zone) | ir.InZone(zone=zone):
            yield zone.zone
        case _:
            return
