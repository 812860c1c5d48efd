"""In: norms and switches. Out: what plays them."""

from __future__ import annotations

from collections.abc import Iterable

from svod.naive.evaluator import Naive
from svod.norms import ir
from svod_tools.table import Referee


def make_referee(norms: ir.Norms, switches: Iterable[str]) -> Referee:
    """Plays the norms with these switches in force."""
    return Naive(norms, switches)
