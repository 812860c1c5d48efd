"""In: norms with their switches and a position. Out: which clauses fire there, what an act breaks, who owes what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from svod.naive.evaluator import Naive
from svod.naive.world import NoValue
from svod.norms import ir
from svod.norms.trace import Act, Position


@dataclass(frozen=True, slots=True)
class Breach:
    """A violation that an act is: its clause, the number as a value of the catalogue's sort, who is guilty."""

    clause: ir.Violation
    number: int
    offenders: tuple[int, ...]


class Clauses:
    """Reads single clauses, straight from the definitions."""

    def __init__(self, norms: ir.Norms, switches: frozenset[str]) -> None:
        self.norms = norms
        self.by_id = {clause.head.id: clause for clause in norms.clauses}
        self._naive = Naive(norms, switches)

    def value(self, position: Position, expression: ir.Expression, env: Mapping[str, int | None]) -> int | None:
        """The value of an expression; None where it has none."""
        found = self._naive.evaluate(position, expression, env)
        return None if isinstance(found, NoValue) or found is None else int(found)

    def broken(self, before: Position, after: Position) -> tuple[str, ...]:
        """Ids of the invariants that hold before a step and not after it."""
        earlier = set(self._naive.violated(before, None))
        return tuple(each for each in self._naive.violated(after, before) if each not in earlier)

    def restless(self, position: Position) -> tuple[str, ...]:
        """Ids of clauses by which a play would already have gone on from here."""
        return self._naive.restless(position)

    def met(self, position: Position, guard: ir.Expression, env: Mapping[str, int | None]) -> bool:
        """Whether a guard is met: undefined counts as not met."""
        return bool(self.value(position, guard, env))

    def fires(self, position: Position, clause: ir.Clause, env: Mapping[str, int | None]) -> bool:
        """The guard is met and nothing excepts this instance."""
        return self.met(position, clause.head.guard, env) and not self.excepting(position, clause, env)

    def excepting(self, position: Position, clause: ir.Clause, env: Mapping[str, int | None]) -> tuple[str, ...]:
        """Ids of the clauses that except this instance."""
        found = []
        for exempt in clause.head.exceptions:
            bound = {theirs: env[ours] for theirs, ours in exempt.bindings if ours in env}
            if any(True for _ in self.firing(position, self.by_id[exempt.by], bound)):
                found.append(exempt.by)
        return tuple(found)

    def firing(
        self, position: Position, clause: ir.Clause, bound: Mapping[str, int | None]
    ) -> Iterator[dict[str, int | None]]:
        """Values of the clause's variables, `bound` included, with which it fires."""
        loose = [variable for variable in clause.head.variables if variable.name not in bound]
        ranges = [range(len(self.norms.sort(variable.sort).values)) for variable in loose]
        for values in product(*ranges):
            env = {**bound, **{variable.name: value for variable, value in zip(loose, values, strict=True)}}
            if self.fires(position, clause, env):
                yield env

    def breaches(self, position: Position, act: Act) -> tuple[Breach, ...]:
        """What the act, done in this position, is guilty of."""
        catalogue = self.norms.catalogue
        if catalogue is None:
            return ()
        numbers = self.norms.sort(catalogue.sort).values
        found = []
        for clause in self.norms.clauses:
            if not isinstance(clause, ir.Violation) or clause.action != act.action:
                continue
            env = env_of(clause.head.variables, act.arguments)
            if self.fires(position, clause, env):
                guilty = [self.value(position, offender, env) for offender in clause.offenders]
                offenders = tuple(seat for seat in guilty if seat is not None)
                found.append(Breach(clause, numbers.index(clause.name), offenders))
        return tuple(found)

    def duties(self, position: Position, action: str) -> Iterator[tuple[ir.Duty, int, tuple[int | None, ...]]]:
        """Pending duties to do this act: the clause, whose duty it is, the arguments of the act (None: open)."""
        for clause in self.norms.clauses:
            if not isinstance(clause, ir.Duty) or clause.action != action:
                continue
            for env in self.firing(position, clause, {}):
                bearer = self.value(position, clause.bearer, env)
                if bearer is not None:
                    arguments = (None if each is None else self.value(position, each, env) for each in clause.arguments)
                    yield clause, bearer, tuple(arguments)


def env_of(variables: Sequence[ir.Variable], arguments: Sequence[int]) -> dict[str, int | None]:
    """Variables with their values."""
    return {variable.name: value for variable, value in zip(variables, arguments, strict=True)}
