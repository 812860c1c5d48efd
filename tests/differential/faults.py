"""Faults that a translator of norms could have: each changes norms in exactly one place, wherever there is one.

A fault yields one changed copy for each place where it applies; it looks at structure only and knows no rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from svod.norms import ir

Fault = Callable[[ir.Norms], Iterator[ir.Norms]]
Change = Callable[[Any], Iterator[Any]]


def variants(node: Any, change: Change) -> Iterator[Any]:
    """Copies of a tree in which one node is replaced by what `change` makes of it."""
    yield from change(node)
    if isinstance(node, tuple):
        for place, item in enumerate(node):
            for other in variants(item, change):
                yield (*node[:place], other, *node[place + 1 :])
    elif is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            for other in variants(getattr(node, field.name), change):
                yield replace(node, **{field.name: other})


def in_clauses(norms: ir.Norms, change: Change, kinds: tuple[type, ...] = ()) -> Iterator[ir.Norms]:
    """Norms with one node changed inside one clause (of these kinds)."""
    for place, clause in enumerate(norms.clauses):
        if not kinds or isinstance(clause, kinds):
            for other in variants(clause, change):
                yield replace(norms, clauses=(*norms.clauses[:place], other, *norms.clauses[place + 1 :]))


def without_clause(norms: ir.Norms, kind: type) -> Iterator[ir.Norms]:
    """Norms without one clause of this kind; exceptions that it made are gone with it."""
    for gone in norms.clauses:
        if isinstance(gone, kind):
            kept = tuple(clause for clause in norms.clauses if clause is not gone)
            yield replace(norms, clauses=tuple(_without_exception(clause, gone.head.id) for clause in kept))


def _without_exception(clause: ir.Clause, by: str) -> ir.Clause:
    exceptions = tuple(exempt for exempt in clause.head.exceptions if exempt.by != by)
    return replace(clause, head=replace(clause.head, exceptions=exceptions))


def _one_less(parts: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    for place in range(len(parts)):
        yield (*parts[:place], *parts[place + 1 :])


# ------------------------------------------------------------------------------------------------------ faults


def dropped_guard_conjunct(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Head) and isinstance(node.guard, ir.And):
            for parts in _one_less(node.guard.parts):
                yield replace(node, guard=ir.And(parts))

    yield from in_clauses(norms, change, (ir.Permission, ir.Prohibition, ir.Trigger))


def dropped_exception(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Head):
            for exceptions in _one_less(node.exceptions):
                yield replace(node, exceptions=exceptions)

    yield from in_clauses(norms, change)


def seat_step_off_by_one(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.FirstClockwise):
            yield replace(node, inclusive=not node.inclusive)
        elif isinstance(node, ir.StepValue):
            yield node.of

    yield from in_clauses(norms, change)


def swapped_move_target(norms: ir.Norms) -> Iterator[ir.Norms]:
    names = [zone.name for zone in norms.zones if not zone.owned]

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.MoveCard | ir.MoveAll):
            for name in names:
                if name not in (node.target.zone, node.source.zone):
                    yield replace(node, target=ir.ZoneRef(name, None))

    yield from in_clauses(norms, change, (ir.Trigger,))


def count_off_by_one(norms: ir.Norms) -> Iterator[ir.Norms]:
    """A comparison with the number of cards in a zone is one off."""

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Compare) and isinstance(node.left, ir.Size) and not isinstance(node.right, ir.Number):
            yield replace(node, right=ir.Arithmetic(ir.Operator.SUBTRACT, node.right, ir.Number(1)))

    yield from in_clauses(norms, change, (ir.Trigger,))


def relation_changed(norms: ir.Norms) -> Iterator[ir.Norms]:
    near = {
        ir.Relation.LESS: ir.Relation.LESS_EQUAL,
        ir.Relation.LESS_EQUAL: ir.Relation.LESS,
        ir.Relation.GREATER: ir.Relation.GREATER_EQUAL,
        ir.Relation.GREATER_EQUAL: ir.Relation.GREATER,
    }

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Compare) and node.relation in near:
            yield replace(node, relation=near[node.relation])

    yield from in_clauses(norms, change, (ir.Permission, ir.TermClause))


def missing_trigger(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Trigger)


def register_not_written(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Trigger):
            for place, effect in enumerate(node.effects):
                if isinstance(effect, ir.Assign):
                    yield replace(node, effects=(*node.effects[:place], *node.effects[place + 1 :]))

    yield from in_clauses(norms, change)


def posting_changed(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Post):
            yield replace(node, amount=ir.Arithmetic(ir.Operator.ADD, node.amount, ir.Number(1)))

    yield from in_clauses(norms, change)


def permission_removed(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Permission)


def prohibition_removed(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Prohibition)


def duty_removed(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Duty)


def duty_without_term(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Duty) and node.deadline is not ir.Deadline.NONE:
            yield replace(node, deadline=ir.Deadline.NONE)

    yield from in_clauses(norms, change)


def right_weakened(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Permission) and node.strong:
            yield replace(node, strong=False)

    yield from in_clauses(norms, change)


def inverted_switch(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Switch):
            yield ir.Not(node)

    yield from in_clauses(norms, change)


def other_end_of_pile(norms: ir.Norms) -> Iterator[ir.Norms]:
    piles = {zone.name for zone in norms.zones if zone.pile}

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.MoveCard) and node.target.zone in piles:
            yield replace(node, to_bottom=not node.to_bottom)

    for actions in variants(norms.actions, change):
        yield replace(norms, actions=actions)
    yield from in_clauses(norms, change)


def author_lost(norms: ir.Norms) -> Iterator[ir.Norms]:
    keeping = {zone.name for zone in norms.zones if zone.authors}

    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.MoveCard) and node.target.zone in keeping and node.author is not None:
            yield replace(node, author=None)

    for actions in variants(norms.actions, change):
        yield replace(norms, actions=actions)


def order_dropped(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Trigger) and node.after:
            yield replace(node, after=())

    yield from in_clauses(norms, change)


def before_is_now(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Before):
            yield node.of

    yield from in_clauses(norms, change, (ir.Trigger,))


def happening_ignored(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Happened):
            yield ir.Boolean(False)

    yield from in_clauses(norms, change)


def event_not_raised(norms: ir.Norms) -> Iterator[ir.Norms]:
    def change(node: Any) -> Iterator[Any]:
        if isinstance(node, ir.Trigger) and any(isinstance(effect, ir.Raise) for effect in node.effects):
            yield replace(node, effects=tuple(e for e in node.effects if not isinstance(e, ir.Raise)))

    yield from in_clauses(norms, change)


def never_over(norms: ir.Norms) -> Iterator[ir.Norms]:
    yield from without_clause(norms, ir.Ending)


def slot_not_asked(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, term in enumerate(norms.terms):
        if term.asked is not None:
            terms = (*norms.terms[:place], replace(term, asked=None), *norms.terms[place + 1 :])
            yield replace(norms, terms=terms)


def other_combination(norms: ir.Norms) -> Iterator[ir.Norms]:
    """Only the first clause of a slot is looked at, or all where the first should decide."""
    for place, term in enumerate(norms.terms):
        several = sum(isinstance(c, ir.TermClause) and c.term == term.name for c in norms.clauses) > 1
        if several:
            first = term.combination is ir.Combination.FIRST
            changed = replace(term, combination=ir.Combination.UNIQUE if first else ir.Combination.FIRST)
            yield replace(norms, terms=(*norms.terms[:place], changed, *norms.terms[place + 1 :]))


def wrong_start(norms: ir.Norms) -> Iterator[ir.Norms]:
    for place, register in enumerate(norms.registers):
        if isinstance(register.initial, ir.Value) and len(norms.sort(register.initial.sort).values) > 1:
            other = replace(register.initial, index=1 if register.initial.index == 0 else 0)
            changed = replace(register, initial=other)
            yield replace(norms, registers=(*norms.registers[:place], changed, *norms.registers[place + 1 :]))


FAULTS: tuple[Fault, ...] = (
    dropped_guard_conjunct,
    dropped_exception,
    seat_step_off_by_one,
    swapped_move_target,
    count_off_by_one,
    relation_changed,
    missing_trigger,
    register_not_written,
    posting_changed,
    permission_removed,
    prohibition_removed,
    duty_removed,
    duty_without_term,
    right_weakened,
    inverted_switch,
    other_end_of_pile,
    author_lost,
    order_dropped,
    before_is_now,
    happening_ignored,
    event_not_raised,
    never_over,
    slot_not_asked,
    other_combination,
    wrong_start,
)
