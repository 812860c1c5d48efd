"""Where an expression stands: the world, the variables bound around it, and how its problems are reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.lower import codes, typing
from svod.norms.lower.world import Moment, World
from svod.source import Span
from svod.syntax import tree


class Typed(NamedTuple):
    """A lowered expression and its type."""

    expression: ir.Expression
    type: ir.Type


@dataclass(frozen=True)
class Scope:
    """`bound` maps words of the text to the variables they stand for here. `reserved` are names taken by variables
    of the clause that no word of the text stands for. `judging`: a condition that may ask what is allowed; `naming`:
    the condition of a violation, which asks that of the norms apart from violations."""

    world: World
    problems: Problems
    rule: str
    lowering: Callable[[Scope, tree.Expression, ir.Type | None], Typed | None]
    moment: Moment = Moment.STATE
    bound: Mapping[str, ir.Variable] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    judging: bool = False
    naming: bool = False

    def report(self, code: Code, message: Text, span: Span, help: Text | None = None) -> None:
        """Report a problem of the rule that the scope belongs to."""
        self.problems.report(code, message, span, rule=self.rule, help=help)

    def lower(self, expression: tree.Expression, expected: ir.Type | None = None) -> Typed | None:
        """Lower an expression; `expected` helps to tell words apart and is not enforced."""
        return self.lowering(self, expression, expected)

    def wanted(self, expression: tree.Expression, expected: ir.Type) -> ir.Expression | None:
        """Lower an expression that must have the expected type."""
        typed = self.lower(expression, expected)
        return None if typed is None else self.coerce(typed, expected, expression.span)

    def condition(self, expression: tree.Expression | None) -> ir.Expression | None:
        """Lower a condition; «always» if there is none."""
        return ir.Boolean(True) if expression is None else self.wanted(expression, ir.Truth())

    def coerce(self, typed: Typed, expected: ir.Type, span: Span) -> ir.Expression | None:
        """The expression as one of the expected type: «есть значение» is demanded where «нет» may not stand."""
        expression = typed.expression
        is_nothing = isinstance(expression, ir.Nothing)
        if typing.is_optional(typed.type) and not typing.is_optional(expected) and not is_nothing:
            plain = typing.present(typed.type)
            if typing.fits(plain, expected):
                return ir.Present(expression)
        if typing.fits(typed.type, expected):
            return expression
        self.report(
            codes.TYPE_MISMATCH,
            Text(
                f"здесь нужно {typing.name_ru(expected)}, а стоит {typing.name_ru(typed.type)}",
                f"{typing.name_en(expected)} is needed here, this is {typing.name_en(typed.type)}",
            ),
            span,
        )
        return None

    def bind(self, word: str, sort: str, span: Span) -> tuple[Scope, ir.Variable]:
        """Scope in which the word is a new variable of the sort; a word already bound is reported."""
        if word in self.bound:
            self.report(
                codes.SHADOWED,
                Text(f"переменная «{word}» здесь уже занята", f"the variable “{word}” is taken here already"),
                span,
                Text("возьмите другую переменную того же сорта", "use another variable of the same sort"),
            )
        taken = {variable.name for variable in self.bound.values()} | self.reserved
        name = word
        while name in taken:
            name += "′"
        variable = ir.Variable(name, sort)
        return self.with_bound({word: variable}), variable

    def with_bound(self, more: Mapping[str, ir.Variable]) -> Scope:
        """Scope in which these words stand for these variables as well."""
        return replace(self, bound={**self.bound, **more})
