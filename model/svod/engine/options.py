"""How a program is specialised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """`switches`: variants and readings in force (`None`: those the norms adopt). `free_switches`: keep them as slots
    instead, so that one program serves every choice.

    `breaches`: a step enters the breaches that its act commits. Without, the program is for lawful play: nothing is
    ever entered, and speech that moves nothing is possible only when owed (`norms.play_acts`); unlawful acts can
    still be asked about and done. Searches and random lawful play take no other programs.
    `lawful_only`: without breaches, and acts that nothing permits or obliges to count as impossible; what follows from
    them is left out.
    `table`: with the functions `grounded` and `entitled` (see `lawfulness`), for players who may break rules.
    `fold`: registers and zones that nothing in force ever changes become constants; positions from outside that differ
    there cannot be packed then.
    """

    switches: frozenset[str] | None = None
    free_switches: bool = False
    breaches: bool = True
    lawful_only: bool = False
    table: bool = False
    fold: bool = True

    @property
    def careless(self) -> bool:
        """Whether breaches are entered."""
        return self.breaches and not self.lawful_only
