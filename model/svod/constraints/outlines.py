"""Expressions in outline: what is known of registers, zones and events in, the values that an expression may have out.

Never too few values; whether an expression may be undefined is not followed, so "no value" means surely undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from operator import add, ge, gt, le, lt, mul, sub
from typing import TypeAlias

from svod.norms import ir

Values: TypeAlias = "frozenset[int | None] | None"
"""Possible values (`None` among them: «нет»; truths are 0 and 1), or `None`: anything."""

ANYTHING: Values = None
NEVER: frozenset[int | None] = frozenset()
TRUE: frozenset[int | None] = frozenset({1})
FALSE: frozenset[int | None] = frozenset({0})
EITHER: frozenset[int | None] = frozenset({0, 1})
_MOST = 6  # larger sets of values are not followed

_ORDERS: dict[ir.Relation, Callable[[int, int], bool]] = {
    ir.Relation.LESS: lt,
    ir.Relation.LESS_EQUAL: le,
    ir.Relation.GREATER: gt,
    ir.Relation.GREATER_EQUAL: ge,
}
_OPERATIONS: dict[ir.Operator, Callable[[int, int], int]] = {
    ir.Operator.ADD: add,
    ir.Operator.SUBTRACT: sub,
    ir.Operator.MULTIPLY: mul,
}


@dataclass
class Outline:
    """What may hold so far. `live`: acts that may be lawful; `fired`: triggers; `raised`: events; `empty`: zones."""

    norms: ir.Norms
    switches: dict[str, bool | None]
    registers: dict[str, Values] = field(default_factory=dict)
    empty: frozenset[str] = frozenset()
    live: set[str] = field(default_factory=set)
    fired: set[str] = field(default_factory=set)
    raised: set[str] = field(default_factory=set)
    terms: dict[str, Values] = field(default_factory=dict)
    clauses: dict[str, ir.Clause] = field(init=False)
    actions: dict[str, ir.Action] = field(init=False)

    def __post_init__(self) -> None:
        self.clauses = {clause.head.id: clause for clause in self.norms.clauses}
        self.actions = {action.name: action for action in self.norms.actions}
        self.empty = frozenset(zone.name for zone in self.norms.zones) - {self.norms.filled}
        self._said: dict[str, list[ir.TermClause]] = {term.name: [] for term in self.norms.terms}
        for clause in self.norms.clauses:
            if isinstance(clause, ir.TermClause):
                self._said[clause.term].append(clause)
        for register in self.norms.registers:
            self.registers[register.name] = self.values(register.initial)

    def met(self, expression: ir.Expression) -> bool:
        """The expression may be true."""
        values = self.values(expression)
        return values is None or 1 in values

    def joined(self, one: Values, two: Values) -> Values:
        """Either of the two."""
        if one is None or two is None:
            return ANYTHING
        both = one | two
        return both if len(both) <= _MOST else ANYTHING

    def values(self, e: ir.Expression) -> Values:
        """What the expression may be."""
        match e:
            case ir.Number(value=value):
                return frozenset({value})
            case ir.Boolean(value=truth):
                return TRUE if truth else FALSE
            case ir.Value(index=index):
                return frozenset({index})
            case ir.Nothing():
                return frozenset({None})
            case ir.Switch(name=name):
                held = self.switches.get(name, False)
                return EITHER if held is None else TRUE if held else FALSE
            case ir.ReadRegister(register=name):
                return self.registers[name]
            case ir.ReadTerm(term=name):
                return self._term(name)
            case ir.Happened(event=event):
                return EITHER if event in self.raised else FALSE
            case ir.Lawful(action=action):
                return EITHER if action in self.live else FALSE
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Choose() | ir.Exists() | ir.ForAll():
                return self._truth(e)
            case ir.Count(where=where) | ir.Sum(where=where):
                return ANYTHING if self.met(where) else frozenset({0})
            case ir.Only(where=where) | ir.Best(where=where) | ir.FirstClockwise(where=where):
                return ANYTHING if self.met(where) else NEVER
            case ir.Size(zone=zone):
                return frozenset({0}) if zone.zone in self.empty else ANYTHING
            case ir.InZone(zone=zone):
                return FALSE if zone.zone in self.empty else EITHER
            case ir.Top(zone=zone) | ir.Bottom(zone=zone) | ir.Author(zone=zone) | ir.CardAbove(zone=zone):
                return NEVER if zone.zone in self.empty else ANYTHING
            case ir.Present(of=of):
                inner = self.values(of)
                return ANYTHING if inner is None else inner - {None}
            case ir.Before(of=of):
                return self.values(of)
            case ir.Arithmetic():
                pairs = self._pairs(e.left, e.right)
                operation = _OPERATIONS[e.operator]
                return ANYTHING if pairs is None else self._few(operation(a, b) for a, b in pairs)
            case _:
                return ANYTHING

    def _few(self, values: Iterable[int]) -> Values:
        found: frozenset[int | None] = frozenset(values)
        return found if len(found) <= _MOST else ANYTHING

    def _pairs(self, left: ir.Expression, right: ir.Expression) -> list[tuple[int, int]] | None:
        """Pairs of present values, or None: any."""
        one, two = self.values(left), self.values(right)
        if one is not None and two is not None:
            return [(a, b) for a in one if a is not None for b in two if b is not None]
        return [] if NEVER in (one, two) else None

    def _truth(
        self, e: ir.Not | ir.And | ir.Or | ir.Compare | ir.Choose | ir.Exists | ir.ForAll
    ) -> Values:
        match e:
            case ir.Not(of=of):
                inner = self.values(of)
                return EITHER if inner is None else frozenset({int(not value) for value in inner})
            case ir.And(parts=parts):
                return self._all(parts, stop=0)
            case ir.Or(parts=parts):
                return self._all(parts, stop=1)
            case ir.Exists(where=where):
                return EITHER if self.met(where) else FALSE
            case ir.ForAll(where=where):
                return EITHER if self.met(where) else TRUE
            case ir.Choose(condition=condition, then=then, otherwise=otherwise):
                known = self.values(condition)
                found: Values = NEVER
                if known is None or 1 in known:
                    found = self.joined(found, self.values(then))
                if known is None or 0 in known:
                    found = self.joined(found, self.values(otherwise))
                return found
            case ir.Compare():
                return self._compare(e)

    def _all(self, parts: tuple[ir.Expression, ...], *, stop: int) -> Values:
        """`and` (a part that may be false makes it false) and `or`; parts after a surely settling one are not asked."""
        found: set[int | None] = set()
        for part in parts:
            values = self.values(part)
            values = EITHER if values is None else values
            if stop in values:
                found.add(stop)
            if 1 - stop not in values:
                return frozenset(found)
        return frozenset({*found, 1 - stop})

    def _compare(self, e: ir.Compare) -> Values:
        if e.relation in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
            one, two = self.values(e.left), self.values(e.right)
            if NEVER in (one, two):
                return NEVER
            if one is None or two is None:
                return EITHER
            equal = e.relation is ir.Relation.EQUAL
            return frozenset(int((a == b) is equal) for a in one for b in two)
        pairs = self._pairs(e.left, e.right)
        return EITHER if pairs is None else frozenset(int(_ORDERS[e.relation](a, b)) for a, b in pairs)

    def _term(self, name: str) -> Values:
        """Any of its clauses that may hold may give the value."""
        if name not in self.terms:
            self.terms[name] = ANYTHING  # a slot that asks for itself may be anything
            found: Values = NEVER
            for clause in self._said[name]:
                if self.met(clause.head.guard):
                    found = self.joined(found, self.values(clause.value))
            self.terms[name] = found
        return self.terms[name]
