"""Cases that cannot be are refused, each with what is wrong: nothing is answered about a position that no play has."""

from __future__ import annotations

from typing import Any

import pytest

from svod.diagnostics import Problems

from .judges import ruling

HANDS = {"A": ["QC", "7S"], "B": ["9C", "KH"], "C": ["JS", "6H"]}
PLAY: dict[str, Any] = {
    "id": "R",
    "deck": 36,
    "variants": [],
    "players": ["A", "B", "C"],
    "position": {"phase": "play", "exited": [], "hands": HANDS, "kon": [{"card": "8D", "by": "A"}], "discard": "rest"},
    "questions": [{"q": 1, "at": 0, "ask": "next_to_move"}],
}


def case(**position: object) -> dict[str, Any]:
    return {**PLAY, "position": {**PLAY["position"], "turn": "B", **position}}


def refused(data: dict[str, Any]) -> list[str]:
    problems = Problems()
    found = ruling(data, problems)
    assert (found is None) is problems.has_errors
    return [f"{problem.code.name} {problem.message.en}" for problem in problems]


def test_the_case_as_it_stands_is_judged() -> None:
    assert refused(case()) == []


@pytest.mark.parametrize(
    ("position", "told"),
    [
        ({"kon": [{"card": c, "by": p} for c, p in (("8D", "A"), ("9D", "B"), ("10D", "C"))]}, "C503 this cannot be"),
        ({"hands": {**HANDS, "A": []}, "kon": [{"card": "8D", "by": "B"}], "shukh": {"A": ["9C"]}}, "C503"),
        ({"exited": "C"}, "C502 expected a list of players"),
        ({"exited": ["C", "C"], "hands": {"A": ["QC"], "B": ["9C"]}}, "C502 player “C” is named twice"),
        ({"talon_rest": "rest"}, "C502 the rest lies elsewhere already"),
        ({"facts": [{"долг(B, C)": 1000}]}, "C502 “долг” is never “1000”"),
        ({"facts": [{"ходил": 17}]}, "C502 “17” is no Игрок"),
        ({"facts": [{"поймана": 5}]}, "C502 “поймана” is never “5”"),
    ],
)
def test_a_position_that_cannot_be(position: dict[str, object], told: str) -> None:
    (first, *_) = refused(case(**position)) or [""]
    assert first.startswith(told), first


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"deck": "52"}, "C502 “deck” is no number"),
        ({"events": [{"n": 0, "by": "B", "do": "play", "card": "9C"}]}, "C502 events are numbered from 1"),
        (
            {"events": [{"by": "B", "do": "play", "card": "KH", "code": "Ш-3"}]},
            "C502 “play”: field “code” means nothing",
        ),
        ({"events": [{"by": "B", "do": "play", "card": "KH", "to": "C"}]}, "C502 “play”: field “to” means nothing"),
        (
            {"events": [{"by": "B", "do": "claim", "to": "C", "against": "A", "code": "Ш-7"}]},
            "C502 “claim”: field “against” means nothing",
        ),
        ({"expected": ["B"]}, "C502 the expected answers are not by number"),
        ({"expected": {1: "B", "1": "C"}}, "C502 answer 1 is given twice"),
        ({"rules": "R-5.4"}, "C502 the rules are no list"),
        ({"questions": [{"q": 1, "at": True, "ask": "next_to_move"}]}, "C502 question 1: there is no event True"),
        ({"questions": [{"q": 1, "at": 0, "ask": "next_to_move", "whoo": "A"}]}, "C502 a question has no field “whoo”"),
        ({"questions": [{"q": 1, "at": 0, "ask": "hand_after"}]}, "C502 the question does not say about whom"),
    ],
)
def test_a_case_that_cannot_be_meant(change: dict[str, object], told: str) -> None:
    (first, *_) = refused({**case(), **change}) or [""]
    assert first.startswith(told), first


def test_every_question_that_cannot_be_asked_is_told() -> None:
    questions = [
        {"q": 1, "at": 0, "ask": "hand_after"},
        {"q": 2, "at": 0, "ask": "legal_moves", "who": ["A", "B"]},
    ]
    assert len(refused({**case(), "questions": questions})) == 2


def test_whose_turn_it_is_may_be_left_open() -> None:
    """With cards on the table every turn that fits is tried; what depends on it is not settled."""
    data = case()
    del data["position"]["turn"]
    problems = Problems()
    found = ruling(data, problems)
    assert found is not None and not found.settled
