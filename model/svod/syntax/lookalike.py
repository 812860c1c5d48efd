"""In: a word. Out: its skeleton, equal for words that look alike in two alphabets, and the word in one of them."""

from __future__ import annotations

import re

# Cyrillic letters and the Latin ones that they are mistaken for; «ё» is folded to «е», as printed texts do.
_PAIRS = (
    "АA ВB ЕE ЁE КK МM НH ОO РP СC ТT УY ХX ІI ЇI ЈJ ЅS аa вb еe ёe оo рp сc уy хx іi їi јj ѕs кk тt мm нh"
).split()
_TO_LATIN = {pair[0]: pair[1] for pair in _PAIRS}
_TO_CYRILLIC = {pair[1]: pair[0] for pair in reversed(_PAIRS)}
_FOLD = str.maketrans({**_TO_LATIN, "‐": "-", "‑": "-", "\ufe0e": "", "\ufe0f": ""})

_CYRILLIC = re.compile("[Ѐ-ӿ]")
_LATIN = re.compile("[A-Za-zÀ-ÖØ-öø-ſ]")
_PIECE = re.compile("[A-Za-zÀ-ÖØ-öø-ſЀ-ӿ]+")


def skeleton(text: str) -> str:
    """The word with every look-alike letter folded to one; equal for words that a reader cannot tell apart."""
    return text.translate(_FOLD)


def is_mixed(text: str) -> bool:
    """Whether some run of letters in the word (between digits, `_` and signs) has both alphabets in it."""
    return any(_CYRILLIC.search(piece) and _LATIN.search(piece) for piece in _PIECE.findall(text))


def in_one_alphabet(text: str) -> str | None:
    """The word retyped in the alphabet of most of its letters; None where some letter has no twin there."""
    return _retyped(text, _TO_CYRILLIC, _LATIN) if _mostly_cyrillic(text) else _retyped(text, _TO_LATIN, _CYRILLIC)


def _mostly_cyrillic(text: str) -> bool:
    """Letters that have no twin decide; if there are none, the number of letters does."""
    own = [character for character in text if character not in _TO_LATIN and character not in _TO_CYRILLIC]
    decisive = [character for character in own if _CYRILLIC.match(character) or _LATIN.match(character)] or list(text)
    cyrillic = sum(1 for character in decisive if _CYRILLIC.match(character))
    latin = sum(1 for character in decisive if _LATIN.match(character))
    return cyrillic >= latin


def _retyped(text: str, table: dict[str, str], foreign: re.Pattern[str]) -> str | None:
    result = "".join(table.get(character, character) if foreign.match(character) else character for character in text)
    return None if foreign.search(result) else result
