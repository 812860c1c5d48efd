"""Words that the language itself gives a meaning, by language; and the nearest known word for a mistyped one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from enum import Enum

from svod.syntax.lookalike import skeleton


class Builtin(Enum):
    """Functions that every rulebook has."""

    SIZE = "size"
    TOP = "top"
    BOTTOM = "bottom"
    AUTHOR = "author"
    ABOVE = "above"
    ZONES_HOLDING = "zones_holding"
    NEXT = "next"
    PREVIOUS = "previous"
    NEXT_WRAPPED = "next_wrapped"
    PREVIOUS_WRAPPED = "previous_wrapped"
    LEAST = "least"
    GREATEST = "greatest"
    DISTANCE = "distance"
    SEATS = "seats"


BUILTINS: dict[str, dict[str, Builtin]] = {
    "ru": {
        "карт": Builtin.SIZE,
        "верх": Builtin.TOP,
        "низ": Builtin.BOTTOM,
        "автор": Builtin.AUTHOR,
        "над": Builtin.ABOVE,
        "зон": Builtin.ZONES_HOLDING,
        "следующий": Builtin.NEXT,
        "предыдущий": Builtin.PREVIOUS,
        "по_кругу": Builtin.NEXT_WRAPPED,
        "назад_по_кругу": Builtin.PREVIOUS_WRAPPED,
        "младший": Builtin.LEAST,
        "старший": Builtin.GREATEST,
        "расстояние": Builtin.DISTANCE,
        "мест": Builtin.SEATS,
    },
    "en": {builtin.value: builtin for builtin in Builtin},
}

STAGE_REGISTER = {"ru": "этап", "en": "stage"}
STEP_PREFIX = {"ru": "шаг", "en": "step"}
RECORD = {"ru": "нарушил", "en": "breached"}
PUNISHED = {"ru": "наказан", "en": "punished"}
PUNISHED_PARAMETERS = {"ru": ("виновный", "за_что"), "en": ("offender", "offence")}
CARD_SORT = {"ru": "Карта", "en": "Card"}


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was probably meant to be: one that looks the same, else one spelt nearly so."""
    candidates = sorted(set(known) - {word})
    shape = skeleton(word)
    for candidate in candidates:
        if skeleton(candidate) == shape:
            return candidate
    close = difflib.get_close_matches(word, candidates, 1, 0.7)
    return close[0] if close else None


def looks_like(word: str, known: Iterable[str]) -> str | None:
    """A known word that is another but looks the same, such as one with a letter of the other alphabet."""
    shape = skeleton(word)
    return next((candidate for candidate in sorted(known) if candidate != word and skeleton(candidate) == shape), None)
