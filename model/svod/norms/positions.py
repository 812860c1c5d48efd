"""A position as data that people can read and edit (names of the norms, JSON types), and back with every mistake named.

The form: `{"zones": {"table": ["6♥", {"card": "7♥", "by": "P1"}], "hand": {"P1": […], "P2": […]}},
"registers": {"turn": "P1", "place": {"P1": 1, "P2": null}}, "switches": […]}`. A pile is listed from the bottom.
Of the record of breaches only what is open is listed, and with it the position before the first one, `"frame":
{"zones": …, "registers": …}` («снимок»), whose registers are those that a restoration writes.
Only what holds in a play is taken: every card of the deck lies in exactly one zone, every register has a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, assert_never

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.trace import Frame, Laid, Position

Json: TypeAlias = "Mapping[str, Json] | list[Json] | str | int | bool | None"
ZoneEntry: TypeAlias = tuple[tuple[str, int | None], tuple[Laid, ...]]
CellEntry: TypeAlias = tuple[tuple[str, tuple[int, ...]], int | None]

MALFORMED = Code(
    "C301",
    Text("описание положения не того вида", "the description of a position has the wrong form"),
    Text(
        "Положение записывается как объект с полями zones, registers и switches: у каждой зоны список карт "
        "(у зоны каждого игрока по списку на место), у каждой ячейки значение.",
        "A position is written as an object with the fields zones, registers and switches: a list of cards for each "
        "zone (for an owned zone a list for each seat), a value for each register.",
    ),
)
UNKNOWN_NAME = Code(
    "C302",
    Text("в положении стоит неизвестное имя", "a position names something unknown"),
    Text(
        "Зоны, ячейки, карты, места и переключатели называются так же, как в своде при тех же параметрах.",
        "Zones, registers, cards, seats and switches are called as in the rulebook at the same parameters.",
    ),
)
IMPOSSIBLE = Code(
    "C303",
    Text("такого положения быть не может", "such a position cannot be"),
    Text(
        "Каждая карта игры лежит ровно в одной зоне, в зоне не больше карт, чем объявлено, "
        "карты вне колоды в зонах не лежат.",
        "Every card of the deck lies in exactly one zone, no zone holds more cards than declared, "
        "and cards outside the deck lie nowhere.",
    ),
)
OUT_OF_RANGE = Code(
    "C304",
    Text("значение ячейки вне её пределов", "the value of a register is out of its range"),
    Text(
        "Ячейка хранит только значения объявленного вида: число в пределах, значение сорта, "
        "а «нет» — если так объявлено.",
        "A register holds only values of the declared kind: a number in its range, a value of its sort, "
        "and none where that is declared.",
    ),
)
FRAME = Code(
    "C305",
    Text("снимок не сходится с записью о нарушениях", "the frame does not go with the record of breaches"),
    Text(
        "Пока открыто хотя бы одно нарушение, с положением хранится снимок: положение до первого из них. "
        "Если открытых нарушений нет, нет и снимка.",
        "While a breach is open, the position carries a frame: the position before the first of them. "
        "Without an open breach there is no frame.",
    ),
)


# ----------------------------------------------------------------------------------------------------- to data


def position_to_json(norms: ir.Norms, position: Position) -> dict[str, Json]:
    """The position in names; equal positions give equal data."""
    result: dict[str, Json] = {
        "zones": _zones_to_json(norms, position.zones),
        "registers": _registers_to_json(norms, norms.registers, position.registers),
        "switches": list(position.switches),
    }
    if position.frame is not None:
        result["frame"] = {
            "zones": _zones_to_json(norms, position.frame.zones),
            "registers": _registers_to_json(norms, framed(norms), position.frame.registers),
        }
    return result


def framed(norms: ir.Norms) -> tuple[ir.Register, ...]:
    """Registers that a frame keeps."""
    return tuple(register for register in norms.registers if not register.outside_frame)


def _zones_to_json(norms: ir.Norms, entries: tuple[ZoneEntry, ...]) -> dict[str, Json]:
    seats, cards = norms.sort(norms.seats).values, norms.sort(norms.card_sort).values
    zones: dict[str, Json] = {}
    lying = dict(entries)
    for zone in norms.zones:
        owners: list[int | None] = list(range(len(seats))) if zone.owned else [None]
        lists: list[list[Json]] = [
            [_laid_to_json(laid, cards, seats) for laid in lying.get((zone.name, owner), ())] for owner in owners
        ]
        zones[zone.name] = dict(zip(seats, lists, strict=True)) if zone.owned else lists[0]
    return zones


def _registers_to_json(
    norms: ir.Norms, registers: tuple[ir.Register, ...], entries: tuple[CellEntry, ...]
) -> dict[str, Json]:
    values = dict(entries)
    return {
        register.name: _record_to_json(norms, register, values)
        if _is_record(norms, register)
        else _register_to_json(norms, register, values, ())
        for register in registers
    }


def _is_record(norms: ir.Norms, register: ir.Register) -> bool:
    return norms.catalogue is not None and register.name == norms.catalogue.record


def _record_to_json(
    norms: ir.Norms, record: ir.Register, values: Mapping[tuple[str, tuple[int, ...]], int | None]
) -> Json:
    """Only what is open: the table of all players and numbers would hide it."""
    seats, numbers = (norms.sort(sort).values for sort in record.index)
    result: dict[str, Json] = {}
    for place, seat in enumerate(seats):
        guilty: dict[str, Json] = {
            number: True for index, number in enumerate(numbers) if values.get((record.name, (place, index)))
        }
        if guilty:
            result[seat] = guilty
    return result


def _laid_to_json(laid: Laid, cards: tuple[str, ...], seats: tuple[str, ...]) -> Json:
    name = cards[laid.card]
    return name if laid.author is None else {"card": name, "by": seats[laid.author]}


def _register_to_json(
    norms: ir.Norms,
    register: ir.Register,
    values: Mapping[tuple[str, tuple[int, ...]], int | None],
    index: tuple[int, ...],
) -> Json:
    if len(index) < len(register.index):
        names = norms.sort(register.index[len(index)]).values
        return {name: _register_to_json(norms, register, values, (*index, place)) for place, name in enumerate(names)}
    value = values.get((register.name, index))
    match register.type:
        case ir.Truth():
            return bool(value)
        case ir.Whole():
            return value
        case ir.Member(sort=sort):
            return None if value is None else norms.sort(sort).values[value]
        case _:
            assert_never(register.type)


# --------------------------------------------------------------------------------------------------- from data

FRAME_FIELDS = ("frame", "снимок")


def position_from_json(norms: ir.Norms, data: object, problems: Problems) -> Position | None:
    """The position that the data describe, in canonical form; None, and why, if there can be no such position."""
    return _Reading(norms, problems).position(data)


class _Reading:
    """Reads one position; `sound` turns false with the first problem."""

    def __init__(self, norms: ir.Norms, problems: Problems) -> None:
        self.norms = norms
        self.problems = problems
        self.sound = True
        self.within: tuple[str, str] = ("", "")
        self.seats = {name: place for place, name in enumerate(norms.sort(norms.seats).values)}
        self.cards = {name: place for place, name in enumerate(norms.sort(norms.card_sort).values)}

    def wrong(self, code: Code, ru: str, en: str) -> None:
        self.sound = False
        self.problems.report(code, Text(self.within[0] + ru, self.within[1] + en), None)

    def position(self, data: object) -> Position | None:
        fields = self._object(data, "положение", "the position")
        for name in fields:
            if name not in ("zones", "registers", "switches", *FRAME_FIELDS):
                self.wrong(MALFORMED, f"в положении нет поля «{name}»", f"a position has no field “{name}”")
        zones = tuple(self._zones(fields.get("zones", {})))
        registers = tuple(self._registers(fields.get("registers", {}), self.norms.registers))
        switches = self._switches(fields.get("switches", []))
        self._conserved(zones)
        frame = self._frame([fields[name] for name in FRAME_FIELDS if fields.get(name) is not None])
        self._goes_together(registers, frame)
        return Position(zones, registers, switches, frame) if self.sound else None

    def _frame(self, given: list[object]) -> Frame | None:
        if not given:
            return None
        self.within = ("снимок: ", "frame: ")
        fields = self._object(given[0], "снимок", "the frame")
        for name in fields:
            if name not in ("zones", "registers"):
                self.wrong(MALFORMED, f"нет поля «{name}»", f"there is no field “{name}”")
        zones = tuple(self._zones(fields.get("zones", {})))
        registers = tuple(self._registers(fields.get("registers", {}), framed(self.norms)))
        self._conserved(zones)
        self.within = ("", "")
        return Frame(zones, registers)

    def _goes_together(self, registers: tuple[CellEntry, ...], frame: Frame | None) -> None:
        """A frame exactly while a breach is open."""
        catalogue = self.norms.catalogue
        open_breach = catalogue is not None and any(value for (name, _), value in registers if name == catalogue.record)
        if open_breach and frame is None:
            self.wrong(FRAME, "нарушение открыто, а снимка нет", "a breach is open, but there is no frame")
        elif frame is not None and not open_breach:
            self.wrong(FRAME, "снимок есть, а открытых нарушений нет", "there is a frame, but no breach is open")

    def _object(self, data: object, ru: str, en: str) -> Mapping[str, object]:
        if isinstance(data, Mapping) and all(isinstance(key, str) for key in data):
            return data
        self.wrong(MALFORMED, f"{ru}: ожидается объект с именами", f"{en}: an object with names is expected")
        return {}

    def _list(self, data: object, ru: str, en: str) -> list[object]:
        if isinstance(data, list):
            return data
        self.wrong(MALFORMED, f"{ru}: ожидается список", f"{en}: a list is expected")
        return []

    def _known(self, given: Mapping[str, object], known: Mapping[str, object], ru: str, en: str) -> None:
        for name in given:
            if name not in known:
                self.wrong(UNKNOWN_NAME, f"{ru}: нет имени «{name}»", f"{en}: there is no “{name}”")

    # ------------------------------------------------------------------------------------------------ zones

    def _zones(self, data: object) -> Iterator[ZoneEntry]:
        given = self._object(data, "zones", "zones")
        self._known(given, {zone.name: zone for zone in self.norms.zones}, "зоны", "zones")
        for zone in self.norms.zones:
            content = given.get(zone.name, {} if zone.owned else [])
            if not zone.owned:
                yield (zone.name, None), self._cards(zone, content)
                continue
            owners = self._object(content, f"зона «{zone.name}»", f"zone “{zone.name}”")
            self._known(owners, self.seats, f"зона «{zone.name}»", f"zone “{zone.name}”")
            for seat, place in self.seats.items():
                yield (zone.name, place), self._cards(zone, owners.get(seat, []))

    def _cards(self, zone: ir.Zone, data: object) -> tuple[Laid, ...]:
        ru, en = f"зона «{zone.name}»", f"zone “{zone.name}”"
        found = [laid for item in self._list(data, ru, en) if (laid := self._laid(zone, item)) is not None]
        if len(found) > zone.capacity:
            self.wrong(
                IMPOSSIBLE,
                f"{ru}: карт {len(found)}, а помещается {zone.capacity}",
                f"{en}: {len(found)} cards, but it holds {zone.capacity}",
            )
        return tuple(found if zone.pile else sorted(found))

    def _laid(self, zone: ir.Zone, data: object) -> Laid | None:
        name, by = data, None
        if isinstance(data, Mapping):
            name, by = data.get("card"), data.get("by")
            if not set(data) <= {"card", "by"} or (by is not None and not zone.authors):
                self.wrong(
                    MALFORMED,
                    f"зона «{zone.name}»: карта записана не так: {dict(data)}",
                    f"zone “{zone.name}”: a card is written in the wrong way: {dict(data)}",
                )
                return None
        card, author = self._named(self.cards, name), self._named(self.seats, by)
        if card is None or (by is not None and author is None):
            wrong = name if card is None else by
            self.wrong(
                UNKNOWN_NAME, f"зона «{zone.name}»: нет имени «{wrong}»", f"zone “{zone.name}”: there is no “{wrong}”"
            )
            return None
        return Laid(card, author)

    def _named(self, names: Mapping[str, int], name: object) -> int | None:
        return names.get(name) if isinstance(name, str) else None

    def _conserved(self, zones: tuple[ZoneEntry, ...]) -> None:
        """Every card of the deck in exactly one zone, no other card anywhere."""
        names = self.norms.sort(self.norms.card_sort).values
        lying = [laid.card for _, cards in zones for laid in cards]
        deck = self.norms.deck or tuple(range(len(names)))
        for card, name in enumerate(names):
            times = lying.count(card)
            if card not in deck and times:
                self.wrong(IMPOSSIBLE, f"карты «{name}» нет в этой колоде", f"card “{name}” is not in this deck")
            elif card in deck and times > 1:
                self.wrong(
                    IMPOSSIBLE, f"карта «{name}» лежит в {times} местах", f"card “{name}” lies in {times} places"
                )
            elif card in deck and not times and self.norms.zones:
                self.wrong(IMPOSSIBLE, f"карта «{name}» нигде не лежит", f"card “{name}” lies nowhere")

    # -------------------------------------------------------------------------------------------- registers

    def _registers(self, data: object, registers: tuple[ir.Register, ...]) -> Iterator[CellEntry]:
        given = self._object(data, "registers", "registers")
        self._known(given, {register.name: register for register in registers}, "ячейки", "registers")
        for register in registers:
            if _is_record(self.norms, register):
                yield from self._cells(register, given.get(register.name, {}), (), sparse=True)
            elif register.name in given:
                yield from self._cells(register, given[register.name], ())
            else:
                self.wrong(
                    MALFORMED,
                    f"нет значения ячейки «{register.name}»",
                    f"there is no value for register “{register.name}”",
                )

    def _cells(
        self, register: ir.Register, data: object, index: tuple[int, ...], sparse: bool = False
    ) -> Iterator[CellEntry]:
        """Cells of a register; of a `sparse` one what is not listed is «no»."""
        ru, en = f"ячейка «{register.name}»", f"register “{register.name}”"
        if len(index) == len(register.index):
            yield (register.name, index), self._value(register, data)
            return
        names = self.norms.sort(register.index[len(index)]).values
        given = self._object(data, ru, en)
        self._known(given, dict.fromkeys(names), ru, en)
        for place, name in enumerate(names):
            if name in given or sparse:
                empty: object = False if len(index) + 1 == len(register.index) else {}
                yield from self._cells(register, given.get(name, empty), (*index, place), sparse)
            else:
                self.wrong(MALFORMED, f"{ru}: нет значения для «{name}»", f"{en}: there is no value for “{name}”")

    def _value(self, register: ir.Register, data: object) -> int | None:
        match register.type:
            case ir.Truth():
                if isinstance(data, bool):
                    return int(data)
            case ir.Whole(low=low, high=high, optional=optional):
                if data is None and optional:
                    return None
                if isinstance(data, int) and not isinstance(data, bool):
                    if (low is None or low <= data) and (high is None or data <= high):
                        return data
            case ir.Member(sort=sort, optional=optional):
                if data is None and optional:
                    return None
                values = self.norms.sort(sort).values
                if isinstance(data, str) and data in values:
                    return values.index(data)
            case _:
                assert_never(register.type)
        self.wrong(
            OUT_OF_RANGE,
            f"ячейка «{register.name}» не может хранить {data!r}",
            f"register “{register.name}” cannot hold {data!r}",
        )
        return None

    # --------------------------------------------------------------------------------------------- switches

    def _switches(self, data: object) -> tuple[str, ...]:
        known = set(self.norms.switches)
        found: list[str] = []
        for name in self._list(data, "switches", "switches"):
            if isinstance(name, str) and name in known:
                found.append(name)
            else:
                self.wrong(UNKNOWN_NAME, f"нет переключателя «{name}»", f"there is no switch “{name}”")
        return tuple(sorted(set(found)))
