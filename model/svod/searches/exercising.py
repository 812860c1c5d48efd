"""In: norms, positions and acts. Out: ids of the clauses that had a part in what was said and done, term by term.

A clause has a part if it decides on an act, fires, excepts another, or gives a term a value that something with a part
reads. Clauses whose guards were looked at in vain have none, unless their failing is what decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svod.naive.evaluator import Naive
from svod.naive.reader import Reader
from svod.naive.world import Environment, Scene, Slot, Value, World
from svod.norms import ir
from svod.norms.trace import Act, Decision, Position, Status, StepOutcome


class Listener(Reader):
    """A reader that keeps what each reading rests on. `parts`: clause id → all that its last firings rest on."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.parts: dict[str, set[str]] = {}
        self._open: list[set[str]] = [set()]
        self._slots: dict[tuple[int, str, tuple[Value, ...]], frozenset[str]] = {}
        self._kept: list[Scene] = []  # so that no other scene gets the id of one that is gone

    def begin(self) -> None:
        """Listen from here."""
        self._open.append(set())

    def end(self) -> set[str]:
        """What was heard since the last `begin`."""
        return self._open.pop()

    def forget(self) -> None:
        """Let go of scenes that will not be read again."""
        self.parts.clear()
        self._slots.clear()
        self._kept.clear()

    def slot(self, name: str, arguments: tuple[Value, ...], scene: Scene) -> Slot:
        key = (id(scene), name, arguments)
        known = self._slots.get(key)
        if known is None:
            self._kept.append(scene)
            self.begin()
            said = super().slot(name, arguments, scene)
            known = self._slots[key] = frozenset(self.end().union(said.clauses))
        else:
            said = super().slot(name, arguments, scene)
        self._open[-1].update(known)
        return said

    def fires(self, clause: ir.Clause, env: Environment, scene: Scene) -> bool:
        self.begin()
        met = self.met(clause.head.guard, env, scene)
        excepting = self.excepting(clause, env, scene) if met else ()
        heard = self.end()
        if met:
            self._open[-1] |= heard.union(excepting or {clause.head.id})
        return met and not excepting

    def firing(self, clause: ir.Clause, bound: Environment, scene: Scene) -> Iterator[Environment]:
        self.begin()
        found: list[Environment] = []
        excepting: set[str] = set()
        for env in self.solutions(clause.head.variables, clause.head.guard, bound, scene):
            by = self.excepting(clause, env, scene)
            excepting.update(by)
            if not by:
                found.append(env)
        heard = self.end() | excepting
        identifier = clause.head.id
        if found:
            self.parts.setdefault(identifier, set()).update(heard, {identifier})
        # What a trigger rests on counts when it is known to have fired: an edge that stands is looked at in every wave.
        if isinstance(clause, ir.Trigger):
            if excepting and not isinstance(clause.cause, ir.OnEdge):
                self._open[-1] |= heard
        elif found:
            self._open[-1] |= heard | {identifier}
        elif excepting:
            self._open[-1] |= heard
        return iter(found)


class Exercised:
    """Plays norms by their definitions, and tells which clauses had a part."""

    def __init__(self, norms: ir.Norms, switches: Iterable[str]) -> None:
        self.norms = norms
        self.naive = Naive(norms, switches, reader=Listener)
        listener = self.naive.reader
        assert isinstance(listener, Listener)
        self._listener = listener
        self._at: Position | None = None
        self._endings = [clause for clause in norms.clauses if isinstance(clause, ir.Ending)]
        self._invariants = [clause for clause in norms.clauses if isinstance(clause, ir.Invariant)]

    def start(self) -> tuple[StepOutcome, frozenset[str]]:
        """The start of a play."""
        self._listener.begin()
        outcome = self.naive.initial()
        return outcome, self._whole(self._listener.end(), outcome.fired)

    def step(self, position: Position, act: Act) -> tuple[StepOutcome, frozenset[str]]:
        """What follows from a possible act: the clauses that decide on it, the breaches, the triggers that fired, and
        what their effects and the slots asked for read."""
        decided = self.decide(position, act)[1]
        self._listener.begin()
        outcome = self.naive.step(position, act)
        return outcome, decided | self._whole(self._listener.end(), outcome.fired)

    def decide(self, position: Position, act: Act) -> tuple[Decision, frozenset[str]]:
        """What the norms say of an act."""
        over = self._attend(position)
        self._listener.begin()
        decision = self.naive.decide(position, act)
        heard = self._listener.end()
        if decision.status is Status.IMPOSSIBLE:
            return decision, frozenset()
        deciding = [*decision.permitted_by, *decision.forbidden_by, *decision.blocked_by]
        deciding += [by for pair in decision.excepted for by in pair[1:]]
        if decision.status is Status.UNLAWFUL and not (decision.forbidden_by or decision.blocked_by):
            deciding += self.ended(position) if over else decision.failed
        return decision, self._whole(heard, deciding)

    def condition(self, position: Position, condition: ir.Expression) -> tuple[bool, frozenset[str]]:
        """Whether a condition is met, and what it rests on."""
        self._attend(position)
        self._listener.begin()
        value = self.naive.evaluate(position, condition)
        return value is True or value == 1, frozenset(self._listener.end())

    def _attend(self, position: Position) -> bool:
        """Turn to a position; pending duties are worked out before the listening begins. Whether the play is over."""
        if position != self._at:
            self._listener.forget()
            self._at = position
        return self.naive.over(position)

    def ended(self, position: Position) -> tuple[str, ...]:
        """The clauses by which the play is over in a position."""
        return tuple(self._standing(position, self._endings))

    def watched(self, position: Position) -> frozenset[str]:
        """The invariants that speak of a position."""
        return frozenset(self._standing(position, self._invariants))

    def _standing(self, position: Position, clauses: Iterable[ir.Ending | ir.Invariant]) -> Iterator[str]:
        self._attend(position)  # what is read here is heard again when the position is asked about
        for clause in clauses:
            variables = clause.head.variables
            condition = clause.head.guard
            for variable in variables:
                condition = ir.Exists(variable, condition)
            if self.naive.evaluate(position, condition) is True:
                yield clause.head.id

    def _whole(self, heard: set[str], clauses: Iterable[str]) -> frozenset[str]:
        parts = self._listener.parts
        return frozenset(heard.union(clauses, *(parts.get(clause, ()) for clause in clauses)))
