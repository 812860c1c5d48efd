"""The stages in order: texts → tree → book → norms. Texts and choices in; each stage's value, or the problems that
stop it, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.norms.from_rulebook import norms_from_book
from svod.norms.parameters import Parameter, parameters_of
from svod.norms.playable import check_playable
from svod.rulebook.amendments import amend
from svod.rulebook.book import Book
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

UNKNOWN_SWITCH = Code(
    "C201",
    Text("нет такого варианта, прочтения или поправки", "no such variant, reading or overlay"),
    Text(
        "Параметр --with принимает имя варианта («V»), прочтение («N-1=А») или файл поправки. "
        "Ничего с этим именем в своде нет.",
        "--with takes the name of a variant (“V”), a reading (“N-1=А”) or an overlay file. "
        "The rulebook has nothing of this name.",
    ),
)


@dataclass(frozen=True)
class Compilation:
    """A rulebook with its overlays, ready to give norms at any parameters. `problems` holds what the texts' stages
    said."""

    book: Book
    sources: Mapping[str, Source]
    problems: Problems
    _norms: dict[tuple[object, ...], ir.Norms | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Parameters that the rulebook declares, in order."""
        return parameters_of(self.book)

    def norms(
        self, values: Mapping[str, int], problems: Problems, cards: Sequence[str] | None = None
    ) -> ir.Norms | None:
        """Norms at these parameter values; None with problems where they cannot be made."""
        key = (tuple(sorted(values.items())), None if cards is None else tuple(cards))
        if key not in self._norms:
            own = Problems()
            norms = norms_from_book(self.book, values, own, cards=cards)
            playable = norms is not None and check_playable(self.book, norms, own)
            self._norms[key] = norms if playable else None
            for problem in own:
                problems.add(problem)
        return self._norms[key]


def compile_texts(chapters: Sequence[Source], overlays: Sequence[Source], problems: Problems) -> Compilation | None:
    """Parse and resolve a rulebook and apply its overlays in order. None if anything is wrong; `problems` says what."""
    sources = {source.name: source for source in (*chapters, *overlays)}
    tree = parse_rulebook(chapters, problems)
    overlay_trees = [parse_rulebook([overlay], problems) for overlay in overlays]
    if _stopped(problems):
        return None
    book = book_from_tree(tree, problems)
    for overlay_tree in overlay_trees:
        if _stopped(problems):
            return None
        book = amend(book, overlay_tree, problems)
    return None if _stopped(problems) else Compilation(book, sources, problems)


def _stopped(problems: Problems) -> bool:
    """A stage with errors ends the compilation: later stages assume a sound value."""
    return problems.has_errors


def default_switches(norms: ir.Norms) -> frozenset[str]:
    """The adopted option of each reading; variants are off."""
    return frozenset(reading.switch(reading.adopted) for reading in norms.readings)


def switches_for(norms: ir.Norms, names: Sequence[str], problems: Problems) -> frozenset[str]:
    """Defaults changed by the names given: a variant switches on, a reading replaces the adopted one of its item."""
    switches = set(default_switches(norms))
    variants = {variant.name for variant in norms.variants}
    readings = {reading.switch(letter): reading for reading in norms.readings for letter, _ in reading.options}
    for given in names:
        name = given.replace("/", "=")
        if given in variants:
            switches.add(given)
        elif name in readings:
            reading = readings[name]
            switches -= reading.switches
            switches.add(name)
        else:
            known = ", ".join((*sorted(variants), *readings)) or "—"
            problems.report(
                UNKNOWN_SWITCH,
                Text(
                    f"«{given}»: нет такого варианта, прочтения или файла", f"“{given}” is no variant, reading or file"
                ),
                None,
                help=Text(f"есть: {known}", f"there are: {known}"),
            )
    return frozenset(switches)
