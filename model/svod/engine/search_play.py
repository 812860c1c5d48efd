"""A program with searches and a backend → random games: one, many with statistics, and the hunt for what goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from svod.engine.backend import Backend, read
from svod.engine.search_found import Found, found_in, notebook
from svod.engine.search_games import (
    GAME_WIDTH,
    LENGTH_CLASSES,
    LENGTH_STEP,
    SEED_MAX,
    TALLY_WIDTH,
    Game,
    Tally,
)
from svod.engine.search_source import SearchProgram
from svod.engine.search_table import FoundKind
from svod.engine.search_walk import CONTROL_WIDTH, Control

CAP = 20_000


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: how it ended, codes of its acts, a checksum over them, output slots without a value on the way."""

    end: FoundKind
    acts: tuple[int, ...]
    checksum: int
    soft: int


@dataclass(frozen=True, slots=True)
class Statistics:
    """Many games. `ends`: how many ended in which way. `lengths`: pairs of a length and the number of games at least
    that long and shorter than the next."""

    games: int
    acts: int
    soft: int
    shortest: int
    longest: int
    squares: int
    contested: int
    violations: int
    checksum: int
    ends: Mapping[FoundKind, int]
    lengths: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> float:
        """Mean length of a game."""
        return self.acts / self.games if self.games else 0.0


@dataclass(frozen=True, slots=True)
class Decks:
    """Which decks a hunt draws: `size` cards (0: always the whole deck) with the `required` ones, and each of the
    `mentioned` ones with probability one half. Both are masks."""

    size: int
    required: int = 0
    mentioned: int = 0


class Games:
    """Random lawful games one after another, from one seed on; statistics and findings add up over calls."""

    def __init__(
        self, searched: SearchProgram, backend: Backend, *, seed: int = 1, cap: int = CAP, notes: int = 256
    ) -> None:
        self.searched, self.backend, self.cap = searched, backend, cap
        layout, make = searched.layout, backend.buffer
        acts = max(1, layout.act_count)
        self._s, self._n, self._d = make(layout.size), make(layout.size), make(layout.detail_size)
        self._a, self._b, self._g = make(acts), make(acts), make(2 * acts)
        self._r = make(4 * len(searched.program.clauses) + 64)
        self._x, self._l, self._m = make(GAME_WIDTH), make(cap + 1), make(TALLY_WIDTH)
        self._f = notebook(backend, notes)
        self._c = make(CONTROL_WIDTH)
        self._c[Control.TARGET_KIND] = -1
        self._v = make(max(1, len(searched.program.clauses)))
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Start the generators anew. Any number will do."""
        self._x[Game.RANDOM] = 1 + (seed - 1) % SEED_MAX
        self._x[Game.DECK_RANDOM] = 1 + (seed * 7919 + 104729) % SEED_MAX

    def switch(self, values: Mapping[int, int]) -> None:
        """Set switches that the program leaves free: slot → 0 or 1. They stay for all games that follow."""
        for slot, value in values.items():
            self._s[slot] = value

    def one(self, seed: int, deck: int = 0, cap: int | None = None) -> GameRecord:
        """The game of this seed; the same as the one noted with this seed and deck in `play` or `hunt`."""
        kept = self._x[Game.RANDOM]
        self._x[Game.RANDOM] = 1 + (seed - 1) % SEED_MAX
        cap = self.cap if cap is None else min(cap, self.cap)
        scratch = (self._s, self._d, self._a, self._b, self._g, self._x, self._l)
        end = FoundKind(self.backend.call("playout", *scratch, cap, deck))
        self._x[Game.RANDOM] = kept
        acts = tuple(read(self._l, 0, self._x[Game.ACTS]))
        return GameRecord(end, acts, self._x[Game.CHECKSUM], self._x[Game.SOFT])

    def state(self) -> list[int]:
        """The state vector in which the last game ended (spoilt if its last step failed)."""
        return read(self._s, 0, self.searched.layout.size)

    def play(self, games: int, deck: int = 0) -> None:
        """So many games more."""
        scratch = (self._s, self._d, self._a, self._b, self._g, self._x, self._l, self._m, self._f)
        self.backend.call("playouts", *scratch, self.cap, games, deck)

    def hunt(self, games: int, decks: Decks, *, look_every: int = 16) -> None:
        """So many games more on random decks, looking at everything on the way; at every `look_every`-th position all
        possible acts are asked which clauses bear on them."""
        scratch = (self._s, self._n, self._d, self._a, self._b, self._g, self._r, self._x, self._l, self._m, self._f)
        whole = self.searched.deck
        size = decks.size if self.searched.decks_vary else 0
        drawn = (whole, decks.required & whole, decks.mentioned & whole, size)
        self.backend.call("hunt", *scratch, self._c, self._v, self.cap, look_every, games, *drawn)

    @property
    def found(self) -> tuple[Found, ...]:
        """What was noted so far; of equal findings the shortest play."""
        return found_in(self._f)

    @property
    def fired(self) -> frozenset[int]:
        """Numbers of the clauses that fired at least once in a hunt."""
        return frozenset(i for i in range(len(self.searched.program.clauses)) if self._v[i])

    @property
    def statistics(self) -> Statistics:
        """Of all games so far."""
        m = self._m
        lengths = ((i * LENGTH_STEP, m[Tally.LENGTHS + i]) for i in range(LENGTH_CLASSES))
        return Statistics(
            games=m[Tally.GAMES],
            acts=m[Tally.ACTS],
            soft=m[Tally.SOFT],
            shortest=m[Tally.SHORTEST],
            longest=m[Tally.LONGEST],
            squares=m[Tally.SQUARES],
            contested=m[Tally.CONTESTED],
            violations=m[Tally.VIOLATIONS],
            checksum=m[Tally.CHECKSUM],
            ends={kind: m[Tally.ENDS + kind] for kind in FoundKind if m[Tally.ENDS + kind]},
            lengths=tuple((length, count) for length, count in lengths if count),
        )
