"""In: norms at one choice of parameters. Out: the solver's answers about them, one by one as they come.

While play goes on elsewhere it is learnt which rights meet prohibitions, where readings part and what lawful play
always keeps; then the clauses that no game saw fire are asked about, and what invariants are left.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol, TypeAlias

from svod.constraints.answers import Answer, Fails, Holds, Kind
from svod.constraints.folding import fold
from svod.constraints.from_norms import Model
from svod.constraints.induction import invariant_proofs, never_fires, never_fires_anywhere
from svod.constraints.norm_questions import readings_apart
from svod.constraints.questions import contradictions
from svod.constraints.solver import Budget, Clock
from svod.constraints.symbols import Options
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Next, Position
from svod.searches.check import Setting

BUDGET = Budget(resources=3_000_000, seconds=15.0)
POSITION_BUDGET = Budget(resources=1_000_000, seconds=5.0)  # for questions about a lone position
CLAUSE_BUDGET = Budget(resources=20_000_000, seconds=25.0)  # few clauses are left to ask about, and each answer counts
NO_ACT = "no act of any play brings it about"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Whether a right and a prohibition may meet."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class MeetingsAsked:
    """Every right has been asked about with every prohibition."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A position in which the adopted letter of a reading and another part."""

    reading: ir.Reading
    letters: tuple[str, str]
    answer: Answer


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of an invariant; a later answer about the same one replaces it."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Fires:
    """Whether a clause that no game saw fire ever does."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Failed:
    """A fault of our own: its traceback."""

    told: str


Told: TypeAlias = Meeting | MeetingsAsked | Apart | Kept | Fires
Message: TypeAlias = Told | Failed | None
"""None: everything has been answered."""
Unseen: TypeAlias = Callable[[bool], tuple[str, ...] | None]
"""Ids of the clauses that no game saw fire; None while play goes on. True waits for the end of play."""


def proofs(setting: Setting, widest: Setting, unseen: Unseen) -> Iterator[Told]:
    """Every answer about `setting`. Rights against prohibitions are asked about at `widest`, the norms with the most
    players, with the number of players and the variants left free."""
    norms, chosen = setting.norms, setting.switches
    switches: dict[str, bool | None] = {name: name in chosen for name in norms.switches}
    options = Options(switches=tuple(switches.items()))
    yield from _meetings(widest)
    whole = Model(norms, options, POSITION_BUDGET)  # any play
    yield from _apart(whole, setting)
    play = acts_of_play(norms)
    samples = sample_positions(play, chosen)
    model = Model(play, replace(options, play=True), BUDGET, samples=samples)
    invariants = invariant_proofs(model)
    while unseen(False) is None and (answer := next(invariants, None)) is not None:
        yield Kept(answer)
    model.budget = CLAUSE_BUDGET
    hopeless = fold(norms, switches, lawful=False).silent
    yield from _clauses(model, whole, unseen(True) or (), hopeless)
    model.budget = BUDGET
    yield from map(Kept, invariants)


def _meetings(widest: Setting) -> Iterator[Told]:
    norms, chosen = widest.norms, widest.switches
    readings = {name for reading in norms.readings for name in reading.switches}
    switches = tuple((name, name in chosen if name in readings else None) for name in norms.switches)
    yield from map(Meeting, contradictions(Model(norms, Options(seats_free=True, switches=switches), POSITION_BUDGET)))
    yield MeetingsAsked()


def _apart(whole: Model, setting: Setting) -> Iterator[Apart]:
    """A position in which each reading parts from the adopted one; it is told if no game shows it."""
    for reading in setting.norms.readings:
        adopted = reading.letter(setting.switches)
        for letter, _ in reading.options:
            answers = () if letter == adopted else readings_apart(whole, reading, adopted, letter)
            for answer in answers:
                if isinstance(answer.verdict, Fails):
                    yield Apart(reading, (adopted, letter), answer)
                    break


def _clauses(model: Model, whole: Model, unseen: tuple[str, ...], hopeless: frozenset[str]) -> Iterator[Fires]:
    """Those that may matter in lawful play are asked about there; the others, about breaches and free speech, in
    whatever play."""
    of_play: list[str] = []
    for name in unseen:
        clause = whole.world.clauses[name]
        if name not in model.world.silent and not isinstance(clause, ir.Violation):
            of_play.append(name)
            continue
        clock = Clock()
        verdict = Holds(NO_ACT) if name in hopeless else never_fires_anywhere(whole, clause)
        yield Fires(whole.answer(Kind.NEVER_FIRES, verdict, (name,), "", clock))
    for name in of_play:
        answer = never_fires(model, model.world.clauses[name])
        if answer is not None:
            yield Fires(answer)


class Line(Protocol):
    """One end of a connection to another process, as in `multiprocessing.connection`. `EOFError` or `ConnectionError`
    where nobody is at the other end any more."""

    def send(self, obj: Any, /) -> None: ...

    def recv(self) -> Any: ...

    def poll(self, timeout: float, /) -> bool: ...


def serve(line: Line) -> None:
    """Take a task, the settings of `proofs`, and send every answer, then None. One more message comes in: the clauses
    that no game saw fire."""
    heard: list[tuple[str, ...]] = []

    def unseen(wait: bool) -> tuple[str, ...] | None:
        if not heard and (wait or line.poll(0)):
            heard.append(line.recv())
        return heard[0] if heard else None

    try:
        setting, widest = line.recv()
        for told in proofs(setting, widest, unseen):
            line.send(told)
        line.send(None)
    except (EOFError, ConnectionError):
        pass  # whoever asked is gone
    except Exception:
        line.send(Failed(traceback.format_exc()))


SAMPLED_GAMES = 12
SAMPLED_CARDS = 7
SAMPLED_ACTS = 60


def sample_positions(norms: ir.Norms, switches: frozenset[str]) -> tuple[Position, ...]:
    """Positions of a few random games, on small decks where the rulebook declares such: enough to throw out most of
    what might be an invariant and is none."""
    random = Random(1)
    cards = norms.deck or tuple(range(len(norms.sort(norms.card_sort).values)))
    met: dict[Position, None] = {}
    for _ in range(SAMPLED_GAMES):
        played = norms
        if norms.check_decks is not None:
            drawn = random.sample(cards, min(SAMPLED_CARDS, len(cards)))
            played = replace(norms, deck=tuple(sorted({*drawn, *norms.check_decks.required})))
        naive = Naive(played, switches)
        outcome = naive.initial()
        for _ in range(SAMPLED_ACTS):
            if not isinstance(outcome, Next):
                break
            met[outcome.position] = None
            acts = naive.acts(outcome.position)
            if not acts:
                break
            outcome = naive.step(outcome.position, random.choice(acts))
    return tuple(met)
