"""The norms: the one typed intermediate form from which engine, constraints and prose follow.

What goes in: declarations and clauses of a rulebook whose parameters (deck, number of players) have values,
with every name resolved and every expression typed. What comes out: frozen data, nothing computed.

Meaning, in brief (the long form is `site/docs/language/meaning.md`):

* A *state* gives every card a zone (and a position where the zone is a pile, and who laid it where the zone
  keeps authors), every register a value, and every pending event a bit. Only quiescent states are seen outside.
* A *step* is one act: its body, then waves of triggers until none is enabled, then the slots that are asked for.
* A *breach* is entered by the step itself: the violations whose guard the act meets in the state before it, or, if the
  act is unlawful and no violation is met, the catalogue's `other` for its actor. Lapses come first. The *frame* is the
  state before the first open breach; it is kept while the record is not empty.
* Every expression has two faces, defined and value; `and`, `or`, `if` shield what follows them. A guard, a filter
  or a quantifier instance that is undefined counts as not met. An undefined right-hand side is a hole.
* `fires(clause) = guard and not any(fires(e) for e in clause.exceptions)`, instance by instance.

NOTE(closed unions): every backend matches on `Expression`, `Effect`, `Clause` and ends in `assert_never`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from svod.norms.clauses import (
    BlockedAction,
    Cause,
    Clause,
    Deadline,
    Duty,
    Ending,
    Exempt,
    Head,
    Invariant,
    Lapse,
    OnAct,
    OnEdge,
    OnEvent,
    Permission,
    Prohibition,
    TermClause,
    Trigger,
    Violation,
)
from svod.norms.declarations import (
    Action,
    Catalogue,
    Combination,
    Event,
    Register,
    Sort,
    Term,
    Visibility,
    Zone,
)
from svod.norms.effects import (
    Assign,
    Effect,
    ForEach,
    Move,
    MoveAll,
    MoveCard,
    Post,
    Raise,
    Restore,
)
from svod.norms.expressions import (
    And,
    Arithmetic,
    Author,
    Before,
    Best,
    Boolean,
    Bottom,
    CardAbove,
    Choose,
    Compare,
    Component,
    Compose,
    Count,
    Distance,
    Exists,
    Expression,
    Extreme,
    FirstClockwise,
    ForAll,
    Happened,
    InZone,
    Lawful,
    Member,
    Not,
    Nothing,
    Number,
    Only,
    Operator,
    Or,
    Present,
    ReadRegister,
    ReadTerm,
    Relation,
    SeatCount,
    Size,
    StepValue,
    Sum,
    Switch,
    Top,
    Truth,
    Type,
    Value,
    Variable,
    Whole,
    ZoneRef,
    ZonesHolding,
)
from svod.source import Span

__all__ = [
    "Acceptance",
    "Action",
    "And",
    "Arithmetic",
    "Assign",
    "Author",
    "Before",
    "Best",
    "BlockedAction",
    "Boolean",
    "Bottom",
    "CardAbove",
    "Catalogue",
    "Cause",
    "CheckDecks",
    "Choose",
    "Clause",
    "Combination",
    "Compare",
    "Component",
    "Compose",
    "Count",
    "Deadline",
    "Distance",
    "Duty",
    "Effect",
    "Ending",
    "Event",
    "Exempt",
    "Exists",
    "Expression",
    "Extreme",
    "FirstClockwise",
    "ForAll",
    "ForEach",
    "Happened",
    "Head",
    "InZone",
    "Invariant",
    "Lapse",
    "Lawful",
    "Member",
    "Move",
    "MoveAll",
    "MoveCard",
    "Norms",
    "Not",
    "Nothing",
    "Number",
    "OnAct",
    "OnEdge",
    "OnEvent",
    "Only",
    "Operator",
    "Or",
    "Outcome",
    "Permission",
    "Post",
    "Present",
    "Procedure",
    "Prohibition",
    "Projection",
    "Raise",
    "ReadRegister",
    "ReadTerm",
    "Reading",
    "Register",
    "Relation",
    "Restore",
    "SeatCount",
    "Size",
    "Sort",
    "StepValue",
    "Sum",
    "Switch",
    "Term",
    "TermClause",
    "Top",
    "Trigger",
    "Truth",
    "Type",
    "Unbounded",
    "Value",
    "Variable",
    "Variant",
    "Violation",
    "Visibility",
    "Whole",
    "Zone",
    "ZoneRef",
    "ZonesHolding",
]


@dataclass(frozen=True, slots=True)
class Reading:
    """An item that can be read in several ways: letter → what it says; one is adopted."""

    rule: str
    options: tuple[tuple[str, str], ...]
    adopted: str
    reason: str

    def switch(self, letter: str) -> str:
        """Name of the switch that is on under this letter."""
        return f"{self.rule}={letter}"

    @property
    def switches(self) -> frozenset[str]:
        """Names of the switches of all letters."""
        return frozenset(self.switch(letter) for letter, _ in self.options)

    def letter(self, switches: frozenset[str]) -> str:
        """The letter in force; the adopted one if the switches do not say."""
        return next((letter for letter, _ in self.options if self.switch(letter) in switches), self.adopted)

    def read_as(self, letter: str, switches: frozenset[str]) -> frozenset[str]:
        """The switches in force with this item read by the letter instead."""
        return switches - self.switches | {self.switch(letter)}


@dataclass(frozen=True, slots=True)
class Variant:
    """A house rule that can be switched on: its name and the numbers it carries."""

    name: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Projection:
    """A named view of a state: these zones (with authors where kept) and these terms; nothing else counts."""

    name: str
    zones: tuple[str, ...]
    terms: tuple[str, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result per player, read when the play is over."""

    term: str


@dataclass(frozen=True, slots=True)
class CheckDecks:
    """Reduced decks declared «для проверки»: any subset of the cards that contains `required`."""

    card_sort: str
    required: tuple[int, ...]
    zone: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps of a procedure in the order listed: its number, the register that holds the step, numbers of the steps.

    The pass-on triggers are ordinary clauses of the rule `number`.
    """

    number: str
    register: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A finding that the rulebook knows and leaves: its code, the rules it names, why; `rule` is where it stands."""

    code: str
    rules: tuple[str, ...]
    reason: str
    rule: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Unbounded:
    """A parameter that the text uses and never bounds (`?`)."""

    parameter: str
    rule: str
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Norms:
    """Everything a rulebook means at fixed parameters. Names are unique within each kind.

    `parameters` are the values chosen (deck, number of players). A play starts with every register at its initial
    value,
    every zone empty but `filled`, which holds the cards of `deck` (value numbers; all of the sort unless reduced),
    and is
    settled. The switches on by default are the adopted option of each reading.
    """

    rulebook: str
    edition: str
    parameters: tuple[tuple[str, str], ...]
    sorts: tuple[Sort, ...]
    seats: str
    card_sort: str
    zones: tuple[Zone, ...]
    registers: tuple[Register, ...]
    events: tuple[Event, ...]
    terms: tuple[Term, ...]
    actions: tuple[Action, ...]
    clauses: tuple[Clause, ...]
    filled: str
    deck: tuple[int, ...] = ()
    readings: tuple[Reading, ...] = ()
    variants: tuple[Variant, ...] = ()
    projections: tuple[Projection, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    check_decks: CheckDecks | None = None
    stage_register: str | None = None
    procedures: tuple[Procedure, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()
    unbounded: tuple[Unbounded, ...] = ()
    catalogue: Catalogue | None = None

    @property
    def player_count(self) -> int:
        """Number of seats."""
        return len(self.sort(self.seats).values)

    @property
    def switches(self) -> tuple[str, ...]:
        """Every switch, in order of declaration: the variants, then each letter of each reading."""
        variants = (variant.name for variant in self.variants)
        letters = (reading.switch(letter) for reading in self.readings for letter, _ in reading.options)
        return tuple(dict.fromkeys((*variants, *letters)))

    def sort(self, name: str) -> Sort:
        """The sort of this name; KeyError if there is none (a bug: names are resolved)."""
        for sort in self.sorts:
            if sort.name == name:
                return sort
        raise KeyError(name)
