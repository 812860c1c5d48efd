"""Book and its norms → what a game cannot do without: seats, cards, something to do. Reported where it is missing."""

from __future__ import annotations

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.lower.codes import NO_CARD_SORT
from svod.rulebook.book import Book

NO_SEATS = Code(
    "N130",
    Text("нет мест за столом", "no seats at the table"),
    Text(
        "Играют на местах: объявите число игроков и места, например `параметр игроков: 2` и "
        "`места Игрок: игроков, имена П`.",
        "A game is played from seats: declare their number and the seats, say `parameter players: 2` and "
        "`seats Player: players, names P`.",
    ),
)
NO_ACTIONS = Code(
    "N131",
    Text("нечего делать", "nothing can be done"),
    Text(
        "В своде не объявлено ни одного действия и ни одного случая, поэтому партии нет. Объявите хотя бы одно.",
        "The rulebook declares neither an action nor an act of chance, so there is no play. Declare at least one.",
    ),
)


def check_playable(book: Book, norms: ir.Norms, problems: Problems) -> bool:
    """Whether a play can be thought of at all; False once a problem is reported (at the first item of the book)."""
    lacking = [
        (not norms.seats, NO_SEATS, Text("в своде нет мест для игроков", "the rulebook has no seats for players")),
        (not norms.card_sort, NO_CARD_SORT, Text("в своде нет карт", "the rulebook has no cards")),
        (not norms.zones, NO_CARD_SORT, Text("в своде нет зон для карт", "the rulebook has no zones for cards")),
        (not norms.actions, NO_ACTIONS, Text("в своде нет ни одного действия", "the rulebook has no action")),
    ]
    found = [(code, message) for lacks, code, message in lacking if lacks]
    first = book.items[0] if book.items else None
    for code, message in found:
        span, rule = (None, None) if first is None else (first.span, first.number)
        problems.report(code, message, span, rule=rule)
    return not found
