"""Readings, variants, projections, check decks, acceptances, outcomes: what stands in the norms beside the clauses."""

from __future__ import annotations

from collections.abc import Sequence

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.placed import Placed
from svod.norms.lower.scope import Scope
from svod.norms.lower.world import World, report_unknown
from svod.syntax import tree


def readings(placed: Sequence[Placed]) -> tuple[ir.Reading, ...]:
    """Items that can be read in several ways."""
    return tuple(
        ir.Reading(
            each.rule,
            tuple((option.letter, option.label) for option in each.statement.options),
            each.statement.adopted,
            each.statement.reason,
        )
        for each in placed
        if isinstance(each.statement, tree.ReadingGroup)
    )


def variants(world: World, placed: Sequence[Placed]) -> tuple[ir.Variant, ...]:
    """House rules that can be switched on; a name or an item taken twice is reported."""
    result: dict[str, ir.Variant] = {}
    carried: dict[str, str] = {}
    for each in placed:
        if not isinstance(each.statement, tree.VariantDeclaration):
            continue
        name = each.statement.name
        rules = tuple(rule.number for rule in each.statement.rules)
        taken = [rule for rule in rules if rule in carried]
        if name in result or taken:
            what = name if name in result else taken[0]
            world.problems.report(
                codes.DECLARED_TWICE,
                Text(f"«{what}» уже в варианте", f"“{what}” belongs to a variant already"),
                each.statement.span,
                rule=each.rule,
            )
            continue
        carried.update(dict.fromkeys(rules, name))
        result[name] = ir.Variant(name, rules)
    return tuple(result.values())


def projections(world: World, placed: Sequence[Placed]) -> tuple[ir.Projection, ...]:
    """Named views of a state."""
    result = []
    for each in placed:
        if not isinstance(each.statement, tree.ProjectionDeclaration):
            continue
        zones, terms = [], []
        for member in each.statement.members:
            if member in world.zones:
                zones.append(member)
            elif member in world.slots:
                terms.append(member)
            else:
                known = {*world.zones, *world.slots}
                kind = ("зона или термин", "zone or term")
                span = each.statement.span
                report_unknown(world, world.problems, kind, member, known, span, each.rule, codes.UNKNOWN_NAME)
        result.append(ir.Projection(each.statement.name, tuple(zones), tuple(terms), each.rule))
    return tuple(result)


def outcomes(world: World, placed: Sequence[Placed]) -> tuple[ir.Outcome, ...]:
    """Slots read when the play is over."""
    named = (
        each.statement.name
        for each in placed
        if isinstance(each.statement, tree.SlotOption)
        and each.statement.kind == "outcome"
        and each.statement.name in world.slots
    )
    return tuple(ir.Outcome(name) for name in dict.fromkeys(named))


def acceptances(placed: Sequence[Placed]) -> tuple[ir.Acceptance, ...]:
    """Findings that the rulebook knows and leaves."""
    return tuple(
        ir.Acceptance(
            each.statement.code,
            tuple(rule.number for rule in each.statement.rules),
            each.statement.reason,
            each.rule,
            each.statement.span,
        )
        for each in placed
        if isinstance(each.statement, tree.Acceptance)
    )


def check_decks(scope: Scope, placed: Sequence[Placed]) -> ir.CheckDecks | None:
    """Reduced decks declared for checking, if any."""
    world = scope.world
    found: ir.CheckDecks | None = None
    for each in placed:
        if not isinstance(each.statement, tree.CheckDecksDeclaration):
            continue
        required = []
        for expression in each.statement.required:
            card = scope.wanted(expression, ir.Member(world.card_sort))
            if isinstance(card, ir.Value):
                required.append(card.index)
            elif card is not None:
                scope.report(
                    codes.NOT_CONSTANT,
                    Text("здесь нужна карта по имени", "a card by name is needed here"),
                    expression.span,
                )
        if found is not None:
            scope.report(
                codes.DECLARED_TWICE,
                Text("колоды для проверки уже объявлены", "decks for checking are declared already"),
                each.statement.span,
            )
        found = ir.CheckDecks(world.card_sort, tuple(sorted(required)), world.filled)
    return found
