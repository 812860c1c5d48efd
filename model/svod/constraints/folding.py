"""Norms in, what lawful play can ever bring about out: acts, events and rules that happen, registers and zones that
change; and the norms without the rest.

Everything starts as it does in a play, with nothing happening; whatever may happen then, by what may then hold, is
added until nothing more is. What stays out never comes about in lawful play.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from svod.constraints.outlines import ANYTHING, EITHER, Outline, Values
from svod.norms import ir


@dataclass(frozen=True, slots=True)
class Folded:
    """What is left of the norms. `constants`: registers that keep their first value; `empty`: zones that stay empty;
    `silent`: ids of clauses that never bear on lawful play."""

    norms: ir.Norms
    constants: dict[str, int | None]
    empty: frozenset[str]
    silent: frozenset[str]


def fold(norms: ir.Norms, switches: dict[str, bool | None], *, lawful: bool = True) -> Folded:
    """The norms of lawful play; `switches` that are left free have None. Without `lawful` those of any play, with every
    act that is possible."""
    growth = _Growth(norms, Outline(norms, switches), lawful)
    while growth.grow():
        pass
    outline = growth.outline
    single = {name: values for name, values in outline.registers.items() if values is not None and len(values) == 1}
    constants = {name: next(iter(values)) for name, values in single.items()}
    kept = tuple(action for action in norms.actions if action.name in outline.live)
    silent = {c.head.id for c in norms.clauses if not _bears(c, outline)}
    needed = _with_exceptions(set(outline.clauses) - silent, outline)
    left = tuple(_without(clause, needed) for clause in norms.clauses if clause.head.id in needed)
    return Folded(replace(norms, actions=kept, clauses=left), constants, outline.empty, frozenset(silent))


def _bears(clause: ir.Clause, outline: Outline) -> bool:
    """The clause may matter in lawful play."""
    match clause:
        case ir.Trigger():
            return clause.head.id in outline.fired
        case ir.Permission() | ir.Prohibition() | ir.Violation() | ir.Lapse():
            return clause.action in outline.live and outline.met(clause.head.guard)
        case ir.Invariant():
            return True
        case _:
            return outline.met(clause.head.guard)


def _with_exceptions(clauses: set[str], outline: Outline) -> set[str]:
    """These and those that may except them: a clause does so whether or not its act or event happens."""
    needed, pending = set(clauses), list(clauses)
    while pending:
        for exempt in outline.clauses[pending.pop()].head.exceptions:
            if exempt.by not in needed and outline.met(outline.clauses[exempt.by].head.guard):
                needed.add(exempt.by)
                pending.append(exempt.by)
    return needed


def _without(clause: ir.Clause, needed: set[str]) -> ir.Clause:
    """The clause without exceptions that never hold."""
    head = clause.head
    exceptions = tuple(exempt for exempt in head.exceptions if exempt.by in needed)
    return clause if exceptions == head.exceptions else replace(clause, head=replace(head, exceptions=exceptions))


@dataclass
class _Growth:
    """Adds what may come about, round by round."""

    norms: ir.Norms
    outline: Outline
    lawful: bool
    changed: bool = field(default=False)

    def grow(self) -> bool:
        """One more round; whether it added anything."""
        self.changed = False
        self.outline.terms.clear()
        for action in self.norms.actions:
            if action.name not in self.outline.live and self._may_happen(action):
                self.outline.live.add(action.name)
                self.changed = True
            if action.name in self.outline.live:
                self._effects(action.body)
                self._breaches(action)
        for clause in self.norms.clauses:
            match clause:
                case ir.Trigger() if self._caused(clause.cause) and self.outline.met(clause.head.guard):
                    if clause.head.id not in self.outline.fired:
                        self.outline.fired.add(clause.head.id)
                        self.changed = True
                    self._effects(clause.effects)
                case _:
                    pass
        return self.changed

    def _breaches(self, action: ir.Action) -> None:
        """The record may be written: in any play by whoever acts, in lawful play by breaches of somebody else."""
        if self.norms.catalogue is None:
            return
        breaches = [
            clause
            for clause in self.norms.clauses
            if isinstance(clause, ir.Violation) and clause.action == action.name and self.outline.met(clause.head.guard)
        ]
        careless = not self.lawful and action.actor is not None
        if careless or not all(own_breach(clause, action) for clause in breaches):
            self._write(self.norms.catalogue.record, EITHER)

    def _may_happen(self, action: ir.Action) -> bool:
        if not self.outline.met(action.possible):
            return False
        if any(move.source.zone in self.outline.empty for move in action.body if isinstance(move, ir.MoveCard)):
            return False
        if not self.lawful or action.actor is None or action.silence_permits:
            return True
        return any(
            isinstance(clause, ir.Permission | ir.Duty)
            and clause.action == action.name
            and self.outline.met(clause.head.guard)
            for clause in self.norms.clauses
        )

    def _caused(self, cause: ir.Cause) -> bool:
        match cause:
            case ir.OnAct(action=action):
                return action in self.outline.live
            case ir.OnEvent(event=event):
                return event in self.outline.raised
            case ir.OnEdge():
                return True

    def _effects(self, effects: tuple[ir.Effect, ...]) -> None:
        """What these effects may do. (A restoration brings back what was there before: nothing new.)"""
        for effect in effects:
            match effect:
                case ir.MoveCard(source=source, target=target) | ir.MoveAll(source=source, target=target):
                    if source.zone not in self.outline.empty and target.zone in self.outline.empty:
                        self.outline.empty -= {target.zone}
                        self.changed = True
                case ir.Assign(register=register, value=value):
                    self._write(register, self.outline.values(value))
                case ir.Post(register=register):
                    self._write(register, ANYTHING)
                case ir.Raise(event=event):
                    self.changed = self.changed or event not in self.outline.raised
                    self.outline.raised.add(event)
                case ir.ForEach(where=where, effects=inner):
                    if self.outline.met(where):
                        self._effects(inner)
                case ir.Restore():
                    pass

    def _write(self, register: str, values: Values) -> None:
        known = self.outline.registers[register]
        joined = self.outline.joined(known, values)
        if joined != known:
            self.outline.registers[register] = joined
            self.changed = True


def own_breach(clause: ir.Violation, action: ir.Action) -> bool:
    """The actor is surely an offender, so that a lawful act never is this breach."""
    if action.actor is None:
        return False
    actor = clause.head.variables[action.actor].name
    return any(isinstance(offender, ir.Variable) and offender.name == actor for offender in clause.offenders)
