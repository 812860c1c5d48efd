"""In: a code or nothing. Out: what the code means and what to do about it, or the list of all codes."""

from __future__ import annotations

import difflib

import svod
import svod_tools
from svod.codes import collect
from svod.diagnostics import Code, Problems, Severity, Text
from svod_tools import terminal

UNKNOWN_CODE = Code(
    "C002",
    Text("такого кода нет", "no such code"),
    Text(
        "Коды печатаются в сообщениях в квадратных скобках. `svod explain` без кода печатает все.",
        "Codes stand in square brackets in messages. `svod explain` without a code lists them all.",
    ),
)


def all_codes() -> dict[str, Code]:
    """Every code of the language and of the tools."""
    return dict(sorted({**collect(svod), **collect(svod_tools)}.items()))


def run(code: str | None, language: str) -> int:
    """Print one explanation, or all titles."""
    codes = all_codes()
    if code is None:
        terminal.say("\n".join(f"{name}  {each.title.in_language(language)}" for name, each in codes.items()))
        return 0
    # A Cyrillic letter typed where a Latin one was meant is understood.
    wanted = code.strip().strip("[]").upper().translate(str.maketrans("СТАХЕФ", "CTAXEF"))
    found = codes.get(wanted)
    if found is None:
        close = ", ".join(difflib.get_close_matches(wanted, codes, 3))
        helped = (
            Text(f"похоже: {close}", f"close: {close}")
            if close
            else Text("перечень: svod explain", "list: svod explain")
        )
        problems = Problems()
        message = Text(f"кода «{code}» нет", f"there is no code “{code}”")
        problems.report(UNKNOWN_CODE, message, None, help=helped)
        return terminal.bad_input(problems, {}, language)
    words = {
        Severity.ERROR: Text("ошибка", "error"),
        Severity.WARNING: Text("предупреждение", "warning"),
        Severity.NOTE: Text("к сведению", "note"),
    }[found.severity]
    title = f"{found.name} ({words.in_language(language)}): {found.title.in_language(language)}"
    terminal.say(f"{title}\n\n{found.explanation.in_language(language)}")
    return 0
