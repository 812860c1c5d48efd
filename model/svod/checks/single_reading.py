"""A group of readings with one option from the start: nothing can be read in two ways there.

An amendment that withdraws readings decides for the one that is left; that is no finding.
"""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding
from svod.syntax import tree

SINGLE_READING = Code(
    "X009",
    Text("чтение без второго", "reading without a second one"),
    Text(
        "Пункт записан как неоднозначный, а чтение одно. Добавьте второе или запишите клаузы без слова «чтение».",
        "The item is written as ambiguous and has one reading only. Add the other one or write its clauses plainly.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    for item in subject.book.items:
        if item.history:
            continue
        for statement in item.statements:
            if isinstance(statement, tree.ReadingGroup) and len(statement.options) < 2:
                yield static_finding(
                    SINGLE_READING,
                    subject.scope,
                    (item.number,),
                    Text(f"у {item.number} только одно чтение", f"{item.number} has one reading only"),
                    Text("в группе чтений одна запись", "the group of readings has one option"),
                )


CHECK = Check(SINGLE_READING, run)
