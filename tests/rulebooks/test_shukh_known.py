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
    "K-10": known("ambiguity", "R-4.14"),
    "K-11": known("ambiguity", "R-4.14.1"),
    "K-12": known("contradiction", "R-1.4 Ш-8"),
    "K-13": known("ambiguity", "R-10.1.1"),
    "K-14": known("contradiction", "R-1.3 R-10.1.1"),
    "K-15": known("contradiction", "R-9.4.2 Ш-12"),
}
AFTER_BREACHES = {"K-10", "K-11", "K-12", "K-15"}
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
    """The play is possible move by move, lawful where the finding says so, from the deck and with the switches that it
    names."""
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
        status = naive.status(outcome.position, move.act)
        assert status is not Status.IMPOSSIBLE and (status is Status.LAWFUL) == move.lawful
        assert (move.rules or not move.lawful) and move.text.startswith(move.act.action)
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
        assert name not in AFTER_BREACHES or not all(move.lawful for finding in reachable for move in finding.play)


def test_breaches_that_no_number_covers_are_listed_each_with_a_place() -> None:
    bench, report, _ = checked(None)
    found = [finding for finding in report.findings if finding.code.name == "F206"]
    assert len(found) > 20
    assert {frozenset(finding.rules) for finding in found} >= {frozenset({"R-3.3"}), frozenset({"R-3.5"})}
    for finding in found[:6]:
        assert finding.family is Family.GAP and finding.position_json is not None
        replay(bench, finding)


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
