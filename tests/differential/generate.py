"""Random expressions and whole random norms, well typed, from any source of random numbers (seeded, or Hypothesis)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from svod.norms import ir
from svod.norms.walk import everything_in

from . import samples

Scope = tuple[ir.Variable, ...]
Item = TypeVar("Item")

TRUTH, NUMBER = "truth", "number"
PLAYER, CARD, RANK, SUIT = "Player", "Card", "Rank", "Suit"
MEMBERS = (PLAYER, CARD, RANK, SUIT)
OWNED, PILES, PLAIN = ("hand", "stack"), ("table", "closed", "stack"), ("stock", "gone")
EVENT = "left"


class Generator:
    """Makes expressions of a wanted type over the zones and registers of the sample game.

    `triggers`: `Before` and `Happened` may occur. `terms`: names of parameterless number slots that may be read.
    """

    def __init__(self, random: Random, *, triggers: bool = False, terms: Sequence[str] = ()) -> None:
        self.random = random
        self.triggers = triggers
        self.terms = terms
        self.fresh = 0

    def pick(self, items: Sequence[Item]) -> Item:
        return items[self.random.randrange(len(items))]

    def variable(self, sort: str) -> ir.Variable:
        self.fresh += 1
        return ir.Variable(f"v{self.fresh}", sort)

    def zone(self, scope: Scope, depth: int, *, pile: bool = False) -> ir.ZoneRef:
        name = self.pick(PILES if pile else ("hand", *OWNED, *PILES, *PLAIN))
        return ir.ZoneRef(name, self.member(PLAYER, scope, depth - 1) if name in OWNED else None)

    # ------------------------------------------------------------------------------------------------- values

    def truth(self, scope: Scope, depth: int) -> ir.Expression:
        if depth <= 0:
            return self.pick((ir.Boolean(True), ir.Boolean(False), ir.ReadRegister("quiet", ()), ir.Switch("V")))
        makers: list[Callable[[], ir.Expression]] = [
            lambda: ir.Not(self.truth(scope, depth - 1)),
            lambda: ir.And(tuple(self.truth(scope, depth - 1) for _ in range(self.random.randrange(1, 4)))),
            lambda: ir.Or(tuple(self.truth(scope, depth - 1) for _ in range(self.random.randrange(1, 4)))),
            lambda: self.comparison(scope, depth),
            lambda: self.comparison(scope, depth),
            lambda: self.comparison(scope, depth),
            lambda: ir.InZone(self.member(CARD, scope, depth - 1), self.zone(scope, depth)),
            lambda: self.quantified(scope, depth, lambda v, w: ir.Exists(v, w)),
            lambda: self.for_all(scope, depth),
            lambda: ir.Choose(*(self.truth(scope, depth - 1) for _ in range(3))),
        ]
        makers += self.more_truths(scope, depth)
        if self.triggers:
            makers.append(lambda: ir.Happened(EVENT, (self.member(PLAYER, scope, depth - 1),)))
            makers.append(lambda: ir.Before(self.plain().truth(scope, depth - 1)))
        return self.pick(makers)()

    def more_truths(self, scope: Scope, depth: int) -> list[Callable[[], ir.Expression]]:
        """Further conditions, for games that have more to speak of."""
        return []

    def plain(self) -> Generator:
        """The same source without `Before` and `Happened`: nested ones are not asked for."""
        other = self.sibling()
        other.fresh = self.fresh + 1000
        self.fresh += 1
        return other

    def sibling(self) -> Generator:
        """Another one of this kind, without `Before` and `Happened`."""
        return Generator(self.random, terms=self.terms)

    def comparison(self, scope: Scope, depth: int) -> ir.Expression:
        kind = self.pick((NUMBER, RANK, PLAYER, CARD, SUIT, "optional"))
        same = (ir.Relation.EQUAL, ir.Relation.UNEQUAL)
        if kind == NUMBER:
            relation = self.pick(tuple(ir.Relation))
            return ir.Compare(relation, self.number(scope, depth - 1), self.number(scope, depth - 1))
        if kind == "optional":
            left = ir.ReadRegister(self.pick(("closer", "last")), ())
            right = self.pick((ir.Nothing(PLAYER), self.member(PLAYER, scope, depth - 1)))
            return ir.Compare(self.pick(same), left, right)
        relation = self.pick(tuple(ir.Relation) if kind == RANK else same)
        return ir.Compare(relation, self.member(kind, scope, depth - 1), self.member(kind, scope, depth - 1))

    def number(self, scope: Scope, depth: int) -> ir.Expression:
        if depth <= 0:
            terms = tuple(ir.ReadTerm(name, ()) for name in self.terms)
            return self.pick((ir.Number(0), ir.Number(1), ir.Number(2), ir.ReadRegister("out", ()), *terms))
        makers: list[Callable[[], ir.Expression]] = [
            lambda: ir.Size(self.zone(scope, depth)),
            lambda: ir.Size(self.zone(scope, depth)),
            lambda: ir.ReadRegister("place", (self.member(PLAYER, scope, depth - 1),)),
            lambda: ir.ReadRegister("laid", (self.member(PLAYER, scope, depth - 1),)),
            lambda: self.quantified(scope, depth, lambda v, w: ir.Count(v, w)),
            lambda: self.summed(scope, depth),
            lambda: ir.Distance(self.member(PLAYER, scope, depth - 1), self.member(PLAYER, scope, depth - 1)),
            lambda: ir.Arithmetic(
                self.pick((ir.Operator.ADD, ir.Operator.SUBTRACT)),
                self.number(scope, depth - 1),
                self.number(scope, depth - 1),
            ),
            lambda: ir.Choose(
                self.truth(scope, depth - 1), self.number(scope, depth - 1), self.number(scope, depth - 1)
            ),
            lambda: ir.Present(ir.ReadRegister("level", (self.member(PLAYER, scope, depth - 1),))),
            lambda: ir.ReadTerm("odd", (self.member(PLAYER, scope, depth - 1),)) if self.terms else ir.Number(3),
            lambda: ir.ZonesHolding(self.member(CARD, scope, depth - 1)),
            lambda: ir.SeatCount(),
        ]
        if self.triggers:
            makers.append(lambda: ir.Before(self.plain().number(scope, depth - 1)))
        return self.pick(makers)()

    def member(self, sort: str, scope: Scope, depth: int) -> ir.Expression:
        known = [variable for variable in scope if variable.sort == sort]
        if known and (depth <= 0 or self.random.randrange(2)):
            return self.pick(known)
        if depth <= 0:
            return ir.Value(sort, self.random.randrange(2))
        makers: list[Callable[[], ir.Expression]] = [
            lambda: ir.Value(sort, self.random.randrange(2)),
            lambda: self.quantified_value(sort, scope, depth),
        ]
        if sort == PLAYER:
            makers += [
                lambda: ir.Present(ir.ReadRegister(self.pick(("closer", "last")), ())),
                lambda: ir.ReadRegister("dealer", ()),
                lambda: ir.StepValue(self.member(PLAYER, scope, depth - 1), self.pick((1, -1)), False),
                lambda: ir.Present(ir.Author(self.member(CARD, scope, depth - 1), self.zone(scope, depth, pile=True))),
                lambda: self.clockwise(scope, depth),
            ]
        if sort == CARD:
            makers += [
                lambda: ir.Top(self.zone(scope, depth, pile=True)),
                lambda: ir.Bottom(self.zone(scope, depth, pile=True)),
                lambda: ir.CardAbove(self.member(CARD, scope, depth - 1), self.zone(scope, depth, pile=True)),
                lambda: ir.Compose(CARD, (self.member(RANK, scope, depth - 1), self.member(SUIT, scope, depth - 1))),
            ]
        if sort in (RANK, SUIT):
            makers.append(lambda: ir.Component(self.member(CARD, scope, depth - 1), 0 if sort == RANK else 1))
        if sort == RANK:
            makers += [
                lambda: ir.StepValue(self.member(RANK, scope, depth - 1), self.pick((1, -1)), self.pick((True, False))),
                lambda: ir.Extreme(RANK, self.pick((True, False))),
            ]
        return self.pick(makers)()

    # ------------------------------------------------------------------------------------------------ quantifiers

    def quantified(
        self, scope: Scope, depth: int, make: Callable[[ir.Variable, ir.Expression], ir.Expression]
    ) -> ir.Expression:
        variable = self.variable(self.pick(MEMBERS))
        return make(variable, self.truth((*scope, variable), depth - 1))

    def for_all(self, scope: Scope, depth: int) -> ir.Expression:
        variable = self.variable(self.pick(MEMBERS))
        inner = (*scope, variable)
        return ir.ForAll(variable, self.truth(inner, depth - 1), self.truth(inner, depth - 1))

    def summed(self, scope: Scope, depth: int) -> ir.Expression:
        variable = self.variable(PLAYER)
        inner = (*scope, variable)
        return ir.Sum(variable, self.truth(inner, depth - 1), self.number(inner, depth - 2))

    def quantified_value(self, sort: str, scope: Scope, depth: int) -> ir.Expression:
        variable = self.variable(sort)
        inner = (*scope, variable)
        where = self.truth(inner, depth - 1)
        if self.random.randrange(2):
            return ir.Only(variable, where)
        return ir.Best(variable, where, self.number(inner, depth - 1), self.pick((True, False)))

    def clockwise(self, scope: Scope, depth: int) -> ir.Expression:
        variable = self.variable(PLAYER)
        start = self.member(PLAYER, scope, depth - 1)
        return ir.FirstClockwise(start, self.pick((True, False)), variable, self.truth((*scope, variable), depth - 1))

    # ---------------------------------------------------------------------------------------------------- clauses

    def effects(self, scope: Scope, depth: int) -> tuple[ir.Effect, ...]:
        return tuple(self.effect(scope, depth) for _ in range(self.random.randrange(1, 3)))

    def effect(self, scope: Scope, depth: int) -> ir.Effect:
        kind = self.random.randrange(10)
        if kind == 0:
            return ir.Assign(self.pick(("closer", "last")), (), self.pick((P_NONE, self.member(PLAYER, scope, depth))))
        if kind == 1:
            return ir.Assign("quiet", (), self.truth(scope, depth))
        if kind == 2:
            return ir.Assign("place", (self.member(PLAYER, scope, depth),), self.number(scope, depth))
        if kind == 3:
            return ir.Post("laid", (self.member(PLAYER, scope, depth),), self.number(scope, 1))
        if kind == 4:
            return ir.Raise(EVENT, (self.member(PLAYER, scope, depth),))
        if kind == 5:
            return ir.MoveAll(self.zone(scope, 1), self.zone(scope, 1))
        if kind == 6:
            variable = self.variable(self.pick((PLAYER, CARD)))
            inner = (*scope, variable)
            return ir.ForEach(variable, self.truth(inner, depth), (self.effect(inner, depth - 1),))
        if kind == 9:
            value = self.pick((ir.Nothing(""), self.number(scope, depth)))
            return ir.Assign("level", (self.member(PLAYER, scope, depth),), value)
        if kind == 7:
            source, target = self.zone(scope, 1, pile=True), self.zone(scope, 1)
            card = self.pick((ir.Top(source), ir.Bottom(source)))
            variable = self.variable(CARD)  # only if there is a card: undefined moves end every play
            there = ir.Compare(ir.Relation.EQUAL, variable, card)
            to_bottom = bool(self.random.randrange(2))
            author = self.pick((None, ir.ReadRegister("dealer", ())))
            return ir.ForEach(variable, there, (ir.MoveCard(variable, source, target, to_bottom, author),))
        return ir.Assign("fate", (), self.pick((ir.Nothing("Fate"), ir.Value("Fate", 0), ir.Value("Fate", 1))))

    def trigger(self, number: int, depth: int) -> ir.Trigger:
        player, card = ir.Variable("p", PLAYER), ir.Variable("c", CARD)
        kind = self.random.randrange(4)
        cause: ir.Cause
        if kind == 0:
            cause, variables = ir.OnEdge(), self.pick(((), (player,), (player, card)))
        elif kind == 1:
            cause, variables = ir.OnEvent(EVENT, ("p",)), self.pick(((player,), (player, card)))
        elif kind == 2:
            name = self.pick(("beat", "lead", "tuck"))
            cause, variables = ir.OnAct(name, ("p", "c")), (player, card)
        else:
            cause, variables = ir.OnAct(self.pick(("take", "sweep", "say")), ("p",)), (player,)
        identifier = f"X-{number}#1"
        after = (f"X-{self.random.randrange(number)}",) if number and not self.random.randrange(3) else ()
        guard = self.truth(variables, depth)
        effects = self.effects(variables, depth - 1)
        return ir.Trigger(ir.Head(identifier, f"X-{number}", variables, guard), cause, effects, after)


P_NONE = ir.Nothing(PLAYER)


def with_exceptions(random: Random, clauses: list[ir.Clause]) -> list[ir.Clause]:
    """Some clauses except earlier ones of their kind, with their common variables paired."""
    changed = list(clauses)
    for place in range(1, len(clauses)):
        others = [i for i in range(place) if type(clauses[i]) is type(clauses[place])]
        if random.randrange(3) or not others:
            continue
        other = others[random.randrange(len(others))]
        by, head = clauses[place].head, changed[other].head
        common = tuple((v.name, v.name) for v in by.variables if v in head.variables)
        exempt = ir.Exempt(by.id, common if random.randrange(3) else ())
        changed[other] = replace(changed[other], head=replace(head, exceptions=(*head.exceptions, exempt)))
    return changed


def others(random: Random, depth: int) -> list[ir.Clause]:
    """A few random clauses of the kinds that decide about acts and slots."""
    plain = Generator(random, terms=("living",))
    plain.fresh = 5000
    player, card = ir.Variable("p", PLAYER), ir.Variable("c", CARD)
    both = (player, card)
    made: list[ir.Clause] = []

    def head(kind: str, variables: Scope, deep: int = depth, source: Generator = plain) -> ir.Head:
        rule = f"{kind}-{len(made)}"
        return ir.Head(f"{rule}#1", rule, variables, source.truth(variables, deep))

    for action in ("beat", "lead", "tuck", "lead"):
        made.append(ir.Permission(head("Y", both), action, bool(random.randrange(2))))
    for action in ("beat", "lead", "lead"):
        made.append(ir.Prohibition(head("Z", both), action))
    for deadline in (ir.Deadline.BEFORE, ir.Deadline.NOW):
        name = plain.pick(("beat", "lead", "tuck"))
        arguments = (player, plain.pick((None, card, plain.member(CARD, both, 2))))
        blocks = (ir.BlockedAction("take", (None,)), ir.BlockedAction("lead", (player, None)))
        made.append(ir.Duty(head("D", both, 3), player, name, arguments, deadline, blocks))
    for _ in range(3):  # slots that read no slot of this kind themselves
        flat = Generator(random)
        flat.fresh = 9000 + 100 * len(made)
        made.append(ir.TermClause(head("O", (player,), source=flat), "odd", flat.number((player,), depth)))
    made.append(ir.Ending(head("E", (), 4)) if random.randrange(2) else ir.Invariant(head("I", both), TRUTHS[1]))
    return made


TRUTHS = (ir.Boolean(True), ir.Boolean(False))


def random_norms(random: Random, *, seats: int = 2, triggers: int = 4, depth: int = 2) -> ir.Norms:
    """The sample game with some of its triggers replaced by random ones, and a few random clauses of other kinds."""
    base = samples.small_game(seats, 2)
    generator = Generator(random, triggers=True, terms=("living",))
    made: list[ir.Clause] = [generator.trigger(number, depth) for number in range(triggers)]
    made = with_exceptions(random, [*others(random, depth), *made])
    kept = tuple(clause for clause in base.clauses if not isinstance(clause, ir.Trigger) or random.randrange(2))
    names = {clause.head.id for clause in kept}
    kept = tuple(
        replace(c, head=replace(c.head, exceptions=tuple(e for e in c.head.exceptions if e.by in names))) for c in kept
    )
    terms = tuple(replace(term, asked=None) if random.randrange(2) else term for term in base.terms)
    modes = (ir.Combination.UNIQUE, ir.Combination.FIRST, ir.Combination.ANY)
    asked = generator.pick((None, None, None, TRUTHS[0]))
    norms = replace(base, clauses=(*kept, *made), terms=terms)
    mode, output = generator.pick(modes), bool(random.randrange(3))
    return roomy(norms, mode, asked, authors=bool(random.randrange(2)) or asks_who_laid(norms), output=output)


def asks_who_laid(norms: ir.Norms) -> bool:
    """Whether somebody asks who laid a card of a stack, which has to keep that then."""
    asked = (part for clause in norms.clauses for part in everything_in(clause))
    return any(isinstance(part, ir.Author) and part.zone.zone == "stack" for part in asked)


def roomy(
    norms: ir.Norms,
    combination: ir.Combination = ir.Combination.FIRST,
    asked: ir.Expression | None = None,
    *,
    authors: bool = True,
    output: bool = True,
) -> ir.Norms:
    """The norms with a pile for each seat, an optional number for each seat and a slot of each seat."""
    player = ir.Variable("p", PLAYER)
    odd = ir.Term("odd", (player,), ir.Whole(None, None), asked, combination, output, "O")
    stack = ir.Zone("stack", CARD, True, True, authors, 3, ir.Visibility.ALL, None, "Z")
    kind = ir.Whole(0, 4, optional=True)
    level = ir.Register("level", (PLAYER,), kind, ir.Nothing(""), "G", output=output)
    return replace(
        norms,
        terms=(*norms.terms, odd),
        zones=(*norms.zones, stack),
        registers=(*norms.registers, level),
    )


def expression_norms() -> ir.Norms:
    """The sample game with room for random expressions, and a slot that has a value for the second seat only."""
    player = ir.Variable("p", PLAYER)
    guard = ir.Compare(ir.Relation.EQUAL, player, ir.Value(PLAYER, 1))
    clause = ir.TermClause(ir.Head("O-1#1", "O-1", (player,), guard), "odd", ir.Size(samples.hand(player)))
    base = roomy(samples.small_game(2, 2))
    return replace(base, clauses=(*base.clauses, clause))
