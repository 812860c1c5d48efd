"""The constraints admit every step of careless play and no other: what is entered, lapses, is kept and is restored is the
same as in the naive evaluator. A fault in the norms that one side sees is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from svod.constraints.agreement import Agreement, Disagreement
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Next, Position, Status

from .breach_samples import breach_game
from .generate_breaches import random_breach_norms

HOUSE = frozenset({"V", "N-9=B"})


@pytest.mark.parametrize("seed", range(10))
def test_random_norms(seed: int) -> None:
    norms = random_breach_norms(Random(seed), triggers=3, depth=2)
    assert first_disagreement(norms, norms, 15, seed, None if seed % 3 else HOUSE) is None


@pytest.mark.parametrize("seats", [2, 3])
def test_sample_game(seats: int) -> None:
    norms = breach_game(seats, 2)
    assert first_disagreement(norms, norms, 150, seats) is None


def first_disagreement(
    right: ir.Norms, asserted: ir.Norms, steps: int, seed: int, switches: frozenset[str] | None = None
) -> Disagreement | None:
    """Careless play of the naive evaluator held against the constraints: every act may be a breach."""
    naive, agreement, random = Naive(right, switches), Agreement(asserted, switches), Random(seed)
    for position, act in careless(naive, steps, random):
        statuses = naive.statuses(position)
        if statuses != agreement.statuses(position):
            return Disagreement(position, None, repr(agreement.statuses(position)), repr(statuses))
        for outcome in naive.outcomes(position, act):
            found = agreement.disagreement(position, act, outcome)
            if found is not None:
                return found
    return None


def careless(naive: Naive, steps: int, random: Random) -> Iterator[tuple[Position, Act]]:
    """Positions and acts of play in which every second act is any possible one."""
    begun = naive.initial()
    if not isinstance(begun, Next):
        return
    position = begun.position
    for _ in range(steps):
        statuses = naive.statuses(position)
        lawful = [act for act, status in statuses.items() if status is Status.LAWFUL]
        acts = lawful if lawful and random.randrange(2) else list(statuses)
        if not acts:
            position = begun.position
            continue
        act = random.choice(acts)
        yield position, act
        outcome = naive.outcomes(position, act)[0]
        position = outcome.position if isinstance(outcome, Next) else position
