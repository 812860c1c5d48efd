"""In: a rulebook and a recorded game. Out: the game move by move, with the rules behind each; exit code 2 if it cannot
be played as written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.text import Text as Rich

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.searches.record_check import CheckedMove, GameEnd, RecordVerdict, check_record
from svod_tools import files, terminal
from svod_tools.acts import decision_lines
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.record_files import OpenRecord, open_record, warn
from svod_tools.record_view import move_json, move_line, verdict_json, verdict_lines
from svod_tools.tableview import table_text

STEP_HELP = Text(
    "пустая строка — следующий ход; «назад»; номер хода; «почему»; «выход»",
    "an empty line — the next move; “back”; number of a move; “why”; “quit”",
)
_QUIT = {"выход", "q", "quit", "exit", "конец"}
_BACK = {"назад", "b", "back"}
_WHY = {"почему", "why", "w"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Which moves are wanted, both ends included; None: from the first, to the last."""

    first: int | None
    last: int | None

    def has(self, move: CheckedMove) -> bool:
        """Whether this move is among them."""
        return (self.first is None or move.number >= self.first) and (self.last is None or move.number <= self.last)


def run(choice: Choice, game: str, wanted: Stretch, *, step: bool, as_json: bool) -> int:
    """Replay; the exit code."""
    problems = Problems()
    if (wanted.first or 1) < 1 or (wanted.last is not None and wanted.last < (wanted.first or 1)):
        message = Text("--from и --to: промежуток ходов пуст", "--from and --to: no moves in this range")
        problems.report(BAD_ARGUMENTS, message, None)
        return terminal.bad_input(problems, {}, choice.language)
    opened = open_record(choice, game)
    if isinstance(opened, int):
        return opened
    warn(opened)
    norms = opened.norms
    verdict = check_record(norms, opened.switches, opened.moves)
    code = 2 if verdict.end in (GameEnd.IMPOSSIBLE, GameEnd.AFTER_END) else 0
    if as_json:
        terminal.say(files.to_json(_report(opened, verdict, wanted, choice.language)))
        return code
    terminal.say(_title(opened, choice.language))
    if step:
        try:
            Stepping(norms, verdict, choice.language, terminal.ask).run(wanted)
        except EOFError:
            terminal.say()
        return code
    shown = [move for move in verdict.moves if wanted.has(move)]
    for move in shown:
        terminal.show(move_line(norms, verdict, move, choice.language))
    after = shown[-1].after if shown and wanted.last is not None else verdict.last
    if after is not None:
        terminal.show(table_text(norms, after, None, choice.language))
    for line in verdict_lines(norms, verdict, choice.language):
        terminal.show(terminal.cards(line))
    return code


def _title(opened: OpenRecord, language: str) -> str:
    norms = opened.norms
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    edition = Text(f"редакция {norms.edition}", f"edition {norms.edition}").in_language(language)
    return f"{norms.rulebook}, {edition}; {parameters}"


def _report(opened: OpenRecord, verdict: RecordVerdict, wanted: Stretch, language: str) -> dict[str, object]:
    norms = opened.norms
    return {
        "rulebook": norms.rulebook,
        "edition": norms.edition,
        "parameters": dict(norms.parameters),
        "switches": sorted(opened.switches),
        "warnings": [each.message.in_language(language) for each in opened.warnings],
        **verdict_json(norms, verdict, language),
        "played": [move_json(norms, move, language) for move in verdict.moves if wanted.has(move)],
    }


@dataclass
class Stepping:
    """One move at a time, at the terminal."""

    norms: ir.Norms
    verdict: RecordVerdict
    language: str
    ask: Callable[[str], str]

    def run(self, wanted: Stretch) -> None:
        """From the first move wanted to the last, as the person says."""
        moves = [move for move in self.verdict.moves if wanted.has(move)]
        if not moves:
            self._close()
            return
        terminal.say(STEP_HELP.in_language(self.language))
        place = 0
        terminal.show(table_text(self.norms, moves[0].before, None, self.language))
        while place < len(moves):
            self._show(moves[place])
            place = self._next(moves, place)
        if place == len(moves):
            self._close()

    def _show(self, move: CheckedMove) -> None:
        terminal.show(move_line(self.norms, self.verdict, move, self.language))
        if move.after is not None:
            terminal.show(table_text(self.norms, move.after, None, self.language))

    def _next(self, moves: list[CheckedMove], place: int) -> int:
        """Where to go on; beyond the end to stop."""
        while True:
            typed = self.ask("> ").strip().lower()
            if not typed:
                return place + 1
            if typed in _QUIT:
                return len(moves) + 1
            if typed in _BACK:
                return max(0, place - 1)
            if typed in _WHY:
                move = moves[place]
                lines = "\n".join(decision_lines(self.norms, move.act, move.decision, self.language))
                terminal.show(terminal.cards(lines))
                continue
            numbered = [at for at, move in enumerate(moves) if typed.isdecimal() and move.number == int(typed)]
            if numbered:
                return numbered[0]
            terminal.say(STEP_HELP.in_language(self.language))

    def _close(self) -> None:
        for line in verdict_lines(self.norms, self.verdict, self.language):
            terminal.show(Rich(line))
