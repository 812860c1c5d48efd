"""A permission all of whose conditions another one demands only in part: it permits only what is permitted anyway.

Only what is certain from the wording is reported: the other's conditions are some of its own, word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from svod.checks.check import Check, Subject, static_finding
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding
from svod.norms import ir

SHADOWED_PERMISSION = Code(
    "X008",
    Text("разрешает уже разрешённое", "permits what is permitted anyway"),
    Text(
        "Другое разрешение того же действия требует лишь части условий этого и само ничем не ограничено. Значит, это "
        "разрешение ничего не добавляет: либо оно лишнее, либо одно из условий записано не так.",
        "Another permission of the same action demands only some of the conditions of this one and is not restricted "
        "otherwise. So this one adds nothing: either it is superfluous or a condition is not what was meant.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    permissions = [clause for clause in subject.norms.clauses if isinstance(clause, ir.Permission)]
    for place, narrow in enumerate(permissions):
        for other_place, wide in enumerate(permissions):
            equal = _conditions(narrow) == _conditions(wide) and narrow.strong == wide.strong
            if wide is narrow or not _covers(wide, narrow) or (equal and other_place > place):
                continue
            yield static_finding(
                SHADOWED_PERMISSION,
                subject.scope,
                dict.fromkeys((narrow.head.rule, wide.head.rule)),
                Text(
                    f"разрешение «{narrow.action}» из {narrow.head.rule} ничего не добавляет к {wide.head.rule}",
                    f"the permission of “{narrow.action}” in {narrow.head.rule} adds nothing to {wide.head.rule}",
                ),
                Text(
                    f"все условия {wide.head.id} стоят и в {narrow.head.id}",
                    f"every condition of {wide.head.id} is one of {narrow.head.id}",
                ),
            )
            break


def _covers(wide: ir.Permission, narrow: ir.Permission) -> bool:
    """Whether `wide` permits all that `narrow` does and at least as strongly, and no exception can stop it."""
    if wide.action != narrow.action or wide.head.exceptions or (narrow.strong and not wide.strong):
        return False
    return _conditions(wide) <= _conditions(narrow)


def _conditions(permission: ir.Permission) -> frozenset[ir.Expression]:
    """Conjuncts of the guard, with the parameters of the action under common names."""
    names = {variable.name: f"#{place}" for place, variable in enumerate(permission.head.variables)}
    return frozenset(_renamed(part, names) for part in _conjuncts(permission.head.guard))


def _conjuncts(guard: ir.Expression) -> Iterator[ir.Expression]:
    if isinstance(guard, ir.And):
        for part in guard.parts:
            yield from _conjuncts(part)
    elif guard != ir.Boolean(True):
        yield guard


_Node = TypeVar("_Node")


def _renamed(node: _Node, names: dict[str, str]) -> _Node:
    """The same structure with free variables renamed (variables of quantifiers have names of their own)."""
    if isinstance(node, ir.Variable):
        return replace(node, name=names.get(node.name, node.name))
    if isinstance(node, tuple):
        return tuple(_renamed(part, names) for part in node)  # type: ignore[return-value]
    if is_dataclass(node) and not isinstance(node, type):
        parts = {part.name: _renamed(getattr(node, part.name), names) for part in fields(node) if part.init}
        return replace(node, **parts)
    return node


CHECK = Check(SHADOWED_PERMISSION, run)
