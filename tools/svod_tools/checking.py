"""In: an open workbench and a time limit. Out: the report of every check and search on the rulebook."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from svod.checks import run_checks
from svod.checks.check import Subject
from svod.diagnostics import Problems, Text
from svod.engine.backend import in_python
from svod.findings import Finding, Scope
from svod.norms import ir
from svod.norms.examples import examples_from_book
from svod.report import Report, make_report
from svod.searches.check import Searched, Setting, search_all
from svod.searches.check import Step as Step
from svod.searches.examples import example_findings
from svod.searches.hunting import Effort
from svod.searches.players import engines_for
from svod_tools.compilers import Compilers
from svod_tools.vocabulary import check_vocabulary
from svod_tools.workbench import Workbench


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check brought. `interrupted`: the person stopped it, the report holds what was known by then."""

    report: Report
    unfinished: tuple[Text, ...]
    native: bool
    interrupted: bool


def check_rulebook(
    bench: Workbench,
    seconds: float,
    problems: Problems,
    progress: Callable[[Step], None] = lambda step: None,
) -> Checked | None:
    """Everything that is known of the rulebook; None with problems where its norms cannot be made."""
    started = time.monotonic()
    norms = bench.norms(problems)
    if norms is None:
        return None
    switches = bench.switches(norms, problems)
    settings = _settings(bench, problems)
    examples = examples_from_book(bench.compilation.book, problems, bench.values(problems))
    if problems.has_errors:
        return None
    book = bench.compilation.book
    scope = scope_of(bench, norms, switches, seconds)
    compilers = Compilers()
    remarks = Problems()
    if not bench.loaded.overlays:
        check_vocabulary(bench.vocabulary, norms, bench.loaded.vocabulary, remarks)
    searched = Searched()
    findings: list[Finding] = list(run_checks(Subject(book, norms, scope)))
    interrupted = False
    try:
        findings += example_findings(examples, engines_for(in_python), scope)
        search_all(
            settings,
            compilers,
            Effort(),
            book.edition,
            deadline=started + seconds,
            progress=progress,
            into=searched,
        )
    except KeyboardInterrupt:
        interrupted = True
    report = make_report(
        book.name,
        book.edition,
        scope,
        [*findings, *searched.findings],
        order=tuple(item.number for item in book.items),
        acceptances=norms.acceptances,
        diagnostics=[*bench.problems.found, *remarks.found],
    )
    return Checked(report, tuple(searched.unfinished), searched.native, interrupted)


def _settings(bench: Workbench, problems: Problems) -> list[Setting]:
    """One for each number of players; other parameters at their first value unless several are asked for."""
    ranges = bench.ranges(problems)
    seats = {parameter.name for parameter in bench.compilation.parameters if parameter.seats}
    found: list[Mapping[str, int]] = [{}]
    for name, values in ranges.items():
        chosen = sorted(values) if name in seats else values if len(bench.chosen_values(name)) > 1 else values[:1]
        found = [{**before, name: value} for before in found for value in chosen]
    settings: list[Setting] = []
    for values_of in found:
        norms = bench.compilation.norms(values_of, problems)
        if norms is not None:
            settings.append(Setting(norms, bench.switches(norms, problems)))
    return settings


def scope_of(bench: Workbench, norms: ir.Norms, switches: frozenset[str], seconds: float) -> Scope:
    """What the check as a whole speaks about."""
    ranges = bench.ranges(Problems())
    players = next((ranges[each.name] for each in bench.compilation.parameters if each.seats), (norms.player_count,))
    shown = f"{min(players)}..{max(players)}" if len(players) > 1 else str(players[0])
    deck = str(len(norms.deck or norms.sort(norms.card_sort).values))
    scope = Scope(deck, shown, edition=bench.compilation.book.edition, budget=f"{seconds:g} s")
    return replace(scope, switches=tuple(sorted(switches)))
