"""What the engine says of a small game: acts, statuses, steps, and every way in which a step can fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from svod.engine.play import Engine
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Laid, Limit, Next, Position, Race, Status

from .engine_rulebooks import TABLE, after, card, cards_in, norms_of, placed, value

HAND = "hand"


@pytest.fixture(scope="module")
def norms() -> ir.Norms:
    return norms_of(TABLE)


@pytest.fixture(scope="module")
def engine(norms: ir.Norms) -> Engine:
    return Engine.of(norms)


def in_play(
    engine: Engine, hands: dict[int, list[str]], table: Sequence[tuple[str, int]] = (), **registers: Any
) -> Position:
    """A position of the second stage with these hands."""
    norms = engine.norms
    zones: dict[tuple[str, int | None], list[Laid]] = {
        (HAND, seat): [Laid(c) for c in sorted(card(norms, name) for name in names)] for seat, names in hands.items()
    }
    zones["table", None] = [Laid(card(norms, name), author) for name, author in table]
    return placed(engine, zones, {"stage": 1, "last": 2, **registers})


def lay(engine: Engine, seat: int, name: str) -> Act:
    return Act("lay", (seat, card(engine.norms, name)))


def test_the_deal_is_by_chance_and_in_turn(engine: Engine) -> None:
    start = engine.initial()
    assert isinstance(start, Next)
    acts = engine.acts(start.position)
    assert tuple(a for a in acts if a.action == "draw") == tuple(
        Act("draw", (seat, c)) for seat in range(3) for c in range(8)
    )
    second = engine.step(start.position, acts[0])
    assert isinstance(second, Next)
    assert {a.arguments[0] for a in engine.acts(second.position) if a.action == "draw"} == {1, 2}


def test_stage_begins_when_all_have_their_cards(engine: Engine) -> None:
    start = engine.initial()
    assert isinstance(start, Next)
    outcome = after(engine, start.position, [Act("draw", (i % 3, i)) for i in range(6)])
    assert isinstance(outcome, Next)
    assert value(outcome.position, "stage") == 1
    assert outcome.fired == ("T-1#1",)


def test_lawful_possible_and_forbidden(engine: Engine) -> None:
    position = in_play(engine, {0: ["2s", "1h"], 1: ["3s"], 2: ["4s"]})
    assert engine.acts(position) == (lay(engine, 0, "2s"), lay(engine, 0, "1h"), *(Act("say", (i,)) for i in range(3)))
    assert engine.status(position, lay(engine, 1, "3s")) is Status.UNLAWFUL
    assert engine.status(position, lay(engine, 1, "4s")) is Status.IMPOSSIBLE
    assert engine.status(position, Act("take", (0,))) is Status.IMPOSSIBLE
    assert Act("tuck", (2, card(engine.norms, "4s"))) in engine.possible_acts(position)


def test_a_right_and_a_prohibition(engine: Engine) -> None:
    ace = lay(engine, 0, "1h")
    calm = in_play(engine, {0: ["2s", "1h"], 1: ["3s"], 2: ["4s"]})
    decision = engine.decide(calm, ace)
    assert decision.status is Status.LAWFUL
    assert decision.permitted_by == ("T-3#1",), "what the right sets aside is the whole rule"
    assert decision.forbidden_by == ()
    assert decision.excepted == (("T-2#1", "T-3#1"), ("T-2#6", "T-3#1"))
    wild = in_play(engine, {0: ["2s", "1h"], 1: ["3s"], 2: ["4s"]}, mood=1)
    assert engine.status(wild, ace) is Status.CONTESTED
    assert engine.contested(wild) == (ace,)
    assert ace not in engine.acts(wild)


def test_a_duty_blocks_everything_else(engine: Engine) -> None:
    position = in_play(engine, {0: [], 1: ["3s"], 2: ["4s"]}, [("2s", 0)])
    assert engine.acts(position) == (Act("take", (0,)), *(Act("say", (i,)) for i in range(3)))
    assert engine.decide(position, Act("take", (0,))).permitted_by == ("T-2#2", "T-6#1")


def test_authors_order_and_closing(engine: Engine) -> None:
    position = in_play(engine, {0: ["2s", "1s"], 1: ["3s", "1h"], 2: ["4s", "4h"]})
    one = after(engine, position, [lay(engine, 0, "2s"), lay(engine, 1, "3s")])
    assert isinstance(one, Next)
    table = dict(one.position.zones)["table", None]
    assert table == (Laid(card(engine.norms, "2s"), 0), Laid(card(engine.norms, "3s"), 1))
    tucked = engine.step(one.position, Act("tuck", (2, card(engine.norms, "4s"))))
    assert isinstance(tucked, Next)
    assert value(tucked.position, "closer") == 1, "the top card decides, not the last one laid"
    assert cards_in(tucked.position, "table") == []
    assert "T-4#1" in tucked.fired


def test_taking_the_bottom_card_keeps_the_others_in_order(engine: Engine) -> None:
    position = in_play(engine, {0: ["1s"], 1: ["3h"], 2: ["4s"]}, [("2s", 0), ("3s", 1)])
    outcome = engine.step(position, Act("take", (0,)))
    assert isinstance(outcome, Next)
    assert dict(outcome.position.zones)["table", None] == (Laid(card(engine.norms, "3s"), 1),)
    assert cards_in(outcome.position, HAND, 0) == [card(engine.norms, "1s"), card(engine.norms, "2s")]


def test_an_event_is_answered_in_the_next_wave_and_the_play_ends(engine: Engine) -> None:
    position = in_play(engine, {0: ["2s"], 1: ["3s", "1h"], 2: []}, [("4s", 1), ("4h", 1)])
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Next)
    assert outcome.fired == ("T-2#3", "T-4#1", "T-5#1", "T-5#2")
    assert value(outcome.position, "score", 0) == 1
    assert value(outcome.position, "score", 2) == 0, "who was out before does not leave again"
    assert engine.over(outcome.position)
    assert engine.acts(outcome.position) == ()


def test_ranges_of_registers_are_limits(engine: Engine) -> None:
    position = in_play(engine, {0: ["2s"], 1: ["3s", "1h"], 2: ["1s"]}, [("4s", 1), ("4h", 1)], score=3)
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Limit) and outcome.what == "score"


def test_impossible_acts_are_refused(engine: Engine) -> None:
    position = in_play(engine, {0: ["2s"], 1: ["3s"], 2: ["4s"]})
    with pytest.raises(ValueError, match="not possible"):
        engine.step(position, lay(engine, 0, "3s"))


def test_capacity_is_a_limit() -> None:
    engine = Engine.of(norms_of(TABLE.replace("as soon as size(table) = 3", "as soon as size(table) = 4")))
    position = in_play(engine, {0: ["2s"], 1: ["3s"], 2: ["1s"]}, [("4s", 1), ("4h", 1), ("3h", 1)])
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Limit) and outcome.what == "table"


def failing(clauses: str) -> tuple[Engine, Position]:
    engine = Engine.of(norms_of(TABLE + f"### T-9 More\n```rule\n{clauses}\n```\n"))
    return engine, in_play(engine, {0: ["2s"], 1: ["3s"], 2: ["1s"]})


def test_holes() -> None:
    engine, position = failing("on lay(player, Card(2, s)): score(closer) := 1")
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Hole) and outcome.place == "T-9#1" and outcome.arguments == (0, card(engine.norms, "2s"))
    engine, position = failing("on lay(player, Card(2, s)): place(closer) := 1")
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Next) and outcome.soft == ("T-9#1",)


def test_an_asked_slot_without_a_value_or_with_two() -> None:
    engine, position = failing("define fate := P1, if mood = wild\nasked fate when last = P1")
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Hole) and outcome.place == "fate" and outcome.rules == ("T-9",)
    engine, position = failing("define fate := P1\ndefine fate := last, if last ≠ none\nasked fate when stage = play")
    assert isinstance(engine.step(position, lay(engine, 0, "2s")), Next)
    outcome = engine.step(position, lay(engine, 1, "3s"))
    assert isinstance(outcome, Clash) and outcome.place == "fate"
    assert outcome.clauses == ("T-9#1", "T-9#2")


def ruled(*clauses: str) -> Engine:
    """The game with these clauses, each under a rule of its own: T-9, T-10, …"""
    items = [f"### T-{number} More\n```rule\n{clause}\n```\n" for number, clause in enumerate(clauses, 9)]
    return Engine.of(norms_of(TABLE + "".join(items)))


def test_races_within_a_wave_and_over_a_step() -> None:
    wild = "on lay(_, Card(2, s)): mood := wild"
    engine = ruled(wild, "on lay(_, Card(2, s)): mood := calm")
    position = in_play(engine, {0: ["2s"], 1: ["3s"], 2: ["1s"]})
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Race)
    assert (outcome.place, outcome.clauses) == ("mood", ("T-9#1", "T-10#1"))
    ordered = ruled(wild, "on lay(_, Card(2, s)): mood := calm, after T-9")
    outcome = ordered.step(position, lay(ordered, 0, "2s"))
    assert isinstance(outcome, Next) and value(outcome.position, "mood") == 0, "the later rule has the last word"
    engine = ruled(wild, "as soon as mood = wild: mood := calm")
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Race) and outcome.place == "mood", "two rules overwrite each other in one step"


def test_cards_moved_two_ways_are_a_race() -> None:
    engine, position = failing(
        "on lay(player, Card(2, s)): table → waste\non lay(player, Card(2, s)): table → hand(player)"
    )
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Race) and outcome.place == "table"


def test_waves_without_end_are_a_limit() -> None:
    engine, position = failing(
        """register tick: 0..1
        on lay(_, Card(2, s)): tick := 1
        as soon as tick = 1: tick := 0
        as soon as tick = 0 and last = P1: tick := 1"""
    )
    outcome = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(outcome, Limit) and outcome.what == "waves"


def test_the_state_before() -> None:
    engine, position = failing("on lay(player, _), if before(size(table)) = 1 and size(table) = 2: mood := wild")
    one = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(one, Next) and value(one.position, "mood") == 0
    two = engine.step(one.position, lay(engine, 1, "3s"))
    assert isinstance(two, Next) and value(two.position, "mood") == 1


def test_invariants_of_states_and_steps() -> None:
    engine, position = failing("always size(table) ≤ 1\nalways before(size(hand(P1))) ≤ size(hand(P1)) + 1")
    one = engine.step(position, lay(engine, 0, "2s"))
    assert isinstance(one, Next)
    assert engine.violated(one.position, position) == ()
    two = engine.step(one.position, lay(engine, 1, "3s"))
    assert isinstance(two, Next)
    assert engine.violated(two.position, one.position) == ("T-9#1",)
    full = in_play(engine, {0: ["2s", "1s", "4s"], 1: ["3s"]})
    assert engine.violated(position, full) == ("T-9#2",)
    assert engine.violated(position, None) == (), "nothing was before the start"


def test_terms(engine: Engine) -> None:
    position = in_play(engine, {0: [], 1: ["3s"], 2: []}, [("2s", 0)])
    assert engine.term(position, "living") == 2
    assert engine.term(position, "alive", (0,)) == 1
    assert engine.term(position, "alive", (2,)) == 0
    assert engine.term(position, "turn") == 0
