"""In: sentences about what happened before a case, or in an event of it, and the phrases that a vocabulary reads. Out:
cells to fill and acts to do, in the order of the telling, and the words that no phrase read.

A phrase is made of words and places: «{player} took [the] {card}», «led|beat», an optional part in brackets, choices in
parentheses: «(has left | went home)». A place is called by what stands there (`player`, `card`, `number`, or a sort of
the rulebook), perhaps with a digit. A sentence is read from left to right, at each word by the phrase that reads most;
the player whom a phrase names first may be left out at the beginning of the next, and is `earlier` there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from svod.searches.case_words import Call, Saying

SENTENCE = re.compile(r"[.;!?]+(?=\s|$)")
WORD = re.compile(r"[^\s,()«»\"“”:—]+")
PIECE = re.compile(r"\{(\w+)\}|([\[(])|([\])])|([^\s\[\](){}]+)")
POSSESSIVE = re.compile(r"['’]s\b")
QUOTES, STOPS = "'’‘", ".!?;…"
SUBJECT = "player"
EARLIER = "earlier"
OR = "|"


@dataclass(frozen=True, slots=True)
class Told:
    """A cell and what it holds now; `named` are the values of the places of the phrase, `rules` the items by which.
    `holding`: zones of the player with so many cards, or it is not so."""

    place: Call
    value: object
    named: Mapping[str, int]
    rules: tuple[str, ...] = ()
    holding: tuple[tuple[str, int], ...] = ()

    def fills(self, register: str, index: Sequence[int] | None) -> bool:
        """Whether it is about this cell; None: any of the register."""
        if self.place.name != register or index is None:
            return self.place.name == register
        named = [self.named.get(argument) for argument in self.place.arguments or ()]
        return all(value is None or value == wanted for value, wanted in zip(named, index, strict=True))


@dataclass(frozen=True, slots=True)
class Deed:
    """Acts that a phrase in the text of an event means; `named` are the words of the places of the phrase."""

    before: tuple[Call, ...]
    after: tuple[Call, ...]
    named: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Telling:
    """What was read: cells to fill, pieces of the text that nothing read (each with its sentence), items that phrases
    named, acts that they mean."""

    told: tuple[Told, ...]
    unread: tuple[str, ...]
    rules: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()


@dataclass(frozen=True, slots=True)
class Language:
    """`skipped`: joining words; `alike`: words that stand for others; `denying`: words that turn what follows."""

    skipped: Sequence[str] = ()
    alike: Mapping[str, tuple[str, ...]] | None = None
    denying: Sequence[str] = ()


Meaning = Callable[[str, str], int | None]
"""(kind of a place, word) → the value that the word means there, None if it means none."""


@dataclass(frozen=True, slots=True)
class _Word:
    """One of these words."""

    choices: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Place:
    """A word that means something of this kind."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class _Group:
    """One of these sequences, or nothing if it is optional."""

    choices: tuple[_Sequence, ...]
    optional: bool


_Piece: TypeAlias = _Word | _Place | _Group
_Sequence: TypeAlias = tuple["_Word | _Place | _Group", ...]


@dataclass(frozen=True, slots=True)
class _Phrase:
    """`without`: the player that the phrase begins with is left out."""

    saying: Saying
    pieces: _Sequence
    kinds: Mapping[str, str]
    without: bool

    @property
    def needs_player(self) -> bool:
        """Whether a cell is that of the player whom the phrase may leave out."""
        return SUBJECT in self.kinds and any(SUBJECT in (cell.arguments or ()) for cell, _ in self.saying.sets)


@dataclass(frozen=True, slots=True)
class _Match:
    """What a phrase reads: up to which word, and which word stands at which place."""

    end: int
    at: Mapping[str, str]


def read_past(
    facts: Sequence[str],
    sayings: Sequence[Saying],
    language: Language,
    meaning: Meaning,
    subject: str | None = None,
) -> Telling:
    """Read the sentences one after another; `subject` is the player whom each begins with if it names none."""
    reading = _Reading([phrase for saying in sayings for phrase in _phrases(saying)], language, meaning)
    for fact in facts:
        reading.begin(subject)
        for sentence in SENTENCE.split(fact):
            reading.sentence(sentence.strip())
    return Telling(tuple(reading.told), tuple(reading.unread), tuple(reading.rules), tuple(reading.deeds))


class _Reading:
    """A telling under way."""

    def __init__(self, phrases: Sequence[_Phrase], language: Language, meaning: Meaning) -> None:
        self.phrases = phrases
        self.skipped = frozenset(word.lower() for word in language.skipped)
        self.denying = frozenset(word.lower() for word in language.denying)
        self.alike = language.alike or {}
        self.meaning = meaning
        self.known: dict[tuple[str, str], int | None] = {}
        self.subject: str | None = None
        self.told: list[Told] = []
        self.unread: list[str] = []
        self.rules: list[str] = []
        self.deeds: list[Deed] = []

    def begin(self, subject: str | None) -> None:
        """Another fact: nobody has been spoken of."""
        self.subject = subject

    def sentence(self, text: str) -> None:
        """Read one sentence. What no phrase read is told piece by piece, and with it what follows a denying word."""
        words = list(self._words(text))
        place, left = 0, list[str]()
        denied = False
        while place < len(words):
            found = None if denied else self._longest([word for word, _ in words], place)
            if found is None or found[0].saying.unread:
                end = place + 1 if found is None else found[1].end
                left += [shown for _, shown in words[place:end]]
                denied = denied or words[place][0].lower() in self.denying
                place = end
                continue
            self._leave(left, text)
            left = []
            phrase, matched = found
            self._take(phrase, matched)
            place = matched.end
        self._leave(left, text)

    def _words(self, text: str) -> Iterator[tuple[str, str]]:
        """The words as phrases know them, each with what stands in the text."""
        for found in WORD.finditer(POSSESSIVE.sub(r" \g<0>", text)):
            shown = found[0].rstrip(STOPS)
            if not POSSESSIVE.fullmatch(shown):
                shown = shown.lstrip(QUOTES).rstrip(QUOTES + STOPS)
            if not shown:
                continue
            for place, word in enumerate(self.alike.get(shown.lower().replace("’", "'"), (shown,))):
                yield word, "" if place else shown

    def _longest(self, words: Sequence[str], start: int) -> tuple[_Phrase, _Match] | None:
        """The phrase that reads most; of several the first."""
        best: tuple[_Phrase, _Match] | None = None
        for phrase in self.phrases:
            if phrase.without and self.subject is None:
                continue
            for matched in self._matches(phrase.pieces, words, _Match(start, {})):
                if self.subject is None and SUBJECT not in matched.at and phrase.needs_player:
                    continue
                if matched.end > (start if best is None else best[1].end):
                    best = phrase, matched
        return best

    def _matches(self, pieces: _Sequence, words: Sequence[str], so_far: _Match) -> Iterator[_Match]:
        """Every way to read these pieces from here on."""
        if not pieces:
            yield so_far
            return
        piece, rest = pieces[0], pieces[1:]
        if isinstance(piece, _Group):
            for choice in piece.choices:
                for matched in self._matches(choice, words, so_far):
                    yield from self._matches(rest, words, matched)
            if piece.optional:
                yield from self._matches(rest, words, so_far)
        elif so_far.end < len(words):
            word, at = words[so_far.end], so_far.at
            if isinstance(piece, _Place):
                if self._means(piece.kind, word) is None:
                    return
                at = {**at, piece.name: word}
            elif word.lower() not in piece.choices:
                return
            yield from self._matches(rest, words, _Match(so_far.end + 1, at))

    def _means(self, kind: str, word: str) -> int | None:
        if (kind, word) not in self.known:
            self.known[kind, word] = self.meaning(kind, word)
        return self.known[kind, word]

    def _take(self, phrase: _Phrase, matched: _Match) -> None:
        """What the phrase says. Who is spoken of is meant where it has a place for one player and names none."""
        at = dict(matched.at)
        players = [place for place, kind in phrase.kinds.items() if kind == SUBJECT]
        first = next((at[place] for place in at if place in players), None)
        if self.subject is not None:
            if phrase.without or (SUBJECT in players and first is None):
                at[SUBJECT] = self.subject
                first = self.subject
            at[EARLIER] = self.subject
        self.subject = first or self.subject
        meant = {place: self._value(phrase, place, word) for place, word in at.items()}
        named = {place: number for place, number in meant.items() if number is not None}
        saying = phrase.saying
        for cell, value in saying.sets:
            worth = _first_named(value, phrase.kinds, named)
            if worth is not None and all(each in named for each in cell.arguments or () if each in phrase.kinds):
                self.told.append(Told(cell, worth[0], named, saying.rules, saying.holding))
        if not saying.sets:
            self.rules += saying.rules
        if saying.before or saying.after:
            self.deeds.append(Deed(saying.before, saying.after, at))

    def _value(self, phrase: _Phrase, place: str, word: str) -> int | None:
        return self._means(SUBJECT if place == EARLIER else phrase.kinds[place], word)

    def _leave(self, left: Sequence[str], sentence: str) -> None:
        """What stood between the phrases is told, with its sentence, if it is more than joining words."""
        words = [word for word in left if word]
        while words and words[0].lower() in self.skipped:
            words.pop(0)
        while words and words[-1].lower() in self.skipped:
            words.pop()
        if words:
            piece = " ".join(words)
            whole = [found[0] for found in WORD.finditer(sentence)] == piece.split()
            self.unread.append(piece if whole else f"{piece} («{sentence}»)")


def summands(value: object) -> tuple[str, ...]:
    """The parts of «a + b»; «+ b» begins with an empty one: what the cell holds. Empty if it is no sum."""
    if not isinstance(value, str) or "+" not in value:
        return ()
    return tuple(part.strip() for part in value.split("+"))


def _first_named(value: object, kinds: Mapping[str, str], named: Mapping[str, int]) -> tuple[object] | None:
    """The value to fill in; of a list the first that is told. None: a place that is not named."""
    for each in value if isinstance(value, list) else [value]:
        lacking = [part for part in summands(each) or (each,) if part in kinds and part not in named]
        if not lacking:
            return (each,)
    return None


def _phrases(saying: Saying) -> tuple[_Phrase, ...]:
    """The phrase as it stands, and without the player that it begins with."""
    pieces, kinds = _parsed(saying.say)
    whole = _Phrase(saying, pieces, kinds, False)
    if len(pieces) > 1 and isinstance(pieces[0], _Place) and pieces[0].name == SUBJECT:
        return whole, _Phrase(saying, pieces[1:], kinds, True)
    return (whole,)


@lru_cache(maxsize=4096)  # a case is read again under every reading of the rules
def _parsed(say: str) -> tuple[_Sequence, Mapping[str, str]]:
    """The pieces of a phrase, and of which kind its places are."""
    found = [each.groups() for each in PIECE.finditer(say)]
    return _sequence(found)[0], {name: name.rstrip("0123456789") for name, *_ in found if name}


_Found: TypeAlias = tuple[str | None, ...]


def _sequence(found: Sequence[_Found]) -> tuple[_Sequence, Sequence[_Found]]:
    """Pieces up to a bracket that closes, or a «|»; and what is left."""
    pieces: list[_Piece] = []
    while found:
        name, opens, closes, word = found[0]
        if closes or word == OR:
            break
        found = found[1:]
        if name:
            pieces.append(_Place(name, name.rstrip("0123456789")))
        elif opens:
            choices = list[_Sequence]()
            while True:
                choice, found = _sequence(found)
                choices.append(choice)
                closing, found = found[0], found[1:]
                if closing[2]:
                    break
            pieces.append(_Group(tuple(choices), opens == "["))
        elif word:
            pieces.append(_Word(frozenset(word.lower().split(OR))))
    return tuple(pieces), found
