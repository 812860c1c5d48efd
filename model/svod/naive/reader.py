"""From clauses and a moment to what they say: whether one fires, what a slot is worth, what a cause binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from svod.naive.expressions import Expressions, Truth
from svod.naive.mentions import conjuncts, parts
from svod.naive.world import HOLE, Environment, Happening, Scene, Slot, Undefined, Value, World
from svod.norms import ir


class Reader(Expressions):
    """Reads expressions and clauses of one world."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self._plans: dict[tuple[int, tuple[str, ...]], tuple[ir.Expression, list[list[Truth]]]] = {}

    def slot(self, name: str, arguments: tuple[Value, ...], scene: Scene) -> Slot:
        """What the clauses of a slot say together; a slot that asks for itself is undefined there."""
        key = (name, arguments)
        if key not in scene.slots:
            scene.slots[key] = HOLE
            scene.slots[key] = self._slot(name, arguments, scene)
        return scene.slots[key]

    def _slot(self, name: str, arguments: tuple[Value, ...], scene: Scene) -> Slot:
        if None in arguments:
            return HOLE
        firing: list[tuple[str, tuple[Value, bool]]] = []
        for clause in self.world.term_clauses[name]:
            env = {v.name: value for v, value in zip(clause.head.variables, arguments, strict=True)}
            if not self.fires(clause, env, scene):
                continue
            try:
                firing.append((clause.head.id, (self.value(clause.value, env, scene), True)))
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

    def fires(self, clause: ir.Clause, env: Environment, scene: Scene) -> bool:
        """The guard is met and nothing excepts this instance."""
        return self.met(clause.head.guard, env, scene) and not self.excepting(clause, env, scene)

    def firing(self, clause: ir.Clause, bound: Environment, scene: Scene) -> Iterator[Environment]:
        """Values of the clause's variables, `bound` included, with which it fires; in lexicographic order."""
        for env in self.solutions(clause.head.variables, clause.head.guard, bound, scene):
            if not self.excepting(clause, env, scene):
                yield env

    def solutions(
        self, variables: Sequence[ir.Variable], guard: ir.Expression, bound: Environment, scene: Scene
    ) -> Iterator[Environment]:
        """Values of the variables, `bound` included, that meet the guard; in lexicographic order.

        A conjunct is looked at as soon as its variables have values: all have to be met, whatever their order.
        """
        loose = [variable for variable in variables if variable.name not in bound]
        key = (id(guard), tuple(variable.name for variable in loose))
        if key not in self._plans:
            self._plans[key] = guard, self._plan(guard, key[1])
        yield from self._extended(loose, self._plans[key][1], bound, scene)

    def _extended(
        self, loose: Sequence[ir.Variable], plan: Sequence[Sequence[Truth]], env: Environment, scene: Scene
    ) -> Iterator[Environment]:
        for condition in plan[0]:
            if not condition(env, scene):
                return
        if not loose:
            yield env
            return
        name = loose[0].name
        for value in range(self.world.size(loose[0].sort)):
            yield from self._extended(loose[1:], plan[1:], {**env, name: value}, scene)

    def _plan(self, guard: ir.Expression, names: Sequence[str]) -> list[list[Truth]]:
        """The conjuncts of a guard, each after the last of these variables that it mentions."""
        plan: list[list[Truth]] = [[] for _ in range(len(names) + 1)]
        for conjunct in conjuncts(guard):
            mentioned = {part.name for part in parts(conjunct) if isinstance(part, ir.Variable)}
            depth = max((place + 1 for place, name in enumerate(names) if name in mentioned), default=0)
            plan[depth].append(self.truth(conjunct))
        return plan

    def excepting(self, clause: ir.Clause, env: Environment, scene: Scene) -> tuple[str, ...]:
        """Ids of the clauses that except this instance."""
        return tuple(exempt.by for exempt in clause.head.exceptions if self._exempts(exempt, env, scene))

    def _exempts(self, exempt: ir.Exempt, env: Environment, scene: Scene) -> bool:
        other = self.world.clauses[exempt.by]
        bound: Environment = {theirs: env[ours] for theirs, ours in exempt.bindings}
        return any(True for _ in self.firing(other, bound, scene))


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
