"""Each seeded fault about breaches is caught, on the sample game with a catalogue, against the true naive evaluator.

A fault in the norms is seen in an engine made from them; one in an evaluator in a naive evaluator that has it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.searches.agreement import Disagreement, compare

from . import breach_faults as faults
from .breach_samples import breach_game
from .faults import Fault
from .positions import part

POSITIONS, STEPS = 150, 250
NORMS = breach_game(3, 3)


@cache
def naive() -> Naive:
    return Naive(NORMS)


def differs(other: Naive | Engine) -> bool:
    """Whether the other's fault shows in so many random positions, or else within so many steps of play."""
    if part(other, naive(), Random(3), POSITIONS) is not None:
        return True
    return isinstance(compare(other, naive(), STEPS, seed=11), Disagreement)


def in_norms(fault: Fault, sites: int = 3, player: Callable[[ir.Norms], Naive | Engine] = Engine.of) -> bool:
    """Whether it shows at one of the first places where it applies; at some places a fault changes nothing.

    An engine has no room for frames of other norms; a naive `player` reads them all the same.
    """
    mutants = list(fault(NORMS))
    assert mutants, "the fault applies nowhere"
    assert all(mutant != NORMS for mutant in mutants)
    return any(differs(player(mutant)) for mutant in mutants[:sites])


def in_evaluator(fault: faults.EvaluatorFault) -> bool:
    faulty = Naive(NORMS)
    fault(faulty)
    return differs(faulty)


def test_violation_removed() -> None:
    assert in_norms(faults.violation_removed)


def test_lapse_removed() -> None:
    assert in_norms(faults.lapse_removed)


def test_exception_against_a_violation_ignored() -> None:
    assert in_norms(faults.exception_against_a_violation_ignored)


def test_condition_of_a_breach_dropped() -> None:
    assert in_norms(faults.condition_of_a_breach_dropped)


def test_offender_and_actor_swapped() -> None:
    assert in_norms(faults.offender_and_actor_swapped)


def test_second_offender_forgotten() -> None:
    assert in_norms(faults.second_offender_forgotten)


def test_breach_under_another_number() -> None:
    assert in_norms(faults.breach_under_another_number)


def test_restoration_forgotten() -> None:
    assert in_norms(faults.restoration_forgotten)


def test_restoration_keeps_an_inside_register() -> None:
    assert in_norms(faults.restoration_keeps_an_inside_register, player=Naive)


def test_restoration_takes_back_an_outside_register() -> None:
    assert in_norms(faults.restoration_takes_back_an_outside_register, player=Naive)


def test_restoration_moves_outside_cards() -> None:
    assert in_norms(faults.restoration_moves_outside_cards)


def test_restoration_leaves_inside_cards() -> None:
    assert in_norms(faults.restoration_leaves_inside_cards)


def test_lawful_counts_as_possible() -> None:
    assert in_norms(faults.lawful_counts_as_possible)


def test_violation_is_no_prohibition() -> None:
    assert in_evaluator(faults.violation_is_no_prohibition)


def test_violation_forbids_whoever_is_guilty() -> None:
    assert in_evaluator(faults.violation_forbids_whoever_is_guilty)


def test_other_entered_beside_a_violation() -> None:
    assert in_evaluator(faults.other_entered_beside_a_violation)


def test_other_entered_for_a_contested_act() -> None:
    assert in_evaluator(faults.other_entered_for_a_contested_act)


def test_other_never_entered() -> None:
    assert in_evaluator(faults.other_never_entered)


def test_breaches_read_after_the_body() -> None:
    assert in_evaluator(faults.breaches_read_after_the_body)


def test_lapse_after_entering() -> None:
    assert in_evaluator(faults.lapse_after_entering)


def test_lapse_keeps_the_frame() -> None:
    assert in_evaluator(faults.lapse_keeps_the_frame)


def test_frame_taken_after_the_body() -> None:
    assert in_evaluator(faults.frame_taken_after_the_body)


def test_frame_of_the_last_breach() -> None:
    assert in_evaluator(faults.frame_of_the_last_breach)


def test_frame_kept_at_rest() -> None:
    assert in_evaluator(faults.frame_kept_at_rest)


def test_restoration_keeps_the_record() -> None:
    assert in_evaluator(faults.restoration_keeps_the_record)


def test_restoration_turns_piles_over() -> None:
    assert in_evaluator(faults.restoration_turns_piles_over)


def test_restoration_forgets_who_laid() -> None:
    assert in_evaluator(faults.restoration_forgets_who_laid)


def test_restoration_closes_up_piles() -> None:
    assert in_evaluator(faults.restoration_closes_up_piles)


def test_restoration_raises_edges() -> None:
    assert in_evaluator(faults.restoration_raises_edges)


def test_lawful_ignores_violations() -> None:
    assert in_evaluator(faults.lawful_ignores_violations)


def test_apart_is_forgotten() -> None:
    assert in_evaluator(faults.apart_is_forgotten)


def test_contested_counts_as_lawful() -> None:
    assert in_evaluator(faults.contested_counts_as_lawful)


def test_every_fault_has_its_test() -> None:
    named = {f"test_{fault.__name__}" for fault in (*faults.IN_NORMS, *faults.IN_EVALUATORS)}
    assert named <= set(globals())


def test_unchanged_norms_are_not_accused() -> None:
    assert not differs(Engine.of(NORMS))
    assert not differs(Naive(NORMS))
