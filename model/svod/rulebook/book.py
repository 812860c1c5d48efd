"""The rulebook as its reader knows it: numbered items in order, each with its prose, clauses, examples and history."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from svod.source import Span
from svod.syntax import tree


@dataclass(frozen=True, slots=True)
class Reference:
    """A number that an item refers to, in a clause (`by_clause`) or in its prose (then `span` is None)."""

    number: str
    by_clause: bool
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Change:
    """One amendment of an item: who (`overlay`), what (`operation`), the item as it was (None: it was added).

    `answers` are the findings that the change says it answers.
    """

    overlay: str
    operation: str
    before: BookItem | None
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BookItem:
    """A numbered item in force. `origins[i]` names the overlay that wrote statement i, None for the base text.

    `chapter` is the name of the source that it stands in (for an added item: of the item that it follows).
    `references` are the numbers that its prose and clauses name, in order, without repetition.
    """

    number: str
    title: str
    prose: str
    statements: tuple[tree.Statement, ...]
    examples: tuple[tree.Example, ...]
    chapter: str
    level: int
    clause_text: str
    origins: tuple[str | None, ...]
    amended_by: str | None = None
    history: tuple[Change, ...] = ()
    answers: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    span: Span | None = field(default=None, compare=False)

    @property
    def status(self) -> tree.Status | None:
        """Why the item has no clauses («информативно», «не формализовано»), if it says so."""
        for statement in self.statements:
            if isinstance(statement, tree.Status):
                return statement
        return None


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """Where an item stands among the blocks of its chapter."""

    number: str


Block: TypeAlias = tree.Section | ItemPlace


@dataclass(frozen=True, slots=True)
class BookChapter:
    """One file of the rulebook: headings without a number, and places of items, in order."""

    source: str
    front_matter: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook with its `overlays` applied, in this order. `withdrawn` are items no longer in force."""

    name: str
    edition: str
    language: str
    source: str
    items: tuple[BookItem, ...]
    chapters: tuple[BookChapter, ...]
    withdrawn: tuple[BookItem, ...] = ()
    overlays: tuple[str, ...] = ()

    def find(self, number: str) -> BookItem | None:
        """The item of this number in force, if there is one."""
        for item in self.items:
            if item.number == number:
                return item
        return None

    def item(self, number: str) -> BookItem:
        """The item of this number; KeyError if there is none."""
        found = self.find(number)
        if found is None:
            raise KeyError(number)
        return found

    @property
    def sections(self) -> tuple[tree.Section, ...]:
        """Headings without a number, in order."""
        return tuple(block for chapter in self.chapters for block in chapter.blocks if isinstance(block, tree.Section))

    def backlinks(self, number: str) -> tuple[str, ...]:
        """Numbers of the items that refer to this one, in text order."""
        return tuple(
            item.number
            for item in self.items
            if item.number != number and any(reference.number == number for reference in item.references)
        )


_SPACE = re.compile(r"\s+")


def fingerprint(item: BookItem | tree.Item) -> str:
    """Eight hexadecimal digits that change when the wording of the prose or of the clauses does (spacing apart)."""
    text = _SPACE.sub(" ", item.prose).strip() + "\x00" + _SPACE.sub(" ", item.clause_text).strip()
    return hashlib.sha256(text.encode()).hexdigest()[:8]
