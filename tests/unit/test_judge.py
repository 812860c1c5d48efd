"""The command `judge`: files of cases, refusals with their lines, the hearing at the table and its protocol."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.source import Source
from svod_tools import cli, files
from svod_tools.case_files import read_cases
from svod_tools.commands.judge import cited_rules
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

ROOT = Path(__file__).resolve().parents[2]
SHUKH = str(ROOT / "spec" / "shukh")
TURN = """
- id: T-1
  title: Out of turn
  deck: 36
  players: [A, B, C, D]
  position:
    phase: play
    exited: []
    hands: {A: [QC, 7S], B: [9C, KH], C: [JS, 6H, AC], D: [10D, 8S, KC]}
    kon: [{card: 8D, by: A}]
    discard: rest
    turn: B
    facts: ["The weather was fine."]
  events:
    - {n: 1, by: D, do: play, card: 10D}
    - {n: 2, by: B, do: claim, against: D, code: Ш-7}
  questions:
    - {q: 1, at: 1, ask: violation}
    - {q: 2, at: 2, ask: payers}
  expected:
    1: Ш-7
    2: {D: [A, B, C]}
  rules: [R-5.4, R-8.1]
"""
BROKEN = TURN.replace("T-1", "T-2").replace("card: 10D", "card: 10S").replace("C: [JS, 6H, AC]", "C: [JS, 8D, AC]")


def judged(tmp_path: Path, text: str, *options: str) -> int:
    path = tmp_path / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return cli.run(["judge", SHUKH, str(path), *options])


def test_a_case_that_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, TURN) == 0
    out = capsys.readouterr().out
    assert "1 из 1" in out and "violation (после 1): Ш-7  ✓" in out
    assert "не учтено: weather was fine" in out
    assert "признать(D)" in out and "R-5.4 Очередь" in out


def test_a_case_that_disagrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, TURN.replace("1: Ш-7", "1: Ш-2"), "--lang", "en") == 1
    out = capsys.readouterr().out
    assert "0 of 1" in out and "DISAGREES" in out and "expected: Ш-2" in out


def test_a_refused_case_leaves_the_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, BROKEN + TURN) == 1
    out = capsys.readouterr().out
    assert "1 из 2; не принято 1" in out
    assert "C503" in out and "cases.yaml:10:" in out, "a card in two places is shown in its line"


def test_an_event_that_cannot_happen_is_shown_in_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, TURN.replace("play, card: 10D", "play, card: 10S")) == 1
    assert "C504" in (out := capsys.readouterr().out) and "cases.yaml:15:" in out


def test_the_ruling_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, TURN, "--format", "json") == 0
    report = json.loads(capsys.readouterr().out)
    (case,) = report["cases"]
    assert (report["agree"], report["count"], report["edition"]) == (1, 1, "1") and len(report["hash"]) == 12
    assert case["answers"][1]["answer"] == {"D": ["A", "B", "C"]} and case["answers"][1]["agrees"]
    assert case["rules"][0] == "R-5.4" and case["missing_rules"] == []
    assert [act["added"] for act in case["acts"][:3]] == [False, False, True]


@pytest.mark.parametrize("text", ["a: [1, 2", "5", "- 5", "", "- {id: a, id: b}"])
def test_a_file_that_is_no_cases(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, text) == 2
    assert "C505" in capsys.readouterr().err


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judged(tmp_path, TURN, "--record", "game.txt") == 2
    assert judged(tmp_path, TURN, "--protocol", "p.txt") == 2
    assert cli.run(["judge", SHUKH, str(tmp_path / "nowhere.yaml")]) == 2
    capsys.readouterr()
    assert cli.run(["judge", str(ROOT / "spec" / "kuhn"), str(tmp_path / "cases.yaml")]) == 2
    assert "C501" in capsys.readouterr().err


TOLD = """36
A B C D


play


A: QC 7S; B: 9C KH; C: JS 6H AC; D: 10D 8S KC


8D:A



discard
B
D was in a hurry

D play 10D
B fly
D play 2D
A claim D Ш-9
отмена
B claim D Ш-7
кто прав?
конец
"""


def test_a_hearing_at_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(TOLD))
    kept = tmp_path / "protocol.txt"
    assert cli.run(["judge", SHUKH, "--protocol", str(kept)]) == 0
    out, protocol = capsys.readouterr().out, kept.read_text(encoding="utf-8")
    assert "такого действия нет" in out and "нет карты «2D»" in out
    for part in ("Положение", "побить(D, 10D) — незаконно", "наказание: Ш-7", "не учтено: D was in a hurry", "R-5.4"):
        assert part in protocol
    assert "Ш-9" not in protocol.split("Правила")[0], "what was taken back is not told"
    assert protocol.strip() in out


def test_a_hearing_from_the_start_of_a_play_that_breaks_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("36\nA B C\n\nначало\nA draw 8S\nA place 8S A\nB draw 9H\n"))
    assert cli.run(["judge", SHUKH]) == 0
    assert "ходит: B" in capsys.readouterr().out


def test_a_hearing_as_data_keeps_the_output_for_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(TOLD))
    assert cli.run(["judge", SHUKH, "--format", "json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["acts"] and "Положение" in told.err


def test_a_hearing_is_left_with_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("svod_tools.terminal.ask", interrupted)
    assert cli.run(["judge", SHUKH]) == 130


def test_rules_of_a_file_of_cases() -> None:
    bench = open_workbench(Choice(SHUKH, "ru"))
    assert isinstance(bench, Workbench)
    found = cited_rules(bench, Source("cases.yaml", TURN), Problems())
    assert found is not None and found["T-1"][0] == "R-5.4"
    assert cited_rules(bench, Source("cases.yaml", "5"), Problems()) is None


def test_places_of_a_case() -> None:
    source = Source("cases.yaml", "cases:\n- id: a\n  position: {turn: B}\n")
    read = read_cases(source, Problems())
    assert read is not None
    (case,) = read.cases
    span = case.places(("position", "turn", "inside"))
    assert span is not None and source.text[span.start : span.end] == "B"
    assert files.to_json(case.data) == files.to_json({"id": "a", "position": {"turn": "B"}})
