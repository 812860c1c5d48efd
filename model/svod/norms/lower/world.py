"""What the names of a rulebook stand for while its clauses are being lowered: declarations in, look-ups out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.rulebook.names import BUILTINS, Builtin, nearest
from svod.source import Span
from svod.syntax import tree
from svod.syntax.lookalike import skeleton


@dataclass(frozen=True, slots=True)
class ActClass:
    """A declared class of actions."""

    name: str
    turn: bool
    silence_permits: bool


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition of a slot where it stands: item, overlay and readings are known to the clause pass."""

    rule: str
    definition: tree.TermDefinition


@dataclass
class Slot:
    """A term while it is being typed. `type` is None until it is known; `busy` while it is being inferred."""

    name: str
    rule: str
    parameters: tuple[ir.Variable, ...]
    declared: tree.TypeName | None
    definitions: list[Definition] = field(default_factory=list)
    type: ir.Type | None = None
    busy: bool = False
    failed: bool = False
    asked: tree.Expression | None = None
    asked_rule: str = ""
    combination: ir.Combination = ir.Combination.UNIQUE
    output: bool = False
    span: Span | None = None


@dataclass
class World:
    """Every declared name. Filled by `declarations`, then only read (slots get their types on demand).

    The sort named "" stands for seats or cards that a rulebook lacks, so that the rest of it can still be looked at.
    `numbers` are those of the items, in text order. `broken` are names whose declaration has a reported problem: what
    uses them says nothing more.
    """

    language: str
    problems: Problems
    numbers: tuple[str, ...] = ()
    parameters: dict[str, int] = field(default_factory=dict)
    seats_parameter: str | None = None
    sorts: dict[str, ir.Sort] = field(default_factory=lambda: {"": ir.Sort("", (), ordered=True)})
    values: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)
    zones: dict[str, ir.Zone] = field(default_factory=dict)
    registers: dict[str, ir.Register] = field(default_factory=dict)
    events: dict[str, ir.Event] = field(default_factory=dict)
    classes: dict[str, ActClass] = field(default_factory=dict)
    actions: dict[str, ir.Action] = field(default_factory=dict)
    slots: dict[str, Slot] = field(default_factory=dict)
    procedures: dict[str, ir.Procedure] = field(default_factory=dict)
    catalogue: ir.Catalogue | None = None
    declared: dict[str, tuple[str, Span | None]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    seats: str = ""
    card_sort: str = ""
    filled: str = ""
    stage_register: str | None = None

    @property
    def builtins(self) -> dict[str, Builtin]:
        """Built-in functions by the words of the rulebook's language."""
        return BUILTINS[self.language]

    def add_sort(self, sort: ir.Sort) -> None:
        """Declare a sort and its values (a name that is repeated counts once)."""
        sort = replace(sort, values=tuple(dict.fromkeys(sort.values)))
        self.sorts[sort.name] = sort
        for index, value in enumerate(sort.values):
            self.values.setdefault(value, []).append((sort.name, index))

    def value_in(self, sort: str, name: str) -> int | None:
        """Number of the value of this name in the sort."""
        return next((index for owner, index in self.values.get(name, ()) if owner == sort), None)

    def component_sorts(self, word: str) -> Iterator[tuple[str, int]]:
        """Products of which the function `word` names a factor (the factor's name in lower case), with its place."""
        for sort in self.sorts.values():
            for place, factor in enumerate(sort.factors):
                if word == factor.lower():
                    yield sort.name, place

    def expression_words(self) -> set[str]:
        """Words that may stand in an expression, for help with a mistyped one."""
        components = {factor.lower() for sort in self.sorts.values() for factor in sort.factors}
        names = {*self.variables, *self.parameters, *self.registers, *self.slots, *self.values, *self.zones}
        return names | components | set(self.builtins)


class Moment(Enum):
    """Which states an expression may speak of besides the present one."""

    STATE = "state"
    TRIGGER = "trigger"
    INVARIANT = "invariant"


def suggestion(word: str, known: set[str]) -> Text | None:
    """Help that offers the nearest known word, and says so if it merely looks the same."""
    guess = nearest(word, known)
    if guess is None:
        return None
    if skeleton(guess) == skeleton(word):
        return Text(
            f"есть «{guess}»: выглядит так же, но записано другими буквами",
            f"there is “{guess}”: it looks the same but is written with other letters",
        )
    return Text(f"может быть, «{guess}»?", f"perhaps “{guess}”?")


def report_unknown(
    world: World,
    problems: Problems,
    kind: tuple[str, str],
    word: str,
    known: set[str],
    span: Span,
    rule: str,
    code: Code,
) -> None:
    """Report that `word` is no known `kind` (Russian and English noun). Silent where its declaration is at fault."""
    if word in world.broken:
        return
    problems.report(
        code,
        Text(f"неизвестно: {kind[0]} «{word}»", f"unknown {kind[1]} “{word}”"),
        span,
        rule=rule,
        help=suggestion(word, known) or _elsewhere(world, word),
    )


def _elsewhere(world: World, word: str) -> Text | None:
    place = world.declared.get(word)
    if place is None:
        return None
    return Text(f"«{word}» объявлено в {place[0]} как другое", f"“{word}” is declared in {place[0]} as something else")


def declare(world: World, name: str, rule: str, span: Span) -> bool:
    """Take a name for a declaration; False (and a report) if it is taken already."""
    if name in world.builtins:
        world.problems.report(
            codes.BUILTIN_NAME,
            Text(f"«{name}» это встроенная функция", f"“{name}” is a built-in function"),
            span,
            rule=rule,
        )
        return False
    twin = next((other for other in world.declared if other != name and skeleton(other) == skeleton(name)), None)
    if name in world.declared:
        first = world.declared[name]
        world.problems.report(
            codes.DECLARED_TWICE,
            Text(f"имя «{name}» уже объявлено в {first[0]}", f"the name “{name}” is declared in {first[0]} already"),
            span,
            rule=rule,
        )
        return False
    if twin is not None:
        world.problems.report(
            codes.LOOKALIKE_NAME,
            Text(
                f"имя «{name}» неотличимо на глаз от «{twin}» ({world.declared[twin][0]})",
                f"the name “{name}” looks the same as “{twin}” ({world.declared[twin][0]})",
            ),
            span,
            rule=rule,
        )
    world.declared[name] = (rule, span)
    return True
