"""Effects as the editor wrote them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from svod.source import Span
from svod.syntax.tree_expressions import Expression


@dataclass(frozen=True, slots=True)
class Move:
    """`карта [из зона] → [под] зона [, положил E]` or `зона → зона`."""

    what: Expression
    source: Expression | None
    target: Expression
    to_bottom: bool
    author: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Assign:
    """`ячейка[(…)] := E` or, with `adds`, `+= E`."""

    register: str
    arguments: tuple[Expression, ...]
    value: Expression
    adds: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Raise:
    """`событие имя(…)`."""

    event: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Begin:
    """`начать этап`."""

    stage: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class GoTo:
    """`перейти к R-…`."""

    step: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class SetWindow:
    """`открыть окно[(…)]` (`opens`) / `закрыть окно[(…)]`."""

    window: str
    arguments: tuple[Expression, ...]
    opens: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Restore:
    """`восстановить положение`."""

    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ForEach:
    """`для всех x[, где C]: (эффекты)`."""

    variable: str
    where: Expression | None
    effects: tuple[Effect, ...]
    span: Span = field(compare=False, kw_only=True)


Effect: TypeAlias = Move | Assign | Raise | Begin | GoTo | SetWindow | Restore | ForEach
