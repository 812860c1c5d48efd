"""A symbolic state: norms and bounds in, Z3 constants for every zone and register out.

A set zone is one mask for each owner; a pile an array of small card numbers (with authors where kept) and a length;
a register a small bit-vector with «нет» as one more value. Where the number of players is left free the norms are
those of the largest number: absent seats hold nothing, and «n» is a constant of the question. Norms with a catalogue
of breaches have a second board beside the first: the one before the first open breach, which restorations read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import z3

from svod.constraints import terms as t
from svod.constraints.folding import fold
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir

LEDGER_BOUND = 1 << 14  # NOTE(ledger bound): ledgers have no bound of their own; past this one a step is a limit

KEPT = "frame "  # names of constants of the kept board begin with this; no name of a rulebook holds a space

Place: TypeAlias = tuple[str, int | None]
Cell: TypeAlias = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Options:
    """What is fixed and what is left free in a question.

    `play`: only lawful acts are taken, so no actor commits a breach.

    `seats_free`: any number of players from 2 to that of the norms. `switches`: name → on, off or free (None); those
    not named have their default. `deck_free`: any part of the deck that holds the cards required «для проверки».
    """

    seats_free: bool = False
    switches: tuple[tuple[str, bool | None], ...] = ()
    deck_free: bool = False
    waves_max: int = 6
    play: bool = False


@dataclass(frozen=True, slots=True)
class CellType:
    """How a register is held: numbers low..high, `optional` ones with code high+1 for «нет»; truths are 0 and 1."""

    low: int
    high: int
    optional: bool
    truth: bool
    seat: bool

    @property
    def top(self) -> int:
        """Largest code."""
        return self.high + 1 if self.optional else self.high

    @property
    def width(self) -> int:
        return t.width_for(self.low, self.top)


@dataclass(frozen=True, slots=True)
class Pile:
    """Card numbers from the bottom; slots from `length` on are zero. Author code = seat, or number of seats: nobody."""

    cards: tuple[Bits, ...]
    authors: tuple[Bits, ...]
    length: Bits


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Terms of one state; two are the same state only if they are the same object."""

    sets: Mapping[Place, Mask]
    piles: Mapping[Place, Pile]
    registers: Mapping[Cell, Bits]
    kept: Kept | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """The board before the first open breach, while it is kept (`there`, one bit): zones, and registers that a
    restoration resets. All zeros while it is not."""

    there: Bits
    board: State


@dataclass
class World:
    """Norms with indices, and what a question leaves free: number of seats, deck, switches."""

    norms: ir.Norms
    options: Options = Options()
    sorts: dict[str, ir.Sort] = field(init=False)
    zones: dict[str, ir.Zone] = field(init=False)
    registers: dict[str, ir.Register] = field(init=False)
    terms: dict[str, ir.Term] = field(init=False)
    actions: dict[str, ir.Action] = field(init=False)
    clauses: dict[str, ir.Clause] = field(init=False)
    cell_types: dict[str, CellType] = field(init=False)
    switches: dict[str, Truth] = field(init=False)
    seats: Quantity = field(init=False)
    deck: Mask = field(init=False)

    constants: dict[str, int | None] = field(init=False, default_factory=dict)
    empty: frozenset[str] = field(init=False, default=frozenset())
    silent: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        self.switches = dict(self._switches())
        if self.options.play:
            chosen = {name: held if isinstance(held, bool) else None for name, held in self.switches.items()}
            folded = fold(self.norms, chosen)
            self.norms, self.constants, self.empty = folded.norms, folded.constants, folded.empty
            self.silent = folded.silent
        norms = self.norms
        self.sorts = {sort.name: sort for sort in norms.sorts}
        self.zones = {zone.name: zone for zone in norms.zones}
        self.registers = {register.name: register for register in norms.registers}
        self.terms = {term.name: term for term in norms.terms}
        self.actions = {action.name: action for action in norms.actions}
        self.clauses = {clause.head.id: clause for clause in norms.clauses}
        self.cell_types = {register.name: self._cell_type(register) for register in norms.registers}
        most = norms.player_count
        free = self.options.seats_free and most > 2
        self.seats = Quantity(2, most, z3.BitVec("n", t.width_for(2, most))) if free else t.constant(most)
        whole = sum(1 << card for card in norms.deck) if norms.deck else (1 << self.cards) - 1
        self.deck = z3.BitVec("deck", self.cards) if self.options.deck_free else whole
        self._whole_deck = whole

    @property
    def cards(self) -> int:
        """Number of cards of the sort: the width of a mask."""
        return len(self.sorts[self.norms.card_sort].values)

    def constant(self, register: ir.Register) -> int:
        """The code of a register that keeps its first value."""
        value = self.constants[register.name]
        return self.cell_types[register.name].top if value is None else value

    @property
    def keeps(self) -> bool:
        """States carry the board before the first open breach."""
        return self.norms.catalogue is not None and self.norms.catalogue.record not in self.constants

    @property
    def restorable(self) -> list[ir.Register]:
        """The registers that a restoration resets."""
        record = "" if self.norms.catalogue is None else self.norms.catalogue.record
        return [r for r in self.norms.registers if not r.outside_frame and r.name != record]

    @property
    def nobody(self) -> int:
        """Author code of a card that nobody laid."""
        return self.norms.player_count

    def values(self, sort: str) -> int:
        """Number of values of a sort (seats: of the largest table)."""
        return len(self.sorts[sort].values)

    def present(self, sort: str, value: Quantity) -> Truth:
        """The value exists at this table: false only for seats that nobody takes."""
        if not self.sorts[sort].seats:
            return True
        return t.less(value, self.seats)

    def variable(self, variable: ir.Variable) -> Iterator[tuple[Quantity, Truth]]:
        """Every value of the variable with the condition that it exists."""
        for index in range(self.values(variable.sort)):
            value = t.constant(index)
            yield value, self.present(variable.sort, value)

    def places(self, zone: ir.Zone) -> list[Place]:
        """The zone, or one place for each seat."""
        return [(zone.name, seat) for seat in range(self.norms.player_count)] if zone.owned else [(zone.name, None)]

    def cells(self, register: ir.Register) -> list[Cell]:
        """One cell for each tuple of index values."""
        tuples: list[tuple[int, ...]] = [()]
        for sort in register.index:
            tuples = [(*before, value) for before in tuples for value in range(self.values(sort))]
        return [(register.name, index) for index in tuples]

    def _cell_type(self, register: ir.Register) -> CellType:
        nothing = isinstance(register.initial, ir.Nothing)
        match register.type:
            case ir.Truth():
                return CellType(0, 1, False, True, False)
            case ir.Whole(low=low, high=high):
                return CellType(
                    -LEDGER_BOUND if low is None else low,
                    LEDGER_BOUND if high is None else high,
                    nothing or register.type.optional,
                    False,
                    False,
                )
            case ir.Member(sort=sort, optional=optional):
                found = self.sorts[sort]
                return CellType(0, len(found.values) - 1, optional or nothing, False, found.seats)
        raise TypeError(register.type)

    def _switches(self) -> Iterator[tuple[str, Truth]]:
        chosen = dict(self.options.switches)
        defaults = {variant.name: False for variant in self.norms.variants}
        for reading in self.norms.readings:
            defaults |= {reading.switch(letter): letter == reading.adopted for letter, _ in reading.options}
        for name, default in defaults.items():
            value = chosen.get(name, default)
            yield name, z3.Bool(f"switch:{name}") if value is None else value

    def constants_conditions(self) -> dict[str, Truth]:
        """What the constants of the question satisfy: number of seats, deck, one letter for each reading."""
        conditions: dict[str, Truth] = {}
        if self.seats.constant is None:
            # the bits have room for more than the bounds of the quantity say
            held = Quantity(0, largest(0, self.seats.width), self.seats.number)
            few, many = t.less(held, t.constant(2)), t.less(t.constant(self.norms.player_count), held)
            conditions["seats"] = t.conjunction(t.negation(few), t.negation(many))
        if self.options.deck_free:
            required = self.norms.check_decks.required if self.norms.check_decks else ()
            inside = t.mask_empty(t.mask_without(self.deck, self._whole_deck, self.cards), self.cards)
            conditions["deck"] = t.conjunction(inside, *(t.bit(self.deck, card) for card in required))
        for reading in self.norms.readings:
            letters = [self.switches[reading.switch(letter)] for letter, _ in reading.options]
            conditions[f"reading {reading.rule}"] = t.equal(t.count_of(letters), t.constant(1))
        return conditions


def fresh_state(world: World, prefix: str) -> State:
    """A state of constants whose names begin with `prefix`."""
    sets, piles, registers = _fresh_board(world, prefix, list(world.norms.registers))
    kept = None
    if world.keeps:
        inner = f"{prefix}{KEPT}"
        kept = Kept(z3.BitVec(f"{inner}there", 1), State(*_fresh_board(world, inner, world.restorable)))
    return State(sets, piles, registers, kept)


def _fresh_board(
    world: World, prefix: str, among: list[ir.Register]
) -> tuple[dict[Place, Mask], dict[Place, Pile], dict[Cell, Bits]]:
    sets: dict[Place, Mask] = {}
    piles: dict[Place, Pile] = {}
    for zone in world.norms.zones:
        for place in world.places(zone):
            name = f"{prefix}{zone.name}" + ("" if place[1] is None else f"[{place[1]}]")
            if zone.name in world.empty:
                put_empty(world, zone, place, sets, piles)
                continue
            if not zone.pile:
                sets[place] = z3.BitVec(name, world.cards)
                continue
            slots = range(zone.capacity)
            cards = tuple(z3.BitVec(f"{name}.card{i}", t.width_for(0, world.cards - 1)) for i in slots)
            authors = tuple(z3.BitVec(f"{name}.author{i}", t.width_for(0, world.nobody)) for i in slots)
            length = z3.BitVec(f"{name}.length", t.width_for(0, zone.capacity))
            piles[place] = Pile(cards, authors if zone.authors else (), length)
    registers: dict[Cell, Bits] = {
        cell: world.constant(register)
        if register.name in world.constants
        else z3.BitVec(f"{prefix}{cell[0]}{list(cell[1]) or ''}", world.cell_types[register.name].width)
        for register in among
        for cell in world.cells(register)
    }
    return sets, piles, registers


def put_empty(
    world: World, zone: ir.Zone, place: Place, sets: dict[Place, Mask], piles: dict[Place, Pile], cards: Mask = 0
) -> None:
    """A place with nothing in it, or, if it is a set, with these cards."""
    if zone.pile:
        piles[place] = Pile((0,) * zone.capacity, (0,) * (zone.capacity if zone.authors else 0), 0)
    else:
        sets[place] = cards


def bare_board(world: World) -> State:
    """Zeros where a board would be kept."""
    sets: dict[Place, Mask] = {}
    piles: dict[Place, Pile] = {}
    for zone in world.norms.zones:
        for place in world.places(zone):
            put_empty(world, zone, place, sets, piles)
    registers: dict[Cell, Bits] = {cell: 0 for register in world.restorable for cell in world.cells(register)}
    return State(sets, piles, registers)


def columns(world: World, state: State) -> Iterator[tuple[str, Bits, int]]:
    """Every variable of the state as (name, term, width), in a fixed order."""
    yield from board_columns(world, state, list(world.norms.registers))
    if state.kept is not None:
        yield f"{KEPT}there", state.kept.there, 1
        for name, term, width in board_columns(world, state.kept.board, world.restorable):
            yield f"{KEPT}{name}", term, width


def board_columns(world: World, state: State, among: list[ir.Register]) -> Iterator[tuple[str, Bits, int]]:
    """The variables of zones and of these registers."""
    for zone in world.norms.zones:
        for place in world.places(zone):
            name = zone.name + ("" if place[1] is None else f"[{place[1]}]")
            if not zone.pile:
                yield name, state.sets[place], world.cards
                continue
            pile = state.piles[place]
            yield f"{name}.length", pile.length, t.width_for(0, zone.capacity)
            for i, card in enumerate(pile.cards):
                yield f"{name}.card{i}", card, t.width_for(0, world.cards - 1)
            for i, author in enumerate(pile.authors):
                yield f"{name}.author{i}", author, t.width_for(0, world.nobody)
    for register in among:
        for cell in world.cells(register):
            yield f"{cell[0]}{list(cell[1]) or ''}", state.registers[cell], world.cell_types[register.name].width


def pile_length(pile: Pile) -> Quantity:
    return Quantity(0, len(pile.cards), pile.length)


def slot_used(pile: Pile, slot: int) -> Truth:
    """The slot holds a card."""
    return t.less(t.constant(slot), pile_length(pile))


def slot_card(world: World, pile: Pile, slot: int) -> Quantity:
    return Quantity(0, world.cards - 1, pile.cards[slot])


def pile_mask(world: World, pile: Pile) -> Mask:
    """The cards of a pile as a set."""
    mask: Mask = 0
    for slot in range(len(pile.cards)):
        one = t.mask_if(slot_used(pile, slot), t.single(slot_card(world, pile, slot), world.cards), world.cards)
        mask = t.mask_union(mask, one, world.cards)
    return mask


def largest(low: int, width: int) -> int:
    """The largest number that so many bits hold (with a sign if `low` is negative)."""
    return (1 << width) - 1 if low >= 0 else (1 << (width - 1)) - 1
