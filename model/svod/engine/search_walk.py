"""Text of the exhaustive search: breadth first over lawful acts, in slices, after the acts of chance that open a play.

Rows of whole states lie in `Q` (`W` words each), rows of what is counted as one state in `K` (the same array without a
projection), parents in `P`. `U`, `UT`, `UP` are the same for the opening. `C` and `UC` are control arrays.
"""

from __future__ import annotations

from enum import IntEnum


class Control(IntEnum):
    """Offsets in the control array."""

    HEAD = 0  # next row to expand
    TAIL = 1  # number of rows
    LEVEL = 2  # first row of the next level
    DEPTH = 3
    ROOM = 4  # rows that the arrays have room for
    MASK = 5  # size of the index table less one
    STARTS = 6
    MOVES = 7
    FINISHED = 8
    DEAD = 9
    CONTESTED = 10  # states in which an act is contested
    CONTESTED_ONLY = 11
    VIOLATIONS = 12  # steps and starts that break an invariant
    SOFT = 13
    MET = 14  # acts that led to a state already known
    DIFFERED = 15  # … whose row differed: two states that the projection takes for one
    TARGET_KIND = 16  # stop when this is met (−1: never)
    TARGET_PLACE = 17
    TARGET_FIRST = 18
    TARGET_SECOND = 19
    FAILED = 20  # … +1 to +4: steps with that code


CONTROL_WIDTH = 32


class Reason(IntEnum):
    """Why a slice of the search came back."""

    DONE = 0
    SLICE = 1
    ROOM = 2  # the arrays are full
    TABLE = 3  # the index table is full
    FOUND = 4  # the target was met


WALK = 5  # acts that two coinciding states are followed together
ALL_COMPARED = 512  # so many coincidences are all compared, of those after them one in 64


def walk_text(projected: bool, unbounded: bool) -> str:
    """The search. `projected`: `K` is an array of its own. `unbounded`: packing has to be checked."""
    text = f"ALL_COMPARED = {ALL_COMPARED}\nWALK = {WALK}\n{_WALK}"
    text = text.replace("#FITS ", "") if unbounded else _without(text, "#FITS ")
    text = text.replace("#KEY ", "") if projected else _without(text, "#KEY ")
    return text + (_PAIR if projected else "")


def _without(text: str, mark: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(mark))


_WALK = '''
def copy(S, T):
    i = 0
    while i < SIZE:
        T[i] = S[i]
        i += 1
    return SIZE

def enter(S, Q, K, H, P, C, parent):
    """Enter the state S as a start, if it is new; its row."""
    tail = C[1]
    pack(S, Q, tail * W)
#KEY     pack_key(S, K, tail * KW)
    e = find(K, H, tail, C[5])
    if e == tail:
        set_half(P, tail, parent)
        C[1] = tail + 1
        C[2] = tail + 1
        C[6] += 1
    return e

def enter_whole(S, U, UT, UP, UC):
    """Enter the state S as the first row of an opening."""
    pack(S, U, 0)
    find_whole(U, UT, 0, UC[5])
    set_half(UP, 0, 0)
    UC[1] = 1
    return 0

def only_chance(S, A, n):
    j = 0
    while j < n:
        if actor(S, A[j]) >= 0:
            return 0
        j += 1
    if n > 0:
        return 1
    return 0

def open_play(U, UT, UP, UC, Q, K, H, P, C, S, T, D, A, B, R, F, budget):
    """Expand rows of the opening; states where more than chance acts become starts."""
    i = UC[0]
    reason = 1
    while budget > 0:
        if i >= UC[1]:
            reason = 0
            break
        if C[1] + 1 > C[4] or UC[1] + ACTS > UC[4]:
            reason = 2
            break
        if (C[1] + 1) * 4 > (C[5] + 1) * 3 or (UC[1] + ACTS) * 4 > (UC[5] + 1) * 3:
            reason = 3
            break
        budget -= 1
        unpack(U, i * W, S)
        refresh(S)
        n = 0
        if over(S) == 0:
            n = lawful(S, A)
        if only_chance(S, A, n) == 0:
            enter(S, Q, K, H, P, C, i)
        else:
            j = 0
            while j < n:
                copy(S, T)
                r = step(T, A[j], D)
                if r != 0:
                    C[20 + r] += 1
                    note_detail(F, r, D, 0, 0 - i - 1, A[j], 0)
                else:
                    tail = UC[1]
                    pack(T, U, tail * W)
                    if find_whole(U, UT, tail, UC[5]) == tail:
                        set_half(UP, tail, i)
                        UC[1] = tail + 1
                j += 1
        i += 1
    UC[0] = i
    return reason

def blocked(S, B, R, F, C, n, where):
    """Note what is contested in S and whether nothing is lawful in it; 1 if the target is among it."""
    m = contested(S, B)
    hit = 0
    if m > 0:
        C[10] += 1
        if note_contested(F, S, B, m, R, C, C[3], where, 0) != 0:
            hit = 1
    if n == 0:
        if m > 0:
            C[11] += 1
            p = note(F, 7, -1, -1, -1, C[3], where, -1, 0)
        else:
            C[9] += 1
            p = note(F, 5, -1, -1, cause(S, B, R), C[3], where, -1, 0)
        if is_target(F, p, C) != 0:
            hit = 1
    return hit

def seen_on_step(S, T, D, R, F, C, where, act):
    """Note broken invariants and output slots without a value on the step S to T; 1 if the target is among them."""
    hit = 0
    n = invariants(T, S, R)
    if n > 0:
        C[12] += 1
    j = 0
    while j < n:
        if is_target(F, note(F, 8, -1, R[j], kind_of(act), C[3] + 1, where, act, 0), C) != 0:
            hit = 1
        j += 1
    n = D[SOFT_AT]
    if n > 0:
        C[13] += 1
    j = 0
    while j < n:
        if is_target(F, note(F, 10, D[SOFT_AT + 1 + j], -1, -1, C[3] + 1, where, act, 0), C) != 0:
            hit = 1
        j += 1
    return hit

def explore(Q, K, H, P, C, S, T, D, A, B, R, F, M, budget):
    """Expand up to `budget` rows; a Reason."""
    i = C[0]
    reason = 1
    while budget > 0 and reason == 1:
        tail = C[1]
        if i >= tail:
            reason = 0
            break
#KEY         if M[0] + ACTS > M[1]:
#KEY             break
        if tail + ACTS > C[4]:
            reason = 2
            break
        if (tail + ACTS) * 4 > (C[5] + 1) * 3:
            reason = 3
            break
        if i == C[2]:
            C[3] += 1
            C[2] = tail
        budget -= 1
        unpack(Q, i * W, S)
        refresh(S)
        if over(S) != 0:
            C[8] += 1
        else:
            n = lawful(S, A)
            if blocked(S, B, R, F, C, n, i) != 0:
                reason = 4
            j = 0
            while j < n:
                copy(S, T)
                r = step(T, A[j], D)
#FITS                 if r == 0 and fits(T) == 0:
#FITS                     r = 4
#FITS                     D[DETAIL] = -1
#FITS                     D[DETAIL + 1] = 0
#FITS                     D[DETAIL + 8] = -1
#FITS                     D[DETAIL + 9] = -1
                if r != 0:
                    C[20 + r] += 1
                    if is_target(F, note_detail(F, r, D, C[3] + 1, i, A[j], 0), C) != 0:
                        reason = 4
                else:
                    C[7] += 1
                    if seen_on_step(S, T, D, R, F, C, i, A[j]) != 0:
                        reason = 4
                    pack(T, Q, tail * W)
#KEY                     pack_key(T, K, tail * KW)
                    e = find(K, H, tail, C[5])
                    if e == tail:
                        set_half(P, tail, i)
                        tail += 1
                    else:
                        C[14] += 1
#KEY                         sample(Q, M, C, e, tail, i, A[j])
                j += 1
            C[1] = tail
        i += 1
    C[0] = i
    return reason
'''

_PAIR = '''
def sample(Q, M, C, e, tail, parent, act):
    """Keep for comparison, while there is room, two different states that the projection takes for one."""
    a = e * W
    b = tail * W
    j = 0
    while j < W and Q[a + j] == Q[b + j]:
        j += 1
    if j < W:
        C[15] += 1
        if (C[15] < ALL_COMPARED or C[15] & 63 == 0) and M[0] < M[1]:
            p = 2 + M[0] * (W + 3)
            M[p] = e
            M[p + 1] = parent
            M[p + 2] = act
            j = 0
            while j < W:
                M[p + 3 + j] = Q[b + j]
                j += 1
            M[0] += 1
    return 0

def differ(S, T, N, D, A, B, K):
    """0 if S and T, one state under the projection, go on alike; else 1 + the act that does not (1 + ACTS: over or
    not). N and K are scratch."""
    if over(S) != over(T):
        return ACTS + 1
    n = lawful(S, A)
    m = lawful(T, B)
    j = 0
    while j < n and j < m and A[j] == B[j]:
        j += 1
    if j < n and j < m:
        return 1 + min(A[j], B[j])
    if j < n:
        return 1 + A[j]
    if j < m:
        return 1 + B[j]
    j = 0
    while j < n:
        copy(S, N)
        r = step(N, A[j], D)
        if r == 0:
            pack_key(N, K, 0)
        copy(T, N)
        if step(N, A[j], D) != r:
            return 1 + A[j]
        if r == 0:
            pack_key(N, K, KW)
            if row_same(K, 0, KW) == 0:
                return 1 + A[j]
        j += 1
    return 0

def differ_later(S, T, N, D, A, B, K, L, seed):
    """As `differ`, then the same of what follows, a few acts drawn evenly onwards; these go to L[1], … and their number
    to L[0]. S and T end up where they differ."""
    L[0] = 0
    x = seed
    while 1:
        e = differ(S, T, N, D, A, B, K)
        if e != 0 or L[0] >= WALK:
            return e
        n = lawful(S, A)
        if n == 0:
            return 0
        x = x * 48271 % 2147483647
        a = A[x % n]
        if step(T, a, D) != 0:
            return 0
        if step(S, a, D) != 0:
            return 0
        L[0] += 1
        L[L[0]] = a
    return 0

def compare(Q, M, S, T, N, D, A, B, K, L):
    """Compare the pairs in M; the number of the first that goes on differently, plus one; else 0."""
    i = 0
    while i < M[0]:
        p = 2 + i * (W + 3)
        unpack(Q, M[p] * W, S)
        refresh(S)
        unpack(M, p + 3, T)
        refresh(T)
        if differ_later(S, T, N, D, A, B, K, L, M[p] + M[p + 2] + 1) != 0:
            return i + 1
        i += 1
    return 0
'''
