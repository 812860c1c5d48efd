"""In: a judge's case and its words, norms and a player of them. Out: an answer to each question, or why none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Laid, Next, Position, Status
from svod.searches.case_words import CaseWords, Form, Words
from svod.searches.cases import (
    BAD_CASE,
    NO_SUCH_POSITION,
    Course,
    Happened,
    Table,
    Unreadable,
    courses,
    parameters_of_case,
    seated,
)
from svod.searches.players import Player

NormsFor: TypeAlias = Callable[[Mapping[str, int]], ir.Norms]
PlayerFor: TypeAlias = Callable[[ir.Norms, Sequence[str]], Player]
FORCED_MAX = 64  # acts in a row; a case that goes on longer is not settled


class Unsettled(Exception):
    """The rules give no answer in this course of the case."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`value` in the words of the case: a set where order means nothing, a tuple where it does. `settled`: the rules
    give one answer however the case came about; else `why` says what stands in the way."""

    question: str
    asked: str
    value: object
    settled: bool
    why: str = ""


def answer_case(
    data: Mapping[str, object],
    words: Words,
    layout: CaseWords,
    norms_for: NormsFor,
    player_for: PlayerFor,
    problems: Problems,
) -> tuple[Answer, ...]:
    """Answers to all questions of a case; none, with problems reported, if the case cannot be read."""
    try:
        position = data.get("position")
        phase = position.get("phase") if isinstance(position, Mapping) else None
        if not isinstance(phase, str) or phase not in layout.phases:
            raise Unreadable(f"неизвестна фаза «{phase}»", f"unknown phase “{phase}”")
        seats = seated(data)
        norms = norms_for(parameters_of_case(data, words))
        variants = data.get("variants") or []
        player = player_for(norms, [str(name) for name in variants] if isinstance(variants, list) else [])
        table = Table(norms, player, words, layout, layout.phases[phase], seats)
        possible = courses(table, data)
        if not possible:
            problems.report(NO_SUCH_POSITION, Text("такого положения нет", "there is no such position"), None)
            return ()
        return tuple(_answer(table, data, possible, question) for question in _questions(data))
    except Unreadable as reason:
        problems.report(BAD_CASE, reason.text, None)
        return ()


def agrees(value: object, expected: object) -> bool:
    """Whether an answer is the expected one: lists are compared without order where the answer is a set."""
    if isinstance(value, frozenset):
        return isinstance(expected, list) and len(expected) == len(value) and set(map(str, expected)) == value
    if isinstance(value, tuple):
        return isinstance(expected, list) and len(expected) == len(value) and all(map(agrees, value, expected))
    if isinstance(value, dict):
        return (
            isinstance(expected, Mapping)
            and set(value) == set(expected)
            and all(agrees(value[key], expected[key]) for key in value)
        )
    return type(value) is type(expected) and value == expected


def _questions(data: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    questions = data.get("questions") or []
    if not isinstance(questions, list):
        raise Unreadable("вопросы не списком", "the questions are no list")
    for question in questions:
        if not isinstance(question, Mapping):
            raise Unreadable("вопрос не объект", "a question is no object")
        yield question


def _answer(
    table: Table, data: Mapping[str, object], possible: Sequence[Course], question: Mapping[str, object]
) -> Answer:
    asked, number = str(question.get("ask")), str(question.get("q"))
    form = table.layout.questions.get(asked)
    if form is None:
        raise Unreadable(f"в словаре нет вопроса «{asked}»", f"the vocabulary has no question “{asked}”")
    moment = question.get("at")
    if not isinstance(moment, int) or (moment != 0 and moment not in possible[0].events):
        raise Unreadable(f"вопрос {number}: нет события {moment}", f"question {number}: there is no event {moment}")
    found: list[object] = []
    for course in possible:
        try:
            value = _Asking(table, data, course, moment, question.get("who")).answer(form)
        except Unsettled as reason:
            return Answer(number, asked, None, False, str(reason))
        if value not in found:
            found.append(value)
    if len(found) > 1:
        return Answer(number, asked, None, False, f"{len(found)} answers, depending on what came before")
    return Answer(number, asked, found[0], True)


@dataclass(frozen=True, slots=True)
class _Asking:
    """One question in one course of the case."""

    table: Table
    data: Mapping[str, object]
    course: Course
    moment: int
    who: object

    def answer(self, form: Form) -> object:
        """The value of the question's form."""
        name = form.names[0] if form.names else ""
        asked: dict[str, Callable[[], object]] = {
            "acts": lambda: self._acts(form.names),
            "verdict": self._verdict,
            "turn": lambda: self._shown(self._now(), self.table.phase.turn),
            "value": lambda: self._shown(self._now(), name),
            "values": lambda: self._values(name),
            "seats": lambda: frozenset(self._holding(self._now(), name)),
            "left": lambda: self._left(name),
            "left_now": lambda: self._left_now(name),
            "last": lambda: self._last(name),
            "over": lambda: self.table.player.over(self._now()),
            "filled": lambda: bool(self._zone(name, None)),
            "zone": lambda: self._cards_of(name),
            "zones": lambda: {seat: self._ordered(name, place) for place, seat in enumerate(self.table.seats)},
            "forced": lambda: self._forced(form.names),
            "target": lambda: self._target(form.names),
            "changed": lambda: self._shown(self._now(), name) != self._shown(self._before(), name),
        }
        return asked[form.kind]()

    # ------------------------------------------------------------------------------------------- moments

    def _now(self) -> Position:
        position = self.course.at(self.moment)
        if position is None:
            raise Unsettled("nothing definite follows from the events")
        return position

    def _happened(self) -> Happened:
        if self.moment == 0:
            raise Unreadable("вопрос о событии задан до событий", "a question about an event asked before any")
        return self.course.events[self.moment]

    def _before(self) -> Position:
        position = self._happened().before
        if position is None:
            raise Unsettled("nothing definite follows from the events")
        return position

    # ------------------------------------------------------------------------------------------- values

    def _value(self, position: Position, name: str, *arguments: int) -> int | None:
        value = self.table.value(position, name, *arguments)
        if isinstance(value, Hole):
            raise Unsettled(f"no rule gives {name}")
        if isinstance(value, Clash):
            raise Unsettled(f"rules disagree about {name}: {', '.join(value.clauses)}")
        return value

    def _shown(self, position: Position, name: str, *arguments: int) -> object:
        value = self._value(position, name, *arguments)
        kind = self.table.type_of(name)
        if isinstance(kind, ir.Truth):
            return bool(value)
        if isinstance(kind, ir.Member) and value is not None:
            return self.table.plain(kind.sort, value)
        return value

    def _values(self, name: str) -> dict[str, object]:
        shown = ((seat, self._shown(self._now(), name, place)) for place, seat in enumerate(self.table.seats))
        return {seat: value for seat, value in shown if value is not None}

    def _holding(self, position: Position, name: str) -> list[str]:
        return [seat for place, seat in enumerate(self.table.seats) if self._value(position, name, place)]

    def _left(self, name: str) -> tuple[str, ...]:
        """Those for whom the term stopped to hold, in the order of events; before them whom the case lists itself."""
        held = self._holding(self.course.start, name)
        listed = next((self.data_list(word) for word in self._ordered_fields()), [])
        gone = [*listed, *(seat for seat in self.table.seats if seat not in held and seat not in listed)]
        for number in sorted(self.course.events):
            position = self.course.at(number)
            if number > self.moment:
                break
            if position is None:
                raise Unsettled("nothing definite follows from the events")
            gone += [seat for seat in self.table.seats if seat not in (*self._holding(position, name), *gone)]
        return tuple(gone)

    def _ordered_fields(self) -> Iterator[str]:
        for word, forms in self.table.layout.given.items():
            if any(form.kind == "order" for form in forms):
                yield word

    def data_list(self, word: str) -> list[str]:
        """A list of players that the position gives."""
        position = self.data.get("position")
        listed = position.get(word) if isinstance(position, Mapping) else None
        return [str(name) for name in listed] if isinstance(listed, list) else []

    def _left_now(self, name: str) -> frozenset[str]:
        return frozenset(self._holding(self._before(), name)) - frozenset(self._holding(self._now(), name))

    def _last(self, name: str) -> object:
        if not self.table.player.over(self._now()):
            raise Unsettled("the play is not over")
        values = {seat: self._value(self._now(), name, place) for place, seat in enumerate(self.table.seats)}
        if None in values.values():
            raise Unsettled(f"not everybody has a {name}")
        return max(values, key=lambda seat: values[seat] or 0)

    # -------------------------------------------------------------------------------------------- cards

    def _zone(self, name: str, owner: int | None) -> tuple[Laid, ...]:
        lying = dict(self._now().zones)
        if (name, owner) not in lying:
            raise Unreadable(f"нет зоны «{name}»", f"there is no zone “{name}”")
        return lying[name, owner]

    def _ordered(self, name: str, owner: int | None) -> tuple[str, ...]:
        sort = self.table.norms.card_sort
        return tuple(self.table.plain(sort, laid.card) for laid in self._zone(name, owner))

    def _cards_of(self, name: str) -> object:
        zone = next((zone for zone in self.table.norms.zones if zone.name == name), None)
        if zone is None:
            raise Unreadable(f"нет зоны «{name}»", f"there is no zone “{name}”")
        cards = self._ordered(name, self.table.seat(self.who) if zone.owned else None)
        return cards if zone.pile else frozenset(cards)

    # --------------------------------------------------------------------------------------------- acts

    def _among(self, position: Position, words: Sequence[str]) -> list[Act]:
        """Lawful acts that these words may stand for."""
        names = {action.name for word in words for action in self.table.actions(word)}
        return [act for act in self.table.player.acts(position) if act.action in names]

    def _action(self, act: Act) -> ir.Action:
        return next(action for action in self.table.norms.actions if action.name == act.action)

    def _acts(self, words: Sequence[str]) -> frozenset[str]:
        seat = self.table.seat(self.who)
        acts = self._among(self._now(), words)
        return frozenset(self._worded(act) for act in acts if self._actor(act) == seat)

    def _actor(self, act: Act) -> int | None:
        actor = self._action(act).actor
        return None if actor is None else act.arguments[actor]

    def _worded(self, act: Act) -> str:
        """The act as the case words it: its plain name and what it names besides the actor."""
        action = self._action(act)
        parts = [
            self.table.plain(parameter.sort, value)
            for place, (parameter, value) in enumerate(zip(action.parameters, act.arguments, strict=True))
            if place != action.actor
        ]
        return " ".join((self.table.words.plain_action(action.name) or action.name, *parts))

    def _verdict(self) -> str:
        status = self._happened().status
        if status is None:
            raise Unsettled("nothing definite follows from the events")
        if status is Status.CONTESTED:
            raise Unsettled("a right meets a prohibition")
        return "lawful" if status is Status.LAWFUL else "unlawful"

    def _target(self, words: Sequence[str]) -> str:
        """At whom the lawful acts aim: their last player besides the actor."""
        aimed = set()
        for act in self._among(self._now(), words):
            action = self._action(act)
            places = [
                place
                for place, parameter in enumerate(action.parameters)
                if parameter.sort == self.table.norms.seats and place != action.actor
            ]
            aimed |= {act.arguments[place] for place in places[-1:]}
        if len(aimed) != 1:
            raise Unsettled(f"the lawful acts aim at {len(aimed)} players")
        return self.table.seats[aimed.pop()]

    def _forced(self, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """While exactly one of the acts is lawful it is done: which cards went to whom."""
        position = self._now()
        moved: list[tuple[str, ...]] = []
        for _ in range(FORCED_MAX):
            acts = self._among(position, words)
            if not acts:
                return tuple(moved)
            if len(acts) > 1:
                raise Unsettled("several acts are lawful, none is forced")
            outcome = self.table.player.step(position, acts[0])
            if not isinstance(outcome, Next):
                raise Unsettled("nothing definite follows from a forced act")
            moved += self._moved(position, outcome.position)
            position = outcome.position
        raise Unsettled("forced acts do not end")

    def _moved(self, before: Position, after: Position) -> list[tuple[str, ...]]:
        """Cards that lie elsewhere now, each with the owner of its new zone."""
        places = {laid.card: key for key, cards in before.zones for laid in cards}
        sort = self.table.norms.card_sort
        return [
            (self.table.plain(sort, laid.card), *(() if key[1] is None else (self.table.seats[key[1]],)))
            for key, cards in after.zones
            for laid in cards
            if places.get(laid.card) != key
        ]
