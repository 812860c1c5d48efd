"""In: an item with several readings that part only after breaches. Out: a short careless play to a position where two
of them part, and what each of them says there."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from svod.diagnostics import Text
from svod.engine.play import Engine
from svod.naive.exploring import Lot
from svod.norms import ir
from svod.norms.trace import Act, Next, Position, Status, StepOutcome
from svod.searches.careless_acts import CarelessActs
from svod.searches.hunting import Effort
from svod.searches.plays import act_text
from svod.searches.readings import Difference, alike, says
from svod.searches.shortening import shortened
from svod.searches.survey import small_decks
from svod.searches.tables import Table

BREACH_EACH = 7
CAP = 60
ENOUGH = 2
"""Plays that part are collected, and the shortest is made shorter."""
PATIENCE = 30
"""After so many games one such play will do."""


def careless_difference(
    table: Table,
    base: frozenset[str],
    reading: ir.Reading,
    letters: tuple[str, str],
    effort: Effort,
    tick: Callable[[], None],
) -> Difference | None:
    """Careless games on small decks, both readings in lockstep."""
    sets = [reading.read_as(letter, base) for letter in letters]
    lot = Lot(effort.seed)
    found: list[tuple[int, tuple[Act, ...]]] = []
    count = effort.parted if table.native else max(1, effort.parted // effort.slow)
    for number, deck in zip(range(count), small_decks(table.play, effort.seed), strict=False):
        tick()
        pair = _Pair(table.engine(sets[0], deck), table.engine(sets[1], deck))
        acts = pair.game(CarelessActs(table.norms, lot, BREACH_EACH, to_the_point=True))
        if acts is not None:
            found.append((deck, acts))
        if len(found) == ENOUGH or (found and number >= PATIENCE):
            break
    if not found:
        return None
    deck, acts = min(found, key=lambda each: len(each[1]))
    pair = _Pair(table.engine(sets[0], deck), table.engine(sets[1], deck))
    acts = shortened(acts, pair.parts_after)
    texts = pair.says(acts)
    return Difference(table, deck, acts, tuple(zip(letters, texts, strict=True)))


class _Pair:
    """Two engines of one table that differ in one reading."""

    def __init__(self, one: Engine, other: Engine) -> None:
        self.one, self.other = one, other

    def game(self, lot: CarelessActs) -> tuple[Act, ...] | None:
        """The acts of a game until the two part; None if they do not."""
        start, twin = self.one.initial(), self.other.initial()
        acts: list[Act] = []
        while isinstance(start, Next) and isinstance(twin, Next) and len(acts) < CAP:
            position, mirrored = start.position, twin.position
            if self._part(position, mirrored):
                return tuple(acts)
            act = lot.choose(self.one, position)
            if act is None or self.one.over(position):
                return None
            acts.append(act)
            if self.other.status(mirrored, act) is Status.IMPOSSIBLE:
                return None
            start, twin = self.one.step(position, act), self.other.step(mirrored, act)
            if not alike(start, twin):
                return tuple(acts)
        return None

    def _part(self, position: Position, mirrored: Position) -> bool:
        over = self.one.over(position), self.other.over(mirrored)
        return over[0] != over[1] or self.one.acts(position) != self.other.acts(mirrored)

    def parts_after(self, acts: tuple[Act, ...]) -> bool:
        """Whether the two part exactly at the end of this play, which is possible under both."""
        start, twin = self.one.initial(), self.other.initial()
        for number, act in enumerate(acts):
            if not isinstance(start, Next) or not isinstance(twin, Next):
                return False
            position, mirrored = start.position, twin.position
            statuses = self.one.status(position, act), self.other.status(mirrored, act)
            if Status.IMPOSSIBLE in statuses or self.one.over(position):
                return False
            start, twin = self.one.step(position, act), self.other.step(mirrored, act)
            if not alike(start, twin):
                return number == len(acts) - 1
        both = isinstance(start, Next) and isinstance(twin, Next)
        return both and self._part(start.position, twin.position)  # type: ignore[union-attr]

    def says(self, acts: tuple[Act, ...]) -> tuple[Text, Text]:
        """What comes out under each: the cells that differ, or else the acts that are lawful under one only."""
        ends = [_end(engine, acts) for engine in (self.one, self.other)]
        if not isinstance(ends[0], Next) or not isinstance(ends[1], Next):
            return says(self.one, acts), says(self.other, acts)
        one, other = ends[0].position, ends[1].position
        if one.registers != other.registers:
            return _cells(self.one.norms, one, other), _cells(self.one.norms, other, one)
        first, second = set(self.one.acts(one)), set(self.other.acts(other))
        return _lawful(self.one, first - second, second - first), _lawful(self.one, second - first, first - second)


def _end(engine: Engine, acts: tuple[Act, ...]) -> StepOutcome:
    outcome = engine.initial()
    for act in acts:
        if isinstance(outcome, Next):
            outcome = engine.step(outcome.position, act)
    return outcome


CELLS_SHOWN = 4


def _cells(norms: ir.Norms, position: Position, other: Position) -> Text:
    """Registers that hold something else there."""
    values = dict(other.registers)
    registers = {register.name: register for register in norms.registers}
    shown = []
    for (name, index), value in position.registers:
        if values[name, index] != value:
            register = registers[name]
            places = ", ".join(norms.sort(sort).values[i] for sort, i in zip(register.index, index, strict=True))
            shown.append((f"{name}({places})" if places else name, _value(norms, register.type, value)))
    more = ["…"] if len(shown) > CELLS_SHOWN else []
    ru = "; ".join([f"{cell} = {text.ru}" for cell, text in shown[:CELLS_SHOWN]] + more)
    en = "; ".join([f"{cell} = {text.en}" for cell, text in shown[:CELLS_SHOWN]] + more)
    return Text(ru, en)


def _value(norms: ir.Norms, kind: ir.Type, value: int | None) -> Text:
    if value is None:
        return Text("нет", "none")
    match kind:
        case ir.Truth():
            return Text("да", "yes") if value else Text("нет", "no")
        case ir.Whole():
            return Text(str(value), str(value))
        case ir.Member(sort=sort):
            return Text(norms.sort(sort).values[value], norms.sort(sort).values[value])
        case _:
            assert_never(kind)


def _lawful(engine: Engine, acts: set[Act], others: set[Act]) -> Text:
    """Acts that are lawful only here, and only elsewhere."""
    here = ", ".join(act_text(engine.norms, act) for act in sorted(acts)[:3])
    there = ", ".join(act_text(engine.norms, act) for act in sorted(others)[:3])
    ru = [f"законно: {here}" if here else "", f"незаконно: {there}" if there else ""]
    en = [f"lawful: {here}" if here else "", f"unlawful: {there}" if there else ""]
    return Text("; ".join(filter(None, ru)) or "—", "; ".join(filter(None, en)) or "—")
