"""Questions about the norms in one position: unlawful acts without a number, duties that cannot be met, readings apart.

As everywhere, `Holds` says that nothing is wrong in any well-typed state, and `Fails` brings a position (and an act)
which no breach is open in, if there is such a one. It need not be reachable.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from svod.constraints import clauses as c
from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.answers import Answer, Kind
from svod.constraints.breaches import entered
from svod.constraints.expressions import present
from svod.constraints.from_norms import Model
from svod.constraints.questions import difference, slots_differ
from svod.constraints.solver import Clock, NotDecided, Outcome
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir

_ACTS_MOST = 600  # ways to meet one duty that are looked at


def unnumbered(model: Model) -> Iterator[Answer]:
    """Possible acts of players that are unlawful and no breach of anybody, one question for each clause that may decide
    against them (a prohibition, a duty that blocks), and one for acts that nothing permits."""
    if model.norms.catalogue is None:
        return
    for action in model.norms.actions:
        if action.actor is None:
            continue
        act = model.act(action.name)
        said = act.said
        breach = t.disjunction(*(firing for _, firing in _guilty(model, action, act.arguments)))
        base = {
            "possible": t.conjunction(said.possible, t.negation(said.over)),
            "unlawful": t.negation(t.disjunction(said.lawful, said.contested)),
            "no number": t.negation(breach),
        }
        for ban in model.norms.clauses:
            if isinstance(ban, ir.Prohibition) and ban.action == action.name:
                yield _unnumbered(model, action, base, ban, law.fires_for(ban, act.arguments, model.moment))
            if isinstance(ban, ir.Duty):
                blocked = law.blocks(ban, action, act.arguments, model.moment)
                if blocked is not False:
                    yield _unnumbered(model, action, base, ban, blocked)
        silence = t.negation(t.disjunction(said.permitted, said.forbidden, said.blocked))
        yield _unnumbered(model, action, base, None, silence)


def _guilty(model: Model, action: ir.Action, arguments: tuple[Quantity, ...]) -> Iterator[tuple[Quantity, Truth]]:
    for clause in model.norms.clauses:
        if isinstance(clause, ir.Violation) and clause.action == action.name:
            yield from law.guilty(clause, arguments, model.moment)


def _unnumbered(
    model: Model, action: ir.Action, base: dict[str, Truth], ban: ir.Clause | None, decides: Truth
) -> Answer:
    clock = Clock()
    outcome = model.ask({**base, "against": decides})
    verdict = model.verdict(outcome, "no well-typed state", act=action.name)
    return model.answer(Kind.UNCOVERED, verdict, () if ban is None else (ban.head.id,), action.name, clock)


def unmet(model: Model) -> Iterator[Answer]:
    """Duties whose bearer can do what he owes, but nothing of it lawfully. The witness is one such act."""
    for duty in model.norms.clauses:
        if isinstance(duty, ir.Duty):
            clock = Clock()
            verdict = model.verdict(_unmet(model, duty), "no well-typed state", act=duty.action)
            yield model.answer(Kind.UNMET, verdict, (duty.head.id,), duty.action, clock)


def _unmet(model: Model, duty: ir.Duty) -> Outcome:
    world, moment = model.world, model.moment
    values = model.variables(duty.head.variables, f"{duty.head.id} ")
    env = {variable.name: value for variable, value in zip(duty.head.variables, values, strict=True)}
    act = model.act(duty.action)
    choices: list[list[Quantity]] = []
    defined: list[Truth] = []
    for argument, parameter in zip(duty.arguments, act.action.parameters, strict=True):
        if argument is None:
            choices.append([t.constant(i) for i in range(world.values(parameter.sort))])
            continue
        found = present(argument, env, moment)
        defined.append(found.defined)
        choices.append([found.value])
    if any(one is False for one in defined):
        return model.ask({"named": False})
    ways = 1
    for choice in choices:
        ways *= len(choice)
    if ways > _ACTS_MOST:
        return NotDecided(f"more than {_ACTS_MOST} ways to meet it")
    lawful = [law.act_terms(act.action, way, moment).lawful for way in product(*choices)]
    return model.ask(
        {
            duty.head.rule: t.conjunction(
                law.exist(duty.head.variables, values, world), c.fires(duty, env, moment), *defined
            ),
            "the act": t.conjunction(law.matches(duty.arguments, act.arguments, env, moment), act.said.possible),
            "not over": t.negation(act.said.over),
            "nothing lawful": t.negation(t.disjunction(*lawful)),
        }
    )


def readings_apart(model: Model, reading: ir.Reading, first: str, second: str) -> Iterator[Answer]:
    """Where two letters of a reading differ in one position: in what the norms say about an act, in the breach that it
    is, in the value of a slot. Only what depends on the letters is asked about."""
    one, two = model.read_as(reading, first), model.read_as(reading, second)
    place = f"{reading.rule} {first}/{second}"
    for action in one.norms.actions:
        clock = Clock()
        differ = _acts_differ(one, two, action)
        if differ is not False:
            yield difference(one, two, Kind.READINGS, f"{place}: {action.name}", differ, action.name, clock, step=False)
        clock = Clock()
        differ = _breaches_differ(one, two, action)
        if differ is not False:
            where = f"{place}: breach by {action.name}"
            yield difference(one, two, Kind.READINGS, where, differ, action.name, clock, step=False)
    for term in one.norms.terms:
        clock = Clock()
        differ = slots_differ(one, two, term)
        if differ is not False:
            yield difference(one, two, Kind.READINGS, f"{place}: {term.name}", differ, None, clock)


def _acts_differ(one: Model, two: Model, action: ir.Action) -> Truth:
    first, second = one.act(action.name).said, two.act(action.name).said
    return t.conjunction(
        t.disjunction(first.possible, second.possible),
        t.negation(
            t.conjunction(t.same_truth(first.lawful, second.lawful), t.same_truth(first.contested, second.contested))
        ),
    )


def _breaches_differ(one: Model, two: Model, action: ir.Action) -> Truth:
    """Which numbers are entered differs, in a position where the act is possible under both."""
    if one.norms.catalogue is None:
        return False
    said = [model.act(action.name) for model in (one, two)]
    first, second = (entered(action, act.arguments, m.moment).cells for m, act in zip((one, two), said, strict=True))
    parts = [t.same_truth(first.get(cell, False), second.get(cell, False)) for cell in {**first, **second}]
    differ = t.negation(t.conjunction(*parts))
    if differ is False:
        return False
    _, overflowing = one.stepper.body(one.moment, action, said[0].arguments)
    happens = t.conjunction(*(act.said.possible for act in said), t.negation(t.disjunction(*overflowing.values())))
    return t.conjunction(happens, differ)
