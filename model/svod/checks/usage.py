"""In: a book and its norms. Out: which zones, registers, terms and events are read, and which are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass

from svod.norms import ir
from svod.rulebook.book import Book
from svod.syntax import tree


@dataclass
class Usage:
    """Names by how they are used. A zone is used once anything mentions it; an example reads the names it states."""

    zones: set[str] = field(default_factory=set)
    registers_read: set[str] = field(default_factory=set)
    registers_written: set[str] = field(default_factory=set)
    terms_read: set[str] = field(default_factory=set)
    events_raised: set[str] = field(default_factory=set)
    events_answered: set[str] = field(default_factory=set)


def usage_of(book: Book, norms: ir.Norms) -> Usage:
    """Gather what clauses, acts, slots, projections and examples say of every name."""
    usage = Usage()
    for node in nodes(_roots(norms)):
        _note(node, usage)
    for projection in norms.projections:
        usage.zones |= set(projection.zones)
        usage.terms_read |= set(projection.terms)
        usage.registers_read |= set(projection.terms)
    usage.terms_read |= {outcome.term for outcome in norms.outcomes}
    usage.terms_read |= {term.name for term in norms.terms if term.asked is not None}
    shown = words_of_examples(book)
    usage.terms_read |= shown
    usage.registers_read |= shown
    return usage


def words_of_examples(book: Book) -> set[str]:
    """Every word that an example's expectation or act names; what it merely gives is not read by it."""
    examples = [example for item in book.items for example in item.examples]
    lines = [line for example in examples for line in example.lines if not isinstance(line, tree.Given)]
    words: set[str] = set()
    for node in nodes(lines):
        if isinstance(node, tree.Name):
            words.add(node.text)
        elif isinstance(node, tree.Call):
            words.add(node.name)
    return words


def _roots(norms: ir.Norms) -> list[object]:
    """All that has expressions in it."""
    return [
        *(register.initial for register in norms.registers),
        *(term.asked for term in norms.terms),
        *((action.possible, action.body) for action in norms.actions),
        *norms.clauses,
    ]


def _note(node: object, usage: Usage) -> None:
    match node:
        case ir.ZoneRef():
            usage.zones.add(node.zone)
        case ir.ReadRegister():
            usage.registers_read.add(node.register)
        case ir.Assign() | ir.Post():
            usage.registers_written.add(node.register)
        case ir.ReadTerm():
            usage.terms_read.add(node.term)
        case ir.Raise():
            usage.events_raised.add(node.event)
        case ir.OnEvent() | ir.Happened():
            usage.events_answered.add(node.event)
        case _:
            pass


def nodes(root: object) -> Iterator[object]:
    """Everything in a structure of tuples, lists and data classes, outside in."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple | list):
            waiting += node
        elif is_dataclass(node) and not isinstance(node, type):
            yield node
            waiting += [getattr(node, part.name) for part in fields(node)]
