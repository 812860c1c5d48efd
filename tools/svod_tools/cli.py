"""In: the arguments typed. Out: an exit code; 0 clean, 1 findings, 2 bad input, 3 our own fault, 130 interrupted.

Argument parsing only. Commands are imported when they run, so that help and explanations come at once.
"""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from svod.diagnostics import Problems, Text
from svod_tools import terminal
from svod_tools.files import CANNOT_WRITE
from svod_tools.help import HelpfulCommand, HelpfulGroup, overview, usage_problem
from svod_tools.options import BAD_ARGUMENTS, Choice, check_rate, parse_numbers, parse_seconds, parse_settings

if TYPE_CHECKING:
    from svod.engine.search_careless_play import Rates

app = typer.Typer(cls=HelpfulGroup, add_completion=False, rich_markup_mode=None, no_args_is_help=False)

Path = Annotated[str, typer.Argument()]
Edition = Annotated[int | None, typer.Option("--edition")]
Overlays = Annotated[list[str] | None, typer.Option("--with")]
Players = Annotated[str | None, typer.Option("--players")]
Deck = Annotated[str | None, typer.Option("--deck")]
Settings = Annotated[list[str] | None, typer.Option("--set")]
Format = Annotated[str, typer.Option("--format")]
Seed = Annotated[int, typer.Option("--seed")]
Interpreter = Annotated[bool, typer.Option("--interpreter")]
Recorded = Annotated[str | None, typer.Option("--record")]
Breaches = Annotated[float | None, typer.Option("--breaches")]
Noticing = Annotated[float, typer.Option("--noticing")]
Disputing = Annotated[float, typer.Option("--disputing")]
Honesty = Annotated[float, typer.Option("--honesty")]
Chatter = Annotated[float, typer.Option("--chatter")]


class BadInput(Exception):
    """Arguments that cannot be used; carries what to say."""

    def __init__(self, problems: Problems) -> None:
        super().__init__("bad input")
        self.problems = problems


def _choice(
    ctx: typer.Context,
    path: str,
    edition: int | None,
    overlays: list[str] | None,
    players: str | None = None,
    deck: str | None = None,
    settings: list[str] | None = None,
    *,
    newest: bool = False,
) -> Choice:
    problems = Problems()
    choice = Choice(
        path,
        str(ctx.obj),
        edition,
        newest and edition is None,
        tuple(overlays or ()),
        parse_numbers(players, "--players", problems),
        parse_numbers(deck, "--deck", problems),
        parse_settings(settings or [], problems),
    )
    if problems.has_errors:
        raise BadInput(problems)
    return choice


def _as_json(name: str) -> bool:
    if name in ("text", "json"):
        return name == "json"
    problems = Problems()
    message = Text(f"--format: «{name}» — не text и не json", f"--format: “{name}” is neither text nor json")
    problems.report(BAD_ARGUMENTS, message, None)
    raise BadInput(problems)


def _rates(breaches: float, noticing: float, disputing: float, honesty: float, chatter: float) -> Rates:
    """How careless players are."""
    problems = Problems()
    options = ("--breaches", "--noticing", "--disputing", "--honesty", "--chatter")
    values = (breaches, noticing, disputing, honesty, chatter)
    for option, value in zip(options, values, strict=True):
        check_rate(value, option, problems)
    if problems.has_errors:
        raise BadInput(problems)
    from svod.engine.search_careless_play import Rates

    return Rates(*values)


@app.command(cls=HelpfulCommand)
def check(
    ctx: typer.Context,
    path: Path,
    edition: Edition = None,
    overlays: Overlays = None,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    budget: Annotated[str | None, typer.Option("--budget")] = None,
    format: Format = "text",
) -> int:
    from svod_tools.commands.check import run

    problems = Problems()
    seconds = parse_seconds(budget, problems)
    if problems.has_errors:
        raise BadInput(problems)
    return run(_choice(ctx, path, edition, overlays, players, deck, settings), seconds, as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def explore(
    ctx: typer.Context,
    path: Path,
    cards: Annotated[str | None, typer.Option("--cards")] = None,
    players: Players = None,
    project: Annotated[str | None, typer.Option("--project")] = None,
    histories: Annotated[bool, typer.Option("--histories")] = False,
    edition: Edition = None,
    overlays: Overlays = None,
    deck: Deck = None,
    settings: Settings = None,
    interpreter: Interpreter = False,
    format: Format = "text",
) -> int:
    from svod_tools.commands.explore import run
    from svod_tools.commands.histories import run as run_histories

    choice = _choice(ctx, path, edition, overlays, players, deck, settings, newest=True)
    if histories:
        return run_histories(choice, cards, project, interpreter=interpreter, as_json=_as_json(format))
    return run(choice, cards, project, interpreter=interpreter, as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def play(
    ctx: typer.Context,
    path: Path,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    seat: Annotated[int, typer.Option("--seat")] = 1,
    seed: Seed = 1,
    edition: Edition = None,
    overlays: Overlays = None,
    record: Recorded = None,
    breaches: Breaches = None,
    noticing: Noticing = 0.7,
    disputing: Disputing = 0.2,
    honesty: Honesty = 0.9,
    chatter: Chatter = 0.02,
) -> int:
    from svod_tools.commands.play import run

    choice = _choice(ctx, path, edition, overlays, players, deck, settings, newest=True)
    return run(choice, seat, seed, record, _rates(breaches or 0.0, noticing, disputing, honesty, chatter))


@app.command(cls=HelpfulCommand)
def simulate(
    ctx: typer.Context,
    path: Path,
    count: Annotated[int, typer.Option("-n", "--count", "--games")] = 100,
    seed: Seed = 1,
    cap: Annotated[int | None, typer.Option("--cap")] = None,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    edition: Edition = None,
    overlays: Overlays = None,
    interpreter: Interpreter = False,
    record: Recorded = None,
    breaches: Breaches = None,
    noticing: Noticing = 0.7,
    disputing: Disputing = 0.2,
    honesty: Honesty = 0.9,
    chatter: Chatter = 0.02,
    every: Annotated[bool, typer.Option("--every")] = False,
    format: Format = "text",
) -> int:
    from svod_tools.commands.simulate import CAP, CAP_EVERY, Run, run

    choice = _choice(ctx, path, edition, overlays, players, deck, settings, newest=True)
    given = _rates(breaches or 0.0, noticing, disputing, honesty, chatter)
    rates = None if breaches is None else given
    most = cap if cap is not None else CAP_EVERY if every else CAP
    return run(choice, Run(count, seed, most, interpreter, record, rates, every), as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def replay(
    ctx: typer.Context,
    path: Path,
    game: Annotated[str, typer.Argument()],
    first: Annotated[int | None, typer.Option("--from")] = None,
    last: Annotated[int | None, typer.Option("--to")] = None,
    step: Annotated[bool, typer.Option("--step")] = False,
    edition: Edition = None,
    overlays: Overlays = None,
    format: Format = "text",
) -> int:
    from svod_tools.commands.replay import Stretch, run

    choice = _choice(ctx, path, edition, overlays, newest=True)
    return run(choice, game, Stretch(first, last), step=step, as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def judge(
    ctx: typer.Context,
    path: Path,
    cases: Annotated[str | None, typer.Argument()] = None,
    recorded: Annotated[str | None, typer.Option("--record")] = None,
    protocol: Annotated[str | None, typer.Option("--protocol")] = None,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    edition: Edition = None,
    overlays: Overlays = None,
    format: Format = "text",
) -> int:
    from svod_tools.commands.judge import Wanted, run

    choice = _choice(ctx, path, edition, overlays, players, deck, settings)
    return run(choice, Wanted(cases, recorded, protocol), as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def coverage(
    ctx: typer.Context,
    path: Path,
    cited: Annotated[str | None, typer.Option("--cases")] = None,
    edition: Edition = None,
    overlays: Overlays = None,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    format: Format = "text",
) -> int:
    from svod_tools.commands.coverage import run

    return run(_choice(ctx, path, edition, overlays, players, deck, settings), cited, as_json=_as_json(format))


@app.command(cls=HelpfulCommand)
def show(
    ctx: typer.Context,
    path: Path,
    number: Annotated[str, typer.Argument()],
    edition: Edition = None,
    overlays: Overlays = None,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
) -> int:
    from svod_tools.commands.show import run

    return run(_choice(ctx, path, edition, overlays, players, deck, settings), number)


@app.command(cls=HelpfulCommand)
def explain(ctx: typer.Context, code: Annotated[str | None, typer.Argument()] = None) -> int:
    from svod_tools.commands.explain import run

    return run(code, str(ctx.obj))


@app.command(cls=HelpfulCommand)
def build(
    ctx: typer.Context,
    path: Path,
    output: Annotated[str, typer.Option("-o", "--output")] = "build/site",
    edition: Edition = None,
    overlays: Overlays = None,
    budget: Annotated[str | None, typer.Option("--budget")] = None,
) -> int:
    from svod_tools.commands.build import run

    problems = Problems()
    seconds = parse_seconds(budget, problems)
    if problems.has_errors:
        raise BadInput(problems)
    return run(_choice(ctx, path, edition, overlays), output, seconds)


@app.command(cls=HelpfulCommand)
def fmt(ctx: typer.Context, path: Path, verify: Annotated[bool, typer.Option("--check")] = False) -> int:
    from svod_tools.commands.fmt import run

    return run(_choice(ctx, path, None, None), verify=verify)


@app.command(cls=HelpfulCommand)
def bench(
    ctx: typer.Context,
    path: Path,
    agree: Annotated[int, typer.Option("--agree")] = 0,
    players: Players = None,
    deck: Deck = None,
    settings: Settings = None,
    seed: Seed = 1,
    edition: Edition = None,
    overlays: Overlays = None,
) -> int:
    from svod_tools.commands.bench import run

    return run(_choice(ctx, path, edition, overlays, players, deck, settings, newest=True), agree, seed)


def split_language(arguments: list[str]) -> tuple[str, list[str]]:
    """The language asked for with --lang, wherever it stands, and the other arguments."""
    language, rest = "ru", []
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--lang":
            language = next(remaining, "")
        elif argument.startswith("--lang="):
            language = argument.removeprefix("--lang=")
        else:
            rest.append(argument)
    return language, rest


def run(arguments: list[str]) -> int:
    """The whole program as a function: never raises, whatever was typed."""
    language, rest = split_language(arguments)
    problems = Problems()
    if language not in ("ru", "en"):
        message = Text(f"--lang: «{language}» — не ru и не en", f"--lang: “{language}” is neither ru nor en")
        problems.report(BAD_ARGUMENTS, message, None)
        return terminal.bad_input(problems, {}, "ru")
    if not rest:
        terminal.say(overview(language))
        return 0
    try:
        return int(typer.main.get_command(app).main(rest, "svod", standalone_mode=False, obj=language) or 0)
    except BadInput as bad:
        return terminal.bad_input(bad.problems, {}, language)
    except typer.TyperException as error:
        problems.report(BAD_ARGUMENTS, usage_problem(error), None, help=Text("см. --help", "see --help"))
        return terminal.bad_input(problems, {}, language)
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except BrokenPipeError:
        terminal.discard_output()
        return 130
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO):
            return _internal_error(error, language)
        reason = error.strerror or "?"
        message = Text(f"вывод не записан ({reason})", f"output not written ({reason})")
        problems.report(CANNOT_WRITE, message, None)
        return terminal.bad_input(problems, {}, language)
    except Exception as error:  # the last resort: a person never meets a traceback
        return _internal_error(error, language)


def _internal_error(error: Exception, language: str) -> int:
    words = Text("внутренняя ошибка", "internal error").in_language(language)
    hint = Text(
        "это ошибка программы, не свода; SVOD_DEBUG=1 покажет место",
        "this is a fault of the program, not of the rulebook; SVOD_DEBUG=1 shows the place",
    ).in_language(language)
    terminal.complain(f"{words}: {type(error).__name__}: {error}\n  {hint}")
    if os.environ.get("SVOD_DEBUG") == "1":
        terminal.complain("".join(traceback.format_exception(error)))
    return 3


def main() -> None:
    """Entry point of the command `svod`."""
    terminal.prepare_streams()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
