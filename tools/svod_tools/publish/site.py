"""In: a compiled rulebook and its findings. Out: a folder of HTML, printed by mkdocs without network, strictly."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from svod.diagnostics import Code, Problems, Text
from svod.findings import Finding
from svod.prose.document import Document
from svod.source import Source
from svod_tools import files
from svod_tools.commands.explain import all_codes
from svod_tools.publish.anchors import slug
from svod_tools.publish.chapters import Pages, addresses_of, chapter_page, chapter_title, page_names
from svod_tools.publish.findings import PAGE, finding_anchors, findings_page
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


def pages_of(document: Document, findings: Sequence[Finding], sources: Mapping[str, Source]) -> dict[str, str]:
    """File name → finished Markdown of every page."""
    addresses = addresses_of(document)
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        for rule in dict.fromkeys(finding.rules):
            by_rule.setdefault(rule, []).append(finding)
    pages = Pages(document, addresses, by_rule, finding_anchors(findings), sources)
    names = page_names(document.book.chapters)
    return {
        "index.md": _index(document, findings, names),
        **{names[chapter.source]: chapter_page(chapter, pages) for chapter in document.book.chapters},
        PAGE: findings_page(findings, addresses),
        "codes.md": _codes(findings),
    }


def build(pages: Mapping[str, str], document: Document, output: Path, problems: Problems) -> bool:
    """Write the pages beside `output` and print them into it."""
    sources = output.parent / ("docs" if output.name == "site" else f"{output.name}-docs")
    if not files.clear_folder(sources, MARKER, problems) or not files.clear_folder(output, MARKER, problems):
        return False
    style = files.package_text("publish/svod.css")
    settings = sources.parent / f"{sources.name}.yml"
    texts = {**{sources / name: text for name, text in pages.items()}, sources / "svod.css": style}
    texts[settings] = _settings(document, sources, output, tuple(pages))
    return all(files.write_text(path, text, problems) for path, text in texts.items()) and _print(
        settings, output, problems
    )


def _settings(document: Document, sources: Path, output: Path, pages: tuple[str, ...]) -> str:
    names = page_names(document.book.chapters)
    titles = {names[chapter.source]: chapter_title(chapter) for chapter in document.book.chapters}
    titles |= {"index.md": "О своде", PAGE: "Что нашла проверка", "codes.md": "Коды"}
    settings = {
        "INHERIT": str(files.site_configuration()),
        "site_name": f"{document.book.name}, редакция {document.book.edition}",
        "docs_dir": str(sources.resolve()),
        "site_dir": str(output.resolve()),
        "nav": [{titles[page]: page} for page in pages],
    }
    return yaml.safe_dump(settings, allow_unicode=True, sort_keys=False)


def _print(settings: Path, output: Path, problems: Problems) -> bool:
    command = [sys.executable, "-m", "mkdocs", "--quiet", "build", "--strict", "--config-file", str(settings)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)
    if done.returncode == 0:
        return files.write_text(output / MARKER, "", problems)
    said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
    message = Text("mkdocs не напечатал сайт", "mkdocs did not print the site")
    problems.report(PRINTER_FAILED, message, None, help=Text(said, said))
    return False


# --------------------------------------------------------------------------------------------------- pages


def _index(document: Document, findings: Sequence[Finding], names: Mapping[str, str]) -> str:
    book = document.book
    formal = sum(1 for item in book.items if item.status is None and item.clause_text.strip())
    pending = sum(1 for item in book.items if item.status is not None and item.status.kind == "pending")
    errors = sum(1 for finding in findings if finding.is_error)
    facts = [
        f"Редакция {escaped(book.edition)}"
        + (f", поправки: {escaped(', '.join(book.overlays))}" if book.overlays else ""),
        f"Пунктов: {len(book.items)}; записаны формально: {formal}; ещё не формализованы: {pending}",
        f"Проверка: ошибок — {errors}, замечаний — {len(findings) - errors} ([подробно]({PAGE}))",
    ]
    if book.source:
        facts.append(f"Источник: {escaped(book.source)}")
    rows = []
    for chapter in book.chapters:
        numbers = [block.number for block in chapter.blocks if not hasattr(block, "title")]
        span = f"{numbers[0]} … {numbers[-1]}" if len(numbers) > 1 else "".join(numbers)
        rows.append((f"[{escaped(chapter_title(chapter))}]({names[chapter.source]})", escaped(span)))
    contents = table(("Глава", "Пункты"), rows)
    parts = [f"# {escaped(book.name)}", bullets(facts), contents]
    if book.withdrawn:
        gone = bullets(f"{item.number} {escaped(item.title)}" for item in book.withdrawn)
        parts += ["## Изъятые пункты", "Эти номера больше не действуют и не будут отданы другим пунктам.", gone]
    return "\n\n".join(parts) + "\n"


def _codes(findings: Sequence[Finding]) -> str:
    used = {finding.code.name for finding in findings}
    parts = ["# Коды сообщений", "Коды найденного стоят первыми; остальные объясняет `svod explain`."]
    codes = all_codes()
    for name in sorted(used & set(codes)) + [name for name in codes if name[0] in "FX" and name not in used]:
        code = codes[name]
        parts.append(f"## {name} {escaped(code.title.ru)} {{#{slug(name)}}}\n\n{escaped(code.explanation.ru)}")
    return "\n\n".join(parts) + "\n"
