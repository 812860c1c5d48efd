"""Clauses and expressions: what a text means as a tree, especially what binds to what."""

from __future__ import annotations

import logging
import re

import pytest
from lark import Lark, logger

from svod.diagnostics import Problems
from svod.source import Span
from svod.syntax import tree
from svod.syntax.from_text import parse_example, parse_expression, parse_statements
from svod.syntax.keywords import KEYWORDS, LANGUAGES
from svod.syntax.lookalike import in_one_alphabet, is_mixed, skeleton
from svod.syntax.parsing import STARTS, grammar
from svod.syntax.to_text import format_expression, format_statements

AT = Span("", 0, 0)


def expression(text: str, language: str = "ru") -> tree.Expression:
    problems = Problems()
    result = parse_expression(text, language, problems)
    assert not problems.found, problems.found
    assert result is not None
    return result


def statement(text: str, language: str = "ru") -> tree.Statement:
    problems = Problems()
    result = parse_statements(text, language, problems)
    assert not problems.found, problems.found
    (only,) = result
    return only


def clause(text: str, language: str = "ru") -> tree.BareClause:
    edged = statement(text, language)
    assert isinstance(edged, tree.Edged)
    return edged.clause


@pytest.mark.parametrize(
    ("plain", "grouped"),
    [
        ("a или b и c", "a или (b и c)"),
        ("не a и b", "(не a) и b"),
        ("не a = b", "не (a = b)"),
        ("a + b × c", "a + (b × c)"),
        ("a − b − c", "(a − b) − c"),
        ("−a + b", "(−a) + b"),
        ("−a × b", "(−a) × b"),
        ("a + b < c × d", "(a + b) < (c × d)"),
        ("a и b и c", "(a и b) и c"),
        ("a в z и b", "(a в z) и b"),
        ("a не в z или b", "(a не в z) или b"),
        ("не z пуст", "не (z пуст)"),
        ("есть x в z и b", "(есть x в z) и b"),
        ("есть x в z, где a и b", "есть x в z, где (a и b)"),
        ("a и есть x, где b или c", "a и (есть x, где (b или c))"),
        ("число x в z ≥ 3", "(число x в z) ≥ 3"),
        ("число x в z, где a = 3", "число x в z, где (a = 3)"),
        ("для всех x в z: a и b", "для всех x в z: (a и b)"),
        ("не есть x в z, где a", "не (есть x в z, где a)"),
        ("нет x в z, где a", "не (есть x в z, где a)"),
        ("наибольший x в z по a + 1", "наибольший x в z по (a + 1)"),
        ("наибольший x в z по a = y", "(наибольший x в z по a) = y"),
        ("первый x по часовой после y = z", "(первый x по часовой после y) = z"),
        ("первый x по часовой от y, где a = z", "первый x по часовой от y, где (a = z)"),
        ("если a, то b, иначе c или d", "если a, то b, иначе (c или d)"),
        ("сумма a + b для x, где c и d", "сумма (a + b) для x, где (c и d)"),
        ("a != b", "a ≠ b"),
        ("a <= b", "a ≤ b"),
        ("a >= b", "a ≥ b"),
        ("a - b * c", "a − b × c"),
    ],
)
def test_what_binds_to_what(plain: str, grouped: str) -> None:
    assert expression(plain) == expression(grouped)


@pytest.mark.parametrize(
    "text",
    [
        "(есть x, где a) и b",
        "(для всех x: a) или b",
        "(если a, то b, иначе c) + 1",
        "(a или b) и c",
        "a − (b − c)",
        "(число x, где a) = 3",
        "не (a и b)",
        "(наибольший x в z по a) + 1",
        "верх(кон) в (если a, то b, иначе c)",
        "сумма сумма a для x для y",
        "число x в (верх(кон))",
    ],
)
def test_printing_keeps_what_is_needed_and_no_more(text: str) -> None:
    needed = {"сумма сумма a для x для y": "сумма сумма a для x для y", "число x в (верх(кон))": "число x в верх(кон)"}
    assert format_expression(expression(text), "ru") == needed.get(text, text)


def test_values_and_names() -> None:
    for text in ("♠", "9♦", "Т♦", "10♣", "П1", "_", "может_быть", "этапный", "и_так"):
        assert expression(text) == tree.Name(text, span=AT)
    assert expression("♥\ufe0f") == tree.Name("♥", span=AT)
    assert expression("007") == tree.Numeral(7, span=AT)
    assert expression("шаг R-4.4 = R-4.4.1") == tree.Binary(
        "=", tree.StepOf("R-4.4", span=AT), tree.RuleName("R-4.4.1", span=AT), span=AT
    )
    assert expression("Карта(6, ♥)") == tree.Call("Карта", (tree.Numeral(6, span=AT), tree.Name("♥", span=AT)), span=AT)


def test_words_that_stay_free_as_names() -> None:
    for word in ("исход", "стопка", "набор", "места", "этап", "итог", "законно", "спор"):
        assert expression(f"{word} = 1") == tree.Binary(
            "=", tree.Name(word, span=AT), tree.Numeral(1, span=AT), span=AT
        )
    on = clause("при взять(игрок): стопка(игрок) → рука(игрок); исход := закрыт")
    assert isinstance(on, tree.OnClause) and isinstance(on.effects[1], tree.Assign)
    both = parse_statements("как только a: исход := закрыт\nисход место", "ru", Problems())
    assert [type(each) for each in both] == [tree.Edged, tree.SlotOption]


@pytest.mark.parametrize(
    ("text", "deadline", "before"),
    [
        ("обязан взять(_)", "now", 0),
        ("обязан взять(_) сразу", "now", 0),
        ("обязан взять(_) без срока", "none", 0),
        ("обязан взять(_) до ход(_), речь(_)", "before", 2),
    ],
)
def test_duties(text: str, deadline: str, before: int) -> None:
    for condition in ("", ", пока кон пуст"):
        duty = clause(text + condition)
        assert isinstance(duty, tree.DutyClause)
        assert (duty.deadline, len(duty.before), duty.condition is not None) == (deadline, before, bool(condition))


def test_edges() -> None:
    edged = statement("кроме R-1, R-2: может взять(_), если a, несмотря на R-3, после R-4, R-5")
    assert isinstance(edged, tree.Edged)
    assert [rule.number for rule in edged.excepts] == ["R-1", "R-2", "R-3"]
    assert [rule.number for rule in edged.after] == ["R-4", "R-5"]


def test_types_of_registers() -> None:
    def kind(text: str) -> tree.TypeName:
        register = statement(f"ячейка x: {text}")
        assert isinstance(register, tree.RegisterDeclaration) and register.type is not None
        return register.type

    assert kind("Игрок или нет") == tree.TypeName("Игрок", (), None, None, False, True, span=AT)
    assert kind("закрыт | съеден") == tree.TypeName(None, ("закрыт", "съеден"), None, None, False, False, span=AT)
    assert kind("да или нет") == tree.TypeName(None, (), None, None, True, False, span=AT)
    bounds = kind("1..игроков − 1 или нет")
    assert bounds.optional and bounds.low == tree.Numeral(1, span=AT) and isinstance(bounds.high, tree.Binary)


def test_given_cards_and_values() -> None:
    problems = Problems()
    text = "дано рука(П1) = 6♥ 7♥; кон = 9♠ от П1, К♠; рука(П2) = 6♠; стол пуст; n = 2 + 1; остальное в отбой"
    lines = parse_example(text, "ru", problems)
    assert not problems.found
    hand, table, single, empty, number, rest = lines
    assert isinstance(hand, tree.Given) and hand.cards is not None and len(hand.cards) == 2
    assert isinstance(table, tree.Given) and table.cards is not None
    assert [author is not None for _, author in table.cards] == [True, False]
    assert isinstance(single, tree.Given) and single.cards is None and single.value == tree.Name("6♠", span=AT)
    assert isinstance(empty, tree.Given) and empty.cards == () and empty.value is None
    assert isinstance(number, tree.Given) and isinstance(number.value, tree.Binary)
    assert isinstance(rest, tree.Rest)


def test_newlines_and_comments_mean_nothing() -> None:
    spread = "может # кто\n побить(\nигрок\n,карта), # когда\n\n если\nкон\nпуст"
    assert clause(spread) == clause("может побить(игрок, карта), если кон пуст")
    commented = "может побить(игрок), # почему\n # ещё\n если кон пуст"
    assert clause(commented) == clause("может побить(игрок), если кон пуст")


def test_english_commas_before_joining_words_are_optional() -> None:
    assert clause("may beat(p) if a", "en") == clause("may beat(p), if a", "en")
    assert expression("exists x in z where a", "en") == expression("exists x in z, where a", "en")
    assert expression("if a, then b else c", "en") == expression("if a, then b, else c", "en")


def test_same_statement_in_both_languages() -> None:
    russian = clause("вправе побить(игрок, Д♥), если есть x в кон, где x = игрок и не кон пуст")
    english = clause("entitled побить(игрок, Д♥), if exists x in кон, where x = игрок and not кон is empty", "en")
    assert russian == english


def test_the_grammar_chooses_only_how_far_a_quantifier_reads(caplog: pytest.LogCaptureFixture) -> None:
    """Every choice of the parser is «read on»; the terminals are operators, so nothing else is ambiguous."""
    operators = {"_PLUS", "_MINUS", "_TIMES", "_IN", "_NOT_IN", "_AND", "_OR", "_IS_EMPTY", "_IS_NOT_EMPTY"}
    level = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        with caplog.at_level(logging.DEBUG, logger=logger.name):
            logger.addHandler(caplog.handler)
            Lark(grammar("ru"), parser="lalr", start=list(STARTS), debug=True)
    finally:
        logger.removeHandler(caplog.handler)
        logger.setLevel(level)
    chosen = set(re.findall(r"Shift/Reduce conflict for terminal (\w+)", caplog.text))
    assert chosen and all(name in operators or name.endswith("_SIGN") for name in chosen)
    assert "Reduce/Reduce" not in caplog.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_every_keyword_is_read(language: str) -> None:
    for keyword in KEYWORDS.values():
        for form in keyword.forms[language]:
            assert re.fullmatch(keyword.bare_pattern(language), form), form
            assert not re.match(keyword.bare_pattern(language), form + "ъ")
            assert not re.match(keyword.bare_pattern(language), form + "_x")


def test_look_alikes() -> None:
    assert skeleton("Ш-4в") == skeleton("Ш-4b")
    assert skeleton("Рука") == skeleton("Pука")
    assert skeleton("ещё") == skeleton("еще")
    assert skeleton("кон") != skeleton("конь")
    assert is_mixed("Pука") and not is_mixed("core_зона") and not is_mixed("Ш-4b")
    assert in_one_alphabet("Pука") == "Рука" and in_one_alphabet("tаblе") == "table"
    assert in_one_alphabet("wруг") is None


def test_statements_are_printed_one_in_a_line() -> None:
    text = "сорт Масть: ♠ | ♥\nзона кон: стопка, с авторами\nдействие взять(игрок): ход\n  возможно, если кон не пуст\n"
    assert format_statements(parse_statements(text, "ru", Problems()), "ru") == text


def test_a_text_in_quotes_may_go_over_a_line_end() -> None:
    status = statement("не формализовано «ждёт\n   решения стола»")
    assert status == tree.Status("pending", "ждёт решения стола", span=AT)


def test_long_statements_are_broken_where_a_reader_pauses() -> None:
    text = (
        "обязан разгрузить(игрок, адресат(верх(стопка(игрок)), игрок)) до взять(игрок, _), пока этап = раздача и "
        "игрок = сдающий и стопка(игрок) не пуста и есть_адресат(верх(стопка(игрок)), игрок)"
    )
    printed = format_statements([statement(text)], "ru")
    assert printed.splitlines() == [
        "обязан разгрузить(игрок, адресат(верх(стопка(игрок)), игрок)) до взять(игрок, _),",
        "    пока этап = раздача и игрок = сдающий и стопка(игрок) не пуста",
        "    и есть_адресат(верх(стопка(игрок)), игрок)",
    ]
    long = "информативно «" + "слово; и слово, если " * 20 + "»"
    assert format_statements([statement(long)], "ru") == long + "\n"


@pytest.mark.parametrize("zone", ["рука пуста", "кон пуст", "поле пусто", "карты пусты", "рука(П1) не пуста"])
def test_empty_agrees_with_the_zone(zone: str) -> None:
    assert format_expression(expression(zone), "ru") == zone


def name(text: str) -> tree.Name:
    return tree.Name(text, span=AT)


def test_a_violation_names_offenders_and_the_items_that_are_broken() -> None:
    for language, text in (
        ("ru", "нарушение Ш-4b(игрок, _) при ход(игрок), если кон пуст, по R-3.3, R-5, несмотря на R-7"),
        ("en", "violation Ш-4b(игрок, _) on ход(игрок) if кон is empty under R-3.3, R-5 despite R-7"),
    ):
        edged = statement(text, language)
        assert isinstance(edged, tree.Edged) and [rule.number for rule in edged.excepts] == ["R-7"]
        found = edged.clause
        assert isinstance(found, tree.ViolationClause)
        assert (found.name, found.offenders) == ("Ш-4b", (name("игрок"), name("_")))
        assert [rule.number for rule in found.breaks] == ["R-3.3", "R-5"]
        assert found.condition == tree.Emptiness(name("кон"), False, span=AT)


def test_breaches_lapse_and_are_punished() -> None:
    lapse = clause("нарушение забыто при ход(_), если x")
    assert lapse == tree.LapseClause(tree.Pattern("ход", (name("_"),), span=AT), name("x"), span=AT)
    assert clause("нарушения забыты при ход(_), если x") == clause("breaches lapse on ход(_) if x", "en") == lapse
    penalty = clause("штраф Ш‑2(игрок), если x: восстановить положение; пропуск(игрок) += 1")
    added = tree.Assign("пропуск", (name("игрок"),), tree.Numeral(1, span=AT), True, span=AT)
    effects = (tree.Restore(span=AT), added)
    assert penalty == tree.PenaltyClause("Ш-2", (name("игрок"),), name("x"), effects, span=AT)
    anybody = clause("penalty _(player): restore position", "en")
    assert anybody == tree.PenaltyClause("_", (name("player"),), None, (tree.Restore(span=AT),), span=AT)


def test_a_catalogue_and_what_lies_outside_the_frame() -> None:
    catalogue = tree.CatalogueDeclaration("Статья", "Ш", "иное", span=AT)
    assert statement("каталог Статья: Ш, иначе иное") == catalogue
    assert (
        statement("catalogue Статья: Ш, else иное", "en") == statement("catalog Статья: Ш else иное", "en") == catalogue
    )
    zone = statement("зона шух(Игрок): набор, вне снимка, видит владелец")
    assert isinstance(zone, tree.ZoneDeclaration) and zone.outside_frame and not zone.filled
    register = statement("ячейка долг(Игрок, Игрок): 0..9 = 0, вне снимка, итог, на этап игра")
    assert isinstance(register, tree.RegisterDeclaration)
    assert (register.outside_frame, register.output, register.stage, register.window) == (True, True, "игра", False)
    window = statement("окно объявление(игрок), на этап игра")
    assert isinstance(window, tree.RegisterDeclaration) and window.window and not window.outside_frame
    assert (window.index, window.type, window.stage) == (("игрок",), None, "игра")
    ledger = statement("ledger skip(Player), outside the frame", "en")
    assert isinstance(ledger, tree.RegisterDeclaration) and ledger.ledger and ledger.outside_frame


def test_windows_open_and_close_and_their_words_stay_free() -> None:
    found = clause("при ход(игрок): открыть объявление(игрок); закрыть стол; для всех игрок: (закрыть закрыть(игрок))")
    assert isinstance(found, tree.OnClause)
    first, second, third = found.effects
    assert first == tree.SetWindow("объявление", (name("игрок"),), True, span=AT)
    assert second == tree.SetWindow("стол", (), False, span=AT)
    assert isinstance(third, tree.ForEach)
    assert third.effects == (tree.SetWindow("закрыть", (name("игрок"),), False, span=AT),)
    assert clause("may open(player), if door = open", "en") == clause("может open(player), если door = open")


def test_what_is_allowed_is_a_condition_like_others() -> None:
    asked = expression("не можно побить(игрок, _) и x")
    act = tree.Allowed("побить", (name("игрок"), name("_")), span=AT)
    assert asked == tree.Binary("and", tree.Not(act, span=AT), name("x"), span=AT)
    assert expression("not allowed побить(игрок, _) and x", "en") == asked
    assert format_expression(asked, "en") == "not allowed побить(игрок, _) and x"
    problems = Problems()
    lawful, allowed = parse_example("тогда законно побить(П1, Т♦); можно побить(П1, Т♦)", "ru", problems)
    assert isinstance(lawful, tree.Expect) and lawful.status == "lawful"
    assert isinstance(allowed, tree.Expect) and isinstance(allowed.condition, tree.Allowed)
    assert not problems.found
