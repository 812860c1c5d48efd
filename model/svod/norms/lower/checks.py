"""Checks of norms that are whole: cycles among terms, outputs that norms read, fixed initial values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.allowed import check_lawfulness
from svod.norms.lower.edges import find_cycle, longest_chain
from svod.norms.lower.scope import Scope
from svod.norms.lower.slots import CHAIN_MAX
from svod.norms.lower.world import report_unknown
from svod.norms.walk import all_effects, clause_expressions, everything
from svod.source import Span


def check_norms(norms: ir.Norms, problems: Problems) -> None:
    """Report what only shows when all clauses are there."""
    _term_cycles(norms, problems)
    _outputs(norms, problems)
    check_lawfulness(norms, problems)


def check_values(scope: Scope) -> None:
    """Report values whose name is also a variable, parameter, register or term: the value could never be meant."""
    world = scope.world
    for name, owners in world.values.items():
        if name in world.variables or name in world.parameters or name in world.registers or name in world.slots:
            rule, span = world.declared.get(owners[0][0], world.declared[name])
            scope.problems.report(
                codes.DECLARED_TWICE,
                Text(
                    f"значение «{name}» сорта «{owners[0][0]}» зовётся как объявленное в {world.declared[name][0]}",
                    f"the value “{name}” of “{owners[0][0]}” is called like what {world.declared[name][0]} declares",
                ),
                span,
                rule=rule,
            )


def check_stage(scope: Scope, stage: str, span: Span) -> None:
    """Report a register that lives on a stage that does not exist."""
    world = scope.world
    known = set(world.sorts[world.stage_register].values) if world.stage_register is not None else set()
    if stage not in known:
        kind = ("этап", "stage")
        report_unknown(world, scope.problems, kind, stage, known, span, scope.rule, codes.UNKNOWN_NAME)


def is_fixed(scope: Scope, initial: ir.Expression, span: Span) -> bool:
    """Whether an initial value needs no state; reported if it does."""
    reads = (
        ir.ReadRegister,
        ir.ReadTerm,
        ir.Size,
        ir.Top,
        ir.Bottom,
        ir.Author,
        ir.CardAbove,
        ir.InZone,
        ir.ZonesHolding,
    )
    if not any(isinstance(part, reads) for part in everything(initial)):
        return True
    scope.report(
        codes.NOT_CONSTANT,
        Text("начальное значение не может зависеть от положения", "an initial value cannot depend on the state"),
        span,
    )
    return False


def _reads(clause: ir.Clause) -> Iterator[ir.Expression]:
    for expression in clause_expressions(clause):
        yield from everything(expression)


def _term_cycles(norms: ir.Norms, problems: Problems) -> None:
    table = {clause.head.id: clause for clause in norms.clauses}
    graph: dict[str, list[str]] = {term.name: [] for term in norms.terms}
    for clause in norms.clauses:
        if isinstance(clause, ir.TermClause):
            for each in (clause, *_exempting(table, clause)):
                graph[clause.term] += [read.term for read in _reads(each) if isinstance(read, ir.ReadTerm)]
    cycle = find_cycle(graph)
    if cycle is None:
        _long_chain(norms, longest_chain(graph), problems)
        return
    term = next(term for term in norms.terms if term.name == cycle[0])
    chain = " → ".join((*cycle, cycle[0]))
    problems.report(
        codes.TERM_CYCLE,
        Text(f"термины определяются по кругу: {chain}", f"terms define each other in a circle: {chain}"),
        term.span,
        rule=term.rule,
    )


def _long_chain(norms: ir.Norms, chain: list[str], problems: Problems) -> None:
    if len(chain) > CHAIN_MAX:
        term = next(term for term in norms.terms if term.name == chain[0])
        problems.report(
            codes.LONG_CHAIN,
            Text(
                f"термин «{term.name}» стоит на цепочке длиной {len(chain)}",
                f"the term “{term.name}” rests on a chain of {len(chain)}",
            ),
            term.span,
            rule=term.rule,
        )


def _exempting(table: dict[str, ir.Clause], clause: ir.Clause) -> Iterator[ir.Clause]:
    for exempt in clause.head.exceptions:
        by = table[exempt.by]
        yield by
        yield from _exempting(table, by)


def _outputs(norms: ir.Norms, problems: Problems) -> None:
    """An output register must not be read by what decides lawfulness, not even through a term."""
    outputs = {register.name for register in norms.registers if register.output}
    if not outputs:
        return
    reading: dict[str, set[str]] = {term.name: set() for term in norms.terms}
    for clause in norms.clauses:
        if isinstance(clause, ir.TermClause):
            reading[clause.term] |= {
                read.register for read in _reads(clause) if isinstance(read, ir.ReadRegister)
            } & outputs
    changed = True
    while changed:
        changed = False
        for clause in norms.clauses:
            if isinstance(clause, ir.TermClause):
                more = set().union(*(reading[read.term] for read in _reads(clause) if isinstance(read, ir.ReadTerm)))
                if not more <= reading[clause.term]:
                    reading[clause.term] |= more
                    changed = True
    for clause in norms.clauses:
        if not _decides(clause, outputs):
            continue
        for read in _reads(clause):
            found = {read.register} & outputs if isinstance(read, ir.ReadRegister) else set()
            found |= reading[read.term] if isinstance(read, ir.ReadTerm) else set()
            for name in sorted(found):
                problems.report(
                    codes.OUTPUT_READ,
                    Text(f"игра зависит от итога «{name}»", f"the play depends on the output “{name}”"),
                    clause.head.span,
                    rule=clause.head.rule,
                )


def _decides(clause: ir.Clause, outputs: set[str]) -> bool:
    """Whether the clause can change how the play goes on."""
    match clause:
        case ir.Permission() | ir.Prohibition() | ir.Duty() | ir.Violation() | ir.Lapse() | ir.Ending():
            return True
        case ir.Trigger():
            return any(
                not isinstance(effect, ir.ForEach)
                and not (isinstance(effect, ir.Assign | ir.Post) and effect.register in outputs)
                for effect in all_effects(clause.effects)
            )
        case ir.TermClause() | ir.Invariant():
            return False
        case _:
            assert_never(clause)
