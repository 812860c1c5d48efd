"""In: the stretch of a text that is a fence's content. Out: its statements or example lines, and all its syntax errors.

After an error reading goes on at the next word that begins a statement, so one mistake does not hide another.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

from lark import Tree

from svod.diagnostics import Problems, Text
from svod.source import Source, Span
from svod.syntax import codes
from svod.syntax.building import ExpressionBuilder
from svod.syntax.example_lines import ExampleBuilder
from svod.syntax.hints import Hint, explain
from svod.syntax.keywords import KEYWORDS, WORD_END
from svod.syntax.parsing import Failure, expected_at, parse
from svod.syntax.statements import StatementBuilder

DEPTH_LIMIT = 100
ERRORS_LIMIT = 20
EXPECTATION_WINDOW = 20_000  # characters read again to learn what could have stood at an error


class FenceReader:
    """Reads one fence of `source`; `rule` is the item that its problems are reported under."""

    def __init__(self, source: Source, language: str, rule: str | None, problems: Problems) -> None:
        self.source, self.language, self.rule, self.problems = source, language, rule, problems

    def statements(self, begin: int, end: int) -> tuple[Any, ...]:
        """Statements of a fence of clauses."""
        return self._read(begin, end, "statements", "pieces")

    def example(self, begin: int, end: int) -> tuple[Any, ...]:
        """Lines of an example fence."""
        return self._read(begin, end, "example", "example")

    def alone(self, begin: int, end: int, start: str) -> Any | None:
        """One expression or pattern, or None where it cannot be read."""
        outcome = parse(self.language, start, self.source.text, begin, end)
        if isinstance(outcome, Failure):
            expected = expected_at(self.language, start, self.source.text, begin, end)
            failure = replace(outcome, expected=expected)
            self._report(explain(failure, self.source.text, begin, self.language, outcome.kind == "$END"))
            return None
        before = len(self.problems.found)
        node = self._build(outcome, start)
        return node if len(self.problems.found) == before else None

    # ------------------------------------------------------------------------------------------------ reading

    def _read(self, begin: int, end: int, whole: str, rest: str) -> tuple[Any, ...]:
        text, start = self.source.text, whole
        found: list[Any] = []
        starts: list[int] | None = None
        for _ in range(ERRORS_LIMIT):
            outcome = parse(self.language, start, text, begin, end)
            if not isinstance(outcome, Failure):
                found += self._build(outcome, start)
                break
            if starts is None:
                starts = _statement_starts(text, begin, end, self.language, start == "example")
            place = outcome.start
            index = bisect_left(starts, place)
            statement = max(begin, starts[index - 1]) if index else begin
            at_boundary = outcome.kind == "$END" or (place > begin and starts[index : index + 1] == [place])
            far = place - begin > EXPECTATION_WINDOW
            expected = expected_at(self.language, rest if far else start, text, statement if far else begin, end)
            self._report(explain(replace(outcome, expected=expected), text, statement, self.language, at_boundary))
            before = parse(self.language, rest, text, begin, statement)
            if not isinstance(before, Failure):
                found += self._build(before, rest)
            following = [offset for offset in starts[index : index + 2] if offset > begin]
            if not following:
                break
            start, begin = rest, following[0]
        return tuple(found)

    def _build(self, parsed: Tree[Any], start: str) -> Any:
        builder: ExpressionBuilder
        builder = ExampleBuilder(self.source.name) if start == "example" else StatementBuilder(self.source.name)
        result = builder.transform(parsed)
        for span in builder.too_large:
            message = Text("слишком большое число", "the number is too large")
            self.problems.report(codes.NUMBER_TOO_LARGE, message, span, rule=self.rule)
        for span in builder.repeated:
            message = Text("это свойство указано второй раз", "this property is stated for the second time")
            self.problems.report(codes.REPEATED_OPTION, message, span, rule=self.rule)
        if not isinstance(result, tuple):
            return None if self._too_deep(result) else result
        return tuple(node for node in result if not self._too_deep(node))

    def _too_deep(self, node: Any) -> bool:
        if not is_deeper(node, DEPTH_LIMIT):
            return False
        span = Span(self.source.name, node.span.start, min(node.span.end, node.span.start + 80))
        message = Text("выражение вложено слишком глубоко", "the expression is nested too deeply")
        help = Text("дайте частям имена с помощью `термин`", "give the parts names with `define`")
        self.problems.report(codes.TOO_DEEP, message, span, rule=self.rule, help=help)
        return True

    def _report(self, hint: Hint) -> None:
        span = Span(self.source.name, hint.start, hint.end)
        if any(
            known.primary is not None and known.primary.span == span and known.code is codes.MIXED_LETTERS
            for known in self.problems
        ):
            return  # the mixed letters are the reason, and are reported
        self.problems.report(hint.code, hint.message, span, rule=self.rule, help=hint.help)


def is_deeper(node: Any, limit: int) -> bool:
    """Whether the nodes under `node` are nested deeper than `limit`; does not recurse."""
    waiting = [(node, 1)]
    while waiting:
        current, depth = waiting.pop()
        if isinstance(current, tuple):
            waiting += [(child, depth) for child in current]
        elif is_dataclass(current) and not isinstance(current, Span):
            if depth > limit:
                return True
            waiting += [(getattr(current, each.name), depth + 1) for each in fields(current) if each.name != "span"]
    return False


@cache
def _start_pattern(language: str, example: bool) -> re.Pattern[str]:
    words = [KEYWORDS[name] for name in ("GIVEN", "DO", "ACTION", "EXPECT")]
    if not example:
        words = [word for word in KEYWORDS.values() if word.starts_statement and word.reserved]
    starts = "|".join(word.bare_pattern(language) for word in words)
    return re.compile(rf"#[^\n]*|«[^»\n]*»?|\"[^\"\n]*\"|(?P<start>(?<!\w)(?:{starts})){WORD_END}")


def _statement_starts(text: str, begin: int, end: int, language: str, example: bool) -> list[int]:
    """Offsets of the words that begin statements and stand first in a line or after a colon."""
    found = []
    for match in _start_pattern(language, example).finditer(text, begin, end):
        if match["start"] is None:
            continue
        line = text[max(begin, text.rfind("\n", 0, match.start()) + 1) : match.start()].strip()
        before = text[begin : match.start()].rstrip()[-1:]
        effect = re.match(KEYWORDS["EVENT"].bare_pattern(language), match["start"])
        if (not line or line.endswith(":")) and not (effect and before in (":", ";", "(")):
            found.append(match.start())
    return found
