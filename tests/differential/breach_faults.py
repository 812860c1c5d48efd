"""Faults about breaches: in the norms, one change wherever there is room for it; or in an evaluator, one for all norms.

A fault of an evaluator changes a naive evaluator, which then plays the part of the one that has to be believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from svod.naive.evaluator import Naive
from svod.naive.judging import Moment
from svod.naive.world import Scene, State
from svod.norms import ir
from svod.norms.trace import Act, Hole, Status, StepOutcome

from .faults import Fault, in_clauses, without_clause

EvaluatorFault = Callable[[Naive], None]

# ------------------------------------------------------------------------------------------------- in the norms


def violation_removed(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Violation)


def lapse_removed(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Lapse)


def exception_against_a_violation_ignored(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Violation) and node.head.exceptions:
            yield replace(node, head=replace(node.head, exceptions=()))

    yield from in_clauses(norms, change)


def condition_of_a_breach_dropped(norms: ir.Norms) -> Iterator[ir.Norms]:
    """The guard of a violation or a lapse always counts as met."""

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Violation | ir.Lapse):
            yield replace(node, head=replace(node.head, guard=ir.Boolean(True)))

    yield from in_clauses(norms, change)


def offender_and_actor_swapped(norms: ir.Norms) -> Iterator[ir.Norms]:
    """Where somebody else is guilty the actor is, and the other way round."""
    actors = {action.name: action.parameters[action.actor] for action in norms.actions if action.actor is not None}

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Violation):
            actor = actors[node.action]
            others = ir.StepValue(actor, 1, False)
            yield replace(node, offenders=tuple(others if each == actor else actor for each in node.offenders[:1]))

    yield from in_clauses(norms, change)


def second_offender_forgotten(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Violation) and len(node.offenders) > 1:
            yield replace(node, offenders=node.offenders[:1])

    yield from in_clauses(norms, change)


def breach_under_another_number(norms: ir.Norms) -> Iterator[ir.Norms]:
    names = {clause.name for clause in norms.clauses if isinstance(clause, ir.Violation)}

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Violation):
            for name in sorted(names - {node.name}):
                yield replace(node, name=name)

    yield from in_clauses(norms, change)


def restoration_forgotten(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Trigger) and any(isinstance(effect, ir.Restore) for effect in node.effects):
            yield replace(node, effects=tuple(e for e in node.effects if not isinstance(e, ir.Restore)))

    yield from in_clauses(norms, change)


def restoration_keeps_an_inside_register(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, register in enumerate(norms.registers):
        if not register.outside_frame:
            changed = replace(register, outside_frame=True)
            yield replace(norms, registers=(*norms.registers[:place], changed, *norms.registers[place + 1 :]))


def restoration_takes_back_an_outside_register(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, register in enumerate(norms.registers):
        if register.outside_frame and (norms.catalogue is None or register.name != norms.catalogue.record):
            changed = replace(register, outside_frame=False)
            yield replace(norms, registers=(*norms.registers[:place], changed, *norms.registers[place + 1 :]))


def restoration_moves_outside_cards(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, zone in enumerate(norms.zones):
        if zone.outside_frame:
            changed = replace(zone, outside_frame=False)
            yield replace(norms, zones=(*norms.zones[:place], changed, *norms.zones[place + 1 :]))


def restoration_leaves_inside_cards(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, zone in reversed(list(enumerate(norms.zones))):
        if not zone.outside_frame and not zone.pile:
            changed = replace(zone, outside_frame=True)
            yield replace(norms, zones=(*norms.zones[:place], changed, *norms.zones[place + 1 :]))


def lawful_counts_as_possible(norms: ir.Norms) -> Iterator[ir.Norms]:
    possible = {action.name: action for action in norms.actions}

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Lawful):
            yield possible[node.action].possible

    yield from in_clauses(norms, change)


# ---------------------------------------------------------------------------------------------- in an evaluator


def violation_is_no_prohibition(naive: Naive) -> None:
    judge = naive._judge
    against = judge._against

    def fault(act: Act, scene: Scene, apart: bool) -> list[ir.Prohibition | ir.Violation]:
        return [clause for clause in against(act, scene, apart) if isinstance(clause, ir.Prohibition)]

    judge._against = fault  # type: ignore[method-assign]


def violation_forbids_whoever_is_guilty(naive: Naive) -> None:
    judge, world = naive._judge, naive._world
    against = judge._against

    def fault(act: Act, scene: Scene, apart: bool) -> list[ir.Prohibition | ir.Violation]:
        met = [v for v in world.violations[act.action] if judge.offenders(v, act, scene)]
        return [*against(act, scene, apart), *met]

    judge._against = fault  # type: ignore[method-assign]


def _broken(naive: Naive, change: Callable[[set[tuple[int, int]], Act, Moment], set[tuple[int, int]]]) -> None:
    """The evaluator with other breaches entered."""
    breaches = naive._breaches
    broken = breaches._broken

    def fault(catalogue: ir.Catalogue, act: Act, moment: Moment) -> set[tuple[int, int]]:
        return change(broken(catalogue, act, moment), act, moment)

    breaches._broken = fault  # type: ignore[method-assign]


def _other(naive: Naive) -> int:
    catalogue = naive.norms.catalogue
    assert catalogue is not None
    return naive.norms.sort(catalogue.sort).values.index(catalogue.other)


def other_entered_beside_a_violation(naive: Naive) -> None:
    def change(found: set[tuple[int, int]], act: Act, moment: Moment) -> set[tuple[int, int]]:
        actor = naive._world.actor(act)
        unlawful = actor is not None and naive._judge.decide(act, moment).status is Status.UNLAWFUL
        return found | {(actor, _other(naive))} if unlawful and actor is not None else found

    _broken(naive, change)


def other_entered_for_a_contested_act(naive: Naive) -> None:
    def change(found: set[tuple[int, int]], act: Act, moment: Moment) -> set[tuple[int, int]]:
        actor = naive._world.actor(act)
        contested = naive._judge.decide(act, moment).status is Status.CONTESTED
        return {(actor, _other(naive))} if contested and not found and actor is not None else found

    _broken(naive, change)


def other_never_entered(naive: Naive) -> None:
    _broken(naive, lambda found, act, moment: {entry for entry in found if entry[1] != _other(naive)})


def breaches_read_after_the_body(naive: Naive) -> None:
    """Guards of violations see the board that the act has made."""
    breaches, enter = naive._breaches, naive._breaches.enter

    def fault(act: Act, moment: Moment, after: State) -> None:
        scene = Scene(after.copy())
        kept = after.copy()
        enter(act, replace(moment, scene=scene), after)
        if after.frame is not None and kept.frame is None:
            after.frame = naive._world.frame(moment.scene.state)

    breaches.enter = fault  # type: ignore[method-assign]


def lapse_after_entering(naive: Naive) -> None:
    """What the act itself breaks is forgotten as well."""
    breaches, enter = naive._breaches, naive._breaches.enter

    def fault(act: Act, moment: Moment, after: State) -> None:
        enter(act, moment, after)
        if naive.norms.catalogue is not None and breaches._lapses(act, moment):
            breaches._empty(naive.norms.catalogue, after)

    breaches.enter = fault  # type: ignore[method-assign]


def lapse_keeps_the_frame(naive: Naive) -> None:
    breaches, enter = naive._breaches, naive._breaches.enter

    def fault(act: Act, moment: Moment, after: State) -> None:
        frame = after.frame
        enter(act, moment, after)
        after.frame = frame or after.frame

    breaches.enter = fault  # type: ignore[method-assign]


def frame_taken_after_the_body(naive: Naive) -> None:
    breaches, enter = naive._breaches, naive._breaches.enter

    def fault(act: Act, moment: Moment, after: State) -> None:
        body = after.copy()
        enter(act, moment, after)
        if after.frame is not None and after.frame is not body.frame:
            after.frame = naive._world.frame(body)

    breaches.enter = fault  # type: ignore[method-assign]


def frame_of_the_last_breach(naive: Naive) -> None:
    """Each breach takes a new frame, though an earlier one is open."""
    breaches, enter = naive._breaches, naive._breaches.enter

    def fault(act: Act, moment: Moment, after: State) -> None:
        earlier, after.frame = after.frame, None
        enter(act, moment, after)
        after.frame = after.frame or earlier

    breaches.enter = fault  # type: ignore[method-assign]


def frame_kept_at_rest(naive: Naive) -> None:
    naive._breaches.rest = lambda state: None  # type: ignore[method-assign]


def _restored(naive: Naive, change: Callable[[State, State], None]) -> None:
    """The evaluator with something done to the restored state; told what was there just before."""
    breaches = naive._breaches
    restored = breaches.restored

    def fault(now: State, restoring: list[Hole]) -> tuple[State, list[StepOutcome]]:
        after, failures = restored(now, restoring)
        change(now, after)
        return after, failures

    breaches.restored = fault  # type: ignore[method-assign]


def restoration_keeps_the_record(naive: Naive) -> None:
    def change(now: State, after: State) -> None:
        catalogue = naive.norms.catalogue
        after.cells.update((key, value) for key, value in now.cells.items() if catalogue and key[0] == catalogue.record)

    _restored(naive, change)


def restoration_turns_piles_over(naive: Naive) -> None:
    def change(now: State, after: State) -> None:
        for key, cards in after.zones.items():
            if naive._world.zones[key[0]].pile:
                cards.reverse()

    _restored(naive, change)


def restoration_forgets_who_laid(naive: Naive) -> None:
    def change(now: State, after: State) -> None:
        for key, cards in after.zones.items():
            after.zones[key] = [(card, None) for card, _ in cards]

    _restored(naive, change)


def restoration_closes_up_piles(naive: Naive) -> None:
    """A pile that misses a card is put together without it."""
    breaches = naive._breaches
    restored = breaches.restored
    breaches.restored = lambda now, restoring: restored(now, [])  # type: ignore[method-assign]


def restoration_raises_edges(naive: Naive) -> None:
    waves = naive._waves
    wave = waves._wave

    def fault(step: Any, now: Any, enabled: Any) -> list[StepOutcome]:
        failures = wave(step, now, enabled)
        step.truths = now
        return failures

    waves._wave = fault  # type: ignore[method-assign]


def lawful_ignores_violations(naive: Naive) -> None:
    """A condition that asks what is lawful does not look at violations."""
    judge = naive._judge
    naive._reader.lawful = lambda act, scene, apart: judge.lawful(act, scene, True)


def apart_is_forgotten(naive: Naive) -> None:
    """Violations count where they are to be left out."""
    judge = naive._judge
    naive._reader.lawful = lambda act, scene, apart: judge.lawful(act, scene, False)


def contested_counts_as_lawful(naive: Naive) -> None:
    judge = naive._judge

    def fault(act: Act, scene: Scene, apart: bool) -> bool:
        moment = judge.moment(scene)
        possible = judge.body(act, moment.scene) is not None
        return possible and judge._weighed(act, moment, apart).status in (Status.LAWFUL, Status.CONTESTED)

    naive._reader.lawful = fault


IN_NORMS: tuple[Fault, ...] = (
    violation_removed,
    lapse_removed,
    exception_against_a_violation_ignored,
    condition_of_a_breach_dropped,
    offender_and_actor_swapped,
    second_offender_forgotten,
    breach_under_another_number,
    restoration_forgotten,
    restoration_keeps_an_inside_register,
    restoration_takes_back_an_outside_register,
    restoration_moves_outside_cards,
    restoration_leaves_inside_cards,
    lawful_counts_as_possible,
)
IN_EVALUATORS: tuple[EvaluatorFault, ...] = (
    violation_is_no_prohibition,
    violation_forbids_whoever_is_guilty,
    other_entered_beside_a_violation,
    other_entered_for_a_contested_act,
    other_never_entered,
    breaches_read_after_the_body,
    lapse_after_entering,
    lapse_keeps_the_frame,
    frame_taken_after_the_body,
    frame_of_the_last_breach,
    frame_kept_at_rest,
    restoration_keeps_the_record,
    restoration_turns_piles_over,
    restoration_forgets_who_laid,
    restoration_closes_up_piles,
    restoration_raises_edges,
    lawful_ignores_violations,
    apart_is_forgotten,
    contested_counts_as_lawful,
)
