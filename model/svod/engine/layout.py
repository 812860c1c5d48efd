"""Where everything lies in the state vector: norms (already reduced to what is in force) in, slot numbers out.

The vector `S` of a position is a flat array of integers. Independent slots come first, derived ones last:

* a set zone is one slot per owner, a bit mask over the values of the card sort;
* a pile is `capacity` card slots from the bottom (unused ones 0), with authors `capacity` author slots (the seat, or
  the number of seats for "nobody"; unused ones 0), then its length;
* a register is one slot per tuple of index values, last index fastest; «нет» is −1, truth is 0 or 1;
* switches left free are one slot each, 0 or 1;
* where breaches are entered, the frame (the state before the first open breach) follows: one slot that tells whether
  it is there (`FrameState`), then a copy of every slot that a restoration may write, all 0 while there is none;
* derived slots follow: the mask of each pile, cached slots of terms, edge bits, pending events. `refresh(S)` of the
  generated program recomputes them from the independent ones. At rest all pending events are 0.

NOTE(detail array): `step(S, a, D)` and `init(S, D)` write what happened into `D`, an array of `Layout.detail_size`
integers. Its first `size` integers are a shadow of `S` (the state a wave ago); the detail begins at `Layout.detail`
with the offsets named in `Detail`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

NONE = -1
HOLE = 1 << 40  # what a term function returns where it has no value
CLASH = HOLE + 1  # … and where it has two
FIRED_MAX = 240
SOFT_MAX = 64
LOG_MAX = 400
LOG_WIDTH = 8


class Kind(Enum):
    """What a slot holds."""

    MASK = "mask"  # cards of a set zone
    CARD = "card"  # one card of a pile
    AUTHOR = "author"  # who laid it
    LENGTH = "length"  # number of cards in a pile
    REGISTER = "register"
    SWITCH = "switch"
    FRAME = "frame"  # the state before the first open breach
    PILE_MASK = "pile mask"  # derived: cards of a pile as a mask
    CACHE = "cache"  # derived: value of a term (HOLE or CLASH where it has none), or the seats for which it is true
    EDGE = "edge"  # derived: valuations for which an edge condition holds, as a mask
    EVENT = "event"  # derived: events waiting for the next wave, 0 at rest
    BOX = "box"  # cards that are not in play, as a mask: set by `init`, never changed


class Detail(IntEnum):
    """Offsets in `D`, counted from `Layout.detail`."""

    PLACE = 0  # number of the place (see `Program.places`)
    ARGUMENT_COUNT = 1
    ARGUMENTS = 2  # up to six
    FIRST = 8  # clause index, −1 if none
    SECOND = 9
    FIRED_COUNT = 10
    FIRED = 11
    SOFT_COUNT = 11 + FIRED_MAX
    SOFT = 12 + FIRED_MAX
    LOG_COUNT = 12 + FIRED_MAX + SOFT_MAX
    WAVE_START = 13 + FIRED_MAX + SOFT_MAX
    LOG = 14 + FIRED_MAX + SOFT_MAX
    DIRTY = LOG + LOG_MAX * LOG_WIDTH  # places written for the next wave, as a mask
    ACTIVE = DIRTY + 1  # whether a trigger fired or waits in this wave
    ENABLED = DIRTY + 2  # rules enabled in this wave that others wait for
    FIRED_WAVE = DIRTY + 3  # triggers fired before this wave
    STALE = DIRTY + 4  # remembered terms that have to be worked out before they are read again
    RACE = DIRTY + 5  # whether a race was met in this wave (a hole in the same wave is told instead)
    RESTORE = DIRTY + 6  # 1 + the first clause that restores in this wave, 0 if none does
    RESTORE_COUNT = DIRTY + 7  # number of its arguments
    RESTORE_ARGUMENTS = DIRTY + 8  # up to six
    RESTORE_PLACE = DIRTY + 14
    SCRATCH = DIRTY + 15  # cards on the move, each with its author


DETAIL_WIDTH = Detail.SCRATCH + 2 * 64


class StepCode(IntEnum):
    """What `step` and `init` return."""

    NEXT = 0
    HOLE = 1
    CLASH = 2
    RACE = 3
    LIMIT = 4


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """One slot: values `low`..`high`. `derived` slots follow from the others and are no part of a state's identity.
    A ledger has no declared bound: `low`/`high` are ±2^31 and `bounded` is false."""

    name: str
    low: int
    high: int
    kind: Kind
    derived: bool
    bounded: bool = True


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """One zone instance. A set: `mask` is its slot, the rest −1. A pile: cards at `cards`.., authors at `authors`..
    (−1 if not kept), length at `length`, derived mask at `mask`."""

    zone: str
    owner: int | None
    capacity: int
    mask: int
    cards: int = -1
    authors: int = -1
    length: int = -1

    @property
    def pile(self) -> bool:
        """Whether positions count here."""
        return self.length >= 0


class FrameState(IntEnum):
    """What the slot `FramePlace.open` says. At rest it is `NONE` exactly while no breach is open."""

    NONE = 0
    KEPT = 1
    MISSING = 2  # a position from outside with an open breach and no frame


@dataclass(frozen=True, slots=True)
class FramePlace:
    """The frame: slot `base + i` keeps what slot `slots[i]` held. First the `sets` masks of set zones, in the order of
    `Layout.zones`. `record`: the slots of the record of breaches."""

    open: int
    base: int
    slots: tuple[int, ...]
    sets: int
    record: range

    def copy_of(self, slot: int) -> int:
        """Where the frame keeps a slot."""
        return self.base + self.slots.index(slot)


@dataclass(frozen=True, slots=True)
class BitPlace:
    """Truth values for tuples over `sizes`: the last place is the bit, the others choose the slot, from `base` on."""

    base: int
    sizes: tuple[int, ...]

    @property
    def slots(self) -> int:
        """Number of slots."""
        count = 1
        for size in self.sizes[:-1]:
            count *= size
        return count


@dataclass(frozen=True, slots=True)
class Layout:
    """`slots[i]` describes `S[i]`. `zones` in declaration order, then owner. `registers`: (name, index) → slot.
    `constants`: registers that nothing writes, with their value; `absent`: zones that are always empty.
    `caches`: remembered term → slot (a mask of seats if the term has a parameter). `edges`: by clause id.
    `events`: by name of the event, also «fresh:event», and «due:clause id»."""

    slots: tuple[SlotInfo, ...]
    zones: tuple[ZonePlace, ...]
    registers: tuple[tuple[tuple[str, tuple[int, ...]], int], ...]
    constants: tuple[tuple[tuple[str, tuple[int, ...]], int], ...]
    absent: tuple[tuple[str, int | None], ...]
    switches: tuple[tuple[str, int], ...]
    caches: tuple[tuple[str, int], ...]
    edges: tuple[tuple[str, BitPlace], ...]
    events: tuple[tuple[str, BitPlace], ...]
    independent: int  # slots[:independent] are the state, slots[independent:] are derived
    act_count: int  # codes of acts are 0..act_count−1
    action_offsets: tuple[tuple[str, int], ...]  # first code of each action (declaration order; every action listed)
    box: int = -1  # slot of the cards that are not in play, −1 where no rule asks for it
    frame: FramePlace | None = None  # None where no breach is ever entered

    @property
    def size(self) -> int:
        """Length of `S`."""
        return len(self.slots)

    @property
    def detail(self) -> int:
        """Where the detail begins in `D`."""
        return len(self.slots)

    @property
    def detail_size(self) -> int:
        """Length of `D`."""
        return len(self.slots) + DETAIL_WIDTH
