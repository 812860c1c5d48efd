"""The generated program: its layout, what falls away, and that it is the same in CPython, in C and by definition."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

import pytest

from svod.engine.backend import Backend, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.layout import Kind, StepCode
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.program import ENTRY_POINTS, Program
from svod.engine.search_source import search_program
from svod.engine.to_c import c_from_source
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Next, Status
from svod_tools.native import compile_native

from .engine_rulebooks import TABLE, cards_in, norms_of, value

ENTRIES = [name for name, _ in ENTRY_POINTS]
MODULUS, MULTIPLIER = 2147483647, 48271


@pytest.fixture(scope="module")
def norms() -> ir.Norms:
    return norms_of(TABLE)


@pytest.fixture(scope="module")
def program(norms: ir.Norms) -> Program:
    return program_from_norms(norms, Options())


def play(program: Program, backend: Backend, seed: int, steps: int) -> Iterator[tuple[int, list[int], list[int]]]:
    """Random possible acts, lawful or not: step code, state, codes of the lawful acts."""
    layout = program.layout
    state, detail = backend.buffer(layout.size), backend.buffer(layout.detail_size)
    lawful, possible = backend.buffer(layout.act_count), backend.buffer(layout.act_count)
    lot, code = seed, backend.call("init", state, detail)
    for _ in range(steps):
        count = backend.call("lawful", state, lawful) if code == StepCode.NEXT else 0
        yield code, [state[i] for i in range(layout.size)], [lawful[i] for i in range(count)]
        choices = backend.call("possible", state, possible)
        if code != StepCode.NEXT or choices == 0:
            return
        lot = lot * MULTIPLIER % MODULUS
        act = lawful[lot % count] if count and lot % 4 else possible[lot % choices]
        code = backend.call("step", state, act, detail)


@pytest.mark.parametrize("seed", range(1, 9))
def test_slots_stay_in_range_and_derived_ones_follow(program: Program, seed: int) -> None:
    """What steps maintain is what `refresh` works out afresh: caches, masks of piles, edges, no event left over."""
    backend = in_python(program.source, ENTRIES)
    for code, state, _ in play(program, backend, seed, 80):
        if code != StepCode.NEXT:
            continue
        fresh = list(state)
        for index, slot in enumerate(program.layout.slots):
            assert slot.low <= state[index] <= slot.high, slot.name
            if slot.derived:
                fresh[index] = 0
        backend.call("refresh", fresh)
        assert fresh == state


@pytest.mark.parametrize("seed", range(1, 5))
def test_lists_are_what_the_status_says(program: Program, seed: int) -> None:
    backend = in_python(program.source, ENTRIES)
    room = backend.buffer(program.layout.act_count)
    for code, state, _ in play(program, backend, seed, 60):
        if code != StepCode.NEXT:
            continue
        statuses = [backend.call("status", state, act) for act in range(program.layout.act_count)]
        for entry, wanted in (("lawful", {Status.LAWFUL}), ("contested", {Status.CONTESTED})):
            count = backend.call(entry, state, room)
            assert [room[i] for i in range(count)] == [a for a, s in enumerate(statuses) if s in wanted]
        count = backend.call("possible", state, room)
        assert [room[i] for i in range(count)] == [a for a, s in enumerate(statuses) if s != Status.IMPOSSIBLE]


def test_c_plays_the_same(program: Program) -> None:
    native, missing = compile_native(program.source, ENTRIES)
    if native is None:
        pytest.skip(str(missing))
    python = in_python(program.source, ENTRIES)
    for seed in range(1, 30):
        assert list(play(program, native, seed, 120)) == list(play(program, python, seed, 120))


@pytest.mark.parametrize("free", [False, True])
def test_the_text_is_in_the_subset_and_depends_on_the_norms_alone(norms: ir.Norms, free: bool) -> None:
    options = Options(free_switches=free)
    program = program_from_norms(norms, options)
    assert "svod_lawful" in c_from_source(program.source, ENTRIES)
    assert program_from_norms(norms, options).source == program.source
    names = [f.name for f in ast.parse(program.source).body if isinstance(f, ast.FunctionDef)]
    assert len(names) == len(set(names))
    called = {n.id for n in ast.walk(ast.parse(program.source)) if isinstance(n, ast.Name)}
    assert set(names) <= called | set(ENTRIES) | {t.function for t in program.terms}, "nothing is printed in vain"


def test_rules_are_named_in_the_text(program: Program) -> None:
    for rule in ("T-2#1", "T-3#1", "T-4#1", "T-5#2", "T-6#1"):
        assert rule in program.source


def test_groups_join_what_chance_picks(norms: ir.Norms, program: Program) -> None:
    engine = Engine(norms, program, in_python(program.source, ENTRIES))
    start = engine.initial()
    assert isinstance(start, Next)
    draws = [engine.encode(a) for a in engine.acts(start.position) if a.action == "draw"]
    groups = {engine.backend.call("group", code) for code in draws}
    assert len(draws) == 24
    assert groups == {draws[0]}, "all parameters of an act of chance are picked by chance"
    assert engine.backend.call("actor", engine.pack_position(start.position), draws[0]) == -1
    for code in range(program.layout.act_count):
        assert engine.encode(engine.decode(code)) == code


IDLE = """
### T-8 A house rule
```rule
zone shelf: set
register note: 0..3 = 2
on lay(player, _), if note = 1: mood := wild
forbid take(player), if note = 2 and size(shelf) = 1
variant V: T-8.1
```
### T-8.1 The rule itself
```rule
forbid say(player), if last = player
```
"""
KEEN = (
    IDLE.removesuffix("```\n")
    + """
define keen(player) := yes, if hand(player) is not empty
```
### T-8.2 What a variant says of the state before
```rule
define keen(player) := no, if hand(player) is empty
on lay(player, _), if before(keen(player)): mood := wild
```
"""
)


def test_what_cannot_happen_is_not_printed(norms: ir.Norms) -> None:
    longer = norms_of(TABLE + IDLE)
    folded = program_from_norms(longer, Options())
    assert (("note", ()), 2) in folded.layout.constants
    assert ("shelf", None) in folded.layout.absent
    assert "T-8#1" not in folded.source and "T-8#2" not in folded.source and "T-8.1#1" not in folded.source
    assert len(folded.layout.slots) == len(program_from_norms(norms, Options()).layout.slots)
    whole = program_from_norms(longer, Options(fold=False))
    assert whole.layout.constants == () and whole.layout.absent == ()
    house = program_from_norms(longer, Options(switches=frozenset({"V"})))
    assert "T-8.1#1" in house.source


def test_free_switches_play_like_fixed_ones() -> None:
    norms = norms_of(TABLE + KEEN)
    free = program_from_norms(norms, Options(free_switches=True))
    assert [slot.name for slot in free.layout.slots if slot.kind is Kind.SWITCH] == ["V"]
    backend = in_python(free.source, ENTRIES)
    for switches in (frozenset[str](), frozenset({"V"})):
        loose = Engine(norms, free, backend, switches=switches)
        fixed = Engine.of(norms, switches)
        for seed in range(1, 6):
            acts, outcome = fixed.playout(seed, 60)
            assert loose.playout(seed, 60) == (acts, outcome)
            laid = any(act.action == "lay" for act in acts)
            assert isinstance(outcome, Next) and value(outcome.position, "mood") == int(laid and "V" in switches)


def test_a_folded_program_refuses_positions_that_it_cannot_tell() -> None:
    norms = norms_of(TABLE + IDLE)
    engine, other = Engine.of(norms, fold=True), Engine.of(norms)
    start = other.initial()
    assert isinstance(start, Next)
    registers = tuple((cell, 1 if cell[0] == "note" else value) for cell, value in start.position.registers)
    changed = type(start.position)(start.position.zones, registers, start.position.switches)
    assert other.over(changed) is False
    with pytest.raises(ValueError, match="note"):
        engine.over(changed)


def test_folding_looks_at_what_a_play_can_reach(norms: ir.Norms) -> None:
    """Each of the two is changed only where the other has been; cards come to the attic from the cellar alone."""
    echo = """### T-7 Echo
```rule
register alarm: off | loud = off
register echo: off | loud = off
register quiet: off | loud = off
zone cellar: set
zone attic: set
variables door: Player
term_line
on lay(_, _), if alarm = loud: echo := loud
on lay(_, _), if echo = loud: alarm := loud; cellar → attic
on take(_): quiet := off
as soon as attic is not empty: attic → cellar
as soon as before(alarm = loud and echo = loud): quiet := loud
```
""".replace("term_line\n", "define heard := yes, if alarm = loud\ndefine heard := no, if alarm = off\n")
    longer = norms_of(TABLE + echo)
    folded = program_from_norms(longer, Options())
    assert {name for (name, _), _ in folded.layout.constants} >= {"alarm", "echo", "quiet"}
    assert {zone for zone, _ in folded.layout.absent} >= {"cellar", "attic"}
    assert folded.layout.size == program_from_norms(norms, Options()).layout.size
    engine = Engine(longer, folded, in_python(folded.source, [*ENTRIES, *(t.function for t in folded.terms)]))
    for seed in range(1, 6):
        assert engine.playout(seed, 60) == Engine.of(longer).playout(seed, 60)
    start = engine.initial()
    assert isinstance(start, Next) and engine.term(start.position, "heard") == 0
    reached = norms_of(TABLE + echo.replace("register echo: off | loud = off", "register echo: off | loud = loud"))
    assert not {"alarm", "quiet"} & {name for (name, _), _ in program_from_norms(reached, Options()).layout.constants}


def test_lawful_only_leaves_out_what_nothing_permits(norms: ir.Norms) -> None:
    program = program_from_norms(norms, Options(lawful_only=True))
    assert "step_tuck" not in program.source or "T-2#5" not in program.source
    engine = Engine(norms, program, in_python(program.source, ENTRIES))
    whole = Engine.of(acts_of_play(norms))
    for seed in range(1, 6):
        assert engine.playout(seed, 60) == whole.playout(seed, 60)
        start = engine.initial()
        assert isinstance(start, Next)
        assert all(act.action != "tuck" for act in engine.possible_acts(start.position))


def test_names_of_variables_do_not_matter(norms: ir.Norms) -> None:
    """Variables may be called like what the program uses itself."""
    renamed = TABLE.replace("player", "n").replace("other", "a").replace("parameter ns", "parameter players")
    renamed = renamed.replace("seats Player: ns", "seats Player: players").replace("1..ns", "1..players")
    odd = Engine.of(norms_of(renamed.replace("card", "tried")))
    plain = Engine.of(norms)
    for seed in range(1, 8):
        assert odd.playout(seed, 60)[0] == plain.playout(seed, 60)[0]


def test_a_program_with_searches_begins_with_fewer_cards(norms: ir.Norms) -> None:
    program = program_from_norms(norms, Options(breaches=False))
    searched = search_program(program, norms)
    backend = in_python(searched.source, searched.entries)
    deck = (0, 2, 3, 5, 6, 7)
    start = Engine(replace(norms, deck=deck), program, backend).initial()
    assert isinstance(start, Next)
    assert tuple(cards_in(start.position, "deck")) == deck
    whole = Engine(norms, program, backend).initial()
    assert isinstance(whole, Next)
    assert cards_in(whole.position, "deck") == list(range(8))
