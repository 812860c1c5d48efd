"""An exception that names a card, against a rule that leaves the card open, takes out that card and no other."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms.examples import examples_from_book
from svod.pipeline import compile_texts
from svod.searches.examples import example_findings
from svod.searches.players import PlayersFor, engines_for
from svod.source import Source

TEXT = """---
rulebook: X
edition: 1
language: en
---
# X
### X-1 a
t
```rule
parameter players: 2
seats Player: players, names P
variables player: Player
order Card: J < Q < K
variables card: Card
zone deck: set, full at start
zone hand(Player): set
register mark: 0..2 = 0
class move, drives the game
action take(player, card): move
  possible if card in deck
  body: card from deck → hand(player)
may take(player, card)
end when deck is empty
```
### X-2 b
t
```rule
on take(player, _): mark := 1
```
### X-3 c
t
```rule
except X-2: on take(player, Q): mark := 2
```
```example other cards count
do take(P1, J)
then mark = 1
```
```example the queen
do take(P1, Q)
then mark = 2
```
"""


@pytest.mark.parametrize(
    "players_for",
    [engines_for(in_python), lambda norms: lambda switches: Naive(norms, switches)],
    ids=["engine", "naive"],
)
def test_the_exception_is_about_the_card_it_names(players_for: PlayersFor) -> None:
    problems = Problems()
    compilation = compile_texts([Source("x.md", TEXT)], [], problems)
    assert compilation is not None and not problems.has_errors
    examples = examples_from_book(compilation.book, problems)
    assert len(examples) == 2
    assert list(example_findings(examples, players_for, Scope("3", "2"))) == []
