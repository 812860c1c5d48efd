"""Book → its statements with where each stands (item, overlay, reading, variant), and the words that clauses use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from svod.diagnostics import Problems, Text
from svod.norms.lower import codes
from svod.rulebook.book import Book
from svod.source import Span
from svod.syntax import tree


@dataclass(frozen=True, slots=True)
class Placed:
    """A statement, the number it stands under, and under which reading and variant its clauses hold."""

    rule: str
    statement: tree.Statement
    origin: str | None
    reading: str | None = None
    variant: str | None = None


def place(book: Book, problems: Problems) -> list[Placed]:
    """All statements of the book in text order, those of readings included."""
    variants = _variants(book)
    result: list[Placed] = []
    for item in book.items:
        variant = variants.get(item.number)
        for statement, origin in zip(item.statements, item.origins, strict=True):
            result.append(Placed(item.number, statement, origin, None, variant))
            if not isinstance(statement, tree.ReadingGroup):
                continue
            for option in statement.options:
                for inner in option.statements:
                    if isinstance(inner, tree.Edged):
                        reading = f"{item.number}={option.letter}"
                        result.append(Placed(item.number, inner, origin, reading, variant))
                    else:
                        _refuse(inner.span, item.number, problems)
    return result


def literals(book: Book) -> set[str]:
    """Every word that occurs in the clauses of the book (card literals are among them)."""
    found: set[str] = set()
    for item in book.items:
        for statement in item.statements:
            found.update(name.text for name in names_in(statement))
    return found


def names_in(node: object) -> Iterator[tree.Name]:
    """Every `Name` node below a node of the tree, in text order of fields."""
    if isinstance(node, tree.Name):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from names_in(part)
    elif is_dataclass(node) and not isinstance(node, Span):
        for each in fields(node):
            yield from names_in(getattr(node, each.name))


def _variants(book: Book) -> dict[str, str]:
    result: dict[str, str] = {}
    for item in book.items:
        for statement in item.statements:
            if isinstance(statement, tree.VariantDeclaration):
                for rule in statement.rules:
                    result.setdefault(rule.number, statement.name)
    return result


def _refuse(span: Span, rule: str, problems: Problems) -> None:
    problems.report(
        codes.NOT_HERE,
        Text(
            "чтение состоит из клауз: объявления пишут вне его", "a reading holds clauses; declarations go outside it"
        ),
        span,
        rule=rule,
    )
