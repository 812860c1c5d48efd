"""Positions as data: what is written is read back, and what cannot be is refused with a code."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from svod.diagnostics import Problems
from svod.naive.evaluator import Naive
from svod.norms.positions import (
    IMPOSSIBLE,
    MALFORMED,
    OUT_OF_RANGE,
    UNKNOWN_NAME,
    position_from_json,
    position_to_json,
)
from svod.norms.trace import Next

from ..differential.samples import small_game

NORMS = small_game(2, 2)


def opening() -> dict[str, Any]:
    outcome = Naive(NORMS).initial()
    assert isinstance(outcome, Next)
    return copy.deepcopy(position_to_json(NORMS, outcome.position))  # type: ignore[arg-type]


def refused(data: object) -> set[str]:
    problems = Problems()
    assert position_from_json(NORMS, data, problems) is None
    return {diagnostic.code.name for diagnostic in problems}


def test_form() -> None:
    data = opening()
    assert data["zones"]["stock"] == ["6♠", "7♠", "6♥", "7♥"]
    assert data["zones"]["hand"] == {"P1": [], "P2": []}
    assert data["registers"]["stage"] == "deal"
    assert data["registers"]["closer"] is None
    assert data["registers"]["place"] == {"P1": 0, "P2": 0}
    assert data["registers"]["quiet"] is True
    assert data["switches"] == ["N-9=A"]


def test_authors_and_order_of_a_pile_are_kept() -> None:
    data = opening()
    data["zones"]["stock"] = ["6♥", "6♠"]
    data["zones"]["table"] = [{"card": "7♥", "by": "P2"}, "7♠"]
    problems = Problems()
    position = position_from_json(NORMS, json.loads(json.dumps(data)), problems)
    assert position is not None
    assert not problems.found
    data["zones"]["stock"] = ["6♠", "6♥"]  # a set has no order: the canonical one is written
    assert position_to_json(NORMS, position) == data


def changed(path: tuple[str, ...], value: object) -> dict[str, Any]:
    data = opening()
    inner = data
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("zones", "stock"), ["6♠", "7♠", "6♥", "7♥", "6♠"], IMPOSSIBLE),
        (("zones", "table"), ["6♠"], IMPOSSIBLE),
        (("zones", "stock"), ["6♠"], IMPOSSIBLE),
        (("zones", "stock"), ["9♣"], UNKNOWN_NAME),
        (("zones", "stock"), [3], UNKNOWN_NAME),
        (("zones", "stock"), "6♠", MALFORMED),
        (("zones", "stock"), [{"card": "6♠", "by": "P1"}], MALFORMED),
        (("zones", "table"), [{"card": "6♠", "by": "P7"}], UNKNOWN_NAME),
        (("zones", "lake"), [], UNKNOWN_NAME),
        (("zones", "hand"), [], MALFORMED),
        (("zones", "hand", "P9"), [], UNKNOWN_NAME),
        (("zones",), None, MALFORMED),
        (("registers", "stage"), "tea", OUT_OF_RANGE),
        (("registers", "stage"), None, OUT_OF_RANGE),
        (("registers", "out"), 3, OUT_OF_RANGE),
        (("registers", "out"), True, OUT_OF_RANGE),
        (("registers", "out"), "1", OUT_OF_RANGE),
        (("registers", "laid", "P1"), -1, OUT_OF_RANGE),
        (("registers", "quiet"), 1, OUT_OF_RANGE),
        (("registers", "place"), {"P1": 0}, MALFORMED),
        (("registers", "place"), 1, MALFORMED),
        (("registers", "moon"), 1, UNKNOWN_NAME),
        (("registers",), {}, MALFORMED),
        (("switches",), ["W"], UNKNOWN_NAME),
        (("extra",), 1, MALFORMED),
    ],
)
def test_what_cannot_be_is_refused(path: tuple[str, ...], value: object, code: Any) -> None:
    assert code.name in refused(changed(path, value))


@pytest.mark.parametrize("data", [None, 1, [], "position", {1: 2}])
def test_no_position_at_all(data: object) -> None:
    assert MALFORMED.name in refused(data)


def test_too_many_cards_for_a_zone() -> None:
    data = opening()
    data["zones"]["stock"], data["zones"]["table"] = ["7♥"], ["6♠", "7♠", "6♥"]
    assert refused(data) == {IMPOSSIBLE.name}
