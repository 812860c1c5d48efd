"""The language and its tools know no game: what the rulebooks in spec/ call their own does not occur there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from svod.syntax.keywords import KEYWORDS

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"
FILES = sorted(
    path
    for folder in ("model", "tools")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".lark", ".md", ".yml", ".yaml", ".css", ".js", ".c", ".h"} and path.is_file()
)
NAME = r"[A-Za-zА-Яа-яЁё][\w]*"
DECLARED = re.compile(rf"^\s*(?:зона|действие|случай|zone|action|chance)\s+({NAME})", re.MULTILINE)
NUMBERED = re.compile(r"^#{2,6}\s+([A-Za-zА-Яа-яЁё]{1,3}-?\d[\w.]*)", re.MULTILINE)
TITLED = re.compile(r"^(?:свод|rulebook):\s*[\"«]?([^\"»\n]+)", re.MULTILINE)
FENCE = re.compile(r"^```(?:правило|rule)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Words of card games in general that a rulebook may also use as names; the keywords of the language are general too.
GENERAL = {"колода", "рука", "стол", "сброс", "раздача", "положить", "сдать", "банк", "пас"} | {
    *("deck", "deal", "hand", "table", "discard", "talon", "pass", "pot"),
    *(
        word
        for keyword in KEYWORDS.values()
        for forms in keyword.forms.values()
        for form in forms
        for word in form.split()
    ),
}


def texts() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(SPEC.rglob("*.md"))]


def titles() -> set[str]:
    found = {folder.name for folder in SPEC.iterdir() if folder.is_dir()}
    return found | {title.strip().strip("\"'«»") for text in texts() for title in TITLED.findall(text)}


def declared() -> set[str]:
    names = {name for text in texts() for fence in FENCE.findall(text) for name in DECLARED.findall(fence)}
    return {name for name in names if name.lower() not in GENERAL}


def numbers() -> set[str]:
    """Numbers with two letters or two dots at least are unmistakable; shorter ones serve as examples everywhere."""
    found = {number.rstrip(".") for text in texts() for number in NUMBERED.findall(text)}
    return {number for number in found if number.count(".") >= 1 or not number[0].isascii()}


def literals(path: Path) -> list[str]:
    """String literals of a module that are not documentation: texts with a meaning for the program."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    ]


def test_there_is_something_to_look_for() -> None:
    assert titles() and declared() and numbers()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_names_of_rulebooks(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert not [title for title in titles() if re.search(rf"(?<!\w){re.escape(title.lower())}", text)]


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.suffix == ".py"], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_no_rulebook_words_in_the_program(path: Path) -> None:
    words = {word for literal in literals(path) for word in re.findall(NAME, literal)}
    assert not words & declared()
    whole = "\n".join(literals(path))
    assert not [number for number in numbers() if re.search(rf"(?<![\w.-]){re.escape(number)}(?![\w.])", whole)]
