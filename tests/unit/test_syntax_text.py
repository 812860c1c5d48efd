"""Chapters: Markdown into items and sections, front matter, limits, spans."""

from __future__ import annotations

import pytest

from svod.diagnostics import Problems
from svod.source import Source
from svod.syntax import codes, tree
from svod.syntax.from_text import SIZE_LIMIT, decode, parse_chapter, parse_expression, parse_pattern, parse_rulebook


def chapter(text: str, language: str | None = None, expect: tuple[str, ...] = ()) -> tree.Chapter:
    problems = Problems()
    result = parse_chapter(Source("01.md", text), language, problems)
    assert [problem.code.name for problem in problems] == list(expect)
    return result


def items(text: str, expect: tuple[str, ...] = ()) -> list[tree.Item]:
    return [block for block in chapter(text, "ru", expect).blocks if isinstance(block, tree.Item)]


def test_items_and_sections() -> None:
    text = "# Глава\n\nВступление.\n\n## 3.1. Подглава\n\n### R-3.7.2 Дама ♥ ###\n\nПроза\nвторая.\n\n#### K1\n"
    section, sub, item, bare = chapter(text).blocks
    assert section == tree.Section("Глава", "Вступление.", 1, span=section.span)
    assert isinstance(sub, tree.Section) and (sub.title, sub.level, sub.prose) == ("3.1. Подглава", 2, "")
    assert isinstance(item, tree.Item) and isinstance(bare, tree.Item)
    assert (item.number, item.title, item.level, item.prose) == ("R-3.7.2", "Дама ♥", 3, "Проза\nвторая.")
    assert text[item.span.start : item.span.end] == "R-3.7.2"
    assert (bare.number, bare.title, bare.level, bare.statements) == ("K1", "", 4, ())


@pytest.mark.parametrize("number", ["R-3.3", "Ш-4b", "I-7", "V-1", "K1", "R-5.3b", "R-3.7.2", "Sh-1", "АБВ12.1"])
def test_numbers_of_items(number: str) -> None:
    assert items(f"### {number} Название\n")[0].number == number
    assert items(f"### {number}. Название\n")[0].number == number


@pytest.mark.parametrize("title", ["§3. Старшинство", "2.1. Колода", "Шаг 2", "2026 год", "Ход-один", "COVID-19", ""])
def test_headings_that_are_no_items(title: str) -> None:
    assert isinstance(chapter(f"### {title}\n").blocks[0], tree.Section)


def test_non_breaking_hyphen_in_a_number_is_a_hyphen() -> None:
    assert items("### R\u20113.3 Название\n\n```правило\nшаги R\u20113.3: R-1\n```\n")[0].number == "R-3.3"


def test_spans_are_offsets_in_the_file() -> None:
    text = "---\nязык: ru\n---\n### R-1 Пункт\n\n```правило\nможет побить(игрок, 9♦), если кон пуст\n```\n"
    (statement,) = items(text)[0].statements
    assert isinstance(statement, tree.Edged) and isinstance(statement.clause, tree.NormClause)
    pattern = statement.clause.patterns[0]
    assert text[statement.span.start : statement.span.end] == "может побить(игрок, 9♦), если кон пуст"
    assert text[pattern.span.start : pattern.span.end] == "побить(игрок, 9♦)"
    assert text[pattern.arguments[1].span.start : pattern.arguments[1].span.end] == "9♦"
    assert statement.clause.condition is not None
    assert text[statement.clause.condition.span.start : statement.clause.condition.span.end] == "кон пуст"
    assert items(text)[0].clause_text == "может побить(игрок, 9♦), если кон пуст\n"


def test_prose_keeps_other_code_and_loses_our_fences() -> None:
    text = "### R-1 П\n\nДо.\n\n```text\n### R-2 код\n```\n\n```правило\nшаги R-1: R-2\n```\n\nПосле.\n"
    (item,) = items(text)
    assert item.prose == "До.\n\n```text\n### R-2 код\n```\n\n\nПосле."
    assert len(item.statements) == 1


def test_heading_in_a_comment_of_a_fence_or_of_html_is_no_heading() -> None:
    text = "### R-1 Пункт\n\n<!--\n### R-2 Скрытый\n-->\n\n```правило\n# R-3 говорит\nшаги R-1: R-2\n```\n"
    assert [item.number for item in items(text)] == ["R-1"]


def test_tildes_and_longer_fences() -> None:
    text = "### R-1 П\n\n~~~правило\nшаги R-1: R-2\n~~~\n\n````пример Один\nтогда ```\n````\n"
    assert len(items(text, ("S024",))[0].statements) == 1


def test_examples_have_titles_and_lines() -> None:
    text = "### R-1 П\n\n```пример Два\nдано кон пуст\nтогда кон пуст\n```\n\n```пример\nтогда кон пуст\n```\n"
    first, second = items(text)[0].examples
    assert (first.title, len(first.lines), second.title) == ("Два", 2, "")


@pytest.mark.parametrize(
    ("heading", "operation"),
    [
        ("Заменить R-5.7 Кто", "replace"),
        ("Добавить R-5.8.1 Кто", "add"),
        ("Дополнить R-3.7.1", "extend"),
        ("изъять R-9.3", "withdraw"),
        ("R-9.3 Изъять", None),
    ],
)
def test_operations_of_amendments(heading: str, operation: str | None) -> None:
    (item,) = items(f"### {heading}\n")
    assert item.operation == operation
    assert item.number.startswith("R-")


def test_front_matter_as_written() -> None:
    text = '---\nсвод: "Игра: начало" # имя\nредакция: 1\nисточник: текст.md, 2026-07-15\nпусто:\n---\nПроза.\n'
    read = chapter(text)
    assert read.front_matter == (
        ("свод", "Игра: начало"),
        ("редакция", "1"),
        ("источник", "текст.md, 2026-07-15"),
        ("пусто", ""),
    )
    assert [block.prose for block in read.blocks] == ["Проза."]


def test_language_of_the_first_chapter_holds_for_the_others() -> None:
    problems = Problems()
    first = Source("01.md", "---\nlanguage: en\n---\n# One\n")
    second = Source("02.md", "### R-1 Item\n\n```rule\nmay beat(_)\n```\n")
    parsed = parse_rulebook([first, second], problems)
    assert not problems.found
    assert isinstance(parsed.chapters[1].blocks[0], tree.Item) and parsed.chapters[1].blocks[0].statements


def test_argument_gives_the_language_where_the_file_does_not() -> None:
    text = "### R-1 Item\n\n```rule\nmay beat(_)\n```\n"
    assert chapter(text, "en").blocks
    chapter(text, None, ("S011",))
    chapter("---\nязык: en\n---\n" + text, "ru")


def test_decode() -> None:
    problems = Problems()
    source = decode("a.md", "\ufeffодин\r\nдва\rи\u0306од".encode(), problems)
    assert source is not None and source.text == "один\nдва\nйод"
    assert decode("b.md", "один\nдва".encode("cp1251"), problems) is None
    (problem,) = problems
    assert problem.code is codes.NOT_UTF8 and "b.md" in problem.message.ru


def test_size_limit() -> None:
    assert chapter("а" * (SIZE_LIMIT + 1), None, ("S003",)).blocks == ()
    assert chapter("а\n" * 1000).blocks


@pytest.mark.parametrize("inner", ["(" * 5000 + "1" + ")" * 5000, "(" * 5000, ")" * 5000])
def test_parentheses_of_any_depth_never_raise(inner: str) -> None:
    problems = Problems()
    result = parse_expression(inner, "ru", problems)
    assert (result is None) == problems.has_errors


@pytest.mark.parametrize("text", ["f(" * 500 + "1" + ")" * 500, "не " * 500 + "x", "1" + " + 1" * 500, "−" * 500 + "x"])
def test_deep_trees_are_a_problem(text: str) -> None:
    problems = Problems()
    assert parse_expression(text, "ru", problems) is None
    assert [problem.code for problem in problems] == [codes.TOO_DEEP]


def test_command_line_pattern_and_expression() -> None:
    problems = Problems()
    pattern = parse_pattern("побить(П1, 9♦)", "ru", problems)
    assert pattern is not None and pattern.name == "побить" and len(pattern.arguments) == 2
    assert parse_expression("size(table) = 1 and not over", "en", problems) is not None
    assert not problems.found
    assert parse_pattern("побить(П1,", "ru", problems) is None
    assert parse_pattern("", "ru", problems) is None
    assert parse_expression("1 +", "en", problems) is None
    assert [problem.code.name for problem in problems] == ["S028", "S028", "S028"]


def test_look_alike_names_across_chapters() -> None:
    problems = Problems()
    sources = [
        Source("01.md", "### R-1 А\n\n```правило\nсорт Масть: К | Т\nтермин а := К\n```\n"),
        Source("02.md", "### R-2 Б\n\n```правило\nтермин б := K\n```\n"),
    ]
    parse_rulebook(sources, problems)
    (problem,) = problems
    assert problem.code is codes.LOOKALIKE and problem.rule == "R-2"
    assert problem.primary is not None and problem.primary.span.source == "02.md"
    assert problem.secondary[0].span.source == "01.md"
