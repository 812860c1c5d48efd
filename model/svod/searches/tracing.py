"""In: one way in which a case went, and one question. Out: who wrote the cells and zones that matter to it, and what
brought events about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from svod.naive.mentions import parts
from svod.norms import ir
from svod.norms.trace import Position
from svod.searches.case_answers import Asking
from svod.searches.case_clauses import env_of
from svod.searches.case_events import Done
from svod.searches.case_facts import Telling
from svod.searches.citation_reading import REMARKS, SUPPORTS, Chain, Env, Reading


@dataclass(frozen=True)
class Tracing:
    """One question under way."""

    asking: Asking
    reading: Reading
    telling: Telling
    chain: Chain

    @property
    def norms(self) -> ir.Norms:
        """The norms in force."""
        return self.reading.norms

    def rule(self, rule: str, rank: int, clause: str | None = None) -> None:
        """Cite a rule unless it is a number of the catalogue, which the answers themselves name."""
        catalogue = self.norms.catalogue
        if catalogue is None or rule not in self.norms.sort(catalogue.sort).values:
            self.chain.add(rule, rank, clause)

    def clause(self, identifier: str, rank: int) -> None:
        """Cite a clause by its id; a violation by the rules that it breaks."""
        clause = self.reading.by_id.get(identifier)
        if isinstance(clause, ir.Violation) and clause.breaks:
            for broken in clause.breaks:
                self.rule(broken, rank)
        elif clause is not None:
            self.rule(clause.head.rule, rank, identifier)

    def steps(self) -> list[Done]:
        """Everything done up to the moment of the question."""
        return list(self.asking.course.steps(self.asking.moment))

    def event_steps(self) -> list[Done]:
        """What was done by the event that the question is about, payments apart."""
        return list(self.asking.happened().done) if self.asking.moment else []

    # ----------------------------------------------------------------------------------------------- writers

    def writer(self, register: str, position: Position, index: Sequence[int] | None = None) -> None:
        """Who last wrote a cell before this position: a trigger of the course, or what was told of the past."""
        for done in reversed(list(takewhile(lambda done: done.before is not position, self.steps()))):
            if not self._changed(done, register, index):
                continue
            for trigger in reversed(self.reading.fired(done.outcome.fired)):
                if register in self.reading.writes(trigger.effects):
                    self.clause(trigger.head.id, REMARKS)
                    return
        for told in reversed(self.telling.told):
            if told.rules and told.fills(register, index):
                for rule in told.rules:
                    self.rule(rule, REMARKS)
                return

    def _changed(self, done: Done, register: str, index: Sequence[int] | None) -> bool:
        after = dict(done.after.registers) if done.after is not None else {}
        return any(
            after.get(cell, value) != value
            for cell, value in done.before.registers
            if cell[0] == register and (index is None or cell[1] == tuple(index))
        )

    def writers(self, expression: ir.Expression, env: Env, position: Position) -> None:
        """Who wrote the cells that an expression reads, and by which triggers cards came into its zones."""
        clauses = self.asking.table.clauses
        for part in parts(expression):
            if isinstance(part, ir.ReadRegister):
                known = {each.name for each in parts(part.arguments) if isinstance(each, ir.Variable)} <= set(env)
                index = [clauses.value(position, each, env) for each in part.arguments] if known else []
                whole = [value for value in index if value is not None]
                self.writer(part.register, position, whole if len(whole) == len(part.arguments) else None)
            elif isinstance(part, ir.ZoneRef):
                for done in takewhile(lambda done: done.before is not position, self.steps()):
                    if part.zone in self._unowned and self._filled(done, part.zone):
                        self.wrote(done, [part.zone], REMARKS)

    @property
    def _unowned(self) -> set[str]:
        return {zone.name for zone in self.norms.zones if not zone.owned and zone.part_of is not None}

    def _filled(self, done: Done, zone: str) -> bool:
        """Whether a step laid cards into an empty zone."""
        after = dict(done.after.zones) if done.after is not None else {}
        return not dict(done.before.zones).get((zone, None)) and bool(after.get((zone, None)))

    def wrote(self, done: Done, places: Iterable[str], rank: int) -> bool:
        """Cite the triggers of a step that wrote one of these zones or registers, those without which they would be
        otherwise if there are several."""
        wanted = set(places)
        wrote = [
            trigger
            for trigger in self.reading.fired(done.outcome.fired)
            if set(self.reading.writes(trigger.effects, done.after or done.before)) & wanted
        ]
        rules = dict.fromkeys(trigger.head.rule for trigger in wrote)
        if len(rules) > 1:
            first, *later = rules  # what another rule has undone is told with it
            rules = dict.fromkeys([first, *(rule for rule in later if self.reading.matters(rule, done, wanted))])
        for trigger in wrote:
            if trigger.head.rule in rules:
                self.clause(trigger.head.id, rank)
        return bool(wrote)

    def raised(self, rank: int) -> None:
        """Cite the triggers of the event that let something happen, and what a punishment brings for such a player."""
        catalogue = self.norms.catalogue
        for done in self.event_steps():
            for trigger in self.reading.fired(done.outcome.fired):
                if "*" in self.reading.writes(trigger.effects):
                    continue
                cause, guard = trigger.cause, trigger.head.guard
                answers = isinstance(cause, ir.OnEvent) and catalogue is not None and cause.event == catalogue.punished
                if self.reading.raises(trigger.effects):
                    self.clause(trigger.head.id, rank)
                elif answers and any(isinstance(part, ir.Variable) for part in parts(guard)):
                    self.clause(trigger.head.id, REMARKS)

    def claimed(self) -> None:
        """What the number that was claimed last is about."""
        catalogue = self.norms.catalogue
        if catalogue is None:
            return
        names = self.norms.sort(catalogue.sort).values
        for done in reversed(self.steps()):
            pairs = zip(self.reading.actions[done.act.action].parameters, done.act.arguments, strict=True)
            claimed = {names[value] for parameter, value in pairs if parameter.sort == catalogue.sort}
            for clause in self.norms.clauses if claimed else ():
                if isinstance(clause, ir.Violation) and clause.name in claimed:
                    self.clause(clause.head.id, SUPPORTS)
            if claimed:
                return

    def lapsed(self) -> None:
        """What the number that was claimed last is about was committed before, and lapsed since: by which rule."""
        catalogue = self.norms.catalogue
        guilty = False
        for done in self.steps() if catalogue is not None else ():
            for clause in self.norms.clauses:
                if guilty and isinstance(clause, ir.Lapse) and clause.action == done.act.action:
                    env = env_of(clause.head.variables, done.act.arguments)
                    if self.asking.table.clauses.fires(done.before, clause, env):
                        self.clause(clause.head.id, SUPPORTS)
                        guilty = False
            guilty = guilty or bool(self.asking.table.clauses.breaches(done.before, done.act))

    def _restores(self, done: Done) -> bool:
        return any("*" in self.reading.writes(trigger.effects) for trigger in self.reading.fired(done.outcome.fired))

    def restored(self, rank: int) -> None:
        """Cite a restoration up to the moment, and what brought it about."""
        for done in self.steps():
            for trigger in self.reading.fired(done.outcome.fired) if self._restores(done) else ():
                if "*" in self.reading.writes(trigger.effects):
                    self.clause(trigger.head.id, rank)
                elif self.reading.raises(trigger.effects):
                    self.clause(trigger.head.id, REMARKS)
