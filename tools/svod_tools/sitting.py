"""In: a table, a seat at it and what a person types there. Out: a game in the terminal, each move with its rules.

The person may do what is not allowed, claim, dispute, vote and pay like everybody else. What is listed is what is in
play; speech can be typed at any time, and «все» lists it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.text import Text as Rich

from svod.diagnostics import Text
from svod.engine.play import Engine
from svod.naive.exploring import Lot, draw, groups
from svod.norms import ir
from svod.norms.record import recorded
from svod.norms.trace import Act, Next, Position, Status, StepOutcome
from svod.norms.watching import punishments
from svod.searches.careless import CarelessPlayers
from svod.searches.plays import action_named, actor_of, rules_of
from svod_tools import terminal
from svod_tools.acts import act_text, decision_lines, parse_act
from svod_tools.table import STOP_KINDS, Stop, outcome_lines, outcomes_at, stop_place, stop_rules, value_text
from svod_tools.tableview import hidden_cards, table_text
from svod_tools.vocabulary import Vocabulary

HELP = Text(
    "номер или ход («взять», «play 6H») — сделать; «!ход» — сделать, даже если нельзя; «почему ХОД» — что о нём "
    "говорят правила; «стол» — показать снова; «все» — что ещё можно сказать и сделать; «сам» — случайный ход; "
    "«ждать» — пусть ходят другие; пустая строка — дальше: сделать все вынужденные ходы подряд; «выход» — закончить",
    "number or act — do it; “!act” — do it even if it is not allowed; “why ACT” — what the rules say of it; “table” — "
    "show again; “all” — what else can be said and done; “auto” — a random move; “wait” — let the others move; "
    "an empty line — go on: make all forced moves; “quit” — stop",
)
_QUIT = {"выход", "выйти", "q", "quit", "exit", "конец"}
_TABLE = {"стол", "table", "t"}
_AUTO = {"сам", "auto", "a"}
_HELP = {"?", "помощь", "help", "h"}
_WAIT = {"ждать", "wait", "w"}
_ALL = {"все", "всё", "all"}
_WHY = ("почему", "why", "?")
_ANYWAY = "!"
LISTED_MAX = 12
"""More acts of one kind than these are named by their form only."""


class Quit(Exception):
    """The person has had enough."""


@dataclass
class Sitting:
    """One game under way at the terminal. `watchful`: the person is asked after every move of another player, since he
    may want to claim something; `hurrying`: after an empty line forced moves are made without asking."""

    norms: ir.Norms
    referee: Engine
    players: CarelessPlayers
    vocabulary: Vocabulary
    seat: int
    lot: Lot
    language: str
    ask: Callable[[str], str]
    keep: Callable[[list[Act], list[str]], bool]
    """Writes the record of the game so far: acts, and how it ended. False if it cannot be written."""
    watchful: bool = False
    acts: list[Act] = field(default_factory=list)
    hurrying: bool = False

    def say(self, text: Text) -> None:
        """One line in the language of the session."""
        terminal.say(text.in_language(self.language))

    def run(self) -> None:
        """Play to the end, or until the rules stop or the person does."""
        outcome = self.referee.initial()
        last: Act | None = None
        while isinstance(outcome, Next):
            position = outcome.position
            if self.referee.over(position):
                self._finish(position)
                return
            chosen = self._choose(position, last)
            if chosen is None:
                self._dead_end(position)
                return
            last, asked = chosen
            outcome = self.referee.step(position, last)
            self.acts.append(last)
            self.keep(self.acts, [])
            if not asked or self.hurrying:
                self._announce(position, last, outcome)
            if isinstance(outcome, Next):
                self.players.see(position, outcome.position)
                self._consequences(position, outcome, asked)
        self._stop(outcome)

    def _choose(self, position: Position, last: Act | None) -> tuple[Act, bool] | None:
        """The next act, and whether the person chose it; None if nobody has one."""
        reaction = self.players.reaction(position)
        if reaction is not None:
            return reaction, False
        in_play = self.players.in_play(position)
        mine = [act for act in in_play if actor_of(self.norms, act) == self.seat]
        others = len(in_play) > len(mine)
        if mine or not others or self._may_speak(last):
            speech = mine or others or self._speech(position)
            act = self._ask(position, mine, others) if speech else None
            if act is not None:
                return act, True
        act = self.players.move(position)
        if act is None and mine:
            act = draw(self.norms, tuple(mine), self.lot)
        return None if act is None else (act, False)

    def _may_speak(self, last: Act | None) -> bool:
        return self.watchful and last is not None and actor_of(self.norms, last) not in (None, self.seat)

    def _announce(self, position: Position, act: Act, outcome: StepOutcome) -> None:
        """What another player or chance did, as far as the person may see it."""
        after = outcome.position if isinstance(outcome, Next) else position
        hidden = hidden_cards(self.norms, after, self.seat) & hidden_cards(self.norms, position, self.seat)
        line = Rich("  ").append_text(terminal.cards(act_text(self.norms, act, self.language, hidden)))
        if not self.watchful:  # where the others may break rules, whether an act was lawful is for the person to see
            rules = rules_of(self.norms, self.referee.decide(position, act).permitted_by)
            line.append(f"   {', '.join(rules)}", style="dim")
        terminal.show(line)

    # ------------------------------------------------------------------------------------------------- asking

    def _ask(self, position: Position, mine: list[Act], may_wait: bool) -> Act | None:
        options = groups(self.norms, tuple(mine))
        if len(options) > 1 or not options:
            self.hurrying = self.hurrying and not options
        if self.hurrying:
            return draw(self.norms, tuple(mine), self.lot) if mine else None
        if options:
            terminal.show(table_text(self.norms, position, self.seat, self.language))
        for number, group in enumerate(options, 1):
            terminal.show(self._option(position, number, group))
        while True:
            typed = self.ask("> " if options else "… ").strip()
            word = typed.lower()
            if word in _QUIT:
                raise Quit
            if not word and len(options) <= 1 and (options or may_wait):
                self.hurrying = bool(options)
                return draw(self.norms, tuple(mine), self.lot) if mine else None
            if (word in _WAIT or (word in _AUTO and not mine)) and may_wait:
                return None
            if word in _AUTO and mine:
                return draw(self.norms, tuple(mine), self.lot)
            act = self._answered(position, typed, options)
            if act is not None:
                return act

    def _answered(self, position: Position, typed: str, options: list[list[Act]]) -> Act | None:
        """An act that was typed, or None after an answer has been given."""
        word = typed.lower()
        if word in _TABLE:
            terminal.show(table_text(self.norms, position, self.seat, self.language))
        elif word in _ALL:
            self._list_all(position)
        elif not word or word in _HELP or word in _WAIT or word in _AUTO:
            self.say(HELP)
        elif word.startswith(_WHY):
            self._explain(position, typed.split(maxsplit=1)[1] if " " in typed else "", options)
        else:
            return self._chosen(position, typed, options)
        return None

    def _option(self, position: Position, number: int, group: Sequence[Act]) -> Rich:
        act = group[0]
        line = Rich(f"  {number}. ")
        if len(group) > 1:
            line.append(f"«{act.action}» ({Text('что выпадет', 'as chance has it').in_language(self.language)})")
        else:
            line.append_text(terminal.cards(act_text(self.norms, act, self.language)))
        rules = rules_of(self.norms, self.referee.decide(position, act).permitted_by)
        return line.append(f"   {', '.join(rules)}", style="dim")

    def _chosen(self, position: Position, typed: str, options: list[list[Act]]) -> Act | None:
        anyway = typed.startswith(_ANYWAY)
        text = typed.removeprefix(_ANYWAY).strip()
        if text.isdecimal():
            if 1 <= int(text) <= len(options):
                return draw(self.norms, tuple(options[int(text) - 1]), self.lot)
            many = len(options)
            self.say(Text(f"есть ходы 1…{many}", f"there are moves 1…{many}") if many else HELP)
            return None
        acts, problem = self._parsed(text)
        if problem is not None:
            self.say(problem)
            return None
        statuses = [(act, self.referee.status(position, act)) for act in acts]
        lawful = [act for act, status in statuses if status is Status.LAWFUL]
        possible = [act for act, status in statuses if status is not Status.IMPOSSIBLE]
        if lawful or (anyway and possible):
            return draw(self.norms, tuple(lawful or possible), self.lot)
        self._decide(position, acts)
        if possible:
            self.say(Text(f"  всё равно сделать: !{text}", f"  to do it all the same: !{text}"))
        return None

    def _parsed(self, text: str) -> tuple[list[Act], Text | None]:
        """The person's own acts that a text may mean."""
        acts, problem = parse_act(text, self.seat, self.norms, self.vocabulary)
        own = [act for act in acts if actor_of(self.norms, act) == self.seat]
        if acts and not own:
            me = self.norms.sort(self.norms.seats).values[self.seat]
            return [], Text(f"это не ваш ход: вы — {me}", f"this is not for you to do: you are {me}")
        return own, problem

    def _explain(self, position: Position, typed: str, options: list[list[Act]]) -> None:
        if not typed:
            self.say(Text("почему что? например: почему 2", "why what? say: why 2"))
            return
        acts, problem = parse_act(typed, self.seat, self.norms, self.vocabulary)
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

    def _speech(self, position: Position) -> list[Act]:
        """Everything that the person may lawfully do or say now."""
        return [act for act in self.referee.acts(position) if actor_of(self.norms, act) == self.seat]

    def _list_all(self, position: Position) -> None:
        """What is lawful now, kind by kind, then what is possible and not allowed."""
        lawful = self._speech(position)
        possible = [act for act in self.referee.possible_acts(position) if actor_of(self.norms, act) == self.seat]
        others = [act for act in possible if act not in set(lawful)]
        for title, acts in (
            (Text("можно", "allowed"), lawful),
            (Text("возможно, но нельзя (с «!» впереди)", "possible, not allowed (with “!” before it)"), others),
        ):
            kinds: dict[str, list[Act]] = {}
            for act in acts:
                kinds.setdefault(act.action, []).append(act)
            if kinds:
                terminal.say(f"  {title.in_language(self.language)}:")
            for name, alike in kinds.items():
                terminal.show(Rich("    ").append_text(terminal.cards(self._kind(name, alike))))

    def _kind(self, name: str, acts: list[Act]) -> str:
        action = action_named(self.norms, name)
        places = [(at, p) for at, p in enumerate(action.parameters) if at != action.actor]
        if len(acts) > LISTED_MAX:
            return f"{name} {' '.join(p.name for _, p in places)} ({len(acts)})"
        told = [" ".join(self.norms.sort(p.sort).values[act.arguments[at]] for at, p in places) for act in acts]
        return f"{name} {' | '.join(told)}".rstrip()

    # -------------------------------------------------------------------------------------------------- ends

    def _consequences(self, before: Position, outcome: Next, asked: bool) -> None:
        rules = rules_of(self.norms, outcome.fired)
        if rules:
            words = Text("сработали правила", "rules that followed").in_language(self.language)
            terminal.show(Rich(f"    {words}: {', '.join(rules)}", style="dim"))
        catalogue = self.norms.catalogue
        if catalogue is None:
            return
        seats, numbers = self.norms.sort(self.norms.seats).values, self.norms.sort(catalogue.sort).values
        earlier = punishments(before)
        for (seat, number), count in punishments(outcome.position).items():
            if count != earlier.get((seat, number), 0):
                who, what = seats[seat], numbers[number]
                self.say(Text(f"    наказан {who}: {what}", f"    {who} is punished: {what}"))
        if asked:
            new = recorded(self.norms, outcome.position) - recorded(self.norms, before)
            mine = sorted(number for seat, number in new if seat == self.seat)
            if mine:
                listed = ", ".join(numbers[number] for number in mine)
                self.say(Text(f"    вы нарушили: {listed}", f"    you have broken: {listed}"))

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
