"""What a game cannot do without: a rulebook that lacks it is told so at its first item, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.play import Engine
from svod.norms.trace import Next
from svod.pipeline import compile_texts
from svod.source import Source
from svod_tools import cli

HEAD = "---\nсвод: Проба\nязык: ru\n---\n\n### A-1 Всё\n\nПроза.\n\n"
SEATS = "параметр игроков: 2\nместа Игрок: игроков, имена П\nпеременные игрок: Игрок\n"
CARDS = "порядок Карта: 1 < 2\nпеременные карта: Карта\nзона колода: набор, полна в начале\n"
ACTION = "действие встать(игрок)\n  возможно, если колода не пуста\n"
CHANCE = "зона стол: набор\nслучай открыть(карта)\n  возможно, если карта в колода\n  тело: карта из колода → стол\n"
TEXTS = {
    "nothing": ("", ["N130", "N123", "N123", "N131"]),
    "no seats": (CARDS + CHANCE, ["N130"]),
    "no cards": (SEATS + "действие встать(игрок)\n", ["N123", "N123"]),
    "no action": (SEATS + CARDS, ["N131"]),
    "all there": (SEATS + CARDS + ACTION, []),
}


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_lacking_is_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, expected = TEXTS[name]
    text = HEAD + (f"```правило\n{rules}```\n" if rules else "")
    problems = Problems()
    compilation = compile_texts([Source("a.md", text)], [], problems)
    assert compilation is not None
    norms = compilation.norms({}, problems)
    assert (norms is None) == bool(expected)
    errors = [problem for problem in problems if problem.code.name != "N007"]
    assert [problem.code.name for problem in errors] == expected
    assert all(problem.rule == "A-1" and problem.primary is not None for problem in errors)
    (tmp_path / "01-a.md").write_text(text, encoding="utf-8")
    for command in (["explore"], ["simulate", "-n", "1"], ["bench", "--agree", "4"]):
        code = cli.run([command[0], str(tmp_path), *command[1:], *(["--interpreter"] if command[0] != "bench" else [])])
        assert code == (2 if expected else 0), command
        assert "Error" not in capsys.readouterr().err


def test_a_play_begins_without_any_clause() -> None:
    problems = Problems()
    compilation = compile_texts([Source("a.md", f"{HEAD}```правило\n{SEATS + CARDS + ACTION}```\n")], [], problems)
    assert compilation is not None
    norms = compilation.norms({}, problems)
    assert norms is not None and not norms.clauses
    start = Engine.of(norms).initial()
    assert isinstance(start, Next) and start.fired == ()
