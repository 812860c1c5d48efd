"""A generated program → the same program with searches and random play written below it, in the same integer subset.

The searches are templates whose holes (sizes, packing, projection) are filled from the layout; the result runs as it
stands in CPython and, printed as C, natively.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from svod.diagnostics import InternalError
from svod.engine.layout import CLASH, HOLE, Detail, Kind, Layout
from svod.engine.parsed import parsed
from svod.engine.program import ENTRY_POINTS, Program, Role
from svod.engine.search_games import DRAWING, GAMES, TALLYING
from svod.engine.search_pack import Part, fits_text, pack_text, packing, parts_of_slots, unpack_text
from svod.engine.search_table import HALVES, NOTE_HEAD, NOTE_WIDTH, NOTEBOOK, table_text
from svod.engine.search_walk import walk_text
from svod.norms.ir import Member, Norms, Permission, Projection, Truth, Type, Whole
from svod.norms.play_acts import acts_of_play

LEDGER_BOUND = 1 << 31

SEARCH_ENTRIES = (
    "begin",
    "pack",
    "unpack",
    "refill",
    "refill_whole",
    "enter",
    "enter_whole",
    "open_play",
    "explore",
    "note_detail",
)
GAME_ENTRIES = ("play_on", "playout", "playouts", "hunt_one", "hunt", "look", "draw_deck")
PROJECTED_ENTRIES = ("pack_key", "differ", "compare")


@dataclass(frozen=True, slots=True)
class SearchProgram:
    """`source` has the program and the searches; `entries` are all functions to call. `words` and `key_words` are the
    sizes of a row of `Q` and of `K`; without a projection these are one array."""

    source: str
    entries: tuple[str, ...]
    program: Program
    words: int
    key_words: int
    projection: str | None
    deck: int  # mask of the cards that the play starts with
    decks_vary: bool  # whether the play can start with fewer cards

    @property
    def layout(self) -> Layout:
        """Layout of the state vector."""
        return self.program.layout


def search_program(program: Program, norms: Norms, projection: Projection | None = None) -> SearchProgram:
    """The program with its searches; `projection` says what is counted as one state (None: the whole state).

    Searches look for what goes wrong in lawful play: a program in which free speech is an act like any other, or which
    enters breaches, is refused.
    """
    if program.careless and (norms.catalogue is not None or acts_of_play(norms) is not norms):
        raise InternalError("search", "searches are made in lawful play: the program needs Options(breaches=False)")
    layout = program.layout
    whole = packing(parts_of_slots(layout.slots))
    helpers, parts = ([], ()) if projection is None else _projection(program, norms, projection)
    key = whole if projection is None else packing(parts)
    unbounded = any(not slot.derived and not slot.bounded for slot in layout.slots)
    begin, deck, vary = _begin(program, norms)
    defined = {f.name for f in parsed(program.source).body if isinstance(f, ast.FunctionDef)}
    texts = [
        constants_text(program, norms),
        f"RIGHTS = ({', '.join(map(str, _rights(program, norms)))},)",
        "" if "popcount" in defined else POPCOUNT,
        begin,
        pack_text("pack", whole),
        unpack_text("unpack", whole),
        fits_text("fits", layout.slots),
        HALVES,
        table_text(whole.words, "W", "_whole"),
        table_text(key.words, "KW", ""),
        NOTEBOOK,
        *helpers,
        "" if projection is None else pack_text("pack_key", key),
        walk_text(projection is not None, unbounded),
        DRAWING,
        TALLYING,
        GAMES,
    ]
    entries = tuple(name for name, _ in ENTRY_POINTS) + SEARCH_ENTRIES + GAME_ENTRIES
    entries += PROJECTED_ENTRIES if projection is not None else ()
    entries += tuple(t.function for t in program.terms)
    source = program.source + "\n\n# " + "-" * 60 + " searches\n" + "\n".join(texts)
    no_name_twice(source)
    name = projection.name if projection is not None else None
    return SearchProgram(source, entries, program, whole.words, key.words, name, deck, vary)


POPCOUNT = """
def popcount(m):
    n = 0
    while m != 0:
        m &= m - 1
        n += 1
    return n
"""


def constants_text(program: Program, norms: Norms) -> str:
    """Sizes and offsets that random play and searches speak of, and `kind_of`."""
    layout = program.layout
    low, high = _chance_codes(program, norms)
    values = {
        "SIZE": layout.size,
        "ACTS": layout.act_count,
        "DETAIL": layout.detail,
        "SOFT_AT": layout.detail + Detail.SOFT_COUNT,
        "FIRED_AT": layout.detail + Detail.FIRED_COUNT,
        "ROLE_PERMITS": Role.PERMITS,
        "ROLE_FAILED": Role.FAILED,
        "ROLE_FORBIDS": Role.FORBIDS,
        "ROLE_EXCEPTED": Role.EXCEPTED,
        "CHANCE_LOW": low,
        "CHANCE_HIGH": high,
        "CHANCE_LAST": _chance_comes_last(norms),
        "NOTE_HEAD": NOTE_HEAD,
        "NOTE_WIDTH": NOTE_WIDTH,
    }
    lines = [f"{name} = {int(value)}" for name, value in values.items()]
    lines += ["", "", "def kind_of(a):", "    k = -1"]
    for _, first in layout.action_offsets:
        lines += [f"    if a >= {first}:", "        k += 1"]
    return "\n".join((*lines, "    return k", ""))


def _chance_comes_last(norms: Norms) -> int:
    """1 if what chance picks are the last parameters of every act: then the codes of a group stand together."""
    for action in norms.actions:
        count = len(action.parameters)
        picked = set(range(count)) if action.actor is None else set(action.chance)
        if picked != set(range(count - len(picked), count)):
            return 0
    return 1


def _chance_codes(program: Program, norms: Norms) -> tuple[int, int]:
    """Outside these bounds chance picks nothing in an act of this code."""
    chance = {action.name for action in norms.actions if action.actor is None or action.chance}
    offsets = [*program.layout.action_offsets, ("", program.layout.act_count)]
    ranges = [(first, end) for (name, first), (_, end) in pairwise(offsets) if name in chance]
    return min((r[0] for r in ranges), default=0), max((r[1] for r in ranges), default=0)


def _rights(program: Program, norms: Norms) -> list[int]:
    """For every clause whether it entitles."""
    rights = {c.head.id for c in norms.clauses if isinstance(c, Permission) and c.strong}
    return [int(clause in rights) for clause in program.clauses] or [0]


def _begin(program: Program, norms: Norms) -> tuple[str, int, bool]:
    """`begin(S, D, deck)`: start of a play with the cards of the mask `deck`, 0 for all; then the mask of all, and
    whether another can be had.

    The generated `init` lays the whole deck out with one assignment of a constant to the slot of the zone that is full
    at the start; the copy made here lays out the mask that is asked for.
    """
    slot = next((z.mask for z in program.layout.zones if z.zone == norms.filled and not z.pile), -1)
    module = parsed(program.source)
    init = next((f for f in module.body if isinstance(f, ast.FunctionDef) and f.name == "init"), None)
    if init is None:
        raise InternalError("search", "the program has no function init")
    deck = 0
    full = (1 << len(norms.sort(norms.card_sort).values)) - 1
    for node in ast.walk(init):
        match node:
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=at))], value=ast.Constant(value=int(mask))):
                if at == slot and mask:
                    deck = mask
                    node.value = ast.Name("deck", ast.Load())
                elif at == program.layout.box:
                    node.value = ast.BinOp(ast.Constant(value=full), ast.BitXor(), ast.Name("deck", ast.Load()))
    if not deck:
        return "def begin(S, D, deck):\n    return init(S, D)\n", 0, False
    init.name = "init_with"
    init.args.args.append(ast.arg("deck"))
    text = ast.unparse(ast.fix_missing_locations(init))
    begin = "def begin(S, D, deck):\n    if deck == 0:\n        return init(S, D)\n    return init_with(S, D, deck & "
    return f"{text}\n\n{begin}{deck})\n", deck, True


# ------------------------------------------------------------------------------------------------- projections


def _projection(program: Program, norms: Norms, projection: Projection) -> tuple[list[str], tuple[Part, ...]]:
    """Helper functions and the parts of a key: the zones named, and the terms while the play lasts (a finished play
    asks for nothing, so its terms have no value)."""
    layout = program.layout
    chosen: list[int] = []
    for zone in layout.zones:
        if zone.zone not in projection.zones:
            continue
        if zone.pile:
            chosen.append(zone.length)
            chosen += range(zone.cards, zone.cards + zone.capacity)
            if zone.authors >= 0:
                chosen += range(zone.authors, zone.authors + zone.capacity)
        else:
            chosen.append(zone.mask)
    helpers: list[str] = []
    parts = list(parts_of_slots(layout.slots, chosen))
    for name in projection.terms:
        low, high = _range(norms, _type_of(norms, name))
        for text in _readings(program, name):
            helper = f"key_{len(helpers)}"
            helpers.append(_key_helper(helper, text, high))
            parts.append(Part(f"{helper}(S)", low, high + 2, live_only=True))
    return helpers, tuple(parts)


def _key_helper(name: str, text: str, high: int) -> str:
    return (
        f"def {name}(S):\n    v = {text}\n    if v == {HOLE}:\n        return {high + 1}\n"
        f"    if v == {CLASH}:\n        return {high + 2}\n    return v\n"
    )


def _type_of(norms: Norms, name: str) -> Type:
    types = {term.name: term.type for term in norms.terms} | {r.name: r.type for r in norms.registers}
    if name in types:
        return types[name]
    raise InternalError("search", f"the projection names {name}, which is neither a term nor a register")


def _range(norms: Norms, type_: Type) -> tuple[int, int]:
    match type_:
        case Truth():
            return 0, 1
        case Member(sort=sort, optional=optional):
            return (-1 if optional else 0), len(norms.sort(sort).values) - 1
        case Whole(low=low, high=high):
            return (-LEDGER_BOUND if low is None else low), (LEDGER_BOUND if high is None else high)


def _readings(program: Program, name: str) -> Sequence[str]:
    """How to read every instance of a term or register."""
    entry = next((t for t in program.terms if t.term == name), None)
    if entry is not None:
        tuples: list[str] = [""]
        for size in entry.sizes:
            tuples = [f"{t}, {i}" for t in tuples for i in range(size)]
        return [f"{entry.function}(S{t})" for t in tuples]
    slots = [f"S[{slot}]" for (register, _), slot in program.layout.registers if register == name]
    constants = any(register == name for (register, _), _ in program.layout.constants)
    if not slots and not constants:
        raise InternalError("search", f"the program keeps no {name}")
    return slots


def no_name_twice(source: str) -> None:
    """A name given twice would quietly hide the first one."""
    seen: set[str] = set()
    for node in parsed(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                if name in seen:
                    raise InternalError("search", f"{name} is defined twice")
                seen.add(name)


def independent_slots(layout: Layout) -> list[int]:
    """Numbers of the slots that make up the identity of a state."""
    return [i for i, slot in enumerate(layout.slots) if not slot.derived]


def register_slots(layout: Layout) -> list[int]:
    """Numbers of the independent slots that hold no cards."""
    return [i for i, slot in enumerate(layout.slots) if not slot.derived and slot.kind in (Kind.REGISTER, Kind.SWITCH)]
