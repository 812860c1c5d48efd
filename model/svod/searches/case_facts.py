"""In: sentences about what happened before a case, and the phrases that a vocabulary reads. Out: cells to fill, in the
order of the telling, and the words that no phrase read.

A phrase is made of words and places: «{player} took [the] {card}», «led|beat», an optional part in brackets. A place is
called by what stands there (`player`, `card`, `number`, or a sort of the rulebook), perhaps with a digit. A sentence is
read from left to right, at each word by the phrase that reads most; the player whom a phrase names first may be left
out at the beginning of the next, and is `earlier` there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from svod.searches.case_words import Call, Saying

SENTENCE = re.compile(r"[.;!?]+(?=\s|$)")
WORD = re.compile(r"[^\s,()«»\"“”:]+")
PIECE = re.compile(r"\{(\w+)\}|(\[)|(\])|([^\s\[\]{}]+)")
POSSESSIVE = re.compile(r"['’]s\b")
SUBJECT = "player"
EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Told:
    """A cell and what it holds now; `named` are the values of the places of the phrase, `rules` the items by which."""

    place: Call
    value: object
    named: Mapping[str, int]
    rules: tuple[str, ...] = ()

    def fills(self, register: str, index: Sequence[int] | None) -> bool:
        """Whether it is about this cell; None: any of the register."""
        if self.place.name != register or index is None:
            return self.place.name == register
        named = [self.named.get(argument) for argument in self.place.arguments or ()]
        return all(value is None or value == wanted for value, wanted in zip(named, index, strict=True))


@dataclass(frozen=True, slots=True)
class Telling:
    """What was read of the past: cells to fill, pieces of the text that nothing read, items that phrases named."""

    told: tuple[Told, ...]
    unread: tuple[str, ...]
    rules: tuple[str, ...] = ()


Meaning = Callable[[str, str], int | None]
"""(kind of a place, word) → the value that the word means there, None if it means none."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """`subject`: the place of the player that the phrase begins with; `without`: it is left out."""

    saying: Saying
    pieces: tuple[re.Match[str], ...]
    kinds: Mapping[str, str]
    subject: str | None
    without: bool

    def names_player(self, place: str) -> bool:
        """Whether a place of the phrase is one for a player."""
        return place == self.subject or self.kinds.get(place) == SUBJECT


def read_past(facts: Sequence[str], sayings: Sequence[Saying], skipped: Sequence[str], meaning: Meaning) -> Telling:
    """Read the sentences one after another."""
    phrases = [phrase for saying in sayings for phrase in _phrases(saying)]
    reading = _Reading(phrases, frozenset(word.lower() for word in skipped), meaning)
    for fact in facts:
        reading.subject = None
        for sentence in SENTENCE.split(fact):
            reading.sentence([found[0].rstrip(".") for found in WORD.finditer(POSSESSIVE.sub(r" \g<0>", sentence))])
    return Telling(tuple(reading.told), tuple(reading.unread), tuple(reading.rules))


class _Reading:
    """A telling under way."""

    def __init__(self, phrases: Sequence[_Phrase], skipped: frozenset[str], meaning: Meaning) -> None:
        self.phrases = phrases
        self.skipped = skipped
        self.meaning = meaning
        self.subject: int | None = None
        self.told: list[Told] = []
        self.unread: list[str] = []
        self.rules: list[str] = []

    def sentence(self, words: Sequence[str]) -> None:
        """Read one sentence."""
        patterns = [(phrase, _pattern(phrase, words, self.meaning)) for phrase in self.phrases]
        place, left = 0, list[str]()
        while place < len(words):
            found = self._longest(patterns, " ".join(words[place:]))
            if found is None:
                left.append(words[place])
                place += 1
                continue
            self._leave(left)
            left = []
            phrase, matched = found
            self._take(phrase, matched)
            place += len(matched[0].split())
        self._leave(left)

    def _longest(
        self, patterns: Sequence[tuple[_Phrase, re.Pattern[str]]], text: str
    ) -> tuple[_Phrase, re.Match[str]] | None:
        best: tuple[_Phrase, re.Match[str]] | None = None
        for phrase, pattern in patterns:
            if phrase.without and self.subject is None:
                continue
            matched = pattern.match(text)
            if matched and matched[0].strip() and (best is None or matched.end() > best[1].end()):
                best = phrase, matched
        return best

    def _take(self, phrase: _Phrase, matched: re.Match[str]) -> None:
        named: dict[str, int] = {}
        for place, word in matched.groupdict().items():
            value = None if word is None else self.meaning(phrase.kinds[place], word)
            if value is not None:
                named[place] = value
        if self.subject is not None:
            named[EARLIER] = self.subject
        if phrase.subject is not None and phrase.without and self.subject is not None:
            named[phrase.subject] = self.subject
        self.subject = next((v for place, v in named.items() if phrase.names_player(place)), self.subject)
        rules = phrase.saying.rules
        self.told += [Told(cell, value, named, rules) for cell, value in phrase.saying.sets]
        if not phrase.saying.sets:
            self.rules += rules

    def _leave(self, left: Sequence[str]) -> None:
        """What stood between the phrases is told if it is more than joining words."""
        words = list(left)
        while words and words[0].lower() in self.skipped:
            words.pop(0)
        while words and words[-1].lower() in self.skipped:
            words.pop()
        if words:
            self.unread.append(" ".join(words))


def _phrases(saying: Saying) -> Iterator[_Phrase]:
    """The phrase as it stands, and without the player that it begins with."""
    pieces = tuple(PIECE.finditer(saying.say))
    kinds = {name: name.rstrip("0123456789") for piece in pieces if (name := piece[1])}
    first = pieces[0][1] if pieces else None
    subject = first if first is not None and kinds[first] == SUBJECT else None
    yield _Phrase(saying, pieces, kinds, subject, False)
    if subject is not None and len(pieces) > 1:
        yield _Phrase(saying, pieces[1:], kinds, subject, True)


def _pattern(phrase: _Phrase, words: Sequence[str], meaning: Meaning) -> re.Pattern[str]:
    """Words one blank apart, each takes the blank after it; a place takes the words that mean something there."""
    parts = []
    for piece in phrase.pieces:
        name, opens, closes, word = piece.groups()
        if name:
            fitting = [
                re.escape(each) for each in dict.fromkeys(words) if meaning(phrase.kinds[name], each) is not None
            ]
            parts.append(rf"(?P<{name}>{'|'.join(fitting) or '(?!)'})(?:\s|$)")
        elif opens:
            parts.append("(?:")
        elif closes:
            parts.append(")?")
        else:
            choices = "|".join(re.escape(choice) for choice in word.split("|"))
            parts.append(rf"(?i:{choices})(?:\s|$)")
    return re.compile("".join(parts))
