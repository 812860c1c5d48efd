"""The judge exam: cases with expected answers, asked of edition 1 through the engine.

Only the cases that need no penalty, claim or speech; the rulebook carries those later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.norms import ir
from svod.pipeline import Compilation, compile_texts, switches_for
from svod.searches.case_outcomes import agrees
from svod.searches.case_words import Form, case_words
from svod.searches.judging import Answer, Case, Ruling, judge
from svod.searches.players import Player, PlayerFor, engines_for
from svod_tools.files import load_rulebook
from svod_tools.vocabulary import Vocabulary, read_vocabulary

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
GIVEN = ROOT / "tests" / "exam" / "shukh-given.yaml"
LAWFUL_PLAY = "001 003 006 007 009 011 013 015 017 019 024 025 027 052 053 057 071 073".split()
CASES: dict[str, dict[str, Any]] = {
    case["id"]: case for case in yaml.safe_load(GIVEN.read_text(encoding="utf-8"))["cases"]
}


@cache
def rulebook() -> tuple[Compilation, Vocabulary]:
    problems = Problems()
    loaded = load_rulebook(str(ROOT / "spec" / "shukh"), problems)
    assert loaded is not None
    compilation = compile_texts(loaded.chapters, (), problems)
    vocabulary = read_vocabulary(loaded.vocabulary, problems)
    assert compilation is not None and not problems.has_errors
    return compilation, vocabulary


class Makers:
    """Norms of edition 1, and engines of them, each made once."""

    def __init__(self) -> None:
        self.engines: dict[tuple[tuple[str, str], ...], PlayerFor] = {}

    def norms(self, parameters: Mapping[str, int], problems: Problems) -> ir.Norms | None:
        return rulebook()[0].norms(parameters, problems)

    def switches(self, norms: ir.Norms, variants: Sequence[str], problems: Problems) -> frozenset[str]:
        return switches_for(norms, variants, problems)

    def player(self, norms: ir.Norms, switches: frozenset[str]) -> Player:
        if norms.parameters not in self.engines:
            self.engines[norms.parameters] = engines_for(in_python)(norms)
        return self.engines[norms.parameters](switches)


MAKERS = Makers()


def ruling(case: Mapping[str, Any], problems: Problems, questions: Mapping[str, Form] | None = None) -> Ruling | None:
    words = case_words(rulebook()[1].cases, problems)
    assert words is not None
    words = words if questions is None else replace(words, questions=questions)
    return judge(Case(case, lambda path: None), rulebook()[1], words, MAKERS, problems)


def ask(case: Mapping[str, Any], questions: Mapping[str, Form] | None = None) -> dict[str, Answer]:
    problems = Problems()
    found = ruling(case, problems, questions)
    assert found is not None, [problem.message.en for problem in problems]
    return {answer.question.number: answer for answer in found.answers}


@pytest.mark.parametrize("number", LAWFUL_PLAY)
def test_answers_of_the_exam(number: str) -> None:
    case = CASES[f"E-{number}"]
    answers = ask(case)
    assert set(answers) == {str(question) for question in case["expected"]}
    wrong = {
        question: (answer.value, answer.why, case["expected"][int(question)])
        for question, answer in answers.items()
        if not (answer.settled and agrees(answer.value, case["expected"][int(question)]))
    }
    assert wrong == {}


def test_a_wrong_key_is_noticed() -> None:
    """The comparison is able to fail: an answer is held against another question's key."""
    answers = ask(CASES["E-009"])
    assert agrees(answers["4"].value, "D") and not agrees(answers["4"].value, "A")
    moves = ask(CASES["E-001"])["1"].value
    assert agrees(moves, ["take_bottom", "play JS"])
    assert not agrees(moves, ["take_bottom"]) and not agrees(moves, ["take_bottom", "play JS", "play KC"])


def test_what_the_past_decides_is_not_settled() -> None:
    """Who closed last depends on what the case does not say: the values that fit disagree."""
    case = dict(CASES["E-013"], events=[], questions=[{"q": 1, "at": 0, "ask": "closer"}])
    (answer,) = ask(case, {"closer": Form("value", ("закрывший",))}).values()
    assert not answer.settled and answer.why


@pytest.mark.parametrize(
    ("field", "value"),
    [("players", None), ("position", {"phase": "night"}), ("questions", [{"q": 1, "at": 0, "ask": "weather"}])],
)
def test_a_broken_case_is_a_diagnostic(field: str, value: object) -> None:
    problems = Problems()
    assert ruling(dict(CASES["E-001"], **{field: value}), problems) is None
    assert [problem.code.name for problem in problems] == ["C502"]


@pytest.mark.parametrize("copy", ["exam/shukh-given.yaml", "cases/shukh-known-findings.md", "cases/core-scope.md"])
def test_copies_are_those_handed_out(copy: str) -> None:
    original = SHARED / copy
    if not original.is_file():
        pytest.skip("the folder that the copies were taken from is not here")
    assert (ROOT / "tests" / copy).read_text(encoding="utf-8") == original.read_text(encoding="utf-8"), (
        f"tests/{copy} differs from {original.name} as handed out"
    )
