"""In: norms, and acts from position to position. Out: for each seat a number that stands for all it has seen so far.

A player sees the kind of every act, who makes it and with what; of a card that is moved he sees the face only if he
sees into a zone that it leaves or goes to. After every act he sees the cards of the zones that are open to him, in the
order in which they lie, and how many cards the others hold. He forgets nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Laid, Position

HIDDEN = -1  # a card whose face is not seen


@dataclass(frozen=True)
class _Passing:
    """A parameter that names a moved card, wholly or by one of its factors, and the zones between which it is moved."""

    parameter: int
    zones: tuple[ir.ZoneRef, ...]


@dataclass
class Observer:
    """Numbers what can be seen: equal numbers mean that the seat has seen the same from the start on."""

    norms: ir.Norms
    _numbers: dict[object, int] = field(default_factory=dict)
    _views: dict[Position, tuple[object, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._zones = {zone.name: zone for zone in self.norms.zones}
        self._actions = {action.name: action for action in self.norms.actions}
        self._passing = {action.name: _passing(action) for action in self.norms.actions}
        self._naive: Naive | None = None

    def start(self, position: Position) -> tuple[int, ...]:
        """What each seat has seen before the first act."""
        return tuple(self._number((-1, None, view)) for view in self._shown(position))

    def after(self, seen: tuple[int, ...], before: Position, act: Act, position: Position) -> tuple[int, ...]:
        """What each seat has seen after one more act."""
        faces = self._faces(before, act)
        views = self._shown(position)
        return tuple(self._number((seen[seat], self._told(act, faces, seat), view)) for seat, view in enumerate(views))

    def _number(self, what: object) -> int:
        return self._numbers.setdefault(what, len(self._numbers))

    # ------------------------------------------------------------------------------------------------ acts

    def _faces(self, before: Position, act: Act) -> Mapping[int, frozenset[int]]:
        """Parameters that name moved cards → seats that see which card it is."""
        parameters = self._actions[act.action].parameters
        bindings = {p.name: value for p, value in zip(parameters, act.arguments, strict=True)}
        return {
            passing.parameter: frozenset(
                seat for zone in passing.zones for seat in self._watchers(zone, bindings, before)
            )
            for passing in self._passing[act.action]
        }

    def _watchers(self, zone: ir.ZoneRef, bindings: Mapping[str, int], before: Position) -> frozenset[int]:
        match self._zones[zone.zone].visibility:
            case ir.Visibility.ALL:
                return frozenset(range(self.norms.player_count))
            case ir.Visibility.OWNER:
                owner = None if zone.owner is None else self._owner(zone.owner, bindings, before)
                return frozenset() if owner is None else frozenset({owner})
            case ir.Visibility.NOBODY:
                return frozenset()

    def _owner(self, owner: ir.Expression, bindings: Mapping[str, int], before: Position) -> int | None:
        match owner:
            case ir.Variable(name=name) if name in bindings:
                return bindings[name]
            case ir.Value(index=index):
                return index
        if self._naive is None or self._naive.switches != frozenset(before.switches):
            self._naive = Naive(self.norms, before.switches)
        value = self._naive.evaluate(before, owner, bindings)
        return value if isinstance(value, int) else None

    def _told(self, act: Act, faces: Mapping[int, frozenset[int]], seat: int) -> object:
        shown = (
            HIDDEN if place in faces and seat not in faces[place] else value
            for place, value in enumerate(act.arguments)
        )
        return act.action, tuple(shown)

    # ----------------------------------------------------------------------------------------------- zones

    def _shown(self, position: Position) -> tuple[object, ...]:
        """What lies open to each seat."""
        found = self._views.get(position)
        if found is None:
            seats = range(self.norms.player_count)
            found = self._views[position] = tuple(
                tuple(self._zone(key, cards, seat) for key, cards in position.zones) for seat in seats
            )
        return found

    def _zone(self, key: tuple[str, int | None], cards: tuple[Laid, ...], seat: int) -> object:
        name, owner = key
        visibility = self._zones[name].visibility
        if visibility is ir.Visibility.ALL or (visibility is ir.Visibility.OWNER and owner == seat):
            return cards
        return len(cards)


def _passing(action: ir.Action) -> tuple[_Passing, ...]:
    """Parameters that name cards which the act itself moves, each with all the zones that it moves them between."""
    found: dict[int, list[ir.ZoneRef]] = {}
    places = {parameter.name: place for place, parameter in enumerate(action.parameters)}
    for move in action.body:
        if isinstance(move, ir.MoveCard):
            for name in _names(move.card):
                found.setdefault(places[name], []).extend((move.source, move.target))
    return tuple(_Passing(place, tuple(zones)) for place, zones in found.items() if place != action.actor)


def _names(card: ir.Expression) -> tuple[str, ...]:
    """Variables that say which card it is: the card itself, or the factors that it is composed of."""
    match card:
        case ir.Variable(name=name):
            return (name,)
        case ir.Compose(parts=parts):
            return tuple(name for part in parts for name in _names(part))
        case _:
            return ()
