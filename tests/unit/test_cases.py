"""A case on a small rulebook: every form of question, what the past leaves open, and cases that cannot be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.norms import ir
from svod.pipeline import Compilation, compile_texts, switches_for
from svod.rulebook.book import Book
from svod.searches.case_outcomes import agrees
from svod.searches.case_ways import Answer
from svod.searches.case_words import CaseWords, Phase, case_words
from svod.searches.judging import Case, Ruling, judge
from svod.searches.players import Player, engines_for
from svod.source import Source
from svod_tools.vocabulary import Vocabulary

HEAD = """---
rulebook: Small
edition: 1
language: en
---
"""
RULES = """
### S-1 Play

```rule
parameter players: 2..3
seats Player: players, names P
variables player, rival: Player
sort Suit: r | b
order Rank: 1 < 2 < 3
sort Card: Rank × Suit
variables card: Card
zone box: set, full at start
zone hand(Player): set
zone heap: pile, with authors
zone gone: set
stages opening, middle
class move, drives the game
register last: Player or none
register weather: dry | wet = dry
register place(Player): 1..3 or none
register out: 0..3 = 0
event left(player)
chance deal(player, card)
  possible if card in box and stage = opening
  body: card from box → hand(player)
as soon as stage = opening and box is empty: begin middle
action lay(player, card): move
  possible if card in hand(player)
  body: card from hand(player) → heap
action give(player, card, rival): move
  possible if card in hand(player)
  body: card from hand(player) → hand(rival)
define alive(player) := hand(player) is not empty
define turn := next(last), if last ≠ none
define turn := P1, if last = none
define finished := stage = middle and (count player where alive(player)) ≤ 1
may lay(player, card), if player = turn and weather = dry
may lay(player, card), if player = turn and weather = wet and suit(card) = r
must give(player, card, next(player)), while card in hand(player) and rank(card) = 3
on lay(player, _): last := player
as soon as stage = middle and not alive(player): event left(player)
on left(player): place(player) := out + 1; out += 1
as soon as finished and alive(player): place(player) := seats
end when finished
```
"""
LAYOUT: dict[str, Any] = {
    "phases": {"main": {"stage": "middle", "turn": "turn", "free": ["last", {"weather": ["dry", "wet"]}]}},
    "given": {
        "hands": {"zone": "hand"},
        "heap": {"zone": "heap"},
        "waste": {"rest": "gone"},
        "departed": {"order": "place", "count": "out"},
        "debts": {"empty": True},
    },
    "silent": ["story"],
    "questions": {
        "moves": {"acts": ["put", "give"]},
        "ruling": {"verdict": True},
        "to_move": {"turn": True},
        "done": {"over": True},
        "lying": {"filled": "heap"},
        "heap": {"zone": "heap"},
        "hand": {"zone": "hand"},
        "hands": {"zones": "hand"},
        "alive": {"seats": "alive"},
        "departed": {"left": "alive"},
        "departed_now": {"left_now": "alive"},
        "places": {"values": "place"},
        "loser": {"last": "place"},
        "gifts": {"forced": "give"},
        "receiver": {"target": "give"},
        "passed": {"changed": "last"},
        "weather": {"value": "weather"},
        "count": {"value": "out"},
    },
}
WORDS = Vocabulary(values={"R": "r", "B": "b"}, actions={"put": ("lay",)}, parameters={"players": "players"})


def layout() -> CaseWords:
    problems = Problems()
    found = case_words(LAYOUT, problems)
    assert found is not None and not problems.has_errors
    return found


@cache
def compilation() -> Compilation:
    problems = Problems()
    found = compile_texts([Source("s.md", HEAD + RULES)], [], problems)
    assert found is not None, [problem.message.en for problem in problems]
    return found


class Makers:
    """Norms of the small rulebook, and engines of them."""

    @property
    def book(self) -> Book:
        return compilation().book

    def norms(self, parameters: Mapping[str, int], problems: Problems) -> ir.Norms | None:
        return compilation().norms(parameters, problems)

    def switches(self, norms: ir.Norms, variants: Sequence[str], problems: Problems) -> frozenset[str]:
        return switches_for(norms, variants, problems)

    def player(self, norms: ir.Norms, switches: frozenset[str]) -> Player:
        return engines_for(in_python)(norms)(switches)


def ruling(data: Mapping[str, object], problems: Problems, words: CaseWords | None = None) -> Ruling | None:
    return judge(Case(data, lambda path: None), WORDS, words or layout(), Makers(), problems)


def ask(case: dict[str, Any], *questions: tuple[str, int] | tuple[str, int, str]) -> list[Answer]:
    asked = [dict(zip(("ask", "at", "who"), question, strict=False), q=n) for n, question in enumerate(questions, 1)]
    problems = Problems()
    found = ruling({**case, "questions": asked}, problems)
    assert found is not None, [problem.message.en for problem in problems]
    return list(found.answers)


def case(events: list[dict[str, object]] | None = None, **position: object) -> dict[str, Any]:
    given = {"phase": "main", "hands": {"X": ["1R"], "Y": ["2B"], "Z": ["1B"]}, "waste": "rest", "turn": "X"}
    return {"players": ["X", "Y", "Z"], "position": {**given, **position}, "events": events or []}


PUT = {"n": 1, "by": "X", "do": "put", "card": "1R"}


def test_answers_in_the_words_of_the_case() -> None:
    answers = ask(
        case([PUT, {"n": 2, "by": "Z", "do": "put", "card": "1B"}]),
        ("to_move", 0),
        ("moves", 0, "X"),
        ("moves", 0, "Y"),
        ("ruling", 1),
        ("ruling", 2),
        ("departed", 2),
        ("departed_now", 2),
        ("alive", 1),
        ("places", 2),
        ("done", 1),
        ("done", 2),
        ("loser", 2),
        ("heap", 2),
        ("hand", 2, "Y"),
        ("hands", 0),
        ("lying", 0),
        ("lying", 1),
        ("passed", 1),
        ("count", 1),
    )
    assert all(answer.settled for answer in answers), [answer for answer in answers if not answer.settled]
    assert [answer.value for answer in answers] == [
        "X",
        frozenset({"put 1R"}),
        frozenset(),
        "lawful",
        "unlawful",
        ("X", "Z"),
        frozenset({"Z"}),
        frozenset({"Y", "Z"}),
        {"X": 1, "Z": 2, "Y": 3},
        False,
        True,
        "Y",
        ("1R", "1B"),
        frozenset({"2B"}),
        {"X": ("1R",), "Y": ("2B",), "Z": ("1B",)},
        False,
        True,
        True,
        1,
    ]


def test_what_the_case_leaves_open_is_tried_and_must_not_matter() -> None:
    """The weather is not told: with a red card it does not matter, with a black one it does."""
    red, weather = ask(case(), ("moves", 0, "X"), ("weather", 0))
    assert red.settled and not weather.settled
    (black,) = ask(case(hands={"X": ["1R", "2R", "1B"], "Y": ["2B"], "Z": []}), ("moves", 0, "X"))
    assert not black.settled and black.why is not None and len(black.sides) == 2


def test_a_case_before_the_first_move_starts_as_a_play_does() -> None:
    first, weather = ask(case(turn=None), ("to_move", 0), ("weather", 0))
    assert (first.value, weather.value) == ("X", "dry")


def test_forced_acts_one_after_another() -> None:
    hands = {"X": ["1R", "3R"], "Y": ["2B"], "Z": ["1B"]}
    gifts, receiver = ask(case(hands=hands), ("gifts", 0), ("receiver", 0))
    assert receiver.value == "Y"
    assert not gifts.settled, "the card goes round for ever"
    (none,) = ask(case(), ("gifts", 0))
    assert none.value == ()


def test_those_who_had_left_before_keep_their_places() -> None:
    (departed, places) = ask(
        case([PUT], departed=["Z"], hands={"X": ["1R"], "Y": ["2B"], "Z": []}), ("departed", 1), ("places", 1)
    )
    assert departed.value == ("Z", "X")
    assert places.value == {"Z": 1, "X": 2, "Y": 3}


def test_an_event_that_cannot_happen_is_refused() -> None:
    problems = Problems()
    asked = {**case([{"n": 1, "by": "X", "do": "put", "card": "2B"}]), "questions": []}
    assert ruling(asked, problems) is None
    assert [problem.code.name for problem in problems] == ["C504"]


@pytest.mark.parametrize(
    "broken",
    [
        {"players": []},
        {"position": {"phase": "other"}},
        {"position": {"phase": "main", "hands": {"W": []}, "turn": "X"}},
        {"position": {"phase": "main", "hands": {"X": ["9R"]}, "turn": "X"}},
        {"position": {"phase": "main", "hands": {"X": ["1R"]}, "turn": "X"}},
        {"position": {"phase": "main", "waste": "rest", "debts": {"X": ["1R"]}, "turn": "X"}},
        {"position": {"phase": "main", "waste": "rest", "unknown": 1, "turn": "X"}},
        {"position": {"phase": "main", "hands": {"X": "1R"}, "turn": "X"}},
        {"events": [{"n": 1, "by": "X", "do": "jump"}]},
        {"events": ["jump"]},
        {"questions": [{"q": 1, "ask": "hand", "at": 0, "who": "W"}]},
        {"questions": [{"q": 1, "ask": "hand", "at": 7, "who": "X"}]},
        {"questions": [{"q": 1, "ask": "ruling", "at": 0}]},
    ],
)
def test_broken_case_is_told(broken: dict[str, object]) -> None:
    problems = Problems()
    asked = {**case([PUT]), "questions": [{"q": 1, "ask": "moves", "at": 0, "who": "X"}], **broken}
    assert ruling(asked, problems) is None
    assert [problem.code.name for problem in problems] == ["C502"]


def test_turn_that_nothing_leads_to_is_told() -> None:
    problems = Problems()
    stuck = CaseWords({"main": Phase("middle", "turn", ())}, layout().given, layout().questions)
    asked = {**case(turn="Y"), "questions": []}
    assert ruling(asked, problems, stuck) is None
    assert [problem.code.name for problem in problems] == ["C503"]


@pytest.mark.parametrize(
    "data",
    [
        [],
        {"other": {}},
        {"phases": {"main": {"stage": "middle", "turn": 3}}},
        {"phases": {}, "given": {"hands": {"place": "hand"}}},
        {"phases": {}, "questions": {"q": {"zone": "hand", "value": "out"}}},
    ],
)
def test_broken_words_are_told(data: object) -> None:
    problems = Problems()
    assert case_words(data, problems) is None
    assert [problem.code.name for problem in problems] == ["C501"]


@pytest.mark.parametrize(
    ("value", "expected", "same"),
    [
        (frozenset({"a", "b"}), ["b", "a"], True),
        (frozenset({"a"}), ["a", "b"], False),
        (("a", "b"), ["b", "a"], False),
        ((("a", "b"),), [["a", "b"]], True),
        ({"x": 1}, {"x": 1}, True),
        ({"x": 1}, {"x": True}, False),
        (True, 1, False),
        ("A", "A", True),
        ((), [], True),
    ],
)
def test_comparison_with_a_key(value: object, expected: object, same: bool) -> None:
    assert agrees(value, expected) is same
