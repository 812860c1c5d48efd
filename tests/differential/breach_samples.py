"""The sample game with a catalogue of breaches: claims, penalties, lapses, windows, restorations, a zone outside."""

from __future__ import annotations

from dataclasses import replace

from svod.norms import ir

from .samples import (
    GONE,
    QUEEN,
    TABLE,
    TRUE,
    C,
    D,
    Expression,
    P,
    Q,
    both,
    eq,
    filled,
    hand,
    head,
    register,
    small_game,
    term,
    turn,
)

BREACHES = ir.Sort("Breach", ("B-1", "B-2", "B-3", "B-4", "other"))
RECORD, PUNISHED = "broke", "punished"
CATALOGUE = ir.Catalogue("Breach", "other", RECORD, PUNISHED, "B")
N, N2 = ir.Variable("n", "Breach"), ir.Variable("m", "Breach")


def number(name: str) -> Expression:
    return ir.Value("Breach", BREACHES.values.index(name))


def penalty(owner: Expression) -> ir.ZoneRef:
    return ir.ZoneRef("penalty", owner)


def broke(player: Expression, name: Expression) -> Expression:
    return register(RECORD, player, name)


def registers() -> tuple[ir.Register, ...]:
    player = ir.Member("Player", optional=True)
    none, zero = ir.Nothing("Player"), ir.Number(0)
    record_index = ("Player", "Breach")
    no = ir.Boolean(False)
    return (
        ir.Register("debt", ("Player", "Player"), ir.Whole(0, 9), zero, "G", outside_frame=True),
        ir.Register("accused", (), player, none, "G", outside_frame=True),
        ir.Register("fines", ("Player",), ir.Whole(0, None), zero, "G", ledger=True, outside_frame=True),
        ir.Register("notice", ("Player",), ir.Truth(), no, "G", window=True),
        ir.Register(RECORD, record_index, ir.Truth(), no, "G", outside_frame=True),
    )


def actions() -> tuple[ir.Action, ...]:
    guilty = ir.Exists(N2, broke(Q, N2))
    rival = both(ir.Compare(ir.Relation.UNEQUAL, P, Q), guilty)
    top = ir.MoveCard(ir.Top(TABLE), TABLE, penalty(P), False, None)
    pay = ir.MoveCard(C, hand(P), penalty(P), False, None)
    return (
        ir.Action("claim", (P, Q, N), 0, (), "speech", False, rival, (), True, "A"),
        ir.Action("pay", (P, C), 0, (), "due", False, TRUE, (pay,), False, "A"),
        ir.Action("pocket", (P,), 0, (), "move", True, ir.Boolean(True), (top,), False, "A"),
    )


def clauses() -> tuple[ir.Clause, ...]:
    out_of_turn = both(ir.Not(turn(P)), eq(register("stage"), ir.Value("Stage", 1)))
    top = ir.Top(TABLE)
    lower = ir.Compare(ir.Relation.LESS, ir.Component(C, 0), ir.Component(top, 0))
    right = ir.Exempt("N-2#1", (("p", "p"), ("c", "c")))
    owes = ir.Exists(Q, ir.Compare(ir.Relation.GREATER, register("debt", P, Q), ir.Number(0)))
    not_due = both(eq(ir.Component(C, 0), ir.Number(0)), ir.Not(ir.Lawful("pay", (P, C), apart=True)))
    anybody = ir.Exists(Q, ir.Exists(N, both(broke(Q, N), ir.Compare(ir.Relation.UNEQUAL, N, number("B-4")))))
    could = ir.Exists(C, ir.Lawful("beat", (P, C)))
    idle = ir.Exists(C, ir.Lawful("beat", (P, C), apart=True))
    blocked = (ir.BlockedAction("lead", (None, None)), ir.BlockedAction("take", (P,)))

    def violation(
        identifier: str,
        action: str,
        guard: Expression,
        *offenders: Expression,
        variables: tuple[ir.Variable, ...] = (P, C),
        exceptions: tuple[ir.Exempt, ...] = (),
    ) -> ir.Violation:
        name = identifier.split("#")[0]
        return ir.Violation(head(identifier, variables, guard, exceptions), name, action, offenders, ("N-1",))

    return (
        violation("B-1#1", "beat", out_of_turn, P),
        violation("B-1#2", "lead", out_of_turn, P),
        violation("B-2#1", "beat", lower, P, ir.Author(top, TABLE), exceptions=(right,)),
        violation("B-2#2", "tuck", filled(hand(term("after", P))), term("after", P)),
        violation("B-2#4", "beat", both(eq(ir.Size(hand(P)), ONE), register("notice", P)), P),
        violation("B-3#1", "take", could, P, variables=(P,), exceptions=(ir.Exempt("N-23#1", (("p", "p"),)),)),
        violation("B-3#2", "say", ir.Or((eq(ir.Size(TABLE), ONE), idle)), P, variables=(P,)),
        violation("B-2#3", "pay", not_due, P),
        violation("B-4#1", "claim", ir.Not(broke(Q, N)), P, variables=(P, Q, N)),
        ir.Lapse(head("L-1#1", (P, C), both(turn(P), ir.Not(eq(C, QUEEN)))), "lead"),
        ir.Lapse(head("L-1#2", (P,), ir.Not(register("quiet"))), "take"),
        ir.Lapse(head("L-1#3", (P, C), eq(ir.Component(C, 0), ir.Number(0))), "beat"),
        ir.Permission(head("N-21#1", (P,), eq(ir.Size(hand(P)), ir.Number(1))), "say", True),
        ir.Permission(head("N-23#1", (P,), both(turn(P), eq(ir.Size(TABLE), ir.Number(2)))), "take", True),
        ir.Permission(head("N-22#1", (P,), both(eq(ir.Size(TABLE), ir.Number(2)), anybody)), "pocket", False),
        ir.Permission(head("N-20#1", (P, C), owes), "pay", False),
        ir.Duty(head("D-2#1", (P,), owes), P, "pay", (P, None), ir.Deadline.BEFORE, blocked),
    )


def triggers() -> tuple[ir.Clause, ...]:
    def on_punished(identifier: str, guard: Expression, *effects: ir.Effect, after: tuple[str, ...] = ()) -> ir.Trigger:
        return ir.Trigger(head(identifier, (P, N), guard), ir.OnEvent(PUNISHED, ("p", "n")), effects, after)

    few = eq(ir.Size(hand(P)), ir.Number(1))
    payer = eq(Q, ir.StepValue(P, 1, False))
    debts = ir.ForEach(Q, payer, (ir.Post("debt", (Q, P), ir.Number(1)),))
    back = ir.Or((eq(N, number("B-1")), eq(N, number("other"))))
    claimed = ir.OnAct("claim", (None, "q", "n"))
    cards = ir.ForEach(D, ir.InZone(D, penalty(P)), (ir.MoveCard(D, penalty(P), hand(P), False, None),))
    return (
        ir.Trigger(
            head("C-1#1", (Q, N), broke(Q, N)), claimed, (ir.Raise(PUNISHED, (Q, N)), ir.Assign("accused", (), Q))
        ),
        ir.Trigger(
            head("C-2#1", (P, N), ir.Not(broke(P, N))),
            ir.OnAct("claim", (None, "p", "n")),
            (ir.Post("fines", (P,), ONE),),
        ),
        on_punished("F-1#1", ir.Boolean(True), debts, ir.Post("fines", (P,), ONE)),
        on_punished("F-2#1", back, ir.Restore(), after=("F-1",)),
        on_punished("F-3#1", ir.Not(back), ir.Assign(RECORD, (P, N), ir.Boolean(False))),
        on_punished("F-4#1", eq(N, number("B-3")), ir.MoveAll(GONE, penalty(P))),
        ir.Trigger(
            head("P-1#1", (P,), ir.Boolean(True)),
            ir.OnAct("pay", ("p", None)),
            (ir.ForEach(Q, ir.Compare(ir.Relation.GREATER, register("debt", P, Q), ZERO), (forgive(),)),),
        ),
        ir.Trigger(head("P-2#1", (P,), few), ir.OnEdge(), (ir.Assign("notice", (P,), ir.Boolean(True)),)),
        ir.Trigger(head("P-3#1", (P,), TRUE), ir.OnAct("say", ("p",)), (ir.Assign("notice", (P,), ir.Boolean(False)),)),
        ir.Trigger(head("P-4#1", (P,), eq(ir.Size(penalty(P)), ir.Number(2))), ir.OnEdge(), (cards,)),
        ir.Trigger(head("P-5#1", (P, N), broke(P, N)), ir.OnEdge(), (ir.Post("laid", (P,), ir.Number(2)),)),
    )


ONE, ZERO = ir.Number(1), ir.Number(0)


def forgive() -> ir.Effect:
    return ir.Post("debt", (P, Q), ir.Number(-1))


def with_catalogue(norms: ir.Norms, *more: ir.Clause) -> ir.Norms:
    """The sample game, or norms made of it, with what breaches need, and these clauses."""
    zone = ir.Zone("penalty", "Card", True, False, False, len(norms.deck), ir.Visibility.ALL, None, "Z", True)
    possible = register("notice", P)
    speech = tuple(replace(each, possible=possible) if each.name == "say" else each for each in norms.actions)
    return replace(
        norms,
        sorts=(*norms.sorts, BREACHES),
        zones=(*norms.zones, zone),
        registers=(*norms.registers, *registers()),
        events=(*norms.events, ir.Event(PUNISHED, (P, N), "B")),
        actions=(*speech, *actions()),
        clauses=(*norms.clauses, *more),
        catalogue=CATALOGUE,
    )


def breach_game(seats: int = 2, ranks: int = 3) -> ir.Norms:
    """The sample game in which breaches cost something."""
    return with_catalogue(small_game(seats, ranks), *clauses(), *triggers())
