"""In: something that plays norms. Out: what a table needs of it: whose acts, what chance decides, how a game ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from svod.diagnostics import Text
from svod.engine.play import Engine
from svod.naive.exploring import Lot, draw
from svod.norms import ir
from svod.norms.trace import Clash, Hole, Limit, Next, Position, Race
from svod.searches.plays import rules_of

Stop: TypeAlias = Hole | Clash | Race | Limit

STOP_KINDS: dict[type[Stop], Text] = {
    Hole: Text("правила молчат", "the rules are silent"),
    Clash: Text("правила спорят", "the rules disagree"),
    Race: Text("порядок не назван", "no order is stated"),
    Limit: Text("превышен объявленный предел", "a declared bound was exceeded"),
}


def stop_rules(norms: ir.Norms, stop: Stop) -> tuple[str, ...]:
    """The rules that a stopped game is about."""
    match stop:
        case Hole(rules=rules):
            return rules
        case Clash(clauses=clauses) | Race(clauses=clauses) | Limit(clauses=clauses):
            return rules_of(norms, clauses)


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
    outcomes: tuple[tuple[str, tuple[int | None, ...]], ...] = ()
    soft: int = 0


KIND_OF_STOP: dict[type[Stop], str] = {Hole: "hole", Clash: "clash", Race: "race", Limit: "limit"}


def outcomes_at(norms: ir.Norms, referee: Engine, position: Position) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
    """Each declared outcome: its values, one for each seat where it has a seat for a parameter."""
    found = []
    for outcome in norms.outcomes:
        term = next(each for each in norms.terms if each.name == outcome.term)
        tuples = [(seat,) for seat in range(norms.player_count)] if term.parameters else [()]
        values = [referee.term(position, outcome.term, arguments) for arguments in tuples]
        found.append((outcome.term, tuple(value if isinstance(value, int) else None for value in values)))
    return tuple(found)


def random_game(norms: ir.Norms, referee: Engine, seed: int, cap: int) -> Result:
    """One random lawful game from the start of a play."""
    lot = Lot(seed)
    outcome = referee.initial()
    soft = 0
    for moves in range(cap + 1):
        if not isinstance(outcome, Next):
            return _stopped(norms, outcome, moves, soft)
        soft += len(outcome.soft)
        position = outcome.position
        if referee.over(position):
            return Result("over", moves, outcomes=outcomes_at(norms, referee, position), soft=soft)
        acts = referee.acts(position)
        if not acts:
            contested = referee.contested(position)
            kind = "contradiction" if contested else "dead end"
            clashing = referee.decide(position, contested[0]) if contested else None
            rules = rules_of(norms, clashing.permitted_by + clashing.forbidden_by) if clashing else ()
            return Result(kind, moves, rules=rules, soft=soft)
        if moves == cap:
            break
        outcome = referee.step(position, draw(norms, acts, lot))
    return Result("cap", cap, soft=soft)


def _stopped(norms: ir.Norms, stop: Stop, moves: int, soft: int) -> Result:
    return Result(KIND_OF_STOP[type(stop)], moves, stop_place(stop), stop_rules(norms, stop), soft=soft)
