"""Norms in, the same norms with a ledger that counts who was punished for what out; and what it says in a position."""

from __future__ import annotations

from dataclasses import replace

from svod.norms import ir
from svod.norms.trace import Position

PUNISHMENTS = "наказано:"  # a name that no rulebook can have: it holds a colon


def watched(norms: ir.Norms) -> ir.Norms:
    """The norms with a ledger over (seats, numbers of the catalogue); nothing in them reads it."""
    catalogue = norms.catalogue
    if catalogue is None:
        return norms
    offender, number = ir.Variable("наказанный", norms.seats), ir.Variable("номер", catalogue.sort)
    ledger = ir.Register(
        PUNISHMENTS,
        (norms.seats, catalogue.sort),
        ir.Whole(None, None),
        ir.Number(0),
        catalogue.rule,
        ledger=True,
        outside_frame=True,
    )
    counting = ir.Trigger(
        ir.Head(PUNISHMENTS, catalogue.rule, (offender, number), ir.Boolean(True)),
        ir.OnEvent(catalogue.punished, (offender.name, number.name)),
        (ir.Post(PUNISHMENTS, (offender, number), ir.Number(1)),),
    )
    return replace(norms, registers=(*norms.registers, ledger), clauses=(*norms.clauses, counting))


def forgetting(position: Position) -> Position:
    """The position with nobody punished so far."""
    registers = tuple((cell, 0 if cell[0] == PUNISHMENTS else value) for cell, value in position.registers)
    return replace(position, registers=registers)


def punishments(position: Position) -> dict[tuple[int, int], int]:
    """(offender, number) → how often he has been punished for it, where he has."""
    return {(index[0], index[1]): n for (name, index), n in position.registers if name == PUNISHMENTS and n}


def unwatched(position: Position) -> Position:
    """The position without that ledger."""
    return replace(position, registers=tuple(cell for cell in position.registers if cell[0][0] != PUNISHMENTS))
