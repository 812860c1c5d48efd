"""Expressions as the editor wrote them, names still strings; equality ignores spans."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from svod.source import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A word or a value: `ходит`, `9♦`, `♠`, `П1`, `_`."""

    text: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Numeral:
    """Digits; a number, or a value named by digits where the context wants one (rank 6)."""

    value: int
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class RuleName:
    """A rule number used as a value (a step of a procedure)."""

    number: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Truth:
    """«да» / «нет-ложь»: yes / no."""

    value: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Nothing:
    """«нет» / none."""

    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)`: term, register, zone, built-in function, component or constructor, told apart later."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class StepOf:
    """«шаг R-4.4»: the current step of a procedure."""

    procedure: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: «и» "and", «или» "or", "=", "≠", "<", "≤", ">", "≥", "+", "−", "×" (canonical spellings: and or =
    ≠ < ≤ > ≥ + − ×)."""

    operator: str
    left: Expression
    right: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Not:
    of: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Minus:
    of: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Emptiness:
    """`зона пуста` / `зона не пуста`."""

    zone: Expression
    negated: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Membership:
    """`карта в зона` / `карта не в зона`."""

    card: Expression
    zone: Expression
    negated: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`kind`: "exists", "all", "count", "only", "sum", "largest", "smallest".

    exists: есть x [в Z][, где C] · all: для всех x [в Z][, где C]: E · count: число x [в Z][, где C] ·
    only: единственный x [в Z][, где C] · sum: сумма E для x [в Z][, где C] · largest/smallest: наибольший x [в Z][,
    где C] по E
    `of` is E where the kind has one.
    """

    kind: str
    variable: str
    zone: Expression | None
    where: Expression | None
    of: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class FirstClockwise:
    """`первый x по часовой после E[, где C]` (exclusive) / `… от E` (inclusive)."""

    variable: str
    start: Expression
    inclusive: bool
    where: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Before:
    """`было(E)`."""

    of: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class HappenedNow:
    """`сейчас событие(…)`: the event fires in this wave."""

    event: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Allowed:
    """`можно действие(…)`: the act is possible and lawful; `_` leaves a place open: some such act is."""

    action: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)


Expression: TypeAlias = (
    Name
    | Numeral
    | RuleName
    | Truth
    | Nothing
    | Call
    | StepOf
    | Binary
    | Not
    | Minus
    | Emptiness
    | Membership
    | Quantifier
    | FirstClockwise
    | Conditional
    | Before
    | HappenedNow
    | Allowed
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """`имя(аргументы)` of an action, a class of actions or an event; `_` stands for anything."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)
