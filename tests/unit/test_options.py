"""Numbers, ranges, times and settings as typed on the command line."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod_tools.options import parse_numbers, parse_seconds, parse_settings


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        (None, ()),
        ("4", (4,)),
        ("2..4", (2, 3, 4)),
        ("2-3", (2, 3)),
        ("36,52", (36, 52)),
        ("36|52", (36, 52)),
        ("3,2..3", (3, 2)),
    ],
)
def test_numbers(text: str | None, numbers: tuple[int, ...]) -> None:
    problems = Problems()
    assert parse_numbers(text, "--players", problems) == numbers
    assert not problems.found


@pytest.mark.parametrize("text", ["", "много", "4..2", "2..", "-1", "1.5"])
def test_no_numbers(text: str) -> None:
    problems = Problems()
    parse_numbers(text, "--players", problems)
    assert problems.has_errors


@pytest.mark.parametrize(
    ("text", "seconds"), [(None, 90), ("60", 60), ("60s", 60), ("2m", 120), ("1,5 мин", 90), ("90с", 90)]
)
def test_seconds(text: str | None, seconds: float) -> None:
    problems = Problems()
    assert parse_seconds(text, problems) == seconds
    assert not problems.found


@pytest.mark.parametrize("text", ["", "вечность", "0s", "-5s", "5h"])
def test_no_seconds(text: str) -> None:
    problems = Problems()
    parse_seconds(text, problems)
    assert problems.has_errors


def test_settings() -> None:
    problems = Problems()
    assert parse_settings(["ставка=3", " x = 1 "], problems) == (("ставка", 3), ("x", 1))
    parse_settings(["ставка"], problems)
    assert problems.has_errors
