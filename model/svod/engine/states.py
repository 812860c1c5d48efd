"""Positions in, state vectors out, and back: where the layout of a program keeps each zone, register and the frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from svod.engine.backend import Backend, Buffer
from svod.engine.layout import FramePlace, FrameState, Layout, ZonePlace
from svod.engine.prepare import mask_in_box
from svod.norms import ir
from svod.norms.trace import Frame, Laid, Position

ZoneKey: TypeAlias = tuple[str, int | None]
Cell: TypeAlias = tuple[str, tuple[int, ...]]
Zones: TypeAlias = tuple[tuple[ZoneKey, tuple[Laid, ...]], ...]
Cells: TypeAlias = tuple[tuple[Cell, int | None], ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What there is to read of a state or of its frame, in order; cells as (cell, slot or -1, constant, optional)."""

    zones: tuple[tuple[ZoneKey, ZonePlace | None], ...]
    cells: tuple[tuple[Cell, int, int | None, bool], ...]


class States:
    """State vectors of one program under some choice of switches. Derived slots are left to the program's `refresh`."""

    def __init__(self, norms: ir.Norms, layout: Layout, backend: Backend, switches: frozenset[str]) -> None:
        self.norms = norms
        self.layout = layout
        self.backend = backend
        self.switches = switches
        self._in_force = tuple(sorted(switches))
        self._seats = norms.player_count
        self._places = {(z.zone, z.owner): z for z in layout.zones}
        self._slots = dict(layout.registers)
        self._constants = dict(layout.constants)
        self._frame = None if layout.frame is None else _framed(layout, layout.frame)
        self._read = _Reading(self._zones_in(self._places), self._cells_in(self._slots, framed=False))
        self._read_frame = None
        if self._frame is not None:
            places, slots = self._frame
            self._read_frame = _Reading(self._zones_in(places), self._cells_in(slots, framed=True))

    def blank(self) -> Buffer:
        """A state vector in which only the switches are set."""
        state = self.backend.buffer(self.layout.size)
        for name, slot in self.layout.switches:
            state[slot] = int(name in self.switches)
        return state

    def pack(self, position: Position) -> Buffer:
        """The independent slots of a position; ValueError if the program has folded away what it needs."""
        state = self.blank()
        if self.layout.box >= 0:
            state[self.layout.box] = mask_in_box(self.norms)
        self._write(state, position.zones, position.registers, self._places, self._slots)
        place = self.layout.frame
        if place is None or self._frame is None:
            if position.frame is not None:
                raise ValueError("the program takes it that no breach is ever open")
        elif position.frame is not None:
            self._write(state, position.frame.zones, position.frame.registers, *self._frame)
            state[place.open] = FrameState.KEPT
        elif any(state[slot] for slot in place.record):
            state[place.open] = FrameState.MISSING
        return state

    def _write(
        self,
        state: Buffer,
        zones: Zones,
        cells: Cells,
        places: dict[ZoneKey, ZonePlace],
        slots: dict[Cell, int],
    ) -> None:
        for key, cards in zones:
            if key in places:
                self._pack_zone(state, places[key], cards)
            elif cards:
                raise ValueError(f"the program takes {key} to be always empty")
        for cell, value in cells:
            number = -1 if value is None else value
            if cell in slots:
                state[slots[cell]] = number
            elif self._constants.get(cell) != number:
                raise ValueError(f"the program takes {cell} to be always {self._constants.get(cell)}")

    def _pack_zone(self, state: Buffer, place: ZonePlace, cards: tuple[Laid, ...]) -> None:
        if not place.pile:
            state[place.mask] = sum(1 << laid.card for laid in cards)
            return
        state[place.length] = len(cards)
        for index, laid in enumerate(cards):
            state[place.cards + index] = laid.card
            if place.authors >= 0:
                state[place.authors + index] = self._seats if laid.author is None else laid.author

    def position(self, state: Buffer) -> Position:
        """The position of a state vector."""
        frame = None
        if self._read_frame is not None and self.layout.frame is not None:
            if state[self.layout.frame.open] == FrameState.KEPT:
                frame = Frame(self._zones(state, self._read_frame), _cells(state, self._read_frame))
        return Position(self._zones(state, self._read), _cells(state, self._read), self._in_force, frame)

    def _zones(self, state: Buffer, reading: _Reading) -> Zones:
        return tuple([(key, () if place is None else self._cards(state, place)) for key, place in reading.zones])

    def _zones_in(self, places: dict[ZoneKey, ZonePlace]) -> tuple[tuple[ZoneKey, ZonePlace | None], ...]:
        """Every zone in order, and where it lies."""
        keys = (
            (zone.name, owner) for zone in self.norms.zones for owner in (range(self._seats) if zone.owned else (None,))
        )
        return tuple((key, places.get(key)) for key in keys)

    def _cells_in(self, slots: dict[Cell, int], *, framed: bool) -> tuple[tuple[Cell, int, int | None, bool], ...]:
        """Every cell in order with its slot, its value where it has no slot, and whether it may be empty."""
        return tuple(
            (cell, slots.get(cell, -1), None if cell in slots else self._constants[cell], optional)
            for cell, optional, outside in self._list_cells()
            if not (framed and outside)
        )

    def _list_cells(self) -> Iterator[tuple[Cell, bool, bool]]:
        """Every cell in order, whether it may be empty, and whether it lies outside the frame."""
        for register in self.norms.registers:
            optional = isinstance(register.type, ir.Member | ir.Whole) and register.type.optional
            for index in self._tuples(register.index):
                yield (register.name, index), optional, register.outside_frame

    def _tuples(self, sorts: tuple[str, ...]) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = [()]
        for sort in sorts:
            found = [(*t, i) for t in found for i in range(len(self.norms.sort(sort).values))]
        return found

    def _cards(self, state: Buffer, place: ZonePlace) -> tuple[Laid, ...]:
        if not place.pile:
            mask = state[place.mask]
            return tuple(Laid(card) for card in range(mask.bit_length()) if mask >> card & 1)
        cards = []
        for index in range(state[place.length]):
            author = state[place.authors + index] if place.authors >= 0 else self._seats
            cards.append(Laid(state[place.cards + index], None if author == self._seats else author))
        return tuple(cards)


def _cells(state: Buffer, reading: _Reading) -> Cells:
    found: list[tuple[Cell, int | None]] = []
    for cell, slot, constant, optional in reading.cells:
        value = constant if slot < 0 else state[slot]
        found.append((cell, None if optional and value is not None and value < 0 else value))
    return tuple(found)


def _framed(layout: Layout, frame: FramePlace) -> tuple[dict[ZoneKey, ZonePlace], dict[Cell, int]]:
    """Zones and registers as they lie in the frame."""
    copies = {slot: frame.base + i for i, slot in enumerate(frame.slots)}
    places = {
        (z.zone, z.owner): ZonePlace(
            z.zone,
            z.owner,
            z.capacity,
            -1 if z.pile else copies[z.mask],
            copies[z.cards] if z.pile else -1,
            copies[z.authors] if z.authors >= 0 else -1,
            copies[z.length] if z.pile else -1,
        )
        for z in layout.zones
    }
    return places, {cell: copies[slot] for cell, slot in layout.registers if slot in copies}
