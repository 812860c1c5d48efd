"""In: norms and switches. Out: games by lot on the engine, lawful or careless: how each ended, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from svod.diagnostics import InternalError, Text
from svod.engine.backend import Compiler
from svod.engine.from_norms import program_from_norms
from svod.engine.layout import StepCode
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.search_careless_play import CarelessCounts, CarelessGames, Rates
from svod.engine.search_play import GameRecord, Games
from svod.engine.search_source import search_program
from svod.engine.search_table import FoundKind
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Limit, Next, Position, Race
from svod.norms.watching import watched
from svod.searches.plays import rules_of

Stop: TypeAlias = Hole | Clash | Race | Limit
Outcomes: TypeAlias = tuple[tuple[str, tuple[int | None, ...]], ...]

STOP_KINDS: dict[type[Stop], Text] = {
    Hole: Text("правила молчат", "the rules are silent"),
    Clash: Text("правила спорят", "the rules disagree"),
    Race: Text("порядок не назван", "no order is stated"),
    Limit: Text("превышен объявленный предел", "a declared bound was exceeded"),
}
LOOP = 8
KIND_OF_STOP: dict[type[Stop], str] = {Hole: "hole", Clash: "clash", Race: "race", Limit: "limit"}


def stop_rules(norms: ir.Norms, stop: Stop) -> tuple[str, ...]:
    """The rules that a stopped game is about."""
    match stop:
        case Hole(rules=rules):
            return rules
        case Clash(clauses=clauses) | Race(clauses=clauses):
            return rules_of(norms, clauses)
        case Limit(clauses=clauses, fired=fired):  # where waves do not end, what fired last goes round
            return rules_of(norms, clauses or fired[-LOOP:])


def stop_place(stop: Stop) -> str:
    """The slot, register, zone or bound where it stopped."""
    return stop.what if isinstance(stop, Limit) else stop.place


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: `kind` is «over», «dead end», «contradiction», «cap», or a stop of the rules with its rules."""

    kind: str
    moves: int
    place: str = ""
    rules: tuple[str, ...] = ()
    outcomes: Outcomes = ()
    soft: int = 0


def outcomes_at(norms: ir.Norms, engine: Engine, position: Position) -> Outcomes:
    """Each declared outcome: its values, one for each seat where it has a seat for a parameter."""
    found = []
    for outcome in norms.outcomes:
        term = next(each for each in norms.terms if each.name == outcome.term)
        tuples = [(seat,) for seat in range(norms.player_count)] if term.parameters else [()]
        values = [engine.term(position, outcome.term, arguments) for arguments in tuples]
        found.append((outcome.term, tuple(value if isinstance(value, int) else None for value in values)))
    return tuple(found)


def outcome_lines(norms: ir.Norms, outcomes: Outcomes) -> list[str]:
    """One line for each outcome: `name: P1 2, P2 1`."""
    seats = norms.sort(norms.seats).values
    lines = []
    for name, values in outcomes:
        term = next(each for each in norms.terms if each.name == name)
        shown = [value_text(norms, term.type, value) for value in values]
        told = [f"{seat} {value}" for seat, value in zip(seats, shown, strict=True)] if term.parameters else shown
        lines.append(f"{name}: {', '.join(told)}")
    return lines


def value_text(norms: ir.Norms, type_: ir.Type, value: int | None) -> str:
    """A value by its name."""
    if value is None:
        return "—"
    return norms.sort(type_.sort).values[value] if isinstance(type_, ir.Member) else str(value)


class Table:
    """Plays games by lot, each from its own seed; the same games on every backend."""

    def __init__(self, norms: ir.Norms, engine: Engine) -> None:
        self.norms = norms
        self.engine = engine
        self.acts: tuple[Act, ...] = ()
        """The acts of the last game."""

    @property
    def machine(self) -> str:
        """What runs the games."""
        return self.engine.backend.description

    def record(self, seed: int) -> GameRecord:
        """Play the game of this seed."""
        raise NotImplementedError

    def vector(self) -> list[int]:
        """The state in which the last game ended."""
        raise NotImplementedError

    def game(self, seed: int) -> Result:
        """The game of this seed, and how it ended."""
        record = self.record(seed)
        self.acts = tuple(map(self.engine.decode, record.acts))
        moves, soft = len(record.acts), record.soft
        match record.end:
            case FoundKind.OVER:
                position = self.engine.position(self.vector())
                return Result("over", moves, outcomes=outcomes_at(self.norms, self.engine, position), soft=soft)
            case FoundKind.LONG:
                return Result("cap", moves, soft=soft)
            case FoundKind.DEAD_END:
                return Result("dead end", moves, soft=soft)
            case FoundKind.LOST:
                raise InternalError("simulate", f"a card was lost in the game of seed {seed}")
            case FoundKind.CONTESTED_ONLY:
                position = self.engine.position(self.vector())
                decision = self.engine.decide(position, self.engine.contested(position)[0])
                rules = rules_of(self.norms, decision.permitted_by + decision.forbidden_by)
                return Result("contradiction", moves, rules=rules, soft=soft)
            case _:
                stop = self.stop(record)
                # The act that failed has been made, its consequences have not: it counts as a move all the same.
                place, rules = stop_place(stop), stop_rules(self.norms, stop)
                return Result(KIND_OF_STOP[type(stop)], moves, place, rules, soft=soft)

    def stop(self, record: GameRecord) -> Stop:
        """Play the acts again up to where the rules stopped, to hear why."""
        engine = self.engine
        state = engine.backend.buffer(engine.layout.size)
        detail = engine.backend.buffer(engine.layout.detail_size)
        code = engine.start(state, detail)
        for act in record.acts:
            if code != StepCode.NEXT:
                break
            code = engine.backend.call("step", state, act, detail)
        outcome = engine.outcome(code, state, detail)
        if isinstance(outcome, Next):
            raise InternalError("simulate", "a game that stopped goes on when it is played again")
        return outcome


class RandomTable(Table):
    """Random lawful games."""

    def __init__(self, norms: ir.Norms, switches: frozenset[str], compiler: Compiler, cap: int) -> None:
        program = program_from_norms(norms, Options(switches=switches, breaches=False))
        searched = search_program(program, norms)
        backend = compiler(searched.source, searched.entries)
        super().__init__(norms, Engine(norms, program, backend, switches=switches))
        self._games = Games(searched, backend, cap=cap)

    def record(self, seed: int) -> GameRecord:
        return self._games.one(seed)

    def vector(self) -> list[int]:
        return self._games.state()


class CarelessTable(Table):
    """Games of players who break rules, and who notice or do not. `counts` speak of all games so far."""

    def __init__(self, norms: ir.Norms, switches: frozenset[str], compiler: Compiler, rates: Rates, cap: int) -> None:
        whole = watched(norms)
        program = program_from_norms(whole, Options(switches=switches, table=True))
        self.games = CarelessGames(whole, program, compiler, rates, cap=cap)
        super().__init__(norms, Engine(whole, program, self.games.backend, switches=switches))

    def record(self, seed: int) -> GameRecord:
        self.games.play(seed, 1)
        return self.games.last

    def vector(self) -> list[int]:
        return self.games.state()

    @property
    def counts(self) -> CarelessCounts:
        """What was broken, noticed and punished in all games so far."""
        return self.games.counts
