"""A bound that is hit is reported under the number of a rule, and waves without end in words."""

from __future__ import annotations

import pytest

from svod.engine.backend import in_python
from svod.searches.check import Setting, search_all
from svod.searches.hunting import Effort

from .test_search_cut_short import STUCK, norms_of

NEVER_SETTLES = "event tick\nevent tock\non take(_, _): event tick\non tick: event tock\non tock: event tick\n"


@pytest.mark.parametrize(
    ("rules", "numbers", "title"),
    [
        (STUCK.replace("zone hand(Player): set", "zone hand(Player): set, at most 1"), ("T-1",), "bound “hand”"),
        (STUCK + NEVER_SETTLES, ("T-1",), "consequences never end"),
    ],
)
def test_a_bound_names_its_rule(rules: str, numbers: tuple[str, ...], title: str) -> None:
    searched = search_all([Setting(norms_of(rules), frozenset())], in_python, Effort(full_games=800), "1")
    found = [finding for finding in searched.findings if finding.code.name == "F205"]
    assert [(finding.rules, finding.title.en) for finding in found] == [(numbers, title)]
    assert found[0].title.ru != found[0].title.en
