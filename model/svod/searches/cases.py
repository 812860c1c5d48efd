"""In: norms, a player of them, and the words of judges' cases. Out: one table to look names up at, and complaints about
a case, each with its place in it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Position
from svod.searches.case_clauses import Clauses
from svod.searches.case_words import CaseWords, Phase, Words
from svod.searches.players import Player
from svod.searches.plays import action_named
from svod.source import Span

Path: TypeAlias = tuple[str | int, ...]
Places: TypeAlias = Callable[[Path], Span | None]

BAD_CASE = Code(
    "C502",
    Text("случай не читается", "case cannot be read"),
    Text(
        "Случай называет колоду, игроков, положение, события и вопросы словами из словаря свода. "
        "Чего-то из этого нет, или слово не известно.",
        "A case names deck, players, position, events and questions in the words of the rulebook's vocabulary. "
        "Something is missing or a word is not known.",
    ),
)
NO_SUCH_POSITION = Code(
    "C503",
    Text("такого положения нет", "there is no such position"),
    Text(
        "Карта лежит в двух местах, вышедший держит карты, или ни при каких значениях ячеек, о которых случай молчит, "
        "ход не принадлежит названному игроку. Проверьте карты и очередь.",
        "A card lies in two places, somebody who is out holds cards, or under no values of the registers that the case "
        "leaves unsaid is the named player to move. Check the cards and whose turn it is.",
    ),
)
NO_SUCH_EVENT = Code(
    "C504",
    Text("такого события быть не может", "such an event cannot happen"),
    Text(
        "Событие нельзя сделать в положении, до которого дошёл случай: карты нет там, откуда её берут, игра не на том "
        "этапе, или это делает тот, кто не вправе в этом участвовать.",
        "The event cannot be done in the position that the case has come to: the card is not where it is taken from, "
        "the play is in another stage, or somebody does it who may not take part.",
    ),
)


class Unreadable(Exception):
    """A case that cannot be used: why, and where in it; turned into a diagnostic before it leaves this package."""

    def __init__(self, ru: str, en: str, path: Path = (), code: Code = BAD_CASE) -> None:
        super().__init__(en)
        self.text = Text(ru, en)
        self.path = path
        self.code = code


@dataclass
class Complaints:
    """Collects what is wrong with a case, each with its place."""

    problems: Problems
    places: Places
    stopped: bool = False

    def add(self, wrong: Unreadable, path: Path = ()) -> None:
        """Report it; `path` is where the complaint was caught, if it does not say itself."""
        self.stopped = True
        self.problems.report(wrong.code, wrong.text, self.places(wrong.path or path))


@dataclass(frozen=True, slots=True)
class Table:
    """Norms with a player of them, the words, and the seats' names in this case, clockwise."""

    norms: ir.Norms
    player: Player
    clauses: Clauses
    words: Words
    layout: CaseWords
    phase: Phase
    seats: tuple[str, ...]
    switches: frozenset[str]
    _types: dict[str, ir.Type] = field(default_factory=dict, compare=False)

    @property
    def deck(self) -> tuple[int, ...]:
        """Cards of the play."""
        return self.norms.deck or tuple(range(len(self.norms.sort(self.norms.card_sort).values)))

    def register(self, name: str) -> ir.Register | None:
        """The register of this name, if it is one."""
        return next((register for register in self.norms.registers if register.name == name), None)

    def value(self, position: Position, name: str, *arguments: int) -> int | Hole | Clash | None:
        """Value of a term or register; `Hole` or `Clash` where it has none."""
        if self.register(name) is not None:
            return next(value for cell, value in position.registers if cell == (name, arguments))
        return self.player.term(position, name, arguments)

    def turn(self, position: Position) -> str | None:
        """The term or register that says who is to move in the stage that a position is in."""
        stage = self.norms.stage_register
        if stage is None:
            return self.phase.turn
        kind, value = self.type_of(stage), self.value(position, stage)
        if not isinstance(kind, ir.Member) or not isinstance(value, int):
            return self.phase.turn
        now = self.norms.sort(kind.sort).values[value]
        return next((phase.turn for phase in self.layout.phases.values() if phase.stage == now), self.phase.turn)

    def type_of(self, name: str) -> ir.Type:
        """Type of a term or register."""
        if not self._types:
            self._types.update({term.name: term.type for term in self.norms.terms})
            self._types.update({register.name: register.type for register in self.norms.registers})
        if name in self._types:
            return self._types[name]
        raise Unreadable(f"в своде нет слова «{name}»", f"the rulebook has no “{name}”")

    def seat(self, name: object) -> int:
        """Number of the seat of a player of the case."""
        if isinstance(name, str) and name in self.seats:
            return self.seats.index(name)
        raise Unreadable(f"нет игрока «{name}»", f"there is no player “{name}”")

    def card(self, name: object) -> int:
        """Number of the card that a word of the case means."""
        found = self.words.value(self.norms.sort(self.norms.card_sort), str(name))
        if found is None or found not in self.deck:
            raise Unreadable(f"нет карты «{name}»", f"there is no card “{name}”")
        return found

    def named(self, sort: str, word: object) -> int | None:
        """The value of a sort that a word of the case means; a player by the name that he has in the case."""
        text = str(word)
        if sort == self.norms.seats and text in self.seats:
            return self.seats.index(text)
        return self.words.value(self.norms.sort(sort), text)

    def meaning(self, kind: str, word: str) -> int | None:
        """What a word of a telling means as a player, a card, a number, or a value of a sort."""
        if kind == "player":
            return self.seats.index(word) if word in self.seats else None
        if kind == "number":  # a player may be called like the word for one
            named = None if word in self.seats else self.layout.numbers.get(word.lower())
            return int(word) if word.isdecimal() else named
        sort = self.norms.card_sort if kind == "card" else kind
        if sort not in {each.name for each in self.norms.sorts}:
            return None
        return self.named(sort, word)

    def plain(self, sort: str, value: int) -> str:
        """The word of the case for a value: of a product the words of its factors one after another."""
        declared = self.norms.sort(sort)
        if declared.seats:
            return self.seats[value]
        back = {meant: word for word, meant in self.words.values.items()}
        if declared.factors:
            names = [
                self.norms.sort(factor).values[part]
                for factor, part in zip(declared.factors, declared.components[value], strict=True)
            ]
            return "".join(back.get(name, name) for name in names)
        return back.get(declared.values[value], declared.values[value])

    def actions(self, word: str) -> list[ir.Action]:
        """Actions that a word of the case may stand for."""
        names = self.words.acts(word)
        return [action for action in self.norms.actions if action.name in names]

    def action(self, name: str) -> ir.Action | None:
        """The action of this name."""
        return next((action for action in self.norms.actions if action.name == name), None)

    def worded(self, act: Act) -> str:
        """The act as the case words it: its plain name and what it names besides the actor."""
        action = action_named(self.norms, act.action)
        parts = [
            self.plain(parameter.sort, value)
            for place, (parameter, value) in enumerate(zip(action.parameters, act.arguments, strict=True))
            if place != action.actor
        ]
        return " ".join((self.words.plain_action(action.name) or action.name, *parts))

    def moved(self, before: Position, after: Position) -> list[tuple[str, ...]]:
        """Cards that lie elsewhere now, each with the owner of its new zone."""
        places = {laid.card: key for key, cards in before.zones for laid in cards}
        return [
            (self.plain(self.norms.card_sort, laid.card), *(() if key[1] is None else (self.seats[key[1]],)))
            for key, cards in after.zones
            for laid in cards
            if places.get(laid.card) != key
        ]


def seated(data: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the players of a case, clockwise."""
    players = data.get("players")
    if not isinstance(players, list) or not players:
        raise Unreadable("не названы игроки", "the players are not named", ("players",))
    names = tuple(str(name) for name in players)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise Unreadable(f"игрок «{name}» назван дважды", f"player “{name}” is named twice", ("players", place))
    return names


def parameters_of_case(data: Mapping[str, object], words: Words) -> dict[str, int]:
    """Values of the rulebook's parameters: the fields of the case that the vocabulary lists, a list by its length."""
    found = {}
    for word, name in words.parameters.items():
        value = data.get(word)
        if isinstance(value, list):
            found[name] = len(value)
        elif isinstance(value, int) and not isinstance(value, bool):
            found[name] = value
        elif word in data:
            raise Unreadable(f"«{word}» — не число: {value}", f"“{word}” is no number: {value}", (word,))
    return found


def given_position(data: Mapping[str, object], given: Collection[str] = ()) -> Mapping[str, object]:
    """The field `position` of a case, and fields of it that stand beside it: those among `given`."""
    position = data.get("position")
    if not isinstance(position, Mapping):
        raise Unreadable("нет положения", "there is no position")
    return {**{word: data[word] for word in given if word in data}, **position}
