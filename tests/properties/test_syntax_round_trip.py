"""Printing a tree and reading the text gives the tree back, for every construct, in both languages."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svod.diagnostics import Problems, render_all
from svod.source import Source
from svod.syntax import tree
from svod.syntax.from_text import parse_chapter, parse_example, parse_expression, parse_pattern, parse_statements
from svod.syntax.keywords import LANGUAGES
from svod.syntax.rewording import reword
from svod.syntax.to_text import format_example, format_expression, format_pattern, format_statements

sys.path.insert(0, str(Path(__file__).parent))

from syntax_trees import example_lines, expressions, patterns, statements

SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))




def checked(problems: Problems, text: str) -> None:
    assert not problems.found, text + "\n" + render_all(problems, {"": Source("", text)}, "en")


@SETTINGS
@given(expressions(), st.sampled_from(LANGUAGES))
def test_expressions(node: tree.Expression, language: str) -> None:
    problems, text = Problems(), format_expression(node, language)
    read = parse_expression(text, language, problems)
    checked(problems, text)
    assert read == node, text


@SETTINGS
@given(patterns(), st.sampled_from(LANGUAGES))
def test_patterns(node: tree.Pattern, language: str) -> None:
    problems, text = Problems(), format_pattern(node, language)
    read = parse_pattern(text, language, problems)
    checked(problems, text)
    assert read == node, text


@SETTINGS
@given(st.lists(statements(), max_size=4).map(tuple), st.sampled_from(LANGUAGES))
def test_statements(nodes: tuple[tree.Statement, ...], language: str) -> None:
    problems, text = Problems(), format_statements(nodes, language)
    read = parse_statements(text, language, problems)
    checked(problems, text)
    assert read == nodes, text


@SETTINGS
@given(st.lists(example_lines(), max_size=5).map(tuple), st.sampled_from(LANGUAGES))
def test_examples(nodes: tuple[tree.ExampleLine, ...], language: str) -> None:
    problems, text = Problems(), format_example(nodes, language)
    read = parse_example(text, language, problems)
    checked(problems, text)
    assert read == nodes, text


@SETTINGS
@given(st.lists(statements(), min_size=1, max_size=3).map(tuple), st.sampled_from(LANGUAGES))
def test_rewording_keeps_the_tree(nodes: tuple[tree.Statement, ...], language: str) -> None:
    other = next(each for each in LANGUAGES if each != language)
    word = {"ru": "правило", "en": "rule"}[language]
    text = f"---\nlanguage: {language}\n---\n### R-1 X\n\n```{word}\n{format_statements(nodes, language)}```\n"
    there = reword(Source("", text), language, other)
    problems = Problems()
    chapter = parse_chapter(Source("", there), None, problems)
    (item,) = chapter.blocks
    assert isinstance(item, tree.Item) and item.statements == nodes, there
