"""In: a report. Out: what `svod check` prints for a person: findings with rules, plays and grades, then a summary."""

from __future__ import annotations

from rich.text import Text as Rich

from svod.diagnostics import Text
from svod.findings import Family, Finding, Grade, Scope
from svod.report import Report
from svod_tools import terminal

_FAMILIES = {
    Family.STATIC: Text("текст", "text"),
    Family.CONTRADICTION: Text("противоречие", "contradiction"),
    Family.GAP: Text("пробел", "gap"),
    Family.AMBIGUITY: Text("двусмысленность", "ambiguity"),
    Family.UNREACHABLE: Text("недостижимое", "unreachable"),
    Family.INVARIANT: Text("утверждение «всегда»", "invariant"),
    Family.INPUT: Text("примеры и пометки", "examples and marks"),
}
GRADES = {
    Grade.TEXT: Text("видно из текста", "seen in the text"),
    Grade.LOCAL: Text("положение, из раздачи не выведено", "a position, not reached from a deal"),
    Grade.CONSISTENT: Text("положение, согласное с доказанным", "a position consistent with what is proved"),
    Grade.REACHABLE: Text("партия от раздачи, переиграна", "a play from the deal, replayed"),
    Grade.PROVED: Text("доказано", "proved"),
    Grade.UNKNOWN: Text("не решено", "not decided"),
}
_RULES_SHOWN_MAX = 8
_PLAY_HEAD, _PLAY_TAIL = 4, 16
"""A longer play is shown by its first and its last moves; JSON and the site show all."""
_METHODS = {
    "text": Text("по тексту", "text"),
    "example": Text("пример", "example"),
    "random play": Text("случайная игра", "random play"),
    "random play, then breadth first on a reduced deck": Text(
        "случайная игра, затем кратчайшая на малой колоде", "random play, then breadth first on a reduced deck"
    ),
}


def report_text(report: Report, language: str) -> Rich:
    """The whole report; accepted findings only as a count."""
    text = Rich()
    for finding in report.findings:
        if finding.accepted is None:
            text.append_text(finding_text(finding, language)).append("\n\n")
    return text.append_text(summary_text(report, language))


def finding_text(finding: Finding, language: str) -> Rich:
    """Numbers first, then what is wrong, how it was found, and the play that shows it."""
    colour = "red" if finding.is_error else "yellow"
    rank = Text("ошибка", "error") if finding.is_error else Text("замечание", "warning")
    text = Rich(_rules(finding.rules, language), style=f"bold {colour}")
    text.append(f": {rank.in_language(language)}[{finding.code.name}]: ", style=f"bold {colour}")
    text.append_text(terminal.cards(finding.title.in_language(language)))
    about = f"{_FAMILIES[finding.family].in_language(language)}; {GRADES[finding.grade].in_language(language)}"
    method = _METHODS.get(finding.method, Text(finding.method, finding.method)).in_language(language)
    text.append(f"\n  {about}; {scope_text(finding.scope, language)}; {method}", style="dim")
    verdict = finding.verdict.in_language(language)
    if verdict:
        text.append("\n  ").append_text(terminal.cards(verdict.replace("\n", "\n  ")))
    for line in _play_lines(finding, language):
        text.append("\n    ").append_text(line)
    return text


def _rules(rules: tuple[str, ...], language: str) -> str:
    """Numbers of a finding; of very many the first, and how many more there are."""
    if len(rules) <= _RULES_SHOWN_MAX:
        return ", ".join(rules) or "—"
    more = len(rules) - _RULES_SHOWN_MAX
    words = Text(f"… и ещё {more}", f"… and {more} more").in_language(language)
    return f"{', '.join(rules[:_RULES_SHOWN_MAX])} {words}"


def _play_lines(finding: Finding, language: str) -> list[Rich]:
    lines = []
    for number, move in enumerate(finding.play, 1):
        line = Rich(f"{number:>3}. ", style="dim").append_text(terminal.cards(move.text))
        lines.append(line.append(f"   {', '.join(move.rules)}", style="dim"))
    left_out = len(lines) - _PLAY_HEAD - _PLAY_TAIL
    if left_out > 1:
        words = Text(f"     … ещё {left_out} …", f"     … {left_out} more …").in_language(language)
        lines = [*lines[:_PLAY_HEAD], Rich(words, style="dim"), *lines[-_PLAY_TAIL:]]
    return lines


def scope_text(scope: Scope, language: str) -> str:
    """At what deck and with how many players the verdict holds."""
    parts = [f"{Text('колода', 'deck').in_language(language)} {scope.deck}" if scope.deck else ""]
    parts.append(f"{Text('игроков', 'players').in_language(language)} {scope.players}" if scope.players else "")
    parts.append(f"{Text('карты', 'cards').in_language(language)} {' '.join(scope.cards)}" if scope.cards else "")
    parts.append(", ".join(scope.switches))
    return ", ".join(part for part in parts if part)


def summary_text(report: Report, language: str) -> Rich:
    """One line of counts, and where to learn more."""
    summary = report.summary
    words = Text(
        f"ошибок: {summary.errors}, замечаний: {summary.warnings}, принято: {summary.accepted}, "
        f"не решено: {summary.unknown}",
        f"errors: {summary.errors}, warnings: {summary.warnings}, accepted: {summary.accepted}, "
        f"not decided: {summary.unknown}",
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
