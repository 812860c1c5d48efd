"""Expressions over parameters alone → their values, while the norms are built."""

from __future__ import annotations

from collections.abc import Mapping

from svod.diagnostics import Problems, Text
from svod.norms.lower import codes
from svod.norms.lower.world import suggestion
from svod.syntax import tree


def number(expression: tree.Expression, parameters: Mapping[str, int], rule: str, problems: Problems) -> int | None:
    """Value of a number over parameters; None once a problem is reported."""
    match expression:
        case tree.Numeral():
            return expression.value
        case tree.Name() if expression.text in parameters:
            return parameters[expression.text]
        case tree.Minus():
            of = number(expression.of, parameters, rule, problems)
            return None if of is None else -of
        case tree.Binary() if expression.operator in ("+", "−", "×"):
            left = number(expression.left, parameters, rule, problems)
            right = number(expression.right, parameters, rule, problems)
            if left is None or right is None:
                return None
            return {"+": left + right, "−": left - right, "×": left * right}[expression.operator]
        case _:
            _report(expression, parameters, rule, problems)
            return None


def condition(
    expression: tree.Expression | None, parameters: Mapping[str, int], rule: str, problems: Problems
) -> bool | None:
    """Truth of a condition over parameters; «always» if there is none; None once a problem is reported."""
    match expression:
        case None:
            return True
        case tree.Truth():
            return expression.value
        case tree.Not():
            of = condition(expression.of, parameters, rule, problems)
            return None if of is None else not of
        case tree.Binary() if expression.operator in ("and", "or"):
            left = condition(expression.left, parameters, rule, problems)
            right = condition(expression.right, parameters, rule, problems)
            if left is None or right is None:
                return None
            return (left and right) if expression.operator == "and" else (left or right)
        case tree.Binary() if expression.operator in ("=", "≠", "<", "≤", ">", "≥"):
            first = number(expression.left, parameters, rule, problems)
            second = number(expression.right, parameters, rule, problems)
            return None if first is None or second is None else _compare(expression.operator, first, second)
        case _:
            _report(expression, parameters, rule, problems)
            return None


def _compare(operator: str, left: int, right: int) -> bool:
    return {
        "=": left == right,
        "≠": left != right,
        "<": left < right,
        "≤": left <= right,
        ">": left > right,
        "≥": left >= right,
    }[operator]


def _report(expression: tree.Expression, parameters: Mapping[str, int], rule: str, problems: Problems) -> None:
    help = suggestion(expression.text, set(parameters)) if isinstance(expression, tree.Name) else None
    problems.report(
        codes.NOT_CONSTANT,
        Text("здесь допустимы только числа и параметры", "only numbers and parameters may stand here"),
        expression.span,
        rule=rule,
        help=help,
    )
