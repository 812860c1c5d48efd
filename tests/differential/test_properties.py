"""Properties of random expressions, norms and plays: evaluation is total, cards stay, positions can be written down."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from svod.diagnostics import Problems
from svod.naive.evaluator import UNDEFINED, Naive
from svod.norms import ir
from svod.norms.positions import position_from_json, position_to_json
from svod.norms.trace import Next, Position

from .generate import CARD, PLAYER, Generator, expression_norms, random_norms

P, C = ir.Variable("p", PLAYER), ir.Variable("c", CARD)
SEEDS = st.integers(0, 2**32)


def positions(norms: ir.Norms, random: Random, most: int) -> Iterator[Position]:
    """Positions of one random play of possible acts, lawful or not."""
    naive = Naive(norms)
    outcome = naive.initial()
    for _ in range(most):
        if not isinstance(outcome, Next):
            return
        yield outcome.position
        outcome = naive.step(outcome.position, random.choice(naive.possible_acts(outcome.position)))


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_evaluation_is_total(seed: int) -> None:
    random = Random(seed)
    norms = expression_norms()
    naive = Naive(norms)
    for position in positions(norms, random, 12):
        generator = Generator(random, triggers=True, terms=("living",))
        bindings = {"p": random.randrange(2), "c": random.randrange(4)}
        truth = naive.evaluate(position, generator.truth((P, C), 4), bindings)
        assert truth is UNDEFINED or isinstance(truth, bool | int)
        number = naive.evaluate(position, generator.number((P, C), 4), bindings)
        assert number is UNDEFINED or isinstance(number, int)
        card = naive.evaluate(position, generator.member(CARD, (P, C), 4), bindings)
        assert card is UNDEFINED or card in range(4)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_cards_are_conserved(seed: int) -> None:
    random = Random(seed)
    norms = random_norms(random, seats=3, triggers=5)
    for position in positions(norms, random, 15):
        lying = sorted(laid.card for _, cards in position.zones for laid in cards)
        assert lying == list(norms.deck)
        for (name, _), cards in position.zones:
            zone = next(zone for zone in norms.zones if zone.name == name)
            assert len(cards) <= zone.capacity
            assert zone.authors or all(laid.author is None for laid in cards)
            assert zone.pile or list(cards) == sorted(cards)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_positions_survive_being_written(seed: int) -> None:
    random = Random(seed)
    norms = random_norms(random, seats=3)
    for position in positions(norms, random, 12):
        text = json.dumps(position_to_json(norms, position), ensure_ascii=False)
        problems = Problems()
        assert position_from_json(norms, json.loads(text), problems) == position
        assert not problems.found
