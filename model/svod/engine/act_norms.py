"""Clauses about acts → for each kind of act the conditions that decide on it, spoken in the act's own parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from svod.engine.prepare import never_true
from svod.engine.quantifiers import Printer
from svod.engine.walk import conjunction, conjuncts, free_variables, substitute
from svod.norms import ir


@dataclass(frozen=True)
class ActionNorms:
    """What bears on one kind of act; every condition is spoken in the action's parameters and always defined.

    Each entry pairs the id of its clause with the condition. `blocks`: a pending duty blocks this act."""

    action: ir.Action
    possible: ir.Expression
    rights: tuple[tuple[str, ir.Expression], ...]  # strong permissions
    permissions: tuple[tuple[str, ir.Expression], ...]  # weak ones
    duties: tuple[tuple[str, ir.Expression], ...]  # duties that this act fulfils
    prohibitions: tuple[tuple[str, ir.Expression], ...]
    blocks: tuple[tuple[str, ir.Expression], ...]

    @property
    def free(self) -> bool:
        """Whether the act needs no permission."""
        return self.action.actor is None or self.action.silence_permits


class ActNorms:
    """Collects what the clauses say of a kind of act."""

    def __init__(self, printer: Printer) -> None:
        self.p = printer
        self.world = printer.world

    def of(self, action: ir.Action, *, apart: bool = False) -> ActionNorms:
        """Everything that bears on the action; `apart`: but violations."""
        clauses = self.world.norms.clauses
        mine = [c for c in clauses if isinstance(c, ir.Permission | ir.Prohibition) and c.action == action.name]
        violations = [c for c in clauses if isinstance(c, ir.Violation) and c.action == action.name]
        duties = [c for c in clauses if isinstance(c, ir.Duty)]
        fulfilled = [(d.head.id, self._duty(d, action, d.arguments, None)) for d in duties if d.action == action.name]
        return ActionNorms(
            action,
            self.possible(action),
            tuple(self._named(c) for c in mine if isinstance(c, ir.Permission) and c.strong),
            tuple(self._named(c) for c in mine if isinstance(c, ir.Permission) and not c.strong),
            tuple(fulfilled),
            (
                *(self._named(c) for c in mine if isinstance(c, ir.Prohibition)),
                *self._broken([] if apart else violations),
            ),
            tuple(x for d in duties for x in self._blocked_by(d, action)),
        )

    def _named(self, clause: ir.Permission | ir.Prohibition) -> tuple[str, ir.Expression]:
        return clause.head.id, self.world.over_parameters(clause)

    def _broken(self, violations: list[ir.Violation]) -> Iterator[tuple[str, ir.Expression]]:
        """Violations that make the actor guilty: as good as prohibitions, where the rulebook has a catalogue."""
        for violation in violations:
            offends = actor_offends(self.p, violation)
            if not never_true(offends):
                yield violation.head.id, self.world.over_parameters(violation, offends)

    def possible(self, action: ir.Action) -> ir.Expression:
        """The act can be done: its condition, and every card lies where it is taken from."""
        moves: list[ir.Expression] = []
        for move in action.body:
            if isinstance(move, ir.MoveCard):
                moves.append(ir.InZone(move.card, move.source))
            for owner in (move.source.owner, move.target.owner):
                if owner is not None and not isinstance(owner, ir.Variable | ir.Value):
                    moves.append(ir.Compare(ir.Relation.EQUAL, ir.Present(owner), ir.Present(owner)))
        parts = (*conjuncts(action.possible), *dict.fromkeys(moves))
        return conjunction(tuple(p for p in parts if p != ir.Boolean(True)))

    def _blocked_by(self, duty: ir.Duty, action: ir.Action) -> list[tuple[str, ir.Expression]]:
        if duty.deadline is ir.Deadline.NONE:
            return []
        found = []
        for blocked in duty.blocks:
            if blocked.action == action.name:
                fulfilling = duty.arguments if duty.action == action.name else None
                condition = self._duty(duty, action, blocked.arguments, fulfilling)
                if not never_true(condition):
                    found.append((duty.head.id, condition))
        return found

    def _duty(
        self,
        duty: ir.Duty,
        action: ir.Action,
        arguments: tuple[ir.Expression | None, ...],
        fulfilling: tuple[ir.Expression | None, ...] | None,
    ) -> ir.Expression:
        """Some duty of this clause is pending, the act's arguments match `arguments` and do not match `fulfilling`."""
        own = {v.name: ir.Variable(v.name + "_d", v.sort) for v in duty.head.variables}
        values: dict[str, ir.Expression] = dict(own)
        matches: list[ir.Expression] = []
        for parameter, argument in zip(action.parameters, arguments, strict=True):
            if argument is None:
                continue
            if isinstance(argument, ir.Variable) and values.get(argument.name) == own.get(argument.name):
                values[argument.name] = parameter
            else:
                matches.append(ir.Compare(ir.Relation.EQUAL, parameter, argument))
        parts = [self.world.firing(duty.head.id, tuple(values[v.name] for v in duty.head.variables))]
        parts += [_substituted(m, values, action) for m in matches]
        if fulfilling is not None:
            same = [
                _substituted(ir.Compare(ir.Relation.EQUAL, p, a), values, action)
                for p, a in zip(action.parameters, fulfilling, strict=True)
                if a is not None
            ]
            same = [s for s in same if not (isinstance(s, ir.Compare) and s.left == s.right)]
            if not same:
                return ir.Boolean(False)
            parts.append(self.p.unmet(conjunction(tuple(same))))
        condition = conjunction(tuple(parts))
        free = {v.name for v in free_variables(condition)}
        for variable in own.values():
            if variable.name in free:
                condition = ir.Exists(variable, condition)
        return self.p.met(condition)


def actor_offends(printer: Printer, violation: ir.Violation) -> ir.Expression:
    """That the actor is among the offenders, in the clause's own variables; always defined."""
    norms = printer.world.norms
    actor = printer.world.actions[violation.action].actor
    if norms.catalogue is None or actor is None:
        return ir.Boolean(False)
    own = violation.head.variables[actor]
    if own in violation.offenders:
        return ir.Boolean(True)
    same = tuple(printer.met(ir.Compare(ir.Relation.EQUAL, own, offender)) for offender in violation.offenders)
    return same[0] if len(same) == 1 else ir.Or(same)


def _substituted(e: ir.Expression, values: dict[str, ir.Expression], action: ir.Action) -> ir.Expression:
    """`parameter = argument` with the duty's variables replaced in the argument only (names may coincide)."""
    assert isinstance(e, ir.Compare) and e.left in action.parameters
    return ir.Compare(e.relation, e.left, substitute(e.right, values))
