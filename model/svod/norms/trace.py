"""A play as data: positions, acts and outcomes of a step, shared by engine, naive evaluator and constraints.

Values of sorts are their numbers in the norms (`Sort.values[i]` is the name); seats are 0..n−1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True, order=True)
class Act:
    """One act: the action's name and a value number for each of its parameters."""

    action: str
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Laid:
    """A card in a zone; `author` is the seat that laid it where the zone keeps authors (None: nobody or not kept)."""

    card: int
    author: int | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """The board before the first open breach: all zones as in `Position.zones`, and the registers that are not declared
    outside the frame, as in `Position.registers`."""

    zones: tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]
    registers: tuple[tuple[tuple[str, tuple[int, ...]], int | None], ...]


@dataclass(frozen=True, slots=True)
class Position:
    """A quiescent state, canonical: equal states are equal values and hash alike.

    `zones`: (zone, owner or None) → cards; a set zone sorted by card number, a pile from the bottom; empty zones are
    listed too; sorted by declaration order of zones, then owner. `registers`: (register, index values) → value; `None`
    is «нет», truth is 0/1; sorted by declaration order, then index. `switches`: names of variants and readings in
    force, sorted. `frame`: present exactly while the record of breaches is not empty.
    """

    zones: tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]
    registers: tuple[tuple[tuple[str, tuple[int, ...]], int | None], ...]
    switches: tuple[str, ...] = ()
    frame: Frame | None = None


class Status(IntEnum):
    """What the norms say about an act in a position."""

    IMPOSSIBLE = 0
    LAWFUL = 1
    UNLAWFUL = 2
    CONTESTED = 3  # a right meets a prohibition and no exception decides


@dataclass(frozen=True, slots=True)
class Decision:
    """Why an act has its status: ids of clauses. `failed`: permissions of the action that did not fire."""

    status: Status
    permitted_by: tuple[str, ...] = ()
    forbidden_by: tuple[str, ...] = ()
    blocked_by: tuple[str, ...] = ()
    excepted: tuple[tuple[str, str], ...] = ()  # (excepted clause, excepting clause)
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Next:
    """The step succeeded. `fired`: ids of the triggers that fired, in order of waves. `soft`: output holes on the way:
    ids of clauses (an output register could not be written) or «термин:имя» (an output slot without a value)."""

    position: Position
    fired: tuple[str, ...]
    soft: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hole:
    """A slot that was asked for (or the right-hand side of clause `place`) has no value."""

    place: str
    arguments: tuple[int, ...]
    rules: tuple[str, ...]
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clash:
    """A slot that was asked for has two different values, by these clauses."""

    place: str
    arguments: tuple[int, ...]
    clauses: tuple[str, ...]
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Race:
    """Two triggers, tied by no exception or order, write one place differently. `place`: register or zone name."""

    place: str
    clauses: tuple[str, ...]
    fired: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """A declared bound was hit: capacity of a zone, range of a register, number of waves."""

    what: str
    clauses: tuple[str, ...]
    fired: tuple[str, ...]


StepOutcome: TypeAlias = Next | Hole | Clash | Race | Limit


@dataclass(frozen=True, slots=True)
class Play:
    """Acts from the start of a play. `cards`: the deck if it is reduced (value numbers), else None."""

    acts: tuple[Act, ...]
    cards: tuple[int, ...] | None = None
