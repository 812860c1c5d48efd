"""A zone that no clause and no act mentions: cards can never come there, and nobody looks."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.usage import usage_of
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

UNUSED_ZONE = Code(
    "X002",
    Text("зона, о которой никто не говорит", "zone that nobody mentions"),
    Text(
        "Зона объявлена, но ни клауза, ни действие её не называют: карты туда не попадают, и никто на неё не смотрит. "
        "Либо недостаёт правила, либо зона лишняя.",
        "The zone is declared, yet no clause and no act mentions it: no card ever comes there and nobody looks. "
        "Either a rule is missing or the zone is superfluous.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    used = usage_of(subject.book, subject.norms).zones | {subject.norms.filled}
    for zone in subject.norms.zones:
        if zone.name not in used:
            yield static_finding(
                UNUSED_ZONE,
                subject.scope,
                (zone.rule,),
                Text(f"зона «{zone.name}» не участвует в правилах", f"no rule uses the zone “{zone.name}”"),
                Text(
                    f"ни одна клауза и ни одно действие не называют зону «{zone.name}»",
                    f"no clause and no act mentions the zone “{zone.name}”",
                ),
            )


CHECK = Check(UNUSED_ZONE, run)
