"""In: a game under way. Out: its record, one line a move, in the rulebook's own words; and the values a record is.

A record is a header (`key: value`), an empty line, and moves: `12. P2: play K♠`, acts of chance as
`3. chance: deal P1 9♦`. What follows `#` is a remark and counts for nothing. The keys may be Russian or English.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.trace import Act
from svod.rulebook.book import Book, fingerprint
from svod.searches.plays import action_named
from svod.source import Source, Span

KEYS: Mapping[str, Text] = {
    "rulebook": Text("свод", "rulebook"),
    "edition": Text("редакция", "edition"),
    "mark": Text("отпечаток", "hash"),
    "overlays": Text("поправки", "overlays"),
    "parameters": Text("параметры", "parameters"),
    "variants": Text("варианты", "variants"),
    "readings": Text("прочтения", "readings"),
    "seed": Text("зерно", "seed"),
    "note": Text("заметка", "note"),
}
CHANCE = Text("случай", "chance")
REMARK = "#"


@dataclass(frozen=True, slots=True)
class Word:
    """A stretch of the text."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A move as written. `actor` is what stands before the colon, if anything does; `line` counts from 1."""

    line: int
    number: int | None
    actor: Word | None
    action: Word
    arguments: tuple[Word, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Record:
    """A record as written, its words not yet looked up. `head`: key of `KEYS` → value (empty values are left out)."""

    source: Source
    head: Mapping[str, Word]
    lines: tuple[RecordLine, ...]

    def said(self, key: str) -> str:
        """The value of a key of the header, "" if it is not there."""
        return self.head[key].text if key in self.head else ""

    def items(self, key: str) -> tuple[Word, ...]:
        """The parts of a value that is a list with commas."""
        if key not in self.head:
            return ()
        whole = self.head[key]
        found: list[Word] = []
        start = whole.span.start
        for part in whole.text.split(","):
            shift = len(part) - len(part.lstrip())
            text = part.strip()
            if text:
                found.append(Word(text, Span(whole.span.source, start + shift, start + shift + len(text))))
            start += len(part) + 1
        return tuple(found)


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A move of a record: the acts that it may mean, best first (several where a plain name stands for several)."""

    acts: tuple[Act, ...]
    line: int
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class RecordHead:
    """What a record says before its moves."""

    rulebook: str
    edition: str
    language: str
    mark: str
    parameters: tuple[tuple[str, str], ...]
    switches: tuple[str, ...]
    overlays: tuple[str, ...] = ()
    seed: int | None = None


def book_mark(book: Book) -> str:
    """Twelve hexadecimal digits that change when the wording of any item in force does (spacing apart)."""
    digest = hashlib.sha256(f"{book.name}\x00{book.edition}".encode())
    for item in book.items:
        digest.update(f"\x00{item.number}\x00{item.title}\x00{fingerprint(item)}".encode())
    return digest.hexdigest()[:12]


def head_of(
    book: Book, norms: ir.Norms, switches: frozenset[str], seed: int | None, overlays: Sequence[str] = ()
) -> RecordHead:
    """The header for games of these norms. `overlays`: names of the texts that amend the edition."""
    return RecordHead(
        book.name,
        book.edition,
        book.language,
        book_mark(book),
        norms.parameters,
        tuple(sorted(switches)),
        tuple(overlays),
        seed,
    )


# ---------------------------------------------------------------------------------------------------- writing


def act_line(norms: ir.Norms, act: Act, language: str) -> str:
    """The act as a record has it: who, what, with what."""
    action = action_named(norms, act.action)
    values = [norms.sort(p.sort).values[value] for p, value in zip(action.parameters, act.arguments, strict=True)]
    actor = CHANCE.in_language(language) if action.actor is None else values.pop(action.actor)
    return f"{actor}: {' '.join((act.action, *values))}"


def head_text(head: RecordHead) -> str:
    """The header and the empty line that ends it."""
    readings = [name for name in head.switches if "=" in name]
    variants = [name for name in head.switches if "=" not in name]
    values = {
        "rulebook": head.rulebook,
        "edition": head.edition,
        "mark": head.mark,
        "overlays": ", ".join(head.overlays),
        "parameters": ", ".join(f"{name} {value}" for name, value in head.parameters),
        "variants": ", ".join(variants),
        "readings": ", ".join(readings),
        "seed": "" if head.seed is None else str(head.seed),
    }
    lines = [f"{KEYS[key].in_language(head.language)}: {value}" for key, value in values.items() if value]
    return "\n".join((*lines, "", ""))


def record_text(
    head: RecordHead,
    norms: ir.Norms,
    acts: Sequence[Act],
    *,
    remarks: Mapping[int, str] | None = None,
    footer: Sequence[str] = (),
) -> str:
    """A whole record. `remarks`: place of an act (from 0) → what to say beside it; `footer`: how the game ended."""
    said = remarks or {}
    lines = []
    for place, act in enumerate(acts):
        line = f"{place + 1}. {act_line(norms, act, head.language)}"
        lines.append(f"{line}  {REMARK} {said[place]}" if place in said else line)
    closing = ["", *(f"{REMARK} {line}" for line in footer)] if footer else []
    return head_text(head) + "\n".join((*lines, *closing, ""))
