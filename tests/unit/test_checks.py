"""Static checks: each kind of finding on a small rulebook that has it, and silence on one that has not."""

from __future__ import annotations

import pytest

from svod.checks import all_checks, run_checks
from svod.checks.check import Subject
from svod.diagnostics import Problems, Severity
from svod.findings import Family, Finding, Grade, Scope
from svod.pipeline import compile_texts
from svod.source import Source

SCOPE = Scope("4", "2")
HEAD = """---
rulebook: Small
edition: 1
language: en
---
"""
SOUND = {
    "S-1 Players": "parameter players: 2..3\nseats Player: players, names P\nvariables player, rival: Player",
    "S-2 Cards": """order Card: 1 < 2 < 3 < 4
variables card: Card
zone stock: set, seen by nobody, full at start
zone heap: set""",
    "S-3 Moves": """class move, drives the game
register last: Player or none
event emptied
action lay(player, card): move
  possible if card in stock
  body: card from stock → heap
define turn := P1, if last = none
define turn := next(last), if last ≠ none
asked turn when not over
may lay(player, card), if turn = player
on move(player): last := player""",
    "S-4 End": """define over := stock is empty
end when over
as soon as over: event emptied
on emptied: last := none""",
}


def check(items: dict[str, str], overlay: str = "") -> tuple[Finding, ...]:
    problems = Problems()
    blocks = [f"### {title}\n\nProse.\n\n```rule\n{text}\n```\n" for title, text in items.items()]
    overlays = [Source("2.md", overlay)] if overlay else []
    compilation = compile_texts([Source("01.md", HEAD + "\n".join(blocks))], overlays, problems)
    assert compilation is not None, [problem.message.en for problem in problems]
    norms = compilation.norms({"players": 2}, problems)
    assert norms is not None, [problem.message.en for problem in problems]
    return run_checks(Subject(compilation.book, norms, SCOPE))


def changed(title: str, text: str) -> dict[str, str]:
    """The sound rulebook with text appended to an item, or with another item."""
    return {**SOUND, title: f"{SOUND[title]}\n{text}" if title in SOUND else text}


def test_sound_rulebook_has_no_findings() -> None:
    assert check(SOUND) == ()


def test_checks_are_in_order_of_their_codes() -> None:
    names = [each.code.name for each in all_checks()]
    assert names == sorted(set(names)) and len(names) >= 9


FAULTS = {
    "X001": (
        {**SOUND, "S-1 Players": SOUND["S-1 Players"].replace("2..3", "?")},
        ("S-1",),
    ),
    "X002": (changed("S-2 Cards", "zone corner(Player): pile"), ("S-2",)),
    "X003": (changed("S-4 End", "define rich(player) := last = player"), ("S-4",)),
    "X004": (changed("S-3 Moves", "register mood: 0..3 = 1\nforbid lay(_, 4), if mood = 2"), ("S-3",)),
    "X005": (changed("S-3 Moves", "action sigh(player)"), ("S-3",)),
    "X006": (changed("S-5 Later", "not formalised «comes later»"), ("S-5",)),
    "X007": (
        {**SOUND, "S-5 House": "variant H: S-6", "S-6 Rule": "informative «a house rule in words»"},
        ("S-6",),
    ),
    "X008": (changed("S-4 End", "may lay(player, card), if turn = player and card < 3"), ("S-4", "S-3")),
    "X010": (
        changed(
            "S-3 Moves", "register mood: good | bad = good\nforbid lay(_, 4), if mood = bad\non move(_): mood := good"
        ),
        ("S-3",),
    ),
    "X009": (changed("S-5 Doubt", "reading A «one»: define lucky := 3\nadopted A: «no other»"), ("S-5",)),
}


@pytest.mark.parametrize("code", FAULTS)
def test_fault_is_found(code: str) -> None:
    items, rules = FAULTS[code]
    (found,) = [finding for finding in check(items) if finding.code.name == code]
    assert found.rules == rules
    assert (found.family, found.grade, found.severity) == (Family.STATIC, Grade.TEXT, Severity.WARNING)
    assert found.scope == SCOPE


@pytest.mark.parametrize(
    "text",
    [
        "register seen: 0..4\non move(_): seen += 1",  # written, never read
        "event rare\non rare: last := none",  # answered, never raised
        "event loud\nas soon as over: event loud",  # raised, never answered
    ],
)
def test_half_used_words_are_found(text: str) -> None:
    found = {finding.code.name for finding in check(changed("S-4 End", text))}
    assert found in ({"X003"}, {"X004"})


@pytest.mark.parametrize(
    "text",
    [
        "outcome rich\ndefine rich(player) := if last = player, then 1, else 0",
        "projection small: heap, tall\ndefine tall := size(heap)",
        "define tall := size(heap)\nalways tall ≤ 4",
        "register mood: good | bad = good\nforbid lay(_, 4), if mood = bad\non lay(_, 1): mood := bad",
    ],
)
def test_words_that_something_reads_are_not_reported(text: str) -> None:
    assert check(changed("S-4 End", text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "may lay(player, card), if card < 3",  # another condition, not one more
        "entitled lay(player, card), if turn = player and card < 3",  # a right is more than a permission
    ],
)
def test_permission_that_adds_something_is_not_shadowed(text: str) -> None:
    assert check(changed("S-4 End", text)) == ()


def test_same_permission_twice_is_reported_once() -> None:
    (found,) = check(changed("S-4 End", "may lay(player, card), if turn = player"))
    assert (found.code.name, found.rules) == ("X008", ("S-4", "S-3"))


def test_reading_left_over_by_an_amendment_is_a_decision() -> None:
    doubt = changed(
        "S-4 End",
        "reading A «one»: always size(heap) ≤ 4\nreading B «two»: always size(heap) ≤ 5\nadopted A: «so»",
    )
    head = "---\namendment: two\nto: Small\nedition: 2\nlanguage: en\n---\n"
    overlay = head + "### Extend S-4\n\n```rule\nwithdraw reading B\n```\n"
    assert check(doubt, overlay) == ()


# ------------------------------------------------------------------------------------------------ breaches

CATALOGUE = """catalogue Article: V, else other
variable article: Article
action accuse(player, rival, article): move
may accuse(player, rival, article), if breached(rival, article)
on accuse(_, rival, article), if breached(rival, article): event punished(rival, article)
register fined(Player): 0..9
always fined(P1) < 9"""
BREACHES = {
    **SOUND,
    "S-5 Claims": CATALOGUE,
    "V-1 Out of turn": "violation V-1(player) on lay(player, _), if turn ≠ player, under S-3",
    "V-2 The four": "violation V-2(player) on lay(player, 4)\npenalty V-2(player): fined(player) += 2",
}


def about_breaches(items: dict[str, str]) -> list[tuple[str, tuple[str, ...]]]:
    found = [finding for finding in check(items) if finding.code.name in ("X011", "X012", "X013")]
    assert all((each.family, each.grade) == (Family.GAP, Grade.TEXT) for each in found)
    return [(each.code.name, each.rules) for each in found]


def test_number_whose_punishment_nothing_answers() -> None:
    assert about_breaches(BREACHES) == [("X012", ("V-1", "S-5"))]


@pytest.mark.parametrize(
    "penalty",
    [
        "penalty V-1(player): fined(player) += 1",
        "penalty _(player): fined(player) += 1",
        "on punished(player, article), if article ≠ V-2: fined(player) += 1",
        "on punished(player, article), if article = V-1 or article = V-2: fined(player) += 1",
    ],
)
def test_penalty_for_it_or_for_any_number_will_do(penalty: str) -> None:
    assert about_breaches({**BREACHES, "S-6 Price": penalty}) == []


def test_number_that_no_act_commits() -> None:
    items = {**BREACHES, "V-1 Out of turn": "penalty V-1(player): fined(player) += 1"}
    assert about_breaches(items) == [("X011", ("V-1",))]


WINDOW = "window doubt(player)\non lay(player, _): open doubt(player)\nforbid lay(player, 1), if doubt(player)"


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ("", [("X013", ("S-4",))]),
        ("\non emptied: for all player: (close doubt(player))", []),
        ("\nentitled lay(player, card), if doubt(player) and size(heap) < 3", [("X013", ("S-4",))]),
    ],
)
def test_window_that_nothing_closes(more: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert about_breaches(changed("S-4 End", WINDOW + more)) == found


def test_right_that_never_ends() -> None:
    right = WINDOW + "\nentitled lay(player, _), if doubt(player)"
    assert about_breaches(changed("S-4 End", right)) == [("X013", ("S-4",)), ("X013", ("S-4",))]
