"""Questions about norms with breaches in one position: each witness is what it is said to be, for the naive evaluator."""

from __future__ import annotations

from dataclasses import replace

from svod.constraints.answers import Answer, Fails, Holds, Kind
from svod.constraints.from_norms import Model
from svod.constraints.norm_questions import readings_apart, unmet, unnumbered
from svod.constraints.questions import contradictions, dilemmas
from svod.constraints.symbols import Options
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Next, Position, Status

from .breach_samples import RECORD, breach_game
from .samples import C, P, Q, both, eq, head

GAME = breach_game(2, 2)
NAIVE = Naive(GAME)
OTHER = GAME.sort("Breach").values.index("other")


def shown(answer: Answer) -> tuple[Position, Act]:
    assert isinstance(answer.verdict, Fails) and answer.verdict.witness.act is not None
    return answer.verdict.witness.position, answer.verdict.witness.act


def test_a_right_meets_a_breach_unless_an_exception_decides() -> None:
    norms = breach_game(2, 3)
    answers = {answer.clauses: answer for answer in contradictions(Model(norms))}
    position, act = shown(answers["N-2#1", "B-2#1"])
    assert Naive(norms).status(position, act) is Status.CONTESTED
    assert "B-2#1" in Naive(norms).decide(position, act).forbidden_by
    assert isinstance(answers["N-2#1", "B-1#1"].verdict, Holds)


def test_a_breach_of_somebody_else_forbids_nothing() -> None:
    neighbour = ir.Violation(head("B-1#9", (P, C), ir.Boolean(True)), "B-1", "lead", (ir.StepValue(P, 1, True),))
    right = ir.Permission(head("X-1#1", (P, C), ir.Boolean(True)), "lead", True)
    norms = replace(GAME, clauses=(*GAME.clauses, neighbour, right))
    answers = {answer.clauses: answer for answer in contradictions(Model(norms))}
    assert isinstance(answers["X-1#1", "B-1#9"].verdict, Holds)
    assert isinstance(answers["X-1#1", "B-1#2"].verdict, Fails), "his own breach does"


def test_unlawful_acts_without_a_number_enter_the_rest() -> None:
    found = 0
    for answer in unnumbered(Model(GAME)):
        assert answer.kind is Kind.UNCOVERED
        if isinstance(answer.verdict, Holds):
            continue
        position, act = shown(answer)
        assert NAIVE.status(position, act) is Status.UNLAWFUL and act.action == answer.place
        assert position.frame is None and not any(v for cell, v in position.registers if cell[0] == RECORD)
        decision = NAIVE.decide(position, act)
        assert set(answer.clauses) <= {*decision.forbidden_by, *decision.blocked_by}
        if not answer.clauses:
            assert not (decision.permitted_by or decision.forbidden_by or decision.blocked_by)
        outcome = NAIVE.step(position, act)
        if isinstance(outcome, Next) and outcome.position.frame is not None:
            entered = {cell[1] for cell, value in outcome.position.registers if cell[0] == RECORD and value}
            assert entered == {(act.arguments[0], OTHER)}
            found += 1
    assert found >= 5


def test_an_act_that_has_a_number_wherever_it_is_unlawful() -> None:
    """Speech is unlawful only where a violation says so, or a prohibition without a number."""
    answers = [answer for answer in unnumbered(Model(GAME)) if answer.place == "claim"]
    assert answers and all(isinstance(answer.verdict, Holds) for answer in answers)


def test_a_duty_that_cannot_be_met_lawfully() -> None:
    never = ir.Prohibition(head("X-1#1", (P, C), eq(C, ir.Value("Card", 0))), "pay")
    answers = {answer.clauses[0]: answer for answer in unmet(Model(GAME))}
    assert isinstance(answers["D-2#1"].verdict, Holds)
    norms = replace(GAME, clauses=(*GAME.clauses, never))
    naive = Naive(norms)
    (answer,) = [answer for answer in unmet(Model(norms)) if answer.clauses == ("D-2#1",)]
    position, act = shown(answer)
    assert naive.status(position, act) is Status.UNLAWFUL and act.action == "pay"
    statuses = naive.statuses(position)
    assert not [
        a
        for a, s in statuses.items()
        if a.action == "pay" and a.arguments[0] == act.arguments[0] and s is Status.LAWFUL
    ]


def test_a_duty_against_a_violation_is_a_dilemma() -> None:
    costly = ir.Violation(head("B-1#9", (P, C), ir.Boolean(True)), "B-1", "pay", (P,))
    norms = replace(GAME, clauses=(*GAME.clauses, costly))
    answers = {answer.clauses: answer for answer in dilemmas(Model(norms))}
    position, act = shown(answers["D-2#1", "B-1#9"])
    decision = Naive(norms).decide(position, act)
    assert "D-2#1" in decision.permitted_by and "B-1#9" in decision.forbidden_by


def test_readings_that_differ_in_a_breach_only() -> None:
    """Under one letter speaking is a breach of the speaker, under the other of his neighbour as well."""
    switch = GAME.readings[0].switch("B")
    neighbour = ir.Violation(head("B-4#9", (P, Q, N), ir.Switch(switch)), "B-4", "claim", (Q,))
    norms = replace(GAME, clauses=(*GAME.clauses, neighbour))
    answers = [a for a in readings_apart(Model(norms), norms.readings[0], "A", "B") if isinstance(a.verdict, Fails)]
    assert [answer.place for answer in answers] == ["N-9 A/B: breach by claim"]
    position, act = shown(answers[0])
    ends = [Naive(norms, {f"N-9={letter}"}).step(position, act) for letter in "AB"]
    assert all(isinstance(end, Next) for end in ends) and ends[0] != ends[1]


def test_readings_that_differ_in_what_is_lawful_and_in_a_slot() -> None:
    switch = ir.Switch(GAME.readings[0].switch("B"))
    forbid = ir.Prohibition(head("X-1#1", (P, C), both(switch, eq(C, ir.Value("Card", 0)))), "lead")
    first = ir.TermClause(head("T-9#1", (), switch), "loser", ir.Value("Player", 1))
    norms = replace(GAME, clauses=(*GAME.clauses, forbid, first))
    answers = {a.place: a for a in readings_apart(Model(norms), norms.readings[0], "A", "B")}
    position, act = shown(answers["N-9 A/B: lead"])
    statuses = [Naive(norms, {f"N-9={letter}"}).status(position, act) for letter in "AB"]
    assert statuses[0] is not statuses[1]
    slot = answers["N-9 A/B: loser"].verdict
    assert isinstance(slot, Fails)
    values = [Naive(norms, {f"N-9={letter}"}).term(slot.witness.position, "loser") for letter in "AB"]
    assert values[0] != values[1]
    assert all("beat" not in place for place in answers), "what does not depend on the letters is not asked about"


def test_any_number_of_players_and_positions_with_an_open_breach() -> None:
    """A breach that only an open breach makes possible is found as well, with a frame in the position."""
    again = ir.Violation(head("B-3#9", (P, Q, N), ir.ReadRegister(RECORD, (P, N))), "B-3", "claim", (P,))
    right = ir.Permission(head("X-1#1", (P, Q, N), ir.Boolean(True)), "claim", True)
    norms = replace(breach_game(3, 2), clauses=(*breach_game(3, 2).clauses, again, right))
    answers = {answer.clauses: answer for answer in contradictions(Model(norms, Options(seats_free=True)))}
    answer = answers["X-1#1", "B-3#9"]
    assert isinstance(answer.verdict, Fails)
    position = answer.verdict.witness.position
    assert position.frame is not None and any(v for cell, v in position.registers if cell[0] == RECORD)
    seats = answer.verdict.witness.players
    assert all(place[1] is None or place[1] < seats for place, _ in (*position.zones, *position.frame.zones))


N = ir.Variable("n", "Breach")
