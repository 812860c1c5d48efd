"""The state space of a small scope, counted in three ways, against the numbers of tests/cases/core-scope.md."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.search_run import Exploration, Search
from svod.engine.search_source import search_program
from svod.naive.evaluator import Naive
from svod.naive.exploring import explore
from svod.norms import ir
from svod.norms.trace import Position
from svod.pipeline import compile_texts
from svod_tools import cli
from svod_tools.compilers import Compilers
from svod_tools.files import load_rulebook

HERE = Path(__file__).parent
SPEC = HERE.parents[1] / "spec" / "shukh"
CORE = HERE / "shukh_core.md"
D8 = "6♥ 7♥ Д♥ 9♦ К♦ 7♠ К♠ 7♣"
D10 = D8 + " К♥ К♣"
# scope: deals, states, moves, dead ends, over, depth
KNOWN = {
    (D8, 2): (70, 12_379, 23_998, 56, 175, 11),
    (D8, 3): (560, 191_416, 329_088, 756, 415, 34),
    (D10, 2): (252, 135_421, 292_708, 224, 703, 13),
}


@cache
def scope(cards: str, players: int) -> tuple[ir.Norms, ir.Projection]:
    problems = Problems()
    loaded = load_rulebook(str(SPEC), problems, edition=2, overlays=(str(CORE),))
    assert loaded is not None
    compilation = compile_texts(loaded.chapters, loaded.overlays, problems)
    assert compilation is not None and not problems.has_errors
    norms = compilation.norms({"игроков": players, "колода": 36}, problems, cards.split())
    assert norms is not None and not problems.has_errors
    return norms, next(projection for projection in norms.projections if projection.name == "core")


def counts(found: Exploration) -> tuple[int, ...]:
    assert found.stopped is None and found.disagreement is None and not found.contested and not found.violations
    assert not any(count for _, count in found.failed)
    return found.starts, found.states, found.moves, found.dead_ends, found.finished, found.depth


def ends_without_cards(search: Search, norms: ir.Norms) -> int:
    """In how many of the states that are over nobody has a card left: none in a hand, none in the kon."""
    engine = Engine(norms, search.searched.program, search.backend)
    counted = [zone.length if zone.pile else zone.mask for zone in engine.layout.zones if zone.zone in ("рука", "кон")]
    assert len(counted) == norms.player_count + 1
    states = (search.state(row) for row in range(search.result().states))
    return sum(engine.over(engine.position(state)) for state in states if not any(state[slot] for slot in counted))


@pytest.mark.parametrize(("cards", "players"), KNOWN, ids=["D8-2", "D8-3", "D10-2"])
def test_known_counts(cards: str, players: int) -> None:
    """Native code where there is a compiler."""
    norms, projection = scope(cards, players)
    program = program_from_norms(norms, Options(breaches=False))
    searched = search_program(program, norms, projection)
    search = Search(searched, Compilers()(searched.source, searched.entries))
    found = search.run()
    assert counts(found) == KNOWN[cards, players]
    assert found.coincided > 0 and found.compared > 0
    assert ends_without_cards(search, norms) == 1


def test_known_counts_in_cpython() -> None:
    norms, projection = scope(D8, 2)
    searched = search_program(program_from_norms(norms, Options(breaches=False)), norms, projection)
    search = Search(searched, in_python(searched.source, searched.entries))
    assert counts(search.run()) == KNOWN[D8, 2]
    assert ends_without_cards(search, norms) == 1


def test_known_counts_by_the_naive_evaluator() -> None:
    norms, projection = scope(D8, 2)
    over: list[Position] = []
    found = explore(Naive(norms), projection, ended=over.append)
    assert found is not None and (found.failed, found.contested) == (0, 0)
    measured = (found.initial, found.states, found.moves, found.dead_ends, found.finished, found.depth)
    assert measured == KNOWN[D8, 2] and len(over) == found.finished
    bare = [p for p in over if not any(cards for (zone, _), cards in p.zones if zone in ("рука", "кон"))]
    assert len(bare) == 1


def test_a_projection_that_forgets_whose_turn_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Positions that go on differently must not be taken for one: exit code 3, and what tells them apart is named."""
    text = CORE.read_text(encoding="utf-8")
    assert text.count("проекция core: рука, кон, ходит") == 1
    overlay = tmp_path / "forgetful.md"
    overlay.write_text(text.replace("проекция core: рука, кон, ходит", "проекция core: рука, кон"), encoding="utf-8")
    arguments = ["explore", str(SPEC), "--edition", "2", "--with", str(overlay), "--cards", D8, "--players", "2"]
    code = cli.run([*arguments, "--deck", "36", "--project", "core", "--interpreter", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert code == 3 and data["stopped"] == "projection" and not data["exhausted"]
    assert data["disagreement"] and all(isinstance(slot, str) and slot for slot in data["disagreement"])
    code = cli.run([*arguments, "--deck", "36", "--project", "core", "--interpreter"])
    assert code == 3 and "внутреннее разногласие" in capsys.readouterr().out
