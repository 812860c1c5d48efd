"""What the editor wrote: items of a rulebook with prose and clauses, names still strings, every node with its span.

Produced by `from_text`; consumed by `svod.rulebook`. Equality ignores spans.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from svod.source import Span


def _span() -> Span:
    return field(compare=False, kw_only=True)  # type: ignore[no-any-return]


# ----------------------------------------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Name:
    """A word or a value: `ходит`, `9♦`, `♠`, `П1`, `_`."""

    text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Numeral:
    """Digits; a number, or a value named by digits where the context wants one (rank 6)."""

    value: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RuleName:
    """A rule number used as a value (a step of a procedure)."""

    number: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Truth:
    """«да» / «нет-ложь»: yes / no."""

    value: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Nothing:
    """«нет» / none."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Call:
    """`name(arguments)`: term, register, zone, built-in function, component or constructor, told apart later."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class StepOf:
    """«шаг R-4.4»: the current step of a procedure."""

    procedure: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Binary:
    """Operators: «и» "and", «или» "or", "=", "≠", "<", "≤", ">", "≥", "+", "−", "×" (canonical spellings: and or = ≠ < ≤ > ≥ + − ×)."""

    operator: str
    left: Expression
    right: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Not:
    of: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Minus:
    of: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Emptiness:
    """`зона пуста` / `зона не пуста`."""

    zone: Expression
    negated: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Membership:
    """`карта в зона` / `карта не в зона`."""

    card: Expression
    zone: Expression
    negated: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`kind`: "exists", "all", "count", "only", "sum", "largest", "smallest".

    exists: есть x [в Z][, где C] · all: для всех x [в Z][, где C]: E · count: число x [в Z][, где C] ·
    only: единственный x [в Z][, где C] · sum: сумма E для x [в Z][, где C] · largest/smallest: наибольший x [в Z][, где C] по E
    `of` is E where the kind has one.
    """

    kind: str
    variable: str
    zone: Expression | None
    where: Expression | None
    of: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class FirstClockwise:
    """`первый x по часовой после E[, где C]` (exclusive) / `… от E` (inclusive)."""

    variable: str
    start: Expression
    inclusive: bool
    where: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Before:
    """`было(E)`."""

    of: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class HappenedNow:
    """`сейчас событие(…)`: the event fires in this wave."""

    event: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


Expression: TypeAlias = (
    Name | Numeral | RuleName | Truth | Nothing | Call | StepOf | Binary | Not | Minus | Emptiness | Membership | Quantifier
    | FirstClockwise | Conditional | Before | HappenedNow
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """`имя(аргументы)` of an action, a class of actions or an event; `_` stands for anything."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


# --------------------------------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Move:
    """`карта [из зона] → [под] зона [, положил E]` or `зона → зона`."""

    what: Expression
    source: Expression | None
    target: Expression
    to_bottom: bool
    author: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assign:
    """`ячейка[(…)] := E` or, with `adds`, `+= E`."""

    register: str
    arguments: tuple[Expression, ...]
    value: Expression
    adds: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Raise:
    """`событие имя(…)`."""

    event: str
    arguments: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Begin:
    """`начать этап`."""

    stage: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class GoTo:
    """`перейти к R-…`."""

    step: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ForEach:
    """`для всех x[, где C]: (эффекты)`."""

    variable: str
    where: Expression | None
    effects: tuple[Effect, ...]
    span: Span = _span()


Effect: TypeAlias = Move | Assign | Raise | Begin | GoTo | ForEach


# ---------------------------------------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class ParameterDeclaration:
    """`параметр имя: a | b` / `a..b` / `?` (the text gives no bounds: `values` is None)."""

    name: str
    values: tuple[int, ...] | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SortDeclaration:
    """`сорт имя: a | b`, `порядок имя: a < b` (`ordered`), with an optional condition on parameters."""

    name: str
    values: tuple[str, ...]
    ordered: bool
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ProductDeclaration:
    """`сорт Карта: Номинал × Масть`."""

    name: str
    factors: tuple[str, str]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SeatsDeclaration:
    """`места Игрок: игроков, имена П`: values П1, П2, … as many as the parameter says, a ring clockwise."""

    name: str
    parameter: str
    prefix: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class VariablesDeclaration:
    """`переменные a, b: Sort`: from here on these words are variables of the sort."""

    names: tuple[str, ...]
    sort: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ZoneDeclaration:
    """`зона имя[(Сорт)]: стопка|набор[, с авторами][, видят все|видит владелец|не видит никто][, не больше E][, часть имя][, полна в начале]`."""

    name: str
    owner: str | None
    pile: bool
    authors: bool
    visibility: str  # "all" | "owner" | "nobody"
    capacity: Expression | None
    part_of: str | None
    filled: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class TypeName:
    """Type of a register or term: a sort, inline values `a | b`, a range `E..E`, or «да или нет»; optional with `или нет`."""

    sort: str | None
    values: tuple[str, ...]
    low: Expression | None
    high: Expression | None
    truth: bool
    optional: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class RegisterDeclaration:
    """`ячейка имя[(Сорт, …)]: тип [= E][, итог][, на этап имя]`; `счёт имя[(…)] [= E]` is a ledger."""

    name: str
    index: tuple[str, ...]
    type: TypeName | None
    initial: Expression | None
    output: bool
    stage: str | None
    ledger: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class StagesDeclaration:
    """`этапы раздача, игра`: the first one is the stage at the start."""

    names: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class EventDeclaration:
    """`событие имя(переменные)` as a declaration."""

    name: str
    parameters: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ClassDeclaration:
    """`класс имя[, ведёт игру][, молчание разрешает]`: `turn` = its acts make the play progress."""

    name: str
    turn: bool
    silence_permits: bool
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ActionDeclaration:
    """`действие имя(переменные)[: класс][, случай x] [возможно, если E] [тело: …]`; `случай имя(…)` is an act of nobody (`by_chance`)."""

    name: str
    parameters: tuple[str, ...]
    act_class: str | None
    chance: tuple[str, ...]
    by_chance: bool
    possible: Expression | None
    body: tuple[Effect, ...]
    span: Span = _span()


# --------------------------------------------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class TermDefinition:
    """`термин имя[(переменные)][: тип] := E[, если C]`."""

    name: str
    parameters: tuple[str, ...]
    type: TypeName | None
    value: Expression
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class SlotOption:
    """`спрашивается имя, когда E` (asked) / `исход имя` (outcome, output) / `сочетание имя: первое|единственное|любое` (combination)."""

    name: str
    kind: str  # "asked" | "outcome" | "combination"
    when: Expression | None
    mode: str | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class NormClause:
    """`может` (may), `вправе` (entitled), `запрещено` (forbid) патерны[, если C]."""

    kind: str  # "may" | "entitled" | "forbid"
    patterns: tuple[Pattern, ...]
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class DutyClause:
    """`обязан A [сразу | до B, … | без срока], пока C`."""

    pattern: Pattern
    deadline: str  # "now" | "before" | "none"
    before: tuple[Pattern, ...]
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class OnClause:
    """`при A[, если C]: эффекты`."""

    pattern: Pattern
    condition: Expression | None
    effects: tuple[Effect, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class EdgeClause:
    """`как только C: эффекты`; free variables of C that are declared variables are the clause's parameters."""

    condition: Expression
    effects: tuple[Effect, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ViolationClause:
    """`нарушение Ш-1(виновный, …) при A[, если C]`."""

    name: str
    offenders: tuple[Expression, ...]
    pattern: Pattern
    condition: Expression | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class EndingClause:
    """`конец, когда E`."""

    condition: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class InvariantClause:
    """`всегда E`."""

    holds: Expression
    span: Span = _span()


BareClause: TypeAlias = (
    TermDefinition | NormClause | DutyClause | OnClause | EdgeClause | ViolationClause | EndingClause | InvariantClause
)


@dataclass(frozen=True, slots=True)
class Edged:
    """A clause with edges: `кроме R-…, R-…: clause` or `clause, несмотря на R-…` (excepts); `clause, после R-…` (after)."""

    clause: BareClause
    excepts: tuple[RuleName, ...]
    after: tuple[RuleName, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ReadingOption:
    letter: str
    label: str
    statements: tuple[Statement, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ReadingGroup:
    """`чтение А «…»: … чтение Б «…»: … принято А: «причина»`."""

    options: tuple[ReadingOption, ...]
    adopted: str
    reason: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ProcedureDeclaration:
    """`шаги R-4.4: R-4.4.1, R-4.4.2, …`."""

    procedure: str
    steps: tuple[RuleName, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class VariantDeclaration:
    """`вариант V: V-1, V-2` (a switch and the items whose clauses it carries)."""

    name: str
    rules: tuple[RuleName, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ProjectionDeclaration:
    """`проекция имя: зона, термин, …`."""

    name: str
    members: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CheckDecksDeclaration:
    """`для проверки любая часть колоды[, с карта, …]`."""

    required: tuple[Expression, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Status:
    """`информативно «причина»` (informative) / `не формализовано «причина»` (pending)."""

    kind: str  # "informative" | "pending"
    reason: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`принять F201 R-1, R-2: «причина»`: a finding that is known and left."""

    code: str
    rules: tuple[RuleName, ...]
    reason: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class ReadingWithdrawal:
    """In an amendment: `снять чтение А` (of the amended item)."""

    letter: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Answers:
    """In an amendment: `отвечает на «K-01»`: the finding this change answers."""

    findings: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Basis:
    """In an amendment: `основа «0123abcd»`: fingerprint of the item's text that the change was written against."""

    fingerprint: str
    span: Span = _span()


Statement: TypeAlias = (
    ParameterDeclaration | SortDeclaration | ProductDeclaration | SeatsDeclaration | VariablesDeclaration | ZoneDeclaration
    | RegisterDeclaration | StagesDeclaration | EventDeclaration | ClassDeclaration | ActionDeclaration | SlotOption | Edged
    | ReadingGroup | ProcedureDeclaration | VariantDeclaration | ProjectionDeclaration | CheckDecksDeclaration | Status
    | Acceptance | ReadingWithdrawal | Answers | Basis
)


# -------------------------------------------------------------------------------------------------- examples


@dataclass(frozen=True, slots=True)
class Given:
    """`дано`: `имя = E` (parameter, register), `имя(индекс) = E`, or `зона[(E)] = карты` with `от E` for authors."""

    name: str
    arguments: tuple[Expression, ...]
    value: Expression | None
    cards: tuple[tuple[Expression, Expression | None], ...] | None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Rest:
    """`остальное в зона[(E)]`: every card not shown lies there."""

    zone: Expression
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Do:
    """`действие имя(значения)`: an act that happens."""

    act: Pattern
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Expect:
    """`тогда E`; or `законно A`, `незаконно A`, `спорно A`, `невозможно A` (`status`); or `дыра имя` / `гонка имя` / `спор имя` (`outcome`)."""

    condition: Expression | None
    status: str | None  # "lawful" | "unlawful" | "contested" | "impossible"
    outcome: str | None  # "hole" | "race" | "clash"
    act: Pattern | None
    place: str | None
    span: Span = _span()


ExampleLine: TypeAlias = Given | Rest | Do | Expect


@dataclass(frozen=True, slots=True)
class Example:
    """Lines run in order. Without zones in `дано` it starts at the start of a play."""

    title: str
    lines: tuple[ExampleLine, ...]
    span: Span = _span()


# ----------------------------------------------------------------------------------------------------- whole


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered item. `operation` in an amendment: "replace", "add", "extend", "withdraw"; else None.

    `prose` is Markdown without the fences; `heading_span` is the number in its heading.
    """

    number: str
    title: str
    prose: str
    statements: tuple[Statement, ...]
    examples: tuple[Example, ...]
    operation: str | None
    level: int
    clause_text: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Section:
    """A heading without a number, and its own prose; `level` 1 for a chapter."""

    title: str
    prose: str
    level: int
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chapter:
    """One file: its front matter (keys as written) and its sections and items in order."""

    source: str
    front_matter: tuple[tuple[str, str], ...]
    blocks: tuple[Section | Item, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole rulebook folder, or one overlay file, as written."""

    chapters: tuple[Chapter, ...]
