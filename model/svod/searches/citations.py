"""In: one way in which a case went, and its answers. Out: the rules that they rest on, deciding ones first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from svod.searches.case_events import Course
from svod.searches.case_words import Form
from svod.searches.cases import Table


@dataclass(frozen=True, slots=True)
class Citation:
    """A rule, in how far it decides (smaller is closer), and which of its clauses had a part."""

    rule: str
    rank: int
    clauses: tuple[str, ...] = ()


def cite(
    table: Table,
    data: Mapping[str, object],
    course: Course,
    answers: Sequence[tuple[Form, int, object, object]],
) -> tuple[Citation, ...]:
    """The rules behind the answers (form, moment, player, value)."""
    return ()
