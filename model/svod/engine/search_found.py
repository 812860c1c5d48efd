"""The notebook that searches write into, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from svod.engine.backend import Backend, Buffer
from svod.engine.program import Program
from svod.engine.search_table import NOTE_HEAD, NOTE_WIDTH, FoundKind, Note


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a search met, with the shortest way to it among those that it saw.

    `place`, `first`, `second` are numbers in the program's tables (−1: none); `where` is a row of the store (negative:
    of the opening) or the seed of a game; `act` the code of the last act (−1: none); `length` acts lead to it.
    """

    kind: FoundKind
    place: int
    first: int
    second: int
    length: int
    where: int
    act: int
    deck: int
    times: int
    arguments: tuple[int, ...]

    def place_name(self, program: Program) -> str | None:
        """The register, zone, term or clause."""
        return program.places[self.place] if self.place >= 0 else None

    def clause_ids(self, program: Program) -> tuple[str, ...]:
        """The clauses that it names."""
        if self.kind is FoundKind.INVARIANT:
            return (program.clauses[self.first],)
        if self.kind is FoundKind.DEAD_END:
            return ()
        return tuple(program.clauses[c] for c in (self.first, self.second) if c >= 0)


def notebook(backend: Backend, room: int) -> Buffer:
    """An empty notebook."""
    buffer = backend.buffer(NOTE_HEAD + room * NOTE_WIDTH)
    buffer[1] = room
    return buffer


def found_in(buffer: Buffer) -> tuple[Found, ...]:
    """What was noted, in the order in which it was first met."""
    return tuple(_found(buffer, NOTE_HEAD + i * NOTE_WIDTH) for i in range(buffer[0]))


def _found(buffer: Buffer, at: int) -> Found:
    values: Sequence[int] = [buffer[at + i] for i in range(NOTE_WIDTH)]
    count = values[Note.ARGUMENT_COUNT]
    return Found(
        kind=FoundKind(values[Note.KIND]),
        place=values[Note.PLACE],
        first=values[Note.FIRST],
        second=values[Note.SECOND],
        length=values[Note.LENGTH],
        where=values[Note.WHERE],
        act=values[Note.ACT],
        deck=values[Note.DECK],
        times=values[Note.TIMES],
        arguments=tuple(values[Note.ARGUMENTS : Note.ARGUMENTS + count]),
    )
