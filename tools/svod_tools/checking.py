"""In: an open workbench, a time limit. Out: the report of every check, search and proof, kept by content."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from svod.checks import run_checks
from svod.checks.check import Subject
from svod.diagnostics import Diagnostic, Problems, Text
from svod.findings import Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.examples import examples_from_book
from svod.report import Report, make_report
from svod.searches.check import Searched, Setting, Step, search_all
from svod.searches.examples import example_findings
from svod.searches.hunting import Effort
from svod.searches.players import PlayerFor
from svod.searches.proofs import Proofs
from svod_tools import report_cache
from svod_tools.compilers import Compilers
from svod_tools.proof_process import ProofProcess
from svod_tools.vocabulary import check_vocabulary
from svod_tools.workbench import Workbench

PLAYERS_SEARCHED = (2, 3, 4)
"""Numbers of players that random play looks at where the choice is left open; the solver speaks about all of them."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A report and how it came about. `unfinished`: what the time limit or an interrupt cut off."""

    report: Report
    interrupted: bool
    unfinished: tuple[Text, ...]
    native: bool


def check_rulebook(
    bench: Workbench, seconds: float, problems: Problems, tell: Callable[[Step], None] = lambda step: None
) -> Checked | None:
    """Everything that is known of the rulebook; None with problems where its norms cannot be made. An interrupt leaves
    a report of what was found until then."""
    norms = bench.norms(problems)
    if norms is None:
        return None
    switches = bench.switches(norms, problems)
    settings = _settings(bench, problems)
    examples = examples_from_book(bench.compilation.book, problems)
    if problems.has_errors:
        return None
    key = report_cache.key_of(bench.sources.values(), (bench.choice, sorted(switches), seconds))
    kept = report_cache.load(key)
    if kept is not None:
        return Checked(kept, False, (), True)
    book = bench.compilation.book
    scope = scope_of(bench, norms, seconds)
    deadline = time.monotonic() + seconds
    with ProofProcess() as process:
        proofs = Proofs(process.line, settings, book.edition, deadline, _widest(bench, problems))
        findings = list(run_checks(Subject(book, norms, scope)))
        findings += example_findings(examples, _naive_for, scope)
        searched, interrupted = _search(settings, proofs, deadline, book.edition, tell)
    findings += searched.findings
    report = make_report(
        book.name,
        book.edition,
        scope,
        findings,
        order=tuple(item.number for item in book.items),
        acceptances=norms.acceptances,
        diagnostics=[*bench.problems.found, *_vocabulary_remarks(bench, norms)],
        unfinished=max(len(searched.unfinished), int(interrupted)),
        left_open=len(searched.left_open),
    )
    if not interrupted and not searched.unfinished and searched.native:
        report_cache.save(key, report)
    return Checked(report, interrupted, (*searched.unfinished, *searched.left_open), searched.native)


def _vocabulary_remarks(bench: Workbench, norms: ir.Norms) -> list[Diagnostic]:
    """Names of the vocabulary that the base text lacks; an overlay may well take some away."""
    remarks = Problems()
    if not bench.loaded.overlays:
        check_vocabulary(bench.vocabulary, norms, bench.loaded.vocabulary, remarks)
    return remarks.found


def _naive_for(norms: ir.Norms) -> PlayerFor:
    return lambda switches: Naive(norms, switches)


def _settings(bench: Workbench, problems: Problems) -> list[Setting]:
    """One setting for each number of players that random play looks at, at the first value of every other parameter."""
    ranges = bench.ranges(problems)
    seats = next((parameter.name for parameter in bench.compilation.parameters if parameter.seats), None)
    base = {name: values[0] for name, values in ranges.items()}
    chosen: list[dict[str, int]] = []
    if seats is None:
        chosen.append(base)
    else:
        allowed = sorted(ranges[seats])
        counts = allowed if bench.choice.players else [n for n in allowed if n in PLAYERS_SEARCHED] or allowed[:1]
        chosen += [{**base, seats: count} for count in counts]
    settings = []
    for values in chosen:
        norms = bench.compilation.norms(values, problems)
        if norms is not None:
            settings.append(Setting(norms, bench.switches(norms, problems)))
    return settings


def _widest(bench: Workbench, problems: Problems) -> Setting | None:
    """The setting with the most players asked for: the solver leaves their number free below it."""
    ranges = bench.ranges(problems)
    values = {parameter.name: ranges[parameter.name][0] for parameter in bench.compilation.parameters}
    for parameter in bench.compilation.parameters:
        if parameter.seats:
            values[parameter.name] = max(ranges[parameter.name])
    norms = bench.compilation.norms(values, problems)
    return None if norms is None else Setting(norms, bench.switches(norms, problems))


def _search(
    settings: Sequence[Setting], proofs: Proofs, deadline: float, edition: str, tell: Callable[[Step], None]
) -> tuple[Searched, bool]:
    """What searches and proofs bring, and whether they were interrupted."""
    searched = Searched()

    def progress(step: Step) -> None:
        proofs.hear()
        tell(step)

    try:
        search_all(settings, Compilers(), Effort(), edition, deadline=deadline, progress=progress, into=searched)
        proofs.finish(searched, tell)
    except KeyboardInterrupt:
        return searched, True
    return searched, False


def scope_of(bench: Workbench, norms: ir.Norms, seconds: float) -> Scope:
    """What the check as a whole speaks about."""
    ranges = bench.ranges(Problems())
    players = next((ranges[each.name] for each in bench.compilation.parameters if each.seats), (norms.player_count,))
    shown = f"{min(players)}..{max(players)}" if len(players) > 1 else str(players[0])
    deck = str(len(norms.deck or norms.sort(norms.card_sort).values))
    return Scope(deck, shown, edition=bench.compilation.book.edition, budget=f"{seconds:g} s")
