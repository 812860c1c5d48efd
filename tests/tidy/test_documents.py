"""What the documents say about the program is so: commands, options, make targets, the map of modules, the layers."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from typer.main import get_command

from svod_tools.cli import app
from svod_tools.help import COMMANDS, OPTIONS

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = get_command(app)
SUBCOMMANDS = PROGRAM.commands  # type: ignore[attr-defined]


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_help_covers_every_command_and_option() -> None:
    assert set(SUBCOMMANDS) == set(COMMANDS)
    for command in SUBCOMMANDS.values():
        assert {parameter.name for parameter in command.params} <= set(OPTIONS)


def test_readme_commands_exist() -> None:
    used = re.findall(r"^(?:\$ )?svod ([a-z]+)([^\n]*)", readme(), re.MULTILINE)
    assert used, "the README shows commands"
    for name, rest in used:
        assert name in SUBCOMMANDS
        known = {option for parameter in SUBCOMMANDS[name].params for option in parameter.opts} | {"--lang", "--help"}
        assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", rest)) <= known


def test_readme_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    used = set(re.findall(r"\bmake ([a-z-]+)", readme()))
    assert {"check", "test"} <= used <= targets


def test_module_map_is_true() -> None:
    text = (ROOT / "model" / "README.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([\w/]+\.(?:py|lark|yaml))`", text, re.MULTILINE))
    package = ROOT / "model" / "svod"
    files = [*package.rglob("*.py"), *package.rglob("*.lark"), *package.rglob("*.yaml")]
    there = {file.relative_to(package).as_posix() for file in files if file.name != "__init__.py"}
    assert listed == there


def test_every_package_has_a_layer() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = settings["contracts"][0]["layers"]
    layered = {name.strip(" ()") for layer in layers for name in layer.split("|")}
    there = {
        f"svod.{entry.stem}"
        for entry in (ROOT / "model" / "svod").iterdir()
        if (entry.suffix == ".py" or (entry / "__init__.py").exists()) and entry.stem != "__init__"
    }
    assert there <= layered


def test_makefile_and_ci_have_no_soft_failures() -> None:
    for path in ("Makefile", ".ci/run"):
        assert "|| true" not in (ROOT / path).read_text(encoding="utf-8")
