"""Each seeded fault is caught: an engine made from changed norms disagrees with the naive evaluator of the true."""

from __future__ import annotations

from functools import cache

from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.searches.agreement import Disagreement, compare

from . import faults
from .samples import small_game

STEPS = 200
NORMS = small_game(3, 3)
SWITCHES: tuple[frozenset[str] | None, ...] = (None, frozenset({"V", "N-9=B"}))


@cache
def naive(switches: frozenset[str] | None) -> Naive:
    return Naive(NORMS, switches)


def caught(mutant: ir.Norms) -> bool:
    """Whether the fault shows within a bounded number of steps, under the adopted switches or the others."""
    return any(
        isinstance(compare(Engine.of(mutant, switches), naive(switches), STEPS, seed=11), Disagreement)
        for switches in SWITCHES
    )


def shows(fault: faults.Fault, sites: int = 3) -> bool:
    """Whether it shows at one of the first places where it applies; at some places a fault changes nothing."""
    mutants = list(fault(NORMS))
    assert mutants, "the fault applies nowhere"
    assert all(mutant != NORMS for mutant in mutants)
    return any(caught(mutant) for mutant in mutants[:sites])


def test_dropped_guard_conjunct() -> None:
    assert shows(faults.dropped_guard_conjunct)


def test_dropped_exception() -> None:
    assert shows(faults.dropped_exception)


def test_seat_step_off_by_one() -> None:
    assert shows(faults.seat_step_off_by_one)


def test_swapped_move_target() -> None:
    assert shows(faults.swapped_move_target)


def test_count_off_by_one() -> None:
    assert shows(faults.count_off_by_one)


def test_relation_changed() -> None:
    assert shows(faults.relation_changed)


def test_missing_trigger() -> None:
    assert shows(faults.missing_trigger)


def test_register_not_written() -> None:
    assert shows(faults.register_not_written)


def test_posting_changed() -> None:
    assert shows(faults.posting_changed)


def test_permission_removed() -> None:
    assert shows(faults.permission_removed)


def test_prohibition_removed() -> None:
    assert shows(faults.prohibition_removed)


def test_duty_removed() -> None:
    assert shows(faults.duty_removed)


def test_duty_without_term() -> None:
    assert shows(faults.duty_without_term)


def test_right_weakened() -> None:
    assert shows(faults.right_weakened)


def test_inverted_switch() -> None:
    assert shows(faults.inverted_switch)


def test_other_end_of_pile() -> None:
    assert shows(faults.other_end_of_pile)


def test_author_lost() -> None:
    assert shows(faults.author_lost)


def test_order_dropped() -> None:
    assert shows(faults.order_dropped)


def test_before_is_now() -> None:
    assert shows(faults.before_is_now)


def test_happening_ignored() -> None:
    assert shows(faults.happening_ignored)


def test_event_not_raised() -> None:
    assert shows(faults.event_not_raised)


def test_never_over() -> None:
    assert shows(faults.never_over)


def test_slot_not_asked() -> None:
    assert shows(faults.slot_not_asked)


def test_other_combination() -> None:
    assert shows(faults.other_combination)


def test_wrong_start() -> None:
    assert shows(faults.wrong_start)


def test_every_fault_has_its_test() -> None:
    assert {f"test_{fault.__name__}" for fault in faults.FAULTS} <= set(globals())


def test_unchanged_norms_are_not_accused() -> None:
    assert not caught(NORMS)
