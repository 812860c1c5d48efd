"""Checks of a book as a whole: references, gaps, look-alikes, silent items; fills each item's references."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from svod.diagnostics import Label, Problems, Text
from svod.rulebook import codes, numbers, references
from svod.rulebook.book import Book, BookItem
from svod.rulebook.names import looks_like, nearest
from svod.source import Span
from svod.syntax import tree
from svod.syntax.lookalike import skeleton


def check_book(book: Book, problems: Problems) -> Book:
    """The same book with references gathered; everything wrong with its numbers is reported."""
    known = {item.number for item in book.items}
    withdrawn = {item.number for item in book.withdrawn} - known
    _lookalikes(book, problems)
    _gaps(book, known | withdrawn, problems)
    order = tuple(item.number for item in book.items)
    items = []
    mentioned: dict[str, list[BookItem]] = {}
    for item in book.items:
        _clause_references(item, known, withdrawn, problems)
        _prose_references(item, known, withdrawn, mentioned, problems)
        _silence(item, problems)
        _readings(item, problems)
        items.append(replace(item, references=references.gather(item.statements, item.prose, order, item.number)))
    _withdrawn_mentions(mentioned, problems)
    return replace(book, items=tuple(items))


def label(span: Span | None, text: Text) -> tuple[Label, ...]:
    """A secondary label, if the place is known."""
    return () if span is None else (Label(span, text),)


def did_you_mean(word: str, known: set[str]) -> Text | None:
    """Help that offers the nearest known word."""
    guess = nearest(word, known)
    if guess is None:
        return None
    if skeleton(guess) == skeleton(word):
        return Text(
            f"есть {guess}: выглядит так же, но буквы другого алфавита",
            f"there is {guess}: it looks the same, but its letters are of the other alphabet",
        )
    return Text(f"может быть, {guess}?", f"perhaps {guess}?")


def _lookalikes(book: Book, problems: Problems) -> None:
    seen: dict[str, BookItem] = {}
    for item in book.items:
        shape = skeleton(item.number)
        first = seen.setdefault(shape, item)
        if first.number != item.number:
            problems.report(
                codes.LOOKALIKE_NUMBER,
                Text(
                    f"номер {item.number} выглядит как {first.number}, но это другие буквы",
                    f"number {item.number} looks like {first.number}, but the letters differ",
                ),
                item.span,
                rule=item.number,
                secondary=label(first.span, Text("похожий номер", "the number that looks the same")),
            )


def _gaps(book: Book, taken: set[str], problems: Problems) -> None:
    families: dict[tuple[str, tuple[int, ...]], set[int]] = defaultdict(set)
    for number in taken:
        found = numbers.parts(number)
        if found is not None:
            families[found.parent].add(found.path[-1])
    for item in book.items:
        found = numbers.parts(item.number)
        if found is None:
            continue
        last = found.path[-1]
        present = families[found.parent]
        if last > 1 and last - 1 not in present and (len(present) > 1 or len(found.path) > 1):
            path = ".".join(map(str, (*found.path[:-1], last - 1)))
            missing = f"{found.prefix}{path}"
            problems.report(
                codes.NUMBERING_GAP,
                Text(f"перед {item.number} нет пункта {missing}", f"there is no {missing} before {item.number}"),
                item.span,
                rule=item.number,
            )


def _clause_references(item: BookItem, known: set[str], withdrawn: set[str], problems: Problems) -> None:
    for name in references.clause_references(item.statements):
        if name.number in known:
            continue
        if name.number in withdrawn:
            problems.report(
                codes.WITHDRAWN_RULE,
                Text(f"пункт {name.number} изъят поправкой", f"item {name.number} was withdrawn by an amendment"),
                name.span,
                rule=item.number,
            )
        else:
            problems.report(
                codes.UNKNOWN_RULE,
                Text(f"пункта {name.number} в своде нет", f"the rulebook has no item {name.number}"),
                name.span,
                rule=item.number,
                help=did_you_mean(name.number, known),
            )


def _prose_references(
    item: BookItem, known: set[str], withdrawn: set[str], mentioned: dict[str, list[BookItem]], problems: Problems
) -> None:
    prefixes = {prefix for number in known if (prefix := numbers.prefix_of(number)) and prefix.endswith("-")}
    look_same = {
        word[: word.index("-") + 1]
        for word in item.prose.replace("(", " ").split()
        if "-" in word and looks_like(word[: word.index("-") + 1], prefixes) is not None
    }
    for mention in references.prose_mentions(item.prose, known, look_same - prefixes):
        for number in (mention.number, mention.range_to):
            if number is None or references.resolve_mention(number, known) is not None:
                continue
            gone = references.resolve_mention(number, withdrawn)
            if gone is not None:
                mentioned.setdefault(gone, []).append(item)
            else:
                problems.report(
                    codes.UNKNOWN_MENTION,
                    Text(
                        f"проза ссылается на {number}, такого пункта нет", f"the prose refers to {number}, no such item"
                    ),
                    item.span,
                    rule=item.number,
                    help=did_you_mean(number, known),
                )


def _withdrawn_mentions(mentioned: dict[str, list[BookItem]], problems: Problems) -> None:
    """One warning for each withdrawn item, however many items still speak of it."""
    for number, items in mentioned.items():
        named = ", ".join(dict.fromkeys(item.number for item in items))
        problems.report(
            codes.MENTION_WITHDRAWN,
            Text(f"об изъятом {number} ещё говорится в {named}", f"{named} still mention withdrawn {number}"),
            items[0].span,
            rule=items[0].number,
        )


def _silence(item: BookItem, problems: Problems) -> None:
    if not item.statements:
        problems.report(
            codes.SILENT_ITEM,
            Text("у пункта нет клауз и не сказано почему", "the item has no clauses and does not say why"),
            item.span,
            rule=item.number,
            help=Text(
                "добавьте `информативно «…»` или `не формализовано «…»`",
                "add `informative «…»` or `not formalised «…»`",
            ),
        )


def _readings(item: BookItem, problems: Problems) -> None:
    groups = [statement for statement in item.statements if isinstance(statement, tree.ReadingGroup)]
    for position, group in enumerate(groups):
        letters = [option.letter for option in group.options]
        if position > 0:
            message = Text("у пункта вторая группа чтений", "the item has a second group of readings")
        elif len(set(letters)) < len(letters):
            message = Text("буква чтения повторяется", "the letter of a reading occurs twice")
        elif group.adopted not in letters:
            message = Text(
                f"принято чтение {group.adopted}, которого нет", f"reading {group.adopted} is adopted but not listed"
            )
        else:
            continue
        problems.report(codes.LETTER_REPEATED, message, group.span, rule=item.number)
