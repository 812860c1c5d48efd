"""In: the document of a rulebook and its findings. Out: a page for each chapter with all that is known of each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from svod.findings import Finding
from svod.prose.document import Article, Document
from svod.rulebook.book import BookChapter, BookItem, ItemPlace
from svod.source import Source
from svod.syntax import tree
from svod_tools.publish.anchors import Addresses, slug, slugs
from svod_tools.publish.findings import finding_line
from svod_tools.publish.markdown import block, bullets, coloured, escaped, fence, folded

_STATUS = {"informative": "Информативно", "pending": "Не формализовано"}
DONE = {"replace": "заменён", "add": "добавлен", "extend": "дополнен", "withdraw": "изъят"}


@dataclass(frozen=True, slots=True)
class Pages:
    """What pages are made from. `findings` are by rule number, `finding_targets` says where each stands on the site;
    `later` is a line for each item that a later edition changes."""

    document: Document
    addresses: Addresses
    findings: Mapping[str, Sequence[Finding]]
    finding_targets: Mapping[tuple[str, tuple[str, ...]], str]
    sources: Mapping[str, Source]
    later: Mapping[str, str] = field(default_factory=dict)


def page_names(chapters: Sequence[BookChapter]) -> dict[str, str]:
    """Source of a chapter → file name of its page."""
    stems = slugs(PurePosixPath(chapter.source).stem for chapter in chapters)
    return {chapter.source: f"{stems[PurePosixPath(chapter.source).stem]}.md" for chapter in chapters}


def addresses_of(document: Document) -> Addresses:
    """The address of every item in force."""
    names = page_names(document.book.chapters)
    pages = {
        entry.number: names[chapter.source]
        for chapter in document.book.chapters
        for entry in chapter.blocks
        if isinstance(entry, ItemPlace)
    }
    return Addresses(pages, slugs(pages))


def chapter_title(chapter: BookChapter) -> str:
    """Its first heading, or the name of its file."""
    for entry in chapter.blocks:
        if isinstance(entry, tree.Section):
            return entry.title
    return PurePosixPath(chapter.source).stem


def chapter_page(chapter: BookChapter, pages: Pages) -> str:
    """The whole page."""
    name = page_names(pages.document.book.chapters)[chapter.source]
    parts: list[str] = []
    used: set[str] = set(pages.addresses.anchors.values())
    if not any(isinstance(entry, tree.Section) and entry.level == 1 for entry in chapter.blocks):
        parts.append(f"# {escaped(chapter_title(chapter))}")
    for entry in chapter.blocks:
        match entry:
            case tree.Section():
                parts.append(_section(entry, name, pages, used))
            case ItemPlace(number):
                parts.append(item_text(pages.document.article(number), name, pages))
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(section: tree.Section, page: str, pages: Pages, used: set[str]) -> str:
    anchor = base = "s-" + slug(section.title)[:40].strip("-")
    count = 2
    while anchor in used:
        anchor, count = f"{base}-{count}", count + 1
    used.add(anchor)
    heading = f"{'#' * section.level} {escaped(section.title)} {{#{anchor}}}"
    return f"{heading}\n\n{_prose(section.prose, page, pages)}".strip()


def _prose(text: str, page: str, pages: Pages, own: str = "") -> str:
    return coloured(pages.addresses.linked(text.strip(), page, own=own))


def item_text(article: Article, page: str, pages: Pages) -> str:
    item = article.item
    anchor = pages.addresses.anchors[item.number]
    level = max(2, item.level)
    heading = f"{'#' * level} {item.number} {escaped(item.title)} {{#{anchor} .svod-item}}"
    parts = [heading, _prose(item.prose, page, pages, item.number)]
    if item.status is not None:
        reason = coloured(pages.addresses.linked(escaped(item.status.reason), page))
        parts.append(block("status", "", f"**{_STATUS[item.status.kind]}:** {reason}."))
    parts += [_clauses(item), _sentences(article, page, pages), _examples(item, pages)]
    parts += [_references(article, page, pages), _history(item), _findings(item.number, pages)]
    if item.number in pages.later:
        parts.append(block("later", "", pages.later[item.number]))
    return "\n\n".join(part for part in parts if part)


def _clauses(item: BookItem) -> str:
    if not item.clause_text.strip() or _only_status(item):
        return ""
    return folded("clause", "Запись", fence(item.clause_text, "text"))


def _only_status(item: BookItem) -> bool:
    return all(isinstance(statement, tree.Status) for statement in item.statements)


def _sentences(article: Article, page: str, pages: Pages) -> str:
    lines = [*article.declared, *(each.sentence for each in article.sentences)]
    if not lines:
        return ""
    said = [coloured(pages.addresses.linked(escaped(line), page, own=article.item.number)) for line in lines]
    return block("reading", "Как понял движок", bullets(said))


def _examples(item: BookItem, pages: Pages) -> str:
    return "\n\n".join(
        folded("examples", f"Пример: {example.title or 'без названия'}", fence(_text_of(example, pages), "text"))
        for example in item.examples
    )


def _text_of(example: tree.Example, pages: Pages) -> str:
    """The example as it was typed."""
    source = pages.sources.get(example.span.source)
    if source is None:
        return "…"
    line_end = source.text.find("\n", example.span.start)
    fence_end = source.text.find("\n```", line_end)
    return source.text[line_end + 1 : fence_end if fence_end >= 0 else None]


def _references(article: Article, page: str, pages: Pages) -> str:
    rows = (
        ("Исключение из", article.excepts),
        ("Уступает", article.excepted_by),
        ("Идёт после", article.goes_after),
        ("Ссылается на", article.refers_to),
        ("На него ссылаются", article.referred_by),
    )
    lines = [f"{title}: {pages.addresses.links(numbers, page)}" for title, numbers in rows if numbers]
    return block("links", "", bullets(lines)) if lines else ""


def _history(item: BookItem) -> str:
    lines = []
    for change in item.history:
        answers = f" (ответ на {', '.join(change.answers)})" if change.answers else ""
        lines.append(f"{escaped(change.overlay)}: {DONE.get(change.operation, change.operation)}{escaped(answers)}")
        if change.before is not None:
            before = change.before.prose.strip().replace("\n", " ")
            lines.append(f"прежде: {coloured(escaped(before))}")
    return folded("history", "История пункта", bullets(lines)) if lines else ""


def _findings(number: str, pages: Pages) -> str:
    found = pages.findings.get(number, ())
    if not found:
        return ""
    lines = [finding_line(each, pages.finding_targets[each.key]) for each in found]
    return block("found", "Что нашла проверка", bullets(lines))
