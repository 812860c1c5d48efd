"""A symbolic state in, what every state satisfies out: cards in one place each, dense piles, values in range."""

from __future__ import annotations

from collections.abc import Mapping, Set

from svod.constraints import terms as t
from svod.constraints.symbols import (
    Cell,
    CellType,
    Kept,
    Pile,
    Place,
    State,
    World,
    board_columns,
    largest,
    slot_card,
    slot_used,
)
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir


def well_typed(world: World, state: State, initial: Mapping[Cell, Bits]) -> dict[str, Truth]:
    """What every state satisfies, by name: cards in one zone each, dense piles, ranges, empty seats empty."""
    found: dict[str, Truth] = {"cards": disjoint(world, state, frozenset(world.zones), True)}
    for zone in world.norms.zones:
        found[f"zone {zone.name}"] = zone_conditions(world, state, zone)
    for register in world.norms.registers:
        found[f"register {register.name}"] = register_conditions(world, state, register, initial)
    if state.kept is not None:
        found["frame"] = kept_conditions(world, state, state.kept, initial)
    return found


def kept_conditions(world: World, state: State, kept: Kept, initial: Mapping[Cell, Bits]) -> Truth:
    """The board is kept exactly while a breach is open, and is then well-typed itself."""
    there, board = t.bit(kept.there, 0), kept.board
    parts = [disjoint(world, board, frozenset(world.zones), True)]
    parts += [zone_conditions(world, board, zone) for zone in world.norms.zones]
    parts += [register_conditions(world, board, register, initial) for register in world.restorable]
    zeros = [t.same_bits(term, 0, width) for _, term, width in board_columns(world, board, world.restorable)]
    return t.conjunction(
        t.same_truth(there, some_breach(world, state)),
        t.implication(there, t.conjunction(*parts)),
        t.disjunction(there, t.conjunction(*zeros)),
    )


def some_breach(world: World, state: State) -> Truth:
    """A breach is open."""
    if world.norms.catalogue is None:
        return False
    record = world.registers[world.norms.catalogue.record]
    return t.disjunction(*(t.bit(state.registers[cell], 0) for cell in world.cells(record)))


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
    held = Quantity(cell_type.low, largest(cell_type.low, cell_type.width), code)
    inside = t.conjunction(
        t.negation(t.less(held, t.constant(cell_type.low))), t.negation(t.less(t.constant(cell_type.top), held))
    )
    if not cell_type.seat or world.seats.constant is not None:
        return inside
    nothing = t.equal(held, t.constant(cell_type.top)) if cell_type.optional else False
    return t.conjunction(inside, t.disjunction(nothing, t.less(held, world.seats)))


def _pile_conditions(world: World, pile: Pile) -> list[Truth]:
    capacity = len(pile.cards)
    held = Quantity(0, largest(0, t.width_for(0, capacity)), pile.length)
    parts = [t.negation(t.less(t.constant(capacity), held))]
    for slot, card in enumerate(pile.cards):
        used = slot_used(pile, slot)
        number = Quantity(0, largest(0, t.width_for(0, world.cards - 1)), card)
        parts.append(
            t.choose_truth(
                used, t.less(number, t.constant(world.cards)), t.same_bits(card, 0, t.width_for(0, world.cards - 1))
            )
        )
        if pile.authors:
            seat = Quantity(0, largest(0, t.width_for(0, world.nobody)), pile.authors[slot])
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
