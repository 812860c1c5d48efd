"""A search that is stopped in the middle tells what it met until then, and nothing runs for long without asking."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.engine.search_play import Decks
from svod.norms import ir
from svod.pipeline import compile_texts
from svod.searches.check import OutOfTime, Searched, Setting, Step, search_all
from svod.searches.hunting import SHORTEST_CAP, Effort, Hunt, game_cap, hunt
from svod.searches.world import World
from svod.source import Source

from .engine_rulebooks import HEAD

STUCK = """### T-1 All
```rule
parameter players: 2
seats Player: players, names P
variables player: Player
order Card: 1 < 2 < 3 < 4
variables card, b, c, d, e, f, g, h: Card
zone deck: set, full at start
zone hand(Player): set
class move, drives the game
action take(player, card): move
  possible if card in deck
  body: card from deck → hand(player)
may take(_, _), if size(deck) > 2
"""
MANY = "action all(player, card, b, c, d, e, f, g, h): move\n  possible if card in deck and deck is empty\n"
EFFORT = Effort(games=40, full_games=400)


def norms_of(rules: str) -> ir.Norms:
    problems = Problems()
    compilation = compile_texts([Source("a.md", f"{HEAD}{rules}```\n")], [], problems)
    assert compilation is not None, [p.message.en for p in problems]
    norms = compilation.norms({}, problems)
    assert norms is not None, [p.message.en for p in problems]
    return norms


@pytest.mark.parametrize("stop", [OutOfTime, KeyboardInterrupt])
@pytest.mark.parametrize("where", ["shortest plays to findings", "random play, 2 players"])
def test_what_was_met_before_the_end_is_told(stop: type[BaseException], where: str) -> None:
    seen: list[str] = []

    def progress(step: Step) -> None:
        seen.append(step.label.en)
        if step.label.en == where and seen.count(where) == (1 if where.startswith("shortest") else 2):
            raise stop

    norms, searched = norms_of(STUCK), Searched()
    settings = [Setting(norms, frozenset())] * 2
    try:
        search_all(settings, in_python, EFFORT, "1", progress=progress, into=searched)
    except KeyboardInterrupt:
        assert stop is KeyboardInterrupt
    assert [finding.code.name for finding in searched.findings] == ["F202"]
    assert len(searched.findings[0].play) == 2
    assert len(searched.unfinished) == (stop is OutOfTime)


def test_a_hunt_asks_between_batches_and_tells_what_it_saw() -> None:
    told: list[Hunt] = []

    def tick() -> None:
        raise OutOfTime

    with pytest.raises(OutOfTime):
        hunt(World(norms_of(STUCK), in_python), (), EFFORT, tick, told.append)
    assert len(told) == 1 and told[0].games == 1 and told[0].sightings


def test_batches_change_nothing() -> None:
    told: list[Hunt] = []
    world = World(norms_of(STUCK), in_python)
    hunt(world, (), EFFORT, lambda: None, told.append)
    whole = world.games((), seed=EFFORT.seed, cap=EFFORT.cap)
    whole.hunt(10, Decks(0))
    batched = world.games((), seed=EFFORT.seed, cap=EFFORT.cap)
    for count in (1, 2, 4, 3):
        batched.hunt(count, Decks(0))
    assert whole.statistics == batched.statistics
    assert told[0].games == EFFORT.full_games // EFFORT.slow


def test_games_are_shorter_where_a_position_has_very_many_acts() -> None:
    assert game_cap(World(norms_of(STUCK), in_python), EFFORT) == EFFORT.cap
    many = World(norms_of(STUCK + MANY), in_python)
    assert SHORTEST_CAP <= game_cap(many, EFFORT) < EFFORT.cap // 10
