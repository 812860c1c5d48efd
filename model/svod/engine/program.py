"""The generated program as a value: its text, its layout, and the tables that name what its numbers mean.

The text is Python in the integer subset of `to_c`. Shifts are by 0..62 places; operands of `//`, `%`, `>>` are never
negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from svod.engine.layout import Layout

#: Entry points: name → parameters. Arrays are upper case. Each returns an integer.
ENTRY_POINTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("init", ("S", "D")),  # start of a play, settled; a StepCode. Switch slots are read, not set.
    ("refresh", ("S",)),  # recompute derived slots; 0
    ("over", ("S",)),  # 1 if an ending fires
    ("lawful", ("S", "A")),  # number of lawful acts, their codes ascending in A (room for act_count); 0 when over
    ("contested", ("S", "A")),
    ("possible", ("S", "A")),  # physically possible acts, also when over
    ("played", ("S", "A")),  # as `lawful`, without speech that nobody owes (`norms.play_acts`)
    ("doable", ("S", "A")),  # as `possible`, without speech
    ("status", ("S", "a")),  # trace.Status
    ("step", ("S", "a", "D")),  # a must be possible; changes S in place; a StepCode; S is spoilt unless 0
    ("why", ("S", "a", "R")),  # n pairs R[2i] = role (program.Role), R[2i+1] = clause index ; n
    ("invariants", ("S", "B", "R")),  # number of violated invariants, their clause indices in R; B: state before, or S
    ("group", ("a",)),  # acts that differ only in what chance picks have one number (the least code of the group)
    ("actor", ("S", "a")),  # seat that acts, −1 for chance
)


#: More of them where `Options.table` is set; as `lawful`, speech only.
TABLE_ENTRIES = ("grounded", "entitled")


class Role(IntEnum):
    """What a clause has to do with an act, as told by `why`."""

    PERMITS = 1
    FAILED = 2  # a permission that does not fire
    FORBIDS = 3
    BLOCKS = 4
    EXCEPTED = 5  # its guard is met, but the clause in the next pair (EXCEPTING) fires
    EXCEPTING = 6


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A term as a function of the program: `function(S, *arguments)`; HOLE or CLASH (layout) where it has no value."""

    term: str
    function: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """A program for one set of norms. `clauses[i]` is the id of clause i, `places[i]` the name of place i (a register,
    zone, term or clause id; what `Detail.PLACE` and soft holes number)."""

    source: str
    layout: Layout
    clauses: tuple[str, ...]
    places: tuple[str, ...]
    terms: tuple[TermEntry, ...]
    switches: tuple[str, ...]  # in force when fixed; all that there are when free
    free_switches: bool
    careless: bool = False  # whether it enters breaches (`Options.careless`)
