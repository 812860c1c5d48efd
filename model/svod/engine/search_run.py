"""A program with searches and a backend → the counts of a state space, what was found in it, and the plays to it.

The search runs in slices: between two of them progress is told, limits are looked at, arrays grow, and an interrupt
gets through; `result` tells at any time what is known so far.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from svod.diagnostics import InternalError
from svod.engine.backend import Backend, Buffer, read
from svod.engine.search_found import Found, found_in, notebook
from svod.engine.search_source import SearchProgram, independent_slots, register_slots
from svod.engine.search_table import FoundKind
from svod.engine.search_walk import CONTROL_WIDTH, WALK, Control, Reason

PAIRS_MAX = 512


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop before the end. `seconds` is an upper limit only: what must be equal everywhere goes by states."""

    states: int = 50_000_000
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """What to stop at; −1 stands for anything. Numbers as in a `Found`."""

    kind: FoundKind
    place: int = -1
    first: int = -1
    second: int = -1


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two states that the projection takes for one go on differently: a projection that leaves out what matters.
    `slots` names the culprit if one slot alone makes the difference, else all that differ."""

    slots: tuple[str, ...]
    play: tuple[int, ...]
    other_play: tuple[int, ...]
    act: int | None  # an act that only one of them allows or that leads on differently; None: one is over


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search is: rows expanded and known, level."""

    expanded: int
    states: int
    depth: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """What a search counted. `stopped`: None if the space is exhausted, else «states», «time», «found», «interrupt»…
    Moves are the pairs of a state and a lawful act that leads on; acts that fail are counted apart."""

    stopped: str | None
    starts: int
    states: int
    moves: int
    finished: int
    dead_ends: int
    contested: int
    contested_only: int
    violations: int
    soft: int
    failed: tuple[tuple[FoundKind, int], ...]
    depth: int
    found: tuple[Found, ...]
    found_dropped: int
    coincided: int
    compared: int
    disagreement: Disagreement | None
    seconds: float
    native: bool
    machine: str


class Search:
    """One exhaustive search. `opening`: acts of chance before the first choice only lead to the starts and are not
    counted; otherwise the start of the play is the only start. `deck`: mask of the cards in play, 0 for all. `room`:
    rows that there is room for at first (a power of two); more is made as needed."""

    def __init__(
        self,
        searched: SearchProgram,
        backend: Backend,
        *,
        deck: int = 0,
        opening: bool = True,
        target: Target | None = None,
        notes: int = 256,
        room: int | None = None,
    ) -> None:
        self.searched, self.backend, self.deck = searched, backend, deck
        self._opening = opening
        layout = searched.layout
        make = backend.buffer
        size, acts = layout.size, max(1, layout.act_count)
        self._s, self._t, self._n = make(size), make(size), make(size)
        self._d, self._a, self._b = make(layout.detail_size), make(acts), make(acts)
        self._r = make(4 * len(searched.program.clauses) + 64)
        self._f = notebook(backend, notes)
        pairs = PAIRS_MAX + acts
        self._pairs = make(2 + pairs * (searched.words + 3))
        self._pairs[1] = pairs
        self._keys = make(2 * searched.key_words)
        self._onward = make(WALK + 1)
        self._row = make(searched.words)
        if room is None:  # untouched native memory costs nothing
            room, table = (1 << 22, 1 << 18) if backend.native else (1 << 12, 1 << 12)
        else:
            table = room
        self._main = _Store(backend, searched.words, searched.key_words if searched.projection else 0, room, table)
        self._first = _Store(backend, searched.words, 0, room if opening else 1 << 10, table if opening else 1 << 10)
        self._compared = 0
        self._disagreement: Disagreement | None = None
        self._stopped: str | None = "interrupt"
        self._seconds = 0.0
        if target is not None:
            values = (int(target.kind), target.place, target.first, target.second)
            for offset, value in enumerate(values):
                self._main.control[Control.TARGET_KIND + offset] = value
        self._begun = False

    def switch(self, values: Mapping[int, int]) -> None:
        """Set switches that the program leaves free: slot → 0 or 1. Before the search begins."""
        for slot, value in values.items():
            self._s[slot] = value

    # --------------------------------------------------------------------------------------------- running

    def run(self, limits: Limits = Limits(), progress: Callable[[Progress], None] | None = None) -> Exploration:
        """Search on until the end or a limit; may be called again with higher limits."""
        started = time.monotonic()
        before = self._seconds
        self._stopped = "interrupt"
        try:
            if not self._begun:
                self._begin()
            self._stopped = self._slices(limits, started, progress)
        finally:
            self._seconds = before + time.monotonic() - started
        return self.result()

    def result(self) -> Exploration:
        """What is known so far."""
        c = self._main.control
        failed = tuple((FoundKind(k), c[Control.FAILED + k]) for k in range(1, 5))
        return Exploration(
            stopped=self._stopped,
            starts=c[Control.STARTS],
            states=c[Control.TAIL],
            moves=c[Control.MOVES],
            finished=c[Control.FINISHED],
            dead_ends=c[Control.DEAD],
            contested=c[Control.CONTESTED],
            contested_only=c[Control.CONTESTED_ONLY],
            violations=c[Control.VIOLATIONS],
            soft=c[Control.SOFT],
            failed=failed,
            depth=c[Control.DEPTH],
            found=found_in(self._f),
            found_dropped=self._f[2],
            coincided=c[Control.DIFFERED],
            compared=self._compared,
            disagreement=self._disagreement,
            seconds=self._seconds,
            native=self.backend.native,
            machine=self.backend.description,
        )

    def _begin(self) -> None:
        self._begun = True
        call = self.backend.call
        code = call("begin", self._s, self._d, self.deck)
        c = self._main.control
        if code != 0:
            c[Control.FAILED + code] += 1
            call("note_detail", self._f, code, self._d, 0, -1, -1, self.deck)
            return
        main = self._main
        if self._opening:
            first = self._first
            call("enter_whole", self._s, first.rows, first.table, first.parents, first.control)
        else:
            call("enter", self._s, main.rows, main.keys, main.table, main.parents, c, 0)

    def _slices(self, limits: Limits, started: float, progress: Callable[[Progress], None] | None) -> str | None:
        size = 1 << 14 if self.backend.native else 1 << 9
        opening = self._opening
        while True:
            reason = self._open_slice(size) if opening else self._slice(size)
            c = self._main.control
            if progress is not None:
                progress(Progress(c[Control.HEAD], c[Control.TAIL], c[Control.DEPTH]))
            if reason is Reason.FOUND:
                return "found"
            if self._disagreement is not None:
                return "projection"
            if reason is Reason.DONE:
                if not opening:
                    return None
                opening = False
                self._opening_done = True
            if max(c[Control.TAIL], self._first.control[Control.TAIL]) >= limits.states:
                return "states"
            if limits.seconds is not None and time.monotonic() - started > limits.seconds:
                return "time"
            if reason is Reason.ROOM:
                self._main.grow_rows(self.searched.layout.act_count)
                self._first.grow_rows(self.searched.layout.act_count)
            if reason is Reason.TABLE:
                self._main.grow_table("refill", self.searched.layout.act_count)
                self._first.grow_table("refill_whole", self.searched.layout.act_count)

    def _open_slice(self, size: int) -> Reason:
        u, q = self._first, self._main
        arguments = (u.rows, u.table, u.parents, u.control, q.rows, q.keys, q.table, q.parents, q.control)
        scratch = (self._s, self._t, self._d, self._a, self._b, self._r, self._f)
        return Reason(self.backend.call("open_play", *arguments, *scratch, size))

    def _slice(self, size: int) -> Reason:
        q = self._main
        scratch = (self._s, self._t, self._d, self._a, self._b, self._r, self._f, self._pairs)
        self._pairs[0] = 0
        arguments = (q.rows, q.keys, q.table, q.parents, q.control)
        reason = Reason(self.backend.call("explore", *arguments, *scratch, size))
        if self._pairs[0]:
            self._compare()
        return reason

    # ------------------------------------------------------------------------------------------ comparisons

    def _compare(self) -> None:
        """Do states that the projection takes for one go on alike?"""
        number = self._call_on_pair("compare", self._main.rows, self._pairs, self._s, self._t)
        self._compared += self._pairs[0] if number == 0 else number
        if number == 0:
            return
        at = 2 + (number - 1) * (self.searched.words + 3)
        row, parent, act = self._pairs[at], self._pairs[at + 1], self._pairs[at + 2]
        on = tuple(read(self._onward, 1, self._onward[0]))
        code = self._call_on_pair("differ", self._s, self._t)
        names = tuple(self.searched.layout.slots[i].name for i in self._culprits())
        acts = self.searched.layout.act_count
        difference = None if code == acts + 1 else code - 1
        self._disagreement = Disagreement(names, self._play(row) + on, (*self._play(parent), act, *on), difference)

    def _call_on_pair(self, name: str, *arguments: Buffer) -> int:
        onward = (self._onward,) if name == "compare" else ()
        return self.backend.call(name, *arguments, self._n, self._d, self._a, self._b, self._keys, *onward)

    def _culprits(self) -> list[int]:
        """Slots that make the difference between the states in the two scratch vectors."""
        layout = self.searched.layout
        one = read(self._s, 0, layout.size)
        two = read(self._t, 0, layout.size)
        different = [i for i in independent_slots(layout) if one[i] != two[i]]
        registers = set(register_slots(layout))
        changed = self.backend.buffer(layout.size)
        for slot in (i for i in different if i in registers):
            for i, value in enumerate(one):
                changed[i] = two[i] if i == slot else value
            self.backend.call("refresh", changed)
            if self._call_on_pair("differ", self._s, changed):
                return [slot]
        return different

    # ----------------------------------------------------------------------------------------------- plays

    def play(self, found: Found) -> tuple[int, ...]:
        """Codes of the acts from the start of the play to what was found."""
        path = self._opening_play(-found.where - 1) if found.where < 0 else self._play(found.where)
        return path if found.act < 0 else (*path, found.act)

    def state(self, row: int) -> list[int]:
        """The state vector of a row."""
        self.backend.call("unpack", self._main.rows, row * self.searched.words, self._s)
        self.backend.call("refresh", self._s)
        return read(self._s, 0, self.searched.layout.size)

    def _play(self, row: int) -> tuple[int, ...]:
        starts = self._main.control[Control.STARTS]
        chain = [row]
        while chain[-1] >= starts:
            chain.append(self._main.parent(chain[-1]))
        acts = self._acts(self._main, chain)
        if not self._opening:
            return acts
        return self._opening_play(self._main.parent(chain[-1])) + acts

    def _opening_play(self, row: int) -> tuple[int, ...]:
        if not self._opening:
            return ()
        chain = [row]
        while chain[-1] > 0:
            chain.append(self._first.parent(chain[-1]))
        return self._acts(self._first, chain)

    def _acts(self, store: _Store, chain: list[int]) -> tuple[int, ...]:
        """The acts that lead from each row to the one before it in the list: parents are kept, acts are found again."""
        call, words = self.backend.call, self.searched.words
        acts: list[int] = []
        for parent, child in zip(chain[:0:-1], chain[-2::-1], strict=True):
            wanted = read(store.rows, child * words, words)
            call("unpack", store.rows, parent * words, self._s)
            call("refresh", self._s)
            for number in range(call("lawful", self._s, self._a)):
                for i in range(self.searched.layout.size):
                    self._t[i] = self._s[i]
                if call("step", self._t, self._a[number], self._d) == 0:
                    call("pack", self._t, self._row, 0)
                    if read(self._row, 0, words) == wanted:
                        acts.append(self._a[number])
                        break
            else:
                raise InternalError("search", f"no lawful act leads from row {parent} to row {child}")
        return tuple(acts)


class _Store:
    """Rows, keys, parents and the index table of one search, with the control array."""

    def __init__(self, backend: Backend, words: int, key_words: int, room: int, table: int) -> None:
        self._backend, self._words, self._key_words = backend, words, key_words
        self.rows = backend.buffer(room * words)
        self._own_keys = backend.buffer(room * key_words) if key_words else None
        self.parents = backend.buffer(room // 2)
        self.table = backend.buffer(table // 2)
        self.control = backend.buffer(CONTROL_WIDTH)
        self.control[Control.ROOM] = room
        self.control[Control.MASK] = table - 1
        self.control[Control.TARGET_KIND] = -1

    @property
    def keys(self) -> Buffer:
        """Rows of what counts as one state."""
        return self.rows if self._own_keys is None else self._own_keys

    def parent(self, row: int) -> int:
        """The row that this one was reached from."""
        return (self.parents[row >> 1] >> ((row & 1) << 5)) & 0xFFFFFFFF

    def grow_rows(self, acts: int) -> None:
        """Make room, if there is none for one more expansion."""
        room = self.control[Control.ROOM]
        if self.control[Control.TAIL] + acts <= room:
            return
        larger = max(2 * room, room + 2 * acts)
        larger += larger & 1
        self.rows = self._backend.grown(self.rows, larger * self._words)
        if self._own_keys is not None:
            self._own_keys = self._backend.grown(self._own_keys, larger * self._key_words)
        self.parents = self._backend.grown(self.parents, larger // 2)
        self.control[Control.ROOM] = larger

    def grow_table(self, refill: str, acts: int) -> None:
        """Make the index table anew, twice as large or more, if it is too full for one more expansion."""
        size, tail = self.control[Control.MASK] + 1, self.control[Control.TAIL]
        if (tail + acts) * 4 <= size * 3:
            return
        while (tail + acts) * 4 > size * 3 // 2:
            size *= 2
        self.table = self._backend.buffer(size // 2)
        self.control[Control.MASK] = size - 1
        self._backend.call(refill, self.keys, self.table, tail, size - 1)
