"""In: a Lark tree of clauses or of an example. Out: nodes of `tree`, each with its span in the file.

Methods are named after the rules of `grammar.lark`. The walk is not recursive, so no nesting of the text can break it.
"""

from __future__ import annotations

import re
from typing import Any

from lark import Token, v_args
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive

from svod.source import Span
from svod.syntax import tree
from svod.syntax.keywords import VARIATION, canonical_number

LARGEST_DIGITS = 9
LARGEST_RANGE = 1000

_COMPARISONS = {
    "EQUAL_SIGN": "=",
    "UNEQUAL_SIGN": "≠",
    "LESS_SIGN": "<",
    "LESS_OR_EQUAL_SIGN": "≤",
    "MORE_SIGN": ">",
    "MORE_OR_EQUAL_SIGN": "≥",
}


class Part:
    """A part of a statement that may be absent: its kind and its value."""

    __slots__ = ("kind", "span", "value")

    def __init__(self, kind: str, value: Any, span: Span) -> None:
        self.kind, self.value, self.span = kind, value, span


def parts(children: list[Any]) -> dict[str, Any]:
    """Values of the optional parts among children, by kind (the last one, where a part is repeated)."""
    return {child.kind: child.value for child in children if isinstance(child, Part)}


def word(token: Token | str) -> str:
    """Text of a name without the invisible sign that asks for a coloured or plain picture of a symbol."""
    return str(token).rstrip(VARIATION)


def string(token: Token) -> str:
    """Text between the quotes; a line end in it means a space, as everywhere in a fence."""
    return re.sub(r"\s*\n\s*", " ", str(token)[1:-1])


@v_args(meta=True)
class ExpressionBuilder(Transformer_NonRecursive[Token, Any]):
    """Builds expressions, patterns and what they share. `too_large` collects spans of numbers past the limit."""

    def __init__(self, source_name: str) -> None:
        super().__init__()
        self._source_name = source_name
        self.too_large: list[Span] = []
        self.repeated: list[Span] = []

    def _span(self, meta: Meta) -> Span:
        return Span(self._source_name, getattr(meta, "start_pos", 0), getattr(meta, "end_pos", 0))

    def _token_span(self, token: Token) -> Span:
        return Span(self._source_name, token.start_pos or 0, token.end_pos or 0)

    def _span_between(self, first: Span, last: Span) -> Span:
        return Span(self._source_name, first.start, last.end)

    def _number(self, token: Token) -> int:
        digits = str(token).lstrip("0") or "0"
        if len(digits) > LARGEST_DIGITS:
            self.too_large.append(self._token_span(token))
            return 0
        return int(digits)

    def _part(self, kind: str, meta: Meta, value: Any = True) -> Part:
        return Part(kind, value, self._span(meta))

    # ------------------------------------------------------------------------------------------------- wholes

    def expression_alone(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]

    def pattern_alone(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]

    # ----------------------------------------------------------------------------------------- shared by many

    def arguments(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("arguments", meta, tuple(children))

    def condition(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("condition", meta, children[0])

    def where(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("where", meta, children[0])

    def inside(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("inside", meta, children[0])

    def rule(self, meta: Meta, children: list[Any]) -> tree.RuleName:
        return tree.RuleName(canonical_number(children[0]), span=self._span(meta))

    def rules(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("rules", meta, tuple(children))

    def pattern(self, meta: Meta, children: list[Any]) -> tree.Pattern:
        return tree.Pattern(word(children[0]), parts(children).get("arguments", ()), span=self._span(meta))

    def patterns(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    # ------------------------------------------------------------------------------------------------- leaves

    def name(self, meta: Meta, children: list[Any]) -> tree.Name:
        return tree.Name(word(children[0]), span=self._span(meta))

    def numeral(self, meta: Meta, children: list[Any]) -> tree.Numeral:
        return tree.Numeral(self._number(children[0]), span=self._span(meta))

    def rule_value(self, meta: Meta, children: list[Any]) -> tree.RuleName:
        return tree.RuleName(canonical_number(children[0]), span=self._span(meta))

    def yes(self, meta: Meta, children: list[Any]) -> tree.Truth:
        return tree.Truth(True, span=self._span(meta))

    def no(self, meta: Meta, children: list[Any]) -> tree.Truth:
        return tree.Truth(False, span=self._span(meta))

    def nothing(self, meta: Meta, children: list[Any]) -> tree.Nothing:
        return tree.Nothing(span=self._span(meta))

    def call(self, meta: Meta, children: list[Any]) -> tree.Call:
        return tree.Call(word(children[0]), children[1].value, span=self._span(meta))

    def step_of(self, meta: Meta, children: list[Any]) -> tree.StepOf:
        return tree.StepOf(children[0].number, span=self._span(meta))

    def was(self, meta: Meta, children: list[Any]) -> tree.Before:
        return tree.Before(children[0], span=self._span(meta))

    def happened_now(self, meta: Meta, children: list[Any]) -> tree.HappenedNow:
        return tree.HappenedNow(word(children[0]), parts(children).get("arguments", ()), span=self._span(meta))

    def allowed(self, meta: Meta, children: list[Any]) -> tree.Allowed:
        return tree.Allowed(word(children[0]), parts(children).get("arguments", ()), span=self._span(meta))

    # ---------------------------------------------------------------------------------------------- operators

    def _binary(self, operator: str, meta: Meta, children: list[Any]) -> tree.Binary:
        return tree.Binary(operator, children[0], children[-1], span=self._span(meta))

    def conditional(self, meta: Meta, children: list[Any]) -> tree.Conditional:
        return tree.Conditional(children[0], children[1], children[2], span=self._span(meta))

    def disjunction(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary("or", meta, children)

    def conjunction(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary("and", meta, children)

    def comparison(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary(_COMPARISONS[children[1].type], meta, children)

    def plus(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary("+", meta, children)

    def minus(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary("−", meta, children)

    def times(self, meta: Meta, children: list[Any]) -> tree.Binary:
        return self._binary("×", meta, children)

    def negation(self, meta: Meta, children: list[Any]) -> tree.Not:
        return tree.Not(children[0], span=self._span(meta))

    def negative(self, meta: Meta, children: list[Any]) -> tree.Minus:
        return tree.Minus(children[0], span=self._span(meta))

    def member(self, meta: Meta, children: list[Any]) -> tree.Membership:
        return tree.Membership(children[0], children[1], False, span=self._span(meta))

    def not_member(self, meta: Meta, children: list[Any]) -> tree.Membership:
        return tree.Membership(children[0], children[1], True, span=self._span(meta))

    def empty(self, meta: Meta, children: list[Any]) -> tree.Emptiness:
        return tree.Emptiness(children[0], False, span=self._span(meta))

    def not_empty(self, meta: Meta, children: list[Any]) -> tree.Emptiness:
        return tree.Emptiness(children[0], True, span=self._span(meta))

    # -------------------------------------------------------------------------------------------- quantifiers

    def _quantifier(self, kind: str, meta: Meta, children: list[Any], of: Any = None) -> tree.Quantifier:
        variable = next(child for child in children if isinstance(child, Token))
        found = parts(children)
        zone, where = found.get("inside"), found.get("where")
        return tree.Quantifier(kind, word(variable), zone, where, of, span=self._span(meta))

    def exists(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("exists", meta, children)

    def not_exists(self, meta: Meta, children: list[Any]) -> tree.Not:
        return tree.Not(self._quantifier("exists", meta, children), span=self._span(meta))

    def every(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("all", meta, children, children[-1])

    def count(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("count", meta, children)

    def only(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("only", meta, children)

    def sum(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("sum", meta, children, children[0])

    def largest(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("largest", meta, children, children[-1])

    def smallest(self, meta: Meta, children: list[Any]) -> tree.Quantifier:
        return self._quantifier("smallest", meta, children, children[-1])

    def first_after(self, meta: Meta, children: list[Any]) -> tree.FirstClockwise:
        where = parts(children).get("where")
        return tree.FirstClockwise(word(children[0]), children[1], False, where, span=self._span(meta))

    def first_from(self, meta: Meta, children: list[Any]) -> tree.FirstClockwise:
        where = parts(children).get("where")
        return tree.FirstClockwise(word(children[0]), children[1], True, where, span=self._span(meta))
