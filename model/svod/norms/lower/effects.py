"""Effects of the tree → effects of the norms: moves, writes, events, stages, steps, «для всех»."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import catalogue, codes, typing
from svod.norms.lower.calls import lower_arguments, zone_ref
from svod.norms.lower.quantifiers import variable_sort
from svod.norms.lower.scope import Scope
from svod.norms.lower.world import report_unknown
from svod.source import Span
from svod.syntax import tree


def lower_effects(scope: Scope, effects: Sequence[tree.Effect]) -> tuple[ir.Effect, ...] | None:
    """All effects, or None once a problem is reported."""
    lowered = [_effect(scope, effect) for effect in effects]
    whole = tuple(part for effect in lowered if effect is not None for part in effect)
    return None if any(effect is None for effect in lowered) else whole


def lower_body(scope: Scope, effects: Sequence[tree.Effect], actor: ir.Variable | None) -> tuple[ir.Move, ...] | None:
    """The body of an action: moves only; cards laid where authors are kept are laid by the actor."""
    moves: list[ir.Move] = []
    failed = False
    for effect in effects:
        if not isinstance(effect, tree.Move):
            scope.report(
                codes.BODY_WRITES,
                Text("тело действия только перекладывает карты", "the body of an action only moves cards"),
                effect.span,
                Text("прочее напишите клаузой `при действие(…): …`", "write the rest as a clause `on action(…): …`"),
            )
            failed = True
            continue
        move = _move(scope, effect, actor)
        if move is None:
            failed = True
        else:
            moves.append(move)
    return None if failed else tuple(moves)


def _effect(scope: Scope, effect: tree.Effect) -> tuple[ir.Effect, ...] | None:
    match effect:
        case tree.Move():
            move = _move(scope, effect, None)
            return None if move is None else (move,)
        case tree.Assign():
            return _assign(scope, effect)
        case tree.Raise():
            return _raise(scope, effect)
        case tree.Begin():
            return _begin(scope, effect)
        case tree.GoTo():
            return _go_to(scope, effect)
        case tree.SetWindow():
            return _window(scope, effect)
        case tree.Restore():
            return None if catalogue.require(scope, effect.span) is None else (ir.Restore(),)
        case tree.ForEach():
            return _for_each(scope, effect)
        case _:
            assert_never(effect)


def _move(scope: Scope, move: tree.Move, actor: ir.Variable | None) -> ir.Move | None:
    target = zone_ref(scope, move.target)
    whole = move.source is None and _names_zone(scope, move.what)
    if whole:
        source = zone_ref(scope, move.what)
        if source is None or target is None:
            return None
        return _move_all(scope, move, source, target)
    if move.source is None:
        scope.report(
            codes.MOVE_WITHOUT_SOURCE,
            Text("не сказано, откуда карта", "it is not said where the card comes from"),
            move.span,
            Text("напишите `карта из зона → зона`", "write `card from zone → zone`"),
        )
        return None
    card = scope.wanted(move.what, ir.Member(scope.world.card_sort))
    source = zone_ref(scope, move.source)
    if card is None or source is None or target is None:
        return None
    keeps = scope.world.zones[target.zone].authors
    author: ir.Expression | None = actor if keeps else None
    if move.author is not None:
        if not keeps:
            scope.report(
                codes.NO_AUTHORS,
                Text(f"зона «{target.zone}» не помнит, кто что положил", f"the zone “{target.zone}” keeps no authors"),
                move.author.span,
            )
            return None
        if isinstance(move.author, tree.Nothing):
            author = None
        else:
            author = scope.wanted(move.author, ir.Member(scope.world.seats))
            if author is None:
                return None
    if move.to_bottom and not scope.world.zones[target.zone].pile:
        scope.report(
            codes.NEEDS_PILE,
            Text(
                f"под низ кладут в стопку, а «{target.zone}» набор",
                f"only a pile has a bottom, “{target.zone}” is a set",
            ),
            move.span,
        )
        return None
    return ir.MoveCard(card, source, target, move.to_bottom, author)


def _names_zone(scope: Scope, expression: tree.Expression) -> bool:
    if isinstance(expression, tree.Name):
        return expression.text in scope.world.zones and expression.text not in scope.bound
    return isinstance(expression, tree.Call) and expression.name in scope.world.zones


def _move_all(scope: Scope, move: tree.Move, source: ir.ZoneRef, target: ir.ZoneRef) -> ir.Move | None:
    if move.to_bottom or move.author is not None:
        scope.report(
            codes.NOT_HERE,
            Text("зона целиком ложится сверху и с прежними авторами", "a whole zone goes on top, with its own authors"),
            move.span,
        )
        return None
    if scope.world.zones[target.zone].pile and not scope.world.zones[source.zone].pile:
        scope.report(
            codes.SET_ONTO_PILE,
            Text(
                f"у набора «{source.zone}» нет порядка, а в стопке «{target.zone}» он нужен",
                f"the set “{source.zone}” has no order, the pile “{target.zone}” needs one",
            ),
            move.span,
        )
        return None
    return ir.MoveAll(source, target)


def _assign(scope: Scope, assign: tree.Assign) -> tuple[ir.Effect, ...] | None:
    register = scope.world.registers.get(assign.register)
    if register is None:
        world, known = scope.world, set(scope.world.registers)
        kind = ("ячейка", "register")
        name = assign.register
        report_unknown(world, scope.problems, kind, name, known, assign.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    arguments = lower_arguments(scope, register.name, assign.arguments, register.index, assign.span)
    value = scope.wanted(assign.value, register.type)
    if arguments is None or value is None:
        return None
    if not catalogue.may_write(scope, register, value, assign.adds, assign.span):
        return None
    if not assign.adds:
        if not in_range(scope, register.type, value, assign.value.span):
            return None
        return (ir.Assign(register.name, arguments, value),)
    if not isinstance(register.type, ir.Whole) or register.type.optional:
        scope.report(
            codes.TYPE_MISMATCH,
            Text(
                f"прибавлять можно к числу, а «{register.name}» это {typing.name_ru(register.type)}",
                f"only numbers can be added to, “{register.name}” is {typing.name_en(register.type)}",
            ),
            assign.span,
        )
        return None
    return (ir.Post(register.name, arguments, value),)


def in_range(scope: Scope, type_: ir.Type, value: ir.Expression, span: Span) -> bool:
    """Whether a number written down fits the register's type; reported if not."""
    match type_, value:
        case ir.Whole(low, high), ir.Number(number) if (low is not None and number < low) or (
            high is not None and number > high
        ):
            scope.report(
                codes.OUT_OF_RANGE,
                Text(f"{number} вне диапазона {low}..{high}", f"{number} is outside {low}..{high}"),
                span,
            )
            return False
        case _:
            return True


def _raise(scope: Scope, effect: tree.Raise) -> tuple[ir.Effect, ...] | None:
    event = scope.world.events.get(effect.event)
    if event is None:
        world, known = scope.world, set(scope.world.events)
        kind = ("событие", "event")
        report_unknown(world, scope.problems, kind, effect.event, known, effect.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    sorts = tuple(parameter.sort for parameter in event.parameters)
    arguments = lower_arguments(scope, event.name, effect.arguments, sorts, effect.span)
    return None if arguments is None else (ir.Raise(event.name, arguments),)


def _window(scope: Scope, effect: tree.SetWindow) -> tuple[ir.Effect, ...] | None:
    world = scope.world
    register = world.registers.get(effect.window)
    if register is None:
        known = {name for name, each in world.registers.items() if each.window}
        kind = ("окно", "window")
        report_unknown(world, scope.problems, kind, effect.window, known, effect.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    if not register.window:
        scope.report(
            codes.NOT_A_WINDOW,
            Text(f"«{effect.window}» не окно", f"“{effect.window}” is no window"),
            effect.span,
            Text("окно объявляют словом «окно», а ячейку пишут через `:=`", "declare it with `window`, or write `:=`"),
        )
        return None
    arguments = lower_arguments(scope, register.name, effect.arguments, register.index, effect.span)
    return None if arguments is None else (ir.Assign(register.name, arguments, ir.Boolean(effect.opens)),)


def _begin(scope: Scope, effect: tree.Begin) -> tuple[ir.Effect, ...] | None:
    world = scope.world
    name = world.stage_register
    index = None if name is None else world.value_in(name, effect.stage)
    if name is None or index is None:
        known = set() if name is None else set(world.sorts[name].values)
        kind = ("этап", "stage")
        report_unknown(world, scope.problems, kind, effect.stage, known, effect.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    resets = [_reset(register) for register in world.registers.values() if register.stage == effect.stage]
    return (ir.Assign(name, (), ir.Value(name, index)), *resets)


def _reset(register: ir.Register) -> ir.Effect:
    variables = tuple(ir.Variable(f"{sort}_{place + 1}", sort) for place, sort in enumerate(register.index))
    effect: ir.Effect = ir.Assign(register.name, variables, register.initial)
    for variable in reversed(variables):
        effect = ir.ForEach(variable, ir.Boolean(True), (effect,))
    return effect


def _go_to(scope: Scope, effect: tree.GoTo) -> tuple[ir.Effect, ...] | None:
    owners = [procedure for procedure in scope.world.procedures.values() if effect.step in procedure.steps]
    if len(owners) == 1:
        register = owners[0].register
        return (ir.Assign(register, (), ir.Value(register, owners[0].steps.index(effect.step))),)
    known = {step for procedure in scope.world.procedures.values() for step in procedure.steps}
    if owners:
        scope.report(
            codes.AMBIGUOUS_VALUE,
            Text(f"{effect.step} это шаг нескольких процедур", f"{effect.step} is a step of several procedures"),
            effect.span,
        )
    else:
        kind = ("шаг", "step")
        report_unknown(
            scope.world, scope.problems, kind, effect.step, known, effect.span, scope.rule, codes.UNKNOWN_NAME
        )
    return None


def _for_each(scope: Scope, effect: tree.ForEach) -> tuple[ir.Effect, ...] | None:
    sort = variable_sort(scope, effect.variable, effect.span)
    if sort is None:
        return None
    inner, variable = scope.bind(effect.variable, sort, effect.span)
    where = inner.condition(effect.where)
    effects = lower_effects(inner, effect.effects)
    return None if where is None or effects is None else (ir.ForEach(variable, where, effects),)
