"""Our own cases of the same kinds as the exam's, asked of edition 1."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from svod.diagnostics import Problems

from .judges import ROOT, ruling

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in yaml.safe_load((ROOT / "tests" / "exam" / "shukh-own.yaml").read_text(encoding="utf-8"))["cases"]
}
OPEN = {
    "X-016": "the tuck brings the kon to its closing count: it is eaten and closed at once (K-02)",
    "X-034": "the last card of the deck fits a rival: two duties collide (K-09)",
}


@pytest.mark.parametrize("name", CASES)
def test_answers_of_our_own(name: str) -> None:
    problems = Problems()
    found = ruling(CASES[name], problems)
    assert found is not None, [problem.message.en for problem in problems]
    wrong = {a.question.number: (a.value, a.why, a.expected) for a in found.answers if not a.agrees}
    assert bool(wrong) is (name in OPEN), wrong


@pytest.mark.parametrize("name", ["X-016", "X-034"])
def test_where_the_rules_collide_no_answer_is_made_up(name: str) -> None:
    problems = Problems()
    found = ruling(CASES[name], problems)
    assert found is not None and not found.settled
    open_ = [answer for answer in found.answers if not answer.settled]
    assert all(answer.why is not None and answer.clauses for answer in open_)
    rules = {found.table.clauses.by_id[clause].head.rule for answer in open_ for clause in answer.clauses}
    assert rules <= {citation.rule for citation in found.rules}
    for answer in open_:
        assert {side.condition.en for side in answer.sides} == {f"by {rule}" for rule in rules}


def test_each_side_is_told_with_its_outcome() -> None:
    """Whose kon it is when the tuck brings it to its closing count, by either rule."""
    problems = Problems()
    found = ruling(CASES["X-016"], problems)
    assert found is not None
    (moves,) = [answer for answer in found.answers if answer.question.asked == "next_to_move"]
    assert {side.condition.en: side.value for side in moves.sides} == {"by R-3.6.2": "C", "by R-5.5": "B"}


@pytest.mark.parametrize("name", ["X-045", "X-072", "X-084", "X-095"])
def test_who_stands_apart_and_what_lies_apart_is_told_by_its_rules(name: str) -> None:
    """Somebody who has gone out or is away takes part; penalty cards lie before somebody."""
    found = ruling(CASES[name], Problems())
    assert found is not None and not found.missing
