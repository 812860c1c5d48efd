"""Book and values of its parameters → norms: every name resolved, every expression typed, every edge an exception."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from svod.diagnostics import Problems
from svod.norms import ir
from svod.norms.lower import catalogue, checks, clauses, declarations, edges, extras, placed, procedures, sorts
from svod.norms.lower.effects import in_range, lower_body
from svod.norms.lower.expressions import lower
from svod.norms.lower.placed import Placed
from svod.norms.lower.scope import Scope
from svod.norms.lower.slots import slot_type
from svod.norms.lower.world import World
from svod.norms.validate import validate
from svod.norms.walk import everything_in
from svod.rulebook.book import Book
from svod.syntax import tree


def norms_from_book(
    book: Book, parameters: Mapping[str, int], problems: Problems, *, cards: Sequence[str] | None = None
) -> ir.Norms | None:
    """The norms at these parameter values (unnamed ones take their first value), or None if the text has errors.

    `cards` reduces the deck: the sort of cards keeps these and all cards that clauses name; only `cards` are in play.
    """
    lowered = lower_book(book, parameters, problems, cards=cards)
    return None if lowered is None else lowered[0]


def lower_book(
    book: Book, parameters: Mapping[str, int], problems: Problems, *, cards: Sequence[str] | None = None
) -> tuple[ir.Norms, Scope] | None:
    """As `norms_from_book`, with the scope in which more expressions about these norms can be lowered."""
    world = World(book.language, Problems(), tuple(item.number for item in book.items))
    everything = placed.place(book, world.problems)
    unbounded = sorts.declare_parameters(world, everything, parameters)
    sorts.declare_sorts(world, everything)
    for each in everything:
        if isinstance(each.statement, tree.CatalogueDeclaration):
            catalogue.declare_sort(world, each.statement, each.rule)
    sorts.choose_card_sort(world)
    deck: tuple[int, ...] = ()
    if cards is not None and world.card_sort:
        deck = sorts.reduce_cards(world, cards, placed.literals(book))
    sorts.declare_variables(world, everything)
    declarations.declare_places(world, everything)
    scope = Scope(world, world.problems, "", lower)
    checks.check_values(scope)
    _initials(scope, everything)
    _actions(scope, everything)
    numbering = clauses.Numbering()
    lowered = [
        made
        for each in everything
        if isinstance(each.statement, tree.Edged)
        for made in clauses.lower_clause(scope, each, numbering)
    ]
    lowered = clauses.fill_blocks(lowered, world.actions)
    made = edges.connect(lowered, {item.number for item in book.items}, world.problems)
    result: ir.Norms | None = None
    if not world.problems.has_errors:
        made += procedures.pass_on_triggers(everything, world.procedures, made, numbering)
        result = _assemble(book, scope, everything, made, deck, tuple(unbounded))
        checks.check_norms(result, world.problems)
    if result is not None and not world.problems.has_errors:
        validate(result, "norms from rulebook")
    for diagnostic in world.problems:
        problems.add(diagnostic)
    return None if world.problems.has_errors or result is None else (result, scope)


def _initials(scope: Scope, everything: Sequence[Placed]) -> None:
    """Values of registers at the start of a play, where they are stated."""
    world = scope.world
    for each in everything:
        statement = each.statement
        if not isinstance(statement, tree.RegisterDeclaration) or statement.name not in world.registers:
            continue
        register = world.registers[statement.name]
        inner = replace(scope, rule=each.rule)
        if statement.stage is not None:
            checks.check_stage(inner, statement.stage, statement.span)
        if statement.initial is None:
            continue
        initial = inner.wanted(statement.initial, register.type)
        if initial is None or not checks.is_fixed(inner, initial, statement.initial.span):
            continue
        if in_range(inner, register.type, initial, statement.initial.span):
            world.registers[statement.name] = replace(register, initial=initial)


def _actions(scope: Scope, everything: Sequence[Placed]) -> None:
    """Conditions and bodies of actions."""
    world = scope.world
    for each in everything:
        statement = each.statement
        if not isinstance(statement, tree.ActionDeclaration) or statement.name not in world.actions:
            continue
        action = world.actions[statement.name]
        inner = replace(scope, rule=each.rule).with_bound({variable.name: variable for variable in action.parameters})
        possible = inner.condition(statement.possible)
        actor = None if action.actor is None else action.parameters[action.actor]
        body = lower_body(inner, statement.body, actor)
        if possible is not None and body is not None:
            world.actions[statement.name] = replace(action, possible=possible, body=body)


def _terms(scope: Scope) -> tuple[ir.Term, ...]:
    result = []
    for slot in scope.world.slots.values():
        inner = replace(scope, rule=slot.asked_rule or slot.rule)
        inner = inner.with_bound({variable.name: variable for variable in slot.parameters})
        asked = None if slot.asked is None else inner.condition(slot.asked)
        type_ = slot_type(inner, slot, slot.span) if slot.span is not None else slot.type
        if type_ is None:
            continue
        result.append(
            ir.Term(slot.name, slot.parameters, type_, asked, slot.combination, slot.output, slot.rule, slot.span)
        )
    return tuple(result)


def causes_first(terms: Sequence[ir.Term], clauses: Sequence[ir.Clause]) -> tuple[ir.Term, ...]:
    """Text order, but a term that is asked for stands before those that read it: the first one without a value, or with
    two, is then where the trouble is, not where it shows."""
    named = {term.name: term for term in terms}
    reads: dict[str, list[str]] = {name: [] for name in named}
    for clause in clauses:
        if isinstance(clause, ir.TermClause):
            found = (part.term for part in everything_in(clause) if isinstance(part, ir.ReadTerm))
            reads[clause.term] += [name for name in found if name in named]
    ordered: dict[str, ir.Term] = {}
    for term in terms:
        below: dict[str, None] = {}
        pending = [term.name]
        while pending:
            for name in reads[pending.pop()]:
                if name not in below and name not in ordered and name != term.name:
                    below[name] = None
                    pending.append(name)
        for name in reversed(below):  # the farthest first
            if named[name].asked is not None:
                ordered.setdefault(name, named[name])
        ordered.setdefault(term.name, term)
    return tuple(ordered.values())


def _assemble(
    book: Book,
    scope: Scope,
    everything: Sequence[Placed],
    made: Sequence[ir.Clause],
    deck: tuple[int, ...],
    unbounded: tuple[ir.Unbounded, ...],
) -> ir.Norms:
    world = scope.world
    return ir.Norms(
        rulebook=book.name,
        edition=book.edition,
        parameters=tuple((name, str(value)) for name, value in world.parameters.items()),
        sorts=tuple(sort for sort in world.sorts.values() if sort.name),
        seats=world.seats,
        card_sort=world.card_sort,
        zones=tuple(world.zones.values()),
        registers=tuple(world.registers.values()),
        events=tuple(world.events.values()),
        terms=causes_first(_terms(scope), made),
        actions=tuple(world.actions.values()),
        clauses=tuple(made),
        filled=world.filled,
        deck=deck,
        readings=extras.readings(everything),
        variants=extras.variants(world, everything),
        projections=extras.projections(world, everything),
        outcomes=extras.outcomes(world, everything),
        check_decks=extras.check_decks(scope, everything),
        stage_register=world.stage_register,
        procedures=tuple(world.procedures.values()),
        acceptances=extras.acceptances(everything),
        unbounded=unbounded,
        catalogue=world.catalogue,
    )
