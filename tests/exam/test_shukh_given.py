"""The judge exam: cases with expected answers, asked of edition 1 through the engine: every question of every case, and
the rules that each case names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from svod.diagnostics import Problems
from svod.searches.case_outcomes import agrees
from svod.searches.case_ways import Answer
from svod.searches.case_words import Form
from svod.searches.judging import Ruling

from .judges import ROOT, ruling

SHARED = ROOT.parent / "shared"
GIVEN = ROOT / "tests" / "exam" / "shukh-given.yaml"
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in yaml.safe_load(GIVEN.read_text(encoding="utf-8"))["cases"]
}


def ask(case: Mapping[str, Any], questions: Mapping[str, Form] | None = None) -> dict[str, Answer]:
    problems = Problems()
    found = ruling(case, problems, questions)
    assert found is not None, [problem.message.en for problem in problems]
    return {answer.question.number: answer for answer in found.answers}


@cache
def given(name: str) -> Ruling:
    problems = Problems()
    found = ruling(CASES[name], problems)
    assert found is not None, [problem.message.en for problem in problems]
    return found


def test_the_exam_has_its_forty_cases() -> None:
    assert len(CASES) == 40


@pytest.mark.parametrize("name", CASES)
def test_answers_of_the_exam(name: str) -> None:
    case, found = CASES[name], given(name)
    assert {answer.question.number for answer in found.answers} == {str(question) for question in case["expected"]}
    wrong = {
        answer.question.number: (answer.value, answer.why, answer.expected)
        for answer in found.answers
        if not answer.agrees
    }
    assert wrong == {}
    assert found.agrees and found.settled


@pytest.mark.parametrize("name", CASES)
def test_rules_of_the_exam(name: str) -> None:
    """None that the case names is missing, and not more than twice as many are cited."""
    rules = CASES[name]["rules"]
    cited = [citation.rule for citation in given(name).rules]
    assert set(rules) <= set(cited)
    assert len(cited) <= 2 * len(rules)
    ranks = [citation.rank for citation in given(name).rules]
    assert ranks == sorted(ranks), "deciding rules come first"


def test_an_adopted_reading_that_decides_is_told() -> None:
    """Whether a move of the next player is one breach or two (E-035), and what follows the only card's taking."""
    told = {name: [other for answer in given(name).answers for other in answer.readings] for name in ("E-035", "E-015")}
    assert [other.condition.en for other in told["E-035"]] == ["Ш-4b, reading Б"]
    assert {other.condition.en for other in told["E-015"]} == {"R-5.8, reading А"}
    assert all(other.why is not None for others in told.values() for other in others)


def test_what_nobody_reads_is_not_dropped() -> None:
    unread = given("E-045").unread
    assert len(unread) == 1 and "last week" in unread[0]
    assert given("E-063").unread == ()


def test_payments_that_are_not_spelled_out_are_tried() -> None:
    """What B holds when he is paid does not depend on it; which card A still has does."""
    asked = [{"q": 1, "at": 2, "ask": "hand_after", "who": "A"}, {"q": 2, "at": 2, "ask": "hand_after", "who": "D"}]
    answers = ask({**CASES["E-041"], "questions": asked, "expected": {}})
    assert not answers["1"].settled and answers["1"].why is not None and "paid" in answers["1"].why.en
    assert len(answers["1"].sides) == 2
    assert answers["2"].settled


def test_a_wrong_key_is_noticed() -> None:
    """The comparison is able to fail: an answer is held against another question's key."""
    answers = {answer.question.number: answer for answer in given("E-009").answers}
    assert agrees(answers["4"].value, "D") and not agrees(answers["4"].value, "A")
    moves = ask(CASES["E-001"])["1"].value
    assert agrees(moves, ["take_bottom", "play JS"])
    assert not agrees(moves, ["take_bottom"]) and not agrees(moves, ["take_bottom", "play JS", "play KC"])


def test_what_the_past_decides_is_not_settled() -> None:
    """How the last kon ended depends on what the case does not say: the ways that fit disagree."""
    asked = [{"q": 1, "at": 0, "ask": "ended"}]
    case = dict(CASES["E-075"], events=[], questions=asked, expected={})
    (answer,) = ask(case, {"ended": Form("value", ("исход",))}).values()
    assert not answer.settled and answer.why


IMPOSSIBLE: list[tuple[str, dict[str, Any], list[str]]] = [
    ("E-001", {"players": None}, ["C502"]),
    ("E-001", {"position": {"phase": "night"}}, ["C502"]),
    ("E-001", {"questions": [{"q": 1, "at": 0, "ask": "weather"}]}, ["C502"]),
    ("E-001", {"players": ["A", "B", "C", "A"]}, ["C502"]),
    ("E-001", {"deck": 40}, ["C502"]),
    ("E-001", {"variants": ["W"]}, ["C201"]),
    ("E-041", {"events": [{"n": 1, "by": "D", "do": "play", "card": "AS"}]}, ["C504"]),
    ("E-041", {"events": [{"n": 1, "by": "E", "do": "play", "card": "10D"}]}, ["C502"]),
    (
        "E-041",
        {"events": [{"n": 1, "by": "D", "do": "fly"}, {"n": 2, "by": "D", "do": "play", "card": "1D"}]},
        2 * ["C502"],
    ),
    ("E-039", {"players": list("ABCDEFGHI")}, ["C502"]),
]


@pytest.mark.parametrize(("name", "change", "codes"), IMPOSSIBLE)
def test_an_impossible_case_is_refused(name: str, change: dict[str, Any], codes: list[str]) -> None:
    problems = Problems()
    case = {**CASES[name], "questions": [], "expected": {}, **change}
    assert ruling(case, problems) is None
    assert [problem.code.name for problem in problems] == codes


POSITIONS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("E-001", {"hands": {"A": ["8C", "10H"], "B": ["8C"], "C": [], "D": []}}, ["C503"]),
    ("E-075", {"turn": "C"}, ["C503"]),
    ("E-001", {"exited": ["B"]}, ["C503"]),
    ("E-039", {"away": ["D"]}, ["C504"]),
]


@pytest.mark.parametrize(("name", "change", "codes"), POSITIONS)
def test_an_impossible_position_is_refused(name: str, change: dict[str, Any], codes: list[str]) -> None:
    """A card twice, a turn that cannot be, somebody out who holds cards, a vote of somebody who is away."""
    problems = Problems()
    case = {**CASES[name], "position": {**CASES[name]["position"], **change}}
    assert ruling(case, problems) is None
    assert [problem.code.name for problem in problems] == codes


@pytest.mark.parametrize("copy", ["exam/shukh-given.yaml", "cases/shukh-known-findings.md", "cases/core-scope.md"])
def test_copies_are_those_handed_out(copy: str) -> None:
    original = SHARED / copy
    if not original.is_file():
        pytest.skip("the folder that the copies were taken from is not here")
    assert (ROOT / "tests" / copy).read_text(encoding="utf-8") == original.read_text(encoding="utf-8"), (
        f"tests/{copy} differs from {original.name} as handed out"
    )
