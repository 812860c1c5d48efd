"""How a program is specialised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`switches`: variants and readings in force (`None`: those the norms adopt). `free_switches`: keep them as slots
    instead, so that one program serves every choice.

    `checks`: assert in CPython that slots stay in their ranges. `lawful_only`: leave out what only unlawful acts need.
    `fold`: registers and zones that nothing in force ever changes become constants; positions from outside that differ
    there cannot be packed then.
    """

    switches: frozenset[str] | None = None
    free_switches: bool = False
    checks: bool = False
    lawful_only: bool = False
    fold: bool = True
