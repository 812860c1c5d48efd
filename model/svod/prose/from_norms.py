"""In: a clause or declaration of the norms. Out: the sentence read back from it («как понял движок»)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from svod.norms import ir
from svod.prose.expressions import Speaker
from svod.prose.wording import VISIBILITY, phrase, quoted, sentence


def clause_sentence(norms: ir.Norms, clause: ir.Clause, language: str) -> str:
    """One sentence that says what the clause means; switches, exceptions and order included."""
    head = clause.head
    said, guard, fronts = _fixed(norms, head, language)
    speaker = Speaker(norms, language, said)
    body = _body(speaker, clause, guard)
    after = clause.after if isinstance(clause, ir.Trigger) else ()
    if after:
        body += phrase("after", language, rules=", ".join(after))
    text = sentence(body)
    for front in reversed(fronts):
        text = front + text
    excepting = tuple(dict.fromkeys(_rule_of(norms, exempt.by) for exempt in head.exceptions))
    if excepting:
        text += phrase("exempt", language, rules=", ".join(excepting))
    return text


def effects_phrase(norms: ir.Norms, effects: tuple[ir.Effect, ...], language: str) -> str:
    """What effects do, one after the other."""
    return _effects(Speaker(norms, language), effects)


def act_phrase(
    norms: ir.Norms,
    action: str,
    arguments: tuple[int, ...],
    language: str,
    hidden: frozenset[int] = frozenset(),
) -> str:
    """One act with its values, as it is named at the table: who, what, which cards; `hidden` cards stay unnamed."""
    declared = next(each for each in norms.actions if each.name == action)
    values = [
        "?"
        if parameter.sort == norms.card_sort and value in hidden
        else norms.sort(parameter.sort).values[value].replace("_", " ")
        for parameter, value in zip(declared.parameters, arguments, strict=True)
    ]
    actor = "" if declared.actor is None else values.pop(declared.actor)
    what = quoted(action, language) + (f" ({', '.join(values)})" if values else "")
    return f"{actor}: {what}" if actor else what


# ------------------------------------------------------------------------------------------------- clauses


def _fixed(
    norms: ir.Norms, head: ir.Head, language: str
) -> tuple[Mapping[str, str], ir.Expression | None, tuple[str, ...]]:
    """What patterns fix («карта = Д♥»), the rest of the guard (None: always), and phrases for switches in front."""
    parts = head.guard.parts if isinstance(head.guard, ir.And) else (head.guard,)
    said: dict[str, str] = {}
    rest: list[ir.Expression] = []
    fronts: list[str] = []
    names = {variable.name for variable in head.variables}
    plain = Speaker(norms, language)
    for part in parts:
        match part:
            case ir.Boolean(True):
                continue
            case ir.Switch(name) if head.reading is not None and name == f"{head.rule}={head.reading}":
                fronts.append(phrase("reading", language, letter=head.reading))
            case ir.Switch(name) if name == head.variant:
                fronts.append(phrase("variant", language, name=name))
            case ir.Compare(ir.Relation.EQUAL, ir.Variable(name), ir.Value() as value) if name in names:
                if name in said:
                    rest.append(part)
                else:
                    said[name] = plain.expression(value)
            case _:
                rest.append(part)
    guard = None if not rest else rest[0] if len(rest) == 1 else ir.And(tuple(rest))
    return said, guard, tuple(fronts)


def _body(speaker: Speaker, clause: ir.Clause, guard: ir.Expression | None) -> str:
    condition = "" if guard is None else speaker.phrase("if", condition=speaker.expression(guard))
    match clause:
        case ir.TermClause():
            return _term(speaker, clause, condition)
        case ir.Permission(head, action, strong):
            actor, act = _act(speaker, action, head.variables)
            key = "chance_may" if actor is None else "entitled" if strong else "may"
            return speaker.phrase(key, actor=actor or "", act=act, guard=condition)
        case ir.Prohibition(head, action):
            actor, act = _act(speaker, action, head.variables)
            key = "chance_forbid" if actor is None else "forbid"
            return speaker.phrase(key, actor=actor or "", act=act, guard=condition)
        case ir.Duty():
            return _duty(speaker, clause, guard)
        case ir.Trigger():
            return _trigger(speaker, clause, guard, condition)
        case ir.Violation():
            return _violation(speaker, clause, condition)
        case ir.Lapse(head, action):
            return speaker.phrase("lapse", act=speaker.call(action, head.variables), guard=condition)
        case ir.Ending():
            return speaker.phrase("ending", condition=_condition(speaker, guard))
        case ir.Invariant(_, holds):
            return speaker.phrase("invariant", holds=speaker.expression(holds), guard=condition)
        case _:
            assert_never(clause)


def _violation(speaker: Speaker, clause: ir.Violation, condition: str) -> str:
    guilty = ", ".join(speaker.expression(offender) for offender in clause.offenders)
    breaks = speaker.phrase("breaks", rules=", ".join(clause.breaks)) if clause.breaks else ""
    act, name = speaker.call(clause.action, clause.head.variables), speaker.name(clause.name)
    return speaker.phrase("violation", act=act, guard=condition, name=name, breaks=breaks, offenders=guilty)


def _condition(speaker: Speaker, guard: ir.Expression | None) -> str:
    return speaker.expression(ir.Boolean(True) if guard is None else guard)


def _term(speaker: Speaker, clause: ir.TermClause, condition: str) -> str:
    term = next(each for each in speaker.norms.terms if each.name == clause.term)
    key = "term_truth" if isinstance(term.type, ir.Truth) else "term"
    said = speaker.call(clause.term, clause.head.variables)
    return speaker.phrase(key, term=said, value=speaker.expression(clause.value), guard=condition)


def _act(speaker: Speaker, name: str, arguments: tuple[ir.Expression | None, ...]) -> tuple[str | None, str]:
    """Who acts (None: chance), and the act without him."""
    action = next(each for each in speaker.norms.actions if each.name == name)
    if action.actor is None or action.actor >= len(arguments):
        return None, speaker.call(name, arguments)
    who = arguments[action.actor]
    others = (*arguments[: action.actor], *arguments[action.actor + 1 :])
    return speaker.phrase("any") if who is None else speaker.expression(who), speaker.call(name, others)


def _duty(speaker: Speaker, clause: ir.Duty, guard: ir.Expression | None) -> str:
    _, act = _act(speaker, clause.action, clause.arguments)
    match clause.deadline:
        case ir.Deadline.NOW:
            deadline = speaker.phrase("now")
        case ir.Deadline.NONE:
            deadline = speaker.phrase("untimed")
        case ir.Deadline.BEFORE:
            blocked = [speaker.call(each.action, each.arguments) for each in clause.blocks]
            acts = speaker.phrase("or").join(blocked)
            deadline = speaker.phrase("before_acts", acts=acts) if blocked else speaker.phrase("untimed")
        case _:
            assert_never(clause.deadline)
    bearer = speaker.expression(clause.bearer)
    if guard is None:
        return speaker.phrase("duty_always", bearer=bearer, act=act, deadline=deadline)
    return speaker.phrase("duty", condition=speaker.expression(guard), bearer=bearer, act=act, deadline=deadline)


def _trigger(speaker: Speaker, clause: ir.Trigger, guard: ir.Expression | None, condition: str) -> str:
    effects = _effects(speaker, clause.effects)
    match clause.cause:
        case ir.OnAct(action, bindings):
            return speaker.phrase(
                "on_act", act=_bound(speaker, clause.head, action, bindings), guard=condition, effects=effects
            )
        case ir.OnEvent(event, bindings):
            catalogue = speaker.norms.catalogue
            if catalogue is not None and event == catalogue.punished:
                offender, number = _places(speaker, clause.head, bindings)
                return speaker.phrase("penalty", number=number, offender=offender, guard=condition, effects=effects)
            return speaker.phrase(
                "on_event", event=_bound(speaker, clause.head, event, bindings), guard=condition, effects=effects
            )
        case ir.OnEdge():
            return speaker.phrase("on_edge", condition=_condition(speaker, guard), effects=effects)
        case _:
            assert_never(clause.cause)


def _bound(speaker: Speaker, head: ir.Head, name: str, bindings: tuple[str | None, ...]) -> str:
    variables = {variable.name: variable for variable in head.variables}
    places = tuple(None if binding is None else variables[binding] for binding in bindings)
    return speaker.call(name, places)


def _places(speaker: Speaker, head: ir.Head, bindings: tuple[str | None, ...]) -> list[str]:
    variables = {variable.name: variable for variable in head.variables}
    return [speaker.phrase("any") if each is None else speaker.expression(variables[each]) for each in bindings]


def _rule_of(norms: ir.Norms, identifier: str) -> str:
    return next((clause.head.rule for clause in norms.clauses if clause.head.id == identifier), identifier)


# ------------------------------------------------------------------------------------------------- effects


def _effects(speaker: Speaker, effects: tuple[ir.Effect, ...]) -> str:
    return "; ".join(_effect(speaker, effect) for effect in effects)


def _effect(speaker: Speaker, effect: ir.Effect) -> str:
    match effect:
        case ir.MoveCard(card, source, target, to_bottom, author):
            key = "move_bottom" if to_bottom else "move_top"
            moved = speaker.phrase(
                key, card=speaker.operand(card), source=speaker.zone(source), target=speaker.zone(target)
            )
            return moved if author is None else moved + speaker.phrase("laid_by", author=speaker.expression(author))
        case ir.MoveAll(source, target):
            return speaker.phrase("move_all", source=speaker.zone(source), target=speaker.zone(target))
        case ir.Restore():
            return speaker.phrase("restore")
        case ir.Assign(register, arguments, value):
            special = _special_assignment(speaker, effect)
            if special is not None:
                return special
            return speaker.phrase("assign", register=speaker.call(register, arguments), value=speaker.expression(value))
        case ir.Post(register, arguments, amount):
            return speaker.phrase("post", register=speaker.call(register, arguments), amount=speaker.operand(amount))
        case ir.Raise(event, arguments):
            return speaker.phrase("raise", event=speaker.call(event, arguments))
        case ir.ForEach(variable, where, effects):
            return speaker.phrase(
                "for_each",
                variable=speaker.variable(variable),
                where=speaker.where(where),
                effects=_effects(speaker, effects),
            )
        case _:
            assert_never(effect)


def _special_assignment(speaker: Speaker, effect: ir.Assign) -> str | None:
    """What opens or closes a window, or ends an open breach, has its own words."""
    if not isinstance(effect.value, ir.Boolean):
        return None
    register = next(each for each in speaker.norms.registers if each.name == effect.register)
    if register.window:
        window = speaker.call(effect.register, effect.arguments)
        return speaker.phrase("open" if effect.value.value else "close", window=window)
    catalogue = speaker.norms.catalogue
    if catalogue is not None and effect.register == catalogue.record:
        offender, number = (speaker.expression(argument) for argument in effect.arguments)
        return speaker.phrase("forgive", offender=offender, number=number)
    return None


# -------------------------------------------------------------------------------------------- declarations


def action_sentence(norms: ir.Norms, name: str, language: str) -> str:
    """When an act can be done at all, and what it moves."""
    action = next(each for each in norms.actions if each.name == name)
    return sentence(_action(Speaker(norms, language), action))


def declaration_sentences(norms: ir.Norms, rule: str, language: str) -> tuple[str, ...]:
    """What an item declares: zones, registers, acts, events, and when its terms have to have a value."""
    speaker = Speaker(norms, language)
    found: list[str] = []
    made: tuple[str, ...] = ()  # what the catalogue declares by itself
    if norms.catalogue is not None:
        made = (norms.catalogue.record, norms.catalogue.punished)
        found += [_catalogue(speaker, norms.catalogue)] if norms.catalogue.rule == rule else []
    found += [_zone(speaker, zone) for zone in norms.zones if zone.rule == rule]
    found += [_register(speaker, each) for each in norms.registers if each.rule == rule and each.name not in made]
    found += [
        speaker.phrase("declare_event", event=speaker.call(event.name, event.parameters))
        for event in norms.events
        if event.rule == rule and event.name not in made
    ]
    found += [_action(speaker, action) for action in norms.actions if action.rule == rule]
    for term in norms.terms:
        if term.rule == rule and term.asked is not None:
            asked = term.asked != ir.Boolean(True)
            when = speaker.phrase("when", condition=speaker.expression(term.asked)) if asked else ""
            found.append(speaker.phrase("asked", term=speaker.call(term.name, term.parameters), when=when))
    return tuple(sentence(each) for each in found)


def _zone(speaker: Speaker, zone: ir.Zone) -> str:
    text = speaker.phrase("declare_pile" if zone.pile else "declare_set", name=speaker.name(zone.name))
    if zone.owned:
        text = speaker.phrase("declare_owned", zone=text)
    details = [VISIBILITY[zone.visibility].in_language(speaker.language)]
    if zone.authors:
        details.append(speaker.phrase("declare_authors"))
    if zone.part_of is not None:
        details.append(speaker.phrase("declare_part", name=speaker.name(zone.part_of)))
    if zone.outside_frame:
        details.append(speaker.phrase("declare_outside"))
    return f"{text}: {', '.join(details)}"


def _register(speaker: Speaker, register: ir.Register) -> str:
    places = ", ".join(sort.replace("_", " ") for sort in register.index)
    name = speaker.name(register.name) + (f" ({places})" if places else "")
    initial = speaker.expression(register.initial)
    outside = f" ({speaker.phrase('declare_outside')})" if register.outside_frame else ""
    if register.window:
        return speaker.phrase("declare_window", name=name) + outside
    if register.ledger:
        return speaker.phrase("declare_ledger", name=name, initial=initial) + outside
    type_ = _type(speaker, register.type)
    return speaker.phrase("declare_register", name=name, type=type_, initial=initial) + outside


def _catalogue(speaker: Speaker, catalogue: ir.Catalogue) -> str:
    numbers = [value for value in speaker.norms.sort(catalogue.sort).values if value != catalogue.other]
    other = speaker.name(catalogue.other)
    return speaker.phrase("declare_catalogue", numbers=", ".join(numbers), other=other)


def _type(speaker: Speaker, type_: ir.Type) -> str:
    match type_:
        case ir.Truth():
            return speaker.phrase("truth")
        case ir.Whole(low, high):
            lowest, highest = "−∞" if low is None else str(low), "∞" if high is None else str(high)
            return speaker.phrase("range", low=lowest, high=highest)
        case ir.Member(sort, optional):
            values = speaker.norms.sort(sort).values
            named = " | ".join(values).replace("_", " ") if len(values) <= 8 else speaker.name(sort)
            return speaker.phrase("or_nothing", type=named) if optional else named
        case _:
            assert_never(type_)


def _action(speaker: Speaker, action: ir.Action) -> str:
    act = speaker.call(action.name, action.parameters)
    possible = (
        speaker.phrase("always_possible")
        if action.possible == ir.Boolean(True)
        else speaker.phrase("if", condition=speaker.expression(action.possible))
    )
    body = _effects(speaker, action.body) or speaker.phrase("no_body")
    return speaker.phrase("declare_action", act=act, guard=possible, body=body)
