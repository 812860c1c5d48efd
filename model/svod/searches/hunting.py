"""In: a world, switches, an effort. Out: what random lawful play from random decks came upon, and which clauses ever
fired."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from svod.engine.search_found import Found
from svod.engine.search_play import Decks, Games
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.fires import fires
from svod.norms.trace import Next, Position
from svod.norms.walk import everything_in
from svod.searches.world import World, cards_of, mask_of

BATCH_SECONDS = 0.1
"""A batch of games that takes longer is not made larger."""
ACTS_ASKED_MAX = 20_000_000
"""How many acts one game may ask about: its length times the acts of a position."""
SHORTEST_CAP = 50
"""Games may be at least this long whatever it takes."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is looked at: counted, so that it is the same on every machine. `sizes` are numbers of cards in a
    reduced deck, 0 the whole one; `games` for each size; `slow` divides the games where no native code runs. `surveyed`
    positions of lawful play are looked at for breaches, `aftermath` positions that follow them; `parted` careless games
    are played to tell two readings apart, `wandered` ones to see what comes up."""

    games: int = 3000
    full_games: int = 400
    sizes: tuple[int, ...] = (2, 3, 4, 5, 6, 8, 10, 14)
    cap: int = 3000
    seed: int = 20260715
    slow: int = 40
    states: int = 60_000
    samples: int = 80
    surveyed: int = 500
    aftermath: int = 1100
    parted: int = 110
    wandered: int = 70

    def described(self, native: bool) -> str:
        """In a few words, for the scope of a verdict."""
        games = self.games if native else max(1, self.games // self.slow)
        return f"{games} games for each size, {self.states} states to shorten a play"


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something that a hunt came upon, in which world and under which switches."""

    world: World
    switches: frozenset[str]
    found: Found


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a hunt saw. `fired`: ids of clauses that bore on something at least once."""

    sightings: tuple[Sighting, ...]
    fired: frozenset[str]
    games: int
    acts: int


def mentioned_cards(norms: ir.Norms) -> int:
    """Mask of the cards that the rules name, by a literal or by a term without parameters: the interesting ones, put
    into half
    of the random decks."""
    literals = [
        part.index
        for clause in norms.clauses
        for part in everything_in(clause)
        if isinstance(part, ir.Value) and part.sort == norms.card_sort
    ]
    naive = Naive(norms)
    start = naive.initial()
    if isinstance(start, Next):
        for term in norms.terms:
            if not term.parameters and isinstance(term.type, ir.Member) and term.type.sort == norms.card_sort:
                value = naive.term(start.position, term.name)
                if isinstance(value, int):
                    literals.append(value)
    return mask_of(literals)


def mentioned_in(world: World) -> int:
    """`mentioned_cards` of the world's norms, worked out once."""
    if world.mentioned is None:
        world.mentioned = mentioned_cards(world.norms)
    return world.mentioned


def term_clauses_met(world: World, switches: frozenset[str], effort: Effort, known: Iterable[str]) -> frozenset[str]:
    """Clauses of slots and endings that fire in some position of a sample of games; those in `known` are not looked
    at."""
    return positions_meet(world.norms, Naive(world.norms, switches), _sample(world, switches, effort), known)


def positions_meet(
    norms: ir.Norms, naive: Naive, positions: Iterable[Position], known: Iterable[str]
) -> frozenset[str]:
    """Clauses of slots and endings that fire in one of the positions; those in `known` are not looked at."""
    open_ = {clause.head.id: clause for clause in standing(norms) if clause.head.id not in set(known)}
    conditions = {name: somewhere(norms, clause) for name, clause in open_.items()}
    met: set[str] = set()
    for position in positions:
        # One question for all that is still open: what is left is rare.
        if not conditions or naive.evaluate(position, ir.Or(tuple(conditions.values()))) != 1:
            continue
        fired = [name for name, condition in conditions.items() if naive.evaluate(position, condition) == 1]
        met.update(fired)
        for name in fired:
            del conditions[name]
    return frozenset(met)


def standing(norms: ir.Norms) -> tuple[ir.TermClause | ir.Ending, ...]:
    """Clauses that answer no act: those of slots and endings."""
    return tuple(clause for clause in norms.clauses if isinstance(clause, ir.TermClause | ir.Ending))


def _sample(world: World, switches: frozenset[str], effort: Effort) -> Iterator[Position]:
    """Every position of a few games, most of them on small decks; the last one counts too: the play is over there."""
    norms = world.norms
    games = world.games(switches, seed=effort.seed, cap=400)
    generator = random.Random(effort.seed)
    rest = cards_of(world.whole_deck & ~world.required)
    for number in range(effort.samples):
        deck = world.required | mask_of(generator.sample(rest, min(len(rest), 2 + number % 7)))
        deck = deck if norms.check_decks is not None and world.searched.decks_vary and number % 8 else 0
        engine = world.engine(switches, deck)
        outcome = engine.initial()
        for code in (*games.one(effort.seed + number, deck).acts, None):
            if not isinstance(outcome, Next):
                break
            yield outcome.position
            if code is not None:
                outcome = engine.step(outcome.position, engine.decode(code))


def somewhere(norms: ir.Norms, clause: ir.Clause) -> ir.Expression:
    """Some instance of the clause fires; of a slot that is asked for only where it is asked for."""
    condition = fires(norms, clause)
    if isinstance(clause, ir.TermClause):
        term = next(term for term in norms.terms if term.name == clause.term)
        if term.asked is not None:
            condition = ir.And((term.asked, condition))
    for variable in clause.head.variables:
        condition = ir.Exists(variable, condition)
    return condition


def hunt(
    world: World,
    switches: frozenset[str],
    effort: Effort,
    tick: Callable[[], None],
    note: Callable[[Hunt], None],
    *,
    sizes: Sequence[int] | None = None,
) -> None:
    """Random lawful games on decks of every size of the effort. `tick` is called between batches; it may raise to
    stop. `note` is told what was seen, and what was seen until then where the hunt is stopped."""
    games = world.games(switches, seed=effort.seed, cap=game_cap(world, effort))
    try:
        _hunt(world, games, effort, tick, effort.sizes if sizes is None else sizes)
    finally:
        clauses = world.searched.program.clauses
        sightings = tuple(Sighting(world, switches, found) for found in games.found)
        statistics = games.statistics
        note(Hunt(sightings, frozenset(clauses[i] for i in games.fired), statistics.games, statistics.acts))


def game_cap(world: World, effort: Effort) -> int:
    """How long one game may be: shorter where a position has very many acts to ask about, so that it ends in time."""
    return min(effort.cap, max(SHORTEST_CAP, ACTS_ASKED_MAX // world.searched.layout.act_count))


def _hunt(world: World, games: Games, effort: Effort, tick: Callable[[], None], sizes: Sequence[int]) -> None:
    mentioned = mentioned_in(world)
    count = effort.games if world.native else max(1, effort.games // effort.slow)
    full = effort.full_games if world.native else max(1, effort.full_games // effort.slow)
    required = world.required
    cards = world.whole_deck.bit_count()
    reducible = world.norms.check_decks is not None and world.searched.decks_vary
    for size in sizes:
        if reducible and max(required.bit_count(), size) < cards:
            _in_batches(games, count, Decks(size, required, mentioned), tick)
    _in_batches(games, full, Decks(0), tick)


def _in_batches(games: Games, count: int, decks: Decks, tick: Callable[[], None]) -> None:
    """So many games, asking `tick` often enough: nothing stops compiled code. The games are the same in any batches."""
    batch = 1
    while count > 0:
        started = time.monotonic()
        games.hunt(min(batch, count), decks)
        count -= batch
        if time.monotonic() - started < BATCH_SECONDS:
            batch *= 2
        tick()
