"""A small game in the language with breaches, claims, votes, fines and a restoration, for tests of everything about
them."""

from __future__ import annotations

from svod.diagnostics import Problems
from svod.norms import ir
from svod.pipeline import Compilation, compile_texts
from svod.source import Source

COURT = """---
rulebook: Court
edition: 1
language: en
---
# Court

### T-1 Things
Everybody gets two cards and lays them down by turns.
```rule
parameter players: 2..3
seats Player: players, names P
variables player, rival: Player
sort Suit: ♠ | ♥
order Rank: 1 < 2 < 3
sort Card: Rank × Suit
variables card: Card
zone deck: set, seen by nobody, full at start
zone hand(Player): set, seen by owner
zone heap: pile, with authors
catalogue Article: V, else other
variables article: Article
class move, drives the game
class word, silence permits
stages deal, play
register last: Player or none
```

### T-2 The deal
```rule
chance draw(player, card)
  possible if stage = deal and card in deck and size(hand(player)) < 2
    and none rival where size(hand(rival)) < size(hand(player))
  body: card from deck → hand(player)
as soon as stage = deal and none player where size(hand(player)) < 2: begin play
```

### T-3 Whose turn it is
```rule
define turn := P1, if last = none
define turn := first rival clockwise after last where hand(rival) is not empty, if last ≠ none
asked turn when stage = play and exists player where hand(player) is not empty
end when stage = play and accused = none and none player where hand(player) is not empty
```

### T-4 Laying
```rule
action lay(player, card): move
  possible if stage = play and card in hand(player) and accused = none
  body: card from hand(player) → heap
may lay(player, card), if turn = player
on lay(player, _): last := player
```

```example Two cards each
given players = 2
do draw(P1, 1♠); draw(P2, 2♠); draw(P1, 3♠); draw(P2, 3♥)
then turn = P1; lawful lay(P1, 1♠); unlawful lay(P2, 2♠)
do lay(P2, 2♠)
then breached(P2, V-1)
```

### T-5 Charges
Whoever has seen a breach says so; nobody lays a card before the table has decided.
```rule
register accuser: Player or none, outside the frame
register accused: Player or none, outside the frame
register charge: Article or none, outside the frame
action claim(player, rival, article): word
  possible if stage = play and accused = none and player ≠ rival
entitled claim(player, rival, article), if breached(rival, article)
on claim(player, rival, article): accuser := player; accused := rival; charge := article
```

### T-6 Votes
Everybody votes; the majority decides.
```rule
sort Opinion: guilty | innocent
variables opinion: Opinion
register ballot(Player): Opinion or none, outside the frame
action vote(player, opinion): word
  possible if accused ≠ none and ballot(player) = none
must vote(player, _), while accused ≠ none and ballot(player) = none
entitled vote(player, guilty), if accused ≠ none and breached(accused, charge)
entitled vote(player, innocent), if accused ≠ none and not breached(accused, charge)
on vote(player, opinion): ballot(player) := opinion
define voices := count player where ballot(player) = guilty
as soon as accused ≠ none and none player where ballot(player) = none: event decided
event decided
event closed
on decided, if voices × 2 > seats: event punished(accused, charge); breached(accused, charge) := no; event closed
on decided, if voices × 2 ≤ seats: event punished(accuser, V-3); breached(accuser, V-3) := no; event closed
on closed: accused := none; accuser := none; charge := none
on closed: for all player: (ballot(player) := none)
```

### T-7 When it is too late
```rule
breaches lapse on lay(_, _)
```

### T-8 Fines
```rule
register fine(Player): 0..60 = 0, outside the frame
penalty _(player): fine(player) += 1
outcome fined
define fined(player) := fine(player)
always none player where size(hand(player)) > 2
```

### V-1 Out of turn
```rule
violation V-1(player) on lay(player, _), if turn ≠ player, under T-3
penalty V-1(player): restore the position
```

### V-2 The one of hearts
```rule
violation V-2(player) on lay(player, 1♥), if heap is empty
```

### V-3 A false charge
```rule
violation V-3(player) on claim(player, rival, article), if not breached(rival, article)
```
"""


def court(text: str = COURT) -> Compilation:
    """The rulebook, compiled."""
    problems = Problems()
    compilation = compile_texts([Source("court.md", text)], [], problems)
    assert compilation is not None, [problem.message.en for problem in problems]
    return compilation


def court_norms(players: int = 3, text: str = COURT) -> ir.Norms:
    """Its norms."""
    problems = Problems()
    norms = court(text).norms({"players": players}, problems)
    assert norms is not None and not problems.has_errors, [problem.message.en for problem in problems]
    return norms
