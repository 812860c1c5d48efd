"""Columns of a symbolic state as numbers ⇄ positions; a model of Z3 as a position and an act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import z3

from svod.constraints import terms as t
from svod.constraints.symbols import State, World, bare_board, board_columns, columns
from svod.constraints.terms import Quantity
from svod.norms import ir
from svod.norms.trace import Act, Frame, Laid, Position


@dataclass(frozen=True, slots=True)
class Witness:
    """A position (and an act) that answers a question. `players` seats are taken; the position speaks of these only,
    so that it fits norms of that number of players. `after`: the position that follows, where the question shows one.
    `cards`: the deck if it was left free."""

    players: int
    position: Position
    act: Act | None = None
    after: Position | None = None
    other: Act | None = None
    cards: tuple[int, ...] | None = None


Lying: TypeAlias = tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]
Values: TypeAlias = tuple[tuple[tuple[str, tuple[int, ...]], int | None], ...]


def packed(world: World, position: Position) -> list[int]:
    """The position as numbers in the order of `symbols.columns`."""
    found = _packed_board(world, position.zones, position.registers, world.norms.registers)
    if world.keeps:
        frame = position.frame
        found.append(int(frame is not None))
        if frame is None:
            found += [0] * len(list(board_columns(world, bare_board(world), world.restorable)))
        else:
            found += _packed_board(world, frame.zones, frame.registers, world.restorable)
    return found


def _packed_board(world: World, zones: Lying, registers: Values, among: Iterable[ir.Register]) -> list[int]:
    lying, values = dict(zones), dict(registers)
    found: list[int] = []
    for zone in world.norms.zones:
        for place in world.places(zone):
            cards = lying.get(place, ())
            if not zone.pile:
                found.append(sum(1 << laid.card for laid in cards))
                continue
            empty = [0] * (zone.capacity - len(cards))
            found.append(len(cards))
            found += [laid.card for laid in cards] + empty
            if zone.authors:
                found += [world.nobody if laid.author is None else laid.author for laid in cards] + empty
    for register in among:
        cell_type = world.cell_types[register.name]
        for cell in world.cells(register):
            value = values.get(cell)
            code = cell_type.top if value is None else int(value)
            found.append(code & ((1 << cell_type.width) - 1))
    return found


def unpacked(world: World, values: Sequence[int], switches: tuple[str, ...], players: int | None = None) -> Position:
    """The position of these numbers, for the first `players` seats."""
    seats = world.norms.player_count if players is None else players
    rest = iter(values)
    zones, registers = _unpacked_board(world, rest, seats, world.norms.registers)
    frame = None
    if world.keeps and next(rest):
        frame = Frame(*_unpacked_board(world, rest, seats, world.restorable))
    return Position(zones, registers, switches, frame)


def _unpacked_board(
    world: World, rest: Iterator[int], seats: int, among: Iterable[ir.Register]
) -> tuple[Lying, Values]:
    zones: list[tuple[tuple[str, int | None], tuple[Laid, ...]]] = []
    for zone in world.norms.zones:
        for place in world.places(zone):
            if zone.pile:
                length = next(rest)
                cards = [next(rest) for _ in range(zone.capacity)]
                authors = [next(rest) for _ in range(zone.capacity if zone.authors else 0)]
                laid = tuple(
                    Laid(card, authors[i] if authors and authors[i] != world.nobody else None)
                    for i, card in enumerate(cards[:length])
                )
            else:
                mask = next(rest)
                laid = tuple(Laid(card) for card in range(world.cards) if mask >> card & 1)
            if place[1] is None or place[1] < seats:
                zones.append((place, laid))
    registers: list[tuple[tuple[str, tuple[int, ...]], int | None]] = []
    for register in among:
        cell_type = world.cell_types[register.name]
        for cell in world.cells(register):
            code = next(rest)
            if cell_type.low < 0 and code >> (cell_type.width - 1):
                code -= 1 << cell_type.width
            taken = all(i < seats for sort, i in zip(register.index, cell[1], strict=True) if world.sorts[sort].seats)
            if taken:
                registers.append((cell, None if cell_type.optional and code == cell_type.top else code))
    return tuple(zones), tuple(registers)


def switches_on(world: World, model: Any | None) -> tuple[str, ...]:
    """Names of the switches in force, free ones as the model has them."""
    on = []
    for name, truth in world.switches.items():
        held = truth if isinstance(truth, bool) else model is not None and z3.is_true(model.eval(truth, True))
        if held:
            on.append(name)
    return tuple(sorted(on))


def number(model: Any, term: t.Bits) -> int:
    """The value of a bit-vector in the model."""
    return term if isinstance(term, int) else int(model.eval(term, model_completion=True).as_long())


def position_of(world: World, state: State, model: Any) -> Position:
    """The state as the model has it. A frame that the question says nothing about may be any: the board itself."""
    players = number(model, world.seats.number)
    values = [number(model, term) & ((1 << width) - 1) for _, term, width in columns(world, state)]
    found = unpacked(world, values, switches_on(world, model), players)
    if not world.keeps:
        return found
    record = world.norms.catalogue.record if world.norms.catalogue else ""
    if not any(value for cell, value in found.registers if cell[0] == record):
        return replace(found, frame=None)
    if found.frame is not None and _whole(found.frame.zones) == _whole(found.zones):
        return found
    kept = {register.name for register in world.restorable}
    inside = tuple((cell, value) for cell, value in found.registers if cell[0] in kept)
    return replace(found, frame=Frame(found.zones, inside))


def _whole(zones: Lying) -> list[int]:
    return sorted(laid.card for _, cards in zones for laid in cards)


def act_of(action: ir.Action, values: Sequence[Quantity], model: Any) -> Act:
    """The act as the model has it."""
    return Act(action.name, tuple(number(model, value.number) for value in values))


def witness_of(
    world: World,
    model: Any,
    before: State,
    act: tuple[ir.Action, Sequence[Quantity]] | None = None,
    after: State | None = None,
    other: tuple[ir.Action, Sequence[Quantity]] | None = None,
) -> Witness:
    """A witness out of a model."""
    deck = number(model, world.deck) if world.options.deck_free else None
    return Witness(
        number(model, world.seats.number),
        position_of(world, before, model),
        None if act is None else act_of(act[0], act[1], model),
        None if after is None else position_of(world, after, model),
        None if other is None else act_of(other[0], other[1], model),
        None if deck is None else tuple(card for card in range(world.cards) if deck >> card & 1),
    )


def assigned(world: World, switches: Mapping[str, bool]) -> list[Any]:
    """Literals that give free switches these values."""
    found = []
    for name, value in switches.items():
        truth = world.switches[name]
        if not isinstance(truth, bool):
            found.append(truth if value else z3.Not(truth))
    return found
