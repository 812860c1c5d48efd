"""In: a position and a lot. Out: an act: play for the most part, a breach now and then, claims and answers where there
is something to claim, payments where somebody owes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from svod.naive.exploring import Lot, draw
from svod.norms import ir
from svod.norms.play_acts import is_talk
from svod.norms.record import recorded
from svod.norms.trace import Act, Decision, Position


class Sees(Protocol):
    """Whoever tells which acts there are."""

    def acts(self, position: Position) -> tuple[Act, ...]: ...

    def possible_acts(self, position: Position) -> tuple[Act, ...]: ...

    def decide(self, position: Position, act: Act) -> Decision: ...


PLAY, SETTLE, TALK = "play", "settle", "talk"
WEIGHTS = {False: {PLAY: 8, SETTLE: 4, TALK: 1}, True: {PLAY: 2, SETTLE: 4, TALK: 5}}
"""Without and with an open breach."""
CLAIMS_TRUE = 3
"""So many of four claims name an open breach, where there is one."""


class CarelessActs:
    """Chooses acts. `breach_each`: one act in so many is unlawful (0: none, and nothing is said). `to_the_point`: what
    is said is what somebody has a right to say, and nobody commits another breach while one is open."""

    def __init__(self, norms: ir.Norms, lot: Lot, breach_each: int, *, to_the_point: bool = False) -> None:
        self.norms, self.lot, self.breach_each, self.to_the_point = norms, lot, breach_each, to_the_point
        self._kinds = {action.name: _kind(action) for action in norms.actions}
        self._places = {
            action.name: (
                [place for place, v in enumerate(action.parameters) if v.sort == norms.seats],
                [place for place, v in enumerate(action.parameters) if _is_number(norms, v)],
            )
            for action in norms.actions
        }

    def choose(self, seen: Sees, position: Position) -> Act | None:
        """An act by lot; an unlawful one where there is nothing else, None where nothing is possible."""
        lawful = seen.acts(position)
        quiet = position.frame is None or not self.to_the_point
        if quiet and self.breach_each and self.lot.below(self.breach_each) == 0:
            act = self._breach(seen, position, lawful)
            if act is not None:
                return act
        by_kind: dict[str, list[Act]] = {}
        for act in lawful:
            by_kind.setdefault(self._kinds[act.action], []).append(act)
        if self.to_the_point and TALK in by_kind:
            by_kind[TALK] = [act for act in by_kind[TALK] if seen.decide(position, act).permitted_by]
        if (not self.breach_each and len(by_kind) > 1) or not by_kind.get(TALK, lawful):
            by_kind.pop(TALK, None)
        if not by_kind:
            return self._breach(seen, position, lawful)
        weights = WEIGHTS[position.frame is not None]
        number = self.lot.below(sum(weights[kind] for kind in by_kind))
        for kind, acts in by_kind.items():
            number -= weights[kind]
            if number < 0:
                return self._said(acts, position) if kind == TALK else draw(self.norms, tuple(acts), self.lot)
        raise AssertionError("the weights of all kinds add up")

    def _breach(self, seen: Sees, position: Position, lawful: Iterable[Act]) -> Act | None:
        """Any kind of unlawful act as often as any other."""
        known = frozenset(lawful)
        others = [act for act in seen.possible_acts(position) if act not in known]
        return draw(self.norms, tuple(self._one_kind(others)), self.lot) if others else None

    def _one_kind(self, acts: Sequence[Act]) -> list[Act]:
        names = list(dict.fromkeys(act.action for act in acts))
        name = names[self.lot.below(len(names))]
        return [act for act in acts if act.action == name]

    def _said(self, acts: Sequence[Act], position: Position) -> Act:
        """Of a kind of speech that names a breach most of the time one that is open."""
        chosen = self._one_kind(acts)
        if position.frame is not None and self.lot.below(4) < CLAIMS_TRUE:
            true = [act for act in chosen if self._names_a_breach(act, position)]
            chosen = true or chosen
        return chosen[self.lot.below(len(chosen))]

    def _names_a_breach(self, act: Act, position: Position) -> bool:
        seats, numbers = self._places[act.action]
        if not numbers:
            return False
        number = act.arguments[numbers[0]]
        return not recorded(self.norms, position).isdisjoint((act.arguments[seat], number) for seat in seats)


def _kind(action: ir.Action) -> str:
    if is_talk(action):
        return TALK
    return PLAY if action.turn or action.actor is None else SETTLE


def _is_number(norms: ir.Norms, variable: ir.Variable) -> bool:
    return norms.catalogue is not None and variable.sort == norms.catalogue.sort
