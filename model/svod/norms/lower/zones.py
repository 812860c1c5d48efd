"""Zones of a rulebook into the `World`; reported where they cannot hold the cards they should."""

from __future__ import annotations

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes, constants
from svod.norms.lower.world import World, declare, report_unknown
from svod.syntax import tree

_VISIBILITY = {
    "all": ir.Visibility.ALL,
    "owner": ir.Visibility.OWNER,
    "nobody": ir.Visibility.NOBODY,
}


def declare_zone(world: World, declaration: tree.ZoneDeclaration, rule: str) -> None:
    """One zone; its sort of cards and its owners are known by now."""
    if not declare(world, declaration.name, rule, declaration.span):
        return
    if declaration.owner is not None and declaration.owner not in (world.seats, *world.broken):
        world.problems.report(
            codes.NOT_SEATS,
            Text(
                f"владелец зоны бывает только из сорта мест, а не из «{declaration.owner}»",
                f"only seats own zones, not “{declaration.owner}”",
            ),
            declaration.span,
            rule=rule,
        )
    cards = len(world.sorts[world.card_sort].values) if world.card_sort else 0
    capacity = _capacity(world, declaration, cards, rule)
    world.zones[declaration.name] = ir.Zone(
        declaration.name,
        world.card_sort,
        declaration.owner is not None,
        declaration.pile,
        declaration.authors,
        capacity,
        _VISIBILITY[declaration.visibility],
        declaration.part_of,
        rule,
        declaration.outside_frame and not declaration.pile,
        span=declaration.span,
    )
    if declaration.outside_frame and declaration.pile:
        world.problems.report(
            codes.PILE_OUTSIDE_FRAME,
            Text(
                f"«{declaration.name}» стопка: вне снимка бывает только набор",
                f"“{declaration.name}” is a pile: only a set may lie outside the frame",
            ),
            declaration.span,
            rule=rule,
        )
    if declaration.authors and not declaration.pile:
        world.problems.report(
            codes.NEEDS_PILE,
            Text("авторов карт помнит только стопка", "only a pile keeps authors"),
            declaration.span,
            rule=rule,
        )
    if declaration.filled:
        _filled(world, declaration, capacity, cards, rule)


def _capacity(world: World, declaration: tree.ZoneDeclaration, cards: int, rule: str) -> int:
    """How many cards the zone takes at most; a bound that leaves no room for a card is reported."""
    if declaration.capacity is None:
        return cards
    capacity = constants.number(declaration.capacity, world.parameters, rule, world.problems)
    if capacity is not None and capacity < 1:
        world.problems.report(
            codes.RANGE,
            Text(
                f"зона «{declaration.name}» не вместит ни одной карты: не больше {capacity}",
                f"the zone “{declaration.name}” has no room for a card: at most {capacity}",
            ),
            declaration.capacity.span,
            rule=rule,
        )
        return cards
    return cards if capacity is None else min(cards, capacity)


def _filled(world: World, declaration: tree.ZoneDeclaration, capacity: int, cards: int, rule: str) -> None:
    if world.filled or declaration.owner is not None:
        world.problems.report(
            codes.FILLED_ZONE,
            Text("в начале полна одна зона, и она ничья", "one zone is full at the start, and it belongs to nobody"),
            declaration.span,
            rule=rule,
        )
        return
    if capacity < cards:
        world.problems.report(
            codes.FILLED_ZONE,
            Text(
                f"в зоне «{declaration.name}» места для {capacity} карт, а в начале в ней все {cards}",
                f"the zone “{declaration.name}” has room for {capacity} cards, but at the start all {cards} lie in it",
            ),
            declaration.span,
            rule=rule,
        )
    world.filled = declaration.name


def check_zones(world: World) -> None:
    """Report what all zones together lack."""
    if not world.zones:
        return
    first = next(iter(world.zones.values()))
    if not world.card_sort and not world.broken.isdisjoint(world.declared):
        return  # the sort of cards is among those already reported
    if not world.card_sort:
        world.problems.report(
            codes.NO_CARD_SORT,
            Text("не видно, какой сорт это карты", "it is not clear which sort the cards are"),
            first.span,
            rule=first.rule,
            help=Text("назовите его «Карта» или объявите произведением", "call it “Card” or declare a product"),
        )
    elif not world.filled:
        world.problems.report(
            codes.FILLED_ZONE,
            Text("не сказано, где карты в начале", "it is not said where the cards are at the start"),
            first.span,
            rule=first.rule,
            help=Text("пометьте зону «полна в начале»", "mark a zone `full at start`"),
        )
    for zone in world.zones.values():
        if zone.part_of is not None and zone.part_of not in world.zones:
            known = set(world.zones)
            kind = ("зона", "zone")
            assert zone.span is not None
            report_unknown(world, world.problems, kind, zone.part_of, known, zone.span, zone.rule, codes.NOT_A_ZONE)
