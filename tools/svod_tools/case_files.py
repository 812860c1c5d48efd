"""In: a YAML file of judges' cases. Out: each case as data, with the place of every part of it; or diagnostics.

A file holds one case, a list of cases, or a mapping with the list `cases` beside other things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from svod.diagnostics import Code, Problems, Text
from svod.searches.cases import Path
from svod.searches.judging import Case
from svod.source import Source, Span

BROKEN_CASES = Code(
    "C505",
    Text("файл случаев не читается", "file of cases cannot be read"),
    Text(
        "Файл случаев — это YAML: один случай, список случаев или объект со списком cases. "
        "Сообщение называет строку, на которой чтение прервалось.",
        "A file of cases is YAML: one case, a list of cases, or an object with the list cases. "
        "The message names the line at which reading stopped.",
    ),
)
PARTS_MAX = 500_000  # nodes of a file, aliases spelt out
DEPTH_MAX = 100
TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str", "int", "float", "bool", "null", "timestamp", "merge")
)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of a file, in order; `broken`: places of those that are no cases at all."""

    source: Source
    cases: tuple[Case, ...]


@dataclass
class _Tree:
    """Data of a YAML node, and the spans of its parts."""

    source: Source
    problems: Problems
    spans: dict[Path, Span] = field(default_factory=dict)

    def value(self, node: yaml.Node, path: Path) -> object:
        """The node as plain data. `RecursionError` for what contains itself, or repeats itself without end."""
        self.spans[path] = self.span(node)
        if len(self.spans) > PARTS_MAX or len(path) > DEPTH_MAX:
            raise RecursionError
        if node.tag not in TAGS:
            told = f"«{node.tag}»"
            self.problems.report(
                BROKEN_CASES, Text(f"пометка {told} здесь ничего не значит", f"{told} means nothing"), self.span(node)
            )
            return None
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(each, (*path, place)) for place, each in enumerate(node.value)]
        return self._scalar(node)

    def _scalar(self, node: yaml.Node) -> object:
        """A scalar as YAML understands it."""
        loader = yaml.SafeLoader("")
        try:
            value: object = loader.construct_object(node, deep=True)
        # «2020-13-45» looks like a date and is none; a forced tag («!!bool foo») makes PyYAML raise these others.
        except (ValueError, LookupError, AttributeError, yaml.YAMLError):
            message = Text("значение не читается; поставьте кавычки", "this value cannot be read; quote it")
            self.problems.report(BROKEN_CASES, message, self.span(node))
            return None
        finally:
            loader.dispose()
        return value

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[object, object]:
        found: dict[object, object] = {}
        for key_node, value_node in node.value:
            key = self._scalar(key_node)
            if not isinstance(key, str | int) or key in found:
                message = Text(f"ключ «{key}» повторяется или не подходит", f"key “{key}” is repeated or unfit")
                self.problems.report(BROKEN_CASES, message, self.span(key_node))
                continue
            found[key] = self.value(value_node, (*path, key))
        return found

    def span(self, node: yaml.Node) -> Span:
        """Where a node stands; a long one by its first line."""
        start, end = node.start_mark.index, node.end_mark.index
        line_end = self.source.text.find("\n", start)
        return Span(self.source.name, start, max(start + 1, min(end, line_end if line_end > start else end)))


def read_cases(source: Source, problems: Problems) -> CaseFile | None:
    """The cases of a text; None, and why, if it is not of the form described above."""
    try:
        root = yaml.compose(source.text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        offset = min(mark.index, max(0, len(source.text) - 1)) if mark is not None else 0
        reason = str(getattr(error, "problem", "") or "?")
        message = Text(f"это не YAML ({reason})", f"this is not YAML ({reason})")
        problems.report(BROKEN_CASES, message, Span(source.name, offset, offset + 1))
        return None
    except RecursionError:
        _endless(source, problems)
        return None
    tree = _Tree(source, problems)
    try:
        data = None if root is None else tree.value(root, ())
    except RecursionError:
        _endless(source, problems)
        return None
    found = _listed(data)
    if found is None or problems.has_errors:
        if not problems.has_errors:
            message = Text("ожидался случай или список случаев", "expected a case or a list of cases")
            problems.report(BROKEN_CASES, message, Span(source.name, 0, 1))
        return None
    cases = tuple(Case(_named(each), _places(tree, path)) for path, each in found)
    return CaseFile(source, cases)


def _endless(source: Source, problems: Problems) -> None:
    message = Text("файл содержит сам себя или слишком велик", "the file contains itself, or is too large")
    problems.report(BROKEN_CASES, message, Span(source.name, 0, 1))


def _listed(data: object) -> Sequence[tuple[Path, Mapping[object, object]]] | None:
    prefix: Path = ()
    if isinstance(data, Mapping) and "cases" in data:
        data, prefix = data["cases"], ("cases",)
    if isinstance(data, Mapping):
        return [(prefix, data)] if data else None
    if not isinstance(data, list) or not all(isinstance(each, Mapping) for each in data):
        return None
    return [((*prefix, place), each) for place, each in enumerate(data)]


def _named(data: Mapping[object, object]) -> dict[str, object]:
    return {str(key): value for key, value in data.items()}


@dataclass(frozen=True)
class _Places:
    """Looks up where a part of one case stands; the nearest part that has a place if it has none itself."""

    tree: _Tree
    prefix: Path

    def __call__(self, path: Path) -> Span | None:
        whole = (*self.prefix, *path)
        while len(whole) > len(self.prefix) and whole not in self.tree.spans:
            whole = whole[:-1]
        return self.tree.spans.get(whole)


def _places(tree: _Tree, prefix: Path) -> _Places:
    return _Places(tree, prefix)
