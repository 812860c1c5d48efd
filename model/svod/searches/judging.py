"""In: a judge's case, the words that map it, and whoever makes norms and plays them. Out: a ruling.

A case is played in every way that fits it: with every start that its silence allows, and with several choices of what
somebody pays. An answer is settled if all of them agree. Then the case is played under every other reading, one at a
time, and where an answer changes the ruling says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.parameters import parameters_of
from svod.norms.watching import watched
from svod.rulebook.book import Book
from svod.searches.case_clauses import Clauses
from svod.searches.case_events import Course
from svod.searches.case_outcomes import agrees
from svod.searches.case_positions import starts
from svod.searches.case_reading import Event, read_events
from svod.searches.case_ways import Answer, Other, Question, alone, answer_of, colliding, differs, ways
from svod.searches.case_words import CaseWords, Words
from svod.searches.cases import (
    Complaints,
    Places,
    Table,
    Unreadable,
    given_position,
    parameters_of_case,
    seated,
)
from svod.searches.citations import Answered, Citation, cite
from svod.searches.players import Player

CASE_FIELDS = frozenset(
    {"id", "title", "tags", "players", "variants", "position", "events", "questions", "expected", "rules", "why"}
)
QUESTION_FIELDS = frozenset({"q", "at", "ask", "who"})


class Makers(Protocol):
    """Makes norms at parameters and players of them, all of one book."""

    @property
    def book(self) -> Book: ...

    def norms(self, parameters: Mapping[str, int], problems: Problems) -> ir.Norms | None: ...

    def switches(self, norms: ir.Norms, variants: Sequence[str], problems: Problems) -> frozenset[str]: ...

    def player(self, norms: ir.Norms, switches: frozenset[str]) -> Player: ...


@dataclass(frozen=True, slots=True)
class Case:
    """A case as data, and where each part of it stands in its text."""

    data: Mapping[str, object]
    places: Places


@dataclass(frozen=True, slots=True)
class Ruling:
    """`course` is the first way in which the case may have gone, `ways` their number. `rules`: what the answers rest
    on, deciding rules first. `unread`: pieces of the telling that no phrase read. `missing`: rules that the case names
    and the ruling does not."""

    name: str
    title: str
    norms: ir.Norms
    table: Table
    course: Course
    ways: int
    answers: tuple[Answer, ...]
    rules: tuple[Citation, ...]
    unread: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether no expected answer is missed."""
        return all(answer.agrees is not False for answer in self.answers)

    @property
    def settled(self) -> bool:
        """Whether the rules in force answer everything."""
        return all(answer.settled for answer in self.answers)


def judge(case: Case, words: Words, layout: CaseWords, makers: Makers, problems: Problems) -> Ruling | None:
    """The ruling on a case; None, with problems reported, if there can be no such case."""
    complaints = Complaints(problems, case.places)
    try:
        return _Judging(case.data, words, layout, makers, complaints).ruling()
    except Unreadable as wrong:
        complaints.add(wrong)
        return None


class _Judging:
    """One case under way."""

    def __init__(
        self, data: Mapping[str, object], words: Words, layout: CaseWords, makers: Makers, complaints: Complaints
    ) -> None:
        self.data = data
        self.words = words
        self.layout = layout
        self.makers = makers
        self.complaints = complaints
        self._agreed: list[tuple[Answer, Table, Course]] = []  # what all sides of a quarrel give, by one of them

    def ruling(self) -> Ruling | None:
        table = self._table()
        if table is None:
            return None
        found = self._courses(table)
        events = self._events
        questions = tuple(self._questions(table, events))
        if self.complaints.stopped:
            return None
        plain = self._plain(table, found, questions)
        if plain is None:
            return None
        answers = self._under_readings(table, questions, plain)
        answers = [self._compared(self._with_sides(table, answer)) for answer in answers]
        rules = self._cited(table, found[0], answers)
        wanted = self.data.get("rules")
        cited = {citation.rule for citation in rules}
        missing = tuple(str(rule) for rule in wanted if str(rule) not in cited) if isinstance(wanted, list) else ()
        name, title = str(self.data.get("id", "")), str(self.data.get("title", ""))
        return Ruling(
            name, title, table.norms, table, found[0], len(found), tuple(answers), rules, self._telling.unread, missing
        )

    # ------------------------------------------------------------------------------------------------ table

    def _table(self) -> Table | None:
        for name in self.data:
            if name not in (*CASE_FIELDS, *self.words.parameters, *self.layout.given):
                self.complaints.add(
                    Unreadable(f"у случая нет поля «{name}»", f"a case has no field “{name}”", (str(name),))
                )
        phase = given_position(self.data).get("phase")
        if not isinstance(phase, str) or phase not in self.layout.phases:
            raise Unreadable(f"неизвестна фаза «{phase}»", f"unknown phase “{phase}”", ("position", "phase"))
        seats = seated(self.data)
        problems = self.complaints.problems
        self._check_parameters()
        own = Problems()
        norms = self.makers.norms(parameters_of_case(self.data, self.words), own)
        for problem in own:
            problems.add(problem)
        if norms is None:
            return None
        if norms.player_count != len(seats):
            count = norms.player_count
            raise Unreadable(
                f"за столом должно быть игроков: {count}", f"there have to be {count} players", ("players",)
            )
        variants = self.data.get("variants") or []
        own = Problems()
        names = [str(name) for name in variants] if isinstance(variants, list) else [str(variants)]
        switches = self.makers.switches(norms, names, own)
        for problem in own:
            problems.report(problem.code, problem.message, self.complaints.places(("variants",)), help=problem.help)
        if own.has_errors:
            return None
        return self._seated(watched(norms), switches, phase, seats)

    def _check_parameters(self) -> None:
        """The values that a case gives must be among those that the rulebook allows."""
        allowed = {parameter.name: parameter.choices for parameter in parameters_of(self.makers.book)}
        fields = {name: word for word, name in self.words.parameters.items()}
        for name, value in parameters_of_case(self.data, self.words).items():
            if name in allowed and allowed[name] and value not in allowed[name]:
                known = ", ".join(map(str, allowed[name]))
                raise Unreadable(
                    f"«{fields[name]}» не может быть {value}; может: {known}",
                    f"“{fields[name]}” cannot be {value}; it may be: {known}",
                    (fields[name],),
                )

    def _seated(self, norms: ir.Norms, switches: frozenset[str], phase: str, seats: tuple[str, ...]) -> Table:
        player = self.makers.player(norms, switches)
        return Table(
            norms, player, Clauses(norms, switches), self.words, self.layout, self.layout.phases[phase], seats, switches
        )

    # ---------------------------------------------------------------------------------------------- courses

    def _courses(self, table: Table) -> tuple[Course, ...]:
        """Every way in which the case may have gone."""
        self._events = read_events(table, self.data, self.complaints)
        begun, past = starts(table, self.data, self.complaints)
        unread = (*past.unread, *(piece for event in self._events for piece in event.text.unread))
        self._telling = replace(past, unread=unread)
        return () if self.complaints.stopped else tuple(ways(table, begun, self._events))

    def _questions(self, table: Table, events: Sequence[Event]) -> Iterator[Question]:
        listed = self.data.get("questions") or []
        if not isinstance(listed, list):
            raise Unreadable("вопросы не списком", "the questions are no list", ("questions",))
        moments = {0, *(event.number for event in events), *self._numbers_given()}
        seen: set[str] = set()
        for place, entry in enumerate(listed):
            try:
                question = self._question(table, entry, place + 1, moments)
                if question.number in seen:
                    raise Unreadable(
                        f"вопрос {question.number} задан дважды", f"question {question.number} is asked twice"
                    )
                seen.add(question.number)
                yield question
            except Unreadable as wrong:
                self.complaints.add(wrong, ("questions", place))
        self._check_keys(seen)

    def _check_keys(self, seen: set[str]) -> None:
        """The expected answers and rules, where the case gives them."""
        rules, expected = self.data.get("rules"), self.data.get("expected")
        if rules is not None and not isinstance(rules, list):
            self.complaints.add(Unreadable("правила не списком", "the rules are no list", ("rules",)))
        if expected is not None and not isinstance(expected, Mapping):
            message = ("ожидаемые ответы не по номерам вопросов", "the expected answers are not by number of question")
            self.complaints.add(Unreadable(*message, ("expected",)))
        told: set[str] = set()
        for number in expected if isinstance(expected, Mapping) else ():
            if str(number) in told:
                self.complaints.add(
                    Unreadable(f"ответ {number} дан дважды", f"answer {number} is given twice", ("expected", number))
                )
            told.add(str(number))
            if str(number) not in seen:
                self.complaints.add(
                    Unreadable(f"вопроса {number} нет", f"there is no question {number}", ("expected", number))
                )

    def _numbers_given(self) -> Iterator[int]:
        """Numbers of the events as they stand: a broken event is told once, not for every question about it."""
        listed = self.data.get("events")
        for place, entry in enumerate(listed if isinstance(listed, list) else [], 1):
            number = entry.get("n", place) if isinstance(entry, Mapping) else place
            if isinstance(number, int):
                yield number

    def _question(self, table: Table, entry: object, place: int, moments: set[int]) -> Question:
        if not isinstance(entry, Mapping):
            raise Unreadable("вопрос не объект", "a question is no object")
        asked, number = str(entry.get("ask")), str(entry.get("q", place))
        form = table.layout.questions.get(asked)
        if form is None:
            raise Unreadable(f"в словаре нет вопроса «{asked}»", f"the vocabulary has no question “{asked}”")
        moment = entry.get("at", max(moments))
        if not isinstance(moment, int) or isinstance(moment, bool) or moment not in moments:
            raise Unreadable(f"вопрос {number}: нет события {moment}", f"question {number}: there is no event {moment}")
        unknown = next((name for name in entry if str(name) not in QUESTION_FIELDS), None)
        if unknown is not None:
            raise Unreadable(f"у вопроса нет поля «{unknown}»", f"a question has no field “{unknown}”")
        who = entry.get("who")
        for name in who if isinstance(who, list) else [] if who is None else [who]:
            table.seat(name)
        return Question(number, asked, form, moment, who)

    # ---------------------------------------------------------------------------------------------- answers

    def _plain(self, table: Table, found: Sequence[Course], questions: Sequence[Question]) -> list[Answer] | None:
        """Every answer; None if there is a question that cannot be asked, each told with its place."""
        answers = []
        for place, question in enumerate(questions):
            try:
                answers.append(answer_of(table, self.data, found, question))
            except Unreadable as wrong:
                self.complaints.add(wrong, ("questions", place))
        return answers if len(answers) == len(questions) else None

    def _under_readings(self, table: Table, questions: Sequence[Question], plain: Sequence[Answer]) -> list[Answer]:
        """The answers, with those that another reading would give."""
        others: list[list[Other]] = [[] for _ in questions]
        for reading in table.norms.readings:
            adopted = reading.letter(table.switches)
            for letter, _ in reading.options:
                if letter == adopted:
                    continue
                switches = reading.read_as(letter, table.switches)
                condition = Text(f"{reading.rule}, прочтение {letter}", f"{reading.rule}, reading {letter}")
                for place, answer in enumerate(self._answers_with(table, switches, questions)):
                    if differs(answer, plain[place]):
                        others[place].append(Other(condition, answer.value, answer.why, answer.clauses))
        return [replace(answer, readings=tuple(found)) for answer, found in zip(plain, others, strict=True)]

    def _answers_with(self, table: Table, switches: frozenset[str], questions: Sequence[Question]) -> list[Answer]:
        """The answers under other switches."""
        player = self.makers.player(table.norms, switches)
        other = replace(table, player=player, clauses=Clauses(table.norms, switches), switches=switches)
        return self._answered(other, questions)[0]

    def _answered(self, other: Table, questions: Sequence[Question]) -> tuple[list[Answer], Course | None]:
        """The answers at another table, and how the case went there; why none, if it cannot be there."""
        quiet = Complaints(Problems(), lambda path: None)
        try:
            begun, _ = starts(other, self.data, quiet)
            found = tuple(ways(other, begun, self._events))
        except Unreadable as wrong:
            return [Answer(question, None, False, wrong.text) for question in questions], None
        return [answer_of(other, self.data, found, question) for question in questions], found[0]

    def _cited(self, table: Table, course: Course, answers: Sequence[Answer]) -> tuple[Citation, ...]:
        """The rules that the answers rest on, and those that leave one open."""
        open_ = [clause for a in answers if not a.settled or a.sides for clause in a.clauses]
        cited = list(self._cited_at(table, course, [a for a in answers if a.settled and not a.sides], open_))
        for answer, other, went in self._agreed:
            known = {citation.rule for citation in cited}
            cited += [each for each in self._cited_at(other, went, [answer], ()) if each.rule not in known]
        return tuple(sorted(cited, key=lambda citation: citation.rank))

    def _cited_at(
        self, table: Table, course: Course, answers: Sequence[Answer], open_: Sequence[str]
    ) -> tuple[Citation, ...]:
        told = [Answered(a.question.form, a.question.moment, a.question.who, a.value) for a in answers]
        return cite(table, self.data, course, self._telling, told, self.makers.book, open_)

    def _with_sides(self, table: Table, given: Answer) -> Answer:
        """Where clauses stand against each other: what each of them alone would give. Where that is the same, the
        quarrel leaves the question alone and it is settled."""
        clauses = colliding(table, given)
        sides = []
        agreed = []
        for kept in clauses:
            rule = table.clauses.by_id[kept].head.rule
            other = alone(table, clauses, kept)
            (found,), course = self._answered(other, [given.question])
            sides.append(Other(Text(f"по {rule}", f"by {rule}"), found.value, found.why, found.clauses))
            if found.settled and course is not None:
                agreed.append((found, other, course))
        if not sides:
            return given
        settled = len(agreed) == len(sides) and all(found.value == agreed[0][0].value for found, _, _ in agreed)
        if settled:
            self._agreed += agreed[:1]
        return replace(given, value=agreed[0][0].value if settled else None, settled=settled, sides=tuple(sides))

    def _compared(self, answer: Answer) -> Answer:
        expected = self.data.get("expected")
        if not isinstance(expected, Mapping):
            return answer
        keys = [key for key in expected if str(key) == answer.question.number]
        if not keys:
            return answer
        wanted = expected[keys[0]]
        partly = answer.question.form.kind == "each"
        return replace(answer, expected=wanted, agrees=answer.settled and agrees(answer.value, wanted, partly=partly))
