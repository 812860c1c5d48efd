"""Registers, stages, events, classes, actions, procedures and slots of a rulebook into the `World`."""

from __future__ import annotations

from collections.abc import Sequence

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import catalogue, codes, constants
from svod.norms.lower.placed import Placed
from svod.norms.lower.sorts import is_feasible, report_repeated
from svod.norms.lower.world import ActClass, Definition, Slot, World, declare, report_unknown
from svod.norms.lower.zones import check_zones, declare_zone
from svod.rulebook.names import STAGE_REGISTER, STEP_PREFIX
from svod.source import Span
from svod.syntax import tree

BOUND_MAX = 1_000_000
"""How far from zero a bounded number may be."""


def declare_places(world: World, placed: Sequence[Placed]) -> None:
    """Everything that has a name besides sorts and variables. Expressions in it are lowered later."""
    for each in placed:
        match each.statement:
            case tree.ZoneDeclaration():
                declare_zone(world, each.statement, each.rule)
            case tree.StagesDeclaration():
                _stages(world, each.statement, each.rule)
            case tree.RegisterDeclaration():
                _register(world, each.statement, each.rule)
            case tree.CatalogueDeclaration():
                catalogue.declare_record(world, each.statement, each.rule)
            case tree.EventDeclaration():
                _event(world, each.statement, each.rule)
            case tree.ClassDeclaration():
                if declare(world, each.statement.name, each.rule, each.statement.span):
                    world.classes[each.statement.name] = ActClass(
                        each.statement.name, each.statement.turn, each.statement.silence_permits
                    )
            case tree.ProcedureDeclaration():
                _procedure(world, each.statement, each.rule)
            case _:
                continue
    for each in placed:
        if isinstance(each.statement, tree.ActionDeclaration):
            _action(world, each.statement, each.rule)
    _slots(world, placed)
    check_zones(world)
    tables = (world.parameters, world.sorts, world.variables, world.zones, world.registers, world.events)
    built = set().union(*tables, world.classes, world.actions, world.slots)
    world.broken |= set(world.declared) - built


def parameters_of(world: World, names: tuple[str, ...], rule: str, span: Span) -> tuple[ir.Variable, ...] | None:
    """Parameters named by variables; None once a problem is reported."""
    result: list[ir.Variable] = []
    for name in names:
        if name not in world.variables:
            known = set(world.variables)
            kind = ("переменная", "variable")
            report_unknown(world, world.problems, kind, name, known, span, rule, codes.UNKNOWN_VARIABLE)
            return None
        if any(variable.name == name for variable in result):
            world.problems.report(
                codes.DECLARED_TWICE,
                Text(f"параметр «{name}» стоит дважды", f"the parameter “{name}” occurs twice"),
                span,
                rule=rule,
            )
            return None
        result.append(ir.Variable(name, world.variables[name]))
    return tuple(result)


def resolve_type(world: World, type_: tree.TypeName, owner: str, rule: str) -> ir.Type | None:
    """The type; inline values become a sort named after the register or term `owner`."""
    if type_.truth:
        return ir.Truth()
    if type_.values:
        if not is_feasible(world, owner, len(type_.values), rule, type_.span):
            return None
        report_repeated(world, owner, type_.values, rule, type_.span)
        if owner not in world.sorts:
            world.add_sort(ir.Sort(owner, type_.values))
        return ir.Member(owner, type_.optional)
    if type_.low is not None and type_.high is not None:
        low = constants.number(type_.low, world.parameters, rule, world.problems)
        high = constants.number(type_.high, world.parameters, rule, world.problems)
        if low is None or high is None:
            return None
        if low > high or max(abs(low), abs(high)) > BOUND_MAX or (type_.optional and low < 0):
            world.problems.report(
                codes.RANGE,
                Text(f"диапазон {low}..{high} не годится", f"the range {low}..{high} will not do"),
                type_.span,
                rule=rule,
            )
            return None
        return ir.Whole(low, high, type_.optional)
    sort = type_.sort or ""
    if sort not in world.sorts:
        known = set(world.sorts)
        kind = ("сорт", "sort")
        report_unknown(world, world.problems, kind, sort, known, type_.span, rule, codes.UNKNOWN_NAME)
        return None
    return ir.Member(sort, type_.optional)


def _stages(world: World, declaration: tree.StagesDeclaration, rule: str) -> None:
    name = STAGE_REGISTER[world.language]
    if declare(world, name, rule, declaration.span):
        report_repeated(world, name, declaration.names, rule, declaration.span)
        world.add_sort(ir.Sort(name, declaration.names))
        world.stage_register = name
        world.registers[name] = ir.Register(name, (), ir.Member(name), ir.Value(name, 0), rule, span=declaration.span)


def _register(world: World, declaration: tree.RegisterDeclaration, rule: str) -> None:
    if not declare(world, declaration.name, rule, declaration.span):
        return
    # a window may name its places by variables, as acts and events do
    index = tuple(world.variables.get(each, each) if declaration.window else each for each in declaration.index)
    for sort in index:
        if sort not in world.sorts:
            known = set(world.sorts)
            kind = ("сорт", "sort")
            report_unknown(world, world.problems, kind, sort, known, declaration.span, rule, codes.UNKNOWN_NAME)
            return
    type_: ir.Type | None = ir.Truth() if declaration.window else ir.Whole(None, None)
    if declaration.type is not None:
        type_ = resolve_type(world, declaration.type, declaration.name, rule)
    if type_ is None:
        return
    world.registers[declaration.name] = ir.Register(
        declaration.name,
        index,
        type_,
        default_initial(type_),
        rule,
        declaration.ledger,
        declaration.output,
        declaration.stage,
        declaration.outside_frame,
        declaration.window,
        span=declaration.span,
    )


def default_initial(type_: ir.Type) -> ir.Expression:
    """«нет» if that is a value of the type, else the first value."""
    match type_:
        case ir.Truth():
            return ir.Boolean(False)
        case ir.Whole():
            return ir.Nothing("") if type_.optional else ir.Number(type_.low or 0)
        case ir.Member():
            return ir.Nothing(type_.sort) if type_.optional else ir.Value(type_.sort, 0)


def _event(world: World, declaration: tree.EventDeclaration, rule: str) -> None:
    if declare(world, declaration.name, rule, declaration.span):
        parameters = parameters_of(world, declaration.parameters, rule, declaration.span)
        if parameters is not None:
            world.events[declaration.name] = ir.Event(declaration.name, parameters, rule)


def _procedure(world: World, declaration: tree.ProcedureDeclaration, rule: str) -> None:
    name = f"{STEP_PREFIX[world.language]} {declaration.procedure}"
    steps = tuple(step.number for step in declaration.steps)
    if not declare(world, name, rule, declaration.span):
        return
    if len(set(steps)) < len(steps):
        world.problems.report(
            codes.DECLARED_TWICE,
            Text("шаг назван дважды", "a step is named twice"),
            declaration.span,
            rule=rule,
        )
        return
    world.add_sort(ir.Sort(name, steps, ordered=True))
    world.procedures[declaration.procedure] = ir.Procedure(declaration.procedure, name, steps)
    world.registers[name] = ir.Register(name, (), ir.Member(name), ir.Value(name, 0), rule, span=declaration.span)


def _action(world: World, declaration: tree.ActionDeclaration, rule: str) -> None:
    if not declare(world, declaration.name, rule, declaration.span):
        return
    parameters = parameters_of(world, declaration.parameters, rule, declaration.span)
    if parameters is None:
        return
    act_class = None
    if declaration.act_class is not None:
        act_class = world.classes.get(declaration.act_class)
        if act_class is None:
            known = set(world.classes)
            kind = ("класс", "class")
            name = declaration.act_class
            report_unknown(world, world.problems, kind, name, known, declaration.span, rule, codes.UNKNOWN_NAME)
    chance = tuple(
        index
        for index, parameter in enumerate(parameters)
        if declaration.by_chance or parameter.name in declaration.chance
    )
    for name in declaration.chance:
        if name not in declaration.parameters:
            known = set(declaration.parameters)
            kind = ("параметр", "parameter")
            report_unknown(world, world.problems, kind, name, known, declaration.span, rule, codes.UNKNOWN_VARIABLE)
    actor = None
    if not declaration.by_chance:
        actor = next(
            (index for index, each in enumerate(parameters) if each.sort == world.seats and index not in chance), None
        )
        if actor is None:
            world.problems.report(
                codes.NO_ACTOR,
                Text(f"не видно, кто совершает «{declaration.name}»", f"it is not clear who does “{declaration.name}”"),
                declaration.span,
                rule=rule,
                help=Text(
                    "среди параметров должен быть игрок; иначе объявите «случай»",
                    "one parameter must be a seat; otherwise declare `chance`",
                ),
            )
    world.actions[declaration.name] = ir.Action(
        declaration.name,
        parameters,
        actor,
        chance,
        act_class.name if act_class else "",
        act_class.turn if act_class else False,
        ir.Boolean(True),
        (),
        act_class.silence_permits if act_class else False,
        rule,
        declaration.span,
    )


def _slots(world: World, placed: Sequence[Placed]) -> None:
    for each in placed:
        if isinstance(each.statement, tree.Edged) and isinstance(each.statement.clause, tree.TermDefinition):
            _definition(world, each.statement.clause, each.rule)
    for each in placed:
        if isinstance(each.statement, tree.SlotOption):
            _option(world, each.statement, each.rule)
    for slot in world.slots.values():
        if slot.declared is not None:
            slot.type = resolve_type(world, slot.declared, slot.name, slot.rule)
            slot.failed = slot.type is None


def _definition(world: World, definition: tree.TermDefinition, rule: str) -> None:
    slot = world.slots.get(definition.name)
    parameters = parameters_of(world, definition.parameters, rule, definition.span)
    if parameters is None:
        if slot is None:
            world.broken.add(definition.name)
        return
    if slot is None:
        if not declare(world, definition.name, rule, definition.span):
            return
        slot = Slot(definition.name, rule, parameters, definition.type, span=definition.span)
        world.slots[definition.name] = slot
    if [each.sort for each in parameters] != [each.sort for each in slot.parameters]:
        world.problems.report(
            codes.ARITY,
            Text(
                f"у термина «{slot.name}» в {slot.rule} другие параметры",
                f"the term “{slot.name}” has other parameters in {slot.rule}",
            ),
            definition.span,
            rule=rule,
        )
        return
    if definition.type is not None:
        if slot.declared is not None and slot.declared != definition.type:
            world.problems.report(
                codes.TYPE_MISMATCH,
                Text(
                    f"тип термина «{slot.name}» указан по-разному", f"the type of “{slot.name}” is stated differently"
                ),
                definition.span,
                rule=rule,
            )
        slot.declared = slot.declared or definition.type
    slot.definitions.append(Definition(rule, definition))


def _option(world: World, option: tree.SlotOption, rule: str) -> None:
    slot = world.slots.get(option.name)
    if slot is None:
        known = set(world.slots)
        kind = ("термин", "term")
        report_unknown(world, world.problems, kind, option.name, known, option.span, rule, codes.UNKNOWN_NAME)
        return
    if option.kind == "asked":
        if slot.asked is not None:
            world.problems.report(
                codes.DECLARED_TWICE,
                Text(
                    f"«{slot.name}» уже спрашивается в {slot.asked_rule}",
                    f"“{slot.name}” is asked in {slot.asked_rule}",
                ),
                option.span,
                rule=rule,
            )
        slot.asked, slot.asked_rule = option.when or tree.Truth(True, span=option.span), rule
    elif option.kind == "outcome":
        slot.output = True
    else:
        modes = {"first": ir.Combination.FIRST, "unique": ir.Combination.UNIQUE, "any": ir.Combination.ANY}
        slot.combination = modes[option.mode or "unique"]
