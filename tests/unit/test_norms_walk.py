"""Walking and printing norms: parts, substitution without capture, closed form of exceptions, validation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from svod.diagnostics import InternalError
from svod.norms import ir
from svod.norms.fires import fires
from svod.norms.to_text import print_expression
from svod.norms.validate import breaches, validate
from svod.norms.walk import everything, free_names, map_children, substitute

P, Q, R = (ir.Variable(name, "Player") for name in ("p", "q", "r"))


def same(left: ir.Expression, right: ir.Expression) -> ir.Expression:
    return ir.Compare(ir.Relation.EQUAL, left, right)


def clause(
    number: int, guard: ir.Expression, *variables: ir.Variable, exceptions: tuple[ir.Exempt, ...] = ()
) -> ir.Trigger:
    return ir.Trigger(ir.Head(f"R-{number}#1", f"R-{number}", variables, guard, exceptions), ir.OnEdge(), ())


def norms(*clauses: ir.Clause) -> ir.Norms:
    seats = ir.Sort("Player", ("P1", "P2"), ring=True, seats=True)
    last = ir.Register("last", (), ir.Member("Player", True), ir.Nothing("Player"), "R-1")
    return ir.Norms("Trial", "1", (), (seats,), "Player", "", (), (last,), (), (), (), clauses, "")


LAST = ir.ReadRegister("last", ())


def test_substitution_does_not_capture() -> None:
    inner = ir.Exists(Q, same(P, Q))
    assert print_expression(substitute(inner, {"p": Q})) == "exists q′: Player where q = q′"
    assert substitute(inner, {"q": R}) == inner


def test_start_of_first_clockwise_is_outside_its_variable() -> None:
    first = ir.FirstClockwise(Q, False, Q, same(Q, P))
    assert free_names(first) == {"q", "p"}
    changed = substitute(first, {"q": R})
    assert changed == ir.FirstClockwise(R, False, Q, same(Q, P))


def test_map_children_keeps_what_it_does_not_change() -> None:
    whole = ir.And((same(P, Q), ir.Not(ir.Exists(R, same(R, LAST)))))
    assert map_children(whole, lambda part: part) == whole
    assert [part for part in everything(whole) if part == LAST] == [LAST]


def test_fires_quantifies_loose_variables_of_the_exception() -> None:
    by = clause(2, same(Q, P), P, Q)
    excepted = clause(1, same(P, LAST), P, exceptions=(ir.Exempt("R-2#1", (("p", "p"),)),))
    assert print_expression(fires(norms(excepted, by), excepted)) == (
        "(p = last) and (not (exists q: Player where q = p))"
    )


def test_fires_renames_what_would_be_caught() -> None:
    by = clause(2, same(P, LAST), P)
    excepted = clause(1, same(P, LAST), P, exceptions=(ir.Exempt("R-2#1", ()),))
    assert print_expression(fires(norms(excepted, by), excepted)) == (
        "(p = last) and (not (exists p′: Player where p′ = last))"
    )


def test_exceptions_of_exceptions() -> None:
    third = clause(3, same(P, LAST), P)
    second = clause(2, ir.Boolean(True), P, exceptions=(ir.Exempt("R-3#1", (("p", "p"),)),))
    first = clause(1, ir.Boolean(True), P, exceptions=(ir.Exempt("R-2#1", (("p", "p"),)),))
    assert print_expression(fires(norms(first, second, third), first)) == "yes and (not (yes and (not (p = last))))"


@pytest.mark.parametrize(
    "broken",
    [
        clause(1, same(P, LAST)),
        clause(1, ir.ReadRegister("next", ())),
        clause(1, ir.Switch("V")),
        clause(1, ir.Value("Player", 2)),
        clause(1, ir.Exists(P, ir.Exists(P, same(P, P)))),
        clause(1, ir.Size(ir.ZoneRef("table", None))),
        clause(1, ir.Boolean(True), exceptions=(ir.Exempt("R-9#1", ()),)),
        replace(clause(1, ir.Boolean(True)), effects=(ir.Raise("gone", ()),)),
        replace(clause(1, ir.Boolean(True)), cause=ir.OnAct("wave", ())),
        ir.Ending(ir.Head("R-1#1", "R-1", (P,), ir.Boolean(True))),
        ir.Permission(ir.Head("R-1#1", "R-1", (P,), ir.Boolean(True)), "wave", True),
        ir.TermClause(ir.Head("R-1#1", "R-1", (), ir.Boolean(True)), "leader", ir.Number(1)),
    ],
)
def test_validation_names_the_pass(broken: ir.Clause) -> None:
    assert list(breaches(norms(broken)))
    with pytest.raises(InternalError, match="some pass"):
        validate(norms(broken), "some pass")


def test_sound_norms_have_no_breach() -> None:
    assert list(breaches(norms(clause(1, same(P, LAST), P)))) == []


ARTICLE = ir.Sort("Article", ("V-1", "other"))
RECORD = ir.Register("breached", ("Player", "Article"), ir.Truth(), ir.Boolean(False), "R-1", outside_frame=True)
PUNISHED = ir.Event("punished", (P, ir.Variable("a", "Article")), "R-1")
WAVE = ir.Action("wave", (P,), 0, (), "", False, ir.Boolean(True), (), True, "R-1")
CATALOGUE = ir.Catalogue("Article", "other", "breached", "punished", "R-1")


def with_catalogue(*clauses: ir.Clause, catalogue: ir.Catalogue | None = CATALOGUE) -> ir.Norms:
    plain = norms(*clauses)
    return replace(
        plain,
        sorts=(*plain.sorts, ARTICLE),
        registers=(*plain.registers, RECORD),
        events=(PUNISHED,),
        actions=(WAVE,),
        catalogue=catalogue,
    )


ALWAYS = ir.Boolean(True)


def head(guard: ir.Expression = ALWAYS) -> ir.Head:
    return ir.Head("R-1#1", "R-1", (P,), guard)


RESTORE = replace(clause(1, ir.Boolean(True)), effects=(ir.Restore(),))


@pytest.mark.parametrize(
    "sound", [ir.Violation(head(), "V-1", "wave", (P,)), ir.Lapse(head(ir.Lawful("wave", (P,))), "wave"), RESTORE]
)
def test_breaches_and_lawfulness_are_well_formed(sound: ir.Clause) -> None:
    assert list(breaches(with_catalogue(sound))) == []


@pytest.mark.parametrize(
    "broken",
    [
        with_catalogue(ir.Violation(head(), "V-2", "wave", (P,))),
        with_catalogue(ir.Lapse(head(), "wave"), catalogue=None),
        with_catalogue(RESTORE, catalogue=None),
        with_catalogue(clause(1, ir.Lawful("wave", ()))),
        with_catalogue(clause(1, ir.Lawful("sleep", ()))),
        with_catalogue(catalogue=replace(CATALOGUE, other="none")),
        with_catalogue(catalogue=replace(CATALOGUE, sort="Player", other="P1")),
        with_catalogue(catalogue=replace(CATALOGUE, record="last")),
        with_catalogue(catalogue=replace(CATALOGUE, punished="gone")),
    ],
)
def test_a_catalogue_that_does_not_fit_is_named(broken: ir.Norms) -> None:
    assert list(breaches(broken))
