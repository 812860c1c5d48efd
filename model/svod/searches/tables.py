"""In: lawful play of a rulebook, a compiler. Out: a table at which everything possible may be done, lawful or not, and
what is owed there can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from svod.engine.backend import Backend, Compiler, read
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.program import ENTRY_POINTS, Program
from svod.norms import ir
from svod.norms.fires import clause_table, fires_in
from svod.norms.trace import Act, Decision, Next, Position, Status, StepOutcome
from svod.searches.hunting import somewhere, standing
from svod.searches.world import Opinions, Remembering, World, cards_of

TALK_MAX = 250
"""Positions that lawful talk may lead to before it is left open whether it leads out."""
OWED, MET = "owed:", "met:"  # names that no rulebook can have: they hold a colon


@dataclass(frozen=True, slots=True)
class Debt:
    """A kind of duty and the term that says whether it is pending: for a seat, or (`by_seat` false) at all."""

    duty: ir.Duty
    term: str
    by_seat: bool


def with_questions(norms: ir.Norms) -> tuple[ir.Norms, tuple[Debt, ...]]:
    """The norms with a term for each duty and for each clause of a slot, so that an engine can be asked which are
    pending and which give a value."""
    table = clause_table(norms)
    terms, clauses, debts = list(norms.terms), list(norms.clauses), []

    def ask(name: str, parameters: tuple[ir.Variable, ...], condition: ir.Expression) -> None:
        terms.append(ir.Term(name, parameters, ir.Truth(), None, ir.Combination.UNIQUE, False, ""))
        clauses.append(ir.TermClause(ir.Head(name, "", parameters, ir.Boolean(True)), name, condition))

    for clause in norms.clauses:
        if not isinstance(clause, ir.Duty):
            continue
        name = OWED + clause.head.id
        bearer = clause.bearer if isinstance(clause.bearer, ir.Variable) else None
        own = bearer is not None and bearer in clause.head.variables
        parameters = (bearer,) if own and bearer is not None else ()
        condition = fires_in(table, clause)
        for variable in clause.head.variables:
            if variable not in parameters:
                condition = ir.Exists(variable, condition)
        ask(name, parameters, condition)
        debts.append(Debt(clause, name, own))
    for each in standing(norms):
        ask(MET + each.head.id, (), somewhere(norms, each))
    return replace(norms, terms=tuple(terms), clauses=tuple(clauses)), tuple(debts)


class Table:
    """A rulebook at fixed parameters, all of it: one program, switches left free."""

    def __init__(self, play: World, compiler: Compiler) -> None:
        """`play` is lawful play of the same rulebook: a play of any kind starts like a lawful one."""
        self.play = play
        self.norms, self.debts = with_questions(play.norms)
        self.actions = {action.name: action for action in self.norms.actions}
        self._opinions = Opinions(self.norms)
        self.program: Program = program_from_norms(self.norms, Options(free_switches=True, fold=False))
        entries = [name for name, _ in ENTRY_POINTS] + [term.function for term in self.program.terms]
        self.backend: Backend = compiler(self.program.source, entries)

    @property
    def native(self) -> bool:
        """Whether it runs as machine code."""
        return self.backend.native

    def engine(self, switches: Iterable[str], deck: int = 0) -> Engine:
        """An engine of the table; `deck` restricts the cards in play (0: all)."""
        norms = self.norms if deck == 0 else replace(self.norms, deck=cards_of(deck))
        chosen = frozenset(switches)
        start = self.play.engine(chosen, deck).initial()
        engine = _DeckEngine(norms, self.program, self.backend, chosen, start)
        engine.opinions = self._opinions
        return engine

    def is_play(self, act: Act, decision: Decision) -> bool:
        """Whether a lawful act belongs to play: an act of chance, of a turn class, or one that is owed."""
        action = self.actions[act.action]
        return action.actor is None or action.turn or self.is_owed(decision)

    def is_owed(self, decision: Decision) -> bool:
        """Whether some duty demands the act."""
        return any(clause in self._duties for clause in decision.permitted_by)

    @cached_property
    def _duties(self) -> frozenset[str]:
        return frozenset(debt.duty.head.id for debt in self.debts)

    def met(self, trail: Trail, known: Iterable[str]) -> set[str]:
        """Clauses of slots and endings that fire at the end of the trail, but for those that are known to."""
        left = {clause.head.id for clause in standing(self.play.norms)} - set(known)
        return {name for name in left if trail.engine.term(trail.position, MET + name) == 1}

    def pending(self, engine: Engine, position: Position) -> Iterator[tuple[Debt, int | None]]:
        """Duties that somebody has, with the seat where it is known."""
        for debt in self.debts:
            seats: Iterable[int | None] = range(self.norms.player_count) if debt.by_seat else (None,)
            for seat in seats:
                if engine.term(position, debt.term, () if seat is None else (seat,)) == 1:
                    yield debt, seat

    def leads_nowhere(self, trail: Trail, wanted: Callable[[Act, Decision], bool]) -> bool:
        """Whether nothing that lawfully moves no card, however much of it, leads to a wanted act of play or to the end.
        Not if that is left open: if something on the way is contested, or there is too much that might be said."""
        engine = trail.engine
        seen = {trail.position}
        waiting = [trail.position]
        while waiting:
            position = waiting.pop()
            if engine.over(position) or engine.contested(position):
                return False
            acts = lawful(decisions(engine, position))
            if any(self.is_play(act, decision) and wanted(act, decision) for act, decision in acts):
                return False
            for act, _ in acts:
                outcome = None if self.actions[act.action].body else engine.step(position, act)
                if isinstance(outcome, Next) and outcome.position not in seen:
                    seen.add(outcome.position)
                    waiting.append(outcome.position)
                if len(seen) > TALK_MAX:
                    return False
        return True


class _DeckEngine(Remembering):
    """An engine whose plays may start with a reduced deck."""

    def __init__(
        self, norms: ir.Norms, program: Program, backend: Backend, switches: frozenset[str], begun: StepOutcome
    ) -> None:
        super().__init__(norms, program, backend, switches=switches)
        self._begun = begun
        self._said: dict[tuple[int, ...], Decision] = {}
        self._decoded: dict[int, Act] = {}

    def decisions(self, position: Position) -> list[tuple[Act, Decision]]:
        """As `decide` of each possible act; the same reasons come back again and again."""
        state, codes, reasons = self.pack_position(position), self.new_codes(), self._reasons
        found = []
        for code in read(codes, 0, self.list_possible(state, codes)):
            status = self.status_code(state, code)
            count = self.backend.call("why", state, code, reasons)
            key = (status, *read(reasons, 0, count))
            act = self._decoded.get(code)
            if act is None:
                act = self._decoded[code] = self.decode(code)
            decision = self._said.get(key)
            if decision is None:
                decision = self._said[key] = self.decide(position, act)
            found.append((act, decision))
        return found

    def initial(self) -> StepOutcome:
        return self._begun


@dataclass(frozen=True, slots=True)
class Trail:
    """A play at a table, lawful or not, and where it led. `punished`: somebody has been punished in it."""

    engine: Engine
    acts: tuple[Act, ...]
    position: Position
    punished: bool = False

    def after(self, act: Act, outcome: Next, punishing: frozenset[str]) -> Trail:
        """One act further; `punishing` are the triggers that answer a punishment."""
        punished = self.punished or not punishing.isdisjoint(outcome.fired)
        return Trail(self.engine, (*self.acts, act), outcome.position, punished)


def decisions(engine: Engine, position: Position) -> list[tuple[Act, Decision]]:
    """What the norms say of every possible act."""
    if isinstance(engine, _DeckEngine):
        return engine.decisions(position)
    return [(act, engine.decide(position, act)) for act in engine.possible_acts(position)]


def punishing(norms: ir.Norms) -> frozenset[str]:
    """Triggers that answer a punishment."""
    catalogue = norms.catalogue
    return frozenset(
        clause.head.id
        for clause in norms.clauses
        if catalogue is not None
        and isinstance(clause, ir.Trigger)
        and isinstance(clause.cause, ir.OnEvent)
        and clause.cause.event == catalogue.punished
    )


def lawful(told: Iterable[tuple[Act, Decision]]) -> list[tuple[Act, Decision]]:
    """The lawful ones."""
    return [(act, decision) for act, decision in told if decision.status is Status.LAWFUL]
