"""A number of the catalogue whose punishment nothing answers: to be judged guilty of it costs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.writes import conjuncts
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding
from svod.norms import ir

WITHOUT_PENALTY = Code(
    "X012",
    Text("нарушение без последствий", "a violation that costs nothing"),
    Text(
        "Ни одно правило не отвечает на наказание за этот номер: признан виновным — и ничего. Назовите штраф или "
        "скажите, что номер ничего не стоит.",
        "No rule answers a punishment for this number: judged guilty, and nothing follows. Name the penalty, or say "
        "that the number costs nothing.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    catalogue = subject.norms.catalogue
    if catalogue is None:
        return
    answers = [
        numbers
        for clause in subject.norms.clauses
        if isinstance(clause, ir.Trigger) and (numbers := _answered(clause, catalogue)) is not _NOTHING
    ]
    for place, number in enumerate(subject.norms.sort(catalogue.sort).values):
        if number != catalogue.other and not any(numbers is None or place in numbers for numbers in answers):
            yield static_finding(
                WITHOUT_PENALTY,
                subject.scope,
                dict.fromkeys((number, catalogue.rule)),
                Text(f"{number}: наказание ничего не стоит", f"{number}: its punishment costs nothing"),
                Text(
                    f"на «{catalogue.punished}» с номером {number} не отвечает ни одно правило",
                    f"no rule answers “{catalogue.punished}” for {number}",
                ),
                Family.GAP,
            )


_NOTHING: frozenset[int] = frozenset()


def _answered(clause: ir.Trigger, catalogue: ir.Catalogue) -> frozenset[int] | None:
    """Numbers of the values for which the trigger may answer a punishment; None: for any."""
    if not isinstance(clause.cause, ir.OnEvent) or clause.cause.event != catalogue.punished:
        return _NOTHING
    name = clause.cause.bindings[1]
    if name is None:
        return None
    allowed: frozenset[int] | None = None
    for part in conjuncts(clause.head.guard):
        named = _named(part, name)
        if named is not None:
            allowed = named if allowed is None else allowed & named
    return allowed


def _named(part: ir.Expression, name: str) -> frozenset[int] | None:
    """Values to which the condition ties the variable; None if it does not."""
    if isinstance(part, ir.Or):
        options = [_named(option, name) for option in part.parts]
        known = [option for option in options if option is not None]
        return frozenset().union(*known) if len(known) == len(options) else None
    if isinstance(part, ir.Compare) and part.relation is ir.Relation.EQUAL:
        sides = (part.left, part.right)
        if any(isinstance(side, ir.Variable) and side.name == name for side in sides):
            return next((frozenset((side.index,)) for side in sides if isinstance(side, ir.Value)), None)
    return None


CHECK = Check(WITHOUT_PENALTY, run)
