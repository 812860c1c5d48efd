"""Layout of the frame in, the functions of a generated program that keep it, drop it and bring it back out.

`restore` returns 0 if the frame is back, 1 if a pile misses a card, 2 + the number of a zone that has no room.
"""

from __future__ import annotations

from svod.engine.layout import FramePlace, FrameState, Layout

_FUNCTIONS = """

def keep_frame(S):
    # the state before the first open breach
    i = 0
    while i < FRAMED_COUNT:
        S[FRAME + i] = S[FRAMED[i]]
        i += 1
    S[FRAME_OPEN] = FRAME_KEPT
    return 0


def drop_frame(S):
    i = 0
    while i < FRAMED_COUNT:
        S[FRAME + i] = 0
        i += 1
    S[FRAME_OPEN] = FRAME_NONE
    return 0


def accuse(S, seats, number):
    # enter a breach for each of these seats
    while seats != 0:
        b = seats & -seats
        seats ^= b
        S[RECORD + T67[b % 67] * RECORD_NUMBERS + number] = 1
    return 0


def clear_record(S):
    i = RECORD
    while i < RECORD_END:
        S[i] = 0
        i += 1
    return 0


def innocent(S):
    # 1 if no breach is open
    i = RECORD
    while i < RECORD_END:
        if S[i] != 0:
            return 0
        i += 1
    return 1


def restore(S, D):
    # every card that does not lie outside the frame returns to its place in it, every register inside to its value
    staying = 0
    z = 0
    while z < ZONE_COUNT:
        if ZONE_OUTSIDE[z] != 0:
            staying |= S[ZONE_MASK[z]]
        z += 1
    missing = 0
    z = 0
    while z < ZONE_COUNT:
        kept = ZONE_KEPT[z]
        if ZONE_LENGTH[z] < 0:
            back = S[kept] & ~staying
            if ZONE_OUTSIDE[z] != 0:
                S[ZONE_MASK[z]] |= back
                if S[ZONE_MASK[z]].bit_count() > ZONE_CAPACITY[z] and missing == 0:
                    missing = z + 2
            else:
                S[ZONE_MASK[z]] = back
        else:
            back = 0
            i = 0
            while i < S[ZONE_KEPT_LENGTH[z]]:
                back |= 1 << S[kept + i]
                i += 1
            if back & staying != 0:
                return 1
            S[ZONE_MASK[z]] = back
        z += 1
    i = FRAMED_SETS
    while i < FRAMED_COUNT:
        S[FRAMED[i]] = S[FRAME + i]
        i += 1
    clear_record(S)
    drop_frame(S)
    i = LOG
    end = LOG + D[LOG_COUNT] * LOG_WIDTH
    while i < end:
        if D[i] != 3 and SLOT_FRAMED[D[i + 1]] != 0:
            D[i] = 3
            D[i + 1] = 0
        i += LOG_WIDTH
    return missing
"""

FRAME_FUNCTIONS = tuple(tuple(text.split("\n")) for text in _FUNCTIONS.strip("\n").split("\n\n\n"))


def frame_lines(layout: Layout, outside: frozenset[str]) -> list[str]:
    """Constants and tables for these functions; `outside`: zones whose cards a restoration leaves where they are."""
    frame = layout.frame
    if frame is None:
        return []
    framed = set(frame.slots)
    rows: list[tuple[str, list[int]]] = [
        ("FRAMED", list(frame.slots)),
        ("ZONE_OUTSIDE", [int(z.zone in outside) for z in layout.zones]),
        ("ZONE_KEPT", [frame.copy_of(z.cards if z.pile else z.mask) for z in layout.zones]),
        ("ZONE_KEPT_LENGTH", [frame.copy_of(z.length) if z.pile else -1 for z in layout.zones]),
        ("SLOT_FRAMED", [int(i in framed) for i in range(layout.size)]),
    ]
    numbers = {
        "FRAME_OPEN": frame.open,
        "FRAME_KEPT": FrameState.KEPT,
        "FRAME_NONE": FrameState.NONE,
        "FRAME": frame.base,
        "FRAMED_COUNT": len(frame.slots),
        "FRAMED_SETS": frame.sets,
        "RECORD": frame.record.start,
        "RECORD_END": frame.record.stop,
        "RECORD_NUMBERS": _numbers(layout, frame),
        "ZONE_COUNT": len(layout.zones),
    }
    lines = [f"{name} = {int(value)}" for name, value in numbers.items()]
    return lines + [f"{name} = ({', '.join(map(str, values or [0]))},)" for name, values in rows]


def _numbers(layout: Layout, frame: FramePlace) -> int:
    """How many numbers of the catalogue one seat can be guilty of."""
    index = next(index for (_, index), slot in reversed(layout.registers) if slot == frame.record[-1])
    return index[1] + 1
