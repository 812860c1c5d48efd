"""Effects of a trigger or a body as guarded writes, and the registers after a wave."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from svod.constraints import terms as t
from svod.constraints.expressions import arguments, evaluate, met, present, zone_of
from svod.constraints.moments import Environment, Moment, cell_tuple, encoded
from svod.constraints.moves import CardWrite, ranked
from svod.constraints.symbols import Cell, State, World
from svod.constraints.terms import Bits, Quantity, Truth
from svod.norms import ir


@dataclass(frozen=True, slots=True)
class CellWrite:
    """A register cell set to `code`, or with `amount` added to it, if `condition`."""

    clause: str
    rule: str
    condition: Truth
    cell: Cell
    code: Bits
    amount: Quantity | None


@dataclass
class Writes:
    """What one wave writes, raises and trips over; keys of the dictionaries are ids of clauses."""

    cards: list[CardWrite] = field(default_factory=list)
    cells: list[CellWrite] = field(default_factory=list)
    events: dict[tuple[str, tuple[int, ...]], Truth] = field(default_factory=dict)
    holes: dict[str, Truth] = field(default_factory=dict)
    soft: dict[str, Truth] = field(default_factory=dict)
    limits: dict[str, Truth] = field(default_factory=dict)
    restores: dict[str, Truth] = field(default_factory=dict)


def note(book: dict[str, Truth], key: str, condition: Truth) -> None:
    """Add a case to a dictionary of conditions."""
    if condition is not False:
        book[key] = t.disjunction(book.get(key, False), condition)


def collect(
    effects: tuple[ir.Effect, ...], head: tuple[str, str], env: Environment, moment: Moment, when: Truth, into: Writes
) -> None:
    """Add the writes of the effects, done if `when`; `head` is (clause id, rule)."""
    for effect in effects:
        match effect:
            case ir.MoveCard() | ir.MoveAll():
                _move(effect, head, env, moment, when, into)
            case ir.Assign():
                _assign(effect, head, env, moment, when, into)
            case ir.Post():
                _post(effect, head, env, moment, when, into)
            case ir.Raise():
                _raise(effect, head, env, moment, when, into)
            case ir.Restore():
                note(into.restores, head[0], when)
            case ir.ForEach():
                for value, exists in moment.world.variable(effect.variable):
                    inner = {**env, effect.variable.name: value}
                    chosen = t.conjunction(when, exists, met(effect.where, inner, moment))
                    if chosen is not False:
                        collect(effect.effects, head, inner, moment, chosen, into)
            case _:
                assert_never(effect)


def _move(effect: ir.Move, head: tuple[str, str], env: Environment, moment: Moment, when: Truth, into: Writes) -> None:
    source_defined, source, source_owner = zone_of(effect.source, env, moment)
    target_defined, target, target_owner = zone_of(effect.target, env, moment)
    defined = t.conjunction(source_defined, target_defined)
    if isinstance(effect, ir.MoveAll):
        note(into.holes, head[0], t.conjunction(when, t.negation(defined)))
        if defined is not False:
            into.cards.append(
                CardWrite(*head, when, source, source_owner, target, target_owner, None, t.NOTHING, False)
            )
        return
    card = present(effect.card, env, moment)
    author = t.NOTHING
    if effect.author is not None and target.authors:
        found = evaluate(effect.author, env, moment)
        defined, author = t.conjunction(defined, found.defined), found.value
    defined = t.conjunction(defined, card.defined)
    if defined is not False:
        defined = t.conjunction(defined, moment.holds(source, source_owner, card.value))
    note(into.holes, head[0], t.conjunction(when, t.negation(defined)))
    if defined is False:
        return
    end = ""
    if isinstance(effect.card, ir.Bottom | ir.Top) and effect.card.zone == effect.source:
        end = "bottom" if isinstance(effect.card, ir.Bottom) else "top"
    into.cards.append(
        CardWrite(*head, when, source, source_owner, target, target_owner, card.value, author, effect.to_bottom, end)
    )


def _cells(register: str, index: tuple[Quantity, ...], world: World) -> list[tuple[Cell, Truth]]:
    found = []
    for cell in world.cells(world.registers[register]):
        here = cell_tuple(cell, index)
        if here is not False:
            found.append((cell, here))
    return found


def _assign(
    effect: ir.Assign, head: tuple[str, str], env: Environment, moment: Moment, when: Truth, into: Writes
) -> None:
    world = moment.world
    index_defined, index = arguments(effect.arguments, env, moment)
    result = evaluate(effect.value, env, moment)
    defined = t.conjunction(index_defined, result.defined)
    cell_type = world.cell_types[effect.register]
    if isinstance(result.value, Quantity) and not cell_type.optional:  # «нет» has no place there
        defined = t.conjunction(defined, t.negation(result.value.absent))
    book = into.soft if world.registers[effect.register].output else into.holes
    note(book, head[0], t.conjunction(when, t.negation(defined)))
    if defined is False:
        return
    code, inside = encoded(world, effect.register, result.value)
    done = t.conjunction(when, defined)
    note(into.limits, effect.register, t.conjunction(done, t.negation(inside)))
    for cell, here in _cells(effect.register, index, world):
        into.cells.append(CellWrite(*head, t.conjunction(done, here), cell, code, None))


def _post(effect: ir.Post, head: tuple[str, str], env: Environment, moment: Moment, when: Truth, into: Writes) -> None:
    world = moment.world
    index_defined, index = arguments(effect.arguments, env, moment)
    result = present(effect.amount, env, moment)
    defined = t.conjunction(index_defined, result.defined)
    if defined is not False:  # nothing can be added to «нет»
        before = moment.register(effect.register, index)
        defined = t.conjunction(defined, t.negation(before.absent))
    book = into.soft if world.registers[effect.register].output else into.holes
    note(book, head[0], t.conjunction(when, t.negation(defined)))
    if defined is False:
        return
    for cell, here in _cells(effect.register, index, world):
        into.cells.append(CellWrite(*head, t.conjunction(when, defined, here), cell, 0, result.value))


def _raise(
    effect: ir.Raise, head: tuple[str, str], env: Environment, moment: Moment, when: Truth, into: Writes
) -> None:
    defined, values = arguments(effect.arguments, env, moment)
    note(into.holes, head[0], t.conjunction(when, t.negation(defined)))
    if defined is False:
        return
    event = next(event for event in moment.world.norms.events if event.name == effect.event)
    tuples: list[tuple[tuple[int, ...], Truth]] = [((), t.conjunction(when, defined))]
    for variable, value in zip(event.parameters, values, strict=True):
        tuples = [
            ((*index, number), t.conjunction(condition, same))
            for index, condition in tuples
            for number in range(moment.world.values(variable.sort))
            if (same := t.equal(value, t.constant(number))) is not False
        ]
    for index, condition in tuples:
        key = (effect.event, index)
        if condition is not False:
            into.events[key] = t.disjunction(into.events.get(key, False), condition)


def apply_cells(
    world: World, state: State, writes: list[CellWrite], outranks: frozenset[tuple[str, str]] = frozenset()
) -> tuple[dict[Cell, Bits], dict[str, Truth]]:
    """The registers after the writes of one wave, and where postings leave the range.

    Of two assignments that are tied the one of the outranking rule counts.
    """
    registers = dict(state.registers)
    limits: dict[str, Truth] = {}
    moment = Moment(world, state)
    posted: dict[Cell, list[CellWrite]] = {}
    for write in writes:
        if write.amount is not None:
            posted.setdefault(write.cell, []).append(write)
    for cell, postings in posted.items():
        amounts = []
        for write in postings:
            assert write.amount is not None
            amounts.append(t.choose(write.condition, write.amount, t.constant(0)))
        start = moment.decoded(cell[0], state.registers[cell])
        code, inside = encoded(world, cell[0], t.add(Quantity(start.low, start.high, start.number), t.total(amounts)))
        some = t.disjunction(*(write.condition for write in postings))
        registers[cell] = t.choose_bits(some, code, registers[cell], world.cell_types[cell[0]].width)
        note(limits, cell[0], t.conjunction(some, t.negation(inside)))
    for number in reversed(ranked([write.rule for write in writes], outranks)):
        write = writes[number]
        if write.amount is None:
            width = world.cell_types[write.cell[0]].width
            registers[write.cell] = t.choose_bits(write.condition, write.code, registers[write.cell], width)
    return registers, limits
