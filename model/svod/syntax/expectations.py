"""In: terminals that could have stood at a place. Out: words for them, and the keyword that a word is a slip of."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Set

from svod.diagnostics import Text
from svod.syntax.keywords import KEYWORDS, LANGUAGES, Keyword
from svod.syntax.lookalike import skeleton
from svod.syntax.parsing import PUNCTUATION

LISTED_MAX = 8
STARTS_MIN = 4
"""Fewer words that begin statements do not stand for the next statement: they go on with this one."""

_SIGNS = {name: pattern.split("|")[0].replace("\\", "") for name, pattern, _ in PUNCTUATION} | {"_PIPE": "|"}
_CLASSES = {
    "NAME": Text("имя", "a name"),
    "NUMBER": Text("число", "a number"),
    "RULE_NUMBER": Text("номер пункта", "a rule number"),
    "STRING": Text("текст в кавычках «…»", "a text in quotation marks «…»"),
}
_USUAL_STARTS = ("MAY", "ENTITLED", "FORBID", "MUST", "TERM", "ON", "AS_SOON_AS", "ACTION", "ZONE", "REGISTER")
_EXAMPLE_STARTS = ("GIVEN", "DO", "EXPECT")


def keywords_of(expected: Set[str]) -> list[Keyword]:
    """The keywords among the terminals, in a stable order."""
    return [KEYWORDS[name[1:]] for name in sorted(expected) if name[0] == "_" and name[1:] in KEYWORDS]


def begins_statement(keyword: Keyword) -> bool:
    """Whether the keyword begins a statement or a line of an example."""
    return keyword.starts_statement or keyword.terminal in _EXAMPLE_STARTS


def some_starts(expected: Set[str], language: str) -> Text:
    """Words that begin statements, or lines of an example where one is read."""
    if "_GIVEN" in expected:
        shown = ", ".join(f"`{KEYWORDS[name].word(language)}`" for name in _EXAMPLE_STARTS)
        return Text(f"строки примера начинаются словами {shown}", f"lines of an example begin with {shown}")
    shown = ", ".join(f"`{KEYWORDS[name].word(language)}`" for name in _USUAL_STARTS)
    return Text(f"записи начинаются словами {shown} и другими", f"statements begin with {shown} and others")


def list_expected(expected: Set[str], language: str) -> Text | None:
    """A few things that could stand at the place; None where there are too many to help."""
    names = sorted(expected)
    if {"NAME", "_IF"} <= expected:
        return Text("здесь ожидается выражение", "an expression is expected here")
    signs = [f"`{_SIGNS[name]}`" for name in names if name in _SIGNS]
    starts = sum(begins_statement(keyword) for keyword in keywords_of(expected))
    words = [
        f"`{keyword.text(language)}`"
        for keyword in keywords_of(expected)
        if starts < STARTS_MIN or not begins_statement(keyword)
    ]
    kinds = [_CLASSES[name] for name in names if name in _CLASSES]
    russian = [kind.ru for kind in kinds] + signs + words
    if not russian or len(russian) > LISTED_MAX:
        return None
    english = [kind.en for kind in kinds] + signs + words
    return Text("здесь ожидается: " + ", ".join(russian), "expected here: " + ", ".join(english))


def did_you_mean(word: str, candidates: Iterable[Keyword], language: str) -> Text | None:
    """The candidate that `word` is a slip of: other alphabet, other language, or a few wrong letters."""
    candidates = list(candidates)
    forms = {form.split()[0].rstrip(","): keyword for keyword in candidates for form in keyword.forms[language]}
    for form in forms:
        if word != form and skeleton(word) == skeleton(form):
            return Text(f"`{form}` набрано буквами другого алфавита", f"`{form}` is typed in another alphabet")
    for keyword in candidates:
        for other in LANGUAGES:
            if other != language and word.casefold() in (form.split()[0] for form in keyword.forms[other]):
                printed = keyword.text(language)
                return Text(f"на языке этого файла это `{printed}`", f"in the language of this file it is `{printed}`")
    close = [form for form in difflib.get_close_matches(word.casefold(), forms, n=3, cutoff=0.7) if _near(word, form)]
    if not close:
        return None
    meant = forms[close[0]]
    whole = next(form for form in meant.forms[language] if form.split()[0].rstrip(",") == close[0])
    printed = f", {whole}" if meant.comma[language] == "," else whole
    return Text(f"возможно, `{printed}`?", f"perhaps `{printed}`?")


def _near(word: str, form: str) -> bool:
    """One letter wrong in a word of four letters or more, or most letters right."""
    word = word.casefold()
    if len(word) == len(form) >= 4 and sum(1 for a, b in zip(word, form, strict=True) if a != b) == 1:
        return True
    return difflib.SequenceMatcher(None, word, form).ratio() >= 0.8
