"""Texts by name, and places in them: what a diagnostic points at. No IO here: the tools read files."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range of characters `start:end` in the source named `source` (a path as the user wrote it)."""

    source: str
    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """One text. `name` is its path relative to the rulebook folder (or as given on the command line)."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(index + 1 for index, character in enumerate(self.text) if character == "\n"))

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        line = bisect_right(self._line_starts, offset) - 1
        return line + 1, offset - self._line_starts[line] + 1

    def line_text(self, line: int) -> str:
        """Text of a line (from 1) without its line end."""
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        return self.text[start:] if end < 0 else self.text[start:end]
