"""Text of random play: one game, many games with statistics, and a hunt for what goes wrong on reduced decks.

The generator is x := x·48271 mod (2^31 − 1), the same everywhere; a game follows from its seed, its deck and its cap.
"""

from __future__ import annotations

from enum import IntEnum


class Game(IntEnum):
    """Offsets in the array `X` of a game."""

    RANDOM = 0  # state of the generator, 1..2^31−2
    ACTS = 1
    CHECKSUM = 2
    SOFT = 3  # output slots that got no value on the way
    DECK_RANDOM = 4  # generator that draws decks, apart from that of the games
    LOOK = 5  # acts until the next look at every possible act


GAME_WIDTH = 8


class Tally(IntEnum):
    """Offsets in the statistics `M`."""

    GAMES = 0
    ACTS = 1
    SOFT = 2
    LONGEST = 3
    SHORTEST = 4
    CHECKSUM = 5
    SQUARES = 6  # sum of squares of lengths
    CONTESTED = 7  # positions on the way in which an act was contested
    VIOLATIONS = 8
    ENDS = 16  # … + FoundKind: how many games ended so
    LENGTHS = 32  # … + length // LENGTH_STEP, the last one open: how many games were that long


LENGTH_STEP = 8
LENGTH_CLASSES = 128
TALLY_WIDTH = Tally.LENGTHS + LENGTH_CLASSES
SEED_MAX = 2147483646

DRAWING = '''
def draw(X, i):
    X[i] = X[i] * 48271 % 2147483647
    return X[i]

def choose(A, n, G, X):
    """An act: evenly a group of those that differ only in chance, then evenly one of the group."""
    if A[0] >= CHANCE_HIGH or A[n - 1] < CHANCE_LOW:
        X[0] = X[0] * 48271 % 2147483647
        return A[X[0] % n]
    j = 0
    while j < n and (A[j] < CHANCE_LOW or A[j] >= CHANCE_HIGH):
        j += 1
    if j == n:
        return A[draw(X, 0) % n]
    if CHANCE_LAST != 0 and group(A[0]) == group(A[n - 1]):
        draw(X, 0)
        if n == 1:
            return A[0]
        return A[draw(X, 0) % n]
    k = 0
    j = 0
    while j < n:
        g = group(A[j])
        i = -1
        if g != A[j]:
            i = k - 1
            while i >= 0 and G[i + i] != g:
                i -= 1
        if i < 0:
            G[k + k] = g
            G[k + k + 1] = 1
            k += 1
        else:
            G[i + i + 1] += 1
        j += 1
    i = draw(X, 0) % k
    if k == n:
        return A[i]
    g = G[i + i]
    r = 0
    if G[i + i + 1] > 1:
        r = draw(X, 0) % G[i + i + 1]
    j = 0
    while j < n:
        if group(A[j]) == g:
            if r == 0:
                return A[j]
            r -= 1
        j += 1
    return -1
'''

TALLYING = """
def tally(M, X, kind):
    k = X[1]
    M[0] += 1
    M[1] += k
    M[2] += X[3]
    if k > M[3]:
        M[3] = k
    if k < M[4] or M[0] == 1:
        M[4] = k
    M[5] = (M[5] * 33 + X[2] + kind) % 2147483647
    M[6] += k * k
    M[16 + kind] += 1
    i = min(k >> 3, 127)
    M[32 + i] += 1
    return M[0]

def last_act(X, L):
    if X[1] > 0:
        return L[X[1] - 1]
    return -1
"""

GAMES = '''
def play_on(S, D, A, B, G, X, L, cap):
    """Random lawful play from S; acts go to L. A FoundKind."""
    k = 0
    h = 0
    soft = 0
    kind = 0
    while 1:
        n = lawful(S, A)
        if n == 0 and over(S) != 0:
            break
        if k >= cap:
            kind = 9
            break
        if n == 0:
            kind = 5
            if contested(S, B) > 0:
                kind = 7
            break
        a = choose(A, n, G, X)
        L[k] = a
        k += 1
        h = (h * 31 + a + 1) % 2147483647
        kind = step(S, a, D)
        if kind != 0:
            break
        soft += D[SOFT_AT]
    X[1] = k
    X[2] = h
    X[3] = soft
    return kind

def playout(S, D, A, B, G, X, L, cap, deck):
    """One game from the start; a FoundKind."""
    X[1] = 0
    X[2] = 0
    X[3] = 0
    kind = begin(S, D, deck)
    if kind == 0:
        kind = play_on(S, D, A, B, G, X, L, cap)
    return kind

def playouts(S, D, A, B, G, X, L, M, F, cap, games, deck):
    """Games one after another from the generator's state on; what ends one before its time is noted with its seed."""
    while games > 0:
        seed = X[0]
        kind = playout(S, D, A, B, G, X, L, cap, deck)
        tally(M, X, kind)
        if kind >= 1 and kind <= 4:
            note_detail(F, kind, D, X[1], seed, last_act(X, L), deck)
        if kind >= 5:
            note(F, kind, -1, -1, -1, X[1], seed, last_act(X, L), deck)
        games -= 1
    return M[0]

def draw_deck(X, all, required, mentioned, size):
    """A random set of cards: the required ones, each of the mentioned ones with probability one half, then any."""
    d = required
    k = popcount(d)
    m = mentioned & (all ^ (all & required))
    while m != 0:
        b = m & (0 - m)
        m ^= b
        if (draw(X, 4) >> 9) & 1 != 0 and k < size:
            d |= b
            k += 1
    while k < size:
        m = all ^ (all & d)
        if m == 0:
            break
        r = draw(X, 4) % popcount(m)
        while r > 0:
            m &= m - 1
            r -= 1
        d |= m & (0 - m)
        k += 1
    return d

def look(S, A, R, V):
    """Mark in V every clause that bears on a possible act."""
    n = possible(S, A)
    j = 0
    while j < n:
        m = why(S, A[j], R)
        i = 0
        while i < m:
            if R[i + i] != ROLE_FAILED and R[i + i] != ROLE_EXCEPTED:
                V[R[i + i + 1]] = 1
            i += 1
        j += 1
    return n

def hunt_one(S, N, D, A, B, G, R, X, L, M, F, C, V, cap, every, deck):
    """One game from the start on this deck, looking at everything on the way; a FoundKind."""
    seed = X[0]
    X[1] = 0
    X[2] = 0
    X[3] = 0
    k = 0
    h = 0
    kind = begin(S, D, deck)
    if kind != 0:
        mark_fired(D, V)
        note_detail(F, kind, D, 0, seed, -1, deck)
        return kind
    a = -1
    copy(S, N)
    while 1:
        mark_fired(D, V)
        m = D[SOFT_AT]
        X[3] += m
        j = 0
        while j < m:
            note(F, 10, D[SOFT_AT + 1 + j], -1, -1, k, seed, a, deck)
            j += 1
        m = invariants(S, N, R)
        if m > 0:
            M[8] += 1
        j = 0
        while j < m:
            note(F, 8, -1, R[j], kind_of(a), k, seed, a, deck)
            j += 1
        if over(S) != 0:
            break
        m = contested(S, B)
        if m > 0:
            M[7] += 1
            note_contested(F, S, B, m, R, C, k, seed, deck)
        X[5] -= 1
        if X[5] < 0:
            X[5] = every
            look(S, A, R, V)
        n = lawful(S, A)
        if n == 0:
            kind = 5
            if m > 0:
                kind = 7
                note(F, 7, -1, -1, -1, k, seed, a, deck)
            else:
                note(F, 5, -1, -1, cause(S, B, R), k, seed, a, deck)
            break
        if k >= cap:
            kind = 9
            note(F, 9, -1, -1, -1, k, seed, a, deck)
            break
        a = choose(A, n, G, X)
        L[k] = a
        k += 1
        h = (h * 31 + a + 1) % 2147483647
        copy(S, N)
        kind = step(S, a, D)
        if kind != 0:
            mark_fired(D, V)
            note_detail(F, kind, D, k, seed, a, deck)
            break
    X[1] = k
    X[2] = h
    return kind

def mark_fired(D, V):
    n = D[FIRED_AT]
    j = 0
    while j < n:
        V[D[FIRED_AT + 1 + j]] = 1
        j += 1
    return n

def hunt(S, N, D, A, B, G, R, X, L, M, F, C, V, cap, every, games, all, required, mentioned, size):
    """Games on random decks of `size` cards (0: the whole deck)."""
    while games > 0:
        deck = 0
        if size > 0:
            deck = draw_deck(X, all, required, mentioned, size)
        kind = hunt_one(S, N, D, A, B, G, R, X, L, M, F, C, V, cap, every, deck)
        tally(M, X, kind)
        games -= 1
    return M[0]
'''
