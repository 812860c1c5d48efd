"""The report: stable order, acceptances, exit code, and JSON that its own schema describes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from svod.diagnostics import Code, Diagnostic, Severity, Text
from svod.findings import Family, Finding, Grade, Move, Scope
from svod.norms import ir
from svod.norms.trace import Act
from svod.report import make_report, report_schema, report_to_json

ROOT = Path(__file__).resolve().parents[2]
SCHEMA_FILE = ROOT / "site" / "docs" / "language" / "report.schema.json"
SCOPE = Scope("36", "2..8", switches=("*V", "R-5=A"), edition="1", budget="60s")
ERROR = Code("F901", Text("ошибка", "an error"), Text("долгая речь", "a long speech"))
WARNING = Code("F902", Text("предупреждение", "a warning"), Text("речь", "a speech"), Severity.WARNING)
ORDER = ("R-1", "R-2", "R-10")


def finding(code: Code, *rules: str, family: Family = Family.GAP, title: str = "t") -> Finding:
    words = Text(title, title)
    return Finding(code, family, Grade.REACHABLE, rules, words, words, "search", SCOPE, 0.25, code.severity)


def acceptance(code: str, *rules: str) -> ir.Acceptance:
    return ir.Acceptance(code, rules, "known", "R-1")


def test_order_is_errors_family_code_numbers_in_text_order() -> None:
    late, early = finding(ERROR, "R-10"), finding(ERROR, "R-2")
    clash = finding(ERROR, "R-10", family=Family.CONTRADICTION)
    mild = finding(WARNING, "R-1")
    for given in ([late, mild, early, clash], [mild, clash, early, late]):
        assert make_report("b", "1", SCOPE, given, order=ORDER).findings == (clash, early, late, mild)


def test_exit_code_follows_errors_only() -> None:
    assert make_report("b", "1", SCOPE, []).exit_code == 0
    assert make_report("b", "1", SCOPE, [finding(WARNING, "R-1")]).exit_code == 0
    assert make_report("b", "1", SCOPE, [finding(ERROR, "R-1")]).exit_code == 1


def test_acceptance_silences_an_error_and_keeps_it() -> None:
    known = acceptance("F901", "R-10", "R-2")
    report = make_report("b", "1", SCOPE, [finding(ERROR, "R-2", "R-10")], acceptances=[known])
    assert report.exit_code == 0
    assert [found.accepted for found in report.findings] == ["known"]
    assert report.summary.accepted == 1 and report.summary.errors == report.summary.warnings == 0


def test_acceptance_of_other_rules_does_not_apply() -> None:
    report = make_report("b", "1", SCOPE, [finding(ERROR, "R-2", "R-10")], acceptances=[acceptance("F901", "R-2")])
    assert report.summary.errors == 2
    assert {found.code.name for found in report.findings} == {"F901", "X101"}


def test_acceptance_that_matches_nothing_is_an_error() -> None:
    report = make_report("b", "1", SCOPE, [], acceptances=[acceptance("F901", "R-2")])
    (found,) = report.findings
    assert (report.exit_code, found.code.name, found.rules) == (1, "X101", ("R-1", "R-2"))


def test_warnings_about_the_text_become_static_findings() -> None:
    gap = Diagnostic(WARNING, Text("пропуск", "a gap"), None, "R-10")
    error = Diagnostic(ERROR, Text("беда", "a trouble"), None, "R-2")
    report = make_report("b", "1", SCOPE, [], diagnostics=[gap, error], acceptances=[acceptance("F902", "R-10")])
    (found,) = report.findings
    assert (found.family, found.rules, found.accepted) == (Family.STATIC, ("R-10",), "known")
    assert report.diagnostics == (gap, error)


def full_report() -> dict[str, object]:
    position = {
        "zones": {"table": ["6♥", {"card": "7♥", "by": "P1"}], "pile": {"P1": [], "P2": ["8♥"]}},
        "registers": {"turn": "P1", "place": {"P1": 1, "P2": None}, "begun": True},
        "switches": ["V"],
    }
    moves = (Move(Act("lay", (0, 3)), "lay(P1, 9♥)", "P1", ("R-1",)), Move(Act("draw", (1,)), "draw(6♥)", None, ()))
    position["frame"] = {"zones": {"table": ["6♥"]}, "registers": {"turn": "P2"}}
    shown = replace(finding(ERROR, "R-1"), position_json=position, play=moves)
    report = make_report("b", "1", SCOPE, [shown, finding(WARNING, "R-2")], acceptances=[acceptance("F902", "R-2")])
    return json.loads(json.dumps(report_to_json(report, "ru")))


def test_json_has_the_documented_shape() -> None:
    jsonschema.Draft202012Validator.check_schema(report_schema())
    data = full_report()
    jsonschema.validate(data, report_schema())
    first = data["findings"][0]
    assert {"code", "family", "grade", "rules", "title", "position", "play"} <= set(first)
    assert {"verdict", "method", "scope", "seconds"} <= set(first)
    assert first["play"] == [
        {"action": "lay(P1, 9♥)", "by": "P1", "rules": ["R-1"], "lawful": True},
        {"action": "draw(6♥)", "by": None, "rules": [], "lawful": True},
    ]
    assert data["summary"] == {
        "errors": 1, "warnings": 0, "notes": 0, "accepted": 1, "unknown": 0, "families": {"gap": 2}, "exit": 1,
    }  # fmt: skip


@pytest.mark.parametrize("damage", ["grade", "play", "seconds", "rules"])
def test_schema_refuses_what_is_not_a_report(damage: str) -> None:
    data = full_report()
    del data["findings"][0][damage]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, report_schema())


def test_published_schema_is_the_one_in_force() -> None:
    """To renew it, write `report_schema()` as JSON to the file."""
    assert json.loads(SCHEMA_FILE.read_text(encoding="utf-8")) == report_schema()


def test_notes_come_after_warnings_and_count_for_themselves() -> None:
    good = Code("F903", Text("доказано", "proved"), Text("долгая речь", "a long speech"), Severity.NOTE)
    note, mild = finding(good, "R-1"), finding(WARNING, "R-10")
    report = make_report("b", "1", SCOPE, [note, mild], order=ORDER)
    assert report.findings == (mild, note)
    assert (report.exit_code, report.summary.warnings, report.summary.notes) == (0, 1, 1)


def test_a_check_that_was_cut_short_is_not_clean_and_blames_no_acceptance() -> None:
    report = make_report("b", "1", SCOPE, [], acceptances=[acceptance("F901", "R-2")], unfinished=2)
    assert report.summary.unknown == 2 and report.findings == () and report.exit_code == 4
    wrong = make_report("b", "1", SCOPE, [finding(ERROR, "R-1")], unfinished=1)
    assert wrong.exit_code == 1
