"""What a search says about a rulebook: findings with a family, a grade, rules, a position to look at and a play
that leads there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from svod.diagnostics import Code, Severity, Text
from svod.norms.trace import Act, Position


class Family(Enum):
    """The families of `semantics`: what kind of defect a finding is."""

    STATIC = "static"
    CONTRADICTION = "contradiction"
    GAP = "gap"
    AMBIGUITY = "ambiguity"
    UNREACHABLE = "unreachable"
    INVARIANT = "invariant"
    INPUT = "input"  # an example that fails to run, an acceptance that matches nothing


class Grade(Enum):
    """How good the witness is, weakest first; `PROVED` and `UNKNOWN` stand apart.

    Only a `REACHABLE` finding has a play from a deal, and that play was replayed move by move in the engine.
    """

    TEXT = "text"  # read off the text, no position is needed
    LOCAL = "local"  # a well-typed state
    CONSISTENT = "consistent"  # satisfies the proved invariants
    REACHABLE = "reachable"
    PROVED = "proved"  # proved at the scope given, by induction
    UNKNOWN = "unknown"  # a budget ended first, or the question is not supported


@dataclass(frozen=True, slots=True)
class Scope:
    """What a verdict speaks about. `deck` counts the cards of a full deck; `cards` lists a reduced one by name.

    `players` as «3» or «2..8»; `switches` are the variants and readings in force («*» before a name: left free).
    """

    deck: str
    players: str
    cards: tuple[str, ...] = ()
    switches: tuple[str, ...] = ()
    edition: str = ""
    budget: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """One move of a play: the act, the rules that allowed it and the rules whose consequences followed. Of a move that
    is not `lawful` the rules against it stand for those that allowed it."""

    act: Act
    text: str
    by: str | None
    rules: tuple[str, ...]
    lawful: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `key` identifies it across runs (code and rules, not the witness)."""

    code: Code
    family: Family
    grade: Grade
    rules: tuple[str, ...]
    title: Text
    verdict: Text
    method: str
    scope: Scope
    seconds: float
    severity: Severity
    position: Position | None = None
    position_json: Mapping[str, object] | None = None
    play: tuple[Move, ...] = ()
    accepted: str | None = None

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        return (self.code.name, self.rules)

    @property
    def is_error(self) -> bool:
        """True for what makes `svod check` exit with 1."""
        return self.severity is Severity.ERROR and self.accepted is None
