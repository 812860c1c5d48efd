"""Breaches as terms: what an act enters in the record and what lapses with it, the board kept, and its restoration."""

from __future__ import annotations

from dataclasses import dataclass

from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.folding import own_breach
from svod.constraints.moments import Moment
from svod.constraints.moves import choose_pile
from svod.constraints.symbols import Cell, Kept, Place, State, World, bare_board, pile_mask
from svod.constraints.terms import Mask, Quantity, Truth
from svod.constraints.well_typed import some_breach
from svod.norms import ir


@dataclass(frozen=True, slots=True)
class Entered:
    """What an act does to the record: the cells that become true, each with its condition; when all lapses first."""

    cells: dict[Cell, Truth]
    lapse: Truth

    @property
    def some(self) -> Truth:
        """A breach is entered."""
        return t.disjunction(*self.cells.values())


def entered(action: ir.Action, values: tuple[Quantity, ...], before: Moment) -> Entered:
    """What the act, which is taken to be possible, does to the record; all is read in the state before it."""
    world, catalogue = before.world, before.world.norms.catalogue
    if catalogue is None or not world.keeps:
        return Entered({}, False)
    numbers = {name: number for number, name in enumerate(world.sorts[catalogue.sort].values)}
    cells: dict[Cell, Truth] = {}
    lapse: Truth = False
    play = world.options.play  # a lawful act is nobody's own breach
    for clause in world.norms.clauses:
        match clause:
            case ir.Violation() if clause.action == action.name and not (play and own_breach(clause, action)):
                for seat, guilty in law.guilty(clause, values, before):
                    _enter(world, cells, seat, numbers[clause.name], guilty)
            case ir.Lapse() if clause.action == action.name:
                lapse = t.disjunction(lapse, law.fires_for(clause, values, before))
            case _:
                pass
    if action.actor is not None and not play:
        said = law.act_terms(action, values, before)
        fair = t.disjunction(said.lawful, said.contested, *cells.values())
        _enter(world, cells, values[action.actor], numbers[catalogue.other], t.negation(fair))
    return Entered(cells, lapse)


def _enter(world: World, cells: dict[Cell, Truth], seat: Quantity, number: int, condition: Truth) -> None:
    assert world.norms.catalogue is not None
    for player in range(world.norms.player_count):
        here = t.conjunction(condition, t.equal(seat, t.constant(player)))
        if here is not False:
            cell = (world.norms.catalogue.record, (player, number))
            cells[cell] = t.disjunction(cells.get(cell, False), here)


def enter(world: World, entry: Entered, before: State, after: State) -> State:
    """The state after the body with the record written and the board kept; `before` is what is kept of a first breach.
    """
    if before.kept is None or (entry.some is False and entry.lapse is False):
        return after
    kept, registers = before.kept, dict(after.registers)
    for cell in _record(world):
        old = t.choose_bits(entry.lapse, 0, registers[cell], 1)
        registers[cell] = t.choose_bits(entry.cells.get(cell, False), 1, old, 1)
    old_stays = t.conjunction(t.bit(kept.there, 0), t.negation(entry.lapse))
    there = t.choose_bits(t.disjunction(old_stays, entry.some), 1, 0, 1)
    board = choose_board(world, old_stays, kept.board, before)
    return State(after.sets, after.piles, registers, Kept(there, board))


def at_rest(world: World, state: State) -> State:
    """The state with no board kept once no breach is open; zeros then, so that equal states are equal terms."""
    if state.kept is None:
        return state
    there = t.conjunction(t.bit(state.kept.there, 0), some_breach(world, state))
    board = choose_board(world, there, state.kept.board, bare_board(world))
    return State(state.sets, state.piles, state.registers, Kept(t.choose_bits(there, 1, 0, 1), board))


def choose_board(world: World, condition: Truth, then: State, otherwise: State) -> State:
    """One of two boards: zones and restorable registers."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    sets = {
        place: t.choose_bits(condition, mask, otherwise.sets[place], world.cards) for place, mask in then.sets.items()
    }
    piles = {place: choose_pile(world, condition, pile, otherwise.piles[place]) for place, pile in then.piles.items()}
    registers = {
        cell: t.choose_bits(condition, then.registers[cell], otherwise.registers[cell], world.cell_types[cell[0]].width)
        for register in world.restorable
        for cell in world.cells(register)
    }
    return State(sets, piles, registers)


def _record(world: World) -> list[Cell]:
    catalogue = world.norms.catalogue
    return [] if catalogue is None else world.cells(world.registers[catalogue.record])


@dataclass(frozen=True, slots=True)
class Restored:
    """The state with the board back; `incomplete`: a pile of the board misses a card; `overfull`: by zone."""

    state: State
    incomplete: Truth
    overfull: dict[str, Truth]


def restored(world: World, state: State) -> Restored:
    """The board comes back, but for the cards that lie outside it now; the record is empty, no board is kept."""
    assert state.kept is not None
    board, width = state.kept.board, world.cards
    outside: Mask = 0
    for place, mask in state.sets.items():
        if world.zones[place[0]].outside_frame:
            outside = t.mask_union(outside, mask, width)
    sets: dict[Place, Mask] = {}
    overfull: dict[str, Truth] = {}
    for place, mask in state.sets.items():
        zone = world.zones[place[0]]
        sets[place] = t.mask_without(board.sets[place], outside, width)
        if zone.outside_frame:
            sets[place] = t.mask_union(mask, sets[place], width)
            if zone.capacity < width:
                full = t.less(t.constant(zone.capacity), t.mask_size(sets[place], width))
                overfull[zone.name] = t.disjunction(overfull.get(zone.name, False), full)
    incomplete: Truth = False
    for pile in board.piles.values():
        missing = t.mask_common(pile_mask(world, pile), outside, width)
        incomplete = t.disjunction(incomplete, t.negation(t.mask_empty(missing, width)))
    registers = {**state.registers, **board.registers, **dict.fromkeys(_record(world), 0)}
    nothing = Kept(0, bare_board(world))
    return Restored(State(sets, board.piles, registers, nothing), incomplete, overfull)


def choose_state(world: World, condition: Truth, then: State, otherwise: State) -> State:
    """One of two states, with what they keep."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    board = choose_board(world, condition, then, otherwise)
    registers = {
        cell: board.registers[cell]
        if cell in board.registers
        else t.choose_bits(condition, code, otherwise.registers[cell], world.cell_types[cell[0]].width)
        for cell, code in then.registers.items()
    }
    kept = None
    if then.kept is not None and otherwise.kept is not None:
        there = t.choose_bits(condition, then.kept.there, otherwise.kept.there, 1)
        kept = Kept(there, choose_board(world, condition, then.kept.board, otherwise.kept.board))
    return State(board.sets, board.piles, registers, kept)
