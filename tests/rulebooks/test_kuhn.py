"""The small poker that ships, held against the numbers of the literature (tests/cases/core-scope.md)."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.engine.play import Engine
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import examples_from_book
from svod.norms.trace import Next, Position, StepOutcome
from svod.pipeline import Compilation, compile_texts
from svod.searches.examples import example_findings
from svod.searches.histories import histories
from svod.searches.players import engines_for
from svod_tools import cli
from svod_tools.files import load_rulebook

SPEC = Path(__file__).resolve().parents[2] / "spec" / "kuhn"


@pytest.fixture(scope="module")
def compilation() -> Compilation:
    problems = Problems()
    loaded = load_rulebook(str(SPEC), problems)
    assert loaded is not None
    found = compile_texts(loaded.chapters, loaded.overlays, problems)
    assert found is not None and not problems.has_errors
    return found


@pytest.fixture(scope="module")
def norms(compilation: Compilation) -> ir.Norms:
    problems = Problems()
    found = compilation.norms({"players": 2}, problems)
    assert found is not None and not problems.has_errors
    return found


@pytest.mark.parametrize("player", [Engine.of, Naive], ids=["engine", "naive"])
def test_the_whole_tree(norms: ir.Norms, player: type[Naive]) -> None:
    found = histories(norms, player(norms))
    assert found.histories == 1 + 3 + 6 * 9 == 58 and found.finished == 6 * 5 == 30 and found.exhausted
    assert found.deals == 6 and found.chance == 1 + 3 and found.decisions == 6 * 4 and found.depth == 5
    assert found.dead_ends == found.failed == found.uneven == 0
    assert found.information_sets == (6, 6)
    (payoff,) = found.expected
    assert payoff.term == "payoff" and payoff.values == (Fraction(1, 8), Fraction(-1, 8))


def test_engine_and_naive_evaluator_agree_everywhere(norms: ir.Norms) -> None:
    engine, naive = Engine.of(norms), Naive(norms)
    nodes = ends = 0
    waiting = [same(engine.initial(), naive.initial())]
    while waiting:
        position = waiting.pop()
        nodes += 1
        over = engine.over(position)
        ends += over
        assert over == naive.over(position)
        acts = engine.acts(position)
        assert acts == naive.acts(position) and engine.contested(position) == naive.contested(position) == ()
        possible = engine.possible_acts(position)
        assert possible == naive.possible_acts(position)
        for act in possible:
            assert engine.decide(position, act) == naive.decide(position, act)
        for term in norms.terms:
            for arguments in naive.tuples(term.parameters):
                assert engine.term(position, term.name, arguments) == naive.term(position, term.name, arguments)
        waiting += [same(engine.step(position, act), naive.step(position, act)) for act in acts]
    assert (nodes, ends) == (58, 30)


def same(one: StepOutcome, two: StepOutcome) -> Position:
    assert isinstance(one, Next) and one == two
    return one.position


def test_payoffs_sum_to_nothing(norms: ir.Norms) -> None:
    naive = Naive(norms)
    outcome = naive.initial()
    assert isinstance(outcome, Next)
    waiting, seen = [outcome.position], set()
    while waiting:
        position = waiting.pop()
        if naive.over(position):
            first, second = (naive.term(position, "payoff", (seat,)) for seat in (0, 1))
            assert isinstance(first, int) and isinstance(second, int) and first + second == 0
            seen.add(first)
        for act in naive.acts(position):
            following = naive.step(position, act)
            assert isinstance(following, Next)
            waiting.append(following.position)
    assert seen == {-2, -1, 1, 2}


def test_examples_hold(compilation: Compilation) -> None:
    problems = Problems()
    examples = examples_from_book(compilation.book, problems)
    assert not problems.has_errors and len(examples) == 3
    found = example_findings(examples, engines_for(in_python), Scope("", ""))
    assert [(finding.title.en, finding.verdict.en) for finding in found] == []


def test_the_command_tells_it_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["explore", str(SPEC), "--histories", "--interpreter", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    wanted = {"histories": 58, "finished": 30, "deals": 6, "information_sets": 12, "exhausted": True, "depth": 5}
    assert {key: data[key] for key in wanted} == wanted
    assert data["expected"] == {"payoff": {"P1": "1/8", "P2": "-1/8"}}
    assert cli.run(["explore", str(SPEC), "--histories", "--interpreter"]) == 0
    russian = capsys.readouterr().out
    assert "информационных множеств  12 (P1: 6, P2: 6)" in russian and "P1: 1/8, P2: −1/8" in russian
    assert cli.run(["explore", str(SPEC), "--histories", "--interpreter", "--lang", "en"]) == 0
    assert "information sets  12 (P1: 6, P2: 6)" in capsys.readouterr().out
    assert cli.run(["explore", str(SPEC), "--histories", "--project", "x"]) == 2
