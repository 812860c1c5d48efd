"""Catalogue of violations into the `World`: its sort, the record of open breaches, the event of a punishment."""

from __future__ import annotations

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.lower import codes
from svod.norms.lower.scope import Scope
from svod.norms.lower.sorts import is_feasible, report_repeated
from svod.norms.lower.world import World, declare, suggestion
from svod.rulebook import numbers
from svod.rulebook.names import PUNISHED, PUNISHED_PARAMETERS, RECORD
from svod.source import Span
from svod.syntax import tree


def declare_sort(world: World, declaration: tree.CatalogueDeclaration, rule: str) -> None:
    """The sort of the numbers with the letters of the catalogue, in text order, and the value for the rest."""
    if world.catalogue is not None:
        world.problems.report(
            codes.DECLARED_TWICE,
            Text(
                f"каталог нарушений уже объявлен в {world.catalogue.rule}",
                f"the catalogue of violations is declared in {world.catalogue.rule} already",
            ),
            declaration.span,
            rule=rule,
        )
        world.broken.add(declaration.name)
        return
    if not declare(world, declaration.name, rule, declaration.span):
        return
    values = [number for number in world.numbers if _letters(number) == declaration.prefix]
    if not values:
        world.problems.report(
            codes.EMPTY_CATALOGUE,
            Text(
                f"в своде нет пунктов с буквой «{declaration.prefix}»",
                f"the rulebook has no items with the letter “{declaration.prefix}”",
            ),
            declaration.span,
            rule=rule,
            help=suggestion(declaration.prefix, {_letters(number) for number in world.numbers}),
        )
    report_repeated(world, declaration.name, (*values, declaration.other), rule, declaration.span)
    is_feasible(world, declaration.name, len(values) + 1, rule, declaration.span)
    world.add_sort(ir.Sort(declaration.name, (*values, declaration.other)))
    record, punished = RECORD[world.language], PUNISHED[world.language]
    world.catalogue = ir.Catalogue(declaration.name, declaration.other, record, punished, rule, span=declaration.span)


def _letters(number: str) -> str:
    return (numbers.prefix_of(number) or "").rstrip("-")


def declare_record(world: World, declaration: tree.CatalogueDeclaration, rule: str) -> None:
    """The register of open breaches and the event of a punishment, of the catalogue that holds."""
    catalogue = world.catalogue
    if catalogue is None or catalogue.span != declaration.span:
        return
    if not world.seats:
        world.problems.report(
            codes.NOT_SEATS,
            Text("нарушают игроки, а мест в своде нет", "it is players who offend, and the rulebook has no seats"),
            declaration.span,
            rule=rule,
        )
    index = (world.seats, catalogue.sort)
    if declare(world, catalogue.record, rule, declaration.span):
        world.registers[catalogue.record] = ir.Register(
            catalogue.record,
            index,
            ir.Truth(),
            ir.Boolean(False),
            rule,
            outside_frame=True,
            span=declaration.span,
        )
    if declare(world, catalogue.punished, rule, declaration.span):
        names = PUNISHED_PARAMETERS[world.language]
        parameters = tuple(ir.Variable(name, sort) for name, sort in zip(names, index, strict=True))
        world.events[catalogue.punished] = ir.Event(catalogue.punished, parameters, rule)


def require(scope: Scope, span: Span) -> ir.Catalogue | None:
    """The catalogue; None once it is reported that there is none."""
    if scope.world.catalogue is None:
        scope.report(
            codes.NO_CATALOGUE,
            Text("в своде нет каталога нарушений", "the rulebook has no catalogue of violations"),
            span,
            Text("объявите его: `каталог Статья: Н, иначе прочее`", "declare it: `catalogue Article: N, else other`"),
        )
    return scope.world.catalogue


def is_number(scope: Scope, name: str, span: Span) -> bool:
    """Whether a violation of this name may be declared: one of the catalogue, if there is one; reported if not."""
    catalogue = scope.world.catalogue
    if catalogue is None or scope.world.value_in(catalogue.sort, name) is not None:
        return True
    values = scope.world.sorts[catalogue.sort].values
    if name in scope.world.numbers:
        letters = _letters(values[0])
        message = Text(f"пункт {name} не из каталога нарушений", f"item {name} is not one of the catalogue")
        help: Text | None = Text(
            f"в каталоге пункты с буквой «{letters}»", f"the catalogue holds items with the letter “{letters}”"
        )
    else:
        message = Text(f"нарушения {name} в своде нет", f"the rulebook has no violation {name}")
        help = suggestion(name, set(values))
    scope.report(codes.NOT_IN_CATALOGUE, message, span, help)
    return False


def may_write(scope: Scope, register: ir.Register, value: ir.Expression, adds: bool, span: Span) -> bool:
    """Whether a rule may write this: into the record only «нет», which ends one breach; reported if not."""
    catalogue = scope.world.catalogue
    if catalogue is None or register.name != catalogue.record or (value == ir.Boolean(False) and not adds):
        return True
    word = "ложь" if scope.world.language == "ru" else "no"
    scope.report(
        codes.RECORD_WRITTEN,
        Text(
            f"«{register.name}» заполняет сам шаг: правило может только закрыть нарушение",
            f"the step itself fills “{register.name}”: a rule may only end a breach",
        ),
        span,
        Text(
            f"напишите `:= {word}`; а виновным делает клауза `нарушение`",
            f"write `:= {word}`; it is a clause `violation` that makes somebody guilty",
        ),
    )
    return False
