"""Invariants nobody wrote down, found by trying: simple candidates in, those that induction keeps out.

A candidate says of one value of a register what goes with it: a zone is empty, another register has some value. All
are assumed together; a step that breaks some throws those out, until the rest is kept by every lawful step (and holds
at the start). So «in the play nothing is left in the talon» is proved, not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import z3

from svod.constraints import terms as t
from svod.constraints.from_norms import Model
from svod.constraints.moments import Moment
from svod.constraints.solver import Budget, NotDecided, Sat, Unsat
from svod.constraints.symbols import Cell, World
from svod.constraints.terms import Truth
from svod.norms import ir
from svod.norms.trace import Position

_ALL = Budget(resources=1_500_000, seconds=30.0)  # for all candidates in one question
_EACH = Budget(resources=1_500_000, seconds=30.0)  # a candidate that is not shown to be kept with this is given up
_VALUES_MOST = 8  # registers with more values are left alone


@dataclass(frozen=True, slots=True)
class Candidate:
    """While register `given` has code `code`: zone `empty` holds nothing, or register `other` has code `other_code`.
    With neither: it never has that code at rest."""

    given: str
    code: int
    empty: str | None = None
    other: str | None = None
    other_code: int = 0

    @property
    def name(self) -> str:
        """For scopes and messages."""
        if self.empty is None and self.other is None:
            return f"{self.given} ≠ {self.code}"
        what = f"{self.empty} empty" if self.empty is not None else f"{self.other} = {self.other_code}"
        return f"{self.given} = {self.code} → {what}"

    def holds_in(self, world: World, position: Position) -> bool:
        """The candidate in a position that was met in play."""
        registers = dict(position.registers)
        if _code(world, registers, self.given) != self.code:
            return True
        if self.empty is not None:
            return not any(cards for place, cards in position.zones if place[0] == self.empty)
        if self.other is None:
            return False
        return _code(world, registers, self.other) == self.other_code

    def holds(self, world: World, moment: Moment) -> Truth:
        """The candidate in this state."""
        premise = _has(world, moment, self.given, self.code)
        if self.empty is not None:
            zone = world.zones[self.empty]
            owners = [None if place[1] is None else t.constant(place[1]) for place in world.places(zone)]
            if zone.pile:
                empty = t.conjunction(*(t.equal(moment.size(zone, owner), t.constant(0)) for owner in owners))
            else:
                empty = t.conjunction(*(t.mask_empty(moment.mask(zone, owner), world.cards) for owner in owners))
            return t.implication(premise, empty)
        if self.other is None:
            return t.negation(premise)
        return t.implication(premise, _has(world, moment, self.other, self.other_code))


def _code(world: World, registers: Mapping[Cell, int | None], name: str) -> int:
    value = registers[name, ()]
    return world.cell_types[name].top if value is None else value


def _has(world: World, moment: Moment, register: str, code: int) -> Truth:
    return t.same_bits(moment.state.registers[register, ()], code, world.cell_types[register].width)


def stage_candidates(world: World, samples: tuple[Position, ...] = ()) -> Iterator[Candidate]:
    """What a stage leaves empty or untouched. Of a stage that no sample is in only that none ever is at rest in it."""
    stage = world.norms.stage_register
    if stage is None or world.registers[stage].index:
        return
    met = {_code(world, dict(position.registers), stage) for position in samples}
    codes = range(world.cell_types[stage].top + 1)
    unmet = {code for code in codes if met and code not in met}
    yield from (Candidate(stage, code) for code in sorted(unmet))
    for candidate in _about(world, stage, [name for name in _plain(world) if name != stage]):
        if candidate.code not in unmet:
            yield candidate


def _plain(world: World) -> list[str]:
    found = []
    for register in world.norms.registers:
        cell_type = world.cell_types[register.name]
        if register.name in world.constants or register.index:
            continue
        if cell_type.low == 0 and cell_type.top < _VALUES_MOST:
            found.append(register.name)
    return found


def _about(world: World, name: str, others: list[str]) -> Iterator[Candidate]:
    for code in range(world.cell_types[name].top + 1):
        for zone in world.norms.zones:
            if zone.name not in world.empty:
                yield Candidate(name, code, empty=zone.name)
        for other in others:
            value = world.registers[other].initial
            index = {ir.Value: getattr(value, "index", 0), ir.Number: getattr(value, "value", 0)}.get(type(value))
            if isinstance(value, ir.Nothing):
                index = world.cell_types[other].top
            if index is not None:
                yield Candidate(name, code, other=other, other_code=index)


def strengthen_by_stages(model: Model) -> None:
    """Assume what stages leave empty or untouched, once for a model."""
    if not model.strengthened:
        model.strengthened = True
        strengthen(model, list(stage_candidates(model.world, model.samples)))


def strengthen(model: Model, candidates: list[Candidate]) -> tuple[str, ...]:
    """Assume in `model` those candidates that are kept; their names. Positions that were met in play (`model.samples`)
    throw out false ones without any solving."""
    kept = [c for c in candidates if all(c.holds_in(model.world, position) for position in model.samples)]
    kept = _at_start(model, kept)
    shown: dict[str, int] = {}  # kind of act → how many candidates there were when it was shown to keep them all
    while kept and any(shown.get(action.name) != len(kept) for action in model.norms.actions):
        for action in model.norms.actions:
            if kept and shown.get(action.name) != len(kept):
                kept = _kept_by(model, action, kept)
                shown[action.name] = len(kept)
    for candidate in kept:
        model.assume(candidate.name, candidate.holds(model.world, model.moment))
    return tuple(candidate.name for candidate in kept)


def _at_start(model: Model, candidates: list[Candidate]) -> list[Candidate]:
    start = model.start()
    moment = Moment(model.world, start.after)
    kept = []
    for candidate in candidates:
        condition = t.conjunction(start.succeeds, t.negation(candidate.holds(model.world, moment)))
        simple = condition if isinstance(condition, bool) else z3.simplify(condition)
        if simple is False or (not isinstance(simple, bool) and z3.is_false(simple)):
            kept.append(candidate)
        elif isinstance(model.ask_alone([condition], background=False), Unsat):
            kept.append(candidate)
    return kept


def _kept_by(model: Model, action: ir.Action, candidates: list[Candidate]) -> list[Candidate]:
    """Those of the candidates that acts of this kind keep, if all hold before."""
    act, step = model.act(action.name), model.step(action.name)
    after = Moment(model.world, step.after)
    goes_on = t.conjunction(act.said.lawful, t.negation(step.stopped))
    then = {candidate.name: candidate.holds(model.world, after) for candidate in candidates}
    kept = list(candidates)
    while True:
        before = [candidate.holds(model.world, model.moment) for candidate in kept]
        # what the act does not touch is the same term before and after
        touched = [c for c, held in zip(kept, before, strict=True) if t.same_truth(then[c.name], held) is not True]
        broken = t.disjunction(*(t.negation(then[candidate.name]) for candidate in touched))
        outcome = model.ask_without_piles([*before, goes_on, broken], _ALL)
        if not isinstance(outcome, Sat):
            outcome = model.ask_loosely([*before, goes_on, broken], _ALL)
        match outcome:
            case Unsat():
                return kept
            case Sat(model=found):
                kept = [c for c in kept if c not in touched or _true(found, then[c.name])]
            case NotDecided():
                lost = [c for c in touched if not _unbroken(model, [*before, goes_on, t.negation(then[c.name])])]
                return [c for c in kept if c not in lost]


def _unbroken(model: Model, conditions: list[Truth]) -> bool:
    return isinstance(model.ask_loosely(conditions, _EACH), Unsat)


def _true(found: object, condition: Truth) -> bool:
    if isinstance(condition, bool):
        return condition
    return bool(z3.is_true(found.eval(condition, model_completion=True)))  # type: ignore[attr-defined]
