"""In: a small game. Out: the counts of its tree of plays, what players can tell apart in it, and the mean outcomes."""

from __future__ import annotations

from fractions import Fraction

from svod.diagnostics import Problems, Text
from svod.engine.play import Engine
from svod.norms import ir
from svod.searches.histories import Histories, histories
from svod_tools import files, terminal
from svod_tools.commands.explore import norms_with
from svod_tools.compilers import Compilers
from svod_tools.options import BAD_ARGUMENTS, Choice
from svod_tools.workbench import open_workbench


def run(choice: Choice, cards: str | None, project: str | None, *, interpreter: bool, as_json: bool) -> int:
    """Grow the tree and report; the exit code."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = norms_with(bench, cards, problems)
    if norms is None:
        return bench.fail(problems)
    switches = bench.switches(norms, problems)
    if project is not None:
        message = Text("--project и --histories вместе не бывают", "--project does not go with --histories")
        helped = Text("история не забывает ничего", "a history forgets nothing")
        problems.report(BAD_ARGUMENTS, message, None, help=helped)
    if problems.has_errors:
        return bench.fail(problems)
    found = histories(norms, Engine.of(norms, switches, compiler=Compilers(interpreter), fold=True, breaches=False))
    if as_json:
        terminal.say(files.to_json(report_of(norms, found, sorted(switches))))
    else:
        terminal.say("\n".join(lines(norms, found, choice.language)))
    return 0


def report_of(norms: ir.Norms, found: Histories, switches: list[str]) -> dict[str, object]:
    """The result as data. Means are exact: numerator/denominator as text, null where there is none."""
    names, seats = norms.sort(norms.card_sort).values, norms.sort(norms.seats).values
    deck = norms.deck or range(len(names))
    return {
        "rulebook": norms.rulebook,
        "edition": norms.edition,
        "scope": {
            "parameters": dict(norms.parameters),
            "cards": [names[card] for card in deck],
            "switches": switches,
        },
        "exhausted": found.exhausted,
        "histories": found.histories,
        "finished": found.finished,
        "dead_ends": found.dead_ends,
        "failed": found.failed,
        "deals": found.deals,
        "chance_nodes": found.chance,
        "decision_nodes": found.decisions,
        "information_sets": sum(found.information_sets),
        "information_sets_of": dict(zip(seats, found.information_sets, strict=True)),
        "uneven_information_sets": found.uneven,
        "depth": found.depth,
        "expected": {
            each.term: {
                seat: None if value is None else str(value) for seat, value in zip(seats, each.values, strict=True)
            }
            for each in found.expected
        },
    }


def lines(norms: ir.Norms, found: Histories, language: str) -> list[str]:
    """The result in words."""

    def word(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    seats = norms.sort(norms.seats).values
    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    apart = ", ".join(f"{seat}: {count}" for seat, count in zip(seats, found.information_sets, strict=True))
    rows = [
        (word("историй", "histories"), _number(found.histories)),
        (word("из них оконченных", "of them finished"), _number(found.finished)),
        (word("раскладов", "deals"), _number(found.deals)),
        (word("решает случай", "chance nodes"), _number(found.chance)),
        (word("решает игрок", "decision nodes"), _number(found.decisions)),
        (word("информационных множеств", "information sets"), f"{_number(sum(found.information_sets))} ({apart})"),
        (word("глубина", "depth"), _number(found.depth)),
    ]
    if found.dead_ends:
        rows.append((word("тупиков", "dead ends"), _number(found.dead_ends)))
    if found.failed:
        rows.append((word("правила не дали продолжения", "stopped by the rules"), _number(found.failed)))
    if found.uneven:
        told = word("выдают скрытое: ходы в них не одни и те же", "tell what is hidden: choices in them differ")
        rows.append((told, _number(found.uneven)))
    listed = [f"{norms.rulebook}, {word('редакция', 'edition')} {norms.edition}; {parameters}"]
    if not found.exhausted:
        listed.append(
            word("не всё: историй больше предела, числа — о короткой части дерева", "not all: too many histories")
        )
    width = max(len(name) for name, _ in rows)
    listed += [f"  {name.ljust(width)}  {count}" for name, count in rows]
    if found.expected:
        listed.append(word("среднее, если все выбирают наугад поровну:", "mean when everybody chooses evenly:"))
    for each in found.expected:
        values = (f"{seat}: {_mean(value)}" for seat, value in zip(seats, each.values, strict=True))
        listed.append(f"  {each.term}  {', '.join(values)}")
    return listed


def _number(count: int) -> str:
    return f"{count:,}".replace(",", " ")


def _mean(value: Fraction | None) -> str:
    return "—" if value is None else str(value).replace("-", "−")
