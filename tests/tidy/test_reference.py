"""The reference of the language: every word stands there with an example, and the examples hold in both languages."""

from __future__ import annotations

import os
import re
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from svod.diagnostics import Problems, render_all
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms.examples import examples_from_book
from svod.norms.from_rulebook import norms_from_book
from svod.rulebook.from_tree import book_from_tree
from svod.rulebook.names import BUILTINS
from svod.searches.examples import example_findings
from svod.source import Source
from svod.syntax.from_text import parse_example, parse_rulebook, parse_statements
from svod.syntax.keywords import FENCES, KEYWORDS, LANGUAGES, OPERATIONS, Keyword
from svod.syntax.tree import Statement

PAGE = Path(__file__).resolve().parents[2] / "site" / "docs" / "language" / "reference.md"
TEXT = PAGE.read_text(encoding="utf-8")
BEGIN, END = "<!-- words: begin -->\n\n", "\n<!-- words: end -->\n"
LIMIT = {"ru": "предел", "en": "limit"}
FORM_ONLY = {"ru": "Только запись", "en": "Form only"}


def fences(kind: str, language: str) -> list[tuple[str, str]]:
    """(title, content) of every fence of this kind on the page."""
    return re.findall(rf"^```{FENCES[kind][language]}([^\n]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def numbered(language: str) -> list[tuple[str, str]]:
    """(item number, clauses) of every fence that says which item it is."""
    found = [re.match(r"# ([RV]-[\d.]+)\n", content) for _, content in fences("clauses", language)]
    return [(match[1], match.string) for match in found if match is not None]


def rulebook(language: str) -> Source:
    """The numbered fences of one language as one rulebook, with its examples."""
    head = {"ru": "свод: Образец\nязык: ru", "en": "rulebook: Sample\nlanguage: en"}[language]
    parts = [f"---\n{head}\n---\n"]
    for number, content in numbered(language):
        parts.append(f"### {number} Item\n\nProse.\n\n```{FENCES['clauses'][language]}\n{content}```\n")
    for title, content in fences("example", language):
        if title.strip() != FORM_ONLY[language]:
            parts.append(f"```{FENCES['example'][language]}{title}\n{content}```\n")
    return Source("reference.md", "\n".join(parts))


def words_table() -> str:
    """The table of all words, as it stands at the end of the page."""

    def cell(keyword: Keyword, language: str) -> str:
        first, *others = (f"`{form}`" for form in keyword.forms[language])
        return f"{first} ({', '.join(others)})" if others else first

    rows: dict[tuple[str, str], bool] = {}
    for keyword in KEYWORDS.values():
        words = (cell(keyword, "ru"), cell(keyword, "en"))
        rows[words] = rows.get(words, False) or keyword.reserved
    lines = [f"| {ru} | {en} | {'●' if reserved else ''} |\n" for (ru, en), reserved in sorted(rows.items())]
    return "| Russian | English | |\n|---|---|---|\n" + "".join(lines)


def shape(node: object) -> object:
    """A tree without its words and places: what two languages have in common."""
    if isinstance(node, tuple):
        return tuple(shape(each) for each in node)
    if is_dataclass(node):
        parts = (getattr(node, each.name) for each in fields(node) if each.name != "span")
        return type(node).__name__, tuple(shape(part) for part in parts)
    return None if isinstance(node, str) else node


def statements(language: str, content: str) -> tuple[Statement, ...]:
    problems = Problems()
    read = parse_statements(content, language, problems)
    assert not list(problems), render_all(problems, {"": Source("", content)}, "en")
    return read


def test_words_table_is_complete() -> None:
    before, rest = TEXT.split(BEGIN)
    _, after = rest.split(END)
    if os.environ.get("SVOD_BLESS"):
        PAGE.write_text(before + BEGIN + words_table() + END + after, encoding="utf-8")
    assert words_table() + END in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_shown_before_the_table(language: str) -> None:
    shown = TEXT.split(BEGIN)[0]
    for keyword in KEYWORDS.values():
        form = keyword.word(language)
        assert re.search(rf"(?<!\w){re.escape(form)}(?!\w)", shown), f"{keyword.terminal}: {form}"
    for word in (*BUILTINS[language], *(each[language] for each in (*OPERATIONS.values(), *FENCES.values()))):
        assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", shown), word


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_keyword_has_an_example(language: str) -> None:
    shown = "\n".join(content for kind in FENCES for _, content in fences(kind, language))
    for keyword in KEYWORDS.values():
        assert re.search(rf"(?<!\w){keyword.bare_pattern(language)}", shown), f"{keyword.terminal} in no example"
    for builtin in BUILTINS[language]:
        assert f"{builtin}(" in shown, f"{builtin} in no example"


def test_twins_say_the_same() -> None:
    both = [fences("clauses", language) for language in LANGUAGES]
    assert len(both[0]) == len(both[1]) > 25
    by_number = [dict(numbered(language)) for language in LANGUAGES]
    assert list(by_number[0]) == list(by_number[1])
    for number in by_number[0]:
        one, other = (statements(language, by_number[i][number]) for i, language in enumerate(LANGUAGES))
        assert shape(one) == shape(other), number
    examples = [[content for _, content in fences("example", language)] for language in LANGUAGES]
    for one_text, other_text in zip(*examples, strict=True):
        problems = Problems()
        assert shape(parse_example(one_text, "ru", problems)) == shape(parse_example(other_text, "en", problems))
        assert not list(problems)


@pytest.mark.parametrize("language", LANGUAGES)
def test_statements_without_a_number_parse(language: str) -> None:
    for _, content in fences("clauses", language):
        assert statements(language, content)


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_make_up_a_rulebook(language: str) -> None:
    source, problems = rulebook(language), Problems()
    book = book_from_tree(parse_rulebook([source], problems), problems)
    norms = norms_from_book(book, {LIMIT[language]: 9}, problems)
    assert norms is not None and not list(problems), render_all(problems, {source.name: source}, "en")
    examples = examples_from_book(book, problems)
    assert len(examples) == 1 and not list(problems), render_all(problems, {source.name: source}, "en")
    scope = Scope("36", "3")
    assert not list(example_findings(examples, lambda norms: lambda switches: Naive(norms, switches), scope))
