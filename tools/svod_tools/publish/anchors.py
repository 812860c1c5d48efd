"""In: the numbers of a rulebook and where each stands. Out: stable ASCII addresses, and texts with numbers linked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

_LETTERS = dict(
    zip(
        "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        "a b v g d e zh z i y k l m n o p r s t u f h ts ch sh sch _ y _ e yu ya yo".split(),
        strict=True,
    )
)
# Code, links and HTML tags are left as they are.
_PROTECTED = re.compile(r"(`[^`\n]*`|\[[^\]\n]*\]\([^)\n]*\)|<[^>\n]*>|^#.*$)", re.MULTILINE)


def slug(text: str) -> str:
    """Letters and digits of `text` in ASCII, small, joined by hyphens."""
    ascii_text = "".join(_LETTERS.get(letter, letter).replace("_", "") for letter in text.lower())
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-") or "x"


def slugs(numbers: Iterable[str]) -> dict[str, str]:
    """Number → address, unique; a later number that reads alike in ASCII gets a suffix."""
    found: dict[str, str] = {}
    used: set[str] = set()
    for number in numbers:
        base = candidate = slug(number)
        count = 2
        while candidate in used:
            candidate = f"{base}--{count}"
            count += 1
        used.add(candidate)
        found[number] = candidate
    return found


@dataclass(frozen=True)
class Addresses:
    """Where each item stands: `pages[number]` is its page, `anchors[number]` its place on it."""

    pages: Mapping[str, str]
    anchors: Mapping[str, str]

    def target(self, number: str, page: str) -> str:
        """What a link to the item from `page` points at."""
        there = self.pages[number]
        up = "../" * (len(PurePosixPath(page).parts) - 1)
        return f"#{self.anchors[number]}" if there == page else f"{up}{there}#{self.anchors[number]}"

    def link(self, number: str, page: str) -> str:
        """The number as a Markdown link; plain text for a number that is not in force."""
        return f"[{number}]({self.target(number, page)})" if number in self.pages else number

    def links(self, numbers: Iterable[str], page: str) -> str:
        """Several numbers as links."""
        return ", ".join(self.link(number, page) for number in numbers)

    def linked(self, text: str, page: str, *, own: str = "") -> str:
        """The text with every number in it made a link, except `own`."""
        if self._numbers is None:
            return text
        parts = _PROTECTED.split(text)
        for index in range(0, len(parts), 2):
            parts[index] = self._numbers.sub(lambda found: self._link_unless(found[0], page, own), parts[index])
        return "".join(parts)

    def _link_unless(self, number: str, page: str, own: str) -> str:
        return number if number == own else self.link(number, page)

    @cached_property
    def _numbers(self) -> re.Pattern[str] | None:
        if not self.pages:
            return None
        longest_first = sorted(self.pages, key=len, reverse=True)
        either = "|".join(re.escape(number) for number in longest_first)
        # A number inside a longer one (R-1.2 in) or inside a word is not meant.
        return re.compile(rf"(?<![\w.-])(?:{either})(?![\w-]|\.\d)")
