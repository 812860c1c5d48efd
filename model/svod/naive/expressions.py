"""From an expression, a moment and values of its variables to a value, or `Undefined` where it has none.

Truth is Python's bool (0 and 1 when stored), a value of a sort its number, «нет» is `None`. Where a present value is
needed and «нет» is found, the expression is undefined.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from svod.naive.world import HOLE, Environment, Frame, Happening, Slot, Undefined, Value, World, ZoneKey
from svod.norms import ir

Constant: TypeAlias = ir.Number | ir.Boolean | ir.Value | ir.Nothing | ir.Switch | ir.SeatCount | ir.Extreme
OnSorts: TypeAlias = ir.Component | ir.Compose | ir.StepValue | ir.Distance
Search: TypeAlias = ir.FirstClockwise | ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll
OnZones: TypeAlias = ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove | ir.InZone | ir.ZonesHolding
Logic: TypeAlias = ir.Not | ir.And | ir.Or | ir.Compare | ir.Arithmetic | ir.Choose | ir.Present


class Reader:
    """Reads expressions and clauses of one world."""

    def __init__(self, world: World) -> None:
        self.world = world

    # ------------------------------------------------------------------------------------------ expressions

    def value(self, expression: ir.Expression, env: Environment, frame: Frame) -> Value:
        match expression:
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Arithmetic() | ir.Choose() | ir.Present():
                return self._logic(expression, env, frame)
            case ir.Variable():
                return env[expression.name]
            case ir.ReadRegister():
                arguments = tuple(self.present(part, env, frame) for part in expression.arguments)
                return frame.state.cells[expression.register, arguments]
            case ir.ReadTerm():
                slot = self.slot(expression.term, tuple(self.value(a, env, frame) for a in expression.arguments), frame)
                if not slot.defined:
                    raise Undefined
                return slot.value
            case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone() | ir.ZonesHolding():
                return self._on_zones(expression, env, frame)
            case ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll() | ir.FirstClockwise():
                return self._search(expression, env, frame)
            case ir.Component() | ir.Compose() | ir.StepValue() | ir.Distance():
                return self._on_sorts(expression, env, frame)
            case ir.Happened():
                arguments = tuple(self.present(part, env, frame) for part in expression.arguments)
                return Happening(False, expression.event, arguments) in frame.happened
            case ir.Before():
                if frame.before is None:
                    raise Undefined
                return self.value(expression.of, env, frame.before)
            case ir.Number() | ir.Boolean() | ir.Value() | ir.Nothing() | ir.Switch() | ir.SeatCount() | ir.Extreme():
                return self._constant(expression)
            case _:
                assert_never(expression)

    def present(self, expression: ir.Expression, env: Environment, frame: Frame) -> int:
        """The value where it must not be «нет»."""
        value = self.value(expression, env, frame)
        if value is None:
            raise Undefined
        return value

    def met(self, expression: ir.Expression, env: Environment, frame: Frame) -> bool:
        """A guard or filter: undefined counts as not met."""
        try:
            return bool(self.value(expression, env, frame))
        except Undefined:
            return False

    def _constant(self, expression: Constant) -> Value:
        match expression:
            case ir.Number() | ir.Boolean():
                return expression.value
            case ir.Value():
                return expression.index
            case ir.Nothing():
                return None
            case ir.Switch():
                return expression.name in self.world.switches
            case ir.SeatCount():
                return self.world.seats
            case ir.Extreme():
                count = self.world.size(expression.sort)
                if count == 0:
                    raise Undefined
                return count - 1 if expression.greatest else 0
            case _:
                assert_never(expression)

    def _on_sorts(self, expression: OnSorts, env: Environment, frame: Frame) -> Value:
        match expression:
            case ir.Component(of=of, factor=factor):
                return self.world.sorts[self.sort_of(of)].components[self.present(of, env, frame)][factor]
            case ir.Compose(sort=sort, parts=parts):
                wanted = tuple(self.present(part, env, frame) for part in parts)
                for index, components in enumerate(self.world.sorts[sort].components):
                    if components == wanted:
                        return index
                raise Undefined
            case ir.StepValue(of=of, delta=delta, wrap=wrap):
                order = self.world.sorts[self.sort_of(of)]
                moved = self.present(of, env, frame) + delta
                if wrap or order.ring or order.seats:
                    return moved % len(order.values)
                if not 0 <= moved < len(order.values):
                    raise Undefined
                return moved
            case ir.Distance(origin=origin, target=target):
                start = self.present(origin, env, frame)
                return (self.present(target, env, frame) - start) % self.world.seats
            case _:
                assert_never(expression)

    def _logic(self, expression: Logic, env: Environment, frame: Frame) -> Value:
        match expression:
            case ir.And(parts=parts):
                return all(self.value(part, env, frame) for part in parts)
            case ir.Or(parts=parts):
                return any(self.value(part, env, frame) for part in parts)
            case ir.Not(of=of):
                return not self.value(of, env, frame)
            case ir.Compare(relation=relation, left=left, right=right):
                return compare(relation, self.value(left, env, frame), self.value(right, env, frame))
            case ir.Choose(condition=condition, then=then, otherwise=otherwise):
                return self.value(then if self.value(condition, env, frame) else otherwise, env, frame)
            case ir.Present(of=of):
                return self.present(of, env, frame)
            case ir.Arithmetic(operator=operator, left=left, right=right):
                first, second = self.present(left, env, frame), self.present(right, env, frame)
                match operator:
                    case ir.Operator.ADD:
                        return first + second
                    case ir.Operator.SUBTRACT:
                        return first - second
                    case ir.Operator.MULTIPLY:
                        return first * second
                    case _:
                        assert_never(operator)
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------ quantifiers

    def matching(
        self, variable: ir.Variable, where: ir.Expression, env: Environment, frame: Frame
    ) -> list[Environment]:
        """The environments for those values of the variable that meet the filter."""
        instances = [{**env, variable.name: value} for value in range(self.world.size(variable.sort))]
        return [instance for instance in instances if self.met(where, instance, frame)]

    def _search(self, expression: Search, env: Environment, frame: Frame) -> Value:
        variable = expression.variable
        match expression:
            case ir.Exists(where=where):
                values = range(self.world.size(variable.sort))
                return any(self.met(where, {**env, variable.name: value}, frame) for value in values)
            case ir.ForAll(where=where, holds=holds):
                found = self.matching(variable, where, env, frame)
                return all(self.met(holds, instance, frame) for instance in found)
            case ir.Count(where=where):
                return len(self.matching(variable, where, env, frame))
            case ir.Only(where=where):
                found = self.matching(variable, where, env, frame)
                if len(found) != 1:
                    raise Undefined
                return found[0][variable.name]
            case ir.Sum(where=where, of=of):
                found = self.matching(variable, where, env, frame)
                return sum(self.present(of, instance, frame) for instance in found)
            case ir.Best(where=where, key=key, largest=largest):
                found = self.matching(variable, where, env, frame)
                keys = [self.present(key, instance, frame) for instance in found]
                best = [i for i, k in enumerate(keys) if k == (max(keys) if largest else min(keys))]
                if len(best) != 1:
                    raise Undefined
                return found[best[0]][variable.name]
            case ir.FirstClockwise(start=start, inclusive=inclusive, where=where):
                first = self.present(start, env, frame) + (0 if inclusive else 1)
                for offset in range(self.world.seats):
                    seat = (first + offset) % self.world.seats
                    if self.met(where, {**env, variable.name: seat}, frame):
                        return seat
                raise Undefined
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------------ zones

    def key(self, zone: ir.ZoneRef, env: Environment, frame: Frame) -> ZoneKey:
        return zone.zone, None if zone.owner is None else self.present(zone.owner, env, frame)

    def _on_zones(self, expression: OnZones, env: Environment, frame: Frame) -> Value:
        if isinstance(expression, ir.ZonesHolding):
            wanted = self.present(expression.card, env, frame)
            if wanted not in self.world.deck:
                return 1  # it lies in the box
            return sum(any(card == wanted for card, _ in cards) for cards in frame.state.zones.values())
        cards = frame.state.zones[self.key(expression.zone, env, frame)]
        match expression:
            case ir.Size():
                return len(cards)
            case ir.Top() | ir.Bottom():
                if not cards or not self.world.zones[expression.zone.zone].pile:
                    raise Undefined
                return cards[-1 if isinstance(expression, ir.Top) else 0][0]
            case ir.InZone(card=of):
                wanted = self.present(of, env, frame)
                return any(card == wanted for card, _ in cards)
            case ir.Author(card=of):
                wanted = self.present(of, env, frame)
                for card, author in cards:
                    if card == wanted:
                        return author
                raise Undefined
            case ir.CardAbove(card=of):
                wanted = self.present(of, env, frame)
                for place, (card, _) in enumerate(cards[:-1]):
                    if card == wanted and self.world.zones[expression.zone.zone].pile:
                        return cards[place + 1][0]
                raise Undefined
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------------ slots

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

    # ------------------------------------------------------------------------------------------------ types

    def sort_of(self, expression: ir.Expression) -> str:
        """The sort whose values the expression gives; only for expressions that give one."""
        world = self.world
        match expression:
            case ir.Value() | ir.Nothing() | ir.Variable() | ir.Compose() | ir.Extreme():
                return expression.sort
            case ir.ReadRegister():
                return member(world.registers[expression.register].type)
            case ir.ReadTerm():
                return member(world.terms[expression.term].type)
            case ir.Component(of=of, factor=factor):
                return world.sorts[self.sort_of(of)].factors[factor]
            case ir.StepValue(of=of) | ir.Present(of=of) | ir.Before(of=of):
                return self.sort_of(of)
            case ir.FirstClockwise() | ir.Only() | ir.Best():
                return expression.variable.sort
            case ir.Top() | ir.Bottom() | ir.CardAbove():
                return world.zones[expression.zone.zone].card_sort
            case ir.Author():
                return world.norms.seats
            case ir.Choose(then=then):
                return self.sort_of(then)
            case _:
                raise TypeError(f"no value of a sort: {expression}")


def member(type_: ir.Type) -> str:
    if not isinstance(type_, ir.Member):
        raise TypeError(f"no sort: {type_}")
    return type_.sort


def compare(relation: ir.Relation, left: Value, right: Value) -> bool:
    """Equality knows «нет»; the order does not."""
    if relation is ir.Relation.EQUAL:
        return left == right
    if relation is ir.Relation.UNEQUAL:
        return left != right
    if left is None or right is None:
        raise Undefined
    match relation:
        case ir.Relation.LESS:
            return left < right
        case ir.Relation.LESS_EQUAL:
            return left <= right
        case ir.Relation.GREATER:
            return left > right
        case ir.Relation.GREATER_EQUAL:
            return left >= right
        case _:
            assert_never(relation)


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
