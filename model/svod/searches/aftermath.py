"""In: chances to depart from play. Out: what people may say, owe and suffer afterwards, and what goes wrong in it.

From every departure the acts that are no turn come first, breadth first: claims, answers, votes, payments. Of acts
about which the norms say the same, and from which the same follows, one or two stand for all.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from svod.diagnostics import Code, Text
from svod.findings import Family
from svod.norms import ir
from svod.norms.trace import Act, Decision, Next, Position, Status
from svod.searches.plays import Replay, rules_of
from svod.searches.stops import Stop, contested_stop, dead_end, soft_stop, stop_of
from svod.searches.survey import Chance, Departure
from svod.searches.tables import Debt, Table, Trail, decisions, lawful, punishing

PENALTY_DEAD_END = Code(
    "F209",
    Text("штраф ведёт в тупик", "a penalty that leads to a dead end"),
    Text(
        "Нарушение замечено и наказано, а потом никто не может законно ни сходить, ни заплатить, ни довести спор до "
        "конца, хотя партия не окончена. Скажите, как игра продолжается после штрафа.",
        "A breach is noticed and punished, and then nobody can lawfully move, pay or bring the dispute to an end, "
        "though the play is not over. Say how play goes on after the penalty.",
    ),
)
CANNOT_BE_MET = Code(
    "F208",
    Text("обязанность нельзя исполнить", "an obligation that cannot be met"),
    Text(
        "Игрок обязан это сделать, а сделать законно не может: действие запрещено, ждёт другого или невозможно, и "
        "ничто законное долг не снимает.",
        "A player must do this and cannot do it lawfully: the act is forbidden, barred or impossible, and nothing "
        "lawful ends the obligation.",
    ),
)
KEPT = 3
"""Positions of one kind that are followed to the end."""
TWINS = 2
"""Of acts that the norms treat alike, so many are made."""
DEPTH = 9


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something wrong at the end of a trail; `act` is the act concerned where it is not made."""

    stop: Stop
    trail: Trail
    failing: Act | None = None  # the last act, whose step gave no position

    @property
    def acts(self) -> tuple[Act, ...]:
        """The whole play."""
        return self.trail.acts if self.failing is None else (*self.trail.acts, self.failing)


@dataclass
class Aftermath:
    """What was found, the shortest play of each kind. `open_windows`, `owed`: trails to positions where a window is
    open or a duty is pending that nothing lawful fulfils, to be followed to the end."""

    table: Table
    troubles: dict[tuple[str, tuple[str, ...]], Trouble] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    samples: list[Trail] = field(default_factory=list)
    open_windows: dict[str, list[tuple[Trail, tuple[str, tuple[int, ...]]]]] = field(default_factory=dict)
    owed: dict[str, list[tuple[Trail, Debt, int | None]]] = field(default_factory=dict)
    positions: int = 0

    def note(self, trouble: Trouble) -> None:
        """Keep it if it is new or its play is shorter."""
        key = (trouble.stop.code.name, trouble.stop.rules)
        known = self.troubles.get(key)
        if known is None or len(trouble.acts) < len(known.acts):
            self.troubles[key] = trouble


def follow(table: Table, met: Iterable[tuple[Departure, Chance]], most: int, tick: Callable[[], None]) -> Aftermath:
    """Explore up to `most` positions after the departures, short trails first."""
    return _Walk(table, most, tick).run(met)


class _Walk:
    def __init__(self, table: Table, most: int, tick: Callable[[], None]) -> None:
        self.table = table
        self.most = most
        self.tick = tick
        self.found = Aftermath(table)
        self.punishing = punishing(table.norms)
        self.windows = {register.name for register in table.norms.registers if register.window}
        self.waiting: list[tuple[int, int, Trail]] = []
        self.seen: set[tuple[int, Position]] = set()
        self.number = 0
        self.contested: set[tuple[str, Decision]] = set()
        self.soft: dict[str, int] = {}

    def run(self, met: Iterable[tuple[Departure, Chance]]) -> Aftermath:
        for _, chance in met:
            self.step(chance.trail, chance.act, 0)
        while self.waiting and self.found.positions < self.most:
            depth, _, trail = heapq.heappop(self.waiting)
            if self.found.positions % 32 == 0:
                self.tick()
            self.visit(trail, depth)
        return self.found

    def step(self, trail: Trail, act: Act, depth: int) -> tuple[str, ...] | None:
        """Make the act; what fired, None if no position followed."""
        outcome = trail.engine.step(trail.position, act)
        self.found.fired.update(outcome.fired)
        if not isinstance(outcome, Next):
            stop = stop_of(trail.engine, Replay((trail.position,), (), outcome))
            if stop is not None:
                self.found.note(Trouble(stop, trail, act))
            return None
        after = trail.after(act, outcome, self.punishing)
        for place in outcome.soft:
            if len(after.acts) < self.soft.get(place, 1 << 30):
                self.soft[place] = len(after.acts)
                self.found.note(Trouble(soft_stop(trail.engine, outcome.position, place), after))
        key = (id(trail.engine), outcome.position)
        if key not in self.seen:
            self.seen.add(key)
            self.number += 1
            heapq.heappush(self.waiting, (depth + 1, self.number, after))
        return outcome.fired

    def visit(self, trail: Trail, depth: int) -> None:
        """Look at a position, then go on from it."""
        self.found.positions += 1
        if self.found.positions % 10 == 1:
            self.found.samples.append(trail)
        engine, position = trail.engine, trail.position
        if engine.over(position):
            return
        told = decisions(engine, position)
        groups: dict[tuple[str, Decision], list[Act]] = {}
        for act, decision in told:
            groups.setdefault((act.action, decision), []).append(act)
        for key, acts in groups.items():
            decision = key[1]
            self.found.fired.update((*decision.permitted_by, *decision.forbidden_by, *decision.blocked_by))
            if decision.status is Status.CONTESTED and key not in self.contested:
                self.contested.add(key)
                self.found.note(Trouble(contested_stop(engine, position, acts[0]), trail))
        progress = [act for act, decision in lawful(told) if self.table.is_play(act, decision)]
        if not progress and self.table.leads_nowhere(trail, _anything):
            self.found.note(Trouble(self.dead_end(trail, told), trail))
        else:
            self.duties(trail, told)
        self.note_windows(trail)
        if depth < DEPTH:
            self.go_on(trail, groups, depth)

    def go_on(self, trail: Trail, groups: dict[tuple[str, Decision], list[Act]], depth: int) -> None:
        """Talk and what is owed first; a turn only stands for how play goes on."""
        for (_, decision), acts in groups.items():
            if decision.status is not Status.LAWFUL:
                continue
            turn = self.table.is_play(acts[0], decision) and not self.table.is_owed(decision)
            kinds: set[tuple[str, ...] | None] = set()
            for act in (acts[0], acts[-1], *acts[1:-1])[: 1 if turn else 2 * TWINS]:
                fired = self.step(trail, act, depth + (4 if turn else 0))
                kinds.add(fired)
                if len(kinds) >= TWINS:
                    break

    def dead_end(self, trail: Trail, told: list[tuple[Act, Decision]]) -> Stop:
        """The rules that bar what could be done; after a punishment it is the penalty that leads here."""
        cards = [(act, d) for act, d in told if self.table.actions[act.action].turn or self.table.is_owed(d)]
        stop = dead_end(trail.engine, trail.position, Replay((trail.position,), (), Next(trail.position, ())), cards)
        stop = stop if stop.rules else replace(stop, rules=last_rules(self.table, trail))
        if not trail.punished:
            return stop
        title = Text("после наказания никому нечего законно сделать", "after a punishment nobody has a lawful act")
        return Stop(PENALTY_DEAD_END, Family.GAP, stop.rules, title)

    # ---------------------------------------------------------------------------------------------- duties

    def duties(self, trail: Trail, told: list[tuple[Act, Decision]]) -> None:
        """Duties that nothing lawful fulfils here: a finding if they are due at once, nothing else is owed, and talk
        does not help."""
        owed = [(act, decision) for act, decision in lawful(told) if self.table.is_owed(decision)]
        for debt, seat in self.table.pending(trail.engine, trail.position):
            if any(fulfils(self.table, debt, seat, act, decision) for act, decision in owed):
                continue
            known = self.found.owed.setdefault(debt.term, [])
            if debt.duty.deadline is not ir.Deadline.NOW or owed:
                known.extend([(trail, debt, seat)] if len(known) < KEPT else [])
            elif self.table.leads_nowhere(trail, lambda act, decision: self.table.is_owed(decision)):
                self.found.note(Trouble(unmet(self.table, debt, seat, told), trail))

    def note_windows(self, trail: Trail) -> None:
        for cell, value in trail.position.registers:
            if value and cell[0] in self.windows:
                known = self.found.open_windows.setdefault(cell[0], [])
                if len(known) < KEPT:
                    known.append((trail, cell))


def _anything(act: Act, decision: Decision) -> bool:
    """Any act of play is a way on."""
    return True


def fulfils(table: Table, debt: Debt, seat: int | None, act: Act, decision: Decision) -> bool:
    actor = table.actions[act.action].actor
    own = seat is None or actor is None or act.arguments[actor] == seat
    return own and debt.duty.head.id in decision.permitted_by


def unmet(table: Table, debt: Debt, seat: int | None, told: list[tuple[Act, Decision]]) -> Stop:
    """The obligation, and the rules that keep it from being met."""
    norms = table.norms
    duty = debt.duty
    against = [
        clause
        for act, decision in told
        if fulfils(table, debt, seat, act, decision)
        for clause in (*decision.forbidden_by, *decision.blocked_by)
    ]
    known = set(against)
    rules = rules_of(norms, (duty.head.id, *(c.head.id for c in norms.clauses if c.head.id in known)))
    who = "" if seat is None else norms.sort(norms.seats).values[seat]
    title = Text(
        f"{who} обязан «{duty.action}», а законно сделать это нельзя".strip(),
        f"{who} must do “{duty.action}” and cannot do it lawfully".strip(),
    )
    return Stop(CANNOT_BE_MET, Family.GAP, rules, title)


def last_rules(table: Table, trail: Trail) -> tuple[str, ...]:
    """The item of the last act, where nothing else can be named."""
    return (table.actions[trail.acts[-1].action].rule,) if trail.acts else ()
