"""Random positions, with breaches open and the frame that goes with them, and two players compared on what they make of
them."""

from __future__ import annotations

from itertools import product
from random import Random

from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Frame, Laid, Limit, Position
from svod.searches.agreement import Player, same_outcome

Zones = tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]
Registers = tuple[tuple[tuple[str, tuple[int, ...]], int | None], ...]
LEDGER_MAX = 3
LOG = "log"


def random_position(random: Random, norms: ir.Norms, switches: frozenset[str]) -> Position:
    """Cards and values anywhere; half of the time nothing is open, else a few breaches and a frame."""
    catalogue = norms.catalogue
    record = None if catalogue is None else catalogue.record
    zones, registers = _zones(random, norms), _registers(random, norms)
    cells = [cell for cell, _ in registers if cell[0] == record]
    broken = random.sample(cells, min(len(cells), random.choice((0, 0, 1, 1, 2, 4))))
    registers = tuple((cell, int(cell in broken) if cell[0] == record else value) for cell, value in registers)
    frame = None
    if any(value for cell, value in registers if cell[0] == record):
        outside = {register.name for register in norms.registers if register.outside_frame}
        inside = tuple(entry for entry in _registers(random, norms) if entry[0][0] not in outside)
        frame = Frame(_near(random, norms, zones) if random.randrange(3) else _zones(random, norms), inside)
    return Position(zones, registers, tuple(sorted(switches)), frame)


def _near(random: Random, norms: ir.Norms, zones: Zones) -> Zones:
    """The same cards, but for those of two zones, which were the other way round."""
    sets = [key for key, _ in zones if not any(zone.pile for zone in norms.zones if zone.name == key[0])]
    one, two = random.choice(sets), random.choice(sets)
    swapped = {one: two, two: one}
    lying = dict(zones)
    return tuple((key, lying[swapped.get(key, key)]) for key, _ in zones)


def _zones(random: Random, norms: ir.Norms) -> Zones:
    seats = norms.player_count
    keys: list[tuple[ir.Zone, int | None]] = []
    for zone in norms.zones:
        owners: list[int | None] = list(range(seats)) if zone.owned else [None]
        keys += [(zone, owner) for owner in owners]
    lying: dict[tuple[str, int | None], list[Laid]] = {(zone.name, owner): [] for zone, owner in keys}
    few = random.sample(keys, random.randrange(3, len(keys) + 1))
    cards = list(norms.deck)
    random.shuffle(cards)
    for card in cards:
        free = [(zone, owner) for zone, owner in few if len(lying[zone.name, owner]) < zone.capacity]
        zone, owner = random.choice(free or keys)
        author = random.choice((None, *range(seats))) if zone.authors else None
        lying[zone.name, owner].append(Laid(card, author))
    piles = {zone.name for zone in norms.zones if zone.pile}
    return tuple((key, tuple(laid if key[0] in piles else sorted(laid))) for key, laid in lying.items())


def _registers(random: Random, norms: ir.Norms) -> Registers:
    found: list[tuple[tuple[str, tuple[int, ...]], int | None]] = []
    for register in norms.registers:
        for index in product(*(range(len(norms.sort(name).values)) for name in register.index)):
            found.append(((register.name, index), _value(random, norms, register.type)))
    return tuple(found)


def _value(random: Random, norms: ir.Norms, kind: ir.Type) -> int | None:
    match kind:
        case ir.Truth():
            return random.randrange(2)
        case ir.Whole(low=low, high=high, optional=optional):
            values = range(low or 0, (high if high is not None else (low or 0) + LEDGER_MAX) + 1)
        case ir.Member(sort=sort, optional=optional):
            values = range(len(norms.sort(sort).values))
    return random.choice((None, *values)) if optional else random.choice(values)


def part(other: Player, naive: Naive, random: Random, positions: int, acts: int = 4) -> tuple[object, ...] | None:
    """Where the two first differ on so many random positions; None if they do not."""
    for _ in range(positions):
        position = random_position(random, naive.norms, naive.switches)
        possible = naive.possible_acts(position)
        if possible != other.possible_acts(position):
            return "possible acts", position
        for name in dict.fromkeys(act.action for act in possible):
            of_kind = [act for act in possible if act.action == name]
            for act in random.sample(of_kind, min(acts, len(of_kind))):
                if difference := _after(other, naive, position, act):
                    return difference
    return None


def _after(other: Player, naive: Naive, position: Position, act: Act) -> tuple[object, ...] | None:
    mine, theirs = naive.decide(position, act), other.decide(position, act)
    if mine.status != theirs.status or set(mine.forbidden_by) != set(theirs.forbidden_by):
        return "decision", position, act, mine, theirs
    right, found = naive.outcomes(position, act), other.step(position, act)
    if isinstance(found, Limit) and found.what == LOG:  # an engine notes down only so many assignments of a step
        return None if isinstance(right[0], Limit) else ("what follows", position, act, right, found)
    if not any(same_outcome(found, outcome) for outcome in right):
        return "what follows", position, act, right, found
    return None
