"""Folding term builders: Python constants and Z3 terms in, the simplest equal term out.

A *truth* is a Python bool or a Z3 Boolean. A *quantity* is a whole number (or the number of a value of a sort) with
known bounds, from which the width of its bit-vector follows, so that nothing ever wraps; it may be absent («нет»).
A *mask* is a set of card numbers: a Python int or a bit-vector as wide as the card sort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from z3 import z3core

from svod.constraints.bits import (
    REFERENCE,
    Bits,
    Mask,
    Truth,
    as_truth,
    bit,
    bits,
    choose_bits,
    choose_truth,
    conjunction,
    disjunction,
    extract,
    implication,
    negation,
    same_bits,
    same_truth,
    select,
    truth_node,
    vector_node,
    width_for,
)

__all__ = [
    "NOTHING",
    "Bits",
    "Mask",
    "Quantity",
    "Truth",
    "add",
    "as_truth",
    "bit",
    "bits",
    "choose",
    "choose_bits",
    "choose_truth",
    "conjunction",
    "constant",
    "count_of",
    "disjunction",
    "equal",
    "extract",
    "holds_card",
    "implication",
    "less",
    "mask_common",
    "mask_empty",
    "mask_everywhere",
    "mask_if",
    "mask_other",
    "mask_size",
    "mask_union",
    "mask_without",
    "multiply",
    "narrowed",
    "negation",
    "same_bits",
    "same_truth",
    "select",
    "single",
    "subtract",
    "table",
    "total",
    "truth_table",
    "widened",
    "width_for",
]

# -------------------------------------------------------------------------------------------------- quantities


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """A number in low..high held in `width_for(low, high)` bits; where `absent` holds the number means nothing."""

    low: int
    high: int
    number: Bits
    absent: Truth = False

    @property
    def width(self) -> int:
        return width_for(self.low, self.high)

    @property
    def constant(self) -> int | None:
        """The number if it is known while building."""
        return self.number if isinstance(self.number, int) else None

    def key(self) -> tuple[Any, ...]:
        """Equal keys mean equal terms, as long as both live."""
        number = self.number if isinstance(self.number, int) else ("z", self.number.get_id())
        absent = self.absent if isinstance(self.absent, bool) else ("z", self.absent.get_id())
        return self.low, self.high, number, absent


NOTHING = Quantity(0, 0, 0, True)


def constant(number: int) -> Quantity:
    return Quantity(number, number, number)


def widened(of: Quantity, low: int, high: int) -> Bits:
    """The number of `of` in the bits that low..high take; low..high must hold all of its values."""
    if isinstance(of.number, int):
        return of.number
    missing = width_for(low, high) - of.number.size()
    if missing <= 0:
        return of.number if missing == 0 else extract(width_for(low, high) - 1, 0, of.number)
    extend = z3core.Z3_mk_sign_ext if of.low < 0 else z3core.Z3_mk_zero_ext
    return vector_node(extend(REFERENCE, missing, of.number.ast))


def narrowed(of: Quantity, low: int, high: int) -> Bits:
    """The number of `of` in the bits that low..high take, where it is known to lie there."""
    if isinstance(of.number, int):
        return min(max(of.number, low), high)
    return widened(of, low, high)


def _common(left: Quantity, right: Quantity) -> tuple[int, int]:
    return min(left.low, right.low), max(left.high, right.high)


def equal(left: Quantity, right: Quantity) -> Truth:
    """Both absent, or both present with equal numbers."""
    low, high = _common(left, right)
    if left.low > right.high or right.low > left.high:
        numbers: Truth = False
    else:
        numbers = same_bits(widened(left, low, high), widened(right, low, high), width_for(low, high))
    if left.absent is False and right.absent is False:
        return numbers
    both = conjunction(left.absent, right.absent)
    return disjunction(both, conjunction(negation(left.absent), negation(right.absent), numbers))


def less(left: Quantity, right: Quantity) -> Truth:
    """left < right on numbers; says nothing where either is absent."""
    if left.high < right.low:
        return True
    if left.low >= right.high:
        return False
    low, high = _common(left, right)
    width = width_for(low, high)
    first, second = bits(widened(left, low, high), width), bits(widened(right, low, high), width)
    compare = z3core.Z3_mk_bvslt if low < 0 else z3core.Z3_mk_bvult
    return truth_node(compare(REFERENCE, first.ast, second.ast))


def choose(condition: Truth, then: Quantity, otherwise: Quantity) -> Quantity:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then.absent is True and otherwise.absent is True:
        return then
    if then.absent is True:
        return Quantity(otherwise.low, otherwise.high, otherwise.number, disjunction(condition, otherwise.absent))
    if otherwise.absent is True:
        return Quantity(then.low, then.high, then.number, disjunction(negation(condition), then.absent))
    low, high = _common(then, otherwise)
    number = choose_bits(condition, widened(then, low, high), widened(otherwise, low, high), width_for(low, high))
    return Quantity(low, high, number, choose_truth(condition, then.absent, otherwise.absent))


def _arithmetic(left: Quantity, right: Quantity, low: int, high: int, apply: Callable[[Any, Any], Any]) -> Quantity:
    absent = disjunction(left.absent, right.absent)
    if isinstance(left.number, int) and isinstance(right.number, int):
        number = apply(left.number, right.number)
        return Quantity(number, number, number, absent)
    # NOTE(arithmetic width): operands are widened to bounds that hold them and the result, then cut to the result.
    wide_low, wide_high = min(low, left.low, right.low), max(high, left.high, right.high)
    width = width_for(wide_low, wide_high)
    term = apply(bits(widened(left, wide_low, wide_high), width), bits(widened(right, wide_low, wide_high), width))
    if width > width_for(low, high):
        term = extract(width_for(low, high) - 1, 0, term)
    return Quantity(low, high, term, absent)


def add(left: Quantity, right: Quantity) -> Quantity:
    return _arithmetic(left, right, left.low + right.low, left.high + right.high, lambda a, b: a + b)


def subtract(left: Quantity, right: Quantity) -> Quantity:
    return _arithmetic(left, right, left.low - right.high, left.high - right.low, lambda a, b: a - b)


def multiply(left: Quantity, right: Quantity) -> Quantity:
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _arithmetic(left, right, min(corners), max(corners), lambda a, b: a * b)


def total(parts: Sequence[Quantity]) -> Quantity:
    """Sum by a balanced tree."""
    if not parts:
        return constant(0)
    level = list(parts)
    while len(level) > 1:
        pairs = [add(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        level = pairs + level[len(level) - len(level) % 2 :]
    return level[0]


def count_of(conditions: Sequence[Truth]) -> Quantity:
    """How many of the conditions are met."""
    known = sum(1 for condition in conditions if condition is True)
    open_ones = [condition for condition in conditions if not isinstance(condition, bool)]
    ones = [Quantity(0, 1, choose_bits(condition, 1, 0, 1)) for condition in open_ones]
    return total([constant(known), *ones]) if known else total(ones)


def table(index: Quantity, values: Sequence[int]) -> Quantity:
    """`values[index]`."""
    if isinstance(index.number, int):
        return constant(values[min(max(index.number, 0), len(values) - 1)])
    low, high = min(values), max(values)
    width = width_for(low, high)
    return Quantity(low, high, select(index.number, list(values), lambda c, a, b: choose_bits(c, a, b, width)))


def truth_table(index: Quantity, values: Sequence[Truth]) -> Truth:
    """`values[index]` for truths."""
    return select(index.number, list(values), choose_truth)


# ------------------------------------------------------------------------------------------------------- masks


def mask_union(left: Mask, right: Mask, width: int) -> Mask:
    full = (1 << width) - 1
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int):
            if one == 0:
                return other
            if one == full:
                return full
    if isinstance(left, int) and isinstance(right, int):
        return left | right
    return vector_node(z3core.Z3_mk_bvor(REFERENCE, bits(left, width).ast, bits(right, width).ast))


def mask_common(left: Mask, right: Mask, width: int) -> Mask:
    full = (1 << width) - 1
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int):
            if one == 0:
                return 0
            if one == full:
                return other
    if isinstance(left, int) and isinstance(right, int):
        return left & right
    return vector_node(z3core.Z3_mk_bvand(REFERENCE, bits(left, width).ast, bits(right, width).ast))


def mask_other(of: Mask, width: int) -> Mask:
    """The complement."""
    return ~of & ((1 << width) - 1) if isinstance(of, int) else vector_node(z3core.Z3_mk_bvnot(REFERENCE, of.ast))


def mask_without(of: Mask, gone: Mask, width: int) -> Mask:
    return mask_common(of, mask_other(gone, width), width)


def mask_empty(of: Mask, width: int) -> Truth:
    return same_bits(of, 0, width)


def mask_if(condition: Truth, of: Mask, width: int) -> Mask:
    return choose_bits(condition, of, 0, width)


def mask_everywhere(condition: Truth, width: int) -> Mask:
    """All cards or none."""
    return choose_bits(condition, (1 << width) - 1, 0, width)


def single(card: Quantity, width: int) -> Mask:
    """The mask of one card."""
    if isinstance(card.number, int):
        return 1 << card.number
    return bits(1, width) << _shift(card, width)


def holds_card(of: Mask, card: Quantity, width: int) -> Truth:
    if isinstance(card.number, int):
        return bit(of, card.number)
    if isinstance(of, int):
        if of == 0:
            return False
        return truth_table(card, [bool(of >> i & 1) for i in range(width)])
    return bit(z3.LShR(of, _shift(card, width)), 0)


def _shift(card: Quantity, width: int) -> Any:
    have = card.number.size()
    if have == width:
        return card.number
    return z3.ZeroExt(width - have, card.number) if have < width else extract(width - 1, 0, card.number)


def mask_size(of: Mask, width: int) -> Quantity:
    if isinstance(of, int):
        return constant(of.bit_count())
    return total([Quantity(0, 1, extract(i, i, of)) for i in range(width)])
