"""The naive evaluator against consequences worked out by hand, one point of the meaning at a time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svod.naive.evaluator import UNDEFINED, Naive
from svod.naive.exploring import Counts, explore, playout
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Laid, Limit, Next, Position, Race, Status, StepOutcome

SEATS = ir.Sort("Seat", ("A", "B", "C"), ring=True, seats=True)
LEVEL = ir.Sort("Level", ("low", "mid", "high"), ordered=True)
CARD = ir.Sort("Card", ("a", "b", "c"))
P, Q = ir.Variable("p", "Seat"), ir.Variable("q", "Seat")
C = ir.Variable("c", "Card")
TRUE, FALSE = ir.Boolean(True), ir.Boolean(False)
PILE, BAG = ir.ZoneRef("pile", None), ir.ZoneRef("bag", None)
PRESS = Act("press", (0,))


def number(value: int) -> ir.Expression:
    return ir.Number(value)


def cell(name: str, *arguments: ir.Expression) -> ir.Expression:
    return ir.ReadRegister(name, arguments)


def equal(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ir.Compare(ir.Relation.EQUAL, left, right)


def head(
    identifier: str, guard: ir.Expression = TRUE, variables: tuple[ir.Variable, ...] = (), *exceptions: ir.Exempt
) -> ir.Head:
    return ir.Head(identifier, identifier.split("#")[0], variables, guard, exceptions)


def zone(name: str, *, owned: bool = False, pile: bool = False, capacity: int = 3) -> ir.Zone:
    return ir.Zone(name, "Card", owned, pile, pile, capacity, ir.Visibility.ALL, None, "Z")


def register(name: str, type_: ir.Type, initial: ir.Expression, **more: bool) -> ir.Register:
    return ir.Register(name, (), type_, initial, "G", **more)


def norms(*clauses: ir.Clause, terms: tuple[ir.Term, ...] = (), capacity: int = 3) -> ir.Norms:
    """Three seats, three cards in a bag; pressing a button is always possible and lawful, and so is laying a card."""
    press = ir.Action("press", (P,), 0, (), "", True, TRUE, (), True, "A")
    lay_move = ir.MoveCard(C, BAG, PILE, False, P)
    lay = ir.Action("lay", (P, C), 0, (), "", True, TRUE, (lay_move,), True, "A")
    none = ir.Nothing("Level")
    return ir.Norms(
        rulebook="unit",
        edition="1",
        parameters=(),
        sorts=(SEATS, LEVEL, CARD),
        seats="Seat",
        card_sort="Card",
        zones=(zone("bag"), zone("pile", pile=True, capacity=capacity), zone("box")),
        registers=(
            register("x", ir.Whole(0, 5), number(0)),
            register("y", ir.Whole(0, 5), number(0)),
            register("level", ir.Member("Level", optional=True), none),
            register("shown", ir.Whole(0, 5), number(0), output=True),
        ),
        events=(ir.Event("bell", (P,), "G"), ir.Event("gong", (), "G")),
        terms=terms,
        actions=(press, lay),
        clauses=clauses,
        filled="bag",
        deck=(0, 1, 2),
    )


def on_press(
    identifier: str, *effects: ir.Effect, guard: ir.Expression = TRUE, after: tuple[str, ...] = ()
) -> ir.Trigger:
    return ir.Trigger(head(identifier, guard), ir.OnAct("press", (None,)), effects, after)


def on_edge(identifier: str, guard: ir.Expression, *effects: ir.Effect) -> ir.Trigger:
    return ir.Trigger(head(identifier, guard), ir.OnEdge(), effects)


def assign(name: str, value: ir.Expression) -> ir.Assign:
    return ir.Assign(name, (), value)


def post(name: str, amount: int) -> ir.Post:
    return ir.Post(name, (), number(amount))


def start(naive: Naive) -> Position:
    outcome = naive.initial()
    assert isinstance(outcome, Next)
    return outcome.position


def pressed(*clauses: ir.Clause, terms: tuple[ir.Term, ...] = ()) -> StepOutcome:
    naive = Naive(norms(*clauses, terms=terms))
    return naive.step(start(naive), PRESS)


def value(outcome: StepOutcome, name: str) -> int | None:
    assert isinstance(outcome, Next), outcome
    return dict(outcome.position.registers)[name, ()]


def evaluated(expression: ir.Expression) -> object:
    naive = Naive(norms())
    return naive.evaluate(start(naive), expression)


# ------------------------------------------------------------------------------------------------- expressions

UNDEFINED_TRUTH = equal(ir.Top(PILE), ir.Value("Card", 0))  # the pile is empty


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (ir.And((FALSE, UNDEFINED_TRUTH)), False),
        (ir.And((UNDEFINED_TRUTH, FALSE)), UNDEFINED),
        (ir.Or((TRUE, UNDEFINED_TRUTH)), True),
        (ir.Or((UNDEFINED_TRUTH, TRUE)), UNDEFINED),
        (ir.Not(UNDEFINED_TRUTH), UNDEFINED),
        (ir.Choose(TRUE, number(4), ir.Top(PILE)), 4),
        (ir.Choose(UNDEFINED_TRUTH, number(4), number(4)), UNDEFINED),
        (ir.Exists(C, UNDEFINED_TRUTH), False),
        (ir.ForAll(C, UNDEFINED_TRUTH, FALSE), True),
        (ir.ForAll(C, TRUE, UNDEFINED_TRUTH), False),
        (ir.Count(C, ir.InZone(C, BAG)), 3),
        (ir.Only(C, equal(C, ir.Value("Card", 2))), 2),
        (ir.Only(C, TRUE), UNDEFINED),
        (ir.Best(C, TRUE, ir.Choose(equal(C, ir.Value("Card", 1)), number(9), number(1)), True), 1),
        (ir.Best(C, TRUE, number(1), True), UNDEFINED),
        (ir.Sum(P, TRUE, ir.Distance(ir.Value("Seat", 1), P)), 3),
        (ir.Sum(P, TRUE, ir.Top(PILE)), UNDEFINED),
        (ir.StepValue(ir.Value("Seat", 2), 1, False), 0),
        (ir.StepValue(ir.Value("Level", 2), 1, False), UNDEFINED),
        (ir.StepValue(ir.Value("Level", 2), 1, True), 0),
        (ir.Distance(ir.Value("Seat", 2), ir.Value("Seat", 1)), 2),
        (ir.FirstClockwise(ir.Value("Seat", 1), False, Q, TRUE), 2),
        (ir.FirstClockwise(ir.Value("Seat", 1), True, Q, TRUE), 1),
        (ir.FirstClockwise(ir.Value("Seat", 1), False, Q, equal(Q, ir.Value("Seat", 1))), 1),
        (ir.FirstClockwise(ir.Value("Seat", 1), False, Q, FALSE), UNDEFINED),
        (equal(cell("level"), ir.Nothing("Level")), True),
        (ir.Compare(ir.Relation.LESS, cell("level"), ir.Value("Level", 2)), UNDEFINED),
        (ir.Present(cell("level")), UNDEFINED),
        (ir.Before(number(1)), UNDEFINED),
        (ir.Happened("gong", ()), False),
        (ir.ZonesHolding(ir.Value("Card", 0)), 1),
        (ir.Size(BAG), 3),
        (ir.Bottom(PILE), UNDEFINED),
    ],
)
def test_value_of(expression: ir.Expression, expected: object) -> None:
    assert evaluated(expression) is expected or evaluated(expression) == expected


# ------------------------------------------------------------------------------------------------------- waves


def test_events_are_answered_a_wave_later_and_die() -> None:
    outcome = pressed(
        on_press("R-1#1", ir.Raise("gong", ())),
        ir.Trigger(head("R-2#1"), ir.OnEvent("gong", ()), (post("x", 1), assign("y", cell("x")))),
    )
    assert value(outcome, "x") == 1
    assert value(outcome, "y") == 0, "right-hand sides read the start of the wave"
    assert isinstance(outcome, Next)
    assert outcome.fired == ("R-1#1", "R-2#1")


def test_edge_fires_once_and_not_again_while_it_holds() -> None:
    naive = Naive(
        norms(on_press("R-1#1", assign("x", number(3))), on_edge("R-2#1", equal(cell("x"), number(3)), post("y", 1)))
    )
    first = naive.step(start(naive), PRESS)
    assert value(first, "y") == 1
    assert isinstance(first, Next)
    assert value(naive.step(first.position, PRESS), "y") == 1


def test_edges_that_hold_at_the_start_fire_there() -> None:
    assert value(Naive(norms(on_edge("R-1#1", equal(cell("x"), number(0)), post("y", 2)))).initial(), "y") == 2


def test_postings_of_a_wave_add_up() -> None:
    assert value(pressed(on_press("R-1#1", post("x", 1)), on_press("R-2#1", post("x", 2))), "x") == 3


def test_equal_assignments_agree_and_unequal_ones_race() -> None:
    agreed = pressed(on_press("R-1#1", assign("x", number(1))), on_press("R-2#1", assign("x", number(1))))
    assert value(agreed, "x") == 1
    raced = pressed(on_press("R-1#1", assign("x", number(1))), on_press("R-2#1", assign("x", number(2))))
    assert raced == Race("x", ("R-1#1", "R-2#1"), ("R-1#1", "R-2#1"))


def test_assignment_and_posting_race() -> None:
    assert isinstance(pressed(on_press("R-1#1", assign("x", number(1))), on_press("R-2#1", post("x", 1))), Race)


def test_excepting_rule_has_the_last_word() -> None:
    exempt = ir.Exempt("R-2#1", (("p", "p"),))
    one = ir.Trigger(head("R-1#1", TRUE, (P,), exempt), ir.OnAct("press", (None,)), (assign("x", number(1)),))
    two = ir.Trigger(
        head("R-2#1", equal(P, ir.Value("Seat", 0)), (P,)), ir.OnAct("press", (None,)), (assign("x", number(2)),)
    )
    assert value(pressed(one, two), "x") == 2


def test_order_makes_the_later_rule_wait_and_read_again() -> None:
    late = on_press("R-2#1", assign("y", cell("x")), after=("R-1",))
    outcome = pressed(on_press("R-1#1", assign("x", number(4))), late)
    assert value(outcome, "y") == 4
    gone = on_press("R-2#1", assign("y", number(1)), guard=equal(cell("x"), number(0)), after=("R-1",))
    assert value(pressed(on_press("R-1#1", assign("x", number(4))), gone), "y") == 0


def test_overwriting_in_a_later_wave_is_a_race_unless_ordered() -> None:
    first = on_press("R-1#1", assign("x", number(1)), ir.Raise("gong", ()))
    second = ir.Trigger(head("R-2#1"), ir.OnEvent("gong", ()), (assign("x", number(2)),))
    assert pressed(first, second) == Race("x", ("R-1#1", "R-2#1"), ("R-1#1", "R-2#1"))
    assert value(pressed(first, replace(second, after=("R-1",))), "x") == 2


def test_undefined_right_hand_side_is_a_hole_and_soft_for_output() -> None:
    size = ir.Choose(equal(ir.Top(PILE), ir.Value("Card", 0)), number(1), number(2))
    assert pressed(on_press("R-1#1", assign("x", size))) == Hole("R-1#1", (), ("R-1",), ("R-1#1",))
    soft = pressed(on_press("R-1#1", assign("shown", size)))
    assert isinstance(soft, Next)
    assert soft.soft == ("R-1#1",)


def test_limits() -> None:
    assert pressed(on_press("R-1#1", assign("x", number(6)))) == Limit("x", ("R-1#1",), ("R-1#1",))
    flip = on_edge("R-2#1", equal(cell("y"), number(0)), assign("y", number(1)))
    flop = on_edge("R-2#2", equal(cell("y"), number(1)), assign("y", number(0)))
    endless = Naive(norms(flip, flop)).initial()
    assert isinstance(endless, Limit)
    assert (endless.what, len(endless.fired)) == ("waves", 64)
    full = Naive(norms(capacity=1))
    laid = full.step(start(full), Act("lay", (0, 0)))
    assert isinstance(laid, Next)
    assert full.step(laid.position, Act("lay", (1, 1))) == Limit("pile", (), ())


def test_one_card_moved_to_two_places_races() -> None:
    lay = Act("lay", (1, 2))
    moves = [
        ir.Trigger(head(f"R-{i}#1"), ir.OnAct("lay", (None, None)), (ir.MoveAll(PILE, ir.ZoneRef(name, None)),))
        for i, name in ((1, "bag"), (2, "box"))
    ]
    naive = Naive(norms(*moves))
    assert naive.step(start(naive), lay) == Race("pile", ("R-1#1", "R-2#1"), ("R-1#1", "R-2#1"))


def test_body_lays_on_top_with_its_author() -> None:
    naive = Naive(norms())
    position = start(naive)
    for act in (Act("lay", (1, 2)), Act("lay", (0, 0))):
        outcome = naive.step(position, act)
        assert isinstance(outcome, Next)
        position = outcome.position
    zones = dict(position.zones)
    assert zones["pile", None] == (Laid(2, 1), Laid(0, 0))
    assert zones["bag", None] == (Laid(1, None),)
    assert naive.status(position, Act("lay", (0, 0))) is Status.IMPOSSIBLE
    with pytest.raises(ValueError, match="not possible"):
        naive.step(position, Act("lay", (0, 0)))


def test_before_reads_a_wave_ago() -> None:
    grown = ir.Compare(ir.Relation.GREATER, cell("x"), ir.Before(cell("x")))
    outcome = pressed(on_press("R-1#1", post("x", 2)), on_edge("R-2#1", grown, post("y", 1)))
    assert value(outcome, "y") == 1


def test_for_each_happens_at_once_and_happened_counts_the_wave() -> None:
    ring = ir.ForEach(P, ir.Compare(ir.Relation.UNEQUAL, P, ir.Value("Seat", 1)), (ir.Raise("bell", (P,)),))
    many = ir.Count(Q, ir.Happened("bell", (Q,)))
    answer = ir.Trigger(head("R-2#1", TRUE, (P,)), ir.OnEvent("bell", ("p",)), (assign("x", many), post("y", 1)))
    outcome = pressed(on_press("R-1#1", ring), answer)
    assert (value(outcome, "x"), value(outcome, "y")) == (2, 2)


# ------------------------------------------------------------------------------------------------------- slots


def slot(*, combination: ir.Combination = ir.Combination.UNIQUE, output: bool = False) -> ir.Term:
    return ir.Term("t", (), ir.Whole(0, 9), TRUE, combination, output, "T")


def says(identifier: str, said: ir.Expression, guard: ir.Expression = TRUE) -> ir.TermClause:
    return ir.TermClause(head(identifier, guard), "t", said)


def test_asked_slots_stop_the_play() -> None:
    one, two = says("R-1#1", number(1)), says("R-2#1", number(2))
    assert Naive(norms(one, two, terms=(slot(),))).initial() == Clash("t", (), ("R-1#1", "R-2#1"), ())
    assert Naive(norms(says("R-1#1", number(1), FALSE), terms=(slot(),))).initial() == Hole("t", (), ("R-1",), ())
    first = Naive(norms(one, two, terms=(slot(combination=ir.Combination.FIRST),)))
    assert first.term(start(first), "t") == 1
    outcome = Naive(norms(one, two, terms=(slot(output=True),))).initial()
    assert isinstance(outcome, Next)
    assert outcome.soft == ("термин:t",)


# ---------------------------------------------------------------------------------------------------- lawfulness


def statuses(*clauses: ir.Clause) -> dict[Act, Status]:
    naive = Naive(norms(*clauses))
    found = naive.statuses(start(naive))
    return {act: status for act, status in found.items() if act.action == "press"}


def permission(identifier: str, guard: ir.Expression = TRUE, *, strong: bool = False) -> ir.Permission:
    return ir.Permission(head(identifier, guard, (P,)), "press", strong)


def test_right_against_prohibition_is_contested_and_permission_yields() -> None:
    forbid = ir.Prohibition(head("R-2#1", equal(P, ir.Value("Seat", 1)), (P,)), "press")
    weak, strong = permission("R-1#1"), permission("R-1#1", strong=True)
    assert list(statuses(weak, forbid).values()) == [Status.LAWFUL, Status.UNLAWFUL, Status.LAWFUL]
    assert list(statuses(strong, forbid).values()) == [Status.LAWFUL, Status.CONTESTED, Status.LAWFUL]


def test_exception_works_instance_by_instance() -> None:
    forbid = ir.Prohibition(head("R-2#1", TRUE, (P,), ir.Exempt("R-3#1", (("p", "p"),))), "press")
    right = permission("R-3#1", equal(P, ir.Value("Seat", 2)), strong=True)
    assert list(statuses(forbid, right).values()) == [Status.UNLAWFUL, Status.UNLAWFUL, Status.LAWFUL]


def test_duty_blocks_all_but_what_fulfils_it() -> None:
    seat = ir.Value("Seat", 1)
    blocks = (ir.BlockedAction("press", (None,)), ir.BlockedAction("lay", (seat, None)))
    duty = ir.Duty(head("R-1#1"), seat, "press", (seat,), ir.Deadline.BEFORE, blocks)
    naive = Naive(norms(duty))
    position = start(naive)
    assert list(statuses(duty).values()) == [Status.UNLAWFUL, Status.LAWFUL, Status.UNLAWFUL]
    assert naive.status(position, Act("lay", (1, 0))) is Status.UNLAWFUL
    assert naive.decide(position, Act("lay", (1, 0))).blocked_by == ("R-1#1",)
    assert naive.status(position, Act("lay", (0, 0))) is Status.LAWFUL
    timeless = replace(duty, deadline=ir.Deadline.NONE)
    assert set(statuses(timeless).values()) == {Status.LAWFUL}


def test_nothing_is_lawful_when_it_is_over() -> None:
    naive = Naive(norms(ir.Ending(head("R-1#1")), permission("R-2#1", strong=True)))
    assert naive.over(start(naive))
    assert naive.acts(start(naive)) == ()
    assert naive.status(start(naive), PRESS) is Status.UNLAWFUL


def test_invariants_about_steps_hold_at_the_start() -> None:
    rises = ir.Compare(ir.Relation.GREATER, cell("x"), ir.Before(cell("x")))
    naive = Naive(norms(ir.Invariant(head("I-1#1"), rises), ir.Invariant(head("I-2#1"), FALSE)))
    position = start(naive)
    assert naive.violated(position, None) == ("I-2#1",)
    assert naive.violated(position, position) == ("I-1#1", "I-2#1")


# ----------------------------------------------------------------------------------------------------- searching


def test_exploring_counts_what_can_be_counted_by_hand() -> None:
    """Each card is laid by one of three seats, in any order: 1 + 9 + 54 + 162 piles; pressing changes nothing."""
    over = ir.Ending(head("R-1#1", equal(ir.Size(BAG), number(0))))
    found = explore(Naive(norms(over)))
    states = 1 + 9 + 54 + 162
    moves = 1 * (9 + 3) + 9 * (6 + 3) + 54 * (3 + 3)
    assert found == Counts(1, states, moves, 0, 162, 3, 0, 0)
    view = ir.Projection("view", ("bag",), (), "R")
    assert explore(Naive(norms(over)), view) == Counts(1, 8, 12 + 3 * 9 + 3 * 6, 0, 1, 3, 0, 0)


def test_play_by_lot_is_the_same_for_the_same_seed() -> None:
    naive = Naive(norms(ir.Ending(head("R-1#1", equal(ir.Size(BAG), number(0))))))
    first, again, other = (playout(naive, seed, 200) for seed in (7, 7, 8))
    assert first == again
    assert first.acts != other.acts
    assert first.end == "over"
    assert len(playout(naive, 7, 2).acts) == 2
