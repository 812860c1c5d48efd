"""Norms in force, ready to look things up in: declarations by name, and when each clause fires, as one expression.

NOTE(firing terms): that clause «R-1#2» fires is written `ReadTerm("fires:R-1#2", …)`, a condition that is always
defined. So exceptions are ordinary reads, and every printer of expressions prints them without knowing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import assert_never

from svod.engine.walk import children, conjunction, effect_parts, substitute
from svod.norms import ir

FIRING = "fires:"
ALWAYS = ir.Boolean(True)


@dataclass(frozen=True)
class World:
    """Norms by name. `switches`: those in force, or `None` while they are free."""

    norms: ir.Norms
    switches: frozenset[str] | None
    sorts: dict[str, ir.Sort] = field(default_factory=dict)
    zones: dict[str, ir.Zone] = field(default_factory=dict)
    registers: dict[str, ir.Register] = field(default_factory=dict)
    terms: dict[str, ir.Term] = field(default_factory=dict)
    actions: dict[str, ir.Action] = field(default_factory=dict)
    events: dict[str, ir.Event] = field(default_factory=dict)
    clauses: dict[str, ir.Clause] = field(default_factory=dict)
    term_clauses: dict[str, tuple[ir.TermClause, ...]] = field(default_factory=dict)
    reads_cache: dict[str, frozenset[str]] = field(default_factory=dict)
    needs_cache: dict[str, frozenset[str]] = field(default_factory=dict)

    @property
    def seats(self) -> ir.Sort:
        """The sort of the players."""
        return self.sorts[self.norms.seats]

    def count(self, sort: str) -> int:
        """Number of values of a sort."""
        return len(self.sorts[sort].values)

    def firing(self, clause_id: str, arguments: Iterable[ir.Expression] | None = None) -> ir.Expression:
        """That the clause fires for these values of its variables (the variables themselves if not given)."""
        head = self.clauses[clause_id].head
        return ir.ReadTerm(FIRING + clause_id, tuple(head.variables if arguments is None else arguments))

    def fires(self, clause_id: str) -> ir.Expression:
        """What the firing of a clause means: its guard, and that no exception fires. Undefined counts as not."""
        head = self.clauses[clause_id].head
        exceptions = tuple(ir.Not(self.exempts(e)) for e in head.exceptions if e.by in self.clauses)
        return conjunction((head.guard, *exceptions)) if exceptions else head.guard

    def exempts(self, exempt: ir.Exempt) -> ir.Expression:
        other = self.clauses[exempt.by].head
        own = {v.name: v for v in self.clauses_variables(exempt)}
        pairs = dict(exempt.bindings)
        fresh = {v.name: ir.Variable(f"{v.name}_x", v.sort) for v in other.variables if v.name not in pairs}
        arguments = tuple(own[pairs[v.name]] if v.name in pairs else fresh[v.name] for v in other.variables)
        condition = self.firing(exempt.by, arguments)
        for variable in reversed(tuple(fresh.values())):
            condition = ir.Exists(variable, condition)
        return condition

    def clauses_variables(self, exempt: ir.Exempt) -> tuple[ir.Variable, ...]:
        """Variables that may stand on the right of the bindings, with the sorts of the left."""
        other = {v.name: v for v in self.clauses[exempt.by].head.variables}
        return tuple(ir.Variable(to, other[by].sort) for by, to in exempt.bindings)

    def reads(self, e: ir.Expression) -> frozenset[str]:
        """Names of what the value depends on: «zone:z», «register:r», «event:e», «switch:s», and «before»."""
        return self.own_reads(e).union(*map(self.term_reads, terms_read(e)))

    def own_reads(self, e: ir.Expression) -> frozenset[str]:
        """What the expression itself reads, terms not looked into."""
        found: set[str] = set()
        match e:
            case ir.ReadRegister(register=name):
                found.add("register:" + name)
            case ir.Happened(event=name):
                found.add("event:" + name)
            case ir.Switch(name=name):
                found.add("switch:" + name)
            case ir.Before():
                found.add("before")
            case ir.Size(zone=zone) | ir.Top(zone=zone) | ir.Bottom(zone=zone):
                found.add("zone:" + zone.zone)
            case ir.Author(zone=zone) | ir.CardAbove(zone=zone) | ir.InZone(zone=zone):
                found.add("zone:" + zone.zone)
            case ir.Lawful(action=name):
                found.add("act:" + name)
            case ir.ZonesHolding():
                found |= {"zone:" + name for name in self.zones}
            case _:
                pass
        for child in children(e):
            found |= self.own_reads(child)
        return frozenset(found)

    def term_reads(self, name: str) -> frozenset[str]:
        """What a term (or the firing of a clause) depends on."""
        if name not in self.reads_cache:
            names = {name, *self.terms_needed(name)}
            parts = (self.own_reads(e) for n in names for e in self.term_expressions(n))
            self.reads_cache[name] = frozenset[str]().union(*parts)
        return self.reads_cache[name]

    def terms_needed(self, name: str) -> frozenset[str]:
        """Terms and firings that a term (or the firing of a clause) reads, directly or not."""
        if name not in self.needs_cache:
            found: set[str] = set()
            pending = [name]
            while pending:
                for other in (t for e in self.term_expressions(pending.pop()) for t in terms_read(e)):
                    if other not in found:
                        found.add(other)
                        pending.append(other)
            self.needs_cache[name] = frozenset(found)
        return self.needs_cache[name]

    def circular(self, name: str) -> bool:
        """Whether a term may ask for itself."""
        return not name.startswith(FIRING) and name in self.terms_needed(name)

    def meets_circle(self, name: str) -> bool:
        """Whether a term is circular or reads a circular one."""
        return self.circular(name) or any(map(self.circular, self.terms_needed(name)))

    def term_expressions(self, name: str) -> tuple[ir.Expression, ...]:
        """Every expression that a term is made of."""
        if name.startswith(FIRING):
            return (self.fires(name.removeprefix(FIRING)),)
        clauses = self.term_clauses.get(name, ())
        return tuple(e for c in clauses for e in (self.firing(c.head.id), c.value))

    def writes(self, effects: Iterable[ir.Effect]) -> frozenset[str]:
        """Names of what the effects change, as in `reads`."""
        found: set[str] = set()
        for effect in effects:
            match effect:
                case ir.MoveCard() | ir.MoveAll():
                    found |= {"zone:" + effect.source.zone, "zone:" + effect.target.zone}
                case ir.Assign() | ir.Post():
                    found.add("register:" + effect.register)
                case ir.Raise():
                    found.add("event:" + effect.event)
                case ir.ForEach():
                    found |= self.writes(effect.effects)
                case ir.Restore():
                    pass  # nothing in its wave counts as written
                case _:
                    assert_never(effect)
        return frozenset(found)

    def effect_reads(self, effects: Iterable[ir.Effect]) -> frozenset[str]:
        """What the effects read."""
        return frozenset().union(*(self.reads(e) for effect in effects for e in effect_parts(effect)))

    def over_parameters(
        self, clause: ir.Permission | ir.Prohibition | ir.Violation | ir.Lapse, also: ir.Expression = ALWAYS
    ) -> ir.Expression:
        """That the clause fires, spoken in its action's parameters; further variables of the clause take any value.
        `also` is a condition in the clause's own variables that has to be met as well."""
        parameters = self.actions[clause.action].parameters
        extra = [ir.Variable(f"{v.name}_e", v.sort) for v in clause.head.variables[len(parameters) :]]
        condition = self.firing(clause.head.id, (*parameters, *extra))
        if also != ALWAYS:
            condition = ir.And((condition, renamed(also, clause.head.variables, (*parameters, *extra))))
        for variable in reversed(extra):
            condition = ir.Exists(variable, condition)
        return condition


def world_of(norms: ir.Norms, switches: frozenset[str] | None) -> World:
    """The norms with look-up tables."""
    by_term: dict[str, list[ir.TermClause]] = {}
    for clause in norms.clauses:
        if isinstance(clause, ir.TermClause):
            by_term.setdefault(clause.term, []).append(clause)
    return World(
        norms,
        switches,
        {s.name: s for s in norms.sorts},
        {z.name: z for z in norms.zones},
        {r.name: r for r in norms.registers},
        {t.name: t for t in norms.terms},
        {a.name: a for a in norms.actions},
        {e.name: e for e in norms.events},
        {c.head.id: c for c in norms.clauses},
        {name: tuple(clauses) for name, clauses in by_term.items()},
    )


def terms_read(e: ir.Expression) -> frozenset[str]:
    """Terms and firings that the expression itself names."""
    own = frozenset({e.term}) if isinstance(e, ir.ReadTerm) else frozenset()
    return own.union(*(terms_read(child) for child in children(e)))


def renamed(e: ir.Expression, variables: tuple[ir.Variable, ...], values: tuple[ir.Expression, ...]) -> ir.Expression:
    """The expression with these variables replaced one by one."""
    pairs = {v.name: value for v, value in zip(variables, values, strict=True) if v != value}
    return substitute(e, pairs)
