"""In: rulings on judges' cases. Out: what was answered, by which rules, and where the rules leave it open; for people
and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.text import Text as Rich

from svod.diagnostics import Text
from svod.norms.trace import Status
from svod.prose.from_norms import clause_sentence
from svod.rulebook.book import Book
from svod.searches.case_events import Done, Happened
from svod.searches.case_ways import Answer, Other
from svod.searches.judging import Ruling

STATUS_WORDS = {
    Status.LAWFUL: Text("законно", "lawful"),
    Status.UNLAWFUL: Text("незаконно", "unlawful"),
    Status.CONTESTED: Text("спорно", "contested"),
    Status.IMPOSSIBLE: Text("невозможно", "impossible"),
}


def value_text(value: object, language: str) -> str:
    """An answer in one line."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return (Text("да", "yes") if value else Text("нет", "no")).in_language(language)
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_inner(each, language)}" for key, each in value.items()) or "—"
    if isinstance(value, frozenset | tuple | list):
        listed = sorted(value, key=str) if isinstance(value, frozenset) else value
        return ", ".join(_inner(each, language) for each in listed) or "—"
    return str(value)


def _inner(value: object, language: str) -> str:
    text = value_text(value, language)
    return f"[{text}]" if isinstance(value, Mapping | frozenset | tuple | list) else text


def value_json(value: object) -> object:
    """An answer as JSON types: a set as a sorted list."""
    if isinstance(value, frozenset):
        return sorted((value_json(each) for each in value), key=str)
    if isinstance(value, tuple | list):
        return [value_json(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): value_json(each) for key, each in value.items()}
    return value


# -------------------------------------------------------------------------------------------------------- text


def ruling_lines(ruling: Ruling, book: Book, language: str, *, whole: bool) -> Iterator[Rich]:
    """A ruling; `whole`: with what happened and the sentences of the rules."""

    def said(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    head = Rich(f"{ruling.name}  {ruling.title}".strip() or said("случай", "case"), style="bold")
    judged = [answer for answer in ruling.answers if answer.agrees is not None]
    if judged:
        good = all(answer.agrees for answer in judged)
        mark = said("сходится", "agrees") if good else said("РАСХОДИТСЯ", "DISAGREES")
        head.append(f"  — {mark}", style="green" if good else "bold red")
    yield head
    if whole:
        for happened in ruling.course.events.values():
            yield from _happened(ruling, happened, language)
    for answer in ruling.answers:
        yield from _answer(answer, language)
    for piece in ruling.unread:
        yield Rich(f"  {said('не учтено', 'not taken into account')}: {piece}", style="yellow")
    yield from _rules(ruling, book, language, whole=whole)
    if ruling.missing:
        yield Rich(
            f"  {said('случай ссылается ещё на', 'the case also names')}: {', '.join(ruling.missing)}", style="dim"
        )


def _happened(ruling: Ruling, happened: Happened, language: str) -> Iterator[Rich]:
    for done in (*happened.done, *happened.paid):
        text = act_words(ruling, done)
        who = "" if done.own else Text("  (за столом)", "  (at the table)").in_language(language)
        status = "" if done.status is Status.LAWFUL else f"  — {STATUS_WORDS[done.status].in_language(language)}"
        yield Rich(f"  · {text}{status}{who}", style="" if done.own else "dim")


def act_words(ruling: Ruling, done: Done) -> str:
    """An act in the words of the case."""
    table = ruling.table
    action = table.action(done.act.action)
    if action is None:
        return done.act.action
    parts = [
        table.plain(parameter.sort, value)
        for parameter, value in zip(action.parameters, done.act.arguments, strict=True)
    ]
    return f"{action.name}({', '.join(parts)})"


def _answer(answer: Answer, language: str) -> Iterator[Rich]:
    question = answer.question
    moment = Text(f"после {question.moment}", f"after {question.moment}").in_language(language)
    who = "" if question.who is None else f", {value_text(question.who, language)}"
    line = Rich(f"  {question.number}. {question.asked} ({moment}{who}): ")
    if answer.settled:
        line.append(value_text(answer.value, language), style="bold")
    else:
        open_ = Text("правила не решают", "the rules do not settle it").in_language(language)
        line.append(open_ + ("" if answer.why is None else f": {_quarrel(answer, language)}"), style="bold yellow")
    if answer.agrees is False:
        expected = Text("ждали", "expected").in_language(language)
        line.append(f"   ✗ {expected}: {value_text(answer.expected, language)}", style="red")
    elif answer.agrees:
        line.append("  ✓", style="green")
    yield line
    for side in side_lines(answer, language):
        yield Rich(f"       {side}", style="yellow")
    if answer.settled and answer.readings:
        decides = Text("решает принятое прочтение; иначе", "the adopted reading decides; otherwise").in_language(
            language
        )
        for other in answer.readings:
            yield Rich(f"       {decides} — {other_text(other, language)}", style="yellow")
    elif answer.readings:
        for other in answer.readings:
            yield Rich(f"       {other_text(other, language)}", style="yellow")


def side_lines(answer: Answer, language: str) -> list[str]:
    """What each side of a quarrel would give; one line where all give the same."""
    if answer.settled and answer.sides:
        same = Text("по каждому из них ответ тот же", "by each of them the answer is the same").in_language(language)
        return [f"{_quarrel(answer, language)}; {same}"]
    return [other_text(side, language) for side in answer.sides]


def _quarrel(answer: Answer, language: str) -> str:
    """What stands in the way of an answer, and the rules concerned."""
    rules = ", ".join(dict.fromkeys(rule_of(each) for each in answer.clauses))
    why = "" if answer.why is None else answer.why.in_language(language)
    return f"{why} ({rules})" if rules else why


def other_text(other: Other, language: str) -> str:
    """An answer under a condition."""
    if other.why is None:
        told = value_text(other.value, language)
    else:
        told = other.why.in_language(language)
        if other.clauses:
            told += f" ({', '.join(dict.fromkeys(rule_of(each) for each in other.clauses))})"
    return f"{other.condition.in_language(language)}: {told}"


def rule_of(clause: str) -> str:
    """The number of the item in which a clause stands, from the clause's id or a number."""
    return clause.split("#")[0]


def _rules(ruling: Ruling, book: Book, language: str, *, whole: bool) -> Iterator[Rich]:
    words = Text("правила", "rules").in_language(language)
    if not ruling.rules:
        return
    if not whole:
        yield Rich(f"  {words}: {', '.join(citation.rule for citation in ruling.rules)}", style="cyan")
        return
    yield Rich(f"  {words}:", style="cyan")
    for citation in ruling.rules:
        item = book.find(citation.rule)
        title = "" if item is None else f" {item.title}"
        amended = amendment(ruling, citation.rule)
        line = Rich(f"    {citation.rule}{title}", style="cyan")
        if amended:
            line.append(f"  [{amended}]", style="magenta")
        yield line
        for sentence in sentences(ruling, citation.clauses, language):
            yield Rich(f"      {sentence}", style="dim")


def sentences(ruling: Ruling, clauses: Sequence[str], language: str) -> Iterator[str]:
    """The clauses read back."""
    for clause in ruling.table.norms.clauses:
        if clause.head.id in clauses:
            yield clause_sentence(ruling.table.norms, clause, language)


def amendment(ruling: Ruling, rule: str) -> str:
    """The amendment that wrote clauses of this rule, if one did."""
    found = {
        clause.head.amended_by
        for clause in ruling.norms.clauses
        if clause.head.rule == rule and clause.head.amended_by is not None
    }
    return ", ".join(sorted(found))


# -------------------------------------------------------------------------------------------------------- data


def ruling_json(ruling: Ruling, language: str) -> dict[str, object]:
    """A ruling as data."""
    return {
        "id": ruling.name,
        "title": ruling.title,
        "parameters": dict(ruling.norms.parameters),
        "switches": sorted(ruling.table.switches),
        "agrees": ruling.agrees,
        "settled": ruling.settled,
        "ways": ruling.ways,
        "answers": [_answer_json(answer, language) for answer in ruling.answers],
        "rules": [citation.rule for citation in ruling.rules],
        "clauses": {citation.rule: list(citation.clauses) for citation in ruling.rules},
        "amended": {each.rule: by for each in ruling.rules if (by := amendment(ruling, each.rule))},
        "missing_rules": list(ruling.missing),
        "acts": [
            {
                "event": number,
                "act": act_words(ruling, done),
                "status": done.status.name.lower(),
                "added": not done.own,
            }
            for number, happened in ruling.course.events.items()
            for done in (*happened.done, *happened.paid)
        ],
        "not_taken_into_account": list(ruling.unread),
    }


def _answer_json(answer: Answer, language: str) -> dict[str, object]:
    found: dict[str, object] = {
        "question": answer.question.number,
        "ask": answer.question.asked,
        "at": answer.question.moment,
        "who": answer.question.who,
        "settled": answer.settled,
        "answer": value_json(answer.value),
        "why": None if answer.why is None else answer.why.in_language(language),
        "open_rules": list(dict.fromkeys(rule_of(each) for each in answer.clauses)),
        "sides": [_other_json(other, language) for other in answer.sides],
        "readings": [_other_json(other, language) for other in answer.readings],
    }
    if answer.agrees is not None:
        found |= {"expected": answer.expected, "agrees": answer.agrees}
    return found


def _other_json(other: Other, language: str) -> dict[str, object]:
    return {
        "condition": other.condition.in_language(language),
        "answer": value_json(other.value),
        "why": None if other.why is None else other.why.in_language(language),
        "open_rules": list(dict.fromkeys(rule_of(each) for each in other.clauses)),
    }
