"""The one type in which a problem of a text reaches a person, its stable codes, and a plain-text renderer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from svod.source import Source, Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"  # good to know: a proof that holds, a fact about the text


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in the languages that the product speaks."""

    ru: str
    en: str

    def in_language(self, language: str) -> str:
        """The sentence in «ru» or «en»."""
        return self.ru if language == "ru" else self.en


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of problem. Declared in the module that reports it; `svod explain` prints `explanation`.

    Names: S… syntax, N… names, T… types, A… amendments, X… static checks, F… findings of searches, C… case and
    command input.
    """

    name: str
    title: Text
    explanation: Text
    severity: Severity = Severity.ERROR


@dataclass(frozen=True, slots=True)
class Label:
    span: Span
    text: Text


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """`rule` is the number of the item concerned (printed first) or None where there is none."""

    code: Code
    message: Text
    primary: Label | None
    rule: str | None = None
    secondary: tuple[Label, ...] = ()
    help: Text | None = None


@dataclass
class Problems:
    """Collects the problems of a stage; a stage reports all that it is certain of and returns its best value."""

    found: list[Diagnostic] = field(default_factory=list)
    _known: set[Diagnostic] = field(default_factory=set, repr=False, compare=False)

    def add(self, diagnostic: Diagnostic) -> None:
        """Keep the diagnostic, once."""
        if diagnostic not in self._known:
            self._known.add(diagnostic)
            self.found.append(diagnostic)

    def report(
        self,
        code: Code,
        message: Text,
        span: Span | None,
        *,
        rule: str | None = None,
        help: Text | None = None,
        secondary: tuple[Label, ...] = (),
    ) -> None:
        """Add a diagnostic whose underlined place is `span`."""
        label = None if span is None else Label(span, message)
        self.add(Diagnostic(code, message, label, rule, secondary, help))

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.code.severity is Severity.ERROR for diagnostic in self.found)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.found)


_WORDS = {
    "ru": {
        Severity.ERROR: "ошибка",
        Severity.WARNING: "предупреждение",
        Severity.NOTE: "к сведению",
        "help": "подсказка",
    },
    "en": {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note", "help": "help"},
}


def render(diagnostic: Diagnostic, sources: Mapping[str, Source], language: str) -> str:
    """Plain text of one diagnostic: rule number first, then code, place, underlined line, help."""
    words = _WORDS[language]
    head = f"{words[diagnostic.code.severity]}[{diagnostic.code.name}]: {diagnostic.message.in_language(language)}"
    lines = [f"{diagnostic.rule}: {head}" if diagnostic.rule else head]
    if diagnostic.primary is not None:
        lines += _render_label(diagnostic.primary, sources, None)
    for label in diagnostic.secondary:
        lines += _render_label(label, sources, label.text.in_language(language))
    if diagnostic.help is not None:
        lines.append(f"  {words['help']}: {diagnostic.help.in_language(language)}")
    return "\n".join(lines)


def _render_label(label: Label, sources: Mapping[str, Source], text: str | None) -> list[str]:
    source = sources.get(label.span.source)
    if source is None:
        return [f"  --> {label.span.source}"]
    line, column = source.line_column(min(label.span.start, len(source.text)))
    content = source.line_text(line)
    width = max(1, min(label.span.end, label.span.start + len(content) - column + 1) - label.span.start)
    if len(content) > 160:  # a long line is shown around the place
        start = max(0, column - 60)
        content = content[start : start + 120]
        column -= start
    prefix = f"{line:>4} | "
    lines = [f"  --> {label.span.source}:{line}:{column}", prefix + content.replace("\t", " ")]
    underline = " " * (len(prefix) - 2) + "| " + " " * (column - 1) + "^" * min(width, 120)
    lines.append(underline if text is None else f"{underline} {text}")
    return lines


def render_all(diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source], language: str) -> str:
    """Plain text of several diagnostics, a blank line between them."""
    return "\n\n".join(render(diagnostic, sources, language) for diagnostic in diagnostics)


class InternalError(Exception):
    """A bug of ours, never a mistake of the user: names the stage that found it."""

    def __init__(self, stage: str, message: str) -> None:
        super().__init__(f"{stage}: {message}")
        self.stage = stage
