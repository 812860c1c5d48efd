"""In: a rulebook, a number of games, a seed. Out: how the games went: moves, lengths, ends, where the rules failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import mean, median

from rich.progress import Progress

from svod.diagnostics import Problems, Text
from svod.engine.search_careless_play import Rates
from svod.norms import ir
from svod.searches.records import record_text
from svod_tools import files, terminal
from svod_tools.careless_view import careless_json, careless_lines, rates_text
from svod_tools.compilers import Compilers
from svod_tools.every import run_every
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.record_files import head_for, place_for, save
from svod_tools.table import KIND_OF_STOP, STOP_KINDS, CarelessTable, RandomTable, Result, Table, outcome_lines
from svod_tools.workbench import Workbench, open_workbench

_KINDS = {
    "over": Text("доиграны до конца", "played to the end"),
    "dead end": Text("тупик: ходов нет ни у кого", "dead end: nobody has a move"),
    "contradiction": Text("остался только спорный ход", "only a contested move was left"),
    "cap": Text("предел ходов достигнут (игра могла бы продолжаться)", "move limit reached (the game could go on)"),
    **{word: STOP_KINDS[kind] for kind, word in KIND_OF_STOP.items()},
}

LAWFUL = Rates(0.0, 0.0, 0.0, 1.0, 0.0)
CAP, CAP_EVERY = 2_000, 20_000
"""Longest game if nothing else is asked for; where the engine is tried out, games may go on for longer."""
CAP_MAX = 1_000_000
"""Longest game that may be asked for: the moves of one game are kept."""


@dataclass(frozen=True, slots=True)
class Run:
    """How many games, from which seed, how long at most, and whether to compile."""

    count: int
    seed: int
    cap: int
    interpreter: bool = False
    record: str | None = None
    rates: Rates | None = None
    every: bool = False

    def game_seed(self, number: int) -> int:
        """The seed of a game: those of neighbouring games are far apart, so that their first draws are not alike."""
        return self.seed * 1_000_003 + number * 7_919


@dataclass
class Tally:
    """What has been met so far."""

    results: list[Result] = field(default_factory=list)

    def add(self, result: Result) -> None:
        self.results.append(result)

    @property
    def moves(self) -> int:
        return sum(result.moves for result in self.results)

    def ends(self) -> Counter[tuple[str, str, tuple[str, ...]]]:
        """(kind, place, rules) → how many games ended so."""
        return Counter((result.kind, result.place, result.rules) for result in self.results)

    def lengths(self) -> tuple[int, float, float, int] | None:
        """Shortest, mean, median and longest game that was played to its end."""
        lengths = [result.moves for result in self.results if result.kind == "over"]
        return (min(lengths), mean(lengths), median(lengths), max(lengths)) if lengths else None

    def outcomes(self) -> dict[str, list[Counter[int | None]]]:
        """Outcome → for each seat how often it had each value, over finished games."""
        found: dict[str, list[Counter[int | None]]] = {}
        for result in self.results:
            for name, values in result.outcomes:
                counters = found.setdefault(name, [Counter() for _ in values])
                for counter, value in zip(counters, values, strict=True):
                    counter[value] += 1
        return found


def run(choice: Choice, wanted: Run, *, as_json: bool) -> int:
    """Play and report; the exit code. An interrupt reports what is known."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = bench.norms(problems)
    if norms is None:
        return bench.fail(problems)
    switches = bench.switches(norms, problems)
    if wanted.count < 1 or not 1 <= wanted.cap <= CAP_MAX:
        message = Text(
            f"-n должно быть не меньше 1, --cap от 1 до {CAP_MAX}", f"-n must be at least 1, --cap from 1 to {CAP_MAX}"
        )
        problems.report(BAD_ARGUMENTS, message, None)
    if problems.has_errors:
        return bench.fail(problems)
    compilers = Compilers(wanted.interpreter)
    if wanted.every:
        rates, size = wanted.rates or LAWFUL, (wanted.count, wanted.seed, wanted.cap)
        return run_every(bench, rates, size, compilers, wanted.record, as_json=as_json)
    tally = Tally()
    table: RandomTable | CarelessTable
    if wanted.rates is None:
        table = RandomTable(norms, switches, compilers, wanted.cap)
    else:
        table = CarelessTable(norms, switches, compilers, wanted.rates, wanted.cap)
    interrupted = False
    try:
        for number, result in enumerate(_games(table, wanted, as_json)):
            tally.add(result)
            if wanted.record is not None and not _keep(bench, table, wanted, number, result, problems):
                return bench.fail(problems)
    except KeyboardInterrupt:
        interrupted = True
    counts = table.counts if isinstance(table, CarelessTable) else None
    if as_json:
        data = report(norms, tally, wanted, sorted(switches), interrupted)
        careless = {} if counts is None or not wanted.rates else {"careless": careless_json(wanted.rates, counts)}
        terminal.say(files.to_json({**data, **careless}))
    else:
        text = lines(norms, tally, wanted, interrupted, choice.language)
        if counts is not None and wanted.rates is not None:
            text += [rates_text(wanted.rates, choice.language), *careless_lines(norms, counts, choice.language)]
        terminal.say("\n".join(text))
    return 130 if interrupted else 0


def _games(table: Table, wanted: Run, quiet: bool) -> Iterator[Result]:
    with Progress(console=terminal.console(stderr=True), transient=True, disable=quiet) as progress:
        task = progress.add_task("", total=wanted.count)
        for number in range(wanted.count):
            yield table.game(wanted.game_seed(number))
            progress.advance(task)


def _keep(bench: Workbench, table: Table, wanted: Run, number: int, result: Result, problems: Problems) -> bool:
    """Write the game just played to where it was asked for: one game to a file, several to files in a folder."""
    assert wanted.record is not None
    head = head_for(bench, table.norms, table.engine.switches, wanted.game_seed(number))
    about = f" — «{result.place}» ({', '.join(result.rules)})" if result.place else ""
    words = _KINDS[result.kind].in_language(head.language)
    footer = [words[:1].upper() + words[1:] + about, *outcome_lines(table.norms, result.outcomes)]
    text = record_text(head, table.norms, table.acts, footer=footer)
    return save(place_for(wanted.record, wanted.count, number + 1), text, problems)


def report(norms: ir.Norms, tally: Tally, wanted: Run, switches: list[str], interrupted: bool) -> dict[str, object]:
    """The whole result as data."""
    lengths = tally.lengths()
    return {
        "rulebook": norms.rulebook,
        "edition": norms.edition,
        "scope": {"parameters": dict(norms.parameters), "switches": switches, "seed": wanted.seed, "cap": wanted.cap},
        "games": len(tally.results),
        "asked": wanted.count,
        "interrupted": interrupted,
        "moves": tally.moves,
        "soft_holes": sum(result.soft for result in tally.results),
        "lengths": None
        if lengths is None
        else dict(zip(("shortest", "mean", "median", "longest"), lengths, strict=True)),
        "ends": [
            {"kind": kind, "place": place, "rules": list(rules), "games": count}
            for (kind, place, rules), count in tally.ends().most_common()
        ],
        "cap_reached": sum(1 for result in tally.results if result.kind == "cap"),
        "outcomes": {name: _outcome_json(norms, name, counters) for name, counters in tally.outcomes().items()},
    }


def _outcome_json(norms: ir.Norms, name: str, counters: list[Counter[int | None]]) -> dict[str, dict[str, int]]:
    return {
        who: dict(_named(norms, name, counter)) for who, counter in zip(_places(norms, counters), counters, strict=True)
    }


def _places(norms: ir.Norms, counters: list[Counter[int | None]]) -> tuple[str, ...]:
    seats = norms.sort(norms.seats).values
    return seats if len(counters) == len(seats) else ("",) * len(counters)


def _named(norms: ir.Norms, name: str, counter: Counter[int | None]) -> list[tuple[str, int]]:
    type_ = next(term.type for term in norms.terms if term.name == name)
    ordered = sorted(counter.items(), key=lambda pair: (pair[0] is None, pair[0] or 0))
    values = norms.sort(type_.sort).values if isinstance(type_, ir.Member) else ()
    return [("—" if key is None else values[key] if values else str(key), count) for key, count in ordered]


def lines(norms: ir.Norms, tally: Tally, wanted: Run, interrupted: bool, language: str) -> list[str]:
    """The report in words."""

    def word(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    edition = word("редакция", "edition")
    found = [f"{norms.rulebook}, {edition} {norms.edition}; {parameters}; {word('зерно', 'seed')} {wanted.seed}"]
    if interrupted:
        found.append(word("Прервано; известно вот что:", "Interrupted; this is known:"))
    games, moves = word("партий", "games"), word("ходов", "moves")
    found.append(f"{games}: {len(tally.results)}, {moves}: {tally.moves}")
    for (kind, place, rules), count in tally.ends().most_common():
        about = f" — «{place}» ({', '.join(rules)})" if place else f" ({', '.join(rules)})" if rules else ""
        found.append(f"  {count:>6}  {_KINDS[kind].in_language(language)}{about}")
    lengths = tally.lengths()
    if lengths is not None:
        shortest, average, middle, longest = lengths
        words = word("длина доигранных", "length of finished games")
        spread = word(
            f"от {shortest} до {longest}, в среднем {average:.1f}, медиана {middle:g}",
            f"{shortest} to {longest}, mean {average:.1f}, median {middle:g}",
        )
        found.append(f"{words}: {spread}")
    soft = sum(result.soft for result in tally.results)
    if soft:
        found.append(word(f"итогов без значения по дороге: {soft}", f"outcomes without a value on the way: {soft}"))
    for name, counters in tally.outcomes().items():
        found.append(f"{name}:")
        for who, counter in zip(_places(norms, counters), counters, strict=True):
            shown = ", ".join(f"{value}: {count}" for value, count in _named(norms, name, counter))
            found.append(f"  {who} {shown}".rstrip())
    return found
