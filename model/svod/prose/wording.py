"""In: the kind of a clause, effect or operator. Out: its phrase in Russian and English, with places to fill in.

The phrases never inflect a rulebook's own names: they stand in quotes, as the editor wrote them.
"""

from __future__ import annotations

from svod.diagnostics import Text
from svod.norms import ir

PHRASES: dict[str, Text] = {
    # values
    "yes": Text("да", "yes"),
    "no": Text("нет", "no"),
    "nothing": Text("нет", "none"),
    "switch": Text("действует «{name}»", "“{name}” is in force"),
    "seat_count": Text("число игроков", "the number of players"),
    "happened": Text("сейчас случается {event}", "{event} happens now"),
    "component": Text("{factor} ({of})", "{factor} of {of}"),
    "compose": Text("{sort} ({parts})", "{sort} ({parts})"),
    "next": Text("следующий за {of}", "the one after {of}"),
    "previous": Text("предшествующий {of}", "the one before {of}"),
    "next_seat": Text("следующий по часовой после {of}", "the next one clockwise after {of}"),
    "previous_seat": Text("предыдущий (против часовой) перед {of}", "the one before {of} (anticlockwise)"),
    "wrapped": Text("{step}, по кругу", "{step}, going round"),
    "greatest": Text("старшее значение «{sort}»", "the greatest {sort}"),
    "least": Text("младшее значение «{sort}»", "the least {sort}"),
    "distance": Text(
        "расстояние по часовой от {origin} до {target}", "the distance clockwise from {origin} to {target}"
    ),
    "first_after": Text(
        "первый по часовой после {start} — {variable}{where}", "the first {variable} clockwise after {start}{where}"
    ),
    "first_from": Text(
        "первый по часовой, начиная с {start} — {variable}{where}", "the first {variable} clockwise from {start}{where}"
    ),
    "only": Text("единственное {variable}{where}", "the only {variable}{where}"),
    "largest": Text("{variable}{where} с наибольшим: {key}", "the {variable}{where} with the largest {key}"),
    "smallest": Text("{variable}{where} с наименьшим: {key}", "the {variable}{where} with the smallest {key}"),
    "count": Text("число таких {variable}{where}", "the number of {variable}{where}"),
    "sum": Text("сумма по {variable}{where}: {of}", "the sum over {variable}{where} of {of}"),
    "where": Text(", что {condition}", " such that {condition}"),
    "exists": Text("есть {variable}{where}", "there is {variable}{where}"),
    "exists_none": Text("нет такого {variable}{where}", "there is no {variable}{where}"),
    "for_all": Text("для каждого {variable}{where}: {holds}", "for every {variable}{where}: {holds}"),
    "present": Text("{of}", "{of}"),
    "before": Text("прежде было: {of}", "{of} before"),
    "choose": Text("если {condition}, то {then}, иначе {otherwise}", "{then} if {condition}, else {otherwise}"),
    "allowed": Text("позволено: {act}", "{act} is allowed"),
    "guilty": Text("открыто нарушение {number} ({offender})", "breach {number} ({offender}) is open"),
    # zones
    "zone": Text("зона {name}", "zone {name}"),
    "size": Text("число карт в зоне {zone}", "the number of cards in {zone}"),
    "top": Text("верхняя карта зоны {zone}", "the top card of {zone}"),
    "bottom": Text("нижняя карта зоны {zone}", "the bottom card of {zone}"),
    "author": Text("тот, кто положил {card} в зону {zone}", "who laid {card} in {zone}"),
    "above": Text("карта прямо над {card} в зоне {zone}", "the card right above {card} in {zone}"),
    "in": Text("{card} лежит в зоне {zone}", "{card} lies in {zone}"),
    "not_in": Text("{card} не лежит в зоне {zone}", "{card} does not lie in {zone}"),
    "empty": Text("зона {zone} пуста", "{zone} is empty"),
    "not_empty": Text("зона {zone} не пуста", "{zone} is not empty"),
    "zones_holding": Text("число зон, где лежит {card}", "the number of zones that hold {card}"),
    # logic
    "not": Text("неверно, что {of}", "not {of}"),
    "and": Text(" и ", " and "),
    "or": Text(" или ", " or "),
    "equal_nothing": Text("{left} — нет", "{left} is none"),
    "unequal_nothing": Text("{left} есть", "{left} is some"),
    # effects
    "move_top": Text("{card} переходит из зоны {source} в зону {target}", "{card} goes from {source} to {target}"),
    "move_bottom": Text(
        "{card} переходит из зоны {source} под низ зоны {target}", "{card} goes from {source} under {target}"
    ),
    "laid_by": Text(" (положил {author})", " (laid by {author})"),
    "move_all": Text("все карты зоны {source} переходят в зону {target}", "all cards of {source} go to {target}"),
    "assign": Text("{register} теперь {value}", "{register} becomes {value}"),
    "post": Text("к счёту {register} прибавляется {amount}", "{amount} is added to {register}"),
    "raise": Text("случается {event}", "{event} happens"),
    "for_each": Text("для каждого {variable}{where}: ({effects})", "for each {variable}{where}: ({effects})"),
    "restore": Text(
        "возвращается положение до первого незамеченного нарушения",
        "the position before the first open breach comes back",
    ),
    "open": Text("открывается окно {window}", "the window {window} opens"),
    "close": Text("закрывается окно {window}", "the window {window} closes"),
    "forgive": Text("нарушение {number} ({offender}) закрыто", "breach {number} ({offender}) is closed"),
    # clauses
    "if": Text(", если {condition}", " if {condition}"),
    "term": Text("{term} — это {value}{guard}", "{term} is {value}{guard}"),
    "term_truth": Text("{term} означает: {value}{guard}", "{term} means: {value}{guard}"),
    "may": Text("{actor} может {act}{guard}", "{actor} may {act}{guard}"),
    "entitled": Text("{actor} вправе {act}{guard}", "{actor} is entitled to {act}{guard}"),
    "chance_may": Text("Случай решает {act}{guard}", "Chance decides {act}{guard}"),
    "forbid": Text("{actor} не имеет права {act}{guard}", "{actor} must not {act}{guard}"),
    "chance_forbid": Text("Случай не решает {act}{guard}", "Chance does not decide {act}{guard}"),
    "duty": Text(
        "Пока {condition}, {bearer} обязан {act}{deadline}", "While {condition}, {bearer} must {act}{deadline}"
    ),
    "duty_always": Text("{bearer} обязан {act}{deadline}", "{bearer} must {act}{deadline}"),
    "now": Text(" прежде всего другого", " before anything else"),
    "before_acts": Text(" прежде, чем {acts}", " before {acts}"),
    "untimed": Text("; срок не задан", "; no deadline is set"),
    "on_act": Text("После действия {act}{guard}: {effects}", "After {act}{guard}: {effects}"),
    "on_event": Text("Когда случается {event}{guard}: {effects}", "When {event} happens{guard}: {effects}"),
    "on_edge": Text("Как только {condition}: {effects}", "As soon as {condition}: {effects}"),
    "after": Text(" (после {rules})", " (after {rules})"),
    "violation": Text(
        "Действие {act}{guard} — нарушение {name}{breaks}; виновен {offenders}",
        "{act}{guard} is breach {name}{breaks}; guilty: {offenders}",
    ),
    "breaks": Text(" (нарушено {rules})", " (offends against {rules})"),
    "lapse": Text(
        "С действием {act}{guard} незамеченные нарушения прощены", "With {act}{guard} open breaches are forgiven"
    ),
    "penalty": Text(
        "За нарушение {number} ({offender}){guard}: {effects}", "For breach {number} ({offender}){guard}: {effects}"
    ),
    "ending": Text("Игра окончена, когда {condition}", "Play is over when {condition}"),
    "invariant": Text("Всегда верно: {holds}{guard}", "Always: {holds}{guard}"),
    "exempt": Text(" Не действует там, где действует {rules}.", " Does not apply where {rules} applies."),
    "reading": Text("При прочтении {letter}: ", "Under reading {letter}: "),
    "variant": Text("В варианте {name}: ", "In variant {name}: "),
    "any": Text("любое", "any"),
    # declarations
    "declare_pile": Text("Зона {name} — стопка", "Zone {name} is a pile"),
    "declare_set": Text("Зона {name} — набор", "Zone {name} is a set"),
    "declare_owned": Text("{zone}, своя у каждого", "{zone}, one for each player"),
    "declare_authors": Text("помнит, кто положил карту", "keeps who laid each card"),
    "declare_part": Text("часть зоны {name}", "part of zone {name}"),
    "declare_register": Text(
        "Ячейка {name} хранит: {type}; в начале {initial}", "Register {name} holds {type}; at the start {initial}"
    ),
    "declare_ledger": Text("Счёт {name}; в начале {initial}", "Ledger {name}; at the start {initial}"),
    "declare_window": Text("Окно {name}; в начале закрыто", "Window {name}; closed at the start"),
    "declare_outside": Text("вне снимка", "outside the frame"),
    "declare_catalogue": Text(
        "Нарушения перечислены под номерами: {numbers}; незаконное действие без номера — {other}",
        "Breaches are numbered: {numbers}; an unlawful act without a number is {other}",
    ),
    "declare_action": Text("Действие {act} возможно{guard}; {body}", "Act {act} is possible{guard}; {body}"),
    "always_possible": Text(" всегда", " always"),
    "no_body": Text("карты не движутся", "no card moves"),
    "declare_event": Text("Событие {event}", "Event {event}"),
    "asked": Text("Ответ на вопрос {term} нужен{when}", "An answer to {term} is needed{when}"),
    "when": Text(", когда {condition}", " when {condition}"),
    "or_nothing": Text("{type} или нет", "{type} or none"),
    "truth": Text("да или нет", "yes or no"),
    "range": Text("число от {low} до {high}", "a number {low} to {high}"),
}

VISIBILITY: dict[ir.Visibility, Text] = {
    ir.Visibility.ALL: Text("видят все", "seen by all"),
    ir.Visibility.OWNER: Text("видит только владелец", "seen by its owner"),
    ir.Visibility.NOBODY: Text("не видит никто", "seen by nobody"),
}

RELATIONS: dict[ir.Relation, Text] = {
    ir.Relation.EQUAL: Text("{left} — это {right}", "{left} is {right}"),
    ir.Relation.UNEQUAL: Text("{left} — не {right}", "{left} is not {right}"),
    ir.Relation.LESS: Text("{left} меньше, чем {right}", "{left} is less than {right}"),
    ir.Relation.LESS_EQUAL: Text("{left} не больше, чем {right}", "{left} is at most {right}"),
    ir.Relation.GREATER: Text("{left} больше, чем {right}", "{left} is greater than {right}"),
    ir.Relation.GREATER_EQUAL: Text("{left} не меньше, чем {right}", "{left} is at least {right}"),
}


def phrase(kind: str, language: str, /, **parts: str) -> str:
    """The phrase of this kind with its places filled in."""
    return PHRASES[kind].in_language(language).format(**parts)


def quoted(name: str, language: str) -> str:
    """A name of the rulebook, in the quotation marks of the language."""
    shown = name.replace("_", " ")
    return f"«{shown}»" if language == "ru" else f"“{shown}”"


def sentence(text: str) -> str:
    """First letter capital, a full stop at the end."""
    start = next((index for index, character in enumerate(text) if character.isalpha()), 0)
    opened = text[:start].strip()
    whole = text if opened else text[: start + 1].upper() + text[start + 1 :]
    return whole if whole.endswith((".", ":", ";")) else whole + "."
