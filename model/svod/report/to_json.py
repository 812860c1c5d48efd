"""In: a report. Out: its JSON as `schema` describes it, texts in one language."""

from __future__ import annotations

from typing import TypeAlias

from svod.findings import Finding, Scope
from svod.report.making import Report

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"


def report_to_json(report: Report, language: str = "en") -> dict[str, Json]:
    """The report as the schema describes it."""
    return {
        "rulebook": report.rulebook,
        "edition": report.edition,
        "scope": scope_to_json(report.scope),
        "findings": [finding_to_json(finding, language) for finding in report.findings],
        "summary": {
            "errors": report.summary.errors,
            "warnings": report.summary.warnings,
            "notes": report.summary.notes,
            "accepted": report.summary.accepted,
            "unknown": report.summary.unknown,
            "families": {family.value: count for family, count in report.summary.families},
            "exit": report.exit_code,
        },
    }


def finding_to_json(finding: Finding, language: str = "en") -> dict[str, Json]:
    """One finding; `position` is the one to look at in canonical form, `play` the moves that lead there."""
    return {
        "code": finding.code.name,
        "family": finding.family.value,
        "severity": finding.severity.value,
        "grade": finding.grade.value,
        "rules": list(finding.rules),
        "title": finding.title.in_language(language),
        "position": _plain(finding.position_json),
        "play": [
            {"action": move.text, "by": move.by, "rules": list(move.rules), "lawful": move.lawful}
            for move in finding.play
        ],
        "verdict": finding.verdict.in_language(language),
        "method": finding.method,
        "scope": scope_to_json(finding.scope),
        "seconds": round(finding.seconds, 3),
        "accepted": finding.accepted,
    }


def scope_to_json(scope: Scope) -> dict[str, Json]:
    """What the verdict speaks about."""
    return {
        "deck": scope.deck,
        "players": scope.players,
        "cards": list(scope.cards),
        "switches": list(scope.switches),
        "edition": scope.edition,
        "budget": scope.budget,
    }


def _plain(value: object) -> Json:
    """JSON out of mappings, sequences and plain values; anything else is a bug of ours."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    raise TypeError(f"no JSON for {type(value).__name__}")
