"""In: the words of judges' cases, and norms. Out: the names among them that the norms lack, each with where it stands.

A word that names nothing would only show when a case needs it, and then as silence: so every name is looked up first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svod.diagnostics import Code, Text
from svod.norms import ir
from svod.searches.case_facts import summands
from svod.searches.case_words import Call, CaseWords, Form, Free, Words

UNKNOWN_CASE_NAME = Code(
    "C506",
    Text("раздел cases словаря называет то, чего в своде нет", "section `cases` names what the rulebook lacks"),
    Text(
        "Слова судейского случая указывают на действия, зоны, ячейки, термины и значения свода; такого имени в нём "
        "нет, или у него другое число аргументов. Пока это не исправлено, судья не судит: ответ мог бы быть неверен.",
        "The words of a judge's case point to acts, zones, registers, terms and values of the rulebook; it has no such "
        "name, or one with another number of arguments. Until it is corrected nothing is judged: a ruling might be "
        "wrong.",
    ),
)
CELL_WORDS = ("all", "others", "earlier")
ACT_FORMS = frozenset({"acts", "cards", "duties", "forced", "target"})
ZONE_FORMS = frozenset({"filled", "zone", "zones", "size", "rest"})
CELL_FORMS = frozenset(
    {"value", "values", "each", "seats", "risen", "left", "left_now", "last", "has_last", "changed", "owed", "owed_now"}
)


def unknown_names(layout: CaseWords, norms: ir.Norms, words: Words) -> Iterator[tuple[str, Text]]:
    """Each name that is not there, and what is wrong with it."""
    seen: set[tuple[str, str]] = set()
    for name, wrong in _Names(norms, words).of(layout):
        if (name, wrong.en) not in seen:
            seen.add((name, wrong.en))
            yield name, wrong


class _Names:
    """Everything that has a name in the norms."""

    def __init__(self, norms: ir.Norms, words: Words) -> None:
        self.norms = norms
        self.words = words
        self.zones = {zone.name for zone in norms.zones}
        self.registers = {register.name: register for register in norms.registers}
        self.terms = {term.name for term in norms.terms}
        self.actions = {action.name: action for action in norms.actions}
        self.sorts = {sort.name for sort in norms.sorts}

    def of(self, layout: CaseWords) -> Iterator[tuple[str, Text]]:
        for name, phase in layout.phases.items():
            place = f"phases: {name}"
            if phase.stage is not None and self.norms.stage_register is not None:
                yield from self._free(place, Free(self.norms.stage_register, (phase.stage,)))
            yield from self._cells(place, () if phase.turn is None else (phase.turn,))
            for free in phase.free:
                yield from self._free(place, free)
            for way in phase.past:
                yield from self._zones(place, (*way.filled, *way.empty, *(zone for zone, _ in way.doubt)))
                for free in (*way.free, *(Free(register, None) for _, register in way.doubt)):
                    yield from self._free(place, free)
        for section, listed in (("given", layout.given), ("questions", {n: (f,) for n, f in layout.questions.items()})):
            for name, forms in listed.items():
                for form in forms:
                    yield from self._form(f"{section}: {name}", section, form)
        for saying in layout.sayings:
            place = f"facts: {saying.title}"
            yield from self._zones(place, saying.empty)
            for cell, value in saying.sets:
                yield from self._cell(place, cell, value, saying.say)
            if saying.phase is not None and saying.phase not in layout.phases:
                yield saying.phase, _lacking(place, "этапа", "phase", saying.phase)
            yield from self._zones(place, (zone for zone, _ in saying.holding))
        for saying in layout.texts:
            yield from self._acts(f"texts: {saying.title}", (*saying.before, *saying.after))
        yield from self._words("texts: speech", layout.speech, layout)
        yield from self._words("must_be_lawful", layout.must_be_lawful, layout)
        yield from self._words("completes", layout.completes, layout)
        yield from self._words("attempts", layout.attempts, layout)
        for word, following in layout.prelude.items():
            yield from self._words("prelude", (word, *following), layout)
        for follow in (*layout.follow, *(() if layout.payments is None else (layout.payments,))):
            yield from self._words("follow", (*follow.after, *follow.unless), layout)
        for word, sequences in layout.events.items():
            yield from self._acts(f"events: {word}", (call for sequence in sequences for call in sequence))
        for follow in layout.follow:
            yield from self._acts("follow", follow.do)
        if layout.payments is not None:
            yield from self._acts("payments", layout.payments.do)

    def _words(self, place: str, words: Iterable[str], layout: CaseWords) -> Iterator[tuple[str, Text]]:
        """Words for events."""
        for word in words:
            if word not in layout.events and not any(act in self.actions for act in self.words.acts(word)):
                yield word, _lacking(place, "действия", "act", word)

    def _form(self, place: str, section: str, form: Form) -> Iterator[tuple[str, Text]]:
        if form.kind in ACT_FORMS:
            for word in form.names:
                if not any(act in self.actions for act in self.words.acts(word)):
                    yield word, _lacking(place, "действия", "act", word)
        elif form.kind in ZONE_FORMS:
            yield from self._zones(place, form.names)
        elif form.kind in CELL_FORMS or form.kind == "not":
            yield from self._cells(place, form.names)
        elif section == "given":
            for name in form.names:
                if name not in self.registers and form.kind != "empty":
                    yield name, _lacking(place, "ячейки", "register", name)

    def _zones(self, place: str, names: Iterable[str]) -> Iterator[tuple[str, Text]]:
        for name in names:
            if name not in self.zones:
                yield name, _lacking(place, "зоны", "zone", name)

    def _cells(self, place: str, names: Iterable[str]) -> Iterator[tuple[str, Text]]:
        for name in names:
            if name not in self.registers and name not in self.terms:
                yield name, _lacking(place, "термина и ячейки", "term or register", name)

    def _free(self, place: str, free: Free) -> Iterator[tuple[str, Text]]:
        register = self.registers.get(free.register)
        if register is None:
            yield free.register, _lacking(place, "ячейки", "register", free.register)
            return
        kind = register.type
        values = self.norms.sort(kind.sort).values if isinstance(kind, ir.Member) else ()
        for value in free.values or ():
            if value not in values:
                yield value, _never(place, free.register, value)

    def _cell(self, place: str, cell: Call, value: object, say: str) -> Iterator[tuple[str, Text]]:
        register = self.registers.get(cell.name)
        if register is None:
            yield cell.name, _lacking(place, "ячейки", "register", cell.name)
            return
        if len(cell.arguments or ()) != len(register.index):
            yield cell.name, _arity(place, cell.name, len(register.index))
        for argument, sort in zip(cell.arguments or (), register.index, strict=False):
            known = (*CELL_WORDS, *self.norms.sort(sort).values, *self.words.values)
            if f"{{{argument}}}" not in say and argument not in known:
                yield argument, _lacking(place, "игрока и значения", "player or value", argument)
        kind = register.type
        values = self.norms.sort(kind.sort).values if isinstance(kind, ir.Member) else ()
        for each in value if isinstance(value, list) else [value]:
            parts = summands(each) if isinstance(kind, ir.Whole) else ()
            for part in parts or (each,):
                if not isinstance(part, str) or f"{{{part}}}" in say or part == "earlier":
                    continue
                if parts and (not part or part.isdecimal()):
                    continue
                if part not in values and part not in self.words.values:
                    yield str(each), _never(place, cell.name, str(each))

    def _acts(self, place: str, calls: Iterable[Call]) -> Iterator[tuple[str, Text]]:
        for call in calls:
            action = self.actions.get(call.name)
            if action is None:
                yield call.name, _lacking(place, "действия", "act", call.name)
            elif call.arguments is not None and len(call.arguments) != len(action.parameters):
                yield call.name, _arity(place, call.name, len(action.parameters))


def _lacking(place: str, ru: str, en: str, name: str) -> Text:
    return Text(f"{place}: в своде нет {ru} «{name}»", f"{place}: the rulebook has no {en} “{name}”")


def _never(place: str, register: str, value: str) -> Text:
    return Text(f"{place}: «{register}» не бывает «{value}»", f"{place}: “{register}” is never “{value}”")


def _arity(place: str, name: str, count: int) -> Text:
    return Text(f"{place}: у «{name}» аргументов: {count}", f"{place}: “{name}” takes {count} arguments")
