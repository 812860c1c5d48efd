"""Expression of the tree → typed expression of the norms: words resolved, operators typed, problems reported."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import calls, codes, quantifiers, typing
from svod.norms.lower.allowed import lower_allowed
from svod.norms.lower.scope import Scope, Typed
from svod.norms.lower.world import Moment, report_unknown
from svod.syntax import tree

_RELATIONS = {relation.value: relation for relation in ir.Relation}
_OPERATORS = {operator.value: operator for operator in ir.Operator}


def lower(scope: Scope, expression: tree.Expression, expected: ir.Type | None) -> Typed | None:
    """The typed expression, or None once its problem has been reported. `expected` only helps to tell values apart."""
    match expression:
        case tree.Name():
            return _name(scope, expression, expected)
        case tree.Numeral():
            return _numeral(scope, expression, expected)
        case tree.RuleName():
            return _value(scope, expression.number, expression, expected)
        case tree.Truth():
            return Typed(ir.Boolean(expression.value), ir.Truth())
        case tree.Nothing():
            return _nothing(scope, expression, expected)
        case tree.Call():
            return calls.lower_call(scope, expression)
        case tree.StepOf():
            return _step_of(scope, expression)
        case tree.Binary():
            return _binary(scope, expression)
        case tree.Not():
            of = scope.wanted(expression.of, ir.Truth())
            return None if of is None else Typed(ir.Not(of), ir.Truth())
        case tree.Minus():
            return _minus(scope, expression)
        case tree.Emptiness():
            return _emptiness(scope, expression)
        case tree.Membership():
            return _membership(scope, expression)
        case tree.Quantifier():
            return quantifiers.lower_quantifier(scope, expression)
        case tree.FirstClockwise():
            return quantifiers.lower_first_clockwise(scope, expression)
        case tree.Conditional():
            return _conditional(scope, expression, expected)
        case tree.Before():
            return _before(scope, expression, expected)
        case tree.HappenedNow():
            return calls.lower_happened(scope, expression)
        case tree.Allowed():
            return lower_allowed(scope, expression)
        case _:
            assert_never(expression)


def _name(scope: Scope, name: tree.Name, expected: ir.Type | None) -> Typed | None:
    world, word = scope.world, name.text
    if word in scope.bound:
        variable = scope.bound[word]
        return Typed(variable, ir.Member(variable.sort))
    if word == "_":
        scope.report(
            codes.WILDCARD,
            Text(
                "«_» бывает только в образце действия или события", "“_” belongs in a pattern of an act or event only"
            ),
            name.span,
        )
        return None
    if word in world.variables:
        scope.report(
            codes.UNBOUND_VARIABLE,
            Text(f"переменная «{word}» здесь ничем не связана", f"nothing binds the variable “{word}” here"),
            name.span,
            Text(
                f"назовите её в образце клаузы или напишите `есть {word}, где …`",
                f"name it in the clause's pattern or write `exists {word}, where …`",
            ),
        )
        return None
    if word in world.slots or word in world.registers:
        return calls.lower_call(scope, tree.Call(word, (), span=name.span))
    if word in world.parameters:
        value = world.parameters[word]
        count: ir.Expression = ir.SeatCount() if word == world.seats_parameter else ir.Number(value)
        return Typed(count, ir.Whole(value, value))
    if word in world.builtins:
        return calls.lower_call(scope, tree.Call(word, (), span=name.span))
    if word in world.zones:
        scope.report(
            codes.ZONE_AS_VALUE,
            Text(f"зона «{word}» не значение", f"the zone “{word}” is not a value"),
            name.span,
            Text(
                "спросите о её картах: число, верхняя, `карта в зона`", "ask about its cards: size, top, `card in zone`"
            ),
        )
        return None
    return _value(scope, word, name, expected)


def _value(scope: Scope, word: str, place: tree.Name | tree.RuleName, expected: ir.Type | None) -> Typed | None:
    candidates = scope.world.values.get(word, [])
    if isinstance(expected, ir.Member):
        candidates = [found for found in candidates if found[0] == expected.sort] or candidates
    if not candidates and isinstance(place, tree.RuleName) and word in scope.world.numbers:
        _number_without_value(scope, word, place)
        return None
    if len(candidates) == 1:
        sort, index = candidates[0]
        return Typed(ir.Value(sort, index), ir.Member(sort))
    if not candidates:
        known = scope.world.expression_words() | set(scope.bound)
        kind = ("слово", "word")
        report_unknown(scope.world, scope.problems, kind, word, known, place.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    sorts = ", ".join(sort for sort, _ in candidates)
    scope.report(
        codes.AMBIGUOUS_VALUE,
        Text(
            f"значение «{word}» есть у нескольких сортов: {sorts}",
            f"the value “{word}” belongs to several sorts: {sorts}",
        ),
        place.span,
        Text("сравните его с тем, чей сорт известен", "compare it with something whose sort is known"),
    )
    return None


def _number_without_value(scope: Scope, number: str, place: tree.RuleName) -> None:
    scope.report(
        codes.NOT_IN_CATALOGUE,
        Text(f"номер {number} здесь не значение", f"the number {number} is no value here"),
        place.span,
        Text(
            "значениями бывают номера каталога нарушений и шаги процедур",
            "numbers of the catalogue of violations and steps of procedures are values",
        ),
    )


def _numeral(scope: Scope, numeral: tree.Numeral, expected: ir.Type | None) -> Typed:
    if isinstance(expected, ir.Member):
        index = scope.world.value_in(expected.sort, str(numeral.value))
        if index is not None:
            return Typed(ir.Value(expected.sort, index), ir.Member(expected.sort))
    return Typed(ir.Number(numeral.value), ir.Whole(numeral.value, numeral.value))


def _nothing(scope: Scope, nothing: tree.Nothing, expected: ir.Type | None) -> Typed | None:
    match expected:
        case None:
            scope.report(
                codes.TYPE_UNKNOWN,
                Text("не видно, чего здесь «нет»", "it is not clear what “none” this is"),
                nothing.span,
                Text("сравните с ячейкой или укажите тип", "compare with a register or state the type"),
            )
            return None
        case ir.Truth():
            return Typed(ir.Boolean(False), expected)
        case ir.Member():
            return Typed(ir.Nothing(expected.sort), typing.optional(expected))
        case ir.Whole():
            return Typed(ir.Nothing(""), typing.optional(expected))
        case _:
            assert_never(expected)


def _step_of(scope: Scope, step: tree.StepOf) -> Typed | None:
    procedure = scope.world.procedures.get(step.procedure)
    if procedure is None:
        known = set(scope.world.procedures)
        kind = ("процедура", "procedure")
        place = step.procedure
        report_unknown(scope.world, scope.problems, kind, place, known, step.span, scope.rule, codes.UNKNOWN_NAME)
        return None
    return Typed(ir.ReadRegister(procedure.register, ()), ir.Member(procedure.register))


def _binary(scope: Scope, binary: tree.Binary) -> Typed | None:
    if binary.operator in ("and", "or"):
        parts = [scope.wanted(part, ir.Truth()) for part in _flat(binary, binary.operator)]
        whole = tuple(part for part in parts if part is not None)
        if len(whole) < len(parts):
            return None
        return Typed(ir.And(whole) if binary.operator == "and" else ir.Or(whole), ir.Truth())
    if binary.operator in _RELATIONS:
        return _comparison(scope, binary, _RELATIONS[binary.operator])
    return _arithmetic(scope, binary, _OPERATORS[binary.operator])


def _flat(expression: tree.Expression, operator: str) -> list[tree.Expression]:
    if isinstance(expression, tree.Binary) and expression.operator == operator:
        return [*_flat(expression.left, operator), *_flat(expression.right, operator)]
    return [expression]


def _comparison(scope: Scope, binary: tree.Binary, relation: ir.Relation) -> Typed | None:
    left, right = lower_pair(scope, binary.left, binary.right, None)
    if left is None or right is None:
        return None
    if typing.join(left.type, right.type) is None:
        scope.report(
            codes.TYPE_MISMATCH,
            Text(
                f"сравниваются {typing.name_ru(left.type)} и {typing.name_ru(right.type)}",
                f"this compares {typing.name_en(left.type)} with {typing.name_en(right.type)}",
            ),
            binary.span,
        )
        return None
    if relation in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
        _warn_never_none(scope, binary, left, right)
        return Typed(ir.Compare(relation, left.expression, right.expression), ir.Truth())
    if not is_ordered(scope, left.type):
        scope.report(
            codes.NOT_ORDERED,
            Text(
                f"«{relation.value}» требует порядка, а {typing.name_ru(left.type)} его не имеет",
                f"“{relation.value}” needs an order, which {typing.name_en(left.type)} does not have",
            ),
            binary.span,
            Text("объявите сорт словом «порядок»", "declare the sort with `order`"),
        )
        return None
    return Typed(ir.Compare(relation, plain(left).expression, plain(right).expression), ir.Truth())


def _warn_never_none(scope: Scope, binary: tree.Binary, left: Typed, right: Typed) -> None:
    for nothing, other in ((left, right), (right, left)):
        if isinstance(nothing.expression, ir.Nothing) and not typing.is_optional(other.type):
            scope.report(
                codes.NEVER_NONE,
                Text(
                    "это значение есть всегда: сравнивать его с «нет» незачем", "this value is always there, never none"
                ),
                binary.span,
            )


def is_ordered(scope: Scope, type_: ir.Type) -> bool:
    """Whether < and > mean something for values of the type."""
    return isinstance(type_, ir.Whole) or (isinstance(type_, ir.Member) and scope.world.sorts[type_.sort].ordered)


def plain(typed: Typed) -> Typed:
    """The expression with «нет» ruled out (undefined where it is «нет»)."""
    if typing.is_optional(typed.type):
        return Typed(ir.Present(typed.expression), typing.present(typed.type))
    return typed


def lower_pair(
    scope: Scope, first: tree.Expression, second: tree.Expression, expected: ir.Type | None
) -> tuple[Typed | None, Typed | None]:
    """Two expressions that should have one type; the one whose type shows helps to read the other."""
    if needs_context(scope, first) and not needs_context(scope, second):
        right = scope.lower(second, expected)
        return (None if right is None else scope.lower(first, right.type)), right
    left = scope.lower(first, expected)
    return left, (None if left is None else scope.lower(second, left.type))


def needs_context(scope: Scope, expression: tree.Expression) -> bool:
    """Whether the expression could be read in several ways without knowing what it is compared with."""
    match expression:
        case tree.Nothing() | tree.Numeral():
            return True
        case tree.Name():
            word = expression.text
            taken = word in scope.bound or word in scope.world.slots or word in scope.world.registers
            return not taken and word not in scope.world.parameters and len(scope.world.values.get(word, ())) > 1
        case tree.RuleName():
            return len(scope.world.values.get(expression.number, ())) > 1
        case tree.Conditional():
            return needs_context(scope, expression.then) and needs_context(scope, expression.otherwise)
        case _:
            return False


def _arithmetic(scope: Scope, binary: tree.Binary, operator: ir.Operator) -> Typed | None:
    number = ir.Whole(None, None)
    operands = []
    for side in (binary.left, binary.right):
        typed = scope.lower(side, number)
        if typed is not None and scope.coerce(typed, number, side.span) is not None:
            operands.append(plain(typed))
    if len(operands) < 2:
        return None
    left, right = operands
    assert isinstance(left.type, ir.Whole) and isinstance(right.type, ir.Whole)
    whole = ir.Arithmetic(operator, left.expression, right.expression)
    return Typed(whole, typing.arithmetic(operator, left.type, right.type))


def _minus(scope: Scope, minus: tree.Minus) -> Typed | None:
    if isinstance(minus.of, tree.Numeral):
        return Typed(ir.Number(-minus.of.value), ir.Whole(-minus.of.value, -minus.of.value))
    zero = tree.Numeral(0, span=minus.span)
    return _arithmetic(scope, tree.Binary("−", zero, minus.of, span=minus.span), ir.Operator.SUBTRACT)


def _emptiness(scope: Scope, emptiness: tree.Emptiness) -> Typed | None:
    zone = calls.zone_ref(scope, emptiness.zone)
    if zone is None:
        return None
    relation = ir.Relation.UNEQUAL if emptiness.negated else ir.Relation.EQUAL
    return Typed(ir.Compare(relation, ir.Size(zone), ir.Number(0)), ir.Truth())


def _membership(scope: Scope, membership: tree.Membership) -> Typed | None:
    card = scope.wanted(membership.card, ir.Member(scope.world.card_sort))
    zone = calls.zone_ref(scope, membership.zone)
    if card is None or zone is None:
        return None
    inside = ir.InZone(card, zone)
    return Typed(ir.Not(inside) if membership.negated else inside, ir.Truth())


def _conditional(scope: Scope, conditional: tree.Conditional, expected: ir.Type | None) -> Typed | None:
    condition = scope.condition(conditional.condition)
    then, otherwise = lower_pair(scope, conditional.then, conditional.otherwise, expected)
    if condition is None or then is None or otherwise is None:
        return None
    joined = typing.join(then.type, otherwise.type)
    if joined is None:
        scope.report(
            codes.TYPE_MISMATCH,
            Text(
                f"ветви разного рода: {typing.name_ru(then.type)} и {typing.name_ru(otherwise.type)}",
                f"the branches differ in kind: {typing.name_en(then.type)} and {typing.name_en(otherwise.type)}",
            ),
            conditional.span,
        )
        return None
    return Typed(ir.Choose(condition, then.expression, otherwise.expression), joined)


def _before(scope: Scope, before: tree.Before, expected: ir.Type | None) -> Typed | None:
    if scope.moment is Moment.STATE:
        scope.report(
            codes.NOT_HERE,
            Text(
                "«было» говорят только в последствиях и в «всегда»",
                "`before` belongs in consequences and in `always` only",
            ),
            before.span,
            Text("нужное раньше храните в ячейке", "keep what is needed later in a register"),
        )
        return None
    of = replace(scope, judging=False).lower(before.of, expected)  # what was allowed before is not kept
    return None if of is None else Typed(ir.Before(of.expression), of.type)
