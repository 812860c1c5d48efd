"""Every wrong text of `tests/corpus/rulebook` is refused with the code in its name, under the number of its item."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod.diagnostics import Code, Problems, Severity, render
from svod.norms.examples import examples_from_book
from svod.norms.from_rulebook import norms_from_book
from svod.norms.lower import codes as norm_codes
from svod.rulebook import codes as book_codes
from svod.rulebook.amendments import amend
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

CORPUS = Path(__file__).resolve().parents[1] / "corpus" / "rulebook"
TEXTS = sorted(CORPUS.glob("[A-Z]*.md"))
OVERLAYS = sorted((CORPUS / "overlays").glob("[A-Z]*.md"))
# Codes about what is asked of a text rather than about the text; `test_norms_parameters` and others raise them.
NOT_IN_CORPUS = {"C101", "N126", "A008"}


def source(path: Path) -> Source:
    return Source(path.name, path.read_text(encoding="utf-8"))


def problems_of(path: Path, overlay: Path | None = None) -> tuple[Problems, dict[str, Source]]:
    problems = Problems()
    sources = {path.name: source(path)}
    book = book_from_tree(parse_rulebook([sources[path.name]], problems), problems)
    if overlay is not None:
        assert not list(problems)
        sources[overlay.name] = source(overlay)
        book = amend(book, parse_rulebook([sources[overlay.name]], problems), problems)
    if norms_from_book(book, {}, problems) is not None:
        examples_from_book(book, problems)
    return problems, sources


def check(problems: Problems, sources: dict[str, Source], path: Path) -> None:
    code = path.name.split("_", maxsplit=1)[0]
    found = list(problems)
    assert {diagnostic.code.name for diagnostic in found} == {code}
    for diagnostic in found:
        assert diagnostic.message.ru != diagnostic.message.en
        for language in ("ru", "en"):
            text = render(diagnostic, sources, language)
            assert code in text
            assert diagnostic.rule is None or text.startswith(f"{diagnostic.rule}: ")
            assert diagnostic.primary is None or f"{diagnostic.primary.span.source}:" in text
        assert diagnostic.code.severity is Severity.WARNING or diagnostic.primary is not None or code == "N008"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_text_is_refused_with_its_code(path: Path) -> None:
    problems, sources = problems_of(path)
    check(problems, sources, path)
    if path.stem != "N008_no_items":
        assert {diagnostic.rule for diagnostic in problems} <= {"R-1", "R-2", "R-3"}
        assert any(diagnostic.rule in ("R-2", "R-3") for diagnostic in problems)


@pytest.mark.parametrize("path", OVERLAYS, ids=lambda path: path.stem)
def test_overlay_is_refused_with_its_code(path: Path) -> None:
    problems, sources = problems_of(CORPUS / "overlays" / "base.md", path)
    check(problems, sources, path)


def test_every_code_has_a_text_in_the_corpus() -> None:
    declared = {code.name for code in (*book_codes.CODES, *norm_codes.CODES) if isinstance(code, Code)}
    shown = {path.name.split("_", maxsplit=1)[0] for path in (*TEXTS, *OVERLAYS)}
    assert shown <= declared
    assert declared - shown == NOT_IN_CORPUS


def test_several_errors_at_once() -> None:
    good = (CORPUS / "overlays" / "base.md").read_text(encoding="utf-8")
    bad = good.replace("запрещено зайти(_, 6♠)", "запрещено зойти(_, 6♠)")
    bad = bad.replace("термин живых := 2", "термин живых := ♠ + 1")
    problems = Problems()
    book = book_from_tree(parse_rulebook([Source("bad.md", bad)], problems), problems)
    assert norms_from_book(book, {}, problems) is None
    assert [(each.rule, each.code.name) for each in problems] == [("R-2", "N101"), ("R-3", "T001"), ("R-4", "N115")]
