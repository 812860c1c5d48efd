"""Truths and bit-vectors that fold: Python constants and Z3 terms in, the simplest equal term out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import z3
from z3 import z3core

Truth: TypeAlias = Any  # bool | z3.BoolRef: z3 ships no types
Bits: TypeAlias = Any  # int | z3.BitVecRef
Mask: TypeAlias = Any  # int | z3.BitVecRef
T = TypeVar("T")

# Z3's own constructors check and coerce their operands every time; here sorts are known, so terms are made directly.
CONTEXT = z3.main_ctx()
REFERENCE = CONTEXT.ref()
_NUMERALS: dict[tuple[int, int], Any] = {}


def _array(parts: Sequence[Any]) -> Any:
    return (z3.Ast * len(parts))(*[part.ast for part in parts])


def truth_node(node: Any) -> Any:
    return z3.BoolRef(node, CONTEXT)


def vector_node(node: Any) -> Any:
    return z3.BitVecRef(node, CONTEXT)


def conjunction(*parts: Truth) -> Truth:
    """All of `parts`."""
    kept = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if not kept:
        return True
    return kept[0] if len(kept) == 1 else truth_node(z3core.Z3_mk_and(REFERENCE, len(kept), _array(kept)))


def disjunction(*parts: Truth) -> Truth:
    """Any of `parts`."""
    kept = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if not kept:
        return False
    return kept[0] if len(kept) == 1 else truth_node(z3core.Z3_mk_or(REFERENCE, len(kept), _array(kept)))


def negation(of: Truth) -> Truth:
    if isinstance(of, bool):
        return not of
    if z3core.Z3_get_decl_kind(REFERENCE, z3core.Z3_get_app_decl(REFERENCE, of.ast)) == z3.Z3_OP_NOT:
        return truth_node(z3core.Z3_get_app_arg(REFERENCE, of.ast, 0))
    return truth_node(z3core.Z3_mk_not(REFERENCE, of.ast))


def implication(premise: Truth, conclusion: Truth) -> Truth:
    return disjunction(negation(premise), conclusion)


def same_truth(left: Truth, right: Truth) -> Truth:
    if isinstance(left, bool):
        return right if left else negation(right)
    if isinstance(right, bool):
        return left if right else negation(left)
    return True if left.eq(right) else truth_node(z3core.Z3_mk_eq(REFERENCE, left.ast, right.ast))


def choose_truth(condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, bool):
        return disjunction(condition, otherwise) if then else conjunction(negation(condition), otherwise)
    if isinstance(otherwise, bool):
        return disjunction(negation(condition), then) if otherwise else conjunction(condition, then)
    if then.eq(otherwise):
        return then
    return truth_node(z3core.Z3_mk_ite(REFERENCE, condition.ast, then.ast, otherwise.ast))


def as_truth(value: Truth) -> Any:
    """As a Z3 Boolean."""
    return z3.BoolVal(value) if isinstance(value, bool) else value


# ------------------------------------------------------------------------------------------------ bit-vectors


def width_for(low: int, high: int) -> int:
    """Bits that hold low..high; two's complement if `low` is negative."""
    if low >= 0:
        return max(1, high.bit_length())
    return max((-low - 1).bit_length(), high.bit_length() if high > 0 else 0) + 1


def bits(value: Bits, width: int) -> Any:
    """As a bit-vector of this width."""
    if not isinstance(value, int):
        return value
    found = _NUMERALS.get((value, width))
    if found is None:
        found = _NUMERALS[value, width] = z3.BitVecVal(value, width)
    return found


def choose_bits(condition: Truth, then: Bits, otherwise: Bits, width: int) -> Bits:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, int) and isinstance(otherwise, int):
        if then == otherwise:
            return then
    elif not isinstance(then, int) and not isinstance(otherwise, int) and then.eq(otherwise):
        return then
    return vector_node(z3core.Z3_mk_ite(REFERENCE, condition.ast, bits(then, width).ast, bits(otherwise, width).ast))


def same_bits(left: Bits, right: Bits, width: int) -> Truth:
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    if not isinstance(left, int) and not isinstance(right, int) and left.eq(right):
        return True
    return truth_node(z3core.Z3_mk_eq(REFERENCE, bits(left, width).ast, bits(right, width).ast))


def bit(of: Bits, place: int) -> Truth:
    """Bit number `place`."""
    if isinstance(of, int):
        return bool(of >> place & 1)
    return same_bits(extract(place, place, of), 1, 1)


def extract(high: int, low: int, of: Any) -> Any:
    """Bits high..low of a bit-vector term."""
    return vector_node(z3core.Z3_mk_extract(REFERENCE, high, low, of.ast))


def select(index: Bits, options: Sequence[T], choose: Callable[[Truth, T, T], T]) -> T:
    """`options[index]` by a tree over the bits of `index`; an index past the end gives some option."""
    if isinstance(index, int):
        return options[min(max(index, 0), len(options) - 1)]

    def part(start: int, size: int) -> T:
        if size == 1 or start + 1 >= len(options):
            return options[min(start, len(options) - 1)]
        half = size // 2
        low = part(start, half)
        if start + half >= len(options):
            return low
        return choose(bit(index, half.bit_length() - 1), part(start + half, half), low)

    return part(0, 1 << min(index.size(), max(1, (len(options) - 1).bit_length())))
