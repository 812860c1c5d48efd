"""Patterns of acts and events → the actions meant, the variables bound, and the equalities that the pattern states."""

from __future__ import annotations

from dataclasses import dataclass, replace

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes, typing
from svod.norms.lower.calls import check_arity
from svod.norms.lower.scope import Scope
from svod.norms.lower.world import report_unknown
from svod.syntax import tree


@dataclass(frozen=True, slots=True)
class Target:
    """One action (or event) that a pattern names, with an argument for each of its parameters."""

    name: str
    parameters: tuple[ir.Variable, ...]
    arguments: tuple[tree.Expression, ...]


@dataclass(frozen=True)
class Match:
    """`variables` in order of the parameters; `bindings[i]` is the variable's name or None for «_»."""

    target: Target
    scope: Scope
    variables: tuple[ir.Variable, ...]
    bindings: tuple[str | None, ...]
    guards: tuple[ir.Expression, ...]


def is_wildcard(expression: tree.Expression) -> bool:
    """Whether the argument is «_»."""
    return isinstance(expression, tree.Name) and expression.text == "_"


def action_targets(scope: Scope, pattern: tree.Pattern) -> list[Target]:
    """The action of this name, or every action of the class of this name."""
    world = scope.world
    action = world.actions.get(pattern.name)
    if action is not None:
        good = check_arity(scope, pattern.name, len(pattern.arguments), len(action.parameters), pattern.span)
        return [Target(action.name, action.parameters, pattern.arguments)] if good else []
    if pattern.name in world.classes:
        return _class_targets(scope, pattern)
    known = {*world.actions, *world.classes}
    kind = ("действие", "action")
    report_unknown(world, scope.problems, kind, pattern.name, known, pattern.span, scope.rule, codes.UNKNOWN_NAME)
    return []


def _class_targets(scope: Scope, pattern: tree.Pattern) -> list[Target]:
    if len(pattern.arguments) > 1:
        scope.report(
            codes.ARITY,
            Text("у класса действий один аргумент: кто действует", "a class of actions takes one argument: who acts"),
            pattern.span,
        )
        return []
    actor = pattern.arguments[0] if pattern.arguments else None
    anybody = actor is None or is_wildcard(actor)
    result = []
    for action in scope.world.actions.values():
        if action.act_class != pattern.name or (action.actor is None and not anybody):
            continue
        blank = tree.Name("_", span=pattern.span)
        arguments = tuple(
            actor if actor is not None and index == action.actor else blank for index in range(len(action.parameters))
        )
        result.append(Target(action.name, action.parameters, arguments))
    if not result:
        scope.report(
            codes.EMPTY_CLASS,
            Text(f"в классе «{pattern.name}» нет таких действий", f"the class “{pattern.name}” has no such action"),
            pattern.span,
        )
    return result


def event_target(scope: Scope, pattern: tree.Pattern) -> Target | None:
    """The event of this name."""
    event = scope.world.events[pattern.name]
    if not check_arity(scope, pattern.name, len(pattern.arguments), len(event.parameters), pattern.span):
        return None
    return Target(event.name, event.parameters, pattern.arguments)


def match_parameters(scope: Scope, target: Target) -> Match | None:
    """Bind words of the pattern to the parameters themselves: the clause's variables are the parameters, in order."""
    inner = replace(scope, reserved=scope.reserved | {parameter.name for parameter in target.parameters})
    fresh: dict[str, ir.Variable] = {}
    stated: list[int] = []
    for index, (argument, parameter) in enumerate(zip(target.arguments, target.parameters, strict=True)):
        if is_wildcard(argument):
            continue
        if _is_fresh(scope, argument, fresh):
            assert isinstance(argument, tree.Name)
            if not _sort_agrees(scope, argument, parameter):
                return None
            fresh[argument.text] = parameter
        else:
            stated.append(index)
    inner = inner.with_bound(fresh)
    guards = [_equality(inner, target.parameters[index], target.arguments[index]) for index in stated]
    whole = tuple(guard for guard in guards if guard is not None)
    if len(whole) < len(guards):
        return None
    return Match(target, inner, target.parameters, tuple(each.name for each in target.parameters), whole)


def match_bindings(scope: Scope, target: Target) -> Match | None:
    """Bind words of the pattern to variables of their own name; a stated value gets a variable and an equality."""
    fresh: dict[str, ir.Variable] = {}
    bindings: list[str | None] = []
    variables: list[ir.Variable] = []
    stated: list[tuple[ir.Variable, tree.Expression]] = []
    words = {each.text for each in target.arguments if isinstance(each, tree.Name)}
    for argument, parameter in zip(target.arguments, target.parameters, strict=True):
        if is_wildcard(argument):
            bindings.append(None)
            continue
        if _is_fresh(scope, argument, fresh):
            assert isinstance(argument, tree.Name)
            if not _sort_agrees(scope, argument, parameter):
                return None
            variable = ir.Variable(argument.text, parameter.sort)
            fresh[argument.text] = variable
        else:
            name = parameter.name
            while name in words or any(each.name == name for each in variables):
                name += "′"
            variable = ir.Variable(name, parameter.sort)
            stated.append((variable, argument))
        variables.append(variable)
        bindings.append(variable.name)
    taken = frozenset(variable.name for variable in variables)
    inner = replace(scope, reserved=scope.reserved | taken).with_bound(fresh)
    guards = [_equality(inner, variable, argument) for variable, argument in stated]
    whole = tuple(guard for guard in guards if guard is not None)
    if len(whole) < len(guards):
        return None
    return Match(target, inner, tuple(variables), tuple(bindings), whole)


def _is_fresh(scope: Scope, argument: tree.Expression, fresh: dict[str, ir.Variable]) -> bool:
    if not isinstance(argument, tree.Name) or argument.text in fresh or argument.text in scope.bound:
        return False
    return argument.text in scope.world.variables


def _sort_agrees(scope: Scope, name: tree.Name, parameter: ir.Variable) -> bool:
    sort = scope.world.variables[name.text]
    if sort == parameter.sort:
        return True
    scope.report(
        codes.TYPE_MISMATCH,
        Text(
            f"здесь нужно значение сорта {parameter.sort}, а «{name.text}» из сорта {sort}",
            f"a value of {parameter.sort} is needed here, “{name.text}” is of {sort}",
        ),
        name.span,
    )
    return False


def _equality(scope: Scope, variable: ir.Variable, argument: tree.Expression) -> ir.Expression | None:
    typed = scope.lower(argument, ir.Member(variable.sort))
    if typed is None:
        return None
    if typing.fits(typed.type, ir.Member(variable.sort, True)):
        return ir.Compare(ir.Relation.EQUAL, variable, typed.expression)
    scope.coerce(typed, ir.Member(variable.sort), argument.span)
    return None


def free_variables(scope: Scope, *expressions: tree.Expression | None) -> list[str]:
    """Declared variables that occur in the expressions and that no quantifier in them binds, in order of occurrence."""
    found: dict[str, None] = {}
    for expression in expressions:
        if expression is not None:
            _free(scope, expression, frozenset(), found)
    return list(found)


def _free(scope: Scope, node: tree.Expression, inside: frozenset[str], found: dict[str, None]) -> None:
    match node:
        case tree.Name():
            word = node.text
            if word in scope.world.variables and word not in inside and word not in scope.bound:
                found.setdefault(word)
        case tree.Quantifier():
            if node.zone is not None:
                _free(scope, node.zone, inside, found)
            for part in (node.where, node.of):
                if part is not None:
                    _free(scope, part, inside | {node.variable}, found)
        case tree.FirstClockwise():
            _free(scope, node.start, inside, found)
            if node.where is not None:
                _free(scope, node.where, inside | {node.variable}, found)
        case _:
            for part in operands(node):
                _free(scope, part, inside, found)


def operands(node: tree.Expression) -> tuple[tree.Expression, ...]:
    """Parts of an expression that binds nothing."""
    match node:
        case tree.Call() | tree.HappenedNow() | tree.Allowed():
            return node.arguments
        case tree.Binary():
            return (node.left, node.right)
        case tree.Not() | tree.Minus() | tree.Before():
            return (node.of,)
        case tree.Emptiness():
            return (node.zone,)
        case tree.Membership():
            return (node.card, node.zone)
        case tree.Conditional():
            return (node.condition, node.then, node.otherwise)
        case _:
            return ()


def bind_free(scope: Scope, words: list[str]) -> tuple[Scope, tuple[ir.Variable, ...]]:
    """Scope in which these declared variables are variables of the clause."""
    variables = tuple(ir.Variable(word, scope.world.variables[word]) for word in words)
    return scope.with_bound({variable.name: variable for variable in variables}), variables
