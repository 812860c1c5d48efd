"""Declared ranges of parts of a state → program text that packs them into words of 63 bits, and unpacks them.

A part is an expression of the integer subset with a range. Parts with one possible value take no room. Words stay
positive, so that CPython and C agree on them; no part straddles two words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from svod.diagnostics import InternalError
from svod.engine.layout import SlotInfo

WORD_BITS = 63


@dataclass(frozen=True, slots=True)
class Part:
    """One value of a state: how to read it, its range, and the slot to write it back to (−1: it is only read).

    `live_only`: the part has no value once the play is over, and counts as one more value then.
    """

    text: str
    low: int
    high: int
    slot: int = -1
    live_only: bool = False

    @property
    def bits(self) -> int:
        """Room that the part needs."""
        return (self.high - self.low + (1 if self.live_only else 0)).bit_length()


@dataclass(frozen=True, slots=True)
class Field:
    """Where a part lies: bits `shift`… of word `word`."""

    part: Part
    word: int
    shift: int


@dataclass(frozen=True, slots=True)
class Packing:
    """The fields of `words` words; `constant` parts take no room."""

    fields: tuple[Field, ...]
    constant: tuple[Part, ...]
    words: int


def parts_of_slots(slots: Sequence[SlotInfo], chosen: Iterable[int] | None = None) -> tuple[Part, ...]:
    """The independent slots as parts, all of them or those `chosen`."""
    numbers = [i for i, slot in enumerate(slots) if not slot.derived] if chosen is None else list(chosen)
    return tuple(Part(f"S[{i}]", slots[i].low, slots[i].high, i) for i in numbers)


def packing(parts: Sequence[Part]) -> Packing:
    """Widest parts first, each into the first word with room for it."""
    room: list[int] = []
    fields: list[Field] = []
    for part in sorted((p for p in parts if p.bits), key=lambda p: (-p.bits, p.slot, p.text)):
        if part.bits > WORD_BITS:
            raise InternalError("search", f"{part.text} needs {part.bits} bits")
        word = next((i for i, used in enumerate(room) if used + part.bits <= WORD_BITS), len(room))
        if word == len(room):
            room.append(0)
        fields.append(Field(part, word, room[word]))
        room[word] += part.bits
    return Packing(tuple(fields), tuple(p for p in parts if not p.bits), max(1, len(room)))


def pack_text(name: str, made: Packing) -> str:
    """`name(S, Q, p)`: write the words of state `S` to `Q[p]`…"""
    lines = [f"def {name}(S, Q, p):"]
    if any(f.part.live_only for f in made.fields):
        lines.append("    o = over(S)")
    for word in range(made.words):
        fields = sorted((f for f in made.fields if f.word == word), key=lambda f: f.shift)
        terms = []
        for number, field in enumerate(fields):
            value = _shifted(field.part)
            if field.part.live_only:
                local = f"v{word}_{number}"
                last = field.part.high - field.part.low + 1
                lines += [f"    {local} = {last}", "    if o == 0:", f"        {local} = {value}"]
                value = local
            terms.append(f"({value} << {field.shift})" if field.shift else f"({value})")
        lines.append(f"    Q[p + {word}] = {' | '.join(terms) or '0'}")
    return "\n".join([*lines, "    return 0", ""])


def unpack_text(name: str, made: Packing) -> str:
    """`name(Q, p, S)`: write the values of the words at `Q[p]`… back to their slots."""
    lines = [f"def {name}(Q, p, S):"]
    for word in range(made.words):
        fields = sorted((f for f in made.fields if f.word == word), key=lambda f: f.shift)
        if fields:
            lines.append(f"    w = Q[p + {word}]")
        for field in fields:
            mask = (1 << field.part.bits) - 1
            value = f"(w >> {field.shift}) & {mask}" if field.shift else f"w & {mask}"
            low = field.part.low
            if low:
                value = f"({value}) {'+' if low > 0 else '-'} {abs(low)}"
            lines.append(f"    S[{field.part.slot}] = {value}")
    lines += [f"    S[{part.slot}] = {part.low}" for part in made.constant]
    return "\n".join([*lines, "    return 0", ""])


def fits_text(name: str, slots: Sequence[SlotInfo]) -> str:
    """`name(S)`: 0 if a slot without a declared bound has left the range that packing has room for."""
    lines = [f"def {name}(S):"]
    for number, slot in enumerate(slots):
        if not slot.derived and not slot.bounded:
            lines += [f"    if S[{number}] < {slot.low} or S[{number}] > {slot.high}:", "        return 0"]
    return "\n".join([*lines, "    return 1", ""])


def _shifted(part: Part) -> str:
    """The part's value counted from the low end of its range."""
    if part.low == 0:
        return part.text
    return f"({part.text} - {part.low})" if part.low > 0 else f"({part.text} + {-part.low})"
