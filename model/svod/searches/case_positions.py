"""In: a table and a judge's case as data. Out: the positions that fit it, and how its telling of the past was read.

Registers that the case does not give are found: every assignment of the registers listed as `free` under which the
rulebook says the given player is to move is tried, and an answer is settled only if all of them agree on it. Where the
case leaves open who is to move and no cards show that something is under way, the play has just begun: such registers
keep the values that they start with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from svod.norms import ir
from svod.norms.trace import Act, Laid, Next, Position, Status
from svod.searches.case_facts import Telling
from svod.searches.case_filling import Cell, Cells, fill
from svod.searches.case_words import Free, Past
from svod.searches.cases import NO_SUCH_POSITION, Complaints, Path, Table, Unreadable, given_position


def starts(table: Table, data: Mapping[str, object], complaints: Complaints) -> tuple[tuple[Position, ...], Telling]:
    """Positions that fit what the case gives, none if there is a complaint; and how its telling was read."""
    position = given_position(data, table.layout.given)
    begun = table.player.initial()
    if not isinstance(begun, Next):
        raise Unreadable("партия не начинается", "a play cannot begin", ("position",))
    zones = _Zones(table, position, complaints).zones()
    cells: Cells = dict(begun.position.registers)
    stage = table.norms.stage_register
    if stage is not None and table.phase.stage is not None:
        (cells[stage, ()],) = _domain(table, Free(stage, (table.phase.stage,)))
    _orders(table, position, cells, complaints)
    told: set[Cell] = set()
    past = fill(table, position, cells, told, dict(zones), complaints)
    if complaints.stopped:
        return (), past
    turn = position.get("turn")
    try:
        wanted = None if turn is None else table.seat(turn)
    except Unreadable as wrong:
        complaints.add(wrong, ("position", "turn"))
        return (), past
    fitting = tuple(_fitting(table, zones, cells, told, wanted, begun.position.switches))
    past_of = {each.register for way in table.phase.past for each in way.free}
    doubted = {cell for cell in told if cell[0] in past_of}
    if not fitting and doubted:  # what was told of the past does not lead to this turn: it goes without
        kept = {**cells, **{cell: value for cell, value in begun.position.registers if cell in doubted}}
        fitting = tuple(_fitting(table, zones, kept, told - doubted, wanted, begun.position.switches))
        past = replace(past, unread=(*past.unread, *sorted(name for name, _ in doubted)))
    if not fitting:
        message = (f"ход не может быть у игрока «{turn}»", f"it cannot be the turn of “{turn}”")
        raise Unreadable(*message, ("position", "turn"), NO_SUCH_POSITION)
    restless = {each: table.clauses.restless(each) for each in fitting}
    fitting_at_rest = tuple(each for each in fitting if not restless[each])
    if not fitting_at_rest:
        clauses = table.clauses.by_id
        rules = ", ".join(dict.fromkeys(clauses[each].head.rule for each in restless[fitting[0]]))
        message = (
            f"так быть не может: уже сработало бы {rules}",
            f"this cannot be: {rules} would already have applied",
        )
        raise Unreadable(*message, ("position",), NO_SUCH_POSITION)
    fitting = fitting_at_rest
    _denied(table, position, fitting[0], complaints)
    moving = tuple(each for each in fitting if _can_move(table, each)) if len(fitting) > 1 else fitting
    return moving or fitting, past


def _fitting(
    table: Table,
    zones: tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...],
    cells: Cells,
    told: set[Cell],
    wanted: int | None,
    switches: tuple[str, ...],
) -> Iterator[Position]:
    """Positions in which the player is to move, if one has to be; each once."""
    found = set()
    for filled in _filled(table, zones, cells, told, begun=wanted is None):
        fitting = Position(zones, tuple(filled.items()), switches)
        if fitting not in found and (
            wanted is None or table.phase.turn is None or table.value(fitting, table.phase.turn) == wanted
        ):
            found.add(fitting)
            yield fitting


def _filled(
    table: Table,
    zones: tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...],
    cells: Cells,
    told: set[Cell],
    *,
    begun: bool,
) -> Iterator[Cells]:
    """What the registers may hold: as told, else as the ways say in which the play may have come here."""
    pinned = {name for name, index in told if not index}
    lying = {name for (name, _), cards in zones if cards}
    under_way = any(way.filled and set(way.filled) <= lying for way in table.phase.past)
    told_of = pinned & {each.register for way in table.phase.past for each in way.free}
    if begun and not under_way and not told_of:
        yield cells
        return
    ways = (
        [way for way in table.phase.past if set(way.filled) <= lying and not set(way.empty) & lying]
        if table.phase.past
        else [Past((), (), ())]
    )
    for way in ways or [Past((), (), ())]:
        free = [*table.phase.free, *way.free]
        said = [each for each in free if each.register in pinned]
        if any(cells[each.register, ()] not in _domain(table, each) for each in said):
            continue
        loose: dict[Cell, Sequence[int | None]] = {
            (each.register, ()): _domain(table, each) for each in free if each.register not in pinned
        }
        for zone, register in way.doubt:
            doubtful = [
                (register, (owner,)) for (name, owner), cards in zones if name == zone and cards and owner is not None
            ]
            loose |= {cell: (0, 1) for cell in doubtful if cell not in told}
        for values in product(*loose.values()):
            yield {**cells, **dict(zip(loose, values, strict=True))}


def _can_move(table: Table, position: Position) -> bool:
    """Whether an act that makes the play progress is lawful for whoever is to move."""
    turn = None if table.phase.turn is None else table.value(position, table.phase.turn)
    for action in table.norms.actions:
        if not action.turn:
            continue
        ranges = [range(len(table.norms.sort(parameter.sort).values)) for parameter in action.parameters]
        if action.actor is not None and isinstance(turn, int):
            ranges[action.actor] = range(turn, turn + 1)
        for arguments in product(*ranges):
            if table.player.status(position, Act(action.name, arguments)) is Status.LAWFUL:
                return True
    return False


def _domain(table: Table, free: Free) -> Sequence[int | None]:
    """Every value that the register can hold, or those of these names."""
    values: list[int | None]
    kind = table.type_of(free.register)
    if free.values is not None:
        names = table.norms.sort(kind.sort).values if isinstance(kind, ir.Member) else ()
        if not set(free.values) <= set(names):
            raise Unreadable(f"«{free.register}» не бывает {free.values}", f"“{free.register}” is never {free.values}")
        return [names.index(name) for name in free.values]
    match kind:
        case ir.Truth():
            return (0, 1)
        case ir.Member(sort=sort, optional=optional):
            values = list(range(len(table.norms.sort(sort).values)))
        case ir.Whole(low=low, high=high, optional=optional):
            if low is None or high is None:
                raise Unreadable(f"у «{free.register}» нет границ", f"“{free.register}” has no bounds")
            values = list(range(low, high + 1))
    return [*values, None] if optional else values


class _Zones:
    """Lays the cards that a case shows."""

    def __init__(self, table: Table, position: Mapping[str, object], complaints: Complaints) -> None:
        self.table = table
        self.position = position
        self.complaints = complaints
        self.shown: dict[int, Path] = {}
        seats = range(len(table.seats))
        owners: dict[str, list[int | None]] = {
            zone.name: [*seats] if zone.owned else [None] for zone in table.norms.zones
        }
        self.lying: dict[tuple[str, int | None], list[Laid]] = {
            (name, seat): [] for name in owners for seat in owners[name]
        }

    def zones(self) -> tuple[tuple[tuple[str, int | None], tuple[Laid, ...]], ...]:
        """Every card where the words of the case say; then what is «rest»."""
        rest: str | None = None
        layout = self.table.layout
        for word, content in self.position.items():
            for form in layout.given.get(word, ()):
                if form.kind == "rest" and content == "rest":
                    if rest is not None:
                        self._wrong("остальные карты уже лежат в другом месте", "the rest lies elsewhere already", word)
                    rest = form.names[0]
                elif form.kind in ("zone", "rest"):
                    self._lay(form.names[0], content, ("position", word))
                elif form.kind == "empty" and content:
                    self._wrong(
                        f"поле «{word}» здесь не понимается", f"the field “{word}” is not understood here", word
                    )
            if word not in layout.given and word not in ("phase", "turn", "facts", *layout.silent):
                self._wrong(f"в словаре нет поля «{word}»", f"the vocabulary has no field “{word}”", word)
        hidden = [card for card in self.table.deck if card not in self.shown]
        if rest is not None:
            self.lying[rest, None] += [Laid(card) for card in hidden]
        elif hidden and not self.complaints.stopped:
            names = ", ".join(self.table.plain(self.table.norms.card_sort, card) for card in hidden[:5])
            more = "…" if len(hidden) > 5 else ""
            self._wrong(f"не сказано, где карты: {names}{more}", f"it is not said where these cards are: {names}{more}")
        self._capacities()
        piles = {zone.name for zone in self.table.norms.zones if zone.pile}
        return tuple(
            (key, tuple(cards if key[0] in piles else sorted(Laid(laid.card) for laid in cards)))
            for key, cards in self.lying.items()
        )

    def _capacities(self) -> None:
        for zone in self.table.norms.zones:
            for (name, _), cards in self.lying.items():
                if name == zone.name and len(cards) > zone.capacity:
                    self._wrong(
                        f"в зоне «{name}» не может быть {len(cards)} карт",
                        f"zone “{name}” cannot hold {len(cards)} cards",
                    )

    def _wrong(self, ru: str, en: str, word: str | None = None) -> None:
        path: Path = ("position",) if word is None else ("position", word)
        self.complaints.add(Unreadable(ru, en, path))

    def _lay(self, zone: str, content: object, path: Path) -> None:
        if isinstance(content, Mapping):
            for owner, cards in content.items():
                self._lay_at(zone, owner, cards, (*path, owner))
        else:
            self._lay_at(zone, None, content, path)

    def _lay_at(self, zone: str, owner: object, cards: object, path: Path) -> None:
        try:
            key = (zone, None if owner is None else self.table.seat(owner))
            if key not in self.lying:
                raise Unreadable(f"зона «{zone}» называется не так", f"zone “{zone}” is not named like this")
            if not isinstance(cards, list):
                raise Unreadable(f"ожидался список карт, а стоит «{cards}»", f"expected a list of cards, not “{cards}”")
        except Unreadable as wrong:
            self.complaints.add(wrong, path)
            return
        for place, entry in enumerate(cards):
            try:
                self.lying[key].append(self._laid(entry, (*path, place)))
            except Unreadable as wrong:
                self.complaints.add(wrong, (*path, place))

    def _laid(self, entry: object, path: Path) -> Laid:
        name, by = (entry.get("card"), entry.get("by")) if isinstance(entry, Mapping) else (entry, None)
        card = self.table.card(name)
        if card in self.shown:
            raise Unreadable(
                f"карта «{name}» лежит в двух местах", f"card “{name}” lies in two places", path, NO_SUCH_POSITION
            )
        self.shown[card] = path
        return Laid(card, None if by is None else self.table.seat(by))


def _orders(table: Table, position: Mapping[str, object], cells: Cells, complaints: Complaints) -> None:
    """Players listed: each has his place as the value of a register, another register counts them, one is cleared,
    one marked."""
    for word, forms in table.layout.given.items():
        listed = position.get(word)
        if listed is None or not {form.kind for form in forms} & {"order", "count", "clear", "mark", "not"}:
            continue
        if not isinstance(listed, list):
            complaints.add(Unreadable("ожидался список игроков", "expected a list of players", ("position", word)))
            continue
        for place, name in enumerate(listed):
            try:
                seat = table.seat(name)
                if name in listed[:place]:
                    raise Unreadable(f"игрок «{name}» назван дважды", f"player “{name}” is named twice")
            except Unreadable as wrong:
                complaints.add(wrong, ("position", word, place))
                continue
            for form in forms:
                if form.kind == "order":
                    cells[form.names[0], (seat,)] = place + 1
                elif form.kind == "clear":
                    cells[form.names[0], (seat,)] = 0
                elif form.kind == "mark":
                    cells[form.names[0], (seat,)] = 1
        for form in forms:
            if form.kind == "count":
                cells[form.names[0], ()] = len(listed)


def _denied(table: Table, position: Mapping[str, object], start: Position, complaints: Complaints) -> None:
    """Players listed as those for whom a term does not hold."""
    for word, forms in table.layout.given.items():
        listed = position.get(word)
        for form in forms:
            if form.kind != "not" or not isinstance(listed, list):
                continue
            for place, name in enumerate(listed):
                if table.value(start, form.names[0], table.seat(name)) == 1:
                    reason = (
                        f"«{name}» назван в «{word}», но {form.names[0]}",
                        f"“{name}” is listed in “{word}”, yet {form.names[0]}",
                    )
                    complaints.add(Unreadable(*reason, ("position", word, place), NO_SUCH_POSITION))
