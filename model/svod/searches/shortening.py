"""In: a play that shows something, and how to tell whether a play shows it. Out: a play with acts left out that still
does."""

from __future__ import annotations

from collections.abc import Callable

from svod.norms.trace import Act


def shortened(acts: tuple[Act, ...], shows: Callable[[tuple[Act, ...]], bool]) -> tuple[Act, ...]:
    """Leave out acts, several at once at first, while the rest still shows it."""
    length = max(1, len(acts) // 2)
    while length:
        place = 0
        while place < len(acts):
            shorter = acts[:place] + acts[place + length :]
            if shows(shorter):
                acts = shorter
            else:
                place += 1
        length //= 2
    return acts
