"""Every example of the rulebooks that ship holds: by the engine, and by the naive evaluator. Where edition 1 leaves two
readings, some example tells them apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.engine.backend import in_python
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import Example, examples_from_book
from svod.pipeline import compile_texts
from svod.searches.examples import EXAMPLE_DEPENDS, example_findings
from svod.searches.players import Player, PlayerFor, PlayersFor, engines_for
from svod_tools.files import load_rulebook

SPEC = Path(__file__).resolve().parents[2] / "spec"
RULEBOOKS = [("shukh", None), ("shukh", 2), ("kuhn", None)]
APART = {  # in the edition that leaves them open
    "shukh": {"R-4.14", "R-4.14.1", "R-8.3", "R-8.6", "R-9.2", "R-10.1.1", "Ш-4b"}
}


def naive_for(norms: ir.Norms) -> PlayerFor:
    def player(switches: frozenset[str]) -> Player:
        return Naive(norms, switches)

    return player


def examples(name: str, edition: int | None) -> tuple[Example, ...]:
    problems = Problems()
    loaded = load_rulebook(str(SPEC / name), problems, edition=edition)
    assert loaded is not None
    compilation = compile_texts(loaded.chapters, loaded.overlays, problems)
    assert compilation is not None
    found = examples_from_book(compilation.book, problems)
    assert not problems.has_errors, [problem.message.ru for problem in problems]
    assert len(found) == sum(len(item.examples) for item in compilation.book.items) > 0
    return found


@pytest.mark.parametrize(("name", "edition"), RULEBOOKS)
@pytest.mark.parametrize("players_for", [engines_for(in_python), naive_for], ids=["engine", "naive"])
def test_examples_hold(name: str, edition: int | None, players_for: PlayersFor) -> None:
    found = example_findings(examples(name, edition), players_for, Scope("", ""))
    depends = [finding for finding in found if finding.code == EXAMPLE_DEPENDS]
    assert [(finding.title.ru, finding.verdict.ru) for finding in found if finding not in depends] == []
    assert {finding.rules[0] for finding in depends} == (APART.get(name, set()) if edition is None else set())
