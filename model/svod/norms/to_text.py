"""Norms → plain text, one declaration or clause a line: what the tests compare and what a maintainer reads."""

from __future__ import annotations

from typing import assert_never

from svod.norms import ir


def print_norms(norms: ir.Norms) -> str:
    """All of the norms, in order; equal norms print alike."""
    lines = [f"rulebook {norms.rulebook} edition {norms.edition}"]
    lines += [f"parameter {name} = {value}" for name, value in norms.parameters]
    lines += [_sort(sort) for sort in norms.sorts]
    lines += [_zone(zone, norms.filled) for zone in norms.zones]
    lines += [_register(register) for register in norms.registers]
    lines += [f"event {event.name}{_variables(event.parameters)} [{event.rule}]" for event in norms.events]
    lines += [_action(action) for action in norms.actions]
    lines += [_term(term) for term in norms.terms]
    lines += [print_clause(clause) for clause in norms.clauses]
    lines += [_reading(reading) for reading in norms.readings]
    lines += [f"variant {variant.name}: {', '.join(variant.rules)}" for variant in norms.variants]
    lines += [f"procedure {each.number}: {', '.join(each.steps)}" for each in norms.procedures]
    lines += [_projection(projection) for projection in norms.projections]
    lines += [f"outcome {outcome.term}" for outcome in norms.outcomes]
    if norms.catalogue is not None:
        book = norms.catalogue
        lines.append(f"catalogue {book.sort}, else {book.other}: {book.record}, {book.punished} [{book.rule}]")
    if norms.deck:
        lines.append(f"deck {' '.join(map(str, norms.deck))}")
    if norms.check_decks is not None:
        lines.append(
            f"check decks of {norms.check_decks.card_sort} with {' '.join(map(str, norms.check_decks.required))}"
        )
    lines += [
        f"accepted {each.code} {', '.join(each.rules)}: {each.reason} [{each.rule}]" for each in norms.acceptances
    ]
    lines += [f"unbounded {each.parameter} [{each.rule}]" for each in norms.unbounded]
    return "\n".join(lines) + "\n"


def print_clause(clause: ir.Clause) -> str:
    """One clause: id, variables, what it says, its guard and exceptions."""
    head = clause.head
    text = f"{head.id}{_variables(head.variables)} {_content(clause)}"
    if head.guard != ir.Boolean(True):
        text += f" if {print_expression(head.guard)}"
    for exempt in head.exceptions:
        pairs = ", ".join(f"{by}={own}" for by, own in exempt.bindings)
        text += f" except {exempt.by}({pairs})"
    if isinstance(clause, ir.Trigger) and clause.after:
        text += f" after {', '.join(clause.after)}"
    return text + (f" [{head.amended_by}]" if head.amended_by else "")


def _content(clause: ir.Clause) -> str:
    match clause:
        case ir.TermClause():
            return f"{clause.term} := {print_expression(clause.value)}"
        case ir.Permission():
            return f"{'entitled' if clause.strong else 'may'} {clause.action}"
        case ir.Prohibition():
            return f"forbid {clause.action}"
        case ir.Duty():
            blocks = ", ".join(f"{each.action}{_arguments(each.arguments)}" for each in clause.blocks)
            bearer = print_expression(clause.bearer)
            return f"must {clause.action}{_arguments(clause.arguments)} by {bearer} {clause.deadline.value} [{blocks}]"
        case ir.Trigger():
            return f"{_cause(clause.cause)}: {_effects(clause.effects)}"
        case ir.Violation():
            breaks = f" of {', '.join(clause.breaks)}" if clause.breaks else ""
            return f"violation {clause.name}{_arguments(clause.offenders)} on {clause.action}{breaks}"
        case ir.Lapse():
            return f"lapse on {clause.action}"
        case ir.Ending():
            return "end"
        case ir.Invariant():
            return f"always {print_expression(clause.holds)}"
        case _:
            assert_never(clause)


def _cause(cause: ir.Cause) -> str:
    match cause:
        case ir.OnAct():
            return f"on {cause.action}({', '.join(each or '_' for each in cause.bindings)})"
        case ir.OnEvent():
            return f"on event {cause.event}({', '.join(each or '_' for each in cause.bindings)})"
        case ir.OnEdge():
            return "edge"
        case _:
            assert_never(cause)


def _effects(effects: tuple[ir.Effect, ...] | tuple[ir.Move, ...]) -> str:
    return "; ".join(print_effect(effect) for effect in effects)


def print_effect(effect: ir.Effect) -> str:
    """One effect."""
    match effect:
        case ir.MoveCard():
            under = "under " if effect.to_bottom else ""
            by = "" if effect.author is None else f" by {print_expression(effect.author)}"
            source, target = print_zone(effect.source), print_zone(effect.target)
            return f"{print_expression(effect.card)} from {source} → {under}{target}{by}"
        case ir.MoveAll():
            return f"{print_zone(effect.source)} → {print_zone(effect.target)}"
        case ir.Assign():
            return f"{effect.register}{_arguments(effect.arguments)} := {print_expression(effect.value)}"
        case ir.Post():
            return f"{effect.register}{_arguments(effect.arguments)} += {print_expression(effect.amount)}"
        case ir.Raise():
            return f"event {effect.event}{_arguments(effect.arguments)}"
        case ir.ForEach():
            where = print_expression(effect.where)
            return f"for all {_bound(effect.variable)} where {where}: ({_effects(effect.effects)})"
        case ir.Restore():
            return "restore"
        case _:
            assert_never(effect)


def print_expression(expression: ir.Expression) -> str:
    """An expression with every operand that is not plain in parentheses."""
    match expression:
        case ir.Number():
            return str(expression.value)
        case ir.Boolean():
            return "yes" if expression.value else "no"
        case ir.Value():
            return f"{expression.sort}.{expression.index}"
        case ir.Nothing():
            return f"none({expression.sort})"
        case ir.Variable():
            return expression.name
        case ir.Switch():
            return f"switch({expression.name})"
        case ir.SeatCount():
            return "seats"
        case ir.ReadRegister():
            return f"{expression.register}{_arguments(expression.arguments)}"
        case ir.ReadTerm():
            return f"{expression.term}{_arguments(expression.arguments)}"
        case ir.Happened():
            return f"now {expression.event}{_arguments(expression.arguments)}"
        case ir.Not():
            return f"not {_inner(expression.of)}"
        case ir.And():
            return " and ".join(_inner(part) for part in expression.parts)
        case ir.Or():
            return " or ".join(_inner(part) for part in expression.parts)
        case ir.Compare():
            return f"{_inner(expression.left)} {expression.relation.value} {_inner(expression.right)}"
        case ir.Arithmetic():
            return f"{_inner(expression.left)} {expression.operator.value} {_inner(expression.right)}"
        case ir.Choose():
            condition, then = print_expression(expression.condition), print_expression(expression.then)
            return f"if {condition} then {then} else {print_expression(expression.otherwise)}"
        case ir.Present():
            return f"present({print_expression(expression.of)})"
        case ir.Before():
            return f"before({print_expression(expression.of)})"
        case ir.Lawful():
            apart = " apart from violations" if expression.apart else ""
            return f"allowed {expression.action}{_arguments(expression.arguments)}{apart}"
        case _:
            return _print_more(expression)


_More = (
    ir.Component
    | ir.Compose
    | ir.StepValue
    | ir.Extreme
    | ir.Distance
    | ir.FirstClockwise
    | ir.Only
    | ir.Best
    | ir.Count
    | ir.Sum
    | ir.Exists
    | ir.ForAll
    | ir.Size
    | ir.Top
    | ir.Bottom
    | ir.Author
    | ir.CardAbove
    | ir.InZone
    | ir.ZonesHolding
)


def _print_more(expression: _More) -> str:
    match expression:
        case ir.Component():
            return f"component{expression.factor}({print_expression(expression.of)})"
        case ir.Compose():
            return f"{expression.sort}{_arguments(expression.parts)}"
        case ir.StepValue():
            word = ("next" if expression.delta > 0 else "previous") + ("_wrapped" if expression.wrap else "")
            return f"{word}({print_expression(expression.of)})"
        case ir.Extreme():
            return f"{'greatest' if expression.greatest else 'least'}({expression.sort})"
        case ir.Distance():
            return f"distance({print_expression(expression.origin)}, {print_expression(expression.target)})"
        case ir.FirstClockwise():
            word = "from" if expression.inclusive else "after"
            start, where = print_expression(expression.start), print_expression(expression.where)
            return f"first {_bound(expression.variable)} clockwise {word} {start} where {where}"
        case ir.Size() | ir.Top() | ir.Bottom():
            return f"{type(expression).__name__.lower()}({print_zone(expression.zone)})"
        case ir.Author() | ir.CardAbove():
            word = "author" if isinstance(expression, ir.Author) else "above"
            return f"{word}({print_expression(expression.card)}, {print_zone(expression.zone)})"
        case ir.InZone():
            return f"{print_expression(expression.card)} in {print_zone(expression.zone)}"
        case ir.ZonesHolding():
            return f"zones_holding({print_expression(expression.card)})"
        case _:
            return _print_quantifier(expression)


def _print_quantifier(expression: ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll) -> str:
    variable, where = _bound(expression.variable), print_expression(expression.where)
    match expression:
        case ir.Only():
            return f"only {variable} where {where}"
        case ir.Count():
            return f"count {variable} where {where}"
        case ir.Exists():
            return f"exists {variable} where {where}"
        case ir.ForAll():
            return f"for all {variable} where {where}: {print_expression(expression.holds)}"
        case ir.Sum():
            return f"sum {print_expression(expression.of)} for {variable} where {where}"
        case ir.Best():
            word = "largest" if expression.largest else "smallest"
            return f"{word} {variable} where {where} by {print_expression(expression.key)}"
        case _:
            assert_never(expression)


def print_zone(zone: ir.ZoneRef) -> str:
    """A zone with its owner."""
    return zone.zone if zone.owner is None else f"{zone.zone}({print_expression(zone.owner)})"


_PLAIN = (
    ir.Number,
    ir.Boolean,
    ir.Value,
    ir.Nothing,
    ir.Variable,
    ir.Switch,
    ir.SeatCount,
    ir.ReadRegister,
    ir.ReadTerm,
    ir.Happened,
    ir.Component,
    ir.Compose,
    ir.StepValue,
    ir.Extreme,
    ir.Distance,
    ir.Size,
    ir.Top,
    ir.Bottom,
    ir.Author,
    ir.CardAbove,
    ir.ZonesHolding,
    ir.Present,
    ir.Before,
    ir.Lawful,
)


def _inner(expression: ir.Expression) -> str:
    text = print_expression(expression)
    return text if isinstance(expression, _PLAIN) else f"({text})"


def _arguments(arguments: tuple[ir.Expression | None, ...]) -> str:
    if not arguments:
        return ""
    return "(" + ", ".join("_" if each is None else print_expression(each) for each in arguments) + ")"


def _bound(variable: ir.Variable) -> str:
    return f"{variable.name}: {variable.sort}"


def _variables(variables: tuple[ir.Variable, ...]) -> str:
    return "(" + ", ".join(_bound(variable) for variable in variables) + ")" if variables else ""


def print_type(type_: ir.Type) -> str:
    """A type, «?» after it if «нет» is a value."""
    match type_:
        case ir.Truth():
            return "truth"
        case ir.Whole():
            low = "" if type_.low is None else str(type_.low)
            high = "" if type_.high is None else str(type_.high)
            return f"{low}..{high}" + ("?" if type_.optional else "")
        case ir.Member():
            return type_.sort + ("?" if type_.optional else "")
        case _:
            assert_never(type_)


def _sort(sort: ir.Sort) -> str:
    marks = [word for word, on in (("ordered", sort.ordered), ("ring", sort.ring), ("seats", sort.seats)) if on]
    marks += [" × ".join(sort.factors)] if sort.factors else []
    return f"sort {sort.name}: {' '.join(sort.values)}" + (f" ({', '.join(marks)})" if marks else "")


def _zone(zone: ir.Zone, filled: str) -> str:
    marks = [
        word for word, on in (("owned", zone.owned), ("authors", zone.authors), ("full", zone.name == filled)) if on
    ]
    marks += ["outside the frame"] if zone.outside_frame else []
    kind = "pile" if zone.pile else "set"
    text = f"zone {zone.name}: {kind} of {zone.card_sort}, at most {zone.capacity}, seen by {zone.visibility.value}"
    part = "" if zone.part_of is None else f", part of {zone.part_of}"
    return text + part + "".join(f", {mark}" for mark in marks) + f" [{zone.rule}]"


def _register(register: ir.Register) -> str:
    index = f"({', '.join(register.index)})" if register.index else ""
    kinds = (("ledger", register.ledger), ("output", register.output), ("window", register.window))
    marks = [word for word, on in kinds if on]
    marks += [f"on {register.stage}"] if register.stage is not None else []
    marks += ["outside the frame"] if register.outside_frame else []
    text = f"register {register.name}{index}: {print_type(register.type)} = {print_expression(register.initial)}"
    return text + "".join(f", {mark}" for mark in marks) + f" [{register.rule}]"


def _action(action: ir.Action) -> str:
    actor = "nobody" if action.actor is None else action.parameters[action.actor].name
    text = f"action {action.name}{_variables(action.parameters)} by {actor}"
    text += f", chance {', '.join(action.parameters[place].name for place in action.chance)}" if action.chance else ""
    text += f", {action.act_class}" if action.act_class else ""
    text += ", turn" if action.turn else ""
    text += ", silence permits" if action.silence_permits else ""
    return text + f" if {print_expression(action.possible)}: {_effects(action.body)} [{action.rule}]"


def _term(term: ir.Term) -> str:
    text = f"term {term.name}{_variables(term.parameters)}: {print_type(term.type)}, {term.combination.value}"
    text += ", output" if term.output else ""
    text += f", asked {print_expression(term.asked)}" if term.asked is not None else ""
    return text + f" [{term.rule}]"


def _reading(reading: ir.Reading) -> str:
    options = "; ".join(f"{letter} «{label}»" for letter, label in reading.options)
    return f"reading {reading.rule}: {options}; adopted {reading.adopted}: {reading.reason}"


def _projection(projection: ir.Projection) -> str:
    return f"projection {projection.name}: {', '.join((*projection.zones, *projection.terms))}"
