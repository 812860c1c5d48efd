"""Pieces of program text: conditions joined, blocks indented, tables and functions collected under their names."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from svod.engine.layout import HOLE

TRUE, FALSE = "1", "0"
_PARAMETERS = frozenset({"a", "d", "n", "stale", "tried"})  # of printed functions that have rulebook variables as well
_TAKEN = _PARAMETERS | frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))


def both(*conditions: str) -> str:
    """All of these conditions."""
    parts = list(dict.fromkeys(c for c in conditions if c != TRUE))
    if FALSE in parts:
        return FALSE
    return _joined(parts, " and ") if parts else TRUE


def either(*conditions: str) -> str:
    """One of these conditions at least."""
    parts = list(dict.fromkeys(c for c in conditions if c != FALSE))
    if TRUE in parts:
        return TRUE
    return _joined(parts, " or ") if parts else FALSE


def negated(condition: str) -> str:
    """Not this condition."""
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    inner = condition.removeprefix("not ")
    return inner if inner != condition and _closed(inner) else f"not {condition}"


def _joined(parts: Sequence[str], word: str) -> str:
    return parts[0] if len(parts) == 1 else f"({word.join(parts)})"


def _closed(text: str) -> bool:
    return text.startswith("(") and _match(text) == len(text) - 1


def _match(text: str) -> int:
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index
    return -1


def chosen(condition: str, then: str, otherwise: str) -> str:
    """The one value or the other."""
    if condition == TRUE or then == otherwise:
        return then
    return otherwise if condition == FALSE else f"({then} if {condition} else {otherwise})"


def intersection(parts: Iterable[str]) -> str:
    """Bits in all of these masks (at least one is given)."""
    kept = list(dict.fromkeys(parts))
    if "0" in kept:
        return "0"
    return kept[0] if len(kept) == 1 else f"({' & '.join(kept)})"


def union(parts: Iterable[str]) -> str:
    """Bits in one of these masks; 0 if none is given."""
    kept = [p for p in dict.fromkeys(parts) if p != "0"]
    if not kept:
        return "0"
    return kept[0] if len(kept) == 1 else f"({' | '.join(kept)})"


def indented(lines: Iterable[str], depth: int = 1) -> list[str]:
    """The lines, further in."""
    return ["    " * depth + line for line in lines]


def block(head: str, body: Sequence[str]) -> list[str]:
    """`if`, `while`, `for` with its body; nothing if the body is empty or the condition never met."""
    if head == f"if {TRUE}:":
        return list(body)
    return [head, *indented(body)] if body and head != f"if {FALSE}:" else []


UNROLLED_BITS, UNROLLED_LINES = 8, 3


def each_bit(mask: str, variable: str, body: Sequence[str], temporary: str) -> list[str]:
    """Run the body for every bit of a mask, ascending; `temporary` names the loop. A short body for a few known bits is
    written out for each: there is nothing to work out then."""
    if mask.isdecimal() and int(mask).bit_count() <= UNROLLED_BITS and len(body) <= UNROLLED_LINES:
        if not any("break" in line for line in body):
            word = re.compile(rf"\b{re.escape(variable)}\b")
            values = [i for i in range(int(mask).bit_length()) if int(mask) >> i & 1]
            return [word.sub(str(value), line) for value in values for line in body]
    rest, bit = f"_m{temporary}", f"_b{temporary}"
    lines = [
        f"{bit} = {rest} & -{rest}",
        f"{rest} ^= {bit}",
        f"{variable} = T67[{bit} % 67]",
        *body,
    ]
    return [f"{rest} = {mask}", *block(f"while {rest} != 0:", lines)]


def identifier(name: str) -> str:
    """A local name for a variable of the rulebook; temporaries begin with `_`, arrays with a capital letter."""
    safe = "".join(c if c.isalnum() else "_" for c in name).strip("_") or "x"
    if not safe[0].isalpha() or safe[0].isupper() or safe in _TAKEN or not safe.isidentifier():
        safe = "v_" + safe
    if safe.endswith("_c"):
        safe += "_"  # the ending marks what an act or event brings along
    return safe if safe.isidentifier() else "v_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name)


@dataclass(slots=True)
class ProgramText:
    """Tables and functions in the order in which they may call each other."""

    tables: dict[tuple[int, ...], str] = field(default_factory=dict)
    table_comments: dict[str, str] = field(default_factory=dict)
    names: dict[Hashable, str] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    functions: list[list[str]] = field(default_factory=list)

    def table(self, hint: str, values: Sequence[int]) -> str:
        """Name of the table with these values."""
        key = tuple(values)
        if key not in self.tables:
            self.tables[key] = self.fresh(hint.upper())
        return self.tables[key]

    def fresh(self, hint: str) -> str:
        """A name not used so far that resembles the hint."""
        safe = "".join(c if c.isalnum() else "_" for c in hint)
        name, number = safe, 2
        while name in self.used or name in _TAKEN or not name.isidentifier():
            name, number = f"{safe}_{number}" if safe.isidentifier() else f"f_{safe}_{number}", number + 1
        self.used.add(name)
        return name

    def function(self, key: Hashable, hint: str, build: Callable[[str], list[str]]) -> str:
        """Name of the function for this key; `build(name)` prints it the first time."""
        if key not in self.names:
            name = self.fresh(hint)
            self.names[key] = name
            self.functions.append(build(name))
        return self.names[key]

    def render(self, head: Sequence[str]) -> str:
        """The whole program."""
        lines = list(head)
        for values, name in self.tables.items():
            lines.extend(_table_lines(name, values))
        for function in self.functions:
            lines += ["", "", *function]
        return "\n".join(lines) + "\n"


def _table_lines(name: str, values: tuple[int, ...]) -> list[str]:
    shown = ["HOLE" if v == HOLE else str(v) for v in values]
    text = f"{name} = ({', '.join(shown)},)"
    if len(text) <= 118:
        return [text]
    lines, current = [f"{name} = ("], "   "
    for item in shown:
        if len(current) + len(item) > 114:
            lines.append(current)
            current = "   "
        current += f" {item},"
    return [*lines, current, ")"]
