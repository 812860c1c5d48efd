"""In: a rulebook. Out: how fast it is played and beside what; or, with --agree, whether engine and evaluator agree."""

from __future__ import annotations

from collections.abc import Callable

from rich.progress import Progress

from svod.constraints.agreement import Agreement as Constraints
from svod.constraints.agreement import Disagreement as Unadmitted
from svod.diagnostics import Problems, Text
from svod.engine.backend import Compiler, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.search_bench import Rate, play_rate, reference_rate
from svod.engine.search_source import search_program
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.searches.admission import first_unadmitted
from svod.searches.agreement import Agreed, Disagreement, compare
from svod.searches.plays import act_text
from svod_tools import terminal
from svod_tools.compilers import Compilers
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.workbench import Workbench, open_workbench


def run(choice: Choice, agree: int, seed: int) -> int:
    """Measure, or compare; the exit code is 3 if two of our own ways to play differ."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    if agree < 0:
        problems = Problems()
        problems.report(BAD_ARGUMENTS, Text("--agree меньше нуля", "--agree is below zero"), None)
        return bench.fail(problems)
    return _agree(bench, agree, seed) if agree else _rates(bench, seed)


# -------------------------------------------------------------------------------------------------- speed


def _rates(bench: Workbench, seed: int) -> int:
    problems = Problems()
    norms = bench.norms(problems)
    if norms is None:
        return bench.fail(problems)
    switches = bench.switches(norms, problems)
    if problems.has_errors:
        return bench.fail(problems)
    language = bench.choice.language
    program = program_from_norms(norms, Options(switches=switches, lawful_only=True))
    searched = search_program(program, norms)
    terminal.say(_title(norms, seed, language))
    unit = reference_rate()
    words = Text("эталонный цикл на чистом Python", "reference loop in pure Python").in_language(language)
    terminal.say(f"{words}: {unit:,.0f}/s".replace(",", " "))
    compilers = Compilers()
    rates = [play_rate(searched, in_python(searched.source, searched.entries), seed=seed, games=20)]
    native = compilers(searched.source, searched.entries)
    if native.native:
        rates.append(play_rate(searched, native, seed=seed, games=20))
    elif compilers.reason is not None:
        terminal.complain(compilers.reason.in_language(language))
    for rate in rates:
        terminal.say(_line(rate, unit, language))
    if len({rate.checksum for rate in rates}) > 1:
        terminal.complain(Text("партии разошлись", "the games differ").in_language(language))
        return 3
    return 0


def _title(norms: ir.Norms, seed: int, language: str) -> str:
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    words = Text(
        f"случайная законная игра от раздачи до конца, {parameters}, зерно {seed}; медиана пяти замеров, одно ядро",
        f"random lawful play from the deal to the end, {parameters}, seed {seed}; median of five laps, one core",
    )
    edition = Text("редакция", "edition").in_language(language)
    return f"{norms.rulebook}, {edition} {norms.edition}: {words.in_language(language)}"


def _line(rate: Rate, unit: float, language: str) -> str:
    words = Text("действий в секунду", "acts a second").in_language(language)
    ratio = Text("эталона", "of the reference").in_language(language)
    speed = f"{rate.acts_per_second:,.0f}".replace(",", " ")
    return f"{rate.machine}: {speed} {words} ({rate.acts_per_second / unit:.3g} × {ratio})"


# ---------------------------------------------------------------------------------------------- agreement


def _agree(bench: Workbench, steps: int, seed: int) -> int:
    """So many steps in all, shared out over the numbers of players and decks, on every backend that there is."""
    problems = Problems()
    settings = _settings(bench, problems)
    if problems.has_errors:
        return bench.fail(problems)
    compilers = Compilers()
    share = max(1, -(-steps // max(1, len(settings))))  # rounded up: at least so many in all
    failures = 0
    total = 0
    with Progress(console=terminal.console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=share * len(settings))
        for number, (norms, switches) in enumerate(settings):
            backend: Compiler = in_python if number % 2 else compilers

            def tell(taken: int, done: int = number * share) -> None:
                progress.update(task, completed=done + taken)

            found = _compared(norms, switches, backend, share, seed + number, tell)
            if isinstance(found, Disagreement):
                failures += 1
                terminal.complain(_disagreement(norms, found))
            else:
                total += found.steps
                terminal.say(_agreement(norms, found, bench.choice.language))
            if norms.player_count <= ADMITTED_SEATS:
                admitted = _admitted(norms, switches, compilers, share, seed + number)
                if admitted is not None:
                    failures += 1
                    terminal.complain(f"{norms.rulebook} {norms.parameters}: {admitted!r}")
    words = Text(f"сверено шагов: {total}, расхождений: {failures}", f"steps compared: {total}, differing: {failures}")
    terminal.say(words.in_language(bench.choice.language))
    return 3 if failures else 0


def _compared(
    norms: ir.Norms,
    switches: frozenset[str],
    compiler: Compiler,
    steps: int,
    seed: int,
    tell: Callable[[int], None],
) -> Agreed | Disagreement:
    engine = Engine.of(norms, switches, compiler=compiler)
    return compare(engine, Naive(norms, switches), steps, seed, tell)


ADMITTED_SEATS = 4
"""Seats up to which steps are held against the constraints too: printing their terms takes long for large tables."""


def _admitted(
    norms: ir.Norms, switches: frozenset[str], compiler: Compiler, steps: int, seed: int
) -> Unadmitted | None:
    engine = Engine.of(norms, switches, compiler=compiler)
    return first_unadmitted(engine, Constraints(norms, switches), steps, seed, unlawful_each=8)


def _settings(bench: Workbench, problems: Problems) -> list[tuple[ir.Norms, frozenset[str]]]:
    """Every number of players and every deck that the rulebook admits, or those asked for."""
    found: list[dict[str, int]] = [{}]
    for name, values in bench.ranges(problems).items():
        found = [{**before, name: value} for before in found for value in sorted(values)]
    settings = []
    for values_of in found:
        norms = bench.compilation.norms(values_of, problems)
        if norms is not None:
            settings.append((norms, bench.switches(norms, problems)))
    return settings


def _agreement(norms: ir.Norms, found: Agreed, language: str) -> str:
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    words = Text(
        f"{parameters}: шагов {found.steps}, партий {found.plays}, незаконных {found.unlawful}, сбоев {found.failed}",
        f"{parameters}: {found.steps} steps, {found.plays} plays, {found.unlawful} unlawful, {found.failed} failed",
    )
    return words.in_language(language)


def _disagreement(norms: ir.Norms, found: Disagreement) -> str:
    play = " ".join(act_text(norms, act) for act in found.play)
    act = "" if found.act is None else act_text(norms, found.act)
    return f"{found.about} {act}\n  {play}\n  naive: {found.naive}\n  other: {found.other}"
