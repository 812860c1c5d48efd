"""Effects of the norms: what a body, a trigger or a penalty does to a state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from svod.norms.expressions import Expression, Variable, ZoneRef


@dataclass(frozen=True, slots=True)
class MoveCard:
    """`card` leaves `source` and is laid on top of `target` (or under it); undefined if it is not in `source`.

    `author`: who laid it, where `target` keeps authors (in a body the actor); `None` = nobody.
    """

    card: Expression
    source: ZoneRef
    target: ZoneRef
    to_bottom: bool
    author: Expression | None


@dataclass(frozen=True, slots=True)
class MoveAll:
    """Every card of `source` goes to `target`; onto a pile in the order they had, with their authors
    if both keep them."""

    source: ZoneRef
    target: ZoneRef


@dataclass(frozen=True, slots=True)
class Assign:
    """Register := value; an undefined value is a hole (soft for output registers), one out of range a limit."""

    register: str
    arguments: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class Post:
    """Register += amount; postings of one wave add up."""

    register: str
    arguments: tuple[Expression, ...]
    amount: Expression


@dataclass(frozen=True, slots=True)
class Raise:
    """The event happens; its triggers fire in the next wave."""

    event: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ForEach:
    """The effects for every value of the variable with `where`, all at once."""

    variable: Variable
    where: Expression
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Restore:
    """The position before the first open breach comes back (core decision D13): every card that does not lie outside
    the frame returns to its place in the frame, every register inside it to its value there; the record is emptied and
    the frame dropped. It happens after the other writes of its wave, and nothing in that wave counts as an edge.
    Without an open breach nothing happens. A pile of the frame that misses a card is a hole."""


Move: TypeAlias = MoveCard | MoveAll
Effect: TypeAlias = MoveCard | MoveAll | Assign | Post | Raise | ForEach | Restore
