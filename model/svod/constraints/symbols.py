"""A symbolic state: norms and bounds in, Z3 constants for every zone and register with their well-typedness out.

A set zone is one mask for each owner; a pile an array of small card numbers (with authors where kept) and a length;
a register a small bit-vector with «нет» as one more value. Where the number of players is left free the norms are
those of the largest number: absent seats hold nothing, and «n» is a constant of the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeAlias

import z3

from svod.constraints import terms as t
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir

LEDGER_BOUND = 1 << 14  # NOTE(ledger bound): ledgers have no bound of their own; past this one a step is a limit

Place: TypeAlias = tuple[str, int | None]
Cell: TypeAlias = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Options:
    """What is fixed and what is left free in a question.

    `seats_free`: any number of players from 2 to that of the norms. `switches`: name → on, off or free (None); those
    not named have their default. `deck_free`: any part of the deck that holds the cards required «для проверки».
    """

    seats_free: bool = False
    switches: tuple[tuple[str, bool | None], ...] = ()
    deck_free: bool = False
    waves_max: int = 6


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

    def __post_init__(self) -> None:
        norms = self.norms
        self.sorts = {sort.name: sort for sort in norms.sorts}
        self.zones = {zone.name: zone for zone in norms.zones}
        self.registers = {register.name: register for register in norms.registers}
        self.terms = {term.name: term for term in norms.terms}
        self.actions = {action.name: action for action in norms.actions}
        self.clauses = {clause.head.id: clause for clause in norms.clauses}
        self.cell_types = {register.name: self._cell_type(register) for register in norms.registers}
        self.switches = dict(self._switches())
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
            held = Quantity(0, _largest(0, self.seats.width), self.seats.number)
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
    sets: dict[Place, Mask] = {}
    piles: dict[Place, Pile] = {}
    for zone in world.norms.zones:
        for place in world.places(zone):
            name = f"{prefix}{zone.name}" + ("" if place[1] is None else f"[{place[1]}]")
            if not zone.pile:
                sets[place] = z3.BitVec(name, world.cards)
                continue
            slots = range(zone.capacity)
            cards = tuple(z3.BitVec(f"{name}.card{i}", t.width_for(0, world.cards - 1)) for i in slots)
            authors = tuple(z3.BitVec(f"{name}.author{i}", t.width_for(0, world.nobody)) for i in slots)
            length = z3.BitVec(f"{name}.length", t.width_for(0, zone.capacity))
            piles[place] = Pile(cards, authors if zone.authors else (), length)
    registers = {
        cell: z3.BitVec(f"{prefix}{cell[0]}{list(cell[1]) or ''}", world.cell_types[register.name].width)
        for register in world.norms.registers
        for cell in world.cells(register)
    }
    return State(sets, piles, registers)


def columns(world: World, state: State) -> Iterator[tuple[str, Bits, int]]:
    """Every variable of the state as (name, term, width), in a fixed order."""
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
    for register in world.norms.registers:
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


def well_typed(world: World, state: State, initial: Mapping[Cell, Bits]) -> dict[str, Truth]:
    """What every state satisfies, by name: cards in one zone each, dense piles, ranges, empty seats empty."""
    found: dict[str, Truth] = {"cards": disjoint(world, state, frozenset(world.zones), True)}
    for zone in world.norms.zones:
        found[f"zone {zone.name}"] = zone_conditions(world, state, zone)
    for register in world.norms.registers:
        found[f"register {register.name}"] = register_conditions(world, state, register, initial)
    return found


def zone_conditions(world: World, state: State, zone: ir.Zone) -> Truth:
    """Piles are dense and in range, capacities kept, seats that nobody takes hold nothing."""
    parts = []
    for place in world.places(zone):
        taken: Truth = True if place[1] is None else world.present(world.norms.seats, t.constant(place[1]))
        if zone.pile:
            pile = state.piles[place]
            parts += _pile_conditions(world, pile)
            parts.append(t.disjunction(taken, t.same_bits(pile.length, 0, t.width_for(0, zone.capacity))))
            continue
        parts.append(t.disjunction(taken, t.mask_empty(state.sets[place], world.cards)))
        if zone.capacity < world.cards:
            size = t.mask_size(state.sets[place], world.cards)
            parts.append(t.negation(t.less(t.constant(zone.capacity), size)))
    return t.conjunction(*parts)


def register_conditions(world: World, state: State, register: ir.Register, initial: Mapping[Cell, Bits]) -> Truth:
    """Values are in range; cells of seats that nobody takes are initial."""
    cell_type = world.cell_types[register.name]
    parts = []
    for cell in world.cells(register):
        code = state.registers[cell]
        index = zip(register.index, cell[1], strict=True)
        taken = t.conjunction(*(world.present(sort, t.constant(i)) for sort, i in index))
        parts.append(t.implication(taken, _in_range(world, cell_type, code)))
        parts.append(t.disjunction(taken, t.same_bits(code, initial[cell], cell_type.width)))
    return t.conjunction(*parts)


def _in_range(world: World, cell_type: CellType, code: Bits) -> Truth:
    held = Quantity(cell_type.low, _largest(cell_type.low, cell_type.width), code)
    inside = t.conjunction(
        t.negation(t.less(held, t.constant(cell_type.low))), t.negation(t.less(t.constant(cell_type.top), held))
    )
    if not cell_type.seat or world.seats.constant is not None:
        return inside
    nothing = t.equal(held, t.constant(cell_type.top)) if cell_type.optional else False
    return t.conjunction(inside, t.disjunction(nothing, t.less(held, world.seats)))


def _largest(low: int, width: int) -> int:
    return (1 << width) - 1 if low >= 0 else (1 << (width - 1)) - 1


def _pile_conditions(world: World, pile: Pile) -> list[Truth]:
    capacity = len(pile.cards)
    held = Quantity(0, _largest(0, t.width_for(0, capacity)), pile.length)
    parts = [t.negation(t.less(t.constant(capacity), held))]
    for slot, card in enumerate(pile.cards):
        used = slot_used(pile, slot)
        number = Quantity(0, _largest(0, t.width_for(0, world.cards - 1)), card)
        parts.append(
            t.choose_truth(
                used, t.less(number, t.constant(world.cards)), t.same_bits(card, 0, t.width_for(0, world.cards - 1))
            )
        )
        if pile.authors:
            seat = Quantity(0, _largest(0, t.width_for(0, world.nobody)), pile.authors[slot])
            known = t.disjunction(t.less(seat, world.seats), t.equal(seat, t.constant(world.nobody)))
            parts.append(t.choose_truth(used, known, t.same_bits(pile.authors[slot], 0, t.width_for(0, world.nobody))))
    return parts


def disjoint(world: World, state: State, zones: frozenset[str], whole: bool) -> Truth:
    """The places of these zones share no card and hold only cards of the deck; the `whole` of it if asked."""
    places = {place for place in (*state.sets, *state.piles) if place[0] in zones}
    return apart(world, place_masks(world, state, places), whole)


def place_masks(world: World, state: State, places: Set[Place]) -> list[Mask]:
    """The cards of each of these set zones, and of each slot of these piles."""
    masks: list[Mask] = [mask for place, mask in state.sets.items() if place in places]
    for place, pile in state.piles.items():
        if place in places:
            for slot in range(len(pile.cards)):
                one = t.single(slot_card(world, pile, slot), world.cards)
                masks.append(t.mask_if(slot_used(pile, slot), one, world.cards))
    return masks


def apart(world: World, masks: list[Mask], whole: bool) -> Truth:
    """The sets share no card and hold only cards of the deck; the `whole` of it if asked."""
    seen: Mask = 0
    parts: list[Truth] = []
    for mask in masks:
        parts.append(t.mask_empty(t.mask_common(seen, mask, world.cards), world.cards))
        seen = t.mask_union(seen, mask, world.cards)
    if whole:
        parts.append(t.same_bits(seen, world.deck, world.cards))
    else:
        parts.append(t.mask_empty(t.mask_without(seen, world.deck, world.cards), world.cards))
    return t.conjunction(*parts)
