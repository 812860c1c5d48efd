"""In: a table. Out: what careless games at it came upon, deeper in than what is followed systematically: steps that the
rules do not decide, and clauses that bore on something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from svod.engine.play import Engine
from svod.naive.exploring import Lot
from svod.norms.trace import Act, Next, Status
from svod.searches.aftermath import Aftermath, Trouble
from svod.searches.careless_acts import CarelessActs
from svod.searches.hunting import Effort
from svod.searches.plays import Replay
from svod.searches.shortening import shortened
from svod.searches.stops import soft_stop, stop_of
from svod.searches.survey import small_decks
from svod.searches.tables import Trail, decisions, punishing

BREACH_EACH = 8
CAP = 70
LOOK_EACH = 5


def wander(found: Aftermath, switches: frozenset[str], effort: Effort, tick: Callable[[], None]) -> None:
    """Careless games on small decks; what they come upon is added, with a play made shorter."""
    table = found.table
    lot = Lot(effort.seed)
    acts = CarelessActs(table.norms, lot, BREACH_EACH, to_the_point=True)
    count = effort.wandered if table.native else max(1, effort.wandered // effort.slow)
    answers = punishing(table.norms)
    for _, deck in zip(range(count), small_decks(table.play, effort.seed + 1), strict=False):
        tick()
        engine = table.engine(switches, deck)
        outcome = engine.initial()
        trail = Trail(engine, (), outcome.position) if isinstance(outcome, Next) else None
        while trail is not None and len(trail.acts) < CAP and not engine.over(trail.position):
            if len(trail.acts) % LOOK_EACH == 0:
                found.samples.append(trail)
                for _, decision in decisions(engine, trail.position):
                    found.fired.update((*decision.permitted_by, *decision.forbidden_by, *decision.blocked_by))
            act = acts.choose(engine, trail.position)
            if act is None:
                break
            after = engine.step(trail.position, act)
            found.fired.update(after.fired)
            for trouble in _troubles(trail, act):
                _note(found, trouble)
            trail = trail.after(act, after, answers) if isinstance(after, Next) else None


def _troubles(trail: Trail, act: Act) -> list[Trouble]:
    """What the last step of a play shows."""
    outcome = trail.engine.step(trail.position, act)
    if isinstance(outcome, Next):
        after = trail.after(act, outcome, frozenset())
        return [Trouble(soft_stop(trail.engine, outcome.position, place), after) for place in outcome.soft]
    stop = stop_of(trail.engine, Replay((trail.position,), (), outcome))
    return [] if stop is None else [Trouble(stop, trail, act)]


def _note(found: Aftermath, trouble: Trouble) -> None:
    """Keep it if its kind is new, made shorter."""
    key = (trouble.stop.code.name, trouble.stop.rules)
    if key in found.troubles:
        return
    engine = trouble.trail.engine

    def shows(acts: tuple[Act, ...]) -> bool:
        return any((each.stop.code.name, each.stop.rules) == key for each in _shown(engine, acts))

    acts = shortened(trouble.acts, shows)
    best = next(each for each in _shown(engine, acts) if (each.stop.code.name, each.stop.rules) == key)
    found.note(replace(best, trail=replace(best.trail, punished=trouble.trail.punished)))


def _shown(engine: Engine, acts: tuple[Act, ...]) -> list[Trouble]:
    """What a play shows in its last step; nothing if it cannot be played."""
    outcome = engine.initial()
    trail = Trail(engine, (), outcome.position) if isinstance(outcome, Next) else None
    for act in acts[:-1]:
        if trail is None or engine.over(trail.position) or engine.status(trail.position, act) is Status.IMPOSSIBLE:
            return []
        outcome = engine.step(trail.position, act)
        trail = trail.after(act, outcome, frozenset()) if isinstance(outcome, Next) else None
    if trail is None or not acts or engine.over(trail.position):
        return []
    return [] if engine.status(trail.position, acts[-1]) is Status.IMPOSSIBLE else _troubles(trail, acts[-1])
