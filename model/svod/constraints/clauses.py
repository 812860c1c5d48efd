"""Clauses as terms: when one fires, what a slot is worth, what the norms say about an act."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from svod.constraints import terms as t
from svod.constraints.expressions import arguments, evaluate, met, present, zone_of
from svod.constraints.frames import UNDEFINED, UNDEFINED_TRUTH, Environment, Frame, Happening, Result
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


def fires(clause: ir.Clause, env: Environment, frame: Frame) -> Truth:
    """Guard met and no exception fires for this instance."""
    head = clause.head
    values = [env[variable.name] for variable in head.variables]
    key = ("fires", head.id, *(value.key() for value in values))
    found = frame.remembered(key, values)
    if found is not None:
        return found
    truth = met(head.guard, env, frame)
    for exempt in head.exceptions:
        if truth is False:
            break
        truth = t.conjunction(truth, t.negation(_exempted(exempt, env, frame)))
    return frame.remember(key, truth, values)


def _exempted(exempt: ir.Exempt, env: Environment, frame: Frame) -> Truth:
    """The exempting clause fires, whatever causes it: what has to be the same is said by the pairs of variables."""
    by = frame.world.clauses[exempt.by]
    bound = {theirs: env[ours] for theirs, ours in exempt.bindings}
    cases = []
    for inner, exists in environments(frame.world, by.head.variables, bound):
        cases.append(t.conjunction(exists, fires(by, inner, frame)))
    return t.disjunction(*cases)


def happenings(cause: ir.OnAct | ir.OnEvent, frame: Frame) -> list[Happening]:
    """The acts or events of this kind that the wave answers."""
    if isinstance(cause, ir.OnAct):
        return [act for act in frame.acts if act.name == cause.action]
    return [
        Happening(name, tuple(t.constant(i) for i in index), raised)
        for (name, index), raised in frame.events.items()
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


def fires_somewhere(clause: ir.Clause, frame: Frame) -> Truth:
    """Some instance of the clause fires."""
    cases = []
    for env, exists in environments(frame.world, clause.head.variables, {}):
        cases.append(t.conjunction(exists, fires(clause, env, frame)))
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


def candidates(name: str, values: tuple[Quantity, ...], frame: Frame) -> list[Candidate]:
    """What the clauses of a slot say there, in text order; those that cannot fire are left out."""
    found = []
    earlier: Truth = False  # with FIRST, a clause before this one fires
    first = frame.world.terms[name].combination is ir.Combination.FIRST
    for clause in slot_clauses(frame.world, name):
        env = {variable.name: value for variable, value in zip(clause.head.variables, values, strict=True)}
        firing = fires(clause, env, frame)
        if first:
            firing, earlier = t.conjunction(firing, t.negation(earlier)), t.disjunction(earlier, firing)
        if firing is not False:
            result = evaluate(clause.value, env, frame)
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


def slot_value(name: str, values: tuple[Quantity, ...], frame: Frame) -> SlotValue:
    """The slot at these arguments; one that asks for itself has a hole there."""
    key = ("slot", name, *(value.key() for value in values))
    found = frame.remembered(key, values)
    if found is not None:
        return found  # type: ignore[no-any-return]
    truth = isinstance(frame.world.terms[name].type, ir.Truth)
    frame.remember(key, SlotValue(True, False, False if truth else t.NOTHING), values)
    saying = candidates(name, values, frame)
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
    return frame.remember(key, SlotValue(hole, clash, value), values)  # type: ignore[no-any-return]


def read_term(expression: ir.ReadTerm, env: Environment, frame: Frame) -> Result:
    """A slot read inside an expression: undefined at a hole or a clash."""
    term = frame.world.terms[expression.term]
    truth = isinstance(term.type, ir.Truth)
    defined, values = arguments(expression.arguments, env, frame)
    if defined is False:
        return UNDEFINED_TRUTH if truth else UNDEFINED
    seat_only = len(values) == 1 and frame.world.sorts[term.parameters[0].sort].seats
    if not seat_only or values[0].constant is not None:
        result = slot_value(term.name, values, frame).result
        return Result(t.conjunction(defined, result.defined), result.value)
    # One symbolic seat: the values for all seats are shared by every reader.
    each = [
        slot_value(term.name, (t.constant(i),), frame).result
        for i in range(frame.world.values(term.parameters[0].sort))
    ]
    known = t.truth_table(values[0], [result.defined for result in each])
    if truth:
        value: object = t.truth_table(values[0], [result.value for result in each])
    else:
        value = t.select(values[0].number, [result.value for result in each], t.choose)
    return Result(t.conjunction(defined, known), value)


# -------------------------------------------------------------------------------------------------------- acts


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


def over(frame: Frame) -> Truth:
    """Some ending fires."""
    found = frame.remembered("over", None)
    if found is not None:
        return found
    endings = [clause for clause in frame.world.norms.clauses if isinstance(clause, ir.Ending)]
    return frame.remember("over", t.disjunction(*(fires_somewhere(c, frame) for c in endings)), None)


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


def possible(action: ir.Action, values: tuple[Quantity, ...], frame: Frame) -> Truth:
    """The physical condition is met and every move of the body is defined."""
    env = act_environment(action, values)
    parts = [exist(action.parameters, values, frame.world), met(action.possible, env, frame)]
    for move in action.body:
        parts.append(move_defined(move, env, frame))
    return t.conjunction(*parts)


def move_defined(move: ir.Move, env: Environment, frame: Frame) -> Truth:
    """The card lies where it is taken from, and both places exist."""
    source, zone, owner = zone_of(move.source, env, frame)
    target, _, _ = zone_of(move.target, env, frame)
    defined = t.conjunction(source, target)
    if isinstance(move, ir.MoveAll) or defined is False:
        return defined
    card = present(move.card, env, frame)
    if card.defined is False:
        return False
    author = True if move.author is None else evaluate(move.author, env, frame).defined
    return t.conjunction(defined, card.defined, author, frame.holds(zone, owner, card.value))


def act_terms(action: ir.Action, values: tuple[Quantity, ...], frame: Frame) -> ActTerms:
    """Possible, permitted, forbidden, blocked."""
    key = ("act", action.name, *(value.key() for value in values))
    found = frame.remembered(key, values)
    if found is not None:
        return found  # type: ignore[no-any-return]
    permitted: Truth = False
    entitled: Truth = False
    forbidden: Truth = False
    blocked: Truth = False
    for clause in frame.world.norms.clauses:
        match clause:
            case ir.Permission() if clause.action == action.name:
                firing = fires_for(clause, values, frame)
                permitted = t.disjunction(permitted, firing)
                entitled = t.disjunction(entitled, firing) if clause.strong else entitled
            case ir.Prohibition() if clause.action == action.name:
                forbidden = t.disjunction(forbidden, fires_for(clause, values, frame))
            case ir.Duty():
                permitted = t.disjunction(permitted, fulfils(clause, action, values, frame))
                blocked = t.disjunction(blocked, blocks(clause, action, values, frame))
            case _:
                pass
    if action.silence_permits:
        permitted = t.disjunction(permitted, t.negation(forbidden))
    can = possible(action, values, frame)
    terms = ActTerms(can, permitted, entitled, forbidden, blocked, over(frame), action.actor is None)
    return frame.remember(key, terms, values)  # type: ignore[no-any-return]


def fires_for(clause: ir.Permission | ir.Prohibition, values: tuple[Quantity, ...], frame: Frame) -> Truth:
    """A permission or prohibition fires for the act with these arguments."""
    bound = {variable.name: value for variable, value in zip(clause.head.variables, values, strict=False)}
    instances = environments(frame.world, clause.head.variables, bound)
    return t.disjunction(*(t.conjunction(exists, fires(clause, env, frame)) for env, exists in instances))


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


def _matches(
    pattern: tuple[ir.Expression | None, ...], values: tuple[Quantity, ...], env: Environment, frame: Frame
) -> Truth:
    parts = []
    for part, value in zip(pattern, values, strict=True):
        if part is not None:
            found = present(part, env, frame)
            parts.append(
                t.conjunction(found.defined, t.equal(found.value, value)) if found.defined is not False else False
            )
    return t.conjunction(*parts)


def _pending(duty: ir.Duty, bound: Environment, frame: Frame) -> list[tuple[Environment, Truth]]:
    """Instances of the duty that agree with `bound` and can be pending, with their conditions."""
    if any(value.constant is None for value in bound.values()):
        found = []
        for env, exists in environments(frame.world, duty.head.variables, bound):
            pending = t.conjunction(exists, fires(duty, env, frame))
            if pending is not False:
                found.append((env, pending))
        return found
    key = ("pending", duty.head.id)
    every = frame.remembered(key, duty)
    if every is None:
        every = frame.remember(key, {}, duty)
        for env, exists in environments(frame.world, duty.head.variables, {}):
            pending = t.conjunction(exists, fires(duty, env, frame))
            if pending is not False:
                every[tuple(env[v.name].constant for v in duty.head.variables)] = (env, pending)
    if len(bound) == len(duty.head.variables):
        one = every.get(tuple(bound[v.name].constant for v in duty.head.variables))
        return [] if one is None else [one]
    wanted = [(place, bound[v.name].constant) for place, v in enumerate(duty.head.variables) if v.name in bound]
    return [one for values, one in every.items() if all(values[place] == value for place, value in wanted)]


def fulfils(duty: ir.Duty, action: ir.Action, values: tuple[Quantity, ...], frame: Frame) -> Truth:
    """Some pending instance of the duty demands this act."""
    if duty.action != action.name:
        return False
    cases = []
    for env, pending in _pending(duty, _unified(duty, duty.arguments, values), frame):
        cases.append(t.conjunction(pending, _matches(duty.arguments, values, env, frame)))
    return t.disjunction(*cases)


def blocks(duty: ir.Duty, action: ir.Action, values: tuple[Quantity, ...], frame: Frame) -> Truth:
    """Some pending instance of the duty blocks this act, which does not fulfil it."""
    cases: list[Truth] = []
    if duty.deadline is ir.Deadline.NONE:
        return False
    for blocked in duty.blocks:
        if blocked.action != action.name:
            continue
        for env, pending in _pending(duty, _unified(duty, blocked.arguments, values), frame):
            hit = _matches(blocked.arguments, values, env, frame)
            if hit is False:
                continue
            same = duty.action == action.name
            excused = _matches(duty.arguments, values, env, frame) if same else False
            cases.append(t.conjunction(pending, hit, t.negation(excused)))
    return t.disjunction(*cases)
