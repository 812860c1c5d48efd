"""What the solver answers, checked by the naive evaluator: witnesses reproduce, proofs and refutations are right."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from svod.constraints.answers import Answer, Fails, Holds, Kind, Unknown
from svod.constraints.from_norms import Model
from svod.constraints.induction import conservation, never_fires, prove_invariants
from svod.constraints.questions import contradictions, dead_end, failures, reading_differences, slots, variant_effect
from svod.constraints.symbols import Options
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Clash, Hole, Limit, Next, Race, Status

from .rulebooks import rulebook
from .samples import STOCK, TABLE, C, P, both, empty, filled, head, small_game, stage

NORMS = small_game(3, 3)
FREE = Options(seats_free=True)


def with_clause(clause: ir.Clause) -> ir.Norms:
    return replace(NORMS, clauses=(*NORMS.clauses, clause))


def only(answers: list[Answer], *clauses: str) -> Answer:
    (found,) = [answer for answer in answers if set(answer.clauses) == set(clauses)]
    return found


def test_a_right_against_a_prohibition_is_contested_where_the_witness_says() -> None:
    answers = list(contradictions(Model(NORMS)))
    verdict = only(answers, "N-2#1", "N-7#1").verdict
    assert isinstance(verdict, Fails) and verdict.witness.act is not None
    assert Naive(NORMS).status(verdict.witness.position, verdict.witness.act) is Status.CONTESTED
    assert isinstance(only(answers, "N-6.1#1", "N-6#1").verdict, Holds), "an exception edge decides"


@pytest.mark.parametrize("action", ["beat", "tuck", "take"])
def test_every_failure_after_an_act_reproduces(action: str) -> None:
    naive = Naive(NORMS)
    kinds = {Kind.RACE: Race, Kind.STEP_HOLE: Hole, Kind.CLASH: Clash, Kind.LIMIT: Limit}
    failed = 0
    for answer in failures(Model(NORMS), next(a for a in NORMS.actions if a.name == action)):
        if isinstance(answer.verdict, Fails):
            act = answer.verdict.witness.act
            assert act is not None
            assert naive.status(answer.verdict.witness.position, act) is Status.LAWFUL
            outcomes = naive.outcomes(answer.verdict.witness.position, act)
            assert any(isinstance(outcome, kinds[answer.kind]) for outcome in outcomes)
            failed += 1
    assert failed > 0


def test_holes_and_dead_ends_reproduce() -> None:
    naive = Naive(NORMS)
    (hole,) = [answer for answer in slots(Model(NORMS)) if answer.kind is Kind.HOLE and answer.place == "turn"]
    assert isinstance(hole.verdict, Fails)
    assert isinstance(naive.term(hole.verdict.witness.position, "turn"), Hole)
    verdict = dead_end(Model(NORMS)).verdict
    assert isinstance(verdict, Fails)
    assert naive.stuck(verdict.witness.position)


@pytest.mark.parametrize("options", [Options(), FREE], ids=["three players", "any number"])
def test_steps_keep_states_well_typed(options: Options) -> None:
    model = Model(NORMS, options)
    for action in NORMS.actions:
        assert isinstance(conservation(model, action).verdict, Holds), action.name


def test_witnesses_for_a_free_number_of_players_fit_it() -> None:
    for answer in slots(Model(NORMS, FREE)):
        if isinstance(answer.verdict, Fails):
            witness = answer.verdict.witness
            assert 2 <= witness.players <= 3
            assert all(place[1] is None or place[1] < witness.players for place, _ in witness.position.zones)


def test_a_clause_that_only_contradicts_itself_is_dead_and_others_are_not() -> None:
    never = ir.Prohibition(head("X-1#1", (P, C), both(empty(TABLE), filled(TABLE))), "beat")
    answer = never_fires(Model(with_clause(never)), never)
    assert answer is not None and isinstance(answer.verdict, Holds)
    alive = next(clause for clause in NORMS.clauses if clause.head.id == "N-3#1")
    answer = never_fires(Model(NORMS), alive)
    assert answer is not None and not isinstance(answer.verdict, Holds)


def test_a_clause_that_play_cannot_reach_is_dead_by_induction() -> None:
    unreached = ir.Prohibition(head("X-1#1", (P,), both(stage(1), filled(STOCK))), "say")
    answer = never_fires(Model(with_clause(unreached)), unreached)
    assert answer is not None and isinstance(answer.verdict, Holds)
    assert "induction" in answer.verdict.method or "stage" in " ".join(answer.scope.invariants)


def test_true_invariants_are_proved_and_false_ones_are_not() -> None:
    false = ir.Invariant(head("I-9#1", (), ir.Boolean(True)), empty(TABLE))
    answers = {answer.clauses[0]: answer.verdict for answer in prove_invariants(Model(with_clause(false)))}
    assert isinstance(answers["I-1#1"], Holds)
    assert isinstance(answers["I-2#1"], Holds)
    broken = answers["I-9#1"]
    assert isinstance(broken, Unknown) and broken.witness is not None and broken.witness.act is not None
    outcome = Naive(NORMS).step(broken.witness.position, broken.witness.act)
    assert isinstance(outcome, Next) and dict(outcome.position.zones)["table", None]


def test_readings_and_variants_differ_where_the_witness_says() -> None:
    model = Model(NORMS)
    variant = NORMS.variants[0]
    changed = [answer for answer in variant_effect(model, variant) if isinstance(answer.verdict, Fails)]
    assert any(answer.place == "V: tuck" for answer in changed)
    witness = next(answer.verdict for answer in changed if answer.place == "V: tuck")
    assert isinstance(witness, Fails) and witness.witness.act is not None
    position, act = witness.witness.position, witness.witness.act
    plain = Naive(NORMS, {"N-9=A"}).status(position, act)
    assert plain is not Naive(NORMS, {"N-9=A", "V"}).status(position, act)
    answers = list(reading_differences(model, NORMS.readings[0], "A", "B"))
    assert any(isinstance(answer.verdict, Fails) and "after sweep" in answer.place for answer in answers)
    assert all(isinstance(answer.verdict, Holds) for answer in answers if answer.place.endswith(": lead"))


def test_every_number_of_players_and_both_switches_at_once() -> None:
    norms = rulebook("shukh", "", {"игроков": 8, "колода": 52})
    free = tuple((variant.name, None) for variant in norms.variants)
    answers = list(contradictions(Model(norms, Options(seats_free=True, switches=free))))
    spade = only(answers, "R-3.7.1#1", "R-3.3#1")
    assert isinstance(spade.verdict, Fails)
    assert spade.scope.players == "2..8" and "*V" in spade.scope.switches
    assert isinstance(only(answers, "R-3.7.1#1", "R-3.4#1").verdict, Holds)


def test_a_dead_sentence_of_a_rulebook_is_proved_dead() -> None:
    norms = acts_of_play(rulebook("shukh", "", {"игроков": 3, "колода": 36}))
    engine, random, met = Engine.of(norms), Random(1), []
    outcome = engine.initial()
    while isinstance(outcome, Next) and len(met) < 300:
        met.append(outcome.position)
        acts = engine.acts(outcome.position)
        over = not acts or engine.over(outcome.position)
        outcome = engine.initial() if over else engine.step(outcome.position, random.choice(acts))
        outcome = outcome if isinstance(outcome, Next) else engine.initial()
    model = Model(norms, Options(play=True), samples=tuple(met))
    dead = next(clause for clause in norms.clauses if clause.head.id == "R-5.7.2#2")
    answer = never_fires(model, dead)
    assert answer is not None and isinstance(answer.verdict, Holds)
    assert any("empty" in name for name in answer.scope.invariants)
