"""In: an act as a person types it. Out: the acts it may mean; and acts and decisions as a person reads them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.trace import Act, Decision, Status
from svod.prose.from_norms import act_phrase, action_sentence, clause_sentence
from svod.searches.plays import action_named, rules_of
from svod_tools.vocabulary import Vocabulary

_WORD = re.compile(r"[^\s,();«»\"“”]+")


def parse_act(text: str, seat: int | None, norms: ir.Norms, vocabulary: Vocabulary) -> tuple[list[Act], Text | None]:
    """The acts that «побить К♠», «play KS» or «побить(П1, К♠)» may mean, best first; else what is wrong.

    `seat` is put in for the actor where it is not typed. An open place that chance picks stands for all its values.
    """
    words = _WORD.findall(text)
    if not words:
        return [], Text("не указан ход", "no act is given")
    by_name = {action.name: action for action in norms.actions}
    names = _names(words[0], vocabulary, by_name)
    if not names:
        close = ", ".join(difflib.get_close_matches(words[0], [*by_name, *vocabulary.actions], 3, 0.5)) or ", ".join(
            by_name
        )
        return [], Text(f"нет действия «{words[0]}»; похоже: {close}", f"no act “{words[0]}”; close: {close}")
    found: list[Act] = []
    problem: Text | None = None
    for name in names:
        acts, wrong = _with_arguments(by_name[name], words[1:], seat, norms, vocabulary)
        found += acts
        problem = problem or wrong
    return found, None if found else problem


def _names(word: str, vocabulary: Vocabulary, by_name: dict[str, ir.Action]) -> list[str]:
    wanted = [name for name in vocabulary.acts(word) if name in by_name]
    return wanted or [name for name in by_name if name.lower() == word.lower()]


def _with_arguments(
    action: ir.Action, words: Sequence[str], seat: int | None, norms: ir.Norms, vocabulary: Vocabulary
) -> tuple[list[Act], Text | None]:
    parameters = list(enumerate(action.parameters))
    open_places = [place for place, _ in parameters if place in action.chance]
    for skipped in ([], [action.actor], open_places, [action.actor, *open_places]):
        places = [(place, variable) for place, variable in parameters if place not in skipped]
        if len(places) != len(words) or (action.actor in skipped and (seat is None or action.actor is None)):
            continue
        values: dict[int, Iterable[int]] = {}
        for (place, variable), word in zip(places, words, strict=True):
            value = vocabulary.value(norms.sort(variable.sort), word)
            if value is None:
                return [], Text(f"«{word}» — не {variable.sort}", f"“{word}” is no {variable.sort}")
            values[place] = (value,)
        for place, variable in parameters:
            if place in values:
                continue
            own = place == action.actor and seat is not None
            values[place] = (seat or 0,) if own else range(len(norms.sort(variable.sort).values))
        chosen = product(*(values[place] for place, _ in parameters))
        return [Act(action.name, arguments) for arguments in chosen], None
    wanted = ", ".join(variable.name for place, variable in parameters if place != action.actor)
    return [], Text(f"«{action.name}» ждёт: {wanted or 'ничего'}", f"“{action.name}” takes: {wanted or 'nothing'}")


def act_text(norms: ir.Norms, act: Act, language: str, hidden: frozenset[int] = frozenset()) -> str:
    """An act as read aloud: who, what, with which cards; `hidden` cards are not named."""
    return act_phrase(norms, act.action, act.arguments, language, hidden)


_VERDICTS = {
    Status.LAWFUL: Text("так можно", "this is lawful"),
    Status.UNLAWFUL: Text("так нельзя", "this is not allowed"),
    Status.CONTESTED: Text("правила спорят: право встречает запрет", "the rules disagree: a right meets a prohibition"),
    Status.IMPOSSIBLE: Text(
        "так сделать невозможно: карты не там или условие действия не выполнено",
        "this cannot be done: the cards are elsewhere or the act's condition is not met",
    ),
}
_REASONS = {
    "permitted": Text("разрешает", "allowed by"),
    "forbidden": Text("запрещает", "forbidden by"),
    "blocked": Text("сначала обязанность", "a duty goes first"),
    "failed": Text("разрешало бы", "would be allowed by"),
}


def decision_lines(norms: ir.Norms, act: Act, decision: Decision, language: str) -> Iterator[str]:
    """Why an act has its status: the verdict, then each clause with its rule and its sentence."""
    yield _VERDICTS[decision.status].in_language(language) + "."
    if decision.status is Status.IMPOSSIBLE:
        yield f"  {action_named(norms, act.action).rule}: {action_sentence(norms, act.action, language)}"
        return
    parts: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("permitted", decision.permitted_by),
        ("forbidden", decision.forbidden_by),
        ("blocked", decision.blocked_by),
        ("failed", decision.failed if not decision.permitted_by else ()),
    )
    clauses = {clause.head.id: clause for clause in norms.clauses}
    for key, identifiers in parts:
        for identifier in identifiers:
            if identifier in clauses:
                clause = clauses[identifier]
                said = clause_sentence(norms, clause, language)
                yield f"  {_REASONS[key].in_language(language)} {clause.head.rule}: {said}"
    for excepted, excepting in decision.excepted:
        left, right = rules_of(norms, (excepted,))[0], rules_of(norms, (excepting,))[0]
        words = Text(f"  {left} не действует: исключение {right}", f"  {left} does not apply: excepted by {right}")
        yield words.in_language(language)
    if not decision.permitted_by and not decision.forbidden_by and not decision.blocked_by and not decision.failed:
        yield Text("  ни одно правило этого не разрешает", "  no rule allows it").in_language(language)
