"""The language itself reads and prints nothing: only the tools do, files only through one module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IO_MODULES = {"io", "os", "pathlib", "shutil", "socket", "subprocess", "sys", "tempfile", "ctypes", "urllib", "http"}
IO_CALLS = {"open", "print", "input", "exec", "eval", "breakpoint"}
# Generated programs are text until they are run: `exec` of our own generated source is what these packages are for.
EXEC_ALLOWED = ("svod/engine/", "svod/constraints/")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", sorted((ROOT / "model").rglob("*.py")), ids=shown)
def test_language_does_no_io(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not imported(tree) & IO_MODULES
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    allowed = {"exec"} if any(part in path.as_posix() for part in EXEC_ALLOWED) else set()
    assert not (calls & IO_CALLS) - allowed


def opens_files(tree: ast.AST) -> bool:
    """Whether a module reads files by itself; `open` of a name of its own does not count."""
    return any(
        (isinstance(node.func, ast.Attribute) and node.func.attr in {"read_bytes", "read_text", "write_bytes"})
        or (isinstance(node.func, ast.Name) and node.func.id == "open")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )


def test_one_door_to_files() -> None:
    doors = {"files.py", "native.py", "report_cache.py", "terminal.py"}  # caches; terminal: the null device
    others = [path for path in sorted((ROOT / "tools").rglob("*.py")) if path.name not in doors]
    assert not [shown(path) for path in others if opens_files(ast.parse(path.read_text(encoding="utf-8")))]
