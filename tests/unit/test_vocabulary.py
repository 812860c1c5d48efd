"""The vocabulary beside a rulebook: plain names for cards, acts, zones and terms; every mistake a diagnostic."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.norms import ir
from svod.source import Source
from svod_tools.vocabulary import read_vocabulary

TEXT = """
values: {J: В, S: ♠, H: ♥, P1: П1}
actions:
  play: [зайти, побить]
  take: взять
zones: {pile: кон}
terms: {next: ходит}
"""
CARDS = ir.Sort("Карта", ("6♠", "10♥", "В♠"))
SEATS = ir.Sort("Игрок", ("П1", "П2"))


def read(text: str) -> tuple[object, list[str]]:
    problems = Problems()
    return read_vocabulary(Source("vocabulary.yaml", text), problems), [each.code.name for each in problems]


def test_cards_are_made_of_parts() -> None:
    words = read_vocabulary(Source("v", TEXT), Problems())
    assert [words.value(CARDS, name) for name in ("6S", "10H", "JS", "js", "В♠", "в♠")] == [0, 1, 2, 2, 2, 2]
    assert words.value(CARDS, "7S") is None and words.value(CARDS, "") is None
    assert words.value(SEATS, "P1") == 0 and words.value(SEATS, "П2") == 1


def test_a_plain_act_may_mean_several() -> None:
    words = read_vocabulary(Source("v", TEXT), Problems())
    assert words.acts("play") == ("зайти", "побить") and words.acts("взять") == ("взять",)
    assert words.plain_action("побить") == "play" and words.plain_action("пас") is None


@pytest.mark.parametrize(
    "text",
    ["values: [", "- a", "слова: {a: b}", "values: {a: [b, c]}", "actions: {a: []}", "zones: {a: null}", "values: 3"],
)
def test_mistakes_are_diagnostics(text: str) -> None:
    assert read(text)[1] == ["C411"]


def test_no_file_and_an_empty_file_mean_no_names() -> None:
    assert read_vocabulary(None, Problems()).acts("x") == ("x",)
    assert read("# пусто\n")[1] == []
