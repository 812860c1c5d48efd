"""In: a statement on one line. Out: the same statement on lines that are not too long.

Line ends mean nothing to the grammar; they go where a reader would pause: between effects, before «, если», at «и».
"""

from __future__ import annotations

import re
from functools import cache

from svod.syntax.keywords import KEYWORDS

WIDTH = 100
INDENT = "    "

_QUOTED = re.compile(r"«[^»]*»|“[^”]*”|\"[^\"]*\"")


def wrapped(line: str, language: str) -> str:
    """The line, broken where it is longer than `WIDTH`; the lines that follow are indented."""
    own = len(line) - len(line.lstrip())
    lines = []
    while len(line) > WIDTH:
        place = _best_break(line, own + len(INDENT), language)
        if place is None:
            break
        lines.append(line[:place])
        line = " " * own + INDENT + line[place + 1 :]
    return "\n".join([*lines, line])


def _best_break(line: str, start: int, language: str) -> int | None:
    """The space at which to break: as shallow in parentheses as can be, at the strongest pause, as late as can be."""
    best: tuple[int, int, int] | None = None
    for place, depth in _spaces(line):
        pause = _pause(line, place, language)
        if pause is None or not start < place <= WIDTH:
            continue
        rank = (depth, pause, -place)
        if best is None or rank < best:
            best = rank
    return None if best is None else -best[2]


def _spaces(line: str) -> list[tuple[int, int]]:
    """Offsets of spaces outside of quotation marks, each with its depth in parentheses."""
    hidden = _QUOTED.sub(lambda match: "x" * len(match[0]), line)
    found, depth = [], 0
    for place, character in enumerate(hidden):
        depth += (character == "(") - (character == ")")
        if character == " ":
            found.append((place, depth))
    return found


def _pause(line: str, place: int, language: str) -> int | None:
    """0 is the strongest pause; None where a reader would not stop."""
    before, after = line[place - 1 : place], line[place + 1 :]
    if before in ";:" and before:
        return 0
    if before == "," and _joining(language).match(after):
        return 0
    if _operators(language).match(after):
        return 1
    return 2 if before == "," else None


@cache
def _joining(language: str) -> re.Pattern[str]:
    words = (word.bare_pattern(language) for word in KEYWORDS.values() if word.comma["ru"])
    return re.compile("|".join(words))


@cache
def _operators(language: str) -> re.Pattern[str]:
    return re.compile("|".join(KEYWORDS[name].bare_pattern(language) for name in ("AND", "OR")))
