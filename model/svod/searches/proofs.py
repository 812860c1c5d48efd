"""In: norms, and what random play saw. Out: what the solver proves about the rest: dead clauses, invariants; or that
it is open.

Explicit search and solver must agree wherever both can answer: a clause proved dead that was seen to fire, or an
invariant
proved that a play breaks, is our own fault.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from svod.constraints.answers import Answer, Fails, Holds
from svod.constraints.from_norms import Model
from svod.constraints.induction import never_fires, prove_invariants
from svod.constraints.questions import contradictions
from svod.constraints.solver import Budget, allow_collecting, interrupt
from svod.constraints.strengthening import strengthen_by_stages
from svod.constraints.symbols import Options
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Next, Position
from svod.searches.check import OutOfTime, Searched, Setting, Step
from svod.searches.plays import Disagreement
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

BUDGET = Budget(resources=3_000_000, seconds=15.0)
CLAUSE_BUDGET = Budget(resources=20_000_000, seconds=25.0)  # few clauses are left to ask about, and each answer counts
METHOD = "solver: induction over lawful steps"


class Proofs:
    """Proofs about one setting, made in the background by one thread: while random play goes on it learns what every
    play keeps (what a stage leaves empty, say); then come the clauses that no game saw fire, then the invariants."""

    def __init__(
        self, settings: Sequence[Setting], edition: str, deadline: float | None, widest: Setting | None = None
    ) -> None:
        """`widest`: the norms with the most players; questions about a lone position leave the number of players and
        the variants free there."""
        self._widest = settings[-1] if widest is None else widest
        self._conflicts: list[Answer] = []
        self._setting = settings[min(1, len(settings) - 1)]
        self._edition, self._deadline = edition, deadline
        norms, chosen = self._setting.norms, self._setting.switches
        switches = tuple((name, name in chosen) for name in all_switches(norms))
        self._model = Model(norms, Options(switches=switches), BUDGET, samples=sample_positions(norms, chosen))
        self._unseen: tuple[ir.Clause, ...] = ()
        self._seen_all = threading.Event()  # random play is over: it is known which clauses it saw
        self._stopped = False
        self._dead: dict[str, Answer | None] = {}
        self._invariants: list[Answer] = []
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._prove, daemon=True)

    def start(self) -> None:
        """Begin. Whoever starts must `stop` before anybody else asks the solver anything."""
        allow_collecting()
        self._thread.start()

    def stop(self) -> None:
        """End the work in the background: the solver serves one thread at a time, and the next check needs it."""
        self._stopped = True
        self._seen_all.set()
        while self._thread.is_alive():
            interrupt()
            self._thread.join(0.02)

    def _prove(self) -> None:
        try:
            self._ask_about_conflicts()
            strengthen_by_stages(self._model)
            self._seen_all.wait()
            self._model.budget = CLAUSE_BUDGET
            for clause in self._unseen:
                if self._stopped:
                    return
                self._dead[clause.head.id] = never_fires(self._model, clause)
            self._model.budget = BUDGET
            if not self._stopped:
                self._invariants = prove_invariants(self._model)
        except Exception as failure:
            self._failure = failure

    def _ask_about_conflicts(self) -> None:
        """Every right against every prohibition, at the full deck."""
        norms, chosen = self._widest.norms, self._widest.switches
        readings = {reading.switch(letter) for reading in norms.readings for letter, _ in reading.options}
        switches = tuple((name, name in chosen if name in readings else None) for name in all_switches(norms))
        for answer in contradictions(Model(norms, Options(seats_free=True, switches=switches), BUDGET)):
            if self._stopped:
                return
            self._conflicts.append(answer)

    def finish(self, searched: Searched, progress: Callable[[Step], None]) -> None:
        """Ask about every clause that no game saw fire and about the invariants; findings go to `searched`. What time
        cuts off is reported as open."""
        clauses = self._setting.norms.clauses
        self._unseen = tuple(clause for clause in clauses if may_be_dead(clause, self._setting, searched))
        self._seen_all.set()
        try:
            while self._thread.is_alive():
                done = len(self._dead) / (len(self._unseen) + 1)
                progress(Step(Text("доказательства", "proofs"), 0.93 + 0.06 * done))
                self._thread.join(0.2)
                _tick(self._deadline)
            if self._failure is not None:
                raise self._failure
        except OutOfTime:
            searched.unfinished.append(Text("доказательства", "proofs"))
        for clause in self._unseen:
            answer = self._dead.get(clause.head.id, _OPEN)
            if answer is not None:
                searched.findings.append(_dead_finding(clause, answer, self._setting, self._edition))
        _conflicts(self._conflicts, searched, self._edition)
        _invariants(self._setting, self._invariants, searched, self._edition)


class _Open:
    """The question was not reached."""


_OPEN = _Open()


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
    ("time", "не хватило времени"),
)


def in_russian(reason: str) -> str:
    """Why the solver did not decide, in Russian; names of acts stay as they are."""
    for english, russian in _REASONS:
        reason = reason.replace(english, russian)
    return reason


SAMPLED_GAMES = 12
SAMPLED_CARDS = 7


def sample_positions(norms: ir.Norms, switches: frozenset[str]) -> tuple[Position, ...]:
    """Positions of a few random games, on small decks where the rulebook declares such: enough to throw out most of
    what might be an invariant and is none."""
    random = Random(1)
    cards = norms.deck or tuple(range(len(norms.sort(norms.card_sort).values)))
    met: dict[Position, None] = {}
    for _ in range(SAMPLED_GAMES):
        played = norms
        if norms.check_decks is not None:
            drawn = random.sample(cards, min(SAMPLED_CARDS, len(cards)))
            played = replace(norms, deck=tuple(sorted({*drawn, *norms.check_decks.required})))
        naive = Naive(played, switches)
        outcome = naive.initial()
        for _ in range(60):
            if not isinstance(outcome, Next):
                break
            met[outcome.position] = None
            acts = naive.acts(outcome.position)
            if not acts:
                break
            outcome = naive.step(outcome.position, random.choice(acts))
    return tuple(met)


def all_switches(norms: ir.Norms) -> tuple[str, ...]:
    """Every variant and every option of a reading."""
    readings = (reading.switch(letter) for reading in norms.readings for letter, _ in reading.options)
    return (*(variant.name for variant in norms.variants), *readings)


def may_be_dead(clause: ir.Clause, setting: Setting, searched: Searched) -> bool:
    """A clause in force that no game saw fire."""
    head = clause.head
    off = (head.variant is not None and head.variant not in setting.switches) or (
        head.reading is not None and head.reading not in setting.switches
    )
    return (
        not off and head.id not in searched.fired and not isinstance(clause, ir.Invariant | ir.Violation | ir.Lapse)
    )


def _conflicts(answers: Sequence[Answer], searched: Searched, edition: str) -> None:
    """A conflict that play met needs no more words; one that only the solver sees is told as a mere possibility; and
    one that play met and the solver excludes is our own fault."""
    met = [
        set(finding.rules)
        for finding in searched.findings
        if finding.code is RIGHT_AGAINST_PROHIBITION and finding.grade is Grade.REACHABLE
    ]
    for answer in answers:
        played = any(rules >= set(answer.rules) for rules in met)
        match answer.verdict:
            case Holds() if any(rules == set(answer.rules) for rules in met):
                raise Disagreement("proof", f"{' and '.join(answer.rules)} cannot meet, and a play shows that they do")
            case Fails() if not played:
                searched.findings.append(_conflict(answer, edition))
            case _:
                pass


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
        _scope(answer, edition),
        answer.seconds,
        MAY_CONFLICT.severity,
    )


def _dead_finding(clause: ir.Clause, answer: Answer | _Open, setting: Setting, edition: str) -> Finding:
    rule, name = clause.head.rule, clause.head.id
    proved = isinstance(answer, Answer) and isinstance(answer.verdict, Holds)
    code = NEVER_APPLIES if proved else NOT_SEEN
    title = Text(f"одна из клауз {rule} никогда не применяется", f"a clause of {rule} never applies")
    verdict = Text(f"доказано по индукции: {name}", f"proved by induction: {name}")
    if not proved:
        reason = getattr(answer.verdict, "reason", "") if isinstance(answer, Answer) else "time"
        title = Text(f"клауза {name} ни разу не применилась", f"clause {name} was never seen to apply")
        verdict = Text(f"не встретилось и не доказано ({in_russian(reason)})", f"not seen and not proved ({reason})")
    if isinstance(answer, Answer):
        scope, seconds = _scope(answer, edition), answer.seconds
    else:
        deck = setting.norms.deck or setting.norms.sort(setting.norms.card_sort).values
        switches = tuple(sorted(setting.switches))
        scope = Scope(str(len(deck)), str(setting.norms.player_count), switches=switches, edition=edition)
        seconds = 0.0
    grade = Grade.PROVED if proved else Grade.UNKNOWN
    return Finding(code, Family.UNREACHABLE, grade, (rule,), title, verdict, METHOD, scope, seconds, code.severity)


def _invariants(setting: Setting, answers: Sequence[Answer], searched: Searched, edition: str) -> None:
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
    scope = _scope(answer, edition)
    return Finding(code, Family.INVARIANT, grade, (rule,), title, verdict, METHOD, scope, answer.seconds, code.severity)


def _scope(answer: Answer, edition: str) -> Scope:
    said = answer.scope
    return Scope(str(said.cards), said.players, switches=said.switches, edition=edition, budget=said.budget)


def _tick(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime
