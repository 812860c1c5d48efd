"""Examples of a rulebook held against its rules: what is refuted, what cannot run, what depends on a reading."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems, Severity
from svod.engine.backend import in_python
from svod.findings import Family, Finding, Grade, Scope
from svod.norms.examples import examples_from_book
from svod.pipeline import compile_texts
from svod.searches.examples import example_findings
from svod.searches.players import engines_for
from svod.source import Source

TEXT = """---
rulebook: Small
edition: 1
language: en
---
### S-1 All

```rule
parameter players: 2
seats Player: players, names P
variables player: Player
order Card: 1 < 2 < 3 < 4
variables card: Card
zone stock: set, full at start
zone heap: pile
zone hand(Player): set
class move, drives the game
register last: Player or none
register mood: calm | wild = calm
action lay(player, card): move
  possible if card in stock
  body: card from stock → heap
action take(player, card): move
  possible if card in stock
  body: card from stock → hand(player)
may lay(player, card), if player = turn
entitled lay(player, 4), if player = turn
forbid lay(_, 4), if mood = wild
on lay(player, 2): mood := wild
on lay(player, 3): mood := wild
on lay(player, 3): mood := calm
on move(player): last := player
define turn := P1, if last = none
define turn := next(last), if last = P1
asked turn when stock is not empty
```

### S-2 Best card

```rule
reading A «small»: define best := 1
reading B «great»: define best := 4
adopted A: «so it is»
```

### S-3 Told

```rule
informative «examples»
```

```example Shown
%s
```
"""


PLAYERS = engines_for(in_python)


def run(example: str) -> tuple[Finding, ...]:
    problems = Problems()
    compilation = compile_texts([Source("s.md", TEXT % example)], [], problems)
    assert compilation is not None, [problem.message.en for problem in problems]
    examples = examples_from_book(compilation.book, problems)
    assert not problems.has_errors, [problem.message.en for problem in problems]
    assert len(examples) == 1
    return tuple(example_findings(examples, PLAYERS, Scope("?", "?", edition="1")))


@pytest.mark.parametrize(
    "example",
    [
        "do lay(P1, 1)\nthen turn = P2; lawful lay(P2, 4); unlawful lay(P1, 4); impossible lay(P2, 1)",
        "do lay(P1, 2)\nthen mood = wild; contested lay(P2, 4); unlawful take(P2, _)",
        "do lay(P1, 1); lay(P2, 2)\nthen hole turn",
        "do lay(P1, 3)\nthen race mood",
        "given last = P2; heap = 1; rest in stock\nthen hole turn",
        "do take(P1, 1)\nthen 1 in hand(P1)",
        "do lay(P1, 1)\nthen top(heap) = 1; not (top(heap) = 2 and best = 4)",
    ],
)
def test_true_examples_give_no_finding(example: str) -> None:
    assert run(example) == ()


@pytest.mark.parametrize(
    ("example", "rules"),
    [
        ("do lay(P1, 1)\nthen turn = P1", ("S-3",)),
        ("then unlawful lay(P1, 1)", ("S-3", "S-1")),
        ("then lawful lay(P2, 1)", ("S-3",)),
        ("then impossible lay(P1, 1)", ("S-3", "S-1")),
        ("do lay(P1, 1)\nthen unlawful lay(P2, 1)", ("S-3",)),
        ("do lay(P1, 1)\nthen race mood", ("S-3",)),
        ("do lay(P1, 3)\nthen race turn", ("S-3",)),
        ("do lay(P1, 3)\nthen mood = calm", ("S-3", "S-1")),
        ("then lawful lay(_, 1)", ("S-3",)),
        ("do lay(P1, 1); lay(P2, 2)\nthen turn = P1", ("S-3",)),
    ],
)
def test_false_expectation_is_a_contradiction(example: str, rules: tuple[str, ...]) -> None:
    (found,) = run(example)
    assert (found.code.name, found.family, found.severity) == ("F105", Family.CONTRADICTION, Severity.ERROR)
    assert found.rules == rules
    assert found.scope.deck == "4" and found.scope.players == "2" and "S-2=A" in found.scope.switches


@pytest.mark.parametrize("example", ["do lay(P1, 1); lay(P2, 1)", "do lay(P1, 3); lay(P2, 1)"])
def test_example_that_cannot_run_is_an_error(example: str) -> None:
    (found,) = run(example)
    assert (found.code.name, found.family, found.severity) == ("F106", Family.INPUT, Severity.ERROR)


def test_example_that_another_reading_refutes_is_a_warning() -> None:
    (found,) = run("then best = 1")
    assert (found.code.name, found.family, found.severity) == ("F303", Family.AMBIGUITY, Severity.WARNING)
    assert found.rules == ("S-3", "S-2")
    assert "S-2=B" in found.scope.switches and "S-2=A" not in found.scope.switches
    assert "reading B" in found.title.en


def test_witness_is_a_play_only_from_the_start_of_a_play() -> None:
    (played,) = run("do lay(P1, 1)\nthen turn = P1")
    assert played.grade is Grade.REACHABLE
    assert [(move.text, move.by) for move in played.play] == [("lay(P1, 1)", "P1")]
    assert played.position_json is not None and played.position_json["zones"]["heap"] == ["1"]
    (unlawful,) = run("do take(P1, 1)\nthen turn = P1")
    assert (unlawful.grade, unlawful.play) == (Grade.LOCAL, ())
    (given,) = run("given heap = 1; rest in stock\nthen turn = P2")
    assert (given.grade, given.play) == (Grade.LOCAL, ())
