"""In: a rulebook and a time limit. Out: its findings as text or JSON; exit code 1 if any is an error."""

from __future__ import annotations

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from svod.diagnostics import Problems, Text
from svod.report import report_to_json
from svod.searches.check import Step
from svod_tools import files, terminal
from svod_tools.checking import Checked, check_rulebook
from svod_tools.options import Choice
from svod_tools.report_view import report_text
from svod_tools.workbench import Workbench, open_workbench


def run(choice: Choice, seconds: float, *, as_json: bool) -> int:
    """Check and print; the exit code. An interrupt prints what is known."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    checked = checked_with_progress(bench, seconds, problems)
    if checked is None or problems.has_errors:
        return bench.fail(problems)
    if as_json:
        terminal.say(files.to_json(report_to_json(checked.report, choice.language)))
    else:
        terminal.show(report_text(checked.report, choice.language))
    for line in _remarks(checked):
        terminal.complain(line.in_language(choice.language))
    return 130 if checked.interrupted else checked.report.exit_code


def checked_with_progress(bench: Workbench, seconds: float, problems: Problems) -> Checked | None:
    """Check with a progress bar on the error output, where that is a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=terminal.console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)

        def tell(step: Step) -> None:
            bar.update(task, description=step.label.in_language(bench.choice.language), completed=step.done)

        return check_rulebook(bench, seconds, problems, tell)


def _remarks(checked: Checked) -> list[Text]:
    """What a reader of the report must know: what was cut short, and what ran slowly."""
    remarks = []
    if checked.interrupted:
        remarks.append(Text("прервано: известно лишь то, что выше", "interrupted: only what stands above is known"))
    for label in checked.unfinished:
        remarks.append(
            Text(f"не закончено за отведённое время: {label.ru}", f"not finished within the time limit: {label.en}")
        )
    if not checked.native:
        remarks.append(
            Text("без компилятора C: просмотрено меньше партий", "without a C compiler: fewer games were looked at")
        )
    return remarks
