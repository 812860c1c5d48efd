"""In: the text of a chapter. Out: the same text with the words of the language in the other language.

Layout, comments and prose stay as they are: only keywords, kinds of fences, words of operations and the language key
change. Names stay too, but for those that the caller maps (built-in functions have a name in each language).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lark import Token

from svod.diagnostics import Problems
from svod.source import Source
from svod.syntax import markdown
from svod.syntax.from_text import LANGUAGE_KEYS
from svod.syntax.keywords import FENCES, KEYWORDS, OPERATIONS
from svod.syntax.parsing import tokens


@dataclass(frozen=True, slots=True)
class _Change:
    start: int
    end: int
    text: str


def reword(source: Source, language: str, target: str, names: Mapping[str, str] | None = None) -> str:
    """The text of `source`, whose words are those of `language`, in the words of `target`.

    The text must be free of errors: what cannot be parsed is left as it is.
    """
    pairs, spans, start = markdown.front_matter(source, Problems())
    changes = [
        _Change(spans[key].start, spans[key].start + len(value), target)
        for key, value in pairs
        if key in LANGUAGE_KEYS and value == language
    ]
    ours = {words[language]: kind for kind, words in FENCES.items()}
    for block in markdown.split(source, start, frozenset(ours), Problems()):
        match block:
            case markdown.Heading():
                changes += _heading(block, language, target)
            case markdown.Fence() if block.word in ours:
                changes += _fence(source, block, ours[block.word], language, target, names or {})
            case markdown.Fence() | markdown.Prose():
                pass
    return _applied(source.text, changes)


def _heading(heading: markdown.Heading, language: str, target: str) -> list[_Change]:
    for words in OPERATIONS.values():
        if re.match(rf"{words[language]}\s", heading.text, re.IGNORECASE):
            return [_Change(heading.start, heading.start + len(words[language]), words[target])]
    return []


def _fence(
    source: Source, fence: markdown.Fence, kind: str, language: str, target: str, names: Mapping[str, str]
) -> list[_Change]:
    word = source.text.find(fence.word, fence.opening)
    changes = [_Change(word, word + len(fence.word), FENCES[kind][target])]
    start = "example" if kind == "example" else "statements"
    found = tokens(language, start, source.text, fence.start, fence.end)
    for index, token in enumerate(found):
        begin, end = token.start_pos or 0, token.end_pos or 0
        if token.type[1:] in KEYWORDS and token.type[0] == "_":
            noun = _noun_before(found, index) if token.type in ("_IS_EMPTY", "_IS_NOT_EMPTY") else ""
            changes.append(_keyword(token, noun, source.text, kind, language, target))
        elif token.type == "NAME" and str(token) in names:
            changes.append(_Change(begin, end, names[str(token)]))
    return changes


def _noun_before(found: Sequence[Token], index: int) -> str:
    """The name before a word such as «пуст», over the parentheses of its index; empty where there is none."""
    depth, index = 0, index - 1
    while index >= 0:
        depth += {"_RPAR": 1, "_LPAR": -1}.get(found[index].type, 0)
        if depth <= 0 and found[index].type != "_LPAR":
            break
        index -= 1
    return str(found[index]) if index >= 0 and found[index].type == "NAME" else ""


def _keyword(token: Token, noun: str, text: str, kind: str, language: str, target: str) -> _Change:
    """The printed form in the target language; what stands between a comma and its word (a comment) stays."""
    begin, end, terminal = token.start_pos or 0, token.end_pos or 0, token.type[1:]
    if kind == "example" and terminal in ("DO", "ACTION"):
        terminal = "DO"
    keyword = KEYWORDS[terminal]
    found = re.search(keyword.bare_pattern(language) + r"\Z", str(token))
    assert found is not None, f"the token {token!r} does not end in its own word"
    gap = str(token)[: found.start()]
    if keyword.comma[target] == "," and "," not in gap:
        gap = ", "
        if text[begin - 1] == " " and not text[begin - 2].isspace():
            begin -= 1  # the comma stands right after the word before it
    return _Change(begin, end, gap + keyword.agreeing(target, noun))


def _applied(text: str, changes: list[_Change]) -> str:
    pieces, position = [], 0
    for change in sorted(changes, key=lambda change: change.start):
        pieces += [text[position : change.start], change.text]
        position = change.end
    return "".join([*pieces, text[position:]])
