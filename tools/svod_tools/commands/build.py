"""In: a rulebook and a folder. Out: the checked rulebook as a site there; exit code 2 where it cannot be made."""

from __future__ import annotations

from pathlib import Path

from svod.diagnostics import Problems, Text
from svod.prose.document import Document
from svod_tools import terminal
from svod_tools.checking import check_rulebook
from svod_tools.options import Choice
from svod_tools.publish import site
from svod_tools.workbench import open_workbench


def run(choice: Choice, output: str, seconds: float) -> int:
    """Check, write the pages, print them."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = bench.norms(problems)
    if norms is None:
        return bench.fail(problems)
    report = check_rulebook(bench, seconds, problems)
    if report is None or problems.has_errors:
        return bench.fail(problems)
    document = Document(bench.compilation.book, norms, "ru")
    pages = site.pages_of(document, report.findings, bench.sources)
    if not site.build(pages, document, Path(output), problems):
        return bench.fail(problems)
    words = Text(f"сайт: {output}/index.html", f"site: {output}/index.html")
    terminal.say(words.in_language(choice.language))
    return 0
