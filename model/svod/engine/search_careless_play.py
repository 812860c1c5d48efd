"""A program of careless games and a backend → games, one or many: what the players broke, who noticed, what came of it,
and whatever went wrong in the engine or in the rules on the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from svod.engine.backend import Compiler, read
from svod.engine.program import ENTRY_POINTS, TABLE_ENTRIES, Program
from svod.engine.search_careless import ENTRIES, Columns, careless_source
from svod.engine.search_found import Found, found_in, notebook
from svod.engine.search_games import GAME_WIDTH, SEED_MAX, Game, Tally
from svod.engine.search_play import GameRecord
from svod.engine.search_table import FoundKind
from svod.norms import ir

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Rates:
    """How careless the players are, from 0 to 1. `breaches`: an act that lawful play would not see; `noticing`: a
    breach is noticed, once for all; `disputing`: a right of speech that no breach gave is used when it arises;
    `honesty`: of several answers that are owed one is given that a right backs; `chatter`: one of the rights of speech
    that are there all along is used."""

    breaches: float
    noticing: float = 0.7
    disputing: float = 0.2
    honesty: float = 0.9
    chatter: float = 0.02

    @property
    def millionths(self) -> tuple[int, ...]:
        """As the program takes them."""
        rates = (self.breaches, self.noticing, self.disputing, self.honesty, self.chatter)
        return tuple(round(each * MILLION) for each in rates)


@dataclass(frozen=True, slots=True)
class NumberCount:
    """One number of the catalogue. `ended`: breaches that ended without a punishment; `wronged`: punished without
    guilt."""

    entered: int
    punished: int
    ended: int
    wronged: int


@dataclass(frozen=True, slots=True)
class CarelessCounts:
    """Many games. `made` and `strays`: acts by kind, all of them and those that lawful play would not see."""

    games: int
    acts: int
    soft: int
    shortest: int
    longest: int
    checksum: int
    broken: int  # positions in which an invariant did not hold
    strayed: int
    noticed: int
    claims: int
    entitled: int
    dishonest: int
    ends: Mapping[FoundKind, int]
    numbers: Mapping[str, NumberCount]
    made: Mapping[str, int]
    strays: Mapping[str, int]


class CarelessGames:
    """Games on one program; `norms` are watched ones (`norms.watching`), the program is made with `Options.table`."""

    def __init__(
        self, norms: ir.Norms, program: Program, compiler: Compiler, rates: Rates, *, cap: int, notes: int = 512
    ) -> None:
        self.norms, self.program, self.cap = norms, program, cap
        self._columns = Columns.of(norms, program.layout)
        entries = (*(name for name, _ in ENTRY_POINTS), *TABLE_ENTRIES, *ENTRIES, *(t.function for t in program.terms))
        self.backend = backend = compiler(careless_source(norms, program, self._columns), entries)
        layout, make = program.layout, backend.buffer
        acts = max(1, layout.act_count)
        self._s, self._n, self._d = make(layout.size), make(layout.size), make(layout.detail_size)
        self._a, self._b, self._g = make(acts), make(acts), make(2 * acts)
        self._r, self._w = make(4 * len(program.clauses) + 64), make(max(1, self._columns.guilts))
        self._x, self._l, self._p = make(GAME_WIDTH), make(cap + 1), make(5)
        self._m, self._f = make(self._columns.width), notebook(backend, notes)
        self._kind = 0
        for place, rate in enumerate(rates.millionths):
            self._p[place] = rate

    def play(self, seed: int, games: int) -> None:
        """So many games more, with the seeds `seed`, `seed` + 7919, …; counts and findings add up."""
        first = (self._s, self._n, self._d, self._a, self._b, self._g, self._r, self._w)
        rest = (self._x, self._l, self._p, self._m, self._f)
        self._kind = self.backend.call("careless_games", *first, *rest, self.cap, _seed(seed), games)

    @property
    def last(self) -> GameRecord:
        """The last game."""
        acts = tuple(read(self._l, 0, self._x[Game.ACTS]))
        return GameRecord(FoundKind(self._kind), acts, self._x[Game.CHECKSUM], self._x[Game.SOFT])

    def state(self) -> list[int]:
        """The state vector in which the last game ended (spoilt if its last step failed)."""
        return read(self._s, 0, self.program.layout.size)

    @property
    def found(self) -> tuple[Found, ...]:
        """What was noted so far; of equal findings the shortest game."""
        return found_in(self._f)

    @property
    def counts(self) -> CarelessCounts:
        """Of all games so far."""
        m, at = self._m, self._columns
        names = [name for name, _ in self.program.layout.action_offsets]
        return CarelessCounts(
            games=m[Tally.GAMES],
            acts=m[Tally.ACTS],
            soft=m[Tally.SOFT],
            shortest=m[Tally.SHORTEST],
            longest=m[Tally.LONGEST],
            checksum=m[Tally.CHECKSUM],
            broken=m[Tally.VIOLATIONS],
            strayed=m[at.strayed],
            noticed=m[at.strayed + 1],
            claims=m[at.strayed + 2],
            entitled=m[at.strayed + 3],
            dishonest=m[at.strayed + 4],
            ends={kind: m[Tally.ENDS + kind] for kind in FoundKind if m[Tally.ENDS + kind]},
            numbers={
                name: NumberCount(*(m[at.numbers + part * len(at.names) + place] for part in range(4)))
                for place, name in enumerate(at.names)
            },
            made={name: m[at.made + place] for place, name in enumerate(names)},
            strays={name: m[at.made + len(names) + place] for place, name in enumerate(names)},
        )


def _seed(seed: int) -> int:
    return 1 + (seed - 1) % SEED_MAX
