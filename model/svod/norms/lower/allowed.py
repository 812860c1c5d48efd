"""«можно действие(…)» → lawfulness of an act, or of some act where places are left open; cycles are reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.patterns import Target, action_targets, is_wildcard
from svod.norms.lower.scope import Scope, Typed
from svod.norms.walk import everything
from svod.syntax import tree


def lower_allowed(scope: Scope, allowed: tree.Allowed) -> Typed | None:
    """The question, in conditions of clauses that judge; None once a problem is reported."""
    if not scope.judging:
        scope.report(
            codes.NOT_HERE,
            Text(
                "«можно» спрашивают только условия нарушений, последствий, «всегда» и примеры",
                "`allowed` belongs in conditions of violations and consequences, in `always` and in examples only",
            ),
            allowed.span,
            Text(
                "нормы о действиях и термины решают, что можно, и спрашивать этого не могут",
                "norms about acts and terms decide what is allowed, and cannot ask for it",
            ),
        )
        return None
    pattern = tree.Pattern(allowed.action, allowed.arguments, span=allowed.span)
    acts = [_act(scope, target) for target in action_targets(scope, pattern)]
    whole = tuple(act for act in acts if act is not None)
    if not acts or len(whole) < len(acts):
        return None
    return Typed(whole[0] if len(whole) == 1 else ir.Or(whole), ir.Truth())


def _act(scope: Scope, target: Target) -> ir.Expression | None:
    taken = {variable.name for variable in scope.bound.values()} | scope.reserved
    arguments: list[ir.Expression] = []
    loose: list[ir.Variable] = []
    for argument, parameter in zip(target.arguments, target.parameters, strict=True):
        if is_wildcard(argument):
            fresh = parameter
            while fresh.name in taken:
                fresh = ir.Variable(fresh.name + "′", parameter.sort)
            taken.add(fresh.name)
            loose.append(fresh)
            arguments.append(fresh)
            continue
        inner = replace(scope, reserved=scope.reserved | {variable.name for variable in loose})
        lowered = inner.wanted(argument, ir.Member(parameter.sort))
        if lowered is None:
            return None
        arguments.append(lowered)
    result: ir.Expression = ir.Lawful(target.name, tuple(arguments), scope.naming)
    for variable in reversed(loose):
        result = ir.Exists(variable, result)
    return result


def check_lawfulness(norms: ir.Norms, problems: Problems) -> None:
    """Report norms about acts whose exceptions ask what is allowed: they would decide on themselves.

    A violation asks for lawfulness apart from violations, so it may speak of its own act.
    """
    table = {clause.head.id: clause for clause in norms.clauses}
    for clause in norms.clauses:
        match clause:
            case ir.TermClause() | ir.Permission() | ir.Prohibition() | ir.Duty() | ir.Ending():
                if _asks(table, clause):
                    problems.report(
                        codes.LAWFUL_CYCLE,
                        Text(
                            "исключение из этой нормы само спрашивает, что можно",
                            "what excepts this norm asks itself what is allowed",
                        ),
                        clause.head.span,
                        rule=clause.head.rule,
                    )
            case ir.Violation() | ir.Trigger() | ir.Lapse() | ir.Invariant():
                continue
            case _:
                assert_never(clause)


def _asks(table: Mapping[str, ir.Clause], clause: ir.Clause) -> bool:
    """Whether the clause asks for lawfulness, its exceptions included."""
    own = any(isinstance(part, ir.Lawful) for part in everything(clause.head.guard))
    return own or any(_asks(table, table[exempt.by]) for exempt in clause.head.exceptions)
