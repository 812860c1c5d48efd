"""Every name in the words of judges' cases is looked up before anything is judged."""

from __future__ import annotations

import shutil
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from svod.diagnostics import Problems
from svod.searches.case_names import unknown_names
from svod.searches.case_words import case_words
from svod_tools import cli

from .test_cases import LAYOUT, WORDS, compilation

ROOT = Path(__file__).resolve().parents[2]


def wrong(changed: dict[str, Any]) -> list[str]:
    problems = Problems()
    layout = case_words(changed, problems)
    norms = compilation().norms({}, problems)
    assert layout is not None and norms is not None and not problems.has_errors
    return [name for name, _ in unknown_names(layout, norms, WORDS)]


def test_names_that_are_all_there() -> None:
    assert wrong(LAYOUT) == []
    told = {"say": "{number} left [and {number2}]", "set": {"out": ["number + number2", "+1"]}, "holding": {"hand": 1}}
    texts = [{"say": "{player} lays {card}", "do": "lay(player, card)"}, {"speech": ["put", "give"]}]
    assert wrong({**LAYOUT, "facts": {"read": [told]}, "texts": texts}) == []


@pytest.mark.parametrize(
    ("section", "entry", "name"),
    [
        ("phases", {"main": {"stage": "end"}}, "end"),
        ("phases", {"main": {"turn": "mover"}}, "mover"),
        ("phases", {"main": {"free": ["wind"]}}, "wind"),
        ("phases", {"main": {"free": [{"weather": ["snow"]}]}}, "snow"),
        ("phases", {"main": {"past": [{"filled": "pot", "free": ["last"]}]}}, "pot"),
        ("phases", {"main": {"past": [{"empty": "pot", "free": ["last"]}]}}, "pot"),
        ("phases", {"main": {"past": [{"doubt": {"hand": "wind"}, "free": ["last"]}]}}, "wind"),
        ("given", {"hands": {"zone": "palm"}}, "palm"),
        ("given", {"waste": {"rest": "bin"}}, "bin"),
        ("given", {"departed": {"order": "rank"}}, "rank"),
        ("given", {"departed": {"count": "gone_count"}}, "gone_count"),
        ("given", {"away": {"clear": "present"}}, "present"),
        ("given", {"away": {"not": "present"}}, "present"),
        ("questions", {"moves": {"acts": ["put", "throw"]}}, "throw"),
        ("questions", {"lying": {"filled": "pot"}}, "pot"),
        ("questions", {"alive": {"seats": "lively"}}, "lively"),
        ("questions", {"debts": {"owed": "debt"}}, "debt"),
        ("events", {"throw": [["lay", "toss"]]}, "toss"),
        ("events", {"throw": "lay(by)"}, "lay"),
        ("follow", [{"after": "put", "do": "accept"}], "accept"),
        ("payments", {"after": "put", "do": "settle"}, "settle"),
        ("follow", [{"after": "toss", "do": "lay"}], "toss"),
        ("completes", ["toss"], "toss"),
        ("prelude", {"put": ["toss"]}, "toss"),
        ("attempts", "toss", "toss"),
        ("must_be_lawful", ["toss"], "toss"),
        ("facts", {"read": [{"say": "{player} rose", "set": {"standing(player)": True}}]}, "standing"),
        ("facts", {"read": [{"say": "{player} rose", "set": {"place": 1}}]}, "place"),
        ("facts", {"read": [{"say": "it snowed", "set": {"weather": "snow"}}]}, "snow"),
        ("facts", {"read": [{"say": "it snowed", "empty": ["pot"]}]}, "pot"),
        ("facts", {"read": [{"say": "it snowed", "phase": "night"}]}, "night"),
        ("facts", {"read": [{"say": "it snowed", "holding": {"pot": 1}}]}, "pot"),
        ("facts", {"read": [{"say": "it snowed", "set": {"weather": ["snow", "dry"]}}]}, "snow"),
        ("facts", {"read": [{"say": "{player} rose", "set": {"place(player2)": 1}}]}, "player2"),
        ("facts", {"read": [{"say": "{number} left", "set": {"out": "number + more"}}]}, "number + more"),
        ("texts", [{"say": "it is undone", "do": "undo"}], "undo"),
        ("texts", [{"say": "it is undone", "then": "undo"}], "undo"),
        ("texts", [{"say": "it is undone", "do": "lay(by)"}], "lay"),
        ("texts", [{"speech": ["shout"]}], "shout"),
    ],
)
def test_a_name_that_the_rulebook_lacks(section: str, entry: object, name: str) -> None:
    changed = deepcopy(LAYOUT)
    if isinstance(entry, dict) and isinstance(changed.get(section), dict):
        changed[section].update(entry)
    else:
        changed[section] = entry
    assert wrong(changed) == [name]


def test_a_vocabulary_that_lags_behind_its_rulebook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is judged by it, each name is shown in its line."""
    book = tmp_path / "book"
    shutil.copytree(ROOT / "spec" / "shukh", book)
    words = book / "vocabulary.yaml"
    text = words.read_text("utf-8")
    words.write_text(text.replace("order: место", "order: номер").replace("{zone: стопка}", "{zone: стопа}"), "utf-8")
    (tmp_path / "case.yaml").write_text("{id: 1, deck: 36, players: [A, B], position: {phase: play}}", "utf-8")
    assert cli.run(["judge", str(book), str(tmp_path / "case.yaml"), "--lang", "en"]) == 2
    told = capsys.readouterr().err
    assert "“номер”" in told and "“стопа”" in told
    line = 1 + text[: text.index("order: место")].count("\n")
    assert f"vocabulary.yaml:{line}:" in told and told.count("error[C506]") == 2
