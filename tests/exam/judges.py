"""Edition 1 as the judge's exams ask it: its words, norms and engines, each made once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.norms import ir
from svod.pipeline import Compilation, compile_texts, switches_for
from svod.rulebook.book import Book
from svod.searches.case_words import Form, case_words
from svod.searches.judging import Case, Ruling, judge
from svod.searches.players import Player, PlayerFor, engines_for
from svod_tools.files import load_rulebook
from svod_tools.vocabulary import Vocabulary, read_vocabulary

ROOT = Path(__file__).resolve().parents[2]


@cache
def rulebook() -> tuple[Compilation, Vocabulary]:
    problems = Problems()
    loaded = load_rulebook(str(ROOT / "spec" / "shukh"), problems)
    assert loaded is not None
    compilation = compile_texts(loaded.chapters, (), problems)
    vocabulary = read_vocabulary(loaded.vocabulary, problems)
    assert compilation is not None and not problems.has_errors
    return compilation, vocabulary


class Makers:
    """Norms of edition 1, and engines of them, each made once."""

    def __init__(self) -> None:
        self.engines: dict[tuple[tuple[str, str], ...], PlayerFor] = {}

    @property
    def book(self) -> Book:
        return rulebook()[0].book

    def norms(self, parameters: Mapping[str, int], problems: Problems) -> ir.Norms | None:
        return rulebook()[0].norms(parameters, problems)

    def switches(self, norms: ir.Norms, variants: Sequence[str], problems: Problems) -> frozenset[str]:
        return switches_for(norms, variants, problems)

    def player(self, norms: ir.Norms, switches: frozenset[str]) -> Player:
        if norms.parameters not in self.engines:
            self.engines[norms.parameters] = engines_for(in_python)(norms)
        return self.engines[norms.parameters](switches)


MAKERS = Makers()


def ruling(case: Mapping[str, Any], problems: Problems, questions: Mapping[str, Form] | None = None) -> Ruling | None:
    words = case_words(rulebook()[1].cases, problems)
    assert words is not None
    words = words if questions is None else replace(words, questions=questions)
    return judge(Case(case, lambda path: None), rulebook()[1], words, MAKERS, problems)
