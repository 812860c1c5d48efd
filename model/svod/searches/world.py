"""In: norms and a compiler of programs. Out: one program with its searches, switches left free, ready to be asked
many things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from svod.engine.backend import Backend, Buffer, Compiler
from svod.engine.from_norms import Options, program_from_norms
from svod.engine.play import Engine
from svod.engine.program import Program
from svod.engine.search_play import Games
from svod.engine.search_run import Search, Target
from svod.engine.search_source import SearchProgram, search_program
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Position
from svod.norms.walk import everything_in


class World:
    """A rulebook at fixed parameters. Every search chooses its switches; the program is compiled once."""

    def __init__(self, norms: ir.Norms, compiler: Compiler) -> None:
        self.norms = norms
        program = program_from_norms(norms, Options(free_switches=True, breaches=False))
        self.searched: SearchProgram = search_program(program, norms)
        self.backend: Backend = compiler(self.searched.source, self.searched.entries)
        self._slots = dict(self.searched.layout.switches)
        self.opinions = Opinions(norms)
        self.mentioned: int | None = None

    @property
    def native(self) -> bool:
        """Whether it runs as machine code; if not, searches make fewer games and say so."""
        return self.backend.native

    def engine(self, switches: Iterable[str], deck: int = 0) -> Engine:
        """An engine on the same code with these switches; `deck` restricts the cards in play (0: all)."""
        norms = self.norms if deck == 0 else replace(self.norms, deck=cards_of(deck))
        engine = DeckEngine(norms, self.searched.program, self.backend, deck, frozenset(switches))
        engine.opinions = self.opinions
        return engine

    def games(self, switches: Iterable[str], *, seed: int, cap: int, notes: int = 256) -> Games:
        """Random games under these switches."""
        games = Games(self.searched, self.backend, seed=seed, cap=cap, notes=notes)
        games.switch(self._vector(switches))
        return games

    def search(self, switches: Iterable[str], deck: int, target: Target | None = None) -> Search:
        """An exhaustive search from the deals of a reduced deck, shuffled every way, under these switches."""
        search = Search(self.searched, self.backend, deck=deck, opening=False, target=target)
        search.switch(self._vector(switches))
        return search

    def _vector(self, switches: Iterable[str]) -> dict[int, int]:
        chosen = frozenset(switches)
        return {slot: int(name in chosen) for name, slot in self._slots.items()}

    @property
    def whole_deck(self) -> int:
        """Mask of all cards that can be in play."""
        norms = self.norms
        return mask_of(norms.deck or range(len(norms.sort(norms.card_sort).values)))

    @property
    def required(self) -> int:
        """Mask of the cards that every reduced deck must contain; all of them where the rulebook declares no such
        decks."""
        decks = self.norms.check_decks
        return self.whole_deck if decks is None else mask_of(decks.required)


class Opinions:
    """Slow second opinions on the same norms, one for each choice of switches: what they have worked out is kept."""

    def __init__(self, norms: ir.Norms) -> None:
        self._norms = norms
        self._made: dict[frozenset[str], Naive] = {}
        counted = (part for clause in norms.clauses for part in _decisive(clause))
        self._looks_into_the_box = any(isinstance(part, ir.ZonesHolding) for part in counted)

    def of(self, norms: ir.Norms, switches: frozenset[str]) -> Naive:
        """For these norms, which differ from the whole ones in their deck at most. A reduced deck only shows where the
        rules ask in how many zones a card lies."""
        if self._looks_into_the_box and norms.deck != self._norms.deck:
            return Naive(norms, switches)
        if switches not in self._made:
            self._made[switches] = Naive(self._norms, switches)
        return self._made[switches]


def _decisive(clause: ir.Clause) -> Iterator[ir.Expression]:
    return iter(()) if isinstance(clause, ir.Invariant) else everything_in(clause)


class Remembering(Engine):
    """An engine that keeps the state vector of the last position: much is asked about one position."""

    _packed: tuple[Position, Buffer] | None = None
    opinions: Opinions | None = None

    def pack_position(self, position: Position) -> Buffer:
        if self._packed is None or self._packed[0] is not position:
            self._packed = (position, super().pack_position(position))
        state = self.backend.buffer(self.layout.size)
        self.copy_state(self._packed[1], state)
        return state


class DeckEngine(Remembering):
    """An engine whose plays start with the cards of a reduced deck."""

    def __init__(
        self, norms: ir.Norms, program: Program, backend: Backend, deck: int, switches: frozenset[str]
    ) -> None:
        super().__init__(norms, program, backend, switches=switches)
        self._deck_in_play = deck

    def start(self, state: Buffer, detail: Buffer) -> int:
        """Put the start of a play with this deck into a state vector; a step code."""
        return self.backend.call("begin", state, detail, self._deck_in_play)


def second_opinion(engine: Engine) -> Naive:
    """The naive evaluator of the same norms and switches."""
    if isinstance(engine, Remembering) and engine.opinions is not None:
        return engine.opinions.of(engine.norms, engine.switches)
    return Naive(engine.norms, engine.switches)


def mask_of(cards: Iterable[int]) -> int:
    """Card numbers as a bit mask."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> tuple[int, ...]:
    """Card numbers of a bit mask, ascending."""
    return tuple(card for card in range(mask.bit_length()) if mask >> card & 1)
