"""In: acts from a deal. Out: the same play replayed move by move in the engine and in the naive evaluator, with the
rules behind it.

Nothing that a search says counts until it has been through here: a witness that does not reproduce is our own fault,
never a
finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from svod.diagnostics import InternalError
from svod.engine.play import Engine
from svod.findings import Move
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Next, Position, Status, StepOutcome


class Disagreement(InternalError):
    """Two of our own ways to the same answer differ: exit code 3, with what differs."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A play that was replayed. `positions[i]` is the position before move i, the last one is where it ended (or from
    where
    the last step failed); `outcome` is that of the last step, or of the start for a play without moves."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    outcome: StepOutcome

    @property
    def position(self) -> Position | None:
        """The last quiescent position, if the start settled."""
        return self.positions[-1] if self.positions else None


def act_text(norms: ir.Norms, act: Act) -> str:
    """The act as the rulebook writes it: `побить(П1, 9♦)`."""
    action = action_named(norms, act.action)
    values = (norms.sort(v.sort).values[i] for v, i in zip(action.parameters, act.arguments, strict=True))
    return f"{act.action}({', '.join(values)})" if act.arguments else act.action


def actor_of(norms: ir.Norms, act: Act) -> int | None:
    """The seat that acts, None for chance."""
    actor = action_named(norms, act.action).actor
    return None if actor is None else act.arguments[actor]


def action_named(norms: ir.Norms, name: str) -> ir.Action:
    """The action of this name; KeyError if there is none."""
    for action in norms.actions:
        if action.name == name:
            return action
    raise KeyError(name)


def rules_of(norms: ir.Norms, clauses: Iterable[str]) -> tuple[str, ...]:
    """Numbers of the items in which these clauses stand, each once, in the order given."""
    where = {clause.head.id: clause.head.rule for clause in norms.clauses}
    return tuple(dict.fromkeys(where[clause] for clause in clauses if clause in where))


def replay(engine: Engine, acts: Sequence[Act], *, naive: Naive | None = None, breaches: bool = False) -> Replay:
    """Replay a play from the start. `Disagreement` if the evaluators differ or an act is not lawful where it is made;
    with `breaches` it need only be possible."""
    norms = engine.norms
    outcome = engine.initial()
    if naive is not None:
        _same(norms, "the start", outcome, (naive.initial(norms.deck),))
    positions: list[Position] = []
    moves: list[Move] = []
    if isinstance(outcome, Next):
        positions.append(outcome.position)
    for number, act in enumerate(acts):
        if not isinstance(outcome, Next):
            raise Disagreement("replay", f"move {number + 1} comes after the play stopped")
        before = outcome.position
        text = act_text(norms, act)
        decision = engine.decide(before, act)
        lawful = decision.status is Status.LAWFUL
        if decision.status is Status.IMPOSSIBLE or not (lawful or breaches):
            raise Disagreement("replay", f"move {number + 1}, {text}, is {decision.status.name.lower()}, not lawful")
        outcome = engine.step(before, act)
        if naive is not None:
            if naive.status(before, act) is not decision.status:
                raise Disagreement("replay", f"the naive evaluator does not find {text} {decision.status.name.lower()}")
            _same(norms, text, outcome, naive.outcomes(before, act))
        seat = actor_of(norms, act)
        by = None if seat is None else norms.sort(norms.seats).values[seat]
        said = decision.permitted_by if lawful else (*decision.forbidden_by, *decision.blocked_by)
        moves.append(Move(act, text, by, rules_of(norms, (*said, *outcome.fired)), lawful))
        if isinstance(outcome, Next):
            positions.append(outcome.position)
    return Replay(tuple(positions), tuple(moves), outcome)


def _same(norms: ir.Norms, text: str, outcome: StepOutcome, others: Sequence[StepOutcome]) -> None:
    if not any(_equal(outcome, other) for other in others):
        raise Disagreement("replay", f"engine and naive evaluator differ on {text}: {outcome!r} against {others[0]!r}")


def _equal(one: StepOutcome, other: StepOutcome) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, Next) and isinstance(other, Next):
        mine, theirs = one.position, other.position
        return (mine.zones, mine.registers, mine.frame) == (theirs.zones, theirs.registers, theirs.frame)
    return True
