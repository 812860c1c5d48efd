"""No text makes the reader raise: cut, doubled and random texts give a tree and problems with sound spans."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svod.diagnostics import Problems, render_all
from svod.source import Source
from svod.syntax.from_text import decode, parse_chapter, parse_expression, parse_pattern
from svod.syntax.keywords import KEYWORDS, LANGUAGES
from svod.syntax.rewording import reword
from svod.syntax.to_text import format_chapter

CORPUS = Path(__file__).parent.parent / "corpus" / "syntax"
TEXTS = [path.read_text("utf-8") for path in sorted(CORPUS.glob("*/*.md")) if path.stat().st_size < 20_000]
SETTINGS = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))

PIECES = st.sampled_from(
    [form for word in KEYWORDS.values() for language in LANGUAGES for form in word.forms[language]]
    + ["(", ")", ",", ";", ":", ":=", "=", "<", "..", "→", "«", "»", '"', "#", "\n", "```", "```правило\n", "---\n"]
    + ["### R-1 П\n", "### R-\n", "кон", "9♦", "R-3.3", "Ш-4b", "12", "\u200b", "\ufe0f", "\x00", "é", "ʼ", "＝"]
    + ["9" * 5000, "(" * 2000]
)


def check(text: str) -> None:
    source, problems = Source("a.md", text), Problems()
    chapter = parse_chapter(source, None, problems)
    for problem in problems:
        assert problem.primary is not None
        assert 0 <= problem.primary.span.start <= problem.primary.span.end <= len(text)
        assert problem.message.ru and problem.message.en
    for language in LANGUAGES:
        render_all(problems, {"a.md": source}, language)
        format_chapter(chapter, language)
    reword(source, "ru", "en")


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A text of the corpus with a few stretches cut, doubled, moved or replaced."""
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 40)))
        text = text[:start] + draw(st.just("") | PIECES | st.just(text[start:end] * 2)) + text[end:]
    return text


@SETTINGS
@given(mutated())
def test_mutated_chapters(text: str) -> None:
    check(text)


@SETTINGS
@given(st.lists(PIECES, max_size=30).map(" ".join), st.sampled_from(("правило", "пример")))
def test_soup_of_words_in_a_fence(soup: str, fence: str) -> None:
    check(f"### R-1 П\n\n```{fence}\n{soup}\n```\n")


@SETTINGS
@given(st.lists(PIECES, max_size=12).map(" ".join), st.sampled_from(LANGUAGES))
def test_soup_on_the_command_line(soup: str, language: str) -> None:
    for parse in (parse_expression, parse_pattern):
        problems = Problems()
        assert (parse(soup, language, problems) is None) == bool(problems.found)


@SETTINGS
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    check(text)
    check(f"### R-1 П\n\n```правило\n{text}\n```\n")


@SETTINGS
@given(st.binary(max_size=100))
def test_any_bytes(data: bytes) -> None:
    problems = Problems()
    assert (decode("a.md", data, problems) is None) == bool(problems.found)
