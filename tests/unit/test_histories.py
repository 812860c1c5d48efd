"""The tree of plays of tiny rulebooks whose numbers can be counted on paper."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from svod.diagnostics import Problems
from svod.engine.play import Engine
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Next
from svod.pipeline import compile_texts
from svod.searches.histories import Histories, histories
from svod.searches.observing import Observer
from svod.source import Source

# Two players get a card each in any order; then P1 and P2 in turn show theirs or keep it.
SHOWING = """---
rulebook: Showing
edition: 1
language: en
---
### T-1 All of it

```rule
parameter players: 2
seats Player: players, names P
variables player: Player
order Card: A < B < C
variables card: Card
zone deck: set, seen by nobody, full at start
zone hand(Player): set, seen by owner
zone shelf: pile, seen by all
stages dealing, talk
ledger told(Player) = 0
register turn: Player or none
chance deal(player, card)
  possible if stage = dealing and card in deck and hand(player) is empty
  body: card from deck → hand(player)
as soon as stage = dealing and none player where hand(player) is empty: begin talk; turn := P1
class word, drives the game
action show(player, card): word
  possible if card in hand(player)
  body: card from hand(player) → shelf
action keep(player): word
may show(player, card), keep(player), if stage = talk and turn = player
on show(player, _): told(player) += 3
on word(P1): turn := P2
on word(P2): turn := none
end when stage = talk and turn = none
define points(player) := told(player) - (if A in shelf, then 1 else 0)
outcome points
```
"""

# P1 gets a card by chance and hands it to the next player; then the last player and P1 himself say a word.
PASSING = """---
rulebook: Passing
edition: 1
language: en
---
### T-1 All of it

```rule
parameter players: 2..3
seats Player: players, names P
variables player: Player
order Card: A < B
variables card: Card
zone deck: set, seen by nobody, full at start
zone hand(Player): set, seen by owner
register said: 0..4
chance deal(card)
  possible if size(deck) = 2 and card in deck
  body: card from deck → hand(P1)
class word, drives the game
action give(player, card): word
  possible if card in hand(player)
  body: card from hand(player) → hand(next(player))
action speak(player): word
may give(P1, card), if said = 0
may speak(player), if said = 1 and player = previous(P1)
may speak(P1), if said = 2
on word(player): said += 1
end when said = 3
```
"""

# P1 draws a card that chance picks, or stays; a drawn A is the end, with another card he is at a loss.
DRAWING = """---
rulebook: Drawing
edition: 1
language: en
---
### T-1 All of it

```rule
parameter players: 2
seats Player: players, names P
variables player: Player
order Card: A < B < C
variables card: Card
zone deck: set, seen by nobody, full at start
zone hand(Player): set, seen by owner
register done: 0..1
class word, drives the game
action draw(player, card): word, chance card
  possible if size(deck) = 3 and card in deck
  body: card from deck → hand(player)
action stay(player): word
may draw(P1, card), if done = 0
may stay(P1), if done = 0 and size(deck) = 3
on stay(_): done := 1
end when done = 1 or size(deck) < 3
define held(player) := size(hand(player))
outcome held
```
"""


def norms_of(text: str, players: int = 2) -> ir.Norms:
    problems = Problems()
    compilation = compile_texts([Source("01.md", text)], [], problems)
    assert compilation is not None and not problems.has_errors, [p.message.en for p in problems]
    norms = compilation.norms({"players": players}, problems)
    assert norms is not None and not problems.has_errors, [p.message.en for p in problems]
    return norms


def tree(text: str, players: int = 2) -> Histories:
    """Grown by the engine and by the naive evaluator alike."""
    norms = norms_of(text, players)
    found = histories(norms, Engine.of(norms))
    assert found == histories(norms, Naive(norms))
    return found


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


def test_counts_and_means() -> None:
    found = tree(SHOWING)
    assert found.histories == 1 + 6 + 12 + 24 + 48 and found.finished == 48
    assert found.deals == 6 and found.chance == 1 + 6 and found.decisions == 12 + 24 and found.depth == 4
    assert found.dead_ends == found.failed == found.uneven == 0 and found.exhausted
    (points,) = found.expected
    assert points.term == "points" and points.values == (Fraction(7, 6), Fraction(7, 6))


@pytest.mark.parametrize(
    ("hand", "shelf", "sets", "uneven"),
    [
        ("owner", "all", (2 * 3, 2 * 3 * (1 + 2)), 0),
        ("owner", "nobody", (2 * 3, 2 * 3 * (1 + 1)), 0),
        ("all", "all", (2 * 6, 2 * 6 * 2), 0),
        ("nobody", "all", (2, 2 * (1 + 3)), 2 + 8),
        ("nobody", "nobody", (2, 2 * 2), 2 + 4),
    ],
)
def test_what_is_seen_makes_information_sets(hand: str, shelf: str, sets: tuple[int, int], uneven: int) -> None:
    text = changed(SHOWING, "hand(Player): set, seen by owner", f"hand(Player): set, seen by {hand}")
    found = tree(changed(text, "shelf: pile, seen by all", f"shelf: pile, seen by {shelf}"))
    assert (found.information_sets, found.uneven) == (sets, uneven)
    assert found.histories == 91


def test_what_the_rules_lay_open_is_seen() -> None:
    """The act is hidden; what follows from it lays the card on the table."""
    text = changed(SHOWING, "shelf: pile, seen by all", "shelf: pile, seen by nobody\nzone table: set, seen by all")
    text = changed(text, "end when", "as soon as shelf is not empty: shelf → table\nend when")
    assert tree(text).information_sets == (6, 18)


def test_a_card_is_hidden_from_third_parties() -> None:
    assert tree(PASSING, 3).information_sets == (2 + 2, 0, 1)
    assert tree(PASSING, 2).information_sets == (2 + 2, 2)


def test_an_act_is_told_to_each_as_he_sees_it() -> None:
    norms = norms_of(PASSING, 3)
    naive = Naive(norms)
    start = naive.initial()
    assert isinstance(start, Next)
    observer = Observer(norms)
    seen = observer.start(start.position)
    after = []
    for card in (0, 1):
        outcome = naive.step(start.position, Act("deal", (card,)))
        assert isinstance(outcome, Next)
        after.append(observer.after(seen, start.position, Act("deal", (card,)), outcome.position))
    assert [one == two for one, two in zip(*after, strict=True)] == [False, True, True]


def test_chance_within_an_act_is_one_choice() -> None:
    found = tree(DRAWING)
    assert (found.histories, found.finished, found.decisions, found.chance) == (5, 4, 1, 0)
    assert found.expected[0].values == (Fraction(1, 2), Fraction(0)) and found.deals == 1


def test_plays_that_stop_early_have_no_mean() -> None:
    found = tree(changed(DRAWING, "size(deck) < 3", "A in hand(P1)"))
    assert (found.finished, found.dead_ends, found.failed) == (2, 2, 0)
    assert found.expected[0].values == (None, None)
    found = tree(changed(DRAWING, "on stay(_): done := 1", "on stay(_): done := done + 2"))
    assert (found.histories, found.finished, found.dead_ends, found.failed) == (5, 3, 0, 1)
    assert found.expected[0].values == (None, None) and found.depth == 1


def test_an_outcome_that_is_no_number_has_no_mean() -> None:
    best = "define held(player): Player or none := if done = 1, then none else P1"
    assert tree(changed(DRAWING, "define held(player) := size(hand(player))", best)).expected[0].values == (None, None)
    hole = "define held(player) := size(hand(player)), if player = P1"
    values = tree(changed(DRAWING, "define held(player) := size(hand(player))", hole)).expected[0].values
    assert values == (Fraction(1, 2), None)


def test_an_endless_play_stops_at_the_limit() -> None:
    norms = norms_of(changed(DRAWING, "on stay(_): done := 1\n", ""))
    found = histories(norms, Engine.of(norms), most=30)
    assert not found.exhausted and found.histories <= 30
    assert found.histories == 1 + 4 * 7 and found.depth == 7 and found.finished == 3 * 7
    assert found.expected[0].values == (None, None)


def test_the_limit_is_not_one_too_low() -> None:
    norms = norms_of(SHOWING)
    whole = histories(norms, Engine.of(norms))
    assert histories(norms, Engine.of(norms), most=91) == whole
    cut = histories(norms, Engine.of(norms), most=90)
    assert not cut.exhausted and replace(cut, exhausted=True) != whole and cut.histories < 91


def test_what_anybody_may_say_at_any_time_is_no_part_of_the_tree() -> None:
    """Otherwise no deal would ever be chance alone, and no history would end."""
    chat = "class chat, silence permits\naction sigh(player): chat\nend when"
    norms = norms_of(SHOWING.replace("end when", chat))
    lawful = Engine.of(norms, fold=True, breaches=False)
    assert histories(norms, lawful) == tree(SHOWING)
