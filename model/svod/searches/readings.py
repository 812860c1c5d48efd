"""In: an item with several readings. Out: the shortest play to a position where two of them part, and what each of
them says there."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from svod.diagnostics import Code, Severity, Text
from svod.engine.play import Engine
from svod.findings import Family, Finding, Grade, Scope
from svod.norms import ir
from svod.norms.positions import position_to_json
from svod.norms.trace import Act, Clash, Hole, Limit, Next, Position, Race, StepOutcome
from svod.searches.hunting import Effort, mentioned_cards
from svod.searches.plays import act_text, replay, rules_of
from svod.searches.stops import awaited_seats
from svod.searches.tables import Table
from svod.searches.world import World, cards_of, mask_of, second_opinion

READINGS_DIFFER = Code(
    "F301",
    Text("чтения расходятся", "readings part"),
    Text(
        "Пункт можно прочесть по-разному, и от чтения зависит, что будет дальше: кто ходит, что законно, какой итог. "
        "Показана кратчайшая найденная игра до места, где это видно.",
        "The item can be read in several ways and what happens next depends on it: who moves, what is lawful, "
        "the result. "
        "The shortest play found to a place where it shows is given.",
    ),
    Severity.WARNING,
)


STATES = 600
"""Positions of lawful play that are compared, on all decks together."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The last act (None: the start itself) leads to different things under the two readings."""

    world: World | Table
    deck: int
    acts: tuple[Act, ...]
    says: tuple[tuple[str, Text], ...]  # letter → what comes out under it


def difference(
    world: World,
    base: frozenset[str],
    reading: ir.Reading,
    letters: tuple[str, str],
    effort: Effort,
    tick: Callable[[], None],
) -> Difference | None:
    """Search decks from the smallest on, each breadth first, for a position where the two readings part."""
    sets = [reading.read_as(letter, base) for letter in letters]
    left = STATES if world.native else STATES // effort.slow
    for deck in _decks(world, effort):
        tick()
        engines = [world.engine(switches, deck) for switches in sets]
        acts, looked_at = _first_parting(engines[0], engines[1], states=400 if world.native else 60)
        if acts is not None:
            texts = tuple((letter, says(engine, acts)) for letter, engine in zip(letters, engines, strict=True))
            return Difference(world, deck, acts, texts)
        left -= looked_at
        if left < 0:
            break
    return None


def _decks(world: World, effort: Effort) -> Iterator[int]:
    """All decks of two more cards than required at most, then some larger ones drawn by lot; the whole deck is too
    large."""
    norms = world.norms
    if norms.check_decks is None:
        yield 0
        return
    required = world.required
    rest = cards_of(world.whole_deck & ~required)
    for cards in itertools.chain.from_iterable(itertools.combinations(rest, size) for size in (0, 1)):
        yield required | mask_of(cards)
    generator = random.Random(effort.seed)
    mentioned = cards_of(mentioned_cards(norms) & ~required)
    for number in range(60 if world.native else 8):
        size = 2 + number % 5
        drawn = {card for card in mentioned if generator.random() < 0.6} | set(
            generator.sample(rest, min(size, len(rest)))
        )
        yield required | mask_of(drawn)


def _first_parting(one: Engine, other: Engine, states: int) -> tuple[tuple[Act, ...] | None, int]:
    """Breadth first over positions that both readings reach alike; the acts to the first place where they part, and
    how many positions were looked at."""
    start, twin = one.initial(), other.initial()
    if not alike(start, twin):
        return (), 0
    if not isinstance(start, Next):
        return None, 0
    seen: dict[Position, tuple[Position, Act] | None] = {start.position: None}
    queue = [start.position]
    for position in queue:
        acts = one.acts(position)
        if acts != other.acts(position) or one.over(position) != other.over(position):
            return _path(seen, position), len(seen)
        for act in acts:
            after, after_twin = one.step(position, act), other.step(position, act)
            if not alike(after, after_twin) or _broken(one, after, position) != _broken(other, after_twin, position):
                return (*_path(seen, position), act), len(seen)
            if isinstance(after, Next) and after.position not in seen and len(seen) < states:
                seen[after.position] = (position, act)
                queue.append(after.position)
    return None, len(seen)


def _broken(engine: Engine, outcome: StepOutcome, before: Position) -> frozenset[str]:
    if not isinstance(outcome, Next):
        return frozenset()
    broken = engine.violated(outcome.position, before)
    return frozenset(rules_of(engine.norms, broken)) if broken else frozenset()


def alike(one: StepOutcome, other: StepOutcome) -> bool:
    """Whether two outcomes are the same position; two failures are not."""
    if isinstance(one, Next) and isinstance(other, Next):
        mine, theirs = one.position, other.position
        return (mine.zones, mine.registers, mine.frame) == (theirs.zones, theirs.registers, theirs.frame)
    return type(one) is type(other) and not isinstance(one, Next)


def _path(seen: dict[Position, tuple[Position, Act] | None], position: Position) -> tuple[Act, ...]:
    acts: list[Act] = []
    link = seen[position]
    while link is not None:
        acts.append(link[1])
        link = seen[link[0]]
    return tuple(reversed(acts))


def says(engine: Engine, acts: tuple[Act, ...]) -> Text:
    """What comes out at the end of the play under this engine's switches."""
    outcome = engine.initial()
    before: Position | None = None
    for act in acts:
        if isinstance(outcome, Next):
            before = outcome.position
            outcome = engine.step(before, act)
    match outcome:
        case Hole(place=place):
            return Text(f"нет ответа, чему равно «{place}»", f"no answer to “{place}”")
        case Clash(place=place):
            return Text(f"два ответа на «{place}»", f"two answers to “{place}”")
        case Race(place=place):
            return Text(f"правила спорят о «{place}»", f"rules clash over “{place}”")
        case Limit(what=what):
            return Text(f"предел «{what}»", f"bound “{what}”")
        case Next(position=position):
            return _describe(engine, position, before)


def _describe(engine: Engine, position: Position, before: Position | None) -> Text:
    norms = engine.norms
    broken = rules_of(norms, engine.violated(position, before)) if before is not None else ()
    if broken:
        return Text(f"{', '.join(broken)}: неверно", f"{', '.join(broken)}: false")
    seats = norms.sort(norms.seats).values
    if engine.over(position):
        parts = [text for outcome in norms.outcomes if (text := _result(engine, position, outcome.term))]
        text = "; ".join(parts) or "—"
        return Text(f"партия окончена; {text}", f"the play is over; {text}")
    awaited = sorted(awaited_seats(engine, position))
    names = ", ".join(seats[i] for i in awaited) or "—"
    acts = ", ".join(act_text(norms, act) for act in engine.acts(position)[:6]) or "—"
    return Text(f"очередь: {names}; законно: {acts}", f"to act: {names}; lawful: {acts}")


def _result(engine: Engine, position: Position, name: str) -> str:
    """Values of an outcome, seat by seat where it is one for each."""
    norms = engine.norms
    term = next(term for term in norms.terms if term.name == name)
    if not term.parameters:
        value = engine.term(position, name)
        return f"{name} — {value}" if isinstance(value, int) else ""
    values = [(seat, engine.term(position, name, (i,))) for i, seat in enumerate(norms.sort(norms.seats).values)]
    return f"{name}: " + ", ".join(f"{s} — {v if isinstance(v, int) else '?'}" for s, v in values)


def reading_finding(
    found: Difference, base: frozenset[str], reading: ir.Reading, scope: Scope, seconds: float
) -> Finding:
    """The finding, its play replayed under the first of the two readings."""
    engine = found.world.engine(reading.read_as(found.says[0][0], base), found.deck)
    careless = isinstance(found.world, Table)
    played = replay(engine, found.acts, naive=second_opinion(engine), breaches=careless)
    labels = dict(reading.options)
    ru = "; ".join(f"{letter} «{labels[letter]}» — {text.ru}" for letter, text in found.says)
    en = "; ".join(f"{letter} “{labels[letter]}” — {text.en}" for letter, text in found.says)
    rules = tuple(dict.fromkeys((reading.rule, *(r for move in played.moves[-1:] for r in move.rules))))
    end = played.outcome.position if isinstance(played.outcome, Next) else played.position
    return Finding(
        code=READINGS_DIFFER,
        family=Family.AMBIGUITY,
        grade=Grade.REACHABLE,
        rules=rules,
        title=Text(f"{reading.rule} читается по-разному: {ru}", f"{reading.rule} reads two ways: {en}"),
        verdict=Text(
            f"достижимо: игра от раздачи, ходов: {len(played.moves)}; "
            f"принято чтение {reading.adopted}: {reading.reason}",
            f"reachable: a play from the deal, {len(played.moves)} moves; adopted: {reading.adopted}: {reading.reason}",
        ),
        method="two readings in lockstep, careless games" if careless else "two readings in lockstep, breadth first",
        scope=scope,
        seconds=seconds,
        severity=Severity.WARNING,
        position=end,
        position_json=None if end is None else position_to_json(engine.norms, end),
        play=played.moves,
    )
