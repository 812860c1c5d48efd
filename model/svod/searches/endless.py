"""In: trails to positions where a window is open or a duty cannot be met. Out: those in which it stays so for ever,
whatever is lawfully done."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from svod.diagnostics import Code, Severity, Text
from svod.engine.play import Engine
from svod.findings import Family
from svod.norms import ir
from svod.norms.trace import Next, Position
from svod.searches.aftermath import CANNOT_BE_MET, Aftermath, Trouble
from svod.searches.plays import rules_of
from svod.searches.stops import Stop
from svod.searches.tables import Debt, Table, Trail, decisions, lawful

STAYS_OPEN = Code(
    "F207",
    Text("окно остаётся открытым", "a window that stays open"),
    Text(
        "Окно открыто, и от этого положения до конца партии ничто законное его не закроет. Скажите, чем оно кончается "
        "в таком случае.",
        "The window is open, and from this position to the end of the play nothing lawful closes it. Say how it ends "
        "in such a case.",
    ),
    Severity.WARNING,
)
WALKS = 10
WALK_MAX = 150
POSITIONS_MAX = 800


def follow_to_the_end(found: Aftermath, seed: int, tick: Callable[[], None]) -> None:
    """Add what lasts for ever to the troubles."""
    for name, open_windows in found.open_windows.items():
        for trail, cell in open_windows:
            tick()
            if lasts(trail, lambda position, cell=cell: dict(position.registers)[cell] == 1, seed):  # type: ignore[misc]
                found.note(Trouble(_open(found.table, name), trail))
                break
    for owed in found.owed.values():
        for trail, debt, seat in owed:
            tick()
            if lasts(trail, _unfulfilled(found.table, trail.engine, debt, seat), seed):
                found.note(Trouble(_never_met(found.table, trail, debt, seat), trail))
                break


def lasts(trail: Trail, holds: Callable[[Position], bool], seed: int) -> bool:
    """Whether `holds` is true in every position that lawful acts lead to; only if there are few enough to see all."""
    engine = trail.engine
    if not _lasts_in_walks(trail, holds, random.Random(seed)):
        return False
    seen = {trail.position}
    waiting = [trail.position]
    while waiting:
        for after in _after(engine, waiting.pop()):
            if after not in seen:
                if not holds(after) or len(seen) >= POSITIONS_MAX:
                    return False
                seen.add(after)
                waiting.append(after)
    return len(seen) > 1


def _lasts_in_walks(trail: Trail, holds: Callable[[Position], bool], lot: random.Random) -> bool:
    """A quick look: most things end soon."""
    engine = trail.engine
    for _ in range(WALKS):
        position = trail.position
        for _ in range(WALK_MAX):
            acts = [] if engine.over(position) else engine.acts(position)
            if not acts:
                break
            outcome = engine.step(position, acts[lot.randrange(len(acts))])
            if not isinstance(outcome, Next):
                break
            position = outcome.position
            if not holds(position):
                return False
    return True


def _after(engine: Engine, position: Position) -> Iterator[Position]:
    if engine.over(position):
        return
    for act in engine.acts(position):
        outcome = engine.step(position, act)
        if isinstance(outcome, Next):
            yield outcome.position


def _unfulfilled(table: Table, engine: Engine, debt: Debt, seat: int | None) -> Callable[[Position], bool]:
    def holds(position: Position) -> bool:
        if (debt, seat) not in table.pending(engine, position):
            return False
        acts = lawful(decisions(engine, position))
        return not any(debt.duty.head.id in decision.permitted_by for _, decision in acts)

    return holds


def _open(table: Table, window: str) -> Stop:
    norms = table.norms
    register = next(register for register in norms.registers if register.name == window)
    opening = [
        clause.head.id
        for clause in norms.clauses
        if isinstance(clause, ir.Trigger)
        and any(isinstance(effect, ir.Assign) and effect.register == window for effect in clause.effects)
    ]
    rules = tuple(dict.fromkeys((*rules_of(norms, opening), register.rule)))
    title = Text(f"окно «{window}» открыто, и закрыть его нечем", f"the window “{window}” is open for good")
    return Stop(STAYS_OPEN, Family.GAP, rules, title, STAYS_OPEN.severity)


def _never_met(table: Table, trail: Trail, debt: Debt, seat: int | None) -> Stop:
    norms = table.norms
    told = decisions(trail.engine, trail.position)
    against = {
        clause
        for _, decision in told
        if debt.duty.head.id in decision.permitted_by
        for clause in (*decision.forbidden_by, *decision.blocked_by)
    }
    named = [clause.head.id for clause in norms.clauses if clause.head.id in against]
    who = "" if seat is None else norms.sort(norms.seats).values[seat]
    title = Text(
        f"{who} должен «{debt.duty.action}», и до конца партии это не станет законным".strip(),
        f"{who} owes “{debt.duty.action}”, and it never becomes lawful".strip(),
    )
    return Stop(CANNOT_BE_MET, Family.GAP, rules_of(norms, (debt.duty.head.id, *named)), title)
