"""A register that nothing changes, an event that nothing raises: a clause waits for what cannot come."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.usage import usage_of
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

NEVER_WRITTEN = Code(
    "X004",
    Text("читается и никем не меняется", "read and never changed"),
    Text(
        "Ячейку читают, но ни одна клауза её не меняет: она всю партию хранит начальное значение. То же с событием, "
        "которого никто не вызывает. Либо недостаёт правила, либо это просто постоянная величина.",
        "The register is read, yet no clause changes it: it keeps its first value for the whole play. Likewise an "
        "event that nothing raises. Either a rule is missing or the quantity is simply constant.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    norms, usage = subject.norms, usage_of(subject.book, subject.norms)
    own = {norms.stage_register, *(procedure.register for procedure in norms.procedures)}
    idle = [
        *(
            ("ячейка", "register", register.name, register.rule)
            for register in norms.registers
            if register.name in usage.registers_read - usage.registers_written - own
        ),
        *(
            ("событие", "event", event.name, event.rule)
            for event in norms.events
            if event.name in usage.events_answered - usage.events_raised
        ),
    ]
    for ru, en, name, rule in idle:
        yield static_finding(
            NEVER_WRITTEN,
            subject.scope,
            (rule,),
            Text(f"{ru} «{name}»: ничто не меняет", f"nothing ever changes the {en} “{name}”"),
            Text(f"ни одна клауза не меняет «{name}»", f"no clause changes or raises “{name}”"),
        )


CHECK = Check(NEVER_WRITTEN, run)
