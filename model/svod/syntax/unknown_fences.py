"""In: a fence whose language is not ours. Out: a problem where it was meant to be ours; other code is left alone."""

from __future__ import annotations

import difflib

from svod.diagnostics import Problems, Text
from svod.source import Source, Span
from svod.syntax import codes
from svod.syntax.keywords import FENCES, LANGUAGES
from svod.syntax.lookalike import skeleton
from svod.syntax.markdown import Fence


def report_unknown_fence(source: Source, fence: Fence, language: str, rule: str | None, problems: Problems) -> None:
    """Reports a fence language that is a slip of one of ours: other alphabet, other language, other ending."""
    wanted = _meant(fence.word, language)
    if wanted is None:
        return
    line = source.text[fence.opening : fence.start]
    begin = fence.opening + line.find(fence.word)
    problems.report(
        codes.UNKNOWN_FENCE,
        Text(f"неизвестный вид блока «{fence.word}»", f"unknown kind of fence “{fence.word}”"),
        Span(source.name, begin, begin + len(fence.word)),
        rule=rule,
        help=Text(f"напишите `{wanted}`", f"write `{wanted}`"),
    )


def _meant(word: str, language: str) -> str | None:
    if not word:
        return None
    for words in FENCES.values():
        own = words[language]
        if skeleton(word.casefold()) == skeleton(own) or word.casefold() in (words[other] for other in LANGUAGES):
            return own
        if difflib.get_close_matches(word.casefold(), [words[other] for other in LANGUAGES], n=1, cutoff=0.7):
            return own
    return None
