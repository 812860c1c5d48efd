"""Random norms about breaches: violations, lapses, penalties, restorations, and what lies outside the frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from svod.norms import ir

from . import breach_samples as samples
from .breach_samples import N
from .generate import CARD, PLAYER, Generator, Scope, asks_who_laid, random_norms, with_exceptions
from .samples import C, P, Q

# Kinds of act whose violations may ask what is lawful, and those they may ask about: no act asks about itself.
ASKING, ASKED = ("take", "sweep", "say", "claim", "pocket"), ("beat", "lead", "tuck", "pay")
PARAMETERS: dict[str, tuple[ir.Variable, ...]] = {
    "beat": (P, C),
    "lead": (P, C),
    "tuck": (P, C),
    "pay": (P, C),
    "deal": (P, C),
    "take": (P,),
    "sweep": (P,),
    "pocket": (P,),
    "say": (P,),
    "claim": (P, Q, N),
}


class BreachGenerator(Generator):
    """As `Generator`, over a game with a catalogue. `asks`: conditions may ask what is lawful, `judges`:
    only apart from violations; `restores`: effects may restore the position, end breaches and punish."""

    def __init__(
        self,
        random: Random,
        *,
        triggers: bool = False,
        terms: Sequence[str] = (),
        asks: bool = False,
        judges: bool = False,
        restores: bool = False,
    ) -> None:
        super().__init__(random, triggers=triggers, terms=terms)
        self.asks = asks
        self.judges = judges
        self.restores = restores

    def sibling(self) -> Generator:
        return BreachGenerator(self.random, terms=self.terms, asks=self.asks, judges=self.judges)

    def number_of_breach(self, scope: Scope) -> ir.Expression:
        known: list[ir.Expression] = [v for v in scope if v.sort == samples.BREACHES.name]
        return self.pick((*known, ir.Value(samples.BREACHES.name, self.random.randrange(len(samples.BREACHES.values)))))

    def broke(self, scope: Scope, depth: int) -> ir.Expression:
        return samples.broke(self.member(PLAYER, scope, depth), self.number_of_breach(scope))

    def lawful(self, scope: Scope, depth: int) -> ir.Expression:
        """`apart` may be asked of any kind of act: then no violation is looked at."""
        action = self.pick((*ASKED, "deal") if self.triggers else ASKED)
        apart = not self.asks or not self.random.randrange(3)
        return ir.Lawful(action, (self.member(PLAYER, scope, depth), self.member(CARD, scope, depth)), apart)

    def more_truths(self, scope: Scope, depth: int) -> list[Callable[[], ir.Expression]]:
        makers: list[Callable[[], ir.Expression]] = [
            lambda: self.broke(scope, depth - 1),
            lambda: ir.ReadRegister("notice", (self.member(PLAYER, scope, depth - 1),)),
        ]
        if self.asks or self.judges:
            makers += [lambda: self.lawful(scope, depth - 1)] * 2
        return makers

    def effect(self, scope: Scope, depth: int) -> ir.Effect:
        if not self.restores or self.random.randrange(3):
            return super().effect(scope, depth)
        player = self.member(PLAYER, scope, depth)
        name = self.number_of_breach(scope)
        kind = self.random.randrange(6)
        if kind == 0:
            return ir.Assign(samples.RECORD, (player, name), ir.Boolean(False))
        if kind == 1:
            return ir.Raise(samples.PUNISHED, (player, name))
        if kind == 2:
            return ir.MoveAll(self.zone(scope, 1), samples.penalty(player))
        if kind == 3:
            return ir.Assign("notice", (player,), self.truth(scope, depth))
        if kind == 4:
            variable = self.variable(PLAYER)
            return ir.ForEach(variable, self.truth((*scope, variable), depth), (ir.Restore(),))
        return ir.Restore()

    # ---------------------------------------------------------------------------------------------------- clauses

    def violation(self, place: int, depth: int) -> ir.Violation:
        action = self.pick(("beat", "lead", "lead", "tuck", "deal", *ASKING, *ASKING))
        scope = PARAMETERS[action]
        self.asks = action in ASKING
        guard = self.truth(scope, depth)
        offenders = tuple(self.member(PLAYER, scope, 2) for _ in range(self.random.randrange(1, 3)))
        if self.random.randrange(2):
            offenders = (P, *offenders[1:])
        self.asks = False
        name = self.pick(samples.BREACHES.values[:-1])
        return ir.Violation(ir.Head(f"{name}#{place}", name, scope, guard), name, action, offenders)

    def lapse(self, place: int, depth: int) -> ir.Lapse:
        action = self.pick(("beat", "lead", "take", "claim", "deal"))
        self.asks = True
        guard = self.truth(PARAMETERS[action], depth)
        self.asks = False
        return ir.Lapse(ir.Head(f"L-{place}#1", f"L-{place}", PARAMETERS[action], guard), action)

    def answer(self, place: int, depth: int) -> ir.Trigger:
        """A trigger that answers a claim, a penalty or a breach that has come about."""
        self.asks = True
        player, name = P, samples.N
        causes: tuple[tuple[ir.Cause, Scope], ...] = (
            (ir.OnAct("claim", (None, "p", "n")), (player, name)),
            (ir.OnEvent(samples.PUNISHED, ("p", "n")), (player, name)),
            (ir.OnEvent(samples.PUNISHED, ("p", None)), (player,)),
            (ir.OnEdge(), (player, name)),
        )
        cause, scope = self.pick(causes)
        guard = self.truth(scope, depth)
        if isinstance(cause, ir.OnEdge):
            guard = ir.And((samples.broke(player, name), guard))
        after = (f"K-{self.random.randrange(place)}",) if place and not self.random.randrange(3) else ()
        made = self.effects(scope, depth - 1)
        self.asks = False
        return ir.Trigger(ir.Head(f"K-{place}#1", f"K-{place}", scope, guard), cause, made, after)

    def duty(self, place: int, depth: int) -> ir.Duty:
        """Somebody has to say something; what exactly may be left open. Duties must not ask what is lawful."""
        scope = (P, Q)
        action = self.pick(("say", "claim"))
        arguments: tuple[ir.Expression | None, ...] = (self.pick((P, Q)),)
        if action == "claim":
            named = self.pick((None, P, Q, self.member(PLAYER, scope, 1)))
            arguments = (*arguments, named, self.pick((None, self.number_of_breach(()))))
        deadline = self.pick((ir.Deadline.BEFORE, ir.Deadline.NONE))
        blocks = (ir.BlockedAction("take", (P,)),)
        head = ir.Head(f"D-{place}#1", f"D-{place}", scope, self.truth(scope, depth))
        return ir.Duty(head, P, action, arguments, deadline, blocks)


def outside(random: Random, norms: ir.Norms) -> ir.Norms:
    """The norms with other registers and sets outside the frame; the record stays there."""
    registers = tuple(
        replace(register, outside_frame=register.name == samples.RECORD or not random.randrange(3))
        for register in norms.registers
    )
    zones = tuple(replace(zone, outside_frame=not zone.pile and not random.randrange(3)) for zone in norms.zones)
    return replace(norms, registers=registers, zones=zones)


def random_breach_norms(random: Random, *, seats: int = 2, triggers: int = 3, depth: int = 2) -> ir.Norms:
    """Random norms with a catalogue: some clauses of the sample game with breaches, and random ones."""
    base = random_norms(random, seats=seats, triggers=triggers, depth=depth)
    fixed = [clause for clause in (*samples.clauses(), *samples.triggers()) if random.randrange(2)]
    generator = BreachGenerator(random, triggers=True, terms=("living",), restores=True)
    generator.fresh = 20000
    plain = BreachGenerator(random, terms=("living",), judges=True)
    plain.fresh = 30000
    made: list[ir.Clause] = [plain.violation(place, depth) for place in range(10, 14)]
    made += [plain.lapse(place, depth + 1) for place in range(10, 11 + random.randrange(2))]
    silent = BreachGenerator(random, terms=("living",))
    silent.fresh = 40000
    made += [silent.duty(place, depth + 1) for place in range(10, 10 + random.randrange(3))]
    made += [generator.answer(place, depth) for place in range(triggers)]
    made = with_exceptions(random, made)
    rights = [clause for clause in base.clauses if isinstance(clause, ir.Permission)]
    made = [_with_right(random, clause, rights) for clause in made]
    names = {clause.head.id for clause in (*base.clauses, *fixed)}
    kept = [
        replace(c, head=replace(c.head, exceptions=tuple(e for e in c.head.exceptions if e.by in names))) for c in fixed
    ]
    norms = samples.with_catalogue(base, *kept, *made)
    if asks_who_laid(norms):
        zones = tuple(replace(zone, authors=True) if zone.name == "stack" else zone for zone in norms.zones)
        norms = replace(norms, zones=zones)
    return outside(random, norms) if random.randrange(3) else norms


def _with_right(random: Random, clause: ir.Clause, rights: Sequence[ir.Permission]) -> ir.Clause:
    """A violation is sometimes excepted by a permission of the same kind of act."""
    own = [right for right in rights if isinstance(clause, ir.Violation) and right.action == clause.action]
    if not own or random.randrange(2):
        return clause
    by = own[random.randrange(len(own))].head
    common = tuple((v.name, v.name) for v in by.variables if v in clause.head.variables)
    exempt = ir.Exempt(by.id, common if random.randrange(3) else ())
    return replace(clause, head=replace(clause.head, exceptions=(*clause.head.exceptions, exempt)))
