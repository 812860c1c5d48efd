"""In: a rulebook and a folder. Out: the checked rulebook as a site there; exit code 2 where it cannot be made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from svod.diagnostics import Problems, Text
from svod.prose.document import Document
from svod_tools import terminal
from svod_tools.commands.check import checked_with_progress
from svod_tools.options import Choice
from svod_tools.publish import site
from svod_tools.workbench import Workbench, open_workbench


def run(choice: Choice, output: str, seconds: float) -> int:
    """Check, write the pages, print them. Unless an edition is asked for, the newest is shown beside the base text."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    base = _edition(bench, seconds, problems)
    newer: site.Edition | None = None
    if base is not None and bench.loaded.editions and choice.edition is None and not choice.overlays:
        newest = open_workbench(replace(choice, newest=True))
        if isinstance(newest, int):
            return newest
        newer = _edition(newest, seconds, problems)
    if base is None or problems.has_errors:
        return bench.fail(problems)
    if not site.build(site.pages_of(base, newer), base.document, Path(output), problems):
        return bench.fail(problems)
    words = Text(f"сайт: {output}/index.html", f"site: {output}/index.html")
    terminal.say(words.in_language(choice.language))
    return 0


def _edition(bench: Workbench, seconds: float, problems: Problems) -> site.Edition | None:
    norms = bench.norms(problems)
    checked = checked_with_progress(bench, seconds, problems)
    if norms is None or checked is None:
        return None
    return site.Edition(Document(bench.compilation.book, norms, "ru"), checked.report.findings, bench.sources)
