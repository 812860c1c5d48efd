"""Types and expressions of the norms: pure functions of a state, each with two faces, defined and value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Truth:
    """The type of conditions."""


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers low..high, both included; `None` is unbounded (ledgers only). `optional` admits «нет» as well."""

    low: int | None
    high: int | None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A value of a finite sort; `optional` admits «нет» as well."""

    sort: str
    optional: bool = False


Type: TypeAlias = Truth | Whole | Member


@dataclass(frozen=True, slots=True)
class Number:
    value: int


@dataclass(frozen=True, slots=True)
class Boolean:
    value: bool


@dataclass(frozen=True, slots=True)
class Value:
    """Value number `index` of a sort."""

    sort: str
    index: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """«нет» where a value of `sort` may be absent; `sort` is "" where the value is an optional whole number."""

    sort: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter of a clause or a variable of a quantifier; ranges over all values of `sort`."""

    name: str
    sort: str


@dataclass(frozen=True, slots=True)
class Switch:
    """True while a variant («V») or a reading («R-5.8=А») is in force; constant during a play."""

    name: str


@dataclass(frozen=True, slots=True)
class SeatCount:
    """Number of seats of the play."""


@dataclass(frozen=True, slots=True)
class ReadRegister:
    register: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ReadTerm:
    """Value of a slot; undefined where the slot has a hole or a clash."""

    term: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """The event is among those whose triggers fire in this wave; false outside triggers."""

    event: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """Factor number `factor` (0 or 1) of a product value: the rank of a card, its suit."""

    of: Expression
    factor: int


@dataclass(frozen=True, slots=True)
class Compose:
    """The product value with these factors; undefined if the (reduced) product lacks it."""

    sort: str
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class StepValue:
    """The value `delta` (+1 or −1) places on in the order of its sort; past the end undefined unless `wrap`.

    On seats it always wraps: +1 is the next seat clockwise.
    """

    of: Expression
    delta: int
    wrap: bool


@dataclass(frozen=True, slots=True)
class Extreme:
    """The least or greatest value of an ordered sort."""

    sort: str
    greatest: bool


@dataclass(frozen=True, slots=True)
class Distance:
    """Steps clockwise from one seat to another, 0..seats−1."""

    origin: Expression
    target: Expression


@dataclass(frozen=True, slots=True)
class FirstClockwise:
    """First seat clockwise after `start` (from `start` itself if `inclusive`) with `where`; all seats are tried once,
    `start` last if not inclusive. Undefined if there is none."""

    start: Expression
    inclusive: bool
    variable: Variable
    where: Expression


@dataclass(frozen=True, slots=True)
class Only:
    """The one value with `where`; undefined if there is none or more than one."""

    variable: Variable
    where: Expression


@dataclass(frozen=True, slots=True)
class Best:
    """The value with `where` whose `key` is largest (or smallest); undefined without a candidate or with a tie."""

    variable: Variable
    where: Expression
    key: Expression
    largest: bool


@dataclass(frozen=True, slots=True)
class Count:
    """Number of values with `where`."""

    variable: Variable
    where: Expression


@dataclass(frozen=True, slots=True)
class Sum:
    """Sum of `of` over the values with `where`; undefined if a summand is undefined."""

    variable: Variable
    where: Expression
    of: Expression


@dataclass(frozen=True, slots=True)
class Exists:
    variable: Variable
    where: Expression


@dataclass(frozen=True, slots=True)
class ForAll:
    """True if for every value of the variable `where` implies `holds`; an undefined `where` counts as not met,
    an undefined `holds` as false."""

    variable: Variable
    where: Expression
    holds: Expression


@dataclass(frozen=True, slots=True)
class ZoneRef:
    """A zone, with its owner if it is owned."""

    zone: str
    owner: Expression | None


@dataclass(frozen=True, slots=True)
class Size:
    """Number of cards in a zone."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Top:
    """Last card of a pile; undefined when empty."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Bottom:
    """First card of a pile; undefined when empty."""

    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class Author:
    """Who laid the card in a zone that keeps authors (optional seat: nobody); undefined if it does not lie there."""

    card: Expression
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class CardAbove:
    """The card lying directly on `card` in a pile; undefined for the top card and for cards elsewhere."""

    card: Expression
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class InZone:
    card: Expression
    zone: ZoneRef


@dataclass(frozen=True, slots=True)
class ZonesHolding:
    """In how many zones (owners counted apart) the card lies; a card outside `Norms.deck` lies in the box and counts 1.
    So it is 1 in every state that conserves cards."""

    card: Expression


@dataclass(frozen=True, slots=True)
class Not:
    of: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Left to right; a false operand shields those after it."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Left to right; a true operand shields those after it."""

    parts: tuple[Expression, ...]


class Relation(Enum):
    EQUAL = "="
    UNEQUAL = "≠"
    LESS = "<"
    LESS_EQUAL = "≤"
    GREATER = ">"
    GREATER_EQUAL = "≥"


@dataclass(frozen=True, slots=True)
class Compare:
    """On optional values = and ≠ treat «нет» as one more value. Order relations need both sides present."""

    relation: Relation
    left: Expression
    right: Expression


class Operator(Enum):
    ADD = "+"
    SUBTRACT = "−"
    MULTIPLY = "×"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Choose:
    """`then` if `condition` else `otherwise`; only the chosen branch has to be defined."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Present:
    """The value of an optional expression; undefined where it is «нет»."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Before:
    """`of` in the state before: in triggers the state a wave ago (for the wave after the body: before the act),
    in invariants the state before the step (undefined at the start of a play)."""

    of: Expression


@dataclass(frozen=True, slots=True)
class Lawful:
    """The act is possible and lawful in this state (not contested). Norms about acts and terms must not read it:
    violations, lapses, triggers and invariants may. `apart`: by permissions, prohibitions and duties alone, violations
    apart; so a violation can be said of whatever the norms do not allow."""

    action: str
    arguments: tuple[Expression, ...]
    apart: bool = False


Expression: TypeAlias = (
    Number
    | Boolean
    | Value
    | Nothing
    | Variable
    | Switch
    | SeatCount
    | ReadRegister
    | ReadTerm
    | Happened
    | Component
    | Compose
    | StepValue
    | Extreme
    | Distance
    | FirstClockwise
    | Only
    | Best
    | Count
    | Sum
    | Exists
    | ForAll
    | Size
    | Top
    | Bottom
    | Author
    | CardAbove
    | InZone
    | ZonesHolding
    | Not
    | And
    | Or
    | Compare
    | Arithmetic
    | Choose
    | Present
    | Before
    | Lawful
)
