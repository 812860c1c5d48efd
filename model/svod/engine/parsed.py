"""In: the text of a program. Out: its tree; one text at a time, whichever threads ask."""

from __future__ import annotations

import ast
from threading import Lock

_ONE_AT_A_TIME = Lock()


def parsed(source: str) -> ast.Module:
    """The tree of a program's text.

    CPython 3.11 counts the depth of the trees that it builds in one place for all threads, and fails where two of them
    are built at once (python/cpython#106905).
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)
