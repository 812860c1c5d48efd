"""Searches over generated programs: counts known from outside, and the naive evaluator, which shares nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import Backend, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.search_bench import play_rate
from svod.engine.search_play import Decks, Games
from svod.engine.search_run import Search
from svod.engine.search_source import SearchProgram, search_program
from svod.engine.search_table import FoundKind
from svod.naive.evaluator import Naive
from svod.naive.exploring import CAPPED, DEAD_END, OVER, explore, playout
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.pipeline import compile_texts
from svod.source import Source
from svod_tools.files import load_rulebook
from svod_tools.native import compile_native

ROOT = Path(__file__).resolve().parents[2]
D8 = "6♥ 7♥ Д♥ 9♦ К♦ 7♠ К♠ 7♣".split()
D10 = [*D8, "К♥", "К♣"]


def _norms(
    name: str, edition: int | None = None, overlay: str = "", cards: list[str] | None = None, **parameters: int
) -> ir.Norms:
    problems = Problems()
    loaded = load_rulebook(str(ROOT / "spec" / name), problems, edition=edition)
    assert loaded is not None
    path = ROOT / overlay
    overlays = [*loaded.overlays, *([Source(path.name, path.read_text(encoding="utf-8"))] if overlay else [])]
    compilation = compile_texts(loaded.chapters, overlays, problems)
    assert compilation is not None, [p.message.en for p in problems]
    norms = compilation.norms(parameters, problems, cards)
    assert norms is not None, [p.message.en for p in problems]
    return norms


def _searched(norms: ir.Norms, projection: str | None = None) -> SearchProgram:
    chosen = next((p for p in norms.projections if p.name == projection), None)
    assert projection is None or chosen is not None
    return search_program(program_from_norms(norms, Options(breaches=False)), norms, chosen)


def _backends(searched: SearchProgram) -> list[Backend]:
    fast, _ = compile_native(searched.source, searched.entries)
    return [in_python(searched.source, searched.entries), *([fast] if fast else [])]


def test_the_whole_tree_of_a_small_game() -> None:
    norms = _norms("kuhn", players=2)
    searched = _searched(norms)
    counts = explore(Naive(norms))
    assert counts is not None
    for backend in _backends(searched):
        whole = Search(searched, backend, opening=False).run()
        assert (whole.starts, whole.states, whole.finished) == (1, 58, 30)
        deals = Search(searched, backend).run()
        assert (deals.starts, deals.states, deals.moves) == (6, 54, 48) == (counts.initial, counts.states, counts.moves)
        assert (deals.finished, deals.depth) == (counts.finished, counts.depth)


@pytest.mark.parametrize(
    ("cards", "players", "counts"),
    [
        (D8, 2, (70, 12379, 23998, 56, 175, 11)),
        (D8, 3, (560, 191416, 329088, 756, 415, 34)),
        (D10, 2, (252, 135421, 292708, 224, 703, 13)),
    ],
)
def test_counts_known_from_outside(cards: list[str], players: int, counts: tuple[int, ...]) -> None:
    norms = _norms("shukh", 2, "tests/rulebooks/shukh_core.md", cards, колода=36, игроков=players)
    searched = _searched(norms, "core")
    backends = _backends(searched)
    if len(cards) * players > 16 and not backends[-1].native:
        pytest.skip("too slow without a C compiler")
    r = Search(searched, backends[-1]).run()
    assert (r.starts, r.states, r.moves, r.dead_ends, r.finished, r.depth) == counts
    assert r.stopped is None and r.disagreement is None and r.compared > 500
    assert not any(count for _, count in r.failed)


@pytest.mark.parametrize(
    ("name", "edition", "parameters"), [("kuhn", None, {"players": 2}), ("shukh", 2, {"колода": 36, "игроков": 3})]
)
def test_the_same_seed_is_the_same_game_everywhere(name: str, edition: int | None, parameters: dict[str, int]) -> None:
    norms = _norms(name, edition, **parameters)
    searched = _searched(norms)
    naive = Naive(acts_of_play(norms))
    ends = {OVER: FoundKind.OVER, CAPPED: FoundKind.LONG, DEAD_END: FoundKind.DEAD_END}
    offsets = dict(searched.layout.action_offsets)
    for backend in _backends(searched):
        games = Games(searched, backend, cap=60)
        for seed, cap in ((1, 60), (2147483646, 25)):
            game = games.one(seed, cap=cap)
            played = playout(naive, seed, cap)
            assert game.end is ends[played.end]
            assert [_action(offsets, code) for code in game.acts] == [act.action for act in played.acts]


def _action(offsets: dict[str, int], code: int) -> str:
    return max((offset, -place, name) for place, (name, offset) in enumerate(offsets.items()) if offset <= code)[2]


def test_a_hunt_is_equal_natively() -> None:
    norms = _norms("shukh", колода=36, игроков=2)
    searched = _searched(norms)
    assert searched.decks_vary and searched.deck.bit_count() == 36
    seen = []
    for backend in _backends(searched):
        games = Games(searched, backend, seed=5, cap=300)
        for size in (3, 6):
            games.hunt(20, Decks(size))
        games.hunt(1, Decks(0))
        seen.append((games.statistics, games.found, games.fired))
    assert all(s == seen[0] for s in seen)
    assert seen[0][0].games == 41 and seen[0][1] and seen[0][2]


def test_rates_are_of_the_same_games() -> None:
    searched = _searched(_norms("kuhn", players=2))
    rates = [play_rate(searched, backend, games=50, seconds=0.01) for backend in _backends(searched)]
    assert len({(r.acts, r.games, r.checksum) for r in rates}) == 1
