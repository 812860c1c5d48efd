"""The sentence read back from a clause: every kind of clause, effect and expression, in both languages."""

from __future__ import annotations

import re
import string
from typing import get_args

import pytest

from svod.norms import ir
from svod.prose.expressions import Speaker
from svod.prose.from_norms import act_phrase, clause_sentence, declaration_sentences, effects_phrase
from svod.prose.wording import PHRASES, RELATIONS, sentence

COLOUR = ir.Sort("Цвет", ("красный", "синий"))
RANK = ir.Sort("Номер", ("1", "2"), ordered=True)
CARD = ir.Sort(
    "Карта", ("1к", "2к", "1с", "2с"), factors=("Номер", "Цвет"), components=((0, 0), (1, 0), (0, 1), (1, 1))
)
SEAT = ir.Sort("Сидящий", ("П1", "П2"), ring=True, seats=True)
YES = ir.Boolean(True)
WHO = ir.Variable("сидящий", "Сидящий")
WHAT = ir.Variable("карта", "Карта")
PLACE = ir.ZoneRef("куча", None)
OWN = ir.ZoneRef("своё", WHO)
FULL = ir.Not(ir.Compare(ir.Relation.EQUAL, ir.Size(PLACE), ir.Number(0)))


def make_norms(*clauses: ir.Clause) -> ir.Norms:
    return ir.Norms(
        rulebook="проба",
        edition="1",
        parameters=(),
        sorts=(COLOUR, RANK, CARD, SEAT, ir.Sort("Статья", ("K-9", "прочее"))),
        seats="Сидящий",
        card_sort="Карта",
        zones=(
            ir.Zone("куча", "Карта", False, True, True, 4, ir.Visibility.ALL, None, "K-1"),
            ir.Zone("своё", "Карта", True, False, False, 4, ir.Visibility.OWNER, "куча", "K-1"),
        ),
        registers=(
            ir.Register("ходит_первым", (), ir.Member("Сидящий", optional=True), ir.Nothing("Сидящий"), "K-1"),
            ir.Register("очки", ("Сидящий",), ir.Whole(None, None), ir.Number(0), "K-1", ledger=True),
            ir.Register("щель", (), ir.Truth(), ir.Boolean(False), "K-4", window=True),
            ir.Register("долги", (), ir.Truth(), ir.Boolean(False), "K-4", outside_frame=True),
            ir.Register("виновен", ("Сидящий", "Статья"), ir.Truth(), ir.Boolean(False), "K-4", outside_frame=True),
        ),
        events=(ir.Event("вышел", (WHO,), "K-1"), ir.Event("покаран", (WHO, ir.Variable("за_что", "Статья")), "K-4")),
        terms=(ir.Term("кто", (), ir.Member("Сидящий"), FULL, ir.Combination.UNIQUE, False, "K-1"),),
        actions=(
            ir.Action("класть", (WHO, WHAT), 0, (), "ход", True, FULL, (move(),), False, "K-1"),
            ir.Action("сдать", (WHO, WHAT), None, (0, 1), "", False, YES, (), False, "K-1"),
        ),
        clauses=clauses,
        filled="куча",
        catalogue=ir.Catalogue("Статья", "прочее", "виновен", "покаран", "K-4"),
    )


def move() -> ir.MoveCard:
    return ir.MoveCard(WHAT, OWN, PLACE, True, WHO)


def head(guard: ir.Expression = FULL, name: str = "K-2#1", **more: object) -> ir.Head:
    return ir.Head(name, name.split("#")[0], (WHO, WHAT), guard, **more)  # type: ignore[arg-type]


EXPRESSIONS: tuple[ir.Expression, ...] = (
    ir.Number(3),
    YES,
    ir.Value("Карта", 1),
    ir.Nothing("Сидящий"),
    WHO,
    ir.Switch("V"),
    ir.SeatCount(),
    ir.ReadRegister("очки", (WHO,)),
    ir.ReadTerm("кто", ()),
    ir.Happened("вышел", (WHO,)),
    ir.Component(WHAT, 0),
    ir.Compose("Карта", (ir.Value("Номер", 0), ir.Value("Цвет", 1))),
    ir.StepValue(WHO, 1, True),
    ir.StepValue(ir.Component(WHAT, 0), -1, False),
    ir.Extreme("Номер", True),
    ir.Distance(WHO, ir.Value("Сидящий", 1)),
    ir.FirstClockwise(WHO, False, WHO, FULL),
    ir.Only(WHAT, YES),
    ir.Best(WHAT, FULL, ir.Number(1), True),
    ir.Count(WHAT, FULL),
    ir.Sum(WHAT, FULL, ir.Number(1)),
    ir.Exists(WHAT, FULL),
    ir.ForAll(WHAT, FULL, YES),
    ir.Size(PLACE),
    ir.Top(PLACE),
    ir.Bottom(OWN),
    ir.Author(WHAT, PLACE),
    ir.CardAbove(WHAT, PLACE),
    ir.InZone(WHAT, OWN),
    ir.ZonesHolding(WHAT),
    ir.Not(YES),
    ir.And((YES, FULL)),
    ir.Or((FULL, ir.And((FULL, YES)))),
    ir.Compare(ir.Relation.LESS, ir.Number(1), ir.Number(2)),
    ir.Arithmetic(ir.Operator.ADD, ir.Number(1), ir.Number(2)),
    ir.Choose(YES, ir.Number(1), ir.Number(2)),
    ir.Present(WHO),
    ir.Before(FULL),
    ir.Lawful("класть", (WHO, WHAT)),
    ir.ReadRegister("виновен", (WHO, ir.Value("Статья", 0))),
)
EFFECTS: tuple[ir.Effect, ...] = (
    move(),
    ir.MoveAll(PLACE, OWN),
    ir.Assign("ходит_первым", (), WHO),
    ir.Post("очки", (WHO,), ir.Number(1)),
    ir.Raise("вышел", (WHO,)),
    ir.ForEach(WHO, FULL, (ir.Post("очки", (WHO,), ir.Number(1)),)),
    ir.Restore(),
    ir.Assign("щель", (), YES),
    ir.Assign("щель", (), ir.Boolean(False)),
    ir.Assign("виновен", (WHO, ir.Value("Статья", 0)), ir.Boolean(False)),
)
CLAUSES: tuple[ir.Clause, ...] = (
    ir.TermClause(ir.Head("K-2#1", "K-2", (), FULL), "кто", ir.Value("Сидящий", 0)),
    ir.Permission(head(), "класть", strong=False),
    ir.Permission(head(), "класть", strong=True),
    ir.Permission(head(), "сдать", strong=False),
    ir.Prohibition(head(), "класть"),
    ir.Duty(head(), WHO, "класть", (WHO, None), ir.Deadline.NOW, ()),
    ir.Duty(head(), WHO, "класть", (WHO, WHAT), ir.Deadline.BEFORE, (ir.BlockedAction("класть", (None, None)),)),
    ir.Duty(head(YES), WHO, "класть", (WHO, None), ir.Deadline.NONE, ()),
    ir.Trigger(head(), ir.OnAct("класть", ("сидящий", None)), EFFECTS, ("K-3",)),
    ir.Trigger(head(), ir.OnEvent("вышел", ("сидящий",)), EFFECTS),
    ir.Trigger(head(), ir.OnEdge(), EFFECTS),
    ir.Violation(head(), "K-9", "класть", (WHO,)),
    ir.Violation(head(), "K-9", "класть", (WHO,), ("K-2", "K-3")),
    ir.Lapse(head(), "класть"),
    ir.Trigger(head(), ir.OnEvent("покаран", ("сидящий", None)), EFFECTS),
    ir.Ending(head()),
    ir.Invariant(head(YES), FULL),
)


def russian_only(text: str) -> bool:
    return not re.search(r"[A-Za-z]{3,}", text)


def test_every_kind_is_tried() -> None:
    assert {type(each) for each in EXPRESSIONS} == set(get_args(ir.Expression))
    assert {type(each) for each in EFFECTS} == set(get_args(ir.Effect))
    assert {type(each) for each in CLAUSES} == set(get_args(ir.Clause))


def test_phrases_have_the_same_places_in_both_languages() -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for text in (*PHRASES.values(), *RELATIONS.values()):
        assert places(text.ru) == places(text.en)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda each: type(each).__name__)
def test_expressions_are_said(expression: ir.Expression) -> None:
    norms = make_norms()
    said = Speaker(norms, "ru").expression(expression)
    assert said and russian_only(said) and "{" not in said
    english = Speaker(norms, "en").expression(expression)
    names = ("куча", "своё", "очки", "кто", "вышел", "сидящий", "карта", "номер", "Карта", "Номер", "синий", "класть")
    for name in names:
        english = english.replace(name, "")
    assert not re.search(r"[А-яё]{3,}", english)


@pytest.mark.parametrize("clause", CLAUSES, ids=lambda each: type(each).__name__)
def test_clauses_are_said(clause: ir.Clause) -> None:
    norms = make_norms(clause)
    said = clause_sentence(norms, clause, "ru")
    assert said.endswith(".") and russian_only(said)
    assert clause_sentence(norms, clause, "en") != said


def test_a_permission_reads_like_a_sentence() -> None:
    red = ir.Compare(ir.Relation.EQUAL, WHAT, ir.Value("Карта", 1))
    clause = ir.Permission(head(ir.And((red, FULL))), "класть", strong=True)
    assert (
        clause_sentence(make_norms(clause), clause, "ru") == "Сидящий вправе «класть» (2к), если зона «куча» не пуста."
    )


def test_exceptions_switches_and_order_are_said() -> None:
    guard = ir.And((ir.Switch("V"), ir.Switch("K-2=А"), FULL))
    exempt = ir.Exempt("K-7#1", ())
    first = ir.Prohibition(head(guard, variant="V", reading="А", exceptions=(exempt,)), "класть")
    second = ir.Permission(head(name="K-7#1"), "класть", strong=True)
    said = clause_sentence(make_norms(first, second), first, "ru")
    assert said.startswith("В варианте V: При прочтении А: ")
    assert said.endswith("Не действует там, где действует K-7.")


def test_acts_and_effects_are_said() -> None:
    norms = make_norms()
    assert act_phrase(norms, "класть", (1, 2), "ru") == "П2: «класть» (1с)"
    assert act_phrase(norms, "сдать", (0, 0), "en") == "“сдать” (П1, 1к)"
    assert effects_phrase(norms, EFFECTS[1:2], "ru") == "все карты зоны «куча» переходят в зону «своё» (сидящий)"


def test_declarations_are_said() -> None:
    said = declaration_sentences(make_norms(), "K-1", "ru")
    assert said[0] == "Зона «куча» — стопка: видят все, помнит, кто положил карту."
    assert len(said) == 8


def test_breaches_are_said() -> None:
    violation = ir.Violation(head(YES), "K-9", "класть", (WHO,), ("K-2", "K-3"))
    assert (
        clause_sentence(make_norms(violation), violation, "en")
        == "“класть” (сидящий, карта) is breach “K-9” (offends against K-2, K-3); guilty: сидящий."
    )
    penalty = ir.Trigger(head(YES), ir.OnEvent("покаран", ("сидящий", None)), (ir.Restore(),))
    assert (
        clause_sentence(make_norms(penalty), penalty, "ru")
        == "За нарушение любое (сидящий): возвращается положение до первого незамеченного нарушения."
    )
    window, ended = EFFECTS[-3], EFFECTS[-1]
    assert effects_phrase(make_norms(), (window, ended), "ru") == (
        "открывается окно «щель»; нарушение K-9 (сидящий) закрыто"
    )


def test_a_catalogue_is_said_once() -> None:
    assert declaration_sentences(make_norms(), "K-4", "en") == (
        "Breaches are numbered: K-9; an unlawful act without a number is “прочее”.",
        "Window “щель”; closed at the start.",
        "Register “долги” holds yes or no; at the start no (outside the frame).",
    )


def test_sentences_start_large_and_stop() -> None:
    assert sentence("игрок") == "Игрок."
    assert sentence("«игрок» ходит.") == "«игрок» ходит."
