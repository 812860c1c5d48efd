"""In: the events of a case as data. Out: each checked, with what its text tells, and the acts that it stands for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from svod.norms import ir
from svod.norms.trace import Act
from svod.searches.case_facts import Language, Telling, read_past
from svod.searches.case_words import Call
from svod.searches.cases import Complaints, Path, Table, Unreadable

TARGETS = ("to", "of", "against", "onto")
FIELDS = frozenset({"n", "by", "do", "text", "card", "code", "for", *TARGETS})
REST = "rest"
NOTHING_TOLD = Telling((), ())


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a case: its number, its word, its data, where it stands; what its text tells."""

    number: int
    word: str
    data: Mapping[str, object]
    path: Path
    text: Telling = NOTHING_TOLD


def read_events(table: Table, data: Mapping[str, object], complaints: Complaints) -> tuple[Event, ...]:
    """The events, with everything that can be wrong with them before they are played reported."""
    listed = data.get("events") or []
    if not isinstance(listed, list):
        raise Unreadable("события не списком", "the events are no list", ("events",))
    found: list[Event] = []
    for place, entry in enumerate(listed):
        path: Path = ("events", place)
        try:
            event = _event(table, entry, place + 1, path)
            if found and event.number <= found[-1].number:
                raise Unreadable("номера событий не по порядку", "the events are not numbered in order", (*path, "n"))
            found.append(event)
        except Unreadable as wrong:
            complaints.add(wrong, path)
    return tuple(found)


def _event(table: Table, entry: object, place: int, path: Path) -> Event:
    if not isinstance(entry, Mapping):
        raise Unreadable("событие не объект", "an event is no object")
    number, word = entry.get("n", place), str(entry.get("do"))
    if not isinstance(number, int) or isinstance(number, bool):
        raise Unreadable("номер события — не число", "the number of an event is no number", (*path, "n"))
    if number < 1:  # 0 is the position at the start
        raise Unreadable("события нумеруют с 1", "events are numbered from 1", (*path, "n"))
    if not sequences(table, word):
        raise Unreadable(f"действие «{word}» своду не известно", f"the rulebook knows no act “{word}”", (*path, "do"))
    for name, value in entry.items():
        if name not in FIELDS:
            raise Unreadable(f"у события нет поля «{name}»", f"an event has no field “{name}”", (*path, str(name)))
        if name in ("by", *TARGETS) or (name in ("for",)):
            for each in value if isinstance(value, list) else [value]:
                _seat(table, each, (*path, str(name)))
        elif name == "card":
            _card(table, value, (*path, "card"))
        elif name == "code" and not _known_number(table, value):
            raise Unreadable(f"в перечне нет «{value}»", f"the catalogue has no “{value}”", (*path, "code"))
    for name in _superfluous(table, word, entry):
        raise Unreadable(f"«{word}»: поле «{name}» лишнее", f"“{word}”: field “{name}” means nothing", (*path, name))
    return Event(number, word, entry, path, _text_of(table, entry))


def _superfluous(table: Table, word: str, entry: Mapping[str, object]) -> Iterator[str]:
    """Fields that none of the acts for this word has a use for."""
    catalogue = table.norms.catalogue
    named: set[str] = set()
    players, number = 0, False
    for call in (call for sequence in sequences(table, word) for call in sequence):
        action = table.action(call.name)
        if call.arguments is not None:
            named |= set(call.arguments)
        elif action is not None:
            others = [each for place, each in enumerate(action.parameters) if place != action.actor]
            players = max(players, sum(each.sort == table.norms.seats for each in others))
            number = number or any(catalogue is not None and each.sort == catalogue.sort for each in others)
    targets = [name for name in TARGETS if name in entry and name not in named]
    yield from targets[players:]
    if "code" in entry and not number and "code" not in named:
        yield "code"


def _text_of(table: Table, entry: Mapping[str, object]) -> Telling:
    """What the text of an event tells; who acts is spoken of. Speech tells nothing."""
    text, word, by = entry.get("text"), str(entry.get("do")), entry.get("by")
    if not isinstance(text, str) or word in table.layout.speech:
        return NOTHING_TOLD
    subject = by if isinstance(by, str) and by in table.seats else None
    return read_past([text], table.layout.texts, language_of(table), table.meaning, subject)


def language_of(table: Table) -> Language:
    """The words of the vocabulary that no phrase is about."""
    return Language(table.layout.skipped, table.layout.alike, table.layout.denying)


def _seat(table: Table, name: object, path: Path) -> int:
    try:
        return table.seat(name)
    except Unreadable as wrong:
        raise Unreadable(wrong.text.ru, wrong.text.en, path) from wrong


def _card(table: Table, name: object, path: Path) -> int:
    try:
        return table.card(name)
    except Unreadable as wrong:
        raise Unreadable(wrong.text.ru, wrong.text.en, path) from wrong


def _known_number(table: Table, value: object) -> bool:
    catalogue = table.norms.catalogue
    return catalogue is None or table.named(catalogue.sort, value) is not None


def sequences(table: Table, word: str) -> tuple[tuple[Call, ...], ...]:
    """The sequences of acts that a word may stand for."""
    listed = table.layout.events.get(word)
    if listed is None:
        listed = tuple((Call(action.name),) for action in table.actions(word))
    return tuple(each for each in listed if all(table.action(call.name) is not None for call in each))


# -------------------------------------------------------------------------------------------------- arguments


def acts_of(table: Table, call: Call, event: Event) -> list[Act]:
    """The acts that a call means for an event: several where it names a list of players."""
    action = table.action(call.name)
    if action is None:
        return []
    if call.arguments is None:
        return [Act(action.name, tuple(_by_sorts(table, action, event)))]
    if len(call.arguments) != len(action.parameters):
        raise Unreadable(
            f"у «{action.name}» аргументов: {len(action.parameters)}",
            f"“{action.name}” takes {len(action.parameters)} arguments",
            event.path,
        )
    choices = [
        _choices(table, word, parameter, event)
        for word, parameter in zip(call.arguments, action.parameters, strict=True)
    ]
    return [Act(action.name, arguments) for arguments in product(*choices)]


def _choices(table: Table, word: str, parameter: ir.Variable, event: Event) -> list[int]:
    if word == REST:
        named = {name for value in event.data.values() if isinstance(value, list) for name in value}
        return [seat for seat, name in enumerate(table.seats) if name not in named]
    given = event.data.get(word, word)
    targets = [name for name in TARGETS if name in event.data]
    if word in TARGETS and word not in event.data and len(targets) == 1:
        given = event.data[targets[0]]  # the one player at whom the event aims, by whatever name
    elif word in FIELDS and word not in event.data:
        given = [] if word in ("for", "against") else None
    found = []
    for each in given if isinstance(given, list) else [given]:
        value = table.named(parameter.sort, each)
        if value is None:
            raise _lacking(f"{word}: {each}", event)
        found.append(value)
    return found


def _by_sorts(table: Table, action: ir.Action, event: Event) -> Iterator[int]:
    """`by` acts, `card` is the card, `code` the number, any other player named is at whom the act aims."""
    others = [event.data[name] for name in TARGETS if name in event.data]
    catalogue = table.norms.catalogue
    for place, parameter in enumerate(action.parameters):
        if place == action.actor:
            given = event.data.get("by")
        elif parameter.sort == table.norms.card_sort:
            given = event.data.get("card")
        elif parameter.sort == table.norms.seats:
            given = others.pop(0) if others else None
        elif catalogue is not None and parameter.sort == catalogue.sort:
            given = event.data.get("code")
        else:
            given = None
        value = None if given is None else table.named(parameter.sort, given)
        if value is None:
            raise _lacking(parameter.name, event)
        yield value


def _lacking(name: str, event: Event) -> Unreadable:
    return Unreadable(
        f"событие {event.number}: не хватает «{name}»", f"event {event.number}: “{name}” is missing", event.path
    )
