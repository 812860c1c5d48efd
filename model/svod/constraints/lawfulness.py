"""Acts as terms: whether one is possible, permitted, forbidden, blocked, and who commits which breach by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from svod.constraints import terms as t
from svod.constraints.clauses import environments, fires, fires_somewhere
from svod.constraints.expressions import arguments, evaluate, met, present, zone_of
from svod.constraints.moments import UNDEFINED_TRUTH, Environment, Moment, Result
from svod.constraints.symbols import World
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir

Ban: TypeAlias = ir.Prohibition | ir.Violation
AboutActs: TypeAlias = ir.Permission | Ban | ir.Lapse


@dataclass(frozen=True, slots=True)
class ActTerms:
    """What the norms say about one act (its arguments may be symbolic)."""

    possible: Truth
    permitted: Truth
    entitled: Truth
    forbidden: Truth
    blocked: Truth
    over: Truth
    chance: bool

    @property
    def lawful(self) -> Truth:
        allowed = t.conjunction(self.possible, t.negation(self.forbidden), t.negation(self.blocked))
        return t.conjunction(allowed, True if self.chance else self.permitted, t.negation(self.over))

    @property
    def contested(self) -> Truth:
        met_by_ban = t.conjunction(self.entitled, self.forbidden, t.negation(self.blocked))
        return t.conjunction(self.possible, met_by_ban, t.negation(self.over))


def over(moment: Moment) -> Truth:
    """Some ending fires."""
    found = moment.remembered("over", None)
    if found is not None:
        return found
    endings = [clause for clause in moment.world.norms.clauses if isinstance(clause, ir.Ending)]
    return moment.remember("over", t.disjunction(*(fires_somewhere(c, moment) for c in endings)), None)


def act_environment(action: ir.Action, values: tuple[Quantity, ...]) -> dict[str, Quantity]:
    """The action's parameters bound to the arguments."""
    return {variable.name: value for variable, value in zip(action.parameters, values, strict=True)}


def exist(variables: tuple[ir.Variable, ...], values: tuple[Quantity, ...], world: World) -> Truth:
    """The values are values of these sorts at this table. (A free value has bits for more than its bounds say.)"""
    parts = []
    for variable, value in zip(variables, values, strict=True):
        most = t.constant(world.values(variable.sort) - 1)
        if value.constant is None:
            parts.append(t.negation(t.less(most, Quantity(0, (1 << value.width) - 1, value.number))))
        parts.append(world.present(variable.sort, value))
    return t.conjunction(*parts)


def possible(action: ir.Action, values: tuple[Quantity, ...], moment: Moment) -> Truth:
    """The physical condition is met and every move of the body is defined."""
    env = act_environment(action, values)
    parts = [exist(action.parameters, values, moment.world), met(action.possible, env, moment)]
    for move in action.body:
        parts.append(move_defined(move, env, moment))
    return t.conjunction(*parts)


def move_defined(move: ir.Move, env: Environment, moment: Moment) -> Truth:
    """The card lies where it is taken from, and both places exist."""
    source, zone, owner = zone_of(move.source, env, moment)
    target, _, _ = zone_of(move.target, env, moment)
    defined = t.conjunction(source, target)
    if isinstance(move, ir.MoveAll) or defined is False:
        return defined
    card = present(move.card, env, moment)
    if card.defined is False:
        return False
    author = True if move.author is None else evaluate(move.author, env, moment).defined
    return t.conjunction(defined, card.defined, author, moment.holds(zone, owner, card.value))


def act_terms(action: ir.Action, values: tuple[Quantity, ...], moment: Moment, *, apart: bool = False) -> ActTerms:
    """Possible, permitted, forbidden, blocked; `apart`: violations are left out."""
    key = ("act", action.name, apart, *(value.key() for value in values))
    found = moment.remembered(key, values)
    if found is not None:
        return found  # type: ignore[no-any-return]
    permitted: Truth = False
    entitled: Truth = False
    forbidden: Truth = False
    blocked: Truth = False
    for clause in moment.world.norms.clauses:
        match clause:
            case ir.Permission() if clause.action == action.name:
                firing = fires_for(clause, values, moment)
                permitted = t.disjunction(permitted, firing)
                entitled = t.disjunction(entitled, firing) if clause.strong else entitled
            case ir.Prohibition() | ir.Violation() if clause.action == action.name:
                if apart and isinstance(clause, ir.Violation):
                    continue
                forbidden = t.disjunction(forbidden, forbids(clause, action, values, moment))
            case ir.Duty():
                permitted = t.disjunction(permitted, fulfils(clause, action, values, moment))
                blocked = t.disjunction(blocked, blocks(clause, action, values, moment))
            case _:
                pass
    if action.silence_permits:
        permitted = t.disjunction(permitted, t.negation(forbidden))
    can = possible(action, values, moment)
    terms = ActTerms(can, permitted, entitled, forbidden, blocked, over(moment), action.actor is None)
    return moment.remember(key, terms, values)  # type: ignore[no-any-return]


def fires_for(clause: AboutActs, values: tuple[Quantity, ...], moment: Moment) -> Truth:
    """A clause about acts of one kind fires for the act with these arguments."""
    return t.disjunction(*(firing for _, firing in instances_for(clause, values, moment)))


def instances_for(
    clause: AboutActs, values: tuple[Quantity, ...], moment: Moment
) -> Iterator[tuple[Environment, Truth]]:
    """The instances of the clause for the act with these arguments, and when they fire; further variables are free."""
    bound = {variable.name: value for variable, value in zip(clause.head.variables, values, strict=False)}
    for env, exists in environments(moment.world, clause.head.variables, bound):
        yield env, t.conjunction(exists, fires(clause, env, moment))


def guilty(clause: ir.Violation, values: tuple[Quantity, ...], moment: Moment) -> Iterator[tuple[Quantity, Truth]]:
    """Who commits the breach by this act, each with the condition that he does; «нет» and undefined ones do not."""
    for env, firing in instances_for(clause, values, moment):
        if firing is False:
            continue
        for offender in clause.offenders:
            found = present(offender, env, moment)
            if found.defined is not False:
                yield found.value, t.conjunction(firing, found.defined)


def breached_by_actor(
    clause: ir.Violation, action: ir.Action, values: tuple[Quantity, ...], moment: Moment
) -> Truth:
    """The breach is the actor's own, which forbids the act; only where the rulebook keeps a record of breaches."""
    if action.actor is None or moment.world.norms.catalogue is None:
        return False
    actor = values[action.actor]
    return t.disjunction(
        *(t.conjunction(firing, t.equal(actor, seat)) for seat, firing in guilty(clause, values, moment))
    )


def bans(norms: ir.Norms, action: ir.Action) -> list[Ban]:
    """The clauses that may forbid acts of this kind, in text order."""
    kinds = ir.Prohibition if norms.catalogue is None or action.actor is None else ir.Prohibition | ir.Violation
    return [clause for clause in norms.clauses if isinstance(clause, kinds) and clause.action == action.name]


def forbids(ban: Ban, action: ir.Action, values: tuple[Quantity, ...], moment: Moment) -> Truth:
    """The clause forbids the act with these arguments."""
    if isinstance(ban, ir.Violation):
        return breached_by_actor(ban, action, values, moment)
    return fires_for(ban, values, moment)


def read_lawful(expression: ir.Lawful, env: Environment, moment: Moment) -> Result:
    """The act is possible and lawful in the state of this moment, as if it were at rest. What asks for itself is
    undefined there."""
    action = moment.world.actions.get(expression.action)
    defined, values = arguments(expression.arguments, env, moment)
    if defined is False or action is None:
        return Result(defined, False)
    rest = moment.at_rest
    key = ("lawful", action.name, expression.apart, *(value.key() for value in values))
    found = rest.remembered(key, values)
    if found is None:
        rest.remember(key, UNDEFINED_TRUTH, values)
        found = rest.remember(key, Result(True, act_terms(action, values, rest, apart=expression.apart).lawful), values)
    return Result(t.conjunction(defined, found.defined), found.value)


def _unified(
    duty: ir.Duty, pattern: tuple[ir.Expression | None, ...], values: tuple[Quantity, ...]
) -> dict[str, Quantity]:
    """Variables of the duty that the pattern binds directly to arguments of the act."""
    own = {variable.name for variable in duty.head.variables}
    bound: dict[str, Quantity] = {}
    for part, value in zip(pattern, values, strict=True):
        if isinstance(part, ir.Variable) and part.name in own and part.name not in bound:
            bound[part.name] = value
    return bound


def matches(
    pattern: tuple[ir.Expression | None, ...], values: tuple[Quantity, ...], env: Environment, moment: Moment
) -> Truth:
    """The arguments are those of the pattern, which leaves places open with None."""
    parts = []
    for part, value in zip(pattern, values, strict=True):
        if part is not None:
            found = present(part, env, moment)
            parts.append(
                t.conjunction(found.defined, t.equal(found.value, value)) if found.defined is not False else False
            )
    return t.conjunction(*parts)


def _pending(duty: ir.Duty, bound: Environment, moment: Moment) -> list[tuple[Environment, Truth]]:
    """Instances of the duty that agree with `bound` and can be pending, with their conditions."""
    if any(value.constant is None for value in bound.values()):
        found = []
        for env, exists in environments(moment.world, duty.head.variables, bound):
            pending = t.conjunction(exists, fires(duty, env, moment))
            if pending is not False:
                found.append((env, pending))
        return found
    key = ("pending", duty.head.id)
    every = moment.remembered(key, duty)
    if every is None:
        every = moment.remember(key, {}, duty)
        for env, exists in environments(moment.world, duty.head.variables, {}):
            pending = t.conjunction(exists, fires(duty, env, moment))
            if pending is not False:
                every[tuple(env[v.name].constant for v in duty.head.variables)] = (env, pending)
    if len(bound) == len(duty.head.variables):
        one = every.get(tuple(bound[v.name].constant for v in duty.head.variables))
        return [] if one is None else [one]
    wanted = [(place, bound[v.name].constant) for place, v in enumerate(duty.head.variables) if v.name in bound]
    return [one for values, one in every.items() if all(values[place] == value for place, value in wanted)]


def fulfils(duty: ir.Duty, action: ir.Action, values: tuple[Quantity, ...], moment: Moment) -> Truth:
    """Some pending instance of the duty demands this act."""
    if duty.action != action.name:
        return False
    cases = []
    for env, pending in _pending(duty, _unified(duty, duty.arguments, values), moment):
        cases.append(t.conjunction(pending, matches(duty.arguments, values, env, moment)))
    return t.disjunction(*cases)


def blocks(duty: ir.Duty, action: ir.Action, values: tuple[Quantity, ...], moment: Moment) -> Truth:
    """Some pending instance of the duty blocks this act, which does not fulfil it."""
    cases: list[Truth] = []
    if duty.deadline is ir.Deadline.NONE:
        return False
    for blocked in duty.blocks:
        if blocked.action != action.name:
            continue
        for env, pending in _pending(duty, _unified(duty, blocked.arguments, values), moment):
            hit = matches(blocked.arguments, values, env, moment)
            if hit is False:
                continue
            same = duty.action == action.name
            excused = matches(duty.arguments, values, env, moment) if same else False
            cases.append(t.conjunction(pending, hit, t.negation(excused)))
    return t.disjunction(*cases)
