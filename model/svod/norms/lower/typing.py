"""Types of the norms: which fits where, how two join, and what a person calls them."""

from __future__ import annotations

from typing import assert_never

from svod.norms import ir


def is_optional(type_: ir.Type) -> bool:
    """Whether «нет» is a value of the type."""
    match type_:
        case ir.Truth():
            return False
        case ir.Whole() | ir.Member():
            return type_.optional
        case _:
            assert_never(type_)


def present(type_: ir.Type) -> ir.Type:
    """The type without «нет»."""
    match type_:
        case ir.Truth():
            return type_
        case ir.Whole():
            return ir.Whole(type_.low, type_.high)
        case ir.Member():
            return ir.Member(type_.sort)
        case _:
            assert_never(type_)


def optional(type_: ir.Type) -> ir.Type:
    """The type with «нет»; conditions have no such form and stay as they are."""
    match type_:
        case ir.Truth():
            return type_
        case ir.Whole():
            return ir.Whole(type_.low, type_.high, True)
        case ir.Member():
            return ir.Member(type_.sort, True)
        case _:
            assert_never(type_)


def fits(given: ir.Type, wanted: ir.Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is needed. Ranges of numbers are not compared."""
    match given, wanted:
        case ir.Truth(), ir.Truth():
            return True
        case ir.Whole(), ir.Whole():
            return wanted.optional or not given.optional
        case ir.Member(), ir.Member():
            return given.sort == wanted.sort and (wanted.optional or not given.optional)
        case _:
            return False


def join(first: ir.Type, second: ir.Type) -> ir.Type | None:
    """The smallest type that both fit, or None."""
    match first, second:
        case ir.Truth(), ir.Truth():
            return first
        case ir.Whole(), ir.Whole():
            low = None if first.low is None or second.low is None else min(first.low, second.low)
            high = None if first.high is None or second.high is None else max(first.high, second.high)
            return ir.Whole(low, high, first.optional or second.optional)
        case ir.Member(), ir.Member() if first.sort == second.sort:
            return ir.Member(first.sort, first.optional or second.optional)
        case _:
            return None


def arithmetic(operator: ir.Operator, left: ir.Whole, right: ir.Whole) -> ir.Whole:
    """Range of a sum, difference or product."""
    if left.low is None or left.high is None or right.low is None or right.high is None:
        return ir.Whole(None, None)
    match operator:
        case ir.Operator.ADD:
            return ir.Whole(left.low + right.low, left.high + right.high)
        case ir.Operator.SUBTRACT:
            return ir.Whole(left.low - right.high, left.high - right.low)
        case ir.Operator.MULTIPLY:
            corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
            return ir.Whole(min(corners), max(corners))
        case _:
            assert_never(operator)


def name_ru(type_: ir.Type) -> str:
    """The type in Russian, as the object of «нужно»."""
    match type_:
        case ir.Truth():
            return "условие (да или нет)"
        case ir.Whole():
            return f"число{_range(type_)}" + (" или нет" if type_.optional else "")
        case ir.Member():
            return f"значение сорта {type_.sort}" + (" или нет" if type_.optional else "")
        case _:
            assert_never(type_)


def name_en(type_: ir.Type) -> str:
    """The type in English."""
    match type_:
        case ir.Truth():
            return "a condition (yes or no)"
        case ir.Whole():
            return f"a number{_range(type_)}" + (" or none" if type_.optional else "")
        case ir.Member():
            return f"a value of {type_.sort}" + (" or none" if type_.optional else "")
        case _:
            assert_never(type_)


def _range(type_: ir.Whole) -> str:
    if type_.low is None or type_.high is None:
        return ""
    return f" {type_.low}" if type_.low == type_.high else f" {type_.low}..{type_.high}"
