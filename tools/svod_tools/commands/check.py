"""In: a rulebook and a time limit. Out: its findings as text or JSON; exit code 1 if any is an error."""

from __future__ import annotations

from svod.diagnostics import Problems
from svod.report import report_to_json
from svod_tools import files, terminal
from svod_tools.checking import check_rulebook
from svod_tools.options import Choice
from svod_tools.report_view import report_text
from svod_tools.workbench import open_workbench


def run(choice: Choice, seconds: float, *, as_json: bool) -> int:
    """Check and print; the exit code."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    report = check_rulebook(bench, seconds, problems)
    if report is None or problems.has_errors:
        return bench.fail(problems)
    if as_json:
        terminal.say(files.to_json(report_to_json(report, choice.language)))
    else:
        terminal.show(report_text(report, choice.language))
    return report.exit_code
