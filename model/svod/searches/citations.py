"""In: one way in which a case went, and its answers. Out: the rules that they rest on, deciding ones first.

To the rules of the single answers are added those that belong to them in the book: invariants, items without clauses
of their own, definitions that depend on a parameter, and rules that a telling of the past brings in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from svod.naive.mentions import parts
from svod.norms import ir
from svod.norms.parameters import parameters_of
from svod.norms.trace import Act, Status
from svod.rulebook import numbers
from svod.rulebook.book import Book, BookItem
from svod.rulebook.references import prose_mentions, resolve_mention
from svod.searches.case_answers import Asking
from svod.searches.case_events import Course
from svod.searches.case_facts import Telling
from svod.searches.case_outcomes import Unsettled
from svod.searches.case_words import Form
from svod.searches.cases import Table
from svod.searches.citation_reading import Place, Reading
from svod.searches.citing import DECIDES, REMARKS, SUPPORTS, Chain, Citing
from svod.syntax import tree

ACT = "act:"


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
    table: Table, data: Mapping[str, object], course: Course, telling: Telling, answers: Sequence[Answered], book: Book
) -> tuple[Citation, ...]:
    """The rules behind the answers."""
    reading = Reading(table.norms, table.clauses, table.switches)
    chain = Chain()
    places: set[str] = set()
    for answered in answers:
        asking = Asking(table, data, course, answered.moment, answered.who)
        question = _Question(Citing(asking, reading, telling, chain), answered)
        try:
            question.cite()
        except Unsettled:
            continue
        places |= {name for name, _ in question.places}
    for rule in telling.rules:
        chain.add(rule, REMARKS)
    _Belonging(reading, chain, book, places).add()
    ranked = sorted((rank, place, rule) for place, (rule, (rank, _)) in enumerate(chain.found.items()))
    return tuple(
        Citation(rule, rank, tuple(chain.found[rule][1])) for rank, _, rule in ranked if not rule.startswith(ACT)
    )


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
            case "turn":
                self._turn()
            case "zone" | "zones" | "size" | "filled":
                self._zone(form.kind, name)
            case "value" | "values" | "each" | "seats" | "left" | "left_now" | "last" | "has_last" | "changed" | "owed":
                self._value(name)
            case "risen":
                self._written(name)
            case "duties":
                self._duties(form.names)
            case "forced" | "target":
                self._forced(form.names)
            case "over":
                self._over()

    # ------------------------------------------------------------------------------------------------- acts

    def _acts(self, words: Sequence[str]) -> None:
        seat = self.asking.table.seat(self.asking.who)
        for act in self._possible(words):
            if self.asking.actor(act) == seat:
                self.citing.judged(self.asking.now(), act, DECIDES, verdict=False)

    def _possible(self, words: Sequence[str]) -> list[Act]:
        names = {action.name for word in words for action in self.asking.table.actions(word)}
        return [act for act in self.asking.table.player.possible_acts(self.asking.now()) if act.action in names]

    def _verdict(self) -> None:
        done = self.asking.main()
        self.citing.breaches(done, DECIDES)
        self.citing.judged(done.before, done.act, DECIDES, verdict=True)
        if done.after is not None and done.status is not Status.LAWFUL:
            for identifier in self.asking.table.clauses.broken(done.before, done.after):
                self.citing.clause(identifier, SUPPORTS)

    def _penalty(self) -> None:
        punished = self.asking.punished()
        for offender, number in punished:
            for done in reversed(self.citing.steps()):
                breaches = self.asking.table.clauses.breaches(done.before, done.act)
                if any(breach.number == number and offender in breach.offenders for breach in breaches):
                    self.citing.breaches(done, DECIDES)
                    break
        if not punished:
            for done in self.citing.event_steps():
                self.citing.escaped_breaches(done)
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
            seats = (
                range(len(self.asking.table.seats)) if kind == "zones" else [self.asking.table.seat(self.asking.who)]
            )
        self.places += [(name, seat) for seat in seats]
        own = [(zone.name, seat) for zone in zones.values() if zone.owned for seat in seats if seat is not None]
        self.citing.places(own if kind == "zone" and own else self.places, DECIDES, asked=kind == "zones")

    def _written(self, name: str) -> None:
        """The triggers of the event that wrote a register."""
        for done in self.citing.event_steps():
            self.citing.wrote(done, [name], DECIDES)

    # ------------------------------------------------------------------------------------------------- values

    def _turn(self) -> None:
        name = self.asking.table.phase.turn
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


class _Belonging:
    """What belongs to cited rules in the book."""

    def __init__(self, reading: Reading, chain: Chain, book: Book, places: set[str]) -> None:
        self.reading = reading
        self.chain = chain
        self.book = book
        self.zones = places
        self.order = tuple(item.number for item in book.items)

    def add(self) -> None:
        """Add everything that belongs to what has been found."""
        for key in [key for key in self.chain.found if key.startswith(ACT)]:
            self._elaborations(key.removeprefix(ACT))
        self._invariants()
        self._definitions()
        self._informative()

    def _close(self) -> set[str]:
        return {rule for rule, (rank, _) in self.chain.found.items() if rank <= SUPPORTS and not rule.startswith(ACT)}

    def _elaborations(self, name: str) -> None:
        """Rules that answer such an act and whose prose refers to the rule that declares it."""
        declared = self.reading.actions[name].rule
        for item in self.book.items:
            names = {reference.number for reference in item.references}
            answers = any(
                isinstance(clause.cause, ir.OnAct) and clause.cause.action == name and clause.head.rule == item.number
                for clause in self.reading.triggers
            )
            if answers and declared in names:
                self.chain.add(item.number, SUPPORTS)

    def _invariants(self) -> None:
        """Those that name two rules found, or speak of two zones and only of zones asked about."""
        close = self._close()
        for clause in self.reading.norms.clauses:
            if not isinstance(clause, ir.Invariant):
                continue
            item = self.book.find(clause.head.rule)
            guarded = {each.number for each in item.references} & close if item is not None else set()
            zones = {part.zone for part in parts((clause.holds, clause.head.guard)) if isinstance(part, ir.ZoneRef)}
            if len(guarded) > 1 or (len(zones) > 1 and zones <= self.zones):
                self.chain.add(clause.head.rule, REMARKS, clause.head.id)

    def _definitions(self) -> None:
        """Where a parameter has not its first value: orders that depend on it, and terms that name their ends."""
        chosen = dict(self.reading.norms.parameters)
        special = {p.name for p in parameters_of(self.book) if not p.seats and chosen.get(p.name) != str(p.default)}
        sorts = {
            statement.name: item.number
            for item in self.book.items
            for statement in item.statements
            if isinstance(statement, tree.SortDeclaration) and statement.condition is not None
        }
        if not special or not sorts:
            return
        clauses = [self.reading.by_id[each] for _, found in self.chain.found.values() for each in found]
        for clause in [each for each in clauses if each.head.rule in self._close()]:
            for read in self._read(clause):
                kinds = {type(part) for part in parts((read.head.guard, read.value))}
                if ir.Extreme in kinds:
                    self.chain.add(read.head.rule, SUPPORTS, read.head.id)
                elif ir.StepValue in kinds or any(
                    isinstance(part, ir.Compare)
                    and part.relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL)
                    and isinstance(part.left, ir.Component)
                    for part in parts((read.head.guard, read.value))
                ):
                    for number in sorts.values():
                        self.chain.add(number, SUPPORTS)

    def _read(self, clause: ir.Clause) -> list[ir.TermClause]:
        """Clauses of all terms that a clause reads, and of what they read."""
        found: dict[str, None] = {}
        waiting: list[object] = [clause]
        while waiting:
            for part in parts(waiting.pop()):
                if isinstance(part, ir.ReadTerm) and part.term not in found:
                    found[part.term] = None
                    waiting += self.reading.terms.get(part.term, ())
        read = [each for name in found for each in self.reading.terms.get(name, ())]
        return [*([clause] if isinstance(clause, ir.TermClause) else []), *read]

    # -------------------------------------------------------------------------------------------- informative

    def _informative(self) -> None:
        """Items without clauses that refer to a rule that decides, near it in the book or of a variant in force."""
        deciding = {rule for rule, (rank, _) in self.chain.found.items() if rank == DECIDES}
        declared = {zone.rule for zone in self.reading.norms.zones if zone.name in self.zones}
        on = {
            rule
            for variant in self.reading.norms.variants
            if variant.name in self.reading.switches
            for rule in variant.rules
        }
        for item in self.book.items:
            if item.status is None or item.status.kind != "informative":
                continue
            for number in self._named(item):
                near = _chapter(number) == _chapter(item.number)
                varied = bool({number, item.number} & on)
                if (number in deciding and (near or varied)) or (number in declared and self._same_zone(item)):
                    self.chain.add(item.number, REMARKS)

    def _named(self, item: BookItem) -> Iterator[str]:
        yield from (reference.number for reference in item.references)
        if item.status is not None:
            for mention in prose_mentions(item.status.reason, self.order):
                ends = [resolve_mention(each, self.order) for each in (mention.number, mention.range_to) if each]
                known = [each for each in ends if each is not None]
                if len(known) == 2:
                    low, high = sorted(self.order.index(each) for each in known)
                    known = list(self.order[low : high + 1])
                yield from known

    def _same_zone(self, item: BookItem) -> bool:
        """A remark on a zone counts where rules of its own chapter decide."""
        return any(_chapter(rule) == _chapter(item.number) for rule in self._close())


def _chapter(number: str) -> tuple[str, int] | None:
    found = numbers.parts(number)
    return None if found is None else (found.prefix, found.path[0])


def rules_of_citations(citations: Iterable[Citation]) -> tuple[str, ...]:
    """The numbers alone."""
    return tuple(citation.rule for citation in citations)
