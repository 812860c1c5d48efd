"""In: whether machine code is wanted. Out: the compiler of programs to use, and why it is not the fast one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from svod.diagnostics import Text
from svod.engine.backend import Backend, in_python
from svod_tools.native import compile_native


@dataclass
class Compilers:
    """Native code where it can be had, else CPython; `reason` says why the latter was taken last."""

    interpreter: bool = False
    reason: Text | None = field(default=None, init=False)

    def __call__(self, source: str, entries: Iterable[str]) -> Backend:
        names = tuple(entries)
        if not self.interpreter:
            backend, self.reason = compile_native(source, names)
            if backend is not None:
                return backend
        return in_python(source, names)
