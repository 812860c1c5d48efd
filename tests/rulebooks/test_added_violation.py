"""A violation added to the rulebook's text alone is known everywhere: to engine, naive evaluator and constraints, to
the record, to the people who claim and are punished, to the check, to coverage and to the judge.

Edition 1 has no number for an illegal beat. Here an amendment adds one, Ш-13, and nothing else is changed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from svod.constraints.agreement import Agreement
from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import examples_from_book
from svod.norms.positions import position_from_json, position_to_json
from svod.norms.record import recorded
from svod.norms.trace import Act, Next, Position, Status
from svod.pipeline import default_switches
from svod.searches.coverage import coverage, parts_of
from svod.searches.hunting import Effort
from svod.searches.survey import survey
from svod.searches.tables import Table
from svod.searches.uncovered import uncovered
from svod.searches.world import World
from svod_tools import cli
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

SPEC = Path(__file__).resolve().parents[2] / "spec" / "shukh"
ADDED = """---
поправка: опыт
к: Шух
язык: ru
---

### Добавить Ш-13 Побил не по правилам

В свою очередь игрок положил карту, которой эту не бьют.

```правило
нарушение Ш-13(игрок) при побить(игрок, карта), если ходит = игрок и не можно побить(игрок, карта), по R-3.1
штраф Ш-13(игрок): пропуск(игрок) += 1, после R-8.5
```

```пример Бой не по правилам теперь назван
дано колода = 36; игроков = 3; этап = игра; партия = начата
дано рука(П1) = 8♥ 10♣; рука(П2) = Т♦ В♠; рука(П3) = Д♣ 9♥
дано кон = 9♠ от П1; ходил = П1; вид_хода = заход; остальное в отбой
действие побить(П2, Т♦)
тогда нарушил(П2, Ш-13); не нарушил(П2, иное); законно предъявить(П3, П2, Ш-13)
действие предъявить(П3, П2, Ш-13); признать(П2)
тогда Т♦ в рука(П2); долг(П1, П2) = 1; пропуск(П2) = 1; спокойно
```
"""
PLACES = {
    "рука": {"П1": ["8♥", "10♣"], "П2": ["Т♦", "В♠"], "П3": ["Д♣", "9♥"]},
    "кон": [{"card": "9♠", "by": "П1"}],
}


@pytest.fixture(scope="module")
def overlay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "added.md"
    path.write_text(ADDED, encoding="utf-8")
    return path


@cache
def bench(overlay: Path | None) -> Workbench:
    opened = open_workbench(Choice(str(SPEC), "ru", overlays=() if overlay is None else (str(overlay),), players=(3,)))
    assert isinstance(opened, Workbench)
    return opened


def norms_of(overlay: Path | None) -> ir.Norms:
    problems = Problems()
    norms = bench(overlay).norms(problems)
    assert norms is not None and not problems.has_errors
    return norms


def position(norms: ir.Norms) -> Position:
    """The second player has to beat 9♠ and holds A♦ and J♠."""
    lying = {card if isinstance(card, str) else card["card"] for cards in (PLACES["кон"],) for card in cards}
    lying |= {card for cards in PLACES["рука"].values() for card in cards}  # type: ignore[union-attr]
    rest = [card for card in norms.sort(norms.card_sort).values if card not in lying]
    start = Naive(norms).initial()
    assert isinstance(start, Next)
    registers = {register.name: _initial(norms, register, start.position) for register in norms.registers}
    registers |= {"этап": "игра", "партия": "начата", "ходил": "П1", "вид_хода": "заход"}
    problems = Problems()
    data = {"zones": {**PLACES, "отбой": rest}, "registers": registers, "switches": sorted(default_switches(norms))}
    found = position_from_json(norms, data, problems)
    assert found is not None, [problem.message.en for problem in problems]
    return found


def _initial(norms: ir.Norms, register: ir.Register, start: Position) -> object:
    registers = position_to_json(norms, start)["registers"]
    assert isinstance(registers, dict)
    return registers[register.name]


def act(norms: ir.Norms, name: str, *words: str) -> Act:
    action = next(action for action in norms.actions if action.name == name)
    values = zip(action.parameters, words, strict=True)
    return Act(name, tuple(norms.sort(variable.sort).values.index(word) for variable, word in values))


def numbers(norms: ir.Norms, found: Position) -> set[str]:
    assert norms.catalogue is not None
    names = norms.sort(norms.catalogue.sort).values
    return {f"{names[number]} {seat}" for seat, number in recorded(norms, found)}


def test_without_it_the_breach_has_no_number() -> None:
    norms = norms_of(None)
    outcome = Naive(norms).step(position(norms), act(norms, "побить", "П2", "Т♦"))
    assert isinstance(outcome, Next) and numbers(norms, outcome.position) == {"иное 1"}


def test_all_three_enter_it_and_agree_on_what_follows(overlay: Path) -> None:
    norms = norms_of(overlay)
    engine, naive, constraints = Engine.of(norms, compiler=in_python), Naive(norms), Agreement(norms)
    here = position(norms)
    play = [
        act(norms, "побить", "П2", "Т♦"),
        act(norms, "предъявить", "П3", "П2", "Ш-13"),
        act(norms, "признать", "П2"),
    ]
    assert naive.status(here, act(norms, "побить", "П2", "В♠")) is Status.LAWFUL
    for number, each in enumerate(play):
        status = naive.status(here, each)
        assert status is engine.status(here, each) is constraints.statuses(here)[each]
        assert status is (Status.LAWFUL if number else Status.UNLAWFUL)
        outcome = naive.step(here, each)
        assert isinstance(outcome, Next) and outcome == engine.step(here, each)
        assert constraints.disagreement(here, each, outcome) is None
        here = outcome.position
        assert numbers(norms, here) == (set() if number == 2 else {"Ш-13 1"})
        assert (here.frame is None) == (number == 2)
    assert dict(here.registers)["пропуск", (1,)] == 1


def test_check_lists_it_no_longer(overlay: Path) -> None:
    found = {}
    for path in (None, overlay):
        norms = norms_of(path)
        effort = Effort(surveyed=250)
        table = Table(World(norms, in_python), in_python)
        seen = survey(table, default_switches(norms), effort, lambda: None)
        found[path] = {stop.rules for stop, _, each in uncovered(seen) if each.action == "побить"}
    assert found[None] and not found[overlay]


def test_coverage_knows_it(overlay: Path) -> None:
    book, problems = bench(overlay).compilation.book, Problems()
    examples = examples_from_book(book, problems)
    norms = norms_of(overlay)
    several = {example.parameters: example.norms for example in examples}
    items = {item.number: item for item in coverage(book, (norms, *several.values()), tuple(parts_of(examples)))}
    assert "Ш-13" in items and not items["Ш-13"].bare


def test_judge_rules_by_it(overlay: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {
        "id": "E-901",
        "title": "An illegal beat that has a number now",
        "tags": ["beating"],
        "deck": 36,
        "variants": [],
        "players": ["A", "B", "C"],
        "position": {
            "phase": "play",
            "exited": [],
            "hands": {"A": ["8H", "10C"], "B": ["AD", "JS"], "C": ["QC", "9H"]},
            "kon": [{"card": "9S", "by": "A"}],
            "shukh": {},
            "discard": "rest",
            "turn": "B",
        },
        "events": [{"n": 1, "by": "B", "do": "play", "card": "AD"}],
        "questions": [{"q": 1, "at": 1, "ask": "violation"}, {"q": 2, "at": 1, "ask": "verdict"}],
        "expected": {1: "Ш-13", 2: "violation"},
        "rules": ["Ш-13"],
    }
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump({"cases": [case]}, allow_unicode=True), encoding="utf-8")
    code = cli.run(["judge", str(SPEC), str(path), "--with", str(overlay)])
    out = capsys.readouterr()
    assert code == 0, out.err
    assert "Ш-13" in out.out
