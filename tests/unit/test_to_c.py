"""The C printer: what it accepts computes the same as Python, what it does not know it refuses."""

from __future__ import annotations

import random

import pytest

from svod.diagnostics import InternalError
from svod.engine.backend import in_python, read
from svod.engine.to_c import c_from_source
from svod_tools.native import compile_native

needs_compiler = pytest.mark.skipif(compile_native("X = 1", [])[0] is None, reason="no C compiler here")

PROGRAM = '''
"""A program of every kind of statement and expression."""
T67 = (0, 0, 1, 39, 2, 15, 40, 23, 3, 12, 16, 59, 41, 19, 24, 54, 4, 0, 13, 10, 17, 62, 60, 28, 42, 30, 20, 51, 25, 44,
       55, 47, 5, 32, 0, 38, 14, 22, 11, 58, 18, 53, 63, 9, 61, 27, 29, 50, 43, 46, 31, 37, 21, 57, 52, 8, 26, 49, 45,
       36, 56, 7, 48, 35, 6, 34, 33)
СДВИГ = -3
ELEVEN = 11
TABLE = (5, -7, ELEVEN)

def bits(m, A):
    n = 0
    while m:
        b = m & -m
        m ^= b
        A[n] = T67[b % 67]
        n += 1
    return n

def popcount(m):
    n = 0
    while m:
        m &= m - 1
        n += 1
    return n

def divide(a, b):
    return (a // b) * 1000003 + a % b

def both(a, b):
    return (a and b) * 7 + (a or b)

def mixed(a: int, b: int) -> int:
    if a < b <= 10 and not a == 3:
        c = a if b > 2 else b
    elif a > 100 or b > 100:
        c = min(a, b) - max(a, СДВИГ)
    else:
        c = ~a ^ (b << 3) | (a >> 1)
    for int_ in range(3):
        c = c * 31 + TABLE[int_]
        int_ += 5
        if c % 1000003 == 5:
            continue
        c %= 1000000007
    return c + (a < b) + СДВИГ

def work(A, n):
    """Fills the array and returns a checksum."""
    i = 0
    x = 1
    while True:
        if i >= n:
            break
        x = x * 48271 % 2147483647
        A[i] = x
        A[i] += mixed(x % 50 - 25, i)
        i += 1
    return x + popcount(n) * n.bit_count()
'''


@needs_compiler
def test_both_compute_the_same() -> None:
    entries = ["bits", "popcount", "divide", "both", "mixed", "work"]
    slow = in_python(PROGRAM, entries)
    fast, reason = compile_native(PROGRAM, entries)
    assert fast is not None, reason
    draw = random.Random(5)
    values = [0, 1, -1, 2, 3, 7, 10, 101, -100] + [draw.randrange(-(10**9), 10**9) for _ in range(20)]
    for a in values:
        for b in values:
            assert slow.call("both", a % 1000, b % 1000) == fast.call("both", a % 1000, b % 1000)
            assert slow.call("mixed", a, b) == fast.call("mixed", a, b), (a, b)
            if b:
                assert slow.call("divide", a, b) == fast.call("divide", a, b), (a, b)
    for mask in (0, 1, 1 << 62, 0b1011000, (1 << 63) - 1):
        one, two = slow.buffer(64), fast.buffer(64)
        assert slow.call("popcount", mask) == fast.call("popcount", mask) == mask.bit_count()
        assert slow.call("bits", mask, one) == fast.call("bits", mask, two) == mask.bit_count()
        assert read(one, 0, len(one)) == read(two, 0, len(two))
    one, two = slow.buffer(500), fast.buffer(500)
    assert slow.call("work", one, 500) == fast.call("work", two, 500)
    assert read(one, 0, len(one)) == read(two, 0, len(two))


@pytest.mark.parametrize(
    "body",
    [
        "    return 1 / 2",
        "    return [1][0]",
        "    return x",
        "    x: int = 1\n    return x",
        "    return len(A)",
        "    return A",
        "    B = A\n    return 1",
        "    TABLE[0] = 1\n    return 1",
        "    for i in A:\n        pass\n    return 1",
        "    return 1 if a is None else 2",
        "    return f(A)",
        "    return f(a, A)",
        "    return f(TABLE, a)",
        "    A[f(A, a)] += 1\n    return 1",
        "    return 9223372036854775808",
        "    return 1.5",
        "    return 'a'",
        "    return a < f(A, a) < 3",
        "    while a:\n        a -= 1\n    else:\n        a = 1\n    return a",
        "    try:\n        a = 1\n    finally:\n        a = 2\n    return a",
        "    del a\n    return 1",
        "    a, b = 1, 2\n    return a",
        "    def g():\n        return 1\n    return g()",
        "    return (lambda: 1)()",
        "    return a ** 2",
        "    return (a := 3)",
    ],
)
def test_the_rest_is_refused(body: str) -> None:
    with pytest.raises(InternalError):
        c_from_source(f"TABLE = (1, 2)\ndef f(A, a):\n{body}\n", ["f"])


@pytest.mark.parametrize(
    "text", ["import os", "X = [1]", "class A:\n    pass", "def f(*a):\n    return 1", "X = 1.5", "X = 'a'"]
)
def test_a_module_holds_constants_and_functions_only(text: str) -> None:
    with pytest.raises(InternalError):
        c_from_source(text, [])


def test_an_entry_that_is_not_there_is_refused() -> None:
    with pytest.raises(InternalError):
        c_from_source("def f(a):\n    return a\n", ["g"])
    with pytest.raises(InternalError):
        in_python("def f(a):\n    return a\n", ["g"])


def test_everything_is_static_but_the_entries() -> None:
    text = c_from_source("def step(a):\n    return a\ndef go(a):\n    return step(a)\n", ["go"])
    outside = [line for line in text.splitlines() if line.startswith("word ")]
    assert len(outside) == 1 and outside[0].startswith("word svod_go(")
    assert "word f_step(word v_a)" in text
