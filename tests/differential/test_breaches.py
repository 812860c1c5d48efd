"""Engine and naive evaluator agree about breaches: on a game that has them, on random norms, in random positions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svod.engine.backend import Backend
from svod.engine.layout import StepCode
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.naive.exploring import playout
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Next, Position
from svod.searches.agreement import Agreed, agree, compare, same_outcome
from svod_tools.native import compile_native, native_compiler

from .breach_samples import PUNISHED, RECORD, N, breach_game
from .generate_breaches import random_breach_norms
from .positions import part, random_position
from .samples import P, Q, hand

HOUSE = frozenset({"V", "N-9=B"})


@pytest.mark.parametrize("switches", [None, HOUSE], ids=["as adopted", "the other way"])
@pytest.mark.parametrize(("seats", "ranks"), [(2, 2), (3, 3)])
def test_sample_game(seats: int, ranks: int, switches: frozenset[str] | None) -> None:
    norms = breach_game(seats, ranks)
    found = compare(Engine.of(norms, switches), Naive(norms, switches), 250, seats)
    assert isinstance(found, Agreed)
    assert found.breaches > 10, "breaches are entered"
    assert found.punished > 10, "and punished"
    assert found.restored > 5, "and what was before them comes back"


@pytest.mark.parametrize("seats", [2, 3])
def test_random_positions_of_the_sample_game(seats: int) -> None:
    norms = breach_game(seats, 3)
    assert part(Engine.of(norms), Naive(norms), Random(seats), 60) is None


def punishing_a_computed_seat() -> ir.Norms:
    """The sample game in which whoever alone holds one card is punished for a claim."""
    norms = breach_game(2, 2)
    lone = ir.Only(Q, ir.Compare(ir.Relation.EQUAL, ir.Size(hand(Q)), ir.Number(1)))
    head = ir.Head("X-1#1", "X-1", (P, N), ir.Exists(Q, ir.Compare(ir.Relation.EQUAL, Q, lone)))
    cause = ir.OnAct("claim", (None, "p", "n"))
    return replace(norms, clauses=(*norms.clauses, ir.Trigger(head, cause, (ir.Raise(PUNISHED, (lone, N)),))))


@pytest.mark.parametrize("seed", [1, 2, 3, 36, 64, 120, 139, 143])
def test_nothing_is_left_over_at_rest(seed: int) -> None:
    """A state vector that has come to rest is the one that its position packs into: no event, no waiting trigger."""
    engine = Engine.of(random_breach_norms(Random(seed), seats=2 + seed % 2))
    chance = Random(seed)
    state, detail, codes = engine.new_state(), engine.new_detail(), engine.new_codes()
    code = engine.start(state, detail)
    for _ in range(60):
        if code != StepCode.NEXT:
            break
        assert list(state) == list(engine.pack_position(engine.position(state)))
        count = engine.list_possible(state, codes)
        if count == 0:
            break
        code = engine.step_code(state, codes[chance.randrange(count)], detail)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32))
def test_random_norms(seed: int) -> None:
    norms = random_breach_norms(Random(seed), seats=2 + seed % 2)
    assert agree(norms, 30, seed, None if seed % 3 else HOUSE) is None


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
def test_random_positions_of_random_norms(seed: int) -> None:
    random = Random(seed)
    norms = random_breach_norms(random, seats=2 + seed % 2)
    switches = None if seed % 3 else HOUSE
    assert part(Engine.of(norms, switches), Naive(norms, switches), random, 8, 2) is None


@pytest.mark.skipif(native_compiler()[0] is None, reason="no C compiler")
@pytest.mark.parametrize("norms", [breach_game(3, 3), punishing_a_computed_seat()], ids=["sample", "computed seat"])
def test_native_code_says_the_same(norms: ir.Norms) -> None:
    def compiler(source: str, entries: Iterable[str]) -> Backend:
        backend, why = compile_native(source, entries)
        assert backend is not None, why
        return backend

    assert part(Engine.of(norms, compiler=compiler), Naive(norms), Random(5), 40) is None


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
def test_positions_are_packed_and_unpacked_with_their_frames(seed: int) -> None:
    random = Random(seed)
    norms = breach_game(2 + seed % 3, 2 + seed % 2)
    engine, naive = Engine.of(norms), Naive(norms)
    for _ in range(20):
        position = random_position(random, norms, naive.switches)
        assert engine.position(engine.pack_position(position)) == position
        possible = naive.possible_acts(position)
        for outcome in naive.outcomes(position, random.choice(possible)) if possible else ():
            if isinstance(outcome, Next):
                assert framed(norms, outcome.position)
                assert engine.position(engine.pack_position(outcome.position)) == outcome.position


def framed(norms: ir.Norms, position: Position) -> bool:
    """There is a frame if and only if a breach is open, and the frame holds what the norms say it holds."""
    broken = any(value for cell, value in position.registers if cell[0] == RECORD)
    if position.frame is None:
        return not broken
    inside = {register.name for register in norms.registers if not register.outside_frame}
    zones = [key for key, _ in position.zones] == [key for key, _ in position.frame.zones]
    registers = [cell for cell, _ in position.registers if cell[0] in inside]
    return broken and zones and registers == [cell for cell, _ in position.frame.registers]


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_frames_stand_beside_open_breaches_only(seed: int) -> None:
    random = Random(seed)
    norms = random_breach_norms(random, seats=2 + seed % 2)
    naive = Naive(norms)
    outcome = naive.initial()
    for _ in range(25):
        possible = naive.possible_acts(outcome.position) if isinstance(outcome, Next) else ()
        if not isinstance(outcome, Next) or not possible:
            break
        assert framed(norms, outcome.position)
        outcome = naive.step(outcome.position, random.choice(possible))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32))
def test_acts_of_play_are_the_acts_but_for_speech_that_nobody_owes(seed: int) -> None:
    """By the definition: an act of a player that moves nothing and drives nothing has to be owed by some duty."""
    random = Random(seed)
    norms = random_breach_norms(random, seats=2 + seed % 2)
    naive, playing = Naive(norms), Naive(acts_of_play(norms))
    talk = {a.name for a in norms.actions if a.actor is not None and not a.turn and not a.body}
    assert talk == {"say", "claim"}
    for _ in range(8):
        position = random_position(random, norms, naive.switches)
        owed = naive.owed(position)
        kept = [act for act in naive.possible_acts(position) if act.action not in talk or act in owed]
        assert list(playing.possible_acts(position)) == kept


@pytest.mark.parametrize("seed", range(1, 4))
def test_play_by_lot_is_the_same_in_both(seed: int) -> None:
    norms = breach_game(3, 3)
    mine = playout(Naive(norms), seed, 60)
    acts, outcome = Engine.of(norms).playout(seed, 60)
    assert acts == mine.acts
    assert same_outcome(outcome, mine.outcome)
