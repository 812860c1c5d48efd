"""From a state and the happening that disturbs it to the quiescent state that follows, wave by wave."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from svod.naive.breaches import Breaches
from svod.naive.reader import Reader, caught
from svod.naive.world import Environment, Happening, Scene, State, Value, World
from svod.naive.writes import Setting, Writer, Writes
from svod.norms import ir
from svod.norms.trace import Clash, Hole, Limit, Next, StepOutcome

WAVES_MAX = 64
WAVES = "waves"
Valuation: TypeAlias = tuple[int, ...]
EdgeKey: TypeAlias = tuple[str, Valuation]
Truths: TypeAlias = frozenset[EdgeKey]
NOTHING_HELD: Truths = frozenset()


@dataclass(frozen=True, slots=True)
class Firing:
    """A trigger with values for its variables, and what it answers (`None`: an edge)."""

    trigger: ir.Trigger
    env: tuple[tuple[str, Value], ...]
    answers: Happening | None


@dataclass(slots=True)
class Settling:
    """One step under way. `kept`: happenings that a postponed trigger still has to answer. `due`: postponed edges."""

    scene: Scene
    truths: Truths
    fresh: frozenset[Happening]
    kept: set[tuple[str, Happening]] = field(default_factory=set)
    due: set[EdgeKey] = field(default_factory=set)
    fired: list[str] = field(default_factory=list)
    soft: list[str] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)


class Waves:
    """Fires triggers until none is enabled, then asks the slots that are asked for."""

    def __init__(self, world: World, reader: Reader, writer: Writer, breaches: Breaches) -> None:
        self.world = world
        self.reader = reader
        self.writer = writer
        self.breaches = breaches

    def truths(self, scene: Scene) -> Truths:
        """The edge triggers and valuations whose condition holds at this moment."""
        return frozenset(
            (trigger.head.id, _values(trigger, env))
            for trigger in self.world.triggers
            if isinstance(trigger.cause, ir.OnEdge)
            for env in self.reader.firing(trigger, {}, scene)
        )

    def restless(self, state: State) -> Iterator[ir.Trigger]:
        """Edge triggers that would move cards here and so end their own condition: where it holds, they have fired and
        it is past."""
        scene = Scene(state)
        for trigger in self.world.triggers:
            if not isinstance(trigger.cause, ir.OnEdge):
                continue
            for env in self.reader.firing(trigger, {}, scene):
                writes = Writes()
                self.writer.effects(trigger.effects, trigger.head.id, dict(env), scene, writes)
                after = self.writer.apply(writes, state)
                if writes.failures or after.zones == state.zones:
                    continue
                if not any(True for _ in self.reader.firing(trigger, env, Scene(after))):
                    yield trigger
                    break

    def settle(
        self, before: State | None, after: State, truths: Truths, happened: frozenset[Happening]
    ) -> list[StepOutcome]:
        """The outcome of the waves; several if several things go wrong in one wave, the first is the one to report.

        `before` is the state before the act, `truths` what the edge conditions were in it (nothing at the start).
        """
        scene = Scene(after, None if before is None else Scene(before), happened)
        step = Settling(scene, truths, happened)
        for _ in range(WAVES_MAX):
            now = self.truths(step.scene)
            enabled = {trigger.head.id: self._enabled(trigger, step, now) for trigger in self.world.triggers}
            if not any(enabled.values()):
                return self._asked(step)
            failures = self._wave(step, now, enabled)
            if failures:
                return [replace(failure, fired=tuple(step.fired)) for failure in failures]
        now = self.truths(step.scene)
        if not any(self._enabled(trigger, step, now) for trigger in self.world.triggers):
            return self._asked(step)
        return [Limit(WAVES, (), tuple(step.fired))]

    def _enabled(self, trigger: ir.Trigger, step: Settling, now: Truths) -> list[Firing]:
        """The instances of a trigger whose cause is there and whose guard is met."""
        names = [variable.name for variable in trigger.head.variables]
        if isinstance(trigger.cause, ir.OnEdge):
            return [
                Firing(trigger, tuple(zip(names, values, strict=True)), None)
                for identifier, values in sorted(now)
                if identifier == trigger.head.id
                and ((identifier, values) in step.due or (identifier, values) not in step.truths)
            ]
        return [
            Firing(trigger, tuple(env.items()), happening)
            for happening, start in self._causes(trigger.head.id, trigger.cause, step)
            for env in self.reader.firing(trigger, start, step.scene)
        ]

    def _causes(
        self, identifier: str, cause: ir.OnAct | ir.OnEvent, step: Settling
    ) -> list[tuple[Happening, Environment]]:
        """What the trigger has to answer now: fresh happenings and those it kept."""
        found: list[tuple[Happening, Environment]] = []
        for happening in sorted(step.scene.happened, key=lambda h: (h.is_act, h.name, h.arguments)):
            if happening in step.fresh or (identifier, happening) in step.kept:
                env = caught(cause, happening, {})
                if env is not None:
                    found.append((happening, env))
        return found

    def _postponed(self, enabled: dict[str, list[Firing]]) -> set[str]:
        """Triggers that wait because another rule, named in their `after`, has an enabled trigger."""
        waiting: set[str] = set()
        for trigger in self.world.triggers:
            if not trigger.after:
                continue
            others = (other for other in self.world.triggers if other.head.rule in trigger.after)
            if any(enabled[other.head.id] for other in others if other is not trigger):
                waiting.add(trigger.head.id)
        return waiting

    def _wave(self, step: Settling, now: Truths, enabled: dict[str, list[Firing]]) -> list[StepOutcome]:
        """Fire what is enabled and need not wait; gives the failures, leaves `step` at the start of the next wave."""
        waiting = self._postponed(enabled)
        kept: set[tuple[str, Happening]] = set()
        due: set[EdgeKey] = set()
        writes = Writes()
        for trigger in self.world.triggers:
            identifier = trigger.head.id
            if identifier in waiting:
                if isinstance(trigger.cause, ir.OnEdge):
                    due.update((identifier, _values(trigger, dict(f.env))) for f in enabled[identifier])
                else:
                    kept.update((identifier, h) for h, _ in self._causes(identifier, trigger.cause, step))
                continue
            if enabled[identifier]:
                step.fired.append(identifier)
            for firing in enabled[identifier]:
                self.writer.effects(trigger.effects, identifier, dict(firing.env), step.scene, writes)
        after = self.writer.apply(writes, step.scene.state)
        self._overwrites(step, writes)
        step.soft += writes.soft
        step.settings += [setting for setting in writes.settings if not setting.adds]
        step.scene.before = None  # nothing looks further back than one wave
        happened = frozenset(writes.raised) | {happening for _, happening in kept}
        restores = bool(writes.restoring) and after.frame is not None and not writes.failures
        if restores:
            after, failures = self.breaches.restored(after, writes.restoring)
            writes.failures += failures
            step.settings = [old for old in step.settings if not self.world.framed(old.cell[0])]
        step.scene = Scene(after, Scene(after if restores else step.scene.state), happened)
        step.truths = self.truths(step.scene) if restores else now  # what a restoration brings about is no edge
        step.fresh, step.kept, step.due = frozenset(writes.raised), kept, due
        return writes.failures

    def _overwrites(self, step: Settling, writes: Writes) -> None:
        """Two rules set one cell differently in different waves of the step, and nothing ties them."""
        for setting in writes.settings:
            for old in step.settings:
                if not setting.adds and old.cell == setting.cell and old.value != setting.value:
                    self._overwrite(old.clause, setting.clause, setting.cell[0], writes)

    def _overwrite(self, early: str, late: str, place: str, writes: Writes) -> None:
        rules = {self.world.clauses[early].head.rule, self.world.clauses[late].head.rule}
        if len(rules) == 2 and not self.writer.tied(early, late):
            writes.failures.append(self.writer.race(place, early, late))

    # ------------------------------------------------------------------------------------------ asked slots

    def _asked(self, step: Settling) -> list[StepOutcome]:
        self.breaches.rest(step.scene.state)
        scene = Scene(step.scene.state)
        fired = tuple(step.fired)
        for term in self.world.norms.terms:
            if term.asked is None:
                continue
            for arguments in self.world.tuples(term.parameters):
                env: Environment = {p.name: value for p, value in zip(term.parameters, arguments, strict=True)}
                if not self.reader.met(term.asked, env, scene):
                    continue
                slot = self.reader.slot(term.name, arguments, scene)
                if slot.defined:
                    continue
                if term.output:
                    step.soft.append(f"термин:{term.name}")
                elif slot.clash:
                    return [Clash(term.name, arguments, slot.clauses, fired)]
                else:
                    return [Hole(term.name, arguments, self._rules_of(term), fired)]
        return [Next(self.world.position(scene.state), fired, tuple(dict.fromkeys(step.soft)))]

    def _rules_of(self, term: ir.Term) -> tuple[str, ...]:
        rules = (clause.head.rule for clause in self.world.term_clauses[term.name])
        return tuple(dict.fromkeys(rules)) or (term.rule,)


def _values(trigger: ir.Trigger, env: Environment) -> Valuation:
    return tuple(env[variable.name] or 0 for variable in trigger.head.variables)
