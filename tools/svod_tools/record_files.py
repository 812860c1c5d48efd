"""In: a rulebook and the file of a recorded game. Out: the game as moves of that rulebook, opened as the record says.

The record names its edition, parameters, variants and readings; what the command line names instead goes first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from svod.diagnostics import Problems, Severity
from svod.norms import ir
from svod.searches.record_reading import (
    acts_of_record,
    check_head,
    parse_record,
    record_parameters,
    record_switches,
)
from svod.searches.records import Record, RecordedMove, RecordHead, head_of
from svod.source import Source
from svod_tools import files, terminal
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

RECORD_ENDING = ".txt"


@dataclass(frozen=True, slots=True)
class OpenRecord:
    """A record with the rulebook at its edition and parameters. `warnings`: what its reader should know."""

    bench: Workbench
    norms: ir.Norms
    switches: frozenset[str]
    record: Record
    moves: tuple[RecordedMove, ...]
    warnings: Problems

    @property
    def sources(self) -> dict[str, Source]:
        """Every text, for diagnostics."""
        return {**self.bench.sources, self.record.source.name: self.record.source}


def open_record(choice: Choice, game: str) -> OpenRecord | int:
    """The record and its rulebook, or the exit code after all problems have been printed."""
    problems = Problems()
    source = files.read_source(game, problems)
    record = None if source is None else parse_record(source, problems)
    if source is None or record is None:
        return terminal.bad_input(problems, {} if source is None else {source.name: source}, choice.language)
    bench = open_workbench(_as_recorded(choice, record))
    if isinstance(bench, int):
        return bench
    check_head(record, bench.compilation.book, problems)
    found = _moves(bench, record, problems)
    if found is None or problems.has_errors:
        return terminal.bad_input(problems, {**bench.sources, source.name: source}, choice.language)
    norms, switches, moves = found
    return OpenRecord(bench, norms, switches, record, moves, problems)


def _as_recorded(choice: Choice, record: Record) -> Choice:
    """The edition and the overlays of the record, unless the command line chose for itself."""
    if choice.edition is not None or choice.overlays:
        return choice
    said = record.said("edition")
    edition = int(said) if said.isdecimal() and int(said) in files.editions_of(choice.path) else None
    overlays = tuple(word.text for word in record.items("overlays"))
    return replace(choice, edition=edition, newest=edition is None, overlays=overlays)


def _moves(
    bench: Workbench, record: Record, problems: Problems
) -> tuple[ir.Norms, frozenset[str], tuple[RecordedMove, ...]] | None:
    values = record_parameters(record, bench.compilation.parameters, problems)
    norms = None if values is None else bench.compilation.norms(values, problems)
    if norms is None:
        return None
    # Variants and readings named on the command line are meant instead of the record's own.
    chosen = bool(bench.loaded.switches)
    switches = bench.switches(norms, problems) if chosen else record_switches(record, norms, problems)
    moves = acts_of_record(record, norms, bench.vocabulary, problems)
    return None if moves is None else (norms, switches, moves)


def warn(opened: OpenRecord) -> None:
    """Print the warnings, if there are any."""
    found = [each for each in opened.warnings if each.code.severity is Severity.WARNING]
    if found:
        text = terminal.problems_text(opened.warnings, opened.sources, opened.bench.choice.language)
        terminal.console(stderr=True).print(text)


def head_for(bench: Workbench, norms: ir.Norms, switches: frozenset[str], seed: int | None) -> RecordHead:
    """The header for games played now."""
    switched = set(bench.loaded.switches)
    overlays = [name for name in bench.choice.overlays if name not in switched]
    return head_of(bench.compilation.book, norms, switches, seed, overlays)


def save(path: str, text: str, problems: Problems) -> bool:
    """Keep a record, whole or not at all."""
    return files.write_whole(Path(path), text, problems)


def place_for(path: str, count: int, number: int) -> str:
    """Where the record of one game of several goes: the path itself if there is only one and it names no folder."""
    place = Path(path)
    if count == 1 and not path.endswith(("/", "\\")) and not place.is_dir():
        return path
    return str(place / f"{number:0{max(4, len(str(count)))}}{RECORD_ENDING}")
