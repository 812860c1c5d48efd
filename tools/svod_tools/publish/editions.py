"""In: a rulebook and a newer edition. Out: the page of what changed, and a note under each changed item."""

from __future__ import annotations

from svod.prose.document import Document
from svod.rulebook.book import BookItem
from svod_tools.publish.anchors import Addresses, slug, slugs
from svod_tools.publish.chapters import DONE, Pages, item_text
from svod_tools.publish.markdown import bullets, escaped


def edition_page_name(newer: Document) -> str:
    """File name of the page of an edition's changes."""
    return f"edition-{slug(newer.book.edition)}.md"


def changed_items(base: Document, newer: Document) -> tuple[BookItem, ...]:
    """Items of the newer edition that the base lacks or has otherwise, in text order."""
    return tuple(item for item in newer.book.items if item.history and item != base.book.find(item.number))


def withdrawn_items(base: Document, newer: Document) -> tuple[BookItem, ...]:
    """Items of the base that the newer edition takes out of force."""
    return tuple(item for item in base.book.items if newer.book.find(item.number) is None)


def newer_addresses(base: Document, newer: Document, addresses: Addresses) -> Addresses:
    """Changed items stand on the page of the edition, the others where the base has them."""
    page = edition_page_name(newer)
    changed = slugs(item.number for item in changed_items(base, newer))
    prefix = f"e{slug(newer.book.edition)}"
    return Addresses(
        {**addresses.pages, **dict.fromkeys(changed, page)},
        {**addresses.anchors, **{number: f"{prefix}-{anchor}" for number, anchor in changed.items()}},
    )


def later_notes(base: Document, newer: Document, addresses: Addresses) -> dict[str, str]:
    """Number of a changed item of the base → a line that says what became of it."""
    edition = escaped(newer.book.edition)
    page = edition_page_name(newer)
    notes = {
        item.number: f"В редакции {edition} этот пункт "
        f"[{DONE.get(item.history[-1].operation, 'изменён')}]({page}#{addresses.anchors[item.number]})."
        for item in changed_items(base, newer)
    }
    gone = {item.number: f"В редакции {edition} этот пункт [изъят]({page})." for item in withdrawn_items(base, newer)}
    return {**notes, **gone}


def edition_page(base: Document, pages: Pages, addresses: Addresses) -> str:
    """Every changed item as it now reads, with its history; `addresses` are those of the base."""
    newer = pages.document
    page = edition_page_name(newer)
    changed = changed_items(base, newer)
    parts = [
        f"# Редакция {escaped(newer.book.edition)}: что изменилось",
        "Остальные пункты действуют, как в основном тексте. Под каждым сказано, на какую находку он отвечает.",
        bullets(_line(item, page, pages.addresses) for item in changed),
    ]
    gone = withdrawn_items(base, newer)
    if gone:
        links = [f"{addresses.link(item.number, page)} {escaped(item.title)}" for item in gone]
        parts += ["## Изъяты {#withdrawn}", bullets(links)]
    parts += [item_text(newer.article(item.number), page, pages) for item in changed]
    return "\n\n".join(parts) + "\n"


def _line(item: BookItem, page: str, addresses: Addresses) -> str:
    change = item.history[-1]
    answers = f"; ответ на: {escaped(', '.join(change.answers))}" if change.answers else ""
    done = DONE.get(change.operation, "изменён")
    return f"{addresses.link(item.number, page)} {escaped(item.title)} — {done}{answers}"
