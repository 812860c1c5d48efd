"""The naive evaluator on breaches, frames and restorations, against consequences worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svod.naive.evaluator import Naive
from svod.naive.world import UNDEFINED
from svod.norms import ir
from svod.norms.trace import Act, Frame, Hole, Laid, Limit, Next, Position, Race, Status, StepOutcome

SEATS = ir.Sort("Seat", ("A", "B", "C"), ring=True, seats=True)
CARD = ir.Sort("Card", ("a", "b", "c"))
BREACH = ir.Sort("Breach", ("B-1", "B-2", "other"))
P, Q = ir.Variable("p", "Seat"), ir.Variable("q", "Seat")
C = ir.Variable("c", "Card")
N = ir.Variable("n", "Breach")
TRUE, FALSE = ir.Boolean(True), ir.Boolean(False)
BAG, PILE, BOX = (ir.ZoneRef(name, None) for name in ("bag", "pile", "box"))
ONE, TWO, OTHER = 0, 1, 2


def number(value: int) -> ir.Expression:
    return ir.Number(value)


def seat(index: int) -> ir.Expression:
    return ir.Value("Seat", index)


def cell(name: str, *arguments: ir.Expression) -> ir.Expression:
    return ir.ReadRegister(name, arguments)


def equal(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ir.Compare(ir.Relation.EQUAL, left, right)


def head(
    identifier: str, guard: ir.Expression = TRUE, variables: tuple[ir.Variable, ...] = (), *exceptions: ir.Exempt
) -> ir.Head:
    return ir.Head(identifier, identifier.split("#")[0], variables, guard, exceptions)


def norms(*clauses: ir.Clause, box: int = 3, catalogue: bool = True) -> ir.Norms:
    """Three seats, three cards in a bag. Speaking and laying a card on the pile are lawful unless forbidden, keeping a
    card in the box (outside the frame) and taking the top of the pile only if permitted; chance may deal to the box."""

    def zone(name: str, *, pile: bool = False, outside: bool = False, capacity: int = 3) -> ir.Zone:
        return ir.Zone(name, "Card", False, pile, pile, capacity, ir.Visibility.ALL, None, "Z", outside)

    def register(name: str, *index: str, truth: bool = False, outside: bool = False) -> ir.Register:
        kind: ir.Type = ir.Truth() if truth else ir.Whole(0, 5)
        return ir.Register(name, index, kind, FALSE if truth else number(0), "G", outside_frame=outside)

    def action(
        name: str, parameters: tuple[ir.Variable, ...], *body: ir.Move, silent: bool, actor: int | None = 0
    ) -> ir.Action:
        return ir.Action(name, parameters, actor, () if actor == 0 else (0,), "", True, TRUE, body, silent, "A")

    return ir.Norms(
        rulebook="unit",
        edition="1",
        parameters=(),
        sorts=(SEATS, CARD, BREACH),
        seats="Seat",
        card_sort="Card",
        zones=(zone("bag"), zone("pile", pile=True), zone("box", outside=True, capacity=box)),
        registers=(
            register("x"),
            register("y"),
            register("debt", outside=True),
            register("broke", "Seat", "Breach", truth=True, outside=True),
        ),
        events=(ir.Event("punished", (P, N), "G"), ir.Event("gong", (), "G")),
        terms=(),
        actions=(
            action("say", (P,), silent=True),
            action("judge", (P,), silent=True),
            action("lay", (P, C), ir.MoveCard(C, BAG, PILE, False, P), silent=True),
            action("keep", (P, C), ir.MoveCard(C, PILE, BOX, False, P), silent=False),
            action("fall", (C,), ir.MoveCard(C, BAG, PILE, False, None), silent=False, actor=None),
        ),
        clauses=clauses,
        filled="bag",
        deck=(0, 1, 2),
        catalogue=ir.Catalogue("Breach", "other", "broke", "punished", "G") if catalogue else None,
    )


def violation(
    name: str,
    action: str,
    offenders: tuple[ir.Expression, ...] = (P,),
    guard: ir.Expression = TRUE,
    variables: tuple[ir.Variable, ...] = (P,),
    *exceptions: ir.Exempt,
) -> ir.Violation:
    return ir.Violation(head(f"{name}#1", guard, variables, *exceptions), name, action, offenders)


def on_judge(identifier: str, *effects: ir.Effect, guard: ir.Expression = TRUE) -> ir.Trigger:
    return ir.Trigger(head(identifier, guard), ir.OnAct("judge", (None,)), effects)


def assign(name: str, value: int) -> ir.Assign:
    return ir.Assign(name, (), number(value))


RESTORE = on_judge("R-9#1", ir.Restore())
SPOKEN = violation("B-1", "say")
LAPSE = ir.Lapse(head("L-1#1", TRUE, (P, C)), "lay")


def played(naive: Naive, *acts: Act) -> StepOutcome:
    """The outcome of the last act."""
    outcome = naive.initial()
    for act in acts:
        assert isinstance(outcome, Next), outcome
        outcome = naive.step(outcome.position, act)
    return outcome


def reached(naive: Naive, *acts: Act) -> Position:
    outcome = played(naive, *acts)
    assert isinstance(outcome, Next), outcome
    return outcome.position


def guilty(position: Position) -> set[tuple[int, ...]]:
    return {index for (name, index), value in position.registers if name == "broke" and value}


def say(who: int) -> Act:
    return Act("say", (who,))


def lay(who: int, card: int) -> Act:
    return Act("lay", (who, card))


def keep(who: int, card: int) -> Act:
    return Act("keep", (who, card))


JUDGE = Act("judge", (0,))

# ----------------------------------------------------------------------------------------------- being guilty


def test_violation_forbids_its_own_act_and_is_named() -> None:
    naive = Naive(norms(violation("B-1", "say", guard=equal(P, seat(1)))))
    start = reached(naive)
    assert naive.status(start, say(0)) is Status.LAWFUL
    decision = naive.decide(start, say(1))
    assert (decision.status, decision.forbidden_by) == (Status.UNLAWFUL, ("B-1#1",))


def test_violation_of_another_does_not_forbid_but_is_entered() -> None:
    naive = Naive(norms(violation("B-2", "say", (ir.StepValue(P, 1, False),))))
    assert naive.status(reached(naive), say(0)) is Status.LAWFUL
    assert guilty(reached(naive, say(2))) == {(0, TWO)}


def test_several_offenders_and_one_who_is_nobody() -> None:
    above = ir.Author(ir.Top(PILE), PILE)
    naive = Naive(norms(violation("B-1", "say", (above, P, ir.StepValue(P, 1, False)))))
    assert guilty(reached(naive, say(0))) == {(0, ONE), (1, ONE)}, "the pile is empty: nobody laid its top"
    assert guilty(reached(naive, Act("fall", (0,)), say(0))) == {(0, ONE), (1, ONE)}, "chance laid it"
    assert guilty(reached(naive, lay(2, 0), say(0))) == {(0, ONE), (1, ONE), (2, ONE)}


def test_chance_makes_guilty_but_is_lawful() -> None:
    naive = Naive(norms(violation("B-1", "fall", (seat(1),), TRUE, (C,))))
    assert naive.status(reached(naive), Act("fall", (0,))) is Status.LAWFUL
    assert guilty(reached(naive, Act("fall", (0,)))) == {(1, ONE)}


def test_right_against_violation_is_contested_unless_it_excepts() -> None:
    right = ir.Permission(head("R-1#1", equal(P, seat(1)), (P,)), "say", True)
    contested = Naive(norms(SPOKEN, right))
    assert contested.status(reached(contested), say(1)) is Status.CONTESTED
    assert guilty(reached(contested, say(1))) == {(1, ONE)}
    excepted = Naive(norms(violation("B-1", "say", (P,), TRUE, (P,), ir.Exempt("R-1#1", (("p", "p"),))), right))
    assert excepted.status(reached(excepted), say(1)) is Status.LAWFUL
    assert excepted.decide(reached(excepted), say(1)).excepted == (("B-1#1", "R-1#1"),)
    assert guilty(reached(excepted, say(1))) == set()
    assert guilty(reached(excepted, say(0))) == {(0, ONE)}


def test_unlawful_act_without_a_number_enters_other() -> None:
    unlawful = [lay(0, 0), keep(1, 0)]  # nothing permits to keep
    assert guilty(reached(Naive(norms()), *unlawful)) == {(1, OTHER)}
    named = Naive(norms(violation("B-2", "keep", variables=(P, C))))
    assert guilty(reached(named, *unlawful)) == {(1, TWO)}
    of_another = Naive(norms(violation("B-2", "keep", (seat(2),), variables=(P, C))))
    assert guilty(reached(of_another, *unlawful)) == {(2, TWO)}, "a violation is met, whoever is guilty"
    permitted = Naive(norms(ir.Permission(head("R-1#1", TRUE, (P, C)), "keep", False)))
    assert guilty(reached(permitted, *unlawful)) == set()


def test_contested_is_not_other_but_an_act_after_the_end_is() -> None:
    forbid = ir.Prohibition(head("R-1#1", TRUE, (P,)), "say")
    right = ir.Permission(head("R-2#1", TRUE, (P,)), "say", True)
    assert guilty(reached(Naive(norms(forbid, right)), say(0))) == set()
    assert guilty(reached(Naive(norms(forbid)), say(0))) == {(0, OTHER)}
    assert guilty(reached(Naive(norms(ir.Ending(head("R-3#1")))), say(0))) == {(0, OTHER)}


def test_nothing_of_this_exists_without_a_catalogue() -> None:
    naive = Naive(norms(SPOKEN, RESTORE, catalogue=False))
    assert naive.status(reached(naive), say(0)) is Status.LAWFUL
    position = reached(naive, say(0), lay(0, 0), keep(0, 0))
    assert guilty(position) == set()
    assert position.frame is None


def test_guard_is_read_before_the_act() -> None:
    empty = equal(ir.Size(PILE), number(0))
    naive = Naive(norms(violation("B-1", "lay", (P,), empty, (P, C))))
    assert guilty(reached(naive, lay(0, 0))) == {(0, ONE)}
    assert guilty(reached(naive, lay(0, 0), lay(1, 1))) == {(0, ONE)}


def test_breaches_rise_as_edges_of_the_first_wave() -> None:
    fined = ir.Trigger(head("R-1#1", cell("broke", P, N), (P, N)), ir.OnEdge(), (ir.Post("debt", (), number(2)),))
    position = reached(Naive(norms(SPOKEN, fined)), say(0), say(0), say(2))
    assert dict(position.registers)["debt", ()] == 4


# ------------------------------------------------------------------------------------------------------ frames


def frame_of(position: Position) -> Frame:
    registers = tuple(entry for entry in position.registers if entry[0][0] in ("x", "y"))
    return Frame(position.zones, registers)


def test_frame_is_the_position_before_the_first_open_breach() -> None:
    naive = Naive(norms(violation("B-1", "lay", (P,), equal(P, seat(1)), (P, C))))
    laid = reached(naive, lay(0, 2))
    assert laid.frame is None
    broken = reached(naive, lay(0, 2), lay(1, 1))
    assert broken.frame == frame_of(laid)
    assert dict(broken.frame.zones)["pile", None] == (Laid(2, 0),)
    assert reached(naive, lay(0, 2), lay(1, 1), lay(1, 0)).frame == broken.frame


def test_lapse_comes_before_entering() -> None:
    naive = Naive(norms(SPOKEN, violation("B-2", "lay", (P,), equal(P, seat(1)), (P, C)), LAPSE))
    assert guilty(reached(naive, say(0), say(2))) == {(0, ONE), (2, ONE)}
    lapsed = reached(naive, say(0), lay(0, 0))
    assert (guilty(lapsed), lapsed.frame) == (set(), None)
    before = reached(naive, say(0))
    again = naive.step(before, lay(1, 0))
    assert isinstance(again, Next)
    assert guilty(again.position) == {(1, TWO)}
    assert again.position.frame == frame_of(before), "the old frame is gone, the new one is the position before the act"


def test_lapse_knows_its_guard_and_its_exceptions() -> None:
    lapse = replace(LAPSE, head=head("L-1#1", equal(C, ir.Value("Card", 0)), (P, C), ir.Exempt("R-1#1", (("p", "p"),))))
    never = ir.Permission(head("R-1#1", equal(P, seat(2)), (P, C)), "lay", False)
    naive = Naive(norms(SPOKEN, lapse, never))
    assert guilty(reached(naive, say(0), lay(0, 1))) == {(0, ONE)}
    assert guilty(reached(naive, say(0), lay(2, 0))) == {(0, ONE)}
    assert guilty(reached(naive, say(0), lay(1, 0))) == set()


def test_rules_end_single_breaches_and_the_last_one_takes_the_frame_along() -> None:
    forgive = on_judge("R-1#1", ir.Assign("broke", (ir.Value("Seat", 0), ir.Value("Breach", ONE)), FALSE))
    naive = Naive(norms(SPOKEN, forgive))
    two = reached(naive, say(0), say(1), JUDGE)
    assert guilty(two) == {(1, ONE)}
    assert two.frame == frame_of(reached(naive))
    assert reached(naive, say(0), JUDGE).frame is None


def test_position_given_with_a_frame_and_no_breach_loses_it_at_rest() -> None:
    naive = Naive(norms(SPOKEN))
    start = reached(naive)
    outcome = naive.step(replace(start, frame=frame_of(start)), JUDGE)
    assert isinstance(outcome, Next)
    assert outcome.position == start


# ------------------------------------------------------------------------------------------------ restorations


def test_restoration_brings_back_what_lies_inside_the_frame() -> None:
    count = ir.Trigger(
        head("R-1#1"), ir.OnAct("lay", (None, None)), (ir.Post("x", (), number(1)), ir.Post("debt", (), number(1)))
    )
    naive = Naive(norms(SPOKEN, RESTORE, count))
    way = [lay(0, 2), lay(1, 1), say(0), lay(2, 0)]
    position = reached(naive, *way, JUDGE)
    assert dict(position.zones)["pile", None] == (Laid(2, 0), Laid(1, 1))
    assert dict(position.zones)["bag", None] == (Laid(0),)
    values = dict(position.registers)
    assert (values["x", ()], values["debt", ()]) == (2, 3)
    assert (guilty(position), position.frame) == (set(), None)


def test_card_that_lies_outside_stays_and_its_pile_is_a_hole() -> None:
    may = ir.Permission(head("R-1#1", TRUE, (P, C)), "keep", False)
    naive = Naive(norms(SPOKEN, RESTORE, may))
    kept = reached(naive, say(0), lay(0, 2), keep(0, 2), lay(1, 1), JUDGE)
    assert dict(kept.zones)["box", None] == (Laid(2),)
    assert dict(kept.zones)["bag", None] == (Laid(0), Laid(1))
    outcome = played(naive, lay(0, 2), say(0), keep(0, 2), JUDGE)
    assert outcome == Hole("R-9#1", (), ("R-9",), ("R-9#1",))


def test_card_returns_to_a_zone_outside_if_it_left_it_and_others_stay_there() -> None:
    may = ir.Permission(head("R-1#1", TRUE, (P, C)), "keep", False)
    empties = ir.Trigger(head("R-2#1", equal(P, seat(2)), (P,)), ir.OnAct("say", ("p",)), (ir.MoveAll(BOX, BAG),))
    naive = Naive(norms(SPOKEN, RESTORE, may, empties))
    way = [lay(0, 0), keep(0, 0), say(2), lay(1, 1), keep(1, 1)]
    assert dict(reached(naive, *way, JUDGE).zones)["box", None] == (Laid(0), Laid(1))
    small = Naive(norms(SPOKEN, RESTORE, may, empties, box=1))
    assert played(small, *way, JUDGE) == Limit("box", ("R-9#1",), ("R-9#1",))


def test_other_writes_of_the_wave_come_first() -> None:
    also = on_judge("R-1#1", assign("x", 4), assign("debt", 4), ir.MoveAll(BAG, BOX))
    position = reached(Naive(norms(SPOKEN, RESTORE, also)), say(0), JUDGE)
    values = dict(position.registers)
    assert (values["x", ()], values["debt", ()]) == (0, 4)
    assert dict(position.zones)["box", None] == (Laid(0), Laid(1), Laid(2))


def test_writes_that_fail_are_the_outcome() -> None:
    clash = [on_judge("R-1#1", assign("x", 1)), on_judge("R-2#1", assign("x", 2))]
    assert isinstance(played(Naive(norms(SPOKEN, RESTORE, *clash)), say(0), JUDGE), Race)


def test_no_open_breach_nothing_to_restore() -> None:
    also = on_judge("R-1#1", assign("x", 4))
    outcome = played(Naive(norms(SPOKEN, RESTORE, also)), lay(0, 0), JUDGE)
    assert isinstance(outcome, Next)
    assert dict(outcome.position.registers)["x", ()] == 4
    assert set(outcome.fired) == {"R-9#1", "R-1#1"}


def test_restoration_raises_no_edge_but_events_live_on() -> None:
    back = ir.Trigger(head("R-1#1", equal(ir.Size(PILE), number(0))), ir.OnEdge(), (ir.Post("y", (), number(1)),))
    rang = ir.Trigger(head("R-2#1"), ir.OnEvent("gong", ()), (ir.Post("debt", (), ir.Before(ir.Size(PILE))),))
    ring = on_judge("R-3#1", ir.Raise("gong", ()))
    clauses: list[ir.Clause] = [SPOKEN, back, rang, ring]
    way = [lay(0, 1), say(1), lay(0, 0), JUDGE]
    restored = reached(Naive(norms(RESTORE, *clauses)), *way)
    assert dict(restored.registers)["y", ()] == 1, "the start of the play"
    assert dict(restored.registers)["debt", ()] == 1, "a wave ago is the restored position"
    other = [say(1), lay(0, 0), JUDGE]
    assert dict(reached(Naive(norms(RESTORE, *clauses)), *other).registers)["y", ()] == 1
    away = on_judge("R-9#1", ir.MoveAll(PILE, BAG))
    assert dict(reached(Naive(norms(away, *clauses)), *other).registers)["y", ()] == 2


def test_postponed_triggers_live_on() -> None:
    later = ir.Trigger(head("R-1#1"), ir.OnAct("judge", (None,)), (ir.Post("x", (), number(1)),), after=("R-9",))
    first = on_judge("R-2#1", assign("x", 3))
    position = reached(Naive(norms(SPOKEN, RESTORE, first, later)), say(0), JUDGE)
    assert dict(position.registers)["x", ()] == 1


def test_what_a_restoration_wrote_may_be_overwritten() -> None:
    first = on_judge("R-1#1", assign("x", 3), assign("debt", 3), ir.Raise("gong", ()))
    later = ir.Trigger(head("R-2#1"), ir.OnEvent("gong", ()), (assign("x", 2),))
    owing = ir.Trigger(head("R-2#1"), ir.OnEvent("gong", ()), (assign("debt", 2),))
    assert dict(reached(Naive(norms(SPOKEN, RESTORE, first, later)), say(0), JUDGE).registers)["x", ()] == 2
    assert isinstance(played(Naive(norms(SPOKEN, first, later)), say(0), JUDGE), Race)
    assert isinstance(played(Naive(norms(SPOKEN, RESTORE, first, owing)), say(0), JUDGE), Race)


def test_restoring_for_each_of_none_is_not_restoring() -> None:
    def for_each(where: ir.Expression) -> ir.Trigger:
        return on_judge("R-9#1", ir.ForEach(Q, where, (ir.Restore(),)))

    way = [say(0), lay(0, 0), JUDGE]
    assert guilty(reached(Naive(norms(SPOKEN, for_each(FALSE))), *way)) == {(0, ONE)}
    assert guilty(reached(Naive(norms(SPOKEN, for_each(TRUE))), *way)) == set()


# ---------------------------------------------------------------------------------------------------- lawfulness


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (ir.Lawful("say", (seat(0),)), True),
        (ir.Lawful("say", (seat(1),)), False),
        (ir.Lawful("lay", (seat(0), ir.Value("Card", 0))), True),
        (ir.Lawful("lay", (seat(0), ir.Top(PILE))), UNDEFINED),
        (ir.Lawful("keep", (seat(0), ir.Value("Card", 0))), False),
        (ir.Exists(Q, ir.And((equal(Q, seat(2)), ir.Lawful("say", (Q,))))), True),
    ],
)
def test_lawful_as_a_condition(asked: ir.Expression, expected: object) -> None:
    naive = Naive(norms(violation("B-1", "say", guard=equal(P, seat(1)))))
    found = naive.evaluate(reached(naive), asked)
    assert found is expected or found == expected


def test_contested_is_not_lawful_and_nothing_is_when_it_is_over() -> None:
    right = ir.Permission(head("R-1#1", TRUE, (P,)), "say", True)
    for clauses in ((SPOKEN, right), (ir.Ending(head("R-3#1")),)):
        naive = Naive(norms(*clauses))
        assert naive.evaluate(reached(naive), ir.Lawful("say", (seat(0),))) is False


def test_violations_and_triggers_may_ask_what_is_lawful() -> None:
    could = ir.Exists(C, ir.Lawful("lay", (P, C)))
    lazy = violation("B-2", "say", (P,), could)
    none_left = ir.Trigger(
        head("R-1#1", ir.Not(ir.Exists(C, ir.Lawful("lay", (seat(0), C))))), ir.OnEdge(), (assign("x", 1),)
    )
    naive = Naive(norms(lazy, none_left))
    assert guilty(reached(naive, say(0))) == {(0, TWO)}
    laid = reached(naive, lay(0, 0), lay(0, 1), lay(0, 2))
    assert dict(laid.registers)["x", ()] == 1
    assert naive.status(laid, say(0)) is Status.LAWFUL


# ------------------------------------------------------------------------------------------------------ dead ends


def test_stuck_where_only_speech_is_lawful() -> None:
    base = norms(ir.Prohibition(head("R-1#1", TRUE, (P, C)), "lay"), ir.Prohibition(head("R-2#1", TRUE, (C,)), "fall"))
    speech = tuple(replace(a, turn=False) if a.name in ("say", "judge") else a for a in base.actions)
    silent = replace(base, actions=speech)
    naive = Naive(silent)
    assert naive.acts(reached(naive))
    assert naive.stuck(reached(naive))
    owed = ir.Duty(head("D-1#1"), seat(0), "say", (seat(0),), ir.Deadline.NONE, ())
    naive = Naive(replace(silent, clauses=(*silent.clauses, owed)))
    assert not naive.stuck(reached(naive))
