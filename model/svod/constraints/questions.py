"""Questions about one state or one act: contradictions, dilemmas, clashes, holes, races, limits, dead ends.

Every answer says `Holds` where no state of the scope shows the defect, and otherwise brings a state (and an act) that
an engine can replay. Such a state need not be reachable: it satisfies the invariants proved so far and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import z3

from svod.constraints import clauses as c
from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.answers import Answer, Fails, Holds, Kind, Unknown, Verdict
from svod.constraints.expressions import met
from svod.constraints.from_norms import Model
from svod.constraints.solver import Clock, NotDecided, Sat, Unsat, solve
from svod.constraints.step import Step
from svod.constraints.symbols import columns
from svod.constraints.terms import Quantity, Truth
from svod.constraints.to_trace import Witness, number, position_of
from svod.norms import ir
from svod.norms.trace import Act


def contradictions(model: Model) -> Iterator[Answer]:
    """A right against a prohibition (or a breach), for each pair of clauses about one kind of act."""
    for action in model.norms.actions:
        rights = [
            x for x in model.norms.clauses if isinstance(x, ir.Permission) and x.strong and x.action == action.name
        ]
        bans = law.bans(model.norms, action)
        for right in rights:
            for ban in bans:
                yield _contradiction(model, action, right, ban)


def _contradiction(model: Model, action: ir.Action, right: ir.Permission, ban: law.Ban) -> Answer:
    clock = Clock()
    act = model.act(action.name)
    conditions = {
        right.head.rule: law.fires_for(right, act.arguments, model.moment),
        f"{ban.head.rule} ": law.forbids(ban, action, act.arguments, model.moment),
        "possible": act.said.possible,
        "not blocked": t.negation(act.said.blocked),
        "not over": t.negation(act.said.over),
    }
    verdict = model.verdict(model.ask(conditions), "no well-typed state", act=action.name)
    return model.answer(Kind.CONTRADICTION, verdict, (right.head.id, ban.head.id), action.name, clock)


def dilemmas(model: Model) -> Iterator[Answer]:
    """A pending duty whose act is forbidden, or which another pending duty blocks while it is blocked by the first."""
    duties = [x for x in model.norms.clauses if isinstance(x, ir.Duty)]
    for duty in duties:
        act = model.act(duty.action)
        owed = law.fulfils(duty, act.action, act.arguments, model.moment)
        for ban in law.bans(model.norms, act.action):
            clock = Clock()
            conditions = {
                duty.head.rule: owed,
                f"{ban.head.rule} ": law.forbids(ban, act.action, act.arguments, model.moment),
                "possible": t.conjunction(act.said.possible, t.negation(act.said.over)),
            }
            verdict = model.verdict(model.ask(conditions), "no well-typed state", act=duty.action)
            yield model.answer(Kind.DILEMMA, verdict, (duty.head.id, ban.head.id), duty.action, clock)
    for first, second in combinations(duties, 2):
        yield _rival_duties(model, first, second)


def _rival_duties(model: Model, first: ir.Duty, second: ir.Duty) -> Answer:
    clock = Clock()
    one, two = model.act(first.action), model.act(second.action)
    # the two acts need arguments of their own, also where they are of one kind
    arguments = model.variables(two.action.parameters, f"{two.action.name} other ")
    moment = model.moment
    conditions = {
        first.head.rule: law.fulfils(first, one.action, one.arguments, moment),
        f"{second.head.rule} ": law.fulfils(second, two.action, arguments, moment),
        "first blocked": law.blocks(second, one.action, one.arguments, moment),
        "second blocked": law.blocks(first, two.action, arguments, moment),
        "possible": t.conjunction(one.said.possible, law.possible(two.action, arguments, moment)),
        "not over": t.negation(one.said.over),
    }
    verdict = model.verdict(model.ask(conditions), "no well-typed state", act=first.action)
    return model.answer(Kind.DILEMMA, verdict, (first.head.id, second.head.id), first.action, clock)


def slots(model: Model) -> Iterator[Answer]:
    """For each slot that is asked for: can two of its clauses differ, can it be without a value?"""
    for term in model.norms.terms:
        if term.asked is None:
            continue
        values = model.variables(term.parameters, f"{term.name} ")
        env = {variable.name: value for variable, value in zip(term.parameters, values, strict=True)}
        asked = t.conjunction(law.exist(term.parameters, values, model.world), met(term.asked, env, model.moment))
        saying = c.candidates(term.name, values, model.moment)
        if term.combination is not ir.Combination.FIRST:
            for one, two in combinations(saying, 2):
                clock = Clock()
                conditions = {"asked": asked, "differ": c.differ(one, two)}
                verdict = model.verdict(model.ask(conditions), "no well-typed state")
                pair = (one.clause.head.id, two.clause.head.id)
                yield model.answer(Kind.CLASH, verdict, pair, term.name, clock)
        clock = Clock()
        slot = c.slot_value(term.name, values, model.moment)
        verdict = model.verdict(model.ask({"asked": asked, "hole": slot.hole}), "no well-typed state")
        every = tuple(clause.head.id for clause in c.slot_clauses(model.world, term.name))
        yield model.answer(Kind.HOLE, verdict, every, term.name, clock)


# --------------------------------------------------------------------------------------------------- after an act


def failures(model: Model, action: ir.Action) -> Iterator[Answer]:
    """What a lawful act of this kind can run into: races, holes, clashes, limits; and whether its waves end."""
    step = model.step(action.name)
    if step.overrun is not False:
        yield _after_act(model, action, step, Kind.WAVES, step.overrun, (), action.name)
    pairs: dict[tuple[str, str, str], Truth] = {}
    for (place, one, two), condition in step.races.items():
        pairs[place, one, two] = t.disjunction(pairs.get((place, one, two), False), condition)
    for (place, one, two), condition in pairs.items():
        yield _after_act(model, action, step, Kind.RACE, condition, (one, two), place)
    for place, condition in step.holes.items():
        yield _after_act(model, action, step, Kind.STEP_HOLE, condition, _clauses_at(model, place), place)
    for place, condition in step.clashes.items():
        yield _after_act(model, action, step, Kind.CLASH, condition, _clauses_at(model, place), place)
    for place, condition in step.limits.items():
        if place in unbounded_ledgers(model.norms):
            continue  # that bound is ours, not the rulebook's
        yield _after_act(model, action, step, Kind.LIMIT, condition, (), place)


def unbounded_ledgers(norms: ir.Norms) -> frozenset[str]:
    """Registers that hold any whole number."""
    wholes = [(register.name, register.type) for register in norms.registers]
    return frozenset(n for n, kind in wholes if isinstance(kind, ir.Whole) and None in (kind.low, kind.high))


def _clauses_at(model: Model, place: str) -> tuple[str, ...]:
    if place in model.world.clauses:
        return (place,)
    return tuple(clause.head.id for clause in c.slot_clauses(model.world, place))


def _after_act(
    model: Model, action: ir.Action, step: Step, kind: Kind, condition: Truth, clauses: tuple[str, ...], place: str
) -> Answer:
    clock = Clock()
    outcome = model.ask_alone([model.act(action.name).said.lawful, condition])
    verdict = model.verdict(outcome, "no lawful act in a well-typed state", act=action.name)
    return model.answer(kind, verdict, clauses, place, clock, step.waves)


# ------------------------------------------------------------------------------------------------------ dead ends


def dead_end(model: Model, rounds_most: int = 2000) -> Answer:
    """A state that is not over, where no act that makes the play progress is lawful (and none is contested).

    Guess a state, look for an act in it, forbid states that allow this very act, and guess again.
    """
    clock = Clock()
    verdict = _dead_end(model, rounds_most)
    return model.answer(Kind.DEAD_END, verdict, (), "", clock)


def _dead_end(model: Model, rounds_most: int) -> Verdict:
    conditions: dict[str, Truth] = {"not over": t.negation(law.over(model.moment))}
    acts = [model.act(action.name) for action in model.norms.actions]
    goes_on = {act.action.name: goes_on_by(model, act.action, act.arguments) for act in acts}
    for round_number in range(rounds_most):
        outcome = model.ask(conditions)
        match outcome:
            case Unsat():
                return Holds("no well-typed state")
            case NotDecided(reason=reason):
                return Unknown(reason)
            case Sat():
                pass
        found = _act_that_goes_on(model, outcome, goes_on)
        if isinstance(found, str):
            return Unknown(found)
        if found is None:
            return Fails(model.witness(outcome))
        action = model.world.actions[found.action]
        ground = goes_on_by(model, action, tuple(t.constant(value) for value in found.arguments))
        conditions[f"not {round_number}"] = t.negation(ground)
    return Unknown(f"more than {rounds_most} kinds of state tried")


def goes_on_by(model: Model, action: ir.Action, arguments: tuple[Quantity, ...]) -> Truth:
    """The act is lawful and makes the play progress, or it is contested."""
    said = law.act_terms(action, arguments, model.moment)
    progress: Truth = action.turn or action.actor is None
    if progress is False:
        duties = [duty for duty in model.norms.clauses if isinstance(duty, ir.Duty)]
        progress = t.disjunction(*(law.fulfils(duty, action, arguments, model.moment) for duty in duties))
    return t.disjunction(t.conjunction(said.lawful, progress), said.contested)


def _act_that_goes_on(model: Model, found: Sat, goes_on: dict[str, Truth]) -> Act | str | None:
    """An act with which the play goes on in the state of the model; a reason where that is not known."""
    pins = []
    for _, term, width in columns(model.world, model.before):
        if not isinstance(term, int):
            pins.append((term, z3.BitVecVal(number(found.model, term), width)))
    for term in [*model.world.switches.values(), model.world.seats.number, model.world.deck]:
        if not isinstance(term, bool | int):
            pins.append((term, found.model.eval(term, model_completion=True)))
    for name, condition in goes_on.items():
        if condition is False:
            continue
        there = z3.simplify(z3.substitute(t.as_truth(condition), *pins))
        if z3.is_false(there):
            continue
        match solve([there], model.budget):
            case Sat(model=shown):
                return Act(name, tuple(number(shown, value.number) for value in model.act(name).arguments))
            case NotDecided(reason=reason):
                return f"{name}: {reason}"
            case Unsat():
                pass
    return None


# ------------------------------------------------------------------------------------------ readings and variants


def differences(one: Model, two: Model, kind: Kind, place: str) -> Iterator[Answer]:
    """Where two sets of switches differ: in what is lawful, in a slot, in what follows an act.

    Both models speak of the same state, since their constants have the same names.
    """
    for action in one.norms.actions:
        clock = Clock()
        first, second = one.act(action.name).said, two.act(action.name).said
        differ = t.negation(t.same_truth(first.lawful, second.lawful))
        yield difference(one, two, kind, f"{place}: {action.name}", differ, action.name, clock)
    for term in one.norms.terms:
        if term.asked is not None:
            clock = Clock()
            yield difference(one, two, kind, f"{place}: {term.name}", slots_differ(one, two, term), None, clock)
    for action in one.norms.actions:
        clock = Clock()
        yield difference(
            one, two, kind, f"{place}: after {action.name}", _steps_differ(one, two, action), action.name, clock
        )


def slots_differ(one: Model, two: Model, term: ir.Term) -> Truth:
    """The slot says different things, where it is asked for under one of the two (anywhere, if it never is)."""
    values = one.variables(term.parameters, f"{term.name} ")
    env = {variable.name: value for variable, value in zip(term.parameters, values, strict=True)}
    wanted = ir.Boolean(True) if term.asked is None else term.asked
    asked = [
        t.conjunction(law.exist(term.parameters, values, m.world), met(wanted, env, m.moment)) for m in (one, two)
    ]
    first, second = (c.slot_value(term.name, values, m.moment) for m in (one, two))
    if isinstance(first.value, Quantity) and isinstance(second.value, Quantity):
        same = t.equal(first.value, second.value)
    else:
        same = t.same_truth(first.value, second.value)
    known = t.conjunction(first.result.defined, second.result.defined)
    alike = t.conjunction(
        t.same_truth(first.hole, second.hole), t.same_truth(first.clash, second.clash), t.implication(known, same)
    )
    return t.conjunction(t.disjunction(*asked), t.negation(alike))


def _steps_differ(one: Model, two: Model, action: ir.Action) -> Truth:
    lawful = t.conjunction(one.act(action.name).said.lawful, two.act(action.name).said.lawful)
    first, second = one.step(action.name), two.step(action.name)
    parts = []
    for (_, a, width), (_, b, _) in zip(columns(one.world, first.after), columns(two.world, second.after), strict=True):
        parts.append(t.same_bits(a, b, width))
    both = t.conjunction(first.succeeds, second.succeeds)
    differ = t.disjunction(
        t.negation(t.same_truth(first.stopped, second.stopped)), t.conjunction(both, t.negation(t.conjunction(*parts)))
    )
    return t.conjunction(lawful, differ)


def difference(
    one: Model,
    two: Model,
    kind: Kind,
    place: str,
    differ: Truth,
    act: str | None,
    clock: Clock,
    *,
    step: bool = True,
) -> Answer:
    """The answer to "the two models never differ in this"; with the position after the act unless `step` is off."""
    outcome = one.ask_alone([differ, *two.world.constants_conditions().values()])
    verdict: Verdict = one.verdict(outcome, "no well-typed state", act=act)
    if isinstance(outcome, Sat) and act is not None and step:
        assert isinstance(verdict, Fails)
        following = position_of(one.world, one.step(act).after, outcome.model)
        given = verdict.witness
        verdict = Fails(Witness(given.players, given.position, given.act, following, given.other, given.cards))
    return one.answer(kind, verdict, (), place, clock)


def reading_differences(model: Model, reading: ir.Reading, first: str, second: str) -> Iterator[Answer]:
    """Do two letters of a reading differ in anything that one can see?"""
    one, two = model.read_as(reading, first), model.read_as(reading, second)
    yield from differences(one, two, Kind.READINGS, f"{reading.rule} {first}/{second}")


def variant_effect(model: Model, variant: ir.Variant) -> Iterator[Answer]:
    """Does the variant change anything that one can see?"""
    one, two = model.with_switches({variant.name: False}), model.with_switches({variant.name: True})
    yield from differences(one, two, Kind.VARIANT, variant.name)
