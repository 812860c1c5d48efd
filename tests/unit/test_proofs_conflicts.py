"""What the solver says of rights and prohibitions, held against what play met: each side checks the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from svod.constraints.from_norms import Model
from svod.constraints.questions import contradictions
from svod.diagnostics import Problems, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.searches.check import Searched
from svod.searches.plays import Disagreement
from svod.searches.proof_findings import MAY_CONFLICT, conflicts
from svod.searches.stops import RIGHT_AGAINST_PROHIBITION
from svod_tools.options import Choice
from svod_tools.workbench import open_workbench

ROOT = Path(__file__).resolve().parents[2]
MET = Finding(
    RIGHT_AGAINST_PROHIBITION,
    Family.CONTRADICTION,
    Grade.REACHABLE,
    ("R-3.7.1", "R-3.3", "I-7"),
    Text("", ""),
    Text("", ""),
    "",
    Scope("36", "2"),
    0.0,
    RIGHT_AGAINST_PROHIBITION.severity,
)


@pytest.fixture(scope="module")
def answers() -> list[object]:
    bench = open_workbench(Choice(str(ROOT / "spec" / "shukh"), "en", players=(2,)))
    assert not isinstance(bench, int)
    norms = bench.norms(Problems())
    assert norms is not None
    return list(contradictions(Model(norms)))


def told(answers: list[object], met: Finding | None) -> list[Finding]:
    searched = Searched(findings=[] if met is None else [met])
    conflicts(answers, searched, "1")  # type: ignore[arg-type]
    return [finding for finding in searched.findings if finding is not met]


def test_what_play_did_not_meet_is_told_as_a_possibility(answers: list[object]) -> None:
    (found,) = told(answers, None)
    assert (found.code, found.grade, set(found.rules)) == (MAY_CONFLICT, Grade.LOCAL, {"R-3.7.1", "R-3.3"})


def test_what_play_met_needs_no_more_words(answers: list[object]) -> None:
    assert told(answers, MET) == []


def test_what_the_solver_excludes_and_play_met_is_our_fault(answers: list[object]) -> None:
    with pytest.raises(Disagreement):
        told(answers, replace(MET, rules=("R-3.7.1", "R-3.4")))
