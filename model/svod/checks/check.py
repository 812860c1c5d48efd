"""What a static check is: a code and a function from a rulebook (book, norms, scope) to findings of grade «text»."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from svod.diagnostics import Code, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.norms import ir
from svod.rulebook.book import Book

METHOD = "text"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is checked: the book as its reader knows it, its norms at one choice of parameters, and that choice."""

    book: Book
    norms: ir.Norms
    scope: Scope


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of static finding. `run` yields findings in text order."""

    code: Code
    run: Callable[[Subject], Iterator[Finding]]


def static_finding(
    code: Code, scope: Scope, rules: Iterable[str], title: Text, verdict: Text, family: Family = Family.STATIC
) -> Finding:
    """A finding that needs no position; its severity is that of its code."""
    return Finding(
        code,
        family,
        Grade.TEXT,
        tuple(rules),
        title,
        verdict,
        METHOD,
        scope,
        0.0,
        code.severity,
    )
