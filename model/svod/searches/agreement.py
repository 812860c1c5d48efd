"""From two players of the same norms and a seed to the first point where they disagree, on plays by lot.

One of them is the naive evaluator; the other is whatever has to be believed. Some plays are lawful throughout, some
have an unlawful but possible act now and then, since much of a rulebook is about what follows from those. To get deep
into a play quickly, the first acts of most plays are made by the other player alone and not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from svod.engine.backend import Compiler, in_python
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.naive.exploring import Lot, draw
from svod.norms import ir
from svod.norms.trace import Act, Clash, Decision, Hole, Limit, Next, Position, Race, Status, StepOutcome

UNLAWFUL_EACH = (0, 12, 4)  # one act in so many is an unlawful one (0: none), play by play in turn
OPENING_MAX = 4  # acts for each card of the deck, at most, made before comparing begins
COMPARED_MAX = 60  # acts of one play that are compared
STATUSES = 4  # acts whose decision is compared in each position


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
    """How far two players went together."""

    steps: int
    plays: int
    unlawful: int
    failed: int  # steps with a hole, clash, race or limit


def agree(
    norms: ir.Norms, steps: int, seed: int, switches: Iterable[str] | None = None, *, compiler: Compiler = in_python
) -> Disagreement | None:
    """The first disagreement of engine and naive evaluator within so many steps, None if there is none."""
    chosen = None if switches is None else frozenset(switches)
    found = compare(Engine.of(norms, chosen, compiler=compiler), Naive(norms, chosen), steps, seed)
    return found if isinstance(found, Disagreement) else None


def compare(
    other: Player, naive: Naive, steps: int, seed: int, progress: Callable[[int], None] | None = None
) -> Disagreement | Agreed:
    """Play both together for so many steps. `progress` is told the number of steps after each play."""
    lot = Lot(seed)
    taken = plays = unlawful = failed = 0
    while taken < steps:
        each = UNLAWFUL_EACH[plays % len(UNLAWFUL_EACH)]
        opening = 0 if plays % 4 == 0 else lot.below(OPENING_MAX * len(naive.norms.deck) + 1)
        walk = _Walk(other, naive, lot, each)
        disagreement = walk.play(opening, min(COMPARED_MAX, steps - taken))
        if disagreement is not None:
            return disagreement
        taken += max(1, walk.compared)  # a play that cannot begin counts, so that this ends
        plays += 1
        unlawful += walk.unlawful
        failed += walk.failed
        if progress is not None:
            progress(taken)
    return Agreed(taken, plays, unlawful, failed)


class _Walk:
    """One play of both."""

    def __init__(self, other: Player, naive: Naive, lot: Lot, unlawful_each: int) -> None:
        self.other = other
        self.naive = naive
        self.lot = lot
        self.unlawful_each = unlawful_each
        self.acts: list[Act] = []
        self.statuses: dict[Act, Status] = {}
        self.compared = 0
        self.unlawful = 0
        self.failed = 0

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
            act = self._choose(position)
            if act is None:
                return None
            right = self.naive.outcomes(position, act)
            found = self.other.step(position, act)
            self.acts.append(act)
            self.compared += 1
            if not any(same_outcome(found, outcome) for outcome in right):
                return self._part("what follows", position, act, right, found)
            before, outcome = position, right[0]
        self.failed += 1
        return None

    def _open(self, position: Position, acts: int) -> Position:
        """The position after so many lawful acts by lot, or the last one before play stops."""
        for _ in range(acts):
            lawful = self.other.acts(position)
            if not lawful:
                break
            act = draw(self.naive.norms, lawful, self.lot)
            outcome = self.other.step(position, act)
            if not isinstance(outcome, Next) or self.other.over(outcome.position):
                break
            self.acts.append(act)
            position = outcome.position
        return position

    def _look(self, position: Position, before: Position | None) -> Disagreement | None:
        """Compare what both say of a position."""
        statuses = self.naive.statuses(position)
        self.statuses = statuses
        lawful = tuple(act for act, status in statuses.items() if status is Status.LAWFUL)
        contested = tuple(act for act, status in statuses.items() if status is Status.CONTESTED)
        pairs: list[tuple[str, object, object]] = [
            ("possible acts", tuple(statuses), self.other.possible_acts(position)),
            ("lawful acts", lawful, self.other.acts(position)),
            ("contested acts", contested, self.other.contested(position)),
            ("whether it is over", self.naive.over(position), self.other.over(position)),
            ("invariants", set(self.naive.violated(position, before)), set(self.other.violated(position, before))),
        ]
        for about, mine, theirs in pairs:
            if mine != theirs:
                return self._part(about, position, None, mine, theirs)
        acts = tuple(statuses)
        for _ in range(min(STATUSES, len(acts))):
            act = acts[self.lot.below(len(acts))]
            decided, found = _plain(self.naive.decide(position, act)), _plain(self.other.decide(position, act))
            if decided != found:
                return self._part("the decision", position, act, decided, found)
        return None

    def _choose(self, position: Position) -> Act | None:
        """The next act: lawful as a rule; an unlawful one sometimes, or if there is nothing else."""
        lawful = tuple(act for act, status in self.statuses.items() if status is Status.LAWFUL)
        others = tuple(act for act, status in self.statuses.items() if status is not Status.LAWFUL)
        breaks = bool(others) and self.unlawful_each > 0 and self.lot.below(self.unlawful_each) == 0
        if lawful and not breaks:
            return draw(self.naive.norms, lawful, self.lot)
        if breaks or (others and not self.naive.over(position)):
            self.unlawful += 1
            return draw(self.naive.norms, others, self.lot)
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
