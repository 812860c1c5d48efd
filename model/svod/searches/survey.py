"""In: lawful games and a table. Out: every kind of act that departs from play (a breach, something said), each with a
shortest play to where it can be done."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from svod.engine.play import Engine
from svod.norms.record import recorded
from svod.norms.trace import Act, Decision, Next, Position, Status
from svod.searches.hunting import Effort, mentioned_in
from svod.searches.stops import clauses_that_speak_of
from svod.searches.tables import Table, Trail, decisions
from svod.searches.world import World, cards_of, mask_of

SIZES = (2, 3, 4, 5, 6, 8)  # numbers of cards on which games are looked at in turn
GAME_CAP = 120  # acts of one game that are looked at


@dataclass(frozen=True, slots=True)
class Departure:
    """A kind of act beside play: `clauses` decide that it is unlawful or may be done, `numbers` (names of values of the
    catalogue) are entered for it."""

    action: str
    status: Status
    clauses: tuple[str, ...]
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Chance:
    """Where such an act can be done: after the trail's acts, from its position."""

    trail: Trail
    act: Act
    outcome: object


@dataclass
class Survey:
    """What was seen. `fired`: ids of clauses that bore on some act; `samples`: some of the positions."""

    table: Table
    met: dict[Departure, Chance] = field(default_factory=dict)
    fired: set[str] = field(default_factory=set)
    samples: list[Trail] = field(default_factory=list)
    positions: int = 0


def survey(table: Table, switches: frozenset[str], effort: Effort, tick: Callable[[], None]) -> Survey:
    """Look at every position of lawful games on small decks."""
    found, play = Survey(table), table.play
    games = play.games(switches, seed=effort.seed, cap=GAME_CAP)
    lot = random.Random(effort.seed)
    seen: set[tuple[int, Position]] = set()
    count = effort.surveyed if table.backend.native else max(1, effort.surveyed // effort.slow)
    engines: dict[int, Engine] = {}
    for number, deck in enumerate(small_decks(play, effort.seed)):
        if found.positions >= count:
            break
        tick()
        engine = engines.setdefault(deck, table.engine(switches, deck))
        codes = games.one(effort.seed + number, deck).acts
        outcome = engine.initial()
        acts: tuple[Act, ...] = ()
        for code in (*codes, None):
            if not isinstance(outcome, Next):
                break
            if (deck, outcome.position) not in seen:
                seen.add((deck, outcome.position))
                _look(found, Trail(engine, acts, outcome.position), lot)
            if code is not None:
                act = engine.decode(code)
                outcome, acts = engine.step(outcome.position, act), (*acts, act)
                found.fired.update(outcome.fired)
    return found


def small_decks(play: World, seed: int) -> Iterator[int]:
    """Masks of decks without end, sizes in turn, cards that the rules name more often; 0 where decks cannot vary."""
    generator = random.Random(seed)
    required, whole = play.required, play.whole_deck
    rest, mentioned = cards_of(whole & ~required), cards_of(mentioned_in(play) & ~required)
    varied = play.norms.check_decks is not None
    number = 0
    while True:
        size = SIZES[number % len(SIZES)]
        drawn = [card for card in mentioned if generator.random() < 0.5]
        more = generator.sample(rest, min(len(rest), size))
        yield required | mask_of((drawn + more)[: max(1, size)]) if varied else 0
        number += 1


def _look(found: Survey, trail: Trail, lot: random.Random) -> None:
    """Note every departure that is possible here."""
    found.positions += 1
    if found.positions % 8 == 1:
        found.samples.append(trail)
    table, engine, position = found.table, trail.engine, trail.position
    if engine.over(position):
        return
    groups: dict[tuple[str, Decision], list[Act]] = {}
    for act, decision in decisions(engine, position):
        groups.setdefault((act.action, decision), []).append(act)
    for (action, decision), acts in groups.items():
        clauses = (*decision.permitted_by, *decision.forbidden_by, *decision.blocked_by)
        found.fired.update(clauses)
        lawful = decision.status is Status.LAWFUL
        if decision.status is Status.CONTESTED or (lawful and table.is_play(acts[0], decision)):
            continue
        act = acts[lot.randrange(len(acts))]
        outcome = engine.step(position, act)
        found.fired.update(outcome.fired)
        decisive = decision.permitted_by if lawful else (*decision.forbidden_by, *decision.blocked_by)
        if not lawful and not decisive:
            decisive = tuple(clauses_that_speak_of(engine, position, act, decision.failed))
        numbers = frozenset(_entered(table, position, outcome)) if isinstance(outcome, Next) else frozenset()
        kind = Departure(action, decision.status, decisive, numbers)
        known = found.met.get(kind)
        if known is None or len(trail.acts) < len(known.trail.acts):
            found.met[kind] = Chance(trail, act, outcome)


def _entered(table: Table, position: Position, outcome: Next) -> Iterator[str]:
    """Numbers that the act added to the record."""
    catalogue = table.norms.catalogue
    if catalogue is not None:
        names = table.norms.sort(catalogue.sort).values
        for _, value in sorted(recorded(table.norms, outcome.position) - recorded(table.norms, position)):
            yield names[value]
