"""From an expression to a function of a moment and of the values of its variables; `Undefined` where it has no value.

Truth is Python's bool (0 and 1 when stored), a value of a sort its number, «нет» is `None`. Where a present value is
needed and «нет» is found, the expression is undefined. Each expression is looked at once: what is kept is a function
made of the functions of its parts, which is the expression itself, only quicker to evaluate again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from svod.naive.sorts import sort_of
from svod.naive.world import Environment, Frame, Happening, Slot, Undefined, Value, World, ZoneKey
from svod.norms import ir

Constant: TypeAlias = ir.Number | ir.Boolean | ir.Value | ir.Nothing | ir.Switch | ir.SeatCount | ir.Extreme
OnSorts: TypeAlias = ir.Component | ir.Compose | ir.StepValue | ir.Distance
Search: TypeAlias = ir.FirstClockwise | ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll
OnZones: TypeAlias = ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove | ir.InZone
Logic: TypeAlias = ir.Not | ir.And | ir.Or | ir.Compare | ir.Arithmetic | ir.Choose | ir.Present
Function: TypeAlias = Callable[[Environment, Frame], Value]
Whole: TypeAlias = Callable[[Environment, Frame], int]
Truth: TypeAlias = Callable[[Environment, Frame], bool]


class Expressions:
    """Reads expressions of one world; what slots say is added by `Reader`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._functions: dict[int, tuple[ir.Expression, Function]] = {}

    def slot(self, name: str, arguments: tuple[Value, ...], frame: Frame) -> Slot:
        """What the clauses of a slot say together."""
        raise NotImplementedError

    def value(self, expression: ir.Expression, env: Environment, frame: Frame) -> Value:
        return self.function(expression)(env, frame)

    def function(self, expression: ir.Expression) -> Function:
        """The expression as a function."""
        known = self._functions.get(id(expression))
        if known is None:  # the expression is kept beside, so that its id stays its own
            known = self._functions[id(expression)] = (expression, self._made(expression))
        return known[1]

    def present(self, expression: ir.Expression, env: Environment, frame: Frame) -> int:
        """The value where it must not be «нет»."""
        value = self.value(expression, env, frame)
        if value is None:
            raise Undefined
        return value

    def met(self, expression: ir.Expression, env: Environment, frame: Frame) -> bool:
        """A guard or filter: undefined counts as not met."""
        try:
            return bool(self.function(expression)(env, frame))
        except Undefined:
            return False

    def _there(self, expression: ir.Expression) -> Whole:
        """The expression where it must not be «нет»."""
        function = self.function(expression)

        def there(env: Environment, frame: Frame) -> int:
            value = function(env, frame)
            if value is None:
                raise Undefined
            return value

        return there

    def truth(self, expression: ir.Expression) -> Truth:
        """The expression as a guard or filter: undefined counts as not met."""
        function = self.function(expression)

        def met(env: Environment, frame: Frame) -> bool:
            try:
                return bool(function(env, frame))
            except Undefined:
                return False

        return met

    def _all_there(self, expressions: Sequence[ir.Expression]) -> Callable[[Environment, Frame], tuple[int, ...]]:
        functions = [self._there(expression) for expression in expressions]
        return lambda env, frame: tuple([function(env, frame) for function in functions])

    def _made(self, expression: ir.Expression) -> Function:
        match expression:
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Arithmetic() | ir.Choose() | ir.Present():
                return self._logic(expression)
            case ir.Variable(name=name):
                return lambda env, frame: env[name]
            case ir.ReadRegister(register=register, arguments=arguments):
                index = self._all_there(arguments)
                return lambda env, frame: frame.state.cells[register, index(env, frame)]
            case ir.ReadTerm(term=term, arguments=arguments):
                return self._read_term(term, [self.function(argument) for argument in arguments])
            case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone():
                return self._on_zones(expression)
            case ir.ZonesHolding(card=card):
                return self._zones_holding(self._there(card))
            case ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll() | ir.FirstClockwise():
                return self._search(expression)
            case ir.Component() | ir.Compose() | ir.StepValue() | ir.Distance():
                return self._on_sorts(expression)
            case ir.Happened(event=event, arguments=arguments):
                named = self._all_there(arguments)
                return lambda env, frame: Happening(False, event, named(env, frame)) in frame.happened
            case ir.Before(of=of):
                return _before(self.function(of))
            case ir.Number() | ir.Boolean() | ir.Value() | ir.Nothing() | ir.Switch() | ir.SeatCount() | ir.Extreme():
                return self._constant(expression)
            case _:
                assert_never(expression)

    def _constant(self, expression: Constant) -> Function:
        value: Value
        match expression:
            case ir.Number() | ir.Boolean():
                value = expression.value
            case ir.Value():
                value = expression.index
            case ir.Nothing():
                value = None
            case ir.Switch():
                value = expression.name in self.world.switches
            case ir.SeatCount():
                value = self.world.seats
            case ir.Extreme():
                count = self.world.size(expression.sort)
                value = count - 1 if expression.greatest else 0
                if count == 0:
                    return _undefined
            case _:
                assert_never(expression)
        return lambda env, frame: value

    def _read_term(self, name: str, arguments: Sequence[Function]) -> Function:
        def read(env: Environment, frame: Frame) -> Value:
            slot = self.slot(name, tuple([argument(env, frame) for argument in arguments]), frame)
            if not slot.defined:
                raise Undefined
            return slot.value

        return read

    def _on_sorts(self, expression: OnSorts) -> Function:
        match expression:
            case ir.Component(of=of, factor=factor):
                whole, components = self._there(of), self.world.sorts[sort_of(self.world, of)].components
                return lambda env, frame: components[whole(env, frame)][factor]
            case ir.Compose(sort=name, parts=parts):
                wanted, known = self._all_there(parts), self.world.sorts[name].components

                def composed(env: Environment, frame: Frame) -> Value:
                    factors = wanted(env, frame)
                    if factors not in known:
                        raise Undefined
                    return known.index(factors)

                return composed
            case ir.StepValue(of=of, delta=delta, wrap=wrap):
                start, sort = self._there(of), self.world.sorts[sort_of(self.world, of)]
                around, count = wrap or sort.ring or sort.seats, len(sort.values)

                def step(env: Environment, frame: Frame) -> Value:
                    moved = start(env, frame) + delta
                    if not around and not 0 <= moved < count:
                        raise Undefined
                    return moved % count

                return step
            case ir.Distance(origin=origin, target=target):
                first, last, seats = self._there(origin), self._there(target), self.world.seats

                def distance(env: Environment, frame: Frame) -> Value:
                    start = first(env, frame)
                    return (last(env, frame) - start) % seats

                return distance
            case _:
                assert_never(expression)

    def _logic(self, expression: Logic) -> Function:
        match expression:
            case ir.And(parts=parts):
                functions = [self.function(part) for part in parts]
                return lambda env, frame: all(function(env, frame) for function in functions)
            case ir.Or(parts=parts):
                functions = [self.function(part) for part in parts]
                return lambda env, frame: any(function(env, frame) for function in functions)
            case ir.Not(of=of):
                denied = self.function(of)
                return lambda env, frame: not denied(env, frame)
            case ir.Compare(relation=relation, left=left, right=right):
                one, two = self.function(left), self.function(right)
                if relation is ir.Relation.EQUAL:
                    return lambda env, frame: one(env, frame) == two(env, frame)
                return lambda env, frame: compare(relation, one(env, frame), two(env, frame))
            case ir.Choose(condition=condition, then=then, otherwise=otherwise):
                test, yes, no = self.function(condition), self.function(then), self.function(otherwise)
                return lambda env, frame: (yes if test(env, frame) else no)(env, frame)
            case ir.Present(of=of):
                return self._there(of)
            case ir.Arithmetic(operator=operator, left=left, right=right):
                first, second = self._there(left), self._there(right)
                match operator:
                    case ir.Operator.ADD:
                        return lambda env, frame: first(env, frame) + second(env, frame)
                    case ir.Operator.SUBTRACT:
                        return lambda env, frame: first(env, frame) - second(env, frame)
                    case ir.Operator.MULTIPLY:
                        return lambda env, frame: first(env, frame) * second(env, frame)
                    case _:
                        assert_never(operator)
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------ quantifiers

    def matching(
        self, variable: ir.Variable, where: ir.Expression, env: Environment, frame: Frame
    ) -> list[Environment]:
        """The environments for those values of the variable that meet the filter."""
        return self._matching(variable, where)(env, frame)

    def _matching(
        self, variable: ir.Variable, where: ir.Expression
    ) -> Callable[[Environment, Frame], list[Environment]]:
        met, name, values = self.truth(where), variable.name, range(self.world.size(variable.sort))

        def found(env: Environment, frame: Frame) -> list[Environment]:
            instances = [{**env, name: value} for value in values]
            return [instance for instance in instances if met(instance, frame)]

        return found

    def _search(self, expression: Search) -> Function:
        variable = expression.variable
        name, found = variable.name, self._matching(variable, expression.where)
        match expression:
            case ir.Exists(where=where):
                met, values = self.truth(where), range(self.world.size(variable.sort))
                return lambda env, frame: any(met({**env, name: value}, frame) for value in values)
            case ir.ForAll(holds=holds):
                held = self.truth(holds)
                return lambda env, frame: all(held(instance, frame) for instance in found(env, frame))
            case ir.Count():
                return lambda env, frame: len(found(env, frame))
            case ir.Sum(of=of):
                summand = self._there(of)
                return lambda env, frame: sum(summand(instance, frame) for instance in found(env, frame))
            case ir.Only():

                def only(env: Environment, frame: Frame) -> Value:
                    instances = found(env, frame)
                    if len(instances) != 1:
                        raise Undefined
                    return instances[0][name]

                return only
            case ir.Best(key=key, largest=largest):
                return _best(name, found, self._there(key), largest)
            case ir.FirstClockwise(start=start, inclusive=inclusive, where=where):
                met, first, seats = self.truth(where), self._there(start), self.world.seats

                def clockwise(env: Environment, frame: Frame) -> Value:
                    begin = first(env, frame) + (0 if inclusive else 1)
                    for offset in range(seats):
                        seat = (begin + offset) % seats
                        if met({**env, name: seat}, frame):
                            return seat
                    raise Undefined

                return clockwise
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------------ zones

    def key(self, zone: ir.ZoneRef, env: Environment, frame: Frame) -> ZoneKey:
        return zone.zone, None if zone.owner is None else self.present(zone.owner, env, frame)

    def _zones_holding(self, card: Whole) -> Function:
        deck = self.world.deck

        def holding(env: Environment, frame: Frame) -> Value:
            wanted = card(env, frame)
            if wanted not in deck:
                return 1  # it lies in the box
            return sum(any(card == wanted for card, _ in cards) for cards in frame.state.zones.values())

        return holding

    def _on_zones(self, expression: OnZones) -> Function:
        zone = expression.zone
        pile = self.world.zones[zone.zone].pile
        match expression:
            case ir.Size():
                return lambda env, frame: len(frame.state.zones[self.key(zone, env, frame)])
            case ir.Top() | ir.Bottom():
                place = -1 if isinstance(expression, ir.Top) else 0

                def end(env: Environment, frame: Frame) -> Value:
                    cards = frame.state.zones[self.key(zone, env, frame)]
                    if not cards or not pile:
                        raise Undefined
                    return cards[place][0]

                return end
            case ir.InZone() | ir.Author() | ir.CardAbove():
                card = self._there(expression.card)

                def place_of(env: Environment, frame: Frame) -> tuple[int | None, list[tuple[int, int | None]]]:
                    cards = frame.state.zones[self.key(zone, env, frame)]
                    wanted = card(env, frame)
                    return next((place for place, laid in enumerate(cards) if laid[0] == wanted), None), cards

                def author(env: Environment, frame: Frame) -> Value:
                    place, cards = place_of(env, frame)
                    if place is None:
                        raise Undefined
                    return cards[place][1]

                def above(env: Environment, frame: Frame) -> Value:
                    place, cards = place_of(env, frame)
                    if place is None or place + 1 == len(cards) or not pile:
                        raise Undefined
                    return cards[place + 1][0]

                if isinstance(expression, ir.InZone):
                    return lambda env, frame: place_of(env, frame)[0] is not None
                return author if isinstance(expression, ir.Author) else above
            case _:
                assert_never(expression)


def _undefined(env: Environment, frame: Frame) -> Value:
    raise Undefined


def _before(of: Function) -> Function:
    def before(env: Environment, frame: Frame) -> Value:
        if frame.before is None:
            raise Undefined
        return of(env, frame.before)

    return before


def _best(name: str, found: Callable[[Environment, Frame], list[Environment]], key: Whole, largest: bool) -> Function:
    def best(env: Environment, frame: Frame) -> Value:
        instances = found(env, frame)
        keys = [key(instance, frame) for instance in instances]
        extreme = [i for i, k in enumerate(keys) if k == (max(keys) if largest else min(keys))]
        if len(extreme) != 1:
            raise Undefined
        return instances[extreme[0]][name]

    return best


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
