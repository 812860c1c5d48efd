"""In: a rulebook. Out: its files with clauses in canonical form; prose and commented clauses stay as they are."""

from __future__ import annotations

from pathlib import Path

from svod.diagnostics import Problems, Text
from svod.source import Source
from svod.syntax import tree
from svod.syntax.from_text import parse_chapter
from svod.syntax.to_text import format_statements
from svod_tools import files, terminal
from svod_tools.options import Choice


def run(choice: Choice, *, verify: bool) -> int:
    """Rewrite the chapters (or with `verify` only say which would change); exit code 1 if `verify` finds any."""
    problems = Problems()
    loaded = files.load_rulebook(choice.path, problems)
    if loaded is None:
        return terminal.bad_input(problems, {}, choice.language)
    language: str | None = None
    changed: list[tuple[Source, str]] = []
    for source in loaded.chapters:
        chapter = parse_chapter(source, language, problems)
        language = language or _language(chapter)
        text = formatted(source, chapter, language or "ru")
        if text != source.text:
            changed.append((source, text))
    if problems.has_errors:
        return terminal.bad_input(problems, loaded.sources, choice.language)
    for source, text in changed:
        words = Text("изменился бы", "would change") if verify else Text("изменён", "changed")
        terminal.say(f"{source.name}: {words.in_language(choice.language)}")
        if not verify and not files.write_text(Path(source.name), text, problems):
            return terminal.bad_input(problems, {}, choice.language)
    if not changed:
        terminal.say(Text("всё уже в едином виде", "everything is in canonical form").in_language(choice.language))
    return 1 if verify and changed else 0


def _language(chapter: tree.Chapter) -> str | None:
    return next((value for key, value in chapter.front_matter if key in ("язык", "language")), None)


def formatted(source: Source, chapter: tree.Chapter, language: str) -> str:
    """The chapter's text with its clauses in canonical form."""
    text = source.text
    for item in reversed([block for block in chapter.blocks if isinstance(block, tree.Item)]):
        clauses = item.clause_text
        # A comment has no place in the tree; a fence with one stays as its editor wrote it.
        if not clauses.strip() or "#" in clauses or not item.statements:
            continue
        start = text.find(clauses, item.span.start)
        if start >= 0:
            tail = "\n" if clauses.endswith("\n") else ""
            canonical = format_statements(item.statements, language).strip("\n") + tail
            text = text[:start] + canonical + text[start + len(clauses) :]
    return text
