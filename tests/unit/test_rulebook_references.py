"""Numbers: their order, where prose mentions them, ranges, backlinks, gaps."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.rulebook.book import Book
from svod.rulebook.from_tree import book_from_tree
from svod.rulebook.names import BUILTINS, Builtin, nearest
from svod.rulebook.numbers import mentions, parts, sort_key
from svod.rulebook.references import resolve_mention
from svod.source import Source
from svod.syntax.from_text import parse_rulebook


def book_of(*items: tuple[str, str]) -> tuple[Book, list[tuple[str | None, str]]]:
    clauses = "информативно «слова»"
    text = "---\nсвод: Проба\nязык: ru\n---\n\n"
    for number, prose in items:
        text += f"### {number} Пункт\n\n{prose}\n\n```правило\n{clauses}\n```\n\n"
    problems = Problems()
    book = book_from_tree(parse_rulebook([Source("a.md", text)], problems), problems)
    return book, [(problem.rule, problem.code.name) for problem in problems]


@pytest.mark.parametrize(
    ("number", "prefix", "path", "letter"),
    [
        ("R-3.7.2", "R-", (3, 7, 2), ""),
        ("Ш-4b", "Ш-", (4,), "b"),
        ("K1", "K", (1,), ""),
        ("V-1", "V-", (1,), ""),
    ],
)
def test_parts(number: str, prefix: str, path: tuple[int, ...], letter: str) -> None:
    found = parts(number)
    assert found is not None
    assert (found.prefix, found.path, found.letter) == (prefix, path, letter)


def test_natural_order() -> None:
    numbers = ["R-3.10", "R-3.9.1", "R-3", "R-3.9", "R-3.10.1"]
    assert sorted(numbers, key=sort_key) == ["R-3", "R-3.9", "R-3.9.1", "R-3.10", "R-3.10.1"]


def test_mentions_and_ranges() -> None:
    found = mentions("См. R-3.1…R-3.5, Ш-4b и K-01; по R-2.2 (R-7).", ["R-", "Ш-"], ["R-1"])
    assert [(mention.number, mention.range_to) for mention in found] == [
        ("R-3.1", "R-3.5"),
        ("Ш-4b", None),
        ("R-2.2", None),
        ("R-7", None),
    ]


def test_numbers_without_a_hyphen_are_found_only_if_known() -> None:
    found = mentions("As K1 says, but not K11 or K12.", [], ["K1", "K12"])
    assert [mention.number for mention in found] == ["K1", "K12"]


def test_a_letter_after_a_number_is_a_part_of_the_item() -> None:
    assert resolve_mention("R-5.3b", ["R-5.3"]) == "R-5.3"
    assert resolve_mention("Ш-4b", ["Ш-4", "Ш-4b"]) == "Ш-4b"
    assert resolve_mention("R-9x", ["R-5"]) is None


def test_references_and_backlinks() -> None:
    book, problems = book_of(("R-1", "См. R-2…R-4."), ("R-2", "Ничего."), ("R-3", "R-1 и R-1."), ("R-4", "R-4 сам."))
    assert problems == []
    assert [reference.number for reference in book.item("R-1").references] == ["R-2", "R-3", "R-4"]
    assert [reference.number for reference in book.item("R-3").references] == ["R-1"]
    assert book.item("R-4").references == ()
    assert book.backlinks("R-1") == ("R-3",)
    assert book.backlinks("R-3") == ("R-1",)


def test_a_clause_counts_before_the_prose() -> None:
    text = """---
свод: Проба
язык: ru
---

### R-1 Один

По R-2.

```правило
принять F201 R-2: «так задумано»
```

### R-2 Два

```правило
информативно «слова»
```
"""
    problems = Problems()
    book = book_from_tree(parse_rulebook([Source("a.md", text)], problems), problems)
    (reference,) = book.item("R-1").references
    assert reference.by_clause and reference.span is not None
    assert text[reference.span.start : reference.span.end] == "R-2"


@pytest.mark.parametrize(
    ("numbers", "gaps"),
    [
        (("R-1", "R-2", "R-3"), []),
        (("R-1", "R-3"), ["R-3"]),
        (("R-1", "R-1.1", "R-1.3"), ["R-1.3"]),
        (("R-1", "R-1.2"), ["R-1.2"]),
        (("R-2.1", "R-5.1"), []),
        (("Ш-4a", "Ш-4b"), []),
        (("R-7",), []),
    ],
)
def test_gaps(numbers: tuple[str, ...], gaps: list[str]) -> None:
    _, problems = book_of(*((number, "Слова.") for number in numbers))
    assert [rule for rule, code in problems if code == "N005"] == gaps


def test_prose_with_a_number_in_letters_of_the_other_alphabet_is_noticed() -> None:
    _, problems = book_of(("В-1", "Слова."), ("В-2", "См. B-1."))
    assert ("В-2", "N003") in problems


def test_numbers_of_other_lists_are_not_ours() -> None:
    _, problems = book_of(("R-1", "Отвечает на K-01, см. H-5."))
    assert problems == []


def test_nearest_prefers_what_looks_the_same() -> None:
    assert nearest("xoдил", ["ходил", "ходит"]) == "ходил"
    assert nearest("взять_нижню", ["взять_нижнюю", "убрать"]) == "взять_нижнюю"
    assert nearest("совсем", ["другое"]) is None


def test_every_builtin_has_a_word_in_each_language() -> None:
    for words in BUILTINS.values():
        assert set(words.values()) == set(Builtin)
