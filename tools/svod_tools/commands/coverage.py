"""In: a rulebook, perhaps judge's cases. Out: item by item what is formal and what exercises it; exit code 1 if a
formal one is exercised by nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.text import Text as Rich

from svod.diagnostics import Problems, Text
from svod.norms.examples import examples_from_book
from svod.searches.coverage import Exerciser, ItemCoverage, ItemKind, coverage, parts_of
from svod.source import Source
from svod_tools import files, terminal
from svod_tools.commands.judge import cited_rules
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

KIND_WORDS = {
    ItemKind.FORMAL: Text("формальный", "formal"),
    ItemKind.CHECKING: Text("о проверках", "about checks"),
    ItemKind.INFORMATIVE: Text("информативный", "informative"),
    ItemKind.PENDING: Text("не формализован", "not formalised"),
    ItemKind.SILENT: Text("без записи", "without clauses"),
}
SHOWN_MAX = 3


def run(choice: Choice, cases: str | None, *, as_json: bool) -> int:
    """Print the coverage; the exit code."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    source = None if cases is None else files.read_source(cases, problems)
    items = None if problems.has_errors else covered(bench, source, problems)
    if items is None or problems.has_errors:
        sources = bench.sources if source is None else {**bench.sources, source.name: source}
        return terminal.bad_input(problems, sources, choice.language)
    book = bench.compilation.book
    if as_json:
        terminal.say(files.to_json(report(book.name, book.edition, items)))
    else:
        terminal.say(f"{book.name}, {Text('редакция', 'edition').in_language(choice.language)} {book.edition}")
        for item in items:
            terminal.show(line(item, choice.language))
        for text in summary(items):
            terminal.say(text.in_language(choice.language))
    return 1 if any(item.bare for item in items) else 0


def covered(bench: Workbench, cases: Source | None, problems: Problems) -> tuple[ItemCoverage, ...] | None:
    """The coverage of the rulebook by its examples, and by the chains of rules of these cases; None with problems where
    it cannot be told."""
    norms = bench.norms(problems)
    book = bench.compilation.book
    examples = examples_from_book(book, problems)
    if norms is None or problems.has_errors:
        return None
    cited = None if cases is None else cited_rules(bench, cases, problems)
    if cases is not None and cited is None:
        return None
    several = {example.parameters: example.norms for example in examples}
    return coverage(book, (norms, *several.values()), tuple(parts_of(examples)), cited)


def line(item: ItemCoverage, language: str) -> Rich:
    """One item."""
    text = Rich(f"{item.number:<10} ")
    kind = KIND_WORDS[item.kind].in_language(language)
    if item.kind is not ItemKind.FORMAL:
        text.append(kind, style="dim")
        return text.append(f": {item.reason}" if item.reason else "", style="dim")
    if item.declares:
        text.append(Text("объявления", "declarations").in_language(language))
    else:
        text.append(Text(f"клауз {item.clauses}", f"clauses {item.clauses}").in_language(language))
        if item.exercised < item.clauses:
            less = Text(f", задействовано {item.exercised}", f", exercised {item.exercised}").in_language(language)
            text.append(less, style="yellow")
    if item.bare:
        words = Text("ничто не задействует", "exercised by nothing").in_language(language)
        return text.append(f" — {words}", style="bold red")
    text.append(f" — {_names(item.here, language)}")
    if not item.here:
        words = Text("не в своей главе", "not in its own chapter").in_language(language)
        text.append(f"{words}: {_names(item.elsewhere, language)}", style="yellow")
    elif item.elsewhere:
        more = Text(f"и ещё {len(item.elsewhere)}", f"and {len(item.elsewhere)} more").in_language(language)
        text.append(f" ({more})", style="dim")
    return text


def _names(exercisers: Sequence[Exerciser], language: str) -> str:
    shown = [_name(each) for each in exercisers[:SHOWN_MAX]]
    more = len(exercisers) - len(shown)
    if more > 0:
        shown.append(Text(f"ещё {more}", f"{more} more").in_language(language))
    return ", ".join(shown)


def _name(each: Exerciser) -> str:
    return each.title if each.rule is None else f"{each.rule} «{each.title}»"


def summary(items: Sequence[ItemCoverage]) -> list[Text]:
    """How many items of which kind, and what is wanting."""
    kinds = Counter(item.kind for item in items)
    ru = ", ".join(f"{KIND_WORDS[kind].ru} {kinds[kind]}" for kind in ItemKind if kinds[kind])
    en = ", ".join(f"{KIND_WORDS[kind].en} {kinds[kind]}" for kind in ItemKind if kinds[kind])
    clauses, used = sum(item.clauses for item in items), sum(item.exercised for item in items)
    bare = [item.number for item in items if item.bare]
    away = [item.number for item in items if item.kind is ItemKind.FORMAL and not item.here and not item.bare]
    lines = [
        Text(f"пунктов {len(items)}: {ru}", f"{len(items)} items: {en}"),
        Text(f"клауз {clauses}, задействовано {used}", f"{clauses} clauses, {used} exercised"),
    ]
    if away:
        listed = ", ".join(away)
        lines.append(Text(f"примеров в своей главе нет: {listed}", f"no example in their own chapter: {listed}"))
    if bare:
        listed = ", ".join(bare)
        lines.append(Text(f"ничто не задействует: {listed}", f"exercised by nothing: {listed}"))
    return lines


def report(name: str, edition: str, items: Sequence[ItemCoverage]) -> dict[str, object]:
    """The whole as data."""
    kinds = Counter(item.kind for item in items)
    return {
        "rulebook": name,
        "edition": edition,
        "items": [
            {
                "number": item.number,
                "title": item.title,
                "chapter": item.chapter,
                "kind": item.kind.value,
                "reason": item.reason or None,
                "clauses": item.clauses,
                "exercised": item.exercised,
                "examples": [_json(each) for each in (*item.here, *item.elsewhere) if each.rule is not None],
                "in_chapter": len(item.here),
                "cases": [each.title for each in item.elsewhere if each.rule is None],
            }
            for item in items
        ],
        "summary": {
            "items": len(items),
            **{kind.value: kinds[kind] for kind in ItemKind},
            "clauses": sum(item.clauses for item in items),
            "exercised": sum(item.exercised for item in items),
            "bare": [item.number for item in items if item.bare],
        },
    }


def _json(each: Exerciser) -> dict[str, object]:
    return {"item": each.rule, "title": each.title}
