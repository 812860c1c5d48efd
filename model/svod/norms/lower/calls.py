"""Calls → reads of slots and registers, built-in functions, components and composed values; and zones by name."""

from __future__ import annotations

from typing import assert_never

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes, typing
from svod.norms.lower.scope import Scope, Typed
from svod.norms.lower.slots import slot_type
from svod.norms.lower.world import Moment, report_unknown
from svod.rulebook.names import Builtin
from svod.source import Span
from svod.syntax import tree


def lower_call(scope: Scope, call: tree.Call) -> Typed | None:
    """A call by what its name stands for; None once a problem is reported."""
    world, name = scope.world, call.name
    if name in world.slots:
        slot = world.slots[name]
        sorts = tuple(parameter.sort for parameter in slot.parameters)
        arguments = lower_arguments(scope, name, call.arguments, sorts, call.span)
        type_ = slot_type(scope, slot, call.span)
        return None if arguments is None or type_ is None else Typed(ir.ReadTerm(name, arguments), type_)
    if name in world.registers:
        register = world.registers[name]
        arguments = lower_arguments(scope, name, call.arguments, register.index, call.span)
        return None if arguments is None else Typed(ir.ReadRegister(name, arguments), register.type)
    if name in world.builtins:
        return _builtin(scope, call, world.builtins[name])
    if any(True for _ in world.component_sorts(name)):
        return _component(scope, call)
    if name in world.sorts and world.sorts[name].factors:
        arguments = lower_arguments(scope, name, call.arguments, world.sorts[name].factors, call.span)
        return None if arguments is None else Typed(ir.Compose(name, arguments), ir.Member(name))
    if name in world.zones:
        scope.report(
            codes.ZONE_AS_VALUE,
            Text(f"зона «{name}» не значение", f"the zone “{name}” is not a value"),
            call.span,
            Text(
                "спросите о её картах: число, верхняя, `карта в зона`", "ask about its cards: size, top, `card in zone`"
            ),
        )
        return None
    known = {*world.slots, *world.registers, *world.builtins, *world.zones, *world.sorts}
    known |= {factor.lower() for sort in world.sorts.values() for factor in sort.factors}
    report_unknown(
        world, scope.problems, ("функция", "function"), name, known, call.span, scope.rule, codes.UNKNOWN_NAME
    )
    return None


def lower_arguments(
    scope: Scope, name: str, arguments: tuple[tree.Expression, ...], sorts: tuple[str, ...], span: Span
) -> tuple[ir.Expression, ...] | None:
    """Arguments of the given sorts; a wrong number of them is reported."""
    if not check_arity(scope, name, len(arguments), len(sorts), span):
        return None
    lowered = [scope.wanted(argument, ir.Member(sort)) for argument, sort in zip(arguments, sorts, strict=True)]
    whole = tuple(argument for argument in lowered if argument is not None)
    return whole if len(whole) == len(sorts) else None


def check_arity(scope: Scope, name: str, given: int, wanted: int, span: Span) -> bool:
    """Whether the number of arguments is right; reported if not."""
    if given == wanted:
        return True
    scope.report(
        codes.ARITY,
        Text(f"у «{name}» аргументов {wanted}, а здесь {given}", f"“{name}” takes {wanted} arguments, {given} given"),
        span,
    )
    return False


def lower_happened(scope: Scope, happened: tree.HappenedNow) -> Typed | None:
    """«сейчас событие(…)», in consequences only."""
    if scope.moment is not Moment.TRIGGER:
        scope.report(
            codes.NOT_HERE,
            Text("«сейчас» говорят только в последствиях", "`now` an event belongs in consequences only"),
            happened.span,
        )
        return None
    event = scope.world.events.get(happened.event)
    if event is None:
        world, known = scope.world, set(scope.world.events)
        kind = ("событие", "event")
        report_unknown(
            world, scope.problems, kind, happened.event, known, happened.span, scope.rule, codes.UNKNOWN_NAME
        )
        return None
    sorts = tuple(parameter.sort for parameter in event.parameters)
    arguments = lower_arguments(scope, event.name, happened.arguments, sorts, happened.span)
    return None if arguments is None else Typed(ir.Happened(event.name, arguments), ir.Truth())


def zone_ref(scope: Scope, expression: tree.Expression) -> ir.ZoneRef | None:
    """The zone that a name or call names; None once a problem is reported."""
    arguments: tuple[tree.Expression, ...] = ()
    match expression:
        case tree.Name():
            name = expression.text
        case tree.Call():
            name, arguments = expression.name, expression.arguments
        case _:
            scope.report(codes.NOT_A_ZONE, Text("здесь нужна зона", "a zone is needed here"), expression.span)
            return None
    zone = scope.world.zones.get(name)
    if zone is None:
        known = set(scope.world.zones)
        kind = ("зона", "zone")
        report_unknown(scope.world, scope.problems, kind, name, known, expression.span, scope.rule, codes.NOT_A_ZONE)
        return None
    sorts = (scope.world.seats,) if zone.owned else ()
    lowered = lower_arguments(scope, name, arguments, sorts, expression.span)
    if lowered is None:
        return None
    return ir.ZoneRef(name, lowered[0] if lowered else None)


def _component(scope: Scope, call: tree.Call) -> Typed | None:
    if not check_arity(scope, call.name, len(call.arguments), 1, call.span):
        return None
    candidates = list(scope.world.component_sorts(call.name))
    of = scope.lower(call.arguments[0], ir.Member(candidates[0][0]))
    if of is None:
        return None
    owner = of.type.sort if isinstance(of.type, ir.Member) else candidates[0][0]
    product, place = next((found for found in candidates if found[0] == owner), candidates[0])
    value = scope.coerce(of, ir.Member(product), call.arguments[0].span)
    if value is None:
        return None
    return Typed(ir.Component(value, place), ir.Member(scope.world.sorts[product].factors[place]))


def _builtin(scope: Scope, call: tree.Call, builtin: Builtin) -> Typed | None:
    arity = {Builtin.SEATS: 0, Builtin.AUTHOR: 2, Builtin.ABOVE: 2, Builtin.DISTANCE: 2}.get(builtin, 1)
    if not check_arity(scope, call.name, len(call.arguments), arity, call.span):
        return None
    world = scope.world
    match builtin:
        case Builtin.SEATS:
            count = len(world.sorts[world.seats].values) if world.seats else 0
            return Typed(ir.SeatCount(), ir.Whole(count, count))
        case Builtin.SIZE | Builtin.TOP | Builtin.BOTTOM:
            return _of_zone(scope, call, builtin)
        case Builtin.AUTHOR | Builtin.ABOVE:
            return _of_card_in_zone(scope, call, builtin)
        case Builtin.ZONES_HOLDING:
            card = scope.wanted(call.arguments[0], ir.Member(world.card_sort))
            most = sum(_places(scope, zone) for zone in world.zones.values())
            return None if card is None else Typed(ir.ZonesHolding(card), ir.Whole(0, most))
        case Builtin.NEXT | Builtin.PREVIOUS | Builtin.NEXT_WRAPPED | Builtin.PREVIOUS_WRAPPED:
            return _step(scope, call, builtin)
        case Builtin.LEAST | Builtin.GREATEST:
            return _extreme(scope, call, builtin)
        case Builtin.DISTANCE:
            ends = lower_arguments(scope, call.name, call.arguments, (world.seats, world.seats), call.span)
            farthest = max(0, len(world.sorts[world.seats].values) - 1) if world.seats else 0
            return None if ends is None else Typed(ir.Distance(ends[0], ends[1]), ir.Whole(0, farthest))
        case _:
            assert_never(builtin)


def _places(scope: Scope, zone: ir.Zone) -> int:
    return len(scope.world.sorts[scope.world.seats].values) if zone.owned else 1


def _of_zone(scope: Scope, call: tree.Call, builtin: Builtin) -> Typed | None:
    zone = zone_ref(scope, call.arguments[0])
    if zone is None:
        return None
    if builtin is Builtin.SIZE:
        return Typed(ir.Size(zone), ir.Whole(0, scope.world.zones[zone.zone].capacity))
    if not require_pile(scope, zone, call.name, call.span):
        return None
    end: ir.Expression = ir.Top(zone) if builtin is Builtin.TOP else ir.Bottom(zone)
    return Typed(end, ir.Member(scope.world.card_sort))


def _of_card_in_zone(scope: Scope, call: tree.Call, builtin: Builtin) -> Typed | None:
    card = scope.wanted(call.arguments[0], ir.Member(scope.world.card_sort))
    zone = zone_ref(scope, call.arguments[1])
    if card is None or zone is None or not require_pile(scope, zone, call.name, call.span):
        return None
    if builtin is Builtin.ABOVE:
        return Typed(ir.CardAbove(card, zone), ir.Member(scope.world.card_sort))
    if not scope.world.zones[zone.zone].authors:
        scope.report(
            codes.NO_AUTHORS,
            Text(f"зона «{zone.zone}» не помнит, кто что положил", f"the zone “{zone.zone}” keeps no authors"),
            call.span,
            Text("объявите её «с авторами»", "declare it `with authors`"),
        )
        return None
    return Typed(ir.Author(card, zone), ir.Member(scope.world.seats, True))


def require_pile(scope: Scope, zone: ir.ZoneRef, what: str, span: Span) -> bool:
    """Whether order counts in the zone; reported if not."""
    if scope.world.zones[zone.zone].pile:
        return True
    scope.report(
        codes.NEEDS_PILE,
        Text(f"«{what}» бывает у стопки, а «{zone.zone}» набор", f"“{what}” needs a pile, “{zone.zone}” is a set"),
        span,
    )
    return False


def _step(scope: Scope, call: tree.Call, builtin: Builtin) -> Typed | None:
    of = scope.lower(call.arguments[0])
    if of is None:
        return None
    if not isinstance(of.type, ir.Member) or not (
        scope.world.sorts[of.type.sort].ordered or scope.world.sorts[of.type.sort].ring
    ):
        scope.report(
            codes.NOT_ORDERED,
            Text(
                f"«{call.name}» требует порядка, а это {typing.name_ru(of.type)}",
                f"“{call.name}” needs an order, this is {typing.name_en(of.type)}",
            ),
            call.span,
        )
        return None
    value = scope.coerce(of, ir.Member(of.type.sort), call.arguments[0].span)
    if value is None:
        return None
    delta = 1 if builtin in (Builtin.NEXT, Builtin.NEXT_WRAPPED) else -1
    wrap = builtin in (Builtin.NEXT_WRAPPED, Builtin.PREVIOUS_WRAPPED) or scope.world.sorts[of.type.sort].ring
    return Typed(ir.StepValue(value, delta, wrap), ir.Member(of.type.sort))


def _extreme(scope: Scope, call: tree.Call, builtin: Builtin) -> Typed | None:
    argument = call.arguments[0]
    name = argument.text if isinstance(argument, tree.Name) else ""
    sort = scope.world.sorts.get(name)
    if sort is None:
        known = set(scope.world.sorts)
        kind = ("сорт", "sort")
        report_unknown(scope.world, scope.problems, kind, name, known, argument.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    if not sort.ordered:
        scope.report(
            codes.NOT_ORDERED,
            Text(f"у сорта «{name}» нет порядка", f"the sort “{name}” has no order"),
            argument.span,
            Text("объявите его словом «порядок»", "declare it with `order`"),
        )
        return None
    return Typed(ir.Extreme(name, builtin is Builtin.GREATEST), ir.Member(name))
