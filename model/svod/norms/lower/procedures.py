"""Procedures → the triggers that pass a step on when nothing in it is owed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from svod.norms import ir
from svod.norms.fires import fires_in, met
from svod.norms.lower.clauses import Numbering
from svod.norms.lower.placed import Placed
from svod.norms.walk import all_effects
from svod.syntax import tree


def pass_on_triggers(
    placed: Sequence[Placed],
    procedures: Mapping[str, ir.Procedure],
    clauses: Sequence[ir.Clause],
    numbering: Numbering,
) -> list[ir.Trigger]:
    """For each step but the last: once no duty of its item is pending, the next step is the current one.

    An explicit «перейти к» goes first: the trigger waits for rules that write the step, then reads its guard again.
    """
    table = {clause.head.id: clause for clause in clauses}
    result = []
    for each in placed:
        if not isinstance(each.statement, tree.ProcedureDeclaration):
            continue
        procedure = procedures.get(each.statement.procedure)
        if procedure is None:
            continue
        after = _writers(procedure, clauses, each.rule)
        for index, step in enumerate(procedure.steps[:-1]):
            here = ir.Compare(
                ir.Relation.EQUAL, ir.ReadRegister(procedure.register, ()), ir.Value(procedure.register, index)
            )
            pending = [
                _pending(table, clause)
                for clause in clauses
                if isinstance(clause, ir.Duty) and clause.head.rule == step
            ]
            head = ir.Head(
                numbering.next(each.rule),
                each.rule,
                (),
                ir.And((here, *(ir.Not(duty) for duty in pending))) if pending else here,
                amended_by=each.origin,
                span=each.statement.span,
            )
            effect = ir.Assign(procedure.register, (), ir.Value(procedure.register, index + 1))
            result.append(ir.Trigger(head, ir.OnEdge(), (effect,), after))
    return result


def _pending(table: Mapping[str, ir.Clause], duty: ir.Duty) -> ir.Expression:
    owed = fires_in(table, duty)
    for variable in reversed(duty.head.variables):
        owed = ir.Exists(variable, owed)
    return met(table, owed)


def _writers(procedure: ir.Procedure, clauses: Sequence[ir.Clause], own: str) -> tuple[str, ...]:
    rules = (
        clause.head.rule
        for clause in clauses
        if isinstance(clause, ir.Trigger)
        and any(
            isinstance(effect, ir.Assign) and effect.register == procedure.register
            for effect in all_effects(clause.effects)
        )
    )
    return tuple(dict.fromkeys(rule for rule in rules if rule != own))
