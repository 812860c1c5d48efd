"""In: norms and switches. Out: the engine that plays them."""

from __future__ import annotations

from collections.abc import Iterable

from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.program import ENTRY_POINTS, TABLE_ENTRIES
from svod.norms import ir
from svod.norms.watching import watched
from svod_tools.compilers import Compilers


def make_referee(norms: ir.Norms, switches: Iterable[str], *, interpreter: bool = False) -> Engine:
    """Plays the norms with these switches in force; counts punishments (`norms.watching`), lists rights of speech."""
    whole = watched(norms)
    chosen = frozenset(switches)
    program = program_from_norms(whole, Options(switches=chosen, table=True))
    entries = [name for name, _ in ENTRY_POINTS] + [*TABLE_ENTRIES, *(term.function for term in program.terms)]
    return Engine(whole, program, Compilers(interpreter)(program.source, entries), switches=chosen)
