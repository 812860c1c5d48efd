"""In: norms, and what play saw. Out: what the solver proves about the rest: dead clauses, invariants, readings that
part; or that it is open.

The proofs are made elsewhere, by `svod.searches.proving`, at the other end of a line: play does not wait for the solver
nor the solver for play.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import assert_never

from svod.constraints.answers import Answer
from svod.constraints.folding import fold
from svod.diagnostics import InternalError, Text
from svod.norms import ir
from svod.norms.play_acts import acts_of_play
from svod.searches.check import Searched, Setting, Step
from svod.searches.proof_findings import conflicts, dead_findings, invariants, reading_apart
from svod.searches.proving import Apart, Failed, Fires, Kept, Line, Meeting, MeetingsAsked, Message
from svod.searches.readings import READINGS_DIFFER

PROOFS = Text("доказательства", "proofs")
POLL_SECONDS = 0.2


class Proofs:
    """Proofs about one setting, made in the background: whoever is at the other end of the line has begun."""

    def __init__(
        self,
        line: Line,
        settings: Sequence[Setting],
        edition: str,
        deadline: float | None,
        widest: Setting | None = None,
    ) -> None:
        """`widest`: the norms with the most players; rights against prohibitions leave the number of players and the
        variants free there. `deadline` is a moment of `time.monotonic`."""
        self._setting = settings[min(1, len(settings) - 1)]
        self._edition, self._deadline = edition, deadline
        self._conflicts: list[Answer] = []
        self._asked_about_conflicts = False
        self._dead: dict[str, Answer] = {}
        self._apart: list[Apart] = []
        self._invariants: dict[str, Answer] = {}
        self._ended = self._complete = False  # nothing more comes; nothing is missing
        self._line = line
        self._say((self._setting, settings[-1] if widest is None else widest))

    def finish(self, searched: Searched, progress: Callable[[Step], None]) -> None:
        """Ask about every clause that no game saw fire and about the invariants; findings go to `searched`. What time
        cuts off is reported as open."""
        clauses = self._setting.norms.clauses
        unseen = tuple(clause for clause in clauses if may_be_dead(clause, self._setting, searched))
        if not self._answered(tuple(clause.head.id for clause in unseen), progress):
            searched.left_open.append(PROOFS)
        norms, chosen = self._setting.norms, self._setting.switches
        asked = [(clause, self._dead.get(clause.head.id)) for clause in unseen]
        outside = fold(acts_of_play(norms), {name: name in chosen for name in norms.switches}).silent
        searched.findings += dead_findings(asked, outside, self._setting, self._edition)
        parted = {finding.rules[0] for finding in searched.findings if finding.code is READINGS_DIFFER}
        for apart in self._apart:
            if apart.reading.rule not in parted:
                searched.findings.append(
                    reading_apart(self._setting, apart.reading, apart.letters, apart.answer, self._edition)
                )
        if self._asked_about_conflicts:
            conflicts(self._conflicts, searched, self._edition)
        invariants(self._setting, list(self._invariants.values()), searched, self._edition)

    def _answered(self, unseen: tuple[str, ...], progress: Callable[[Step], None]) -> bool:
        """Hear everything that is answered; False if time is up first, or the process is gone."""
        self._say(unseen)
        while not self._ended:
            progress(Step(PROOFS, 0.95 + 0.04 * len(self._dead) / (len(unseen) + 1)))
            late = self._deadline is not None and time.monotonic() > self._deadline
            if not self.hear(0 if late else POLL_SECONDS) and late:
                break
        return self._complete

    def _say(self, message: object) -> None:
        try:
            self._line.send(message)
        except ConnectionError:
            self._ended = True  # nobody is there any more

    def hear(self, seconds: float = 0) -> bool:
        """Take in what has been answered, waiting so long for the first answer; whether there was any. Answers that
        nobody hears pile up, and then the proofs wait."""
        heard = False
        try:
            while not self._ended and self._line.poll(0 if heard else seconds):
                self._take(self._line.recv())
                heard = True
        except (EOFError, ConnectionError):
            self._ended = True
        return heard

    def _take(self, message: Message) -> None:
        match message:
            case None:
                self._ended = self._complete = True
            case Failed():
                raise InternalError("proofs", message.told)
            case Meeting():
                self._conflicts.append(message.answer)
            case MeetingsAsked():
                self._asked_about_conflicts = True
            case Apart():
                self._apart.append(message)
            case Kept():
                self._invariants[message.answer.clauses[0]] = message.answer
            case Fires():
                self._dead[message.answer.clauses[0]] = message.answer
            case _:
                assert_never(message)


def may_be_dead(clause: ir.Clause, setting: Setting, searched: Searched) -> bool:
    """A clause in force that no game saw fire."""
    head = clause.head
    off = (head.variant is not None and head.variant not in setting.switches) or (
        head.reading is not None and head.reading not in setting.switches
    )
    return not off and head.id not in searched.fired and not isinstance(clause, ir.Invariant | ir.Lapse)
