"""Book and one overlay (an edition, a house rule) → the amended book: items replaced, added, extended, withdrawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from svod.diagnostics import Problems, Text
from svod.rulebook import checks, codes, numbers
from svod.rulebook.book import Book, BookChapter, BookItem, Change, ItemPlace, fingerprint
from svod.rulebook.from_tree import EDITION_KEYS, first_of, item_from_tree
from svod.source import Span
from svod.syntax import tree

OVERLAY_KEYS = ("поправка", "amendment")
TARGET_KEYS = ("к", "to")


@dataclass(frozen=True, slots=True)
class _Amendment:
    """An item of the overlay, the words that speak about the amendment itself taken out of its statements."""

    overlay: str
    item: tree.Item
    statements: tuple[tree.Statement, ...]
    answers: tuple[str, ...]
    dropped: tuple[tree.ReadingWithdrawal, ...]
    basis: tree.Basis | None

    def change(self, before: BookItem | None) -> Change:
        """The entry for the history of the amended item."""
        return Change(self.overlay, self.item.operation or "", before, self.answers)


def amend(book: Book, overlay: tree.Tree, problems: Problems) -> Book:
    """The book with the overlay applied. An item that cannot be amended stays as it was; problems say why."""
    matter = {key: value for chapter in overlay.chapters for key, value in chapter.front_matter}
    name = first_of(matter, OVERLAY_KEYS, overlay.chapters[0].source if overlay.chapters else "")
    if not _check_target(book, matter, overlay, problems):
        return book
    seen: set[str] = set()
    if not any(isinstance(block, tree.Item) for chapter in overlay.chapters for block in chapter.blocks):
        message = Text(f"в «{name}» нет ни одного пункта", f"“{name}” has no item")
        start = Span(overlay.chapters[0].source, 0, 0) if overlay.chapters else None
        problems.report(codes.NOT_AN_AMENDMENT, message, start)
    for chapter in overlay.chapters:
        for block in chapter.blocks:
            if isinstance(block, tree.Section):
                continue
            if block.number in seen:
                message = Text(f"{block.number} в этой поправке уже был", f"{block.number} occurred in this amendment")
                problems.report(codes.AMENDED_TWICE, message, block.span, rule=block.number)
                continue
            seen.add(block.number)
            book = _apply(book, _amendment(name, block), problems)
    edition = first_of(matter, EDITION_KEYS, book.edition)
    return checks.check_book(replace(book, edition=edition, overlays=(*book.overlays, name)), problems)


def _check_target(book: Book, matter: dict[str, str], overlay: tree.Tree, problems: Problems) -> bool:
    """Whether the overlay is meant for this book; reported if not, and then nothing more needs to be said."""
    target = first_of(matter, TARGET_KEYS, book.name)
    if target.strip().casefold() == book.name.strip().casefold():
        return True
    problems.report(
        codes.OTHER_BOOK,
        Text(f"поправка написана к «{target}», а это «{book.name}»", f"this amends “{target}”, not “{book.name}”"),
        next((block.span for chapter in overlay.chapters for block in chapter.blocks), None),
    )
    return False


def _amendment(overlay: str, item: tree.Item) -> _Amendment:
    words = (tree.Answers, tree.ReadingWithdrawal, tree.Basis)
    return _Amendment(
        overlay,
        item,
        tuple(statement for statement in item.statements if not isinstance(statement, words)),
        tuple(found for each in item.statements if isinstance(each, tree.Answers) for found in each.findings),
        tuple(each for each in item.statements if isinstance(each, tree.ReadingWithdrawal)),
        next((each for each in item.statements if isinstance(each, tree.Basis)), None),
    )


def _apply(book: Book, amendment: _Amendment, problems: Problems) -> Book:
    item = amendment.item
    old = book.find(item.number)
    if item.operation is None:
        problems.report(
            codes.NO_OPERATION,
            Text(
                "не сказано, заменить, добавить, дополнить или изъять",
                "say whether to replace, add, extend or withdraw",
            ),
            item.span,
            rule=item.number,
        )
        return book
    if item.operation == "add":
        return _add(book, amendment, old, problems)
    if old is None:
        known = {each.number for each in book.items}
        gone = item.number in {each.number for each in book.withdrawn}
        message = Text(f"пункта {item.number} в своде нет", f"the rulebook has no item {item.number}")
        if gone:
            message = Text(f"пункт {item.number} уже изъят", f"item {item.number} is withdrawn already")
        problems.report(
            codes.AMENDS_UNKNOWN, message, item.span, rule=item.number, help=checks.did_you_mean(item.number, known)
        )
        return book
    _check_basis(amendment, old, problems)
    match item.operation:
        case "replace":
            return _put(book, _replaced(amendment, old))
        case "extend":
            return _put(book, _extended(amendment, old, problems))
        case _:
            return _withdrawn(book, amendment, old)


def _check_basis(amendment: _Amendment, old: BookItem, problems: Problems) -> None:
    if amendment.basis is None or amendment.basis.fingerprint == fingerprint(old):
        return
    now = fingerprint(old)
    problems.report(
        codes.BASIS_CHANGED,
        Text(
            f"поправка писалась к другому тексту пункта {old.number}",
            f"the amendment was written against another text of {old.number}",
        ),
        amendment.basis.span,
        rule=old.number,
        help=Text(f"отпечаток нынешнего текста: {now}", f"the fingerprint of the present text is {now}"),
    )


def _put(book: Book, item: BookItem) -> Book:
    return replace(book, items=tuple(item if each.number == item.number else each for each in book.items))


def _replaced(amendment: _Amendment, old: BookItem) -> BookItem:
    item = item_from_tree(replace(amendment.item, statements=amendment.statements), old.chapter, amendment.overlay)
    return replace(
        item,
        title=item.title or old.title,
        level=old.level,
        history=(*old.history, amendment.change(old)),
        answers=amendment.answers,
    )


def _extended(amendment: _Amendment, old: BookItem, problems: Problems) -> BookItem:
    statements = _without_readings(list(zip(old.statements, old.origins, strict=True)), amendment, problems)
    if any(not isinstance(each, tree.Status) for each in amendment.statements):
        statements = [pair for pair in statements if not isinstance(pair[0], tree.Status)]
    statements += [(each, amendment.overlay) for each in amendment.statements]
    item = amendment.item
    return replace(
        old,
        prose="\n\n".join(text for text in (old.prose.strip(), item.prose.strip()) if text),
        statements=tuple(statement for statement, _ in statements),
        origins=tuple(origin for _, origin in statements),
        examples=old.examples + item.examples,
        clause_text="\n".join(text for text in (old.clause_text.strip(), item.clause_text.strip()) if text),
        amended_by=amendment.overlay,
        history=(*old.history, amendment.change(old)),
        answers=old.answers + amendment.answers,
    )


_Pairs = list[tuple[tree.Statement, str | None]]


def _without_readings(statements: _Pairs, amendment: _Amendment, problems: Problems) -> _Pairs:
    """The statements without the readings that the amendment withdraws; one reading left is what the item says."""
    dropped = {withdrawal.letter: withdrawal for withdrawal in amendment.dropped}
    result: _Pairs = []
    for statement, origin in statements:
        if not isinstance(statement, tree.ReadingGroup):
            result.append((statement, origin))
            continue
        left = tuple(option for option in statement.options if option.letter not in dropped)
        gone = {option.letter: dropped.pop(option.letter) for option in statement.options if option.letter in dropped}
        if not gone:
            result.append((statement, origin))
        elif len(left) == 1:
            result += [(inner, amendment.overlay) for inner in left[0].statements]
        elif left:
            if statement.adopted in gone:
                _report_adopted(amendment, gone[statement.adopted], problems)
                statement = replace(statement, adopted=left[0].letter)
            result.append((replace(statement, options=left), amendment.overlay))
        else:
            _report_adopted(amendment, next(iter(gone.values())), problems)
    for letter, withdrawal in dropped.items():
        problems.report(
            codes.NO_SUCH_READING,
            Text(f"у пункта нет чтения {letter}", f"the item has no reading {letter}"),
            withdrawal.span,
            rule=amendment.item.number,
        )
    return result


def _report_adopted(amendment: _Amendment, withdrawal: tree.ReadingWithdrawal, problems: Problems) -> None:
    problems.report(
        codes.ADOPTED_WITHDRAWN,
        Text("принятое чтение снято, а какое теперь, не сказано", "the adopted reading is withdrawn, which one now?"),
        withdrawal.span,
        rule=amendment.item.number,
    )


def _withdrawn(book: Book, amendment: _Amendment, old: BookItem) -> Book:
    gone = replace(
        old,
        amended_by=amendment.overlay,
        history=(*old.history, amendment.change(old)),
        answers=old.answers + amendment.answers,
    )
    chapters = tuple(
        replace(chapter, blocks=tuple(block for block in chapter.blocks if block != ItemPlace(old.number)))
        for chapter in book.chapters
    )
    items = tuple(item for item in book.items if item.number != old.number)
    return replace(book, items=items, chapters=chapters, withdrawn=(*book.withdrawn, gone))


def _add(book: Book, amendment: _Amendment, old: BookItem | None, problems: Problems) -> Book:
    item = amendment.item
    if old is not None:
        problems.report(
            codes.ADDED_TWICE,
            Text(f"пункт {item.number} уже есть", f"item {item.number} exists already"),
            item.span,
            rule=item.number,
            help=Text("замените его или дополните", "replace or extend it"),
            secondary=checks.label(old.span, Text("он здесь", "here it is")),
        )
        return book
    before = _predecessor(book, item.number)
    chapter = before.chapter if before is not None else (book.chapters[-1].source if book.chapters else "")
    new = item_from_tree(replace(item, statements=amendment.statements), chapter, amendment.overlay)
    new = replace(new, history=(amendment.change(None),), answers=amendment.answers)
    place = len(book.items) if before is None else book.items.index(before) + 1
    withdrawn = tuple(each for each in book.withdrawn if each.number != item.number)
    items = (*book.items[:place], new, *book.items[place:])
    chapters = tuple(_with_place(each, chapter, before, item.number) for each in book.chapters)
    return replace(book, items=items, chapters=chapters, withdrawn=withdrawn)


def _predecessor(book: Book, number: str) -> BookItem | None:
    """The item after which a new number goes: the last one in natural order that is smaller, of the same family."""
    prefix = numbers.prefix_of(number)
    key = numbers.sort_key(number)
    smaller = [
        item for item in book.items if numbers.prefix_of(item.number) == prefix and numbers.sort_key(item.number) < key
    ]
    return max(smaller, key=lambda item: numbers.sort_key(item.number), default=None)


def _with_place(chapter: BookChapter, source: str, before: BookItem | None, number: str) -> BookChapter:
    if chapter.source != source:
        return chapter
    place = ItemPlace(number)
    if before is None or ItemPlace(before.number) not in chapter.blocks:
        return replace(chapter, blocks=(*chapter.blocks, place))
    index = chapter.blocks.index(ItemPlace(before.number)) + 1
    return replace(chapter, blocks=(*chapter.blocks[:index], place, *chapter.blocks[index:]))
