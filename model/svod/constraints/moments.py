"""A moment at which expressions are read: a symbolic state, the one before it, and the events of the wave."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from svod.constraints import terms as t
from svod.constraints.symbols import Cell, Pile, State, World, pile_length, pile_mask, slot_card, slot_used
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir

Environment: TypeAlias = Mapping[str, Quantity]


class Result(NamedTuple):
    """An expression's two faces; `value` (a truth or a quantity) means nothing where it is not defined."""

    defined: Truth
    value: Any


UNDEFINED_TRUTH = Result(False, False)
UNDEFINED = Result(False, t.NOTHING)


@dataclass(frozen=True, slots=True)
class Happening:
    """An act (or event) that is being answered if `condition`."""

    name: str
    arguments: tuple[Quantity, ...]
    condition: Truth


@dataclass
class Moment:
    """`previous` is the moment that edges rise from, `earlier` the bare state that `Before` reads.
    `events` and `acts` are what the triggers of this wave answer: ground events, and the act with its arguments.
    `calm`: a restoration has just happened, so no edge rises."""

    world: World
    state: State
    previous: Moment | None = None
    earlier: Moment | None = None
    events: Mapping[tuple[str, tuple[int, ...]], Truth] = field(default_factory=dict)
    acts: tuple[Happening, ...] = ()
    calm: Truth = False
    memo: dict[Any, Any] = field(default_factory=dict)

    @property
    def at_rest(self) -> Moment:
        """The same state with nothing happening in it and nothing before it."""
        if self.earlier is None and not self.events and not self.acts:
            return self
        found = self.remembered("at rest", None)
        if found is None:
            found = self.remember("at rest", Moment(self.world, self.state), None)
        return found  # type: ignore[no-any-return]

    def remembered(self, key: Any, keep: Any) -> Any:
        """What was built under this key, or None; `keep` are objects whose identity the key relies on."""
        found = self.memo.get(key)
        return None if found is None else found[0]

    def remember(self, key: Any, value: Any, keep: Any) -> Any:
        self.memo[key] = (value, keep)
        return value

    # ------------------------------------------------------------------------------------------------- registers

    def register(self, name: str, index: tuple[Quantity, ...]) -> Quantity:
        """The value of a register cell; the index is taken to be in range."""
        register = self.world.registers[name]
        return self.decoded(name, self._select_cell(name, index, (), register.index))

    def _select_cell(
        self, name: str, index: tuple[Quantity, ...], known: tuple[int, ...], sorts: tuple[str, ...]
    ) -> Bits:
        if len(known) == len(sorts):
            return self.state.registers[name, known]
        width = self.world.cell_types[name].width
        here = index[len(known)]
        if here.constant is not None:
            return self._select_cell(name, index, (*known, here.constant), sorts)
        options = [
            self._select_cell(name, index, (*known, value), sorts)
            for value in range(self.world.values(sorts[len(known)]))
        ]
        return t.select(here.number, options, lambda c, a, b: t.choose_bits(c, a, b, width))

    def decoded(self, name: str, code: Bits) -> Quantity:
        """A register's code as a quantity."""
        cell_type = self.world.cell_types[name]
        held = Quantity(cell_type.low, cell_type.top, code)
        if not cell_type.optional:
            return held
        absent = t.equal(held, t.constant(cell_type.top))
        if absent is True:
            return t.NOTHING
        number = t.narrowed(held, cell_type.low, cell_type.high)
        return Quantity(cell_type.low, cell_type.high, number, absent)

    # ----------------------------------------------------------------------------------------------------- zones

    def mask(self, zone: ir.Zone, owner: Quantity | None) -> Mask:
        """The cards of a zone as a set."""
        if zone.pile:
            pile = self.pile(zone, owner)
            key = ("mask", id(pile))
            found = self.remembered(key, pile)
            return self.remember(key, pile_mask(self.world, pile), pile) if found is None else found
        if owner is None or owner.constant is not None:
            return self.state.sets[zone.name, None if owner is None else owner.constant]
        options = [self.state.sets[place] for place in self.world.places(zone)]
        return t.select(owner.number, options, lambda c, a, b: t.choose_bits(c, a, b, self.world.cards))

    def pile(self, zone: ir.Zone, owner: Quantity | None) -> Pile:
        """The slots of a pile."""
        if owner is None or owner.constant is not None:
            return self.state.piles[zone.name, None if owner is None else owner.constant]
        key = ("pile", zone.name, owner.key())
        found = self.remembered(key, owner)
        if found is not None:
            return found  # type: ignore[no-any-return]
        options = [self.state.piles[place] for place in self.world.places(zone)]
        card_width, author_width = t.width_for(0, self.world.cards - 1), t.width_for(0, self.world.nobody)

        def pick(parts: list[Bits], width: int) -> Bits:
            return t.select(owner.number, parts, lambda c, a, b: t.choose_bits(c, a, b, width))

        cards = tuple(pick([pile.cards[i] for pile in options], card_width) for i in range(zone.capacity))
        authors = tuple(
            pick([pile.authors[i] for pile in options], author_width)
            for i in range(zone.capacity if zone.authors else 0)
        )
        length = pick([pile.length for pile in options], t.width_for(0, zone.capacity))
        return self.remember(key, Pile(cards, authors, length), owner)  # type: ignore[no-any-return]

    def holds(self, zone: ir.Zone, owner: Quantity | None, card: Quantity) -> Truth:
        """The card lies in the zone."""
        if not zone.pile:
            return t.holds_card(self.mask(zone, owner), card, self.world.cards)
        return t.disjunction(*self.lies_at(self.pile(zone, owner), card))

    def lies_at(self, pile: Pile, card: Quantity) -> list[Truth]:
        """For each slot whether the card lies in it."""
        return [
            t.conjunction(slot_used(pile, slot), t.equal(slot_card(self.world, pile, slot), card))
            for slot in range(len(pile.cards))
        ]

    def size(self, zone: ir.Zone, owner: Quantity | None) -> Quantity:
        """Number of cards in the zone."""
        if zone.pile:
            return pile_length(self.pile(zone, owner))
        mask = self.mask(zone, owner)
        if isinstance(mask, int):
            return t.constant(mask.bit_count())
        key = ("size", mask.get_id())
        found = self.remembered(key, mask)
        size: Quantity = self.remember(key, t.mask_size(mask, self.world.cards), mask) if found is None else found
        return size

    def bottom(self, zone: ir.Zone, owner: Quantity | None) -> Result:
        """First card of a pile."""
        pile = self.pile(zone, owner)
        return Result(slot_used(pile, 0), slot_card(self.world, pile, 0)) if pile.cards else UNDEFINED

    def top(self, zone: ir.Zone, owner: Quantity | None) -> Result:
        """Last card of a pile."""
        pile = self.pile(zone, owner)
        if not pile.cards:
            return UNDEFINED
        key = ("top", id(pile))
        found = self.remembered(key, pile)
        if found is not None:
            return found  # type: ignore[no-any-return]
        value = slot_card(self.world, pile, 0)
        for slot in range(1, len(pile.cards)):
            value = t.choose(slot_used(pile, slot), slot_card(self.world, pile, slot), value)
        return self.remember(key, Result(slot_used(pile, 0), value), pile)  # type: ignore[no-any-return]

    def author(self, zone: ir.Zone, owner: Quantity | None, card: Quantity) -> Result:
        """Who laid the card."""
        pile = self.pile(zone, owner)
        nobody = self.world.nobody
        places = self.lies_at(pile, card)
        code = Quantity(0, nobody, pile.authors[0] if pile.authors else nobody)
        for slot in range(1, len(pile.authors)):
            code = t.choose(places[slot], Quantity(0, nobody, pile.authors[slot]), code)
        absent = t.equal(code, t.constant(nobody))
        seat = t.NOTHING if absent is True else Quantity(0, nobody - 1, t.narrowed(code, 0, nobody - 1), absent)
        return Result(t.disjunction(*places), seat)

    def above(self, zone: ir.Zone, owner: Quantity | None, card: Quantity) -> Result:
        """The card lying directly on `card`."""
        pile = self.pile(zone, owner)
        places = self.lies_at(pile, card)
        conditions = [t.conjunction(places[i], slot_used(pile, i + 1)) for i in range(len(pile.cards) - 1)]
        if not conditions:
            return UNDEFINED
        value = slot_card(self.world, pile, 1)
        for slot in range(1, len(conditions)):
            value = t.choose(conditions[slot], slot_card(self.world, pile, slot + 1), value)
        return Result(t.disjunction(*conditions), value)


def encoded(world: World, register: str, value: Quantity | Truth) -> tuple[Bits, Truth]:
    """A value as the code of a register, and whether it is in the register's range."""
    cell_type = world.cell_types[register]
    width = cell_type.width
    if cell_type.truth:
        return t.choose_bits(value, 1, 0, 1), True
    assert isinstance(value, Quantity)
    low, high, top = cell_type.low, cell_type.high, cell_type.top
    inside = t.conjunction(t.negation(t.less(value, t.constant(low))), t.negation(t.less(t.constant(high), value)))
    if value.absent is True:
        return (top, True) if cell_type.optional else (low, False)
    wide = t.widened(value, min(low, value.low), max(top, value.high))
    if isinstance(wide, int):
        code: Bits = min(max(wide, low), high)
    else:
        wide_quantity = Quantity(min(low, value.low), max(top, value.high), wide)
        code = t.widened(wide_quantity, low, top) if wide.size() != width else wide
    if value.absent is False:
        return code, inside
    if not cell_type.optional:
        return code, t.conjunction(t.negation(value.absent), inside)
    return t.choose_bits(value.absent, top, code, width), t.disjunction(value.absent, inside)


def cell_tuple(cell: Cell, index: tuple[Quantity, ...]) -> Truth:
    """The symbolic index names this cell."""
    return t.conjunction(*(t.equal(t.constant(i), value) for i, value in zip(cell[1], index, strict=True)))
