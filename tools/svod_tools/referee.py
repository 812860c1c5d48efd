"""In: norms and switches. Out: the engine that plays them."""

from __future__ import annotations

from collections.abc import Iterable

from svod.engine.play import Engine
from svod.norms import ir
from svod_tools.compilers import Compilers


def make_referee(norms: ir.Norms, switches: Iterable[str], *, interpreter: bool = False) -> Engine:
    """Plays the norms with these switches in force."""
    return Engine.of(norms, switches, compiler=Compilers(interpreter))
