"""In: the section `cases` of a vocabulary. Out: how the words of a judge's case lie in a rulebook.

    phases: {play: {stage: game, turn: to_move, free: [last], past: [{empty: heap, free: [{kind: [lead, beat]}]}]}}
    given: {hands: {zone: hand}, waste: {rest: waste}, gone: {order: place, count: out}, fines: {empty: yes}}
    facts:
      skip: [and, then]
      numbers: {one: 1, two: 2}
      read: [{say: "{player} took the heap", set: {eater: player}}]
    texts: [{say: "{player} takes it back", do: "take_back(player)"}, {speech: [claim]}]
    events: {play: [lead, beat], throw: [drop, [take_back, drop]], vote: [["vote(for, yes)", "abstain(rest)"]]}
    follow: [{after: [claim], unless: [challenge], do: "accept(against)"}]
    payments: {do: pay, after: [claim, vote], unless: [pay]}
    questions: {next_to_move: {turn: yes}, live: {seats: alive}, hand_after: {zone: hand}}

What each form means is told in `site/docs/language/vocabulary.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.source import Span

PART = re.compile(r"<(\w+)>")
PARTS_DEPTH = 5
TIGHT = re.compile(r"\|[\[({]|[\])}]\|")  # only words are joined by «|» without blanks
GIVEN_FORMS = frozenset({"zone", "rest", "order", "count", "empty", "not", "clear", "mark"})
QUESTION_FORMS = frozenset(
    {
        "acts",  # lawful acts of «who» among these
        "verdict",  # lawful, a numbered violation, or unlawful: the act of the event
        "violation",  # the number of the event's violation
        "penalty",  # the number for which somebody is punished by the event
        "offenders",  # who is punished by the event
        "owed_now",  # debts that came up by the event: debtor by creditor
        "owed",  # all debts: how much each owes to each
        "turn",  # who is to move
        "value",  # a term or register without arguments
        "values",  # one for each player that has a value
        "each",  # one for each player; an expected answer may name some of them only
        "seats",  # players for whom a term holds
        "risen",  # players for whom a term or register became greater by the event
        "left",  # players for whom it no longer holds, earliest first
        "left_now",  # players for whom it ceased to hold by this event
        "last",  # when the play is over: the player with the greatest value
        "has_last",  # when the play is over: whether there is one
        "over",  # whether the play is over
        "filled",  # whether a zone holds a card
        "zone",  # cards of a zone, of «who» if it is owned
        "zones",  # cards of an owned zone, by player
        "size",  # number of cards of a zone, of «who» if it is owned
        "cards",  # cards that «who» may name in a lawful act among these
        "duties",  # who has to do this act, and with which card
        "forced",  # acts that are the only lawful ones among these, one after another: what moves to whom
        "target",  # the one player at whom the lawful acts among these aim
        "changed",  # whether a value changed by this event
    }
)
NAMELESS = frozenset({"empty", "verdict", "violation", "penalty", "offenders", "turn", "over"})
SECTIONS = (
    "phases",
    "given",
    "facts",
    "events",
    "texts",
    "completes",
    "prelude",
    "attempts",
    "must_be_lawful",
    "follow",
    "payments",
    "questions",
    "silent",
)

BROKEN_CASE_WORDS = Code(
    "C501",
    Text("раздел cases словаря не понят", "section `cases` of the vocabulary not understood"),
    Text(
        "Раздел cases говорит, как слова судейского случая ложатся на свод: положение, рассказ о прошлом, события и "
        "вопросы. У каждой записи известная форма, список форм — в описании словаря.",
        "Section `cases` says how the words of a judge's case lie in the rulebook: position, what happened before, "
        "events and questions. Every entry has one of the known forms; the description of vocabularies lists them.",
    ),
)


class Words(Protocol):
    """Plain names of a rulebook's values, acts, terms and parameters."""

    @property
    def values(self) -> Mapping[str, str]: ...

    @property
    def terms(self) -> Mapping[str, str]: ...

    @property
    def parameters(self) -> Mapping[str, str]: ...

    def value(self, sort: ir.Sort, name: str) -> int | None: ...

    def acts(self, name: str) -> tuple[str, ...]: ...

    def plain_action(self, action: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Free:
    """A register that a case leaves unsaid: the names of the values that it may have (None: any)."""

    register: str
    values: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Past:
    """One way in which the play may have come here: zones that hold cards then, zones that do not, what is unsaid; and
    for each zone named in `doubt`, the register of its owner that may hold or not while it holds cards."""

    filled: tuple[str, ...]
    empty: tuple[str, ...]
    free: tuple[Free, ...]
    doubt: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Phase:
    """`turn`: term or register that says who is to move (None: nobody in particular). `free`: what a case leaves open;
    `past`: ways in which the play may have come here, each of them leaves more unsaid."""

    stage: str | None
    turn: str | None
    free: tuple[Free, ...]
    past: tuple[Past, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """`kind` is one of the forms; `names` are names of the rulebook or plain names of acts. `by`: the rule that a
    question is about."""

    kind: str
    names: tuple[str, ...]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """An act, or a cell, by name: `arguments` are fields of an event, what a sentence named, or values; None: found by
    their sorts."""

    name: str
    arguments: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Saying:
    """A phrase about the past and the cells that it fills, in this order; in this phase only, if one is named, and only
    while these zones are empty. `rules`: the items by which they are filled so, or that make the phrase matter.
    `holding`: zones of the player and how many cards he holds there, or the phrase changes nothing. A phrase in a text
    of an event: acts that are done before its own, and after them."""

    say: str
    sets: tuple[tuple[Call, object], ...]
    phase: str | None = None
    rules: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    holding: tuple[tuple[str, int], ...] = ()
    before: tuple[Call, ...] = ()
    after: tuple[Call, ...] = ()
    unread: bool = False  # known as a whole, yet nothing follows from it: it counts as not read
    shown: str = ""  # the phrase as it is written, before its parts are put in

    @property
    def title(self) -> str:
        """The phrase for people."""
        return self.shown or self.say


@dataclass(frozen=True, slots=True)
class Follow:
    """What the judge does after these events himself, unless one of those comes next."""

    after: tuple[str, ...]
    unless: tuple[str, ...]
    do: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class CaseWords:
    """The section, checked for form. Fields of a position that `given` does not list are ignored only if `silent`.

    `events`: an event stands for the first of these sequences of acts that can be done. `must_be_lawful`: events that
    cannot have happened unless they were lawful. `completes`: events that belong together with the one before, when it
    is asked what they changed. `prelude`: events that are part of the next, if that is one of these by the same player.
    `attempts`: events that come to nothing unless they are lawful. `payments`: acts that are done while they are owed.
    `alike`: words that stand for others in everything told; `denying`: words that turn what follows, nothing is read
    after one that no phrase read. `texts`: phrases that the free text of an event may hold;
    that of an event in `speech` is what somebody says, which does nothing.
    """

    phases: Mapping[str, Phase] = field(default_factory=dict)
    given: Mapping[str, tuple[Form, ...]] = field(default_factory=dict)
    questions: Mapping[str, Form] = field(default_factory=dict)
    silent: tuple[str, ...] = ()
    sayings: tuple[Saying, ...] = ()
    skipped: tuple[str, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    events: Mapping[str, tuple[tuple[Call, ...], ...]] = field(default_factory=dict)
    must_be_lawful: tuple[str, ...] = ()
    follow: tuple[Follow, ...] = ()
    payments: Follow | None = None
    completes: tuple[str, ...] = ()
    prelude: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    attempts: tuple[str, ...] = ()
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    texts: tuple[Saying, ...] = ()
    speech: tuple[str, ...] = ()
    denying: tuple[str, ...] = ()


class _Wrong(Exception):
    """An entry that is not of its form: where, and what was expected."""


def case_words(
    data: object, problems: Problems, find: Callable[[str], Span | None] = lambda word: None
) -> CaseWords | None:
    """Read the section; None, and why, if it is not of the form described above. `find` gives the place of a word."""
    try:
        return _section(data)
    except _Wrong as wrong:
        place, expected = wrong.args
        message = Text(f"{place}: ожидалось {expected}", f"{place}: expected {expected}")
        problems.report(BROKEN_CASE_WORDS, message, find(place.rpartition(": ")[2]))
        return None


def _section(data: object) -> CaseWords:
    if not isinstance(data, Mapping) or not set(data) <= set(SECTIONS):
        raise _Wrong("cases", ", ".join(SECTIONS))
    facts = _mapping(data.get("facts"))
    if not set(facts) <= {"skip", "numbers", "alike", "denying", "parts", "read"}:
        raise _Wrong("facts", "skip, numbers, alike, denying, parts, read")
    parts = {str(name): str(part) for name, part in _mapping(facts.get("parts")).items()}
    texts = [entry for entry in _list(data.get("texts")) if "speech" not in _mapping(entry)]
    asked = {
        str(name): _forms(str(name), entry, QUESTION_FORMS) for name, entry in _mapping(data.get("questions")).items()
    }
    for name, forms in asked.items():
        if len(forms) != 1:
            raise _Wrong(f"questions: {name}", ", ".join(sorted(QUESTION_FORMS)))
    payments = data.get("payments")
    return CaseWords(
        {str(name): _phase(str(name), entry) for name, entry in _mapping(data.get("phases")).items()},
        {str(name): _forms(str(name), entry, GIVEN_FORMS) for name, entry in _mapping(data.get("given")).items()},
        {name: forms[0] for name, forms in asked.items()},
        _names(data.get("silent")),
        tuple(_saying(entry, parts) for entry in _list(facts.get("read"))),
        _names(facts.get("skip")),
        {str(word): _number(word, number) for word, number in _mapping(facts.get("numbers")).items()},
        {str(word): tuple(_sequences(entry)) for word, entry in _mapping(data.get("events")).items()},
        _names(data.get("must_be_lawful")),
        tuple(_follow("follow", entry) for entry in _list(data.get("follow"))),
        None if payments is None else _follow("payments", payments),
        _names(data.get("completes")),
        {str(word): _names(next_) for word, next_ in _mapping(data.get("prelude")).items()},
        _names(data.get("attempts")),
        {str(word).lower(): tuple(str(meant).split()) for word, meant in _mapping(facts.get("alike")).items()},
        tuple(_text(entry, parts) for entry in texts),
        tuple(word for entry in _list(data.get("texts")) for word in _names(_mapping(entry).get("speech"))),
        _names(facts.get("denying")),
    )


def _phase(name: str, entry: object) -> Phase:
    data = _mapping(entry)
    turn, stage = data.get("turn"), data.get("stage")
    if not isinstance(turn, str | None) or not set(data) <= {"stage", "turn", "free", "past"}:
        raise _Wrong(f"phases: {name}", "stage, turn, free, past")
    past = tuple(_past(name, each) for each in _list(data.get("past")))
    return Phase(None if stage is None else str(stage), turn, tuple(_free(data.get("free"))), past)


def _past(name: str, entry: object) -> Past:
    data = _mapping(entry)
    if not data or not set(data) <= {"filled", "empty", "free", "doubt"}:
        raise _Wrong(f"phases: {name}: past", "filled, empty, free, doubt")
    doubt = tuple((str(zone), str(register)) for zone, register in _mapping(data.get("doubt")).items())
    return Past(_names(data.get("filled")), _names(data.get("empty")), tuple(_free(data.get("free"))), doubt)


def _free(listed: object) -> Iterator[Free]:
    for each in _list(listed):
        if isinstance(each, Mapping):
            for name, values in each.items():
                yield Free(str(name), _names(values))
        else:
            yield Free(str(each), None)


def _forms(name: str, entry: object, known: frozenset[str]) -> tuple[Form, ...]:
    data = dict(_mapping(entry))
    by = data.pop("by", None)
    if not data or not set(data) <= known:
        raise _Wrong(name, ", ".join(sorted(known)))
    nameless = next((kind for kind, names in data.items() if not _names(names) and str(kind) not in NAMELESS), None)
    if nameless is not None:
        raise _Wrong(name, f"{nameless}: …")
    return tuple(Form(str(kind), _names(names), None if by is None else str(by)) for kind, names in data.items())


def _saying(entry: object, parts: Mapping[str, str]) -> Saying:
    data = _mapping(entry)
    say = data.get("say")
    if not isinstance(say, str) or not set(data) <= {"say", "set", "phase", "rule", "empty", "holding", "unread"}:
        raise _Wrong("facts: read", "say, set, phase, rule, empty, holding, unread")
    sets = tuple((call(str(place)), value) for place, value in _mapping(data.get("set")).items())
    for place, value in sets:
        if not all(isinstance(each, str | int | None) for each in _list(value)):
            raise _Wrong(f"facts: set: {place.name}", "name, 1, yes, no, [name, 1]")
    phase = None if "phase" not in data else str(data["phase"])
    holding = tuple((str(zone), _number(zone, size)) for zone, size in _mapping(data.get("holding")).items())
    rules, empty, unread = _names(data.get("rule")), _names(data.get("empty")), data.get("unread") is True
    return Saying(_whole(say, parts), sets, phase, rules, empty, holding, unread=unread, shown=say)


def _text(entry: object, parts: Mapping[str, str]) -> Saying:
    data = _mapping(entry)
    say = data.get("say")
    if not isinstance(say, str) or not set(data) <= {"say", "do", "then"}:
        raise _Wrong("texts", "say, do, then | speech")
    before, after = (tuple(call(name) for name in _names(data.get(key))) for key in ("do", "then"))
    return Saying(_whole(say, parts), (), before=before, after=after, shown=say)


def _whole(say: str, parts: Mapping[str, str]) -> str:
    """The phrase with each «<name>» replaced by the part of this name; parts may hold parts."""
    told = say
    for _ in range(PARTS_DEPTH):
        named = PART.findall(say)
        if not named:
            break
        for name in named:
            if name not in parts:
                raise _Wrong(f"facts: {told}: <{name}>", ", ".join(parts) or "parts")
        say = PART.sub(lambda found: f"({parts[found[1]]})", say)
    if say.count("(") != say.count(")") or say.count("[") != say.count("]") or PART.search(say) or TIGHT.search(say):
        raise _Wrong(f"facts: {told}", "(… | …), […], a|b")
    return say


def _sequences(entry: object) -> Iterator[tuple[Call, ...]]:
    """Alternatives; one that is a list is a sequence of acts."""
    for each in _list(entry):
        yield tuple(call(str(name)) for name in _list(each))


def _follow(place: str, entry: object) -> Follow:
    data = _mapping(entry)
    if not {"after", "do"} <= set(data) <= {"after", "unless", "do"}:
        raise _Wrong(place, "after, unless, do")
    return Follow(_names(data["after"]), _names(data.get("unless")), tuple(call(name) for name in _names(data["do"])))


def call(text: str) -> Call:
    """«name» or «name(one, two)»."""
    found = re.fullmatch(r"\s*([^()]+?)\s*(?:\(([^()]*)\)\s*)?", text)
    if found is None:
        raise _Wrong(text, "name(…)")
    inside = found[2]
    return Call(found[1], None if inside is None else tuple(part.strip() for part in inside.split(",") if part.strip()))


def _number(word: object, number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool):
        raise _Wrong(f"numbers: {word}", "1, 2, …")
    return number


def _names(entry: object) -> tuple[str, ...]:
    if entry is None or isinstance(entry, bool):
        return ()
    return tuple(str(name) for name in entry) if isinstance(entry, list) else (str(entry),)


def _list(entry: object) -> list[object]:
    return [] if entry is None else entry if isinstance(entry, list) else [entry]


def _mapping(entry: object) -> Mapping[str, object]:
    return entry if isinstance(entry, Mapping) else {}
