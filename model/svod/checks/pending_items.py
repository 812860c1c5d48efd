"""Items that say of themselves that they are not formal yet, in one finding: what no other verdict covers."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

PENDING = Code(
    "X006",
    Text("пункты, ещё не записанные формально", "items not formalised yet"),
    Text(
        "Эти пункты несут норму, но помечены «не формализовано»: ни один вывод проверки о них не говорит. "
        "Пункты без нормы помечают «информативно», они сюда не входят.",
        "These items carry a norm and are marked “not formalised”: no verdict of the check speaks about them. "
        "Items without a norm are marked “informative” and are not listed here.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    pending = [item for item in subject.book.items if item.status is not None and item.status.kind == "pending"]
    if not pending:
        return
    count, total = len(pending), len(subject.book.items)
    yield static_finding(
        PENDING,
        subject.scope,
        (item.number for item in pending),
        Text(f"не формализовано: {count} из {total}", f"not formalised: {count} of {total} items"),
        Text(
            "выводы проверки не касаются этих пунктов: " + ", ".join(item.number for item in pending),
            "no verdict speaks about these items: " + ", ".join(item.number for item in pending),
        ),
    )


CHECK = Check(PENDING, run)
