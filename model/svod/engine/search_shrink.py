"""Something found in a long game → the shortest play to the same on a given deck."""

from __future__ import annotations

from dataclasses import dataclass

from svod.engine.backend import Backend
from svod.engine.search_found import Found
from svod.engine.search_run import Limits, Search, Target
from svod.engine.search_source import SearchProgram
from svod.engine.search_table import FoundKind


@dataclass(frozen=True, slots=True)
class Shortest:
    """Codes of the acts from the start of the play with the cards of `deck` (0: all) to what was looked for; on this
    deck no shorter play leads there."""

    acts: tuple[int, ...]
    deck: int
    found: Found


def target_of(found: Found) -> Target:
    """What counts as the same: kind, place and clauses. Dead ends are taken as alike."""
    if found.kind is FoundKind.DEAD_END:
        return Target(found.kind)
    return Target(found.kind, found.place, found.first, found.second)


def shortest_play(
    searched: SearchProgram, backend: Backend, target: Target, deck: int, limits: Limits
) -> Shortest | None:
    """The shortest play to the target on this deck, chance and choices alike; None if limits or the end come first."""
    search = Search(searched, backend, deck=deck, opening=False, target=target, notes=64)
    result = search.run(limits)
    if result.stopped != "found":
        return None
    best = min((f for f in result.found if matches(f, target)), key=lambda f: f.length)
    return Shortest(search.play(best), deck, best)


def matches(found: Found, target: Target) -> bool:
    """Whether the search stops at this."""
    pairs = ((target.place, found.place), (target.first, found.first), (target.second, found.second))
    return found.kind is target.kind and all(wanted in (-1, got) for wanted, got in pairs)
