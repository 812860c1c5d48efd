"""In: a rulebook with a catalogue of violations, lawful games of it. Out: the findings about breaches: what no number
covers, what a penalty leads to, what never ends, what people may say against each other's right."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from svod.diagnostics import Severity, Text
from svod.findings import Finding, Scope
from svod.norms.record import recorded
from svod.norms.trace import Act, Next, Status
from svod.searches.aftermath import CANNOT_BE_MET, Aftermath, Trouble, follow
from svod.searches.endless import follow_to_the_end
from svod.searches.hunting import Effort
from svod.searches.plays import Disagreement, act_text, replay
from svod.searches.stops import DEAD_END, DILEMMA, NO_RESULT, Stop, finding_of
from svod.searches.survey import Chance, Departure, Survey, survey
from svod.searches.tables import Table, Trail
from svod.searches.uncovered import uncovered
from svod.searches.wandering import wander
from svod.searches.world import second_opinion

METHOD = "breaches one by one, then what may be said and is owed"


class Breaches:
    """The searches at the tables of a few numbers of players; findings of one kind come once, with the shortest
    play."""

    def __init__(self, effort: Effort, edition: str, tick: Callable[[], None]) -> None:
        self.effort, self.edition, self.tick = effort, edition, tick
        self.fired: set[str] = set()
        self._uncovered: dict[tuple[str, tuple[str, ...]], tuple[Stop, Trail, Act, Scope]] = {}
        self._troubles: dict[tuple[str, tuple[str, ...]], tuple[Trouble, Scope]] = {}

    def look(self, table: Table, switches: frozenset[str]) -> Survey:
        """Everything at one table."""
        seen = survey(table, switches, self.effort, self.tick)
        self.fired |= seen.fired
        for stop, trail, act in uncovered(seen):
            key = (act.action, stop.rules)
            if key not in self._uncovered or len(trail.acts) < len(self._uncovered[key][1].acts):
                self._uncovered[key] = (stop, trail, act, self._scope(table, trail))
        most = self.effort.aftermath if table.native else max(1, self.effort.aftermath // self.effort.slow)
        found = follow(table, _worth_following(seen), most, self.tick)
        wander(found, switches, self.effort, self.tick)
        self.fired |= found.fired
        for trail in (*seen.samples, *found.samples):
            self.fired |= table.met(trail, self.fired)
        follow_to_the_end(found, self.effort.seed, self.tick)
        self._keep(found)
        return seen

    def _keep(self, found: Aftermath) -> None:
        for key, trouble in found.troubles.items():
            if key not in self._troubles or len(trouble.acts) < len(self._troubles[key][0].acts):
                self._troubles[key] = (trouble, self._scope(found.table, trouble.trail))

    def _scope(self, table: Table, trail: Trail) -> Scope:
        norms, engine = table.norms, trail.engine
        names = norms.sort(norms.card_sort).values
        reduced = len(engine.norms.deck) != len(norms.deck)
        return Scope(
            deck=str(len(norms.deck) or len(names)),
            players=str(norms.player_count),
            cards=tuple(names[card] for card in engine.norms.deck) if reduced else (),
            switches=tuple(sorted(engine.switches)),
            edition=self.edition,
            budget=self.effort.described(table.native),
        )

    def findings(self, known: Iterable[Finding]) -> list[Finding]:
        """All that was found and is not among the findings of lawful play, each play replayed by both evaluators."""
        lawful = list(known)
        found = [self._breach(*entry) for entry in self._uncovered.values()]
        for trouble, scope in self._troubles.values():
            if not any(_says_as_much(finding, trouble.stop) for finding in lawful):
                found.append(self._trouble(trouble, scope))
        return found

    def _trouble(self, trouble: Trouble, scope: Scope) -> Finding:
        """What comes up only after several breaches, one upon the other, is not called an error; nor is a result that
        is open after one, for play goes on."""
        started = time.monotonic()
        engine = trouble.trail.engine
        played = replay(engine, trouble.acts, naive=second_opinion(engine), breaches=True)
        finding = finding_of(trouble.stop, engine, played, scope, time.monotonic() - started, METHOD)
        breaches = sum(not move.lawful for move in played.moves)
        mild = breaches > 1 or (breaches == 1 and trouble.stop.code is NO_RESULT)
        return replace(finding, severity=Severity.WARNING) if mild else finding

    def _breach(self, stop: Stop, trail: Trail, act: Act, scope: Scope) -> Finding:
        """The act is shown to be possible, unlawful and without a number by both evaluators; it is not part of the
        play."""
        started = time.monotonic()
        engine = trail.engine
        naive = second_opinion(engine)
        played = replay(engine, trail.acts, naive=naive)
        text = act_text(engine.norms, act)
        outcome = naive.step(trail.position, act)
        catalogue = engine.norms.catalogue
        if naive.status(trail.position, act) is not Status.UNLAWFUL or catalogue is None:
            raise Disagreement("breach", f"the naive evaluator does not find {text} unlawful")
        other = engine.norms.sort(catalogue.sort).values.index(catalogue.other)
        if not isinstance(outcome, Next) or all(n != other for _, n in recorded(engine.norms, outcome.position)):
            raise Disagreement("breach", f"the naive evaluator finds a number for {text}")
        finding = finding_of(stop, engine, played, scope, time.monotonic() - started, METHOD)
        count = len(played.moves)
        verdict = Text(
            f"так можно поступить: {text}; игра от раздачи, ходов: {count}",
            f"possible: {text}; a play from the deal, {count} moves",
        )
        return replace(finding, verdict=verdict)


STUCK = frozenset((DEAD_END.name, DILEMMA.name, CANNOT_BE_MET.name))


def _says_as_much(finding: Finding, stop: Stop) -> bool:
    """Whether lawful play was found to come to the same."""
    if finding.code.name in STUCK and stop.code.name in STUCK:
        return set(stop.rules) <= set(finding.rules)
    return finding.key == (stop.code.name, stop.rules)


def _worth_following(seen: Survey) -> list[tuple[Departure, Chance]]:
    """Departures after which something has changed, breaches with a number first."""
    changed = [
        (kind, chance)
        for kind, chance in seen.met.items()
        if not (isinstance(chance.outcome, Next) and chance.outcome.position == chance.trail.position)
    ]
    return sorted(changed, key=lambda each: (not each[0].numbers, len(each[1].trail.acts)))
