"""In: one way in which a case went, and its answers. Out: the rules that they rest on, deciding ones first.

To the rules of the single answers are added those that belong to them in the book, and those that a telling of the past
brings in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from svod.naive.mentions import parts
from svod.norms import ir
from svod.norms.trace import Act, Position, Status
from svod.rulebook.book import Book
from svod.searches.belonging import Belonging
from svod.searches.case_answers import Asking
from svod.searches.case_events import Course
from svod.searches.case_facts import Telling
from svod.searches.case_outcomes import Unsettled
from svod.searches.case_words import Form
from svod.searches.cases import Table, given_position
from svod.searches.citation_reading import ACT, DECIDES, REMARKS, SUPPORTS, Chain, Place, Reading
from svod.searches.citing import Citing
from svod.searches.plays import action_named


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule, in how far it decides (smaller is closer), and which of its clauses had a part."""

    rule: str
    rank: int
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that has an answer."""

    form: Form
    moment: int
    who: object
    value: object


def cite(
    table: Table,
    data: Mapping[str, object],
    course: Course,
    telling: Telling,
    answers: Sequence[Answered],
    book: Book,
    open_: Sequence[str] = (),
) -> tuple[Citation, ...]:
    """The rules behind the answers; `open_` are clauses that leave one open."""
    reading = Reading(table.norms, table.clauses, table.switches)
    chain = Chain()
    places: set[str] = set()
    together: list[set[str]] = []
    for answered in answers:
        asking = Asking(table, data, course, answered.moment, answered.who)
        own = Chain()
        question = _Question(Citing(asking, reading, telling, own), answered)
        try:
            question.cite()
        except Unsettled:
            continue
        chain.take(own)
        together.append({rule for rule, (rank, _) in own.found.items() if rank <= SUPPORTS})
        places |= {name for name, _ in question.places}
    for identifier in open_:
        if identifier in reading.by_id:
            chain.add(reading.by_id[identifier].head.rule, DECIDES, identifier)
    for rule in (*telling.rules, *_standing(table, data, course), *_lying(table, data)):
        chain.add(rule, REMARKS)
    Belonging(reading, chain, book, places, together, course.start).add()
    ranked = sorted((rank, place, rule) for place, (rule, (rank, _)) in enumerate(chain.found.items()))
    return tuple(
        Citation(rule, rank, tuple(chain.found[rule][1])) for rank, _, rule in ranked if not rule.startswith(ACT)
    )


def _standing(table: Table, data: Mapping[str, object], course: Course) -> Iterator[str]:
    """What gives somebody a part in the case whom it lists as standing apart (gone out, away): the rules of the
    registers by which such players are told."""
    position = given_position(data, table.layout.given)
    apart: set[str] = set()
    rules: list[str] = []
    for word, forms in table.layout.given.items():
        marked = [form.names[0] for form in forms if form.kind in ("mark", "clear")]
        registers = [register for register in map(table.register, marked) if register is not None]
        rules += [register.rule for register in registers]
        listed = position.get(word)
        if registers and isinstance(listed, list):
            apart |= {str(name) for name in listed}
    taking_part = {
        table.seats[value]
        for happened in course.events.values()
        for done in happened.done
        if done.own
        for parameter, value in zip(
            action_named(table.norms, done.act.action).parameters, done.act.arguments, strict=True
        )
        if parameter.sort == table.norms.seats
    }
    if apart & taking_part:
        yield from dict.fromkeys(rules)


def _lying(table: Table, data: Mapping[str, object]) -> Iterator[str]:
    """For cards that the case shows in a place which only one kind of act takes from: the rule of that act."""
    position = given_position(data, table.layout.given)
    for word, forms in table.layout.given.items():
        for form in forms:
            zone = next((zone for zone in table.norms.zones if form.kind == "zone" and zone.name in form.names), None)
            held = position.get(word)
            if zone is None or not zone.owned or zone.pile or not isinstance(held, Mapping) or not any(held.values()):
                continue
            taking = [
                action for action in table.norms.actions if any(move.source.zone == zone.name for move in action.body)
            ]
            if len(taking) == 1:
                yield taking[0].rule


class _Question:
    """One question: what its form makes of the course."""

    def __init__(self, citing: Citing, answered: Answered) -> None:
        self.citing = citing
        self.asking = citing.asking
        self.answered = answered
        self.places: list[Place] = []

    def cite(self) -> None:
        """Cite what the answer rests on."""
        form = self.answered.form
        name = form.names[0] if form.names else ""
        if form.by is not None:
            self.citing.rule(form.by, SUPPORTS)
        match form.kind:
            case "acts" | "cards":
                self._acts(form.names)
            case "verdict" | "violation":
                self._verdict()
            case "penalty" | "offenders":
                self._penalty()
            case "owed_now":
                self._written(name)
                self._broken(REMARKS)
                self.citing.raised(REMARKS)
            case "turn":
                self._turn()
            case "zone" | "zones" | "size" | "filled":
                self._zone(form.kind, name)
            case "value" | "values" | "each" | "seats" | "left" | "left_now" | "last" | "has_last" | "changed" | "owed":
                self._value(name)
            case "risen":
                self._written(name, since=self.asking.outset())
                if not self.answered.value:
                    self._not_risen(name)
                self._obliged()
            case "duties":
                self._duties(form.names)
            case "forced" | "target":
                self._forced(form.names)
            case "over":
                self._over()

    # ------------------------------------------------------------------------------------------------- acts

    def _acts(self, words: Sequence[str]) -> None:
        seat, now = self.asking.asked_seat(), self.asking.now()
        acts = [act for act in self._possible(words) if self.asking.actor(act) == seat]
        lawful = {act.action for act in self.asking.table.player.acts(now) if self.asking.actor(act) == seat}
        for act in acts:
            self.citing.judged(now, act, DECIDES, verdict=False, unpermitted=act.action not in lawful)

    def _possible(self, words: Sequence[str]) -> list[Act]:
        names = {action.name for word in words for action in self.asking.table.actions(word)}
        return [act for act in self.asking.table.player.possible_acts(self.asking.now()) if act.action in names]

    def _obliged(self) -> None:
        """The duty by which the event's act was done, if it was one."""
        for done in self.citing.event_steps():
            for each in self.asking.table.player.decide(done.before, done.act).permitted_by if done.own else ():
                if isinstance(self.citing.reading.by_id[each], ir.Duty):
                    self.citing.clause(each, REMARKS)

    def _not_risen(self, name: str) -> None:
        register = self.asking.table.register(name)
        if register is not None:
            self.citing.rule(register.rule, SUPPORTS)

    def _verdict(self) -> None:
        if self.asking.happened().prelude:
            for action in self.asking.table.actions(self.asking.happened().word):
                self.citing.rule(action.rule, DECIDES)
            return
        done = self.asking.main()
        self.citing.breaches(done, DECIDES)
        self.citing.judged(done.before, done.act, DECIDES, verdict=True)
        if done.after is not None and done.status is not Status.LAWFUL:
            for identifier in self.asking.table.clauses.broken(done.before, done.after):
                self.citing.clause(identifier, SUPPORTS)

    def _broken(self, rank: int) -> tuple[tuple[int, int], ...]:
        """What was broken by those whom the event punishes."""
        punished = self.asking.punished()
        for offender, number in punished:
            for done in reversed(self.citing.steps()):
                breaches = self.asking.table.clauses.breaches(done.before, done.act)
                if any(breach.number == number and offender in breach.offenders for breach in breaches):
                    self.citing.breaches(done, rank)
                    break
        return punished

    def _penalty(self) -> None:
        punished = self._broken(DECIDES)
        self.citing.lapsed()
        if not punished:
            for done in self.citing.event_steps():
                self.citing.escaped_breaches(done)
                if done.own and done.status is Status.UNLAWFUL:
                    self.citing.judged(done.before, done.act, SUPPORTS, verdict=False)
        self.citing.claimed()
        self.citing.raised(SUPPORTS)

    def _forced(self, words: Sequence[str]) -> None:
        """Acts that are the only lawful ones, and what makes them so; where there are none, what would."""
        reading, cited = self.citing.reading, False
        names = {action.name for word in words for action in self.asking.table.actions(word)}
        for act in self.asking.table.player.acts(self.asking.now()):
            if act.action in names:
                self.citing.judged(self.asking.now(), act, DECIDES, verdict=False)
                cited = True
        for clause in reading.norms.clauses if not cited else ():
            if isinstance(clause, ir.Duty) and clause.action in names:
                self.citing.clause(clause.head.id, SUPPORTS)
                self.citing.nested(clause)
        self.places += [(zone.name, None) for zone in self._zones_of(names)]

    def _zones_of(self, names: set[str]) -> Iterator[ir.Zone]:
        """Zones between which the acts move cards."""
        bodies = [action.body for action in self.citing.norms.actions if action.name in names]
        moved = {part.zone for part in parts(tuple(bodies)) if isinstance(part, ir.ZoneRef)}
        return (zone for zone in self.citing.norms.zones if zone.name in moved)

    def _duties(self, words: Sequence[str]) -> None:
        for word in words:
            for action in self.asking.table.actions(word):
                for clause, _, _ in self.asking.table.clauses.duties(self.asking.now(), action.name):
                    self.citing.clause(clause.head.id, DECIDES)

    # ------------------------------------------------------------------------------------------------ places

    def _zone(self, kind: str, name: str) -> None:
        zones = {zone.name: zone for zone in self.citing.norms.zones}
        if kind == "filled":
            self.citing.filled(name, holds=bool(self.answered.value))
            return
        seats: Sequence[int | None] = [None]
        if name in zones and zones[name].owned:
            seats = range(len(self.asking.table.seats)) if kind == "zones" else [self.asking.asked_seat()]
        self.places += [(name, seat) for seat in seats]
        parts_of = self.answered.form.names[1:] if kind == "zone" else ()
        looked = [*self.places, *((each, None) for each in parts_of)]
        own = [(zone.name, seat) for zone in zones.values() if zone.owned for seat in seats if seat is not None]
        self.citing.places(own if kind == "zone" and own else looked, DECIDES, asked=kind == "zones")

    def _written(self, name: str, since: Position | None = None) -> None:
        """The triggers of the event, or of everything since a position, that wrote a register."""
        steps = self.citing.event_steps()
        if since is not None:
            steps = list(dropwhile(lambda done: done.before is not since, self.citing.steps())) or steps
        for done in steps:
            self.citing.wrote(done, [name], DECIDES)

    # ------------------------------------------------------------------------------------------------- values

    def _turn(self) -> None:
        name = self.asking.table.turn(self.asking.now())
        if name is None:
            return
        register = self.asking.table.register(name)
        if register is not None:
            self._register(register)
        elif self.asking.moment == 0 or not self.citing.same_reason(name):
            self.citing.term(name, (), DECIDES)
        if self.asking.moment:
            self.citing.permitted(self.asking.main(), SUPPORTS)

    def _register(self, register: ir.Register) -> None:
        written = [self.citing.wrote(done, [register.name], DECIDES) for done in self.citing.steps()]
        self.citing.rule(register.rule, SUPPORTS if any(written) else DECIDES)
        if not any(written):
            self.citing.writer(register.name, self.asking.now())

    def _value(self, name: str) -> None:
        register = self.asking.table.register(name)
        if register is not None:
            self._register(register)
            return
        term = next(each for each in self.citing.norms.terms if each.name == name)
        for arguments in self._arguments(term):
            self.citing.term(name, arguments, DECIDES)
        for clause in self.citing.reading.terms.get(name, ()):
            self._behind(clause)
            self._moved(name, clause)

    def _moved(self, name: str, clause: ir.TermClause) -> None:
        """Triggers that moved the cards by which the term came to be otherwise for a player."""
        zones = {part.zone for part in parts((clause.value, clause.head.guard)) if isinstance(part, ir.ZoneRef)}
        for inner in self.citing.reading.read_terms(clause.value):
            for each in self.citing.reading.terms.get(inner, ()):
                zones |= {part.zone for part in parts((each.value, each.head.guard)) if isinstance(part, ir.ZoneRef)}
        table = self.asking.table
        term = next(each for each in self.citing.norms.terms if each.name == name)
        if len(term.parameters) != 1:
            return
        for done in self.citing.steps():
            after = done.after
            if after is not None and any(
                table.value(done.before, name, seat) != table.value(after, name, seat)
                for seat in range(len(table.seats))
            ):
                self.citing.wrote(done, zones, SUPPORTS)

    def _arguments(self, term: ir.Term) -> Iterator[tuple[int, ...]]:
        """The arguments for which a term is looked at: those of players."""
        seats = range(len(self.asking.table.seats))
        if not term.parameters:
            yield ()
        elif len(term.parameters) == 1:
            yield from ((seat,) for seat in seats)
        else:
            yield from ((one, two) for one in seats for two in seats if one != two)

    def _behind(self, clause: ir.TermClause) -> None:
        """Terms of players that the value counts or reads, where they changed since the start; else nothing."""
        reading = self.citing.reading
        now, start = self.asking.now(), self.asking.course.start
        for register in reading.read_registers(clause.value, clause.head.guard):
            self.citing.writer(register, now)
        for name in reading.read_terms(clause.value, clause.head.guard):
            term = next(each for each in self.citing.norms.terms if each.name == name)
            if len(term.parameters) != 1 or term.parameters[0].sort != self.citing.norms.seats:
                continue
            for seat in range(len(self.asking.table.seats)):
                if self.asking.table.value(start, name, seat) != self.asking.table.value(now, name, seat):
                    self.citing.term(name, (seat,), SUPPORTS)
                    for inner in reading.value_clauses(now, name, (seat,)):
                        for register in reading.read_registers(inner.value):
                            self.citing.writer(register, now)

    def _over(self) -> None:
        for clause in self.citing.norms.clauses:
            if isinstance(clause, ir.Ending):
                self.citing.clause(clause.head.id, DECIDES)
