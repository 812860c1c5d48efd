"""In: texts, cards, positions, plays. Out: pieces of Markdown that need no extension of a theme."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping

_RED = frozenset("♥♦")
_CARD = re.compile(r"(?<![\w`])([\dA-Za-zА-Яа-яЁё]{0,2})([♠♥♦♣])(?!\w)")


def escaped(text: str) -> str:
    """Text that Markdown shows as it stands."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def coloured(text: str) -> str:
    """Cards in a text get a class for their suit; the sign itself stays, so colour is never alone."""

    def mark(found: re.Match[str]) -> str:
        colour = "svod-red" if found[2] in _RED else "svod-black"
        return f'<span class="{colour}">{found[1]}{found[2]}</span>'

    return _CARD.sub(mark, text)


def block(kind: str, title: str, body: str) -> str:
    """A titled box of ours: plain HTML with Markdown inside."""
    heading = f'<p class="svod-title">{html.escape(title)}</p>\n\n' if title else ""
    return f'<div class="svod-{kind}" markdown>\n{heading}{body.strip()}\n</div>'


def folded(kind: str, title: str, body: str) -> str:
    """A box that opens on a click, also without scripts."""
    summary = f"<summary>{html.escape(title)}</summary>"
    return f'<details class="svod-{kind}" markdown>\n{summary}\n\n{body.strip()}\n\n</details>'


def bullets(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {line}" for line in lines)


def numbered(lines: Iterable[str]) -> str:
    """A numbered list."""
    return "\n".join(f"{index}. {line}" for index, line in enumerate(lines, 1))


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; a bar inside a cell would split it."""

    def line(cells: Iterable[str]) -> str:
        return "| " + " | ".join(cell.replace("\n", " ") for cell in cells) + " |"

    return "\n".join([line(head), line("---" for _ in head), *(line(row) for row in rows)])


def fence(text: str, language: str) -> str:
    """Text shown as typed; the fence is longer than any inside it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return f"{marks} {language}\n{text.strip(chr(10))}\n{marks}"


def position_table(position: Mapping[str, object]) -> str:
    """A position as it is written in JSON, as a table: zones and registers, empty ones left out."""
    rows: list[tuple[str, str]] = []
    for part in position.values():
        if not isinstance(part, Mapping):
            continue
        for name, value in part.items():
            shown = _value_text(value)
            if shown:
                rows.append((escaped(str(name)), shown))
    return table(("Что", "Где и сколько"), rows) if rows else ""


def _value_text(value: object) -> str:
    if value is None or value == [] or value == {} or value == "":
        return ""
    if isinstance(value, Mapping) and "card" in value:
        return coloured(escaped(f"{value['card']} ({value['by']})" if value.get("by") else str(value["card"])))
    if isinstance(value, Mapping):
        inner = [(escaped(str(key)), _value_text(each)) for key, each in value.items()]
        return "; ".join(f"{key}: {each}" for key, each in inner if each)
    if isinstance(value, list | tuple):
        return " ".join(_value_text(each) for each in value)
    if isinstance(value, bool):
        return "да" if value else "нет"
    return coloured(escaped(str(value)))
