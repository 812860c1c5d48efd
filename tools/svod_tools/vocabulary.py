"""In: `vocabulary.yaml` beside a rulebook. Out: plain names for its cards, acts, zones and terms, each checked.

The file maps names that any keyboard types to the rulebook's own:

    values: {J: В, S: ♠, P1: П1}        # parts of cards, players, any other value; «JS» is then a card
    actions: {play: [зайти, побить]}    # a name may stand for several acts; the first possible one is meant
    zones: {pile: кон}
    terms: {next_to_move: ходит}
    parameters: {deck: колода}

One more section, `cases`, says how a judge's case lies in the rulebook; `svod.searches.case_words` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import yaml

from svod.diagnostics import Code, Problems, Severity, Text
from svod.norms import ir
from svod.searches.case_names import UNKNOWN_CASE_NAME, unknown_names
from svod.searches.case_words import CaseWords, case_words
from svod.source import Source, Span

SECTIONS = ("values", "actions", "zones", "terms", "parameters")

BROKEN_VOCABULARY = Code(
    "C411",
    Text("словарь имён не читается", "vocabulary cannot be read"),
    Text(
        "vocabulary.yaml — это YAML с разделами values, actions, zones, terms и parameters; слева простое имя, "
        "справа имя из свода (в actions можно список).",
        "vocabulary.yaml is YAML with sections values, actions, zones, terms and parameters; each maps a plain name "
        "to a name of the rulebook (in actions also to a list).",
    ),
)
UNKNOWN_WORD = Code(
    "C412",
    Text("словарь называет то, чего в своде нет", "vocabulary names what the rulebook lacks"),
    Text(
        "Справа в словаре стоит имя, которого нет среди значений, действий, зон или терминов свода. "
        "Исправьте имя или уберите строку.",
        "The right-hand side is not among the values, acts, zones or terms of the rulebook. "
        "Correct the name or drop the line.",
    ),
    Severity.WARNING,
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Plain name → names of the rulebook. A name that is not listed means itself."""

    values: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    cases: object = None

    def value(self, sort: ir.Sort, name: str) -> int | None:
        """Number of the value that `name` means in `sort`: its own name, a plain one, or a plain name made of parts."""
        for candidate in (name, self.values.get(name), self._composed(name)):
            if candidate is not None and candidate in sort.values:
                return sort.values.index(candidate)
        lowered = {value.lower(): number for number, value in enumerate(sort.values)}
        return lowered.get(name.lower())

    def _composed(self, name: str) -> str | None:
        """«6H» from «H»: the end and the beginning are each translated, digits mean themselves."""
        for cut in range(len(name) - 1, 0, -1):
            head, tail = name[:cut], name[cut:]
            end = self.values.get(tail) or self.values.get(tail.upper())
            start = self.values.get(head) or self.values.get(head.upper()) or (head if head.isdecimal() else None)
            if start is not None and end is not None:
                return start + end
        return None

    def acts(self, name: str) -> tuple[str, ...]:
        """Actions that `name` may mean, in the order to try."""
        return self.actions.get(name, (name,))

    def plain_action(self, action: str) -> str | None:
        """The plain name that stands for this action first, if there is one."""
        return next((plain for plain, acts in self.actions.items() if action in acts), None)


def read_vocabulary(source: Source | None, problems: Problems) -> Vocabulary:
    """The vocabulary of a file; an empty one where there is no file or it is broken (then a problem is reported)."""
    if source is None:
        return Vocabulary()
    try:
        data = yaml.safe_load(source.text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        offset = min(mark.index, max(0, len(source.text) - 1)) if mark is not None else 0
        _broken(source, Text("это не YAML", "this is not YAML"), Span(source.name, offset, offset + 1), problems)
        return Vocabulary()
    # «2020-13-45» looks like a date and is none; a list that contains itself; a forced tag («!!bool foo»).
    except (ValueError, LookupError, AttributeError, RecursionError):
        _broken(source, Text("значение YAML не читается", "a value of YAML cannot be read"), None, problems)
        return Vocabulary()
    if data is None:
        return Vocabulary()
    if not isinstance(data, dict):
        _broken(source, Text("ожидались разделы словаря", "sections of a vocabulary expected"), None, problems)
        return Vocabulary()
    sections: dict[str, dict[str, tuple[str, ...]]] = {}
    for key, entries in data.items():
        if key == "cases":
            continue
        if key not in SECTIONS or not isinstance(entries, dict):
            known = ", ".join(SECTIONS)
            message = Text(f"«{key}» — не раздел словаря ({known})", f"“{key}” is no section ({known})")
            _broken(source, message, _place(source, str(key)), problems)
            continue
        sections[key] = _entries(source, key, entries, problems)
    single = {key: {plain: names[0] for plain, names in each.items()} for key, each in sections.items()}
    return Vocabulary(
        single.get("values", {}),
        sections.get("actions", {}),
        single.get("zones", {}),
        single.get("terms", {}),
        single.get("parameters", {}),
        data.get("cases"),
    )


def check_vocabulary(vocabulary: Vocabulary, norms: ir.Norms, source: Source | None, problems: Problems) -> None:
    """Report names that the rulebook lacks. Values are left alone: a deck at other parameters may have them."""
    if source is None:
        return
    known = {
        "actions": {action.name for action in norms.actions},
        "zones": {zone.name for zone in norms.zones},
        "terms": {term.name for term in norms.terms} | {register.name for register in norms.registers},
    }
    meant = {
        "actions": [name for names in vocabulary.actions.values() for name in names],
        "zones": list(vocabulary.zones.values()),
        "terms": list(vocabulary.terms.values()),
    }
    for section, names in meant.items():
        for name in names:
            if name not in known[section]:
                message = Text(f"{section}: в своде нет «{name}»", f"{section}: the rulebook has no “{name}”")
                problems.report(UNKNOWN_WORD, message, _place(source, name))
    if vocabulary.cases is not None:
        words_of_cases(vocabulary, norms, source, problems)


def words_of_cases(
    vocabulary: Vocabulary, norms: ir.Norms, source: Source | None, problems: Problems
) -> CaseWords | None:
    """The words of judges' cases, if each of them names something; None, and why, where they cannot be used."""
    find = _no_place if source is None else partial(_place_in_cases, source)
    layout = case_words(vocabulary.cases, problems, find)
    if layout is not None:
        for name, wrong in unknown_names(layout, norms, vocabulary):
            problems.report(UNKNOWN_CASE_NAME, wrong, find(name))
    return None if problems.has_errors else layout


def _entries(
    source: Source, section: str, entries: Mapping[object, object], problems: Problems
) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for plain, meant in entries.items():
        names = meant if isinstance(meant, list) and section == "actions" else [meant]
        if not names or not all(isinstance(name, str | int) and not isinstance(name, bool) for name in names):
            message = Text(f"{section}: «{plain}» не указывает имени", f"{section}: “{plain}” names nothing")
            _broken(source, message, _place(source, str(plain)), problems)
            continue
        found[str(plain)] = tuple(str(name) for name in names)
    return found


def _broken(source: Source, message: Text, span: Span | None, problems: Problems) -> None:
    shown = Text(f"{source.name}: {message.ru}", f"{source.name}: {message.en}")
    problems.report(BROKEN_VOCABULARY, shown, span)


def _no_place(word: str) -> Span | None:
    return None


def _place_in_cases(source: Source, word: str) -> Span | None:
    """The first place of a whole word in the section `cases`; without one, that of the section."""
    section = re.search(r"^cases\b", source.text, re.MULTILINE)
    if section is None:
        return None
    found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)").search(source.text, section.end())
    start, end = (found or section).span()
    return Span(source.name, start, end)


def _place(source: Source, word: str) -> Span | None:
    start = source.text.find(word)
    return None if start < 0 else Span(source.name, start, start + len(word))
