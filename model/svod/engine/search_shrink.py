"""Something found in a long game or on a large deck → the shortest play to the same on a deck as small as possible."""

from __future__ import annotations

from collections.abc import Iterator
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


def smaller_decks(deck: int, required: int) -> Iterator[int]:
    """The deck without one card, for each card that is not required."""
    rest = deck & ~required
    while rest:
        card = rest & -rest
        rest ^= card
        yield deck ^ card


def shrink(
    searched: SearchProgram, backend: Backend, found: Found, required: int, limits: Limits, *, cards_max: int = 12
) -> Shortest | None:
    """Take away cards as long as the same can still be reached, then give the shortest play to it. None if even the
    first deck is too large for the limits. Where decks do not vary, the deck stays as it is."""
    target = target_of(found)
    best = shortest_play(searched, backend, target, found.deck, limits)
    if best is None or not found.deck or not searched.decks_vary or found.deck.bit_count() > cards_max:
        return best
    smaller = True
    while smaller:
        smaller = False
        for deck in smaller_decks(best.deck, required):
            tried = shortest_play(searched, backend, target, deck, limits)
            if tried is not None and len(tried.acts) <= len(best.acts):
                best, smaller = tried, True
                break
    return best
