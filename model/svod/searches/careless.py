"""In: an engine, how careless the players are, a lot. Out: what the players who are not people do next, position by
position: they react to breaches that they have noticed, answer what is owed, move, and now and then break a rule."""

from __future__ import annotations

from collections.abc import Iterable

from svod.engine.play import Engine
from svod.engine.search_careless_play import MILLION, Rates
from svod.naive.exploring import Lot, draw
from svod.norms.play_acts import is_talk
from svod.norms.trace import Act, Position, Status
from svod.searches.plays import actor_of

TRIES = 40


class CarelessPlayers:
    """Chooses acts for every seat but those of `people`. The engine's program is made with `Options.table`."""

    def __init__(self, engine: Engine, rates: Rates, lot: Lot, people: frozenset[int]) -> None:
        self.engine, self.norms, self.rates, self.lot, self.people = engine, engine.norms, rates, lot, people
        self._actions = {action.name: action for action in self.norms.actions}
        self._done = [action for action in self.norms.actions if action.actor is not None]
        self._codes = engine.new_codes()
        self._noticed: set[tuple[str, tuple[int, ...]]] = set()
        self._before: Position | None = None

    # ------------------------------------------------------------------------------------------------- lists

    def in_play(self, position: Position) -> tuple[Act, ...]:
        """Lawful acts of everybody; of speech only what is owed."""
        return self._listed("played", position)

    def _listed(self, entry: str, position: Position) -> tuple[Act, ...]:
        count = self.engine.backend.call(entry, self.engine.pack_position(position), self._codes)
        return tuple(self.engine.decode(self._codes[place]) for place in range(count))

    def _own(self, acts: Iterable[Act]) -> tuple[Act, ...]:
        return tuple(act for act in acts if actor_of(self.norms, act) not in self.people)

    def _happens(self, rate: float) -> bool:
        return rate > 0 and self.lot.below(MILLION) < round(rate * MILLION)

    # ------------------------------------------------------------------------------------------------ acting

    def see(self, before: Position, after: Position) -> None:
        """A step has been made: what is broken now is noticed or not, once for all."""
        self._before = before
        if self.norms.catalogue is None:
            return
        record = self.norms.catalogue.record
        earlier = dict(before.registers)
        for cell, value in after.registers:
            if cell[0] == record and not value:
                self._noticed.discard(cell)
            elif cell[0] == record and not earlier[cell] and self._happens(self.rates.noticing):
                self._noticed.add(cell)

    def reaction(self, position: Position) -> Act | None:
        """A claim with good grounds, or another right of speech that has arisen and that somebody uses."""
        owed = set(self.in_play(position))
        if self._noticed:
            claims = [act for act in self._own(self._listed("grounded", position)) if act not in owed]
            if claims:
                return claims[self.lot.below(len(claims))]
        rights = [act for act in self._own(self._listed("entitled", position)) if act not in owed]
        if owed and not self._happens(self.rates.chatter):
            known = rights if self._before is None else self._listed("entitled", self._before)
            rights = [act for act in rights if act not in known] if self._happens(self.rates.disputing) else []
        if rights:
            return rights[self.lot.below(len(rights))]
        return None

    def move(self, position: Position) -> Act | None:
        """What chance or one of the players does; None if none of them can go on."""
        acts = self._own(self.in_play(position))
        if not acts:
            return None
        if self._happens(self.rates.breaches):
            stray = self._stray(position)
            if stray is not None:
                return stray
        act = draw(self.norms, acts, self.lot)
        return self._answer(position, act, acts) if is_talk(self._actions[act.action]) else act

    def _stray(self, position: Position) -> Act | None:
        """An act that lawful play would not see: unlawful, or speech that nobody owes. Kinds come evenly."""
        for _ in range(TRIES):
            action = self._done[self.lot.below(len(self._done))]
            sizes = [len(self.norms.sort(parameter.sort).values) for parameter in action.parameters]
            act = Act(action.name, tuple(self.lot.below(size) for size in sizes))
            if actor_of(self.norms, act) in self.people:
                continue
            status = self.engine.status(position, act)
            if status is Status.UNLAWFUL or (status is Status.LAWFUL and is_talk(action)):
                return act
        return None

    def _answer(self, position: Position, act: Act, acts: tuple[Act, ...]) -> Act:
        """Of several answers that are owed an honest player gives one that a right backs, if there are others too."""
        actor = actor_of(self.norms, act)
        alike = [each for each in acts if each.action == act.action and actor_of(self.norms, each) == actor]
        backed = set(self._listed("grounded", position))
        honest = [each for each in alike if each in backed]
        others = [each for each in alike if each not in backed]
        if not honest or not others:
            return act
        chosen = honest if self._happens(self.rates.honesty) else others
        return chosen[self.lot.below(len(chosen))]
