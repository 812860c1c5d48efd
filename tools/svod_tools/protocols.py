"""In: a case as data and the ruling on it. Out: a protocol that can be kept: position, what happened, ruling, rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from svod.diagnostics import Text
from svod.norms.trace import Status
from svod.searches.case_ways import Answer
from svod.searches.case_words import Form
from svod.searches.judging import Ruling
from svod_tools.ruling_view import (
    STATUS_WORDS,
    act_words,
    amendment,
    other_text,
    rule_of,
    sentences,
    side_lines,
    value_text,
)
from svod_tools.workbench import Workbench

FORM_WORDS: Mapping[str, Text] = {
    "verdict": Text("законно ли", "is it lawful"),
    "violation": Text("номер нарушения", "number of the violation"),
    "penalty": Text("наказание", "penalty"),
    "offenders": Text("виновные", "offenders"),
    "owed_now": Text("кто платит (кому: кто)", "who pays (to whom: who)"),
    "owed": Text("долги", "debts"),
    "turn": Text("ходит", "to move"),
    "risen": Text("прибавилось", "more of"),
    "duties": Text("обязан", "has to"),
    "acts": Text("законные действия", "lawful acts"),
}
VALUE_WORDS: Mapping[object, Text] = {
    "lawful": Text("законно", "lawful"),
    "unlawful": Text("незаконно", "unlawful"),
    "violation": Text("нарушение", "a violation"),
    "none": Text("нет", "none"),
}


def protocol_lines(bench: Workbench, title: str, data: Mapping[str, object], ruling: Ruling) -> Iterator[str]:
    """The whole protocol."""
    language = bench.choice.language

    def said(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    yield said("Протокол", "Protocol")
    yield title
    parameters = ", ".join(f"{name} {value}" for name, value in ruling.norms.parameters)
    variants = data.get("variants") or []
    yield f"{parameters}; {said('варианты', 'variants')}: {value_text(variants, language)}"
    yield f"{said('Игроки по часовой', 'Players clockwise')}: {value_text(data.get('players'), language)}"
    yield ""
    yield said("Положение", "Position")
    yield from _position(data.get("position"), language)
    yield ""
    yield said("Что произошло", "What happened")
    yield from _events(ruling, language)
    yield ""
    yield said("Решение", "Ruling")
    for answer in ruling.answers:
        yield from answer_lines(answer, language)
    for piece in ruling.unread:
        yield f"  {said('не учтено', 'not taken into account')}: {piece}"
    yield ""
    yield said("Правила", "Rules")
    yield from _rules(bench, ruling, language)


def _position(position: object, language: str) -> Iterator[str]:
    for name, content in position.items() if isinstance(position, Mapping) else ():
        if isinstance(content, Mapping):
            for owner, cards in content.items():
                yield f"  {name} {owner}: {_listed(cards, language)}"
        else:
            yield f"  {name}: {_listed(content, language)}"


def _listed(content: object, language: str) -> str:
    if not isinstance(content, list):
        return value_text(content, language)
    parts = [f"{each.get('card')} ({each.get('by')})" if isinstance(each, Mapping) else str(each) for each in content]
    return " ".join(parts) or "—"


def _events(ruling: Ruling, language: str) -> Iterator[str]:
    if not ruling.course.events:
        yield "  —"
    for number, happened in ruling.course.events.items():
        for done in happened.done:
            status = "" if done.status is Status.LAWFUL else f" — {STATUS_WORDS[done.status].in_language(language)}"
            added = "" if done.own else Text(" (за столом)", " (at the table)").in_language(language)
            yield f"  {number}. {act_words(ruling, done)}{status}{added}"
        if happened.paid:
            count = len(happened.paid)
            yield "     " + Text(f"уплачено карт: {count}", f"cards paid: {count}").in_language(language)


def answer_lines(answer: Answer, language: str) -> Iterator[str]:
    """One answer, in words for people, and where it is not settled or hangs on a reading."""
    yield f"  {question_text(answer, language)}: {answer_text(answer, language)}"
    for side in side_lines(answer, language):
        yield f"    – {side}"
    for other in answer.readings:
        words = Text("решает принятое прочтение; иначе", "the adopted reading decides; otherwise").in_language(language)
        yield f"    – {words}: {other_text(other, language)}"


def question_text(answer: Answer, language: str) -> str:
    """A question in words."""
    form: Form = answer.question.form
    text = FORM_WORDS[form.kind].in_language(language) if form.kind in FORM_WORDS else answer.question.asked
    if form.kind in ("risen", "duties"):
        text += f" ({', '.join(form.names)})"
    event = Text(f"событие {answer.question.moment}", f"event {answer.question.moment}").in_language(language)
    return f"{event}, {text}" if answer.question.moment else text


def answer_text(answer: Answer, language: str) -> str:
    """An answer in words."""
    if answer.settled:
        value = answer.value
        if isinstance(value, str) and value in VALUE_WORDS:
            return VALUE_WORDS[value].in_language(language)
        return value_text(value, language)
    text = Text("правила не решают", "the rules do not settle it").in_language(language)
    if answer.why is not None:
        text += f": {answer.why.in_language(language)}"
    if answer.clauses:
        text += f" ({', '.join(dict.fromkeys(rule_of(each) for each in answer.clauses))})"
    return text


def _rules(bench: Workbench, ruling: Ruling, language: str) -> Iterator[str]:
    """The rules with their texts and what was read of them."""
    for citation in ruling.rules:
        item = bench.compilation.book.find(citation.rule)
        by = amendment(ruling, citation.rule)
        yield f"  {citation.rule} {'' if item is None else item.title}" + (f" [{by}]" if by else "")
        for line in item.prose.strip().splitlines() if item is not None else ():
            if line.strip():
                yield f"    {line.strip()}"
        for sentence in sentences(ruling, citation.clauses, language):
            yield f"    = {sentence}"
