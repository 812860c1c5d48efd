"""Breaches in the generated program: who is guilty of what, the frame, and what a restoration brings back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from svod.diagnostics import InternalError
from svod.engine.backend import in_python
from svod.engine.from_norms import Options, program_from_norms
from svod.engine.layout import Kind
from svod.engine.play import Engine
from svod.engine.program import ENTRY_POINTS
from svod.engine.search_source import search_program
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Act, Hole, Laid, Limit, Next, Position, Race, Status
from svod_tools.native import native_compiler

from .engine_rulebooks import TABLE, card, cards_in, norms_of, placed, value

ENTRIES = [name for name, _ in ENTRY_POINTS]
BREACHES = """
### T-7 Speech and payment
```rule
catalogue Article: V, else unnamed
variables article: Article
zone marks(Player): set, outside the frame
register debt(Player): 0..9 = 0, outside the frame
register twos: 0..9 = 0, outside the frame
register said: 0..9 = 0
action accuse(player, other, article): word
action pay(player, card): word
  possible if card in hand(player)
  body: card from hand(player) → marks(player)
action fetch(player, card): word
  possible if card in marks(player)
  body: card from marks(player) → hand(player)
action stow(player): word
  possible if table is not empty
  body: top(table) from table → marks(player)
action admit(player): word
action remark(player): word
```
### T-8 Judging
```rule
on accuse(_, other, article), if breached(other, article): event punished(other, article)
breaches lapse on take(player), if turn = player
on admit(player): breached(player, V-2) := no
on remark(player): said += 1
forbid remark(player), if said > 1
```
### T-9 Restoring
```rule
on punished(_, V-1): restore the position, after V-1
on punished(_, unnamed): restore the position
on punished(_, unnamed): said := 7
as soon as size(table) = 2: twos += 1
```
### V-1 Out of turn
```rule
violation V-1(player) on lay(player, _), if turn ≠ player, under T-2
penalty V-1(player): debt(player) += 1
```
### V-2 Looking on
```rule
violation V-2(last) on take(player), if turn = player and closer = none and size(table) = 1
violation V-2(player, next(player)) on tuck(player, _)
```
### V-3 Taking although one could lay
```rule
violation V-3(player) on take(player), if allowed lay(player, _) and mood = wild
```
"""
GAME = TABLE.replace("action take(player): move", "action take(player): move") + BREACHES.replace(
    "twos = 0..9", "twos: 0..9"
)


@pytest.fixture(scope="module")
def norms() -> ir.Norms:
    return norms_of(GAME)


@pytest.fixture(scope="module")
def engine(norms: ir.Norms) -> Engine:
    return Engine.of(norms)


def in_play(
    engine: Engine, hands: dict[int, list[str]], table: Iterable[tuple[str, int]] = (), **registers: int | None
) -> Position:
    norms = engine.norms
    zones: dict[tuple[str, int | None], list[Laid]] = {
        ("hand", seat): [Laid(c) for c in sorted(card(norms, name) for name in names)] for seat, names in hands.items()
    }
    zones["table", None] = [Laid(card(norms, name), author) for name, author in table]
    return placed(engine, zones, {"stage": 1, "last": 2, **registers})


HANDS = {0: ["2s", "3s"], 1: ["2h", "3h"], 2: ["4s", "4h"]}


def act(engine: Engine, name: str, *arguments: int | str) -> Act:
    sort = engine.norms.sort("Article").values
    numbers = [a if isinstance(a, int) else sort.index(a) if a in sort else card(engine.norms, a) for a in arguments]
    return Act(name, tuple(numbers))


def then(engine: Engine, position: Position, *acts: Act) -> Position:
    for each in acts:
        outcome = engine.step(position, each)
        assert isinstance(outcome, Next), outcome
        position = outcome.position
    return position


def guilty(engine: Engine, position: Position) -> set[tuple[int, str]]:
    names = engine.norms.sort("Article").values
    return {(cell[1][0], names[cell[1][1]]) for cell, v in position.registers if cell[0] == "breached" and v}


# --------------------------------------------------------------------------------------------------- lawfulness


def test_a_violation_forbids_its_actor_and_is_told(engine: Engine) -> None:
    position = in_play(engine, HANDS)
    decision = engine.decide(position, act(engine, "lay", 1, "2h"))
    assert decision.status is Status.UNLAWFUL
    assert decision.forbidden_by == ("V-1#1",)
    assert engine.status(position, act(engine, "lay", 0, "2s")) is Status.LAWFUL


def test_a_violation_of_others_alone_forbids_nothing(engine: Engine) -> None:
    position = in_play(engine, HANDS, [("1s", 2)])
    take = act(engine, "take", 0)
    assert engine.status(position, take) is Status.LAWFUL
    after = then(engine, position, take)
    assert guilty(engine, after) == {(2, "V-2")}


def test_without_a_catalogue_violations_mean_nothing(norms: ir.Norms) -> None:
    bare = Engine.of(replace(norms, catalogue=None))
    position = in_play(bare, HANDS)
    decision = bare.decide(position, act(bare, "lay", 1, "2h"))
    assert (decision.status, decision.forbidden_by) == (Status.UNLAWFUL, ())
    after = then(bare, position, act(bare, "lay", 1, "2h"))
    assert guilty(bare, after) == set() and after.frame is None
    assert bare.layout.frame is None


def test_a_right_against_a_violation_is_contested_and_enters_the_number() -> None:
    right = "### T-10 Right\n```rule\nentitled lay(player, Card(4, h)), if mood = calm\n```\n"
    other = Engine.of(norms_of(GAME + right))
    position = in_play(other, HANDS)
    lay = act(other, "lay", 2, "4h")
    assert other.status(position, lay) is Status.CONTESTED
    assert other.contested(position) == (lay,)
    assert guilty(other, then(other, position, lay)) == {(2, "V-1")}
    excepted = Engine.of(norms_of(GAME + right.replace("calm", "calm, despite V-1")))
    assert excepted.status(position, lay) is Status.LAWFUL
    assert ("V-1#1", "T-10#1") in excepted.decide(position, lay).excepted
    assert guilty(excepted, then(excepted, position, lay)) == set()


def test_what_is_allowed_is_asked_of_the_moment(engine: Engine) -> None:
    """V-3 reads whether a card could be laid lawfully: not when it is another's turn, nor when nothing is left."""
    could = in_play(engine, HANDS, [("1s", 2)], mood=1, closer=1)
    assert engine.decide(could, act(engine, "take", 0)).forbidden_by == ("V-3#1",)
    nothing = in_play(engine, {**HANDS, 0: ["1h"]}, [("1s", 2)], mood=0, closer=1)
    assert engine.status(nothing, act(engine, "take", 0)) is Status.LAWFUL
    only = in_play(engine, {**HANDS, 0: []}, [("1s", 2), ("2s", 0)], mood=1, closer=1)
    assert engine.decide(only, act(engine, "take", 0)).forbidden_by == ()
    assert engine.decide(could, act(engine, "take", 1)).forbidden_by == ()


# ---------------------------------------------------------------------------------------------- record and frame


def test_a_number_is_entered_and_the_frame_is_the_state_before_the_first(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2)])
    one = then(engine, start, act(engine, "lay", 1, "2h"))
    assert guilty(engine, one) == {(1, "V-1")}
    assert one.frame is not None
    assert one.frame.zones == start.zones
    outside = {"breached", "debt", "twos"}
    assert one.frame.registers == tuple((c, v) for c, v in start.registers if c[0] not in outside)
    two = then(engine, one, act(engine, "lay", 0, "2s"))
    assert guilty(engine, two) == {(1, "V-1"), (0, "V-1")} and two.frame == one.frame


def test_positions_with_a_frame_go_there_and_back(engine: Engine) -> None:
    position = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "lay", 1, "2h"))
    state = engine.pack_position(position)
    assert engine.position(state) == position
    assert engine.record_open(state)
    assert engine.record(state) == ((1, engine.norms.sort("Article").values.index("V-1")),)
    kept = [i for i, slot in enumerate(engine.layout.slots) if slot.kind is Kind.FRAME]
    closed = engine.pack_position(in_play(engine, HANDS))
    assert not any(closed[i] for i in kept) and not engine.record_open(closed)


def test_an_unlawful_act_without_a_number_is_other(engine: Engine) -> None:
    position = in_play(engine, HANDS, [("1s", 2)])
    assert guilty(engine, then(engine, position, act(engine, "take", 1))) == {(1, "unnamed")}
    remarks = in_play(engine, HANDS, said=2)
    assert guilty(engine, then(engine, remarks, act(engine, "remark", 0))) == {(0, "unnamed")}


def test_a_contested_act_without_a_number_enters_nothing(engine: Engine) -> None:
    position = in_play(engine, {**HANDS, 0: ["1h", "2s"]}, mood=1)
    lay = act(engine, "lay", 0, "1h")
    assert engine.status(position, lay) is Status.CONTESTED
    assert guilty(engine, then(engine, position, lay)) == set()


def test_one_act_makes_several_guilty_and_a_missing_offender_is_nobody(engine: Engine) -> None:
    after = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "tuck", 2, "4s"))
    assert guilty(engine, after) == {(2, "V-2"), (0, "V-2")}
    nobody = in_play(engine, HANDS, [("1s", 2)], last=None)
    assert guilty(engine, then(engine, nobody, act(engine, "take", 0))) == set()


def test_a_breach_that_a_rule_takes_back_takes_the_frame_along_when_it_is_the_last(engine: Engine) -> None:
    both = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "tuck", 2, "4s"))
    one = then(engine, both, act(engine, "admit", 2))
    assert guilty(engine, one) == {(0, "V-2")} and one.frame == both.frame
    none = then(engine, one, act(engine, "admit", 0))
    assert guilty(engine, none) == set() and none.frame is None
    assert not engine.record_open(engine.pack_position(none))


def test_a_lapse_ends_what_is_open_before_the_act_itself_is_entered(engine: Engine) -> None:
    position = in_play(engine, HANDS, [("1s", 2)], closer=1)
    open_ = then(engine, position, act(engine, "lay", 2, "4s"))  # out of turn; it is P1's turn still
    assert guilty(engine, open_) == {(2, "V-1")}
    clean = then(engine, open_, act(engine, "take", 0))
    assert guilty(engine, clean) == set() and clean.frame is None


def test_a_lapse_and_a_new_breach_make_a_new_frame(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2), ("1h", 1)], closer=None)
    open_ = then(engine, start, act(engine, "stow", 1), act(engine, "lay", 1, "2h"), act(engine, "stow", 1))
    assert guilty(engine, open_) == {(1, "V-1")}
    registers = tuple((c, 2 if c[0] == "last" else v) for c, v in open_.registers)
    before = replace(open_, registers=registers)
    after = then(engine, before, act(engine, "take", 0))
    assert guilty(engine, after) == {(2, "V-2")}
    assert after.frame is not None and after.frame.zones == before.zones


# -------------------------------------------------------------------------------------------------- restoration


def test_restoration_brings_cards_registers_and_authors_back(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2), ("1h", 1)], said=1)
    wrong = then(engine, start, act(engine, "lay", 1, "2h"))
    assert cards_in(wrong, "table") == [] and value(wrong, "last") == 1, "three cards go to the waste"
    outcome = engine.step(wrong, act(engine, "accuse", 0, 1, "V-1"))
    assert isinstance(outcome, Next)
    back = outcome.position
    assert back.zones == start.zones
    framed = {cell: v for cell, v in back.registers if cell[0] not in ("debt", "twos")}
    assert framed == {cell: v for cell, v in start.registers if cell[0] not in ("debt", "twos")}
    assert value(back, "debt", 1) == 1, "what lies outside the frame stays"
    assert back.frame is None and guilty(engine, back) == set()
    assert outcome.fired == ("T-8#1", "V-1#2", "T-9#1")


def test_nothing_rises_by_a_restoration_and_edges_are_read_again(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2), ("1h", 1)])
    wrong = then(engine, start, act(engine, "lay", 1, "2h"))
    back = then(engine, wrong, act(engine, "accuse", 0, 1, "V-1"))
    assert value(back, "twos") == value(start, "twos") == 0, "two cards lie there again, but not because of a move"
    full = then(engine, back, act(engine, "lay", 0, "2s"))
    assert cards_in(full, "table") == [], "three cards: the edge had been noted as fallen"


def test_cards_outside_the_frame_stay_and_join_those_that_return(engine: Engine) -> None:
    start = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "pay", 2, "4h"), act(engine, "pay", 0, "3s"))
    assert start.frame is None
    wrong = then(engine, start, act(engine, "lay", 1, "2h"), act(engine, "pay", 2, "4s"), act(engine, "fetch", 0, "3s"))
    back = then(engine, wrong, act(engine, "accuse", 0, 1, "V-1"))
    assert cards_in(back, "marks", 2) == sorted([card(engine.norms, "4s"), card(engine.norms, "4h")])
    assert cards_in(back, "hand", 2) == []
    assert cards_in(back, "marks", 0) == [card(engine.norms, "3s")], "it returns to where it lay, outside the frame"
    assert set(cards_in(back, "hand", 1)) == {card(engine.norms, "2h"), card(engine.norms, "3h")}


def test_a_pile_that_misses_a_card_is_a_hole_of_the_clause(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2)])
    wrong = then(engine, start, act(engine, "lay", 1, "2h"), act(engine, "stow", 0), act(engine, "stow", 2))
    outcome = engine.step(wrong, act(engine, "accuse", 0, 1, "V-1"))
    assert isinstance(outcome, Hole)
    assert (outcome.place, outcome.rules) == ("T-9#1", ("T-9",))
    assert outcome.fired == ("T-8#1", "V-1#2", "T-9#1")


def test_other_writes_of_the_wave_come_first_and_count_for_nothing_inside_the_frame(engine: Engine) -> None:
    start = in_play(engine, HANDS, [("1s", 2)], said=1)
    wrong = then(engine, start, act(engine, "take", 1))
    back = then(engine, wrong, act(engine, "accuse", 0, 1, "unnamed"))
    assert value(back, "said") == 1
    assert back.zones == start.zones


def test_restoration_without_a_frame_does_nothing(engine: Engine) -> None:
    """A position from outside with an open breach and no frame."""
    start = in_play(engine, HANDS, [("1s", 2)])
    number = engine.norms.sort("Article").values.index("V-1")
    registers = tuple((c, 1 if c == ("breached", (1, number)) else v) for c, v in start.registers)
    open_ = replace(start, registers=registers)
    outcome = engine.step(open_, act(engine, "accuse", 0, 1, "V-1"))
    assert isinstance(outcome, Next) and outcome.position.zones == start.zones
    assert guilty(engine, outcome.position) == {(1, "V-1")} and outcome.position.frame is None
    again = then(engine, outcome.position, act(engine, "lay", 0, "2s"), act(engine, "lay", 0, "3s"))
    assert again.frame is not None, "the next breach has one"
    assert cards_in(again, "hand", 0) == [] and len(dict(again.frame.zones)["hand", 0]) == 1


def test_rules_that_write_after_a_restoration_do_not_quarrel_with_those_before() -> None:
    """What was written before the restoration is undone, so writing it again is no race."""
    quarrel = GAME.replace(
        "on punished(_, unnamed): said := 7",
        "on accuse(_, _, unnamed): said := 5\n```\n### T-11 Later\n```rule\n"
        "event later\non punished(_, unnamed): event later\non later: said := 6",
    )
    engine = Engine.of(norms_of(quarrel))
    wrong = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "take", 1))
    after = then(engine, wrong, act(engine, "accuse", 0, 1, "unnamed"))
    assert value(after, "said") == 6
    racing = Engine.of(norms_of(quarrel.replace("on punished(_, unnamed): restore the position\n", "")))
    assert isinstance(racing.step(wrong, act(racing, "accuse", 0, 1, "unnamed")), Race)


def test_a_set_outside_the_frame_may_lack_room_for_what_returns() -> None:
    small = GAME.replace("zone marks(Player): set, outside", "zone marks(Player): set, at most 1, outside")
    engine = Engine.of(norms_of(small))
    start = then(engine, in_play(engine, HANDS, [("1s", 2)]), act(engine, "pay", 0, "3s"))
    wrong = then(engine, start, act(engine, "lay", 1, "2h"), act(engine, "fetch", 0, "3s"), act(engine, "pay", 0, "2s"))
    outcome = engine.step(wrong, act(engine, "accuse", 0, 1, "V-1"))
    assert isinstance(outcome, Limit) and (outcome.what, outcome.clauses) == ("marks", ("T-9#1",))


# ------------------------------------------------------------------------------------------------ what vanishes


def test_programs_of_lawful_play_know_nothing_of_breaches(norms: ir.Norms) -> None:
    for options in (Options(lawful_only=True), Options(breaches=False), Options(breaches=False, free_switches=True)):
        program = program_from_norms(norms, options)
        assert program.layout.frame is None and not program.careless
        for word in ("keep_frame", "accuse", "restore", "innocent", "RESTORE ="):
            assert f"def {word}" not in program.source
        constants = {name for (name, _), _ in program.layout.constants}
        assert {"breached", "debt", "said"} <= constants
        assert not any(slot.kind is Kind.FRAME for slot in program.layout.slots)
    full = program_from_norms(norms, Options())
    assert full.careless and full.layout.frame is not None and "def keep_frame" in full.source


def test_lawful_play_is_the_same_with_and_without_breaches(norms: ir.Norms) -> None:
    program = program_from_norms(norms, Options(lawful_only=True))
    lawful = Engine(norms, program, in_python(program.source, ENTRIES))
    whole = Engine.of(acts_of_play(norms))
    for seed in range(1, 6):
        assert lawful.playout(seed, 80)[0] == whole.playout(seed, 80)[0]


def test_a_program_of_lawful_play_refuses_positions_with_open_breaches(norms: ir.Norms, engine: Engine) -> None:
    program = program_from_norms(norms, Options(breaches=False))
    lawful = Engine(norms, program, in_python(program.source, ENTRIES))
    position = then(engine, in_play(engine, HANDS), act(engine, "lay", 1, "2h"))
    with pytest.raises(ValueError, match="breach"):
        lawful.pack_position(position)


def test_searches_refuse_programs_with_breaches(norms: ir.Norms) -> None:
    with pytest.raises(InternalError):
        search_program(program_from_norms(norms, Options()), norms)
    assert search_program(program_from_norms(norms, Options(breaches=False)), norms).words > 0


# --------------------------------------------------------------------------------------------------- many plays


def careless(engine: Engine, seed: int, games: int) -> list[tuple[int, int]]:
    """Codes of acts and of steps of random plays in which anything may be done."""
    random, told = Random(seed), []
    state, detail, codes = engine.new_state(), engine.new_detail(), engine.new_codes()
    for _ in range(games):
        code = engine.start(state, detail)
        for _ in range(40):
            if code != 0 or engine.is_over(state):
                break
            count = (engine.list_played, engine.list_doable, engine.list_possible)[random.randrange(3)](state, codes)
            if count:
                chosen = codes[random.randrange(count)]
                code = engine.step_code(state, chosen, detail)
                told.append((chosen, 2 * code + engine.record_open(state)))
    return told


def test_machine_code_does_the_same_in_careless_play(norms: ir.Norms, engine: Engine) -> None:
    compiler, _ = native_compiler()
    if compiler is None:
        pytest.skip("no C compiler")
    fast = Engine.of(norms, compiler=compiler)
    told = careless(engine, 5, 60)
    assert careless(fast, 5, 60) == told
    assert sum(code & 1 for _, code in told) > 100, "breaches are open for a good part of it"


def test_lists_of_acts_of_play(engine: Engine) -> None:
    position = in_play(engine, HANDS, [("1s", 2)])
    state, codes = engine.pack_position(position), engine.new_codes()
    played = [engine.decode(codes[i]) for i in range(engine.list_played(state, codes))]
    silent = {"accuse", "admit", "remark", "say"}
    assert played == [a for a in engine.acts(position) if a.action not in silent]
    doable = [engine.decode(codes[i]) for i in range(engine.list_doable(state, codes))]
    assert doable == [a for a in engine.possible_acts(position) if a.action not in silent]
    assert {a.action for a in engine.acts(position)} >= silent
    assert all(engine.encode(a) in engine.codes_of(a.action) for a in engine.possible_acts(position))
