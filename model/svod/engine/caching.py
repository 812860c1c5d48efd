"""Norms in force in, the terms worth remembering in the state vector out, in the order in which they are worked out.

Remembered are terms without parameters (their value) and conditions about one seat that are always defined (a mask of
seats), if they are asked for or read more than once. They are recomputed at the start of a wave whose writes concern
them, so they are up to date wherever the state is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from svod.engine.layout import Layout
from svod.engine.prepare import Prepared
from svod.engine.quantifiers import Printer
from svod.engine.walk import children, effect_parts
from svod.engine.world import FIRING, World, terms_read
from svod.norms import ir

NOWHERE = Layout((), (), (), (), (), (), (), (), (), 0, 0, ())


def remembered_terms(prepared: Prepared) -> tuple[str, ...]:
    """Names of the terms, those first that others read."""
    world = prepared.world
    printer = Printer(world, prepared.static, NOWHERE)
    uses = _uses(world)
    chosen = [
        t.name for t in world.norms.terms if _fits(world, printer, t) and (t.asked is not None or uses[t.name] > 1)
    ]
    order: list[str] = []
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in order or name in under_way:
            return
        under_way.append(name)
        for other in sorted(_slots_needed(world, name)):
            if other in chosen:
                visit(other)
        order.append(under_way.pop())

    for name in chosen:
        visit(name)
    return tuple(name for name in order if name not in _slots_needed(world, name))


def groups_of_terms(world: World, remembered: Iterable[str]) -> list[list[str]]:
    """Remembered terms in order, those together that read the same places."""
    groups: list[list[str]] = []
    for name in remembered:
        if groups and world.term_reads(groups[-1][0]) == world.term_reads(name):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _slots_needed(world: World, name: str) -> set[str]:
    return {n for n in world.terms_needed(name) if not n.startswith(FIRING)}


def _fits(world: World, printer: Printer, term: ir.Term) -> bool:
    reads = world.term_reads(term.name)
    if not reads or "before" in reads or any(r.startswith("event:") for r in reads):
        return False
    if not term.parameters:
        return True
    alone = len(term.parameters) == 1 and term.parameters[0].sort == world.norms.seats
    return alone and isinstance(term.type, ir.Truth) and printer.term_total(term.name)


def _uses(world: World) -> Counter[str]:
    """How often each term is read in the norms."""
    found: Counter[str] = Counter()

    def count(e: ir.Expression) -> None:
        if isinstance(e, ir.ReadTerm):
            found[e.term] += 1
        for child in children(e):
            count(child)

    for clause in world.norms.clauses:
        count(clause.head.guard)
        if isinstance(clause, ir.TermClause):
            count(clause.value)
        if isinstance(clause, ir.Trigger):
            for effect in clause.effects:
                for e in effect_parts(effect):
                    count(e)
    for action in world.norms.actions:
        count(action.possible)
    for term in world.norms.terms:
        if term.asked is not None:
            count(term.asked)
    return found


def shadowed_slots(world: World, layout: Layout, triggers: Iterable[ir.Trigger]) -> tuple[list[int], frozenset[str]]:
    """Slots that some trigger reads in the state before, and the remembered terms among them. What such a term is made
    of need not be kept: its value is."""
    caches = dict(layout.caches)
    pending: list[ir.Expression] = []
    for trigger in triggers:
        for e in (world.fires(trigger.head.id), *(x for f in trigger.effects for x in effect_parts(f))):
            pending += _asked_before(world, e, set())
    names: set[str] = set()
    seen: set[str] = set()
    while pending:
        e = pending.pop()
        names |= world.own_reads(e)
        for term in terms_read(e) - seen:
            seen.add(term)
            if term not in caches:
                pending += world.term_expressions(term)
    slots = [s for (n, _), s in layout.registers if "register:" + n in names]
    if layout.frame is not None and not set(layout.frame.record).isdisjoint(slots):
        slots.append(layout.frame.open)
    for place in layout.zones:
        if "zone:" + place.zone in names:
            slots.append(place.mask)
            if place.pile:
                slots += range(place.cards, place.length + 1)
    slots += [slot for name, slot in layout.switches if "switch:" + name in names]
    slots += [layout.box] if slots and layout.box >= 0 else []
    remembered = seen & caches.keys()
    return sorted([*slots, *(caches[name] for name in remembered)]), frozenset(remembered)


def _asked_before(world: World, e: ir.Expression, seen: set[str]) -> list[ir.Expression]:
    """What is asked of the state before."""
    if isinstance(e, ir.Before):
        return [e.of]
    found: list[ir.Expression] = []
    if isinstance(e, ir.ReadTerm) and e.term not in seen:
        seen.add(e.term)
        found += [asked for x in world.term_expressions(e.term) for asked in _asked_before(world, x, seen)]
    return found + [asked for child in children(e) for asked in _asked_before(world, child, seen)]
