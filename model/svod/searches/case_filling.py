"""In: what a case tells of the past, and cells. Out: the cells filled by it, and how it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TypeAlias

from svod.norms import ir
from svod.norms.trace import Laid
from svod.searches.case_facts import SUBJECT, Telling, Told, read_past, summands
from svod.searches.case_reading import language_of
from svod.searches.case_words import Call, call
from svod.searches.cases import Complaints, Path, Table, Unreadable

Cell: TypeAlias = tuple[str, tuple[int, ...]]
Cells: TypeAlias = dict[Cell, int | None]


def fill(
    table: Table,
    position: Mapping[str, object],
    cells: Cells,
    told_cells: set[Cell],
    zones: Mapping[tuple[str, int | None], tuple[Laid, ...]],
    complaints: Complaints,
) -> Telling:
    """Fill the cells that the telling of the past speaks of."""
    facts = position.get("facts")
    listed = facts if isinstance(facts, list) else [] if facts is None else [facts]
    lying = {name for (name, _), cards in zones.items() if cards}
    told: list[Told] = []
    unread: list[str] = []
    rules: list[str] = []
    sayings = [
        replace(each, sets=()) if lying & set(each.empty) else each
        for each in table.layout.sayings
        if each.phase in (None, position.get("phase"))
    ]
    for place, fact in enumerate(listed):
        path: Path = ("position", "facts", place)
        try:
            if isinstance(fact, Mapping):
                past = Telling(tuple(_stated(table, fact)), ())
            else:
                past = read_past([str(fact)], sayings, language_of(table), table.meaning)
            happened = [each for each in past.told if _held(each, zones)]
            for each in happened:
                _fill(table, each, cells, told_cells)
            told += happened
            unread += past.unread
            rules += past.rules
        except Unreadable as wrong:
            complaints.add(wrong, path)
    return Telling(tuple(told), tuple(unread), tuple(rules))


def _held(told: Told, zones: Mapping[tuple[str, int | None], tuple[Laid, ...]]) -> bool:
    """Whether the player holds as many cards as he has to for this to be so."""
    seat = told.named.get(SUBJECT)
    return all(len(zones.get((zone, seat), ())) == size for zone, size in told.holding)


def _stated(table: Table, fact: Mapping[object, object]) -> Iterator[Told]:
    """Cells given by name: «name: value», «name(A): value», or «name: {A: value}»."""
    for name, value in fact.items():
        place = call(str(name))
        place = Call(table.words.terms.get(place.name, place.name), place.arguments or ())
        if isinstance(value, Mapping):
            for inner, each in value.items():
                yield Told(Call(place.name, (*(place.arguments or ()), str(inner))), each, {})
        else:
            yield Told(place, value, {})


def _fill(table: Table, told: Told, cells: Cells, told_cells: set[Cell]) -> None:
    """Put the value into the cell; `others` are all players whom the cell does not name, `all` are all."""
    register = table.register(told.place.name)
    if register is None:
        raise Unreadable(f"в своде нет ячейки «{told.place.name}»", f"the rulebook has no register “{told.place.name}”")
    choices: list[list[int]] = []
    arguments = told.place.arguments or ()
    if len(arguments) != len(register.index):
        raise Unreadable(
            f"у «{register.name}» индексов: {len(register.index)}",
            f"“{register.name}” has {len(register.index)} indices",
        )
    for argument, sort in zip(arguments, register.index, strict=True):
        if argument in told.named:
            choices.append([told.named[argument]])
        elif argument == "all":
            choices.append(list(range(len(table.seats))))
        elif argument == "others":
            named = [told.named[each] for each in arguments if each in told.named]
            choices.append([seat for seat in range(len(table.seats)) if seat not in named])
        else:
            choices.append([_literal(table, sort, argument)])
    for index in product(*choices):
        cells[register.name, index] = _told_value(table, register, told, cells.get((register.name, index)) or 0)
        told_cells.add((register.name, index))


def _told_value(table: Table, register: ir.Register, told: Told, held: int) -> int | None:
    value = told.value
    if parts := summands(value):
        return sum(told.named[part] if part in told.named else int(part) if part else held for part in parts)
    if isinstance(value, str) and value in told.named:
        return told.named[value]
    kind = register.type
    if value is None and (isinstance(kind, ir.Truth) or not kind.optional):
        raise _never(register, value)
    if value is None:
        return None
    match kind:
        case ir.Truth() if isinstance(value, bool) or value in (0, 1):
            return int(bool(value))
        case ir.Whole(low=low, high=high) if isinstance(value, int) and not isinstance(value, bool):
            if (low is None or low <= value) and (high is None or value <= high):
                return value
        case ir.Member(sort=sort):
            return _literal(table, sort, str(value))
    raise _never(register, value)


def _never(register: ir.Register, value: object) -> Unreadable:
    return Unreadable(f"«{register.name}» не бывает «{value}»", f"“{register.name}” is never “{value}”")


def _literal(table: Table, sort: str, word: str) -> int:
    found = table.named(sort, word)
    if found is None:
        raise Unreadable(f"«{word}» — не {sort}", f"“{word}” is no {sort}")
    return found
