"""Text of the store that searches share: rows of packed words, an index table over them, halves of words, a notebook.

Written in the integer subset (see `to_c`). A row is `KW` words of `K`. The table `H` holds row numbers plus one in
halves of words, four bytes each, with open addressing; it grows by being made anew from the rows.
"""

from __future__ import annotations

from enum import IntEnum


class Note(IntEnum):
    """Offsets in a record of the notebook `F`; records begin at `NOTE_HEAD`, `F[0]` is their number, `F[1]` the room,
    `F[2]` how many found no room."""

    KIND = 0  # a FoundKind
    PLACE = 1
    FIRST = 2
    SECOND = 3
    LENGTH = 4  # acts before it; of equal records the shortest is kept
    WHERE = 5  # a row of the store, or the seed of a game
    ACT = 6  # code of the act that led to it, or −1
    DECK = 7  # mask of the cards in play, or 0
    TIMES = 8  # how often it was met
    ARGUMENT_COUNT = 9
    ARGUMENTS = 10  # up to six


NOTE_HEAD = 3
NOTE_WIDTH = 16


class FoundKind(IntEnum):
    """What a search may come upon; 1–4 are the codes of `layout.StepCode`."""

    OVER = 0  # the play came to its end: not noted, only counted
    HOLE = 1
    CLASH = 2
    RACE = 3
    LIMIT = 4
    DEAD_END = 5  # not over, nothing lawful and nothing contested; SECOND tells causes apart
    CONTESTED = 6  # an act is entitled and forbidden at once: FIRST entitles, SECOND forbids
    CONTESTED_ONLY = 7  # as a dead end, but something is contested
    INVARIANT = 8  # FIRST does not hold after an act of the kind SECOND (its place among the actions, −1: at the start)
    LONG = 9  # the cap on acts was reached
    SOFT = 10  # an output slot got no value; play went on
    LOST = 11  # a card is gone, or lies in two places


def table_text(words: int, name: str, suffix: str) -> str:
    """The store for rows of `words` words, a number that the text calls `name`; `suffix` ends its functions' names."""
    same = " and ".join(f"K[a + {i}] == K[b + {i}]" for i in range(words))
    mixed = "".join(
        f"    h = ((h ^ K[p + {i}] ^ (h >> 31)) * 7046029254386353131) & 9223372036854775807\n" for i in range(words)
    )
    text = _TABLE.replace("#MIXED\n", mixed).replace("#SAME", same).replace("KW", name)
    for function in ("row_hash", "row_same", "find", "refill"):
        text = text.replace(f"{function}(", f"{function}{suffix}(")
    return f"{name} = {words}\n{text}"


HALVES = """
def half(H, i):
    return (H[i >> 1] >> ((i & 1) << 5)) & 4294967295

def set_half(H, i, v):
    s = (i & 1) << 5
    H[i >> 1] = (H[i >> 1] & (4294967295 << (32 - s))) | (v << s)
    return 0

"""

_TABLE = '''
def row_hash(K, p):
    h = 88172645463325252
#MIXED
    return h ^ (h >> 32)

def row_same(K, a, b):
    if #SAME:
        return 1
    return 0

def find(K, H, i, mask):
    """The row equal to row i; i itself if there is none, and then it is entered."""
    h = row_hash(K, i * KW) & mask
    while 1:
        j = half(H, h)
        if j == 0:
            set_half(H, h, i + 1)
            return i
        if row_same(K, (j - 1) * KW, i * KW) != 0:
            return j - 1
        h = (h + 1) & mask
    return 0

def refill(K, H, n, mask):
    """Enter n distinct rows into an empty table."""
    i = 0
    while i < n:
        h = row_hash(K, i * KW) & mask
        while half(H, h) != 0:
            h = (h + 1) & mask
        set_half(H, h, i + 1)
        i += 1
    return n
'''

NOTEBOOK = '''
def note(F, kind, place, first, second, length, where, act, deck):
    """Enter a finding once, with the shortest way to it; the place of its record if that is new or shorter, else 0."""
    n = F[0]
    p = NOTE_HEAD
    j = 0
    while j < n:
        if F[p] == kind and F[p + 1] == place and F[p + 2] == first and F[p + 3] == second:
            F[p + 8] += 1
            if F[p + 4] <= length:
                return 0
            break
        p += NOTE_WIDTH
        j += 1
    if j == n:
        if n >= F[1]:
            F[2] += 1
            return 0
        F[0] = n + 1
        F[p] = kind
        F[p + 1] = place
        F[p + 2] = first
        F[p + 3] = second
        F[p + 8] = 1
    F[p + 4] = length
    F[p + 5] = where
    F[p + 6] = act
    F[p + 7] = deck
    F[p + 9] = 0
    return p

def note_detail(F, kind, D, length, where, act, deck):
    """Enter what a step that failed says in its detail."""
    first = D[DETAIL + 8]
    second = D[DETAIL + 9]
    if kind != 1 and second >= 0 and second < first:
        first = D[DETAIL + 9]
        second = D[DETAIL + 8]
    p = note(F, kind, D[DETAIL], first, second, length, where, act, deck)
    if p != 0:
        n = D[DETAIL + 1]
        if n > 6:
            n = 6
        F[p + 9] = n
        j = 0
        while j < n:
            F[p + 10 + j] = D[DETAIL + 2 + j]
            j += 1
    return p

def is_target(F, p, C):
    if p == 0 or C[16] != F[p]:
        return 0
    if C[17] >= 0 and C[17] != F[p + 1]:
        return 0
    if C[18] >= 0 and C[18] != F[p + 2]:
        return 0
    if C[19] >= 0 and C[19] != F[p + 3]:
        return 0
    return 1

def note_contested(F, S, B, n, R, C, length, where, deck):
    """Enter the pairs of clauses that contest the n acts in B; 1 if the target is among them."""
    hit = 0
    j = 0
    while j < n:
        a = B[j]
        m = why(S, a, R)
        first = -1
        second = -1
        i = 0
        while i < m:
            if R[i + i] == ROLE_PERMITS and first < 0 and RIGHTS[R[i + i + 1]] != 0:
                first = R[i + i + 1]
            if R[i + i] == ROLE_FORBIDS and second < 0:
                second = R[i + i + 1]
            i += 1
        if is_target(F, note(F, 6, -1, first, second, length, where, a, deck), C) != 0:
            hit = 1
        j += 1
    return hit

def cause(S, B, R):
    """A number that tells apart the reasons why nothing is lawful: the clauses that fire for a possible act."""
    n = possible(S, B)
    h = n
    if n > 0:
        h = 1
    j = 0
    while j < n:
        m = why(S, B[j], R)
        i = 0
        while i < m:
            if R[i + i] != ROLE_FAILED and R[i + i] < ROLE_EXCEPTED:
                x = (R[i + i] * 131 + R[i + i + 1]) & 1023
                h = h | (1 << (x * 48271 % 61 + 1))
            i += 1
        j += 1
    return h
'''
