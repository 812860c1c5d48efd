"""In: norms and the moves of a recorded game. Out: what the rules say of each: breaches, penalties, the first unlawful.

A breach that was noticed and punished is part of a game like any other act: the verdict names it and what became of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from svod.engine.backend import Compiler, in_python
from svod.engine.play import Engine
from svod.norms import ir
from svod.norms.record import recorded
from svod.norms.trace import Act, Decision, Next, Position, Status, StepOutcome
from svod.norms.watching import PUNISHMENTS, punishments, unwatched, watched
from svod.searches.case_clauses import Clauses
from svod.searches.plays import rules_of
from svod.searches.records import RecordedMove


class BreachEnd(Enum):
    """What became of a breach."""

    OPEN = "open"  # nobody has claimed it, and it has not lapsed
    PUNISHED = "punished"
    LAPSED = "lapsed"  # it can no longer be claimed
    CLEARED = "cleared"  # it ended together with others when the position was restored


@dataclass(frozen=True, slots=True)
class Breach:
    """Somebody is guilty of something: `name` is its number in the catalogue, `move` the act that did it (from 1)."""

    offender: int
    name: str
    move: int
    end: BreachEnd = BreachEnd.OPEN
    ended: int | None = None


@dataclass(frozen=True, slots=True)
class Penalty:
    """The table has punished somebody with move `move`; `breach` is what for, None if he was not guilty of it."""

    offender: int
    name: str
    move: int
    breach: int | None


class GameEnd(Enum):
    """Where a record leaves the game."""

    OVER = "over"
    UNFINISHED = "unfinished"
    STOPPED = "stopped"  # the rules gave no way on after the last move
    IMPOSSIBLE = "impossible"  # the next move cannot be made
    AFTER_END = "after the end"  # the next move comes after the game was over


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """A move and what the rules say of it. `rules`: numbers of the items that decide on it; `breaches` and `penalties`
    point into those of the verdict; `before` and `after` are positions (`after` None where the rules stopped)."""

    number: int
    line: int
    act: Act
    status: Status
    decision: Decision
    rules: tuple[str, ...]
    fired: tuple[str, ...]
    breaches: tuple[int, ...]
    penalties: tuple[int, ...]
    before: Position
    after: Position | None


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """The whole record. `stopped`: the outcome of the last step where the rules gave no way on (also of the start);
    `culprit`: the move that cannot be made, with `moves` holding those before it."""

    moves: tuple[CheckedMove, ...]
    breaches: tuple[Breach, ...]
    penalties: tuple[Penalty, ...]
    end: GameEnd
    stopped: StepOutcome | None
    culprit: RecordedMove | None
    last: Position | None

    @property
    def first_unlawful(self) -> CheckedMove | None:
        """The first move that was not lawful when it was made."""
        return next((move for move in self.moves if move.status is not Status.LAWFUL), None)


def check_record(
    norms: ir.Norms, switches: frozenset[str], moves: Sequence[RecordedMove], compiler: Compiler = in_python
) -> RecordVerdict:
    """Play the moves from the start, each by the first act it may mean that is possible there."""
    return RecordChecker(norms, switches, compiler).check(moves)


class RecordChecker:
    """Checks records of one rulebook at the same parameters, one after another."""

    def __init__(self, norms: ir.Norms, switches: frozenset[str], compiler: Compiler = in_python) -> None:
        self.norms = norms
        self.engine = Engine.of(watched(norms), switches, compiler=compiler)
        self.clauses = Clauses(norms, switches)
        self._actors = {action.name: action.actor for action in norms.actions}
        self.moves: list[CheckedMove] = []
        self.breaches: list[Breach] = []
        self.penalties: list[Penalty] = []

    def check(self, moves: Sequence[RecordedMove]) -> RecordVerdict:
        """As `check_record`."""
        self.moves, self.breaches, self.penalties = [], [], []
        outcome = self.engine.initial()
        for move in moves:
            if not isinstance(outcome, Next):
                break
            position = outcome.position
            act = self._act(position, move)
            if act is None:
                end = GameEnd.AFTER_END if self.engine.over(position) else GameEnd.IMPOSSIBLE
                return self._verdict(end, None, move, position)
            outcome = self._made(position, act, move)
        if not isinstance(outcome, Next):
            left = moves[len(self.moves)] if len(self.moves) < len(moves) else None
            return self._verdict(GameEnd.STOPPED, outcome, left, None)
        over = self.engine.over(outcome.position)
        return self._verdict(GameEnd.OVER if over else GameEnd.UNFINISHED, None, None, outcome.position)

    def _verdict(
        self, end: GameEnd, stopped: StepOutcome | None, culprit: RecordedMove | None, last: Position | None
    ) -> RecordVerdict:
        final = None if last is None else unwatched(last)
        return RecordVerdict(
            tuple(self.moves), tuple(self.breaches), tuple(self.penalties), end, stopped, culprit, final
        )

    def _act(self, position: Position, move: RecordedMove) -> Act | None:
        """The lawful one of the acts meant, else the first possible one."""
        statuses = [(act, self.engine.status(position, act)) for act in move.acts]
        possible = [act for act, status in statuses if status is not Status.IMPOSSIBLE]
        lawful = [act for act, status in statuses if status is Status.LAWFUL]
        if self.engine.over(position):
            return None
        return next(iter((*lawful, *possible)), None)

    def _made(self, position: Position, act: Act, move: RecordedMove) -> StepOutcome:
        number = len(self.moves) + 1
        decision = self.engine.decide(position, act)
        entered = self._entered(unwatched(position), act, decision.status)
        outcome = self.engine.step(position, act)
        after = outcome.position if isinstance(outcome, Next) else None
        first_penalty = len(self.penalties)
        if after is not None:
            self._settle(position, after, number)
        breaches = self._enter(entered, number, after)
        fired = tuple(clause for clause in outcome.fired if clause != PUNISHMENTS)
        self.moves.append(
            CheckedMove(
                number,
                move.line,
                act,
                decision.status,
                decision,
                rules_of(self.norms, deciding(decision)),
                fired,
                breaches,
                tuple(range(first_penalty, len(self.penalties))),
                unwatched(position),
                None if after is None else unwatched(after),
            )
        )
        return outcome

    def _entered(self, position: Position, act: Act, status: Status) -> frozenset[tuple[int, str]]:
        """(offender, number) of every breach that the act makes."""
        catalogue = self.norms.catalogue
        if catalogue is None:
            return frozenset()
        breaches = self.clauses.breaches(position, act)
        found = frozenset((seat, breach.clause.name) for breach in breaches for seat in breach.offenders)
        actor = self._actors[act.action]
        if not found and actor is not None and status is Status.UNLAWFUL:
            return frozenset({(act.arguments[actor], catalogue.other)})
        return found

    def _settle(self, before: Position, after: Position, number: int) -> None:
        """Penalties given in this step, and breaches that ended with it."""
        standing = _open(self.norms, before)
        for offender, name in self._punished(before, after):
            alike = [at for at, each in enumerate(self.breaches) if (each.offender, each.name) == (offender, name)]
            guilty = alike[-1] if alike and (offender, name) in standing else None
            self.penalties.append(Penalty(offender, name, number, guilty))
            if guilty is not None and self.breaches[guilty].end is BreachEnd.OPEN:
                self.breaches[guilty] = replace(self.breaches[guilty], end=BreachEnd.PUNISHED, ended=number)
        still = _open(self.norms, after)
        punished = any(penalty.move == number for penalty in self.penalties)
        for place, each in enumerate(self.breaches):
            if each.end is BreachEnd.OPEN and (each.offender, each.name) not in still:
                end = BreachEnd.CLEARED if punished else BreachEnd.LAPSED
                self.breaches[place] = replace(each, end=end, ended=number)

    def _punished(self, before: Position, after: Position) -> Iterator[tuple[int, str]]:
        catalogue = self.norms.catalogue
        if catalogue is None:
            return
        names = self.norms.sort(catalogue.sort).values
        earlier = punishments(before)
        for cell, count in punishments(after).items():
            for _ in range(count - earlier.get(cell, 0)):
                yield cell[0], names[cell[1]]

    def _enter(self, entered: frozenset[tuple[int, str]], number: int, after: Position | None) -> tuple[int, ...]:
        """Breaches that this act made; one that its own step ended is over at once."""
        still = entered if after is None else _open(self.norms, after)
        first = len(self.breaches)
        for offender, name in sorted(entered):
            known = any(
                each.end is BreachEnd.OPEN and (each.offender, each.name) == (offender, name) for each in self.breaches
            )
            if known:
                continue
            self.breaches.append(Breach(offender, name, number))
            if (offender, name) not in still:
                punished = [p for p in self.penalties if (p.move, p.offender, p.name) == (number, offender, name)]
                end = BreachEnd.PUNISHED if punished else BreachEnd.CLEARED
                self.breaches[-1] = replace(self.breaches[-1], end=end, ended=number)
        return tuple(range(first, len(self.breaches)))


def deciding(decision: Decision) -> tuple[str, ...]:
    """Clauses that decide on an act, the deciding ones first: what forbids it or holds it up, what allows it, and
    where nothing does, what would have."""
    clauses = (*decision.forbidden_by, *decision.blocked_by, *decision.permitted_by)
    if decision.status is Status.UNLAWFUL and not clauses:
        return decision.failed
    return clauses


def _open(norms: ir.Norms, position: Position) -> frozenset[tuple[int, str]]:
    """(offender, number) of every open breach."""
    if norms.catalogue is None:
        return frozenset()
    names = norms.sort(norms.catalogue.sort).values
    return frozenset((seat, names[number]) for seat, number in recorded(norms, position))
