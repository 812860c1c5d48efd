"""In: words of a rulebook with their places. Out: problems of words that mix alphabets or look the same as another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from svod.diagnostics import Label, Problems, Text
from svod.source import Source, Span
from svod.syntax import codes
from svod.syntax.keywords import KEYWORDS, LETTER, RULE_NUMBER, SYMBOL, canonical_number
from svod.syntax.lookalike import in_one_alphabet, is_mixed, skeleton

_TOKEN = re.compile(
    rf"#[^\n]*|«[^»]*»?|“[^”]*”?|\"[^\"\n]*\"|(?P<number>{RULE_NUMBER})|(?P<word>[0-9_{LETTER}]*[{LETTER}][0-9_{LETTER}]*[{SYMBOL}]?)"
)


@dataclass(frozen=True, slots=True)
class WordUse:
    """A name or a rule number at a place; `rule` is the item, `heading` says that the item is called so."""

    text: str
    span: Span
    rule: str | None
    heading: bool = False


@cache
def _language_words(language: str) -> frozenset[str]:
    return frozenset(part for keyword in KEYWORDS.values() for form in keyword.forms[language] for part in form.split())


def words_in(
    source: Source, begin: int, end: int, language: str, rule: str | None, problems: Problems
) -> list[WordUse]:
    """Names and rule numbers in a fence; those that mix two alphabets in one word are reported and left out."""
    found = []
    for match in _TOKEN.finditer(source.text, begin, end):
        text = match["number"] or match["word"]
        if text is None or text in _language_words(language):
            continue
        span = Span(source.name, match.start(), match.end())
        if is_mixed(text) and match["number"] is None:
            _report_mixed(text, span, rule, problems)
            continue
        found.append(WordUse(canonical_number(text), span, rule))
    return found


def _report_mixed(text: str, span: Span, rule: str | None, problems: Problems) -> None:
    better = in_one_alphabet(text)
    help = None if better is None else Text(f"наберите «{better}» заново", f"type “{better}” anew")
    message = Text(f"в слове «{text}» смешаны кириллица и латиница", f"the word “{text}” mixes Cyrillic and Latin")
    problems.report(codes.MIXED_LETTERS, message, span, rule=rule, help=help)


def report_lookalikes(words: Sequence[WordUse], problems: Problems) -> None:
    """Reports every use of a spelling that looks the same as a more common (or a heading's) spelling."""
    prefixes = [prefix for use in words if use.heading for prefix in _prefix(use)]
    for uses in [*_grouped(words), *_grouped(prefixes)]:
        spellings = Counter(use.text for use in uses)
        if len(spellings) == 1:
            continue
        right = max(uses, key=lambda use: (use.heading, spellings[use.text]))
        for use in uses:
            if use.text != right.text:
                _report_lookalike(use, right, problems)


def _grouped(words: Sequence[WordUse]) -> list[list[WordUse]]:
    groups: dict[str, list[WordUse]] = defaultdict(list)
    for use in words:
        groups[skeleton(use.text)].append(use)
    return list(groups.values())


def _prefix(use: WordUse) -> list[WordUse]:
    """The letters before the hyphen of a heading's number: `К-1` and `K-2` are a slip though the numbers differ."""
    found = re.match(rf"[{LETTER}]+-", use.text)
    if found is None:
        return []
    span = Span(use.span.source, use.span.start, use.span.start + found.end())
    return [WordUse(found[0], span, use.rule, use.heading)]


def _report_lookalike(use: WordUse, right: WordUse, problems: Problems) -> None:
    problems.report(
        codes.LOOKALIKE,
        Text(
            f"«{use.text}» выглядит как «{right.text}», но набрано другими буквами",
            f"“{use.text}” looks like “{right.text}” but is typed in other letters",
        ),
        use.span,
        rule=use.rule,
        help=Text(f"скопируйте «{right.text}»", f"copy “{right.text}”"),
        secondary=(Label(right.span, Text("так пишется там", "written so there")),),
    )
