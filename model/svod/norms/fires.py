"""When a clause fires, as one expression: its guard and the absence of every clause that excepts it."""

from __future__ import annotations

from collections.abc import Mapping

from svod.norms import ir
from svod.norms.walk import substitute


def clause_table(norms: ir.Norms) -> dict[str, ir.Clause]:
    """Clauses by id."""
    return {clause.head.id: clause for clause in norms.clauses}


def fires(norms: ir.Norms, clause: ir.Clause) -> ir.Expression:
    """Closed form over the clause's own variables (exceptions form no cycle)."""
    return fires_in(clause_table(norms), clause)


def fires_in(table: Mapping[str, ir.Clause], clause: ir.Clause) -> ir.Expression:
    """As `fires`, with the clauses given by id."""
    parts = [clause.head.guard]
    parts += [ir.Not(_excepting(table, exempt, clause)) for exempt in clause.head.exceptions]
    if len(parts) == 1:
        return parts[0]
    first = parts[0].parts if isinstance(parts[0], ir.And) else (parts[0],)
    return ir.And((*first, *parts[1:]))


def _excepting(table: Mapping[str, ir.Clause], exempt: ir.Exempt, clause: ir.Clause) -> ir.Expression:
    by = table[exempt.by]
    bound = dict(exempt.bindings)
    own = {variable.name: variable for variable in clause.head.variables}
    taken = set(own)
    values: dict[str, ir.Expression] = {}
    loose: list[ir.Variable] = []
    for variable in by.head.variables:
        if variable.name in bound:
            values[variable.name] = own[bound[variable.name]]
            continue
        fresh = variable
        while fresh.name in taken:  # a loose variable must not be caught by one of the excepted clause
            fresh = ir.Variable(fresh.name + "′", variable.sort)
        taken.add(fresh.name)
        loose.append(fresh)
        values[variable.name] = fresh
    result = substitute(fires_in(table, by), values)
    for variable in reversed(loose):
        result = ir.Exists(variable, result)
    return result
