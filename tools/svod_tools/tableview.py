"""In: a position and the seat that looks. Out: the table as the terminal draws it; hidden cards stay hidden."""

from __future__ import annotations

from rich.text import Text as Rich

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.trace import Laid, Position
from svod_tools import terminal

_SHOWN_MAX = 16


def table_text(norms: ir.Norms, position: Position, seat: int | None, language: str) -> Rich:
    """Zones with cards, then registers that hold something. `seat=None` sees everything (the game is over)."""
    text = Rich()
    declared = {zone.name: zone for zone in norms.zones}
    holding = {name for (name, _), cards in position.zones if cards}
    for (name, owner), cards in position.zones:
        zone = declared[name]
        if cards or (zone.owned and name in holding):
            text.append("  ").append_text(_zone(norms, zone, owner, cards, seat, language)).append("\n")
    kept = {register.name: register for register in norms.registers}
    secret = norms.catalogue.record if norms.catalogue is not None and seat is not None else None  # nobody tells
    held = [
        _register(norms, key, value)
        for key, value in position.registers
        if value is not None and key[0] in kept and key[0] != secret and not _at_zero(kept[key[0]], value)
    ]
    shown = [each for each in held if each]
    if shown:
        text.append("  " + "; ".join(shown), style="dim")
    return text


def hidden_cards(norms: ir.Norms, position: Position, seat: int | None) -> frozenset[int]:
    """Cards that this seat does not see."""
    declared = {zone.name: zone for zone in norms.zones}
    return frozenset(
        laid.card
        for (name, owner), cards in position.zones
        if _is_hidden(declared[name], owner, seat)
        for laid in cards
    )


def _is_hidden(zone: ir.Zone, owner: int | None, seat: int | None) -> bool:
    if seat is None or zone.visibility is ir.Visibility.ALL:
        return False
    return zone.visibility is ir.Visibility.NOBODY or owner != seat


def _zone(
    norms: ir.Norms, zone: ir.Zone, owner: int | None, cards: tuple[Laid, ...], seat: int | None, language: str
) -> Rich:
    seats = norms.sort(norms.seats).values
    name = zone.name.replace("_", " ") + (f" {seats[owner]}" if owner is not None else "")
    text = Rich(f"{name}: ", style="bold" if owner is not None and owner == seat else "")
    if _is_hidden(zone, owner, seat):
        return text.append(Text(f"карт {len(cards)}", f"{len(cards)} cards").in_language(language))
    if len(cards) > _SHOWN_MAX and zone.pile:
        text.append(f"({len(cards)}) … ")
        cards = cards[-_SHOWN_MAX:]
    values = norms.sort(zone.card_sort).values
    for laid in cards:
        text.append_text(terminal.value(values[laid.card]))
        if laid.author is not None:
            text.append(f"({seats[laid.author]})", style="dim")
        text.append(" ")
    return text if cards else text.append("—")


def _at_zero(register: ir.Register, value: int) -> bool:
    """Whether this is a counter or a sign, one for everybody, that is as it was at the start."""
    start = register.initial.value if isinstance(register.initial, ir.Number | ir.Boolean) else None
    counter = isinstance(register.type, ir.Whole) and value == 0
    return bool(register.index) and start == value and (counter or isinstance(register.type, ir.Truth))


def _register(norms: ir.Norms, key: tuple[str, tuple[int, ...]], value: int | None) -> str:
    name, index = key
    register = next(each for each in norms.registers if each.name == name)
    shown = str(value)
    match register.type:
        case ir.Member(sort) if value is not None:
            shown = norms.sort(sort).values[value]
        case ir.Truth():
            if not value and register.initial != ir.Boolean(True):
                return ""
            shown = "✓" if value else "✗"
        case _:
            pass
    places = " ".join(norms.sort(sort).values[each] for sort, each in zip(register.index, index, strict=True))
    return f"{name.replace('_', ' ')}{' ' + places if places else ''} = {shown}"
