"""Small norms written by hand: a game that uses nearly every construct, at any number of seats and cards."""

from __future__ import annotations

from svod.norms import ir

Expression = ir.Expression

SUITS = ("♠", "♥")


def sorts(seats: int, ranks: int) -> tuple[ir.Sort, ...]:
    names = tuple(str(6 + rank) for rank in range(ranks))
    cards = tuple(f"{rank}{suit}" for suit in SUITS for rank in names)
    components = tuple((rank, suit) for suit in range(len(SUITS)) for rank in range(ranks))
    return (
        ir.Sort("Suit", SUITS),
        ir.Sort("Rank", names, ordered=True),
        ir.Sort("Card", cards, factors=("Rank", "Suit"), components=components),
        ir.Sort("Player", tuple(f"P{i + 1}" for i in range(seats)), ring=True, seats=True),
        ir.Sort("Stage", ("deal", "play"), ordered=True),
        ir.Sort("Fate", ("closed", "eaten")),
    )


P = ir.Variable("p", "Player")
Q = ir.Variable("q", "Player")
C = ir.Variable("c", "Card")
D = ir.Variable("d", "Card")


def hand(owner: Expression) -> ir.ZoneRef:
    return ir.ZoneRef("hand", owner)


STOCK = ir.ZoneRef("stock", None)
TABLE = ir.ZoneRef("table", None)
CLOSED = ir.ZoneRef("closed", None)
GONE = ir.ZoneRef("gone", None)
TRUE = ir.Boolean(True)
QUEEN = ir.Value("Card", 3)


def eq(left: Expression, right: Expression) -> Expression:
    return ir.Compare(ir.Relation.EQUAL, left, right)


def both(*parts: Expression) -> Expression:
    return ir.And(parts)


def register(name: str, *arguments: Expression) -> Expression:
    return ir.ReadRegister(name, arguments)


def term(name: str, *arguments: Expression) -> Expression:
    return ir.ReadTerm(name, arguments)


def empty(zone: ir.ZoneRef) -> Expression:
    return eq(ir.Size(zone), ir.Number(0))


def filled(zone: ir.ZoneRef) -> Expression:
    return ir.Compare(ir.Relation.GREATER, ir.Size(zone), ir.Number(0))


def stage(index: int) -> Expression:
    return eq(register("stage"), ir.Value("Stage", index))


def turn(player: Expression) -> Expression:
    return eq(term("turn"), player)


def head(
    identifier: str,
    variables: tuple[ir.Variable, ...],
    guard: Expression,
    exceptions: tuple[ir.Exempt, ...] = (),
) -> ir.Head:
    return ir.Head(identifier, identifier.split("#")[0], variables, guard, exceptions)


def zones(cards: int, seats: int) -> tuple[ir.Zone, ...]:
    def zone(
        name: str, *, owned: bool = False, pile: bool = False, authors: bool = False, most: int = cards
    ) -> ir.Zone:
        return ir.Zone(name, "Card", owned, pile, authors, most, ir.Visibility.ALL, None, "Z")

    return (
        zone("stock"),
        zone("hand", owned=True),
        zone("table", pile=True, authors=True, most=seats),
        zone("closed", pile=True, authors=True),
        zone("gone"),
    )


def registers(seats: int) -> tuple[ir.Register, ...]:
    player = ir.Member("Player", optional=True)
    none = ir.Nothing("Player")
    return (
        ir.Register("stage", (), ir.Member("Stage"), ir.Value("Stage", 0), "G"),
        ir.Register("dealer", (), ir.Member("Player"), ir.Value("Player", 0), "G"),
        ir.Register("closer", (), player, none, "G"),
        ir.Register("last", (), player, none, "G"),
        ir.Register("fate", (), ir.Member("Fate", optional=True), ir.Nothing("Fate"), "G"),
        ir.Register("out", (), ir.Whole(0, seats), ir.Number(0), "G"),
        ir.Register("place", ("Player",), ir.Whole(0, seats), ir.Number(0), "G", output=True),
        ir.Register("laid", ("Player",), ir.Whole(0, None), ir.Number(0), "G", ledger=True),
        ir.Register("quiet", (), ir.Truth(), ir.Boolean(True), "G"),
    )


def actions() -> tuple[ir.Action, ...]:
    def action(
        name: str,
        parameters: tuple[ir.Variable, ...],
        possible: Expression,
        body: tuple[ir.Move, ...],
        *,
        actor: int | None = 0,
        chance: tuple[int, ...] = (),
        turn_class: bool = True,
        silence: bool = False,
    ) -> ir.Action:
        kind = "move" if turn_class else "other"
        return ir.Action(name, parameters, actor, chance, kind, turn_class, possible, body, silence, "A")

    return (
        action(
            "deal",
            (P, C),
            stage(0),
            (ir.MoveCard(C, STOCK, hand(P), False, None),),
            actor=None,
            chance=(0, 1),
            turn_class=False,
        ),
        action("beat", (P, C), filled(TABLE), (ir.MoveCard(C, hand(P), TABLE, False, P),)),
        action("lead", (P, C), empty(TABLE), (ir.MoveCard(C, hand(P), TABLE, False, P),)),
        action("take", (P,), filled(TABLE), (ir.MoveCard(ir.Bottom(TABLE), TABLE, hand(P), False, None),)),
        action("tuck", (P, C), filled(TABLE), (ir.MoveCard(C, hand(P), TABLE, True, P),)),
        action("sweep", (P,), filled(CLOSED), (ir.MoveAll(CLOSED, GONE),), turn_class=False),
        action("say", (P,), TRUE, (), turn_class=False, silence=True),
    )


def living(player: Expression) -> Expression:
    own = ir.Exists(D, both(ir.InZone(D, TABLE), eq(ir.Author(D, TABLE), player)))
    return ir.Or((filled(hand(player)), own))


def terms() -> tuple[ir.Term, ...]:
    player = ir.Member("Player")
    asked = both(stage(1), ir.Compare(ir.Relation.GREATER, term("living"), ir.Number(1)))
    return (
        ir.Term("alive", (P,), ir.Truth(), None, ir.Combination.UNIQUE, False, "T"),
        ir.Term("living", (), ir.Whole(0, None), None, ir.Combination.UNIQUE, False, "T"),
        ir.Term("after", (P,), player, None, ir.Combination.UNIQUE, False, "T"),
        ir.Term("turn", (), player, asked, ir.Combination.UNIQUE, False, "T"),
        ir.Term("loser", (), player, term("over"), ir.Combination.ANY, True, "T"),
        ir.Term("over", (), ir.Truth(), None, ir.Combination.FIRST, False, "T"),
    )


def term_clauses() -> tuple[ir.Clause, ...]:
    present = ir.Present(register("closer"))
    rivals = ir.FirstClockwise(P, False, Q, term("alive", Q))
    last = ir.Present(register("last"))
    closed = both(empty(TABLE), ir.Not(eq(register("closer"), ir.Nothing("Player"))))
    return (
        ir.TermClause(head("T-1#1", (P,), TRUE), "alive", living(P)),
        ir.TermClause(head("T-2#1", (), TRUE), "living", ir.Count(Q, term("alive", Q))),
        ir.TermClause(head("T-3#1", (P,), TRUE), "after", rivals),
        ir.TermClause(
            head("T-4#1", (), both(stage(1), eq(register("last"), ir.Nothing("Player")))), "turn", register("dealer")
        ),
        ir.TermClause(
            head("T-4#2", (), both(filled(TABLE), eq(ir.Present(register("last")), last))), "turn", term("after", last)
        ),
        ir.TermClause(
            head("T-4#3", (), closed, (ir.Exempt("T-4.1#1", ()),)),
            "turn",
            ir.Choose(term("alive", present), present, P0),
        ),
        ir.TermClause(
            head("T-4.1#1", (), both(closed, ir.Not(term("alive", present)))), "turn", term("after", present)
        ),
        ir.TermClause(head("T-5#1", (), stage(1)), "over", ir.Compare(ir.Relation.LESS_EQUAL, term("living"), ONE)),
        ir.TermClause(head("T-5#2", (), TRUE), "over", ir.Boolean(False)),
        ir.TermClause(head("T-6#1", (), TRUE), "loser", ir.Only(Q, term("alive", Q))),
    )


ONE = ir.Number(1)
P0 = ir.Value("Player", 0)


def norm_clauses() -> tuple[ir.Clause, ...]:
    top = ir.Top(TABLE)
    higher = both(
        eq(ir.Component(C, 1), ir.Component(top, 1)),
        ir.Compare(ir.Relation.GREATER, ir.Component(C, 0), ir.Component(top, 0)),
    )
    queen = QUEEN
    low = eq(ir.StepValue(ir.Component(C, 0), 1, False), ir.Component(ir.Bottom(TABLE), 0))
    on_turn = both(stage(1), ir.Not(term("over")), turn(P))
    house = both(ir.Switch("V"), on_turn, eq(ir.Component(C, 1), ir.Component(ir.Bottom(TABLE), 1)))
    closer = ir.Present(register("closer"))
    sweeps = (ir.BlockedAction("lead", (None, None)), ir.BlockedAction("beat", (None, None)))
    lone = both(eq(ir.Size(hand(P)), ONE), eq(C, queen))
    return (
        ir.Permission(head("N-1#1", (P, C), both(on_turn, higher)), "beat", False),
        ir.Permission(head("N-2#1", (P, C), both(on_turn, eq(C, queen))), "beat", True),
        ir.Permission(head("N-3#1", (P, C), on_turn), "lead", False),
        ir.Permission(head("N-4#1", (P,), on_turn), "take", False),
        ir.Permission(head("N-5#1", (P, C), both(on_turn, low)), "tuck", False),
        ir.Permission(head("V-1#1", (P, C), house), "tuck", False),
        ir.Prohibition(head("N-6#1", (P, C), eq(C, queen), (ir.Exempt("N-6.1#1", (("p", "p"), ("c", "c"))),)), "lead"),
        ir.Prohibition(head("N-7#1", (P, C), both(eq(ir.Component(top, 1), ZERO_SUIT), NOT_SPADE)), "beat"),
        ir.Permission(head("N-6.1#1", (P, C), lone), "lead", True),
        ir.Prohibition(head("N-8#1", (P,), ir.Not(register("quiet"))), "say"),
        ir.Duty(head("D-1#1", (), filled(CLOSED)), closer, "sweep", (closer,), ir.Deadline.BEFORE, sweeps),
        ir.Ending(head("E-1#1", (), term("over"))),
        ir.Invariant(head("I-1#1", (C,), TRUE), eq(ir.ZonesHolding(C), ONE)),
        ir.Invariant(
            head("I-2#1", (), TRUE),
            ir.Compare(ir.Relation.GREATER_EQUAL, register("out"), ir.Before(register("out"))),
        ),
    )


ZERO_SUIT = ir.Value("Suit", 0)
NOT_SPADE = ir.Not(eq(ir.Component(C, 1), ZERO_SUIT))


def triggers() -> tuple[ir.Clause, ...]:
    queen = QUEEN
    close: tuple[ir.Effect, ...] = (ir.MoveAll(TABLE, CLOSED), ir.Assign("fate", (), ir.Value("Fate", 0)))
    fell = both(stage(1), ir.Not(term("alive", P)))
    place = ir.Arithmetic(
        ir.Operator.ADD,
        ir.Arithmetic(ir.Operator.ADD, register("out"), ONE),
        ir.Count(Q, both(ir.Happened("left", (Q,)), ir.Compare(ir.Relation.LESS, Q, P))),
    )
    moves = tuple(
        ir.Trigger(
            head(f"W-1#{number}", (P,), TRUE),
            ir.OnAct(name, ("p", *([None] * more))),
            (ir.Assign("last", (), P), ir.Post("laid", (P,), ONE)),
        )
        for number, (name, more) in enumerate((("beat", 1), ("lead", 1), ("take", 0), ("tuck", 1)), 1)
    )
    few = ir.Compare(ir.Relation.GREATER, register("laid", P), ir.Number(1))
    dropped = both(
        eq(ir.Size(hand(P)), ONE), ir.Before(ir.Compare(ir.Relation.GREATER, ir.Size(hand(P)), ONE)), stage(1)
    )
    nobody = both(eq(ir.Size(hand(P)), ir.Number(0)), eq(ir.Before(ir.Size(hand(P))), ONE), ir.Switch("N-9=A"))
    stick = ir.Exempt("W-2.1#1", ())
    return (
        ir.Trigger(
            head("W-0#1", (), empty(STOCK)),
            ir.OnEdge(),
            (ir.Assign("stage", (), ir.Value("Stage", 1)), ir.Assign("quiet", (), ir.Boolean(False))),
        ),
        *moves,
        ir.Trigger(
            head("W-2#1", (), both(filled(TABLE), eq(ir.Size(TABLE), term("living"))), (stick,)),
            ir.OnEdge(),
            (*close, ir.Assign("closer", (), ir.Author(ir.Top(TABLE), TABLE))),
        ),
        ir.Trigger(
            head("W-2.1#1", (P,), both(ir.InZone(queen, TABLE), eq(P, ir.Author(queen, TABLE)))),
            ir.OnAct("beat", ("p", None)),
            (*close, ir.Assign("closer", (), P)),
        ),
        ir.Trigger(
            head("W-3#1", (P, C), eq(ir.Component(C, 0), ir.Number(0))),
            ir.OnAct("tuck", ("p", "c")),
            (
                ir.MoveAll(TABLE, hand(term("after", P))),
                ir.Assign("fate", (), ir.Value("Fate", 1)),
                ir.Assign("closer", (), term("after", P)),
            ),
        ),
        ir.Trigger(head("W-4#1", (P,), fell), ir.OnEdge(), (ir.Raise("left", (P,)),), after=("W-1",)),
        ir.Trigger(
            head("W-5#1", (P,), TRUE),
            ir.OnEvent("left", ("p",)),
            (ir.Assign("place", (P,), place), ir.Post("out", (), ONE)),
        ),
        ir.Trigger(head("W-6#1", (P,), TRUE), ir.OnAct("take", ("p",)), (ir.Assign("quiet", (), few),), after=("W-1",)),
        ir.Trigger(head("W-7#1", (P,), dropped), ir.OnEdge(), (ir.Post("laid", (P,), ir.Number(3)),)),
        ir.Trigger(head("N-9#1", (P,), nobody), ir.OnEdge(), (ir.Post("laid", (P,), ir.Number(5)),)),
        ir.Trigger(
            head("W-8#1", (P,), ir.Switch("N-9=B")),
            ir.OnAct("sweep", ("p",)),
            (ir.ForEach(Q, filled(hand(Q)), (ir.Post("laid", (Q,), ir.Size(hand(Q))),)),),
        ),
    )


def small_game(seats: int = 2, ranks: int = 3) -> ir.Norms:
    """A shedding game with deal, duties, closing by count and by one card, exits with places."""
    all_sorts = sorts(seats, ranks)
    cards = len(all_sorts[2].values)
    return ir.Norms(
        rulebook="sample",
        edition="1",
        parameters=(("seats", str(seats)),),
        sorts=all_sorts,
        seats="Player",
        card_sort="Card",
        zones=zones(cards, seats),
        registers=registers(seats),
        events=(ir.Event("left", (P,), "W-4"),),
        terms=terms(),
        actions=actions(),
        clauses=(*term_clauses(), *norm_clauses(), *triggers()),
        filled="stock",
        deck=tuple(range(cards)),
        readings=(ir.Reading("N-9", (("A", "one way"), ("B", "the other way")), "A", "simpler"),),
        variants=(ir.Variant("V", ("V-1",)),),
        stage_register="stage",
    )
