"""What the README shows is what the commands print; its rulebook of ten lines behaves as told."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from svod_tools import cli

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
SECONDS = re.compile(r"\d+\.\d\d s, .*")  # the line of `explore` that differs from machine to machine
QUICK = ("explain", "show", "explore kuhn")


def shown() -> list[tuple[str, str]]:
    """(command, output) of everything that the README shows."""
    found = []
    for block in re.findall(r"^```\n(\$ svod .*?)^```$", TEXT, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ svod ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def pieces(output: str) -> list[str]:
    """What stands between the marks of omission, spacing and line breaks apart."""
    return [" ".join(piece.split()) for piece in re.split(r"^ *…$", SECONDS.sub("", output), flags=re.MULTILINE)]


def printed(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    cli.run(shlex.split(command))
    captured = capsys.readouterr()
    return " ".join((captured.out + captured.err).split())


def rulebook() -> str:
    found = re.search(r"^````markdown\n(.*?)^````$", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def of_race() -> list[tuple[str, str]]:
    return [(command, output) for command, output in shown() if "race.md" in command]


@pytest.mark.parametrize("command,output", [each for each in shown() if each[0].startswith(QUICK)])
def test_quick_commands_print_what_is_shown(
    command: str, output: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    real = printed(command, capsys)
    assert all(piece in real for piece in pieces(output))


def test_explored_counts_are_the_known_ones() -> None:
    output = next(output for command, output in shown() if command.startswith("explore spec/"))
    rows = re.findall(r"^ +([a-z ]+?) +(\d(?:\d|[^\S\n])*)$", output, re.MULTILINE)
    counts = {name: int(re.sub(r"\D", "", count)) for name, count in rows}
    known = (ROOT / "tests" / "cases" / "core-scope.md").read_text(encoding="utf-8")
    row = re.search(r"^\| D8, 3 players \|(.*)\|$", known, re.MULTILINE)
    assert row is not None
    wanted = [int(cell.replace(",", "")) for cell in row[1].split("|")]
    assert [counts[name] for name in ("initial", "states", "moves", "dead ends", "finished", "depth")] == wanted


def test_ten_lines_have_ten_lines() -> None:
    clauses = re.search(r"^```rule\n(.*?)^```$", rulebook(), re.MULTILINE | re.DOTALL)
    assert clauses is not None and len(clauses[1].splitlines()) == 10


def test_rulebook_of_ten_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sound, then changed, then broken, in the order in which the README tells it."""
    monkeypatch.chdir(tmp_path)
    sound = rulebook()
    changes = [
        [],
        [],
        [("end when 6 in row", "end when size(row) = 4")],
        [("top(row)", "tpo(row)"), ("last := player", "last := card")],
    ]
    assert "end when size(row) = 4" in TEXT
    for change, (command, output) in zip(changes, of_race(), strict=True):
        text = sound
        for before, after in change:
            assert before in text
            text = text.replace(before, after)
        (tmp_path / "race.md").write_text(text, encoding="utf-8")
        real = printed(command, capsys)
        assert all(piece in real for piece in pieces(output)), real
