"""In: diagnostics, findings, cards and progress. Out: text in the terminal, coloured only where colours are wanted."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

from rich.console import Console
from rich.markup import escape
from rich.text import Text as Rich

from svod.diagnostics import Diagnostic, Problems, Severity, render
from svod.source import Source

_RED_SUITS = frozenset("♥♦")
_SUITS = frozenset("♠♥♦♣")
_QUOTED = re.compile(r"\s*\d*\s\|")
FURTHER = 2


def prepare_streams() -> None:
    """Letters that the terminal's encoding lacks are shown by their numbers instead of ending the program."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # what is typed in another encoding is not understood, and told so


def console(*, stderr: bool = False) -> Console:
    """A console for the current streams, made anew since tests and pipes replace them; rich honours NO_COLOR."""
    return Console(stderr=stderr, highlight=False, soft_wrap=True, emoji=False)


def say(text: str = "") -> None:
    """Plain text to the output."""
    console().print(escape(text), markup=True)


def show(text: Rich) -> None:
    """Styled text to the output; on a terminal long lines go on below, further in."""
    where = console()
    where.print(folded(text, where.width) if where.is_terminal else text)


def folded(text: Rich, width: int) -> Rich:
    """The text with lines of at most `width` columns, broken between words; quoted source lines stay whole."""
    whole = Rich("\n").join(
        _folded_line(line, width) if line.cell_len > width and not _QUOTED.match(line.plain) else line
        for line in text.split("\n", allow_blank=True)
    )
    whole.style = text.style
    return whole


def _folded_line(line: Rich, width: int) -> Rich:
    indent = len(line.plain) - len(line.plain.lstrip())
    further = min(indent + FURTHER, width // 2)
    pieces = line[min(indent, further) :].wrap(Console(), width - further)
    for piece in pieces:
        piece.rstrip()
    return Rich(" " * min(indent, further)) + Rich("\n" + " " * further).join(pieces)


def complain(text: str) -> None:
    """Plain text to the error output."""
    console(stderr=True).print(escape(text), markup=True)


def discard_output() -> None:
    """After the reader of our output has gone: nothing more is written, and the interpreter does not complain."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")


def bad_input(problems: Problems, sources: Mapping[str, Source], language: str) -> int:
    """Print all diagnostics to the error output; the exit code for bad input."""
    console(stderr=True).print(problems_text(problems, sources, language))
    return 2


def problems_text(problems: Problems, sources: Mapping[str, Source], language: str) -> Rich:
    """Diagnostics one below the other, and how to learn more."""
    whole = Rich()
    for diagnostic in problems:
        whole.append_text(diagnostic_text(diagnostic, sources, language)).append("\n\n")
    codes = sorted({diagnostic.code.name for diagnostic in problems})
    if codes:
        more = "Подробнее" if language == "ru" else "More"
        whole.append(f"{more}: svod explain {codes[0]}", style="dim")
    return whole


def diagnostic_text(diagnostic: Diagnostic, sources: Mapping[str, Source], language: str) -> Rich:
    """The plain rendering with its first line and its underlines coloured."""
    colour = "red" if diagnostic.code.severity is Severity.ERROR else "yellow"
    lines = render(diagnostic, sources, language).split("\n")
    text = Rich(lines[0], style=f"bold {colour}")
    for line in lines[1:]:
        marks = line.strip().startswith("|")
        text.append("\n").append(line, style=colour if marks else "" if line[:4].strip().isdecimal() else "dim")
    return text


def value(name: str) -> Rich:
    """The name of a value; one that ends in a suit sign is a card and takes the suit's colour (never colour alone)."""
    if name and name[-1] in _SUITS:
        return Rich(name, style="bold red" if name[-1] in _RED_SUITS else "bold")
    return Rich(name)


def cards(text: str) -> Rich:
    """A text in which every card has the colour of its suit."""
    whole = Rich(text)
    whole.highlight_regex(r"(?<!\w)\w{0,2}[♥♦](?!\w)", "bold red")
    whole.highlight_regex(r"(?<!\w)\w{0,2}[♠♣](?!\w)", "bold")
    return whole


def ask(prompt: str) -> str:
    """One line typed by the person; EOFError when there is no more."""
    console().print(prompt, end="")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")
