"""Sentences about the past: phrases in order, the player carried over, and what nobody reads is kept."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.searches.case_facts import Language, Telling, read_past
from svod.searches.case_words import case_words

PLAYERS, CARDS, NUMBERS = ("A", "B", "C"), ("7S", "8S", "QH"), {"one": 1, "two": 2}
READ = [
    {"say": "{player} led|laid {card} [his last card]", "set": {"silent(player)": False}, "rule": "N-2"},
    {
        "say": "{player} came down to one card [{card}] [and said nothing]",
        "set": {"silent(player)": True},
        "rule": "N-1",
    },
    {"say": "{player} took it", "set": {"silent(player)": False, "last": "player"}},
    {"say": "{player} got {number} fines", "set": {"owes(others, player)": "number"}},
    {"say": "{player} asked him", "set": {"asked(earlier)": True}},
    {"say": "no kon has been played yet", "set": {"begun": "not_yet"}},
    {"say": "nobody minded", "rule": "N-3"},
    {
        "say": "[both|each] [of] [{player3}] [{player2} and] {player} <got> [{number}] fines",
        "set": {
            "owes(others, player)": ["number", 1],
            "owes(others, player2)": ["number", 1],
            "owes(others, player3)": ["number", 1],
        },
    },
    {"say": "{player} <got> {number} fines and {number2} more", "set": {"owes(others, player)": "number + number2"}},
    {"say": "[{player}] another fine", "set": {"owes(others, player)": "+1"}},
    {"say": "{player} said nothing", "set": {"silent(player)": True}, "holding": {"hand": 1}},
    {"say": "{player} asked about {card}", "unread": True},
    {"say": "in the end [{player}] sang", "set": {"singing(player)": True}},
]


FACTS = {
    "skip": ["and", "then", "he", "it", "at", "once"],
    "alike": {"didn't": "did not", "earned": "got"},
    "denying": ["not", "nobody"],
    "parts": {"got": "[has] got | <given>", "given": "was|were given"},
    "read": READ,
}


def meaning(kind: str, word: str) -> int | None:
    if kind == "player":
        return PLAYERS.index(word) if word in PLAYERS else None
    if kind == "number":
        return NUMBERS.get(word)
    return CARDS.index(word) if kind == "card" and word in CARDS else None


def read(*facts: str) -> Telling:
    problems = Problems()
    words = case_words({"facts": FACTS}, problems)
    assert words is not None and not problems.has_errors
    return read_past(facts, words.sayings, Language(words.skipped, words.alike, words.denying), meaning)


def cells(telling: Telling) -> list[tuple[str, object, int | None]]:
    return [(told.place.name, told.value, told.named.get("player")) for told in telling.told]


def test_phrases_are_read_in_order_and_the_player_is_carried_over() -> None:
    found = read("B led 7S, came down to one card (8S) and said nothing; then A laid QH, his last card.")
    assert cells(found) == [("silent", False, 1), ("silent", True, 1), ("silent", False, 0)]
    assert [told.rules for told in found.told] == [("N-2",), ("N-1",), ("N-2",)]
    assert found.unread == ()


def test_a_part_in_brackets_may_be_missing() -> None:
    assert cells(read("C came down to one card and said nothing.")) == [("silent", True, 2)]
    assert cells(read("C came down to one card.")) == [("silent", True, 2)]


def test_the_player_before_can_be_meant() -> None:
    (last,) = [told for told in read("B led 7S. A asked him.").told if told.place.name == "asked"]
    assert last.named["earlier"] == 1 and last.named["player"] == 0


def test_numbers_and_words_without_a_player() -> None:
    assert [(told.place.arguments, told.named["number"]) for told in read("B got two fines.").told] == [
        (("others", "player"), 2)
    ]
    assert cells(read("No kon has been played yet.")) == [("begun", "not_yet", None)]


def test_a_phrase_may_only_name_a_rule() -> None:
    assert read("Nobody minded.").rules == ("N-3",)


def owing(text: str) -> list[tuple[str, object]]:
    found = read(text)
    assert found.unread == ()
    return [((told.place.arguments or ())[1], told.named.get(str(told.value), told.value)) for told in found.told]


def test_players_who_are_not_named_have_no_cell() -> None:
    assert owing("A got two fines.") == [("player", 2)]
    assert owing("A and B earned two fines.") == [("player", 2), ("player2", 2)]
    assert owing("Each of A, B and C was given two fines.") == [("player", 2), ("player2", 2), ("player3", 2)]


def test_a_number_may_be_left_out() -> None:
    assert owing("A got fines.") == [("player", 1)]


def test_numbers_are_added() -> None:
    assert owing("A got two fines and one more.") == [("player", "number + number2")]
    assert owing("A got two fines, then another fine.") == [("player", 2), ("player", "+1")]


def test_who_is_spoken_of_may_be_left_out_in_the_middle() -> None:
    assert cells(read("B led 7S; in the end sang."))[1:] == [("singing", True, 1)]


def test_cards_that_a_phrase_asks_for_are_told_with_it() -> None:
    assert [told.holding for told in read("B led 7S and said nothing.").told] == [(), (("hand", 1),)]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("B sang a song.", ("B sang a song",)),
        ("B led 7S and then he sang; A took it.", ("sang («B led 7S and then he sang»)",)),
        ("D led 7S.", ("D led 7S",)),
        ("B led 9Z.", ("B led 9Z",)),
        ("and then he", ()),
        ("B led 7S at once.", ()),
        ("B didn't sing.", ("B didn't sing",)),
        ("A asked about 7S.", ("A asked about 7S",)),
        ("Nobody but B led 7S.", ("Nobody but B led 7S",)),
        ("In the end sang.", ("In the end sang",)),
    ],
)
def test_what_no_phrase_reads_is_kept(text: str, unread: tuple[str, ...]) -> None:
    assert read(text).unread == unread


@pytest.mark.parametrize(
    "facts",
    [
        {"say": []},
        {"read": [{"say": "a <part>"}]},
        {"read": [{"say": "(a | b"}]},
        {"read": [{"say": "a|{player}"}]},
        {"read": [{"say": "a", "holding": {"hand": "1"}}]},
        {"read": [{"tell": "x"}]},
        {"read": [{"say": "x", "sets": {}}]},
        {"numbers": {"one": "1"}},
    ],
)
def test_broken_phrases_are_told(facts: object) -> None:
    problems = Problems()
    assert case_words({"facts": facts}, problems) is None
    assert [problem.code.name for problem in problems] == ["C501"]
