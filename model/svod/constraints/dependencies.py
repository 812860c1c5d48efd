"""What an expression, clause or effect reads and writes: the rule graph from which the number of waves follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from svod.norms import ir


def nodes(of: Any) -> Iterator[Any]:
    """The node and everything under it, expressions, zone references and effects alike."""
    if isinstance(of, tuple):
        for part in of:
            yield from nodes(part)
    elif is_dataclass(of):
        yield of
        for field in fields(of):
            inner = getattr(of, field.name)
            if isinstance(inner, tuple) or is_dataclass(inner):
                yield from nodes(inner)


def mentions(of: Any, variable: str) -> bool:
    """The variable occurs in it."""
    return any(isinstance(node, ir.Variable) and node.name == variable for node in nodes(of))


@dataclass(frozen=True, slots=True)
class Graph:
    """Which triggers each trigger can enable in the next wave, and which an act can enable in the first."""

    after_trigger: dict[str, frozenset[str]]
    after_act: dict[str, frozenset[str]]
    waves: dict[str, int | None]  # for each action: longest chain, None where triggers form a ring

    def levels(self, action: str, most: int) -> list[frozenset[str]]:
        """Triggers that can fire in wave 1, 2, …; at most `most` waves."""
        found: list[frozenset[str]] = []
        current = self.after_act[action]
        while current and len(found) < most:
            found.append(current)
            current = frozenset(name for trigger in current for name in self.after_trigger[trigger])
        return found


LAGS = "lags"  # reads what changes by itself from wave to wave: the state before, what has just happened


class _Reads:
    def __init__(self, norms: ir.Norms) -> None:
        self.norms = norms
        self.clauses = {clause.head.id: clause for clause in norms.clauses}
        self.memo: dict[str, frozenset[str]] = {}
        self.lawful: dict[str, frozenset[str]] = {}
        self.asking: set[str] = set()

    def expression(self, of: Any, visiting: frozenset[str] = frozenset()) -> frozenset[str]:
        """Zones, registers («zone:…», «register:…») and events («event:…») that it looks at, terms included."""
        found: set[str] = set()
        for node in nodes(of):
            match node:
                case ir.ZoneRef():
                    found.add(f"zone:{node.zone}")
                case ir.ZonesHolding():
                    found |= {f"zone:{zone.name}" for zone in self.norms.zones}
                case ir.ReadRegister():
                    found.add(f"register:{node.register}")
                case ir.Happened():
                    found |= {f"event:{node.event}", LAGS}
                case ir.Before():
                    found.add(LAGS)
                case ir.ReadTerm() if node.term not in visiting:
                    found |= self.term(node.term, visiting)
                case ir.Lawful() if node.action not in self.asking:
                    found |= self.lawfulness(node.action)
                case _:
                    pass
        return frozenset(found)

    def term(self, name: str, visiting: frozenset[str]) -> frozenset[str]:
        if name not in self.memo:
            inside = visiting | {name}
            parts = [c for c in self.norms.clauses if isinstance(c, ir.TermClause) and c.term == name]
            found: set[str] = set()
            for clause in parts:
                found |= self.fires(clause.head, inside) | self.expression(clause.value, inside)
            self.memo[name] = frozenset(found)
        return self.memo[name]

    def lawfulness(self, name: str) -> frozenset[str]:
        """What decides about acts of this kind, and whether the play is over."""
        if name not in self.lawful:
            self.asking.add(name)
            found: set[str] = set()
            for action in self.norms.actions:
                if action.name == name:
                    found |= self.expression((action.possible, action.body))
            for clause in self.norms.clauses:
                if isinstance(clause, ir.Duty | ir.Ending) or getattr(clause, "action", None) == name:
                    found |= self.fires(clause.head) | self.expression(clause)
            self.asking.discard(name)
            self.lawful[name] = frozenset(found)
        return self.lawful[name]

    def fires(self, head: ir.Head, visiting: frozenset[str] = frozenset()) -> frozenset[str]:
        found = set(self.expression(head.guard, visiting))
        for exempt in head.exceptions:
            found |= self.fires(self.clauses[exempt.by].head, visiting)
        return frozenset(found)


def writes(effects: tuple[ir.Effect, ...]) -> frozenset[str]:
    """Zones, registers and events that the effects change or raise."""
    found: set[str] = set()
    for node in nodes(effects):
        match node:
            case ir.MoveCard() | ir.MoveAll():
                found |= {f"zone:{node.source.zone}", f"zone:{node.target.zone}"}
            case ir.Assign() | ir.Post():
                found.add(f"register:{node.register}")
            case ir.Raise():
                found.add(f"event:{node.event}")
            case _:
                pass
    return frozenset(found)


def _requires(guard: ir.Expression) -> dict[str, object]:
    """Plain conditions that the guard states: register = constant, zone empty or not («zone:…» → is empty)."""
    found: dict[str, object] = {}
    parts = [guard]
    while parts:
        part = parts.pop()
        match part:
            case ir.And(parts=inner):
                parts += inner
            case ir.Compare(relation=ir.Relation.EQUAL, left=ir.ReadRegister(arguments=()) as read, right=right):
                if _constant(right):
                    found[f"register:{read.register}"] = right
            case ir.Compare(relation=relation, left=ir.Size(zone=ir.ZoneRef(owner=None) as zone), right=ir.Number(0)):
                if relation is ir.Relation.EQUAL:
                    found[f"zone:{zone.zone}"] = True
                elif relation in (ir.Relation.UNEQUAL, ir.Relation.GREATER):
                    found[f"zone:{zone.zone}"] = False
            case _:
                pass
    return found


def _constant(expression: ir.Expression) -> bool:
    return isinstance(expression, ir.Number | ir.Value | ir.Boolean | ir.Nothing)


def _establishes(effects: tuple[ir.Effect, ...]) -> dict[str, object]:
    """What surely holds after the effects: register = constant, zone empty."""
    found: dict[str, object] = {}
    for effect in effects:
        match effect:
            case ir.Assign(arguments=()) if _constant(effect.value):
                found[f"register:{effect.register}"] = effect.value
            case ir.MoveAll(source=ir.ZoneRef(owner=None)) if effect.source != effect.target:
                found[f"zone:{effect.source.zone}"] = True
            case _:
                pass
    return found


def _excludes(norms: ir.Norms) -> frozenset[tuple[str, str]]:
    """Pairs of triggers (v, u): right after v fires, u cannot hold.

    Another assignment beside that of v is a race, unless a rule excepts that of v; so is no reason, and neither is an
    emptied zone where triggers also lay cards. (A rule that comes after that of v never fires in one wave with it.)
    """
    triggers = [clause for clause in norms.clauses if isinstance(clause, ir.Trigger)]
    rules = {clause.head.id: clause.head.rule for clause in norms.clauses}
    excepted = {rules[exempt.by]: clause.head.rule for clause in norms.clauses for exempt in clause.head.exceptions}
    tied = set(excepted.values())
    filled = {
        f"zone:{node.target.zone}"
        for trigger in triggers
        for node in nodes(trigger.effects)
        if isinstance(node, ir.MoveCard | ir.MoveAll)
    }
    needs = {trigger.head.id: _requires(trigger.head.guard) for trigger in triggers}
    found = set()
    lasting = {f"register:{register.name}" for register in norms.registers if register.outside_frame}
    restoring = any(isinstance(node, ir.Restore) for trigger in triggers for node in nodes(trigger.effects))
    for first in triggers:
        sure = _establishes(first.effects)
        if restoring:  # what a restoration of the same wave brings back may be something else
            sure = {place: value for place, value in sure.items() if place in lasting}
        if first.head.rule in tied:  # an outranking rule may have the last word about registers
            sure = {place: value for place, value in sure.items() if place.startswith("zone:")}
        sure = {place: value for place, value in sure.items() if place not in filled}
        for second in triggers:
            needed = needs[second.head.id]
            if any(place in needed and needed[place] != value for place, value in sure.items()):
                found.add((first.head.id, second.head.id))
    return frozenset(found)


def rule_graph(norms: ir.Norms, *, lawful: bool = False) -> Graph:
    """The graph act → trigger → trigger, from what bodies and effects write and causes read. An act also writes the
    record of breaches; one that is `lawful`, only where violations or lapses speak of it. A restoration lets no edge
    rise, so it writes nothing here."""
    reads = _Reads(norms)
    triggers = [clause for clause in norms.clauses if isinstance(clause, ir.Trigger)]
    edges = {c.head.id: reads.fires(c.head) for c in triggers if isinstance(c.cause, ir.OnEdge)}
    by_rule: dict[str, set[str]] = {}
    for clause in triggers:
        by_rule.setdefault(clause.head.rule, set()).add(clause.head.id)

    def enabled_by(written: frozenset[str]) -> set[str]:
        found = {name for name, read in edges.items() if read & written or LAGS in read}
        for other in triggers:
            if isinstance(other.cause, ir.OnEvent) and f"event:{other.cause.event}" in written:
                found.add(other.head.id)
        return found

    postponed = {c.head.id for c in triggers if c.after}
    after_trigger = {}
    excluded = _excludes(norms)
    for clause in triggers:
        found = {name for name in enabled_by(writes(clause.effects)) if (clause.head.id, name) not in excluded}
        # a trigger that another one waits for keeps that one pending for the next wave
        found |= {c.head.id for c in triggers if c.head.id in postponed and clause.head.rule in c.after}
        after_trigger[clause.head.id] = frozenset(found)
    after_act = {}
    for action in norms.actions:
        found = enabled_by(writes(action.body) | _entered(norms, action, lawful))
        found |= {c.head.id for c in triggers if isinstance(c.cause, ir.OnAct) and c.cause.action == action.name}
        after_act[action.name] = frozenset(found)
    waves = {name: _longest(start, after_trigger) for name, start in after_act.items()}
    return Graph(after_trigger, after_act, waves)


def _entered(norms: ir.Norms, action: ir.Action, lawful: bool) -> frozenset[str]:
    """The record of breaches, if the act may write it."""
    if norms.catalogue is None:
        return frozenset()
    named = any(isinstance(c, ir.Violation | ir.Lapse) and c.action == action.name for c in norms.clauses)
    return frozenset({f"register:{norms.catalogue.record}"} if named or not lawful else ())


def _longest(start: frozenset[str], follows: dict[str, frozenset[str]]) -> int | None:
    """Longest chain from `start`; None if there is a ring."""
    lengths: dict[str, int | None] = {}
    path: set[str] = set()

    def length(name: str) -> int | None:
        if name in path:
            return None
        if name not in lengths:
            path.add(name)
            inner = [length(other) for other in follows[name]]
            path.discard(name)
            known = [value for value in inner if value is not None]
            lengths[name] = None if len(known) < len(inner) else 1 + max(known, default=0)
        return lengths[name]

    found = [length(name) for name in start]
    known = [value for value in found if value is not None]
    return None if len(known) < len(found) else max(known, default=0)


def looks_before(norms: ir.Norms, of: object) -> bool:
    """It reads the state before, itself or through a slot."""
    clauses: dict[str, list[ir.TermClause]] = {}
    for clause in norms.clauses:
        if isinstance(clause, ir.TermClause):
            clauses.setdefault(clause.term, []).append(clause)
    seen: set[str] = set()
    pending: list[object] = [of]
    while pending:
        for node in nodes(pending.pop()):
            if isinstance(node, ir.Before):
                return True
            if isinstance(node, ir.ReadTerm) and node.term not in seen:
                seen.add(node.term)
                pending += clauses.get(node.term, [])
    return False
