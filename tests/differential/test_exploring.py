"""The searches of the engine and the plain sets of the naive evaluator count the same positions, moves and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from svod.engine.backend import in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.search_run import Search
from svod.engine.search_source import search_program
from svod.naive.evaluator import Naive
from svod.naive.exploring import Counts, explore
from svod.norms import ir
from svod.norms.play_acts import acts_of_play

from .breach_samples import breach_game
from .generate import random_norms
from .generate_breaches import random_breach_norms
from .rulebooks import rulebook
from .samples import small_game


def searched(norms: ir.Norms, projection: ir.Projection | None = None) -> Counts:
    program = search_program(program_from_norms(norms, Options(lawful_only=True)), norms, projection)
    found = Search(program, in_python(program.source, program.entries)).run()
    assert found.stopped is None
    failed = sum(count for _, count in found.failed)
    return Counts(
        found.starts, found.states, found.moves, found.dead_ends, found.finished, found.depth, failed, found.contested
    )


def silent(norms: ir.Norms) -> ir.Norms:
    """The norms without speech, which is always lawful and would keep play from ever being stuck."""
    clauses = tuple(
        clause
        for clause in norms.clauses
        if not (isinstance(clause, ir.Permission | ir.Prohibition | ir.Duty) and clause.action == "say")
        and not (isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnAct) and clause.cause.action == "say")
    )
    return replace(norms, actions=tuple(a for a in norms.actions if a.name != "say"), clauses=closed(clauses))


def closed(clauses: Sequence[ir.Clause]) -> tuple[ir.Clause, ...]:
    """The clauses without exceptions by clauses that are gone."""
    kept = {clause.head.id for clause in clauses}
    return tuple(
        replace(c, head=replace(c.head, exceptions=tuple(e for e in c.head.exceptions if e.by in kept)))
        for c in clauses
    )


def bounded(norms: ir.Norms, acts: int) -> ir.Norms:
    """The norms with an end once so many cards were laid or taken: what is counted without bound stays finite."""
    player = ir.Variable("p", "Player")
    total = ir.Sum(player, ir.Boolean(True), ir.ReadRegister("laid", (player,)))
    guard = ir.Compare(ir.Relation.GREATER_EQUAL, total, ir.Number(acts))
    return replace(norms, clauses=(*norms.clauses, ir.Ending(ir.Head("S-1#1", "S-1", (), guard))))


def test_a_rulebook_whose_plays_are_known() -> None:
    """58 histories: the root, 3 after the first card, 54 from the deals on, of which 30 are finished."""
    norms = rulebook("kuhn", "", {})
    expected = Counts(6, 54, 48, 0, 30, 3, 0, 0)
    assert explore(Naive(norms)) == expected
    assert searched(norms) == expected


# Everything that matters: what is left out (places, a flag that only speech reads) decides nothing.
VIEW = ir.Projection(
    "view",
    ("stock", "hand", "table", "closed", "gone"),
    ("stage", "closer", "last", "laid", "out"),
    "R",
)


@pytest.mark.parametrize("view", [None, VIEW], ids=["whole", "projected"])
def test_sample_game(view: ir.Projection | None) -> None:
    norms = bounded(silent(small_game(2, 2)), 8)
    mine = explore(Naive(norms), view, most=4000)
    assert mine is not None
    assert mine.states > 50
    assert mine.finished > 0
    assert mine == searched(norms, view)


def of_the_actor(norms: ir.Norms) -> ir.Norms:
    """The norms in which nobody becomes guilty by what another does lawfully, and chance makes nobody guilty: lawful
    play is searched without the record."""
    actors = {a.name: a.parameters[a.actor] for a in norms.actions if a.actor is not None}
    kept = [c for c in norms.clauses if not isinstance(c, ir.Violation) or actors.get(c.action) in c.offenders]
    return replace(norms, clauses=closed(kept))


def test_sample_game_with_breaches() -> None:
    """Lawful play knows no breach, but what violations forbid is forbidden, and speech is kept out."""
    norms = bounded(of_the_actor(breach_game(2, 2)), 8)
    mine = explore(Naive(acts_of_play(norms)), most=4000)
    assert mine is not None
    assert mine.states > 50
    assert mine.finished > 0
    assert mine.contested > 0
    assert mine == searched(norms)
    free = bounded(of_the_actor(replace(breach_game(2, 2), catalogue=None)), 8)
    assert mine != explore(Naive(acts_of_play(free)), most=4000), "without a catalogue violations forbid nothing"


@pytest.mark.parametrize("seed", range(4))
def test_random_norms_with_breaches(seed: int) -> None:
    norms = bounded(of_the_actor(random_breach_norms(Random(seed), seats=2, triggers=2)), 4)
    mine = explore(Naive(acts_of_play(norms)), most=250)
    if mine is not None:
        assert mine == searched(norms)


@pytest.mark.parametrize("seed", range(6))
def test_random_norms(seed: int) -> None:
    norms = bounded(silent(random_norms(Random(seed), seats=2, triggers=3)), 4)
    mine = explore(Naive(norms), most=250)
    if mine is not None:  # else too many states for a quick look
        assert mine == searched(norms)
