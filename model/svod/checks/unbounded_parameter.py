"""A parameter that the text uses and never bounds: «?» where its values should stand."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

UNBOUNDED = Code(
    "X001",
    Text("параметр без границ", "parameter without bounds"),
    Text(
        "Свод пользуется величиной (числом игроков, размером колоды), а какой она бывает, не говорит: в объявлении "
        "параметра стоит «?». Назовите границы, например `параметр игроков: 2..8`.",
        "The rulebook uses a quantity (number of players, size of the deck) and never says what it may be: its "
        "declaration has “?”. State the bounds, for example `parameter players: 2..8`.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    for unbounded in subject.norms.unbounded:
        name = unbounded.parameter
        yield static_finding(
            UNBOUNDED,
            subject.scope,
            (unbounded.rule,),
            Text(f"границы параметра «{name}» не названы", f"the bounds of the parameter “{name}” are not stated"),
            Text(
                f"параметр «{name}» объявлен со знаком «?», и ни один пункт его не ограничивает",
                f"the parameter “{name}” is declared with “?” and no item bounds it",
            ),
        )


CHECK = Check(UNBOUNDED, run)
