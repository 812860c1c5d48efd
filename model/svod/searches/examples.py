"""In: the examples of a rulebook. Out: what its own rules refute, under the adopted readings and under each departure.

The conditions that examples state become terms of the norms («пример:0»), so that the engine itself evaluates them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import assert_never

from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding, Grade, Move, Scope
from svod.norms import ir
from svod.norms.examples import Example, Happens, HasStatus, Holds, Stops
from svod.norms.positions import position_to_json
from svod.norms.to_text import print_expression
from svod.norms.trace import Act, Clash, Hole, Limit, Next, Position, Race, Status, StepOutcome
from svod.searches.players import Player, PlayerFor, PlayersFor
from svod.searches.plays import act_text, action_named, actor_of, rules_of

EXAMPLE_REFUTED = Code(
    "F105",
    Text("пример опровергнут самими правилами", "an example that its own rules refute"),
    Text(
        "Пример обещает одно, а правила свода при принятых чтениях дают другое. Ошибается либо пример, либо клауза: "
        "сравните ожидание с тем, что показано.",
        "The example promises one thing and the rules, under the adopted readings, give another. Either it or a "
        "clause is wrong: compare what was expected with what is shown.",
    ),
)
EXAMPLE_STUCK = Code(
    "F106",
    Text("пример не выполняется", "an example that cannot be run"),
    Text(
        "Действие примера в его положении физически невозможно, или предыдущее действие кончилось тем, что правила не "
        "говорят, что дальше. Поправьте положение или действие.",
        "An act of the example is physically impossible in its position, or the act before it ended where the rules do "
        "not say how to go on. Correct the position or the act.",
    ),
)
EXAMPLE_DEPENDS = Code(
    "F303",
    Text("пример верен не при всяком чтении", "an example that one reading refutes"),
    Text(
        "При принятых чтениях пример верен, а при другом чтении одного пункта нет: пример сам выбирает чтение.",
        "The example holds under the adopted readings and fails under another reading of one item: the example itself "
        "takes sides.",
    ),
    Severity.WARNING,
)
METHOD = "example"
STATED = "пример:"  # a name that no rulebook can have: it holds a colon


@dataclass(frozen=True, slots=True)
class Refuted:
    """Why an example fails: `stuck` if it could not be run at all. `rules` are those that decided against it."""

    stuck: bool
    verdict: Text
    rules: tuple[str, ...]
    position: Position | None
    moves: tuple[Move, ...]
    lawful: bool  # whether all moves so far were lawful


def example_findings(examples: Sequence[Example], players_for: PlayersFor, scope: Scope) -> Iterator[Finding]:
    """Run every example; `players_for` gives, for norms, a player under any switches."""
    ordered = sorted(examples, key=lambda example: example.parameters)  # norms at one choice of parameters: one program
    found: list[tuple[int, Finding]] = []
    for _, group in groupby(ordered, key=lambda example: example.parameters):
        alike = list(group)
        norms, stated = with_statements(alike[0].norms, alike)
        player_for = cache(players_for(norms))
        for example in alike:
            place = examples.index(example)
            found += [(place, finding) for finding in _judge(example, norms, stated, player_for, scope)]
    yield from (finding for _, finding in sorted(found, key=lambda pair: pair[0]))


def with_statements(norms: ir.Norms, examples: Iterable[Example]) -> tuple[ir.Norms, dict[ir.Expression, str]]:
    """The norms with a term for each condition that the examples state, and the names of these terms."""
    conditions = [step.condition for example in examples for step in example.steps if isinstance(step, Holds)]
    names = {condition: f"{STATED}{place}" for place, condition in enumerate(dict.fromkeys(conditions))}
    terms = tuple(ir.Term(name, (), ir.Truth(), None, ir.Combination.UNIQUE, False, "") for name in names.values())
    clauses = tuple(
        ir.TermClause(ir.Head(name, "", (), ir.Boolean(True)), name, condition) for condition, name in names.items()
    )
    return replace(norms, terms=(*norms.terms, *terms), clauses=(*norms.clauses, *clauses)), names


def _judge(
    example: Example, norms: ir.Norms, stated: dict[ir.Expression, str], player_for: PlayerFor, scope: Scope
) -> Iterator[Finding]:
    adopted = frozenset(example.switches)
    refuted = run_example(example, norms, stated, player_for, adopted)
    if refuted is not None:
        code = EXAMPLE_STUCK if refuted.stuck else EXAMPLE_REFUTED
        family = Family.INPUT if refuted.stuck else Family.CONTRADICTION
        word = Text("не выполняется", "cannot be run") if refuted.stuck else Text("опровергнут", "is refuted")
        title = Text(f"пример «{example.title}» {word.ru}", f"the example “{example.title}” {word.en}")
        yield _finding(code, family, example, refuted, title, (), adopted, scope)
        return
    for reading in norms.readings:
        for letter, label in reading.options:
            if letter == reading.adopted:
                continue
            switches = reading.read_as(letter, adopted)
            refuted = run_example(example, norms, stated, player_for, switches)
            if refuted is not None:
                title = Text(
                    f"пример «{example.title}» неверен при чтении {reading.rule} {letter} «{label}»",
                    f"the example “{example.title}” fails under reading {letter} of {reading.rule}, “{label}”",
                )
                yield _finding(
                    EXAMPLE_DEPENDS, Family.AMBIGUITY, example, refuted, title, (reading.rule,), switches, scope
                )


def _finding(
    code: Code,
    family: Family,
    example: Example,
    refuted: Refuted,
    title: Text,
    concerned: tuple[str, ...],
    switches: frozenset[str],
    scope: Scope,
) -> Finding:
    reachable = example.position is None and refuted.lawful
    norms = example.norms
    deck = len(norms.deck or norms.sort(norms.card_sort).values)
    return Finding(
        code,
        family,
        Grade.REACHABLE if reachable else Grade.LOCAL,
        tuple(dict.fromkeys((example.rule, *concerned, *refuted.rules))),
        title,
        refuted.verdict,
        METHOD,
        replace(scope, deck=str(deck), players=str(norms.player_count), switches=tuple(sorted(switches))),
        0.0,
        code.severity,
        refuted.position,
        None if refuted.position is None else dict(position_to_json(norms, refuted.position)),
        refuted.moves if reachable else (),
    )


def run_example(
    example: Example,
    norms: ir.Norms,
    stated: dict[ir.Expression, str],
    player_for: PlayerFor,
    switches: frozenset[str],
) -> Refuted | None:
    """Run the example's lines in order; the first that fails, or None. `norms` and `stated` from `with_statements`."""
    run = _Run(example, norms, stated, player_for(switches))
    run.begin(switches)
    for step in example.steps:
        match step:
            case Happens():
                failed = run.happens(step.act)
            case Holds():
                failed = run.holds(step.condition)
            case HasStatus():
                failed = run.has_status(step)
            case Stops():
                failed = run.stops(step)
            case _:
                assert_never(step)
        if failed is not None:
            return failed
    return None


class _Run:
    """An example on its way: what the last act led to, and the moves so far."""

    def __init__(self, example: Example, norms: ir.Norms, stated: dict[ir.Expression, str], player: Player) -> None:
        self.example = example
        self.norms = norms
        self.stated = stated
        self.player = player
        self.outcome: StepOutcome | None = None
        self.last: Position | None = None  # the last position there was
        self.moves: list[Move] = []
        self.lawful = True

    def begin(self, switches: frozenset[str]) -> None:
        """The position given, or the start of a play."""
        given = self.example.position
        if given is None:
            self._reach(self.player.initial())
        else:
            self._reach(Next(replace(given, switches=tuple(sorted(switches))), ()))

    def _reach(self, outcome: StepOutcome) -> None:
        self.outcome = outcome
        if isinstance(outcome, Next):
            self.last = outcome.position

    @property
    def position(self) -> Position | None:
        """Where the example stands, unless the last act led nowhere definite."""
        return self.outcome.position if isinstance(self.outcome, Next) else None

    def failed(self, ru: str, en: str, rules: Iterable[str] = (), *, stuck: bool = False) -> Refuted:
        """The example fails here."""
        numbers = rules_of(self.norms, rules)
        return Refuted(stuck, Text(ru, en), numbers, self.last, tuple(self.moves), self.lawful)

    # ------------------------------------------------------------------------------------------- lines

    def happens(self, act: Act) -> Refuted | None:
        """An act is done, lawful or not."""
        shown = act_text(self.norms, act)
        if self.position is None:
            return self._nowhere(f"«{shown}»", f"“{shown}”", stuck=True)
        decision = self.player.decide(self.position, act)
        if decision.status is Status.IMPOSSIBLE:
            return self.failed(f"{shown}: так поступить невозможно", f"{shown} is not possible", stuck=True)
        outcome = self.player.step(self.position, act)
        seat = actor_of(self.norms, act)
        by = None if seat is None else self.norms.sort(self.norms.seats).values[seat]
        rules = rules_of(self.norms, (*decision.permitted_by, *outcome.fired))
        self.moves.append(Move(act, shown, by, rules, decision.status is Status.LAWFUL))
        self.lawful = self.lawful and decision.status is Status.LAWFUL
        self._reach(outcome)
        return None

    def holds(self, condition: ir.Expression) -> Refuted | None:
        """A condition is met."""
        shown = print_expression(condition)
        if self.position is None:
            return self._nowhere(f"«{shown}»", f"“{shown}”")
        if self.player.term(self.position, self.stated[condition]) == 1:
            return None
        return self.failed(f"неверно: {shown}", f"it is not so that {shown}")

    def has_status(self, expected: HasStatus) -> Refuted | None:
        """Every possible act of the pattern has the status; for «impossible» there is none."""
        shown = f"{expected.action}({', '.join(self._arguments(expected))})"
        wanted = _STATUS_WORDS[expected.status]
        if self.position is None:
            return self._nowhere(f"«{wanted.ru} {shown}»", f"“{wanted.en} {shown}”")
        acts = [act for act in self.player.possible_acts(self.position) if _matches(act, expected)]
        found = [(act, self.player.decide(self.position, act)) for act in acts]
        if expected.status is Status.IMPOSSIBLE:
            found = [(act, decision) for act, decision in found if decision.status is not Status.IMPOSSIBLE]
        elif not found:
            return self.failed(
                f"ожидалось {wanted.ru} {shown}, а так поступить невозможно",
                f"expected {wanted.en} {shown}, which is impossible",
            )
        for act, decision in found:
            if decision.status is not expected.status:
                status = _STATUS_WORDS[decision.status]
                return self.failed(
                    f"ожидалось {wanted.ru} {shown}, по правилам {status.ru} {act_text(self.norms, act)}",
                    f"expected {wanted.en} {shown}, by the rules {status.en} {act_text(self.norms, act)}",
                    (*decision.permitted_by, *decision.forbidden_by, *decision.blocked_by),
                )
        return None

    def stops(self, expected: Stops) -> Refuted | None:
        """The last act ended in a hole, a race or a clash, here if a place is named."""
        outcome = self.outcome
        kind = _kind(outcome)
        if kind == expected.outcome and (expected.place is None or expected.place in self._places(outcome)):
            return None
        if isinstance(outcome, Next) and expected.place is not None:
            if expected.outcome == "hole" and expected.place in self._soft(outcome):
                return None
            if any(term.name == expected.place and not term.parameters for term in self.norms.terms):
                value = self.player.term(outcome.position, expected.place)
                if _kind(value) == expected.outcome:
                    return None
        wanted = _STOP_WORDS[expected.outcome]
        at = "" if expected.place is None else f" {expected.place}"
        got = _STOP_WORDS[kind]
        return self.failed(
            f"ожидалось: {wanted.ru}{at}; вышло: {got.ru} {', '.join(self._places(outcome))}".rstrip(),
            f"expected: {wanted.en}{at}; came out: {got.en} {', '.join(self._places(outcome))}".rstrip(),
        )

    # ------------------------------------------------------------------------------------------ helpers

    def _nowhere(self, ru: str, en: str, *, stuck: bool = False) -> Refuted:
        """A line speaks of a position, but the last act led to none."""
        got = _STOP_WORDS[_kind(self.outcome)]
        places = ", ".join(self._places(self.outcome))
        return self.failed(
            f"перед {ru}: {got.ru} {places}", f"before {en}: {got.en} {places}", _clauses(self.outcome), stuck=stuck
        )

    def _arguments(self, expected: HasStatus) -> Iterator[str]:
        parameters = action_named(self.norms, expected.action).parameters
        for parameter, value in zip(parameters, expected.arguments, strict=True):
            yield "_" if value is None else self.norms.sort(parameter.sort).values[value]

    def _places(self, outcome: StepOutcome | None) -> tuple[str, ...]:
        """Names and rule numbers of what is open or disputed."""
        if outcome is None or isinstance(outcome, Next):
            return ()
        place = outcome.what if isinstance(outcome, Limit) else outcome.place
        rules = rules_of(self.norms, (place, *_clauses(outcome)))
        return tuple(dict.fromkeys((place, *rules)))

    def _soft(self, outcome: Next) -> set[str]:
        return {name for place in outcome.soft for name in (place.split(":", 1)[-1], *rules_of(self.norms, (place,)))}


_STATUS_WORDS = {
    Status.LAWFUL: Text("законно", "lawful"),
    Status.UNLAWFUL: Text("незаконно", "unlawful"),
    Status.CONTESTED: Text("спорно", "contested"),
    Status.IMPOSSIBLE: Text("невозможно", "impossible"),
}
_STOP_WORDS = {
    "hole": Text("дыра", "a hole"),
    "race": Text("гонка", "a race"),
    "clash": Text("спор", "a clash"),
    "limit": Text("предел", "a limit"),
    "next": Text("игра идёт дальше", "play goes on"),
}


def _kind(outcome: object) -> str:
    match outcome:
        case Hole():
            return "hole"
        case Race():
            return "race"
        case Clash():
            return "clash"
        case Limit():
            return "limit"
        case _:
            return "next"


def _clauses(outcome: StepOutcome | None) -> tuple[str, ...]:
    match outcome:
        case Clash() | Race() | Limit():
            return outcome.clauses
        case Hole():
            return (outcome.place,)
        case _:
            return ()


def _matches(act: Act, expected: HasStatus) -> bool:
    return act.action == expected.action and all(
        wanted is None or wanted == value for wanted, value in zip(expected.arguments, act.arguments, strict=True)
    )
