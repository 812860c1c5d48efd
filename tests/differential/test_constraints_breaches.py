"""The constraints admit every step of careless play and no other: what is entered, lapses, is kept and is restored is
the same as in the naive evaluator. A fault of that one, or in its norms, is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

import pytest

from svod.constraints.agreement import Agreement, Disagreement
from svod.constraints.folding import fold
from svod.constraints.solver import Budget
from svod.naive.evaluator import Naive
from svod.naive.world import default_switches
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Act, Next, Position, Status

from . import breach_faults as faults
from .breach_faults import EvaluatorFault
from .breach_samples import breach_game
from .faults import Fault
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


GAME = breach_game(3, 3)
SEEDS = (16, 11, 14)


@cache
def asserted() -> Agreement:
    return Agreement(GAME)


@pytest.mark.parametrize(
    "fault",
    [
        faults.violation_is_no_prohibition,
        faults.other_entered_beside_a_violation,
        faults.other_never_entered,
        faults.breaches_read_after_the_body,
        faults.lapse_after_entering,
        faults.lapse_keeps_the_frame,
        faults.frame_taken_after_the_body,
        faults.frame_of_the_last_breach,
        faults.restoration_keeps_the_record,
        faults.restoration_raises_edges,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_of_the_other_evaluator_is_noticed(fault: EvaluatorFault) -> None:
    faulty = Naive(GAME)
    fault(faulty)
    assert any(disagreement(faulty, asserted(), 400, seed) is not None for seed in SEEDS)


@pytest.mark.parametrize(
    "fault",
    [
        faults.lapse_removed,
        faults.condition_of_a_breach_dropped,
        faults.restoration_forgotten,
        faults.restoration_moves_outside_cards,
        faults.lawful_counts_as_possible,
    ],
    ids=lambda fault: fault.__name__,
)
def test_a_fault_in_the_norms_is_noticed(fault: Fault) -> None:
    wrong = islice(fault(GAME), 3)
    assert any(disagreement(Naive(norms), asserted(), 400, seed) is not None for norms in wrong for seed in SEEDS)


def test_true_norms_are_not_accused() -> None:
    assert [disagreement(Naive(GAME), asserted(), 150, seed) for seed in SEEDS] == [None] * len(SEEDS)


def test_there_is_no_other_successor() -> None:
    naive, asked, framed = Naive(GAME), 0, 0
    for position, act in careless(naive, 60, Random(5)):
        outcome = naive.step(position, act)
        if isinstance(outcome, Next):
            assert asserted().no_other_successor(position, act, outcome.position, Budget()) == "none"
            asked, framed = asked + 1, framed + (outcome.position.frame is not None)
    assert asked >= 30 and framed >= 10


@pytest.mark.parametrize("seed", range(6))
def test_any_play_stays_within_what_folding_leaves(seed: int) -> None:
    """So it is with breaches: what no act at all brings about does not come about."""
    norms = random_breach_norms(Random(seed), triggers=3, depth=2)
    unheard = ir.Trigger(ir.Head("K-99#1", "K-99", (), ir.Boolean(True)), ir.OnEvent("unheard", ()), ())
    norms = replace(norms, events=(*norms.events, ir.Event("unheard", (), "K")), clauses=(*norms.clauses, unheard))
    folded = fold(norms, chosen(norms), lawful=False)
    assert "K-99#1" in folded.silent
    for position, act in careless(Naive(norms), 60, Random(seed)):
        outcome = Naive(norms).step(position, act)
        assert not folded.silent.intersection(outcome.fired)
        assert all(folded.constants.get(cell[0], value) == value for cell, value in position.registers)
        assert not any(cards for place, cards in position.zones if place[0] in folded.empty)


def chosen(norms: ir.Norms) -> dict[str, bool | None]:
    """The switches as they are by default."""
    on = default_switches(norms)
    names = [variant.name for variant in norms.variants]
    names += [reading.switch(letter) for reading in norms.readings for letter, _ in reading.options]
    return {name: name in on for name in names}


@pytest.mark.parametrize("seed", range(8))
def test_lawful_play_stays_within_what_folding_leaves(seed: int) -> None:
    """What folding says never happens in lawful play does not happen there."""
    norms = acts_of_play(random_breach_norms(Random(seed), triggers=3, depth=2) if seed else breach_game(2, 2))
    folded = fold(norms, chosen(norms))
    kinds = {action.name for action in folded.norms.actions}
    assert folded.silent and len(kinds) < len(norms.actions), "something falls away"
    naive, random = Naive(norms), Random(seed)
    begun = outcome = naive.initial()
    for _ in range(150):
        if not isinstance(outcome, Next):
            outcome = begun
        if not isinstance(outcome, Next):
            return
        position = outcome.position
        assert not folded.silent.intersection(outcome.fired)
        assert all(folded.constants.get(cell[0], value) == value for cell, value in position.registers)
        assert not any(cards for place, cards in position.zones if place[0] in folded.empty)
        acts = naive.acts(position)
        assert {act.action for act in acts} <= kinds
        outcome = naive.step(position, random.choice(acts)) if acts else begun


def first_disagreement(
    right: ir.Norms, asserted: ir.Norms, steps: int, seed: int, switches: frozenset[str] | None = None
) -> Disagreement | None:
    """Careless play of the naive evaluator held against the constraints: every act may be a breach."""
    return disagreement(Naive(right, switches), Agreement(asserted, switches), steps, seed)


def disagreement(naive: Naive, agreement: Agreement, steps: int, seed: int) -> Disagreement | None:
    """The first step on which they part."""
    for position, act in careless(naive, steps, Random(seed)):
        statuses = naive.statuses(position)
        if statuses != agreement.statuses(position):
            return Disagreement(position, None, repr(agreement.statuses(position)), repr(statuses))
        for outcome in naive.outcomes(position, act):
            found = agreement.disagreement(position, act, outcome)
            if found is not None:
                return found
    return None


def careless(naive: Naive, steps: int, random: Random) -> Iterator[tuple[Position, Act]]:
    """Positions and acts of play in which every third act is not a lawful one; every kind of act has the same chance.
    """
    begun = naive.initial()
    if not isinstance(begun, Next):
        return
    position = begun.position
    for _ in range(steps):
        statuses = naive.statuses(position)
        lawful = [act for act, status in statuses.items() if status is Status.LAWFUL]
        others = [act for act, status in statuses.items() if status is not Status.LAWFUL]
        acts = others if others and (not lawful or random.randrange(3) == 0) else lawful
        if not acts or (naive.over(position) and random.randrange(2)):
            position = begun.position
            continue
        kind = random.choice(sorted({act.action for act in acts}))
        act = random.choice([act for act in acts if act.action == kind])
        yield position, act
        outcome = naive.outcomes(position, act)[0]
        position = outcome.position if isinstance(outcome, Next) else begun.position
