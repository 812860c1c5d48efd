"""In: a rulebook and how careless its players are. Out: many games at every number of players and every deck: what went
wrong in the engine or in the rules, by kind and place, with a seed that leads there."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from threading import Event

from rich.progress import Progress

from svod.diagnostics import Problems, Text
from svod.engine.backend import Compiler
from svod.engine.search_careless_play import CarelessCounts, Rates
from svod.engine.search_table import FoundKind
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Limit, Race
from svod.searches.plays import rules_of
from svod.searches.records import record_text
from svod_tools import files, terminal
from svod_tools.careless_view import careless_json, rates_text
from svod_tools.compilers import Compilers
from svod_tools.record_files import RECORD_ENDING, head_for, save
from svod_tools.table import STOP_KINDS, CarelessTable, stop_rules
from svod_tools.workbench import Workbench

CHUNK = 200
"""Games between two looks at the keyboard."""
WORKERS_MAX = 8
"""Settings under way at once; native code runs beside other native code."""

FOUND_WORDS = {
    FoundKind.OVER: Text("доиграно", "played to the end"),
    FoundKind.HOLE: STOP_KINDS[Hole],
    FoundKind.CLASH: STOP_KINDS[Clash],
    FoundKind.RACE: STOP_KINDS[Race],
    FoundKind.LIMIT: STOP_KINDS[Limit],
    FoundKind.DEAD_END: Text("тупик", "dead end"),
    FoundKind.CONTESTED_ONLY: Text("остался только спорный ход", "only a contested move was left"),
    FoundKind.INVARIANT: Text("неверно «всегда»", "an “always” fails"),
    FoundKind.LONG: Text("оборвано по пределу ходов", "cut off at the move limit"),
    FoundKind.LOST: Text("карта потеряна", "a card was lost"),
}


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something that went wrong: how often, and the shortest game to it (its seed and how many moves lead there)."""

    kind: FoundKind
    place: str
    rules: tuple[str, ...]
    times: int
    seed: int
    moves: int


@dataclass(frozen=True, slots=True)
class Setting:
    """All games at one choice of parameters."""

    norms: ir.Norms
    switches: frozenset[str]
    counts: CarelessCounts
    anomalies: tuple[Anomaly, ...]
    games: Mapping[Anomaly, tuple[Act, ...]]
    """The shortest game to each anomaly, if it was asked for."""
    seconds: float
    machine: str

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The choice of parameters."""
        return self.norms.parameters

    @property
    def title(self) -> str:
        """The parameters in one line."""
        return ", ".join(f"{name} {value}" for name, value in self.parameters)


def run_every(
    bench: Workbench,
    rates: Rates,
    wanted: tuple[int, int, int],
    compiler: Compilers,
    record: str | None,
    *,
    as_json: bool,
) -> int:
    """Play and report; 1 if anything went wrong in the rules, 3 if a card was lost, 130 if interrupted. What is said to
    hold always holds in lawful play: that it fails after breaches is told, and is no fault."""
    games, seed, cap = wanted
    problems = Problems()
    chosen = settings(bench, problems)
    if problems.has_errors:
        return bench.fail(problems)
    language = bench.choice.language
    done: list[Setting] = []
    interrupted = failed = False
    if not as_json:
        book = bench.compilation.book
        edition = Text(f"редакция {book.edition}", f"edition {book.edition}").in_language(language)
        terminal.say(f"{book.name}, {edition}; {rates_text(rates, language)}; {_seed_word(seed, language)}")
    stopping = Event()
    with (
        Progress(console=terminal.console(stderr=True), transient=True, disable=as_json) as bar,
        ThreadPoolExecutor(max(1, min(WORKERS_MAX, os.cpu_count() or 1))) as pool,
    ):
        task = bar.add_task("", total=games * len(chosen))

        def one(setting: tuple[ir.Norms, frozenset[str]]) -> Setting | None:
            return played(
                *setting, compiler, rates, wanted, lambda n: bar.advance(task, n), stopping, keep=bool(record)
            )

        try:
            for setting in pool.map(one, chosen):
                if setting is not None:
                    done.append(setting)
                    if record and not keep_records(bench, record, setting, problems):
                        stopping.set()
                        failed = True
                        break
                    if not as_json:
                        terminal.say("\n".join(setting_lines(setting, language)))
        except KeyboardInterrupt:
            stopping.set()
            interrupted = True
    if failed:
        return bench.fail(problems)
    if as_json:
        terminal.say(files.to_json(_report(bench, rates, seed, cap, done, interrupted)))
    else:
        terminal.say(_total(done, language))
    kinds = {anomaly.kind for setting in done for anomaly in setting.anomalies}
    excused = {FoundKind.LONG, FoundKind.INVARIANT} if rates.breaches else {FoundKind.LONG}
    code = 3 if FoundKind.LOST in kinds else 1 if kinds - excused else 0
    return 130 if interrupted else code


def _seed_word(seed: int, language: str) -> str:
    return Text(f"зерно {seed}", f"seed {seed}").in_language(language)


def settings(bench: Workbench, problems: Problems) -> list[tuple[ir.Norms, frozenset[str]]]:
    """Norms for every choice of parameters that the rulebook admits, or of those asked for."""
    ranges = bench.ranges(problems)
    found = []
    for values in product(*(sorted(each) for each in ranges.values())):
        norms = bench.compilation.norms(dict(zip(ranges, values, strict=True)), problems)
        if norms is not None:
            found.append((norms, bench.switches(norms, problems)))
    return found


def played(
    norms: ir.Norms,
    switches: frozenset[str],
    compiler: Compiler,
    rates: Rates,
    wanted: tuple[int, int, int],
    tell: Callable[[int], None],
    stopping: Event,
    *,
    keep: bool,
) -> Setting | None:
    """So many games (number, seed, cap) at one choice of parameters; None if it was called off."""
    games, seed, cap = wanted
    if stopping.is_set():
        return None
    table = CarelessTable(norms, switches, compiler, rates, cap)
    started = time.monotonic()
    left, first = games, seed * 1_000_003
    while left > 0:
        chunk = min(left, CHUNK)
        table.games.play(first, chunk)
        first += chunk * 7_919
        left -= chunk
        tell(chunk)
        if stopping.is_set():
            return None
    seconds = time.monotonic() - started
    counts = table.counts  # before games are played again to be looked at
    anomalies = tuple(_anomalies(norms, table))
    games_kept = {each: _acts_to(table, each) for each in anomalies if each.seed} if keep else {}
    return Setting(norms, switches, counts, anomalies, games_kept, seconds, table.machine)


def _acts_to(table: CarelessTable, anomaly: Anomaly) -> tuple[Act, ...]:
    """The acts of the shortest game to it."""
    table.games.play(anomaly.seed, 1)
    return tuple(map(table.engine.decode, table.games.last.acts[: anomaly.moves]))


def keep_records(bench: Workbench, folder: str, setting: Setting, problems: Problems) -> bool:
    """Write the shortest game to each anomaly: `36-4-limit-1.txt`."""
    numbers = Counter[str]()
    values = "-".join(value for _, value in setting.parameters)
    for anomaly, acts in setting.games.items():
        kind = anomaly.kind.name.lower().replace("_", "-")
        numbers[kind] += 1
        head = head_for(bench, setting.norms, setting.switches, anomaly.seed)
        footer = [anomaly_text(anomaly, head.language)]
        text = record_text(head, setting.norms, acts, footer=footer)
        if not save(str(Path(folder) / f"{values}-{kind}-{numbers[kind]}{RECORD_ENDING}"), text, problems):
            return False
    return True


def _anomalies(norms: ir.Norms, table: CarelessTable) -> Iterator[Anomaly]:
    counts = table.counts
    if counts.ends.get(FoundKind.LONG):
        yield Anomaly(FoundKind.LONG, "", (), counts.ends[FoundKind.LONG], 0, table.games.cap)
    alike: dict[tuple[FoundKind, str, tuple[str, ...]], Anomaly] = {}
    for found in table.games.found:
        place = found.place_name(table.engine.program) or ""
        if found.kind in (FoundKind.DEAD_END, FoundKind.CONTESTED_ONLY):
            rules = _in_the_way(norms, table, found.where)
        else:
            rules = rules_of(norms, (place, *found.clause_ids(table.engine.program)))
        if found.kind is FoundKind.LIMIT and not rules:
            table.games.play(found.where, 1)
            rules = stop_rules(norms, table.stop(table.games.last))
        key = (found.kind, place, rules)
        one = Anomaly(found.kind, place, rules, found.times, found.where, found.length)
        other = alike.get(key, one)
        times = one.times + (other.times if other is not one else 0)
        alike[key] = replace(min(one, other, key=lambda each: each.moves), times=times)
    yield from sorted(alike.values(), key=lambda each: (each.kind, -each.times))


def _in_the_way(norms: ir.Norms, table: CarelessTable, seed: int) -> tuple[str, ...]:
    """The rules of the duties that hold up what could be done where this game ends, or else of what forbids it."""
    table.games.play(seed, 1)
    position = table.engine.position(table.vector())
    held: list[str] = []
    forbidden: list[str] = []
    for act in table.engine.possible_acts(position):
        decision = table.engine.decide(position, act)
        held += decision.blocked_by
        forbidden += (*decision.permitted_by, *decision.forbidden_by) if decision.permitted_by else ()
    return tuple(sorted(rules_of(norms, held or forbidden)))


# ------------------------------------------------------------------------------------------------------ report


def setting_lines(setting: Setting, language: str) -> list[str]:
    """One setting: a line, and a line for each thing that went wrong."""
    counts = setting.counts
    broken = sum(each.entered for each in counts.numbers.values())
    punished = sum(each.punished + each.wronged for each in counts.numbers.values())
    over = counts.ends.get(FoundKind.OVER, 0)
    rate = counts.acts / setting.seconds if setting.seconds else 0.0
    words = Text(
        f"{setting.title}: партий {counts.games}, доиграно {over}, ходов {counts.acts} "
        f"(от {counts.shortest} до {counts.longest}), нарушений {broken}, наказаний {punished}; "
        f"{setting.seconds:.1f} с, {rate:,.0f}/с",
        f"{setting.title}: {counts.games} games, {over} to the end, {counts.acts} moves "
        f"({counts.shortest} to {counts.longest}), {broken} breaches, {punished} punishments; "
        f"{setting.seconds:.1f} s, {rate:,.0f}/s",
    )
    lines = [words.in_language(language)]
    return [*lines, *(f"  {anomaly.times:>7}  {anomaly_text(anomaly, language)}" for anomaly in setting.anomalies)]


def anomaly_text(anomaly: Anomaly, language: str) -> str:
    """What went wrong, by which rules, and the game that leads there."""
    kind = FOUND_WORDS[anomaly.kind].in_language(language)
    place = f" — «{anomaly.place}»" if anomaly.place else ""
    rules = f" ({', '.join(anomaly.rules)})" if anomaly.rules else ""
    seed = f"; {_seed_word(anomaly.seed, language)}, {_moves(anomaly.moves, language)}" if anomaly.seed else ""
    return f"{kind}{place}{rules}{seed}"


def _moves(moves: int, language: str) -> str:
    return Text(f"ходов {moves}", f"{moves} moves").in_language(language)


def _total(done: list[Setting], language: str) -> str:
    games = sum(setting.counts.games for setting in done)
    acts = sum(setting.counts.acts for setting in done)
    lost = sum(a.times for setting in done for a in setting.anomalies if a.kind is FoundKind.LOST)
    cut = sum(setting.counts.ends.get(FoundKind.LONG, 0) for setting in done)
    broken = sum(a.times for setting in done for a in setting.anomalies if a.kind is FoundKind.INVARIANT)
    told = (FoundKind.LOST, FoundKind.LONG, FoundKind.INVARIANT)
    wrong = sum(a.times for setting in done for a in setting.anomalies if a.kind not in told)
    words = Text(
        f"всего партий {games}, ходов {acts}: потерянных карт {lost}, оборвано {cut}, неверных «всегда» {broken}, "
        f"остального {wrong}",
        f"in all {games} games, {acts} moves: {lost} lost cards, {cut} cut off, {broken} failing “always”, "
        f"{wrong} other",
    )
    return words.in_language(language)


def _report(
    bench: Workbench, rates: Rates, seed: int, cap: int, done: list[Setting], interrupted: bool
) -> dict[str, object]:
    book = bench.compilation.book
    return {
        "rulebook": book.name,
        "edition": book.edition,
        "seed": seed,
        "cap": cap,
        "interrupted": interrupted,
        "settings": [
            {
                "parameters": dict(setting.parameters),
                "games": setting.counts.games,
                "moves": setting.counts.acts,
                "shortest": setting.counts.shortest,
                "longest": setting.counts.longest,
                "seconds": round(setting.seconds, 3),
                "machine": setting.machine,
                "ends": {kind.name.lower(): count for kind, count in setting.counts.ends.items()},
                **careless_json(rates, setting.counts),
                "anomalies": [
                    {
                        "kind": anomaly.kind.name.lower(),
                        "place": anomaly.place,
                        "rules": list(anomaly.rules),
                        "times": anomaly.times,
                        "seed": anomaly.seed,
                        "moves": anomaly.moves,
                    }
                    for anomaly in setting.anomalies
                ],
            }
            for setting in done
        ],
    }
