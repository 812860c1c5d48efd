"""The constraints admit every step of the engine and no other, and the same acts are lawful; so do they for the naive
evaluator on random norms. A fault in the norms that one side sees is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from svod.constraints.agreement import Agreement, Disagreement
from svod.constraints.solver import Budget
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Next, Position

from .admission import first_unadmitted
from .faults import dropped_guard_conjunct
from .generate import random_norms
from .rulebooks import departures, rulebook
from .samples import small_game

HOUSE = frozenset({"V", "N-9=B"})
# (rulebook, edition, values, steps): at least 5,000 steps in all
SCOPES = [
    ("kuhn", "", {}, 1000),
    ("shukh", "2", {"игроков": 3, "колода": 36}, 2600),
    ("shukh", "", {"игроков": 2, "колода": 52}, 1600),
]


def test_enough_is_compared() -> None:
    assert sum(steps for *_, steps in SCOPES) >= 5000


@pytest.mark.parametrize(("name", "edition", "values", "steps"), SCOPES, ids=str)
def test_engine_on_rulebooks(name: str, edition: str, values: dict[str, int], steps: int) -> None:
    norms = rulebook(name, edition, values)
    assert first_disagreement(norms, norms, None, steps, seed=steps, unlawful_each=4) is None


def test_engine_under_other_readings_and_variants() -> None:
    norms = rulebook("shukh", "", {"игроков": 2, "колода": 36})
    assert first_disagreement(norms, norms, departures(norms), 300, seed=5, unlawful_each=3) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_engine_on_the_sample_game_with_unlawful_acts(seats: int) -> None:
    norms = small_game(seats, 3)
    assert first_disagreement(norms, norms, HOUSE, 300, seed=seats, unlawful_each=4) is None


@pytest.mark.parametrize("seed", range(12))
def test_naive_evaluator_on_random_norms(seed: int) -> None:
    norms = random_norms(Random(seed), seats=2 + seed % 2, triggers=4, depth=2)
    switches = None if seed % 3 else HOUSE
    naive, agreement, random = Naive(norms, switches), Agreement(norms, switches), Random(seed)
    start = naive.initial()
    position = start.position if isinstance(start, Next) else None
    for _ in range(15):
        if position is None:
            return
        statuses = naive.statuses(position)
        assert statuses == agreement.statuses(position)
        if not statuses:
            return
        act = random.choice(sorted(statuses))
        outcomes = naive.outcomes(position, act)
        assert [agreement.disagreement(position, act, outcome) for outcome in outcomes] == [None] * len(outcomes)
        position = outcomes[0].position if isinstance(outcomes[0], Next) else position


def test_there_is_no_other_successor() -> None:
    norms = small_game(3, 3)
    agreement, engine, random = Agreement(norms), Engine.of(norms), Random(1)
    position = start_of(engine)
    asked = 0
    for _ in range(40):
        acts = engine.acts(position)
        if not acts or engine.over(position):
            position = start_of(engine)
            continue
        act = random.choice(acts)
        outcome = engine.step(position, act)
        if not isinstance(outcome, Next):
            position = start_of(engine)
            continue
        assert agreement.no_other_successor(position, act, outcome.position, Budget()) == "none"
        asked += 1
        position = outcome.position
    assert asked >= 25
    wrong = start_of(engine)
    assert agreement.no_other_successor(wrong, engine.acts(wrong)[0], wrong, Budget()) == "another"


def dropped_effect(norms: ir.Norms) -> Iterator[ir.Norms]:
    """Norms in which one trigger lacks its last effect."""
    for place, clause in enumerate(norms.clauses):
        if isinstance(clause, ir.Trigger) and len(clause.effects) > 1:
            less = replace(clause, effects=clause.effects[:-1])
            yield replace(norms, clauses=(*norms.clauses[:place], less, *norms.clauses[place + 1 :]))


def test_a_dropped_effect_is_noticed() -> None:
    right = small_game(3, 3)
    for wrong in islice(dropped_effect(right), 3):
        assert isinstance(first_disagreement(right, wrong, None, 1500, seed=3), Disagreement)


def test_a_dropped_condition_is_noticed() -> None:
    right = small_game(3, 3)
    wrong = next(norms for norms in dropped_guard_conjunct(right) if norms.clauses != right.clauses)
    assert isinstance(first_disagreement(right, wrong, None, 600, seed=3), Disagreement)


def start_of(engine: Engine) -> Position:
    outcome = engine.initial()
    assert isinstance(outcome, Next)
    return outcome.position


def first_disagreement(
    for_engine: ir.Norms,
    for_constraints: ir.Norms,
    switches: frozenset[str] | None,
    steps: int,
    seed: int,
    unlawful_each: int = 0,
) -> Disagreement | None:
    """Random play of the engine held against the constraints, step by step."""
    engine = Engine.of(for_engine, switches)
    return first_unadmitted(engine, Agreement(for_constraints, switches), steps, seed, unlawful_each=unlawful_each)
