"""A step as terms: a state and an act in; body, waves, failures and the state after it out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from svod.constraints import clauses as c
from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.breaches import at_rest, choose_state, enter, entered, restored
from svod.constraints.dependencies import Graph, rule_graph
from svod.constraints.effects import Writes, apply_cells, collect, note
from svod.constraints.expressions import evaluate, met
from svod.constraints.moments import Environment, Happening, Moment, encoded
from svod.constraints.moves import apply_moves
from svod.constraints.races import RaceFinder, RaceKey, outranking
from svod.constraints.symbols import Cell, Kept, Pile, Place, State, World, bare_board, put_empty
from svod.constraints.terms import Bits, Mask, Quantity, Truth
from svod.norms import ir


@dataclass(frozen=True, slots=True)
class Caused:
    """An instance of a trigger whose cause is there if `cause`; it is enabled if `enabled` (its guard is met too)."""

    trigger: ir.Trigger
    env: Environment
    cause: Truth
    enabled: Truth
    answers: Happening | None

    @property
    def key(self) -> tuple[Any, ...]:
        """Two happenings may bind the same values: a place of the pattern can be left open."""
        values = tuple(self.env[variable.name].key() for variable in self.trigger.head.variables)
        told = None if self.answers is None else tuple(value.key() for value in self.answers.arguments)
        return (self.trigger.head.id, values, told)


Due: TypeAlias = dict[tuple[Any, ...], Caused]


@dataclass
class Step:
    """What follows an act. `after` means something only where nothing failed.

    `holes`, `clashes`: by slot or clause; `races`: by place and clauses; `limits`: by zone or register. `overrun`:
    a trigger is still enabled after the last wave that was built (`waves`). `exact`: the graph says there is no more.
    """

    after: State
    holes: dict[str, Truth] = field(default_factory=dict)
    clashes: dict[str, Truth] = field(default_factory=dict)
    races: dict[RaceKey, Truth] = field(default_factory=dict)
    limits: dict[str, Truth] = field(default_factory=dict)
    soft: dict[str, Truth] = field(default_factory=dict)
    fired: dict[str, Truth] = field(default_factory=dict)
    stopped: Truth = False
    overrun: Truth = False
    waves: int = 0
    exact: bool = True

    @property
    def succeeds(self) -> Truth:
        """There is a next state."""
        return t.negation(t.disjunction(self.stopped, self.overrun))


@dataclass
class Stepper:
    """Builds steps over one world; the rule graph tells which triggers each wave may fire."""

    world: World
    graph: Graph = field(init=False)
    outranks: frozenset[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        self.graph = rule_graph(self.world.norms, lawful=self.world.options.play)
        self.outranks = outranking(self.world.norms)

    # ------------------------------------------------------------------------------------------------- entrances

    def initial(self) -> State:
        """Registers initial, all cards in the zone that is full at the start."""
        world = self.world
        sets: dict[Place, Mask] = {}
        piles: dict[Place, Pile] = {}
        for zone in world.norms.zones:
            for place in world.places(zone):
                put_empty(world, zone, place, sets, piles, world.deck if zone.name == world.norms.filled else 0)
        bare = Moment(world, State(sets, piles, {}))
        kept = Kept(0, bare_board(world)) if world.keeps else None
        registers: dict[Cell, Bits] = {}
        for register in world.norms.registers:
            value = evaluate(register.initial, {}, bare).value
            code, _ = encoded(world, register.name, value)
            registers |= dict.fromkeys(world.cells(register), code)
        return State(sets, piles, registers, kept)

    def start(self) -> Step:
        """The start of a play: edges rise from nothing, then slots are asked for."""
        moment = Moment(self.world, self.initial())
        edges = frozenset(
            clause.head.id
            for clause in self.world.norms.clauses
            if isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnEdge)
        )
        return self._settle(moment, edges, {})

    def step(self, before: Moment, action: ir.Action, values: tuple[Quantity, ...]) -> Step:
        """What follows the act (it is taken to be possible)."""
        state, limits = self.body(before, action, values)
        state = enter(self.world, entered(action, values, before), before.state, state)
        act = Happening(action.name, values, True)
        first = Moment(self.world, state, before, Moment(self.world, before.state), {}, (act,))
        return self._settle(first, self.graph.after_act[action.name], limits)

    def body(
        self, before: Moment, action: ir.Action, values: tuple[Quantity, ...]
    ) -> tuple[State, dict[str, Truth]]:
        """The state after what the act itself moves, and the zones that overflow."""
        writes = Writes()
        collect(action.body, (action.name, action.rule), law.act_environment(action, values), before, True, writes)
        return apply_moves(self.world, before.state, writes.cards)

    # ----------------------------------------------------------------------------------------------------- waves

    def _settle(self, moment: Moment, level: frozenset[str], limits: dict[str, Truth]) -> Step:
        step = Step(moment.state)
        for zone, full in limits.items():
            self._fail(step, step.limits, zone, full)
        races = RaceFinder(self.world, self.outranks)
        due: Due = {}
        fresh = moment
        while True:
            caused = list(self._caused(moment, fresh, level, due))
            if not caused:
                break
            if step.waves == self.world.options.waves_max:
                step.exact = False
                some = t.disjunction(*(one.enabled for one in caused))
                step.overrun = t.conjunction(some, t.negation(step.stopped))
                break
            step.waves += 1
            moment, fresh, due, firing = self._wave(step, moment, caused, races)
            level = frozenset(name for trigger in firing for name in self.graph.after_trigger[trigger])
        step.after = at_rest(self.world, moment.state)
        self._ask(step, Moment(self.world, step.after))
        return step

    def _wave(
        self, step: Step, moment: Moment, caused: list[Caused], races: RaceFinder
    ) -> tuple[Moment, Moment, Due, set[str]]:
        """The moment after the wave, the same with fresh happenings only, what is postponed, what may have fired."""
        writes = Writes()
        postponed: Due = {}
        firing: set[str] = set()
        for one in caused:
            trigger = one.trigger
            waits = _waits(trigger, caused)
            later = t.conjunction(one.enabled if one.answers is None else one.cause, waits)
            if later is not False:
                postponed[one.key] = Caused(trigger, one.env, later, later, one.answers)
                firing.add(trigger.head.id)
            now = t.conjunction(one.enabled, t.negation(waits))
            if now is not False:
                firing.add(trigger.head.id)
                note(step.fired, trigger.head.id, t.conjunction(now, t.negation(step.stopped)))
                collect(trigger.effects, (trigger.head.id, trigger.head.rule), one.env, moment, now, writes)
        state, full = apply_moves(self.world, moment.state, writes.cards, self.outranks)
        registers, outside = apply_cells(self.world, moment.state, writes.cells, self.outranks)
        already = step.stopped
        for key, condition in races.wave(moment, writes):
            self._fail(step, step.races, key, condition, already)
        for place, condition in writes.holes.items():
            self._fail(step, step.holes, place, condition, already)
        for book in (writes.limits, full, outside):
            for place, condition in book.items():
                self._fail(step, step.limits, place, condition, already)
        for place, condition in writes.soft.items():
            note(step.soft, place, t.conjunction(condition, t.negation(already)))
        after = State(state.sets, state.piles, registers, state.kept)
        after, earlier, calm = self._restored(step, moment.state, after, writes, races)
        events = dict(writes.events)
        for one in postponed.values():
            if one.answers is not None and isinstance(one.trigger.cause, ir.OnEvent):
                event = (one.answers.name, tuple(value.constant or 0 for value in one.answers.arguments))
                events[event] = t.disjunction(events.get(event, False), one.cause)
        following = Moment(self.world, after, moment, earlier, events, calm=calm)
        return following, Moment(self.world, after, moment, earlier, writes.events), postponed, firing

    def _restored(
        self, step: Step, before: State, after: State, writes: Writes, races: RaceFinder
    ) -> tuple[State, Moment, Truth]:
        """The state after the wave's restoration, the state before as the next wave knows it, and when it happened."""
        earlier = Moment(self.world, before)
        if before.kept is None or not writes.restores:
            return after, earlier, False
        there, already = t.bit(before.kept.there, 0), step.stopped
        happens = t.conjunction(there, t.disjunction(*writes.restores.values()))
        if happens is False:
            return after, earlier, False
        result = restored(self.world, after)
        for clause, condition in writes.restores.items():
            self._fail(step, step.holes, clause, t.conjunction(there, condition, result.incomplete), already)
        already = step.stopped
        for zone, full in result.overfull.items():
            self._fail(step, step.limits, zone, t.conjunction(happens, full), already)
        races.restored(happens)
        earlier = Moment(self.world, choose_state(self.world, happens, result.state, before))
        return choose_state(self.world, happens, result.state, after), earlier, happens

    def _fail(self, step: Step, book: dict[Any, Truth], key: Any, condition: Truth, already: Truth = False) -> None:
        """Record a failure unless an earlier wave had stopped the step."""
        condition = t.conjunction(condition, t.negation(already))
        if condition is not False:
            book[key] = t.disjunction(book.get(key, False), condition)
            step.stopped = t.disjunction(step.stopped, condition)

    def _caused(self, moment: Moment, fresh: Moment, level: frozenset[str], due: Due) -> Iterator[Caused]:
        """Triggers that this wave may fire or keep waiting, instance by instance, in the order of the text."""
        for clause in self.world.norms.clauses:
            if not isinstance(clause, ir.Trigger):
                continue
            waiting = {key: one for key, one in due.items() if key[0] == clause.head.id}
            causes = list(self._causes(clause, moment, fresh)) if clause.head.id in level else []
            for one in causes:
                owed = waiting.pop(one.key, None)
                if owed is not None:
                    cause = t.disjunction(one.cause, owed.cause)
                    one = Caused(clause, one.env, cause, False, one.answers)
                yield from self._guarded(one, moment)
            for owed in waiting.values():
                yield from self._guarded(owed, moment)

    def _guarded(self, one: Caused, moment: Moment) -> Iterator[Caused]:
        if one.cause is False:
            return
        enabled = t.conjunction(one.cause, c.fires(one.trigger, one.env, moment))
        if enabled is not False or (one.trigger.after and one.answers is not None):
            yield Caused(one.trigger, one.env, one.cause, enabled, one.answers)

    def _causes(self, trigger: ir.Trigger, moment: Moment, fresh: Moment) -> Iterator[Caused]:
        """Instances of the trigger with the condition that they are caused in this wave (guard not included)."""
        if not isinstance(trigger.cause, ir.OnEdge):
            for happening in c.happenings(trigger.cause, fresh):
                start, answered = c.caught(trigger.cause, happening, {})
                for env, exists in c.environments(self.world, trigger.head.variables, start):
                    yield Caused(trigger, env, t.conjunction(answered, exists), False, happening)
            return
        for env, exists in c.environments(self.world, trigger.head.variables, {}):
            now = t.conjunction(exists, c.fires(trigger, env, moment))
            if now is False:
                continue
            was = False if moment.previous is None else c.fires(trigger, env, moment.previous)
            rises = t.conjunction(now, t.negation(was), t.negation(moment.calm))
            yield Caused(trigger, env, rises, False, None)

    # ----------------------------------------------------------------------------------------------------- slots

    def _ask(self, step: Step, moment: Moment) -> None:
        already = step.stopped
        for term in self.world.norms.terms:
            for values, asked in asked_instances(self.world, term, moment):
                slot = c.slot_value(term.name, values, moment)
                if term.output:
                    unsaid = t.disjunction(slot.hole, slot.clash)
                    note(step.soft, f"термин:{term.name}", t.conjunction(asked, unsaid, t.negation(already)))
                    continue
                self._fail(step, step.holes, term.name, t.conjunction(asked, slot.hole), already)
                self._fail(step, step.clashes, term.name, t.conjunction(asked, slot.clash), already)


def _waits(trigger: ir.Trigger, caused: list[Caused]) -> Truth:
    """Another trigger of a rule that this one comes after is enabled."""
    if not trigger.after:
        return False
    others = (one for one in caused if one.trigger is not trigger and one.trigger.head.rule in trigger.after)
    return t.disjunction(*(one.enabled for one in others))


def asked_instances(world: World, term: ir.Term, moment: Moment) -> Iterator[tuple[tuple[Quantity, ...], Truth]]:
    """Arguments for which the slot must have a value, with the condition that it is asked for."""
    if term.asked is None:
        return
    for env, exists in c.environments(world, term.parameters, {}):
        asked = t.conjunction(exists, met(term.asked, env, moment))
        if asked is not False:
            yield tuple(env[variable.name] for variable in term.parameters), asked
