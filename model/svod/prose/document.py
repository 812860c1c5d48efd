"""In: a book and its norms. Out: articles, one for each item, with everything a page or the terminal shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from svod.norms import ir
from svod.prose.from_norms import clause_sentence, declaration_sentences
from svod.rulebook.book import Book, BookItem


@dataclass(frozen=True, slots=True)
class ReadBack:
    """The sentence of one clause; `id` names it, `amended_by` the overlay that wrote it."""

    id: str
    sentence: str
    amended_by: str | None


@dataclass(frozen=True, slots=True)
class Article:
    """One item with its sentences and its places in the net of references; numbers in text order."""

    item: BookItem
    declared: tuple[str, ...]
    sentences: tuple[ReadBack, ...]
    excepts: tuple[str, ...]
    excepted_by: tuple[str, ...]
    goes_after: tuple[str, ...]
    refers_to: tuple[str, ...]
    referred_by: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """The whole rulebook as articles. `norms` is None where the text has errors: then there are no sentences."""

    book: Book
    norms: ir.Norms | None
    language: str

    def article(self, number: str) -> Article:
        """Everything about one item; KeyError if there is none of this number."""
        item = self.book.item(number)
        return Article(
            item,
            () if self.norms is None else declaration_sentences(self.norms, number, self.language),
            self._sentences.get(number, ()),
            self._ordered(self._edges, number),
            self._ordered({(by, what) for what, by in self._edges}, number),
            self._ordered(self._order, number),
            tuple(dict.fromkeys(each.number for each in item.references if each.number != number)),
            self.book.backlinks(number),
        )

    @cached_property
    def _sentences(self) -> dict[str, tuple[ReadBack, ...]]:
        found: dict[str, tuple[ReadBack, ...]] = {}
        for clause in self.norms.clauses if self.norms is not None else ():
            head = clause.head
            assert self.norms is not None
            sentence = clause_sentence(self.norms, clause, self.language)
            earlier = found.get(head.rule, ())
            # One clause on a class of acts is lowered to several; each is shown, but never twice in the same words.
            if all(each.sentence != sentence for each in earlier):
                found[head.rule] = (*earlier, ReadBack(head.id, sentence, head.amended_by))
        return found

    @cached_property
    def _edges(self) -> set[tuple[str, str]]:
        """(excepting rule, excepted rule)."""
        clauses = self.norms.clauses if self.norms is not None else ()
        rules = {clause.head.id: clause.head.rule for clause in clauses}
        return {
            (rules[exempt.by], clause.head.rule)
            for clause in clauses
            for exempt in clause.head.exceptions
            if exempt.by in rules
        }

    @cached_property
    def _order(self) -> set[tuple[str, str]]:
        """(rule, rule that goes before it)."""
        clauses = self.norms.clauses if self.norms is not None else ()
        triggers = (clause for clause in clauses if isinstance(clause, ir.Trigger))
        return {(trigger.head.rule, rule) for trigger in triggers for rule in trigger.after}

    def _ordered(self, pairs: set[tuple[str, str]], number: str) -> tuple[str, ...]:
        there = {right for left, right in pairs if left == number}
        known = [item.number for item in self.book.items if item.number in there]
        return (*known, *sorted(there - set(known)))
