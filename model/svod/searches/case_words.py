"""In: the section `cases` of a vocabulary. Out: how the words of a judge's case lie in a rulebook.

    phases: {play: {stage: game, turn: to_move, free: [last, {kind: [lead, beat]}]}}
    given: {hands: {zone: hand}, waste: {rest: waste}, gone: {order: place, count: out}, fines: {empty: yes}}
    questions: {next_to_move: {turn: yes}, live: {seats: alive}, hand_after: {zone: hand}}

A phase says which stage it is, which term or register is the player to move, and which registers a case leaves unsaid
(`free`), perhaps with the only values that they may have then.

Forms of `given`: `zone` (cards, by player where the zone is owned), `rest` (the word «rest»: every card not shown),
`order` and `count` (players in the order in which they got a place), `empty` (only an empty field is understood).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir

GIVEN_FORMS = frozenset({"zone", "rest", "order", "count", "empty"})
QUESTION_FORMS = frozenset(
    {
        "acts",  # lawful acts of «who» among these
        "verdict",  # lawful or unlawful: the act of the event
        "turn",  # who is to move
        "value",  # a term or register without arguments
        "values",  # one for each player that has a value
        "seats",  # players for whom a term holds
        "left",  # players for whom it no longer holds, earliest first
        "left_now",  # players for whom it ceased to hold by this event
        "last",  # when the play is over: the player with the greatest value
        "over",  # whether the play is over
        "filled",  # whether a zone holds a card
        "zone",  # cards of a zone, of «who» if it is owned
        "zones",  # cards of an owned zone, by player
        "forced",  # acts that are the only lawful ones among these, one after another: what moves to whom
        "target",  # the one player at whom the lawful acts among these aim
        "changed",  # whether a value changed by this event
    }
)

BROKEN_CASE_WORDS = Code(
    "C501",
    Text("раздел cases словаря не понят", "section `cases` of the vocabulary not understood"),
    Text(
        "Раздел cases говорит, как слова судейского случая ложатся на свод: phases, given и questions. "
        "У каждой записи given и questions ровно известная форма, список форм — в описании словаря.",
        "Section `cases` says how the words of a judge's case lie in the rulebook: phases, given and questions. "
        "Every entry of given and questions has one of the known forms; the description of vocabularies lists them.",
    ),
)


class Words(Protocol):
    """Plain names of a rulebook's values, acts and parameters."""

    @property
    def values(self) -> Mapping[str, str]: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    def value(self, sort: ir.Sort, name: str) -> int | None: ...

    def acts(self, name: str) -> tuple[str, ...]: ...

    def plain_action(self, action: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Phase:
    """`turn`: term or register that says who is to move. `free`: registers that a case leaves unsaid, with the names of
    the values that they may have (None: any)."""

    stage: str | None
    turn: str
    free: tuple[tuple[str, tuple[str, ...] | None], ...]


@dataclass(frozen=True, slots=True)
class Form:
    """`kind` is one of the forms; `names` are names of the rulebook or plain names of acts."""

    kind: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaseWords:
    """The section, checked for form. Fields of a position that `given` does not list are ignored only if `silent`."""

    phases: Mapping[str, Phase] = field(default_factory=dict)
    given: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)
    questions: Mapping[str, Form] = field(default_factory=dict)
    silent: tuple[str, ...] = ()


def case_words(data: object, problems: Problems) -> CaseWords | None:
    """Read the section; None, and why, if it is not of the form described above."""
    if not isinstance(data, Mapping) or not set(data) <= {"phases", "given", "questions", "silent"}:
        _report(problems, "cases", "phases, given, questions, silent")
        return None
    phases = {str(name): _phase(entry) for name, entry in _mapping(data.get("phases")).items()}
    given = {str(name): _forms(entry, GIVEN_FORMS) for name, entry in _mapping(data.get("given")).items()}
    asked = {str(name): _forms(entry, QUESTION_FORMS) for name, entry in _mapping(data.get("questions")).items()}
    for section, entries, known in (("given", given, GIVEN_FORMS), ("questions", asked, QUESTION_FORMS)):
        for name, forms in entries.items():
            if not forms or (section == "questions" and len(forms) != 1):
                _report(problems, f"{section}: {name}", ", ".join(sorted(known)))
                return None
    good = {name: phase for name, phase in phases.items() if phase is not None}
    if len(good) < len(phases):
        _report(problems, "phases", "stage, turn, free")
        return None
    return CaseWords(good, given, {name: forms[0] for name, forms in asked.items()}, _names(data.get("silent")))


def _phase(entry: object) -> Phase | None:
    data = _mapping(entry)
    turn, stage = data.get("turn"), data.get("stage")
    if not isinstance(turn, str) or not set(data) <= {"stage", "turn", "free"}:
        return None
    listed = data.get("free") or []
    free: list[tuple[str, tuple[str, ...] | None]] = []
    for each in listed if isinstance(listed, list) else [listed]:
        if isinstance(each, Mapping):
            free += [(str(name), _names(values)) for name, values in each.items()]
        else:
            free.append((str(each), None))
    return Phase(None if stage is None else str(stage), turn, tuple(free))


def _forms(entry: object, known: frozenset[str]) -> tuple[Form, ...]:
    data = _mapping(entry)
    if not set(data) <= known:
        return ()
    return tuple(Form(kind, _names(names)) for kind, names in data.items())


def _names(entry: object) -> tuple[str, ...]:
    if entry is None or isinstance(entry, bool):
        return ()
    return tuple(str(name) for name in entry) if isinstance(entry, list) else (str(entry),)


def _mapping(entry: object) -> Mapping[str, object]:
    return entry if isinstance(entry, Mapping) else {}


def _report(problems: Problems, place: str, expected: str) -> None:
    message = Text(f"{place}: ожидалось {expected}", f"{place}: expected {expected}")
    problems.report(BROKEN_CASE_WORDS, message, None)
