"""Types of slots: stated, or inferred from the definitions when first needed; a cycle among them is reported."""

from __future__ import annotations

from dataclasses import replace

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.lower import codes, typing
from svod.norms.lower.scope import Scope, Typed
from svod.norms.lower.world import Moment, Slot
from svod.source import Span

CHAIN_MAX = 60
"""Longest chain of terms that read each other, or of exceptions: what evaluates them goes this deep."""


def slot_type(scope: Scope, slot: Slot, span: Span) -> ir.Type | None:
    """The slot's type; None if it cannot be told (reported here for a cycle, otherwise where the slot is defined)."""
    if slot.type is not None or slot.failed:
        return slot.type
    if slot.busy:
        scope.report(
            codes.TERM_CYCLE,
            Text(
                f"термин «{slot.name}» определяется через самого себя",
                f"the term “{slot.name}” is defined through itself",
            ),
            span,
            Text(
                "если это не так, укажите его тип: `термин имя: тип := …`",
                "if it is not, state its type: `define name: type := …`",
            ),
        )
        return None
    if sum(each.busy for each in scope.world.slots.values()) > CHAIN_MAX:
        scope.report(
            codes.LONG_CHAIN,
            Text(
                f"до термина «{slot.name}» цепочка слишком длинна", f"the chain to the term “{slot.name}” is too long"
            ),
            span,
        )
        return None
    slot.busy = True
    slot.type = _inferred(scope, slot)
    slot.failed = slot.type is None
    slot.busy = False
    return slot.type


def definition_scope(scope: Scope, slot: Slot, words: tuple[str, ...], rule: str) -> Scope:
    """Scope of one definition: its words for the parameters stand for the slot's parameters."""
    bound = dict(zip(words, slot.parameters, strict=False))
    names = frozenset(parameter.name for parameter in slot.parameters)
    return replace(scope, rule=rule, moment=Moment.STATE, bound=bound, reserved=names)


def _inferred(scope: Scope, slot: Slot) -> ir.Type | None:
    quiet = Problems()
    waiting = list(slot.definitions)
    joined: ir.Type | None = None
    for _ in range(2):  # a definition like «нет» or «6» is read by the type of the others, so it may have to wait
        left = []
        for definition in waiting:
            inner = definition_scope(
                replace(scope, problems=quiet), slot, definition.definition.parameters, definition.rule
            )
            typed: Typed | None = inner.lower(definition.definition.value, joined)
            if typed is None:
                left.append(definition)
                continue
            type_ = typed.type if yields_none(typed) else typing.present(typed.type)
            joined = type_ if joined is None else typing.join(joined, type_) or joined
        waiting = left
    for diagnostic in quiet:
        if diagnostic.code in (codes.TERM_CYCLE, codes.LONG_CHAIN):
            scope.problems.add(diagnostic)
    return joined


def yields_none(typed: Typed) -> bool:
    """Whether «нет» is meant as a value: it is written out, or a term that states it is read.

    A register or an author that happens to be «нет» gives a slot no value: the slot has a hole then, unless the
    rulebook states its type with «или нет».
    """
    return typing.is_optional(typed.type) and _states_none(typed.expression)


def _states_none(expression: ir.Expression) -> bool:
    match expression:
        case ir.Nothing() | ir.ReadTerm():
            return True
        case ir.Choose():
            return _states_none(expression.then) or _states_none(expression.otherwise)
        case ir.Before():
            return _states_none(expression.of)
        case _:
            return False
