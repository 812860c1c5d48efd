"""In: a replayed play after which an invariant is false. Out: the finding, with the rules of the last move that touch
what the invariant speaks of."""

from __future__ import annotations

from svod.diagnostics import Code, Text
from svod.engine.play import Engine
from svod.findings import Family
from svod.norms import ir
from svod.norms.walk import all_effects, everything_in
from svod.searches.plays import Replay, rules_of
from svod.searches.stops import Stop, direct_consequences

BROKEN = Code(
    "F501",
    Text("инвариант нарушен", "an invariant is broken"),
    Text(
        "Правила объявляют, что это верно всегда, а законная игра приводит к позиции, где это неверно.",
        "The rules declare that this always holds, and lawful play leads to a position where it does not.",
    ),
)


def broken_stop(engine: Engine, replay: Replay, invariant: str) -> Stop:
    """An invariant that does not hold after the last move. The rules of that move are named with it, but not those
    whose consequences touch nothing that the invariant speaks of."""
    norms = engine.norms
    clauses = {clause.head.id: clause for clause in norms.clauses}
    direct = direct_consequences(norms, replay)
    followed = set(rules_of(norms, replay.outcome.fired)) - set(direct)
    spoken_of = _places(norms, clauses[invariant])
    aside = {
        clause.head.rule
        for clause in map(clauses.__getitem__, replay.outcome.fired)
        if isinstance(clause, ir.Trigger) and not spoken_of & _written(clause)
    }
    aside -= {
        clause.head.rule
        for clause in map(clauses.__getitem__, replay.outcome.fired)
        if isinstance(clause, ir.Trigger) and spoken_of & _written(clause)
    }
    move = replay.moves[-1] if replay.moves else None
    allowed = set(rules_of(norms, engine.decide(replay.positions[-2], move.act).permitted_by)) if move else set()
    last = [rule for rule in (move.rules if move else ()) if rule not in followed and rule not in aside - allowed]
    rules = tuple(dict.fromkeys((*rules_of(norms, (invariant,)), *last)))
    label = rules[0]
    return Stop(BROKEN, Family.INVARIANT, rules, Text(f"{label} неверен", f"{label} is false"))


def _places(norms: ir.Norms, clause: ir.Clause) -> set[str]:
    """Zones and registers that the clause reads, itself or through terms."""
    found: set[str] = set()
    waiting, seen = [clause], set[str]()
    while waiting:
        for part in everything_in(waiting.pop()):
            match part:
                case ir.ReadRegister(register=name):
                    found.add(name)
                case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone():
                    found.add(part.zone.zone)
                case ir.ReadTerm(term=name) if name not in seen:
                    seen.add(name)
                    waiting += [c for c in norms.clauses if isinstance(c, ir.TermClause) and c.term == name]
                case _:
                    pass
    return found


def _written(clause: ir.Trigger) -> set[str]:
    """Zones and registers that the trigger writes."""
    found: set[str] = set()
    for effect in all_effects(clause.effects):
        match effect:
            case ir.MoveCard() | ir.MoveAll():
                found |= {effect.source.zone, effect.target.zone}
            case ir.Assign() | ir.Post():
                found.add(effect.register)
            case _:
                pass
    return found
