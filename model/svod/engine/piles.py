"""Conditions about who laid the cards of a pile → one pass over its authors instead of a search for every card."""

from __future__ import annotations

from svod.engine.core import Core, Scope
from svod.engine.text import both, chosen
from svod.engine.walk import conjuncts, mentions
from svod.norms import ir


def seats_that_laid(
    printer: Core, card: ir.Variable, where: ir.Expression, seat: ir.Variable, scope: Scope
) -> str | None:
    """The seats for which some card of a pile was laid by them, as a mask; `None` if that is not what is asked."""
    parts = conjuncts(where)
    if len(parts) != 2 or not isinstance(parts[0], ir.InZone) or parts[0].card != card:
        return None
    zone = parts[0].zone
    author = ir.Author(card, zone)
    wanted = (ir.Compare(ir.Relation.EQUAL, author, seat), ir.Compare(ir.Relation.EQUAL, seat, author))
    if parts[1] not in wanted or (zone.owner is not None and (mentions(zone.owner, seat.name))):
        return None
    if printer.absent(zone):
        return "0"
    fields = [printer.zone_field(zone, field, scope) for field in ("authors", "length")]
    call = f"{_function(printer)}({scope.array}, {', '.join(f.text for f in fields)})"
    return chosen(both(*(c for f in fields for c in f.conditions)), call, "0")


def _function(printer: Core) -> str:
    full = printer.full(printer.world.norms.seats)

    def build(name: str) -> list[str]:
        return [
            f"def {name}(S, authors, length):",
            "    # seats that laid a card of the pile, as a mask",
            "    m = 0",
            "    i = authors + S[length]",
            "    while i > authors:",
            "        i -= 1",
            "        m |= 1 << S[i]",
            f"    return m & {full}",
        ]

    return printer.text.function("seats_that_laid", "seats_that_laid", build)
