"""Norms and a position in, who is openly guilty of what out."""

from __future__ import annotations

from svod.norms import ir
from svod.norms.trace import Position


def recorded(norms: ir.Norms, position: Position) -> frozenset[tuple[int, int]]:
    """Who (seat) is openly guilty of what (value of the catalogue)."""
    catalogue = norms.catalogue
    if catalogue is None:
        return frozenset()
    return frozenset(
        (index[0], index[1]) for (name, index), value in position.registers if name == catalogue.record and value
    )
