"""In: an act after which nothing definite followed, or two answers. Out: why there is no answer; whether they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from svod.diagnostics import Text
from svod.norms.trace import Clash, Limit, Next, Race
from svod.searches.case_events import Done


class Unsettled(Exception):
    """The rules give no answer in this course of the case. `clauses`: those that leave it open or disagree."""

    def __init__(self, ru: str, en: str, clauses: Sequence[str] = ()) -> None:
        super().__init__(en)
        self.text = Text(ru, en)
        self.clauses = tuple(clauses)


def agrees(value: object, expected: object, *, partly: bool = False) -> bool:
    """Whether an answer is the expected one: lists are compared without order where the answer is a set; `partly`: the
    expected answer may name only some of the keys."""
    if isinstance(value, frozenset):
        return isinstance(expected, list) and len(expected) == len(value) and set(map(str, expected)) == value
    if isinstance(value, tuple):
        return isinstance(expected, list) and len(expected) == len(value) and all(map(agrees, value, expected))
    if isinstance(value, dict):
        if not isinstance(expected, Mapping):
            return False
        named = {str(key): each for key, each in expected.items()}
        whole = set(named) <= set(value) if partly else set(named) == set(value)
        return whole and all(agrees(value[key], each) for key, each in named.items())
    if isinstance(value, str):
        return isinstance(expected, str | int) and not isinstance(expected, bool) and value == str(expected)
    return type(value) is type(expected) and value == expected


def no_outcome(done: Done | None) -> Unsettled:
    """An act after which the rules say nothing definite."""
    outcome = None if done is None else done.outcome
    if outcome is None or isinstance(outcome, Next):
        return Unsettled("до этого события правила не дают продолжения", "the rules stop before this event")
    if isinstance(outcome, Clash | Race):
        place = outcome.place
        return Unsettled(f"правила спорят о том, что следует: {place}", f"the rules collide: {place}", outcome.clauses)
    place = outcome.what if isinstance(outcome, Limit) else outcome.place
    clauses = outcome.clauses if isinstance(outcome, Limit) else outcome.rules
    return Unsettled(
        f"что следует, правила не говорят: {place}", f"the rules do not say what follows: {place}", clauses
    )
