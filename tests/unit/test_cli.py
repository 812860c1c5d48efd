"""The command line: help in two languages, wrong arguments, exit codes, and never a traceback."""

from __future__ import annotations

import pytest
from rich.text import Text as Rich

from svod_tools import cli
from svod_tools.help import COMMANDS
from svod_tools.terminal import folded


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_help_is_russian_unless_asked_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys)
    assert code == 0 and "Команды" in out
    code, out, _ = run(capsys, "--help", "--lang", "en")
    assert code == 0 and "Commands" in out and "Команды" not in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, command, "--help")
    assert code == 0
    assert COMMANDS[command].ru in out and "--lang" in out
    code, out, _ = run(capsys, "--lang=en", command, "--help")
    assert COMMANDS[command].en in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["chek"],
        ["check"],
        ["check", "x", "y"],
        ["check", "nowhere"],
        ["check", "nowhere", "--players", "много"],
        ["check", "nowhere", "--budget", "вечность"],
        ["check", "nowhere", "--edition", "две"],
        ["check", "nowhere", "--format", "xml"],
        ["check", "nowhere", "--set", "колода"],
        ["check", "nowhere", "--nonsense"],
        ["show", "nowhere"],
        ["explain", "Q999"],
        ["explain", "C001", "--lang", "de"],
        ["--lang"],
    ],
    ids=" ".join,
)
def test_bad_arguments_are_exit_2_with_a_code(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert code == 2
    assert "[C" in err and "Traceback" not in err and not out


def test_our_own_faults_are_exit_3_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(code: str | None, language: str) -> int:
        raise ZeroDivisionError("проба")

    monkeypatch.setattr("svod_tools.commands.explain.run", broken)
    monkeypatch.delenv("SVOD_DEBUG", raising=False)
    code, _, err = run(capsys, "explain")
    assert code == 3 and "внутренняя ошибка" in err and "Traceback" not in err
    monkeypatch.setenv("SVOD_DEBUG", "1")
    code, _, err = run(capsys, "explain")
    assert code == 3 and "Traceback" in err


def test_an_interrupt_is_exit_130(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(code: str | None, language: str) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("svod_tools.commands.explain.run", interrupted)
    assert run(capsys, "explain")[0] == 130


@pytest.mark.parametrize("typed", ["C601", "с601", "[C601]", "c601"])
def test_codes_are_explained_however_they_are_typed(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", typed)
    assert code == 0 and out.startswith("C601")


def test_all_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain")
    assert code == 0 and "C601" in out and "C001" in out


def test_long_lines_are_folded_between_words_and_quoted_ones_are_not() -> None:
    text = Rich("  rules: one two three four five\nshort\n  93 |  a long line of somebody's source\n")
    assert folded(text.append("six seven eight nine ten", style="bold"), 20).plain.split("\n") == [
        "  rules: one two",
        "    three four five",
        "short",
        "  93 |  a long line of somebody's source",
        "six seven eight",
        "  nine ten",
    ]
    assert "bold" in {span.style for span in folded(text, 20).spans}
