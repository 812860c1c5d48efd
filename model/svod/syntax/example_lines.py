"""In: a Lark tree of an example fence. Out: the example's lines in order."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from svod.syntax import tree
from svod.syntax.building import ExpressionBuilder, word
from svod.syntax.keywords import canonical_number


@v_args(meta=True)
class ExampleBuilder(ExpressionBuilder):
    """Builds the lines of an example."""

    def example(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def _given(self, meta: Meta, children: list[Any], value: Any, cards: Any) -> tree.Given:
        target = children[0]
        if isinstance(target, tree.Call):
            return tree.Given(target.name, target.arguments, value, cards, span=self._span(meta))
        return tree.Given(target.text, (), value, cards, span=self._span(meta))

    def given_value(self, meta: Meta, children: list[Any]) -> tree.Given:
        return self._given(meta, children, children[-1], None)

    def given_cards(self, meta: Meta, children: list[Any]) -> tree.Given:
        cards = tuple(child for child in children[1:] if not isinstance(child, Token))
        return self._given(meta, children, None, cards)

    def given_empty(self, meta: Meta, children: list[Any]) -> tree.Given:
        return self._given(meta, children, None, ())

    def card(self, meta: Meta, children: list[Any]) -> tuple[Any, None]:
        return children[0], None

    def authored(self, meta: Meta, children: list[Any]) -> tuple[Any, Any]:
        return children[0][0], children[1]

    def rest(self, meta: Meta, children: list[Any]) -> tree.Rest:
        return tree.Rest(children[0], span=self._span(meta))

    def do(self, meta: Meta, children: list[Any]) -> tree.Do:
        return tree.Do(children[0], span=self._span(meta))

    def expect_true(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return tree.Expect(children[0], None, None, None, None, span=self._span(meta))

    def _status(self, status: str, meta: Meta, children: list[Any]) -> tree.Expect:
        return tree.Expect(None, status, None, children[0], None, span=self._span(meta))

    def lawful(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._status("lawful", meta, children)

    def unlawful(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._status("unlawful", meta, children)

    def contested(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._status("contested", meta, children)

    def impossible(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._status("impossible", meta, children)

    def place_name(self, meta: Meta, children: list[Any]) -> str:
        return canonical_number(word(children[0]))

    def _outcome(self, outcome: str, meta: Meta, children: list[Any]) -> tree.Expect:
        place = children[0] if children else None
        return tree.Expect(None, None, outcome, None, place, span=self._span(meta))

    def hole(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._outcome("hole", meta, children)

    def race(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._outcome("race", meta, children)

    def clash(self, meta: Meta, children: list[Any]) -> tree.Expect:
        return self._outcome("clash", meta, children)
