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

from svod.constraints.answers import Answer, Holds
from svod.constraints.from_norms import Model
from svod.constraints.induction import never_fires, prove_invariants
from svod.constraints.solver import Budget, allow_collecting, interrupt
from svod.constraints.symbols import Options
from svod.diagnostics import Code, Severity, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.trace import Next, Position
from svod.searches.check import OutOfTime, Searched, Setting, Step
from svod.searches.plays import Disagreement

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

BUDGET = Budget(resources=3_000_000, seconds=15.0)
METHOD = "solver: induction over lawful steps"


class Proofs:
    """Proofs about one setting. Invariants are proved in the background, while random play goes on; what they teach the
    model (what a stage leaves empty, say) serves the questions about clauses afterwards."""

    def __init__(self, settings: Sequence[Setting], edition: str, deadline: float | None) -> None:
        self._setting = settings[min(1, len(settings) - 1)]
        self._edition, self._deadline = edition, deadline
        norms, chosen = self._setting.norms, self._setting.switches
        switches = tuple((name, name in chosen) for name in all_switches(norms))
        self._model = Model(norms, Options(switches=switches), BUDGET, samples=sample_positions(norms, chosen))
        self._answers: list[Answer] | None = None
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._prove, daemon=True)

    def start(self) -> None:
        """Begin with the invariants. Whoever starts must `stop` before anybody else asks the solver anything."""
        allow_collecting()
        self._thread.start()

    def stop(self) -> None:
        """End the work in the background: the solver serves one thread at a time, and the next check needs it."""
        while self._thread.is_alive():
            interrupt()
            self._thread.join(0.02)

    def _prove(self) -> None:
        try:
            self._answers = prove_invariants(self._model)
        except Exception as failure:
            self._failure = failure

    def finish(self, searched: Searched, progress: Callable[[Step], None]) -> None:
        """Wait for the invariants, then ask about every clause that no game saw fire; findings go to `searched`."""
        try:
            progress(Step(Text("доказательства инвариантов", "proofs of invariants"), 0.93))
            while self._thread.is_alive():
                self._thread.join(0.2)
                _tick(self._deadline)
            if self._failure is not None:
                raise self._failure
            _invariants(self._setting, self._answers or [], searched, self._edition)
            _clauses(self._model, self._setting, searched, self._edition, self._deadline, progress)
        except OutOfTime:
            searched.unfinished.append(Text("доказательства", "proofs"))


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


def _clauses(
    model: Model,
    setting: Setting,
    searched: Searched,
    edition: str,
    deadline: float | None,
    progress: Callable[[Step], None],
) -> None:
    unseen = [clause for clause in setting.norms.clauses if may_be_dead(clause, setting, searched)]
    for number, clause in enumerate(unseen):
        _tick(deadline)
        progress(
            Step(
                Text(f"применяется ли {clause.head.rule}", f"does {clause.head.rule} apply"),
                0.93 + 0.03 * number / len(unseen),
            )
        )
        started = time.monotonic()
        answer = never_fires(model, clause)
        if answer is not None:
            searched.findings.append(_dead(clause, answer, edition, time.monotonic() - started))


def may_be_dead(clause: ir.Clause, setting: Setting, searched: Searched) -> bool:
    """A clause in force that no game saw fire."""
    head = clause.head
    off = (head.variant is not None and head.variant not in setting.switches) or (
        head.reading is not None and head.reading not in setting.switches
    )
    return (
        not off and head.id not in searched.fired and not isinstance(clause, ir.Invariant | ir.Violation | ir.Penalty)
    )


def _dead(clause: ir.Clause, answer: Answer, edition: str, seconds: float) -> Finding:
    rule = clause.head.rule
    proved = isinstance(answer.verdict, Holds)
    code = NEVER_APPLIES if proved else NOT_SEEN
    title = Text(f"одна из клауз {rule} никогда не применяется", f"a clause of {rule} never applies")
    verdict = Text(f"доказано по индукции: {clause.head.id}", f"proved by induction: {clause.head.id}")
    if not proved:
        reason = getattr(answer.verdict, "reason", "")
        title = Text(
            f"клауза {clause.head.id} ни разу не применилась", f"clause {clause.head.id} was never seen to apply"
        )
        verdict = Text(f"не встретилось и не доказано ({reason})", f"not seen and not proved ({reason})")
    grade = Grade.PROVED if proved else Grade.UNKNOWN
    return Finding(
        code,
        Family.UNREACHABLE,
        grade,
        (rule,),
        title,
        verdict,
        METHOD,
        _scope(answer, edition),
        seconds,
        code.severity,
    )


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
        verdict = Text(f"не решено: {reason}", f"not decided: {reason}")
    scope = _scope(answer, edition)
    return Finding(code, Family.INVARIANT, grade, (rule,), title, verdict, METHOD, scope, answer.seconds, code.severity)


def _scope(answer: Answer, edition: str) -> Scope:
    said = answer.scope
    return Scope(str(said.cards), said.players, switches=said.switches, edition=edition, budget=said.budget)


def _tick(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime
