"""In: an expression. Out: its canonical text in one of the languages, with parentheses only where they are needed.

Levels follow the grammar: 0 expression, 1 or, 2 and, 3 not, 4 comparison, 5 sum, 6 product, 7 unary, 8 atom.
A quantifier reads on as far as it can, so where more of the expression follows it is put in parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from svod.syntax import tree
from svod.syntax.keywords import KEYWORDS

EXPRESSION, OR, AND, NOT, COMPARISON, SUM, PRODUCT, UNARY, ATOM = range(9)

_OPERATORS = {  # own level, level of the left operand, level of the right operand
    "or": (OR, OR, AND),
    "and": (AND, AND, NOT),
    "+": (SUM, SUM, PRODUCT),
    "−": (SUM, SUM, PRODUCT),
    "×": (PRODUCT, PRODUCT, UNARY),
}
_COMPARISON_LEVELS = (COMPARISON, SUM, SUM)
_QUANTIFIERS = {
    "exists": "EXISTS",
    "all": "FOR_ALL",
    "count": "COUNT",
    "only": "ONLY",
    "sum": "SUM",
    "largest": "LARGEST",
    "smallest": "SMALLEST",
}


class ExpressionPrinter:
    """Prints expressions in one language."""

    def __init__(self, language: str) -> None:
        self.language = language

    def key(self, terminal: str) -> str:
        """The printed form of a keyword, with its comma."""
        return KEYWORDS[terminal].text(self.language)

    def expression(self, node: tree.Expression, level: int = EXPRESSION, last: bool = True) -> str:
        """The text of `node` where the grammar wants `level`; `last`: nothing of the same expression follows it."""
        text, own, reads_on = self._plain(node, last)
        if own < level or (reads_on and not last):
            text, _, _ = self._plain(node, True)
            return f"({text})"
        return text

    def place(self, node: tree.Expression) -> str:
        """A name, a call, or anything in parentheses."""
        match node:
            case tree.Name() | tree.Call():
                return self.expression(node)
            case _:
                return f"({self.expression(node)})"

    def call(self, name: str, arguments: Sequence[tree.Expression] | None) -> str:
        """`name(arguments)`; no parentheses where `arguments` is None."""
        if arguments is None:
            return name
        return f"{name}({', '.join(map(self._argument, arguments))})"

    def _argument(self, node: tree.Expression) -> str:
        """«, если» always begins the condition of a clause, so a conditional among arguments needs parentheses."""
        return f"({self.expression(node)})" if isinstance(node, tree.Conditional) else self.expression(node)

    def emptiness(self, zone: tree.Expression, negated: bool) -> str:
        """«пуст» in the form that agrees with the zone's name."""
        noun = zone.text if isinstance(zone, tree.Name) else zone.name if isinstance(zone, tree.Call) else ""
        return KEYWORDS["IS_NOT_EMPTY" if negated else "IS_EMPTY"].agreeing(self.language, noun)

    def _plain(self, node: tree.Expression, last: bool) -> tuple[str, int, bool]:
        """Text without parentheses around it, its level, and whether it would swallow what follows."""
        match node:
            case tree.Name(text):
                return text, ATOM, False
            case tree.Numeral(value):
                return str(value), ATOM, False
            case tree.RuleName(number):
                return number, ATOM, False
            case tree.Truth(value):
                return self.key("YES" if value else "NO"), ATOM, False
            case tree.Nothing():
                return self.key("NONE"), ATOM, False
            case tree.Call(name, arguments):
                return self.call(name, arguments), ATOM, False
            case tree.StepOf(procedure):
                return f"{self.key('STEP_OF')} {procedure}", ATOM, False
            case tree.Before(of):
                return f"{self.key('WAS')}({self.expression(of)})", ATOM, False
            case tree.HappenedNow(event, arguments):
                return f"{self.key('HAPPENED_NOW')} {self.call(event, arguments or None)}", ATOM, False
            case tree.Allowed(action, arguments):
                return f"{self.key('ALLOWED')} {self.call(action, arguments or None)}", ATOM, False
            case tree.Conditional(condition, then, otherwise):
                return self._conditional(condition, then, otherwise), EXPRESSION, False
            case tree.Quantifier() | tree.FirstClockwise():
                return self._quantifier(node, last)
            case tree.Not(tree.Quantifier("exists") as inner):
                return self._quantifier(inner, last, "NONE")
            case tree.Binary() | tree.Not() | tree.Minus() | tree.Emptiness() | tree.Membership():
                text, level = self._operator(node, last)
                return text, level, False
        assert_never(node)

    def _operator(
        self, node: tree.Binary | tree.Not | tree.Minus | tree.Emptiness | tree.Membership, last: bool
    ) -> tuple[str, int]:
        match node:
            case tree.Binary(operator, left, right):
                own, of_left, of_right = _OPERATORS.get(operator, _COMPARISON_LEVELS)
                sign = self.key(operator.upper()) if operator in ("or", "and") else operator
                first, second = self.expression(left, of_left, False), self.expression(right, of_right, last)
                return f"{first} {sign} {second}", own
            case tree.Not(of):
                return f"{self.key('NOT')} {self.expression(of, NOT, last)}", NOT
            case tree.Minus(of):
                return f"−{self.expression(of, UNARY, last)}", UNARY
            case tree.Emptiness(zone, negated):
                text = self.expression(zone, SUM, False)
                return f"{text} {self.emptiness(zone, negated)}", COMPARISON
            case tree.Membership(card, zone, negated):
                word = self.key("NOT_IN" if negated else "IN")
                return f"{self.expression(card, SUM, False)} {word} {self.expression(zone, SUM, last)}", COMPARISON
        assert_never(node)

    def _conditional(self, condition: tree.Expression, then: tree.Expression, otherwise: tree.Expression) -> str:
        first, second, third = self.expression(condition), self.expression(then), self.expression(otherwise)
        return f"{self.key('IF')} {first}{self.key('COMMA_THEN')} {second}{self.key('COMMA_ELSE')} {third}"

    def where(self, condition: tree.Expression | None) -> str:
        """The filter of a quantifier, or nothing."""
        return "" if condition is None else f"{self.key('COMMA_WHERE')} {self.expression(condition)}"

    def _quantifier(
        self, node: tree.Quantifier | tree.FirstClockwise, last: bool, terminal: str | None = None
    ) -> tuple[str, int, bool]:
        if isinstance(node, tree.FirstClockwise):
            word = self.key("CLOCKWISE_FROM" if node.inclusive else "CLOCKWISE_AFTER")
            text = f"{self.key('FIRST')} {node.variable} {word} {self.place(node.start)}{self.where(node.where)}"
            return text, ATOM, node.where is not None
        word = self.key(terminal or _QUANTIFIERS[node.kind])
        zone = "" if node.zone is None else f" {self.key('IN')} {self.place(node.zone)}"
        rest = f"{node.variable}{zone}{self.where(node.where)}"
        reads_on = node.where is not None or node.zone is None
        match node.kind, node.of:
            case "sum", of if of is not None:
                return f"{word} {self.expression(of)} {self.key('FOR')} {rest}", ATOM, reads_on
            case "all", of if of is not None:
                return f"{word} {rest}: {self.expression(of)}", ATOM, True
            case (("largest" | "smallest"), of) if of is not None:
                return f"{word} {rest} {self.key('BY')} {self.expression(of, SUM, last)}", ATOM, True
            case _:
                return f"{word} {rest}", ATOM, reads_on
