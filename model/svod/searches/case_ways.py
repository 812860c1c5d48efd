"""In: positions at the start of a case, its events and a question. Out: every way in which the case may have gone, and
the answer that all of them give; where rules collide, what each of them alone would give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from svod.diagnostics import Text
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Position
from svod.searches.case_answers import Asking
from svod.searches.case_clauses import Clauses
from svod.searches.case_events import Course, play
from svod.searches.case_outcomes import Unsettled
from svod.searches.case_reading import Event
from svod.searches.case_words import Form
from svod.searches.cases import Table, Unreadable


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its number, its kind and form, the moment, the player it is about (or several)."""

    number: str
    asked: str
    form: Form
    moment: int
    who: object


@dataclass(frozen=True, slots=True)
class Other:
    """An answer that differs: under which condition, and what it is (or why there is none)."""

    condition: Text
    value: object
    why: Text | None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """`value` in the words of the case: a set where order means nothing, a tuple where it does. `settled`: the rules
    give one answer however the case came about; else `why` says what stands in the way and `sides` what each gives. A
    settled answer with `sides` is one that clauses in a quarrel all give; `why` then names the quarrel.
    `readings`: answers that differ under another reading. `agrees`: with the expected answer, None if there is none."""

    question: Question
    value: object
    settled: bool
    why: Text | None = None
    clauses: tuple[str, ...] = ()
    sides: tuple[Other, ...] = ()
    readings: tuple[Other, ...] = ()
    expected: object = None
    agrees: bool | None = None


def ways(table: Table, begun: Sequence[Position], events: Sequence[Event]) -> Iterator[Course]:
    """Every start with several choices of payments; what cannot go on with the events falls away."""
    refused: Unreadable | None = None
    went = False
    later = {table.card(event.data["card"]) for event in events if "card" in event.data}
    for start in begun:
        for choose in (_Pay("first", later), _Pay("last", later), _Pay("mixed", later)):
            try:
                course = play(table, start, events, choose)
            except Unreadable as wrong:
                refused = refused or wrong
                break
            went = True
            yield course
            if not course.payments:
                break
    if refused is not None and not went:
        raise refused


@dataclass(frozen=True, slots=True)
class _Pay:
    """Chooses what is paid: the first act, the last, or by turns; not with a card that is played later if possible."""

    manner: str
    later: frozenset[int] | set[int]

    def __call__(self, acts: Sequence[Act], number: int) -> Act:
        free = [act for act in acts if not set(act.arguments[1:]) & self.later] or list(acts)
        backwards = self.manner == "last" or (self.manner == "mixed" and number % 2 == 0)
        return free[-1 if backwards else 0]


def answer_of(table: Table, data: Mapping[str, object], ways: Sequence[Course], question: Question) -> Answer:
    """The answer that all ways give, or what each gives."""
    found: list[tuple[object, Unsettled | None, Course]] = []
    for course in ways:
        value, failed = None, None
        try:
            value = Asking(table, data, course, question.moment, question.who).answer(question.form)
        except Unsettled as reason:
            failed = reason
        if not any(value == other and _why(failed) == _why(old) for other, old, _ in found):
            found.append((value, failed, course))
    value, failed, first = found[0]
    if len(found) == 1:
        clauses = () if failed is None else failed.clauses
        return Answer(question, value, failed is None, _why(failed), clauses)
    paid = all(course.start == first.start for _, _, course in found)
    why = Text("зависит от того, чем платят", "depends on what is paid")
    if not paid:
        why = Text("зависит от того, что было раньше", "depends on what came before")
    sides = tuple(
        Other(Text(f"вариант {number}", f"case {number}"), value, _why(failed), failed.clauses if failed else ())
        for number, (value, failed, _) in enumerate(found, 1)
    )
    return Answer(question, None, False, why, (), sides)


def _why(failed: Unsettled | None) -> Text | None:
    return None if failed is None else failed.text


def differs(one: Answer, other: Answer) -> bool:
    return one.settled != other.settled or one.value != other.value


# ------------------------------------------------------------------------------------------------------- sides


def colliding(table: Table, given: Answer) -> tuple[str, ...]:
    """Ids of the clauses that stand against each other in an answer that is not settled."""
    known = tuple(dict.fromkeys(each for each in given.clauses if each in table.clauses.by_id))
    return known if not given.settled and len(known) > 1 else ()


def alone(table: Table, clauses: Sequence[str], kept: str) -> Table:
    """The table with one of these clauses in force and the others not, played by the definitions."""
    gone = set(clauses) - {kept}
    left = tuple(_without(clause, gone) for clause in table.norms.clauses if clause.head.id not in gone)
    norms = replace(table.norms, clauses=left)
    naive = Naive(norms, table.switches)
    return replace(table, norms=norms, player=naive, clauses=Clauses(norms, table.switches))


def _without(clause: ir.Clause, gone: set[str]) -> ir.Clause:
    kept = tuple(exempt for exempt in clause.head.exceptions if exempt.by not in gone)
    return clause if kept == clause.head.exceptions else replace(clause, head=replace(clause.head, exceptions=kept))
