"""Cards on the move: the moves of one wave and the state at its start in, the zones after it out.

All moves read the state at the start: first every card leaves, then all arrive, in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import z3

from svod.constraints import terms as t
from svod.constraints.symbols import (
    Pile,
    Place,
    State,
    World,
    pile_length,
    pile_mask,
    slot_card,
    slot_used,
)
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir


@dataclass(frozen=True, slots=True)
class CardWrite:
    """A move that happens if `condition`. `card` is None for a whole zone; `end` tells that the card is the «bottom»
    or «top» one of its source, which spares a search."""

    clause: str
    rule: str
    condition: Truth
    source: ir.Zone
    source_owner: Quantity | None
    target: ir.Zone
    target_owner: Quantity | None
    card: Quantity | None
    author: Quantity
    to_bottom: bool
    end: str = ""


@dataclass(frozen=True, slots=True)
class _Arrival:
    condition: Truth
    card: Quantity | None
    mask: Mask
    pile: Pile | None
    author: Quantity
    to_bottom: bool


def at_places(world: World, zone: ir.Zone, owner: Quantity | None) -> Iterator[tuple[Place, Truth]]:
    """The places that the reference may mean, each with its condition."""
    for place in world.places(zone):
        same = True if owner is None else t.equal(owner, t.constant(place[1] or 0))
        if same is not False:
            yield place, same


def apply_moves(
    world: World, state: State, writes: list[CardWrite], outranks: frozenset[tuple[str, str]] = frozenset()
) -> tuple[State, dict[str, Truth]]:
    """The zones after the moves, and for each zone that may overflow when it does.

    `outranks`: pairs of rules of which the first has the last word about a card that both move.
    """
    if not writes:
        return state, {}
    sets, piles = dict(state.sets), dict(state.piles)
    arrivals: dict[Place, list[_Arrival]] = {}
    disturbed: set[str] = set()
    departures: dict[int, _Arrival] = {}
    for number in ranked([write.rule for write in writes], outranks):
        write = writes[number]
        departures[number] = _departure(world, sets, piles, write, write.source.name in disturbed)
        disturbed.add(write.source.name)
    for number, write in enumerate(writes):
        arrival = departures[number]
        for place, here in at_places(world, write.target, write.target_owner):
            condition = t.conjunction(arrival.condition, here)
            if condition is not False:
                arrivals.setdefault(place, []).append(replace(arrival, condition=condition))
    limits: dict[str, Truth] = {}
    for place, coming in arrivals.items():
        zone = world.zones[place[0]]
        if zone.pile:
            piles[place], full = _arrive_on_pile(world, zone, piles[place], coming)
        else:
            sets[place], full = _arrive_in_set(world, zone, sets[place], coming)
        if full is not False:
            limits[zone.name] = t.disjunction(limits.get(zone.name, False), full)
    return State(sets, piles, state.registers, state.kept), limits


def ranked(rules: list[str], outranks: frozenset[tuple[str, str]]) -> list[int]:
    """Places of the list, those of outranking rules before those that they outrank, else in order."""
    order: list[int] = []

    def put(number: int, above: frozenset[int]) -> None:
        if number in order or number in above:
            return
        for other, rule in enumerate(rules):
            if (rule, rules[number]) in outranks and rule != rules[number]:
                put(other, above | {number})
        order.append(number)

    for number in range(len(rules)):
        put(number, frozenset())
    return order


def _departure(
    world: World, sets: dict[Place, Mask], piles: dict[Place, Pile], write: CardWrite, disturbed: bool
) -> _Arrival:
    """Take the cards away from their source; what leaves, to arrive elsewhere."""
    places = list(at_places(world, write.source, write.source_owner))
    width = world.cards
    if write.card is None:
        return _whole_departure(world, sets, piles, write, places)
    still: Truth = True
    if disturbed:  # an earlier move of this wave may have taken the very card
        there = []
        for place, here in places:
            mask = pile_mask(world, piles[place]) if write.source.pile else sets[place]
            there.append(t.conjunction(here, t.holds_card(mask, write.card, width)))
        still = t.disjunction(*there)
    for place, here in places:
        condition = t.conjunction(write.condition, here)
        if condition is False:
            continue
        if write.source.pile:
            end = "" if disturbed else write.end
            piles[place] = _without(world, piles[place], condition, write.card, end, disturbed)
        else:
            gone = t.mask_if(condition, t.single(write.card, width), width)
            sets[place] = t.mask_without(sets[place], gone, width)
    condition = t.conjunction(write.condition, still)
    mask = 0 if write.target.pile else t.single(write.card, width)
    return _Arrival(condition, write.card, mask, None, write.author, write.to_bottom)


def _whole_departure(
    world: World,
    sets: dict[Place, Mask],
    piles: dict[Place, Pile],
    write: CardWrite,
    places: list[tuple[Place, Truth]],
) -> _Arrival:
    width = world.cards
    mask: Mask = 0
    pile: Pile | None = None
    for place, here in places:
        condition = t.conjunction(write.condition, here)
        if write.source.pile:
            content = piles[place]
            pile = content if pile is None else choose_pile(world, here, content, pile)
            piles[place] = choose_pile(world, condition, _empty(content), content)
        else:
            mask = sets[place] if len(places) == 1 else t.mask_union(mask, t.mask_if(here, sets[place], width), width)
            sets[place] = t.choose_bits(condition, 0, sets[place], width)
    if write.target.pile and pile is None:
        pile = _sorted_pile(world, mask)
    if pile is not None and not write.target.pile:
        mask = pile_mask(world, pile)
    return _Arrival(write.condition, None, mask, pile, t.NOTHING, False)


def _arrive_in_set(world: World, zone: ir.Zone, mask: Mask, coming: list[_Arrival]) -> tuple[Mask, Truth]:
    width = world.cards
    for arrival in coming:
        mask = t.mask_union(mask, t.mask_if(arrival.condition, arrival.mask, width), width)
    if zone.capacity >= width:
        return mask, False
    return mask, t.less(t.constant(zone.capacity), t.mask_size(mask, width))


def _arrive_on_pile(world: World, zone: ir.Zone, pile: Pile, coming: list[_Arrival]) -> tuple[Pile, Truth]:
    full: Truth = False
    for arrival in coming:
        if arrival.card is not None:
            overflow = t.equal(pile_length(pile), t.constant(zone.capacity))
            put = _under if arrival.to_bottom else _onto
            pile, full = put(world, pile, arrival), t.disjunction(full, t.conjunction(arrival.condition, overflow))
        else:
            assert arrival.pile is not None
            both = t.add(pile_length(pile), pile_length(arrival.pile))
            full = t.disjunction(full, t.conjunction(arrival.condition, t.less(t.constant(zone.capacity), both)))
            pile = _all_onto(world, pile, arrival.pile, arrival.condition)
    return pile, full


# ------------------------------------------------------------------------------------------------------- piles


def _author_code(world: World, author: Quantity) -> Bits:
    if author.absent is True:
        return world.nobody
    return t.widened(t.choose(author.absent, t.constant(world.nobody), author), 0, world.nobody)


def _rebuild(world: World, condition: Truth, pile: Pile, cards: list[Bits], authors: list[Bits], change: int) -> Pile:
    """`cards`, `authors` where the condition holds, `pile` elsewhere; the length moves by `change`."""
    card_width, author_width = t.width_for(0, world.cards - 1), t.width_for(0, world.nobody)
    new_cards = [t.choose_bits(condition, new, old, card_width) for new, old in zip(cards, pile.cards, strict=True)]
    pairs = zip(authors, pile.authors, strict=True)
    new_authors = [t.choose_bits(condition, new, old, author_width) for new, old in pairs]
    return Pile(tuple(new_cards), tuple(new_authors), _moved_length(pile, condition, change))


def _moved_length(pile: Pile, condition: Truth, change: int) -> Bits:
    width = t.width_for(0, len(pile.cards))
    if isinstance(pile.length, int):
        return t.choose_bits(condition, min(max(pile.length + change, 0), len(pile.cards)), pile.length, width)
    return t.choose_bits(condition, pile.length + change, pile.length, width)


def _onto(world: World, pile: Pile, arrival: _Arrival) -> Pile:
    """The card on top; on a full pile nothing sensible (that is a limit)."""
    assert arrival.card is not None
    card, author = t.widened(arrival.card, 0, world.cards - 1), _author_code(world, arrival.author)
    card_width, author_width = t.width_for(0, world.cards - 1), t.width_for(0, world.nobody)
    cards, authors = list(pile.cards), list(pile.authors)
    for slot in range(len(cards)):
        here = t.conjunction(arrival.condition, t.equal(pile_length(pile), t.constant(slot)))
        cards[slot] = t.choose_bits(here, card, cards[slot], card_width)
        if authors:
            authors[slot] = t.choose_bits(here, author, authors[slot], author_width)
    return Pile(tuple(cards), tuple(authors), _moved_length(pile, arrival.condition, 1))


def _under(world: World, pile: Pile, arrival: _Arrival) -> Pile:
    assert arrival.card is not None
    cards = [t.widened(arrival.card, 0, world.cards - 1), *pile.cards[:-1]]
    authors = [_author_code(world, arrival.author), *pile.authors[:-1]] if pile.authors else []
    return _rebuild(world, arrival.condition, pile, cards, authors, 1)


def _without(world: World, pile: Pile, condition: Truth, card: Quantity, end: str, disturbed: bool) -> Pile:
    """The pile without a card that lies in it (or did, if `disturbed`); those above move down."""
    if end == "bottom":
        cards: list[Bits] = [*pile.cards[1:], 0]
        return _rebuild(world, condition, pile, cards, [*pile.authors[1:], 0] if pile.authors else [], -1)
    card_width, author_width = t.width_for(0, world.cards - 1), t.width_for(0, world.nobody)
    new_cards, new_authors = list(pile.cards), list(pile.authors)
    reached: Truth = False  # the card was found at this slot or below
    for slot in range(len(pile.cards)):
        last = slot + 1 == len(pile.cards)
        if end == "top":
            reached = t.equal(pile_length(pile), t.constant(slot + 1))
        else:
            same = t.equal(slot_card(world, pile, slot), card)
            reached = t.disjunction(reached, t.conjunction(slot_used(pile, slot), same))
        gone = t.conjunction(condition, reached)
        following = 0 if last or end == "top" else pile.cards[slot + 1]
        new_cards[slot] = t.choose_bits(gone, following, pile.cards[slot], card_width)
        if pile.authors:
            after = 0 if last or end == "top" else pile.authors[slot + 1]
            new_authors[slot] = t.choose_bits(gone, after, pile.authors[slot], author_width)
    fewer = t.conjunction(condition, reached) if disturbed else condition
    return Pile(tuple(new_cards), tuple(new_authors), _moved_length(pile, fewer, -1))


def _all_onto(world: World, pile: Pile, coming: Pile, condition: Truth) -> Pile:
    """`coming` on top of `pile`, in its order; authors stay where both keep them."""
    card_width, author_width = t.width_for(0, world.cards - 1), t.width_for(0, world.nobody)
    length = pile_length(pile)
    cards, authors = list(pile.cards), list(pile.authors)
    for slot in range(len(cards)):
        for below in range(max(0, slot - len(coming.cards) + 1), slot + 1):
            here = t.conjunction(condition, t.equal(length, t.constant(below)))
            if here is False:
                continue
            cards[slot] = t.choose_bits(here, coming.cards[slot - below], cards[slot], card_width)
            if authors:
                used = slot_used(coming, slot - below)
                known: Bits = coming.authors[slot - below] if coming.authors else world.nobody
                author = t.choose_bits(used, known, 0, author_width)
                authors[slot] = t.choose_bits(here, author, authors[slot], author_width)
    capacity = len(pile.cards)
    both = t.add(length, pile_length(coming))
    new_length = t.narrowed(both, 0, capacity)
    width = t.width_for(0, capacity)
    return Pile(tuple(cards), tuple(authors), t.choose_bits(condition, new_length, pile.length, width))


def choose_pile(world: World, condition: Truth, then: Pile, otherwise: Pile) -> Pile:
    """One of two piles of one zone."""
    card_width, author_width = t.width_for(0, world.cards - 1), t.width_for(0, world.nobody)
    card_pairs = zip(then.cards, otherwise.cards, strict=True)
    author_pairs = zip(then.authors, otherwise.authors, strict=True)
    return Pile(
        tuple(t.choose_bits(condition, a, b, card_width) for a, b in card_pairs),
        tuple(t.choose_bits(condition, a, b, author_width) for a, b in author_pairs),
        t.choose_bits(condition, then.length, otherwise.length, t.width_for(0, len(then.cards))),
    )


def _sorted_pile(world: World, mask: Mask) -> Pile:
    """A set as a pile: the lowest card number at the bottom."""
    width, card_width = world.cards, t.width_for(0, world.cards - 1)
    holding = [sum(1 << card for card in range(width) if card >> place & 1) for place in range(card_width)]
    cards: list[Bits] = []
    left = t.bits(mask, width)
    for _ in range(width):
        lowest = left & -left
        number = [t.choose_bits(t.mask_empty(lowest & with_bit, width), 0, 1, 1) for with_bit in reversed(holding)]
        parts = [t.bits(part, 1) for part in number]
        cards.append(z3.Concat(*parts) if len(parts) > 1 else parts[0])
        left = left & (left - 1)
    return Pile(tuple(cards), (), t.narrowed(t.mask_size(mask, width), 0, width))


def _empty(like: Pile) -> Pile:
    return Pile((0,) * len(like.cards), (0,) * len(like.authors), 0)
