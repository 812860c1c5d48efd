"""Asserted Z3 terms printed once as straight-line Python: what is run is the very term that Z3 saw.

Bit-vectors become non-negative ints, truths Python truth values. A node that is used once is written in place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import z3
from z3 import z3core

_INLINE_LONGEST = 400  # characters of an expression that may still be written in place
_INLINE_DEEPEST = 40


def print_function(name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> str:
    """Source of a function of the values of the constants `inputs` (one list) to the tuple of `outputs`."""
    printer = _Printer({constant.get_id(): f"S[{place}]" for place, constant in enumerate(inputs)})
    results = printer.print_all([output.as_ast() for output in outputs])
    body = [f"    {line}" for line in printer.lines]
    joined = ", ".join(results)
    return "\n".join([f"def {name}(S):", *body, f"    return ({joined}{',' if results else ''})", ""])


Printed: TypeAlias = Callable[[list[int]], tuple[Any, ...]]


def compile_function(name: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> Printed:
    """The printed function, ready to call."""
    space: dict[str, Any] = {}
    exec(compile(print_function(name, inputs, outputs), f"<{name}>", "exec"), space)
    function: Printed = space[name]
    return function


class _Printer:
    def __init__(self, constants: dict[int, str]) -> None:
        self.context = z3.main_ctx().ref()
        self.names = constants
        self.lines: list[str] = []
        self.uses: dict[int, int] = {}
        self.texts: dict[int, str] = {}
        self.depths: dict[int, int] = {}

    def print_all(self, roots: list[Any]) -> list[str]:
        order = self._ordered(roots)
        for node in order:
            self._print(node)
        return [self.texts[self._id(root)] for root in roots]

    def _id(self, node: Any) -> int:
        found: int = z3core.Z3_get_ast_id(self.context, node)
        return found

    def _children(self, node: Any) -> list[Any]:
        if z3core.Z3_get_ast_kind(self.context, node) == z3.Z3_NUMERAL_AST:
            return []
        app = z3core.Z3_to_app(self.context, node)
        count = z3core.Z3_get_app_num_args(self.context, app)
        return [z3core.Z3_get_app_arg(self.context, app, i) for i in range(count)]

    def _ordered(self, roots: list[Any]) -> list[Any]:
        """Every node once, operands first; counts the uses on the way."""
        order: list[Any] = []
        done: set[int] = set()
        self.kids: dict[int, list[Any]] = {}
        stack: list[tuple[Any, bool]] = [(root, False) for root in reversed(roots)]
        for root in roots:
            self.uses[self._id(root)] = self.uses.get(self._id(root), 0) + 1
        while stack:
            node, ready = stack.pop()
            identity = self._id(node)
            if ready:
                order.append(node)
                continue
            if identity in done:
                continue
            done.add(identity)
            children = self._children(node)
            self.kids[identity] = children
            stack.append((node, True))
            for child in children:
                key = self._id(child)
                self.uses[key] = self.uses.get(key, 0) + 1
                if key not in done:
                    stack.append((child, False))
        return order

    def _print(self, node: Any) -> None:
        identity = self._id(node)
        children = self.kids[identity]
        if not children:
            self.texts[identity], self.depths[identity] = self._leaf(node, identity), 0
            return
        keys = [self._id(child) for child in children]
        text = self._operation(node, children, [self.texts[key] for key in keys])
        depth = 1 + max(self.depths[key] for key in keys)
        if self.uses[identity] == 1 and len(text) <= _INLINE_LONGEST and depth <= _INLINE_DEEPEST:
            self.texts[identity], self.depths[identity] = text, depth
            return
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        self.texts[identity], self.depths[identity] = name, 0

    def _leaf(self, node: Any, identity: int) -> str:
        if z3core.Z3_get_ast_kind(self.context, node) == z3.Z3_NUMERAL_AST:
            return str(z3core.Z3_get_numeral_string(self.context, node))
        kind = self._kind(node)
        if kind == z3.Z3_OP_TRUE:
            return "True"
        if kind == z3.Z3_OP_FALSE:
            return "False"
        return self.names[identity]

    def _kind(self, node: Any) -> int:
        declaration = z3core.Z3_get_app_decl(self.context, z3core.Z3_to_app(self.context, node))
        found: int = z3core.Z3_get_decl_kind(self.context, declaration)
        return found

    def _width(self, node: Any) -> int:
        sort = z3core.Z3_get_sort(self.context, node)
        found: int = z3core.Z3_get_bv_sort_size(self.context, sort)
        return found

    def _parameter(self, node: Any, place: int) -> int:
        declaration = z3core.Z3_get_app_decl(self.context, z3core.Z3_to_app(self.context, node))
        found: int = z3core.Z3_get_decl_int_parameter(self.context, declaration, place)
        return found

    def _operation(self, node: Any, children: list[Any], texts: list[str]) -> str:
        kind = self._kind(node)
        simple = _SIMPLE.get(kind)
        if simple is not None:
            return "(" + simple.join(texts) + ")"
        if kind == z3.Z3_OP_NOT:
            return f"(not {texts[0]})"
        if kind == z3.Z3_OP_ITE:
            return f"({texts[1]} if {texts[0]} else {texts[2]})"
        if kind == z3.Z3_OP_IMPLIES:
            return f"((not {texts[0]}) or {texts[1]})"
        if kind in _SIGNED:
            sign = 1 << (self._width(children[0]) - 1)
            return f"(({texts[0]} ^ {sign}) {_SIGNED[kind]} ({texts[1]} ^ {sign}))"
        return self._bits(node, kind, children, texts)

    def _bits(self, node: Any, kind: int, children: list[Any], texts: list[str]) -> str:
        width = self._width(node)
        full = (1 << width) - 1
        if kind in _WRAPPING:
            return "((" + _WRAPPING[kind].join(texts) + f") & {full})"
        if kind == z3.Z3_OP_BNOT:
            return f"({texts[0]} ^ {full})"
        if kind == z3.Z3_OP_BNEG:
            return f"(-{texts[0]} & {full})"
        if kind == z3.Z3_OP_BSHL:
            return f"(({texts[0]} << {texts[1]}) & {full} if {texts[1]} < {width} else 0)"
        if kind == z3.Z3_OP_BLSHR:
            return f"({texts[0]} >> {texts[1]})"
        if kind == z3.Z3_OP_ZERO_EXT:
            return texts[0]
        if kind == z3.Z3_OP_SIGN_EXT:
            sign = 1 << (self._width(children[0]) - 1)
            return f"((({texts[0]} ^ {sign}) - {sign}) & {full})"
        if kind == z3.Z3_OP_EXTRACT:
            high, low = self._parameter(node, 0), self._parameter(node, 1)
            shifted = texts[0] if low == 0 else f"({texts[0]} >> {low})"
            return shifted if high == self._width(children[0]) - 1 else f"({shifted} & {full})"
        if kind == z3.Z3_OP_CONCAT:
            parts, shift = [], 0
            for child, text in zip(reversed(children), reversed(texts), strict=True):
                parts.append(text if shift == 0 else f"({text} << {shift})")
                shift += self._width(child)
            return "(" + " | ".join(parts) + ")"
        raise NotImplementedError(f"operator {kind}")


_SIMPLE = {
    z3.Z3_OP_AND: " and ",
    z3.Z3_OP_OR: " or ",
    z3.Z3_OP_EQ: " == ",
    z3.Z3_OP_IFF: " == ",
    z3.Z3_OP_DISTINCT: " != ",
    z3.Z3_OP_XOR: " != ",
    z3.Z3_OP_BAND: " & ",
    z3.Z3_OP_BOR: " | ",
    z3.Z3_OP_BXOR: " ^ ",
    z3.Z3_OP_ULEQ: " <= ",
    z3.Z3_OP_ULT: " < ",
    z3.Z3_OP_UGEQ: " >= ",
    z3.Z3_OP_UGT: " > ",
}
_SIGNED = {z3.Z3_OP_SLEQ: "<=", z3.Z3_OP_SLT: "<", z3.Z3_OP_SGEQ: ">=", z3.Z3_OP_SGT: ">"}
_WRAPPING = {z3.Z3_OP_BADD: " + ", z3.Z3_OP_BSUB: " - ", z3.Z3_OP_BMUL: " * "}
