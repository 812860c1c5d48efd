"""Examples of a rulebook → positions, acts and expectations in numbers of the norms."""

from __future__ import annotations

from svod.diagnostics import Problems, Severity
from svod.norms.examples import Example, Happens, HasStatus, Holds, Stops, examples_from_book
from svod.norms.to_text import print_expression
from svod.norms.trace import Act, Laid, Status
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
parameter players: 2..3
order Rank: 6 < 7
sort Suit: ♠ | ♥
sort Card: Rank × Suit
seats Player: players, names P
variables player: Player
variables card: Card
zone stock: set, full at start
zone hand(Player): set
zone table: pile, with authors
register last: Player or none
register rung(Player): 0..9 = 2
action lay(player, card)
  possible if card in hand(player)
  body: card from hand(player) → table
may lay(player, card)
define leader := last
asked leader when table is not empty
variant X: R-2
```

### R-2 Item

```rule
reading A “a”: forbid lay(_, 6♥)
reading B “b”: forbid lay(_, 6♠)
adopted B: “b”
```

"""


def examples(lines: str, **defaults: int) -> tuple[list[Example], list[str]]:
    problems = Problems()
    text = TEXT + f"```example title\n{lines}\n```\n"
    book = book_from_tree(parse_rulebook([Source("a.md", text)], problems), problems)
    found = examples_from_book(book, problems, defaults)
    return list(found), [problem.code.name for problem in problems]


def test_position_is_canonical() -> None:
    (example,), problems = examples(
        "given players = 2; hand(P2) = 7♥ 6♠; table = 7♠ laid by P2; last = P1; rung(P2) = 5; rest in stock"
    )
    assert problems == []
    assert (example.rule, example.title, example.parameters) == ("R-2", "title", (("players", 2),))
    assert example.position is not None
    assert dict(example.position.zones) == {
        ("stock", None): (Laid(2),),
        ("hand", 0): (),
        ("hand", 1): (Laid(0), Laid(3)),
        ("table", None): (Laid(1, 1),),
    }
    assert dict(example.position.registers) == {("last", ()): 0, ("rung", (0,)): 2, ("rung", (1,)): 5}
    assert example.position.zones[0][0] == ("stock", None)
    assert example.switches == example.position.switches == ("R-2=B",)


def test_a_variant_is_switched_on() -> None:
    (example,), problems = examples("given X = yes; players = 2\ndo lay(P1, 6♠)")
    assert problems == []
    assert example.switches == ("R-2=B", "X")
    assert example.position is None


def test_steps() -> None:
    (example,), problems = examples(
        "given players = 3; hand(P1) = 6♠ 7♥; rest in stock\n"
        "then lawful lay(P1, 7♥); unlawful lay(P1, 6♠); impossible lay(P2, _); table is empty\n"
        "do lay(P1, 7♥)\n"
        "then hole leader; race table"
    )
    assert problems == []
    lawful, unlawful, impossible, empty, act, hole, race = example.steps
    assert isinstance(lawful, HasStatus) and (lawful.status, lawful.arguments) == (Status.LAWFUL, (0, 3))
    assert isinstance(unlawful, HasStatus) and unlawful.status is Status.UNLAWFUL
    assert isinstance(impossible, HasStatus) and impossible.arguments == (1, None)
    assert isinstance(empty, Holds) and print_expression(empty.condition) == "size(table) = 0"
    assert isinstance(act, Happens) and act.act == Act("lay", (0, 3))
    assert isinstance(hole, Stops) and (hole.outcome, hole.place) == ("hole", "leader")
    assert isinstance(race, Stops) and (race.outcome, race.place) == ("race", "table")


def test_defaults_fill_parameters_that_are_left_open() -> None:
    (example,), _ = examples("do lay(P1, 6♠)", players=3)
    assert example.norms.player_count == 3
    (example,), _ = examples("do lay(P1, 6♠)")
    assert example.norms.player_count == 2


def test_problems_of_examples_have_codes() -> None:
    cases = {
        "given last = P1\nthen table is empty": "T014",
        "given hand(P1) = 6♠; rest in table\nthen table is empty": "T005",
        "given hand = 6♠; rest in stock\nthen table is empty": "N106",
        "given hand(P1) = 6♠ laid by P2; rest in stock\nthen table is empty": "T006",
        "given rung(P1) = 12; hand(P1) = 6♠; rest in stock\nthen table is empty": "T010",
        "given lost = P1; rest in stock\nthen table is empty": "N101",
        "then lawful lie(P1, 6♠)": "N101",
        "then hole nowhere": "N101",
        "then last": "T001",
        "given players = 5\nthen table is empty": "C101",
    }
    for lines, code in cases.items():
        found, problems = examples(lines)
        assert found == [], lines
        assert problems == [code], lines


BREACHES = """
catalogue Article: V, else unnamed
register mood: 0..3 = 1, outside the frame
window notice(player)
```

### V-1 A breach

```rule
violation V-1(player) on lay(player, 6♠)
```

### R-3 Item

"""


def with_breaches(lines: str) -> tuple[list[Example], list[str]]:
    text = TEXT.replace("variant X: R-2\n```\n", "variant X: R-2\n" + BREACHES, 1)
    problems = Problems()
    source = Source("a.md", text + f"```example title\n{lines}\n```\n")
    found = examples_from_book(book_from_tree(parse_rulebook([source], problems), problems), problems, {})
    return list(found), [problem.code.name for problem in problems if problem.code.severity is Severity.ERROR]


def test_an_open_breach_takes_the_position_itself_as_its_frame() -> None:
    given = "given players = 2; hand(P2) = 7♥; mood = 3; notice(P1) = yes; rest in stock; "
    (example,), problems = with_breaches(given + "breached(P2, V-1) = yes\nthen breached(P2, V-1)")
    assert problems == [] and example.position is not None
    frame = example.position.frame
    assert frame is not None and frame.zones == example.position.zones
    assert [cell for cell, _ in frame.registers] == [
        ("last", ()),
        ("rung", (0,)),
        ("rung", (1,)),
        ("notice", (0,)),
        ("notice", (1,)),
    ]
    assert dict(frame.registers)["notice", (0,)] == 1
    (quiet,), problems = with_breaches(given + "breached(P2, V-1) = no\nthen not breached(P2, V-1)")
    assert problems == [] and quiet.position is not None and quiet.position.frame is None


def test_what_is_allowed_is_asked_beside_what_is_lawful() -> None:
    (example,), problems = with_breaches("then lawful lay(P1, 7♥); allowed lay(P1, 7♥); not allowed lay(P2, _)")
    assert problems == []
    lawful, allowed, nothing = example.steps
    assert isinstance(lawful, HasStatus) and lawful.status is Status.LAWFUL
    assert isinstance(allowed, Holds) and print_expression(allowed.condition) == "allowed lay(Player.0, Card.3)"
    assert isinstance(nothing, Holds)
    assert print_expression(nothing.condition) == "not (exists card: Card where allowed lay(Player.1, card))"


def test_problems_of_breaches_in_examples_have_codes() -> None:
    given = "given hand(P2) = 7♥; rest in stock; "
    for line, code in {"breached(P2, V-2) = yes": "N101", "breached(P2, R-1) = yes": "N132"}.items():
        found, problems = with_breaches(given + line + "\nthen table is empty")
        assert found == [] and problems == [code], line
