"""What the editor wrote: items of a rulebook with prose and clauses, names still strings, every node with its span.

Produced by `from_text`; consumed by `svod.rulebook`. Equality ignores spans.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from svod.source import Span
from svod.syntax.tree_declarations import (
    ActionDeclaration,
    CatalogueDeclaration,
    ClassDeclaration,
    EventDeclaration,
    ParameterDeclaration,
    ProductDeclaration,
    RegisterDeclaration,
    SeatsDeclaration,
    SortDeclaration,
    StagesDeclaration,
    TypeName,
    VariablesDeclaration,
    ZoneDeclaration,
)
from svod.syntax.tree_effects import Assign, Begin, Effect, ForEach, GoTo, Move, Raise, Restore, SetWindow
from svod.syntax.tree_expressions import (
    Allowed,
    Before,
    Binary,
    Call,
    Conditional,
    Emptiness,
    Expression,
    FirstClockwise,
    HappenedNow,
    Membership,
    Minus,
    Name,
    Not,
    Nothing,
    Numeral,
    Pattern,
    Quantifier,
    RuleName,
    StepOf,
    Truth,
)
from svod.syntax.tree_statements import (
    Acceptance,
    Answers,
    BareClause,
    Basis,
    CheckDecksDeclaration,
    DutyClause,
    EdgeClause,
    Edged,
    EndingClause,
    InvariantClause,
    LapseClause,
    NormClause,
    OnClause,
    PenaltyClause,
    ProcedureDeclaration,
    ProjectionDeclaration,
    ReadingGroup,
    ReadingOption,
    ReadingWithdrawal,
    SlotOption,
    Statement,
    Status,
    TermDefinition,
    VariantDeclaration,
    ViolationClause,
)

__all__ = [
    "Acceptance",
    "ActionDeclaration",
    "Allowed",
    "Answers",
    "Assign",
    "BareClause",
    "Basis",
    "Before",
    "Begin",
    "Binary",
    "Call",
    "CatalogueDeclaration",
    "Chapter",
    "CheckDecksDeclaration",
    "ClassDeclaration",
    "Conditional",
    "Do",
    "DutyClause",
    "EdgeClause",
    "Edged",
    "Effect",
    "Emptiness",
    "EndingClause",
    "EventDeclaration",
    "Example",
    "ExampleLine",
    "Expect",
    "Expression",
    "FirstClockwise",
    "ForEach",
    "Given",
    "GoTo",
    "HappenedNow",
    "InvariantClause",
    "Item",
    "LapseClause",
    "Membership",
    "Minus",
    "Move",
    "Name",
    "NormClause",
    "Not",
    "Nothing",
    "Numeral",
    "OnClause",
    "ParameterDeclaration",
    "Pattern",
    "PenaltyClause",
    "ProcedureDeclaration",
    "ProductDeclaration",
    "ProjectionDeclaration",
    "Quantifier",
    "Raise",
    "ReadingGroup",
    "ReadingOption",
    "ReadingWithdrawal",
    "RegisterDeclaration",
    "Rest",
    "Restore",
    "RuleName",
    "SeatsDeclaration",
    "Section",
    "SetWindow",
    "SlotOption",
    "SortDeclaration",
    "StagesDeclaration",
    "Statement",
    "Status",
    "StepOf",
    "TermDefinition",
    "Tree",
    "Truth",
    "TypeName",
    "VariablesDeclaration",
    "VariantDeclaration",
    "ViolationClause",
    "ZoneDeclaration",
]


@dataclass(frozen=True, slots=True)
class Given:
    """`дано`: `имя = E` (parameter, register), `имя(индекс) = E`, or `зона[(E)] = карты` with `от E` for authors."""

    name: str
    arguments: tuple[Expression, ...]
    value: Expression | None
    cards: tuple[tuple[Expression, Expression | None], ...] | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Rest:
    """`остальное в зона[(E)]`: every card not shown lies there."""

    zone: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Do:
    """`действие имя(значения)`: an act that happens."""

    act: Pattern
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Expect:
    """`тогда E`; or `законно A`, `незаконно A`, `спорно A`, `невозможно A` (`status`); or `дыра имя` / `гонка имя`
    / `спор имя` (`outcome`)."""

    condition: Expression | None
    status: str | None  # "lawful" | "unlawful" | "contested" | "impossible"
    outcome: str | None  # "hole" | "race" | "clash"
    act: Pattern | None
    place: str | None
    span: Span = field(compare=False, kw_only=True)


ExampleLine: TypeAlias = Given | Rest | Do | Expect


@dataclass(frozen=True, slots=True)
class Example:
    """Lines run in order. Without zones in `дано` it starts at the start of a play."""

    title: str
    lines: tuple[ExampleLine, ...]
    span: Span = field(compare=False, kw_only=True)


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
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading without a number, and its own prose; `level` 1 for a chapter."""

    title: str
    prose: str
    level: int
    span: Span = field(compare=False, kw_only=True)


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
