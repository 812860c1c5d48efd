"""In: the texts of a rulebook's chapters. Out: the tree of what the editor wrote, and the problems of reading it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from svod.diagnostics import Problems, Text
from svod.source import Source, Span
from svod.syntax import codes, markdown, tree
from svod.syntax.alphabets import WordUse, report_lookalikes, words_in
from svod.syntax.fences import FenceReader
from svod.syntax.keywords import FENCES, LANGUAGES, OPERATIONS, RULE_NUMBER, canonical_number
from svod.syntax.unknown_fences import report_unknown_fence

SIZE_LIMIT = 2_000_000
LANGUAGE_KEYS = ("язык", "language")

_NUMBER = re.compile(rf"(?P<number>{RULE_NUMBER})[.:]?(?=\s|$)")
_NEARLY_NUMBER = re.compile(r"(?P<number>(?:[A-ZА-ЯЁ]{1,4}|[^\W\d_]{1,4}[-–—−‐‑])[-–—−‐‑.]*[0-9]\S*)")
_ALL_FENCES = frozenset(word for words in FENCES.values() for word in words.values())


def decode(name: str, data: bytes, problems: Problems) -> Source | None:
    """The text of a file: UTF-8, without a byte order mark, lines ended by `\\n`, letters composed."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        problems.report(
            codes.NOT_UTF8,
            Text(f"{name}: строка {line} не в UTF-8", f"{name}: line {line} is not UTF-8"),
            Span(name, 0, 0),
            help=Text("сохраните файл в кодировке UTF-8", "save the file as UTF-8"),
        )
        return None
    return Source(name, unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")))


def parse_rulebook(sources: Sequence[Source], problems: Problems) -> tree.Tree:
    """The tree of a folder of chapters; the first front matter names the language of those that have none."""
    language: str | None = None
    chapters, words = [], []
    for source in sources:
        reader = _ChapterReader(source, language, problems)
        chapters.append(reader.read())
        words += reader.words
        language = language or reader.language
    report_lookalikes(words, problems)
    return tree.Tree(tuple(chapters))


def parse_chapter(source: Source, language: str | None, problems: Problems) -> tree.Chapter:
    """The tree of one file; its front matter names the language, or else `language`, or else Russian is taken."""
    reader = _ChapterReader(source, language, problems)
    chapter = reader.read()
    report_lookalikes(reader.words, problems)
    return chapter


def parse_pattern(text: str, language: str, problems: Problems) -> tree.Pattern | None:
    """One act such as `beat(P1, 9♦)`, as typed on the command line."""
    source = Source("", text)
    node = FenceReader(source, language, None, problems).alone(0, len(text), "pattern_alone")
    assert node is None or isinstance(node, tree.Pattern)
    return node


def parse_expression(text: str, language: str, problems: Problems) -> tree.Expression | None:
    """One expression, as typed on the command line."""
    fence = FenceReader(Source("", text), language, None, problems)
    node: tree.Expression | None = fence.alone(0, len(text), "expression_alone")
    return node


def parse_statements(text: str, language: str, problems: Problems) -> tuple[tree.Statement, ...]:
    """Statements without a chapter around them; spans count from the start of `text`."""
    return FenceReader(Source("", text), language, None, problems).statements(0, len(text))


def parse_example(text: str, language: str, problems: Problems) -> tuple[tree.ExampleLine, ...]:
    """Lines of an example without a chapter around them; spans count from the start of `text`."""
    return FenceReader(Source("", text), language, None, problems).example(0, len(text))


@dataclass
class _Open:
    """An item or a section while its blocks are read."""

    heading: markdown.Heading | None
    number: str | None = None
    number_span: Span | None = None
    title: str = ""
    operation: str | None = None
    prose: list[str] = field(default_factory=list)
    clause_fences: list[markdown.Fence] = field(default_factory=list)
    statements: tuple[tree.Statement, ...] = ()
    examples: list[tree.Example] = field(default_factory=list)


class _ChapterReader:
    """Reads one file; afterwards `language` and `words` are known."""

    def __init__(self, source: Source, language: str | None, problems: Problems) -> None:
        self.source, self.problems = source, problems
        self.language: str | None = language
        self.words: list[WordUse] = []

    def read(self) -> tree.Chapter:
        """The chapter as a tree."""
        name, text = self.source.name, self.source.text
        if not text.strip():
            message = Text(f"{name}: текст пуст", f"{name}: the text is empty")
            self.problems.report(codes.EMPTY_TEXT, message, Span(name, 0, 0))
            return tree.Chapter(name, (), ())
        if len(text) > SIZE_LIMIT:
            message = Text(f"{name}: больше {SIZE_LIMIT} знаков", f"{name}: more than {SIZE_LIMIT} characters")
            self.problems.report(codes.TOO_LARGE, message, Span(name, 0, 1))
            return tree.Chapter(name, (), ())
        pairs, spans, start = markdown.front_matter(self.source, self.problems)
        for key in LANGUAGE_KEYS:
            if key in spans:
                self._set_language(dict(pairs)[key], spans[key])
        return tree.Chapter(name, pairs, tuple(self._blocks(start)))

    def _set_language(self, value: str, span: Span) -> None:
        if value in LANGUAGES:
            self.language = value
            return
        message = Text(f"неизвестный язык «{value}»", f"unknown language “{value}”")
        help = Text("бывает `ru` или `en`", "there are `ru` and `en`")
        self.problems.report(codes.LANGUAGE, message, span, help=help)

    @property
    def _words_language(self) -> str:
        return self.language or "ru"

    def _blocks(self, start: int) -> list[tree.Section | tree.Item]:
        blocks: list[tree.Section | tree.Item] = []
        current = _Open(None)
        for block in markdown.split(self.source, start, _ALL_FENCES, self.problems):
            match block:
                case markdown.Heading():
                    self._close(current, blocks)
                    current = self._open(block)
                case markdown.Prose(begin, end):
                    current.prose.append(self.source.text[begin:end])
                case markdown.Fence():
                    self._fence(block, current)
        self._close(current, blocks)
        return blocks

    # ----------------------------------------------------------------------------------------------- headings

    def _open(self, heading: markdown.Heading) -> _Open:
        operation, offset = self._operation(heading.text)
        rest = heading.text[offset:]
        found = _NUMBER.match(rest) or _NEARLY_NUMBER.match(rest)
        if found is None:
            return _Open(heading, title=heading.text)
        begin = heading.start + offset
        span = Span(self.source.name, begin, begin + len(found["number"]))
        number = canonical_number(found["number"])
        if _NUMBER.match(rest) is None:
            message = Text(f"«{number}» не похоже на номер пункта", f"“{number}” is not a rule number")
            help = Text("номер пишется так: `N-1`, `N-1.2b`, `N1`", "a number looks like `N-1`, `N-1.2b`, `N1`")
            self.problems.report(codes.MALFORMED_NUMBER, message, span, rule=number, help=help)
        self.words.append(WordUse(number, span, number, heading=True))
        return _Open(heading, number, span, rest[found.end() :].strip(), operation)

    def _operation(self, text: str) -> tuple[str | None, int]:
        """The operation word of an amendment's heading and where the number begins."""
        for operation, words in OPERATIONS.items():
            found = re.match(rf"{words[self._words_language]}\s+", text, re.IGNORECASE)
            if found and (_NUMBER.match(text, found.end()) or _NEARLY_NUMBER.match(text, found.end())):
                return operation, found.end()
        return None, 0

    # ------------------------------------------------------------------------------------------------- fences

    def _fence(self, fence: markdown.Fence, current: _Open) -> None:
        language = self._words_language
        kind = next((kind for kind, words in FENCES.items() if words[language] == fence.word), None)
        if kind is None:
            report_unknown_fence(self.source, fence, language, current.number, self.problems)
            current.prose.append(self.source.text[fence.opening : fence.after])
            return
        if current.number is None:
            self._report_outside(fence)
            return
        self.words += words_in(self.source, fence.start, fence.end, language, current.number, self.problems)
        reader, before = FenceReader(self.source, language, current.number, self.problems), len(self.problems.found)
        read = (reader.example if kind == "example" else reader.statements)(fence.start, fence.end)
        if not read and len(self.problems.found) == before:
            message = Text("в блоке ничего нет", "there is nothing in the fence")
            self.problems.report(codes.EMPTY_FENCE, message, self._opening_span(fence), rule=current.number)
        if kind == "example":
            current.examples.append(tree.Example(fence.title, read, span=self._opening_span(fence)))
            return
        if current.clause_fences:
            self._report_second(fence, current)
        current.clause_fences.append(fence)
        current.statements += read

    def _opening_span(self, fence: markdown.Fence) -> Span:
        line = self.source.text[fence.opening : fence.start].rstrip("\n")
        return Span(self.source.name, fence.opening + len(line) - len(line.lstrip()), fence.opening + len(line))

    def _report_outside(self, fence: markdown.Fence) -> None:
        self.problems.report(
            codes.OUTSIDE_ITEM,
            Text("блок стоит вне пункта с номером", "the fence stands outside of a numbered item"),
            self._opening_span(fence),
            help=Text("поставьте над ним заголовок с номером", "put a heading with a number above it"),
        )

    def _report_second(self, fence: markdown.Fence, current: _Open) -> None:
        self.problems.report(
            codes.SECOND_FENCE,
            Text("в пункте уже есть блок правила", "the item already has a rule fence"),
            self._opening_span(fence),
            rule=current.number,
            help=Text("соедините блоки или заведите новый пункт", "join the fences or make a new item"),
        )

    # ------------------------------------------------------------------------------------------------ closing

    def _close(self, current: _Open, blocks: list[tree.Section | tree.Item]) -> None:
        prose = "".join(current.prose).strip()
        heading, name = current.heading, self.source.name
        if current.number is not None and current.number_span is not None and heading is not None:
            clause_text = "".join(self.source.text[fence.start : fence.end] for fence in current.clause_fences)
            blocks.append(
                tree.Item(
                    number=current.number,
                    title=current.title,
                    prose=prose,
                    statements=current.statements,
                    examples=tuple(current.examples),
                    operation=current.operation,
                    level=heading.level,
                    clause_text=clause_text,
                    span=current.number_span,
                )
            )
        elif heading is not None:
            span = Span(name, heading.start, heading.end)
            blocks.append(tree.Section(current.title, prose, heading.level, span=span))
        elif prose:
            blocks.append(tree.Section("", prose, 0, span=Span(name, 0, 0)))
