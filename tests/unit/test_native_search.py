"""Searches and random play over a small hand-written program: CPython and native agree, and the counts are right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svod.engine.backend import Backend, in_python
from svod.engine.layout import Detail, Kind, Layout, SlotInfo, ZonePlace
from svod.engine.program import Program, Role, TermEntry
from svod.engine.search_bench import play_rate, reference_loop, reference_rate
from svod.engine.search_play import Decks, Games
from svod.engine.search_run import Exploration, Limits, Progress, Search, Target
from svod.engine.search_shrink import shortest_play, target_of
from svod.engine.search_source import SearchProgram, search_program
from svod.engine.search_table import FoundKind
from svod.norms import ir
from svod_tools.native import compile_native

CARDS = 6
# Slots: 0 deck, 1–2 hands, 3 spent, 4–5 pile cards, 6–7 their authors, 8 pile length, 9 to move (−1: deal), 10 parity,
# 11 pile mask.
# Acts: 0–5 a card is dealt, 6–11 a card is laid, 12 the pile is taken, 13 an act that is entitled and forbidden.
SOURCE = """

def refresh(S):
    m = 0
    i = 0
    while i < S[8]:
        m |= 1 << S[4 + i]
        i += 1
    S[11] = m
    return 0

def clear_detail(D):
    D[12 + 0] = -1
    D[12 + 1] = 0
    D[12 + 8] = -1
    D[12 + 9] = -1
    D[12 + 10] = 0
    D[12 + SOFT_COUNT] = 0
    return 0

def init(S, D):
    clear_detail(D)
    i = 0
    while i < 12:
        S[i] = 0
        i += 1
    S[0] = 63
    S[9] = -1
    refresh(S)
    return 0

def over(S):
    if S[9] >= 0 and S[8] == 0 and (S[1] == 0 or S[2] == 0):
        return 1
    return 0

def dealt(S):
    n = 0
    m = S[1] | S[2]
    while m != 0:
        m &= m - 1
        n += 1
    return n

def allowed(S, a):
    if S[9] < 0:
        if a < 6 and (S[0] >> a) & 1 != 0:
            return 1
        return 0
    if a < 6 or over(S) != 0:
        return 0
    if a < 12:
        c = a - 6
        if (S[1 + S[9]] >> c) & 1 == 0:
            return 0
        if S[8] == 0:
            return 1
        if c > S[4]:
            return 1
        return 0
    if a == 12:
        if S[8] > 0 and S[4] < 5:
            return 1
        return 0
    return 0

def lawful(S, A):
    n = 0
    a = 0
    while a < 14:
        if allowed(S, a) != 0:
            A[n] = a
            n += 1
        a += 1
    return n

def possible(S, A):
    return lawful(S, A)

def played(S, A):
    return lawful(S, A)

def doable(S, A):
    return lawful(S, A)

def contested(S, A):
    if S[9] >= 0 and S[8] == 1 and S[4] == 4 and over(S) == 0:
        A[0] = 13
        return 1
    return 0

def status(S, a):
    if allowed(S, a) != 0:
        return 1
    return 2

def step(S, a, D):
    clear_detail(D)
    D[12 + 10] = 1
    D[12 + 11] = 2
    if a < 6:
        p = dealt(S) & 1
        S[0] ^= 1 << a
        S[1 + p] |= 1 << a
        if S[0] == 0:
            S[9] = S[2] & 1
    else:
        p = S[9]
        if a < 12:
            c = a - 6
            S[10] = (S[10] + c) & 1
            S[1 + p] ^= 1 << c
            if S[8] == 0:
                S[4] = c
                S[6] = p
                S[8] = 1
                S[9] = 1 - p
                if c == 5 and S[1 + p] == 0:
                    D[12 + 0] = 1
                    D[12 + 1] = 1
                    D[12 + 2] = p
                    D[12 + 8] = 1
                    return 1
            else:
                S[3] |= (1 << c) | (1 << S[4])
                S[4] = 0
                S[6] = 0
                S[8] = 0
        else:
            S[1 + p] |= 1 << S[4]
            S[4] = 0
            S[6] = 0
            S[8] = 0
            S[9] = PASSES
    refresh(S)
    return 0

def why(S, a, R):
    R[0] = ENTITLED
    R[1] = 3
    R[2] = FORBIDDEN
    R[3] = 4
    return 2

def invariants(S, B, R):
    if S[1] == 63 and B[1] != 63:
        R[0] = 5
        return 1
    return 0

def group(a):
    if a < 6:
        return 0
    return a

def actor(S, a):
    if a < 6:
        return -1
    return S[9]

def term_mover(S):
    return S[9]
"""


def _slots() -> tuple[SlotInfo, ...]:
    masks = [SlotInfo(n, 0, 63, Kind.MASK, False) for n in ("deck", "hand1", "hand2", "spent")]
    pile = [SlotInfo(f"card{i}", 0, 5, Kind.CARD, False) for i in range(2)]
    pile += [SlotInfo(f"author{i}", 0, 2, Kind.AUTHOR, False) for i in range(2)]
    rest = [
        SlotInfo("length", 0, 2, Kind.LENGTH, False),
        SlotInfo("mover", -1, 1, Kind.REGISTER, False),
        SlotInfo("parity", 0, 1, Kind.REGISTER, False),
        SlotInfo("pile mask", 0, 63, Kind.PILE_MASK, True),
    ]
    return (*masks, *pile, *rest)


def _program(passes: str) -> Program:
    zones = (
        ZonePlace("deck", None, 6, 0),
        ZonePlace("hand", 0, 6, 1),
        ZonePlace("hand", 1, 6, 2),
        ZonePlace("spent", None, 6, 3),
        ZonePlace("pile", None, 2, 11, 4, 6, 8),
    )
    registers = ((("mover", ()), 9), (("parity", ()), 10))
    layout = Layout(_slots(), zones, registers, (), (), (), (), (), (), 11, 14, (("deal", 0), ("lay", 6), ("take", 12)))
    source = SOURCE.replace("SOFT_COUNT", str(int(Detail.SOFT_COUNT))).replace("PASSES", passes)
    source = source.replace("ENTITLED", str(int(Role.PERMITS))).replace("FORBIDDEN", str(int(Role.FORBIDS)))
    clauses = tuple(f"R-{i}" for i in range(6))
    return Program(source, layout, clauses, ("pile", "R-1"), (TermEntry("who", "term_mover", ()),), (), False)


PROJECTION = ir.Projection("table", ("hand", "pile"), ("who",), "R-9")


def _norms() -> ir.Norms:
    seats = ir.Sort("Seat", ("A", "B"), ring=True, seats=True)
    cards = ir.Sort("Card", tuple("012345"))
    card = ir.Variable("card", "Card")
    deal = ir.Action("deal", (card,), None, (), "", False, ir.Boolean(True), (), False, "R-1")
    entitles = ir.Permission(ir.Head("R-3", "R-3", (), ir.Boolean(True)), "lay", True)
    who = ir.Term("who", (), ir.Member("Seat", optional=True), None, ir.Combination.FIRST, False, "R-9")
    return ir.Norms(
        rulebook="toy", edition="1", parameters=(), sorts=(seats, cards), seats="Seat", card_sort="Card", zones=(),
        registers=(), events=(), terms=(who,), actions=(deal,), clauses=(entitles,), filled="deck",
        projections=(PROJECTION,),
    )  # fmt: skip


def _searched(passes: str, projection: ir.Projection | None = None) -> SearchProgram:
    return search_program(_program(passes), _norms(), projection)


def _backends(searched: SearchProgram) -> list[Backend]:
    fast, _ = compile_native(searched.source, searched.entries)
    return [in_python(searched.source, searched.entries), *([fast] if fast else [])]


def _plain(result: Exploration) -> Exploration:
    found = tuple(replace(f) for f in result.found)
    return replace(result, seconds=0.0, native=False, machine="", found=found)


def _count(searched: SearchProgram, projected: bool) -> tuple[int, int, int, int, int, int]:
    """The same counts by sets and dictionaries, calling the program's functions only."""
    machine = in_python(searched.source, searched.entries)
    call, size, independent = machine.call, searched.layout.size, searched.layout.independent
    a, d = machine.buffer(14), machine.buffer(searched.layout.detail_size)

    def key(state: list[int]) -> tuple[int, ...]:
        if not projected:
            return tuple(state[:independent])
        mover = -9 if call("over", state) else state[9]
        return (state[1], state[2], *state[4:9], mover)

    def steps(state: list[int]) -> list[list[int] | None]:
        after: list[list[int] | None] = []
        for act in [a[i] for i in range(call("lawful", state, a))]:
            copy = list(state)
            after.append(copy if call("step", copy, act, d) == 0 else None)
        return after

    start = [0] * size
    call("init", start, d)
    layer, starts = {tuple(start)}, {}
    while layer:
        following = set()
        for state in layer:
            if state[9] >= 0:
                starts[key(list(state))] = list(state)
            else:
                following |= {tuple(s) for s in steps(list(state)) if s is not None}
        layer = following
    seen, frontier, depth = dict(starts), list(starts.values()), 0
    moves = finished = failed = dead = 0
    while frontier:
        following_states = []
        for state in frontier:
            if call("over", state):
                finished += 1
                continue
            after = steps(state)
            dead += not after and not call("contested", state, a)
            failed += after.count(None)
            for s in after:
                if s is not None:
                    moves += 1
                    if key(s) not in seen:
                        seen[key(s)] = s
                        following_states.append(s)
        frontier = following_states
        depth += bool(frontier)
    return len(starts), len(seen), moves, finished, failed, depth


@pytest.mark.parametrize("projected", [False, True])
def test_counts_are_those_of_sets_and_dictionaries(projected: bool) -> None:
    searched = _searched("1 - p", PROJECTION if projected else None)
    results = [Search(searched, backend).run() for backend in _backends(searched)]
    assert len({_plain(r) for r in results}) == 1
    r = results[0]
    failed = sum(count for _, count in r.failed)
    assert (r.starts, r.states, r.moves, r.finished, failed, r.depth) == _count(searched, projected)
    assert r.stopped is None and r.disagreement is None and r.starts == 20
    assert r.contested > 0 and r.dead_ends > 0
    if projected:
        assert r.coincided >= r.compared >= min(r.coincided, 511)


def test_a_projection_that_leaves_out_what_matters_is_found() -> None:
    searched = _searched("p ^ S[10]", PROJECTION)
    results = [Search(searched, backend).run() for backend in _backends(searched)]
    assert len({r.disagreement for r in results}) == 1
    disagreement = results[0].disagreement
    assert results[0].stopped == "projection" and disagreement is not None
    assert disagreement.slots == ("parity",) and disagreement.act == 12
    assert disagreement.play != disagreement.other_play


def test_plays_lead_to_what_was_found() -> None:
    searched = _searched("1 - p")
    for backend in _backends(searched):
        search = Search(searched, backend)
        result = search.run()
        kinds = {f.kind for f in result.found}
        assert {FoundKind.HOLE, FoundKind.DEAD_END, FoundKind.CONTESTED, FoundKind.INVARIANT} <= kinds
        for found in result.found:
            state, detail = backend.buffer(12), backend.buffer(searched.layout.detail_size)
            assert backend.call("init", state, detail) == 0
            play = search.play(found)
            assert len(play) == 6 + found.length or found.kind is FoundKind.CONTESTED
            codes = []
            for act in play:
                before = backend.call("lawful", state, backend.buffer(14))
                codes.append(backend.call("step", state, act, detail) if act != 13 else before)
            if found.kind is FoundKind.HOLE:
                assert codes[-1] == 1 and not any(codes[:-1])
                assert found.place_name(searched.program) == "R-1" and found.clause_ids(searched.program) == ("R-1",)
            if found.kind is FoundKind.DEAD_END:
                assert backend.call("lawful", state, backend.buffer(14)) == 0 and not any(codes)
            if found.kind is FoundKind.CONTESTED:
                assert found.clause_ids(searched.program) == ("R-3", "R-4")


def test_a_target_stops_the_search_and_limits_say_so() -> None:
    searched = _searched("1 - p")
    for backend in _backends(searched):
        stopped = Search(searched, backend, target=Target(FoundKind.HOLE)).run()
        assert stopped.stopped == "found" and FoundKind.HOLE in {f.kind for f in stopped.found}
        limited = Search(searched, backend).run(Limits(states=10))
        assert limited.stopped == "states"
        early = Search(searched, backend).run(Limits(seconds=0.0))
        assert early.stopped == "time"


def test_a_smaller_deck_and_no_opening() -> None:
    searched = _searched("1 - p")
    assert searched.decks_vary and searched.deck == 63
    results = [Search(searched, backend, deck=0b1011, opening=False).run() for backend in _backends(searched)]
    assert len({_plain(r) for r in results}) == 1
    assert results[0].starts == 1 and results[0].stopped is None
    assert all(f.deck == 0 for f in results[0].found)
    whole = Search(searched, in_python(searched.source, searched.entries)).run()
    assert results[0].states < whole.states


def test_games_are_equal_everywhere() -> None:
    searched = _searched("1 - p")
    seen = []
    for backend in _backends(searched):
        games = Games(searched, backend, seed=7, cap=60)
        games.play(500)
        games.hunt(300, Decks(4, required=0b1, mentioned=0b110))
        games.hunt(100, Decks(0))
        seen.append((games.statistics, games.found, games.fired))
        assert games.statistics.games == 900 == sum(games.statistics.ends.values())
        assert games.statistics.acts > 900 * 6 * 0.5
        for found in games.found:
            game = games.one(found.where, found.deck)
            if found.kind in (FoundKind.HOLE, FoundKind.DEAD_END, FoundKind.CONTESTED_ONLY, FoundKind.LONG):
                assert game.end == found.kind and len(game.acts) == found.length
                assert not game.acts or game.acts[-1] == found.act
            if found.deck:
                assert found.deck.bit_count() == 4 and found.deck & 1
        assert {FoundKind.HOLE, FoundKind.DEAD_END} <= {f.kind for f in games.found}
        assert 2 in games.fired
    assert all(s == seen[0] for s in seen)


def test_chance_is_even() -> None:
    """The first card dealt is each card about equally often."""
    searched = _searched("1 - p")
    games = Games(searched, in_python(searched.source, searched.entries), seed=3)
    first = [0] * CARDS
    for seed in range(1, 1201):
        first[games.one(seed * 7919).acts[0]] += 1
    assert min(first) > 120 and max(first) < 290


def test_the_shortest_play_to_what_a_game_met() -> None:
    searched = _searched("1 - p")
    shortest = []
    for backend in _backends(searched):
        games = Games(searched, backend, seed=11, cap=60)
        games.hunt(200, Decks(5))
        found = next(f for f in games.found if f.kind is FoundKind.HOLE)
        small = shortest_play(searched, backend, target_of(found), found.deck, Limits())
        assert small is not None and small.found.kind is FoundKind.HOLE and len(small.acts) <= found.length
        state, detail = backend.buffer(12), backend.buffer(searched.layout.detail_size)
        assert backend.call("begin", state, detail, small.deck) == 0
        assert [backend.call("step", state, act, detail) for act in small.acts] == [0] * (len(small.acts) - 1) + [1]
        shortest.append((small.acts, small.deck))
    assert len(set(shortest)) == 1


def test_rates_are_measured_on_equal_games() -> None:
    searched = _searched("1 - p")
    rates = [play_rate(searched, backend, games=20, seconds=0.01, cap=60) for backend in _backends(searched)]
    assert len({(r.acts, r.games, r.checksum) for r in rates}) == 1
    assert all(r.acts_per_second > 1000 for r in rates) and reference_rate() > 1000
    assert reference_loop(1000) == reference_loop(1000) != reference_loop(1001)


@pytest.mark.parametrize("projected", [False, True])
def test_arrays_grow_as_needed(projected: bool) -> None:
    searched = _searched("1 - p", PROJECTION if projected else None)
    for backend in _backends(searched):
        narrow = Search(searched, backend, room=16)
        wide = Search(searched, backend)
        assert _plain(narrow.run()) == _plain(wide.run())
        assert [narrow.play(f) for f in narrow.result().found] == [wide.play(f) for f in wide.result().found]


def test_a_search_goes_on_after_a_limit() -> None:
    searched = _searched("1 - p")
    for backend in _backends(searched):
        told: list[Progress] = []
        search = Search(searched, backend)
        first = search.run(Limits(states=10))
        second = search.run(progress=told.append)
        assert first.states < second.states == told[-1].states
        assert replace(_plain(second), stopped=None) == _plain(Search(searched, backend).run())
