"""Numbers of items: taken apart, ordered, and found where prose mentions them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

_NUMBER = re.compile(r"^(?P<prefix>[^\W\d_]+-?)(?P<first>\d+)(?P<rest>(?:\.\d+)*)(?P<letter>[^\W\d_]?)$")
_MENTION = re.compile(r"(?<![\w-])[^\W\d_]+-\d+(?:\.\d+)*[^\W\d_]?(?![\w-])")
_RANGE = re.compile(r"^\s*(?:…|\.\.\.?|–|—)\s*$")


@dataclass(frozen=True, slots=True)
class Parts:
    """`R-3.7.2` is prefix «R-», path (3, 7, 2), letter «»; `Ш-4b` is «Ш-», (4,), «b»."""

    prefix: str
    path: tuple[int, ...]
    letter: str

    @property
    def parent(self) -> tuple[str, tuple[int, ...]]:
        """What siblings share: prefix and all of the path but its end."""
        return self.prefix, self.path[:-1]


@cache
def parts(number: str) -> Parts | None:
    """The number taken apart, or None if it has another shape."""
    match = _NUMBER.match(number)
    if match is None:
        return None
    path = (int(match["first"]), *(int(piece) for piece in match["rest"].split(".") if piece))
    return Parts(match["prefix"], path, match["letter"])


def sort_key(number: str) -> tuple[str, tuple[int, ...], str]:
    """Natural order: R-3.9 before R-3.10, a parent before its children."""
    found = parts(number)
    return (number, (), "") if found is None else (found.prefix, found.path, found.letter)


@dataclass(frozen=True, slots=True)
class Mention:
    """A number met in prose at characters `start:end` of it; `range_to` is the end of a range «R-3.1…R-3.5»."""

    number: str
    start: int
    end: int
    range_to: str | None = None


def mentions(prose: str, prefixes: Iterable[str], known: Iterable[str], same: Sequence[str] = ()) -> list[Mention]:
    """Numbers mentioned in the prose: those with one of the `prefixes` («R-»), and known ones without a hyphen.

    `same` lists prefixes that only look like one of ours; words with them are reported too.
    """
    wanted = set(prefixes) | set(same)
    bare = sorted((number for number in known if "-" not in number), key=len, reverse=True)
    found = [
        Mention(match.group(), match.start(), match.end())
        for match in _MENTION.finditer(prose)
        if _prefix(match.group()) in wanted
    ]
    if bare:
        pattern = re.compile(r"(?<![\w.-])(?:" + "|".join(map(re.escape, bare)) + r")(?![\w-]|\.\d)")
        found += [Mention(match.group(), match.start(), match.end()) for match in pattern.finditer(prose)]
    return _with_ranges(prose, sorted(found, key=lambda mention: mention.start))


def prefix_of(number: str) -> str | None:
    """«R-» of `R-3.7`, or None if the word has not the shape of a number."""
    found = parts(number)
    return None if found is None else found.prefix


def _prefix(word: str) -> str:
    return word[: word.index("-") + 1]


def _with_ranges(prose: str, found: list[Mention]) -> list[Mention]:
    result: list[Mention] = []
    index = 0
    while index < len(found):
        mention = found[index]
        following = found[index + 1] if index + 1 < len(found) else None
        if following is not None and _RANGE.match(prose[mention.end : following.start]):
            result.append(Mention(mention.number, mention.start, following.end, following.number))
            index += 2
        else:
            result.append(mention)
            index += 1
    return result
