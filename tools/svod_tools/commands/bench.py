"""In: a rulebook. Out: how fast it is played and beside what; or, with --agree, whether engine and evaluator agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from rich.progress import Progress

from svod.constraints.agreement import Agreement as Constraints
from svod.diagnostics import Problems, Text
from svod.engine.backend import Compiler, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.search_bench import Rate, play_rate, reference_rate
from svod.engine.search_source import search_program
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Act, Position, StepOutcome
from svod.searches.agreement import Agreed, Disagreement, Watcher, compare
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
    counted: list[Agreed] = []
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
                counted.append(found)
                terminal.say(_agreement(norms, found, bench.choice.language))
    terminal.say(_total(counted, failures).in_language(bench.choice.language))
    return 3 if failures else 0


def _total(counted: Sequence[Agreed], failures: int) -> Text:
    """All plays together."""
    steps, breaches = sum(each.steps for each in counted), sum(each.breaches for each in counted)
    punished, restored = sum(each.punished for each in counted), sum(each.restored for each in counted)
    return Text(
        f"сверено шагов: {steps}, в них нарушений: {breaches}, наказаний: {punished}, восстановлений: {restored}; "
        f"расхождений: {failures}",
        f"steps compared: {steps}, with {breaches} breaches, {punished} punishments, {restored} restorations; "
        f"differing: {failures}",
    )


def _compared(
    norms: ir.Norms,
    switches: frozenset[str],
    compiler: Compiler,
    steps: int,
    seed: int,
    tell: Callable[[int], None],
) -> Agreed | Disagreement:
    engine = Engine.of(norms, switches, compiler=compiler)
    watcher = _third_opinion(norms, switches, engine) if norms.player_count <= ADMITTED_SEATS else None
    return compare(engine, Naive(norms, switches), steps, seed, tell, watcher)


ADMITTED_SEATS = 4
"""Seats up to which steps are held against the constraints too: printing their terms takes long for large tables."""
LISTED_EACH = 8
"""At one step in so many the constraints are asked which acts are lawful, besides what follows."""


def _third_opinion(norms: ir.Norms, switches: frozenset[str], engine: Engine) -> Watcher:
    """The constraints admit every step, have no other lawful acts, and so no other successor."""
    constraints = Constraints(norms, switches)
    steps = count()

    def watcher(position: Position, act: Act, outcome: StepOutcome) -> object:
        found = constraints.disagreement(position, act, outcome)
        if found is None and next(steps) % LISTED_EACH == 0:
            found = constraints.acts_disagreement(position, engine.acts(position))
        return found

    return watcher


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
        f"{parameters}: шагов {found.steps}, партий {found.plays}, незаконных {found.unlawful}, сбоев {found.failed}, "
        f"нарушений {found.breaches}, наказаний {found.punished}, восстановлений {found.restored}",
        f"{parameters}: {found.steps} steps, {found.plays} plays, {found.unlawful} unlawful, {found.failed} failed, "
        f"{found.breaches} breaches, {found.punished} punishments, {found.restored} restorations",
    )
    return words.in_language(language)


def _disagreement(norms: ir.Norms, found: Disagreement) -> str:
    play = " ".join(act_text(norms, act) for act in found.play)
    act = "" if found.act is None else act_text(norms, found.act)
    return f"{norms.parameters}: {found.about} {act}\n  {play}\n  naive: {found.naive}\n  other: {found.other}"
