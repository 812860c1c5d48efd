"""Small rulebooks in the language for tests of the engine, and ways to play them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from svod.diagnostics import Problems
from svod.engine.play import Engine
from svod.norms import ir
from svod.norms.trace import Act, Laid, Next, Position, StepOutcome
from svod.pipeline import compile_texts
from svod.source import Source

HEAD = "---\nrulebook: Test\nedition: 1\nlanguage: en\n---\n"

TABLE = """
### T-1 Things
```rule
parameter players: 3
seats Player: players, names P
variables player, other: Player
sort Suit: s | h
order Rank: 1 < 2 < 3 < 4
sort Card: Rank × Suit
variables card: Card
zone deck: set, seen by nobody, full at start
zone hand(Player): set
zone table: pile, with authors, at most 3
zone waste: set
stages deal, play
class move, drives the game
class word, silence permits
register last: Player or none
register closer: Player or none
register mood: calm | wild = calm
register score(Player): 0..3
register place(Player): 1..players or none, output
event left(player)
chance draw(player, card)
  possible if stage = deal and card in deck and size(hand(player)) < 2
    and none other where size(hand(other)) < size(hand(player))
  body: card from deck → hand(player)
action lay(player, card): move
  possible if card in hand(player)
  body: card from hand(player) → table
action tuck(player, card): move
  possible if card in hand(player)
  body: card from hand(player) → under table
action take(player): move
  possible if table is not empty
  body: bottom(table) from table → hand(player)
action say(player): word
  possible if stage = play
as soon as stage = deal and none player where size(hand(player)) < 2: begin play
define turn := P1, if last = none
define turn := next(last), if last ≠ none
asked turn when stage = play
define alive(player) := hand(player) is not empty or exists card in table where author(card, table) = player
define living := count player where alive(player)
end when stage = play and living ≤ 1
```
### T-2 Laying
```rule
may lay(player, card), take(player), if turn = player
on lay(player, _): last := player
on take(player): last := player
on tuck(player, _): last := player
forbid lay(_, card), if card = Card(1, h)
```
### T-3 A right against it
```rule
entitled lay(player, Card(1, h)), if turn = player and mood = calm, despite T-2
entitled lay(player, Card(1, h)), if turn = player and mood = wild
```
### T-4 Full
```rule
as soon as size(table) = 3: table → waste; closer := author(top(table), table)
```
### T-5 Out
```rule
as soon as stage = play and not alive(player): event left(player)
on left(player): score(player) += 1; place(player) := 1
```
### T-6 Owing
```rule
must take(player), while turn = player and hand(player) is empty
```
"""


def norms_of(text: str, **parameters: int) -> ir.Norms:
    """The norms of a rulebook without front matter."""
    problems = Problems()
    compilation = compile_texts([Source("test.md", HEAD + text)], (), problems)
    assert compilation is not None, [p.message.en for p in problems]
    norms = compilation.norms(parameters, problems)
    assert norms is not None and not problems.has_errors, [p.message.en for p in problems]
    return norms


def card(norms: ir.Norms, name: str) -> int:
    """Number of a card."""
    return norms.sort(norms.card_sort).values.index(name)


def placed(
    engine: Engine, zones: Mapping[tuple[str, int | None], Sequence[Laid]], registers: Mapping[str, int | None]
) -> Position:
    """The start of a play with other contents of zones and other values of registers; all other cards in `waste`."""
    start = engine.initial()
    assert isinstance(start, Next)
    lying = {laid.card for cards in zones.values() for laid in cards}
    rest = tuple(Laid(c) for c in range(len(engine.norms.sort(engine.norms.card_sort).values)) if c not in lying)
    filled = []
    for key, _ in start.position.zones:
        cards = tuple(zones.get(key, ()))
        filled.append((key, (*cards, *rest) if key == ("waste", None) else cards))
    cells = tuple((cell, registers.get(cell[0], value)) for cell, value in start.position.registers)
    return Position(tuple(filled), cells, start.position.switches)


def after(engine: Engine, position: Position, acts: Iterable[Act]) -> StepOutcome:
    """What the last of these acts leads to."""
    outcome: StepOutcome = Next(position, ())
    for act in acts:
        assert isinstance(outcome, Next), outcome
        outcome = engine.step(outcome.position, act)
    return outcome


def value(position: Position, register: str, *index: int) -> int | None:
    """Value of a register."""
    return dict(position.registers)[register, index]


def cards_in(position: Position, zone: str, owner: int | None = None) -> list[int]:
    """Cards of a zone."""
    return [laid.card for laid in dict(position.zones)[zone, owner]]
