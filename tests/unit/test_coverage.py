"""Coverage: what an example exercises, item by item; a formal item that nothing exercises is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.norms.examples import examples_from_book
from svod.searches.coverage import ItemCoverage, ItemKind, coverage, parts_of
from svod_tools import cli

from .court_rulebook import COURT, court

CLAIMED = """
```example Claimed and punished
given players = 2
do draw(P1, 1♠); draw(P2, 2♠); draw(P1, 3♠); draw(P2, 3♥); lay(P2, 2♠)
do claim(P1, P2, V-1); vote(P1, guilty); vote(P2, guilty)
then fine(P2) = 1; not breached(P2, V-1)
```
"""


def items(text: str, cited: dict[str, tuple[str, ...]] | None = None) -> dict[str, ItemCoverage]:
    problems = Problems()
    compilation = court(text)
    norms = compilation.norms({"players": 2}, problems)
    examples = examples_from_book(compilation.book, problems)
    assert norms is not None and not problems.has_errors, [problem.message.en for problem in problems]
    found = coverage(compilation.book, (norms,), tuple(parts_of(examples)), cited)
    return {item.number: item for item in found}


def with_example(number: str, example: str, text: str = COURT) -> str:
    """The rulebook with an example at the end of an item."""
    start = text.index(f"### {number} ")
    end = text.find("\n### ", start + 1)
    end = len(text) if end < 0 else end
    return text[:end].rstrip("\n") + "\n" + example + text[end:]


def test_what_one_example_exercises() -> None:
    found = items(COURT)
    assert [number for number, item in found.items() if item.bare] == ["T-5", "T-6", "V-2", "V-3"]
    assert (found["V-1"].clauses, found["V-1"].exercised) == (2, 1)  # the breach, not its penalty
    assert found["T-1"].declares and found["T-1"].clauses == 0 and not found["T-1"].bare


def test_a_claim_exercises_the_court_and_its_penalty() -> None:
    found = items(with_example("T-6", CLAIMED))
    assert [number for number, item in found.items() if item.bare] == ["V-2", "V-3"]
    assert (found["V-1"].clauses, found["V-1"].exercised) == (2, 2)
    assert {by.title for by in found["T-5"].here} == {"Claimed and punished"}
    assert {by.title for by in found["T-2"].here} == {"Two cards each", "Claimed and punished"}


def test_terms_count_where_something_with_a_part_reads_them() -> None:
    text = COURT.replace("always none player", "define idle := 1\ndefine busy := 2\nalways none player")
    told = with_example("T-8", "\n```example Idle\ngiven players = 2\nthen idle = 1\n```\n", text)
    assert items(told)["T-8"].exercised == items(text)["T-8"].exercised + 1


def test_the_failing_that_decides_counts() -> None:
    example = "\n```example Not yet\ngiven players = 2\nthen impossible lay(P1, 1♠)\n```\n"
    assert items(with_example("T-4", example))["T-4"].exercised == items(COURT)["T-4"].exercised
    text = COURT.replace(
        "  possible if stage = play and card in hand(player) and accused = none\n",
        "  possible if card in hand(player)\n",
    )
    only = text[: text.index("\n```example Two")] + text[text.index("### T-5") - 1 :]
    bare = items(only)["T-4"]
    refused = with_example(
        "T-4",
        "\n```example Refused\ngiven players = 2; hand(P1) = 1♠; rest in deck; last = P1\n"
        "then unlawful lay(P1, 1♠)\n```\n",
        only,
    )
    assert bare.bare and items(refused)["T-4"].exercised == 1


def test_exceptions_count_where_they_except() -> None:
    text = (
        COURT.replace(
            "on lay(player, _): last := player\n",
            "on lay(player, _): last := player\nforbid lay(_, 3♥)\n",
        )
        + "\n### T-9 All the same\n```rule\nexcept T-4: may lay(player, 3♥), if turn = player and heap is empty\n```\n"
    )
    laid = (
        "\n```example Three\ngiven players = 2; stage = play; hand(P1) = 3♥; rest in deck\n"
        "then lawful lay(P1, 3♥)\n```\n"
    )
    assert items(text)["T-9"].bare
    assert not items(with_example("T-9", laid, text))["T-9"].bare


def test_kinds_of_items_and_cases() -> None:
    text = COURT + (
        "\n### T-10 Why\nHistory.\n```rule\ninformative “a story”\n```\n"
        "\n### T-11 Later\n```rule\nnot formalised “next year”\n```\n\n### T-12 Nothing\nProse.\n"
        "\n### T-13 View\n```rule\nprojection core: hand, heap\n```\n"
    )
    found = items(text, {"case 1": ("V-2", "T-5")})
    kinds = [found[number].kind for number in ("T-10", "T-11", "T-12", "T-13", "V-2")]
    assert kinds == [ItemKind.INFORMATIVE, ItemKind.PENDING, ItemKind.SILENT, ItemKind.CHECKING, ItemKind.FORMAL]
    assert found["T-10"].reason == "a story" and not any(found[f"T-{n}"].bare for n in range(10, 14))
    assert not found["V-2"].bare and [by.rule for by in found["V-2"].elsewhere] == [None]
    assert [number for number, item in found.items() if item.bare] == ["T-6", "V-3"]


def test_other_chapters_are_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = COURT.index("### T-2 ")
    head = COURT[: COURT.index("# Court")]
    (tmp_path / "01-things.md").write_text(COURT[:cut], encoding="utf-8")
    (tmp_path / "02-play.md").write_text(head + "# Play\n\n" + COURT[cut:], encoding="utf-8")
    code = cli.run(["coverage", str(tmp_path), "--lang", "en"])
    out = capsys.readouterr().out
    assert code == 1
    assert "T-1        declarations — not in its own chapter: T-4 “Two cards each”" in out.replace("«", "“").replace(
        "»", "”"
    )
    assert "exercised by nothing: T-5, T-6, V-2, V-3" in out


def test_the_command_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "01-court.md").write_text(COURT, encoding="utf-8")
    code = cli.run(["coverage", str(tmp_path), "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert code == 1 and data["summary"]["bare"] == ["T-5", "T-6", "V-2", "V-3"]
    assert data["summary"]["formal"] == len(data["items"]) == 11
    first = data["items"][0]
    assert (first["number"], first["kind"], first["examples"][0]["title"]) == ("T-1", "formal", "Two cards each")
    assert cli.run(["coverage", "kuhn"]) == 0


def test_cases_that_cannot_be_read_are_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text("cases: [", encoding="utf-8")
    for name in ("bad.yaml", "gone.yaml"):
        code = cli.run(["coverage", "kuhn", "--cases", str(tmp_path / name)])
        captured = capsys.readouterr()
        assert code == 2 and "[C" in captured.err and not captured.out
