"""What a check finds about breaches, on a small game with a catalogue: each kind of gap where it is, none where not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from svod.engine.backend import in_python
from svod.findings import Family, Finding, Grade, Scope
from svod.naive.evaluator import Naive
from svod.naive.exploring import Lot
from svod.norms.trace import Act, Next, Status
from svod.pipeline import default_switches
from svod.searches.breaches import Breaches
from svod.searches.careless_acts import CarelessActs
from svod.searches.careless_readings import careless_difference
from svod.searches.hunting import Effort
from svod.searches.readings import difference, reading_finding
from svod.searches.shortening import shortened
from svod.searches.tables import Table
from svod.searches.world import World

from .engine_rulebooks import norms_of

SCOPE = Scope("5", "2")
GAME = """
### R-1 Things
```rule
parameter players: 2
seats Player: players, names P
variables player, rival: Player
order Card: 1 < 2 < 3 < 4 < 5
variables card: Card
zone stock: set, full at start
zone hand(Player): set
zone heap: pile, with authors
zone fine(Player): set, outside the frame
class dealing, drives the game
class move, drives the game
class word, silence permits
for checking any part of the deck
register last: Player or none
register debt(Player): 0..5 = 0, outside the frame
chance deal(player, card): dealing
  possible if card in stock and none rival where size(hand(rival)) < size(hand(player))
  body: card from stock → hand(player)
action lay(player, card): move
  possible if stock is empty and card in hand(player)
  body: card from hand(player) → heap
action skip(player): move
  possible if stock is empty
action pay(player, card, rival)
  possible if card in hand(player) and player ≠ rival
  body: card from hand(player) → fine(rival)
action sigh(player): word
on move(player): last := player
define turn := P1, if last = none
define turn := next(last), if last ≠ none
asked turn when stock is empty
end when stock is empty and none player where hand(player) is not empty
```
### R-2 Turns
```rule
may lay(player, card), if turn = player and (heap is empty or card > top(heap))
may skip(player), if turn = player
forbid move(player), if turn ≠ player
```
### R-3 Claims
```rule
catalogue Article: V, else other
variable article: Article
breaches lapse on move(_)
action accuse(player, rival, article): word
  possible if stock is empty
on accuse(_, rival, article), if breached(rival, article):
  event punished(rival, article); breached(rival, article) := no
must pay(player, _, rival) before move(_), while debt(rival) > 0 and player = next(rival)
  and hand(player) is not empty
on pay(_, _, rival), if debt(rival) > 0: debt(rival) += −1
```
### V-1 Out of turn
```rule
violation V-1(player) on move(player), if turn ≠ player, under R-2
penalty V-1(player), if hand(next(player)) is not empty: debt(player) += 1
```
"""


def check(text: str = GAME) -> list[Finding]:
    norms = norms_of(text, players=2)
    switches = default_switches(norms)
    breaches = Breaches(Effort(surveyed=2400, aftermath=4000), "1", lambda: None)
    breaches.look(Table(World(norms, in_python), in_python), switches)
    return breaches.findings(())


def codes(found: list[Finding]) -> set[str]:
    return {finding.code.name for finding in found}


def test_breaches_that_no_number_covers_are_listed_with_a_place() -> None:
    found = check()
    assert codes(found) == {"F206"}
    kinds = {(finding.title.en.split("”")[0].strip("“"), finding.rules) for finding in found}
    assert kinds == {("lay", ("R-2",)), ("pay", ("R-1",))}
    for finding in found:
        assert (finding.family, finding.grade) == (Family.GAP, Grade.REACHABLE)
        assert finding.position is not None and finding.position_json is not None
        assert all(move.lawful for move in finding.play)


def test_number_for_it_ends_the_gap() -> None:
    text = GAME + "### V-2 Too low\n```rule\nviolation V-2(player) on lay(player, card), if turn = player\n"
    text += "  and heap is not empty and not (card > top(heap)), under R-2\n"
    text += "penalty V-2(player): debt(player) += 1\n```\n"
    assert [finding.rules for finding in check(text)] == [("R-1",)]


CLOSED = "### R-4 A closed list\n```rule\nentitled accuse(player, rival, article), if breached(rival, article)\n```\n"
CLOSED += "### R-5 Nothing else\n```rule\nforbid accuse(_, _, other)\n```\n"


def test_right_to_claim_against_a_closed_list() -> None:
    (found,) = [finding for finding in check(GAME + CLOSED) if finding.code.name == "F101"]
    assert set(found.rules) == {"R-4", "R-5"} and found.family is Family.CONTRADICTION
    assert [move.lawful for move in found.play][-1] is False
    replay(found, GAME + CLOSED)


def replay(found: Finding, text: str) -> None:
    """The naive evaluator plays it: every move is possible, and lawful where the finding says so."""
    norms = norms_of(text, players=2)
    names = norms.sort(norms.card_sort).values
    if found.scope.cards:
        norms = replace(norms, deck=tuple(names.index(name) for name in found.scope.cards))
    naive = Naive(norms)
    outcome = naive.initial()
    for move in found.play:
        assert isinstance(outcome, Next)
        status = naive.status(outcome.position, move.act)
        assert status is not Status.IMPOSSIBLE and (status is Status.LAWFUL) == move.lawful
        outcome = naive.step(outcome.position, move.act)
    if isinstance(outcome, Next):
        assert outcome.position == found.position


SHUT = """### R-4 Shut
```rule
window shut, outside the frame
on punished(_, _): open shut
forbid move(_), if shut
```
"""


def test_penalty_that_ends_all_play() -> None:
    found = [finding for finding in check(GAME + SHUT) if finding.code.name == "F209"]
    assert found and all("R-4" in finding.rules for finding in found)
    replay(found[0], GAME + SHUT)


UNMET = """### R-4 Sighing
```rule
window sad(player)
on punished(player, _): open sad(player)
on sigh(player): close sad(player)
must sigh(player), while sad(player)
```
### R-5 No sighing
```rule
forbid sigh(_), if heap is not empty
```
"""


def test_obligation_that_another_item_forbids() -> None:
    found = [finding for finding in check(GAME + UNMET) if finding.code.name == "F208"]
    assert [finding.rules for finding in found] == [("R-4", "R-5")]
    replay(found[0], GAME + UNMET)


OPEN = """### R-4 A question
```rule
window open_question(player)
on punished(player, _): open open_question(player)
on sigh(player), if heap is empty: close open_question(player)
```
"""


def test_window_that_stays_open() -> None:
    found = [finding for finding in check(GAME + OPEN) if finding.code.name == "F207"]
    assert found and found[0].rules == ("R-4",)
    replay(found[0], GAME + OPEN)


TWICE = """### R-4 Twice
```rule
on punished(player, _): debt(player) := 2
```
"""


def test_penalties_that_clash() -> None:
    (found,) = [finding for finding in check(GAME + TWICE) if finding.code.name == "F102"]
    assert set(found.rules) == {"R-4", "V-1"}
    replay(found, GAME + TWICE)


def test_text_without_a_catalogue_is_searched_too() -> None:
    assert check(GAME[: GAME.index("### R-3")]) == []


DOUBT = """### R-4 Doubt
```rule
entitled accuse(player, rival, article), if breached(rival, article)
reading A «it costs two»:
  on punished(player, _): debt(player) += 1
reading B «it costs one»:
adopted A: «dear»
```
"""


def test_readings_that_part_only_after_a_breach() -> None:
    norms = norms_of(GAME + DOUBT, players=2)
    world = World(norms, in_python)
    (reading,) = norms.readings
    base, effort = default_switches(norms), Effort(parted=4000, slow=40)
    assert difference(world, base, reading, ("A", "B"), effort, lambda: None) is None
    found = careless_difference(Table(world, in_python), base, reading, ("A", "B"), effort, lambda: None)
    assert found is not None
    finding = reading_finding(found, base, reading, SCOPE, 0.0)
    assert [letter for letter, _ in found.says] == ["A", "B"] and found.says[0][1].en != found.says[1][1].en
    assert (finding.family, finding.grade) == (Family.AMBIGUITY, Grade.REACHABLE)
    assert not all(move.lawful for move in finding.play)


def test_play_is_made_shorter_while_it_shows_the_same() -> None:
    acts = tuple(Act("step", (number,)) for number in range(20))
    shorter = shortened(acts, lambda left: {Act("step", (3,)), Act("step", (17,))} <= set(left))
    assert shorter == (Act("step", (3,)), Act("step", (17,)))


def test_careless_acts_break_rules_and_speak_to_the_point() -> None:
    norms = norms_of(GAME + CLOSED, players=2)
    engine = Table(World(norms, in_python), in_python).engine(default_switches(norms))
    chooser = CarelessActs(norms, Lot(5), 3, to_the_point=True)
    seen: Counter[str] = Counter()
    for _ in range(60):
        outcome = engine.initial()
        for _ in range(20):
            if not isinstance(outcome, Next) or engine.over(outcome.position):
                break
            act = chooser.choose(engine, outcome.position)
            if act is None:
                break
            status = engine.status(outcome.position, act)
            seen[f"{act.action} {status.name}"] += 1
            if act.action == "accuse" and status is Status.LAWFUL:
                assert engine.decide(outcome.position, act).permitted_by, "nobody accuses without a right"
            outcome = engine.step(outcome.position, act)
    assert seen["lay UNLAWFUL"] and seen["skip UNLAWFUL"] and seen["accuse LAWFUL"] and seen["pay LAWFUL"]
