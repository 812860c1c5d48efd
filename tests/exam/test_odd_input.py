"""Whatever stands in a case or in the words for cases, the answer is a ruling or a refusal, never a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import yaml

from svod.diagnostics import Problems
from svod.searches.case_names import unknown_names
from svod.searches.case_words import case_words
from svod.searches.judging import Case, judge

from .judges import MAKERS, ROOT, rulebook

ODD: tuple[object, ...] = (5, -1, [], {}, "ЧУШЬ", "", None, True, [[1]], {"a": [1]}, "x [y (z", "{player", 1e3)
KEPT = 31  # one change in so many is tried
CASES = yaml.safe_load((ROOT / "tests" / "exam" / "shukh-given.yaml").read_text(encoding="utf-8"))["cases"]


def paths(data: object, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in parts:
        yield (*before, key)
        yield from paths(part, (*before, key))


def changed(data: Any, path: tuple[Any, ...], value: object) -> Any:
    copy = deepcopy(data)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


def changes(data: Any, kept: int) -> Iterator[Any]:
    number = 0
    for path in list(paths(data)):
        for value in ODD:
            number += 1
            if number % kept == 0:
                yield changed(data, path, value)


def test_odd_words() -> None:
    _, vocabulary = rulebook()
    norms = MAKERS.norms({"колода": 36, "игроков": 4}, Problems())
    assert norms is not None
    judged = 0
    for data in changes(vocabulary.cases, KEPT):
        words = case_words(data, Problems())
        if words is not None and not list(unknown_names(words, norms, vocabulary)):
            judge(Case(CASES[judged % len(CASES)], lambda path: None), vocabulary, words, MAKERS, Problems())
            judged += 1
    assert judged > 10


@pytest.mark.parametrize("number", range(0, len(CASES), 13))
def test_odd_cases(number: int) -> None:
    _, vocabulary = rulebook()
    words = case_words(vocabulary.cases, Problems())
    assert words is not None
    refused = 0
    for data in changes(CASES[number], KEPT):
        problems = Problems()
        found = judge(Case(data, lambda path: None), vocabulary, words, MAKERS, problems)
        assert found is not None or problems.has_errors
        refused += found is None
    assert refused
