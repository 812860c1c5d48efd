"""The lines «дано» of an example → a position: cards in zones, registers, the rest of the deck."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.calls import check_arity, zone_ref
from svod.norms.lower.grounds import Ground, ground, ground_arguments, ground_value
from svod.norms.lower.scope import Scope
from svod.norms.lower.world import report_unknown
from svod.norms.trace import Frame, Laid, Position
from svod.source import Span
from svod.syntax import tree

_Place = tuple[str, int | None]
_Cell = tuple[str, tuple[int, ...]]


def position_from_given(
    scope: Scope, norms: ir.Norms, scene: Sequence[tree.Given | tree.Rest], switches: tuple[str, ...]
) -> Position | None:
    """The position that the lines state, or None if they state no zone (the example starts with a play)."""
    zones: dict[_Place, list[Laid]] = {}
    cells: dict[_Cell, Ground] = {}
    placed: dict[int, Span] = {}
    rest: _Place | None = None
    for line in scene:
        if isinstance(line, tree.Rest):
            rest = _rest(scope, norms, line, rest)
        elif line.name in scope.world.zones:
            _cards(scope, norms, line, zones, placed)
        else:
            _cell(scope, norms, line, cells)
    if not zones and rest is None:
        if scene:
            scope.report(
                codes.EXAMPLE_FORM,
                Text("ячейки даны, а карты нет", "registers are given, but no cards"),
                scene[0].span,
                Text("назовите зоны или начните с начала игры", "name zones or begin at the start of a play"),
            )
        return None
    if rest is not None:
        deck = norms.deck or range(len(norms.sort(norms.card_sort).values))
        zones.setdefault(rest, []).extend(Laid(card) for card in deck if card not in placed)
    _check_capacity(scope, norms, zones, scene[0].span)
    lying, values = _zones(norms, zones), _registers(norms, cells)
    return Position(lying, values, switches, _frame(norms, lying, values))


def _frame(
    norms: ir.Norms, zones: tuple[tuple[_Place, tuple[Laid, ...]], ...], values: tuple[tuple[_Cell, int | None], ...]
) -> Frame | None:
    """What an open breach goes back to: the position itself, for the lines say nothing of an earlier one."""
    if norms.catalogue is None or not any(value for (name, _), value in values if name == norms.catalogue.record):
        return None
    outside = {register.name for register in norms.registers if register.outside_frame}
    return Frame(zones, tuple((cell, value) for cell, value in values if cell[0] not in outside))


def _rest(scope: Scope, norms: ir.Norms, line: tree.Rest, before: _Place | None) -> _Place | None:
    if before is not None:
        scope.report(codes.EXAMPLE_FORM, Text("«остальное» уже сказано", "the rest is placed already"), line.span)
    zone = zone_ref(scope, line.zone)
    if zone is None:
        return None
    if norms_zone(norms, zone.zone).pile:
        scope.report(
            codes.NEEDS_PILE,
            Text("остальное кладут в набор: порядка у него нет", "the rest goes to a set: it has no order"),
            line.span,
        )
        return None
    return zone.zone, None if zone.owner is None else ground(norms, zone.owner)


def norms_zone(norms: ir.Norms, name: str) -> ir.Zone:
    """The zone of this name."""
    return next(zone for zone in norms.zones if zone.name == name)


def _cards(
    scope: Scope, norms: ir.Norms, line: tree.Given, zones: dict[_Place, list[Laid]], placed: dict[int, Span]
) -> None:
    zone = norms_zone(norms, line.name)
    sorts = (norms.seats,) if zone.owned else ()
    if not check_arity(scope, line.name, len(line.arguments), len(sorts), line.span):
        return
    owner = ground_arguments(scope, norms, line.arguments, sorts, (False,) * len(sorts))
    if owner is None:
        return
    place = (zone.name, owner[0] if owner else None)
    if place in zones:
        scope.report(codes.EXAMPLE_FORM, Text("зона уже дана", "the zone is given already"), line.span)
        return
    zones[place] = []
    for card, by in line.cards if line.cards is not None else (((line.value, None),) if line.value else ()):
        value = ground_value(scope, norms, card, ir.Member(norms.card_sort))
        author: tuple[Ground] | None = (None,)
        if by is not None:
            author = ground_value(scope, norms, by, ir.Member(norms.seats, True))
            if not zone.authors:
                scope.report(
                    codes.NO_AUTHORS,
                    Text(f"зона «{zone.name}» не помнит, кто что положил", f"the zone “{zone.name}” keeps no authors"),
                    by.span,
                )
        if value is None or author is None or value[0] is None:
            continue
        if value[0] in placed:
            scope.report(
                codes.EXAMPLE_FORM, Text("карта уже лежит в другом месте", "the card lies elsewhere"), card.span
            )
        placed[value[0]] = card.span
        zones[place].append(Laid(value[0], author[0]))


def _cell(scope: Scope, norms: ir.Norms, line: tree.Given, cells: dict[_Cell, Ground]) -> None:
    register = scope.world.registers.get(line.name)
    if register is None or line.value is None:
        world, known = scope.world, {*scope.world.registers, *scope.world.zones, *scope.world.parameters}
        kind = ("ячейка или зона", "register or zone")
        report_unknown(world, scope.problems, kind, line.name, known, line.span, scope.rule, codes.UNKNOWN_NAME)
        return
    if not check_arity(scope, line.name, len(line.arguments), len(register.index), line.span):
        return
    index = ground_arguments(scope, norms, line.arguments, register.index, (False,) * len(register.index))
    value = ground_value(scope, norms, line.value, register.type)
    if index is None or value is None:
        return
    if isinstance(register.type, ir.Whole) and value[0] is not None:
        low, high = register.type.low, register.type.high
        if (low is not None and value[0] < low) or (high is not None and value[0] > high):
            scope.report(
                codes.OUT_OF_RANGE,
                Text(f"{value[0]} вне диапазона {low}..{high}", f"{value[0]} is outside {low}..{high}"),
                line.value.span,
            )
            return
    cells[line.name, tuple(each for each in index if each is not None)] = value[0]


def _check_capacity(scope: Scope, norms: ir.Norms, zones: dict[_Place, list[Laid]], span: Span) -> None:
    for (name, _), cards in zones.items():
        capacity = norms_zone(norms, name).capacity
        if len(cards) > capacity:
            scope.report(
                codes.EXAMPLE_FORM,
                Text(f"в зоне «{name}» не больше {capacity} карт", f"the zone “{name}” holds at most {capacity} cards"),
                span,
            )


def _zones(norms: ir.Norms, zones: dict[_Place, list[Laid]]) -> tuple[tuple[_Place, tuple[Laid, ...]], ...]:
    result: list[tuple[_Place, tuple[Laid, ...]]] = []
    for zone in norms.zones:
        owners: list[int | None] = list(range(norms.player_count)) if zone.owned else [None]
        for owner in owners:
            cards = zones.get((zone.name, owner), [])
            result.append(
                ((zone.name, owner), tuple(cards if zone.pile else sorted(cards, key=lambda laid: laid.card)))
            )
    return tuple(result)


def _registers(norms: ir.Norms, cells: dict[_Cell, Ground]) -> tuple[tuple[_Cell, int | None], ...]:
    result: list[tuple[_Cell, int | None]] = []
    for register in norms.registers:
        initial = ground(norms, register.initial)
        for index in product(*(range(len(norms.sort(sort).values)) for sort in register.index)):
            result.append(((register.name, index), cells.get((register.name, index), initial)))
    return tuple(result)
