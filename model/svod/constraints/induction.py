"""Proofs over whole plays: what holds at the start and is kept by every lawful step holds always.

A step starts from a well-typed state that satisfies the invariants proved so far. (That steps lead from well-typed
states to such is a question of its own, `conservation`: moves only move, so it is expected, but it is asked.) Each kind
of act is a question of its own with a solver of its own: so the hard ones are simplified as a whole, and the act that
breaks a proof is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import z3

from svod.constraints import clauses as c
from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.answers import Answer, Fails, Holds, Kind, Unknown, Verdict
from svod.constraints.dependencies import looks_before, nodes
from svod.constraints.from_norms import Model, invariants_of
from svod.constraints.moments import Moment
from svod.constraints.quantifiers import conserves
from svod.constraints.solver import Clock, NotDecided, Sat, Unsat
from svod.constraints.step import Step, asked_instances
from svod.constraints.strengthening import strengthen_by_stages
from svod.constraints.symbols import Pile
from svod.constraints.terms import Bits, Truth
from svod.constraints.to_trace import witness_of
from svod.constraints.well_typed import apart, place_masks, well_typed, zone_conditions
from svod.norms import ir

Property: TypeAlias = Callable[[Moment], Truth]
NOT_INDUCTIVE = "not inductive"
NOT_OF_LAWFUL_PLAY = "nothing to do with lawful play"


def prove(model: Model, holds: Property, *, of_steps: bool = False) -> Verdict:
    """`Holds` by induction, `Fails` at the start of a play, or `Unknown` with the step that breaks the proof.

    What is said `of_steps` holds at the start, and says nothing about a state alone.
    """
    if not of_steps:
        broken = _at_start(model, holds)
        if broken is not None:
            return broken
    assumed = True if of_steps else holds(model.moment)
    if not of_steps and isinstance(model.ask({"not": t.negation(assumed)}), Unsat):
        return Holds("every well-typed state")
    for action in model.norms.actions:
        broken = _breaks(model, action, assumed, holds)
        if broken is not None:
            return broken
    return Holds("induction over lawful steps")


def _at_start(model: Model, holds: Property) -> Fails | Unknown | None:
    start = model.start()
    begun = Moment(model.world, start.after)
    outcome = model.ask_alone([start.succeeds, t.negation(holds(begun))], background=False)
    match outcome:
        case Sat():
            return Fails(witness_of(model.world, outcome.model, start.after))
        case NotDecided(reason=reason):
            return Unknown(f"at the start: {reason}")
        case Unsat():
            return None


def _breaks(model: Model, action: ir.Action, assumed: Truth, holds: Property) -> Unknown | None:
    """Why the acts of this kind do not keep the property, or None if they do."""
    act, step = model.act(action.name), model.step(action.name)
    kept = holds(model.after(action.name))
    outcome = model.ask_alone([assumed, act.said.lawful, step.succeeds, t.negation(kept)])
    match outcome:
        case Sat():
            return Unknown(NOT_INDUCTIVE, model.witness(outcome, action.name, True))
        case NotDecided(reason=reason):
            return Unknown(f"{action.name}: {reason}")
        case Unsat():
            pass
    if step.overrun is False:
        return None
    match model.ask_alone([assumed, act.said.lawful, step.overrun]):
        case Unsat():
            return None
        case Sat():
            return Unknown(f"{action.name}: more than {step.waves} waves")
        case NotDecided(reason=reason):
            return Unknown(f"{action.name}: {reason}")


def prove_invariants(model: Model) -> list[Answer]:
    """What is known of each declared invariant in the end."""
    answers: dict[str, Answer] = {}
    for answer in invariant_proofs(model):
        answers[answer.clauses[0]] = answer
    return [answers[invariant.head.id] for invariant in invariants_of(model.norms)]


def invariant_proofs(model: Model) -> Iterator[Answer]:
    """Each declared invariant; proved ones strengthen the questions after them. Those that depend on later ones are
    tried again as long as that helps, and answered anew."""
    strengthen_by_stages(model)
    pending = list(invariants_of(model.norms))
    while pending:
        left = []
        for invariant in pending:
            answer = _prove_invariant(model, invariant)
            yield answer
            if isinstance(answer.verdict, Unknown) and answer.verdict.reason == NOT_INDUCTIVE:
                left.append(invariant)
        if len(left) == len(pending):
            break
        pending = left


def _prove_invariant(model: Model, invariant: ir.Invariant) -> Answer:
    clock = Clock()

    def holds(moment: Moment) -> Truth:
        return model.holds(invariant, moment)

    name = invariant.head.id
    of_steps = looks_before(model.norms, invariant)
    if invariant.head.guard == ir.Boolean(True) and conserves(invariant.holds, model.world):
        verdict = _conserved(model)
    else:
        verdict = prove(model, holds, of_steps=of_steps)
    answer = model.answer(Kind.INVARIANT, verdict, (name,), "", clock)
    if isinstance(verdict, Holds) and not of_steps:
        model.assume(name, holds(model.moment))
    return answer


# ------------------------------------------------------------------------------------------------ dead clauses


def never_fires(model: Model, clause: ir.Clause) -> Answer | None:
    """Is the clause dead? `Holds`: it never fires in lawful play. None for clauses that this question does not suit."""
    strengthen_by_stages(model)
    clock = Clock()
    identity = (clause.head.id,)
    match clause:
        case ir.Trigger():
            verdict = _trigger_never_fires(model, clause)
        case ir.Permission() | ir.Prohibition():
            act = model.act(clause.action)
            local = t.conjunction(act.said.possible, law.fires_for(clause, act.arguments, model.moment))
            verdict = _unless_local(model, clause, t.conjunction(local, t.negation(act.said.over)), clause.action)
        case ir.TermClause() | ir.Duty() | ir.Ending():
            verdict = _unless_local(model, clause, firing(model, clause, model.moment), None)
        case _:
            return None
    return model.answer(Kind.NEVER_FIRES, verdict, identity, "", clock)


def never_fires_anywhere(model: Model, clause: ir.Clause) -> Verdict:
    """Is the clause dead in whatever play, breaches included? Single states are all that is looked at, so that it is
    alive cannot be told: `Unknown` then."""
    match clause:
        case ir.Permission() | ir.Prohibition() | ir.Violation() | ir.Lapse():
            act = model.act(clause.action)
            local = t.conjunction(
                act.said.possible,
                t.negation(act.said.over),
                law.fires_for(clause, act.arguments, model.moment),
            )
        case ir.Trigger() if _looks_at_happenings(model.norms, clause):
            return Unknown(NOT_OF_LAWFUL_PLAY)
        case _:
            local = firing(model, clause, model.moment)
    match model.ask({clause.head.rule: local}):
        case Unsat(core=core):
            return Holds("no well-typed state", core)
        case NotDecided(reason=reason):
            return Unknown(reason)
        case Sat():
            return Unknown(NOT_OF_LAWFUL_PLAY)


def _looks_at_happenings(norms: ir.Norms, clause: ir.Clause) -> bool:
    """The clause cannot be read in a state alone."""
    return looks_before(norms, clause) or any(isinstance(node, ir.Happened) for node in nodes(clause))


def firing(model: Model, clause: ir.Clause, moment: Moment) -> Truth:
    """Some instance fires; a clause of a slot that is asked for only counts where it is asked for."""
    if isinstance(clause, ir.TermClause) and model.world.terms[clause.term].asked is not None:
        cases = []
        for values, asked in asked_instances(model.world, model.world.terms[clause.term], moment):
            env = {v.name: value for v, value in zip(clause.head.variables, values, strict=True)}
            cases.append(t.conjunction(asked, c.fires(clause, env, moment)))
        return t.disjunction(*cases)
    if isinstance(clause, ir.Permission | ir.Prohibition):
        action = model.world.actions[clause.action]
        return t.disjunction(*_possible_firings(model, clause, action, moment))
    return c.fires_somewhere(clause, moment)


def _possible_firings(
    model: Model, clause: ir.Permission | ir.Prohibition, action: ir.Action, moment: Moment
) -> list[Truth]:
    cases = []
    for env, exists in c.environments(model.world, action.parameters, {}):
        values = tuple(env[variable.name] for variable in action.parameters)
        fires = law.fires_for(clause, values, moment)
        if fires is not False:
            going = t.negation(law.over(moment))
            cases.append(t.conjunction(exists, going, law.possible(action, values, moment), fires))
    return cases


def _unless_local(model: Model, clause: ir.Clause, local: Truth, act: str | None) -> Verdict:
    """`Holds` if no well-typed state lets it fire, or if induction shows that none is reached."""
    outcome = model.ask({clause.head.rule: local})
    match outcome:
        case Unsat(core=core):
            return Holds("no well-typed state", core)
        case NotDecided(reason=reason):
            return Unknown(reason)
        case Sat():
            pass

    def silent(moment: Moment) -> Truth:
        return t.negation(firing(model, clause, moment))

    proof = prove(model, silent)
    if isinstance(proof, Unknown) and proof.witness is None:
        return Unknown(proof.reason, model.witness(outcome, act))
    return proof


def _trigger_never_fires(model: Model, trigger: ir.Trigger) -> Verdict:
    """Triggers fire inside steps, so every kind of lawful act is asked."""
    fired = model.start().fired.get(trigger.head.id, False)
    if fired is not False and not isinstance(model.ask_alone([fired], background=False), Unsat):
        return Unknown("fires at the start")
    for action in model.norms.actions:
        step = model.step(action.name)
        condition = step.fired.get(trigger.head.id, False)
        if condition is not False or not step.exact:
            lawful = model.act(action.name).said.lawful
            outcome = model.ask_alone([lawful, t.disjunction(condition, step.overrun)])
            match outcome:
                case Sat():
                    return Unknown("fires in a well-typed state", model.witness(outcome, action.name))
                case NotDecided(reason=reason):
                    return Unknown(f"{action.name}: {reason}")
                case Unsat():
                    pass
    return Holds("no lawful step from a well-typed state")


# ------------------------------------------------------------------------------------------------ conservation


def _conserved(model: Model) -> Verdict:
    """Well-typed states have each card in one zone, so it is enough that steps lead from such to such."""
    for action in model.norms.actions:
        verdict = conservation(model, action).verdict
        match verdict:
            case Unknown(reason=reason):
                return Unknown(f"{action.name}: {reason}")
            case Fails(witness=witness):
                return Unknown(NOT_INDUCTIVE, witness)
            case Holds():
                pass
    return Holds("induction over lawful steps")


def conservation(model: Model, action: ir.Action) -> Answer:
    """A step from a well-typed state, by any possible act of this kind, leads to a well-typed state."""
    clock = Clock()
    step, given = model.step(action.name), model.act(action.name).said.possible
    parts = well_typed(model.world, step.after, model.stepper.initial().registers)
    rest = t.conjunction(*(part for name, part in parts.items() if name != "cards"))
    outcome = model.ask_alone([given, step.succeeds, t.negation(rest)])
    if isinstance(outcome, Unsat):
        outcome = model.ask_bare(_cards_are_lost(model, step, given))
        if not isinstance(outcome, Unsat):  # what the step does not touch was forgotten; now in full
            outcome = model.ask_alone([given, step.succeeds, t.negation(parts["cards"])])
    verdict = model.verdict(outcome, "one step", act=action.name, after=True)
    return model.answer(Kind.CONSERVATION, verdict, (), action.name, clock, step.waves)


def _cards_are_lost(model: Model, step: Step, given: Truth) -> list[Truth]:
    """Conditions of a step that loses or doubles a card, where one free set stands for all places that the step does
    not touch: if there is no such step, there is none in particular for what those places hold."""
    world, before, after = model.world, model.before, step.after
    touched = {place for place, mask in before.sets.items() if not _same_term(mask, after.sets[place])}
    for place, pile in before.piles.items():
        if not _same_pile(pile, after.piles[place]):
            touched.add(place)
    elsewhere = z3.BitVec("elsewhere", world.cards)
    masks = [[elsewhere, *place_masks(world, state, touched)] for state in (before, after)]
    zones = [zone_conditions(world, before, world.zones[name]) for name in sorted({place[0] for place in touched})]
    return [
        given,
        step.succeeds,
        *zones,
        apart(world, masks[0], True),
        t.negation(apart(world, masks[1], True)),
    ]


def _same_pile(one: Pile, two: Pile) -> bool:
    pairs = zip((*one.cards, *one.authors, one.length), (*two.cards, *two.authors, two.length), strict=True)
    return all(_same_term(a, b) for a, b in pairs)


def _same_term(one: Bits, two: Bits) -> bool:
    if isinstance(one, int) or isinstance(two, int):
        return isinstance(one, int) and isinstance(two, int) and one == two
    return bool(one.eq(two))
