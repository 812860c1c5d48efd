"""The free text of an event: what it tells is done with it; and natural wordings of what Shukh's cases tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from svod.diagnostics import Problems
from svod.searches.case_facts import Language, Telling, read_past
from svod.searches.case_words import CaseWords, case_words
from svod.searches.cases import given_position
from svod_tools import cli

from .test_cases import LAYOUT, case, ruling

ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, Any] = {
    **deepcopy(LAYOUT),
    "facts": {"skip": ["and"], "alike": {"doesn't": "does not"}, "denying": ["not"]},
    "texts": [
        {"say": "{player} [first] gives {card} to {player2}", "do": "give(player, card, player2)"},
        {"say": "{player} then gives {card} to {player2}", "then": "give(player, card, player2)"},
        {"say": "{player} smiles"},
        {"speech": ["give"]},
    ],
}
HANDS = {"X": ["1R", "3R"], "Y": ["2B"], "Z": ["1B"]}


def told(text: str | None, word: str = "put", card: str = "1R", **more: object) -> tuple[list[str], tuple[str, ...]]:
    """The acts done for an event with this text, and what was not read of it."""
    problems = Problems()
    words = case_words(SMALL, problems)
    event: dict[str, object] = {"n": 1, "by": "X", "do": word, "card": card, **more}
    found = ruling({**case([{**event, **({} if text is None else {"text": text})}], hands=HANDS)}, problems, words)
    assert found is not None, [problem.message.en for problem in problems]
    (happened,) = found.course.events.values()
    assert happened.main is not None and happened.main.act.action == {"put": "lay", "give": "give"}[word]
    return [done.act.action for done in happened.done], found.unread


def test_an_act_told_in_the_text_is_done_before_the_event() -> None:
    assert told(None) == (["lay"], ())
    assert told("X first gives 3R to Y") == (["give", "lay"], ())
    assert told("gives 3R to Y and smiles") == (["give", "lay"], ())  # who acts may be left out


def test_an_act_may_be_told_to_follow() -> None:
    assert told("then gives 3R to Y") == (["lay", "give"], ())


def test_what_is_not_lawful_is_not_done() -> None:
    assert told("X gives 1R to Y")[0] == ["lay"]  # a card that nobody has to give
    assert told("Z gives 1B to X")[0] == ["lay"]


def test_what_no_phrase_reads_of_a_text_is_told() -> None:
    assert told("X smiles")[1] == ()
    assert told("X smiles and coughs")[1] == ("coughs («X smiles and coughs»)",)
    assert told("X coughs. Y smiles")[1] == ("X coughs",)


def test_nothing_is_done_after_a_word_that_denies() -> None:
    acts, unread = told("X doesn't say that he first gives 3R to Y")
    assert acts == ["lay"] and len(unread) == 1


def test_speech_says_nothing_about_the_play() -> None:
    assert told("you had to, and X gives 1R to Y", "give", "3R", to="Y") == (["give"], ())


@pytest.mark.parametrize("texts", [[{"say": 1}], [{"say": "x", "set": {}}], [{"do": "give"}], ["x"]])
def test_broken_texts_are_told(texts: object) -> None:
    problems = Problems()
    assert case_words({"texts": texts}, problems) is None
    assert [problem.code.name for problem in problems] == ["C501"]


def test_a_field_of_the_position_may_stand_beside_it() -> None:
    data = {"departed": ["X"], "story": "long", "position": {"phase": "main"}}
    assert given_position(data, ("departed", "waste")) == {"phase": "main", "departed": ["X"]}
    assert given_position({**data, "position": {"departed": []}}, ("departed",)) == {"departed": []}


# ------------------------------------------------------------------------------------------------ words of Shukh

TAKEN_BACK = """
id: U-01
deck: 36
players: [A, B, C]
position:
  phase: play
  hands: {A: [7C, 8D], B: [AD, 9C], C: [QC, 6D]}
  kon: [{card: 9S, by: A}]
  turn: B
  discard: rest
  shukh: {}
events:
  - {n: 1, by: B, do: play, card: AD}
  - {n: 2, by: B, do: %s}
questions:
  - {q: 1, at: 2, ask: verdict}
  - {q: 2, at: 2, ask: hand_after, who: B}
expected: {1: lawful, 2: %s}
"""


@pytest.mark.parametrize(
    ("event", "hand"),
    [
        ('take_bottom, text: "B takes AD back and takes the bottom card"', "[AD, 9C, 9S]"),
        ('take_bottom, text: "he corrects himself"', "[AD, 9C, 9S]"),
        ("play, card: AD", "[AD]"),  # cannot be done otherwise
    ],
)
def test_a_move_is_taken_back(event: str, hand: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "case.yaml").write_text(TAKEN_BACK % (event, hand), "utf-8")
    cli.run(["judge", str(ROOT / "spec" / "shukh"), str(tmp_path / "case.yaml"), "--lang", "en"])
    shown = capsys.readouterr().out
    assert "взять_назад" in shown
    if hand != "[AD]":
        assert "1 of 1" in shown and "not taken into account" not in shown


@cache
def shukh() -> CaseWords:
    problems = Problems()
    data = yaml.safe_load((ROOT / "spec" / "shukh" / "vocabulary.yaml").read_text("utf-8"))
    words = case_words(data["cases"], problems)
    assert words is not None
    return words


SEATS = ("A", "B", "C", "D", "E", "F")


def meaning(kind: str, word: str) -> int | None:
    if kind == "player":
        return SEATS.index(word) if word in SEATS else None
    if kind == "number":
        number = None if word in SEATS else shukh().numbers.get(word.lower())
        return int(word) if word.isdecimal() else number
    shape = r"(?:[6-9]|10|[JQKA])[SHDC]" if kind == "card" else r"Ш-\d+[ab]?"
    return 0 if re.fullmatch(shape, word) else None


def language() -> Language:
    return Language(shukh().skipped, shukh().alike, shukh().denying)


def of_the_past(text: str, phase: str = "play") -> Telling:
    return read_past([text], [each for each in shukh().sayings if each.phase in (None, phase)], language(), meaning)


def cells(telling: Telling) -> dict[str, object]:
    """What the cells hold in the end."""
    held: dict[str, object] = {}
    for each in telling.told:
        names: Mapping[str, str] = {
            place: SEATS[value] if place.startswith("player") or place == "earlier" else str(value)
            for place, value in each.named.items()
        }
        inside = ", ".join(names.get(argument, argument) for argument in each.place.arguments or ())
        named = each.named.get(each.value, each.value) if isinstance(each.value, str) else each.value
        held[f"{each.place.name}({inside})" if inside else each.place.name] = named
    return held


SILENT = """
B has just led 9S; he did not announce that he has one card left.
B led 9S and did not say One card!
B led 9S, one of his last two cards, in silence.
B led 9S and went down to one card without announcing it.
In this kon B led 9S and remained with one card without saying a word.
B led 9S a moment ago and forgot to announce his one card.
B led 9S, came down to one card (KD) and said nothing; nobody has asked.
B led 9S with his last card but one and kept silent.
B led 9S and never announced his last card.
B led 9S but failed to call "One card!".
B led 9S; he was left with a single card and said nothing about it.
Without a word B led 9S.
B silently led 9S.
B led 9S and omitted the announcement.
B did not announce "One card!" when he led 9S.
When B led 9S he said nothing.
B has come down to one card and hasn't announced it yet.
B led 9S, had one card left and didn't say so.
By leading 9S B came down to one card, and he did not announce it.
B, who has one card, has not announced it.
B led 9S with two cards in his hand and did not announce one card; nobody has asked.
B led 9S and not a word was said.
B took the bottom card, so he has one card, and he kept silent.
"""
ANNOUNCED = """
B led 9S, came down to one card and announced it at once.
B led 9S and said 'One card!' in time.
B led 9S, announcing his last card.
C and B have announced one card.
B led 9S and kept silent about his last card; A has already asked him and Ш-11 was given.
B came down to one card in silence. A asked for the number at once, but nobody claimed a ШУХ.
B came down to one card and said nothing; A asked "How many cards?" and B was given Ш-11.
B came down to one card in silence, but he has been asked already.
B came down to one card and said nothing. D asked B how many cards he held.
B came down to one card and said nothing. A has already asked him about the number of cards.
B came down to one card and said nothing; then he took 9S.
"""


@pytest.mark.parametrize("text", SILENT.strip().splitlines())
def test_one_card_kept_secret(text: str) -> None:
    found = of_the_past(text)
    assert cells(found)["объявление(B)"] is True and found.unread == ()


@pytest.mark.parametrize("text", ANNOUNCED.strip().splitlines())
def test_one_card_known(text: str) -> None:
    found = of_the_past(text)
    assert cells(found)["объявление(B)"] is False and found.unread == ()


ONE = {"A": 1, "B": 1}
DEAL: list[tuple[str, dict[str, int]]] = [
    ("A, B and C got one ШУХ each", {**ONE, "C": 1}),
    ("A, B and C each got one ШУХ during it", {**ONE, "C": 1}),
    ("Both A and B got one ШУХ", ONE),
    ("During it each of A and B got one ШУХ", ONE),
    ("A and B were both given one ШУХ", ONE),
    ("Both of them, A and B, got one ШУХ", ONE),
    ("A got a ШУХ for Ш-1 and B one for Ш-9", ONE),
    ("A got Ш-1 and B got Ш-9", ONE),
    ("A got one ШУХ for touching the deck too early, B got one for dropping a card", ONE),
    ("One ШУХ each went to A and B", ONE),
    ("C was given Ш-1 twice", {"C": 2}),
    ("C got Ш-1 three times", {"C": 3}),
    ("C received one ШУХ (Ш-1) and D received two (Ш-1)", {"C": 1, "D": 2}),
    ("A has one ШУХ from the deal, D has two", {"A": 1, "D": 2}),
    ("B was given two ШУХи and C one", {"B": 2, "C": 1}),
    ("B got 2 ШУХи and C got 1 (Ш-1)", {"B": 2, "C": 1}),
    ("B: one ШУХ, C: two", {"B": 1, "C": 2}),
    ("A got three ШУХи and nobody else got any", {"A": 3}),
    ("D got three ШУХи (twice Ш-1 and once Ш-9)", {"D": 3}),
    ("B got Ш-1 and Ш-9", {"B": 2}),
    ("B twice got a ШУХ", {"B": 2}),
    ("Three ШУХи were given to B", {"B": 3}),
    ("B touched the deck twice without unloading and was caught both times; C was caught once", {"B": 2, "C": 1}),
    ("B got no ШУХ and C got one", {"B": 0, "C": 1}),
]


@pytest.mark.parametrize(("text", "wanted"), DEAL)
def test_punishments_of_the_deal(text: str, wanted: dict[str, int]) -> None:
    for phase, cell in (("deal_payment", "долг(others, {})"), ("deal", "шухи({})")):
        found = of_the_past(text, phase)
        assert cells(found) == {cell.format(name): count for name, count in wanted.items()}, phase
        assert found.unread == ()


OTHERS: list[tuple[str, dict[str, object]]] = [
    ("A was given two penalty cards in this kon.", {"ждёт(A)": True}),
    ("A received his penalty cards during the current kon.", {"ждёт(A)": True}),
    ("The two penalty cards of A were given in this kon.", {"ждёт(A)": True}),
    ("The two cards in front of A are from this kon.", {"ждёт(A)": True}),
    ("A has two penalty cards from this kon.", {"ждёт(A)": True}),
    ("A got a ШУХ in this kon.", {"ждёт(A)": True}),
    ("In this kon A was given Ш-7.", {"ждёт(A)": True}),
    ("Earlier in this kon A got two penalty cards.", {"ждёт(A)": True}),
    ("A had gone out; during this same kon he said the word and was given the penalty card.", {"ждёт(A)": True}),
    ("A's penalty cards are from the previous kon.", {"ждёт(A)": False}),
    ("A got his penalty cards two kons ago.", {"ждёт(A)": False}),
    ("In the last kon A got three penalty cards and has not taken them yet.", {"ждёт(A)": False}),
    ("The last kon was closed by C.", {"исход": "закрыт", "вид_хода": "бой", "ходил": 2}),
    ("C has just swept the kon that he closed.", {"исход": "закрыт", "вид_хода": "бой", "ходил": 2}),
    ("C ate the last kon.", {"исход": "съеден", "вид_хода": "подкладка", "съевший": 2}),
    ("C took the only card of the last kon.", {"исход": "разобран", "вид_хода": "взятие", "ходил": 2}),
    ("Two players have been left for several kons. Both have already moved.", {"без_льготы(all)": True}),
    ("A and B have both moved since.", {"без_льготы(all)": True}),
    ("Only A and B are left; A has already made a move.", {"без_льготы(A)": True}),
    ("A has not made a move yet.", {"без_льготы(A)": False}),
    ("B must skip his next turn.", {"пропуск(B)": 1}),
    ("B misses a turn for it.", {"пропуск(B)": 1}),
    ("E has gone home.", {"за_столом(E)": False}),
    ("E and F have gone home.", {"за_столом(E)": False, "за_столом(F)": False}),
    ("E is out and has gone to the kitchen.", {"за_столом(E)": False}),
    ("E has stepped out of the room.", {"за_столом(E)": False}),
    ("E is out but still at the table.", {}),
    ("The first kon has not begun.", {"партия": "не_начата"}),
    ("The first kon has not been led yet.", {"партия": "не_начата"}),
    ("A owes one card to B.", {"долг(A, B)": 1}),
    ("A has to give B two cards.", {"долг(A, B)": 2}),
]


@pytest.mark.parametrize(("text", "wanted"), OTHERS)
def test_other_things_told(text: str, wanted: dict[str, object]) -> None:
    found = of_the_past(text)
    assert cells(found) == wanted and found.unread == ()


@pytest.mark.parametrize(
    "text",
    [
        "Nobody but B announced one card.",
        "B has not led 9S.",
        "A asked B about 6H.",
        "A asked whether B has 6H.",
        "Everybody but A was given two penalty cards in this kon.",
    ],
)
def test_what_would_be_misread_is_not_read(text: str) -> None:
    found = of_the_past(text)
    assert found.told == () and len(found.unread) == 1


@pytest.mark.parametrize(
    "text",
    [
        "B takes the tuck back and takes the bottom card",
        "B takes AD back",
        "B has taken 9D back",
        "took it back",
        "withdraws AD",
        "retracts his unlawful beat and takes the bottom card",
        "corrects himself",
        "B returns the card to his hand",
        "puts the tuck back into his hand",
        "B has put the card back into his hand and leads it",
        "B notices his mistake",
        "B has taken KD back from A's pile",
        "B puts the wrongly placed card back into his hand and places KD on C's pile",
        "B takes back his 10H and beats with JC",
    ],
)
def test_wordings_of_taking_back(text: str) -> None:
    found = read_past([text], shukh().texts, language(), meaning, "B")
    assert [(deed.before[0].name, deed.named["player"]) for deed in found.deeds] == [("взять_назад", "B")]
    assert found.unread == ()
