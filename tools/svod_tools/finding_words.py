"""In: families, grades, methods and scopes of findings. Out: their words, the same in the terminal and on the site."""

from __future__ import annotations

from svod.diagnostics import Severity, Text
from svod.findings import Family, Finding, Grade, Scope

FAMILIES = {
    Family.CONTRADICTION: Text("противоречие", "contradiction"),
    Family.GAP: Text("пробел", "gap"),
    Family.AMBIGUITY: Text("двусмысленность", "ambiguity"),
    Family.INVARIANT: Text("утверждение «всегда»", "invariant"),
    Family.UNREACHABLE: Text("недостижимое", "unreachable"),
    Family.INPUT: Text("примеры и пометки", "examples and marks"),
    Family.STATIC: Text("текст", "text"),
}
"""In the order in which a reader wants them."""
GRADES = {
    Grade.TEXT: Text("видно из текста", "seen in the text"),
    Grade.LOCAL: Text("положение, из раздачи не выведено", "a position, not reached from a deal"),
    Grade.CONSISTENT: Text("положение, согласное с доказанным", "a position consistent with what is proved"),
    Grade.REACHABLE: Text("игра от раздачи, переиграна ход за ходом", "a play from the deal, replayed move by move"),
    Grade.PROVED: Text("доказано", "proved"),
    Grade.UNKNOWN: Text("не решено", "not decided"),
}
METHODS = {
    "text": Text("по тексту", "text"),
    "example": Text("пример", "example"),
    "solver: induction over lawful steps": Text(
        "решатель: индукция по законным шагам", "solver: induction over lawful steps"
    ),
    "two readings in lockstep, breadth first": Text(
        "два прочтения шаг в шаг, сперва короткие игры", "two readings in lockstep, breadth first"
    ),
    "two readings in lockstep, careless games": Text(
        "два прочтения шаг в шаг, партии с нарушениями", "two readings in lockstep, careless games"
    ),
    "breaches one by one, then what may be said and is owed": Text(
        "нарушения по одному, затем слова и расчёты", "breaches one by one, then what may be said and is owed"
    ),
    "random play": Text("случайная игра", "random play"),
    "random play, then breadth first on a reduced deck": Text(
        "случайная игра, затем кратчайшая на малой колоде", "random play, then breadth first on a reduced deck"
    ),
}
RANKS = {
    Severity.ERROR: Text("ошибка", "error"),
    Severity.WARNING: Text("замечание", "warning"),
    Severity.NOTE: Text("к сведению", "note"),
}
RULES_SHOWN_MAX = 8


def method_text(finding: Finding, language: str) -> str:
    """How it was found; a method without words of its own is named as it is."""
    return METHODS.get(finding.method, Text(finding.method, finding.method)).in_language(language)


def scope_text(scope: Scope, language: str) -> str:
    """At what deck, with how many players and what in force a verdict holds."""
    parts = (
        (Text("колода", "deck"), scope.deck),
        (Text("игроков", "players"), scope.players),
        (Text("карты", "cards"), " ".join(scope.cards)),
        (Text("в силе", "in force"), " ".join(scope.switches)),
    )
    return ", ".join(f"{name.in_language(language)} {value}" for name, value in parts if value)


def split_rules(rules: tuple[str, ...], language: str) -> tuple[tuple[str, ...], str]:
    """The numbers to show, and words for how many more there are."""
    more = len(rules) - RULES_SHOWN_MAX
    if more <= 0:
        return rules, ""
    words = Text(f" … и ещё {more}", f" … and {more} more").in_language(language)
    return rules[:RULES_SHOWN_MAX], words
