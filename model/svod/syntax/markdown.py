"""In: the text of a chapter. Out: its front matter, headings, fences and prose as stretches of the text.

A fence of clauses may contain lines that look like headings (`#` starts a comment there), so lines are read in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from svod.diagnostics import Problems, Text
from svod.source import Source, Span
from svod.syntax import codes
from svod.syntax.keywords import RULE_NUMBER

_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^\n]*)")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?=[ \t]|$)[ \t]*")
_QUOTED_FENCE = re.compile(r"[ \t]*>[> \t]*(?P<fence>(?:`{3,}|~{3,})[ \t]*(?P<word>[^\s`]+))")
_KEY = re.compile(r"(?P<key>[^\s:#'\"\-\[{&*!|>%@`?,][^:\n]*?)[ \t]*:(?:[ \t]+(?P<value>[^\n]*))?$")
_NUMBERED = re.compile(rf" {{0,3}}#{{2,6}}[ \t]+(?:[^\W\d]+[ \t]+)?{RULE_NUMBER}")


@dataclass(frozen=True, slots=True)
class Heading:
    """`text` begins at `start` in the source."""

    level: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Fence:
    """`word` and `title` are the info string; the content is `start:end`, the opening line `opening:start`."""

    word: str
    title: str
    opening: int
    start: int
    end: int
    after: int


@dataclass(frozen=True, slots=True)
class Prose:
    start: int
    end: int


KEY_LINE_MAX = 1000

Block = Heading | Fence | Prose


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int  # without the line end
    next: int


def _lines(text: str, start: int) -> list[_Line]:
    lines = []
    while start < len(text):
        end = text.find("\n", start)
        stop, following = (len(text), len(text)) if end < 0 else (end, end + 1)
        lines.append(_Line(start, stop, following))
        start = following
    return lines


def split(source: Source, start: int, ours: frozenset[str], problems: Problems) -> Iterator[Block]:
    """Blocks of the text from `start` on. `ours` are the words of fences whose content is read."""
    text, lines, index, comment = source.text, _lines(source.text, start), 0, False
    while index < len(lines):
        line = lines[index]
        content = text[line.start : line.end]
        if comment:
            comment = "-->" not in content
            yield Prose(line.start, line.next)
        elif fence := _FENCE.fullmatch(content):
            if fence["mark"][0] == "`" and "`" in fence["info"]:
                yield Prose(line.start, line.next)
            else:
                block, index = _fence(source, lines, index, fence, ours, problems)
                yield block
                continue
        elif heading := _HEADING.match(content):
            title = _without_closing_marks(content[heading.end() :])
            yield Heading(len(heading["marks"]), title, line.start + heading.end(), line.end)
        else:
            comment = content.lstrip().startswith("<!--") and "-->" not in content
            _report_quoted(source, line, ours, problems)
            yield Prose(line.start, line.next)
        index += 1


def _without_closing_marks(title: str) -> str:
    """`Title ##` is a heading called `Title`; `C#` keeps its sign."""
    title = title.rstrip()
    bare = title.rstrip("#")
    return bare.rstrip() if bare != title and (not bare or bare[-1] in " \t") else title


def _report_quoted(source: Source, line: _Line, ours: frozenset[str], problems: Problems) -> None:
    """A fence of ours in a quotation would be lost without a word."""
    quoted = _QUOTED_FENCE.match(source.text, line.start, line.end)
    if quoted and quoted["word"] in ours:
        problems.report(
            codes.UNKNOWN_FENCE,
            Text("блок внутри цитаты не читается", "a fence inside a quotation is not read"),
            Span(source.name, quoted.start("fence"), quoted.end("word")),
            help=Text("уберите `>` в начале строк", "delete `>` at the start of the lines"),
        )


def _fence(
    source: Source, lines: list[_Line], index: int, fence: re.Match[str], ours: frozenset[str], problems: Problems
) -> tuple[Fence, int]:
    """The fence that opens in line `index`, and the index of the line after it."""
    text, opening = source.text, lines[index]
    word, _, title = fence["info"].strip().replace("\t", " ").partition(" ")
    mark, position = fence["mark"], index + 1
    closed = False
    while position < len(lines):
        content = text[lines[position].start : lines[position].end]
        stripped = content.strip()
        if len(stripped) >= len(mark) and set(stripped) == {mark[0]}:
            closed = True
            break
        inner = _FENCE.fullmatch(content)
        if word in ours and ((inner and inner["info"].split(" ")[0] in ours) or _NUMBERED.match(content)):
            break
        position += 1
    end = lines[position].start if position < len(lines) else len(text)
    after = lines[position].next if closed else end
    if not closed:
        begin = opening.start + len(fence["indent"])
        problems.report(
            codes.UNCLOSED_FENCE,
            Text("блок открыт здесь и не закрыт", "the fence is opened here and never closed"),
            Span(source.name, begin, opening.end),
            help=Text(f"закройте блок отдельной строкой {mark}", f"close the fence with a line {mark}"),
        )
    return Fence(word, title.strip(), opening.start, min(opening.next, end), end, after), position + closed


def front_matter(source: Source, problems: Problems) -> tuple[tuple[tuple[str, str], ...], dict[str, Span], int]:
    """Keys and values as written, the span of each value, and the offset at which the rest of the text begins."""
    text = source.text
    lines = _lines(text, 0)
    if not lines or text[lines[0].start : lines[0].end].rstrip() != "---":
        return (), {}, 0
    found: dict[str, str] = {}
    spans: dict[str, Span] = {}
    wrong = Problems()
    for line in lines[1:]:
        content = text[line.start : line.end].rstrip()
        if content == "---":
            problems.found += wrong.found
            return tuple(found.items()), spans, line.next
        if not content or content.lstrip().startswith("#"):
            continue
        match = _KEY.fullmatch(content) if len(content) <= KEY_LINE_MAX else None
        value = None if match is None else _scalar(match["value"] or "")
        if match is None or value is None or match["key"] in found:
            _report_key(source, Span(source.name, line.start, line.start + len(content)), match, found, wrong)
            continue
        found[match["key"]] = value
        begin = line.start + (match.start("value") if match["value"] else 0)
        spans[match["key"]] = Span(source.name, begin, line.start + len(content))
    problems.report(
        codes.FRONT_MATTER,
        Text("шапка открыта и не закрыта строкой `---`", "the front matter is opened and not closed by a line `---`"),
        Span(source.name, 0, 3),
    )
    return (), {}, lines[0].next


def _report_key(
    source: Source, span: Span, match: re.Match[str] | None, found: dict[str, str], problems: Problems
) -> None:
    if match is not None and match["key"] in found:
        key = match["key"]
        message = Text(f"ключ «{key}» встречается дважды", f"the key “{key}” occurs twice")
    else:
        message = Text("строка шапки не вида `ключ: значение`", "a line of the front matter is not `key: value`")
    problems.report(codes.FRONT_MATTER, message, span)


def _scalar(text: str) -> str | None:
    """A plain or quoted value; None for what YAML would read as a list, a mapping or an alias."""
    text = text.strip()
    if text[:1] in ("'", '"'):
        closing = text.find(text[0], 1)
        rest = text[closing + 1 :].strip()
        return text[1:closing] if closing > 0 and (not rest or rest.startswith("#")) else None
    text = re.sub(r"(^|\s)#.*$", "", text).strip()
    return None if text[:1] in tuple("[{&*!|>%@`") or ": " in text else text
