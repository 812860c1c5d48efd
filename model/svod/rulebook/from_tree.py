"""Tree of a rulebook folder → `Book`: items in text order, front matter read, numbers checked."""

from __future__ import annotations

from collections.abc import Mapping

from svod.diagnostics import Problems, Text
from svod.rulebook import checks, codes
from svod.rulebook.book import Block, Book, BookChapter, BookItem, ItemPlace
from svod.syntax import tree

NAME_KEYS = ("свод", "rulebook")
EDITION_KEYS = ("редакция", "edition")
LANGUAGE_KEYS = ("язык", "language")
SOURCE_KEYS = ("источник", "source")


def book_from_tree(whole: tree.Tree, problems: Problems) -> Book:
    """The book that the tree states; of items with one number the first is kept."""
    matter: dict[str, str] = {}
    for chapter in whole.chapters:
        for key, value in chapter.front_matter:
            matter.setdefault(key, value)
    items: dict[str, BookItem] = {}
    chapters = []
    for chapter in whole.chapters:
        blocks: list[Block] = []
        for block in chapter.blocks:
            if isinstance(block, tree.Section):
                blocks.append(block)
                continue
            if block.number in items:
                _report_duplicate(block, items[block.number], problems)
                continue
            items[block.number] = item_from_tree(block, chapter.source)
            blocks.append(ItemPlace(block.number))
            _refuse_amendment_words(block, problems)
        chapters.append(BookChapter(chapter.source, chapter.front_matter, tuple(blocks)))
    language = "en" if first_of(matter, LANGUAGE_KEYS, "ru").strip().lower().startswith("en") else "ru"
    book = Book(
        first_of(matter, NAME_KEYS, ""),
        first_of(matter, EDITION_KEYS, "1"),
        language,
        first_of(matter, SOURCE_KEYS, ""),
        tuple(items.values()),
        tuple(chapters),
    )
    if not items:
        problems.report(codes.EMPTY_BOOK, Text("в своде нет ни одного пункта", "the rulebook has no item"), None)
    return checks.check_book(book, problems)


def item_from_tree(item: tree.Item, chapter: str, origin: str | None = None) -> BookItem:
    """The item as a book holds it, its statements coming from `origin` (an overlay, or None for the base text)."""
    return BookItem(
        item.number,
        item.title,
        item.prose,
        item.statements,
        item.examples,
        chapter,
        item.level,
        item.clause_text,
        tuple(origin for _ in item.statements),
        amended_by=origin,
        span=item.span,
    )


def first_of(matter: Mapping[str, str], keys: tuple[str, ...], default: str) -> str:
    """The value of the first of the keys that the front matter has."""
    return next((matter[key] for key in keys if key in matter), default)


def _report_duplicate(block: tree.Item, first: BookItem, problems: Problems) -> None:
    problems.report(
        codes.DUPLICATE_NUMBER,
        Text(f"номер {block.number} уже занят", f"number {block.number} is taken already"),
        block.span,
        rule=block.number,
        secondary=checks.label(first.span, Text("первый пункт с этим номером", "the first item with this number")),
    )


def _refuse_amendment_words(block: tree.Item, problems: Problems) -> None:
    for statement in block.statements:
        if isinstance(statement, tree.ReadingWithdrawal | tree.Answers | tree.Basis):
            problems.report(
                codes.AMENDMENT_WORD,
                Text("это слово пишут только в поправке", "this belongs to an amendment only"),
                statement.span,
                rule=block.number,
            )
