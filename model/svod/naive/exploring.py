"""From a naive evaluator to whole plays: one by lot, or every play there is, kept in plain sets.

The lot is a fixed generator, so that the same seed gives the same play wherever the norms are played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Next, Position, Status, StepOutcome

MODULUS = 2147483647
MULTIPLIER = 48271
OVER, DEAD_END, CAPPED, FAILED = "over", "dead end", "capped", "failed"


class Lot:
    """The generator; every draw changes it."""

    def __init__(self, seed: int) -> None:
        self._number = seed % MODULUS or 1

    def below(self, count: int) -> int:
        """A number from 0 to `count` − 1."""
        self._number = self._number * MULTIPLIER % MODULUS
        return self._number % count


@dataclass(frozen=True, slots=True)
class Playout:
    """One play. `end`: over, dead end, capped or failed; `outcome` is the last outcome of a step."""

    acts: tuple[Act, ...]
    end: str
    outcome: StepOutcome


@dataclass(frozen=True, slots=True)
class Counts:
    """What an exhaustive search met. `moves`: lawful acts with a successor; `failed`: those without one."""

    initial: int
    states: int
    moves: int
    dead_ends: int
    finished: int
    depth: int
    failed: int
    contested: int


def groups(norms: ir.Norms, acts: tuple[Act, ...]) -> list[list[Act]]:
    """The acts, together where they differ only in what chance picks, in the order of their first members."""
    actions = {action.name: action for action in norms.actions}
    found: dict[tuple[str, tuple[int, ...]], list[Act]] = {}
    for act in acts:
        action = actions[act.action]
        chance = range(len(act.arguments)) if action.actor is None else action.chance
        chosen = tuple(value for place, value in enumerate(act.arguments) if place not in chance)
        found.setdefault((act.action, chosen), []).append(act)
    return list(found.values())


def draw(norms: ir.Norms, acts: tuple[Act, ...], lot: Lot) -> Act:
    """One of the acts: first a group by lot, then within it if there is a choice."""
    choices = groups(norms, acts)
    group = choices[lot.below(len(choices))]
    return group[lot.below(len(group))] if len(group) > 1 else group[0]


def playout(naive: Naive, seed: int, cap: int) -> Playout:
    """One play by lot, of at most `cap` acts."""
    lot = Lot(seed)
    outcome = naive.initial()
    acts: list[Act] = []
    while isinstance(outcome, Next):
        position = outcome.position
        if naive.over(position):
            return Playout(tuple(acts), OVER, outcome)
        if len(acts) >= cap:
            return Playout(tuple(acts), CAPPED, outcome)
        lawful = naive.acts(position)
        if not lawful:
            return Playout(tuple(acts), DEAD_END, outcome)
        acts.append(draw(naive.norms, lawful, lot))
        outcome = naive.step(position, acts[-1])
    return Playout(tuple(acts), FAILED, outcome)


def is_chance(norms: ir.Norms, act: Act) -> bool:
    """Whether this is an act of nobody."""
    return next(action.actor is None for action in norms.actions if action.name == act.action)


def first_positions(naive: Naive) -> tuple[list[Position], int]:
    """Where play begins: the positions reached from the start while only chance acts are lawful; and how often there is
    no position: acts on the way without a successor, or the start itself."""
    outcome = naive.initial()
    waiting = [outcome.position] if isinstance(outcome, Next) else []
    seen = set(waiting)
    found: list[Position] = []
    failed = 0 if waiting else 1
    while waiting:
        position = waiting.pop()
        lawful = naive.acts(position)
        if not lawful or not all(is_chance(naive.norms, act) for act in lawful):
            found.append(position)
            continue
        for act in lawful:
            following = naive.step(position, act)
            if not isinstance(following, Next):
                failed += 1
            elif following.position not in seen:
                seen.add(following.position)
                waiting.append(following.position)
    return found, failed


def projected(naive: Naive, position: Position, projection: ir.Projection | None) -> object:
    """What counts of a position under a projection; the position itself without one. A finished play asks for nothing,
    so of its terms only that it is over counts."""
    if projection is None:
        return position
    zones = tuple(cards for (zone, _), cards in position.zones if zone in projection.zones)
    if naive.over(position):
        return zones, OVER
    values: list[object] = []
    for term in naive.norms.terms:
        if term.name in projection.terms:
            values += [_face(naive.term(position, term.name, given)) for given in naive.tuples(term.parameters)]
    registers = tuple(value for (name, _), value in position.registers if name in projection.terms)
    return zones, tuple(values), registers


def _face(said: int | Hole | Clash | None) -> object:
    """The value of a slot, or which way it has none."""
    return type(said).__name__ if isinstance(said, Hole | Clash) else said


def explore(
    naive: Naive,
    projection: ir.Projection | None = None,
    most: int = 1_000_000,
    ended: Callable[[Position], object] = bool,
) -> Counts | None:
    """Every lawful play, level by level; None if there are more than `most` states. `ended` is told of each end."""
    level: dict[object, Position] = {}
    starts, failed = first_positions(naive)
    for position in starts:
        level.setdefault(projected(naive, position, projection), position)
    seen = set(level)
    progress = {action.name for action in naive.norms.actions if action.turn or action.actor is None}
    initial, depth = len(level), 0
    moves = dead_ends = finished = contested = 0
    while True:
        following: dict[object, Position] = {}
        for position in level.values():
            statuses = naive.statuses(position)
            lawful = [act for act, status in statuses.items() if status is Status.LAWFUL]
            if naive.over(position):
                finished += 1
                ended(position)
            contested += Status.CONTESTED in statuses.values()
            if not any(act.action in progress for act in lawful):
                dead_ends += naive.stuck(position)
            for act in lawful:
                outcome = naive.step(position, act)
                if not isinstance(outcome, Next):
                    failed += 1
                    continue
                moves += 1
                key = projected(naive, outcome.position, projection)
                if key not in seen:
                    seen.add(key)
                    following[key] = outcome.position
        if len(seen) > most:
            return None
        if not following:
            return Counts(initial, len(seen), moves, dead_ends, finished, depth, failed, contested)
        level, depth = following, depth + 1
