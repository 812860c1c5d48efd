"""The variant of chapter 12 clashes with the closing of a kon: two answers to one question, told as such."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms.trace import Act, Clash, Next, StepOutcome
from svod_tools.options import Choice
from svod_tools.workbench import open_workbench

ROOT = Path(__file__).resolve().parents[2]
DEAL = ("9♦", "К♠", "8♣", "7♣")  # every other card to the second player


@pytest.mark.parametrize("kind", ["engine", "naive"])
def test_a_tuck_that_closes_the_kon_gives_two_leaders(kind: str) -> None:
    bench = open_workbench(Choice(str(ROOT / "spec" / "shukh"), "ru", players=(2,), deck=(36,)))
    assert not isinstance(bench, int)
    norms = bench.norms(Problems())
    assert norms is not None
    names = norms.sort(norms.card_sort).values
    norms = replace(norms, deck=tuple(sorted(names.index(card) for card in DEAL)))
    switches = bench.switches(norms, Problems()) | {"V"}
    player = Engine.of(norms, switches) if kind == "engine" else Naive(norms, switches)
    outcome: StepOutcome = player.initial()

    def do(action: str, *arguments: int | str) -> StepOutcome:
        assert isinstance(outcome, Next)
        values = tuple(names.index(value) if isinstance(value, str) else value for value in arguments)
        return player.step(outcome.position, Act(action, values))

    for place, card in enumerate(DEAL):
        outcome = do("взять_из_колоды", place % 2, card)
        outcome = do("положить", place % 2, card, place % 2)
    outcome = do("зайти", 0, "8♣")
    outcome = do("подложить", 1, "7♣")
    assert isinstance(outcome, Clash)
    assert outcome.place == "очередной" and set(outcome.clauses) == {"R-5.7#1", "V-2#1"}
