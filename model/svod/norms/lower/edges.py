"""Edges between rule numbers → exceptions of clauses and orders of triggers; cycles among them are reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.clauses import Lowered
from svod.norms.lower.slots import CHAIN_MAX
from svod.source import Span


def connect(clauses: Sequence[Lowered], numbers: set[str], problems: Problems) -> list[ir.Clause]:
    """The clauses with their exceptions and orders. Unknown numbers were reported with the book and are passed over."""
    exempts: dict[str, list[ir.Exempt]] = {}
    clauses = _with_places_bound(clauses)
    for each in clauses:
        for rule in each.edged.excepts:
            if rule.number not in numbers:
                continue
            targets = _excepted(each, [other for other in clauses if other.clause.head.rule == rule.number])
            for target in targets:
                edge = ir.Exempt(each.clause.head.id, _bindings(each.clause, target))
                exempts.setdefault(target.head.id, []).append(edge)
            if not targets:
                _nothing_to_except(each, rule.number, rule.span, problems)
    result = []
    for each in clauses:
        clause = _with_exceptions(each.clause, tuple(exempts.get(each.clause.head.id, ())))
        result.append(_with_order(clause, each, clauses, numbers, problems))
    _report_cycle(result, clauses, problems)
    _report_order_cycle(result, clauses, problems)
    return result


def _with_places_bound(clauses: Sequence[Lowered]) -> Sequence[Lowered]:
    """Where an excepting trigger names something at a place that its target leaves open («_»), the target gets a
    variable there: otherwise the exception would hold whatever stands at that place."""
    changed = {each.clause.head.id: each for each in clauses}
    for each in clauses:
        named = {rule.number for rule in each.edged.excepts}
        for target in _excepted(each, [other for other in clauses if other.clause.head.rule in named]):
            own = changed[target.head.id]
            changed[target.head.id] = replace(own, clause=_bound_as(own.clause, each.clause))
    return [changed[each.clause.head.id] for each in clauses]


def _bound_as(target: ir.Clause, by: ir.Clause) -> ir.Clause:
    """The target with a variable at every place that `by` binds."""
    if not isinstance(target, ir.Trigger) or not isinstance(by, ir.Trigger) or _subject(target) != _subject(by):
        return target
    match target.cause, by.cause:
        case (ir.OnAct() | ir.OnEvent() as cause, ir.OnAct() | ir.OnEvent() as other):
            pass
        case _:
            return target
    sorts = {variable.name: variable.sort for variable in by.head.variables}
    variables = list(target.head.variables)
    bindings = list(cause.bindings)
    for place, (mine, theirs) in enumerate(zip(cause.bindings, other.bindings, strict=True)):
        if mine is None and theirs is not None:
            name = theirs
            while any(variable.name == name for variable in variables):
                name += "′"
            variables.append(ir.Variable(name, sorts[theirs]))
            bindings[place] = name
    head = replace(target.head, variables=tuple(variables))
    return replace(target, head=head, cause=replace(cause, bindings=tuple(bindings)))


def _excepted(by: Lowered, others: Sequence[Lowered]) -> list[ir.Clause]:
    """Clauses of the named item that the edge means: those of the same kind of thing, else all of another kind."""
    clauses = [other.clause for other in others if other.clause is not by.clause]
    # an invariant or the end of the play speaks of no instance that a clause of another kind could take out of it
    whole = (ir.Invariant, ir.Ending)
    clauses = [each for each in clauses if not isinstance(each, whole) or type(each) is type(by.clause)]
    own = [clause for clause in clauses if _subject(clause) == _subject(by.clause)]
    if own:
        return own
    if _is_norm(by.clause):
        norms = [clause for clause in clauses if _is_norm(clause)]
        return [] if norms else clauses
    if isinstance(by.clause, ir.TermClause):
        return [] if any(isinstance(clause, ir.TermClause) for clause in clauses) else clauses
    same_kind: list[ir.Clause] = [clause for clause in clauses if type(clause) is type(by.clause)]
    return same_kind or clauses


def _is_norm(clause: ir.Clause) -> bool:
    return isinstance(clause, ir.Permission | ir.Prohibition | ir.Duty | ir.Violation)


def _subject(clause: ir.Clause) -> tuple[str, str] | None:
    """What the clause speaks about: a slot, an action, an act or event that triggers."""
    match clause:
        case ir.TermClause():
            return ("term", clause.term)
        case ir.Permission() | ir.Prohibition() | ir.Duty() | ir.Violation():
            return ("action", clause.action)
        case ir.Lapse():
            return ("lapse", clause.action)
        case ir.Trigger():
            match clause.cause:
                case ir.OnAct():
                    return ("act", clause.cause.action)
                case ir.OnEvent():
                    return ("event", clause.cause.event)
                case ir.OnEdge():
                    return ("edge", "")
                case _:
                    assert_never(clause.cause)
        case ir.Ending():
            return ("ending", "")
        case ir.Invariant():
            return ("invariant", "")
        case _:
            assert_never(clause)


def _bindings(by: ir.Clause, target: ir.Clause) -> tuple[tuple[str, str], ...]:
    """Pairs of variables: by position where both speak of one action, event or slot, else by name."""
    subject = _subject(by)
    if (
        subject == _subject(target)
        and subject is not None
        and subject[0] in ("term", "action", "lapse", "act", "event")
    ):
        pairs = zip(_places(by), _places(target), strict=True)
        placed = {first: second for first, second in pairs if first is not None and second is not None}
    else:
        placed = {}
    names = {variable.name: variable.sort for variable in target.head.variables}
    result = []
    for variable in by.head.variables:
        partner = placed.get(variable.name)
        if partner is None and variable.name not in placed and names.get(variable.name) == variable.sort:
            partner = variable.name
        if partner is not None:
            result.append((variable.name, partner))
    return tuple(result)


def _places(clause: ir.Clause) -> tuple[str | None, ...]:
    """The variable at each parameter of the slot, action or event."""
    match clause:
        case ir.Trigger():
            return () if isinstance(clause.cause, ir.OnEdge) else clause.cause.bindings
        case ir.Duty():
            own = {variable.name for variable in clause.head.variables}
            return tuple(
                argument.name if isinstance(argument, ir.Variable) and argument.name in own else None
                for argument in clause.arguments
            )
        case _:
            return tuple(variable.name for variable in clause.head.variables)


def _nothing_to_except(each: Lowered, number: str, span: Span, problems: Problems) -> None:
    problems.report(
        codes.NOTHING_TO_EXCEPT,
        Text(
            f"в {number} нет клаузы, которую это могло бы исключить", f"{number} has no clause that this could except"
        ),
        span,
        rule=each.clause.head.rule,
        help=Text(
            "исключение касается клауз о том же термине, действии или событии",
            "an exception is about the same term, action or event",
        ),
    )


def _with_exceptions(clause: ir.Clause, exceptions: tuple[ir.Exempt, ...]) -> ir.Clause:
    return replace(clause, head=replace(clause.head, exceptions=exceptions)) if exceptions else clause


def _with_order(
    clause: ir.Clause, each: Lowered, clauses: Sequence[Lowered], numbers: set[str], problems: Problems
) -> ir.Clause:
    after = [rule for rule in each.edged.after if rule.number in numbers]
    if not after:
        return clause
    if not isinstance(clause, ir.Trigger):
        problems.report(
            codes.ORDER_OF_TRIGGERS,
            Text("«после» говорят только о последствиях", "`after` is said of consequences only"),
            after[0].span,
            rule=clause.head.rule,
        )
        return clause
    for rule in after:
        triggers = [other for other in clauses if other.clause.head.rule == rule.number]
        if not any(isinstance(other.clause, ir.Trigger) for other in triggers):
            problems.report(
                codes.ORDER_OF_TRIGGERS,
                Text(
                    f"в {rule.number} нет последствий, после которых ждать",
                    f"{rule.number} has no consequence to wait for",
                ),
                rule.span,
                rule=clause.head.rule,
            )
    return replace(clause, after=tuple(rule.number for rule in after))


def _report_cycle(result: Sequence[ir.Clause], clauses: Sequence[Lowered], problems: Problems) -> None:
    graph = {clause.head.id: [exempt.by for exempt in clause.head.exceptions] for clause in result}
    cycle = find_cycle(graph)
    if cycle is None:
        _report_long_chain(graph, clauses, problems)
        return
    rules = {clause.head.id: clause.head.rule for clause in result}
    named = ", ".join(dict.fromkeys(rules[each] for each in cycle))
    first = next(each for each in clauses if each.clause.head.id == cycle[0])
    problems.report(
        codes.EXCEPTION_CYCLE,
        Text(f"исключения по кругу: {named}", f"exceptions form a circle: {named}"),
        first.edged.span,
        rule=rules[cycle[0]],
        help=Text(
            "решите, какой пункт сильнее, и уберите обратное ребро", "decide which item wins and drop the edge back"
        ),
    )


def _report_long_chain(graph: dict[str, list[str]], clauses: Sequence[Lowered], problems: Problems) -> None:
    chain = longest_chain(graph)
    if len(chain) > CHAIN_MAX:
        first = next(each for each in clauses if each.clause.head.id == chain[0])
        problems.report(
            codes.LONG_CHAIN,
            Text(
                f"исключения друг из друга идут цепочкой длиной {len(chain)}",
                f"exceptions of exceptions form a chain of {len(chain)}",
            ),
            first.edged.span,
            rule=first.clause.head.rule,
        )


def _report_order_cycle(result: Sequence[ir.Clause], clauses: Sequence[Lowered], problems: Problems) -> None:
    graph: dict[str, list[str]] = {}
    for clause in result:
        if isinstance(clause, ir.Trigger):
            graph.setdefault(clause.head.rule, []).extend(clause.after)
    cycle = find_cycle(graph)
    if cycle is None:
        return
    named = ", ".join(cycle)
    first = next(each for each in clauses if each.clause.head.rule == cycle[0])
    problems.report(
        codes.ORDER_CYCLE,
        Text(f"каждый ждёт другого: {named}", f"each waits for another: {named}"),
        first.edged.span,
        rule=cycle[0],
    )


def find_cycle(graph: dict[str, list[str]]) -> list[str] | None:
    """Nodes of one cycle in order, or None. Iterative: the graph may be deep."""
    done: set[str] = set()
    for root in graph:
        path: list[str] = []
        stack: list[tuple[str, int]] = [(root, 0)]
        while stack:
            node, place = stack.pop()
            if place == 0:
                if node in done:
                    continue
                if node in path:
                    return path[path.index(node) :]
                path.append(node)
            successors = graph.get(node, [])
            if place < len(successors):
                stack.append((node, place + 1))
                stack.append((successors[place], 0))
            else:
                path.pop()
                done.add(node)
    return None


def longest_chain(graph: dict[str, list[str]]) -> list[str]:
    """One longest path of a graph without cycles."""
    best: dict[str, list[str]] = {}
    stack = list(graph)
    while stack:
        node = stack[-1]
        waiting = [successor for successor in graph.get(node, ()) if successor not in best]
        if node in best or not waiting:
            stack.pop()
            tails = (best[successor] for successor in graph.get(node, ()))
            best.setdefault(node, [node, *max(tails, key=len, default=[])])
        else:
            stack += waiting
    return max(best.values(), key=len, default=[])
