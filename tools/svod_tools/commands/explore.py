"""In: a reduced deck and a number of players. Out: the counts of the whole state space, as text or JSON."""

from __future__ import annotations

from rich.progress import Progress, SpinnerColumn, TextColumn

from svod.diagnostics import Code, Problems, Text
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.search_run import Exploration, Search
from svod.engine.search_run import Progress as Where
from svod.engine.search_source import SearchProgram, search_program
from svod.engine.search_table import FoundKind
from svod.norms import ir
from svod.norms.trace import Clash, Hole, Race
from svod_tools import files, terminal
from svod_tools.compilers import Compilers
from svod_tools.options import Choice
from svod_tools.table import STOP_KINDS
from svod_tools.workbench import Workbench, open_workbench

UNKNOWN_CARD = Code(
    "C421",
    Text("такой карты нет", "no such card"),
    Text(
        "В --cards перечисляют карты свода через пробел: их именами из свода или простыми именами из vocabulary.yaml.",
        "--cards lists cards of the rulebook, separated by spaces, by its own names or by those of vocabulary.yaml.",
    ),
)
CARDS_LISTED = Code(
    "C423",
    Text("колода перечислена неверно", "the deck is listed wrongly"),
    Text(
        "В --cards каждая карта колоды стоит один раз, и хотя бы одна есть. Без --cards колода полная.",
        "--cards names each card of the deck once, and at least one. Without --cards the deck is full.",
    ),
)
UNKNOWN_PROJECTION = Code(
    "C422",
    Text("такой проекции нет", "no such projection"),
    Text(
        "Проекции объявлены в своде («проекция имя: …»): они говорят, что в положении считать одним и тем же.",
        "Projections are declared in the rulebook (“projection name: …”): they say what counts in a position.",
    ),
)

_ENDS = {
    FoundKind.HOLE: STOP_KINDS[Hole],
    FoundKind.CLASH: STOP_KINDS[Clash],
    FoundKind.RACE: STOP_KINDS[Race],
    FoundKind.LIMIT: Text("превышен предел", "a bound was exceeded"),
}


def run(choice: Choice, cards: str | None, project: str | None, *, interpreter: bool, as_json: bool) -> int:
    """Explore and report; the exit code (3 if a projection takes different positions for one)."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = norms_with(bench, cards, problems)
    if norms is None:
        return bench.fail(problems)
    switches = bench.switches(norms, problems)
    projection = _projection(norms, project, problems)
    if problems.has_errors:
        return bench.fail(problems)
    compilers = Compilers(interpreter)
    program = program_from_norms(norms, Options(switches=switches, breaches=False))
    searched = search_program(program, norms, projection)
    search = Search(searched, compilers(searched.source, searched.entries))
    found = _explore(search, quiet=as_json)
    report = report_of(norms, found, project, sorted(switches), search)
    if as_json:
        terminal.say(files.to_json(report))
    else:
        terminal.say("\n".join(lines(norms, found, search, searched, choice.language)))
        if compilers.reason is not None:
            terminal.complain(compilers.reason.in_language(choice.language))
    return 3 if found.disagreement is not None else 130 if found.stopped == "interrupt" else 0


def norms_with(bench: Workbench, cards: str | None, problems: Problems) -> ir.Norms | None:
    """Norms of the bench, with only these cards in the deck if they are listed."""
    whole = bench.norms(problems)
    if whole is None or cards is None:
        return whole
    sort = whole.sort(whole.card_sort)
    names: list[str] = []
    for word in cards.replace(",", " ").split():
        value = bench.vocabulary.value(sort, word)
        if value is None:
            message = Text(f"карты «{word}» нет", f"there is no card “{word}”")
            listed = " ".join(sort.values)
            problems.report(UNKNOWN_CARD, message, None, help=Text(f"есть: {listed}", f"there are: {listed}"))
        elif sort.values[value] in names:
            message = Text(f"карта «{word}» названа дважды", f"the card “{word}” is named twice")
            problems.report(CARDS_LISTED, message, None)
        else:
            names.append(sort.values[value])
    if not names and not problems.has_errors:
        problems.report(CARDS_LISTED, Text("--cards: ни одной карты", "--cards: no card"), None)
    if problems.has_errors:
        return None
    return bench.norms(problems, tuple(names))


def _projection(norms: ir.Norms, name: str | None, problems: Problems) -> ir.Projection | None:
    if name is None:
        return None
    for projection in norms.projections:
        if projection.name == name:
            return projection
    known = ", ".join(projection.name for projection in norms.projections) or "—"
    message = Text(f"проекции «{name}» нет", f"there is no projection “{name}”")
    problems.report(UNKNOWN_PROJECTION, message, None, help=Text(f"есть: {known}", f"there are: {known}"))
    return None


def _explore(search: Search, *, quiet: bool) -> Exploration:
    """Run with a count of states on the error output; an interrupt leaves what is known."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=terminal.console(stderr=True), transient=True, disable=quiet) as progress:
        task = progress.add_task("", total=None)

        def tell(where: Where) -> None:
            progress.update(task, description=f"{where.states:,} · {where.depth}".replace(",", " "))

        try:
            return search.run(progress=tell)
        except KeyboardInterrupt:
            return search.result()


def report_of(
    norms: ir.Norms, found: Exploration, projection: str | None, switches: list[str], search: Search
) -> dict[str, object]:
    """The result as data."""
    names = norms.sort(norms.card_sort).values
    deck = norms.deck or range(len(names))
    return {
        "rulebook": norms.rulebook,
        "edition": norms.edition,
        "scope": {
            "parameters": dict(norms.parameters),
            "cards": [names[card] for card in deck],
            "switches": switches,
            "projection": projection,
        },
        "exhausted": found.stopped is None,
        "stopped": found.stopped,
        "initial": found.starts,
        "states": found.states,
        "moves": found.moves,
        "finished": found.finished,
        "dead_ends": found.dead_ends,
        "contested_only": found.contested_only,
        "violations": found.violations,
        "failed": {kind.name.lower(): count for kind, count in found.failed if count},
        "depth": found.depth,
        "coincided": found.coincided,
        "compared": found.compared,
        "disagreement": None if found.disagreement is None else list(found.disagreement.slots),
        "seconds": round(found.seconds, 3),
        "native": found.native,
        "machine": found.machine,
    }


def lines(norms: ir.Norms, found: Exploration, search: Search, searched: SearchProgram, language: str) -> list[str]:
    """The result in words."""

    def word(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    parameters = ", ".join(f"{name} {value}" for name, value in norms.parameters)
    rows = [
        (word("начальных", "initial"), found.starts),
        (word("состояний", "states"), found.states),
        (word("ходов", "moves"), found.moves),
        (word("окончено", "finished"), found.finished),
        (word("тупиков", "dead ends"), found.dead_ends),
        (word("глубина", "depth"), found.depth),
    ]
    if found.contested_only:
        rows.append((word("остался лишь спорный ход", "only contested moves left"), found.contested_only))
    if found.violations:
        rows.append((word("нарушены утверждения", "invariants broken"), found.violations))
    rows += [(_ENDS[kind].in_language(language), count) for kind, count in found.failed if count]
    listed = [f"{norms.rulebook}, {word('редакция', 'edition')} {norms.edition}; {parameters}"]
    if found.stopped is not None:
        listed.append(word(f"не всё: остановлено ({found.stopped})", f"not all: stopped ({found.stopped})"))
    width = max(len(name) for name, _ in rows)
    listed += [f"  {name.ljust(width)}  {count:>12,}".replace(",", " ") for name, count in rows]
    listed.append(word(f"{found.seconds:.2f} с, {found.machine}", f"{found.seconds:.2f} s, {found.machine}"))
    if found.disagreement is not None:
        slots = ", ".join(found.disagreement.slots)
        listed.append(
            word(
                f"внутреннее разногласие: проекция не различает положений, которые различает «{slots}»",
                f"internal disagreement: the projection takes for one what “{slots}” tells apart",
            )
        )
    return listed
