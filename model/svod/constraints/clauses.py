"""Clauses as terms: when one fires, and what a slot is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from svod.constraints import terms as t
from svod.constraints.expressions import arguments, evaluate, met
from svod.constraints.moments import UNDEFINED, UNDEFINED_TRUTH, Environment, Happening, Moment, Result
from svod.constraints.symbols import World
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir


def environments(
    world: World, variables: tuple[ir.Variable, ...], bound: Environment
) -> Iterator[tuple[Environment, Truth]]:
    """Every way to complete `bound` to all variables, with the condition that the values exist."""
    pending: list[tuple[Environment, Truth]] = [({}, True)]
    for variable in variables:
        if variable.name in bound:
            pending = [({**env, variable.name: bound[variable.name]}, exists) for env, exists in pending]
        else:
            pending = [
                ({**env, variable.name: value}, t.conjunction(exists, there))
                for env, exists in pending
                for value, there in world.variable(variable)
            ]
    yield from pending


def fires(clause: ir.Clause, env: Environment, moment: Moment) -> Truth:
    """Guard met and no exception fires for this instance."""
    head = clause.head
    values = [env[variable.name] for variable in head.variables]
    key = ("fires", head.id, *(value.key() for value in values))
    found = moment.remembered(key, values)
    if found is not None:
        return found
    truth = met(head.guard, env, moment)
    for exempt in head.exceptions:
        if truth is False:
            break
        truth = t.conjunction(truth, t.negation(_exempted(exempt, env, moment)))
    return moment.remember(key, truth, values)


def _exempted(exempt: ir.Exempt, env: Environment, moment: Moment) -> Truth:
    """The exempting clause fires, whatever causes it: what has to be the same is said by the pairs of variables."""
    by = moment.world.clauses[exempt.by]
    bound = {theirs: env[ours] for theirs, ours in exempt.bindings}
    cases = []
    for inner, exists in environments(moment.world, by.head.variables, bound):
        cases.append(t.conjunction(exists, fires(by, inner, moment)))
    return t.disjunction(*cases)


def happenings(cause: ir.OnAct | ir.OnEvent, moment: Moment) -> list[Happening]:
    """The acts or events of this kind that the wave answers."""
    if isinstance(cause, ir.OnAct):
        return [act for act in moment.acts if act.name == cause.action]
    return [
        Happening(name, tuple(t.constant(i) for i in index), raised)
        for (name, index), raised in moment.events.items()
        if name == cause.event
    ]


def caught(cause: ir.OnAct | ir.OnEvent, happening: Happening, bound: Environment) -> tuple[Environment, Truth]:
    """`bound` with the variables that the cause binds to this happening, and when they agree with it."""
    env = dict(bound)
    condition = happening.condition
    for name, value in zip(cause.bindings, happening.arguments, strict=True):
        if name is None:
            continue
        if name in env:
            condition = t.conjunction(condition, t.equal(env[name], value))
        else:
            env[name] = value
    return env, condition


def fires_somewhere(clause: ir.Clause, moment: Moment) -> Truth:
    """Some instance of the clause fires."""
    cases = []
    for env, exists in environments(moment.world, clause.head.variables, {}):
        cases.append(t.conjunction(exists, fires(clause, env, moment)))
    return t.disjunction(*cases)


# ------------------------------------------------------------------------------------------------------- slots


@dataclass(frozen=True, slots=True)
class SlotValue:
    """A slot at given arguments: two values (`clash`), else a firing clause without a value or none that fires
    (`hole`), else `value`."""

    hole: Truth
    clash: Truth
    value: object

    @property
    def result(self) -> Result:
        return Result(t.negation(t.disjunction(self.hole, self.clash)), self.value)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one clause says about a slot at given arguments."""

    clause: ir.TermClause
    firing: Truth
    defined: Truth
    value: object

    @property
    def speaks(self) -> Truth:
        """It fires and gives a value."""
        return t.conjunction(self.firing, self.defined)


def slot_clauses(world: World, term: str) -> list[ir.TermClause]:
    """The clauses of a slot in text order."""
    return [c for c in world.norms.clauses if isinstance(c, ir.TermClause) and c.term == term]


def candidates(name: str, values: tuple[Quantity, ...], moment: Moment) -> list[Candidate]:
    """What the clauses of a slot say there, in text order; those that cannot fire are left out."""
    found = []
    earlier: Truth = False  # with FIRST, a clause before this one fires
    first = moment.world.terms[name].combination is ir.Combination.FIRST
    for clause in slot_clauses(moment.world, name):
        env = {variable.name: value for variable, value in zip(clause.head.variables, values, strict=True)}
        firing = fires(clause, env, moment)
        if first:
            firing, earlier = t.conjunction(firing, t.negation(earlier)), t.disjunction(earlier, firing)
        if firing is not False:
            result = evaluate(clause.value, env, moment)
            found.append(Candidate(clause, firing, result.defined, result.value))
    return found


def differ(one: Candidate, two: Candidate) -> Truth:
    """Both speak and say different things."""
    both = t.conjunction(one.speaks, two.speaks)
    if both is False:
        return False
    if isinstance(one.value, Quantity) and isinstance(two.value, Quantity):
        return t.conjunction(both, t.negation(t.equal(one.value, two.value)))
    return t.conjunction(both, t.negation(t.same_truth(one.value, two.value)))


def slot_value(name: str, values: tuple[Quantity, ...], moment: Moment) -> SlotValue:
    """The slot at these arguments; one that asks for itself has a hole there."""
    key = ("slot", name, *(value.key() for value in values))
    found = moment.remembered(key, values)
    if found is not None:
        return found  # type: ignore[no-any-return]
    truth = isinstance(moment.world.terms[name].type, ir.Truth)
    moment.remember(key, SlotValue(True, False, False if truth else t.NOTHING), values)
    saying = candidates(name, values, moment)
    clash: Truth = False
    silent: Truth = False
    value: object = False if truth else t.NOTHING
    for place, one in reversed(list(enumerate(saying))):
        silent = t.disjunction(silent, t.conjunction(one.firing, t.negation(one.defined)))
        clash = t.disjunction(clash, *(differ(one, other) for other in saying[place + 1 :]))
        if one.defined is False:
            continue
        if truth:
            value = t.choose_truth(one.speaks, one.value, value)
        else:
            assert isinstance(one.value, Quantity) and isinstance(value, Quantity)
            value = one.value if value is t.NOTHING else t.choose(one.speaks, one.value, value)
    none = t.negation(t.disjunction(*(one.firing for one in saying)))
    hole = t.conjunction(t.disjunction(none, silent), t.negation(clash))
    return moment.remember(key, SlotValue(hole, clash, value), values)  # type: ignore[no-any-return]


def read_term(expression: ir.ReadTerm, env: Environment, moment: Moment) -> Result:
    """A slot read inside an expression: undefined at a hole or a clash."""
    term = moment.world.terms[expression.term]
    truth = isinstance(term.type, ir.Truth)
    defined, values = arguments(expression.arguments, env, moment)
    if defined is False:
        return UNDEFINED_TRUTH if truth else UNDEFINED
    seat_only = len(values) == 1 and moment.world.sorts[term.parameters[0].sort].seats
    if not seat_only or values[0].constant is not None:
        result = slot_value(term.name, values, moment).result
        return Result(t.conjunction(defined, result.defined), result.value)
    # One symbolic seat: the values for all seats are shared by every reader.
    each = [
        slot_value(term.name, (t.constant(i),), moment).result
        for i in range(moment.world.values(term.parameters[0].sort))
    ]
    known = t.truth_table(values[0], [result.defined for result in each])
    if truth:
        value: object = t.truth_table(values[0], [result.value for result in each])
    else:
        value = t.select(values[0].number, [result.value for result in each], t.choose)
    return Result(t.conjunction(defined, known), value)
