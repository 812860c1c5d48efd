"""A variant none of whose items has a clause: switching it on changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

EMPTY_VARIANT = Code(
    "X007",
    Text("вариант без клауз", "variant without clauses"),
    Text(
        "Вариант перечисляет пункты, но ни у одного из них нет клаузы. Включён он или нет, игра одна и та же.",
        "The variant lists items, yet none of them has a clause. The game is the same whether it is on or off.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    carrying = {clause.head.variant for clause in subject.norms.clauses}
    for variant in subject.norms.variants:
        if variant.name in carrying:
            continue
        yield static_finding(
            EMPTY_VARIANT,
            subject.scope,
            variant.rules,
            Text(f"вариант «{variant.name}» ничего не меняет", f"the variant “{variant.name}” changes nothing"),
            Text("ни у одного из его пунктов нет клаузы", "none of its items has a clause"),
        )


CHECK = Check(EMPTY_VARIANT, run)
