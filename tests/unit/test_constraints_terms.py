"""Terms that fold, against whole numbers; the printed form of a term against Z3's own value of it."""

from __future__ import annotations

from random import Random

import pytest
import z3

from svod.constraints import terms as t
from svod.constraints.printing import compile_function
from svod.constraints.terms import Quantity

BOUNDS = [(0, 1), (0, 6), (2, 9), (-5, 4), (-8, -2), (0, 35)]


def free(name: str, low: int, high: int) -> Quantity:
    return Quantity(low, high, z3.BitVec(name, t.width_for(low, high)))


def code(number: int, width: int) -> int:
    return number & ((1 << width) - 1)


def signed(value: int, low: int, width: int) -> int:
    return value - (1 << width) if low < 0 and value >> (width - 1) else value


@pytest.mark.parametrize("first", BOUNDS)
@pytest.mark.parametrize("second", BOUNDS)
def test_arithmetic_and_order_never_wrap(first: tuple[int, int], second: tuple[int, int]) -> None:
    a, b = free("a", *first), free("b", *second)
    results = [t.add(a, b), t.subtract(a, b), t.multiply(a, b)]
    truths = [t.as_truth(x) for x in (t.less(a, b), t.less(b, a), t.equal(a, b))]
    outputs = [t.bits(r.number, r.width) for r in results] + truths
    run = compile_function("f", [a.number, b.number], outputs)
    random = Random(0)
    numbers = [(x, y) for x in first for y in second]
    numbers += [(random.randint(*first), random.randint(*second)) for _ in range(20)]
    for x, y in numbers:
        found = run([code(x, a.width), code(y, b.width)])
        values = [signed(v, r.low, r.width) for v, r in zip(found[:3], results, strict=True)]
        assert values == [x + y, x - y, x * y]
        assert [bool(v) for v in found[3:]] == [x < y, y < x, x == y]


def test_absent_values_are_equal_to_each_other_only() -> None:
    maybe = Quantity(0, 3, z3.BitVec("x", 2), z3.Bool("no"))
    assert z3.is_true(z3.simplify(z3.substitute(t.equal(maybe, t.NOTHING), (z3.Bool("no"), z3.BoolVal(True)))))
    assert z3.is_false(z3.simplify(z3.substitute(t.equal(maybe, t.constant(1)), (z3.Bool("no"), z3.BoolVal(True)))))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
def test_tables_and_masks(size: int) -> None:
    values = [Random(size).randrange(20) - 5 for _ in range(size)]
    index = free("i", 0, max(1, size - 1))
    looked = t.table(index, values)
    mask = z3.BitVec("m", 13)
    card = free("c", 0, 12)
    outputs = [
        t.bits(looked.number, looked.width),
        t.bits(t.mask_size(mask, 13).number, t.mask_size(mask, 13).width),
        t.as_truth(t.holds_card(mask, card, 13)),
    ]
    run = compile_function("f", [index.number, mask, card.number], outputs)
    for place in range(size):
        for held in (0, 1, 0b1010101010101, (1 << 13) - 1):
            found = run([place, held, place])
            assert signed(found[0], looked.low, looked.width) == values[place]
            assert found[1:] == (held.bit_count(), bool(held >> place & 1))


def test_every_printed_operator_has_the_value_that_z3_gives() -> None:
    a, b, flag = z3.BitVec("a", 5), z3.BitVec("b", 5), z3.Bool("p")
    vectors = [
        a + b, a - b, a * b, a & b, a | b, a ^ b, ~a, -a, a << b, z3.LShR(a, b),
        z3.ZeroExt(3, a), z3.SignExt(3, a), z3.Extract(3, 1, a), z3.Concat(a, b), z3.If(flag, a, b),
    ]  # fmt: skip
    truths = [
        z3.ULT(a, b), z3.ULE(a, b), z3.UGT(a, b), z3.UGE(a, b), a < b, a <= b, a > b, a >= b, a == b,
        z3.And(flag, a == b), z3.Or(flag, a == b), z3.Not(flag), z3.Implies(flag, a == b), z3.Xor(flag, a == b),
        z3.Distinct(a, b), flag == (a == b),
    ]  # fmt: skip
    run = compile_function("f", [a, b, flag], [*vectors, *truths])
    random = Random(4)
    pairs = [(0, 0), (31, 31), (16, 15), (15, 16), (31, 0)]
    for x, y in pairs + [(random.randrange(32), random.randrange(32)) for _ in range(60)]:
        for p in (False, True):
            known = [(a, z3.BitVecVal(x, 5)), (b, z3.BitVecVal(y, 5)), (flag, z3.BoolVal(p))]
            found = run([x, y, int(p)])
            wanted = [z3.simplify(z3.substitute(term, *known)).as_long() for term in vectors]
            assert list(found[: len(vectors)]) == wanted
            wanted_truths = [z3.is_true(z3.simplify(z3.substitute(term, *known))) for term in truths]
            assert [bool(v) for v in found[len(vectors) :]] == wanted_truths
