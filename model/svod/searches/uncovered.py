"""In: what a survey met. Out: the kinds of breach that no number of the catalogue covers, one finding each."""

from __future__ import annotations

from collections.abc import Iterator

from svod.diagnostics import Code, Severity, Text
from svod.findings import Family
from svod.norms.trace import Act, Status
from svod.searches.plays import action_named, rules_of
from svod.searches.stops import Stop
from svod.searches.survey import Survey
from svod.searches.tables import Trail

UNCOVERED = Code(
    "F206",
    Text("нарушение без статьи", "a breach without a number"),
    Text(
        "Так поступить можно, правила этого не позволяют, а в перечне нарушений такого нет: непонятно, чего это стоит. "
        "Добавьте статью или скажите, что бывает за нарушение вне перечня.",
        "The act can be done and the rules do not allow it, yet the catalogue of violations has no number for it: "
        "nobody knows what it costs. Add a number, or say what follows from a breach outside the catalogue.",
    ),
    Severity.WARNING,
)


def uncovered(found: Survey) -> Iterator[tuple[Stop, Trail, Act]]:
    """A kind is an action and the rules that decide against it; the shortest play of each. A kind all of whose rules
    come up in kinds of the same act with fewer of them says nothing new."""
    norms = found.table.norms
    catalogue = norms.catalogue
    if catalogue is None:
        return
    best: dict[tuple[str, tuple[str, ...]], tuple[Trail, Act]] = {}
    for kind, chance in found.met.items():
        if kind.status is not Status.UNLAWFUL or catalogue.other not in kind.numbers:
            continue
        rules = rules_of(norms, kind.clauses) or (action_named(norms, kind.action).rule,)
        known = best.get((kind.action, rules))
        if known is None or len(chance.trail.acts) < len(known[0].acts):
            best[kind.action, rules] = (chance.trail, chance.act)
    told: dict[str, list[frozenset[str]]] = {}
    for (action, rules), (trail, act) in sorted(best.items(), key=lambda each: len(each[0][1])):
        known_rules = told.setdefault(action, [])
        if frozenset(rules) <= frozenset().union(*(fewer for fewer in known_rules if fewer <= frozenset(rules))):
            continue
        known_rules.append(frozenset(rules))
        listed = ", ".join(rules)
        title = Text(f"«{action}» вопреки {listed}: статьи нет", f"“{action}” against {listed}: no number")
        yield Stop(UNCOVERED, Family.GAP, rules, title, UNCOVERED.severity), trail, act
