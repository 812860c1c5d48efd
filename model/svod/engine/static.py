"""Values of expressions that do not depend on the state, worked out while the program is generated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from svod.engine.world import FIRING, World
from svod.norms import ir

Environment = Mapping[str, int]


class NotStatic(Exception):
    """The expression reads the state (a signal inside this package, never seen outside)."""


class Static:
    """Evaluates static expressions: a value number, a whole number, truth as 0/1, «нет» as −1, `None` if undefined."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._terms: dict[tuple[str, tuple[int, ...]], int | None] = {}

    def is_static(self, e: ir.Expression) -> bool:
        """Whether the value follows from the variables alone."""
        return not self.world.reads(e)

    def condition(self, e: ir.Expression, env: Environment) -> bool:
        """Defined and true."""
        return self.value(e, env) == 1

    def value(self, e: ir.Expression, env: Environment) -> int | None:
        """The value under these values of the variables; `NotStatic` if the state is read."""
        match e:
            case ir.Number(value=number):
                return number
            case ir.Boolean(value=truth):
                return int(truth)
            case ir.Value(index=index):
                return index
            case ir.Nothing():
                return -1
            case ir.Variable(name=name):
                return env[name]
            case ir.SeatCount():
                return len(self.world.seats.values)
            case ir.Extreme(sort=sort, greatest=greatest):
                return self.world.count(sort) - 1 if greatest else 0
            case ir.Switch(name=name):
                if self.world.switches is None:
                    raise NotStatic(name)
                return int(name in self.world.switches)
            case ir.ReadTerm(term=term, arguments=arguments):
                return self._term(term, tuple(self.value(a, env) for a in arguments))
            case ir.Not(of=of):
                inner = self.value(of, env)
                return None if inner is None else 1 - inner
            case ir.And(parts=parts):
                return self._shielded(parts, env, stop=0)
            case ir.Or(parts=parts):
                return self._shielded(parts, env, stop=1)
            case ir.Choose():
                chosen = self.value(e.condition, env)
                return None if chosen is None else self.value(e.then if chosen else e.otherwise, env)
            case ir.Component() | ir.Compose() | ir.StepValue() | ir.Distance() | ir.Present():
                return self._of_sorts(e, env)
            case ir.Compare() | ir.Arithmetic():
                return self._of_numbers(e, env)
            case ir.Exists() | ir.ForAll() | ir.Count() | ir.Only() | ir.Sum() | ir.Best() | ir.FirstClockwise():
                return self._quantified(e, env)
            case (
                ir.ReadRegister()
                | ir.Happened()
                | ir.Size()
                | ir.Top()
                | ir.Bottom()
                | ir.Author()
                | ir.CardAbove()
                | ir.InZone()
                | ir.ZonesHolding()
                | ir.Before()
                | ir.Lawful()
            ):
                raise NotStatic(type(e).__name__)
            case _:
                assert_never(e)

    def _shielded(self, parts: tuple[ir.Expression, ...], env: Environment, stop: int) -> int | None:
        for part in parts:
            value = self.value(part, env)
            if value is None or value == stop:
                return value
        return 1 - stop

    def _of_sorts(
        self, e: ir.Component | ir.Compose | ir.StepValue | ir.Distance | ir.Present, env: Environment
    ) -> int | None:
        sorts = self.world.sorts
        if isinstance(e, ir.Compose):
            parts = tuple(self.value(p, env) for p in e.parts)
            known = sorts[e.sort].components
            return next((i for i, c in enumerate(known) if c == parts), None)
        if isinstance(e, ir.Distance):
            a, b = self.value(e.origin, env), self.value(e.target, env)
            missing = a is None or b is None or a < 0 or b < 0
            return None if missing or a is None or b is None else (b - a) % len(self.world.seats.values)
        of = self.value(e.of, env)
        if of is None or of < 0:
            return None
        if isinstance(e, ir.Present):
            return of
        sort = sorts[sort_of(self.world, e.of)]
        if isinstance(e, ir.Component):
            return sort.components[of][e.factor]
        size, moved = len(sort.values), of + e.delta
        if e.wrap or sort.ring or sort.seats:
            return moved % size
        return moved if 0 <= moved < size else None

    def _of_numbers(self, e: ir.Compare | ir.Arithmetic, env: Environment) -> int | None:
        left, right = self.value(e.left, env), self.value(e.right, env)
        if left is None or right is None:
            return None
        if isinstance(e, ir.Arithmetic):
            match e.operator:
                case ir.Operator.ADD:
                    return left + right
                case ir.Operator.SUBTRACT:
                    return left - right
                case ir.Operator.MULTIPLY:
                    return left * right
        if e.relation in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
            return int((left == right) == (e.relation is ir.Relation.EQUAL))
        if any(v < 0 and sort_or_none(self.world, x) is not None for v, x in ((left, e.left), (right, e.right))):
            return None
        table = {
            ir.Relation.LESS: left < right,
            ir.Relation.LESS_EQUAL: left <= right,
            ir.Relation.GREATER: left > right,
            ir.Relation.GREATER_EQUAL: left >= right,
        }
        return int(table[e.relation])

    def _instances(self, variable: ir.Variable, where: ir.Expression, env: Environment) -> Iterator[dict[str, int]]:
        for index in range(self.world.count(variable.sort)):
            inner = {**env, variable.name: index}
            if self.condition(where, inner):
                yield inner

    def _quantified(
        self,
        e: ir.Exists | ir.ForAll | ir.Count | ir.Only | ir.Sum | ir.Best | ir.FirstClockwise,
        env: Environment,
    ) -> int | None:
        name = e.variable.name
        if isinstance(e, ir.FirstClockwise):
            start = self.value(e.start, env)
            if start is None or start < 0:
                return None
            size = len(self.world.seats.values)
            first = start if e.inclusive else start + 1
            order = [(first + i) % size for i in range(size)]
            return next((i for i in order if self.condition(e.where, {**env, name: i})), None)
        found = list(self._instances(e.variable, e.where, env))
        match e:
            case ir.Exists():
                return int(bool(found))
            case ir.Count():
                return len(found)
            case ir.ForAll():
                return int(all(self.condition(e.holds, inner) for inner in found))
            case ir.Only():
                return found[0][name] if len(found) == 1 else None
            case ir.Sum():
                summands = [self.value(e.of, inner) for inner in found]
                return None if None in summands else sum(s for s in summands if s is not None)
            case ir.Best():
                keys = [(self.value(e.key, inner), inner[name]) for inner in found]
                if not keys or any(k is None for k, _ in keys):
                    return None
                best = (max if e.largest else min)(k for k, _ in keys if k is not None)
                winners = [i for k, i in keys if k == best]
                return winners[0] if len(winners) == 1 else None
            case _:
                assert_never(e)

    def _term(self, name: str, arguments: tuple[int | None, ...]) -> int | None:
        values = tuple(a for a in arguments if a is not None and a >= 0)
        if len(values) != len(arguments):
            return None
        key = (name, values)
        if key not in self._terms:
            self._terms[key] = None  # a term that needs itself has no value
            self._terms[key] = self._fires(name, values) if name.startswith(FIRING) else self._slot(name, values)
        return self._terms[key]

    def _fires(self, name: str, values: tuple[int, ...]) -> int:
        head = self.world.clauses[name.removeprefix(FIRING)].head
        env = {v.name: x for v, x in zip(head.variables, values, strict=True)}
        return int(self.condition(self.world.fires(head.id), env))

    def _slot(self, name: str, values: tuple[int, ...]) -> int | None:
        result: int | None = None
        for clause in self.world.term_clauses.get(name, ()):
            if not self._fires(FIRING + clause.head.id, values):
                continue
            env = {v.name: x for v, x in zip(clause.head.variables, values, strict=True)}
            value = self.value(clause.value, env)
            if self.world.terms[name].combination is ir.Combination.FIRST:
                return value
            if value is None or (result is not None and result != value):
                return None
            result = value
        return result


def sort_or_none(world: World, e: ir.Expression) -> str | None:
    """The sort of an expression, `None` for numbers and conditions."""
    match e:
        case ir.Value(sort=sort) | ir.Nothing(sort=sort) | ir.Extreme(sort=sort):
            return sort
        case ir.Variable(sort=sort):
            return sort or None  # a placeholder for a number has no sort
        case ir.Compose(sort=sort):
            return sort
        case ir.FirstClockwise(variable=v) | ir.Only(variable=v) | ir.Best(variable=v):
            return v.sort
        case ir.ReadRegister(register=name):
            return _member(world.registers[name].type)
        case ir.ReadTerm(term=name):
            return None if name.startswith(FIRING) else _member(world.terms[name].type)
        case ir.Component(of=of, factor=factor):
            return world.sorts[sort_of(world, of)].factors[factor]
        case ir.StepValue(of=of) | ir.Present(of=of) | ir.Before(of=of):
            return sort_or_none(world, of)
        case ir.Choose(then=a, otherwise=b):
            return sort_or_none(world, a) or sort_or_none(world, b)
        case ir.Top(zone=zone) | ir.Bottom(zone=zone) | ir.CardAbove(zone=zone):
            return world.zones[zone.zone].card_sort
        case ir.Author():
            return world.norms.seats
        case _:
            return None


def sort_of(world: World, e: ir.Expression) -> str:
    """The sort of an expression that has one."""
    sort = sort_or_none(world, e)
    if sort is None:
        raise TypeError(f"no sort: {e}")
    return sort


def _member(kind: ir.Type) -> str | None:
    return kind.sort if isinstance(kind, ir.Member) else None
