"""In: a book. Out: the parameters that it declares, with their values and which of them is the number of seats."""

from __future__ import annotations

from dataclasses import dataclass

from svod.rulebook.book import Book
from svod.syntax import tree

UNBOUNDED_SEATS = tuple(range(2, 9))
"""Numbers of players that the tools accept where the text gives no bounds."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. `values` is None where the text gives no bounds; `seats`: it is the number of players."""

    name: str
    values: tuple[int, ...] | None
    seats: bool
    rule: str

    @property
    def choices(self) -> tuple[int, ...]:
        """Values that may be asked for."""
        if self.values is not None:
            return self.values
        return UNBOUNDED_SEATS if self.seats else ()

    @property
    def default(self) -> int | None:
        """The first value."""
        return self.choices[0] if self.choices else None


def parameters_of(book: Book) -> tuple[Parameter, ...]:
    """Parameters in text order; one declared twice counts as the last says."""
    statements = [(item.number, statement) for item in book.items for statement in item.statements]
    seats = {s.parameter for _, s in statements if isinstance(s, tree.SeatsDeclaration)}
    found: dict[str, Parameter] = {}
    for rule, statement in statements:
        if isinstance(statement, tree.ParameterDeclaration):
            found[statement.name] = Parameter(statement.name, statement.values, statement.name in seats, rule)
    return tuple(found.values())
