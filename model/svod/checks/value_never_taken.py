"""A value that its register declares and never takes: a stage that is never begun, an outcome that never comes about.

Only what is certain from the wording: all writes of the register, its first value included, name their value outright.
"""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.usage import nodes
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding
from svod.norms import ir

NEVER_TAKEN = Code(
    "X010",
    Text("значение, которого ячейка не принимает", "value that its register never takes"),
    Text(
        "Ячейка (или этап, или шаг) объявлена с этим значением, но ни одна клауза его не записывает. Что должно "
        "случиться при нём, не случится никогда: либо недостаёт правила, либо значение лишнее.",
        "The register (or stage, or step) is declared with this value and no clause ever writes it. Whatever should "
        "happen then never happens: either a rule is missing or the value is superfluous.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    norms = subject.norms
    for register in norms.registers:
        if not isinstance(register.type, ir.Member) or not _is_own(norms, register.type.sort):
            continue
        taken = _taken(norms, register)
        if taken is None:
            continue
        for number, value in enumerate(norms.sort(register.type.sort).values):
            if number in taken:
                continue
            rules = dict.fromkeys((register.rule, *_awaiting(norms, register.name, number)))
            yield static_finding(
                NEVER_TAKEN,
                subject.scope,
                rules,
                Text(f"«{register.name}» никогда не {value}", f"“{register.name}” is never {value}"),
                Text(
                    f"ни одна клауза не записывает в «{register.name}» значение {value}",
                    f"no clause writes {value} into “{register.name}”",
                ),
            )


def _is_own(norms: ir.Norms, sort: str) -> bool:
    """Whether the sort belongs to one register alone."""
    types = [*(register.type for register in norms.registers), *(term.type for term in norms.terms)]
    users = [each for each in types if isinstance(each, ir.Member) and each.sort == sort]
    variables = any(isinstance(node, ir.Variable) and node.sort == sort for node in nodes(norms.clauses))
    return len(users) == 1 and not variables


def _taken(norms: ir.Norms, register: ir.Register) -> set[int] | None:
    """Values that are written outright; None if something else may be written, or nothing at all (another finding)."""
    written = [n.value for n in nodes(norms.clauses) if isinstance(n, ir.Assign) and n.register == register.name]
    if not written:
        return None
    written.append(register.initial)
    taken: set[int] = set()
    while written:
        match written.pop():
            case ir.Value(index=index):
                taken.add(index)
            case ir.Nothing():
                pass
            case ir.Choose(then=then, otherwise=otherwise):
                written += [then, otherwise]
            case _:
                return None
    return taken


def _awaiting(norms: ir.Norms, register: str, value: int) -> Iterator[str]:
    """Rules whose clauses ask whether the register has the value."""
    for clause in norms.clauses:
        for node in nodes(clause):
            if isinstance(node, ir.Compare):
                sides = (node.left, node.right)
                reads = any(isinstance(side, ir.ReadRegister) and side.register == register for side in sides)
                if reads and any(isinstance(side, ir.Value) and side.index == value for side in sides):
                    yield clause.head.rule


CHECK = Check(NEVER_TAKEN, run)
