"""In: a sighting of random play. Out: the same defect with a small deck and a shortest play, replayed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from svod.engine.play import Engine
from svod.engine.search_found import Found
from svod.engine.search_run import Limits, Search
from svod.engine.search_shrink import target_of
from svod.engine.search_table import FoundKind
from svod.norms.trace import Act
from svod.searches.broken import broken_stop
from svod.searches.hunting import Effort, Sighting
from svod.searches.plays import Replay, replay
from svod.searches.stops import Stop, contested_stop, soft_stop, stop_of
from svod.searches.world import World, cards_of

DESCRIBED = frozenset(
    (
        FoundKind.HOLE,
        FoundKind.CLASH,
        FoundKind.RACE,
        FoundKind.LIMIT,
        FoundKind.DEAD_END,
        FoundKind.CONTESTED,
        FoundKind.INVARIANT,
        FoundKind.SOFT,
    )
)


@dataclass(frozen=True, slots=True)
class Witness:
    """A defect and a play to it. `deck` is the mask of the cards in play, 0 for all."""

    world: World
    switches: frozenset[str]
    deck: int
    stop: Stop
    found: Found
    acts: tuple[Act, ...]
    shortest: bool

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return (self.stop.code.name, self.stop.rules)

    def better_than(self, other: Witness) -> bool:
        """Fewer departures from adopted readings, then fewer moves, fewer cards, fewer players."""
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, int, int, int]:
        cards = self.deck.bit_count() if self.deck else 10_000
        departures = sum(
            reading.switch(letter) in self.switches
            for reading in self.world.norms.readings
            for letter, _ in reading.options
            if letter != reading.adopted
        )
        return (departures, len(self.acts), cards, self.world.norms.player_count)


def witness_of(sighting: Sighting, effort: Effort) -> Witness | None:
    """The sighting as it was met: its game is played again from its seed."""
    found = sighting.found
    if found.kind not in DESCRIBED:
        return None
    world = sighting.world
    games = world.games(sighting.switches, seed=1, cap=effort.cap)
    codes = games.one(found.where, found.deck).acts[: found.length]
    engine = world.engine(sighting.switches, found.deck)
    acts = tuple(engine.decode(code) for code in codes)
    stop = stop_at(engine, replay(engine, acts), found)
    if stop is None:
        return None
    return Witness(world, sighting.switches, found.deck, stop, found, acts, shortest=False)


def stop_at(engine: Engine, played: Replay, found: Found) -> Stop | None:
    """What the play shows, told by the kind of what was found at its end."""
    match found.kind:
        case FoundKind.HOLE | FoundKind.CLASH | FoundKind.RACE | FoundKind.LIMIT | FoundKind.DEAD_END:
            return stop_of(engine, played)
        case FoundKind.CONTESTED:
            return contested_stop(engine, played.positions[-1], engine.decode(found.act))
        case FoundKind.INVARIANT:
            return broken_stop(engine, played, engine.program.clauses[found.first])
        case FoundKind.SOFT:
            return soft_stop(engine, played.positions[-1], found.place_name(engine.program) or "")
        case FoundKind.OVER | FoundKind.CONTESTED_ONLY | FoundKind.LONG | FoundKind.LOST:
            return None


def shrink(witness: Witness, effort: Effort, tick: Callable[[], None]) -> Witness:
    """Leave out cards while the defect stays, then take the shortest play on what is left."""
    if witness.deck == 0 or witness.deck.bit_count() > 10:
        return witness
    best = _on_deck(witness, witness.deck, effort) or witness
    required = witness.world.required
    progress = True
    while progress:
        progress = False
        for card in cards_of(best.deck & ~required):
            tick()
            smaller = _on_deck(best, best.deck & ~(1 << card), effort)
            if smaller is not None:
                best, progress = smaller, True
                break
    return best


def _on_deck(witness: Witness, deck: int, effort: Effort) -> Witness | None:
    """The shortest play to the same defect on this deck, if the whole space is small enough to search."""
    world = witness.world
    # Dead ends of different causes are one kind to the search: all of them are collected and told apart here.
    target = None if witness.found.kind is FoundKind.DEAD_END else target_of(witness.found)
    search = world.search(witness.switches, deck, target)
    states = effort.states if world.native else effort.states // effort.slow
    result = search.run(Limits(states=states))
    engine = world.engine(witness.switches, deck)
    best: Witness | None = None
    for found in sorted(result.found, key=lambda f: f.length):
        if found.kind is not witness.found.kind:
            continue
        acts = _acts(search, engine, found)
        stop = stop_at(engine, replay(engine, acts), found)
        if stop is not None and (stop.code.name, stop.rules) == witness.key:
            candidate = Witness(world, witness.switches, deck, stop, found, acts, result.stopped in (None, "found"))
            if best is None or candidate.better_than(best):
                best = candidate
    return best


def _acts(search: Search, engine: Engine, found: Found) -> tuple[Act, ...]:
    codes = search.play(found)
    if found.kind is FoundKind.CONTESTED:  # its last act is the contested one, which nobody makes
        codes = codes[:-1]
    return tuple(engine.decode(code) for code in codes)
