"""In: a rulebook and a file of cases. Out: a ruling on each; exit code 1 if one differs from its key or is refused."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.pipeline import switches_for
from svod.rulebook.book import Book
from svod.searches.case_words import CaseWords
from svod.searches.judging import Case, Ruling, judge
from svod.searches.players import Player, PlayerFor, engines_for
from svod.searches.record_check import GameEnd, check_record
from svod.searches.records import book_mark
from svod.source import Source
from svod_tools import files, terminal
from svod_tools.case_files import read_cases
from svod_tools.compilers import Compilers
from svod_tools.hearing import Hearing
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.protocols import protocol_lines
from svod_tools.record_files import open_record, warn
from svod_tools.record_view import verdict_json, verdict_lines
from svod_tools.ruling_view import ruling_json, ruling_lines
from svod_tools.vocabulary import words_of_cases
from svod_tools.workbench import Workbench, open_workbench

WHOLE_MAX = 3
"""Rulings up to this number are printed with what happened and the sentences of the rules."""


@dataclass
class CaseMakers:
    """Norms of one rulebook and engines of them, each made once."""

    bench: Workbench
    interpreter: bool = False
    _engines: dict[tuple[tuple[str, str], ...], PlayerFor] = field(default_factory=dict)

    @property
    def book(self) -> Book:
        """The rulebook as amended."""
        return self.bench.compilation.book

    def norms(self, parameters: Mapping[str, int], problems: Problems) -> ir.Norms | None:
        """Norms at these parameters; what a case does not say is as on the command line."""
        values = {**self.bench.values(problems), **parameters}
        return None if problems.has_errors else self.bench.compilation.norms(values, problems)

    def switches(self, norms: ir.Norms, variants: Sequence[str], problems: Problems) -> frozenset[str]:
        """Those of the command line and of the case."""
        return switches_for(norms, (*self.bench.loaded.switches, *variants), problems)

    def player(self, norms: ir.Norms, switches: frozenset[str]) -> Player:
        """An engine with these switches."""
        if norms.parameters not in self._engines:
            self._engines[norms.parameters] = engines_for(Compilers(self.interpreter))(norms)
        return self._engines[norms.parameters](switches)


@dataclass(frozen=True, slots=True)
class Judged:
    """One case: its ruling, or why it was refused."""

    name: str
    ruling: Ruling | None
    problems: Problems

    @property
    def good(self) -> bool:
        """Neither refused nor in disagreement with its key."""
        return self.ruling is not None and self.ruling.agrees


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be judged: a file of cases, a recorded game, or what is told at the terminal; where the protocol
    goes."""

    cases: str | None
    record: str | None
    protocol: str | None


def run(choice: Choice, wanted: Wanted, *, as_json: bool) -> int:
    """Judge what is wanted; the exit code."""
    problems = Problems()
    if wanted.record is not None and (wanted.cases is not None or wanted.protocol is not None):
        message = Text(
            "--record: с файлом случаев и --protocol не сочетается", "--record: not with cases or --protocol"
        )
        problems.report(BAD_ARGUMENTS, message, None)
    if wanted.cases is not None and wanted.protocol is not None:
        problems.report(BAD_ARGUMENTS, Text("--protocol: только без файла", "--protocol: only without a file"), None)
    if problems.has_errors:
        return terminal.bad_input(problems, {}, choice.language)
    if wanted.record is not None:
        return run_record(choice, wanted.record, as_json=as_json)
    if wanted.cases is not None:
        return run_cases(choice, wanted.cases, as_json=as_json)
    return run_hearing(choice, wanted.protocol, as_json=as_json)


def run_record(choice: Choice, game: str, *, as_json: bool) -> int:
    """Judge a recorded game: what was not lawful in it; exit code 1 if there is such a move."""
    opened = open_record(choice, game)
    if isinstance(opened, int):
        return opened
    warn(opened)
    norms = opened.norms
    verdict = check_record(norms, opened.switches, opened.moves)
    if as_json:
        terminal.say(files.to_json(verdict_json(norms, verdict, choice.language)))
    else:
        for line in verdict_lines(norms, verdict, choice.language):
            terminal.show(terminal.cards(line))
    if verdict.end in (GameEnd.IMPOSSIBLE, GameEnd.AFTER_END):
        return 2
    return 0 if verdict.first_unlawful is None else 1


def run_hearing(choice: Choice, protocol: str | None, *, as_json: bool) -> int:
    """Ask at the table; print the protocol, and keep it where asked."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    layout = words_for_judging(bench, problems)
    if layout is None or problems.has_errors:
        return terminal.bad_input(problems, bench.sources, choice.language)
    hearing = Hearing(bench, CaseMakers(bench), layout, title(bench, choice.language), terminal.ask)
    ruling: Ruling | None = None
    with redirect_stdout(sys.stderr) if as_json else nullcontext():  # the output is for the data alone
        terminal.say(hearing.title)
        try:
            ruling = hearing.run() if hearing.open() else None
        except EOFError:
            terminal.say()
            if "position" in hearing.data:
                ruling = hearing.rule(hearing.events)
            else:
                hearing.say("положение не досказано, судить нечего", "the position was not told to its end")
        except KeyboardInterrupt:
            terminal.say()
            return 130
    if ruling is None:
        return 2
    if as_json:
        terminal.say(files.to_json(ruling_json(ruling, choice.language)))
    if protocol is not None:
        text = "\n".join(protocol_lines(bench, hearing.title, hearing.data, ruling)) + "\n"
        if not files.write_text(Path(protocol), text, problems):
            return terminal.bad_input(problems, bench.sources, choice.language)
    return 0


def run_cases(choice: Choice, path: str, *, as_json: bool) -> int:
    """Judge the cases of a file; the exit code."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    source = files.read_source(path, problems)
    cases = None if source is None else read_cases(source, problems)
    layout = words_for_judging(bench, problems)
    if source is None or cases is None or layout is None or problems.has_errors:
        sources = bench.sources if source is None else {**bench.sources, source.name: source}
        return terminal.bad_input(problems, sources, choice.language)
    makers = CaseMakers(bench)
    judged = [judge_one(case, makers, layout, place) for place, case in enumerate(cases.cases, 1)]
    if as_json:
        terminal.say(files.to_json(_report(bench, judged, choice.language)))
    else:
        _print(bench, judged, {**bench.sources, source.name: source}, choice.language)
    return 0 if all(each.good for each in judged) else 1


def cited_rules(bench: Workbench, source: Source, problems: Problems) -> dict[str, tuple[str, ...]] | None:
    """The chain of rules of every case of a file that is not refused; None, and why, if the file cannot be read."""
    cases = read_cases(source, problems)
    layout = words_for_judging(bench, problems)
    if cases is None or layout is None or problems.has_errors:
        return None
    makers = CaseMakers(bench)
    judged = [judge_one(case, makers, layout, place) for place, case in enumerate(cases.cases, 1)]
    return {
        each.name: tuple(citation.rule for citation in each.ruling.rules) for each in judged if each.ruling is not None
    }


def words_for_judging(bench: Workbench, problems: Problems) -> CaseWords | None:
    """What the words of a case mean in this rulebook; None, and why, where the vocabulary does not fit it."""
    norms = bench.norms(problems)
    return None if norms is None else words_of_cases(bench.vocabulary, norms, bench.loaded.vocabulary, problems)


def judge_one(case: Case, makers: CaseMakers, layout: CaseWords, place: int) -> Judged:
    """The ruling on one case, and what was wrong with it."""
    problems = Problems()
    ruling = judge(case, makers.bench.vocabulary, layout, makers, problems)
    return Judged(str(case.data.get("id", place)), ruling, problems)


# ------------------------------------------------------------------------------------------------------ output


def _print(bench: Workbench, judged: Sequence[Judged], sources: Mapping[str, Source], language: str) -> None:
    terminal.say(title(bench, language))
    whole = len(judged) <= WHOLE_MAX
    for each in judged:
        terminal.say()
        if each.ruling is not None:
            for line in ruling_lines(each.ruling, bench.compilation.book, language, whole=whole):
                terminal.show(line)
        else:
            refused = Text(f"{each.name}: случай не принят", f"{each.name}: the case is refused")
            terminal.say(refused.in_language(language))
        if each.problems.found:
            terminal.show(terminal.problems_text(each.problems, sources, language))
    terminal.say()
    terminal.say(summary(judged, language))


def title(bench: Workbench, language: str) -> str:
    """Which text was judged by: rulebook, edition, amendments, hash."""
    book = bench.compilation.book
    words = Text(f"редакция {book.edition}", f"edition {book.edition}").in_language(language)
    over = f"; {', '.join(book.overlays)}" if book.overlays else ""
    mark = Text("отпечаток", "hash").in_language(language)
    return f"{book.name}, {words}{over}; {mark} {book_mark(book)}"


def summary(judged: Sequence[Judged], language: str) -> str:
    """How many are good, and what is wrong with the others."""
    good = sum(each.good for each in judged)
    text = Text(f"{good} из {len(judged)}", f"{good} of {len(judged)}").in_language(language)
    refused = sum(each.ruling is None for each in judged)
    open_ = sum(each.ruling is not None and not each.ruling.settled for each in judged)
    if refused:
        text += Text(f"; не принято {refused}", f"; refused {refused}").in_language(language)
    if open_:
        text += Text(f"; правила решают не всё в {open_}", f"; not all settled in {open_}").in_language(language)
    return text


def _report(bench: Workbench, judged: Sequence[Judged], language: str) -> dict[str, object]:
    book = bench.compilation.book
    cases: list[dict[str, object]] = []
    for each in judged:
        told: dict[str, object] = {
            "problems": [
                {"code": problem.code.name, "message": problem.message.in_language(language)}
                for problem in each.problems
            ]
        }
        if each.ruling is None:
            cases.append({"id": each.name, "refused": True, **told})
        else:
            cases.append({**ruling_json(each.ruling, language), "refused": False, **told})
    return {
        "rulebook": book.name,
        "edition": book.edition,
        "hash": book_mark(book),
        "amendments": list(book.overlays),
        "agree": sum(each.good for each in judged),
        "count": len(judged),
        "cases": cases,
    }
