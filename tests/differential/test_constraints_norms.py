"""Questions about norms with breaches in one position; the naive evaluator reads every witness as it is meant."""

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

from .breach_samples import RECORD, with_catalogue
from .samples import C, P, both, eq, filled, hand, head, small_game

LOW = eq(ir.Component(C, 0), ir.Number(0))
TRUE = ir.Boolean(True)


def violation(identifier: str, action: str, guard: ir.Expression, *offenders: ir.Expression) -> ir.Violation:
    variables = (P,) if action in ("take", "say") else (P, C)
    return ir.Violation(head(identifier, variables, guard), identifier.split("#")[0], action, offenders)


def game(*more: ir.Clause, seats: int = 2) -> ir.Norms:
    """The sample game with a catalogue, where leading a low card and taking are breaches, and what is given."""
    own = (violation("B-1#1", "lead", LOW, P), violation("B-2#1", "take", TRUE, P))
    return with_catalogue(small_game(seats, 2), *own, *more)


GAME = game()
NAIVE = Naive(GAME)
OTHER = GAME.sort("Breach").values.index("other")


def shown(answer: Answer) -> tuple[Position, Act]:
    assert isinstance(answer.verdict, Fails) and answer.verdict.witness.act is not None
    return answer.verdict.witness.position, answer.verdict.witness.act


def test_a_right_meets_a_breach_unless_an_exception_decides() -> None:
    right = ir.Permission(head("X-1#1", (P, C), TRUE), "lead", True)
    stronger = violation("B-3#1", "lead", LOW, P)
    stronger = replace(stronger, head=replace(stronger.head, exceptions=(ir.Exempt("X-1#1", (("p", "p"),)),)))
    norms = game(right, stronger)
    answers = {answer.clauses: answer for answer in contradictions(Model(norms))}
    position, act = shown(answers["X-1#1", "B-1#1"])
    assert Naive(norms).status(position, act) is Status.CONTESTED
    assert "B-1#1" in Naive(norms).decide(position, act).forbidden_by
    assert isinstance(answers["X-1#1", "B-3#1"].verdict, Holds)


def test_a_breach_of_somebody_else_forbids_nothing() -> None:
    neighbour = violation("B-1#9", "lead", TRUE, ir.StepValue(P, 1, True))
    right = ir.Permission(head("X-1#1", (P, C), TRUE), "lead", True)
    answers = {answer.clauses: answer for answer in contradictions(Model(game(neighbour, right)))}
    assert isinstance(answers["X-1#1", "B-1#9"].verdict, Holds)
    assert isinstance(answers["X-1#1", "B-1#1"].verdict, Fails), "his own breach does"


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
    answers = [answer for answer in unnumbered(Model(GAME)) if answer.place == "take"]
    assert answers and all(isinstance(answer.verdict, Holds) for answer in answers)


def owing(*forbidden: ir.Clause) -> ir.Norms:
    """Who holds a card owes one of his cards."""
    return game(ir.Duty(head("D-9#1", (P,), filled(hand(P))), P, "pay", (P, None), ir.Deadline.NOW, ()), *forbidden)


def test_a_duty_that_cannot_be_met_lawfully() -> None:
    (answer,) = [answer for answer in unmet(Model(owing())) if answer.clauses == ("D-9#1",)]
    assert isinstance(answer.verdict, Holds)
    norms = owing(ir.Prohibition(head("X-1#1", (P, C), LOW), "pay"))
    (answer,) = [answer for answer in unmet(Model(norms)) if answer.clauses == ("D-9#1",)]
    position, act = shown(answer)
    statuses = {a: status for a, status in Naive(norms).statuses(position).items() if a.action == "pay"}
    assert statuses[act] is Status.UNLAWFUL
    mine = [status for a, status in statuses.items() if a.arguments[0] == act.arguments[0]]
    assert mine and Status.LAWFUL not in mine


def test_a_duty_against_a_violation_is_a_dilemma() -> None:
    norms = owing(violation("B-1#9", "pay", LOW, P))
    answers = {answer.clauses: answer for answer in dilemmas(Model(norms))}
    position, act = shown(answers["D-9#1", "B-1#9"])
    decision = Naive(norms).decide(position, act)
    assert "D-9#1" in decision.permitted_by and "B-1#9" in decision.forbidden_by


def test_readings_that_differ_in_a_breach_only() -> None:
    """Under one letter speaking is a breach of the neighbour, whom it forbids nothing."""
    switch = GAME.readings[0].switch("B")
    norms = game(violation("B-4#9", "say", ir.Switch(switch), ir.StepValue(P, 1, True)))
    answers = [a for a in readings_apart(Model(norms), norms.readings[0], "A", "B") if isinstance(a.verdict, Fails)]
    assert [answer.place for answer in answers] == ["N-9 A/B: breach by say"]
    position, act = shown(answers[0])
    entered = [Naive(norms, {f"N-9={letter}"}).step(position, act) for letter in "AB"]
    plain, broken = [
        {cell for cell, value in end.position.registers if cell[0] == RECORD and value}
        for end in entered
        if isinstance(end, Next)
    ]
    neighbour = (act.arguments[0] + 1) % 2
    assert broken - plain == {(RECORD, (neighbour, GAME.sort("Breach").values.index("B-4")))}


def test_readings_that_differ_in_what_is_lawful_and_in_a_slot() -> None:
    switch = ir.Switch(GAME.readings[0].switch("B"))
    forbid = ir.Prohibition(head("X-1#1", (P, C), both(switch, eq(C, ir.Value("Card", 0)))), "tuck")
    first = ir.TermClause(head("T-9#1", (), switch), "loser", ir.Value("Player", 1))
    norms = game(forbid, first)
    answers = {a.place: a for a in readings_apart(Model(norms), norms.readings[0], "A", "B")}
    position, act = shown(answers["N-9 A/B: tuck"])
    statuses = [Naive(norms, {f"N-9={letter}"}).status(position, act) for letter in "AB"]
    assert statuses[0] is not statuses[1]
    slot = answers["N-9 A/B: loser"].verdict
    assert isinstance(slot, Fails)
    values = [Naive(norms, {f"N-9={letter}"}).term(slot.witness.position, "loser") for letter in "AB"]
    assert values[0] != values[1]
    assert all("beat" not in place for place in answers), "what does not depend on the letters is not asked about"


def test_any_number_of_players_and_positions_with_an_open_breach() -> None:
    """A breach that only an open breach makes possible is found as well, with a frame in the position."""
    again = violation("B-3#9", "say", ir.Exists(N, ir.ReadRegister(RECORD, (P, N))), P)
    right = ir.Permission(head("X-1#1", (P,), TRUE), "say", True)
    answers = {a.clauses: a for a in contradictions(Model(game(again, right, seats=3), Options(seats_free=True)))}
    answer = answers["X-1#1", "B-3#9"]
    assert isinstance(answer.verdict, Fails)
    position = answer.verdict.witness.position
    assert position.frame is not None and any(v for cell, v in position.registers if cell[0] == RECORD)
    seats = answer.verdict.witness.players
    assert all(place[1] is None or place[1] < seats for place, _ in (*position.zones, *position.frame.zones))


N = ir.Variable("n", "Breach")
