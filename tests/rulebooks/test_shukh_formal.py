"""Every item of the rulebook is formal, or says why it need not be; every formal one has an example in its chapter."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.searches.coverage import ItemCoverage, ItemKind
from svod_tools.commands.coverage import covered
from svod_tools.options import Choice
from svod_tools.workbench import open_workbench

SPEC = Path(__file__).resolve().parents[2] / "spec" / "shukh"
EDITIONS = [None, 2]
# items of the source, by the letter of their number
SOURCE = {"R": 97, "Ш": 13, "I": 7, "V": 4}


@cache
def items(edition: int | None) -> tuple[ItemCoverage, ...]:
    bench = open_workbench(Choice(str(SPEC), "ru", edition=edition))
    assert not isinstance(bench, int)
    problems = Problems()
    found = covered(bench, None, problems)
    assert found is not None and not problems.has_errors
    return found


def test_first_edition_has_the_items_of_its_source() -> None:
    assert Counter(item.number[0] for item in items(None)) == Counter(SOURCE)
    assert sum(SOURCE.values()) == 121


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_item_is_formal_or_says_why_not(edition: int | None) -> None:
    others = [item for item in items(edition) if item.kind is not ItemKind.FORMAL]
    assert {item.kind for item in others} == {ItemKind.INFORMATIVE}
    assert all(len(item.reason.split()) > 3 for item in others) and len(others) == 14


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_formal_item_has_an_example_in_its_chapter(edition: int | None) -> None:
    formal = [item for item in items(edition) if item.kind is ItemKind.FORMAL]
    assert [item.number for item in formal if not item.here] == []
    assert [item.number for item in formal if item.clauses and not item.exercised] == []
