"""Norms in, nothing out: what every well-formed `Norms` satisfies; a breach is a bug of the named pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from svod.diagnostics import InternalError
from svod.norms import ir
from svod.norms.walk import binder, children, clause_expressions, effect_expressions


def validate(norms: ir.Norms, stage: str) -> None:
    """Raise InternalError naming the pass `stage` if the norms refer to what is not there."""
    for breach in breaches(norms):
        raise InternalError(stage, breach)


def breaches(norms: ir.Norms) -> Iterator[str]:
    """Everything that is not well formed, in words."""
    yield from _names(norms)
    yield from _catalogue(norms)
    checker = _Checker(norms)
    for register in norms.registers:
        yield from checker.expression(register.initial, {}, f"register {register.name}")
    for action in norms.actions:
        yield from checker.action(action)
    for term in norms.terms:
        if term.asked is not None:
            yield from checker.expression(term.asked, _bound(term.parameters), f"term {term.name}")
    ids = {clause.head.id: clause for clause in norms.clauses}
    if len(ids) < len(norms.clauses):
        yield "two clauses have one id"
    for clause in norms.clauses:
        yield from checker.clause(clause)
        for exempt in clause.head.exceptions:
            yield from _exempt(clause, exempt, ids)


def _bound(variables: tuple[ir.Variable, ...]) -> dict[str, str]:
    return {variable.name: variable.sort for variable in variables}


def _names(norms: ir.Norms) -> Iterator[str]:
    kinds = {
        "sort": [sort.name for sort in norms.sorts],
        "zone": [zone.name for zone in norms.zones],
        "register": [register.name for register in norms.registers],
        "event": [event.name for event in norms.events],
        "term": [term.name for term in norms.terms],
        "action": [action.name for action in norms.actions],
        "variant": [variant.name for variant in norms.variants],
        "reading": [reading.rule for reading in norms.readings],
    }
    for kind, names in kinds.items():
        if len(set(names)) < len(names):
            yield f"two of one name among: {kind}"
    sorts = set(kinds["sort"])
    if norms.seats and norms.seats not in sorts:
        yield f"seats {norms.seats} are no sort"
    for zone in norms.zones:
        if zone.card_sort not in sorts:
            yield f"zone {zone.name} holds no sort"
        if zone.outside_frame and zone.pile:
            yield f"pile {zone.name} lies outside the frame"
        if zone.owned and not norms.seats:
            yield f"zone {zone.name} is owned without seats"
    if norms.zones and norms.filled not in kinds["zone"]:
        yield f"filled zone {norms.filled} is not declared"
    for sort in norms.sorts:
        if sort.factors and len(sort.components) != len(sort.values):
            yield f"sort {sort.name} lacks components"


def _catalogue(norms: ir.Norms) -> Iterator[str]:
    """The sort, the record and the event of the catalogue are there, and clauses about breaches need them."""
    catalogue = norms.catalogue
    if catalogue is None:
        if any(isinstance(clause, ir.Lapse) for clause in norms.clauses):
            yield "breaches lapse without a catalogue"
        return
    values = next((sort.values for sort in norms.sorts if sort.name == catalogue.sort), ())
    if catalogue.other not in values:
        yield f"catalogue {catalogue.sort} lacks {catalogue.other}"
    index = (norms.seats, catalogue.sort)
    record = next((register for register in norms.registers if register.name == catalogue.record), None)
    if record is None or record.index != index or record.type != ir.Truth() or not record.outside_frame:
        yield f"record {catalogue.record} does not fit"
    event = next((event for event in norms.events if event.name == catalogue.punished), None)
    if event is None or tuple(each.sort for each in event.parameters) != index:
        yield f"event {catalogue.punished} does not fit"
    for clause in norms.clauses:
        if isinstance(clause, ir.Violation) and clause.name not in values:
            yield f"{clause.head.id}: violation {clause.name} is not in the catalogue"


def _exempt(clause: ir.Clause, exempt: ir.Exempt, ids: dict[str, ir.Clause]) -> Iterator[str]:
    by = ids.get(exempt.by)
    if by is None:
        yield f"{clause.head.id} is excepted by {exempt.by}, which is not there"
        return
    own, other = _bound(clause.head.variables), _bound(by.head.variables)
    for first, second in exempt.bindings:
        if first not in other or second not in own or other[first] != own[second]:
            yield f"{clause.head.id}: binding {first}={second} of {exempt.by} does not fit"


class _Checker:
    """Looks references up in the norms."""

    def __init__(self, norms: ir.Norms) -> None:
        self.catalogue = norms.catalogue
        self.sorts = {sort.name: sort for sort in norms.sorts}
        self.zones = {zone.name: zone for zone in norms.zones}
        self.registers = {register.name: register for register in norms.registers}
        self.terms = {term.name: term for term in norms.terms}
        self.events = {event.name: event for event in norms.events}
        self.actions = {action.name: action for action in norms.actions}
        self.switches = set(norms.switches)

    def action(self, action: ir.Action) -> Iterator[str]:
        """Condition and body."""
        where = f"action {action.name}"
        bound = _bound(action.parameters)
        yield from self.expression(action.possible, bound, where)
        for move in action.body:
            yield from self.effect(move, bound, where)

    def clause(self, clause: ir.Clause) -> Iterator[str]:
        """Everything in a clause, and that its variables are those that its kind asks for."""
        where = clause.head.id
        bound = _bound(clause.head.variables)
        if len(bound) < len(clause.head.variables):
            yield f"{where}: two variables of one name"
        for expression in clause_expressions(clause):
            if not isinstance(clause, ir.Trigger) or expression is clause.head.guard:
                yield from self.expression(expression, bound, where)
        yield from self._kind(clause, bound)

    def _kind(self, clause: ir.Clause, bound: dict[str, str]) -> Iterator[str]:
        where, sorts = clause.head.id, tuple(variable.sort for variable in clause.head.variables)
        match clause:
            case ir.TermClause():
                term = self.terms.get(clause.term)
                if term is None or tuple(each.sort for each in term.parameters) != sorts:
                    yield f"{where}: variables are not the parameters of {clause.term}"
            case ir.Permission() | ir.Prohibition() | ir.Violation() | ir.Lapse():
                if clause.action not in self.actions or self.actions[clause.action].parameters != clause.head.variables:
                    yield f"{where}: variables are not the parameters of {clause.action}"
            case ir.Duty():
                yield from self._duty(clause)
            case ir.Trigger():
                yield from self._cause(clause.cause, bound, where)
                for effect in clause.effects:
                    yield from self.effect(effect, bound, where)
            case ir.Ending() | ir.Invariant():
                if clause.head.variables:
                    yield f"{where}: has variables"
            case _:
                assert_never(clause)

    def _duty(self, duty: ir.Duty) -> Iterator[str]:
        for name, arguments in ((duty.action, duty.arguments), *((b.action, b.arguments) for b in duty.blocks)):
            if name not in self.actions or len(self.actions[name].parameters) != len(arguments):
                yield f"{duty.head.id}: arguments are not those of {name}"

    def _cause(self, cause: ir.Cause, bound: dict[str, str], where: str) -> Iterator[str]:
        match cause:
            case ir.OnEdge():
                return
            case ir.OnAct():
                named = self.actions.get(cause.action)
            case ir.OnEvent():
                named_event = self.events.get(cause.event)
                if named_event is None or len(named_event.parameters) != len(cause.bindings):
                    yield f"{where}: event {cause.event} does not fit"
                return
            case _:
                assert_never(cause)
        if named is None or len(named.parameters) != len(cause.bindings):
            yield f"{where}: action {cause.action} does not fit"
        elif any(name is not None and name not in bound for name in cause.bindings):
            yield f"{where}: a binding is no variable"

    def effect(self, effect: ir.Effect, bound: dict[str, str], where: str) -> Iterator[str]:
        """One effect under bound variables."""
        match effect:
            case ir.ForEach():
                yield from self.expression(effect.where, {**bound, effect.variable.name: effect.variable.sort}, where)
                for inner in effect.effects:
                    yield from self.effect(inner, {**bound, effect.variable.name: effect.variable.sort}, where)
                return
            case ir.MoveCard() | ir.MoveAll():
                yield from self.zone(effect.source, where)
                yield from self.zone(effect.target, where)
            case ir.Assign() | ir.Post():
                register = self.registers.get(effect.register)
                if register is None or len(register.index) != len(effect.arguments):
                    yield f"{where}: register {effect.register} does not fit"
            case ir.Raise():
                if effect.event not in self.events:
                    yield f"{where}: event {effect.event} is not declared"
            case ir.Restore():
                if self.catalogue is None:
                    yield f"{where}: nothing to restore without a catalogue"
            case _:
                assert_never(effect)
        for expression in effect_expressions(effect):
            yield from self.expression(expression, bound, where)

    def zone(self, zone: ir.ZoneRef, where: str) -> Iterator[str]:
        """A zone is declared and has an owner exactly if it is owned."""
        declared = self.zones.get(zone.zone)
        if declared is None or declared.owned != (zone.owner is not None):
            yield f"{where}: zone {zone.zone} does not fit"

    def expression(self, expression: ir.Expression, bound: dict[str, str], where: str) -> Iterator[str]:
        """Every reference in an expression under bound variables (names to sorts)."""
        yield from self._reference(expression, bound, where)
        variable = binder(expression)
        inner = bound
        if variable is not None:
            if variable.name in bound:
                yield f"{where}: variable {variable.name} is bound twice"
            inner = {**bound, variable.name: variable.sort}
        start = expression.start if isinstance(expression, ir.FirstClockwise) else None
        for part in children(expression):
            yield from self.expression(part, bound if part is start else inner, where)

    def _reference(self, expression: ir.Expression, bound: dict[str, str], where: str) -> Iterator[str]:
        match expression:
            case ir.Variable():
                if bound.get(expression.name) != expression.sort:
                    yield f"{where}: variable {expression.name} is not bound"
            case ir.Value():
                sort = self.sorts.get(expression.sort)
                if sort is None or not 0 <= expression.index < len(sort.values):
                    yield f"{where}: {expression.sort} has no value {expression.index}"
            case ir.Switch():
                if expression.name not in self.switches:
                    yield f"{where}: switch {expression.name} is not declared"
            case ir.ReadRegister():
                register = self.registers.get(expression.register)
                if register is None or len(register.index) != len(expression.arguments):
                    yield f"{where}: register {expression.register} does not fit"
            case ir.ReadTerm():
                term = self.terms.get(expression.term)
                if term is None or len(term.parameters) != len(expression.arguments):
                    yield f"{where}: term {expression.term} does not fit"
            case ir.Happened():
                if expression.event not in self.events:
                    yield f"{where}: event {expression.event} is not declared"
            case ir.Lawful():
                action = self.actions.get(expression.action)
                if action is None or len(action.parameters) != len(expression.arguments):
                    yield f"{where}: action {expression.action} does not fit"
            case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone():
                yield from self.zone(expression.zone, where)
            case _:
                return
