"""Norms in force in, their layout out."""

from __future__ import annotations

from itertools import product

from svod.engine.core import MASK_MAX
from svod.engine.layout import CLASH, NONE, BitPlace, FramePlace, FrameState, Kind, Layout, SlotInfo, ZonePlace
from svod.engine.options import Options
from svod.engine.prepare import Prepared
from svod.engine.world import World
from svod.norms import ir
from svod.norms.walk import everything_in

LEDGER_BOUND = 1 << 31


def layout_from_norms(prepared: Prepared, options: Options, remembered: tuple[str, ...]) -> Layout:
    """Give every part of the state its slots; `remembered` are the terms that get one."""
    return _Builder(prepared, options, remembered).layout()


def action_sizes(world: World, action: ir.Action) -> tuple[int, ...]:
    """Number of values of each parameter."""
    return tuple(world.count(p.sort) for p in action.parameters)


class _Builder:
    def __init__(self, prepared: Prepared, options: Options, remembered: tuple[str, ...]) -> None:
        self.remembered = remembered
        self.prepared = prepared
        self.world = prepared.world
        self.options = options
        self.slots: list[SlotInfo] = []

    def add(self, name: str, low: int, high: int, kind: Kind, *, derived: bool = False, bounded: bool = True) -> int:
        """A new slot."""
        self.slots.append(SlotInfo(name, low, high, kind, derived, bounded))
        return len(self.slots) - 1

    def layout(self) -> Layout:
        zones = self._zones()
        registers, constants = self._registers()
        switches = self._switches()
        frame = self._frame(zones, registers)
        independent = len(self.slots)
        zones = tuple(self._with_mask(z) for z in zones)
        caches = tuple((name, self.add(name, NONE, CLASH, Kind.CACHE, derived=True)) for name in self.remembered)
        triggers = [c for c in self.world.norms.clauses if isinstance(c, ir.Trigger)]
        edges = tuple(
            (t.head.id, self._bits(t.head.id, t.head.variables, Kind.EDGE, 1))
            for t in triggers
            if isinstance(t.cause, ir.OnEdge)
        )
        events = [(e.name, self._bits(e.name, e.parameters, Kind.EVENT, 2)) for e in self.world.norms.events]
        waiting = {t.cause.event for t in triggers if t.after and isinstance(t.cause, ir.OnEvent)}
        events += [
            (f"fresh:{e.name}", self._bits(f"fresh:{e.name}", e.parameters, Kind.EVENT, 1))
            for e in self.world.norms.events
            if e.name in waiting
        ]
        events += [(f"due:{t.head.id}", self._due(t)) for t in triggers if t.after]
        asked = any(isinstance(e, ir.ZonesHolding) for c in self.world.norms.clauses for e in everything_in(c))
        full = (1 << len(self.world.norms.sort(self.world.norms.card_sort).values)) - 1
        box = self.add("box", 0, full, Kind.BOX, derived=True) if asked else -1
        offsets, count = self._actions()
        return Layout(
            slots=tuple(self.slots),
            zones=zones,
            registers=registers,
            constants=constants,
            absent=self._absent(),
            switches=switches,
            caches=caches,
            edges=edges,
            events=tuple(events),
            box=box,
            frame=frame,
            independent=independent,
            act_count=count,
            action_offsets=offsets,
        )

    def _owners(self, zone: ir.Zone) -> list[int | None]:
        return [None] if not zone.owned else list(range(len(self.world.seats.values)))

    def _label(self, zone: str, owner: int | None) -> str:
        return zone if owner is None else f"{zone}({self.world.seats.values[owner]})"

    def _absent(self) -> tuple[tuple[str, int | None], ...]:
        gone = self.prepared.absent
        return tuple((z.name, owner) for z in self.world.norms.zones if z.name in gone for owner in self._owners(z))

    def _zones(self) -> tuple[ZonePlace, ...]:
        places: list[ZonePlace] = []
        for zone in self.world.norms.zones:
            if zone.name not in self.prepared.absent:
                places.extend(self._zone(zone, owner) for owner in self._owners(zone))
        return tuple(places)

    def _zone(self, zone: ir.Zone, owner: int | None) -> ZonePlace:
        cards = self.world.count(zone.card_sort)
        if cards > MASK_MAX:
            raise ValueError(f"more than {MASK_MAX} cards")  # the lowering refuses such a deck
        label = self._label(zone.name, owner)
        if not zone.pile:
            mask = self.add(label, 0, (1 << cards) - 1, Kind.MASK)
            return ZonePlace(zone.name, owner, zone.capacity, mask)
        first = len(self.slots)
        capacity = min(zone.capacity, cards)
        for i in range(capacity):
            self.add(f"{label}[{i}]", 0, cards - 1, Kind.CARD)
        authors = -1
        if zone.authors:
            authors = len(self.slots)
            for i in range(capacity):
                self.add(f"{label} author[{i}]", 0, len(self.world.seats.values), Kind.AUTHOR)
        length = self.add(f"{label} length", 0, capacity, Kind.LENGTH)
        return ZonePlace(zone.name, owner, capacity, -1, first, authors, length)

    def _with_mask(self, place: ZonePlace) -> ZonePlace:
        if not place.pile:
            return place
        cards = self.world.count(self.world.zones[place.zone].card_sort)
        label = self._label(place.zone, place.owner)
        mask = self.add(f"{label} mask", 0, (1 << cards) - 1, Kind.PILE_MASK, derived=True)
        return ZonePlace(place.zone, place.owner, place.capacity, mask, place.cards, place.authors, place.length)

    def _registers(
        self,
    ) -> tuple[
        tuple[tuple[tuple[str, tuple[int, ...]], int], ...], tuple[tuple[tuple[str, tuple[int, ...]], int], ...]
    ]:
        kept: list[tuple[tuple[str, tuple[int, ...]], int]] = []
        constants: list[tuple[tuple[str, tuple[int, ...]], int]] = []
        for register in self.world.norms.registers:
            low, high, bounded = _range(self.world, register.type)
            for index in product(*(range(self.world.count(s)) for s in register.index)):
                if register.name in self.prepared.constants:
                    constants.append(((register.name, index), self.prepared.constants[register.name]))
                    continue
                shown = ", ".join(self.world.sorts[s].values[i] for s, i in zip(register.index, index, strict=True))
                name = f"{register.name}({shown})" if index else register.name
                slot = self.add(name, low, high, Kind.REGISTER, bounded=bounded)
                kept.append(((register.name, index), slot))
        return tuple(kept), tuple(constants)

    def _switches(self) -> tuple[tuple[str, int], ...]:
        if not self.options.free_switches:
            return ()
        names = self.world.norms.switches
        return tuple((name, self.add(name, 0, 1, Kind.SWITCH)) for name in names)

    def _frame(
        self, zones: tuple[ZonePlace, ...], registers: tuple[tuple[tuple[str, tuple[int, ...]], int], ...]
    ) -> FramePlace | None:
        """Room for what a restoration brings back. The values stay in the ranges of the slots they are copies of."""
        record = self.prepared.record
        if record is None:
            return None
        masks = [z.mask for z in zones if not z.pile]
        piled = [slot for z in zones if z.pile for slot in range(z.cards, z.length + 1)]
        held = [slot for (name, _), slot in registers if not self.world.registers[name].outside_frame]
        opened = self.add("frame", 0, max(FrameState), Kind.FRAME)
        copies = (*masks, *piled, *held)
        base = len(self.slots)
        for slot in copies:
            info = self.slots[slot]
            low, high = min(info.low, 0), max(info.high, 0)
            self.add(f"frame: {info.name}", low, high, Kind.FRAME, bounded=info.bounded)
        entered = [slot for (name, _), slot in registers if name == record]
        return FramePlace(opened, base, copies, len(masks), range(entered[0], entered[-1] + 1))

    def _bits(self, name: str, variables: tuple[ir.Variable, ...], kind: Kind, copies: int) -> BitPlace:
        sizes = tuple(self.world.count(v.sort) for v in variables)
        place = BitPlace(len(self.slots), sizes)
        last = sizes[-1] if sizes else 1
        for copy in range(copies):
            for i in range(place.slots):
                self.add(f"{name}{'+' * copy}[{i}]", 0, (1 << last) - 1, kind, derived=True)
        return place

    def _due(self, trigger: ir.Trigger) -> BitPlace:
        """Room for what a trigger owes after giving way: valuations, events, or the act (its code + 1)."""
        name = f"due:{trigger.head.id}"
        match trigger.cause:
            case ir.OnEdge():
                return self._bits(name, trigger.head.variables, Kind.EVENT, 1)
            case ir.OnEvent(event=event):
                return self._bits(name, self.world.events[event].parameters, Kind.EVENT, 1)
            case ir.OnAct():
                return self._bits(name, (), Kind.EVENT, 1)

    def _actions(self) -> tuple[tuple[tuple[str, int], ...], int]:
        offsets: list[tuple[str, int]] = []
        total = 0
        for action in self.world.norms.actions:
            offsets.append((action.name, total))
            count = 1
            for size in action_sizes(self.world, action):
                count *= size
            total += count
        return tuple(offsets), total


def _range(world: World, kind: ir.Type) -> tuple[int, int, bool]:
    match kind:
        case ir.Truth():
            return 0, 1, True
        case ir.Whole(low=low, high=high, optional=optional):
            bounded = low is not None and high is not None
            least = -LEDGER_BOUND if low is None else low
            if optional and least < 0:
                raise ValueError("an optional number may not be negative")
            return NONE if optional else least, LEDGER_BOUND if high is None else high, bounded
        case ir.Member(sort=sort, optional=optional):
            return (NONE if optional else 0), world.count(sort) - 1, True
