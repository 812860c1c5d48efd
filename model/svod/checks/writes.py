"""In: norms. Out: what is ever written into a truth register, and what a guard demands outright."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.usage import nodes
from svod.norms import ir


def truths_written(norms: ir.Norms, register: str) -> dict[bool, tuple[str, ...]]:
    """Truth value → numbers of the items that may write it; a value worked out in play counts as either."""
    found: dict[bool, dict[str, None]] = {True: {}, False: {}}
    for clause in norms.clauses:
        for node in nodes(clause):
            if isinstance(node, ir.Assign) and node.register == register:
                known = node.value.value if isinstance(node.value, ir.Boolean) else None
                for truth in (True, False):
                    if known is None or known is truth:
                        found[truth][clause.head.rule] = None
            elif isinstance(node, ir.Post) and node.register == register:
                found[True][clause.head.rule] = found[False][clause.head.rule] = None
    return {truth: tuple(rules) for truth, rules in found.items()}


def only_ever_set(norms: ir.Norms, register: ir.Register) -> bool:
    """Whether the register is a truth that starts as no, that rules set to yes, and that nothing sets back: no clause,
    no stage that begins anew, no restoration."""
    if not isinstance(register.type, ir.Truth) or register.stage is not None or is_record(norms, register):
        return False
    if register.initial != ir.Boolean(False):
        return False
    written = truths_written(norms, register.name)
    restored = not register.outside_frame and any(isinstance(node, ir.Restore) for node in nodes(norms.clauses))
    return bool(written[True]) and not written[False] and not restored


def is_record(norms: ir.Norms, register: ir.Register) -> bool:
    """Whether it is the record of breaches, which steps write themselves."""
    return norms.catalogue is not None and norms.catalogue.record == register.name


def conjuncts(guard: ir.Expression) -> Iterator[ir.Expression]:
    """The conditions of a guard, all of which have to be met."""
    if isinstance(guard, ir.And):
        for part in guard.parts:
            yield from conjuncts(part)
    elif guard != ir.Boolean(True):
        yield guard
