"""In: a compiled rulebook and its findings. Out: a folder of HTML, printed by mkdocs without network, strictly."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from svod.diagnostics import Code, Problems, Text
from svod.findings import Finding
from svod.prose.document import Document
from svod.rulebook.book import ItemPlace
from svod.source import Source
from svod_tools import files
from svod_tools.publish.anchors import Addresses, slug
from svod_tools.publish.chapters import Pages, addresses_of, chapter_page, chapter_title, page_names
from svod_tools.publish.editions import edition_page, edition_page_name, later_notes, newer_addresses
from svod_tools.publish.findings import finding_anchors, findings_page
from svod_tools.publish.markdown import bullets, escaped, table

MARKER = ".svod-site"

PRINTER_FAILED = Code(
    "C401",
    Text("сайт не напечатан", "site not printed"),
    Text(
        "mkdocs отказался напечатать страницы: битая ссылка в тексте свода или сбой самого mkdocs. "
        "Его сообщение приведено в подсказке.",
        "mkdocs refused to print the pages: a broken link in the rulebook's text, or a fault of mkdocs itself. "
        "The help quotes what it said.",
    ),
)


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of a rulebook as it is published: its document, what the check found, its texts."""

    document: Document
    findings: Sequence[Finding]
    sources: Mapping[str, Source]


def pages_of(base: Edition, newer: Edition | None = None) -> dict[str, str]:
    """File name → finished Markdown; a newer edition gets a page of its changes and one of its findings."""
    document = base.document
    addresses = addresses_of(document)
    names = page_names(document.book.chapters)
    later: dict[str, str] = {}
    newer_pages: dict[str, str] = {}
    if newer is not None:
        there = _findings_page_of(newer)
        later_addresses = newer_addresses(document, newer.document, addresses)
        later = later_notes(document, newer.document, later_addresses)
        newer_pages[edition_page_name(newer.document)] = edition_page(
            document, _pages(newer, later_addresses, there, {}), addresses
        )
        newer_pages[there] = findings_page(newer.findings, later_addresses, there, newer.document.book.edition)
    own = _findings_page_of(base)
    pages = _pages(base, addresses, own, later)
    return {
        "index.md": _index(base, newer, names),
        **{names[chapter.source]: chapter_page(chapter, pages) for chapter in document.book.chapters},
        own: findings_page(base.findings, addresses, own, document.book.edition),
        **newer_pages,
        "codes.md": _codes([*base.findings, *(newer.findings if newer is not None else ())]),
    }


def _findings_page_of(edition: Edition) -> str:
    return f"findings-{slug(edition.document.book.edition)}.md"


def _pages(edition: Edition, addresses: Addresses, page: str, later: Mapping[str, str]) -> Pages:
    by_rule: dict[str, list[Finding]] = {}
    for finding in edition.findings:
        for rule in dict.fromkeys(finding.rules):
            by_rule.setdefault(rule, []).append(finding)
    targets = {key: f"{page}#{anchor}" for key, anchor in finding_anchors(edition.findings).items()}
    return Pages(edition.document, addresses, by_rule, targets, edition.sources, later)


def build(pages: Mapping[str, str], document: Document, output: Path, problems: Problems) -> bool:
    """Write the pages into a folder of their own and print them into `output`."""
    if not files.clear_folder(output, MARKER, problems):
        return False
    with files.workspace(output) as folder:
        sources = folder / "docs"
        if not files.clear_folder(sources, MARKER, problems):
            return False
        texts = {sources / name: text for name, text in pages.items()}
        texts[sources / "svod.css"] = files.package_text("publish/svod.css")
        settings = folder / "mkdocs.yml"
        texts[settings] = _settings(document, sources, output, pages)
        written = all(files.write_text(path, text, problems) for path, text in texts.items())
        return written and _print(settings, output, problems)


def _settings(document: Document, sources: Path, output: Path, pages: Mapping[str, str]) -> str:
    names = page_names(document.book.chapters)
    titles = {names[chapter.source]: chapter_title(chapter) for chapter in document.book.chapters}
    titles |= {page: _title(text) for page, text in pages.items() if page not in titles}
    settings = {
        "INHERIT": str(files.site_configuration()),
        "site_name": f"{document.book.name}, редакция {document.book.edition}",
        "docs_dir": str(sources.resolve()),
        "site_dir": str(output.resolve()),
        "nav": [{titles[page]: page} for page in pages],
    }
    return yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)


def _title(text: str) -> str:
    """The first heading of a page, without its address."""
    first = text.split("\n", 1)[0].lstrip("# ")
    return re.sub(r"\s*\{#[^}]*\}$", "", first).replace("\\", "")


def _print(settings: Path, output: Path, problems: Problems) -> bool:
    # Not --quiet: it would silence the warnings that --strict counts.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(settings)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
    if done.returncode == 0:
        return files.write_text(output / MARKER, "", problems)
    said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
    message = Text("mkdocs не напечатал сайт", "mkdocs did not print the site")
    problems.report(PRINTER_FAILED, message, None, help=Text(said, said))
    return False


# --------------------------------------------------------------------------------------------------- pages


def _index(base: Edition, newer: Edition | None, names: Mapping[str, str]) -> str:
    book = base.document.book
    facts = [_edition_fact(base), *([] if newer is None else [_edition_fact(newer, edition_page_name(newer.document))])]
    formal = sum(1 for item in book.items if item.status is None and item.clause_text.strip())
    pending = sum(1 for item in book.items if item.status is not None and item.status.kind == "pending")
    facts.append(f"Пунктов: {len(book.items)}; записаны формально: {formal}; ещё не формализованы: {pending}")
    if book.source:
        facts.append(f"Источник: {escaped(book.source)}")
    rows = []
    for chapter in book.chapters:
        numbers = [entry.number for entry in chapter.blocks if isinstance(entry, ItemPlace)]
        span = f"{numbers[0]} … {numbers[-1]}" if len(numbers) > 1 else "".join(numbers)
        rows.append((f"[{escaped(chapter_title(chapter))}]({names[chapter.source]})", escaped(span)))
    parts = [f"# {escaped(book.name)}: о своде", bullets(facts), table(("Глава", "Пункты"), rows)]
    if book.withdrawn:
        gone = bullets(f"{item.number} {escaped(item.title)}" for item in book.withdrawn)
        parts += ["## Изъятые пункты", "Эти номера больше не действуют и не будут отданы другим пунктам.", gone]
    return "\n\n".join(parts) + "\n"


def _edition_fact(edition: Edition, changes: str | None = None) -> str:
    book = edition.document.book
    counts = Counter(
        "accepted" if finding.accepted is not None else finding.severity.value for finding in edition.findings
    )
    name = f"Редакция {escaped(book.edition)}"
    name = name if changes is None else f"[{name}]({changes})"
    with_overlays = f" ({escaped(', '.join(book.overlays))})" if book.overlays and changes is None else ""
    found = f"ошибок — {counts['error']}, замечаний — {counts['warning']}, принято — {counts['accepted']}"
    return f"{name}{with_overlays}; проверка: [{found}]({_findings_page_of(edition)})"


def _codes(findings: Sequence[Finding]) -> str:
    codes = {finding.code.name: finding.code for finding in findings}
    parts = ["# Коды находок", "Здесь объяснены коды того, что нашлось; остальные объясняет `svod explain`."]
    for name, code in sorted(codes.items()):
        parts.append(f"## {name} {escaped(code.title.ru)} {{#{slug(name)}}}\n\n{escaped(code.explanation.ru)}")
    return "\n\n".join(parts) + "\n"
