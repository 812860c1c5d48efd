"""When a clause fires, as one expression: its guard and the absence of every clause that excepts it."""

from __future__ import annotations

from collections.abc import Mapping

from svod.norms import ir
from svod.norms.walk import children, free_names, substitute


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
    return result if loose else met(table, result)


def met(table: Mapping[str, ir.Clause], condition: ir.Expression) -> ir.Expression:
    """The condition where it is part of a greater one: undefined it is not met, and does not make all undefined.

    A quantifier shields its instances, over whatever sort; one is taken from the clauses.
    """
    sort = next((variable.sort for clause in table.values() for variable in clause.head.variables), None)
    if sort is None or surely_defined(condition):
        return condition
    fresh, taken = "_", free_names(condition)
    while fresh in taken:
        fresh += "′"
    return ir.Exists(ir.Variable(fresh, sort), condition)


def surely_defined(expression: ir.Expression) -> bool:
    """Whether the expression has a value in every state; quantified conditions and counts always have one."""
    match expression:
        case ir.Exists() | ir.ForAll() | ir.Count():
            return True
        case ir.Compare(relation=relation) if relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
            sides = children(expression)
            return all(isinstance(side, ir.Number | ir.Size | ir.Count) and surely_defined(side) for side in sides)
        case (
            ir.Number()
            | ir.Boolean()
            | ir.Value()
            | ir.Nothing()
            | ir.Variable()
            | ir.Switch()
            | ir.SeatCount()
            | ir.And()
            | ir.Or()
            | ir.Not()
            | ir.Compare()
        ):
            return all(surely_defined(part) for part in children(expression))
        case ir.ReadRegister() | ir.Size() | ir.InZone() | ir.Happened():
            return all(isinstance(part, ir.Variable | ir.Value) for part in children(expression))
        case _:
            return False
