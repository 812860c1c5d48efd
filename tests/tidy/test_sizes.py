"""Files and functions stay small enough to be read at once, and every module says what goes in and out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted([*(ROOT / "model").rglob("*.py"), *(ROOT / "tools").rglob("*.py")])
LINES_MAX = 400
FUNCTION_LINES_MAX = 60


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_module_is_small_and_told(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert len(text.splitlines()) <= LINES_MAX
    if tree.body:
        assert ast.get_docstring(tree), "a module opens with one sentence on what goes in and out"
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1}"
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES_MAX
    ]
    assert not long, f"functions over {FUNCTION_LINES_MAX} lines: {', '.join(long)}"
