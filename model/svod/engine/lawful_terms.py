"""Norms in force in, the same norms out with every question whether an act is lawful written as a term.

NOTE(lawful terms): `Lawful(action, arguments)` becomes `ReadTerm("lawful:action", arguments)`, or `"apart:action"`
where violations are left out: a condition that is always defined where its arguments are. So every printer of
expressions prints it without knowing.
"""

from __future__ import annotations

from dataclasses import replace

from svod.engine.act_norms import ActionNorms, ActNorms
from svod.engine.caching import NOWHERE
from svod.engine.prepare import Prepared
from svod.engine.quantifiers import Printer
from svod.engine.static import Static
from svod.engine.walk import conjunction, map_children, map_clause
from svod.engine.world import World, world_of
from svod.norms import ir
from svod.norms.walk import everything_in

LAWFUL = "lawful:"
APART = "apart:"


def with_lawful_terms(prepared: Prepared) -> Prepared:
    """The same in force, nothing asked but terms."""
    norms = prepared.world.norms
    asked = {(e.action, e.apart) for c in norms.clauses for e in everything_in(c) if isinstance(e, ir.Lawful)}
    if not asked:
        return prepared
    terms: list[ir.Term] = []
    clauses: list[ir.Clause] = [map_clause(clause, _as_term) for clause in norms.clauses]
    world = world_of(replace(norms, clauses=tuple(clauses)), prepared.world.switches)
    printer = Printer(world, prepared.static, NOWHERE)
    for action, apart in ((a, apart) for a in norms.actions for apart in (False, True)):
        if (action.name, apart) in asked:
            name = (APART if apart else LAWFUL) + action.name
            value = _lawful(world, printer, ActNorms(printer).of(action, apart=apart))
            head = ir.Head(name, action.rule, action.parameters, ir.Boolean(True))
            terms.append(ir.Term(name, action.parameters, ir.Truth(), None, ir.Combination.FIRST, False, action.rule))
            clauses.append(ir.TermClause(head, name, value))
    world = world_of(replace(norms, terms=(*norms.terms, *terms), clauses=tuple(clauses)), prepared.world.switches)
    return replace(prepared, world=world, static=Static(world))


def _as_term(e: ir.Expression) -> ir.Expression:
    e = map_children(e, _as_term)
    if not isinstance(e, ir.Lawful):
        return e
    return ir.ReadTerm((APART if e.apart else LAWFUL) + e.action, e.arguments)


def _lawful(world: World, printer: Printer, norms: ActionNorms) -> ir.Expression:
    """Possible and lawful, spoken in the act's parameters: what `status` prints, as a condition."""
    parts: list[ir.Expression] = [printer.met(norms.possible)]
    for clause in world.norms.clauses:
        if isinstance(clause, ir.Ending):
            ended = world.firing(clause.head.id)
            for variable in clause.head.variables:
                ended = ir.Exists(variable, ended)
            parts.append(ir.Not(ended))
    parts += [ir.Not(condition) for _, condition in (*norms.blocks, *norms.prohibitions)]
    if not norms.free:
        allowed = tuple(condition for _, condition in norms.rights + norms.permissions + norms.duties)
        parts.append(ir.Or(allowed) if allowed else ir.Boolean(False))
    return conjunction(tuple(parts))
