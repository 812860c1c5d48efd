"""In: a report. Out: what `svod check` prints for a person: findings with rules, plays and grades, then a summary."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rich.text import Text as Rich

from svod.diagnostics import Severity, Text
from svod.findings import Finding
from svod.report import Report
from svod_tools import terminal
from svod_tools.finding_words import FAMILIES, GRADES, method_text, scope_text, split_rules

_RANKS = {
    Severity.ERROR: (Text("ошибка", "error"), "red"),
    Severity.WARNING: (Text("замечание", "warning"), "yellow"),
    Severity.NOTE: (Text("к сведению", "note"), "cyan"),
}
_LISTED = frozenset(("F206",))
"""Kinds of finding of which there are many, printed as a list; JSON and the site show each in full."""
_PLAY_HEAD, _PLAY_TAIL = 4, 16
"""A longer play is shown by its first and its last moves; JSON and the site show all."""


def report_text(report: Report, language: str) -> Rich:
    """The whole report; accepted findings only as a count."""
    text = Rich()
    open_findings = [finding for finding in report.findings if finding.accepted is None]
    for code, group in groupby(open_findings, key=lambda finding: finding.code):
        found = list(group)
        if code.name in _LISTED and len(found) > 1:
            text.append_text(list_text(found, language)).append("\n\n")
            continue
        for finding in found:
            text.append_text(finding_text(finding, language)).append("\n\n")
    return text.append_text(summary_text(report, language))


def list_text(findings: Sequence[Finding], language: str) -> Rich:
    """Many findings of one kind: a heading, then for each its numbers, what is wrong, and the play in one line."""
    first = findings[0]
    rank, colour = _RANKS[first.severity]
    title = f"{rank.in_language(language)}[{first.code.name}]: {first.code.title.in_language(language)}"
    text = Rich(f"{title} ({len(findings)})", style=f"bold {colour}")
    about = f"{FAMILIES[first.family].in_language(language)}; {GRADES[first.grade].in_language(language)}"
    text.append(f"\n  {about}; {method_text(first, language)}", style="dim")
    for finding in findings:
        rules, more = split_rules(finding.rules, language)
        text.append("\n  ").append((", ".join(rules) or "—") + more, style=colour)
        text.append(": ").append_text(terminal.cards(finding.verdict.in_language(language)))
        moves = " → ".join(move.text for move in finding.play)
        if moves:
            text.append("\n      ").append_text(terminal.cards(moves))
    return text


def finding_text(finding: Finding, language: str) -> Rich:
    """Numbers first, then what is wrong, how it was found, and the play that shows it."""
    rank, colour = _RANKS[finding.severity]
    rules, more = split_rules(finding.rules, language)
    text = Rich((", ".join(rules) or "—") + more, style=f"bold {colour}")
    text.append(f": {rank.in_language(language)}[{finding.code.name}]: ", style=f"bold {colour}")
    text.append_text(terminal.cards(finding.title.in_language(language)))
    about = f"{FAMILIES[finding.family].in_language(language)}; {GRADES[finding.grade].in_language(language)}"
    text.append(f"\n  {about}; {scope_text(finding.scope, language)}; {method_text(finding, language)}", style="dim")
    verdict = finding.verdict.in_language(language)
    if verdict:
        text.append("\n  ").append_text(terminal.cards(verdict.replace("\n", "\n  ")))
    for line in _play_lines(finding, language):
        text.append("\n    ").append_text(line)
    return text


def _play_lines(finding: Finding, language: str) -> list[Rich]:
    lines = []
    for number, move in enumerate(finding.play, 1):
        line = Rich(f"{number:>3}. ", style="dim").append_text(terminal.cards(move.text))
        if not move.lawful:
            line.append(Text("   не по правилам", "   against the rules").in_language(language), style="yellow")
        lines.append(line.append(f"   {', '.join(move.rules)}", style="dim"))
    left_out = len(lines) - _PLAY_HEAD - _PLAY_TAIL
    if left_out > 1:
        words = Text(f"     … ещё {left_out} …", f"     … {left_out} more …").in_language(language)
        lines = [*lines[:_PLAY_HEAD], Rich(words, style="dim"), *lines[-_PLAY_TAIL:]]
    return lines


def summary_text(report: Report, language: str) -> Rich:
    """One line of counts, and where to learn more."""
    summary = report.summary
    words = Text(
        f"ошибок: {summary.errors}, замечаний: {summary.warnings}, к сведению: {summary.notes}, "
        f"принято: {summary.accepted}, не решено: {summary.unknown}",
        f"errors: {summary.errors}, warnings: {summary.warnings}, notes: {summary.notes}, "
        f"accepted: {summary.accepted}, not decided: {summary.unknown}",
    ).in_language(language)
    edition = Text("редакция", "edition").in_language(language)
    style = "bold red" if summary.errors else "bold green"
    text = Rich(f"{report.rulebook}, {edition} {report.edition}: {words}", style=style)
    text.append(f"\n{scope_text(report.scope, language)}", style="dim")
    codes = sorted({finding.code.name for finding in report.findings if finding.accepted is None})
    if codes:
        more = Text("Подробнее", "More").in_language(language)
        text.append(f"\n{more}: svod explain {codes[0]}", style="dim")
    return text
