"""Positions as data: what is written is read back, and what cannot be is refused with a code."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from svod.diagnostics import Problems
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.from_rulebook import norms_from_book
from svod.norms.positions import (
    FRAME,
    IMPOSSIBLE,
    MALFORMED,
    OUT_OF_RANGE,
    UNKNOWN_NAME,
    position_from_json,
    position_to_json,
)
from svod.norms.trace import Laid, Next
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

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


# ------------------------------------------------------------------------------------------- breaches, frame

CATALOGUE = """
### R-1 Things
```rule
parameter players: 2
seats Player: players, names P
variables player: Player
sort Card: a | b
variables card: Card
zone deck: set, full at start
zone table: pile
zone marks: set, outside the frame
register turn: Player
register debt: 0..3 = 0, outside the frame
catalogue Article: V, else other
action lay(player, card)
  body: card from deck → table
```
### V-1 Breach
```rule
violation V-1(player) on lay(player, _)
```
"""


def with_catalogue() -> ir.Norms:
    problems = Problems()
    tree = parse_rulebook([Source("a.md", f"---\nrulebook: Trial\nlanguage: en\n---\n{CATALOGUE}")], problems)
    norms = norms_from_book(book_from_tree(tree, problems), {}, problems)
    assert norms is not None
    return norms


def breached(**changes: Any) -> dict[str, Any]:
    return {
        "zones": {"deck": ["b"], "table": ["a"], "marks": []},
        "registers": {"turn": "P1", "debt": 2, "breached": {"P2": {"V-1": True}}},
        "switches": [],
        "frame": {"zones": {"deck": ["a", "b"], "table": [], "marks": []}, "registers": {"turn": "P2"}},
        **changes,
    }


def test_record_and_frame_both_ways() -> None:
    norms, problems = with_catalogue(), Problems()
    position = position_from_json(norms, json.loads(json.dumps(breached())), problems)
    assert position is not None and not problems.found
    assert position.frame is not None
    assert position.frame.registers == ((("turn", ()), 1),)
    assert dict(position.frame.zones)["deck", None] == (Laid(0), Laid(1))
    assert [entry for entry in position.registers if entry[0][0] == "breached" and entry[1]] == [
        (("breached", (1, 0)), 1)
    ]
    assert position_to_json(norms, position) == breached()
    russian = breached()
    russian["снимок"] = russian.pop("frame")
    assert position_from_json(norms, russian, problems) == position


def test_a_quiet_position_lists_no_breach() -> None:
    norms, problems = with_catalogue(), Problems()
    quiet = breached(registers={"turn": "P1", "debt": 0})
    del quiet["frame"]
    position = position_from_json(norms, quiet, problems)
    assert position is not None and position.frame is None
    assert position_to_json(norms, position)["registers"] == {"turn": "P1", "debt": 0, "breached": {}}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"frame": None}, FRAME),
        ({"registers": {"turn": "P1", "debt": 0, "breached": {"P2": {"V-1": False}}}}, FRAME),
        ({"frame": {"zones": {"deck": ["a"], "table": [], "marks": []}, "registers": {"turn": "P1"}}}, IMPOSSIBLE),
        ({"frame": {"zones": {"deck": ["a", "b"]}, "registers": {"turn": "P1", "debt": 0}}}, UNKNOWN_NAME),
        ({"frame": {"zones": {"deck": ["a", "b"]}, "registers": {}}}, MALFORMED),
        ({"frame": {"zones": {"deck": ["a", "b"]}, "registers": {"turn": "P1"}, "switches": []}}, MALFORMED),
        ({"frame": []}, MALFORMED),
        ({"registers": {"turn": "P1", "debt": 0, "breached": {"P3": {"V-1": True}}}}, UNKNOWN_NAME),
        ({"registers": {"turn": "P1", "debt": 0, "breached": {"P2": {"V-9": True}}}}, UNKNOWN_NAME),
        ({"registers": {"turn": "P1", "debt": 0, "breached": {"P2": {"V-1": 1}}}}, OUT_OF_RANGE),
    ],
)
def test_a_frame_that_cannot_be_is_refused(changes: dict[str, Any], code: Any) -> None:
    problems = Problems()
    assert position_from_json(with_catalogue(), breached(**changes), problems) is None
    found = {diagnostic.code.name: diagnostic for diagnostic in problems}
    assert code.name in found
    if "frame" in changes and code is not FRAME:
        assert found[code.name].message.en.startswith("frame: ")


def test_too_many_cards_for_a_zone() -> None:
    data = opening()
    data["zones"]["stock"], data["zones"]["table"] = ["7♥"], ["6♠", "7♠", "6♥"]
    assert refused(data) == {IMPOSSIBLE.name}
