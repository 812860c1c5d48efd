"""Norms in, the part of them that is in force out: switched-off clauses, idle registers and empty zones are gone."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from svod.engine.options import Options
from svod.engine.static import NotStatic, Static
from svod.engine.walk import children, flat_effects, map_children, map_clause, map_effect
from svod.engine.world import World, world_of
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.walk import everything_in


@dataclass(frozen=True)
class Prepared:
    """What is in force. `constants`: registers that keep their first value; `absent`: zones that stay empty; `record`:
    the register of open breaches, `None` if none is ever entered."""

    world: World
    static: Static
    constants: dict[str, int]
    absent: frozenset[str]
    record: str | None = None


def prepare(norms: ir.Norms, options: Options) -> Prepared:
    """Reduce the norms until nothing more falls away.

    To fold, take every register to keep its first value and every zone but the full one to stay empty, and see what the
    rules in force then change; what they change is taken so no longer. What is left is so at the start of a play, and
    no step changes it.
    """
    switches = None if options.free_switches else switches_in_force(norms, options)
    norms = norms if options.careless else acts_of_play(norms)
    record = norms.catalogue.record if norms.catalogue is not None and options.careless else None
    known: dict[str, int] = {}
    absent: frozenset[str] = frozenset()
    if options.fold:
        static = Static(world_of(norms, switches))
        first = {r.name: initial_value(static, r) for r in norms.registers if r.name != record}
        known = {name: value for name, value in first.items() if value is not None}
        absent = frozenset(zone.name for zone in norms.zones) - {norms.filled}
    while True:
        prepared = _reduced(norms, options, switches, (known, absent, record))
        changed, filled = _touched(prepared.world.norms, absent)
        if changed.isdisjoint(known) and filled.isdisjoint(absent):
            return _without_events(prepared)
        known = {name: value for name, value in known.items() if name not in changed}
        absent -= filled


Taken: TypeAlias = tuple[dict[str, int], frozenset[str], str | None]  # as in `Prepared`


def _reduced(norms: ir.Norms, options: Options, switches: frozenset[str] | None, taken: Taken) -> Prepared:
    """The norms with what is taken to be constant put in, again and again."""
    constants, absent, record = taken
    while True:
        world = world_of(norms, switches)
        static = Static(world)
        reduce = _Reduction(world, static, constants, absent, record)
        clauses = tuple(c for c in map(reduce.clause, norms.clauses) if not never_true(c.head.guard))
        actions = tuple(map(reduce.action, norms.actions))
        if options.lawful_only:
            actions = tuple(a if _permitted(a, clauses) else replace(a, possible=ir.Boolean(False)) for a in actions)
        idle_actions = {a.name for a in actions if never_true(a.possible)}
        excepting = {e.by for c in clauses for e in c.head.exceptions}  # these count whether or not their act happens
        raised = _raised(clauses)
        idle_clauses = {c.head.id for c in clauses if _of_act(c, idle_actions) or _unheard(c, raised, record)}
        clauses = tuple(c for c in clauses if c.head.id in excepting or c.head.id not in idle_clauses)
        reduced = replace(norms, actions=actions, terms=tuple(map(reduce.term, norms.terms)), clauses=clauses)
        if reduced == norms:
            return Prepared(world, static, constants, absent, record)
        norms = reduced


def _without_events(prepared: Prepared) -> Prepared:
    """Events that nothing raises and nothing speaks of need no room."""
    norms = prepared.world.norms
    named = set(_raised(norms.clauses))
    for clause in norms.clauses:
        named |= {e.event for e in everything_in(clause) if isinstance(e, ir.Happened)}
        if isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnEvent):
            named.add(clause.cause.event)
    world = world_of(replace(norms, events=tuple(e for e in norms.events if e.name in named)), prepared.world.switches)
    return replace(prepared, world=world, static=Static(world))


def _touched(norms: ir.Norms, absent: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Registers that something in force changes, and zones that something fills."""
    effects = [e for c in norms.clauses if isinstance(c, ir.Trigger) for e in flat_effects(c.effects)]
    effects += [e for action in norms.actions if not never_true(action.possible) for e in action.body]
    changed = frozenset(e.register for e in effects if isinstance(e, ir.Assign | ir.Post))
    moves = [e for e in effects if isinstance(e, ir.MoveCard | ir.MoveAll) and e.source.zone not in absent]
    return changed, frozenset(e.target.zone for e in moves)


def _given(arguments: tuple[ir.Expression, ...]) -> bool:
    """Whether these certainly have a value."""
    return all(isinstance(a, ir.Variable | ir.Value) for a in arguments)


def _permitted(action: ir.Action, clauses: tuple[ir.Clause, ...]) -> bool:
    """Whether acts of the action can be lawful."""
    if action.actor is None or action.silence_permits:
        return True
    return any(isinstance(c, ir.Permission | ir.Duty) and c.action == action.name for c in clauses)


def _of_act(clause: ir.Clause, actions: set[str]) -> bool:
    """Whether the clause is a trigger of one of these actions."""
    return isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnAct) and clause.cause.action in actions


def switches_in_force(norms: ir.Norms, options: Options) -> frozenset[str]:
    """The switches that are on: those asked for, or each reading's adopted one."""
    if options.switches is not None:
        return options.switches
    return frozenset(r.switch(r.adopted) for r in norms.readings)


def never_true(e: ir.Expression) -> bool:
    """Certainly not met (false or undefined)."""
    match e:
        case ir.Boolean(value=value):
            return not value
        case ir.And(parts=parts):
            return any(map(never_true, parts))
        case ir.Or(parts=parts):
            return all(map(never_true, parts))
        case ir.Before(of=of):
            return never_true(of)
        case _:
            return False


def _raised(clauses: tuple[ir.Clause, ...]) -> frozenset[str]:
    """Events that some trigger raises."""
    effects = [e for c in clauses if isinstance(c, ir.Trigger) for e in flat_effects(c.effects)]
    return frozenset(e.event for e in effects if isinstance(e, ir.Raise))


def _unheard(clause: ir.Clause, raised: frozenset[str], record: str | None) -> bool:
    """Whether nothing ever asks the clause: its event does not happen, or it speaks of open breaches where none is."""
    if isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnEvent):
        return clause.cause.event not in raised
    return isinstance(clause, ir.Lapse) and record is None


def _none_and_somebody(e: ir.Compare) -> bool:
    """Whether «нет» is compared with what is always there."""
    if e.relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
        return False
    sides = (e.left, e.right)
    return any(isinstance(s, ir.Nothing) for s in sides) and any(isinstance(s, ir.Variable | ir.Value) for s in sides)


def initial_value(static: Static, register: ir.Register) -> int | None:
    """The first value of a register, `None` if it has to be worked out from the state."""
    try:
        return static.value(register.initial, {})
    except NotStatic:
        return None


HOLDS: Mapping[ir.Relation, Callable[[int, int], bool]] = {
    ir.Relation.EQUAL: operator.eq,
    ir.Relation.UNEQUAL: operator.ne,
    ir.Relation.LESS: operator.lt,
    ir.Relation.LESS_EQUAL: operator.le,
    ir.Relation.GREATER: operator.gt,
    ir.Relation.GREATER_EQUAL: operator.ge,
}


class _Reduction:
    """Rewrites expressions with what is known to be constant."""

    def __init__(
        self, world: World, static: Static, constants: dict[str, int], absent: frozenset[str], record: str | None
    ) -> None:
        self.world = world
        self.static = static
        self.constants = constants
        self.absent = absent
        self.record = record
        self.raised = _raised(world.norms.clauses)

    def clause(self, clause: ir.Clause) -> ir.Clause:
        known = tuple(e for e in clause.head.exceptions if e.by in self.world.clauses)
        clause = map_clause(replace(clause, head=replace(clause.head, exceptions=known)), self.rewrite)
        if isinstance(clause, ir.Trigger):
            return replace(clause, effects=self._effects(clause.effects))
        return clause

    def _effects(self, effects: tuple[ir.Effect, ...]) -> tuple[ir.Effect, ...]:
        """Without those that do nothing: a loop over nothing, what keeps a register as it is, and where no breach is
        ever open a restoration or the end of a breach, which is all that rules may write into the record."""
        kept: list[ir.Effect] = []
        for effect in effects:
            if isinstance(effect, ir.ForEach):
                inner = self._effects(effect.effects)
                if inner and not never_true(effect.where):
                    kept.append(replace(effect, effects=inner))
            elif not self._changes_nothing(effect):
                kept.append(effect)
        return tuple(kept)

    def _changes_nothing(self, effect: ir.Effect) -> bool:
        if isinstance(effect, ir.Restore):
            return self.record is None
        if not isinstance(effect, ir.Assign):
            return False
        catalogue = self.world.norms.catalogue
        if catalogue is not None and self.record is None and effect.register == catalogue.record:
            return True
        known = isinstance(effect.value, ir.Value | ir.Boolean | ir.Number | ir.Nothing) and _given(effect.arguments)
        return known and self.static.value(effect.value, {}) == self.constants.get(effect.register)

    def action(self, action: ir.Action) -> ir.Action:
        body: list[ir.Move] = []
        for move in action.body:
            rewritten = map_effect(move, self.rewrite)
            if isinstance(rewritten, ir.MoveCard | ir.MoveAll):
                body.append(rewritten)
            if isinstance(rewritten, ir.MoveCard) and rewritten.source.zone in self.absent:
                return replace(action, possible=ir.Boolean(False))
        return replace(action, possible=self.rewrite(action.possible), body=tuple(body))

    def term(self, term: ir.Term) -> ir.Term:
        return term if term.asked is None else replace(term, asked=self.rewrite(term.asked))

    def rewrite(self, e: ir.Expression) -> ir.Expression:
        """The same meaning with constants put in and conditions shortened."""
        e = map_children(e, self.rewrite)
        match e:
            case ir.Switch(name=name) if self.world.switches is not None:
                return ir.Boolean(name in self.world.switches)
            case ir.ReadRegister(register=name, arguments=arguments) if name in self.constants and _given(arguments):
                return literal(self.world.registers[name].type, self.constants[name])
            case ir.ReadTerm(arguments=arguments) if _given(arguments) and (known := self._known_term(e)) is not None:
                return known
            case ir.Happened(event=event, arguments=arguments) if event not in self.raised and _given(arguments):
                return ir.Boolean(False)
            case ir.Lawful(action=action, arguments=arguments) if _given(arguments) and self._never(action):
                return ir.Boolean(False)
            case ir.Not(of=ir.Boolean(value=value)):
                return ir.Boolean(not value)
            case ir.Not(of=ir.Not(of=inner)):
                return inner
            case ir.And(parts=parts):
                return _shortened(parts, ir.And, stop=False)
            case ir.Or(parts=parts):
                return _shortened(parts, ir.Or, stop=True)
            case ir.Choose(condition=ir.Boolean(value=value)):
                return e.then if value else e.otherwise
            case ir.InZone(zone=zone) if self._absent(zone) and isinstance(e.card, ir.Variable | ir.Value):
                return ir.Boolean(False)
            case ir.Size(zone=zone) if self._absent(zone):
                return ir.Number(0)
            case ir.Exists(where=where) | ir.Only(where=where) if never_true(where) and isinstance(e, ir.Exists):
                return ir.Boolean(False)
            case ir.Count(where=where) if never_true(where):
                return ir.Number(0)
            case ir.ForAll(where=where) if never_true(where):
                return ir.Boolean(True)
            case ir.Compare() if _none_and_somebody(e):
                return ir.Boolean(e.relation is ir.Relation.UNEQUAL)
            case ir.Compare() if not children(e.left) and not children(e.right) and self.static.is_static(e):
                return self._folded(e)
            case ir.Compare() | ir.ReadRegister() | ir.InZone() if self._hopeless(e):
                return ir.And((e, ir.Boolean(False)))  # not true, but perhaps undefined
            case _:
                return e

    def _hopeless(self, e: ir.Expression) -> bool:
        """Whether a condition about constants is false wherever it has a value, which is not seen at a glance."""
        match e:
            case ir.ReadRegister(register=name):
                return isinstance(self.world.registers[name].type, ir.Truth) and self.constants.get(name) == 0
            case ir.InZone(zone=zone):
                return zone.zone in self.absent
            case ir.Compare():
                left, right = self._known(e.left), self._known(e.right)
                return left is not None and right is not None and not HOLDS[e.relation](left, right)
            case _:
                return False

    def _known(self, e: ir.Expression) -> int | None:
        """The only value that a number or a member that is there can have."""
        match e:
            case ir.Number(value=value) | ir.Value(index=value):
                return value
            case ir.ReadRegister(register=name):
                value = self.constants.get(name, -1)
                return value if value >= 0 else None
            case ir.Size(zone=zone):
                return 0 if zone.zone in self.absent else None
            case _:
                return None

    def _known_term(self, e: ir.ReadTerm) -> ir.Expression | None:
        """What a term always says, if that is the same everywhere."""
        clauses = self.world.term_clauses.get(e.term, ())
        if len(clauses) != 1 or clauses[0].head.guard != ir.Boolean(True) or clauses[0].head.exceptions:
            return None
        value = clauses[0].value
        return value if isinstance(value, ir.Boolean | ir.Number | ir.Value) else None

    def _never(self, action: str) -> bool:
        """Whether no act of this kind is possible."""
        return never_true(self.world.actions[action].possible)

    def _absent(self, zone: ir.ZoneRef) -> bool:
        """Whether the zone is always empty, and certainly there is one."""
        return zone.zone in self.absent and isinstance(zone.owner, ir.Variable | ir.Value | None)

    def _folded(self, e: ir.Compare) -> ir.Expression:
        if isinstance(e.left, ir.Variable) or isinstance(e.right, ir.Variable):
            return e
        value = self.static.value(e, {})
        return e if value is None else ir.Boolean(bool(value))


def _shortened(parts: tuple[ir.Expression, ...], kind: type[ir.And | ir.Or], *, stop: bool) -> ir.Expression:
    kept: list[ir.Expression] = []
    for part in (inner for outer in parts for inner in (outer.parts if isinstance(outer, kind) else (outer,))):
        if not isinstance(part, ir.Boolean):
            kept.append(part)
        elif part.value is stop:
            kept.append(part)
            break
    if not kept:
        return ir.Boolean(not stop)
    return kept[0] if len(kept) == 1 else kind(tuple(kept))


def literal(kind: ir.Type, value: int) -> ir.Expression:
    """A constant of a type as an expression."""
    match kind:
        case ir.Truth():
            return ir.Boolean(bool(value))
        case ir.Whole(optional=optional):
            return ir.Nothing("") if optional and value < 0 else ir.Number(value)
        case ir.Member(sort=sort):
            return ir.Nothing(sort) if value < 0 else ir.Value(sort, value)


def mask_in_box(norms: ir.Norms) -> int:
    """The cards of the sort that are not in play (a reduced deck), as a mask."""
    mask = (1 << len(norms.sort(norms.card_sort).values)) - 1 if norms.deck else 0
    for card in norms.deck:
        mask &= ~(1 << card)
    return mask
