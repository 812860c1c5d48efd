"""What a question to the solver is answered with: a verdict, what it speaks about, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from svod.constraints.to_trace import Witness


class Kind(Enum):
    """The questions. Each is put so that `Holds` means: nothing is wrong (or: proved)."""

    CONTRADICTION = "no act is both a right and forbidden"
    DILEMMA = "no duty demands what is forbidden or what another duty blocks"
    CLASH = "two clauses of a slot that is asked for never differ"
    HOLE = "a slot that is asked for has a value"
    STEP_HOLE = "no act leads to a hole"
    UNCOVERED = "an unlawful act is a breach with a number"
    UNMET = "what a duty demands can be done lawfully"
    RACE = "two rules never write one place differently after one act"
    LIMIT = "no act goes over a declared bound"
    DEAD_END = "a play that is not over goes on"
    NEVER_FIRES = "the clause never fires"
    INVARIANT = "the invariant holds in every state of lawful play"
    CONSERVATION = "a step from a well-typed state leads to one"
    READINGS = "the two readings never differ"
    VARIANT = "the variant changes nothing"
    WAVES = "settling ends within the waves that were built"


@dataclass(frozen=True, slots=True)
class Holds:
    """Proved in the scope. `core`: rules (or conditions) that the proof needed, where it names them; `method`: how."""

    method: str
    core: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fails:
    """Refuted by a witness."""

    witness: Witness


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not decided. A witness, where there is one, is a step that keeps a proof by induction from closing."""

    reason: str
    witness: Witness | None = None


Verdict: TypeAlias = Holds | Fails | Unknown


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """What the answer speaks about. `players` as «3» or «2..8»; `switches` in force, «*» before those left free;
    `invariants`: ids of proved invariants that states were taken to satisfy; `waves`: how many were built."""

    cards: int
    players: str
    switches: tuple[str, ...]
    budget: str
    invariants: tuple[str, ...] = ()
    waves: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """`clauses` and `rules` are those the question is about; `place` the slot, action, zone or register."""

    kind: Kind
    verdict: Verdict
    clauses: tuple[str, ...]
    rules: tuple[str, ...]
    place: str
    scope: QuestionScope
    seconds: float
