"""Norms of lawful play: speech only where it is owed."""

from __future__ import annotations

import pytest

from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.play_acts import acts_of_play, is_talk
from svod.norms.trace import Act, Next, Position

from .engine_rulebooks import TABLE, card, norms_of

TALK = """
### T-7 Speech
```rule
action ask(player, other, card): word
  possible if player ≠ other
action greet(player): word
action cross(player): move
must ask(player, other, card) untimed, while last = player and other = next(player) and card = Card(1, s)
must ask(player, player, card) untimed, while mood = wild
must say(player) untimed, while last = player
```
"""


@pytest.fixture(scope="module")
def norms() -> ir.Norms:
    return norms_of(TABLE + TALK)


def said(engine: Engine, position: Position) -> set[Act]:
    return {act for act in engine.possible_acts(position) if act.action in ("say", "ask", "greet")}


def positions(norms: ir.Norms) -> list[Position]:
    engine, found = Engine.of(norms), []
    for seed in range(1, 5):
        for length in (0, 6, 7, 9):
            _, outcome = Engine.of(acts_of_play(norms)).playout(seed, length)
            assert isinstance(outcome, Next)
            found.append(outcome.position)
    assert any(engine.over(position) is False for position in found)
    return found


def test_what_is_talk(norms: ir.Norms) -> None:
    assert {action.name for action in norms.actions if is_talk(action)} == {"say", "ask", "greet"}


def test_speech_is_possible_when_it_is_owed(norms: ir.Norms) -> None:
    whole, play = Engine.of(norms), Engine.of(acts_of_play(norms))
    one = card(norms, "1s")
    seen = set()
    for position in positions(norms):
        registers = dict(position.registers)
        last = registers["last", ()]
        owed: set[Act] = set()
        if last is not None:
            owed = {Act("ask", (last, (last + 1) % 3, one))} | ({Act("say", (last,))} & said(whole, position))
        assert said(play, position) == owed
        assert said(whole, position) >= owed
        seen.add(bool(owed))
        rest = set(whole.possible_acts(position)) - said(whole, position)
        assert set(play.possible_acts(position)) - said(play, position) == rest
    assert seen == {False, True}


def test_it_means_the_same_to_the_naive_evaluator(norms: ir.Norms) -> None:
    play = acts_of_play(norms)
    engine, naive = Engine.of(play), Naive(play)
    for position in positions(norms)[::3]:
        assert engine.possible_acts(position) == naive.possible_acts(position)
        assert engine.acts(position) == naive.acts(position)


def test_twice_is_once(norms: ir.Norms) -> None:
    once = acts_of_play(norms)
    assert acts_of_play(once) == once != norms
    silent = norms_of(TABLE.replace("action say(player): word\n  possible if stage = play\n", ""))
    assert acts_of_play(silent) is silent
