"""In: a rulebook, a seat and a seed. Out: a game in the terminal against random players, each move with its rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rich.text import Text as Rich

from svod.diagnostics import Problems, Text
from svod.engine.play import Engine
from svod.naive.exploring import Lot, draw, groups
from svod.norms import ir
from svod.norms.trace import Act, Next, Position, StepOutcome
from svod.searches.plays import actor_of, rules_of
from svod.searches.records import record_text
from svod_tools import terminal
from svod_tools.acts import act_text, decision_lines, parse_act
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.record_files import head_for, save
from svod_tools.referee import make_referee
from svod_tools.table import STOP_KINDS, Stop, outcome_lines, outcomes_at, stop_place, stop_rules, value_text
from svod_tools.tableview import hidden_cards, table_text
from svod_tools.vocabulary import Vocabulary
from svod_tools.workbench import open_workbench

HELP = Text(
    "номер или ход («взять», «play 6H») — сделать; «почему ХОД» — что о нём говорят правила; "
    "«стол» — показать снова; «сам» — случайный ход; пустая строка — сделать все вынужденные ходы подряд; "
    "«выход» — закончить",
    "number or act — do it; “why ACT” — what the rules say of it; “table” — show again; “auto” — a random move; "
    "an empty line — make all forced moves; “quit” — stop",
)
_QUIT = {"выход", "выйти", "q", "quit", "exit", "конец"}
_TABLE = {"стол", "table", "t"}
_AUTO = {"сам", "auto", "a"}
_HELP = {"?", "помощь", "help", "h"}
_WAIT = {"ждать", "wait", "w"}
_WHY = ("почему", "why", "?")


class Quit(Exception):
    """The person has had enough."""


@dataclass
class Game:
    """One game under way at the terminal."""

    norms: ir.Norms
    referee: Engine
    vocabulary: Vocabulary
    seat: int
    lot: Lot
    language: str
    ask: Callable[[str], str]
    keep: Callable[[list[Act], list[str]], bool]
    """Writes the record of the game so far: acts, and how it ended. False if it cannot be written."""
    acts: list[Act] = field(default_factory=list)
    hurrying: bool = False
    """After an empty line at a forced move: forced moves are made without asking until there is a choice."""

    def say(self, text: Text) -> None:
        """One line in the language of the session."""
        terminal.say(text.in_language(self.language))

    def run(self) -> None:
        """Play to the end, or until the rules stop or the person does."""
        outcome = self.referee.initial()
        while isinstance(outcome, Next):
            position = outcome.position
            if self.referee.over(position):
                self._finish(position)
                return
            acts = self.referee.acts(position)
            if not acts:
                self._dead_end(position)
                return
            act, asked = self._choose(position, acts)
            outcome = self.referee.step(position, act)
            self.acts.append(act)
            self.keep(self.acts, [])
            if not asked or self.hurrying:
                self._announce(position, act, outcome)
            if isinstance(outcome, Next):
                self._consequences(outcome)
        self._stop(outcome)

    def _choose(self, position: Position, acts: tuple[Act, ...]) -> tuple[Act, bool]:
        """The next act, and whether the person chose it."""
        mine = [act for act in acts if actor_of(self.norms, act) == self.seat]
        others = [act for act in acts if actor_of(self.norms, act) != self.seat]
        act = self._ask(position, mine, bool(others)) if mine else None
        return (draw(self.norms, tuple(others or mine), self.lot), False) if act is None else (act, True)

    def _announce(self, position: Position, act: Act, outcome: StepOutcome) -> None:
        """What another player or chance did, as far as the person may see it."""
        after = outcome.position if isinstance(outcome, Next) else position
        hidden = hidden_cards(self.norms, after, self.seat) & hidden_cards(self.norms, position, self.seat)
        text = act_text(self.norms, act, self.language, hidden)
        rules = rules_of(self.norms, self.referee.decide(position, act).permitted_by)
        line = Rich("  ").append_text(terminal.cards(text))
        terminal.show(line.append(f"   {', '.join(rules)}", style="dim"))

    def _ask(self, position: Position, mine: list[Act], may_wait: bool) -> Act | None:
        options = groups(self.norms, tuple(mine))
        if len(options) > 1:
            self.hurrying = False
        elif self.hurrying:
            return draw(self.norms, tuple(mine), self.lot)
        terminal.show(table_text(self.norms, position, self.seat, self.language))
        for number, group in enumerate(options, 1):
            terminal.show(self._option(position, number, group))
        while True:
            typed = self.ask("> ").strip()
            word = typed.lower()
            if word in _QUIT:
                raise Quit
            if not word and len(options) == 1:
                self.hurrying = True
                return draw(self.norms, tuple(mine), self.lot)
            if word in _WAIT and may_wait:
                return None
            if word in _AUTO:
                return draw(self.norms, tuple(mine), self.lot)
            if word in _TABLE:
                terminal.show(table_text(self.norms, position, self.seat, self.language))
            elif not word or word in _HELP:
                self.say(HELP)
            elif word.startswith(_WHY):
                self._explain(position, typed.split(maxsplit=1)[1] if " " in typed else "")
            else:
                chosen = self._chosen(position, typed, options)
                if chosen is not None:
                    return chosen

    def _option(self, position: Position, number: int, group: list[Act]) -> Rich:
        act = group[0]
        line = Rich(f"  {number}. ")
        if len(group) > 1:
            line.append(f"«{act.action}» ({Text('что выпадет', 'as chance has it').in_language(self.language)})")
        else:
            line.append_text(terminal.cards(act_text(self.norms, act, self.language)))
        rules = rules_of(self.norms, self.referee.decide(position, act).permitted_by)
        return line.append(f"   {', '.join(rules)}", style="dim")

    def _chosen(self, position: Position, typed: str, options: list[list[Act]]) -> Act | None:
        if typed.isdecimal():
            if 1 <= int(typed) <= len(options):
                return draw(self.norms, tuple(options[int(typed) - 1]), self.lot)
            self.say(Text(f"есть ходы 1…{len(options)}", f"there are moves 1…{len(options)}"))
            return None
        acts, problem = parse_act(typed, self.seat, self.norms, self.vocabulary)
        if problem is not None:
            self.say(problem)
            return None
        lawful = [act for group in options for act in group if act in acts]
        if lawful:
            return draw(self.norms, tuple(lawful), self.lot)
        self._decide(position, acts)
        return None

    def _explain(self, position: Position, typed: str) -> None:
        if not typed:
            self.say(Text("почему что? например: почему 2", "why what? say: why 2"))
            return
        acts, problem = parse_act(typed, self.seat, self.norms, self.vocabulary)
        mine = tuple(act for act in self.referee.acts(position) if actor_of(self.norms, act) == self.seat)
        options = groups(self.norms, mine)
        if typed.isdecimal() and 1 <= int(typed) <= len(options):
            acts, problem = options[int(typed) - 1], None
        if problem is not None:
            self.say(problem)
            return
        self._decide(position, acts)

    def _decide(self, position: Position, acts: list[Act]) -> None:
        """Explain the act that comes nearest to being possible."""
        decisions = [(self.referee.decide(position, act), act) for act in acts]
        decision, act = next(((each, act) for each, act in decisions if each.status), decisions[0])
        head = terminal.cards(act_text(self.norms, act, self.language)).append(": ")
        lines = list(decision_lines(self.norms, act, decision, self.language))
        terminal.show(head.append_text(terminal.cards("\n".join(lines))))

    # ------------------------------------------------------------------------------------------------ ends

    def _consequences(self, outcome: Next) -> None:
        rules = rules_of(self.norms, outcome.fired)
        if rules:
            words = Text("сработали правила", "rules that followed").in_language(self.language)
            terminal.show(Rich(f"    {words}: {', '.join(rules)}", style="dim"))

    def _finish(self, position: Position) -> None:
        terminal.show(table_text(self.norms, position, None, self.language))
        over = Text("Игра окончена.", "The game is over.")
        self.say(over)
        seats = self.norms.sort(self.norms.seats).values
        outcomes = outcomes_at(self.norms, self.referee, position)
        self.keep(self.acts, [over.in_language(self.language), *outcome_lines(self.norms, outcomes)])
        for name, values in outcomes:
            term = next(each for each in self.norms.terms if each.name == name)
            for place, value in enumerate(values):
                who = f"{seats[place]}: " if term.parameters else ""
                terminal.say(f"  {who}{name} = {value_text(self.norms, term.type, value)}")

    def _dead_end(self, position: Position) -> None:
        contested = self.referee.contested(position)
        terminal.show(table_text(self.norms, position, self.seat, self.language))
        if contested:
            self._decide(position, list(contested))
        else:
            self.say(Text("Тупик: законных ходов нет ни у кого.", "A dead end: nobody has a lawful move."))

    def _stop(self, stop: Stop) -> None:
        rules = ", ".join(stop_rules(self.norms, stop)) or "—"
        kind = STOP_KINDS[type(stop)].in_language(self.language)
        words = Text("Игра остановилась", "The game stopped").in_language(self.language)
        told = f"{words}: {kind} — «{stop_place(stop)}» ({rules})."
        self.keep(self.acts, [told])
        terminal.say(told)


def run(choice: Choice, seat: int, seed: int, record: str | None) -> int:
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
    game = Game(norms, referee, bench.vocabulary, seat - 1, Lot(seed), choice.language, terminal.ask, keep)
    _greet(game, seed)
    try:
        game.run()
    except (Quit, EOFError):
        game.say(Text("Игра не доиграна.", "The game is not finished."))
    except KeyboardInterrupt:
        game.say(Text("\nИгра не доиграна.", "\nThe game is not finished."))
        return 130
    return bench.fail(problems) if problems.has_errors else 0


def _greet(game: Game, seed: int) -> None:
    norms = game.norms
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    me = norms.sort(norms.seats).values[game.seat]
    words = Text(f"вы — {me}, зерно {seed}; ? — помощь", f"you are {me}, seed {seed}; ? for help")
    edition = Text(f"редакция {norms.edition}", f"edition {norms.edition}").in_language(game.language)
    terminal.say(f"{norms.rulebook}, {edition}; {parameters}; {words.in_language(game.language)}")
