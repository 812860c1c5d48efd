"""The corpus of texts: good ones have every construct and no problem, bad ones exactly the expected problems.

A bad text stands beside its `.expected` file: one line for each problem, `code rule line:column «underlined»`.
`SVOD_BLESS=1` writes the expected files anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from svod.diagnostics import Problems, render_all
from svod.source import Source
from svod.syntax import codes
from svod.syntax.from_text import decode, parse_chapter, parse_rulebook
from svod.syntax.parsing import grammar
from svod.syntax.rewording import reword
from svod.syntax.to_text import format_chapter
from svod.syntax.tree import Chapter, Item

CORPUS = Path(__file__).parent.parent / "corpus" / "syntax"
GOOD = sorted((CORPUS / "good").glob("*.md"))
BAD = sorted((CORPUS / "bad").glob("*.md"))
LANGUAGE = {"constructs-ru": "ru", "constructs-en": "en"}


def read(path: Path, problems: Problems) -> Source:
    source = decode(path.name, path.read_bytes(), problems)
    assert source is not None
    return source


def summary(problems: Problems, source: Source) -> str:
    lines = []
    for diagnostic in problems:
        assert diagnostic.primary is not None
        span = diagnostic.primary.span
        line, column = source.line_column(span.start)
        shown = source.text[span.start : span.end][:60].replace("\n", "⏎")
        lines.append(f"{diagnostic.code.name} {diagnostic.rule or '-'} {line}:{column} «{shown}»\n")
    return "".join(lines)


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_text_gives_the_expected_problems(path: Path) -> None:
    problems = Problems()
    source = read(path, problems)
    parse_rulebook([source], problems)
    found, expected = summary(problems, source), path.with_suffix(".expected")
    if os.environ.get("SVOD_BLESS"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")
    assert found, "a bad text has a problem"
    for language in ("ru", "en"):
        assert render_all(problems, {source.name: source}, language).count(source.name) >= len(problems.found)


def test_every_code_has_a_bad_text() -> None:
    elsewhere = {codes.NOT_UTF8, codes.TOO_LARGE}  # no Markdown text: tested with the reader of files
    found = {line.split()[0] for path in BAD for line in path.with_suffix(".expected").read_text("utf-8").splitlines()}
    assert found == {code.name for code in codes.CODES if code not in elsewhere}


def statements(chapter: Chapter) -> list[object]:
    return [
        (block.statements, block.examples, block.number, block.operation)
        for block in chapter.blocks
        if isinstance(block, Item)
    ]


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_text_has_no_problem_and_keeps_its_tree_when_printed(path: Path) -> None:
    problems = Problems()
    chapter = parse_chapter(read(path, problems), None, problems)
    assert summary(problems, Source(path.name, path.read_text("utf-8"))) == ""
    for language in ("ru", "en"):
        printed = Source("printed.md", format_chapter(chapter, language))
        assert statements(parse_chapter(printed, language, problems)) == statements(chapter)
    assert not problems.found


@pytest.mark.parametrize("path", [path for path in GOOD if path.stem in LANGUAGE], ids=lambda path: path.stem)
def test_reworded_text_has_the_same_tree(path: Path) -> None:
    language, problems = LANGUAGE[path.stem], Problems()
    other = "en" if language == "ru" else "ru"
    source = read(path, problems)
    there = Source(path.name, reword(source, language, other))
    back = Source(path.name, reword(there, other, language))
    tree = statements(parse_chapter(source, None, problems))
    assert tree == statements(parse_chapter(there, None, problems)) == statements(parse_chapter(back, None, problems))
    assert not problems.found
    assert there.text.count("\n") == source.text.count("\n")


@pytest.mark.parametrize("path", [path for path in GOOD if path.stem in LANGUAGE], ids=lambda path: path.stem)
def test_good_texts_use_every_keyword(path: Path) -> None:
    """So that no construct can be forgotten in one of the languages."""
    from svod.syntax.keywords import KEYWORDS

    text, language = path.read_text("utf-8"), LANGUAGE[path.stem]
    unused = {word.terminal for word in KEYWORDS.values() if not re.search(word.pattern(language), text)}
    assert unused == set()
    assert all(f"_{terminal}" in grammar(language) for terminal in KEYWORDS)
