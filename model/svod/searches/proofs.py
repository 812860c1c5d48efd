"""In: norms, and what play saw. Out: what the solver proves about the rest: dead clauses, invariants, readings that
part; or that it is open.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from svod.constraints.answers import Answer, Fails, Holds, Kind
from svod.constraints.folding import fold
from svod.constraints.from_norms import Model
from svod.constraints.induction import invariant_proofs, never_fires, never_fires_anywhere
from svod.constraints.norm_questions import readings_apart
from svod.constraints.questions import contradictions
from svod.constraints.solver import Budget, Clock, allow_collecting, interrupt
from svod.constraints.symbols import Options
from svod.diagnostics import Text
from svod.naive.evaluator import Naive
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.norms.trace import Next, Position
from svod.searches.check import OutOfTime, Searched, Setting, Step
from svod.searches.proof_findings import conflicts, dead_findings, invariants, reading_apart
from svod.searches.readings import READINGS_DIFFER

BUDGET = Budget(resources=3_000_000, seconds=15.0)
POSITION_BUDGET = Budget(resources=1_000_000, seconds=5.0)  # for questions about a lone position
CLAUSE_BUDGET = Budget(resources=20_000_000, seconds=25.0)  # few clauses are left to ask about, and each answer counts
NO_ACT = "no act of any play brings it about"


class Proofs:
    """Proofs about one setting, made in the background by one thread: while play goes on it learns what lawful play
    always keeps (what a stage leaves empty, the invariants), and where readings part; then come the clauses that no
    game saw fire, and what invariants are left."""

    def __init__(
        self, settings: Sequence[Setting], edition: str, deadline: float | None, widest: Setting | None = None
    ) -> None:
        """`widest`: the norms with the most players; rights against prohibitions leave the number of players and the
        variants free there."""
        self._widest = settings[-1] if widest is None else widest
        self._conflicts: list[Answer] = []
        self._asked_about_conflicts = False
        self._setting = settings[min(1, len(settings) - 1)]
        self._edition, self._deadline = edition, deadline
        norms, chosen = self._setting.norms, self._setting.switches
        self._switches = {name: name in chosen for name in norms.switches}
        self._play = acts_of_play(norms)
        self._unseen: tuple[ir.Clause, ...] = ()
        self._seen_all = threading.Event()  # play is over: it is known which clauses it saw
        self._stopped = False
        self._dead: dict[str, Answer] = {}
        self._apart: list[tuple[ir.Reading, tuple[str, str], Answer]] = []
        self._invariants: dict[str, Answer] = {}
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
            options = Options(switches=tuple(self._switches.items()))
            self._ask_about_conflicts()
            whole = Model(self._setting.norms, options, POSITION_BUDGET)  # any play
            self._ask_about_readings(whole)
            samples = sample_positions(self._play, self._setting.switches)
            model = Model(self._play, replace(options, play=True), BUDGET, samples=samples)
            proofs = invariant_proofs(model)
            self._prove_invariants(proofs, lambda: self._seen_all.is_set())
            self._seen_all.wait()
            model.budget = CLAUSE_BUDGET
            self._ask_about_clauses(model, whole)
            model.budget = BUDGET
            self._prove_invariants(proofs, lambda: self._stopped)
        except Exception as failure:
            self._failure = failure

    def _ask_about_conflicts(self) -> None:
        """Every right against every prohibition, at the full deck."""
        norms, chosen = self._widest.norms, self._widest.switches
        readings = {name for reading in norms.readings for name in reading.switches}
        switches = tuple((name, name in chosen if name in readings else None) for name in norms.switches)
        for answer in contradictions(Model(norms, Options(seats_free=True, switches=switches), POSITION_BUDGET)):
            if self._stopped:
                return
            self._conflicts.append(answer)
        self._asked_about_conflicts = True

    def _prove_invariants(self, proofs: Iterator[Answer], enough: Callable[[], bool]) -> None:
        """As far as they get until there is something better to do."""
        while not enough():
            answer = next(proofs, None)
            if answer is None:
                return
            self._invariants[answer.clauses[0]] = answer

    def _ask_about_readings(self, whole: Model) -> None:
        """A position in which each reading parts from the adopted one; it is told if no game shows it."""
        for reading in self._setting.norms.readings:
            adopted = reading.letter(self._setting.switches)
            for letter, _ in reading.options:
                if letter == adopted:
                    continue
                for answer in readings_apart(whole, reading, adopted, letter):
                    if self._stopped:
                        return
                    if isinstance(answer.verdict, Fails):
                        self._apart.append((reading, (adopted, letter), answer))
                        break

    def _ask_about_clauses(self, model: Model, whole: Model) -> None:
        """Those that may matter in lawful play are asked about there; the others, about breaches and free speech, in
        whatever play."""
        hopeless = fold(self._setting.norms, dict(self._switches), lawful=False).silent
        outside = [c for c in self._unseen if c.head.id in model.world.silent or isinstance(c, ir.Violation)]
        for clause in outside:
            name, clock = clause.head.id, Clock()
            verdict = Holds(NO_ACT) if name in hopeless else never_fires_anywhere(whole, clause)
            if self._stopped:
                return
            self._dead[name] = whole.answer(Kind.NEVER_FIRES, verdict, (name,), "", clock)
        for clause in self._unseen:
            name = clause.head.id
            if clause not in outside and not self._stopped:
                answer = never_fires(model, model.world.clauses[name])
                if answer is not None:
                    self._dead[name] = answer

    def finish(self, searched: Searched, progress: Callable[[Step], None]) -> None:
        """Ask about every clause that no game saw fire and about the invariants; findings go to `searched`. What time
        cuts off is reported as open."""
        clauses = self._setting.norms.clauses
        self._unseen = tuple(clause for clause in clauses if may_be_dead(clause, self._setting, searched))
        self._seen_all.set()
        try:
            while self._thread.is_alive():
                done = len(self._dead) / (len(self._unseen) + 1)
                progress(Step(Text("доказательства", "proofs"), 0.95 + 0.04 * done))
                self._thread.join(0.2)
                _tick(self._deadline)
            if self._failure is not None:
                raise self._failure
        except OutOfTime:
            searched.left_open.append(Text("доказательства", "proofs"))
        asked = [(clause, self._dead.get(clause.head.id)) for clause in self._unseen]
        outside = fold(self._play, dict(self._switches)).silent
        searched.findings += dead_findings(asked, outside, self._setting, self._edition)
        parted = {finding.rules[0] for finding in searched.findings if finding.code is READINGS_DIFFER}
        for reading, letters, answer in tuple(self._apart):
            if reading.rule in parted:
                continue
            searched.findings.append(reading_apart(self._setting, reading, letters, answer, self._edition))
        if self._asked_about_conflicts:
            conflicts(self._conflicts, searched, self._edition)
        invariants(self._setting, list(self._invariants.values()), searched, self._edition)


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


def may_be_dead(clause: ir.Clause, setting: Setting, searched: Searched) -> bool:
    """A clause in force that no game saw fire."""
    head = clause.head
    off = (head.variant is not None and head.variant not in setting.switches) or (
        head.reading is not None and head.reading not in setting.switches
    )
    return not off and head.id not in searched.fired and not isinstance(clause, ir.Invariant | ir.Lapse)


def _tick(deadline: float | None) -> None:
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime
