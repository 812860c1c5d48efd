"""A number of the catalogue that no clause gives a meaning: nobody can ever be guilty of it."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding
from svod.norms import ir

WITHOUT_CLAUSE = Code(
    "X011",
    Text("нарушение без формулы", "a violation without a formula"),
    Text(
        "Перечень называет нарушение, но ни одна клауза `нарушение` не говорит, каким действием его совершают: "
        "виновным в нём не станет никто. Запишите, когда оно случается, или уберите пункт из перечня.",
        "The catalogue lists the violation, yet no `violation` clause says by which act it is committed: nobody can "
        "ever be guilty of it. Write down when it happens, or take the item out of the catalogue.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    catalogue = subject.norms.catalogue
    if catalogue is None:
        return
    defined = {clause.name for clause in subject.norms.clauses if isinstance(clause, ir.Violation)}
    for number in subject.norms.sort(catalogue.sort).values:
        if number not in defined and number != catalogue.other:
            yield static_finding(
                WITHOUT_CLAUSE,
                subject.scope,
                (number,),
                Text(f"{number}: не сказано, каким действием это нарушают", f"{number}: no act commits this violation"),
                Text(
                    f"ни одной клаузы «нарушение {number}» нет", f"there is no clause that defines violation {number}"
                ),
                Family.GAP,
            )


CHECK = Check(WITHOUT_CLAUSE, run)
