"""An exception whose own condition is undefined does not except, wherever the whole is written as one expression."""

from __future__ import annotations

import pytest

from svod.norms import ir
from svod.norms.fires import fires_in, surely_defined
from svod.norms.to_text import print_expression

P = ir.Variable("p", "Player")
LAST = ir.ReadRegister("last", ())
PILE = ir.ZoneRef("pile", None)
TOP = ir.Top(PILE)


def same(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ir.Compare(ir.Relation.EQUAL, left, right)


def table(guard: ir.Expression) -> dict[str, ir.Clause]:
    """A prohibition excepted by a permission with this guard."""
    exempt = ir.Exempt("R-2#1", (("p", "p"),))
    forbid = ir.Prohibition(ir.Head("R-1#1", "R-1", (P,), ir.Boolean(True), (exempt,)), "say")
    right = ir.Permission(ir.Head("R-2#1", "R-2", (P,), guard), "say", True)
    return {"R-1#1": forbid, "R-2#1": right}


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (same(P, LAST), "yes and (not (p = last))"),
        (same(P, ir.Present(LAST)), "yes and (not (exists _: Player where p = present(last)))"),
    ],
)
def test_undefined_exceptions_are_shielded(guard: ir.Expression, expected: str) -> None:
    clauses = table(guard)
    assert print_expression(fires_in(clauses, clauses["R-1#1"])) == expected


@pytest.mark.parametrize(
    ("expression", "sure"),
    [
        (same(P, LAST), True),
        (ir.Compare(ir.Relation.LESS, P, LAST), False),
        (ir.Compare(ir.Relation.LESS, ir.Size(PILE), ir.Number(2)), True),
        (ir.Compare(ir.Relation.LESS, ir.Size(ir.ZoneRef("hand", LAST)), ir.Number(2)), False),
        (ir.Exists(P, same(P, ir.Present(LAST))), True),
        (ir.Not(same(TOP, TOP)), False),
        (ir.Or((ir.Boolean(True), ir.ReadTerm("turn", ()))), False),
        (ir.ReadRegister("place", (P,)), True),
        (ir.ReadRegister("place", (LAST,)), False),
    ],
)
def test_what_surely_has_a_value(expression: ir.Expression, sure: bool) -> None:
    assert surely_defined(expression) is sure
