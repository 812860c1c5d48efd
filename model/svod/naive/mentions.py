"""From an expression to the expressions inside it, and from there to what a clause speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from svod.norms import ir


def parts(node: object) -> Iterator[object]:
    """The node and everything below it."""
    yield node
    if isinstance(node, tuple):
        for item in node:
            yield from parts(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            yield from parts(getattr(node, field.name))


def conjuncts(guard: ir.Expression) -> Iterator[ir.Expression]:
    """The conditions that have to be met together."""
    if isinstance(guard, ir.And):
        for part in guard.parts:
            yield from conjuncts(part)
    else:
        yield guard


def speaks_of_before(norms: ir.Norms, invariant: ir.Invariant) -> bool:
    """Whether the invariant, or a term that it reads, compares with an earlier state."""
    seen: set[str] = set()
    waiting: list[object] = [invariant.head.guard, invariant.holds]
    while waiting:
        for part in parts(waiting.pop()):
            if isinstance(part, ir.Before):
                return True
            if isinstance(part, ir.ReadTerm) and part.term not in seen:
                seen.add(part.term)
                for clause in norms.clauses:
                    if isinstance(clause, ir.TermClause) and clause.term == part.term:
                        waiting += [clause.head.guard, clause.value]
    return False
