"""From an act in a moment to the breaches that it enters, and from a state with a frame to the restored state.

The record of breaches is a register like any other; the frame is kept beside the state, as it was.
"""

from __future__ import annotations

from svod.naive.judging import Judge, Moment
from svod.naive.reader import Reader
from svod.naive.world import State, World, ZoneKey
from svod.norms import ir
from svod.norms.trace import Act, Hole, Limit, Status, StepOutcome


class Breaches:
    """What a step writes down about breaches by itself, and what a restoration undoes."""

    def __init__(self, world: World, reader: Reader, judge: Judge) -> None:
        self.world = world
        self.reader = reader
        self.judge = judge

    def enter(self, act: Act, moment: Moment, after: State) -> None:
        """Write into `after`, where the body has happened, what the act breaks; read off the moment before the act."""
        catalogue = self.world.norms.catalogue
        if catalogue is None:
            return
        broken = self._broken(catalogue, act, moment)
        if self._lapses(act, moment):
            self._empty(catalogue, after)
        for offender, number in broken:
            after.cells[catalogue.record, (offender, number)] = 1
        if broken and after.frame is None:
            after.frame = self.world.frame(moment.scene.state)

    def _broken(self, catalogue: ir.Catalogue, act: Act, moment: Moment) -> set[tuple[int, int]]:
        """Who becomes guilty of which number."""
        numbers = self.world.sorts[catalogue.sort].values
        found = {
            (offender, numbers.index(violation.name))
            for violation in self.world.violations[act.action]
            for offender in self.judge.offenders(violation, act, moment.scene)
        }
        actor = self.world.actor(act)
        if not found and actor is not None and self.judge.decide(act, moment).status is Status.UNLAWFUL:
            return {(actor, numbers.index(catalogue.other))}
        return found

    def _lapses(self, act: Act, moment: Moment) -> bool:
        return any(self.judge.speaks(lapse, act, moment.scene) for lapse in self.world.lapses[act.action])

    def _empty(self, catalogue: ir.Catalogue, state: State) -> None:
        for cell in state.cells:
            if cell[0] == catalogue.record:
                state.cells[cell] = 0
        state.frame = None

    def rest(self, state: State) -> None:
        """At rest the frame is kept for open breaches only."""
        catalogue = self.world.norms.catalogue
        if catalogue is None or not any(value for cell, value in state.cells.items() if cell[0] == catalogue.record):
            state.frame = None

    # --------------------------------------------------------------------------------------------- restoration

    def restored(self, now: State, restoring: list[Hole]) -> tuple[State, list[StepOutcome]]:
        """The state in which the frame is back, and why it cannot be: one of `restoring` if a pile misses a card."""
        frame = now.frame
        if frame is None:
            return now, []
        after = now.copy()
        failures: list[StepOutcome] = []
        outside = [key for key in now.zones if self.world.zones[key[0]].outside_frame]
        staying = {card for key in outside for card, _ in now.zones[key]}
        incomplete = False
        for key, cards in frame.zones:
            back = [(laid.card, laid.author) for laid in cards if laid.card not in staying]
            if key in outside:
                after.zones[key] = [*now.zones[key], *back]
                failures += self._overfull(key, after, restoring)
            else:
                after.zones[key] = back
                incomplete = incomplete or (self.world.zones[key[0]].pile and len(back) < len(cards))
        after.cells.update(frame.registers)
        if self.world.norms.catalogue is not None:
            self._empty(self.world.norms.catalogue, after)
        return after, [*restoring, *failures] if incomplete else failures

    def _overfull(self, key: ZoneKey, after: State, restoring: list[Hole]) -> list[StepOutcome]:
        if len(after.zones[key]) <= self.world.zones[key[0]].capacity:
            return []
        return [Limit(key[0], tuple(dict.fromkeys(hole.place for hole in restoring)), ())]
