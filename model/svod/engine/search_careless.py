"""A program with breaches → the same program with games of careless and inattentive players below it, as text.

Rates say how often a player does what lawful play would not see, whether a breach is noticed at all, and how readily
rights of speech are used. The same seed gives the same game everywhere. At every step the cards are counted and the
invariants looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from svod.diagnostics import InternalError
from svod.engine.layout import Layout
from svod.engine.program import Program
from svod.engine.search_games import DRAWING, TALLY_WIDTH, TALLYING
from svod.engine.search_source import POPCOUNT, constants_text, no_name_twice
from svod.engine.search_table import NOTEBOOK
from svod.engine.world import world_of
from svod.norms import ir
from svod.norms.play_acts import is_talk
from svod.norms.watching import PUNISHMENTS

TRIES = 40
IDLE_MAX = 64
"""So often a game may hang on rights of speech alone before a card is moved: then it counts as stuck."""

CARELESS = '''
def happens(X, rate):
    """Whether something of this rate (in millionths) happens now."""
    if rate <= 0:
        return 0
    return 1 if draw(X, 0) % 1000000 < rate else 0

def stray(S, X):
    """An act that lawful play would not see: unlawful, or speech; -1 if none was hit upon. Kinds come evenly."""
    t = 0
    while t < TRIES and DONE_COUNT > 0:
        t += 1
        k = DONE[draw(X, 0) % DONE_COUNT]
        a = KIND_FIRST[k] + draw(X, 0) % KIND_SPAN[k]
        s = status(S, a)
        if s == 2 or (s == 1 and KIND_TALK[k] != 0):
            return a
    return -1

def listed(A, n, a):
    """Whether the ascending list holds the code."""
    low = 0
    high = n
    while low < high:
        m = (low + high) >> 1
        if A[m] < a:
            low = m + 1
        else:
            high = m
    if low < n:
        return 1 if A[low] == a else 0
    return 0

def without(B, m, A, n):
    """Take out of B what A holds too; how many are left."""
    k = 0
    j = 0
    while j < m:
        if listed(A, n, B[j]) == 0:
            B[k] = B[j]
            k += 1
        j += 1
    return k

def answer(S, a, A, n, B, X, P, M):
    """An act of speech that is owed: where rights that speak of the record back some of the answers, an honest player
    gives one of these, another one of the others."""
    k = kind_of(a)
    who = actor(S, a)
    m = grounded(S, B)
    good = 0
    bad = 0
    j = 0
    while j < n:
        if kind_of(A[j]) == k and actor(S, A[j]) == who:
            if listed(B, m, A[j]) != 0:
                good += 1
            else:
                bad += 1
        j += 1
    if good == 0 or bad == 0:
        return a
    honest = happens(X, P[3])
    if honest == 0:
        M[DISHONEST] += 1
    r = draw(X, 0) % (good if honest != 0 else bad)
    j = 0
    while j < n:
        if kind_of(A[j]) == k and actor(S, A[j]) == who and listed(B, m, A[j]) == honest:
            if r == 0:
                return A[j]
            r -= 1
        j += 1
    return a

def conserved(S):
    """Whether every card of the deck lies in exactly one zone, and piles are what their masks say."""
    all = 0
    count = 0
    z = 0
    while z < PLACES:
        mask = S[PLACE_MASK[z]]
        all |= mask
        c = popcount(mask)
        count += c
        if PLACE_LENGTH[z] >= 0:
            if S[PLACE_LENGTH[z]] != c:
                return 0
            i = 0
            while i < c:
                if (mask >> S[PLACE_CARDS[z] + i]) & 1 == 0:
                    return 0
                i += 1
        z += 1
    return 1 if all == WHOLE and count == popcount(WHOLE) else 0

def compare(S, N, W, X, P, M):
    """What the step did to the record: entered, punished, ended without; a new breach is noticed or not, for good."""
    j = 0
    number = 0
    while j < GUILTS:
        was = N[GUILT + j]
        now = S[GUILT + j]
        fined = 0
        if FINED >= 0:
            fined = S[FINED + j] - N[FINED + j]
        if now > was:
            M[ENTERED + number] += 1
            W[j] = 1 if happens(X, P[1]) != 0 else 2
            if W[j] == 1:
                M[SEEN] += 1
        if fined > 0:
            if was != 0 or now != 0:
                M[PUNISHED + number] += fined
            else:
                M[WRONGED + number] += fined
        if now < was:
            if fined <= 0:
                M[ENDED + number] += 1
            W[j] = 0
        j += 1
        number += 1
        if number == NUMBERS:
            number = 0
    return 0

def seen(S, W):
    """Whether some open breach has been noticed."""
    j = 0
    while j < GUILTS:
        if S[GUILT + j] != 0 and W[j] == 1:
            return 1
        j += 1
    return 0

def careless_act(S, N, A, B, G, W, X, P, M):
    """The next act; -1 if there is none. N: the state before the last act, if there was one. A right of speech tempts
    when it arises (P[2]), now and then (P[4]), or when nothing else leads on: X[6] counts how often that was so since
    a card was last moved."""
    n = played(S, A)
    if GUILTS > 0 and seen(S, W) != 0:
        m = without(B, grounded(S, B), A, n)
        if m > 0:
            M[CLAIMED] += 1
            return B[draw(X, 0) % m]
    if P[2] > 0 or P[4] > 0 or n == 0:
        m = without(B, entitled(S, B), A, n)
        if m > 0 and n == 0:
            X[6] += 1
            if X[6] > IDLE_MAX:
                return -1
            M[ENTITLED] += 1
            return B[draw(X, 0) % m]
        if m > 0 and happens(X, P[4]) != 0:
            M[ENTITLED] += 1
            return B[draw(X, 0) % m]
        if m > 0 and X[1] > 0:
            m = without(B, m, G, entitled(N, G))
            if m > 0 and happens(X, P[2]) != 0:
                M[ENTITLED] += 1
                return B[draw(X, 0) % m]
    if n == 0:
        return -1
    if happens(X, P[0]) != 0:
        a = stray(S, X)
        if a >= 0:
            M[STRAYED] += 1
            k = kind_of(a)
            M[STRAYS + k] += 1
            return a
    a = choose(A, n, G, X)
    if KIND_TALK[kind_of(a)] != 0:
        return answer(S, a, A, n, B, X, P, M)
    X[6] = 0
    return a

def careless_game(S, N, D, A, B, G, R, W, X, L, P, M, F, cap, seed):
    """One game; a FoundKind. A step that failed, and every invariant that did not hold, is noted with the seed."""
    X[0] = seed
    X[1] = 0
    X[2] = 0
    X[3] = 0
    X[6] = 0
    k = 0
    h = 0
    j = 0
    while j < GUILTS:
        W[j] = 0
        j += 1
    kind = init(S, D)
    if kind != 0:
        note_detail(F, kind, D, 0, seed, -1, 0)
        return kind
    a = -1
    while 1:
        X[3] += D[SOFT_AT]
        if conserved(S) == 0:
            kind = 11
            note(F, 11, -1, -1, kind_of(a), k, seed, a, 0)
            break
        if k == 0:
            m = invariants(S, S, R)
        else:
            m = invariants(S, N, R)
        if m > 0:
            M[8] += 1
        j = 0
        while j < m:
            if k > 0 or REMEMBERS[R[j]] == 0:
                note(F, 8, -1, R[j], kind_of(a), k, seed, a, 0)
            j += 1
        if over(S) != 0:
            break
        if k >= cap:
            kind = 9
            break
        a = careless_act(S, N, A, B, G, W, X, P, M)
        if a < 0:
            kind = 5
            if contested(S, B) > 0:
                kind = 7
            note(F, kind, -1, -1, cause(S, B, R), k, seed, last_act(X, L), 0)
            break
        L[k] = a
        k += 1
        X[1] = k
        h = (h * 31 + a + 1) % 2147483647
        j = kind_of(a)
        M[MADE + j] += 1
        j = 0
        while j < SIZE:
            N[j] = S[j]
            j += 1
        kind = step(S, a, D)
        if kind != 0:
            note_detail(F, kind, D, k, seed, a, 0)
            break
        compare(S, N, W, X, P, M)
    X[2] = h
    return kind

def careless_games(S, N, D, A, B, G, R, W, X, L, P, M, F, cap, seed, games):
    """Games from neighbouring seeds on; the last kind."""
    kind = 0
    while games > 0:
        kind = careless_game(S, N, D, A, B, G, R, W, X, L, P, M, F, cap, 1 + (seed - 1) % 2147483646)
        tally(M, X, kind)
        seed += SEED_STEP
        games -= 1
    return kind
'''
SEED_STEP = 7_919
ENTRIES = ("careless_game", "careless_games", "conserved")


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the statistics and the record lie. `guilt`, `fined`: first slots of the record and of the ledger of
    punishments, `guilts` slots each (`fined` −1: nobody is ever punished); `names`: numbers of the catalogue."""

    guilt: int
    fined: int
    guilts: int
    names: tuple[str, ...]
    strayed: int
    numbers: int
    made: int
    width: int

    @classmethod
    def of(cls, norms: ir.Norms, layout: Layout) -> Columns:
        """For a program of watched norms."""
        names: tuple[str, ...] = ()
        guilt = fined = guilts = 0
        if norms.catalogue is not None and layout.frame is not None:
            names = norms.sort(norms.catalogue.sort).values
            record = layout.frame.record
            ledger = [slot for (name, _), slot in layout.registers if name == PUNISHMENTS]
            fined = ledger[0] if ledger else -1
            if ledger and ledger != list(range(fined, fined + len(record))):
                raise InternalError("careless", "the ledger of punishments does not lie as the record does")
            guilt, guilts = record.start, len(record)
        strayed = TALLY_WIDTH
        numbers = strayed + 5
        made = numbers + 4 * len(names)
        return cls(guilt, fined, guilts, names, strayed, numbers, made, made + 2 * len(layout.action_offsets))


def careless_source(norms: ir.Norms, program: Program, at: Columns) -> str:
    """The program with the games below it."""
    layout = program.layout
    offsets = [*layout.action_offsets, ("", layout.act_count)]
    spans = [(first, end - first) for (_, first), (_, end) in pairwise(offsets)]
    actions = {action.name: action for action in norms.actions}
    kinds = [actions[name] for name, _ in layout.action_offsets]
    done = [place for place, action in enumerate(kinds) if action.actor is not None and spans[place][1] > 0]
    deck = norms.deck or range(len(norms.sort(norms.card_sort).values))
    remembers = _remembering(norms, program)
    rights = {clause.head.id for clause in norms.clauses if isinstance(clause, ir.Permission) and clause.strong}
    numbers = {
        "TRIES": TRIES, "IDLE_MAX": IDLE_MAX, "DONE_COUNT": len(done), "SEED_STEP": SEED_STEP,
        "GUILT": at.guilt, "FINED": at.fined, "GUILTS": at.guilts, "NUMBERS": max(1, len(at.names)),
        "STRAYED": at.strayed, "SEEN": at.strayed + 1, "CLAIMED": at.strayed + 2, "ENTITLED": at.strayed + 3,
        "DISHONEST": at.strayed + 4,
        "ENTERED": at.numbers, "PUNISHED": at.numbers + len(at.names), "ENDED": at.numbers + 2 * len(at.names),
        "WRONGED": at.numbers + 3 * len(at.names), "MADE": at.made, "STRAYS": at.made + len(kinds),
        "PLACES": len(layout.zones), "WHOLE": sum(1 << card for card in deck),
    }  # fmt: skip
    tables: dict[str, Sequence[int]] = {
        "DONE": done,
        "KIND_FIRST": [first for first, _ in spans],
        "KIND_SPAN": [span for _, span in spans],
        "KIND_TALK": [int(is_talk(action)) for action in kinds],
        "PLACE_MASK": [zone.mask for zone in layout.zones],
        "PLACE_LENGTH": [zone.length for zone in layout.zones],
        "PLACE_CARDS": [zone.cards for zone in layout.zones],
        "RIGHTS": [int(clause in rights) for clause in program.clauses],
        "REMEMBERS": [int(clause in remembers) for clause in program.clauses],
    }
    lines = [f"{name} = {value}" for name, value in numbers.items()]
    lines += [f"{name} = ({', '.join(map(str, values or [0]))},)" for name, values in tables.items()]
    popcount = "" if "\ndef popcount(" in program.source else POPCOUNT
    head = constants_text(program, norms)
    parts = (program.source, head, "\n".join(lines), popcount, NOTEBOOK, DRAWING, TALLYING, CARELESS)
    source = "\n\n".join(parts)
    no_name_twice(source)
    return source


def _remembering(norms: ir.Norms, program: Program) -> frozenset[str]:
    """Invariants that speak of steps: at the start of a play they hold."""
    world = world_of(norms, frozenset(program.switches))
    invariants = [clause for clause in norms.clauses if isinstance(clause, ir.Invariant)]
    return frozenset(
        clause.head.id
        for clause in invariants
        if "before" in world.reads(world.fires(clause.head.id)) | world.reads(clause.holds)
    )
