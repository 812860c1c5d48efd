"""Clauses of the tree → clauses of the norms, edges apart: heads, guards, duties, triggers, violations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import assert_never

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import catalogue, codes, patterns
from svod.norms.lower.calls import check_arity
from svod.norms.lower.effects import lower_effects
from svod.norms.lower.placed import Placed
from svod.norms.lower.quantifiers import conjunction
from svod.norms.lower.scope import Scope
from svod.norms.lower.slots import definition_scope, slot_type
from svod.norms.lower.world import Moment
from svod.source import Span
from svod.syntax import tree


@dataclass(frozen=True, slots=True)
class Lowered:
    """A clause without its edges, and the statement whose edges it will get."""

    clause: ir.Clause
    edged: tree.Edged


@dataclass
class Numbering:
    """Gives clauses their ids: the rule's number and a count under it."""

    counts: dict[str, int] = field(default_factory=dict)

    def next(self, rule: str) -> str:
        """A fresh id under the rule."""
        self.counts[rule] = self.counts.get(rule, 0) + 1
        return f"{rule}#{self.counts[rule]}"


@dataclass(frozen=True)
class _Clause:
    """A statement being lowered: where it stands and how its heads are made."""

    scope: Scope
    placed: Placed
    edged: tree.Edged
    numbering: Numbering

    def head(self, variables: tuple[ir.Variable, ...], *guard: ir.Expression) -> ir.Head:
        """A head with the switches of variant and reading before the guard."""
        switches = [ir.Switch(name) for name in (self.placed.variant, self.placed.reading) if name is not None]
        return ir.Head(
            self.numbering.next(self.placed.rule),
            self.placed.rule,
            variables,
            conjunction(*switches, *guard),
            (),
            self.placed.reading,
            self.placed.variant,
            self.placed.origin,
            self.edged.span,
        )


def lower_clause(scope: Scope, placed: Placed, numbering: Numbering) -> list[Lowered]:
    """All clauses that one statement makes (several patterns, a class of actions); problems are reported."""
    edged = placed.statement
    assert isinstance(edged, tree.Edged)
    each = _Clause(replace(scope, rule=placed.rule), placed, edged, numbering)
    clause = edged.clause
    match clause:
        case tree.TermDefinition():
            clauses = _definition(each, clause)
        case tree.NormClause():
            clauses = _norm(each, clause)
        case tree.DutyClause():
            clauses = _duty(each, clause)
        case tree.OnClause():
            clauses = _on(each, clause)
        case tree.EdgeClause():
            clauses = _edge(each, clause)
        case tree.ViolationClause():
            clauses = _violation(each, clause)
        case tree.LapseClause():
            clauses = _lapse(each, clause)
        case tree.PenaltyClause():
            clauses = _penalty(each, clause)
        case tree.EndingClause():
            condition = each.scope.condition(clause.condition)
            clauses = [] if condition is None else [ir.Ending(each.head((), condition))]
        case tree.InvariantClause():
            clauses = _invariant(each, clause)
        case _:
            assert_never(clause)
    return [Lowered(made, edged) for made in clauses]


def _definition(each: _Clause, clause: tree.TermDefinition) -> list[ir.Clause]:
    slot = each.scope.world.slots.get(clause.name)
    if slot is None or all(found.definition is not clause for found in slot.definitions):
        return []  # reported where it was declared
    inner = definition_scope(each.scope, slot, clause.parameters, each.placed.rule)
    condition = inner.condition(clause.condition)
    type_ = slot_type(each.scope, slot, clause.span)
    if type_ is None:
        inner.lower(clause.value)  # says what is wrong with it
        return []
    value = inner.wanted(clause.value, type_)
    if condition is None or value is None:
        return []
    return [ir.TermClause(each.head(slot.parameters, condition), slot.name, value)]


def _norm(each: _Clause, clause: tree.NormClause) -> list[ir.Clause]:
    result: list[ir.Clause] = []
    for pattern in clause.patterns:
        for target in patterns.action_targets(each.scope, pattern):
            match = patterns.match_parameters(each.scope, target)
            condition = None if match is None else match.scope.condition(clause.condition)
            if match is None or condition is None:
                continue
            head = each.head(match.variables, *match.guards, condition)
            if clause.kind == "forbid":
                result.append(ir.Prohibition(head, target.name))
            else:
                result.append(ir.Permission(head, target.name, clause.kind == "entitled"))
    return result


def _duty(each: _Clause, clause: tree.DutyClause) -> list[ir.Clause]:
    action = each.scope.world.actions.get(clause.pattern.name)
    if action is None:
        patterns.action_targets(each.scope, clause.pattern)
        if clause.pattern.name in each.scope.world.classes:
            each.scope.report(
                codes.DUTY_NEEDS_ACTION,
                Text("обязан бывает к действию, а не к классу", "a duty is to do an action, not a class of them"),
                clause.pattern.span,
            )
        return []
    targets = patterns.action_targets(each.scope, clause.pattern)
    if not targets:
        return []
    words = patterns.free_variables(each.scope, *clause.pattern.arguments, clause.condition)
    inner, variables = patterns.bind_free(each.scope, [word for word in words if word != "_"])
    arguments = _arguments(inner, clause.pattern.arguments, action.parameters)
    condition = inner.condition(clause.condition)
    bearer = None if arguments is None else _bearer(inner, action, arguments, clause.pattern.span)
    deadline = {"now": ir.Deadline.NOW, "before": ir.Deadline.BEFORE, "none": ir.Deadline.NONE}[clause.deadline]
    blocks = _blocks(inner, clause.before)
    if arguments is None or condition is None or bearer is None or blocks is None:
        return []
    return [ir.Duty(each.head(variables, condition), bearer, action.name, arguments, deadline, blocks)]


def _arguments(
    scope: Scope, arguments: tuple[tree.Expression, ...], parameters: tuple[ir.Variable, ...]
) -> tuple[ir.Expression | None, ...] | None:
    """Arguments of the parameters' sorts, None for «_»; None as a whole once a problem is reported."""
    result: list[ir.Expression | None] = []
    failed = False
    for argument, parameter in zip(arguments, parameters, strict=True):
        if patterns.is_wildcard(argument):
            result.append(None)
            continue
        lowered = scope.wanted(argument, ir.Member(parameter.sort))
        failed = failed or lowered is None
        result.append(lowered)
    return None if failed else tuple(result)


def _bearer(
    scope: Scope, action: ir.Action, arguments: tuple[ir.Expression | None, ...], span: Span
) -> ir.Expression | None:
    place = action.actor
    if place is None:  # an act of chance is owed by the seat it names
        seats = scope.world.seats
        place = next((index for index, each in enumerate(action.parameters) if each.sort == seats), None)
    bearer = None if place is None else arguments[place]
    if bearer is None:
        scope.report(
            codes.NO_BEARER,
            Text("не сказано, кто обязан", "it is not said whose duty this is"),
            span,
            Text("назовите игрока вместо «_»", "name the player instead of “_”"),
        )
    return bearer


def _blocks(scope: Scope, before: tuple[tree.Pattern, ...]) -> tuple[ir.BlockedAction, ...] | None:
    result: list[ir.BlockedAction] = []
    failed = False
    for pattern in before:
        targets = patterns.action_targets(scope, pattern)
        failed = failed or not targets
        for target in targets:
            arguments = _arguments(scope, target.arguments, target.parameters)
            if arguments is None:
                failed = True
            else:
                result.append(ir.BlockedAction(target.name, arguments))
    return None if failed else tuple(result)


def _on(each: _Clause, clause: tree.OnClause) -> list[ir.Clause]:
    scope = replace(each.scope, moment=Moment.TRIGGER)
    is_event = clause.pattern.name in scope.world.events
    targets = [patterns.event_target(scope, clause.pattern)] if is_event else _act_targets(scope, clause.pattern)
    result: list[ir.Clause] = []
    for target in targets:
        match = None if target is None else patterns.match_bindings(scope, target)
        if target is None or match is None:
            continue
        condition = replace(match.scope, judging=True).condition(clause.condition)
        effects = lower_effects(match.scope, clause.effects)
        if condition is None or effects is None:
            continue
        make: Callable[[str, tuple[str | None, ...]], ir.Cause] = ir.OnEvent if is_event else ir.OnAct
        head = each.head(match.variables, *match.guards, condition)
        result.append(ir.Trigger(head, make(target.name, match.bindings), effects))
    return result


def _act_targets(scope: Scope, pattern: tree.Pattern) -> list[patterns.Target | None]:
    return list(patterns.action_targets(scope, pattern))


def _edge(each: _Clause, clause: tree.EdgeClause) -> list[ir.Clause]:
    scope = replace(each.scope, moment=Moment.TRIGGER)
    inner, variables = patterns.bind_free(scope, patterns.free_variables(scope, clause.condition))
    condition = replace(inner, judging=True).condition(clause.condition)
    effects = lower_effects(inner, clause.effects)
    if condition is None or effects is None:
        return []
    return [ir.Trigger(each.head(variables, condition), ir.OnEdge(), effects)]


def _violation(each: _Clause, clause: tree.ViolationClause) -> list[ir.Clause]:
    result: list[ir.Clause] = []
    if not catalogue.is_number(each.scope, clause.name, clause.span):
        return []
    if each.scope.world.catalogue is not None and not clause.offenders:
        each.scope.report(
            codes.NO_OFFENDER,
            Text("не сказано, кто виновен", "it is not said who is guilty"),
            clause.span,
            Text("назовите его: `нарушение N-1(игрок) при …`", "name him: `violation N-1(player) on …`"),
        )
        return []
    breaks = tuple(rule.number for rule in clause.breaks)
    for target in patterns.action_targets(each.scope, clause.pattern):
        match = patterns.match_parameters(each.scope, target)
        if match is None:
            continue
        condition = replace(match.scope, judging=True, naming=True).condition(clause.condition)
        seat = ir.Member(each.scope.world.seats)
        offenders = [match.scope.wanted(offender, seat) for offender in clause.offenders]
        whole = tuple(offender for offender in offenders if offender is not None)
        if condition is None or len(whole) < len(offenders):
            continue
        head = each.head(match.variables, *match.guards, condition)
        result.append(ir.Violation(head, clause.name, target.name, whole, breaks))
    return result


def _lapse(each: _Clause, clause: tree.LapseClause) -> list[ir.Clause]:
    result: list[ir.Clause] = []
    if catalogue.require(each.scope, clause.span) is None:
        return []
    for target in patterns.action_targets(each.scope, clause.pattern):
        match = patterns.match_parameters(each.scope, target)
        condition = None if match is None else replace(match.scope, judging=True).condition(clause.condition)
        if match is not None and condition is not None:
            result.append(ir.Lapse(each.head(match.variables, *match.guards, condition), target.name))
    return result


def _penalty(each: _Clause, clause: tree.PenaltyClause) -> list[ir.Clause]:
    """What answers the event of a punishment, with the number in the place of the offence."""
    found = catalogue.require(each.scope, clause.span)
    if found is None or not check_arity(each.scope, clause.number, len(clause.arguments), 1, clause.span):
        return []
    is_word = clause.number == "_" or clause.number in each.scope.world.variables
    if not is_word and not catalogue.is_number(each.scope, clause.number, clause.span):
        return []
    number = tree.Name(clause.number, span=clause.span)
    pattern = tree.Pattern(found.punished, (*clause.arguments, number), span=clause.span)
    return _on(each, tree.OnClause(pattern, clause.condition, clause.effects, span=clause.span))


def _invariant(each: _Clause, clause: tree.InvariantClause) -> list[ir.Clause]:
    scope = replace(each.scope, moment=Moment.INVARIANT)
    inner, variables = patterns.bind_free(scope, patterns.free_variables(scope, clause.holds))
    holds = replace(inner, judging=True).condition(clause.holds)
    if holds is None:
        return []
    for variable in reversed(variables):  # what is said of a variable is said of all its values
        holds = ir.ForAll(variable, ir.Boolean(True), holds)
    return [ir.Invariant(each.head(()), holds)]


def fill_blocks(clauses: list[Lowered], actions: dict[str, ir.Action]) -> list[Lowered]:
    """Duties due at once block every turn action and every obliged action of their bearer."""
    obliged = {each.clause.action for each in clauses if isinstance(each.clause, ir.Duty)}
    result = []
    for each in clauses:
        duty = each.clause
        if isinstance(duty, ir.Duty) and duty.deadline is ir.Deadline.NOW:
            blocks = tuple(
                ir.BlockedAction(
                    action.name,
                    tuple(duty.bearer if place == action.actor else None for place in range(len(action.parameters))),
                )
                for action in actions.values()
                if action.actor is not None and (action.turn or action.name in obliged)
            )
            each = replace(each, clause=replace(duty, blocks=blocks))
        result.append(each)
    return result
