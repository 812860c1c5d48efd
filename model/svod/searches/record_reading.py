"""In: the text of a record, norms, plain names. Out: its header and moves, and all problems with the place of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Protocol

from svod.diagnostics import Code, Problems, Severity, Text
from svod.norms import ir
from svod.norms.parameters import Parameter
from svod.norms.trace import Act
from svod.rulebook.book import Book
from svod.rulebook.names import nearest
from svod.searches.records import CHANCE, KEYS, REMARK, Record, RecordedMove, RecordLine, Word, book_mark
from svod.source import Source, Span

BROKEN_HEAD = Code(
    "C701",
    Text("заголовок записи не понят", "the header of a record is not understood"),
    Text(
        "Запись партии начинается строками «ключ: значение»: свод, редакция, параметры; можно отпечаток, поправки, "
        "варианты, прочтения, зерно, заметку. После них пустая строка, дальше ходы.",
        "A record begins with lines “key: value”: rulebook, edition, parameters; hash, overlays, variants, readings, "
        "seed and a note may be there. Then an empty line, then the moves.",
    ),
)
BROKEN_LINE = Code(
    "C702",
    Text("ход записи не понят", "a move of a record is not understood"),
    Text(
        "Ход записи — это «номер. кто: действие значения», у действий случая вместо игрока стоит «случай». "
        "Значений столько, сколько мест у действия, не считая того, кто действует. После # — пояснение.",
        "A move is written “number. who: act values”, with “chance” for acts of nobody. There are as many values as "
        "the act has places, the actor apart. What follows # is a remark.",
    ),
)
UNKNOWN_RECORD_WORD = Code(
    "C703",
    Text("слово записи не найдено в своде", "a word of a record is not in the rulebook"),
    Text(
        "Действия, карты, игроки, варианты и прочтения называются в записи так же, как в своде (или именем из "
        "vocabulary.yaml) при параметрах этой партии.",
        "Acts, cards, players, variants and readings are called in a record as in the rulebook (or by a name of "
        "vocabulary.yaml) at the parameters of this game.",
    ),
)
OTHER_TEXT = Code(
    "C704",
    Text("запись сделана по другому тексту свода", "the record was made by another text of the rulebook"),
    Text(
        "Редакция или отпечаток записи не те, что у свода. Партия проверяется по своду, который указан; если правила "
        "с тех пор изменились, ответ может быть другим, чем за столом.",
        "Edition or hash of the record differ from those of the rulebook. The game is checked by the rulebook that "
        "was named; if its rules have changed since, the answer may differ from the one at the table.",
    ),
    Severity.WARNING,
)
LOST_LINE = Code(
    "C705",
    Text("номера ходов идут не подряд", "moves are not numbered one after another"),
    Text(
        "Номера ходов нужны только людям, но пропуск в них часто значит, что строка потерялась.",
        "The numbers are for people only, but a gap often means that a line was lost.",
    ),
    Severity.WARNING,
)

PROBLEMS_MAX = 40
"""So many problems are told; a file that is no record at all has one on every line."""

_NOBODY_KNOWN = "?"
_NUMBER = re.compile(r"\s*(\d{1,9})[.)]\s*")
_WORD = re.compile(r"[^\s,();]+")
_KEYED = re.compile(r"\s*([^:#]*?)\s*:\s*(.*?)\s*$")


class Names(Protocol):
    """Plain names for acts and values; a vocabulary is one."""

    def acts(self, name: str) -> tuple[str, ...]:
        """Actions that a name may mean, in the order to try."""

    def value(self, sort: ir.Sort, name: str) -> int | None:
        """Number of the value that a name means."""


# ------------------------------------------------------------------------------------------------------- text


def parse_record(source: Source, problems: Problems) -> Record | None:
    """The header and the moves as written; None if the header cannot be used. Lines that are no moves are reported and
    left out."""
    own, above = Problems(), Problems()
    head: dict[str, Word] = {}
    lines: list[RecordLine] = []
    in_head = True
    for number, start, text in _lines(source):
        written = text.split(REMARK, 1)[0].rstrip()
        if in_head and head and not text.strip():
            in_head = False
        elif not written.strip():
            continue
        elif in_head and _NUMBER.match(written) is None:
            _head_line(source, start, written, head, above)
        else:
            in_head = False
            line = _move_line(source, number, start, written, lines, own)
            if line is not None:
                lines.append(line)
    for key in ("rulebook", "edition"):
        if key not in head:
            name = KEYS[key]
            message = Text(f"в заголовке нет строки «{name.ru}: …»", f"the header has no line “{name.en}: …”")
            above.report(BROKEN_HEAD, message, Span(source.name, 0, min(1, len(source.text))))
    _hand_over(above, problems)
    _hand_over(own, problems)
    return None if above.has_errors else Record(source, head, tuple(lines))


def _hand_over(own: Problems, problems: Problems) -> None:
    found = list(own)
    for diagnostic in found[:PROBLEMS_MAX]:
        problems.add(diagnostic)
    more = len(found) - PROBLEMS_MAX
    if more > 0:
        message = Text(f"и ещё столько же не показано: {more}", f"and {more} more that are not shown")
        problems.report(BROKEN_LINE, message, None)


def _lines(source: Source) -> Iterator[tuple[int, int, str]]:
    """Number from 1, place in the text, and the text of every line."""
    start = 0
    for number, text in enumerate(source.text.split("\n"), 1):
        yield number, start, text
        start += len(text) + 1


def _head_line(source: Source, start: int, text: str, head: dict[str, Word], problems: Problems) -> None:
    whole = Span(source.name, start + len(text) - len(text.lstrip()), start + len(text))
    found = _KEYED.match(text)
    if found is None:
        message = Text("ожидается «ключ: значение»", "“key: value” is expected")
        problems.report(BROKEN_HEAD, message, whole, help=_known_keys())
        return
    place = Span(source.name, start + found.start(1), start + max(found.end(1), found.start(1) + 1))
    named = {name: key for key, words in KEYS.items() for name in (words.ru, words.en)}
    key = named.get(found[1].lower())
    if key is None:
        near = nearest(found[1].lower(), named)
        message = Text(f"в заголовке записи нет ключа «{found[1]}»", f"a record's header has no key “{found[1]}”")
        hint = _known_keys() if near is None else Text(f"похоже: {near}", f"close: {near}")
        problems.report(BROKEN_HEAD, message, place, help=hint)
    elif key in head:
        message = Text(f"«{found[1]}» стоит в заголовке дважды", f"“{found[1]}” stands twice in the header")
        problems.report(BROKEN_HEAD, message, place)
    elif found[2]:
        head[key] = Word(found[2], Span(source.name, start + found.start(2), start + found.end(2)))


def _known_keys() -> Text:
    ru, en = ", ".join(words.ru for words in KEYS.values()), ", ".join(words.en for words in KEYS.values())
    return Text(f"ключи: {ru}; после заголовка — пустая строка", f"keys: {en}; an empty line ends the header")


def _move_line(
    source: Source, line: int, start: int, text: str, before: Sequence[RecordLine], problems: Problems
) -> RecordLine | None:
    whole = Span(source.name, start + len(text) - len(text.lstrip()), start + len(text))
    numbered = _NUMBER.match(text)
    rest = numbered.end() if numbered is not None else 0
    number = int(numbered[1]) if numbered is not None else None
    last = before[-1].number if before else 0
    if numbered is not None and last is not None and number != last + 1:
        message = Text(f"после хода {last} стоит ход {number}", f"move {number} comes after move {last}")
        place = Span(source.name, start + numbered.start(1), start + numbered.end(1))
        problems.report(LOST_LINE, message, place)
    actor: Word | None = None
    if ":" in text[rest:]:
        colon = text.index(":", rest)
        who = text[rest:colon].strip()
        at = start + rest + len(text[rest:colon]) - len(text[rest:colon].lstrip())
        actor = Word(who, Span(source.name, at, at + max(1, len(who))))
        rest = colon + 1
    words = [
        Word(found[0], Span(source.name, start + found.start(), start + found.end()))
        for found in _WORD.finditer(text, rest)
    ]
    if not words:
        message = Text("не сказано, какое это действие", "it is not said which act this is")
        problems.report(BROKEN_LINE, message, whole)
        return None
    return RecordLine(line, number, actor, words[0], tuple(words[1:]), whole)


# ----------------------------------------------------------------------------------------------------- header


def check_head(record: Record, book: Book, problems: Problems) -> None:
    """Another rulebook is an error; another edition or another wording of it only a warning."""
    if record.said("rulebook") != book.name:
        said = record.said("rulebook")
        message = Text(f"запись по своду «{said}», а не «{book.name}»", f"a record of “{said}”, not of “{book.name}”")
        problems.report(BROKEN_HEAD, message, record.head["rulebook"].span)
    elif record.said("edition") != book.edition:
        said = record.said("edition")
        message = Text(
            f"запись по редакции {said}, а проверяется по редакции {book.edition}",
            f"a record of edition {said}, checked by edition {book.edition}",
        )
        problems.report(OTHER_TEXT, message, record.head["edition"].span)
    elif record.said("mark") and record.said("mark") != book_mark(book):
        message = Text(
            f"отпечаток свода теперь {book_mark(book)}: с тех пор его текст изменился",
            f"the rulebook's hash is now {book_mark(book)}: its text has changed since",
        )
        problems.report(OTHER_TEXT, message, record.head["mark"].span)


def record_parameters(record: Record, parameters: Iterable[Parameter], problems: Problems) -> dict[str, int] | None:
    """Values of the rulebook's parameters; one that the record leaves open takes its only value. None if one lacks."""
    declared = {parameter.name: parameter for parameter in parameters}
    values: dict[str, int] = {}
    sound = True
    for word in record.items("parameters"):
        name, _, value = word.text.replace("=", " ").rpartition(" ")
        name = name.strip()
        if name not in declared:
            sound = False
            _unknown("параметра", "parameter", name or word.text, declared, word.span, problems)
        elif re.fullmatch(r"[0-9]{1,9}", value) is None or (
            declared[name].choices and int(value) not in declared[name].choices
        ):
            sound = False
            listed = ", ".join(map(str, declared[name].choices)) or "…"
            message = Text(f"«{name}» не может быть {value}", f"“{name}” cannot be {value}")
            problems.report(BROKEN_HEAD, message, word.span, help=Text(f"может быть: {listed}", f"may be: {listed}"))
        elif name in values:
            sound = False
            message = Text(f"«{name}» стоит в параметрах дважды", f"“{name}” stands twice among the parameters")
            hint = Text("оставьте одно значение", "keep one value")
            problems.report(BROKEN_HEAD, message, word.span, help=hint)
        else:
            values[name] = int(value)
    for name, parameter in declared.items():
        if name not in values and len(parameter.choices) == 1:
            values[name] = parameter.choices[0]
        elif name not in values and sound:
            message = Text(f"в записи не сказано: {name}", f"the record does not say: {name}")
            place = record.head.get("parameters", record.head["rulebook"]).span
            key = KEYS["parameters"]
            hint = Text(f"например: {key.ru}: {name} …", f"say: {key.en}: {name} …")
            problems.report(BROKEN_HEAD, message, place, help=hint)
    return values if sound and len(values) == len(declared) else None


def record_switches(record: Record, norms: ir.Norms, problems: Problems) -> frozenset[str]:
    """Variants and readings in force: those the record names; readings that it does not name are the adopted ones."""
    variants = {variant.name for variant in norms.variants}
    readings = {reading.switch(letter): reading for reading in norms.readings for letter, _ in reading.options}
    switches = {reading.switch(reading.adopted) for reading in norms.readings}
    for word in record.items("variants"):
        if word.text in variants:
            switches.add(word.text)
        else:
            _unknown("варианта", "variant", word.text, variants, word.span, problems)
    for word in record.items("readings"):
        name = word.text.replace("/", "=")
        if name in readings:
            switches -= readings[name].switches
            switches.add(name)
        elif record.said("edition") != norms.edition:
            message = Text(f"прочтения «{word.text}» в этой редакции нет", f"this edition has no reading “{word.text}”")
            problems.report(OTHER_TEXT, message, word.span)
        else:
            _unknown("прочтения", "reading", word.text, readings, word.span, problems)
    return frozenset(switches)


# ------------------------------------------------------------------------------------------------------ moves


def acts_of_record(
    record: Record, norms: ir.Norms, names: Names, problems: Problems
) -> tuple[RecordedMove, ...] | None:
    """The moves as acts; None if one of them is not understood. All of them are looked at."""
    own = Problems()
    reading = _Moves(norms, names, own)
    found = [reading.move(line) for line in record.lines]
    _hand_over(own, problems)
    return None if own.has_errors else tuple(move for move in found if move is not None)


class _Moves:
    """Looks up the words of moves."""

    def __init__(self, norms: ir.Norms, names: Names, problems: Problems) -> None:
        self.norms, self.names, self.problems = norms, names, problems
        self.actions = {action.name: action for action in norms.actions}
        self.seats = norms.sort(norms.seats)

    def move(self, line: RecordLine) -> RecordedMove | None:
        """The acts that a line may mean."""
        meant = [self.actions[name] for name in self.names.acts(line.action.text) if name in self.actions]
        if not meant:
            _unknown("действия", "act", line.action.text, self.actions, line.action.span, self.problems)
            return None
        actor = self._actor(line)
        if actor == _NOBODY_KNOWN:
            return None
        fitting = [action for action in meant if self._fits(action, actor, len(line.arguments))]
        if not fitting:
            self._does_not_fit(line, meant[0], actor)
            return None
        acts = [act for action in fitting for act in self._acts(action, actor, line, report=action is fitting[0])]
        return RecordedMove(tuple(acts), line.line, line.span) if acts else None

    def _actor(self, line: RecordLine) -> int | str | None:
        """A seat, "chance", None where nobody is named, `_NOBODY_KNOWN` where the name is wrong."""
        if line.actor is None:
            return None
        if line.actor.text.lower() in (CHANCE.ru, CHANCE.en):
            return CHANCE.en
        seat = self.names.value(self.seats, line.actor.text)
        if seat is None:
            known = (*self.seats.values, CHANCE.ru, CHANCE.en)
            _unknown("игрока", "player", line.actor.text, known, line.actor.span, self.problems)
            return _NOBODY_KNOWN
        return seat

    def _fits(self, action: ir.Action, actor: int | str | None, count: int) -> bool:
        places = len(action.parameters)
        if actor is None:
            return count == places
        if actor == CHANCE.en:
            return action.actor is None and count == places
        return action.actor is not None and count == places - 1

    def _does_not_fit(self, line: RecordLine, action: ir.Action, actor: int | str | None) -> None:
        wanted = " ".join(p.name for place, p in enumerate(action.parameters) if place != action.actor)
        form = Text(
            f"пишется так: {CHANCE.ru if action.actor is None else self.seats.values[0]}: {action.name} {wanted}",
            f"it is written: {CHANCE.en if action.actor is None else self.seats.values[0]}: {action.name} {wanted}",
        )
        if actor is not None and (actor == CHANCE.en) != (action.actor is None):
            message = Text(f"не тот делает «{line.action.text}»", f"“{line.action.text}” is not done by that one")
        else:
            places = len(action.parameters) - int(actor is not None and action.actor is not None)
            message = Text(
                f"у «{line.action.text}» мест {places}, а сказано {len(line.arguments)}",
                f"“{line.action.text}” takes {places} values, {len(line.arguments)} are given",
            )
        self.problems.report(BROKEN_LINE, message, line.span, help=form)

    def _acts(self, action: ir.Action, actor: int | str | None, line: RecordLine, *, report: bool) -> Iterator[Act]:
        words = iter(line.arguments)
        values: list[Sequence[int]] = []
        for place, parameter in enumerate(action.parameters):
            if place == action.actor and isinstance(actor, int):
                values.append((actor,))
                continue
            word = next(words)
            sort = self.norms.sort(parameter.sort)
            value = self.names.value(sort, word.text)
            if value is None and report:
                _unknown(
                    f"значения ({sort.name})", f"value ({sort.name})", word.text, sort.values, word.span, self.problems
                )
            values.append(() if value is None else (value,))
        for chosen in product(*values):
            yield Act(action.name, chosen)


def _unknown(ru: str, en: str, word: str, known: Iterable[str], span: Span, problems: Problems) -> None:
    names = list(known)
    near = nearest(word, names)
    listed = ", ".join(names[:20]) or "—"
    hint = (
        Text(f"есть: {listed}", f"there are: {listed}") if near is None else Text(f"похоже: {near}", f"close: {near}")
    )
    problems.report(UNKNOWN_RECORD_WORD, Text(f"нет {ru} «{word}»", f"there is no {en} “{word}”"), span, help=hint)
