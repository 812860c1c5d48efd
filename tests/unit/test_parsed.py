"""Programs are read in several threads at once, whatever the collector of garbage does meanwhile."""

from __future__ import annotations

import ast
import gc
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

from svod.engine.parsed import parsed

TEXT = "def f(a):\n" + "".join(
    f"    if a == {i}:\n        return (a + {i}) * (a - {i}) + f(a - 1)\n" for i in range(300)
)


def test_trees_are_built_in_many_threads() -> None:
    """A callback of the collector that lets other threads run used to break the count of CPython 3.11."""

    def yielding(_phase: str, _info: dict[str, Any]) -> None:
        sleep(0.0001)

    gc.callbacks.append(yielding)
    try:
        with ThreadPoolExecutor(4) as pool:
            trees = list(pool.map(parsed, [TEXT] * 40))
    finally:
        gc.callbacks.remove(yielding)
    assert {ast.dump(tree) for tree in trees} == {ast.dump(ast.parse(TEXT))}
