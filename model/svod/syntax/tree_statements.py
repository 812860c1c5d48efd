"""Statements of a clause fence as the editor wrote them."""

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
from svod.syntax.tree_effects import Effect
from svod.syntax.tree_expressions import Expression, Pattern, RuleName


@dataclass(frozen=True, slots=True)
class TermDefinition:
    """`термин имя[(переменные)][: тип] := E[, если C]`."""

    name: str
    parameters: tuple[str, ...]
    type: TypeName | None
    value: Expression
    condition: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class SlotOption:
    """`спрашивается имя, когда E` (asked) / `исход имя` (outcome, output) / `сочетание имя:
    первое|единственное|любое` (combination)."""

    name: str
    kind: str  # "asked" | "outcome" | "combination"
    when: Expression | None
    mode: str | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class NormClause:
    """`может` (may), `вправе` (entitled), `запрещено` (forbid) патерны[, если C]."""

    kind: str  # "may" | "entitled" | "forbid"
    patterns: tuple[Pattern, ...]
    condition: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class DutyClause:
    """`обязан A [сразу | до B, … | без срока], пока C`."""

    pattern: Pattern
    deadline: str  # "now" | "before" | "none"
    before: tuple[Pattern, ...]
    condition: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class OnClause:
    """`при A[, если C]: эффекты`."""

    pattern: Pattern
    condition: Expression | None
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class EdgeClause:
    """`как только C: эффекты`; free variables of C that are declared variables are the clause's parameters."""

    condition: Expression
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ViolationClause:
    """`нарушение Ш-1(виновный, …) при A[, если C][, по R-…, …]`; `breaks`: the numbers that it offends against."""

    name: str
    offenders: tuple[Expression, ...]
    pattern: Pattern
    condition: Expression | None
    breaks: tuple[RuleName, ...] = ()
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class LapseClause:
    """`нарушение забыто при A[, если C]`."""

    pattern: Pattern
    condition: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class PenaltyClause:
    """`штраф Ш-1(виновный)[, если C]: эффекты`; in place of the number a variable, or `_` for any."""

    number: str
    arguments: tuple[Expression, ...]
    condition: Expression | None
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class EndingClause:
    """`конец, когда E`."""

    condition: Expression
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class InvariantClause:
    """`всегда E`."""

    holds: Expression
    span: Span = field(compare=False, kw_only=True)


BareClause: TypeAlias = (
    TermDefinition
    | NormClause
    | DutyClause
    | OnClause
    | EdgeClause
    | ViolationClause
    | LapseClause
    | PenaltyClause
    | EndingClause
    | InvariantClause
)


@dataclass(frozen=True, slots=True)
class Edged:
    """A clause with edges: `кроме R-…, R-…: clause` or `clause, несмотря на R-…` (excepts); `clause, после R-…`
    (after)."""

    clause: BareClause
    excepts: tuple[RuleName, ...]
    after: tuple[RuleName, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ReadingOption:
    letter: str
    label: str
    statements: tuple[Statement, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ReadingGroup:
    """`чтение А «…»: … чтение Б «…»: … принято А: «причина»`."""

    options: tuple[ReadingOption, ...]
    adopted: str
    reason: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ProcedureDeclaration:
    """`шаги R-4.4: R-4.4.1, R-4.4.2, …`."""

    procedure: str
    steps: tuple[RuleName, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class VariantDeclaration:
    """`вариант V: V-1, V-2` (a switch and the items whose clauses it carries)."""

    name: str
    rules: tuple[RuleName, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ProjectionDeclaration:
    """`проекция имя: зона, термин, …`."""

    name: str
    members: tuple[str, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class CheckDecksDeclaration:
    """`для проверки любая часть колоды[, с карта, …]`."""

    required: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Status:
    """`информативно «причина»` (informative) / `не формализовано «причина»` (pending)."""

    kind: str  # "informative" | "pending"
    reason: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`принять F201 R-1, R-2: «причина»`: a finding that is known and left."""

    code: str
    rules: tuple[RuleName, ...]
    reason: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ReadingWithdrawal:
    """In an amendment: `снять чтение А` (of the amended item)."""

    letter: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Answers:
    """In an amendment: `отвечает на «K-01»`: the finding this change answers."""

    findings: tuple[str, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Basis:
    """In an amendment: `основа «0123abcd»`: fingerprint of the item's text that the change was written against."""

    fingerprint: str
    span: Span = field(compare=False, kw_only=True)


Statement: TypeAlias = (
    ParameterDeclaration
    | SortDeclaration
    | ProductDeclaration
    | CatalogueDeclaration
    | SeatsDeclaration
    | VariablesDeclaration
    | ZoneDeclaration
    | RegisterDeclaration
    | StagesDeclaration
    | EventDeclaration
    | ClassDeclaration
    | ActionDeclaration
    | SlotOption
    | Edged
    | ReadingGroup
    | ProcedureDeclaration
    | VariantDeclaration
    | ProjectionDeclaration
    | CheckDecksDeclaration
    | Status
    | Acceptance
    | ReadingWithdrawal
    | Answers
    | Basis
)
