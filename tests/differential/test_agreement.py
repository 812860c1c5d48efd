"""Engine and naive evaluator agree: on the sample game, on random norms, on every rulebook of the repository."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svod.engine.play import Engine
from svod.naive.evaluator import UNDEFINED, Naive
from svod.naive.exploring import playout
from svod.naive.world import default_switches
from svod.norms import ir
from svod.norms.trace import Act, Hole, Limit, Next
from svod.searches.agreement import Agreed, agree, compare, same_outcome

from .generate import Generator, expression_norms, random_norms
from .positions import part
from .rulebooks import ROOT, departures, rulebook
from .samples import small_game

HOUSE = frozenset({"V", "N-9=B"})
# (rulebook, edition, values of parameters, steps): at least 5,000 steps in all, every number of players, both decks.
SCOPES = [
    ("kuhn", "", {}, 600),
    *(
        ("shukh", edition, {"игроков": players, "колода": deck}, 280)
        for edition in ("", "2")
        for players in (2, 3, 4, 5)
        for deck in (36, 52)
    ),
]


def test_enough_is_compared() -> None:
    assert sum(steps for *_, steps in SCOPES) >= 5000


@pytest.mark.parametrize(("name", "edition", "values", "steps"), SCOPES, ids=str)
def test_rulebooks(name: str, edition: str, values: dict[str, int], steps: int) -> None:
    assert agree(rulebook(name, edition, values), steps, seed=steps + len(values)) is None


@pytest.mark.parametrize("edition", ["", "2"])
def test_rulebook_with_house_rules_and_other_readings(edition: str) -> None:
    norms = rulebook("shukh", edition, {"игроков": 3, "колода": 36})
    switches = departures(norms)
    assert switches != default_switches(norms)
    assert agree(norms, 200, 17, switches) is None


def test_rulebook_on_a_reduced_deck() -> None:
    cards = "6♥ 7♥ Д♥ 9♦ К♦ 7♠ К♠ 7♣".split()
    core = [ROOT / "tests" / "rulebooks" / "shukh_core.md"]
    norms = rulebook("shukh", "2", {"игроков": 3, "колода": 36}, core, cards)
    assert agree(norms, 400, 23) is None


@pytest.mark.parametrize("switches", [None, HOUSE], ids=["as adopted", "the other way"])
@pytest.mark.parametrize(("seats", "ranks"), [(2, 2), (3, 3), (4, 3)])
def test_sample_game(seats: int, ranks: int, switches: frozenset[str] | None) -> None:
    norms = small_game(seats, ranks)
    found = compare(Engine.of(norms, switches), Naive(norms, switches), 400, seats)
    assert isinstance(found, Agreed)
    assert found.unlawful > 10, "unlawful acts are tried too"
    assert found.failed > 0, "steps without a successor are compared too"


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_random_norms(seed: int) -> None:
    random = Random(seed)
    norms = random_norms(random, seats=2 + seed % 2, triggers=4, depth=2)
    assert agree(norms, 30, seed, None if seed % 3 else HOUSE) is None


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_random_expressions(seed: int) -> None:
    """Expressions become terms of the sample game and are evaluated in positions of play by both."""
    random = Random(seed)
    base = expression_norms()
    variables = (ir.Variable("p", "Player"), ir.Variable("c", "Card"))
    generator = Generator(random)
    terms, clauses = list(base.terms), list(base.clauses)
    for number in range(4):
        name, number_wanted = f"random {number}", number % 2 == 0
        made = generator.number(variables, 4) if number_wanted else generator.truth(variables, 4)
        kind: ir.Type = ir.Whole(None, None) if number_wanted else ir.Truth()
        terms.append(ir.Term(name, variables, kind, None, ir.Combination.UNIQUE, False, "R"))
        head = ir.Head(f"R-{number}#1", f"R-{number}", variables, ir.Boolean(True))
        clauses.append(ir.TermClause(head, name, made))
    norms = replace(base, terms=tuple(terms), clauses=tuple(clauses))
    engine, naive = Engine.of(norms), Naive(norms)
    outcome = naive.initial()
    for _ in range(10):
        if not isinstance(outcome, Next):
            break
        position = outcome.position
        for term in terms[len(base.terms) :]:
            for arguments in naive.tuples(term.parameters):
                mine, theirs = naive.term(position, term.name, arguments), engine.term(position, term.name, arguments)
                assert mine == theirs, (term.name, arguments)
                reading = ir.ReadTerm(term.name, tuple(ir.Number(value) for value in arguments))
                evaluated = naive.evaluate(position, reading)
                assert (evaluated is UNDEFINED) == isinstance(mine, Hole)
        outcome = naive.step(position, random.choice(naive.possible_acts(position)))


def test_a_count_of_the_state_before_is_that_of_the_body_two_waves_later() -> None:
    """Nothing in the first wave looks at what the count is made of, and what the body did shows in the second only."""
    base = small_game(3, 2)
    few = ir.Before(ir.Compare(ir.Relation.LESS_EQUAL, ir.ReadTerm("living", ()), ir.Number(2)))
    effect = ir.Post("laid", (ir.Value("Player", 0),), ir.Number(1))
    late = ir.Trigger(ir.Head("X-1#1", "X-1", (), few), ir.OnEdge(), (effect,))
    kept = [c for c in base.clauses if not isinstance(c, ir.Trigger) or c.head.rule in ("W-0", "W-1")]
    norms = replace(base, clauses=(*kept, late))
    assert part(Engine.of(norms), Naive(norms), Random(1), 150, 2) is None


def test_a_number_below_nought_is_not_taken_for_none() -> None:
    base = expression_norms()
    player = ir.Variable("p", "Player")
    less = ir.Arithmetic(ir.Operator.SUBTRACT, ir.ReadRegister("out", ()), ir.Number(1))
    head = ir.Head("X-1#1", "X-1", (player,), ir.Boolean(True))
    sets = ir.Trigger(head, ir.OnAct("say", ("p",)), (ir.Assign("level", (player,), less),))
    norms = replace(base, clauses=(*base.clauses, sets))
    naive = Naive(norms)
    assert part(Engine.of(norms), naive, Random(2), 40, 2) is None
    start = naive.initial()
    assert isinstance(start, Next)
    assert naive.step(start.position, Act("say", (0,))) == Limit("level", ("X-1#1",), ("X-1#1",))


@pytest.mark.parametrize("seed", range(1, 6))
def test_play_by_lot_is_the_same_in_both(seed: int) -> None:
    norms = small_game(3, 3)
    mine = playout(Naive(norms), seed, 80)
    acts, outcome = Engine.of(norms).playout(seed, 80)
    assert acts == mine.acts
    assert same_outcome(outcome, mine.outcome)
