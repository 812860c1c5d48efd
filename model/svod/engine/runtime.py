"""The part of a generated program that is the same for all norms: the log of a step's writes, and how they are applied.

A wave only reads the state; what its triggers write goes to the log in `D`. An entry is: kind (1 assignment, 2 posting,
3 move, 4 assignment overruled in its wave, 0 posting overruled), place (slot, or the mask of the cards), value (or
number of the target zone), trigger, source zone, author, whether under the pile (of an assignment: whether the range
has to be looked at), first card in the scratch area. `TIED[t * n + u]`: 0 if nothing orders triggers t and u, 1 if an
exception or an order gives u the last word, 3 if it gives it to t, 2 if they stand under one rule (or are one).
"""

from __future__ import annotations

from collections.abc import Sequence

from svod.engine.frames import FRAME_FUNCTIONS
from svod.engine.layout import CLASH, FIRED_MAX, HOLE, LOG_MAX, LOG_WIDTH, SOFT_MAX, Detail, Layout

ASSIGN, POST, MOVE = 1, 2, 3
KEEP_AUTHOR = -2

_FUNCTIONS = """

def fired(D, clause):
    D[ACTIVE] = 1
    n = D[FIRED_COUNT]
    if n > D[FIRED_WAVE] and D[FIRED + n - 1] == clause:
        return 0
    if n < FIRED_MAX:
        D[FIRED + n] = clause
        D[FIRED_COUNT] = n + 1
    return 0


def soft(D, place):
    n = D[SOFT_COUNT]
    if n < SOFT_MAX:
        D[SOFT + n] = place
        D[SOFT_COUNT] = n + 1
    return 0


def outcome(D, code, place, first, second):
    D[PLACE] = place
    D[ARGUMENT_COUNT] = 0
    D[FIRST] = first
    D[SECOND] = second
    return code


def entry(D, kind, place, value, trigger, source, author, under):
    n = D[LOG_COUNT]
    if n == LOG_MAX:
        return outcome(D, 4, 0, TRIGGER_CLAUSE[trigger], -1)
    e = LOG + n * LOG_WIDTH
    D[e] = kind
    D[e + 1] = place
    D[e + 2] = value
    D[e + 3] = trigger
    D[e + 4] = source
    D[e + 5] = author
    D[e + 6] = under
    D[LOG_COUNT] = n + 1
    return 0


def race_of(D, place, earlier, trigger):
    # note the first race of the wave; the wave goes on, for a hole would be told before it
    if D[RACE] == 0:
        outcome(D, 3, place, TRIGGER_CLAUSE[D[earlier + 3]], TRIGGER_CLAUSE[trigger])
        D[RACE] = 1
    return 0


def put(D, slot, value, trigger, place, check):
    # register := value; a race if this wave, or another rule in this step, sets it otherwise
    i = LOG
    end = LOG + D[LOG_COUNT] * LOG_WIDTH
    wave = LOG + D[WAVE_START] * LOG_WIDTH
    kind = 1
    while i < end:
        if D[i + 1] == slot and D[i] != 3 and (D[i] == 2 or D[i + 2] != value):
            tie = TIED[D[i + 3] * TRIGGERS + trigger]
            if i < wave:
                if tie == 0 and D[i] != 2:
                    return race_of(D, place, i, trigger)
            elif tie == 0 or tie == 2:
                return race_of(D, place, i, trigger)
            elif tie == 3:
                kind = 4
            elif D[i] == 1:
                D[i] = 4
            else:
                D[i] = 0
        i += LOG_WIDTH
    return entry(D, kind, slot, value, trigger, 0, 0, check)


def add(D, slot, amount, trigger, place):
    # register += amount; a race with := in the same wave
    i = LOG + D[WAVE_START] * LOG_WIDTH
    end = LOG + D[LOG_COUNT] * LOG_WIDTH
    kind = 2
    while i < end:
        if D[i + 1] == slot and (D[i] == 1 or D[i] == 4):
            tie = TIED[D[i + 3] * TRIGGERS + trigger]
            if tie == 0 or tie == 2:
                return race_of(D, place, i, trigger)
            if tie == 3:
                kind = 0
            else:
                D[i] = 4
        i += LOG_WIDTH
    return entry(D, kind, slot, amount, trigger, 0, 0, 0)


def disagree(S, zone, cards, one, two):
    # whether two moves name different authors for some of the cards; -2 is the author that a card has
    if one == two:
        return 0
    if one != -2 and two != -2:
        return 1
    said = two if one == -2 else one
    i = 0
    while i < S[ZONE_LENGTH[zone]]:
        if cards >> S[ZONE_CARDS[zone] + i] & 1 != 0 and S[ZONE_AUTHORS[zone] + i] != said:
            return 1
        i += 1
    return 0


def move(S, D, cards, source, target, trigger, author, under, place):
    # cards go from one zone to another; a race if this wave lays one of them elsewhere or otherwise
    i = LOG + D[WAVE_START] * LOG_WIDTH
    end = LOG + D[LOG_COUNT] * LOG_WIDTH
    while i < end:
        if D[i] == 3 and D[i + 1] & cards != 0:
            common = D[i + 1] & cards
            if D[i + 2] != target or D[i + 6] != under or disagree(S, source, common, D[i + 5], author) != 0:
                tie = TIED[D[i + 3] * TRIGGERS + trigger]
                if tie == 0 or tie == 2:
                    return race_of(D, place, i, trigger)
                if tie == 3:
                    cards &= ~common
                else:
                    D[i + 1] &= ~common
        i += LOG_WIDTH
    return entry(D, 3, cards, target, trigger, source, author, under)


def take(S, D, zone, cards, at):
    # remove these cards from a zone, noting them with their authors from place `at` of the scratch area on
    m = cards & S[ZONE_MASK[zone]]
    S[ZONE_MASK[zone]] ^= m
    length = ZONE_LENGTH[zone]
    if length < 0:
        while m != 0:
            b = m & -m
            m ^= b
            D[SCRATCH + 2 * at] = T67[b % 67]
            D[SCRATCH + 2 * at + 1] = SEATS
            at += 1
        return at
    first = ZONE_CARDS[zone]
    authors = ZONE_AUTHORS[zone]
    n = S[length]
    i = 0
    j = 0
    while i < n:
        c = S[first + i]
        w = S[authors + i] if authors >= 0 else SEATS
        if m >> c & 1 != 0:
            D[SCRATCH + 2 * at] = c
            D[SCRATCH + 2 * at + 1] = w
            at += 1
        else:
            S[first + j] = c
            if authors >= 0:
                S[authors + j] = w
            j += 1
        i += 1
    S[length] = j
    while j < n:
        S[first + j] = 0
        if authors >= 0:
            S[authors + j] = 0
        j += 1
    return at


def lay(S, zone, card, author, under):
    # put a card into a zone; 1 if there is no room
    length = ZONE_LENGTH[zone]
    if length < 0:
        S[ZONE_MASK[zone]] |= 1 << card
        return 1 if S[ZONE_MASK[zone]].bit_count() > ZONE_CAPACITY[zone] else 0
    n = S[length]
    if n == ZONE_CAPACITY[zone]:
        return 1
    S[ZONE_MASK[zone]] |= 1 << card
    first = ZONE_CARDS[zone]
    authors = ZONE_AUTHORS[zone]
    if under != 0:
        i = n
        while i > 0:
            S[first + i] = S[first + i - 1]
            if authors >= 0:
                S[authors + i] = S[authors + i - 1]
            i -= 1
        n = 0
    S[first + n] = card
    if authors >= 0:
        S[authors + n] = author
    S[length] += 1
    return 0


def tidy(D):
    # put the writes and firings of this wave into text order
    i = D[WAVE_START] + 1
    while i < D[LOG_COUNT]:
        j = i
        while j > D[WAVE_START] and D[LOG + (j - 1) * LOG_WIDTH + 3] > D[LOG + j * LOG_WIDTH + 3]:
            k = LOG + j * LOG_WIDTH
            while k < LOG + (j + 1) * LOG_WIDTH:
                w = D[k]
                D[k] = D[k - LOG_WIDTH]
                D[k - LOG_WIDTH] = w
                k += 1
            j -= 1
        i += 1
    i = D[FIRED_WAVE] + 1
    while i < D[FIRED_COUNT]:
        j = i
        while j > D[FIRED_WAVE] and D[FIRED + j - 1] > D[FIRED + j]:
            w = D[FIRED + j]
            D[FIRED + j] = D[FIRED + j - 1]
            D[FIRED + j - 1] = w
            j -= 1
        i += 1
    return 0


def apply(S, D):
    # the writes of this wave, all at once: first every card is lifted, then everything is put down
    end = LOG + D[LOG_COUNT] * LOG_WIDTH
    start = LOG + D[WAVE_START] * LOG_WIDTH
    moving = 0
    check = 0
    at = 0
    e = start
    while e < end:
        if D[e] == 1:
            S[D[e + 1]] = D[e + 2]
            check |= D[e + 6]
        elif D[e] == 2:
            S[D[e + 1]] += D[e + 2]
            check = 1
        elif D[e] == 3:
            moving = 1
            D[e + 7] = at
            at = take(S, D, D[e + 4], D[e + 1], at)
            D[e + 1] = at
        e += LOG_WIDTH
    e = start
    while e < end and check != 0:
        if D[e] == 1 or D[e] == 2:
            if S[D[e + 1]] < SLOT_LOW[D[e + 1]] or S[D[e + 1]] > SLOT_HIGH[D[e + 1]]:
                return outcome(D, 4, SLOT_PLACE[D[e + 1]], TRIGGER_CLAUSE[D[e + 3]], -1)
        e += LOG_WIDTH
    if moving == 0:
        return 0
    e = start
    while e < end:
        if D[e] == 3:
            i = D[e + 7]
            while i < D[e + 1]:
                w = D[SCRATCH + 2 * i + 1] if D[e + 5] == -2 else D[e + 5]
                if lay(S, D[e + 2], D[SCRATCH + 2 * i], w, D[e + 6]) != 0:
                    return outcome(D, 4, ZONE_PLACE[D[e + 2]], TRIGGER_CLAUSE[D[e + 3]], -1)
                i += 1
            D[e + 1] = 0
        e += LOG_WIDTH
    return 0
"""

FUNCTIONS = tuple(tuple(text.split("\n")) for text in _FUNCTIONS.strip("\n").split("\n\n\n"))

_DETAIL_NAMES = (
    Detail.PLACE,
    Detail.ARGUMENT_COUNT,
    Detail.ARGUMENTS,
    Detail.FIRST,
    Detail.SECOND,
    Detail.FIRED_COUNT,
    Detail.FIRED,
    Detail.SOFT_COUNT,
    Detail.SOFT,
    Detail.LOG_COUNT,
    Detail.WAVE_START,
    Detail.LOG,
    Detail.DIRTY,
    Detail.ACTIVE,
    Detail.ENABLED,
    Detail.FIRED_WAVE,
    Detail.STALE,
    Detail.RACE,
    Detail.RESTORE,
    Detail.RESTORE_COUNT,
    Detail.RESTORE_ARGUMENTS,
    Detail.RESTORE_PLACE,
    Detail.SCRATCH,
)


def reserved(head: Sequence[str]) -> frozenset[str]:
    """Names that the lines of the head and the functions here define."""
    given = {line.split(" = ")[0] for line in head if " = " in line}
    return frozenset(given | {f[0].removeprefix("def ").partition("(")[0] for f in (*FUNCTIONS, *FRAME_FUNCTIONS)})


def constants(layout: Layout, seats: int, triggers: int) -> list[str]:
    """Numbers that the program uses by name."""
    places = [f"{d.name} = {layout.detail + d}" for d in _DETAIL_NAMES]
    return [
        f"HOLE = {HOLE}",
        f"CLASH = {CLASH}",
        f"SEATS = {seats}",
        f"TRIGGERS = {triggers}",
        f"FIRED_MAX = {FIRED_MAX}",
        f"SOFT_MAX = {SOFT_MAX}",
        f"LOG_MAX = {LOG_MAX}",
        f"LOG_WIDTH = {LOG_WIDTH}",
        *places,
    ]


def tables(layout: Layout, tied: Sequence[int], trigger_clauses: Sequence[int], places: dict[str, int]) -> list[str]:
    """Tables of zones, slots and triggers."""
    t67 = [0] * 67
    for bit in range(63):
        t67[(1 << bit) % 67] = bit
    slot_place = [0] * layout.size
    for (name, _), slot in layout.registers:
        slot_place[slot] = places[name]
    zones = layout.zones
    rows: list[tuple[str, Sequence[int]]] = [
        ("T67", t67),
        ("ZONE_MASK", [z.mask for z in zones]),
        ("ZONE_CARDS", [z.cards for z in zones]),
        ("ZONE_AUTHORS", [z.authors for z in zones]),
        ("ZONE_LENGTH", [z.length for z in zones]),
        ("ZONE_CAPACITY", [z.capacity for z in zones]),
        ("ZONE_PLACE", [places[z.zone] for z in zones]),
        ("SLOT_LOW", [s.low for s in layout.slots]),
        ("SLOT_HIGH", [s.high for s in layout.slots]),
        ("SLOT_PLACE", slot_place),
        ("TRIGGER_CLAUSE", trigger_clauses),
        ("TIED", tied),
    ]
    return [f"{name} = ({', '.join(map(str, values or [0]))},)" for name, values in rows]
