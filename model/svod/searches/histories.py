"""In: norms and somebody who plays them. Out: the tree of all plays from the start, with what every player knew in it.

A history is the sequence of acts made so far; two histories that meet in one position stay apart. Chance acts are edges
like all others, so the tree is the game in extensive form and its counts can be held against the literature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from svod.naive.exploring import groups
from svod.norms import ir
from svod.norms.trace import Act, Next, Position
from svod.searches.observing import Observer
from svod.searches.players import Player

MOST = 100_000  # histories; a game of more is not one to look at whole


@dataclass(frozen=True, slots=True)
class Expectation:
    """Mean of an outcome for each seat, in seat order, when everybody and chance choose evenly among the lawful acts
    (among groups of acts that differ only in what chance picks, then within the group). `None`: there is no mean,
    because a play can stop before its end, or because the outcome is not a whole number at every end."""

    term: str
    values: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class Histories:
    """The tree of histories, counted; the empty history is one of them.

    `failed`: histories whose last act has no successor, or the empty one if there is no start. `deals`: different
    positions in which the acts of chance that open the play can leave it. `chance`, `decisions`: histories after which
    only chance, or some player, may act lawfully. `information_sets`: for each seat, how many of its decisions it can
    tell apart. `uneven`: information sets whose player is not offered the same choices throughout, so that the rules
    tell him more than he was shown. `depth`: acts in the longest history. Not `exhausted`: the limit came first, and
    all numbers are those of the part that was seen, shorter histories before longer ones.
    """

    histories: int
    finished: int
    dead_ends: int
    failed: int
    deals: int
    chance: int
    decisions: int
    information_sets: tuple[int, ...]
    uneven: int
    depth: int
    expected: tuple[Expectation, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class _Node:
    """A history: where it led, how likely it is, whether only chance has acted, and what each seat has seen."""

    position: Position
    weight: Fraction
    opening: bool
    seen: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """What can happen in a position, whichever history led there."""

    over: bool
    chance: bool
    edges: tuple[tuple[Act, Fraction, Position | None], ...]
    offers: tuple[tuple[int, frozenset[object]], ...]  # each seat that may act, with its choices


def histories(norms: ir.Norms, player: Player, most: int = MOST) -> Histories:
    """The whole tree, or as much of it as `most` histories hold."""
    return _Tree(norms, player, most).grow()


@dataclass
class _Tree:
    norms: ir.Norms
    player: Player
    most: int
    places: dict[Position, _Place] = field(default_factory=dict)
    deals: set[Position] = field(default_factory=set)
    offered: dict[tuple[int, int], frozenset[object]] = field(default_factory=dict)
    uneven: set[tuple[int, int]] = field(default_factory=set)
    known: int = 1
    finished: int = 0
    dead_ends: int = 0
    failed: int = 0
    chance: int = 0
    decisions: int = 0
    depth: int = 0

    def grow(self) -> Histories:
        """Level by level, so that a limit leaves out the longest histories only."""
        norms = self.norms
        self.observer = Observer(norms)
        self.actions = {action.name: action for action in norms.actions}
        self.outcomes = _Outcomes(norms, self.player)
        start = self.player.initial()
        level: list[_Node] = []
        if isinstance(start, Next):
            seen = self.observer.start(start.position)
            level.append(_Node(start.position, Fraction(1), True, seen))
        else:
            self.failed = 1
        exhausted, length = True, 0
        while level and exhausted:
            following: list[_Node] = []
            for node in level:
                place = self._place(node.position)
                if self.known + len(place.edges) > self.most:
                    exhausted = False
                    break
                self._count(node, place)
                following += self._children(node, place)
                self.depth = max(self.depth, length + bool(place.edges))
            level = following
            length += 1
        return self._result(exhausted)

    def _place(self, position: Position) -> _Place:
        found = self.places.get(position)
        if found is None:
            found = self.places[position] = self._look(position)
        return found

    def _look(self, position: Position) -> _Place:
        if self.player.over(position):
            return _Place(True, False, (), ())
        acts = self.player.acts(position)
        choices = groups(self.norms, acts)
        edges = []
        offers: dict[int, set[object]] = {}
        for group in choices:
            weight = Fraction(1, len(choices) * len(group))
            for act in group:
                outcome = self.player.step(position, act)
                edges.append((act, weight, outcome.position if isinstance(outcome, Next) else None))
            actor = self._actor(group[0])
            if actor is not None:
                offers.setdefault(actor, set()).add(self._choice(group[0]))
        listed = tuple((seat, frozenset(choices)) for seat, choices in sorted(offers.items()))
        return _Place(False, bool(acts) and not offers, tuple(edges), listed)

    def _actor(self, act: Act) -> int | None:
        actor = self.actions[act.action].actor
        return None if actor is None else act.arguments[actor]

    def _choice(self, act: Act) -> object:
        """What the actor himself decides of an act."""
        chance = self.actions[act.action].chance
        return act.action, tuple(value for i, value in enumerate(act.arguments) if i not in chance)

    def _count(self, node: _Node, place: _Place) -> None:
        if place.over:
            self.finished += 1
            self.outcomes.add(node.position, node.weight)
        elif place.chance:
            self.chance += 1
        elif place.offers:
            self.decisions += 1
        else:
            self.dead_ends += 1
        if node.opening and not place.chance:
            self.deals.add(node.position)
        for seat, choices in place.offers:
            key = seat, node.seen[seat]
            if self.offered.setdefault(key, choices) != choices:
                self.uneven.add(key)

    def _children(self, node: _Node, place: _Place) -> list[_Node]:
        self.known += len(place.edges)
        found: list[_Node] = []
        for act, share, position in place.edges:
            if position is None:
                self.failed += 1
                continue
            seen = self.observer.after(node.seen, node.position, act, position)
            found.append(_Node(position, node.weight * share, node.opening and place.chance, seen))
        return found

    def _result(self, exhausted: bool) -> Histories:
        sets = [0] * self.norms.player_count
        for seat, _ in self.offered:
            sets[seat] += 1
        complete = exhausted and not self.failed and not self.dead_ends
        return Histories(
            histories=self.known,
            finished=self.finished,
            dead_ends=self.dead_ends,
            failed=self.failed,
            deals=len(self.deals),
            chance=self.chance,
            decisions=self.decisions,
            information_sets=tuple(sets),
            uneven=len(self.uneven),
            depth=self.depth,
            expected=self.outcomes.means(complete),
            exhausted=exhausted,
        )


class _Outcomes:
    """Sums of the outcomes over the ends met so far, each weighed by how likely it is."""

    def __init__(self, norms: ir.Norms, player: Player) -> None:
        self._player = player
        terms = {term.name: term for term in norms.terms}
        self._terms = [terms[outcome.term] for outcome in norms.outcomes]
        self._seats = norms.player_count
        self._sums: dict[tuple[str, int], Fraction | None] = {
            (term.name, seat): Fraction(0) if isinstance(term.type, ir.Whole) else None
            for term in self._terms
            for seat in range(self._seats)
        }
        self._values: dict[Position, dict[tuple[str, int], int | None]] = {}

    def add(self, position: Position, weight: Fraction) -> None:
        """A play that ends here with this probability."""
        values = self._values.get(position)
        if values is None:
            values = self._values[position] = self._read(position)
        for key, value in values.items():
            total = self._sums[key]
            self._sums[key] = None if total is None or value is None else total + weight * value

    def _read(self, position: Position) -> dict[tuple[str, int], int | None]:
        found: dict[tuple[str, int], int | None] = {}
        for term in self._terms:
            for seat in range(self._seats):
                value = self._player.term(position, term.name, (seat,) if term.parameters else ())
                found[term.name, seat] = value if isinstance(value, int) else None
        return found

    def means(self, complete: bool) -> tuple[Expectation, ...]:
        """The means, if the ends met are all that there is."""
        seats: Sequence[int] = range(self._seats)
        return tuple(
            Expectation(term.name, tuple(self._sums[term.name, seat] if complete else None for seat in seats))
            for term in self._terms
        )
