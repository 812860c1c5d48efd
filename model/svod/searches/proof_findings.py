"""In: answers of the solver, and what play saw. Out: findings: rules that never apply, invariants proved or open,
rights and prohibitions that may meet, readings that part in a position.

Explicit search and solver must agree wherever both can answer: an invariant proved that a play breaks, or a pair proved
apart that play saw together, is our own fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from svod.constraints.answers import Answer, Fails, Holds
from svod.constraints.induction import NOT_OF_LAWFUL_PLAY
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.positions import position_to_json
from svod.norms.record import recorded
from svod.norms.trace import Act, Clash, Hole, Next, Position, Status
from svod.searches.check import Searched, Setting
from svod.searches.plays import Disagreement, act_text
from svod.searches.readings import READINGS_DIFFER
from svod.searches.stops import RIGHT_AGAINST_PROHIBITION

NEVER_APPLIES = Code(
    "F401",
    Text("правило никогда не применяется", "a rule that never applies"),
    Text(
        "Доказано: ни в одной позиции законной игры условие этого правила не выполняется. Либо правило лишнее, "
        "либо оно "
        "сказано не о том, о чём думал автор.",
        "Proved: in no position of lawful play is the condition of this rule met. Either the rule is superfluous "
        "or it does "
        "not say what its author meant.",
    ),
    Severity.WARNING,
)
NOT_SEEN = Code(
    "F402",
    Text("правило не встретилось", "a rule that was not seen to apply"),
    Text(
        "В просмотренных партиях условие правила ни разу не выполнилось, а доказать, что оно не выполняется "
        "никогда, не "
        "удалось. Это не ответ: вопрос открыт.",
        "In the games looked at the condition of the rule was never met, and it could not be proved that it never is. "
        "This is no answer: the question is open.",
    ),
    Severity.WARNING,
)
PROVED = Code(
    "F502",
    Text("инвариант доказан", "an invariant is proved"),
    Text(
        "По индукции доказано, что инвариант верен в каждой позиции законной игры в указанных пределах.",
        "Proved by induction to hold in every position of lawful play within the scope given.",
    ),
    Severity.NOTE,
)
UNDECIDED = Code(
    "F503",
    Text("инвариант не решён", "an invariant is not decided"),
    Text(
        "Ни одна просмотренная партия инвариант не нарушила, но и доказать его не удалось.",
        "No game looked at broke the invariant, and it could not be proved either.",
    ),
    Severity.NOTE,
)

MAY_CONFLICT = Code(
    "F107",
    Text("право и запрет могут сойтись", "a right and a prohibition may meet"),
    Text(
        "Решатель знает положение, в котором один пункт даёт право на действие, а другой его запрещает, но игры к нему "
        "найдено не было: может быть, его и нет.",
        "The solver knows a position in which one item entitles to an act and another forbids it, but no play to it "
        "was found: there may be none.",
    ),
    Severity.WARNING,
)
NOT_OF_PLAY = Code(
    "F403",
    Text("правило о нарушениях не встретилось", "a rule about breaches that was not seen to apply"),
    Text(
        "В законной игре правило ни на что не влияет: оно говорит о нарушениях, спорах или о словах, которых никто не "
        "обязан говорить. В просмотренных партиях с нарушениями его условие ни разу не выполнилось. Это не ответ.",
        "In lawful play the rule bears on nothing: it speaks of breaches, of disputes, or of words that nobody has to "
        "say. In the games with breaches that were looked at its condition was never met. This is no answer.",
    ),
    Severity.NOTE,
)
METHOD = "solver: induction over lawful steps"
ANY_PLAY = "solver: any play, breaches included"


_REASONS = (
    ("budget: canceled", "исчерпан бюджет решателя"),
    ("budget: timeout", "исчерпан бюджет решателя"),
    ("budget: max. resource limit exceeded", "исчерпан бюджет решателя"),
    ("not inductive", "индукция не проходит"),
    ("fires in a well-typed state", "срабатывает в мыслимом положении"),
    ("fires at the start", "срабатывает в начале партии"),
    ("at the start", "в начале партии"),
    ("more than", "больше, чем"),
    ("waves", "волн"),
    ("nothing to do with lawful play", "к законной игре не относится"),
    ("induction over lawful steps", "по индукции"),
    ("no well-typed state", "такого положения не бывает"),
    ("no lawful step from a well-typed state", "ни один законный ход к этому не ведёт"),
    ("no act of any play brings it about", "ни один ход к этому не ведёт"),
    ("time", "не хватило времени"),
)


def in_russian(reason: str) -> str:
    """Why the solver did not decide, in Russian; names of acts stay as they are."""
    for english, russian in _REASONS:
        reason = reason.replace(english, russian)
    return reason


def conflicts(answers: Sequence[Answer], searched: Searched, edition: str) -> None:
    """A conflict of two items that play met needs no more words; one that only the solver sees is told as a mere
    possibility; and one that play met and the solver excludes is our own fault. `answers` have to be about all pairs of
    clauses of the two items."""
    met = [
        frozenset(finding.rules)
        for finding in searched.findings
        if finding.code is RIGHT_AGAINST_PROHIBITION and finding.grade is Grade.REACHABLE
    ]
    pairs: dict[frozenset[str], list[Answer]] = {}
    for answer in answers:
        pairs.setdefault(frozenset(answer.rules), []).append(answer)
    for rules, about in pairs.items():
        if rules in met and all(isinstance(answer.verdict, Holds) for answer in about):
            raise Disagreement("proof", f"{' and '.join(sorted(rules))} cannot meet, and a play shows that they do")
        may = [answer for answer in about if isinstance(answer.verdict, Fails)]
        if may and not any(known >= rules for known in met):
            searched.findings.append(_conflict(may[0], edition))


def _conflict(answer: Answer, edition: str) -> Finding:
    pair = ", ".join(answer.rules)
    return Finding(
        MAY_CONFLICT,
        Family.CONTRADICTION,
        Grade.LOCAL,
        answer.rules,
        Text(f"на «{answer.place}» могут сойтись право и запрет", f"“{answer.place}” may be a right and forbidden"),
        Text(
            f"{pair}: есть мыслимое положение, игры к нему не найдено", f"{pair}: a well-typed position, no play found"
        ),
        "solver: one position",
        scope_of(answer, edition),
        answer.seconds,
        MAY_CONFLICT.severity,
    )


Asked: TypeAlias = tuple[ir.Clause, Answer | None]


def dead_findings(asked: Sequence[Asked], outside: frozenset[str], setting: Setting, edition: str) -> Iterator[Finding]:
    """What is known of clauses that no game saw apply, with None where time was up before one was asked about. Those
    that are proved dead come one by one, the others together by rule. `outside`: those that do not bear on lawful play.
    """
    open_ones: dict[tuple[Code, str, str], list[Asked]] = {}
    for clause, answer in asked:
        verdict = None if answer is None else answer.verdict
        if answer is not None and isinstance(verdict, Holds):
            yield _dead(clause, answer, verdict, edition)
            continue
        reason = "time" if verdict is None else getattr(verdict, "reason", "")
        if clause.head.id in outside or reason == NOT_OF_LAWFUL_PLAY:
            key = (NOT_OF_PLAY, clause.head.rule, NOT_OF_LAWFUL_PLAY)
        else:  # what was not asked about comes in one
            key = (NOT_SEEN, clause.head.rule if verdict is not None else "", reason)
        open_ones.setdefault(key, []).append((clause, answer))
    for (code, _, reason), group in open_ones.items():
        yield _open(code, reason, group, setting, edition)


def _open(code: Code, reason: str, group: list[Asked], setting: Setting, edition: str) -> Finding:
    names = ", ".join(clause.head.id for clause, _ in group)
    answered = [answer for _, answer in group if answer is not None]
    return Finding(
        code,
        Family.UNREACHABLE,
        Grade.UNKNOWN,
        tuple(dict.fromkeys(clause.head.rule for clause, _ in group)),
        Text(f"ни разу не применилось: {names}", f"never seen to apply: {names}"),
        Text(f"не встретилось и не доказано ({in_russian(reason)})", f"not seen and not proved ({reason})"),
        ANY_PLAY if code is NOT_OF_PLAY else METHOD,
        scope_of(answered[0], edition) if answered else _unasked(setting, edition),
        sum(answer.seconds for answer in answered),
        code.severity,
    )


def _dead(clause: ir.Clause, answer: Answer, verdict: Holds, edition: str) -> Finding:
    rule, name = clause.head.rule, clause.head.id
    return Finding(
        NEVER_APPLIES,
        Family.UNREACHABLE,
        Grade.PROVED,
        (rule,),
        Text(f"одна из клауз {rule} никогда не применяется", f"a clause of {rule} never applies"),
        Text(f"доказано: {name} ({in_russian(verdict.method)})", f"proved: {name} ({verdict.method})"),
        METHOD,
        scope_of(answer, edition),
        answer.seconds,
        NEVER_APPLIES.severity,
    )


def _unasked(setting: Setting, edition: str) -> Scope:
    norms = setting.norms
    deck = norms.deck or norms.sort(norms.card_sort).values
    return Scope(str(len(deck)), str(norms.player_count), switches=tuple(sorted(setting.switches)), edition=edition)


def reading_apart(
    setting: Setting, reading: ir.Reading, letters: tuple[str, str], answer: Answer, edition: str
) -> Finding:
    """A position in which two readings say different things, where no play to such a one was found. The naive evaluator
    has to see the difference too."""
    assert isinstance(answer.verdict, Fails)
    witness, norms = answer.verdict.witness, setting.norms
    about = answer.place.split(": ", 1)[1]
    said = []
    for letter in letters:
        switches = reading.read_as(letter, setting.switches)
        position = replace(witness.position, switches=tuple(sorted(switches)))
        said.append(_said(Naive(norms, switches), position, witness.act, about))
    if said[0] == said[1]:
        raise Disagreement("proof", f"{answer.place}: the naive evaluator sees no difference")
    labels = dict(reading.options)
    pairs = list(zip(letters, said, strict=True))
    ru = "; ".join(f"{letter} «{labels[letter]}» — {text.ru}" for letter, text in pairs)
    en = "; ".join(f"{letter} “{labels[letter]}” — {text.en}" for letter, text in pairs)
    return Finding(
        READINGS_DIFFER,
        Family.AMBIGUITY,
        Grade.LOCAL,
        (reading.rule,),
        Text(f"{reading.rule} читается по-разному: {ru}", f"{reading.rule} reads two ways: {en}"),
        Text(
            f"мыслимое положение, игры к нему не найдено; принято чтение {reading.adopted}: {reading.reason}",
            f"a well-typed position, no play found; adopted: {reading.adopted}: {reading.reason}",
        ),
        "solver: two readings in one position",
        scope_of(answer, edition),
        answer.seconds,
        READINGS_DIFFER.severity,
        position=witness.position,
        position_json=position_to_json(norms, witness.position),
    )


_STATUSES: Mapping[Status, Text] = {
    Status.IMPOSSIBLE: Text("невозможно", "impossible"),
    Status.LAWFUL: Text("законно", "lawful"),
    Status.UNLAWFUL: Text("незаконно", "unlawful"),
    Status.CONTESTED: Text("спорно", "contested"),
}


def _said(naive: Naive, position: Position, act: Act | None, about: str) -> Text:
    """What comes out under one reading: the status of the act and what it is called, or the values of the slot."""
    norms = naive.norms
    if act is not None:
        status = _STATUSES[naive.status(position, act)]
        text = act_text(norms, act)
        numbers = _entered(naive, position, act)
        return Text(f"{text}: {status.ru}{numbers}", f"{text}: {status.en}{numbers}")
    term = next(term for term in norms.terms if term.name == about)
    values = []
    for arguments in naive.tuples(term.parameters):
        value = naive.term(position, about, arguments)
        names = norms.sort(term.type.sort).values if isinstance(term.type, ir.Member) else ()
        if isinstance(value, Hole | Clash):
            values.append("?")
        else:
            values.append("—" if value is None else names[value] if names else str(value))
    return Text(f"{about} = {', '.join(values)}", f"{about} = {', '.join(values)}")


def _nothing_follows(norms: ir.Norms) -> ir.Norms:
    """The norms in which an act moves its cards and is entered, and that is all."""
    clauses = tuple(replace(c, effects=()) if isinstance(c, ir.Trigger) else c for c in norms.clauses)
    return replace(norms, clauses=clauses, terms=tuple(replace(term, asked=None) for term in norms.terms))


def _entered(naive: Naive, position: Position, act: Act) -> str:
    """Numbers of the breaches that the act is, whatever follows from it."""
    catalogue = naive.norms.catalogue
    if catalogue is None or naive.status(position, act) is Status.IMPOSSIBLE:
        return ""
    outcome = Naive(_nothing_follows(naive.norms), naive.switches).step(position, act)
    if not isinstance(outcome, Next):
        return ""
    seats, numbers = (naive.norms.sort(name).values for name in (naive.norms.seats, catalogue.sort))
    new = recorded(naive.norms, outcome.position) - recorded(naive.norms, position)
    found = [f"{seats[seat]} {numbers[number]}" for seat, number in sorted(new)]
    return f" ({', '.join(found)})" if found else ""


def invariants(setting: Setting, answers: Sequence[Answer], searched: Searched, edition: str) -> None:
    in_force = {
        clause.head.id
        for clause in setting.norms.clauses
        if isinstance(clause, ir.Invariant) and (clause.head.reading is None or clause.head.reading in setting.switches)
    }
    broken = {
        finding.rules[0]
        for finding in searched.findings
        if finding.family is Family.INVARIANT and frozenset(finding.scope.switches) == setting.switches
    }
    for answer in answers:
        if answer.clauses[0] not in in_force:
            continue
        rule = answer.rules[0]
        if isinstance(answer.verdict, Holds):
            if rule in broken and _whole(answer, setting.norms):
                raise Disagreement("proof", f"{rule} is proved and a play breaks it")
            searched.findings.append(_invariant(answer, PROVED, Grade.PROVED, edition))
        elif rule not in broken:
            searched.findings.append(_invariant(answer, UNDECIDED, Grade.UNKNOWN, edition))


def _whole(answer: Answer, norms: ir.Norms) -> bool:
    """All invariants of the item were meant."""
    rule = answer.rules[0]
    return sum(isinstance(c, ir.Invariant) and c.head.rule == rule for c in norms.clauses) == 1


def _invariant(answer: Answer, code: Code, grade: Grade, edition: str) -> Finding:
    rule, name = answer.rules[0], answer.clauses[0]
    if code is PROVED:
        title = Text(f"{rule} верен всегда ({name})", f"{rule} always holds ({name})")
        verdict = Text("доказано по индукции", "proved by induction")
    else:
        reason = getattr(answer.verdict, "reason", "")
        title = Text(f"{rule} не нарушен и не доказан ({name})", f"{rule} is neither broken nor proved ({name})")
        verdict = Text(f"не решено: {in_russian(reason)}", f"not decided: {reason}")
    scope = scope_of(answer, edition)
    return Finding(code, Family.INVARIANT, grade, (rule,), title, verdict, METHOD, scope, answer.seconds, code.severity)


def scope_of(answer: Answer, edition: str) -> Scope:
    """What an answer speaks about."""
    said = answer.scope
    return Scope(str(said.cards), said.players, switches=said.switches, edition=edition, budget=said.budget)
