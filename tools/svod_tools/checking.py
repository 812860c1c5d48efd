"""In: an open workbench and a time limit. Out: the report of every check and search on the rulebook."""

from __future__ import annotations

from svod.checks import run_checks
from svod.checks.check import Subject
from svod.diagnostics import Problems
from svod.findings import Scope
from svod.norms import ir
from svod.report import Report, make_report
from svod_tools.workbench import Workbench


def check_rulebook(bench: Workbench, seconds: float, problems: Problems) -> Report | None:
    """Everything that is known of the rulebook; None with problems where its norms cannot be made."""
    norms = bench.norms(problems)
    if norms is None:
        return None
    book = bench.compilation.book
    scope = scope_of(bench, norms, seconds)
    findings = list(run_checks(Subject(book, norms, scope)))
    return make_report(
        book.name,
        book.edition,
        scope,
        findings,
        order=tuple(item.number for item in book.items),
        acceptances=norms.acceptances,
        diagnostics=bench.problems.found,
    )


def scope_of(bench: Workbench, norms: ir.Norms, seconds: float) -> Scope:
    """What the check as a whole speaks about."""
    ranges = bench.ranges(Problems())
    players = next((ranges[each.name] for each in bench.compilation.parameters if each.seats), (norms.player_count,))
    shown = f"{min(players)}..{max(players)}" if len(players) > 1 else str(players[0])
    deck = str(len(norms.deck or norms.sort(norms.card_sort).values))
    return Scope(deck, shown, edition=bench.compilation.book.edition, budget=f"{seconds:g} s")
