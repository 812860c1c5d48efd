"""From clauses and a moment to what they say: whether one fires, what a slot is worth, what a cause binds."""

from __future__ import annotations

from svod.naive.expressions import Expressions
from svod.naive.world import HOLE, Environment, Frame, Happening, Slot, Undefined, Value
from svod.norms import ir


class Reader(Expressions):
    """Reads expressions and clauses of one world."""

    def slot(self, name: str, arguments: tuple[Value, ...], frame: Frame) -> Slot:
        """What the clauses of a slot say together; a slot that asks for itself is undefined there."""
        key = (name, arguments)
        if key not in frame.slots:
            frame.slots[key] = HOLE
            frame.slots[key] = self._slot(name, arguments, frame)
        return frame.slots[key]

    def _slot(self, name: str, arguments: tuple[Value, ...], frame: Frame) -> Slot:
        if None in arguments:
            return HOLE
        firing: list[tuple[str, tuple[Value, bool]]] = []
        for clause in self.world.term_clauses[name]:
            env = {v.name: value for v, value in zip(clause.head.variables, arguments, strict=True)}
            if not self.fires(clause, env, frame):
                continue
            try:
                firing.append((clause.head.id, (self.value(clause.value, env, frame), True)))
            except Undefined:
                firing.append((clause.head.id, (None, False)))
            if self.world.terms[name].combination is ir.Combination.FIRST:
                break
        clauses = tuple(identifier for identifier, _ in firing)
        said = {value for _, (value, defined) in firing if defined}
        if len(said) > 1:
            return Slot(None, False, True, clauses)
        if not firing or not all(defined for _, (_, defined) in firing):
            return Slot(None, False, False, clauses)
        return Slot(said.pop(), True, False, clauses)

    # ---------------------------------------------------------------------------------------------- clauses

    def fires(self, clause: ir.Clause, env: Environment, frame: Frame) -> bool:
        """The guard is met and nothing excepts this instance."""
        return self.met(clause.head.guard, env, frame) and not self.excepting(clause, env, frame)

    def excepting(self, clause: ir.Clause, env: Environment, frame: Frame) -> tuple[str, ...]:
        """Ids of the clauses that except this instance."""
        return tuple(exempt.by for exempt in clause.head.exceptions if self._exempts(exempt, env, frame))

    def _exempts(self, exempt: ir.Exempt, env: Environment, frame: Frame) -> bool:
        other = self.world.clauses[exempt.by]
        bound: Environment = {theirs: env[ours] for theirs, ours in exempt.bindings}
        return any(
            self.fires(other, instance, frame) for instance in self.world.valuations(other.head.variables, bound)
        )


def caught(cause: ir.OnAct | ir.OnEvent, happening: Happening, bound: Environment) -> Environment | None:
    """`bound` with the variables that the cause binds to this happening; None if it is another happening."""
    name = cause.action if isinstance(cause, ir.OnAct) else cause.event
    if happening.is_act is not isinstance(cause, ir.OnAct) or happening.name != name:
        return None
    env = dict(bound)
    for variable, value in zip(cause.bindings, happening.arguments, strict=True):
        if variable is not None and env.setdefault(variable, value) != value:
            return None
    return env
