"""The check finds, by itself, what careful readers found in edition 1 by hand; edition 2 is clean.

`tests/cases/shukh-known-findings.md` describes each of them. A finding is recognised by its family and rules, and every
one but K-05 comes with a play from a deal, which the naive evaluator plays again here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from svod.diagnostics import Problems, Severity, Text
from svod.findings import Family, Finding, Grade
from svod.naive.evaluator import Naive
from svod.norms.trace import Next, Status
from svod.report import Report
from svod_tools.checking import check_rulebook
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

SPEC = Path(__file__).resolve().parents[2] / "spec" / "shukh"
PATIENCE = 600.0  # seconds; the effort is counted, so that a slow machine finds the same


@dataclass(frozen=True)
class Known:
    """`rules`: every finding of this kind names them. `families`: where it may be found."""

    families: tuple[Family, ...]
    rules: frozenset[str]
    played: bool = True


def known(families: str, rules: str, *, played: bool = True) -> Known:
    return Known(tuple(Family(name) for name in families.split()), frozenset(rules.split()), played)


KNOWN = {
    "K-01": known("gap", "R-5.7 R-5.8"),
    "K-02": known("contradiction", "R-3.6.2 R-5.5"),
    "K-03": known("gap", "R-5.2 R-3.7.2"),
    "K-05": known("unreachable", "R-5.7.2", played=False),
    "K-06": known("contradiction", "R-3.7.1 R-3.3"),
    "K-07": known("invariant ambiguity", "I-4"),
    "K-08": known("contradiction", "R-4.4.1 R-4.4.2"),
    "K-09": known("contradiction", "R-4.9 R-4.4.3"),
    "K-13": known("ambiguity", "R-10.1.1"),
}
SOUND = {
    "H-01": frozenset({"R-5.5", "R-9.1"}),
    "H-02": frozenset({"R-5.8"}),
    "H-03": frozenset({"R-5.8", "R-9.1"}),
    "H-04": frozenset({"R-4.4.1"}),
    "H-05": frozenset({"R-5.9"}),
}


@cache
def checked(edition: int | None) -> tuple[Workbench, Report, tuple[Text, ...]]:
    bench = open_workbench(Choice(str(SPEC), "ru", edition=edition))
    assert isinstance(bench, Workbench)
    problems = Problems()
    result = check_rulebook(bench, PATIENCE, problems)
    assert result is not None and not problems.has_errors
    return bench, result.report, result.unfinished


def instances(report: Report, wanted: Known) -> list[Finding]:
    return [
        finding
        for finding in report.findings
        if finding.family in wanted.families and wanted.rules <= set(finding.rules)
    ]


def replay(bench: Workbench, finding: Finding) -> None:
    """The play is lawful move by move, from the deck and with the switches that the finding names."""
    parameters = {
        parameter.name: int(finding.scope.players) for parameter in bench.compilation.parameters if parameter.seats
    }
    parameters |= {p.name: int(finding.scope.deck) for p in bench.compilation.parameters if not p.seats}
    norms = bench.compilation.norms(parameters, Problems())
    assert norms is not None
    if finding.scope.cards:
        names = norms.sort(norms.card_sort).values
        norms = replace(norms, deck=tuple(sorted(names.index(name) for name in finding.scope.cards)))
    naive = Naive(norms, finding.scope.switches)
    outcome = naive.initial()
    for move in finding.play:
        assert isinstance(outcome, Next), "nothing follows a move that stops the play"
        assert naive.status(outcome.position, move.act) is Status.LAWFUL
        assert move.rules and move.text.startswith(move.act.action)
        outcome = naive.step(outcome.position, move.act)


@pytest.mark.parametrize("name", KNOWN)
def test_known_defect_is_found(name: str) -> None:
    bench, report, _ = checked(None)
    found = instances(report, KNOWN[name])
    assert found, [(finding.family.value, finding.rules) for finding in report.findings]
    if KNOWN[name].played:
        reachable = [finding for finding in found if finding.grade is Grade.REACHABLE and finding.play]
        assert reachable
        for finding in reachable:
            replay(bench, finding)
            assert finding.position_json is not None


@pytest.mark.parametrize("edition", [None, 2])
def test_the_whole_effort_is_made(edition: int | None) -> None:
    assert checked(edition)[2] == ()


def test_first_edition_has_errors_and_says_so() -> None:
    _, report, _ = checked(None)
    assert report.exit_code == 1


@pytest.mark.parametrize("name", SOUND)
def test_what_is_sound_is_no_error(name: str) -> None:
    _, report, _ = checked(None)
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    assert errors
    assert [finding.title.ru for finding in errors if set(finding.rules) <= SOUND[name]] == []


def test_forced_take_is_no_dead_rule() -> None:
    _, report, _ = checked(None)
    assert [f.title.ru for f in report.findings if f.family is Family.UNREACHABLE and "R-5.9" in f.rules] == []


def test_second_edition_is_clean() -> None:
    _, report, _ = checked(2)
    assert [(finding.rules, finding.title.ru) for finding in report.findings if finding.is_error] == []
    assert report.exit_code == 0


@pytest.mark.parametrize("name", sorted(KNOWN.keys() - {"K-05"}))
def test_second_edition_has_none_of_them_left(name: str) -> None:
    """A proof, or a note that one is still missing, is no defect."""
    _, report, _ = checked(2)
    left = [found for found in instances(report, KNOWN[name]) if found.severity is not Severity.NOTE]
    assert [finding.title.ru for finding in left] == []
