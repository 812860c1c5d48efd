"""A violation added by an amendment, in text alone: evaluators, constraints, judge, examples and coverage know it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from svod.constraints.agreement import Agreement
from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.engine.play import Engine
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import Example, examples_from_book
from svod.norms.trace import Act, Next, Position, Status, StepOutcome
from svod.pipeline import Compilation, compile_texts
from svod.searches.examples import example_findings
from svod.searches.players import engines_for
from svod_tools import cli
from svod_tools.files import load_rulebook

HERE = Path(__file__).parent
SPEC = HERE.parents[1] / "spec" / "shukh"
OVERLAY = HERE / "shukh_sh13.md"
CASE = """
id: added
title: A trump on a spade
deck: 36
players: [A, B, C]
position:
  phase: play
  hands: {A: [8H, 10C], B: [AD, JS], C: [QC, 9H]}
  kon: [{card: 9S, by: A}]
  shukh: {}
  discard: rest
  turn: B
events:
  - {n: 1, by: B, do: play, card: AD}
  - {n: 2, by: C, do: claim, against: B, code: Ш-13}
questions:
  - {q: 1, at: 1, ask: violation}
  - {q: 2, at: 2, ask: payers}
  - {q: 3, at: 2, ask: kon_after}
  - {q: 4, at: 2, ask: next_to_move}
expected: {1: Ш-13, 2: {B: [A, C]}, 3: [9S], 4: C}
rules: [R-3.3, R-8.1, R-8.5]
"""


@cache
def compiled(*, amended: bool) -> Compilation:
    problems = Problems()
    loaded = load_rulebook(str(SPEC), problems, overlays=(str(OVERLAY),) if amended else ())
    assert loaded is not None
    compilation = compile_texts(loaded.chapters, loaded.overlays, problems)
    assert compilation is not None and not problems.has_errors
    return compilation


@cache
def norms(*, amended: bool) -> ir.Norms:
    problems = Problems()
    made = compiled(amended=amended).norms({"игроков": 3, "колода": 36}, problems)
    assert made is not None and not problems.has_errors
    return made


def example() -> Example:
    problems = Problems()
    found = [each for each in examples_from_book(compiled(amended=True).book, problems) if each.rule == "Ш-13"]
    assert not problems.has_errors
    return found[0]


def position() -> Position:
    given = example().position
    assert given is not None
    return given


def act(action: str, *names: str) -> Act:
    """An act by the names of its arguments, in the amended rulebook."""
    made = norms(amended=True)
    declared = next(each for each in made.actions if each.name == action)
    places = zip(declared.parameters, names, strict=True)
    return Act(action, tuple(made.sort(place.sort).values.index(name) for place, name in places))


def open_breaches(outcome: StepOutcome, made: ir.Norms) -> list[str]:
    assert isinstance(outcome, Next) and made.catalogue is not None
    numbers = made.sort(made.catalogue.sort).values
    registers = outcome.position.registers
    return [numbers[i[1]] for (name, i), value in registers if name == made.catalogue.record and value]


def test_catalogue_has_it_before_the_rest() -> None:
    made = norms(amended=True)
    assert made.catalogue is not None
    assert made.sort(made.catalogue.sort).values[-2:] == ("Ш-13", "иное")


@pytest.mark.parametrize("kind", ["engine", "naive"])
def test_evaluators_enter_it_and_let_it_be_claimed(kind: str) -> None:
    made = norms(amended=True)
    player = Engine.of(made) if kind == "engine" else Naive(made)
    breach = act("побить", "П2", "Т♦")
    decision = player.decide(position(), breach)
    assert decision.status is Status.UNLAWFUL and "Ш-13#1" in decision.forbidden_by
    outcome = player.step(position(), breach)
    assert open_breaches(outcome, norms(amended=True)) == ["Ш-13"]
    assert isinstance(outcome, Next)
    assert player.status(outcome.position, act("предъявить", "П3", "П2", "Ш-13")) is Status.LAWFUL
    assert player.status(outcome.position, act("предъявить", "П3", "П2", "Ш-7")) is Status.UNLAWFUL


def test_without_the_amendment_the_act_has_no_number() -> None:
    made = norms(amended=False)
    assert made.catalogue is not None and "Ш-13" not in made.sort(made.catalogue.sort).values
    examples = examples_from_book(compiled(amended=False).book, Problems())
    same = next(each.position for each in examples if each.title == "Бой не по правилам" and each.rule == "R-1.4")
    assert same is not None
    outcome = Naive(made).step(same, act("побить", "П2", "Т♦"))
    assert open_breaches(outcome, made) == ["иное"]


def test_constraints_enter_it() -> None:
    constraints = Agreement(norms(amended=True))
    breach = act("побить", "П2", "Т♦")
    assert constraints.statuses(position())[breach] is Status.UNLAWFUL
    outcome = Engine.of(norms(amended=True)).step(position(), breach)
    assert open_breaches(outcome, norms(amended=True)) == ["Ш-13"]
    assert constraints.disagreement(position(), breach, outcome) is None


def test_its_example_holds_and_covers_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(example_findings((example(),), engines_for(in_python), Scope("", ""))) == []
    assert cli.run(["coverage", str(SPEC), "--with", str(OVERLAY), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    item = next(each for each in data["items"] if each["number"] == "Ш-13")
    assert item["kind"] == "formal" and item["clauses"] == item["exercised"] == 2


def test_judge_finds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = tmp_path / "case.yaml"
    case.write_text(CASE, encoding="utf-8")
    code = cli.run(["judge", str(SPEC), str(case), "--with", str(OVERLAY)])
    shown = capsys.readouterr().out
    assert code == 0, shown
    assert "1 из 1" in shown and "Ш-13" in shown
