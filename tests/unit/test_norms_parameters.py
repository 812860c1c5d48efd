"""Parameters and reduced decks: which values are taken, which cards are left, which of them are in play."""

from __future__ import annotations

from svod.diagnostics import Problems
from svod.norms import ir
from svod.norms.from_rulebook import norms_from_book
from svod.norms.validate import breaches
from svod.rulebook.book import Book
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

TEXT = """---
rulebook: Trial
edition: 1
language: en
---

### R-1 Things

```rule
parameter players: 3 | 2
parameter hands: ?
order Rank: 6 < 7 < 8
sort Suit: ♠ | ♥
sort Card: Rank × Suit
seats Player: players, names P
variables player: Player
variables card: Card
zone stock: set, full at start
zone hand(Player): set, at most players
action take(player, card)
  possible if card in stock
  body: card from stock → hand(player)
forbid take(player, 8♥)
may take(player, Card(7, ♠)), if hands = 1
```
"""


def book() -> Book:
    problems = Problems()
    result = book_from_tree(parse_rulebook([Source("a.md", TEXT)], problems), problems)
    assert not list(problems)
    return result


def codes(problems: Problems) -> list[str]:
    return [problem.code.name for problem in problems]


def norms(*cards: str, **parameters: int) -> ir.Norms:
    problems = Problems()
    result = norms_from_book(book(), {"hands": 1, **parameters}, problems, cards=cards or None)
    assert result is not None, codes(problems)
    assert list(breaches(result)) == []
    return result


def test_first_value_is_the_default() -> None:
    assert norms().player_count == 3
    assert norms(players=2).player_count == 2
    assert norms(players=2).parameters == (("players", "2"), ("hands", "1"))


def test_unbounded_parameters_are_listed() -> None:
    assert [(each.parameter, each.rule) for each in norms().unbounded] == [("hands", "R-1")]


def test_capacity_follows_a_parameter() -> None:
    assert [(zone.name, zone.capacity) for zone in norms(players=2).zones] == [("stock", 6), ("hand", 2)]


def test_values_that_the_text_does_not_allow_are_refused() -> None:
    problems = Problems()
    assert norms_from_book(book(), {"players": 5, "hands": 1}, problems) is None
    assert norms_from_book(book(), {"hands": 1, "player": 2}, problems) is None
    assert norms_from_book(book(), {}, problems) is None
    assert codes(problems) == ["C101", "C101", "C101"]


def test_reduced_deck_keeps_cards_that_clauses_name_out_of_play() -> None:
    reduced = norms("6♠", "7♠")
    sort = reduced.sort("Card")
    assert sort.values == ("6♠", "7♠", "8♥")
    assert sort.components == ((0, 0), (1, 0), (2, 1))
    assert reduced.deck == (0, 1)
    (forbidden,) = [clause for clause in reduced.clauses if isinstance(clause, ir.Prohibition)]
    assert forbidden.head.guard == ir.Compare(ir.Relation.EQUAL, ir.Variable("card", "Card"), ir.Value("Card", 2))


def test_order_of_the_reduced_deck_is_that_of_the_product() -> None:
    assert norms("7♥", "6♠", "8♠").sort("Card").values == ("6♠", "8♠", "7♥", "8♥")


def test_whole_deck_is_said_by_nothing() -> None:
    assert norms().deck == ()


def test_unknown_card_of_a_reduced_deck() -> None:
    problems = Problems()
    assert norms_from_book(book(), {"hands": 1}, problems, cards=["6♠", "9♠"]) is None
    assert codes(problems) == ["N126"]
