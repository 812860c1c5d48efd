"""Engine, naive evaluator and constraints agree on plays with breaches, claims, penalties and restorations; both
evaluators say the same of every invariant at every step. `make bench-agree` goes much further."""

from __future__ import annotations

import pytest

from svod.constraints.agreement import Agreement
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.searches.agreement import Agreed, compare

from .rulebooks import rulebook

# (edition, players, deck, steps, whether the constraints look on)
SCOPES = [
    ("", 2, 36, 250, True),
    ("2", 3, 36, 150, True),
    ("", 3, 52, 200, False),
    ("2", 4, 36, 150, False),
    ("2", 2, 52, 200, False),
]
SEED = 7


@pytest.mark.parametrize(("edition", "players", "deck", "steps", "watched"), SCOPES, ids=str)
def test_rulebook_with_breaches(edition: str, players: int, deck: int, steps: int, watched: bool) -> None:
    norms = rulebook("shukh", edition, {"игроков": players, "колода": deck})
    watcher = Agreement(norms).disagreement if watched else None
    found = compare(Engine.of(norms), Naive(norms), steps, SEED + players, None, watcher)
    assert isinstance(found, Agreed), (found.about, found.act, found.play)
    assert found.steps >= steps
    assert found.breaches > steps // 40, found
    assert found.punished > 0 and found.restored > 0, found
