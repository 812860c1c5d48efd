"""A generated program behind the words of `norms.trace`: positions and acts in, decisions and outcomes of steps out.

NOTE(many plays): who plays many games without looking at positions stays with state vectors and codes of acts:

    state, detail, codes = engine.new_state(), engine.new_detail(), engine.new_codes()
    code = engine.start(state, detail)              # a StepCode; the state is spoilt unless it is NEXT
    count = engine.list_lawful(state, codes)        # codes[:count], ascending; 0 when the play is over
    count = engine.list_possible(state, codes)      # everything that can be done, also when the play is over
    count = engine.list_played(state, codes)        # lawful, without speech that nobody owes: much the quickest
    count = engine.list_doable(state, codes)        # possible, without speech
    engine.status_code(state, act), engine.is_over(state), engine.record_open(state), engine.record(state)
    code = engine.step_code(state, act, detail)     # `act` must be possible; changes the state in place

`engine.encode(act)` and `engine.decode(code)` translate acts (codes of one action lie together: `engine.codes_of`),
`engine.outcome(code, state, detail)` says what a step code means, `engine.position(state)` makes a position.
A buffer is never resized; `engine.copy_state(state, other)` copies one. All of it runs in CPython and natively.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise

from svod.engine.backend import Backend, Buffer, Compiler, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.layout import CLASH, HOLE, Detail, FrameState, StepCode
from svod.engine.options import Options
from svod.engine.prepare import switches_in_force
from svod.engine.program import ENTRY_POINTS, Program, Role
from svod.engine.states import States
from svod.engine.world import world_of
from svod.norms import ir
from svod.norms.trace import (
    Act,
    Clash,
    Decision,
    Hole,
    Limit,
    Next,
    Position,
    Race,
    Status,
    StepOutcome,
)

MODULUS = 2147483647
MULTIPLIER = 48271


class Engine:
    """One rulebook at fixed parameters and switches, played by its generated program."""

    def __init__(
        self, norms: ir.Norms, program: Program, backend: Backend, *, switches: Iterable[str] | None = None
    ) -> None:
        chosen = switches_in_force(norms, Options()) if switches is None else frozenset(switches)
        if not program.free_switches and tuple(sorted(chosen)) != program.switches:
            raise ValueError("the program was made for other switches")
        self.norms = norms
        self.program = program
        self.backend = backend
        self.switches = chosen
        layout = program.layout
        self.layout = layout
        self._actions = {a.name: a for a in norms.actions}
        self._sizes = {a.name: tuple(len(norms.sort(p.sort).values) for p in a.parameters) for a in norms.actions}
        self._offsets = dict(layout.action_offsets)
        self._names = [name for name, _ in layout.action_offsets]
        self._starts = [start for _, start in layout.action_offsets]
        self._clauses = {c.head.id: c for c in norms.clauses}
        self._terms = {t.term: t for t in program.terms}
        self._begin: Callable[..., int] | None = None
        with suppress(KeyError):
            self._begin = backend.function("begin")
        self._states = States(norms, layout, backend, chosen)
        self._lawful, self._possible = backend.function("lawful"), backend.function("possible")
        self._played, self._doable = backend.function("played"), backend.function("doable")
        self._status, self._step, self._over = (backend.function(name) for name in ("status", "step", "over"))
        self._detail: Buffer = self.new_detail()
        self._codes: Buffer = self.new_codes()
        self._reasons: Buffer = backend.buffer(4 * len(norms.clauses) + 64)
        invariants = [c for c in norms.clauses if isinstance(c, ir.Invariant)]
        world = world_of(norms, chosen)
        self._remembering = frozenset(
            c.head.id for c in invariants if "before" in world.reads(world.fires(c.head.id)) | world.reads(c.holds)
        )

    @classmethod
    def of(
        cls,
        norms: ir.Norms,
        switches: Iterable[str] | None = None,
        *,
        compiler: Compiler = in_python,
        fold: bool = False,
        breaches: bool = True,
    ) -> Engine:
        """An engine on a program of its own; `fold` is for positions that come from play alone, without `breaches` it
        is for lawful play (see `Options`)."""
        chosen = None if switches is None else frozenset(switches)
        program = program_from_norms(norms, Options(switches=chosen, fold=fold, breaches=breaches))
        entries = [name for name, _ in ENTRY_POINTS] + [t.function for t in program.terms]
        return cls(norms, program, compiler(program.source, entries), switches=chosen)

    # ------------------------------------------------------------------------------------------------- codes

    def encode(self, act: Act) -> int:
        """The code of an act."""
        code = 0
        for value, size in zip(act.arguments, self._sizes[act.action], strict=True):
            if not 0 <= value < size:
                raise ValueError(f"no such act: {act}")
            code = code * size + value
        return self._offsets[act.action] + code

    def decode(self, code: int) -> Act:
        """The act of a code."""
        if not 0 <= code < self.layout.act_count:
            raise ValueError(f"no such code: {code}")
        place = bisect_right(self._starts, code) - 1
        name, rest = self._names[place], code - self._starts[place]
        values: list[int] = []
        for size in reversed(self._sizes[name]):
            rest, value = divmod(rest, size)
            values.append(value)
        return Act(name, tuple(reversed(values)))

    # --------------------------------------------------------------------------------------------- positions

    def pack_position(self, position: Position) -> Buffer:
        """The state vector of a position; ValueError if the program has folded away what it needs."""
        state = self._states.pack(position)
        self.backend.call("refresh", state)
        return state

    def position(self, state: Buffer) -> Position:
        """The position of a state vector."""
        return self._states.position(state)

    # ------------------------------------------------------------------------------------------ many plays

    def new_state(self) -> Buffer:
        """A state vector for `start`: the switches are set, everything else is 0."""
        return self._states.blank()

    def new_detail(self) -> Buffer:
        """An array for what `start` and `step_code` write down."""
        return self.backend.buffer(self.layout.detail_size)

    def new_codes(self) -> Buffer:
        """An array with room for every act."""
        return self.backend.buffer(max(1, self.layout.act_count))

    def copy_state(self, state: Buffer, other: Buffer) -> None:
        """Make `other` the same state."""
        self.backend.copy(state, other)

    def codes_of(self, action: str) -> range:
        """The codes of the acts of one kind."""
        first, count = self._offsets[action], 1
        for size in self._sizes[action]:
            count *= size
        return range(first, first + count)

    def list_lawful(self, state: Buffer, codes: Buffer) -> int:
        """Number of lawful acts; their codes come first in `codes`, ascending."""
        return self._lawful(state, codes)

    def list_possible(self, state: Buffer, codes: Buffer) -> int:
        """As `list_lawful`, for everything that can be done."""
        return self._possible(state, codes)

    def list_played(self, state: Buffer, codes: Buffer) -> int:
        """As `list_lawful`, without speech that nobody owes (`norms.play_acts`)."""
        return self._played(state, codes)

    def list_doable(self, state: Buffer, codes: Buffer) -> int:
        """As `list_possible`, without speech."""
        return self._doable(state, codes)

    def status_code(self, state: Buffer, act: int) -> int:
        """The `Status` of an act as a number."""
        return self._status(state, act)

    def step_code(self, state: Buffer, act: int, detail: Buffer) -> int:
        """Do a possible act; a StepCode. The state is spoilt unless it is `NEXT`."""
        return self._step(state, act, detail)

    def is_over(self, state: Buffer) -> bool:
        """Whether the play has ended."""
        return self._over(state) != 0

    def record_open(self, state: Buffer) -> bool:
        """Whether some breach is open (at rest)."""
        return self.layout.frame is not None and state[self.layout.frame.open] != FrameState.NONE

    def record(self, state: Buffer) -> tuple[tuple[int, int], ...]:
        """The open breaches: who, and which value of the catalogue's sort."""
        catalogue = self.norms.catalogue
        if catalogue is None or not self.record_open(state):
            return ()
        return tuple(
            (index[0], index[1])
            for (name, index), slot in self.layout.registers
            if name == catalogue.record and state[slot]
        )

    # ------------------------------------------------------------------------------------------------- acts

    def _listed(self, entry: str, position: Position) -> tuple[Act, ...]:
        count = self.backend.call(entry, self.pack_position(position), self._codes)
        return tuple(self.decode(self._codes[i]) for i in range(count))

    def acts(self, position: Position) -> tuple[Act, ...]:
        """The lawful acts in canonical order."""
        return self._listed("lawful", position)

    def contested(self, position: Position) -> tuple[Act, ...]:
        """The acts to which somebody has a right and which are forbidden."""
        return self._listed("contested", position)

    def possible_acts(self, position: Position) -> tuple[Act, ...]:
        """The acts that can be done, lawful or not."""
        return self._listed("possible", position)

    def status(self, position: Position, act: Act) -> Status:
        """What the norms say of an act."""
        return Status(self.backend.call("status", self.pack_position(position), self.encode(act)))

    def decide(self, position: Position, act: Act) -> Decision:
        """The status of an act and the clauses that give it."""
        state, code = self.pack_position(position), self.encode(act)
        status = Status(self.backend.call("status", state, code))
        if status is Status.IMPOSSIBLE:
            return Decision(status)
        count = self.backend.call("why", state, code, self._reasons)
        told = [(Role(self._reasons[i]), self.program.clauses[self._reasons[i + 1]]) for i in range(0, count, 2)]

        def named(role: Role) -> tuple[str, ...]:
            return tuple(dict.fromkeys(clause for r, clause in told if r is role))

        pairs = [(one[1], two[1]) for one, two in pairwise(told) if one[0] is Role.EXCEPTED]
        return Decision(
            status,
            named(Role.PERMITS),
            named(Role.FORBIDS),
            named(Role.BLOCKS),
            tuple(dict.fromkeys(pairs)),
            named(Role.FAILED),
        )

    def over(self, position: Position) -> bool:
        """Whether the play has ended."""
        return self.backend.call("over", self.pack_position(position)) != 0

    def term(self, position: Position, name: str, arguments: tuple[int, ...] = ()) -> int | Hole | Clash | None:
        """The value of a term («нет» is None), or its hole or clash."""
        value = self.backend.call(self._terms[name].function, self.pack_position(position), *arguments)
        if value == HOLE:
            return Hole(name, arguments, self._rules_of(name), ())
        if value == CLASH:
            return Clash(name, arguments, self._clauses_of(name), ())
        kind = next(t.type for t in self.norms.terms if t.name == name)
        optional = isinstance(kind, ir.Member | ir.Whole) and kind.optional
        return None if optional and value < 0 else value

    def violated(self, position: Position, before: Position | None) -> tuple[str, ...]:
        """Ids of the invariants that do not hold; those that speak of steps hold at the start of a play."""
        state = self.pack_position(position)
        earlier = state if before is None else self.pack_position(before)
        count = self.backend.call("invariants", state, earlier, self._reasons)
        found = [self.program.clauses[self._reasons[i]] for i in range(count)]
        return tuple(f for f in found if before is not None or f not in self._remembering)

    # ------------------------------------------------------------------------------------------------- steps

    def initial(self) -> StepOutcome:
        """The start of a play, settled."""
        state = self.new_state()
        return self.outcome(self.start(state, self._detail), state, self._detail)

    def start(self, state: Buffer, detail: Buffer) -> int:
        """Put the start of a play into a state vector; a step code.

        A program with searches can begin with the cards of `norms.deck` even if it was made for a larger deck.
        """
        if self._begin is not None and self.norms.deck:
            return self._begin(state, detail, sum(1 << card for card in self.norms.deck))
        return self.backend.call("init", state, detail)

    def step(self, position: Position, act: Act) -> StepOutcome:
        """What follows from an act, lawful or not; ValueError if it is not possible."""
        state, code = self.pack_position(position), self.encode(act)
        if self.backend.call("status", state, code) == Status.IMPOSSIBLE:
            raise ValueError(f"not possible: {act}")
        return self.outcome(self.backend.call("step", state, code, self._detail), state, self._detail)

    def outcome(self, code: int, state: Buffer, detail: Buffer) -> StepOutcome:
        """What a step code means, given what `init` or `step` wrote."""
        base = self.layout.detail
        program = self.program

        def at(offset: int) -> int:
            return detail[base + offset]

        fired = tuple(program.clauses[at(Detail.FIRED + i)] for i in range(at(Detail.FIRED_COUNT)))
        if code == StepCode.NEXT:
            soft = [program.places[at(Detail.SOFT + i)] for i in range(at(Detail.SOFT_COUNT))]
            told = tuple(dict.fromkeys(f"термин:{p}" if p in self._terms else p for p in soft))
            return Next(self.position(state), fired, told)
        named = tuple(program.clauses[i] for i in (at(Detail.FIRST), at(Detail.SECOND)) if i >= 0)
        place = program.places[at(Detail.PLACE)]
        arguments = tuple(at(Detail.ARGUMENTS + i) for i in range(at(Detail.ARGUMENT_COUNT)))
        match StepCode(code):
            case StepCode.HOLE:
                return Hole(place, arguments, self._rules_of(place), fired)
            case StepCode.CLASH:
                return Clash(place, arguments, named, fired)
            case StepCode.RACE:
                return Race(place, self._in_order(named), fired)
            case _:
                return Limit(place, named, fired)

    def _in_order(self, clauses: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(c for c in self.program.clauses if c in clauses)

    def _rules_of(self, place: str) -> tuple[str, ...]:
        if place in self._clauses:
            return (self._clauses[place].head.rule,)
        rules = [c.head.rule for c in self.norms.clauses if isinstance(c, ir.TermClause) and c.term == place]
        return tuple(dict.fromkeys(rules)) or tuple(t.rule for t in self.norms.terms if t.name == place)

    def _clauses_of(self, term: str) -> tuple[str, ...]:
        return tuple(c.head.id for c in self.norms.clauses if isinstance(c, ir.TermClause) and c.term == term)

    # ----------------------------------------------------------------------------------------------- playouts

    def playout(self, seed: int, cap: int) -> tuple[tuple[Act, ...], StepOutcome]:
        """One play by lot, of at most `cap` acts, and what its last step gave."""
        state, detail, codes = self.new_state(), self._detail, self._codes
        lawful, group, step = self._lawful, self.backend.function("group"), self._step
        lot = seed % MODULUS or 1
        code = self.start(state, detail)
        acts: list[Act] = []
        while code == StepCode.NEXT and len(acts) < cap:
            count = lawful(state, codes)
            if count == 0:
                break
            found: dict[int, list[int]] = {}
            for i in range(count):
                found.setdefault(group(codes[i]), []).append(codes[i])
            groups = list(found.values())
            lot = lot * MULTIPLIER % MODULUS
            chosen = groups[lot % len(groups)]
            act = chosen[0]
            if len(chosen) > 1:
                lot = lot * MULTIPLIER % MODULUS
                act = chosen[lot % len(chosen)]
            acts.append(self.decode(act))
            code = step(state, act, detail)
        return tuple(acts), self.outcome(code, state, detail)
