"""Write races: which pairs of writes of one step set a place differently though no exception or order ties them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from svod.constraints import terms as t
from svod.constraints.effects import CellWrite, Writes
from svod.constraints.moments import Moment
from svod.constraints.moves import CardWrite
from svod.constraints.symbols import World
from svod.constraints.terms import Quantity, Truth
from svod.norms import ir

RaceKey: TypeAlias = tuple[str, str, str]  # place, the two clauses


def outranking(norms: ir.Norms) -> frozenset[tuple[str, str]]:
    """Pairs of rules of which the first has the last word: it excepts the second, or comes after it."""
    rules = {clause.head.id: clause.head.rule for clause in norms.clauses}
    found: set[tuple[str, str]] = set()
    for clause in norms.clauses:
        found |= {(rules[exempt.by], clause.head.rule) for exempt in clause.head.exceptions}
        if isinstance(clause, ir.Trigger):
            found |= {(clause.head.rule, other) for other in clause.after}
    return frozenset(found)


@dataclass
class RaceFinder:
    """Collects the races of a step wave by wave. Cards that one wave laid may be moved on by a later one."""

    world: World
    outranks: frozenset[tuple[str, str]]
    assigned: list[CellWrite] = field(default_factory=list)

    def wave(self, moment: Moment, writes: Writes) -> Iterator[tuple[RaceKey, Truth]]:
        """Races inside this wave, and assignments that differ from those of other rules in earlier waves."""
        for i, first in enumerate(writes.cells):
            for second in writes.cells[i + 1 :]:
                both_add = first.amount is not None and second.amount is not None
                if first.cell == second.cell and not both_add and self._untied(first, second):
                    yield _key(first.cell[0], first, second), _cells_differ(self.world, first, second)
            for earlier in self.assigned:
                same_rule = earlier.rule == first.rule
                if (
                    first.amount is None
                    and earlier.cell == first.cell
                    and not same_rule
                    and self._untied(earlier, first)
                ):
                    yield _key(first.cell[0], earlier, first), _cells_differ(self.world, earlier, first)
        for j, one in enumerate(writes.cards):
            for two in writes.cards[j + 1 :]:
                if one.source.name == two.source.name and self._untied(one, two):
                    yield _key(one.source.name, one, two), _cards_differ(moment, one, two)
        self.assigned += [write for write in writes.cells if write.amount is None]

    def restored(self, condition: Truth) -> None:
        """A restoration undid what was assigned so far, but to registers outside the frame."""
        inside = {register.name for register in self.world.restorable}
        undone = t.negation(condition)
        self.assigned = [
            replace(write, condition=t.conjunction(write.condition, undone)) if write.cell[0] in inside else write
            for write in self.assigned
        ]

    def _untied(self, first: CellWrite | CardWrite, second: CellWrite | CardWrite) -> bool:
        if first.clause == second.clause:
            return True
        pair = (first.rule, second.rule)
        return pair not in self.outranks and pair[::-1] not in self.outranks


def _key(place: str, first: CellWrite | CardWrite, second: CellWrite | CardWrite) -> RaceKey:
    one, two = sorted((first.clause, second.clause))
    return place, one, two


def _cells_differ(world: World, first: CellWrite, second: CellWrite) -> Truth:
    both = t.conjunction(first.condition, second.condition)
    if first.amount is not None or second.amount is not None:
        return both
    width = world.cell_types[first.cell[0]].width
    return t.conjunction(both, t.negation(t.same_bits(first.code, second.code, width)))


def _same_owner(first: Quantity | None, second: Quantity | None) -> Truth:
    return True if first is None or second is None else t.equal(first, second)


def _cards_differ(moment: Moment, one: CardWrite, two: CardWrite) -> Truth:
    """The two moves lay a common card differently: elsewhere, at another end, or by another hand.

    Both read one state, where zones are disjoint and a card moved lies in its source.
    """
    both = t.conjunction(one.condition, two.condition, _same_owner(one.source_owner, two.source_owner))
    if both is False:
        return False
    if one.card is not None and two.card is not None:
        both = t.conjunction(both, t.equal(one.card, two.card))
    elif one.card is None and two.card is None:
        both = t.conjunction(both, t.negation(t.equal(moment.size(one.source, one.source_owner), t.constant(0))))
    if one.target.name != two.target.name:
        return both
    alike = _same_owner(one.target_owner, two.target_owner)
    if one.target.pile and one.to_bottom != two.to_bottom:
        alike = False
    if one.target.authors:
        alike = t.conjunction(alike, t.equal(_author(moment, one, two), _author(moment, two, one)))
    return t.conjunction(both, t.negation(alike))


def _author(moment: Moment, of: CardWrite, other: CardWrite) -> Quantity:
    """Who is said to have laid the card that both moves move (whole piles keep what they have)."""
    if of.card is not None:
        return of.author
    if other.card is None or not of.source.authors:
        return t.NOTHING
    found: Quantity = moment.author(of.source, of.source_owner, other.card).value
    return found
