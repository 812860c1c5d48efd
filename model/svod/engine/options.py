"""How a program is specialised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`switches`: variants and readings in force (`None`: those the norms adopt). `free_switches`: keep them as slots
    instead, so that one program serves every choice.

    `lawful_only`: acts that nothing permits or obliges to count as impossible, and what follows from them is left out;
    speech that moves nothing is possible only when owed (`norms.play_acts`), no breach is ever entered.
    `fold`: registers and zones that nothing in force ever changes become constants; positions from outside that differ
    there cannot be packed then.
    """

    switches: frozenset[str] | None = None
    free_switches: bool = False
    lawful_only: bool = False
    fold: bool = True
