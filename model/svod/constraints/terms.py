"""Folding term builders: Python constants and Z3 terms in, the simplest equal term out.

A *truth* is a Python bool or a Z3 Boolean. A *quantity* is a whole number (or the number of a value of a sort) with
known bounds, from which the width of its bit-vector follows, so that nothing ever wraps; it may be absent («нет»).
A *mask* is a set of card numbers: a Python int or a bit-vector as wide as the card sort.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import z3
from z3 import z3core

Truth: TypeAlias = Any  # bool | z3.BoolRef: z3 ships no types
Bits: TypeAlias = Any  # int | z3.BitVecRef
Mask: TypeAlias = Any  # int | z3.BitVecRef
T = TypeVar("T")

# Z3's own constructors check and coerce their operands every time; here the sorts are known, so terms are made directly.
_CONTEXT = z3.main_ctx()
_REFERENCE = _CONTEXT.ref()
_NUMERALS: dict[tuple[int, int], Any] = {}


def _array(parts: Sequence[Any]) -> Any:
    return (z3.Ast * len(parts))(*[part.ast for part in parts])


def _truth(node: Any) -> Any:
    return z3.BoolRef(node, _CONTEXT)


def _vector(node: Any) -> Any:
    return z3.BitVecRef(node, _CONTEXT)


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
    return kept[0] if len(kept) == 1 else _truth(z3core.Z3_mk_and(_REFERENCE, len(kept), _array(kept)))


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
    return kept[0] if len(kept) == 1 else _truth(z3core.Z3_mk_or(_REFERENCE, len(kept), _array(kept)))


def negation(of: Truth) -> Truth:
    if isinstance(of, bool):
        return not of
    if z3core.Z3_get_decl_kind(_REFERENCE, z3core.Z3_get_app_decl(_REFERENCE, of.ast)) == z3.Z3_OP_NOT:
        return _truth(z3core.Z3_get_app_arg(_REFERENCE, of.ast, 0))
    return _truth(z3core.Z3_mk_not(_REFERENCE, of.ast))


def implication(premise: Truth, conclusion: Truth) -> Truth:
    return disjunction(negation(premise), conclusion)


def same_truth(left: Truth, right: Truth) -> Truth:
    if isinstance(left, bool):
        return right if left else negation(right)
    if isinstance(right, bool):
        return left if right else negation(left)
    return True if left.eq(right) else _truth(z3core.Z3_mk_eq(_REFERENCE, left.ast, right.ast))


def choose_truth(condition: Truth, then: Truth, otherwise: Truth) -> Truth:
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, bool):
        return disjunction(condition, otherwise) if then else conjunction(negation(condition), otherwise)
    if isinstance(otherwise, bool):
        return disjunction(negation(condition), then) if otherwise else conjunction(condition, then)
    if then.eq(otherwise):
        return then
    return _truth(z3core.Z3_mk_ite(_REFERENCE, condition.ast, then.ast, otherwise.ast))


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
    return _vector(z3core.Z3_mk_ite(_REFERENCE, condition.ast, bits(then, width).ast, bits(otherwise, width).ast))


def same_bits(left: Bits, right: Bits, width: int) -> Truth:
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    if not isinstance(left, int) and not isinstance(right, int) and left.eq(right):
        return True
    return _truth(z3core.Z3_mk_eq(_REFERENCE, bits(left, width).ast, bits(right, width).ast))


def bit(of: Bits, place: int) -> Truth:
    """Bit number `place`."""
    if isinstance(of, int):
        return bool(of >> place & 1)
    return same_bits(extract(place, place, of), 1, 1)


def extract(high: int, low: int, of: Any) -> Any:
    """Bits high..low of a bit-vector term."""
    return _vector(z3core.Z3_mk_extract(_REFERENCE, high, low, of.ast))


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
    return _vector(extend(_REFERENCE, missing, of.number.ast))


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
    return _truth(compare(_REFERENCE, first.ast, second.ast))


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
    return _vector(z3core.Z3_mk_bvor(_REFERENCE, bits(left, width).ast, bits(right, width).ast))


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
    return _vector(z3core.Z3_mk_bvand(_REFERENCE, bits(left, width).ast, bits(right, width).ast))


def mask_other(of: Mask, width: int) -> Mask:
    """The complement."""
    return ~of & ((1 << width) - 1) if isinstance(of, int) else _vector(z3core.Z3_mk_bvnot(_REFERENCE, of.ast))


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
