"""An action that people can perform and no clause speaks of: neither allowed, nor forbidden, nor owed."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding
from svod.norms import ir

UNREGULATED = Code(
    "X005",
    Text("неурегулированное действие", "unregulated action"),
    Text(
        "Действие объявлено, и совершить его можно, но ни одна клауза его не разрешает, не запрещает и не требует. "
        "Молчание текста не разрешение: скажите, когда действие законно, или пометьте класс «молчание разрешает».",
        "The action is declared and people can perform it, yet no clause permits, forbids or demands it. A silent text "
        "is no permission: say when the action is lawful, or declare its class with “silence permits”.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    regulated = {
        clause.action
        for clause in subject.norms.clauses
        if isinstance(clause, ir.Permission | ir.Prohibition | ir.Duty)
    }
    for action in subject.norms.actions:
        if action.actor is None or action.silence_permits or action.name in regulated:
            continue
        yield static_finding(
            UNREGULATED,
            subject.scope,
            (action.rule,),
            Text(f"о действии «{action.name}» правила молчат", f"the rules are silent about “{action.name}”"),
            Text(
                f"ни одна клауза не разрешает, не запрещает и не требует «{action.name}»",
                f"no clause permits, forbids or demands “{action.name}”",
            ),
        )


CHECK = Check(UNREGULATED, run)
