"""In: norms for several numbers of players, a compiler, an effort. Out: the findings of all searches, each with its
play.

Random play finds, exhaustive search on small decks shortens, the engine and the naive evaluator replay; what never
came up is
asked of the solver elsewhere (`svod.searches.proofs`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from svod.diagnostics import Text
from svod.engine.backend import Compiler
from svod.engine.search_table import FoundKind
from svod.findings import Family, Finding, Scope
from svod.norms import ir
from svod.searches.breaches import Breaches
from svod.searches.careless_readings import careless_difference
from svod.searches.hunting import Effort, Hunt, Sighting, hunt, term_clauses_met
from svod.searches.plays import replay
from svod.searches.readings import Difference, difference, reading_finding
from svod.searches.shrinking import Witness, shrink, witness_of
from svod.searches.stops import finding_of
from svod.searches.tables import Table
from svod.searches.world import World, cards_of, second_opinion


class OutOfTime(Exception):
    """The upper limit of time was reached; what is known so far stands."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Norms at one choice of parameters, and the switches in force by default there."""

    norms: ir.Norms
    switches: frozenset[str]


@dataclass(frozen=True, slots=True)
class Step:
    """Progress: what is being done, and how much of it is done (0..1)."""

    label: Text
    done: float


@dataclass
class Searched:
    """What the searches brought. `fired`: ids of clauses that bore on something; `unfinished`: labels of searches that
    were cut off; `left_open`: labels of proofs that were, whose questions stand among the findings as not decided."""

    findings: list[Finding] = field(default_factory=list)
    fired: set[str] = field(default_factory=set)
    games: int = 0
    acts: int = 0
    native: bool = True
    unfinished: list[Text] = field(default_factory=list)
    left_open: list[Text] = field(default_factory=list)


def search_all(
    settings: Sequence[Setting],
    compiler: Compiler,
    effort: Effort,
    edition: str,
    *,
    deadline: float | None = None,
    progress: Callable[[Step], None] = lambda step: None,
    into: Searched | None = None,
) -> Searched:
    """Run every search on every setting. `deadline` is a moment of `time.monotonic`; `into` keeps what is known when
    interrupted."""
    searched = Searched() if into is None else into
    run = _Run(effort, edition, deadline, progress, searched)
    try:
        worlds = [run.world(setting, compiler, i / len(settings)) for i, setting in enumerate(settings)]
        run.hunts(worlds, settings)
        run.shorten()
        run.readings(worlds, settings)
        run.breaches(worlds, settings, compiler)
    except OutOfTime:
        searched.unfinished.append(run.label)
        run.rest()
    except KeyboardInterrupt:
        run.rest()
        raise
    return searched


TABLES = 2
"""Numbers of players for which readings are compared and breaches followed up."""
GRACE_SECONDS = 5.0
"""How long past the limit of time plays are still replayed that were met before it."""


@dataclass
class _Run:
    effort: Effort
    edition: str
    deadline: float | None
    progress: Callable[[Step], None]
    searched: Searched
    label: Text = field(default_factory=lambda: Text("поиск", "search"))
    best: dict[tuple[str, tuple[str, ...]], Witness] = field(default_factory=dict)
    reported: set[tuple[str, tuple[str, ...]]] = field(default_factory=set)
    parted: set[tuple[str, str]] = field(default_factory=set)

    def tick(self) -> None:
        """Called between pieces of work."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime

    def say(self, label: Text, done: float) -> None:
        self.label = label
        self.progress(Step(label, done))
        self.tick()

    def world(self, setting: Setting, compiler: Compiler, done: float) -> World:
        """Compile one setting."""
        count = setting.norms.player_count
        self.say(Text(f"сборка движка, игроков: {count}", f"building the engine, {count} players"), 0.2 * done)
        world = World(setting.norms, compiler)
        self.searched.native = self.searched.native and world.native
        return world

    def hunts(self, worlds: Sequence[World], settings: Sequence[Setting]) -> None:
        """Random play under the switches in force, then under each single departure from an adopted reading."""
        for number, (world, setting) in enumerate(zip(worlds, settings, strict=True)):
            count = world.norms.player_count
            vectors = list(departures(setting))
            seen: dict[tuple[int, ...], int] = {}
            for part, switches in enumerate(vectors):
                done = 0.2 + 0.5 * (number + part / len(vectors)) / len(worlds)
                self.say(Text(f"случайные партии, игроков: {count}", f"random play, {count} players"), done)
                effort = (
                    self.effort
                    if part == 0
                    else replace(self.effort, games=max(1, self.effort.games // 3), full_games=50)
                )
                hunt(world, switches, effort, self.tick, partial(self._met, effort, seen))
                if part == 0 and setting.norms.catalogue is None:  # otherwise breaches are followed, and it shows there
                    self.searched.fired |= term_clauses_met(world, switches, effort, self.searched.fired)

    def _met(self, effort: Effort, seen: dict[tuple[int, ...], int], met: Hunt) -> None:
        """Keep the best witness of each kind; this also happens when a hunt is cut short."""
        self.searched.games += met.games
        self.searched.acts += met.acts
        self.searched.fired |= met.fired
        for sighting in _worth_a_look(met.sightings, seen):
            witness = witness_of(sighting, effort)
            known = None if witness is None else self.best.get(witness.key)
            if witness is not None and (known is None or witness.better_than(known)):
                self.best[witness.key] = witness

    def shorten(self) -> None:
        """Make each play short, replay it twice over, and report it."""
        for number, witness in enumerate(_one_for_each_invariant(self.best.values())):
            started = time.monotonic()
            done = 0.7 + 0.2 * number / max(1, len(self.best))
            self.say(Text("кратчайшие игры к находкам", "shortest plays to findings"), done)
            self._report(shrink(witness, self.effort, self.tick), started, shrunk=True)

    def rest(self) -> None:
        """When time is up: what was met and not reported yet, with the plays as they were met, short ones first."""
        until = time.monotonic() + GRACE_SECONDS
        for witness in sorted(_one_for_each_invariant(self.best.values()), key=lambda each: len(each.acts)):
            if time.monotonic() > until:
                break
            self._report(witness, time.monotonic(), shrunk=False)

    def _report(self, small: Witness, started: float, *, shrunk: bool) -> None:
        if small.key not in self.reported:
            self.reported.add(small.key)
            engine = small.world.engine(small.switches, small.deck)
            played = replay(engine, small.acts, naive=second_opinion(engine))
            scope = scope_of(small.world, small.switches, small.deck, self.edition, self.effort)
            method = "random play, then breadth first on a reduced deck" if small.deck and shrunk else "random play"
            finding = finding_of(small.stop, engine, played, scope, time.monotonic() - started, method)
            self.searched.findings.append(_named_departure(finding, small))

    def readings(self, worlds: Sequence[World], settings: Sequence[Setting]) -> None:
        """For each item with readings: the shortest play to where the adopted one and another part."""
        for world, setting in zip(worlds[:TABLES], settings, strict=False):
            for reading, letters in self._open_readings(setting, ir.Violation):
                self.say(Text(f"чтения {reading.rule}", f"readings of {reading.rule}"), 0.9)
                started = time.monotonic()
                found = difference(world, setting.switches, reading, letters, self.effort, self.tick)
                if found is not None:
                    self._reading(found, setting, reading, letters[1], started)

    def _open_readings(self, setting: Setting, kind: type[ir.Clause]) -> Iterator[tuple[ir.Reading, tuple[str, str]]]:
        """The adopted letter with each other one, where it is not known yet whether they part. Not where all that they
        disagree about is of a `kind` that this kind of play does not look at."""
        for reading in setting.norms.readings:
            if all(isinstance(c, kind) for c in setting.norms.clauses if c.head.reading in reading.switches):
                continue
            adopted = reading.letter(setting.switches)
            for letter, _ in reading.options:
                if letter != adopted and (reading.rule, letter) not in self.parted:
                    yield reading, (adopted, letter)

    def breaches(self, worlds: Sequence[World], settings: Sequence[Setting], compiler: Compiler) -> None:
        """What follows from breaches, at the tables with the fewest players, where the rulebook numbers them; and
        readings that part only there."""
        search = Breaches(self.effort, self.edition, self.tick)
        try:
            for world, setting in zip(worlds[:TABLES], settings, strict=False):
                if setting.norms.catalogue is None:
                    continue
                count = setting.norms.player_count
                self.say(Text(f"нарушения, игроков: {count}", f"breaches, {count} players"), 0.93)
                table = Table(world, compiler)
                search.look(table, setting.switches)
                self._careless_readings(table, setting)
        finally:
            self.searched.fired |= search.fired
            self.searched.findings += search.findings(self.searched.findings)

    def _careless_readings(self, table: Table, setting: Setting) -> None:
        for reading, letters in self._open_readings(setting, ir.Invariant):
            self.say(Text(f"чтения {reading.rule}", f"readings of {reading.rule}"), 0.94)
            started = time.monotonic()
            found = careless_difference(table, setting.switches, reading, letters, self.effort, self.tick)
            if found is not None:
                self._reading(found, setting, reading, letters[1], started)

    def _reading(self, found: Difference, setting: Setting, reading: ir.Reading, letter: str, started: float) -> None:
        self.parted.add((reading.rule, letter))
        scope = scope_of(found.world, setting.switches - reading.switches, found.deck, self.edition, self.effort)
        self.searched.findings.append(
            reading_finding(found, setting.switches, reading, scope, time.monotonic() - started)
        )


def _one_for_each_invariant(witnesses: Iterable[Witness]) -> list[Witness]:
    """All of them, but of those that break one invariant only the best: it is false, in however many ways."""
    chosen: dict[tuple[str, tuple[str, ...]], Witness] = {}
    for witness in witnesses:
        broken = witness.stop.family is Family.INVARIANT
        key = (witness.stop.code.name, witness.stop.rules[:1] if broken else witness.stop.rules)
        known = chosen.get(key)
        if known is None or witness.better_than(known):
            chosen[key] = witness
    return list(chosen.values())


DEAD_ENDS_MAX = 12


def _worth_a_look(sightings: Sequence[Sighting], seen: dict[tuple[int, ...], int]) -> Iterator[Sighting]:
    """Sightings that are new or shorter than what was seen of the same kind, place and clauses under other switches;
    dead
    ends, of which one cause shows in many forms, only the shortest few."""
    dead_ends = 0
    for sighting in sorted(sightings, key=lambda s: s.found.length):
        found = sighting.found
        key = (int(found.kind), found.place, found.first, found.second)
        if found.kind is FoundKind.DEAD_END:
            dead_ends += 1
            if dead_ends > DEAD_ENDS_MAX:
                continue
        if found.length < seen.get(key, 1 << 30):
            seen[key] = found.length
            yield sighting


def departures(setting: Setting) -> Iterator[frozenset[str]]:
    """The switches in force, then each single departure to another reading (core decision D20)."""
    yield setting.switches
    for reading in setting.norms.readings:
        for letter, _ in reading.options:
            if reading.switch(letter) not in setting.switches:
                yield reading.read_as(letter, setting.switches)


def _named_departure(finding: Finding, witness: Witness) -> Finding:
    """A finding under a reading that is not the adopted one names it: to list a reading is to say that the text
    allows it."""
    others = [
        (reading, letter)
        for reading in witness.world.norms.readings
        for letter, _ in reading.options
        if reading.switch(letter) in witness.switches and letter != reading.adopted
    ]
    if not others:
        return finding
    reading, letter = others[0]
    rules = finding.rules if reading.rule in finding.rules else (*finding.rules, reading.rule)
    title = Text(
        f"{finding.title.ru} (если {reading.rule} читать по {letter})",
        f"{finding.title.en} (if {reading.rule} is read as {letter})",
    )
    return replace(finding, rules=rules, title=title)


def scope_of(world: World | Table, switches: Iterable[str], deck: int, edition: str, effort: Effort) -> Scope:
    """What a witness of this world speaks about."""
    norms = world.norms
    names = norms.sort(norms.card_sort).values
    return Scope(
        deck=str(len(norms.deck) or len(names)),
        players=str(norms.player_count),
        cards=tuple(names[card] for card in cards_of(deck)) if deck else (),
        switches=tuple(sorted(switches)),
        edition=edition,
        budget=effort.described(world.native),
    )
