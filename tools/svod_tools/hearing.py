"""In: what people at the table type, line by line. Out: a case as data, judged step by step, and its protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.text import Text as Rich

from svod.diagnostics import Problems, Text
from svod.norms import ir
from svod.searches.case_reading import TARGETS
from svod.searches.case_ways import Answer
from svod.searches.case_words import CaseWords, Form
from svod.searches.cases import parameters_of_case
from svod.searches.judging import Case, Makers, Ruling, judge
from svod_tools import terminal
from svod_tools.protocols import answer_lines, protocol_lines
from svod_tools.workbench import Workbench

HELP = Text(
    "событие: кто, действие, карта или номер, на кого; у голосования — «for …» и «against …»; "
    "«кто прав?» — решение; «отмена» — последнего события не было; «слова» — какие есть действия; «конец» — закончить",
    "an event: who, act, card or number, at whom; with lists of players “for …” and “against …”; "
    "“who is right?” — the ruling; “undo” — drop the last event; “words” — which acts there are; “end” — stop",
)
_RIGHT = {"кто прав", "кто прав?", "who is right", "who is right?", "?", "решение"}
_UNDO = {"отмена", "undo", "назад"}
_WORDS = {"слова", "words"}
_END = {"конец", "end", "выход", "quit", "q"}
_START = {"начало", "start", "н", "s"}
_HELP = {"помощь", "help", "h"}
_FOR, _AGAINST = {"for", "за"}, {"against", "против"}
LAST_KINDS = ("penalty", "offenders", "owed_now", "turn", "risen", "duties")


@dataclass
class Hearing:
    """One hearing: `data` is the case as told so far."""

    bench: Workbench
    makers: Makers
    layout: CaseWords
    title: str
    ask: Callable[[str], str]
    data: dict[str, object] = field(default_factory=dict)
    zones: dict[str, ir.Zone] = field(default_factory=dict)
    catalogue: ir.Catalogue | None = None
    events: list[dict[str, object]] = field(default_factory=list)

    def say(self, ru: str, en: str) -> None:
        """One line in the language of the session."""
        terminal.show(Rich(Text(ru, en).in_language(self.bench.choice.language)))

    def typed(self, ru: str, en: str) -> list[str]:
        """Words of an answer."""
        return self.ask(Text(ru, en).in_language(self.bench.choice.language)).replace(",", " ").split()

    # ---------------------------------------------------------------------------------------------- position

    def open(self) -> bool:
        """Ask for deck, players and position; whether there can be such a position."""
        self._parameters()
        problems = Problems()
        norms = self.makers.norms(parameters_of_case(self.data, self.bench.vocabulary), problems)
        if norms is None:
            terminal.show(terminal.problems_text(problems, self.bench.sources, self.bench.choice.language))
            return False
        self.zones = {zone.name: zone for zone in norms.zones}
        self.catalogue = norms.catalogue
        if norms.variants:
            known = ", ".join(variant.name for variant in norms.variants)
            while True:
                chosen = self.typed(f"варианты ({known}) ‹нет›: ", f"variants ({known}) ‹none›: ")
                if set(chosen) <= {variant.name for variant in norms.variants}:
                    break
                self.say(f"варианты свода: {known}", f"variants of the rulebook: {known}")
            self.data["variants"] = chosen
        while True:
            start = self.typed(
                "с начала партии или с положения? (начало/положение) ‹положение›: ",
                "from the start of a play or from a position? (start/position) ‹position›: ",
            )
            begun = bool(start) and start[0].lower() in _START
            self.data["position"] = self._beginning(norms) if begun else self._position()
            if self._judged(()) is not None:
                return True
            self.say("Такого положения нет, ещё раз.", "There is no such position; once more.")

    def _beginning(self, norms: ir.Norms) -> dict[str, object]:
        """The start of a play: the first stage, all cards where they lie then."""
        rests = [
            word
            for word, forms in self.layout.given.items()
            for form in forms
            if form.kind == "rest" and form.names[0] == norms.filled
        ]
        stage = next((register for register in norms.registers if register.name == norms.stage_register), None)
        first = None
        if stage is not None and isinstance(stage.initial, ir.Value):
            first = norms.sort(stage.initial.sort).values[stage.initial.index]
        phases = [name for name, phase in self.layout.phases.items() if phase.stage == first]
        return {"phase": (phases or list(self.layout.phases))[0], **({rests[0]: "rest"} if rests else {}), "turn": None}

    def _parameters(self) -> None:
        problems = Problems()
        ranges = self.bench.ranges(problems)
        words = {name: word for word, name in self.bench.vocabulary.parameters.items()}
        seats = [parameter.name for parameter in self.bench.compilation.parameters if parameter.seats]
        for name, values in ranges.items():
            if name in seats:
                continue
            known = ", ".join(map(str, values))
            while True:
                chosen = self.typed(f"{name} ({known}) ‹{values[0]}›: ", f"{name} ({known}) ‹{values[0]}›: ")
                if not chosen or (chosen[0].isdecimal() and int(chosen[0]) in values and len(chosen) == 1):
                    break
                self.say(f"можно: {known}", f"it may be: {known}")
            self.data[words.get(name, name)] = int(chosen[0]) if chosen else values[0]
        counts = next((ranges[name] for name in seats if name in ranges), ())
        while True:
            names = self.typed("игроки по часовой ‹A B C D›: ", "players clockwise ‹A B C D›: ") or ["A", "B", "C", "D"]
            if len(set(names)) == len(names) and (not counts or len(names) in counts):
                break
            allowed = ", ".join(map(str, sorted(counts)))
            self.say(
                f"нужны разные имена; игроков может быть {allowed}", f"different names, please; players: {allowed}"
            )
        self.data["players"] = names

    @property
    def players(self) -> list[str]:
        """The players as they were named."""
        players = self.data["players"]
        return [str(each) for each in players] if isinstance(players, list) else []

    def _position(self) -> dict[str, object]:
        """A phase, then each field that a position may have; nothing typed means nothing there."""
        phases = list(self.layout.phases)
        known = f"({', '.join(phases)}) ‹{phases[0]}›: "
        chosen = self.typed(f"этап {known}", f"stage {known}")
        position: dict[str, object] = {"phase": chosen[0] if chosen else phases[0]}
        rests = [word for word, forms in self.layout.given.items() if any(form.kind == "rest" for form in forms)]
        for word, forms in self.layout.given.items():
            if word in rests:
                continue
            content = self._field(word, forms)
            if content:
                position[word] = content
        if rests:
            known = f"({', '.join(rests)}) ‹{rests[0]}›: "
            rest = self.typed(f"остальные карты {known}", f"other cards {known}")
            position[rest[0] if rest else rests[0]] = "rest"
        turn = self.typed("чей ход ‹ещё не известно›: ", "whose turn ‹not known›: ")
        position["turn"] = turn[0] if turn else None
        facts = []
        before = Text("что было раньше ‹ничего›: ", "what came before ‹nothing›: ")
        while told := self.ask(before.in_language(self.bench.choice.language)).strip():
            facts.append(told)
        return {**position, **({"facts": facts} if facts else {})}

    def _field(self, word: str, forms: Sequence[Form]) -> object:
        named = (form.names[0] for form in forms if form.kind == "zone")
        zone = next((self.zones[name] for name in named if name in self.zones), None)
        if zone is None:
            return self.typed(f"{word} (игроки) ‹нет›: ", f"{word} (players) ‹none›: ")
        if zone.owned:
            example = "; ".join(f"{name}: …" for name in self.players[:2])
            prompt = Text(f"{word}, {example}; … ‹нет›: ", f"{word}, {example}; … ‹none›: ")
            return self._by_owner(self.ask(prompt.in_language(self.bench.choice.language)))
        if not zone.authors:
            return self.typed(f"{word} ‹нет›: ", f"{word} ‹none›: ")
        cards = self.typed(f"{word}, снизу вверх, карта:кто ‹нет›: ", f"{word}, bottom to top, card:who ‹none›: ")
        return [_laid(card) for card in cards]

    def _by_owner(self, line: str) -> dict[str, list[str]]:
        """«A: QC 7S; B: 9C» by player; who is named again has more."""
        found: dict[str, list[str]] = {}
        for part in line.split(";"):
            name, _, cards = part.partition(":")
            if part.strip():
                found.setdefault(name.strip(), []).extend(cards.replace(",", " ").split())
        return found

    # ------------------------------------------------------------------------------------------------ events

    def run(self) -> Ruling | None:
        """Events and questions until the end; the last ruling."""
        ruling: Ruling | None = None
        self.say(HELP.ru, HELP.en)
        while True:
            line = self.ask("> ").strip()
            word = line.lower()
            if word in _END:
                return ruling or self.rule(self.events)
            if word in _RIGHT:
                ruling = self.rule(self.events)
            elif word in _UNDO:
                self.events, ruling = self.events[:-1], None
            elif word in _WORDS:
                terminal.say(", ".join(self._event_words()))
            elif not line or word in _HELP:
                self.say(HELP.ru, HELP.en)
            else:
                event = self._event(line, len(self.events) + 1)
                if event is not None and self._show([*self.events, event]):
                    self.events, ruling = [*self.events, event], None

    def _event_words(self) -> list[str]:
        return list(dict.fromkeys((*self.layout.events, *self.bench.vocabulary.actions)))

    def _event(self, line: str, number: int) -> dict[str, object] | None:
        """An event from «A play 9S»; None, and why, if there is no act in it."""
        words = line.replace(",", " ").split()
        event: dict[str, object] = {"n": number}
        if words and words[0] in self.players:
            event["by"] = words.pop(0)
        known = {each.lower(): each for each in (*self._event_words(), *self._actions())}
        if not words or words[0].lower() not in known:
            self.say("такого действия нет; «слова» — какие есть", "there is no such act; “words” lists them")
            return None
        event["do"] = known[words.pop(0).lower()]
        place = self._target(str(event["do"]))
        for word in words:
            if word.lower() in _FOR | _AGAINST:
                place = "for" if word.lower() in _FOR else "against"
                event[place] = []
                continue
            listed = event.get(place)
            if word in self.players and isinstance(listed, list):
                listed.append(word)
                continue
            field = place if word in self.players else "code" if self._is_number(word) else "card"
            if field in event:
                self.say(f"«{word}» здесь лишнее", f"“{word}” is too much here")
                return None
            event[field] = word
        return event

    def _actions(self) -> list[str]:
        return [name for names in self.bench.vocabulary.actions.values() for name in names]

    def _is_number(self, word: str) -> bool:
        return "-" in word or self.bench.vocabulary.values.get(word) in self._numbers

    @property
    def _numbers(self) -> set[str | None]:
        """Values of the catalogue that have no hyphen: the one for what has no number."""
        catalogue = self.catalogue
        return set() if catalogue is None else {catalogue.other}

    def _target(self, word: str) -> str:
        """The field in which an event of this kind names at whom it aims."""
        calls = [call for follow in self.layout.follow if word in follow.after for call in follow.do]
        named = [argument for call in calls for argument in call.arguments or () if argument in TARGETS]
        return named[0] if named else TARGETS[0]

    def _show(self, events: list[dict[str, object]]) -> bool:
        """Say whether the last event was lawful; whether it can have happened."""
        last = len(events)
        ruling = self._judged(events, [(word, last) for word, _ in self._words_of("verdict", "violation")])
        if ruling is not None:
            for answer in ruling.answers:
                for line in answer_lines(answer, self.bench.choice.language):
                    terminal.show(Rich(line))
        return ruling is not None

    # ------------------------------------------------------------------------------------------------ ruling

    def rule(self, events: list[dict[str, object]]) -> Ruling | None:
        """The ruling on everything that happened, printed."""
        last, each = len(events), self._words_of("verdict", "violation")
        asked = [(word, place) for place in range(1, last + 1) for word, _ in each]
        asked += [(word, last) for word, form in self._words_of(*LAST_KINDS) if last or form.kind in ("turn", "duties")]
        ruling = self._judged(events, asked)
        if ruling is not None:
            said = [pair for pair, answer in zip(asked, ruling.answers, strict=True) if not _empty(answer)]
            ruling = self._judged(events, said) or ruling
            for line in protocol_lines(self.bench, self.title, self.data, ruling):
                terminal.show(Rich(line))
        return ruling

    def _words_of(self, *kinds: str) -> list[tuple[str, Form]]:
        """Questions of these kinds."""
        return [(word, form) for kind in kinds for word, form in self.layout.questions.items() if form.kind == kind]

    def _judged(self, events: Sequence[Mapping[str, object]], asked: Sequence[tuple[str, int]] = ()) -> Ruling | None:
        """The ruling on these events; None after its problems have been printed."""
        questions = [{"q": place, "ask": word, "at": moment} for place, (word, moment) in enumerate(asked, 1)]
        data = {**self.data, "events": [dict(event) for event in events], "questions": questions}
        problems = Problems()
        ruling = judge(Case(data, lambda path: None), self.bench.vocabulary, self.layout, self.makers, problems)
        if ruling is None or problems.has_errors:
            terminal.show(terminal.problems_text(problems, self.bench.sources, self.bench.choice.language))
            return None
        return ruling


def _empty(answer: Answer) -> bool:
    """An answer that there is nothing of what was asked for."""
    return answer.settled and answer.value in (frozenset(), {}, ())


def _laid(text: str) -> object:
    card, colon, by = text.partition(":")
    return {"card": card, "by": by} if colon else card
