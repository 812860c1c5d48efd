"""Parameters, sorts, products, seats and variables of a rulebook, at chosen parameter values, into the `World`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes, constants
from svod.norms.lower.placed import Placed
from svod.norms.lower.world import World, declare, report_unknown, suggestion
from svod.rulebook.names import CARD_SORT
from svod.source import Span
from svod.syntax import tree

VALUES_MAX = 62
"""Largest number of values of a sort: a set of them is one machine word."""


def declare_parameters(world: World, placed: Sequence[Placed], chosen: Mapping[str, int]) -> list[ir.Unbounded]:
    """Give every parameter its value; those that the text never bounds are returned."""
    unbounded = []
    for each in placed:
        if isinstance(each.statement, tree.ParameterDeclaration) and declare(
            world, each.statement.name, each.rule, each.statement.span
        ):
            _parameter(world, each.statement, each.rule, chosen)
            if each.statement.values is None:
                unbounded.append(ir.Unbounded(each.statement.name, each.rule, each.statement.span))
    for name in chosen:
        if name not in world.parameters:
            world.problems.report(
                codes.PARAMETER_VALUE,
                Text(f"параметра «{name}» в своде нет", f"the rulebook has no parameter “{name}”"),
                None,
                help=suggestion(name, set(world.parameters)),
            )
    return unbounded


def _parameter(world: World, declaration: tree.ParameterDeclaration, rule: str, chosen: Mapping[str, int]) -> None:
    values = declaration.values
    value = chosen.get(declaration.name)
    if value is None and values:
        value = values[0]
    if values == ():
        world.problems.report(
            codes.RANGE,
            Text(f"диапазон параметра «{declaration.name}» пуст", f"the range of “{declaration.name}” is empty"),
            declaration.span,
            rule=rule,
            help=Text("сначала меньшее число: `2..8`", "the smaller number goes first: `2..8`"),
        )
        value = 2  # so that the rest can still be looked at
    elif value is None:
        world.problems.report(
            codes.PARAMETER_VALUE,
            Text(
                f"параметр «{declaration.name}» в тексте не ограничен: дайте ему значение",
                f"the text does not bound the parameter “{declaration.name}”: give it a value",
            ),
            declaration.span,
            rule=rule,
        )
        value = 2  # so that the rest can still be looked at
    elif values is not None and value not in values:
        allowed = ", ".join(map(str, values))
        world.problems.report(
            codes.PARAMETER_VALUE,
            Text(
                f"«{declaration.name}» = {value}, а свод допускает {allowed}",
                f"“{declaration.name}” = {value}, but the rulebook allows {allowed}",
            ),
            declaration.span,
            rule=rule,
        )
    world.parameters[declaration.name] = value


def declare_sorts(world: World, placed: Sequence[Placed]) -> None:
    """Sorts and orders whose condition holds, seats, products, then variables."""
    declarations: dict[str, list[tuple[Placed, tree.SortDeclaration]]] = {}
    for each in placed:
        if isinstance(each.statement, tree.SortDeclaration):
            declarations.setdefault(each.statement.name, []).append((each, each.statement))
    for name, found in declarations.items():
        if declare(world, name, found[0][0].rule, found[0][1].span):
            _sort(world, name, found)
    for each in placed:
        if isinstance(each.statement, tree.SeatsDeclaration):
            _seats(world, each.statement, each.rule)
    for each in placed:
        if isinstance(each.statement, tree.ProductDeclaration):
            _product(world, each.statement, each.rule)


def _sort(world: World, name: str, found: list[tuple[Placed, tree.SortDeclaration]]) -> None:
    holding = [
        (each, declaration)
        for each, declaration in found
        if constants.condition(declaration.condition, world.parameters, each.rule, world.problems)
    ]
    first = found[0]
    if not holding:
        world.problems.report(
            codes.SORT_WITHOUT_VALUES,
            Text(
                f"при этих параметрах у сорта «{name}» нет значений",
                f"at these parameters the sort “{name}” has no values",
            ),
            first[1].span,
            rule=first[0].rule,
        )
        holding = [first]
    for each, declaration in holding[1:]:
        world.problems.report(
            codes.DECLARED_TWICE,
            Text(
                f"при этих параметрах сорт «{name}» объявлен дважды", f"at these parameters “{name}” is declared twice"
            ),
            declaration.span,
            rule=each.rule,
        )
    each, declaration = holding[0]
    report_repeated(world, name, declaration.values, each.rule, declaration.span)
    is_feasible(world, name, len(declaration.values), each.rule, declaration.span)  # the rest can be looked at anyway
    world.add_sort(ir.Sort(name, declaration.values, ordered=declaration.ordered))


def report_repeated(world: World, name: str, values: Sequence[str], rule: str, span: Span) -> None:
    """Report a value that stands twice among those of one sort."""
    repeated = sorted({value for value in values if values.count(value) > 1})
    if repeated:
        value = repeated[0]
        world.problems.report(
            codes.DECLARED_TWICE,
            Text(f"значение «{value}» у сорта «{name}» повторяется", f"the value “{value}” of “{name}” occurs twice"),
            span,
            rule=rule,
        )


def _seats(world: World, declaration: tree.SeatsDeclaration, rule: str) -> None:
    if not declare(world, declaration.name, rule, declaration.span):
        return
    if world.seats:
        world.problems.report(
            codes.DECLARED_TWICE,
            Text("места уже объявлены", "seats are declared already"),
            declaration.span,
            rule=rule,
        )
        return
    count = world.parameters.get(declaration.parameter)
    if count is None:
        known = set(world.parameters)
        kind = ("параметр", "parameter")
        report_unknown(
            world, world.problems, kind, declaration.parameter, known, declaration.span, rule, codes.UNKNOWN_NAME
        )
        count = 2
    if not is_feasible(world, declaration.name, count, rule, declaration.span):
        count = 2  # so that the rest can still be looked at
    world.seats = declaration.name
    world.seats_parameter = declaration.parameter
    names = tuple(f"{declaration.prefix}{number}" for number in range(1, count + 1))
    world.add_sort(ir.Sort(declaration.name, names, ring=True, seats=True))


def _product(world: World, declaration: tree.ProductDeclaration, rule: str) -> None:
    if not declare(world, declaration.name, rule, declaration.span):
        return
    for factor in declaration.factors:
        if factor not in world.sorts:
            known = set(world.sorts)
            kind = ("сорт", "sort")
            report_unknown(world, world.problems, kind, factor, known, declaration.span, rule, codes.UNKNOWN_NAME)
            world.broken.add(declaration.name)
            return
    first, second = (world.sorts[factor] for factor in declaration.factors)
    if not is_feasible(world, declaration.name, len(first.values) * len(second.values), rule, declaration.span):
        world.broken.add(declaration.name)
        return
    # the second factor is the slowest: cards go suit by suit, ranks ascending inside a suit
    pairs = [(a, b) for b, a in product(range(len(second.values)), range(len(first.values)))]
    values = tuple(first.values[a] + second.values[b] for a, b in pairs)
    world.add_sort(ir.Sort(declaration.name, values, factors=declaration.factors, components=tuple(pairs)))


def is_feasible(world: World, name: str, count: int, rule: str, span: Span) -> bool:
    """Whether a sort may have so many values; reported if not."""
    if 1 <= count <= VALUES_MAX:
        return True
    world.problems.report(
        codes.TOO_LARGE,
        Text(
            f"у сорта «{name}» было бы значений: {count}, а бывает от 1 до {VALUES_MAX}",
            f"the sort “{name}” would have {count} values, 1 to {VALUES_MAX} are allowed",
        ),
        span,
        rule=rule,
    )
    return False


def choose_card_sort(world: World) -> None:
    """The sort of cards: the one called so in the rulebook's language, else the only product."""
    products = [sort.name for sort in world.sorts.values() if sort.factors]
    named = CARD_SORT[world.language]
    if named in world.sorts:
        world.card_sort = named
    elif len(products) == 1:
        world.card_sort = products[0]


def reduce_cards(world: World, cards: Sequence[str], mentioned: set[str]) -> tuple[int, ...]:
    """Keep only these cards and those that clauses mention; the numbers of `cards` in the sort that is left."""
    sort = world.sorts[world.card_sort]
    for card in cards:
        if card not in sort.values:
            world.problems.report(
                codes.UNKNOWN_CARD,
                Text(f"карты «{card}» в своде нет", f"the rulebook has no card “{card}”"),
                None,
                help=suggestion(card, set(sort.values)),
            )
    kept = [index for index, value in enumerate(sort.values) if value in cards or value in mentioned]
    for value in sort.values:
        world.values[value] = [found for found in world.values[value] if found[0] != sort.name]
        if not world.values[value]:
            del world.values[value]
    reduced = ir.Sort(
        sort.name,
        tuple(sort.values[index] for index in kept),
        ordered=sort.ordered,
        factors=sort.factors,
        components=tuple(sort.components[index] for index in kept) if sort.components else (),
    )
    world.add_sort(reduced)
    return tuple(index for index, value in enumerate(reduced.values) if value in cards)


def declare_variables(world: World, placed: Sequence[Placed]) -> None:
    """Words that are variables of a sort."""
    for each in placed:
        statement = each.statement
        if not isinstance(statement, tree.VariablesDeclaration):
            continue
        if statement.sort not in world.sorts:
            known = set(world.sorts)
            kind = ("сорт", "sort")
            report_unknown(
                world, world.problems, kind, statement.sort, known, statement.span, each.rule, codes.UNKNOWN_NAME
            )
            world.broken.update(statement.names)
            continue
        for name in statement.names:
            if declare(world, name, each.rule, statement.span):
                world.variables[name] = statement.sort
