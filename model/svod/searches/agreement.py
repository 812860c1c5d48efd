"""From two players of the same norms and a seed to the first point where they disagree, on plays by lot.

One of them is the naive evaluator; the other is whatever has to be believed. Some plays are lawful throughout, some
have an unlawful but possible act now and then, and then claims, answers, votes and payments: much of a rulebook is
about what follows from those. To get deep into a play quickly, the first acts of most plays are made by the other
player alone and not compared. A watcher is shown every step, for a third opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from svod.engine.backend import Compiler, in_python
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.naive.exploring import Lot
from svod.norms import ir
from svod.norms.record import recorded
from svod.norms.trace import Act, Clash, Decision, Hole, Limit, Next, Position, Race, Status, StepOutcome
from svod.norms.walk import all_effects
from svod.searches.careless_acts import CarelessActs
from svod.searches.tables import punishing

UNLAWFUL_EACH = (0, 12, 4)  # one act in so many is an unlawful one (0: none), play by play in turn
OPENING_MAX = 4  # acts for each card of the deck, at most, made before comparing begins
COMPARED_MAX = 60  # acts of one play that are compared
STATUSES = 4  # acts whose decision is compared in each position
ACTS_MAX = 60  # where more acts are possible, what all of them are is compared once in a while only
SELDOM = 4

Watcher: TypeAlias = Callable[[Position, Act, StepOutcome], object]
"""Is shown each step; anything but None is a disagreement."""


class Player(Protocol):
    """What is compared with the naive evaluator."""

    def initial(self) -> StepOutcome: ...

    def acts(self, position: Position) -> tuple[Act, ...]: ...

    def contested(self, position: Position) -> tuple[Act, ...]: ...

    def possible_acts(self, position: Position) -> tuple[Act, ...]: ...

    def decide(self, position: Position, act: Act) -> Decision: ...

    def step(self, position: Position, act: Act) -> StepOutcome: ...

    def over(self, position: Position) -> bool: ...

    def violated(self, position: Position, before: Position | None) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where two players part. `about` says what was asked; `play` leads there; `act` is the act it was asked of."""

    about: str
    play: tuple[Act, ...]
    position: Position | None
    act: Act | None
    naive: object
    other: object


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far two players went together. `breaches`: steps that entered one; `punished`, `restored`: steps in which
    somebody was punished, or the position before the breach came back."""

    steps: int
    plays: int
    unlawful: int
    failed: int  # steps with a hole, clash, race or limit
    breaches: int = 0
    punished: int = 0
    restored: int = 0


def agree(
    norms: ir.Norms, steps: int, seed: int, switches: Iterable[str] | None = None, *, compiler: Compiler = in_python
) -> Disagreement | None:
    """The first disagreement of engine and naive evaluator within so many steps, None if there is none."""
    chosen = None if switches is None else frozenset(switches)
    found = compare(Engine.of(norms, chosen, compiler=compiler), Naive(norms, chosen), steps, seed)
    return found if isinstance(found, Disagreement) else None


def compare(
    other: Player,
    naive: Naive,
    steps: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
    watcher: Watcher | None = None,
) -> Disagreement | Agreed:
    """Play both together for so many steps. `progress` is told the number of steps after each play."""
    lot = Lot(seed)
    tally = _Tally(naive.norms)
    taken = plays = 0
    while taken < steps:
        each = UNLAWFUL_EACH[plays % len(UNLAWFUL_EACH)]
        opening = 0 if plays % 4 == 0 else lot.below(OPENING_MAX * len(naive.norms.deck) + 1)
        walk = _Walk(other, naive, lot, each, tally, watcher)
        disagreement = walk.play(opening, min(COMPARED_MAX, steps - taken))
        if disagreement is not None:
            return disagreement
        taken += max(1, walk.compared)  # a play that cannot begin counts, so that this ends
        plays += 1
        if progress is not None:
            progress(taken)
    return Agreed(taken, plays, tally.unlawful, tally.failed, tally.breaches, tally.punished, tally.restored)


class _Tally:
    """Counts what came up in the steps compared."""

    def __init__(self, norms: ir.Norms) -> None:
        self.norms = norms
        self.unlawful = self.failed = self.breaches = self.punished = self.restored = 0
        self._punishing = punishing(norms)
        self._restoring = frozenset(
            clause.head.id
            for clause in norms.clauses
            if isinstance(clause, ir.Trigger) and any(isinstance(e, ir.Restore) for e in all_effects(clause.effects))
        )

    def count(self, before: Position, outcome: StepOutcome) -> None:
        """One step."""
        self.punished += not self._punishing.isdisjoint(outcome.fired)
        if not isinstance(outcome, Next):
            self.failed += 1
            return
        self.breaches += not recorded(self.norms, outcome.position) <= recorded(self.norms, before)
        returned = before.frame is not None and not self._restoring.isdisjoint(outcome.fired)
        self.restored += returned and outcome.position.frame is None


class _Walk:
    """One play of both."""

    def __init__(
        self, other: Player, naive: Naive, lot: Lot, unlawful_each: int, tally: _Tally, watcher: Watcher | None
    ) -> None:
        self.other = other
        self.naive = naive
        self.lot = lot
        self.careful = CarelessActs(naive.norms, lot, 0)
        self.careless = CarelessActs(naive.norms, lot, unlawful_each)
        self.tally = tally
        self.watcher = watcher
        self.acts: list[Act] = []
        self.compared = 0

    def play(self, opening: int, most: int) -> Disagreement | None:
        """Compare up to `most` steps after an opening of so many lawful acts."""
        outcome = self.naive.initial()
        found = self.other.initial()
        if not same_outcome(found, outcome):
            return self._part("the start of a play", None, None, outcome, found)
        before: Position | None = None
        if isinstance(outcome, Next):
            outcome = Next(self._open(outcome.position, opening), ())
        while isinstance(outcome, Next):
            position = outcome.position
            disagreement = self._look(position, before)
            if disagreement is not None or self.compared >= most:
                return disagreement
            act = None if self._ends(position) else self.careless.choose(self.other, position)
            if act is None:
                return None
            before = position
            outcome, disagreement = self._step(position, act)
            if disagreement is not None:
                return disagreement
        return None

    def _ends(self, position: Position) -> bool:
        """Whether the play is over and nobody goes on, against the rules, all the same."""
        each = self.careless.breach_each
        return self.other.over(position) and (each == 0 or self.lot.below(each) > 0)

    def _step(self, position: Position, act: Act) -> tuple[StepOutcome, Disagreement | None]:
        """What follows from the act, and whether all say the same of it."""
        status, theirs = self.naive.status(position, act), self.other.decide(position, act).status
        if status is not theirs:
            return Next(position, ()), self._part("the status", position, act, status, theirs)
        right = self.naive.outcomes(position, act)
        found = self.other.step(position, act)
        self.acts.append(act)
        self.compared += 1
        self.tally.unlawful += status is not Status.LAWFUL
        self.tally.count(position, right[0])
        if not any(same_outcome(found, outcome) for outcome in right):
            return right[0], self._part("what follows", position, act, right, found)
        objection = None if self.watcher is None else self.watcher(position, act, found)
        if objection is not None:
            return right[0], self._part("what the watcher says", position, act, right, objection)
        return right[0], None

    def _open(self, position: Position, acts: int) -> Position:
        """The position after so many lawful acts by lot, or the last one before play stops."""
        for _ in range(acts):
            act = self.careful.choose(self.other, position) if self.other.acts(position) else None
            if act is None:
                break
            outcome = self.other.step(position, act)
            if not isinstance(outcome, Next) or self.other.over(outcome.position):
                break
            self.acts.append(act)
            position = outcome.position
        return position

    def _look(self, position: Position, before: Position | None) -> Disagreement | None:
        """Compare what both say of a position."""
        acts = self.other.possible_acts(position)
        pairs: list[tuple[str, object, object]] = [
            ("whether it is over", self.naive.over(position), self.other.over(position)),
            ("invariants", set(self.naive.violated(position, before)), set(self.other.violated(position, before))),
        ]
        if len(acts) <= ACTS_MAX or self.lot.below(SELDOM) == 0:
            statuses = self.naive.statuses(position)
            lawful = tuple(act for act, status in statuses.items() if status is Status.LAWFUL)
            contested = tuple(act for act, status in statuses.items() if status is Status.CONTESTED)
            pairs += [
                ("possible acts", tuple(statuses), acts),
                ("lawful acts", lawful, self.other.acts(position)),
                ("contested acts", contested, self.other.contested(position)),
            ]
        for about, mine, theirs in pairs:
            if mine != theirs:
                return self._part(about, position, None, mine, theirs)
        for _ in range(min(STATUSES, len(acts))):
            act = acts[self.lot.below(len(acts))]
            decided, found = _plain(self.naive.decide(position, act)), _plain(self.other.decide(position, act))
            if decided != found:
                return self._part("the decision", position, act, decided, found)
        return None

    def _part(
        self, about: str, position: Position | None, act: Act | None, mine: object, theirs: object
    ) -> Disagreement:
        return Disagreement(about, tuple(self.acts), position, act, mine, theirs)


def _plain(decision: Decision) -> tuple[Status, frozenset[str], frozenset[str], frozenset[str]]:
    """A decision without what is a matter of presentation."""
    return (
        decision.status,
        frozenset(decision.permitted_by),
        frozenset(decision.forbidden_by),
        frozenset(decision.blocked_by),
    )


def same_outcome(one: StepOutcome, two: StepOutcome) -> bool:
    """Whether two outcomes say the same: the order of clauses does not matter, nor what fired before a failure.

    Where more than two clauses clash it is enough to name two of them.
    """
    match one, two:
        case Next(), Next():
            same = one.position == two.position
            return same and set(one.fired) == set(two.fired) and set(one.soft) == set(two.soft)
        case Hole(), Hole():
            return (one.place, one.arguments, set(one.rules)) == (two.place, two.arguments, set(two.rules))
        case Clash(), Clash():
            nested = set(one.clauses) <= set(two.clauses) or set(two.clauses) <= set(one.clauses)
            return nested and (one.place, one.arguments) == (two.place, two.arguments)
        case Race(), Race():
            return (one.place, set(one.clauses)) == (two.place, set(two.clauses))
        case Limit(), Limit():
            return one.what == two.what
        case _:
            return False
