"""Norms in, a program that plays them out: Python text in the integer subset, with the tables that name its numbers."""

from __future__ import annotations

import re
from itertools import product

from svod.engine.breaches import Breaches
from svod.engine.caching import remembered_terms
from svod.engine.core import Scope
from svod.engine.effects import Effects
from svod.engine.frames import FRAME_FUNCTIONS, frame_lines
from svod.engine.lawful_terms import APART, LAWFUL, with_lawful_terms
from svod.engine.lawfulness import Lawfulness
from svod.engine.layout_from_norms import layout_from_norms
from svod.engine.options import Options
from svod.engine.prepare import Prepared, prepare, switches_in_force
from svod.engine.program import ENTRY_POINTS, TABLE_ENTRIES, Program, TermEntry
from svod.engine.quantifiers import Printer
from svod.engine.reasons import Reasons
from svod.engine.runtime import FUNCTIONS, constants, reserved, tables
from svod.engine.settle import Settling
from svod.engine.steps import Steps
from svod.engine.text import identifier
from svod.norms import ir

__all__ = ["Options", "program_from_norms"]


def program_from_norms(norms: ir.Norms, options: Options) -> Program:
    """The program for these norms; its text depends on nothing else."""
    prepared = with_lawful_terms(prepare(norms, options))
    layout = layout_from_norms(prepared, options, remembered_terms(prepared))
    world = prepared.world
    clauses = tuple(c.head.id for c in norms.clauses)
    numbers = {clause_id: i for i, clause_id in enumerate(clauses)}
    places = _places(norms)
    place_numbers = {name: i for i, name in enumerate(places)}
    triggers = [c for c in world.norms.clauses if isinstance(c, ir.Trigger)]
    printer = Printer(world, prepared.static, layout)
    head = [
        f'"""Play by «{norms.rulebook}», {norms.edition}: generated, do not edit."""',
        "",
        *constants(layout, len(world.seats.values), len(triggers)),
        *tables(layout, _tied(norms, triggers), [*(numbers[t.head.id] for t in triggers), -1], place_numbers),
        *frame_lines(layout, frozenset(z.name for z in norms.zones if z.outside_frame)),
    ]
    printer.text.used |= reserved(head) | {name for name, _ in ENTRY_POINTS}
    acts = Lawfulness(printer, dict(layout.action_offsets), careless=options.careless)
    acts.functions()
    if options.table:
        acts.table_functions()
    trigger_numbers = {t.head.id: i for i, t in enumerate(triggers)}
    effects = Effects(printer, numbers, place_numbers, trigger_numbers)
    waves = Settling(effects, acts, Breaches(effects, acts, prepared.record))
    waves.functions()
    Steps(waves, acts).functions()
    Reasons(acts, numbers).functions()
    terms = _terms(prepared, printer)
    names = {name for name, _ in ENTRY_POINTS} | {t.function for t in terms}
    names |= set(TABLE_ENTRIES) if options.table else set()
    printer.text.functions = _needed([*map(list, (*FUNCTIONS, *FRAME_FUNCTIONS)), *printer.text.functions], names)
    free = options.free_switches
    switches = norms.switches if free else tuple(sorted(switches_in_force(norms, options)))
    return Program(printer.text.render(head), layout, clauses, places, terms, switches, free, options.careless)


def _places(norms: ir.Norms) -> tuple[str, ...]:
    names = ["log", "waves"]
    names += [r.name for r in norms.registers]
    names += [z.name for z in norms.zones]
    names += [t.name for t in norms.terms]
    names += [c.head.id for c in norms.clauses]
    return tuple(dict.fromkeys(names))


def _terms(prepared: Prepared, printer: Printer) -> tuple[TermEntry, ...]:
    """A function for every term, at rest."""
    entries = []
    for term in prepared.world.norms.terms:
        if term.name.startswith((LAWFUL, APART)):
            continue
        function, _ = printer.term_function(term.name, Scope(cached=True))
        if prepared.world.circular(term.name):
            function = _entry(printer, function, term)
        sizes = tuple(prepared.world.count(p.sort) for p in term.parameters)
        entries.append(TermEntry(term.name, function, sizes))
    return tuple(entries)


def _entry(printer: Printer, function: str, term: ir.Term) -> str:
    """A circular term as others ask for it: nothing is under way."""
    names = ", ".join(["S", *(identifier(p.name) for p in term.parameters)])

    def build(name: str) -> list[str]:
        return [f"def {name}({names}):", f"    return {function}({names}, 0)"]

    return printer.text.function(("entry", term.name), f"ask_{term.name}", build)


def _tied(norms: ir.Norms, triggers: list[ir.Trigger]) -> list[int]:
    """For each pair (earlier, later) of triggers, how their rules are ordered; see `runtime`."""
    rule_of = {c.head.id: c.head.rule for c in norms.clauses}
    above: set[tuple[str, str]] = set()  # the first has the last word
    for clause in norms.clauses:
        above |= {(rule_of[e.by], clause.head.rule) for e in clause.head.exceptions if e.by in rule_of}
        if isinstance(clause, ir.Trigger):
            above |= {(clause.head.rule, rule) for rule in clause.after}
    table = []
    for earlier, later in product(triggers, repeat=2):
        one, two = earlier.head.rule, later.head.rule
        if earlier is later:
            table.append(2)
        elif (two, one) in above:
            table.append(1)
        elif (one, two) in above:
            table.append(3)
        else:
            table.append(2 if one == two else 0)
    return table


def _needed(functions: list[list[str]], wanted: set[str]) -> list[list[str]]:
    """Functions that an entry point calls, directly or not, in their order."""
    by_name = {f[0].removeprefix("def ").partition("(")[0]: f for f in functions}
    kept: set[str] = set()
    pending = [name for name in by_name if name in wanted]
    while pending:
        name = pending.pop()
        if name in kept:
            continue
        kept.add(name)
        called = set(re.findall(r"(\w+)\(", "\n".join(by_name[name][1:])))
        pending += [c for c in called if c in by_name]
    return [f for name, f in by_name.items() if name in kept]
