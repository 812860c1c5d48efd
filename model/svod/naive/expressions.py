"""From an expression to a function of a moment and of the values of its variables; `Undefined` where it has no value.

Truth is Python's bool (0 and 1 when stored), a value of a sort its number, «нет» is `None`. Where a present value is
needed and «нет» is found, the expression is undefined. Each expression is looked at once: what is kept is a function
made of the functions of its parts, which is the expression itself, only quicker to evaluate again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from svod.naive.sorts import sort_of
from svod.naive.world import Environment, Happening, Scene, Slot, Undefined, Value, World, ZoneKey
from svod.norms import ir
from svod.norms.trace import Act

Constant: TypeAlias = ir.Number | ir.Boolean | ir.Value | ir.Nothing | ir.Switch | ir.SeatCount | ir.Extreme
OnSorts: TypeAlias = ir.Component | ir.Compose | ir.StepValue | ir.Distance
Search: TypeAlias = ir.FirstClockwise | ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll
OnZones: TypeAlias = ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove | ir.InZone
Logic: TypeAlias = ir.Not | ir.And | ir.Or | ir.Compare | ir.Arithmetic | ir.Choose | ir.Present
Function: TypeAlias = Callable[[Environment, Scene], Value]
Whole: TypeAlias = Callable[[Environment, Scene], int]
Truth: TypeAlias = Callable[[Environment, Scene], bool]


class Expressions:
    """Reads expressions of one world; what slots say is added by `Reader`, what is lawful by `Judge`."""

    lawful: Callable[[Act, Scene, bool], bool]

    def __init__(self, world: World) -> None:
        self.world = world
        self._functions: dict[int, tuple[ir.Expression, Function]] = {}

    def slot(self, name: str, arguments: tuple[Value, ...], scene: Scene) -> Slot:
        """What the clauses of a slot say together."""
        raise NotImplementedError

    def value(self, expression: ir.Expression, env: Environment, scene: Scene) -> Value:
        return self.function(expression)(env, scene)

    def function(self, expression: ir.Expression) -> Function:
        """The expression as a function."""
        known = self._functions.get(id(expression))
        if known is None:  # the expression is kept beside, so that its id stays its own
            known = self._functions[id(expression)] = (expression, self._made(expression))
        return known[1]

    def present(self, expression: ir.Expression, env: Environment, scene: Scene) -> int:
        """The value where it must not be «нет»."""
        value = self.value(expression, env, scene)
        if value is None:
            raise Undefined
        return value

    def met(self, expression: ir.Expression, env: Environment, scene: Scene) -> bool:
        """A guard or filter: undefined counts as not met."""
        try:
            return bool(self.function(expression)(env, scene))
        except Undefined:
            return False

    def _there(self, expression: ir.Expression) -> Whole:
        """The expression where it must not be «нет»."""
        function = self.function(expression)

        def there(env: Environment, scene: Scene) -> int:
            value = function(env, scene)
            if value is None:
                raise Undefined
            return value

        return there

    def truth(self, expression: ir.Expression) -> Truth:
        """The expression as a guard or filter: undefined counts as not met."""
        function = self.function(expression)

        def met(env: Environment, scene: Scene) -> bool:
            try:
                return bool(function(env, scene))
            except Undefined:
                return False

        return met

    def _all_there(self, expressions: Sequence[ir.Expression]) -> Callable[[Environment, Scene], tuple[int, ...]]:
        functions = [self._there(expression) for expression in expressions]
        return lambda env, scene: tuple([function(env, scene) for function in functions])

    def _made(self, expression: ir.Expression) -> Function:
        match expression:
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Arithmetic() | ir.Choose() | ir.Present():
                return self._logic(expression)
            case ir.Variable(name=name):
                return lambda env, scene: env[name]
            case ir.ReadRegister(register=register, arguments=arguments):
                index = self._all_there(arguments)
                return lambda env, scene: scene.state.cells[register, index(env, scene)]
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
                return lambda env, scene: Happening(False, event, named(env, scene)) in scene.happened
            case ir.Before(of=of):
                return _before(self.function(of))
            case ir.Lawful(action=action, arguments=arguments, apart=apart):
                given = self._all_there(arguments)
                return lambda env, scene: self.lawful(Act(action, given(env, scene)), scene, apart)
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
        return lambda env, scene: value

    def _read_term(self, name: str, arguments: Sequence[Function]) -> Function:
        def read(env: Environment, scene: Scene) -> Value:
            slot = self.slot(name, tuple([argument(env, scene) for argument in arguments]), scene)
            if not slot.defined:
                raise Undefined
            return slot.value

        return read

    def _on_sorts(self, expression: OnSorts) -> Function:
        match expression:
            case ir.Component(of=of, factor=factor):
                whole, components = self._there(of), self.world.sorts[sort_of(self.world, of)].components
                return lambda env, scene: components[whole(env, scene)][factor]
            case ir.Compose(sort=name, parts=parts):
                wanted, known = self._all_there(parts), self.world.sorts[name].components

                def composed(env: Environment, scene: Scene) -> Value:
                    factors = wanted(env, scene)
                    if factors not in known:
                        raise Undefined
                    return known.index(factors)

                return composed
            case ir.StepValue(of=of, delta=delta, wrap=wrap):
                start, sort = self._there(of), self.world.sorts[sort_of(self.world, of)]
                around, count = wrap or sort.ring or sort.seats, len(sort.values)

                def step(env: Environment, scene: Scene) -> Value:
                    moved = start(env, scene) + delta
                    if not around and not 0 <= moved < count:
                        raise Undefined
                    return moved % count

                return step
            case ir.Distance(origin=origin, target=target):
                first, last, seats = self._there(origin), self._there(target), self.world.seats

                def distance(env: Environment, scene: Scene) -> Value:
                    start = first(env, scene)
                    return (last(env, scene) - start) % seats

                return distance
            case _:
                assert_never(expression)

    def _logic(self, expression: Logic) -> Function:
        match expression:
            case ir.And(parts=parts):
                functions = [self.function(part) for part in parts]
                return lambda env, scene: all(function(env, scene) for function in functions)
            case ir.Or(parts=parts):
                functions = [self.function(part) for part in parts]
                return lambda env, scene: any(function(env, scene) for function in functions)
            case ir.Not(of=of):
                denied = self.function(of)
                return lambda env, scene: not denied(env, scene)
            case ir.Compare(relation=relation, left=left, right=right):
                one, two = self.function(left), self.function(right)
                if relation is ir.Relation.EQUAL:
                    return lambda env, scene: one(env, scene) == two(env, scene)
                return lambda env, scene: compare(relation, one(env, scene), two(env, scene))
            case ir.Choose(condition=condition, then=then, otherwise=otherwise):
                test, yes, no = self.function(condition), self.function(then), self.function(otherwise)
                return lambda env, scene: (yes if test(env, scene) else no)(env, scene)
            case ir.Present(of=of):
                return self._there(of)
            case ir.Arithmetic(operator=operator, left=left, right=right):
                first, second = self._there(left), self._there(right)
                match operator:
                    case ir.Operator.ADD:
                        return lambda env, scene: first(env, scene) + second(env, scene)
                    case ir.Operator.SUBTRACT:
                        return lambda env, scene: first(env, scene) - second(env, scene)
                    case ir.Operator.MULTIPLY:
                        return lambda env, scene: first(env, scene) * second(env, scene)
                    case _:
                        assert_never(operator)
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------ quantifiers

    def matching(
        self, variable: ir.Variable, where: ir.Expression, env: Environment, scene: Scene
    ) -> list[Environment]:
        """The environments for those values of the variable that meet the filter."""
        return self._matching(variable, where)(env, scene)

    def _matching(
        self, variable: ir.Variable, where: ir.Expression
    ) -> Callable[[Environment, Scene], list[Environment]]:
        met, name, values = self.truth(where), variable.name, range(self.world.size(variable.sort))

        def found(env: Environment, scene: Scene) -> list[Environment]:
            instances = [{**env, name: value} for value in values]
            return [instance for instance in instances if met(instance, scene)]

        return found

    def _search(self, expression: Search) -> Function:
        variable = expression.variable
        name, found = variable.name, self._matching(variable, expression.where)
        match expression:
            case ir.Exists(where=where):
                met, values = self.truth(where), range(self.world.size(variable.sort))
                return lambda env, scene: any(met({**env, name: value}, scene) for value in values)
            case ir.ForAll(holds=holds):
                held = self.truth(holds)
                return lambda env, scene: all(held(instance, scene) for instance in found(env, scene))
            case ir.Count():
                return lambda env, scene: len(found(env, scene))
            case ir.Sum(of=of):
                summand = self._there(of)
                return lambda env, scene: sum(summand(instance, scene) for instance in found(env, scene))
            case ir.Only():

                def only(env: Environment, scene: Scene) -> Value:
                    instances = found(env, scene)
                    if len(instances) != 1:
                        raise Undefined
                    return instances[0][name]

                return only
            case ir.Best(key=key, largest=largest):
                return _best(name, found, self._there(key), largest)
            case ir.FirstClockwise(start=start, inclusive=inclusive, where=where):
                met, first, seats = self.truth(where), self._there(start), self.world.seats

                def clockwise(env: Environment, scene: Scene) -> Value:
                    begin = first(env, scene) + (0 if inclusive else 1)
                    for offset in range(seats):
                        seat = (begin + offset) % seats
                        if met({**env, name: seat}, scene):
                            return seat
                    raise Undefined

                return clockwise
            case _:
                assert_never(expression)

    # ------------------------------------------------------------------------------------------------ zones

    def key(self, zone: ir.ZoneRef, env: Environment, scene: Scene) -> ZoneKey:
        return zone.zone, None if zone.owner is None else self.present(zone.owner, env, scene)

    def _zones_holding(self, card: Whole) -> Function:
        deck = self.world.deck

        def holding(env: Environment, scene: Scene) -> Value:
            wanted = card(env, scene)
            if wanted not in deck:
                return 1  # it lies in the box
            return sum(any(card == wanted for card, _ in cards) for cards in scene.state.zones.values())

        return holding

    def _on_zones(self, expression: OnZones) -> Function:
        zone = expression.zone
        pile = self.world.zones[zone.zone].pile
        match expression:
            case ir.Size():
                return lambda env, scene: len(scene.state.zones[self.key(zone, env, scene)])
            case ir.Top() | ir.Bottom():
                place = -1 if isinstance(expression, ir.Top) else 0

                def end(env: Environment, scene: Scene) -> Value:
                    cards = scene.state.zones[self.key(zone, env, scene)]
                    if not cards or not pile:
                        raise Undefined
                    return cards[place][0]

                return end
            case ir.InZone() | ir.Author() | ir.CardAbove():
                card = self._there(expression.card)

                def place_of(env: Environment, scene: Scene) -> tuple[int | None, list[tuple[int, int | None]]]:
                    cards = scene.state.zones[self.key(zone, env, scene)]
                    wanted = card(env, scene)
                    return next((place for place, laid in enumerate(cards) if laid[0] == wanted), None), cards

                def author(env: Environment, scene: Scene) -> Value:
                    place, cards = place_of(env, scene)
                    if place is None:
                        raise Undefined
                    return cards[place][1]

                def above(env: Environment, scene: Scene) -> Value:
                    place, cards = place_of(env, scene)
                    if place is None or place + 1 == len(cards) or not pile:
                        raise Undefined
                    return cards[place + 1][0]

                if isinstance(expression, ir.InZone):
                    return lambda env, scene: place_of(env, scene)[0] is not None
                return author if isinstance(expression, ir.Author) else above
            case _:
                assert_never(expression)


def _undefined(env: Environment, scene: Scene) -> Value:
    raise Undefined


def _before(of: Function) -> Function:
    def before(env: Environment, scene: Scene) -> Value:
        if scene.before is None:
            raise Undefined
        return of(env, scene.before)

    return before


def _best(name: str, found: Callable[[Environment, Scene], list[Environment]], key: Whole, largest: bool) -> Function:
    def best(env: Environment, scene: Scene) -> Value:
        instances = found(env, scene)
        keys = [key(instance, scene) for instance in instances]
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
