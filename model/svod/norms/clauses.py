"""Clauses of the norms: what decides the value of a slot, the lawfulness of an act, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from svod.norms.effects import Effect
from svod.norms.expressions import Expression, Variable
from svod.source import Span


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

    NOW = "now"  # blocks the bearer's acts of turn classes and of kinds that some duty obliges
    BEFORE = "before"  # blocks the acts named in `blocks`
    NONE = "none"  # owed without a term; blocks nothing


@dataclass(frozen=True, slots=True)
class Duty:
    """A derived duty: while the guard is met, the bearer must perform an act of `action` with these arguments.

    `head.variables` name one duty (bearer included); `arguments` may leave a place open (`None`: his choice).
    What is obliged is thereby permitted. `blocks` is filled for every deadline: for `NOW` the lowering lists all
    actions
    of classes marked turn, and all actions that some duty obliges, with the bearer as actor. A duty never blocks an act
    that fulfils it.
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
    """Fires for each valuation of the clause's variables for which `guard ∧ no exception` was false a wave ago and is
    true now."""


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
    """What a breach is called: the act `action`, with the guard read before it, makes `offenders` guilty of `name`.

    `head.variables` are the action's parameters, in order. Where the actor is among the offenders the clause also
    forbids the act. `breaks`: numbers of the norms that the breach offends against.
    """

    head: Head
    name: str
    action: str
    offenders: tuple[Expression, ...]
    breaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lapse:
    """An act of `action` with the guard met before it ends every open breach: the record is emptied, the frame dropped,
    before the breaches of that very act are entered. `head.variables` are the action's parameters, in order."""

    head: Head
    action: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The play is over while the guard is met."""

    head: Head


@dataclass(frozen=True, slots=True)
class Invariant:
    """`holds` in every quiescent state of lawful play; with `Before` it speaks of steps (and holds at the start)."""

    head: Head
    holds: Expression


Clause: TypeAlias = TermClause | Permission | Prohibition | Duty | Trigger | Violation | Lapse | Ending | Invariant
