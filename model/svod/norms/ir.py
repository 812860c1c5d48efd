"""The norms: the one typed intermediate form from which engine, constraints and prose follow.

What goes in: declarations and clauses of a rulebook whose parameters (deck, number of players) have values,
with every name resolved and every expression typed. What comes out: frozen data, nothing computed.

Meaning, in brief (the long form is `site/docs/language/meaning.md`):

* A *state* gives every card a zone (and a position where the zone is a pile, and who laid it where the zone
  keeps authors), every register a value, and every pending event a bit. Only quiescent states are seen outside.
* A *step* is one act: its body, then waves of triggers until none is enabled, then the slots that are asked for.
* Every expression has two faces, defined and value; `and`, `or`, `if` shield what follows them. A guard, a filter
  or a quantifier instance that is undefined counts as not met. An undefined right-hand side is a hole.
* `fires(clause) = guard and not any(fires(e) for e in clause.exceptions)`, instance by instance.

NOTE(closed unions): every backend matches on `Expression`, `Effect`, `Clause` and ends in `assert_never`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from svod.source import Span

# ---------------------------------------------------------------------------------------------------- types


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


# ---------------------------------------------------------------------------------------------- declarations


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
    `part_of`: the zone of the text that a zone made for modelling belongs to.
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
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Register:
    """A cell with a finite value, or one cell for each tuple of `index` sorts; `initial` at the start of a play.

    `ledger`: an unbounded whole number to which postings add up.
    `output`: nothing that decides lawfulness reads it; an undefined write leaves it unchanged and is recorded as a
    soft hole, play goes on (core decision D7).
    """

    name: str
    index: tuple[str, ...]
    type: Type
    initial: Expression
    rule: str
    ledger: bool = False
    output: bool = False
    stage: str | None = None
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
    An act is possible when `possible` is met and every move of `body` is defined (the card lies where it is taken from).
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


# ----------------------------------------------------------------------------------------------- expressions


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
)


# --------------------------------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class MoveCard:
    """`card` leaves `source` and is laid on top (or under the `bottom`) of `target`; undefined if it is not in `source`.

    `author`: who laid it, where `target` keeps authors (in a body the actor); `None` = nobody.
    """

    card: Expression
    source: ZoneRef
    target: ZoneRef
    to_bottom: bool
    author: Expression | None


@dataclass(frozen=True, slots=True)
class MoveAll:
    """Every card of `source` goes to `target`; onto a pile in the order they had, with their authors if both keep them."""

    source: ZoneRef
    target: ZoneRef


@dataclass(frozen=True, slots=True)
class Assign:
    """Register := value; an undefined value is a hole (soft for output registers), one out of range a limit."""

    register: str
    arguments: tuple[Expression, ...]
    value: Expression


@dataclass(frozen=True, slots=True)
class Post:
    """Register += amount; postings of one wave add up."""

    register: str
    arguments: tuple[Expression, ...]
    amount: Expression


@dataclass(frozen=True, slots=True)
class Raise:
    """The event happens; its triggers fire in the next wave."""

    event: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ForEach:
    """The effects for every value of the variable with `where`, all at once."""

    variable: Variable
    where: Expression
    effects: tuple[Effect, ...]


Move: TypeAlias = MoveCard | MoveAll
Effect: TypeAlias = MoveCard | MoveAll | Assign | Post | Raise | ForEach


# --------------------------------------------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class Exempt:
    """An exception edge: the clause does not fire for an instance for which clause `by` fires.

    `bindings` pairs variables of `by` (names) with variables of the excepted clause (names); variables of `by` without
    a pair are quantified: any value will do.
    """

    by: str
    bindings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What all clauses share.

    `id` is unique («R-3.3#1»), `rule` the number it stands under. `variables` are bound by the clause's pattern;
    `guard` includes the equalities that the pattern states. `guard` already contains its switches
    (variant, reading) as `Switch` conjuncts. `amended_by` names the overlay that wrote or changed it.
    """

    id: str
    rule: str
    variables: tuple[Variable, ...]
    guard: Expression
    exceptions: tuple[Exempt, ...] = ()
    reading: str | None = None
    variant: str | None = None
    amended_by: str | None = None
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class TermClause:
    """Gives the slot `term` a value; `head.variables` are the slot's parameters, in order."""

    head: Head
    term: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Permission:
    """`strong` (entitled): a right, which against a forbid without an exception edge is a clash;
    weak (may): what a turn offers, yields to any forbid. `head.variables` are the action's parameters, in order."""

    head: Head
    action: str
    strong: bool


@dataclass(frozen=True, slots=True)
class Prohibition:
    """Forbids the acts of `action` that meet the guard."""

    head: Head
    action: str


@dataclass(frozen=True, slots=True)
class BlockedAction:
    """Acts that a pending duty blocks: all acts of `action` whose arguments equal those given (`None` = any)."""

    action: str
    arguments: tuple[Expression | None, ...]


class Deadline(Enum):
    """Until when a duty has to be done; only `NOW` and `BEFORE` block anything."""

    NOW = "now"  # blocks every other act of the bearer whose action belongs to a turn class, and every other obliged kind
    BEFORE = "before"  # blocks the acts named in `blocks`
    NONE = "none"  # owed without a term; blocks nothing


@dataclass(frozen=True, slots=True)
class Duty:
    """A derived duty: while the guard is met, the bearer must perform an act of `action` with these arguments.

    `head.variables` name one duty (bearer included); `arguments` may leave a place open (`None`: his choice).
    What is obliged is thereby permitted. `blocks` is filled for every deadline: for `NOW` the lowering lists all actions
    of classes marked turn, and all actions that some duty obliges, with the bearer as actor. A duty never blocks an act that fulfils it.
    """

    head: Head
    bearer: Expression
    action: str
    arguments: tuple[Expression | None, ...]
    deadline: Deadline
    blocks: tuple[BlockedAction, ...]


@dataclass(frozen=True, slots=True)
class OnAct:
    """Fires after the body of an act. `bindings[i]` is the variable bound to parameter i, or `None`.
    A clause on a whole class is lowered to one trigger for each action of the class."""

    action: str
    bindings: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class OnEvent:
    event: str
    bindings: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class OnEdge:
    """Fires for each valuation of the clause's variables for which `guard ∧ no exception` was false a wave ago and is true now."""


Cause: TypeAlias = OnAct | OnEvent | OnEdge


@dataclass(frozen=True, slots=True)
class Trigger:
    """An automatic consequence. For `OnEdge` the head's guard is the condition whose rise fires it.

    `after`: rules whose triggers, enabled in the same wave, go first (strata); this one keeps its event meanwhile.
    """

    head: Head
    cause: Cause
    effects: tuple[Effect, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Violation:
    """What a breach is called: the act `action` with the guard read before the act makes `offenders` guilty of `name`."""

    head: Head
    name: str
    action: str
    offenders: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a breach costs: effects once it is judged."""

    head: Head
    violation: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The play is over while the guard is met."""

    head: Head


@dataclass(frozen=True, slots=True)
class Invariant:
    """`holds` in every quiescent state of lawful play; with `Before` it speaks of steps (and holds at the start)."""

    head: Head
    holds: Expression


Clause: TypeAlias = (
    TermClause | Permission | Prohibition | Duty | Trigger | Violation | Penalty | Ending | Invariant
)


# ----------------------------------------------------------------------------------------------------- whole


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

    `parameters` are the values chosen (deck, number of players). `start` are effects that make the first state from
    one where all registers are initial and every zone is empty; a `MoveCard`/`MoveAll` never occurs there, `filled` says which
    zone holds the cards of `deck` (value numbers; all of the sort unless reduced) at the start. `adopted` are the switches that are on by default.
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

    @property
    def player_count(self) -> int:
        """Number of seats."""
        return len(self.sort(self.seats).values)

    def sort(self, name: str) -> Sort:
        """The sort of this name; KeyError if there is none (a bug: names are resolved)."""
        for sort in self.sorts:
            if sort.name == name:
                return sort
        raise KeyError(name)
