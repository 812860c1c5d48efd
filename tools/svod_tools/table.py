"""In: something that plays norms. Out: what a table needs of it: whose acts, what chance decides, how a game ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.trace import Act, Clash, Decision, Hole, Limit, Next, Position, Race, StepOutcome


class Referee(Protocol):
    """The engine, or whatever else plays the same norms."""

    def initial(self) -> StepOutcome: ...
    def acts(self, position: Position) -> tuple[Act, ...]: ...
    def contested(self, position: Position) -> tuple[Act, ...]: ...
    def decide(self, position: Position, act: Act) -> Decision: ...
    def step(self, position: Position, act: Act) -> StepOutcome: ...
    def over(self, position: Position) -> bool: ...
    def term(self, position: Position, name: str, arguments: tuple[int, ...] = ()) -> int | Hole | Clash | None: ...


Stop: TypeAlias = Hole | Clash | Race | Limit

STOP_KINDS: dict[type[Stop], Text] = {
    Hole: Text("правила молчат", "the rules are silent"),
    Clash: Text("правила спорят", "the rules disagree"),
    Race: Text("порядок не назван", "no order is stated"),
    Limit: Text("превышен объявленный предел", "a declared bound was exceeded"),
}


class Chance:
    """The generator of all random plays: x := x·48271 mod (2³¹ − 1). The same seed gives the same game everywhere."""

    def __init__(self, seed: int) -> None:
        self.state = seed % 2147483646 + 1

    def below(self, count: int) -> int:
        """A number 0..count−1."""
        self.state = self.state * 48271 % 2147483647
        return self.state % count

    def choose(self, norms: ir.Norms, acts: Sequence[Act]) -> Act:
        """An act: evenly a group of those that differ only in what chance picks, then evenly one of the group."""
        groups = grouped(norms, acts)
        group = groups[self.below(len(groups))]
        return group[self.below(len(group))] if len(group) > 1 else group[0]


def action_of(norms: ir.Norms, act: Act) -> ir.Action:
    """The declaration of what is done."""
    return next(action for action in norms.actions if action.name == act.action)


def actor_of(norms: ir.Norms, act: Act) -> int | None:
    """The seat that acts; None for an act of nobody."""
    actor = action_of(norms, act).actor
    return None if actor is None else act.arguments[actor]


def grouped(norms: ir.Norms, acts: Sequence[Act]) -> list[list[Act]]:
    """Acts that differ only in what chance picks stand together, in canonical order."""
    groups: dict[tuple[str, tuple[int, ...]], list[Act]] = {}
    for act in acts:
        action = action_of(norms, act)
        fixed = tuple(value for place, value in enumerate(act.arguments) if place not in action.chance)
        groups.setdefault((act.action, fixed), []).append(act)
    return list(groups.values())


def rules_of(norms: ir.Norms, identifiers: Sequence[str]) -> tuple[str, ...]:
    """Numbers of the rules of these clauses, without repetition."""
    rules = {clause.head.id: clause.head.rule for clause in norms.clauses}
    return tuple(dict.fromkeys(rules.get(each, each) for each in identifiers))


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


def outcomes_at(
    norms: ir.Norms, referee: Referee, position: Position
) -> tuple[tuple[str, tuple[int | None, ...]], ...]:
    """Each declared outcome: its values, one for each seat where it has a seat for a parameter."""
    found = []
    for outcome in norms.outcomes:
        term = next(each for each in norms.terms if each.name == outcome.term)
        tuples = [(seat,) for seat in range(norms.player_count)] if term.parameters else [()]
        values = [referee.term(position, outcome.term, arguments) for arguments in tuples]
        found.append((outcome.term, tuple(value if isinstance(value, int) else None for value in values)))
    return tuple(found)


def random_game(norms: ir.Norms, referee: Referee, seed: int, cap: int) -> Result:
    """One random lawful game from the start of a play."""
    chance = Chance(seed)
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
        outcome = referee.step(position, chance.choose(norms, acts))
    return Result("cap", cap, soft=soft)


def _stopped(norms: ir.Norms, stop: Stop, moves: int, soft: int) -> Result:
    return Result(KIND_OF_STOP[type(stop)], moves, stop_place(stop), stop_rules(norms, stop), soft=soft)
