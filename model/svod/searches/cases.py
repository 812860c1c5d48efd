"""In: a judge's case as data, the words that map it, norms and a player of them. Out: an answer to every question.

Registers that the case does not give are found: every assignment of the registers listed as `free` under which the
rulebook says the given player is to move is tried (without those that leave nothing lawful, if others do not), and an
answer is settled only if all of them agree on it. Where the case leaves open who is to move, the play has just begun:
such registers keep the values that they start with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from svod.diagnostics import Code, Text
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Laid, Next, Position, Status
from svod.searches.case_words import CaseWords, Phase, Words
from svod.searches.players import Player

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
        "Ни при каких значениях ячеек, о которых случай молчит, ход не принадлежит названному игроку. "
        "Проверьте карты и очередь.",
        "Under no values of the registers that the case leaves unsaid is the named player to move. "
        "Check the cards and whose turn it is.",
    ),
)


class Unreadable(Exception):
    """A case that cannot be used, with the reason; turned into a diagnostic before it leaves this package."""

    def __init__(self, ru: str, en: str) -> None:
        super().__init__(en)
        self.text = Text(ru, en)


@dataclass(frozen=True, slots=True)
class Table:
    """Norms with a player of them, the words, and the seats' names in this case, clockwise."""

    norms: ir.Norms
    player: Player
    words: Words
    layout: CaseWords
    phase: Phase
    seats: tuple[str, ...]

    @property
    def deck(self) -> tuple[int, ...]:
        """Cards of the play."""
        return self.norms.deck or tuple(range(len(self.norms.sort(self.norms.card_sort).values)))

    def value(self, position: Position, name: str, *arguments: int) -> int | Hole | Clash | None:
        """Value of a term or register; `Hole` or `Clash` where it has none."""
        if any(register.name == name for register in self.norms.registers):
            return dict(position.registers)[name, arguments]
        return self.player.term(position, name, arguments)

    def type_of(self, name: str) -> ir.Type:
        """Type of a term or register."""
        types: dict[str, ir.Type] = {term.name: term.type for term in self.norms.terms}
        types |= {register.name: register.type for register in self.norms.registers}
        if name in types:
            return types[name]
        raise Unreadable(f"в своде нет слова «{name}»", f"the rulebook has no “{name}”")

    def seat(self, name: object) -> int:
        """Number of the seat of a player of the case."""
        if isinstance(name, str) and name in self.seats:
            return self.seats.index(name)
        raise Unreadable(f"нет игрока «{name}»", f"there is no player “{name}”")

    def card(self, name: object) -> int:
        """Number of the card that a word of the case means."""
        found = self.words.value(self.norms.sort(self.norms.card_sort), str(name))
        if found is None:
            raise Unreadable(f"нет карты «{name}»", f"there is no card “{name}”")
        return found

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


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of a case as played: `after` is None where nothing definite followed."""

    before: Position | None
    act: Act | None
    status: Status | None
    after: Position | None


@dataclass(frozen=True, slots=True)
class Course:
    """One way in which the case may have gone: the position at the start, and each event by its number."""

    start: Position
    events: Mapping[int, Happened]

    def at(self, moment: int) -> Position | None:
        """The position after this event (0: the start)."""
        return self.start if moment == 0 else self.events[moment].after


def seated(data: Mapping[str, object]) -> tuple[str, ...]:
    """Names of the players of a case, clockwise."""
    players = data.get("players")
    if not isinstance(players, list) or not players:
        raise Unreadable("не названы игроки", "the players are not named")
    return tuple(str(name) for name in players)


def parameters_of_case(data: Mapping[str, object], words: Words) -> dict[str, int]:
    """Values of the rulebook's parameters: the fields of the case that the vocabulary lists, a list by its length."""
    found = {}
    for word, name in words.parameters.items():
        value = data.get(word)
        if isinstance(value, list):
            found[name] = len(value)
        elif isinstance(value, int):
            found[name] = value
    return found


def courses(table: Table, data: Mapping[str, object]) -> tuple[Course, ...]:
    """Every way in which the case may have gone."""
    events = data.get("events") or []
    if not isinstance(events, list):
        raise Unreadable("события не списком", "the events are no list")
    starts = tuple(_starts(table, data))
    alive = tuple(start for start in starts if table.player.acts(start)) or starts
    return tuple(Course(start, _play(table, start, events)) for start in alive)


# ------------------------------------------------------------------------------------------------- positions


def _starts(table: Table, data: Mapping[str, object]) -> Iterator[Position]:
    """Positions that fit what the case gives."""
    position = data.get("position")
    if not isinstance(position, Mapping):
        raise Unreadable("нет положения", "there is no position")
    begun = table.player.initial()
    if not isinstance(begun, Next):
        raise Unreadable("партия не начинается", "a play cannot begin")
    zones = _zones(table, position)
    registers = dict(begun.position.registers)
    stage = table.norms.stage_register
    if stage is not None and table.phase.stage is not None:
        (registers[stage, ()],) = _domain(table, stage, (table.phase.stage,))
    _orders(table, position, registers)
    turn = position.get("turn")
    free = () if turn is None else table.phase.free
    domains = [_domain(table, name, allowed) for name, allowed in free]
    for values in product(*domains):
        for (name, _), value in zip(free, values, strict=True):
            registers[name, ()] = value
        fitting = Position(zones, tuple(registers.items()), begun.position.switches)
        if turn is None or table.value(fitting, table.phase.turn) == table.seat(turn):
            yield fitting


def _domain(table: Table, register: str, allowed: tuple[str, ...] | None) -> Sequence[int | None]:
    """Every value that the register can hold, or those of these names."""
    values: list[int | None]
    if allowed is not None:
        kind = table.type_of(register)
        names = table.norms.sort(kind.sort).values if isinstance(kind, ir.Member) else ()
        if not set(allowed) <= set(names):
            raise Unreadable(f"«{register}» не бывает {allowed}", f"“{register}” is never {allowed}")
        return [names.index(name) for name in allowed]
    match table.type_of(register):
        case ir.Truth():
            return (0, 1)
        case ir.Member(sort=sort, optional=optional):
            values = list(range(len(table.norms.sort(sort).values)))
        case ir.Whole(low=low, high=high, optional=optional):
            if low is None or high is None:
                raise Unreadable(f"у «{register}» нет границ", f"“{register}” has no bounds")
            values = list(range(low, high + 1))
    return [*values, None] if optional else values


def _zones(table: Table, position: Mapping[str, object]) -> tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]:
    """The cards that the case shows, where its words say; then what is «rest»."""
    seats = range(len(table.seats))
    owners = {zone.name: [*seats] if zone.owned else [None] for zone in table.norms.zones}
    lying: dict[tuple[str, int | None], list[Laid]] = {(name, seat): [] for name in owners for seat in owners[name]}
    rest: str | None = None
    for word, content in position.items():
        for form in table.layout.given.get(word, ()):
            if form.kind == "rest" and content == "rest":
                rest = form.names[0]
            elif form.kind in ("zone", "rest"):
                _lay(table, form.names[0], content, lying)
            elif form.kind == "empty" and content:
                raise Unreadable(f"поле «{word}» здесь не понимается", f"the field “{word}” is not understood here")
        if word not in table.layout.given and word not in ("phase", "turn", *table.layout.silent):
            raise Unreadable(f"в словаре нет поля «{word}»", f"the vocabulary has no field “{word}”")
    shown = {laid.card for cards in lying.values() for laid in cards}
    if rest is not None:
        lying[rest, None] += [Laid(card) for card in table.deck if card not in shown]
    elif shown != set(table.deck):
        raise Unreadable("не сказано, где остальные карты", "it is not said where the other cards are")
    piles = {zone.name for zone in table.norms.zones if zone.pile}
    return tuple((key, tuple(cards if key[0] in piles else sorted(cards))) for key, cards in lying.items())


def _lay(table: Table, zone: str, content: object, lying: dict[tuple[str, int | None], list[Laid]]) -> None:
    if isinstance(content, Mapping):
        for owner, cards in content.items():
            lying[zone, table.seat(owner)] += _cards(table, cards)
    else:
        lying[zone, None] += _cards(table, content)


def _cards(table: Table, content: object) -> Iterator[Laid]:
    if not isinstance(content, list):
        raise Unreadable(f"ожидался список карт, а стоит «{content}»", f"expected a list of cards, not “{content}”")
    for entry in content:
        if isinstance(entry, Mapping):
            by = entry.get("by")
            yield Laid(table.card(entry.get("card")), None if by is None else table.seat(by))
        else:
            yield Laid(table.card(entry))


def _orders(
    table: Table, position: Mapping[str, object], registers: dict[tuple[str, tuple[int, ...]], int | None]
) -> None:
    """Players listed in an order: each has its place as the value of a register, another register counts them."""
    for word, forms in table.layout.given.items():
        listed = position.get(word)
        for form in forms:
            if not isinstance(listed, list):
                continue
            if form.kind == "order":
                for place, name in enumerate(listed, start=1):
                    registers[form.names[0], (table.seat(name),)] = place
            elif form.kind == "count":
                registers[form.names[0], ()] = len(listed)


# ---------------------------------------------------------------------------------------------------- events


def _play(table: Table, start: Position, events: Sequence[object]) -> dict[int, Happened]:
    played: dict[int, Happened] = {}
    position: Position | None = start
    for place, event in enumerate(events, start=1):
        if not isinstance(event, Mapping):
            raise Unreadable("событие не объект", "an event is no object")
        happened = Happened(position, None, None, None) if position is None else _perform(table, position, event)
        number = event.get("n")
        played[number if isinstance(number, int) else place] = happened
        position = happened.after
    return played


def _perform(table: Table, position: Position, event: Mapping[str, object]) -> Happened:
    word = str(event.get("do"))
    candidates = [act_of(table, action, event) for action in table.actions(word)]
    if not candidates:
        raise Unreadable(f"действие «{word}» своду не известно", f"the rulebook knows no act “{word}”")
    for act in candidates:
        status = table.player.status(position, act)
        if status is not Status.IMPOSSIBLE:
            outcome = table.player.step(position, act)
            return Happened(position, act, status, outcome.position if isinstance(outcome, Next) else None)
    return Happened(position, candidates[0], Status.IMPOSSIBLE, None)


def act_of(table: Table, action: ir.Action, event: Mapping[str, object]) -> Act:
    """The act of an event: `by` acts, `card` is the card, any other player named is at whom the act aims."""
    others = [value for key, value in event.items() if key != "by" and value in table.seats]
    arguments = []
    for place, parameter in enumerate(action.parameters):
        if place == action.actor:
            arguments.append(table.seat(event.get("by")))
        elif parameter.sort == table.norms.card_sort:
            arguments.append(table.card(event.get("card")))
        elif parameter.sort == table.norms.seats and others:
            arguments.append(table.seat(others.pop(0)))
        else:
            raise Unreadable(f"для «{action.name}» не хватает данных", f"“{action.name}” lacks an argument")
    return Act(action.name, tuple(arguments))
