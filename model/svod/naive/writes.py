"""From the triggers that fire in one wave to the writes they make, and from the writes to the next state or a failure.

All reads are of the state at the start of the wave. A write names its place (a card, or a cell of a register), what
it puts there and the clause that makes it; two writes to one place that disagree are a race unless rules are tied.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import assert_never

from svod.naive.reader import Reader
from svod.naive.world import CellKey, Environment, Happening, Scene, State, Undefined, Value, World, ZoneKey
from svod.norms import ir
from svod.norms.trace import Hole, Limit, Race, StepOutcome


@dataclass(frozen=True, slots=True)
class Laying:
    """Where a card goes: on top of a zone or under it, and who lays it there."""

    card: int
    source: ZoneKey
    target: ZoneKey
    to_bottom: bool
    author: int | None
    clause: str

    @property
    def value(self) -> tuple[object, ...]:
        return self.target, self.to_bottom, self.author


@dataclass(frozen=True, slots=True)
class Setting:
    """A value for a cell, or with `adds` an amount to add to it."""

    cell: CellKey
    value: Value
    adds: bool
    clause: str


@dataclass(slots=True)
class Writes:
    """What one wave (or one body) does. `failures`: every way in which it has no result. `restoring`: the
    instances that restore the position, each as the hole it is if that cannot be done."""

    layings: list[Laying] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    raised: set[Happening] = field(default_factory=set)
    soft: list[str] = field(default_factory=list)
    restoring: list[Hole] = field(default_factory=list)
    failures: list[StepOutcome] = field(default_factory=list)


class Writer:
    """Collects the writes of effects and applies them."""

    def __init__(self, world: World, reader: Reader) -> None:
        self.world = world
        self.reader = reader
        self.ties = _ties(world.norms)

    # -------------------------------------------------------------------------------------------- collecting

    def effects(
        self, effects: Iterable[ir.Effect], clause: str, env: Environment, scene: Scene, writes: Writes
    ) -> None:
        """Add what these effects do; an effect that is undefined is a hole of the clause."""
        for effect in effects:
            if isinstance(effect, ir.ForEach):
                for instance in self.reader.matching(effect.variable, effect.where, env, scene):
                    self.effects(effect.effects, clause, instance, scene, writes)
                continue
            try:
                self._effect(effect, clause, env, scene, writes)
            except Undefined:
                output = isinstance(effect, ir.Assign | ir.Post) and self.world.registers[effect.register].output
                if output:
                    writes.soft.append(clause)
                else:
                    writes.failures.append(self._hole(clause, env))

    def _hole(self, clause: str, env: Environment) -> Hole:
        variables = self.world.clauses[clause].head.variables if clause in self.world.clauses else ()
        arguments = tuple(_whole(env[variable.name]) for variable in variables)
        return Hole(clause, arguments, self._rules(clause), ())

    def _effect(
        self,
        effect: ir.MoveCard | ir.MoveAll | ir.Assign | ir.Post | ir.Raise | ir.Restore,
        clause: str,
        env: Environment,
        scene: Scene,
        writes: Writes,
    ) -> None:
        reader = self.reader
        match effect:
            case ir.MoveCard() | ir.MoveAll():
                writes.layings += self.layings(effect, clause, env, scene)
            case ir.Assign():
                cell = self._cell(effect.register, effect.arguments, env, scene)
                value = reader.value(effect.value, env, scene)
                if value is None and not optional(self.world.registers[effect.register]):
                    raise Undefined
                writes.settings.append(Setting(cell, None if value is None else int(value), False, clause))
            case ir.Post():
                cell = self._cell(effect.register, effect.arguments, env, scene)
                amount = reader.present(effect.amount, env, scene)
                if scene.state.cells[cell] is None:
                    raise Undefined
                writes.settings.append(Setting(cell, amount, True, clause))
            case ir.Raise():
                arguments = tuple(reader.present(part, env, scene) for part in effect.arguments)
                writes.raised.add(Happening(False, effect.event, arguments))
            case ir.Restore():
                writes.restoring.append(self._hole(clause, env))
            case _:
                assert_never(effect)

    def _cell(self, register: str, arguments: Sequence[ir.Expression], env: Environment, scene: Scene) -> CellKey:
        return register, tuple(self.reader.present(part, env, scene) for part in arguments)

    def layings(self, move: ir.Move, clause: str, env: Environment, scene: Scene) -> list[Laying]:
        """The cards that a move takes somewhere; undefined if the card named does not lie where it is taken from."""
        reader = self.reader
        source, target = reader.key(move.source, env, scene), reader.key(move.target, env, scene)
        keeps = self.world.zones[target[0]].authors
        match move:
            case ir.MoveCard():
                card = reader.present(move.card, env, scene)
                if all(card != other for other, _ in scene.state.zones[source]):
                    raise Undefined
                author = reader.value(move.author, env, scene) if keeps and move.author is not None else None
                return [Laying(card, source, target, move.to_bottom, author, clause)]
            case ir.MoveAll():
                cards = scene.state.zones[source]
                if not self.world.zones[source[0]].pile:
                    cards = sorted(cards, key=lambda card: card[0])
                both = keeps and self.world.zones[source[0]].authors
                return [Laying(card, source, target, False, author if both else None, clause) for card, author in cards]
            case _:
                assert_never(move)

    def _rules(self, clause: str) -> tuple[str, ...]:
        return (self.world.clauses[clause].head.rule,) if clause in self.world.clauses else ()

    # ---------------------------------------------------------------------------------------------- applying

    def apply(self, writes: Writes, state: State) -> State:
        """The state after all writes at once; races and limits are added to `writes.failures`."""
        layings = self._settle_layings(writes)
        settings = self._settle_settings(writes)
        after = state.copy()
        moving = {laying.card for laying in layings}
        for laying in layings:
            after.zones[laying.source] = [card for card in after.zones[laying.source] if card[0] not in moving]
        for laying in layings:
            zone = after.zones[laying.target]
            zone.insert(0 if laying.to_bottom else len(zone), (laying.card, laying.author))
        for key in {laying.target for laying in layings}:
            if len(after.zones[key]) > self.world.zones[key[0]].capacity:
                movers = {laying.clause for laying in layings if laying.target == key}
                writes.failures.append(Limit(key[0], self._clauses(movers), ()))
        for cell, makers in settings.items():
            kept = [setting for setting in makers if not setting.adds]
            start = state.cells[cell] or 0
            value = kept[0].value if kept else start + sum(setting.value or 0 for setting in makers)
            after.cells[cell] = value
            if value is not None and not self.in_range(self.world.registers[cell[0]], value):
                writes.failures.append(Limit(cell[0], self._clauses({s.clause for s in makers}), ()))
        return after

    def _settle_layings(self, writes: Writes) -> list[Laying]:
        """One laying for each card."""
        cards: dict[int, list[Laying]] = {}
        for laying in writes.layings:
            cards.setdefault(laying.card, []).append(laying)
        kept: set[Laying] = set()
        for layings in cards.values():
            for one, two in combinations(layings, 2):
                if one.value != two.value and not self.tied(one.clause, two.clause):
                    writes.failures.append(self.race(one.source[0], one.clause, two.clause))
            chosen = layings[0]
            for laying in layings[1:]:
                if laying.value != chosen.value and self._outranks(laying.clause, chosen.clause):
                    chosen = laying
            kept.add(chosen)
        return [laying for laying in dict.fromkeys(writes.layings) if laying in kept]

    def _settle_settings(self, writes: Writes) -> dict[CellKey, list[Setting]]:
        """For each cell the writes that count: equal values, or postings that add up."""
        cells: dict[CellKey, list[Setting]] = {}
        for setting in writes.settings:
            cells.setdefault(setting.cell, []).append(setting)
        for cell, makers in cells.items():
            beaten: list[Setting] = []
            for one, two in combinations(makers, 2):
                if (one.adds and two.adds) or (one.adds == two.adds and one.value == two.value):
                    continue
                if not self.tied(one.clause, two.clause):
                    writes.failures.append(self.race(cell[0], one.clause, two.clause))
                beaten.append(one if self._outranks(two.clause, one.clause) else two)
            cells[cell] = [setting for setting in makers if setting not in beaten] or makers[:1]
        return cells

    def in_range(self, register: ir.Register, value: int) -> bool:
        match register.type:
            case ir.Truth():
                return value in (0, 1)
            case ir.Whole(low=low, high=high):
                return (low is None or low <= value) and (high is None or value <= high)
            case ir.Member(sort=sort):
                return 0 <= value < self.world.size(sort)
            case _:
                assert_never(register.type)

    # ------------------------------------------------------------------------------------------------- races

    def race(self, place: str, one: str, two: str) -> Race:
        return Race(place, self._clauses((one, two)), ())

    def _clauses(self, makers: Iterable[str]) -> tuple[str, ...]:
        """The clauses among those who write, in text order; the body of an act is none."""
        named = set(makers)
        return tuple(identifier for identifier in self.world.clauses if identifier in named)

    def tied(self, one: str, two: str) -> bool:
        """An exception edge or an order edge joins the rules of two different clauses."""
        if one == two:
            return False
        first, second = self.world.clauses[one].head.rule, self.world.clauses[two].head.rule
        return (first, second) in self.ties or (second, first) in self.ties

    def _outranks(self, one: str, two: str) -> bool:
        if one not in self.world.clauses or two not in self.world.clauses:
            return False
        return (self.world.clauses[one].head.rule, self.world.clauses[two].head.rule) in self.ties


def optional(register: ir.Register) -> bool:
    """Whether the register may hold «нет»."""
    return isinstance(register.type, ir.Member | ir.Whole) and register.type.optional


def _whole(value: Value) -> int:
    return -1 if value is None else int(value)


def _ties(norms: ir.Norms) -> frozenset[tuple[str, str]]:
    """Pairs of rules: the first excepts the second, or comes after it; so the first has the last word."""
    rules = {clause.head.id: clause.head.rule for clause in norms.clauses}
    ties: set[tuple[str, str]] = set()
    for clause in norms.clauses:
        for exempt in clause.head.exceptions:
            ties.add((rules[exempt.by], clause.head.rule))
        if isinstance(clause, ir.Trigger):
            ties.update((clause.head.rule, rule) for rule in clause.after)
    return frozenset(ties)
