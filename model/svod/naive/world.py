"""From norms to plain look-up tables, and from a position to a state of dicts and lists with a little context.

A `State` is mutable and private to one step; the frame of open breaches goes with it. A `Scene` is a state as seen at
one moment: with the state before it and with what has just happened, if the moment is inside a step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from svod.norms import ir
from svod.norms.trace import Act, Frame, Laid, Position

Value: TypeAlias = int | None
Environment: TypeAlias = dict[str, Value]
ZoneKey: TypeAlias = tuple[str, int | None]
CellKey: TypeAlias = tuple[str, tuple[int, ...]]
Card: TypeAlias = tuple[int, int | None]  # the card and who laid it


class Undefined(Exception):
    """An expression has no value; never leaves this package."""


class NoValue:
    """What `Naive.evaluate` gives where an expression is undefined."""

    def __repr__(self) -> str:
        return "UNDEFINED"


UNDEFINED = NoValue()


@dataclass(frozen=True, slots=True)
class Happening:
    """An act or an event that the triggers of a wave react to."""

    is_act: bool
    name: str
    arguments: tuple[int, ...]


def act_happens(act: Act) -> Happening:
    return Happening(True, act.action, act.arguments)


@dataclass(slots=True)
class State:
    """Cards from the bottom up (a set zone: in no meaningful order) and values of registers."""

    zones: dict[ZoneKey, list[Card]]
    cells: dict[CellKey, Value]
    frame: Frame | None = None

    def copy(self) -> State:
        return State({key: list(cards) for key, cards in self.zones.items()}, dict(self.cells), self.frame)


@dataclass(frozen=True, slots=True)
class Slot:
    """What a slot says: `clash` if its clauses disagree, neither `clash` nor `defined` if it has a hole."""

    value: Value
    defined: bool
    clash: bool
    clauses: tuple[str, ...]


HOLE = Slot(None, False, False, ())


@dataclass(slots=True)
class Scene:
    """A moment. `before`: the state a wave ago (in invariants: a step ago). `happened`: what triggers answer now."""

    state: State
    before: Scene | None = None
    happened: frozenset[Happening] = frozenset()
    slots: dict[tuple[str, tuple[Value, ...]], Slot] = field(default_factory=dict)


class World:
    """The norms by name, with the switches of one play."""

    def __init__(self, norms: ir.Norms, switches: frozenset[str]) -> None:
        self.norms = norms
        self.switches = switches
        self.sorts = {sort.name: sort for sort in norms.sorts}
        self.zones = {zone.name: zone for zone in norms.zones}
        self.registers = {register.name: register for register in norms.registers}
        self.terms = {term.name: term for term in norms.terms}
        self.actions = {action.name: action for action in norms.actions}
        self.clauses = {clause.head.id: clause for clause in norms.clauses}
        self.triggers = [clause for clause in norms.clauses if isinstance(clause, ir.Trigger)]
        self.duties = [clause for clause in norms.clauses if isinstance(clause, ir.Duty)]
        self.endings = [clause for clause in norms.clauses if isinstance(clause, ir.Ending)]
        self.invariants = [clause for clause in norms.clauses if isinstance(clause, ir.Invariant)]
        self.seats = len(self.sorts[norms.seats].values)
        self.deck = norms.deck or tuple(range(len(self.sorts[norms.card_sort].values)))
        self.term_clauses: dict[str, list[ir.TermClause]] = {term.name: [] for term in norms.terms}
        self.permissions: dict[str, list[ir.Permission]] = {action.name: [] for action in norms.actions}
        self.prohibitions: dict[str, list[ir.Prohibition]] = {action.name: [] for action in norms.actions}
        self.violations: dict[str, list[ir.Violation]] = {action.name: [] for action in norms.actions}
        self.lapses: dict[str, list[ir.Lapse]] = {action.name: [] for action in norms.actions}
        for clause in norms.clauses:
            if isinstance(clause, ir.TermClause):
                self.term_clauses[clause.term].append(clause)
            elif isinstance(clause, ir.Permission):
                self.permissions[clause.action].append(clause)
            elif isinstance(clause, ir.Prohibition):
                self.prohibitions[clause.action].append(clause)
            elif isinstance(clause, ir.Violation) and norms.catalogue is not None:
                self.violations[clause.action].append(clause)
            elif isinstance(clause, ir.Lapse) and norms.catalogue is not None:
                self.lapses[clause.action].append(clause)

    def size(self, sort: str) -> int:
        return len(self.sorts[sort].values)

    def actor(self, act: Act) -> int | None:
        """The seat that acts; None if it is nobody's act."""
        place = self.actions[act.action].actor
        return None if place is None else act.arguments[place]

    def valuations(self, variables: Sequence[ir.Variable], bound: Environment) -> Iterator[Environment]:
        """Every way to give the variables that `bound` leaves open a value, in lexicographic order."""
        names = [variable.name for variable in variables if variable.name not in bound]
        ranges = [range(self.size(variable.sort)) for variable in variables if variable.name not in bound]
        for values in product(*ranges):
            yield {**bound, **dict(zip(names, values, strict=True))}

    def tuples(self, variables: Sequence[ir.Variable]) -> Iterator[tuple[int, ...]]:
        """Every tuple of values for these parameters, in lexicographic order."""
        return product(*(range(self.size(variable.sort)) for variable in variables))

    def zone_keys(self) -> Iterator[ZoneKey]:
        for zone in self.norms.zones:
            if zone.owned:
                for seat in range(self.seats):
                    yield zone.name, seat
            else:
                yield zone.name, None

    def cell_keys(self) -> Iterator[CellKey]:
        for register in self.norms.registers:
            for index in product(*(range(self.size(sort)) for sort in register.index)):
                yield register.name, index

    def empty(self) -> State:
        return State({key: [] for key in self.zone_keys()}, dict.fromkeys(self.cell_keys()))

    def state(self, position: Position) -> State:
        """The state that a position describes; what the position leaves out is empty or absent."""
        state = self._filled(position)
        state.frame = None if position.frame is None else self.frame(self._filled(position.frame))
        return state

    def _filled(self, board: Position | Frame) -> State:
        state = self.empty()
        for key, cards in board.zones:
            state.zones[key] = [(laid.card, laid.author) for laid in cards]
        for cell, value in board.registers:
            state.cells[cell] = value
        return state

    def position(self, state: State) -> Position:
        """The canonical position of a state."""
        zones, cells = self._laid(state), self._held(state)
        return Position(zones, cells, tuple(sorted(self.switches)), state.frame)

    def frame(self, state: State) -> Frame:
        """What a restoration brings back: all zones, and the registers inside the frame."""
        return Frame(self._laid(state), tuple(entry for entry in self._held(state) if self.framed(entry[0][0])))

    def framed(self, register: str) -> bool:
        """Whether a restoration brings the register's value back; never that of the record."""
        catalogue = self.norms.catalogue
        recorded = catalogue is not None and register == catalogue.record
        return not recorded and not self.registers[register].outside_frame

    def _laid(self, state: State) -> tuple[tuple[ZoneKey, tuple[Laid, ...]], ...]:
        zones: list[tuple[ZoneKey, tuple[Laid, ...]]] = []
        for key in self.zone_keys():
            zone = self.zones[key[0]]
            cards = state.zones[key] if zone.pile else sorted(state.zones[key], key=lambda card: card[0])
            zones.append((key, tuple(Laid(card, author if zone.authors else None) for card, author in cards)))
        return tuple(zones)

    def _held(self, state: State) -> tuple[tuple[CellKey, Value], ...]:
        return tuple((key, _plain(state.cells[key])) for key in self.cell_keys())


def _plain(value: Value) -> Value:
    return None if value is None else int(value)


def default_switches(norms: ir.Norms) -> frozenset[str]:
    """What is in force unless said otherwise: the adopted reading of every item, no variant."""
    return frozenset(reading.switch(reading.adopted) for reading in norms.readings if reading.adopted)


def bind(parameters: Sequence[ir.Variable], arguments: Sequence[int]) -> Environment:
    return {parameter.name: value for parameter, value in zip(parameters, arguments, strict=False)}
