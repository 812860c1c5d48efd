"""Texts of `tests/corpus/rulebook/lowered` → the norms printed beside them; `SVOD_BLESS=1` rewrites these."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from svod.diagnostics import Problems, render_all
from svod.norms import ir
from svod.norms.from_rulebook import norms_from_book
from svod.norms.to_text import print_norms
from svod.norms.validate import breaches
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "rulebook" / "lowered"
TEXTS = sorted(FOLDER.glob("*.md"))
COMMON = "R-1"


def lowered(path: Path, **parameters: int) -> ir.Norms:
    problems = Problems()
    source = Source(path.name, path.read_text(encoding="utf-8"))
    book = book_from_tree(parse_rulebook([source], problems), problems)
    norms = norms_from_book(book, parameters, problems)
    assert norms is not None and not list(problems), render_all(problems, {path.name: source}, "en")
    return norms


def shown(norms: ir.Norms) -> str:
    """The printed norms without the declarations that all texts have in common."""
    lines = [line for line in print_norms(norms).splitlines() if not line.endswith(f"[{COMMON}]")]
    return "\n".join(line for line in lines if not line.startswith(("rulebook ", "parameter "))) + "\n"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_norms_print_as_expected(path: Path) -> None:
    norms = lowered(path, deck=9)
    assert list(breaches(norms)) == []
    expected = path.with_suffix(".txt")
    if os.environ.get("SVOD_BLESS"):
        expected.write_text(shown(norms), encoding="utf-8")
    assert shown(norms) == expected.read_text(encoding="utf-8")


def test_parameters_choose_among_orders() -> None:
    ranks = [lowered(TEXTS[0], deck=deck).sort("Rank").values for deck in (6, 9)]
    assert ranks == [("7", "8"), ("6", "7", "8")]


def test_cards_go_suit_by_suit() -> None:
    sort = lowered(TEXTS[0], deck=6).sort("Card")
    assert sort.values == ("7♠", "8♠", "7♥", "8♥", "7♦", "8♦")
    assert sort.components[3] == (1, 1)
