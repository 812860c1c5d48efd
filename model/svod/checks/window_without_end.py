"""A window that rules open and none closes, a right that lasts for ever once it has come up."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.writes import conjuncts, only_ever_set, truths_written
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding
from svod.norms import ir

WITHOUT_END = Code(
    "X013",
    Text("окно или право без конца", "a window or a right without an end"),
    Text(
        "Правило открывает окно (или даёт право), а закрыть его не может ни одно правило: до конца партии оно "
        "открыто. Скажите, каким событием оно кончается, или что оно и вправду бессрочное.",
        "A rule opens the window (or gives the right) and no rule can close it: it stays open to the end of the play. "
        "Say which event ends it, or that it is meant to last.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    norms = subject.norms
    endless = {register.name: register for register in norms.registers if only_ever_set(norms, register)}
    for register in endless.values():
        if register.window:
            opening = truths_written(norms, register.name)[True]
            yield _finding(
                subject,
                dict.fromkeys((*opening, register.rule)),
                Text(f"окно «{register.name}» никто не закрывает", f"nothing closes the window “{register.name}”"),
                Text(
                    f"открывает {', '.join(opening)}, закрывать некому",
                    f"opened by {', '.join(opening)}, closed by nothing",
                ),
            )
    for clause in norms.clauses:
        if not isinstance(clause, ir.Permission) or not clause.strong or clause.head.exceptions:
            continue
        parts = list(conjuncts(clause.head.guard))
        cells = [part.register for part in parts if isinstance(part, ir.ReadRegister) and part.register in endless]
        if cells and all(_lasts(part, endless) for part in parts):
            opening = truths_written(norms, cells[0])[True]
            yield _finding(
                subject,
                dict.fromkeys((clause.head.rule, *opening)),
                Text(f"право на «{clause.action}» не кончается", f"the right to “{clause.action}” never ends"),
                Text(
                    f"оно зависит от «{cells[0]}», а её только включают: {', '.join(opening)}",
                    f"it depends on “{cells[0]}”, which is only ever set: {', '.join(opening)}",
                ),
            )


def _lasts(part: ir.Expression, endless: dict[str, ir.Register]) -> bool:
    """Whether the condition, once met, stays met: such a register, or something that no state decides."""
    if isinstance(part, ir.ReadRegister):
        return part.register in endless
    constant = ir.Variable | ir.Value | ir.Number | ir.Switch
    return isinstance(part, ir.Switch) or (
        isinstance(part, ir.Compare) and isinstance(part.left, constant) and isinstance(part.right, constant)
    )


def _finding(subject: Subject, rules: dict[str, None], title: Text, verdict: Text) -> Finding:
    return static_finding(WITHOUT_END, subject.scope, rules, title, verdict, Family.GAP)


CHECK = Check(WITHOUT_END, run)
