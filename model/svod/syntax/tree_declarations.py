"""Declarations as the editor wrote them: parameters, sorts, zones, registers, stages, kinds of act."""

from __future__ import annotations

from dataclasses import dataclass, field

from svod.source import Span
from svod.syntax.tree_effects import Effect
from svod.syntax.tree_expressions import Expression


@dataclass(frozen=True, slots=True)
class ParameterDeclaration:
    """`параметр имя: a | b` / `a..b` / `?` (the text gives no bounds: `values` is None)."""

    name: str
    values: tuple[int, ...] | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class SortDeclaration:
    """`сорт имя: a | b`, `порядок имя: a < b` (`ordered`), with an optional condition on parameters."""

    name: str
    values: tuple[str, ...]
    ordered: bool
    condition: Expression | None
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ProductDeclaration:
    """`сорт Карта: Номинал × Масть`."""

    name: str
    factors: tuple[str, str]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class CatalogueDeclaration:
    """`каталог Статья: Ш, иначе иное`: a sort of the numbers of all items with this letter, and `other`."""

    name: str
    prefix: str
    other: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class SeatsDeclaration:
    """`места Игрок: игроков, имена П`: values П1, П2, … as many as the parameter says, a ring clockwise."""

    name: str
    parameter: str
    prefix: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class VariablesDeclaration:
    """`переменные a, b: Sort`: from here on these words are variables of the sort."""

    names: tuple[str, ...]
    sort: str
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ZoneDeclaration:
    """`зона имя[(Сорт)]: стопка|набор[, с авторами][, видят все|видит владелец|не видит никто][, не больше E][,
    часть имя][, полна в начале][, вне снимка]`."""

    name: str
    owner: str | None
    pile: bool
    authors: bool
    visibility: str  # "all" | "owner" | "nobody"
    capacity: Expression | None
    part_of: str | None
    filled: bool
    outside_frame: bool = False
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class TypeName:
    """Type of a register or term: a sort, inline values `a | b`, a range `E..E`, or «да или нет»; optional with
    `или нет`."""

    sort: str | None
    values: tuple[str, ...]
    low: Expression | None
    high: Expression | None
    truth: bool
    optional: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class RegisterDeclaration:
    """`ячейка имя[(Сорт, …)]: тип [= E][, итог][, на этап имя][, вне снимка]`; `счёт имя[(…)] [= E]` is a ledger;
    `окно имя[(…)]` is a window, whose places may be named by variables."""

    name: str
    index: tuple[str, ...]
    type: TypeName | None
    initial: Expression | None
    output: bool
    stage: str | None
    ledger: bool
    outside_frame: bool = False
    window: bool = False
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class StagesDeclaration:
    """`этапы раздача, игра`: the first one is the stage at the start."""

    names: tuple[str, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class EventDeclaration:
    """`событие имя(переменные)` as a declaration."""

    name: str
    parameters: tuple[str, ...]
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ClassDeclaration:
    """`класс имя[, ведёт игру][, молчание разрешает]`: `turn` = its acts make the play progress."""

    name: str
    turn: bool
    silence_permits: bool
    span: Span = field(compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class ActionDeclaration:
    """`действие имя(переменные)[: класс][, случай x] [возможно, если E] [тело: …]`; `случай имя(…)` is an act of
    nobody (`by_chance`)."""

    name: str
    parameters: tuple[str, ...]
    act_class: str | None
    chance: tuple[str, ...]
    by_chance: bool
    possible: Expression | None
    body: tuple[Effect, ...]
    span: Span = field(compare=False, kw_only=True)
