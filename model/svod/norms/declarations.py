"""Declarations of the norms: sorts, zones, registers, events, slots and kinds of act."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from svod.norms.effects import Move
from svod.norms.expressions import Expression, Type, Variable
from svod.source import Span


@dataclass(frozen=True, slots=True)
class Sort:
    """A finite sort. Values are numbered 0..len-1 in declaration order.

    `ordered`: `<` and `step` are allowed. `ring`: `step` wraps. `seats`: the players, a ring clockwise.
    `factors`: names of the two sorts of a product, `components[i]` the factor values of value i.
    A product may hold fewer values than the full product (a reduced deck); values keep the order of the product,
    the second factor slowest (for cards: suit by suit, ranks ascending inside a suit).
    """

    name: str
    values: tuple[str, ...]
    ordered: bool = False
    ring: bool = False
    seats: bool = False
    factors: tuple[str, ...] = ()
    components: tuple[tuple[int, ...], ...] = ()


class Visibility(Enum):
    """Who sees the cards of a zone."""

    ALL = "all"
    OWNER = "owner"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards of sort `card_sort`: one, or one for each seat (`owned`).

    `pile`: positions count, 0 is the bottom. `authors`: who laid each card is kept (piles only).
    `capacity`: largest number of cards, a declared bound; going over it is a limit, never a behaviour.
    `part_of`: the zone of the text that a zone made for modelling belongs to. `outside_frame`: a restoration leaves the
    cards that lie here where they are (sets only).
    """

    name: str
    card_sort: str
    owned: bool
    pile: bool
    authors: bool
    capacity: int
    visibility: Visibility
    part_of: str | None
    rule: str
    outside_frame: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Register:
    """A cell with a finite value, or one cell for each tuple of `index` sorts; `initial` at the start of a play.

    `ledger`: an unbounded whole number to which postings add up.
    `output`: nothing that decides lawfulness reads it; an undefined write leaves it unchanged and is recorded as a
    soft hole, play goes on (core decision D7).
    `outside_frame`: a restoration leaves it as it is. `window`: a truth value that rules open and close; a window that
    nothing closes is a finding.
    """

    name: str
    index: tuple[str, ...]
    type: Type
    initial: Expression
    rule: str
    ledger: bool = False
    output: bool = False
    stage: str | None = None
    outside_frame: bool = False
    window: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The violations that the rulebook numbers, and the record of those that are open.

    `sort`: its values are the numbers, in the order of the text, then `other`: an unlawful act without a number.
    `record`: the truth register over (seats, `sort`) that a step itself writes: who is guilty of what, and neither
    judged nor lapsed. `punished`: the event with parameters (offender, number) that rules raise when the table has
    judged; penalties are the triggers that answer it.
    """

    sort: str
    other: str
    record: str
    punished: str
    rule: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Event:
    """A named happening raised by triggers, with arguments of finite sorts; it dies with its wave."""

    name: str
    parameters: tuple[Variable, ...]
    rule: str


class Combination(Enum):
    """How several firing clauses of one slot combine."""

    UNIQUE = "unique"  # more than one firing clause with different values is a clash
    ANY = "any"  # as UNIQUE; kept apart because equal values are intended, not accidental
    FIRST = "first"  # the first firing clause in text order


@dataclass(frozen=True, slots=True)
class Term:
    """A slot: a pure function of the state with clauses, a combination mode and a moment when it is asked for.

    `asked`: at quiescence, if true, the slot must have a value for every tuple of arguments: no value is a hole,
    two values a clash. `output`: such a hole is recorded and play goes on; otherwise it stops the play.
    """

    name: str
    parameters: tuple[Variable, ...]
    type: Type
    asked: Expression | None
    combination: Combination
    output: bool
    rule: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Action:
    """A kind of act. Its body moves what the act names and writes no register (core decision D3).

    `actor`: index of the parameter that acts, `None` = chance (nobody). `chance`: parameters that chance picks evenly
    among the possible ones after everything else is chosen. `act_class`: «ход», «расчёт», «речь», … or "" .
    An act is possible when `possible` is met and every move of `body` is defined (the card lies where it is taken
    from).
    `turn`: the class is one whose acts make the play progress (dead ends are looked for among these).
    `silence_permits`: an act that no clause mentions is lawful (speech) rather than unlawful (cards).
    """

    name: str
    parameters: tuple[Variable, ...]
    actor: int | None
    chance: tuple[int, ...]
    act_class: str
    turn: bool
    possible: Expression
    body: tuple[Move, ...]
    silence_permits: bool
    rule: str
    span: Span | None = field(default=None, compare=False)
