"""What the background proofs say of a game with breaches: lawful play is folded, the rest is asked of any play."""

from __future__ import annotations

from svod.findings import Finding, Grade
from svod.naive.world import default_switches
from svod.norms import ir
from svod.searches.check import Searched, Setting
from svod.searches.proof_findings import NEVER_APPLIES, NOT_OF_PLAY, PROVED
from svod.searches.proofs import Proofs
from svod.searches.readings import READINGS_DIFFER
from svod_tools.proof_process import ProofProcess

from .breach_samples import RECORD, with_catalogue
from .samples import STOCK, C, P, both, eq, filled, head, small_game, stage

LOW = eq(ir.Component(C, 0), ir.Number(0))
TRUE = ir.Boolean(True)
N = ir.Variable("n", "Breach")


def broken(player: ir.Expression) -> ir.Expression:
    return ir.Exists(N, ir.ReadRegister(RECORD, (player, N)))


def proved(*more: ir.Clause, seen: frozenset[str] = frozenset()) -> list[Finding]:
    """Findings of the proofs about the sample game with a catalogue; `seen` besides all of its own clauses."""
    base = small_game(2, 2)
    norms = with_catalogue(base, ir.Violation(head("B-1#1", (P, C), LOW), "B-1", "lead", (P,)), *more)
    searched = Searched(fired={clause.head.id for clause in base.clauses} | {"B-1#1"} | seen)
    with ProofProcess() as process:
        proofs = Proofs(process.line, [Setting(norms, default_switches(norms))], "1", None)
        proofs.finish(searched, lambda step: None)
    return searched.findings


def about(findings: list[Finding], rule: str) -> Finding:
    (found,) = [finding for finding in findings if finding.rules == (rule,)]
    return found


def test_a_rule_that_only_a_breach_makes_apply_is_no_dead_rule() -> None:
    found = about(proved(ir.Prohibition(head("X-1#1", (P, C), broken(P)), "tuck")), "X-1")
    assert (found.code, found.grade) == (NOT_OF_PLAY, Grade.UNKNOWN)


def test_a_rule_that_nothing_makes_apply_breaches_included() -> None:
    """An event that no rule raises; and a condition that contradicts itself."""
    silent = ir.Trigger(
        head("X-1#1", (P,), TRUE), ir.OnEvent("punished", ("p", None)), (ir.Post("laid", (P,), ir.Number(1)),)
    )
    never = ir.Violation(head("B-2#1", (P, C), both(LOW, ir.Not(LOW))), "B-2", "lead", (P,))
    findings = proved(silent, never)
    for rule in ("X-1", "B-2"):
        found = about(findings, rule)
        assert (found.code, found.grade) == (NEVER_APPLIES, Grade.PROVED)


def test_a_rule_of_lawful_play_is_proved_dead_by_induction() -> None:
    never = ir.Prohibition(head("X-1#1", (P, C), both(stage(1), filled(STOCK))), "lead")
    found = about(proved(never), "X-1")
    assert (found.code, found.grade) == (NEVER_APPLIES, Grade.PROVED)


def test_a_breach_that_was_not_seen_is_asked_about_and_told_once_for_its_rule() -> None:
    also = [
        ir.Violation(head(f"B-2#{place}", (P, C), guard), "B-2", "lead", (P,))
        for place, guard in enumerate((TRUE, ir.Not(LOW)), 1)
    ]
    found = about(proved(*also), "B-2")
    assert found.code is NOT_OF_PLAY and "B-2#1" in found.title.en and "B-2#2" in found.title.en


def test_the_record_is_never_written_in_lawful_play() -> None:
    """An invariant about breaches holds of lawful play, and is proved."""
    clean = ir.Invariant(head("I-9#1", (P,), TRUE), ir.Not(broken(P)))
    found = about(proved(clean), "I-9")
    assert (found.code, found.grade) == (PROVED, Grade.PROVED)


def test_a_breach_of_a_neighbour_may_be_entered_by_a_lawful_act() -> None:
    """Then the record is no constant, and the invariant is not proved."""
    neighbour = ir.Violation(head("B-3#1", (P, C), TRUE), "B-3", "lead", (ir.StepValue(P, 1, True),))
    clean = ir.Invariant(head("I-9#1", (P,), TRUE), ir.Not(broken(P)))
    found = about(proved(neighbour, clean, seen=frozenset({"B-3#1"})), "I-9")
    assert found.code is not PROVED


def test_a_reading_that_parts_only_after_a_breach_has_a_position() -> None:
    switch = ir.Switch(small_game(2, 2).readings[0].switch("B"))
    forbid = ir.Prohibition(head("X-1#1", (P, C), both(switch, broken(P))), "tuck")
    findings = proved(forbid, seen=frozenset({"X-1#1"}))
    found = next(finding for finding in findings if finding.code is READINGS_DIFFER)
    assert found.grade is Grade.LOCAL and found.position is not None and found.position.frame is not None
    assert "unlawful" in found.title.en
