"""In: a rulebook, a seat, a seed, how careless the others are. Out: a game in the terminal against random players."""

from __future__ import annotations

from svod.diagnostics import Problems, Text
from svod.engine.search_careless_play import Rates
from svod.naive.exploring import Lot
from svod.norms.trace import Act
from svod.searches.careless import CarelessPlayers
from svod.searches.records import record_text
from svod_tools import terminal
from svod_tools.careless_view import rates_text
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.record_files import head_for, save
from svod_tools.referee import make_referee
from svod_tools.sitting import Quit, Sitting
from svod_tools.workbench import open_workbench


def run(choice: Choice, seat: int, seed: int, record: str | None, rates: Rates) -> int:
    """Sit down at the table; the exit code. `record`: where to keep the game; it is kept after every move."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = bench.norms(problems)
    if norms is None:
        return bench.fail(problems)
    switches = bench.switches(norms, problems)
    if not 1 <= seat <= norms.player_count:
        message = Text(f"--seat: мест {norms.player_count}", f"--seat: there are {norms.player_count} seats")
        problems.report(BAD_ARGUMENTS, message, None)
    if problems.has_errors:
        return bench.fail(problems)
    head = head_for(bench, norms, switches, seed)

    def keep(acts: list[Act], footer: list[str]) -> bool:
        return record is None or save(record, record_text(head, norms, acts, footer=footer), problems)

    if not keep([], []):
        return bench.fail(problems)
    referee = make_referee(norms, switches)
    lot = Lot(seed)
    players = CarelessPlayers(referee, rates, lot, frozenset({seat - 1}))
    sitting = Sitting(
        norms,
        referee,
        players,
        bench.vocabulary,
        seat - 1,
        lot,
        choice.language,
        terminal.ask,
        keep,
        rates.breaches > 0,
    )
    _greet(sitting, seed, rates)
    try:
        sitting.run()
    except (Quit, EOFError):
        sitting.say(Text("Игра не доиграна.", "The game is not finished."))
    except KeyboardInterrupt:
        sitting.say(Text("\nИгра не доиграна.", "\nThe game is not finished."))
        return 130
    return bench.fail(problems) if problems.has_errors else 0


def _greet(sitting: Sitting, seed: int, rates: Rates) -> None:
    norms = sitting.norms
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    me = norms.sort(norms.seats).values[sitting.seat]
    words = Text(f"вы — {me}, зерно {seed}; ? — помощь", f"you are {me}, seed {seed}; ? for help")
    edition = Text(f"редакция {norms.edition}", f"edition {norms.edition}").in_language(sitting.language)
    terminal.say(f"{norms.rulebook}, {edition}; {parameters}; {words.in_language(sitting.language)}")
    if rates.breaches:
        terminal.say(rates_text(rates, sitting.language))
