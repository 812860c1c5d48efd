"""From a moment and an act to what the norms say about it, and by which clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from svod.naive.reader import Reader
from svod.naive.world import Environment, Frame, Undefined, World, bind
from svod.naive.writes import Laying, Writer
from svod.norms import ir
from svod.norms.trace import Act, Decision, Status


@dataclass(frozen=True, slots=True)
class Owed:
    """One pending duty: the act that fulfils it and the acts that it blocks (`None` in a place: any value)."""

    clause: str
    action: str
    arguments: tuple[int | None, ...]
    blocks: tuple[tuple[str, tuple[int | None, ...]], ...]

    def fulfilled_by(self, act: Act) -> bool:
        return act.action == self.action and _matches(self.arguments, act.arguments)

    def holds_up(self, act: Act) -> bool:
        """Whether the duty keeps the act from being lawful."""
        named = any(act.action == name and _matches(pattern, act.arguments) for name, pattern in self.blocks)
        return named and not self.fulfilled_by(act)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment with what all decisions in it look at: the pending duties, and whether the play is over."""

    frame: Frame
    owed: tuple[Owed, ...]
    over: bool


class Judge:
    """Decides about acts."""

    def __init__(self, world: World, reader: Reader, writer: Writer) -> None:
        self.world = world
        self.reader = reader
        self.writer = writer

    def moment(self, frame: Frame) -> Moment:
        return Moment(frame, tuple(self._owed(frame)), self._over(frame))

    def _over(self, frame: Frame) -> bool:
        return any(True for ending in self.world.endings for _ in self.reader.firing(ending, {}, frame))

    # -------------------------------------------------------------------------------------------- possible

    def body(self, act: Act, frame: Frame) -> list[Laying] | None:
        """What the act itself moves; None if the act is not possible."""
        action = self.world.actions.get(act.action)
        if action is None or len(act.arguments) != len(action.parameters):
            return None
        for parameter, value in zip(action.parameters, act.arguments, strict=True):
            if not 0 <= value < self.world.size(parameter.sort):
                return None
        env = bind(action.parameters, act.arguments)
        return self._moved(action, env, frame) if self.reader.met(action.possible, env, frame) else None

    def _moved(self, action: ir.Action, env: Environment, frame: Frame) -> list[Laying] | None:
        try:
            return [laying for move in action.body for laying in self.writer.layings(move, action.name, env, frame)]
        except Undefined:
            return None

    def possible(self, frame: Frame) -> Iterator[Act]:
        """All possible acts in canonical order."""
        for action in self.world.norms.actions:
            for env in self.reader.solutions(action.parameters, action.possible, {}, frame):
                if self._moved(action, env, frame) is not None:
                    yield Act(action.name, tuple(env[parameter.name] or 0 for parameter in action.parameters))

    # ---------------------------------------------------------------------------------------------- duties

    def _owed(self, frame: Frame) -> list[Owed]:
        found: list[Owed] = []
        for duty in self.world.duties:
            for env in self.reader.firing(duty, {}, frame):
                arguments = self._pattern(duty.arguments, env, frame)
                blocks = [(block.action, self._pattern(block.arguments, env, frame)) for block in duty.blocks]
                if duty.deadline is ir.Deadline.NONE:
                    blocks = []
                known = tuple((action, pattern) for action, pattern in blocks if pattern is not None)
                if arguments is None:  # the act it asks for cannot be named, so nothing fulfils it
                    found.append(Owed(duty.head.id, "", (), known))
                else:
                    found.append(Owed(duty.head.id, duty.action, arguments, known))
        return found

    def _pattern(
        self, parts: Sequence[ir.Expression | None], env: Environment, frame: Frame
    ) -> tuple[int | None, ...] | None:
        """The values of a pattern, `None` for a place left open; None as a whole if a value is undefined."""
        try:
            return tuple(None if part is None else self.reader.present(part, env, frame) for part in parts)
        except Undefined:
            return None

    # --------------------------------------------------------------------------------------------- decision

    def decide(self, act: Act, moment: Moment) -> Decision:
        """The status of a possible act and the clauses that give it."""
        frame = moment.frame
        action = self.world.actions[act.action]
        permissions, prohibitions = self.world.permissions[act.action], self.world.prohibitions[act.action]
        given = [clause for clause in permissions if self._speaks(clause, act, frame)]
        against = [clause for clause in prohibitions if self._speaks(clause, act, frame)]
        fulfilled = [duty.clause for duty in moment.owed if duty.fulfilled_by(act)]
        blocked = [duty.clause for duty in moment.owed if duty.holds_up(act)]
        permitted = bool(given or fulfilled) or action.actor is None or (action.silence_permits and not against)
        strong = any(clause.strong for clause in given)
        if moment.over:
            status = Status.UNLAWFUL
        elif strong and against and not blocked:
            status = Status.CONTESTED
        elif permitted and not against and not blocked:
            status = Status.LAWFUL
        else:
            status = Status.UNLAWFUL
        clauses: list[ir.Permission | ir.Prohibition] = [*permissions, *prohibitions]
        excepted = [pair for clause in clauses for pair in self._excepted(clause, act, frame)]
        return Decision(
            status,
            tuple(dict.fromkeys([clause.head.id for clause in given] + fulfilled)),
            tuple(clause.head.id for clause in against),
            tuple(dict.fromkeys(blocked)),
            tuple(dict.fromkeys(excepted)),
            tuple(clause.head.id for clause in permissions if clause not in given),
        )

    def _instances(self, clause: ir.Permission | ir.Prohibition, act: Act) -> Iterator[Environment]:
        """The clause's variables: first the parameters of the action, any further ones freely."""
        return self.world.valuations(clause.head.variables, bind(clause.head.variables, act.arguments))

    def _speaks(self, clause: ir.Permission | ir.Prohibition, act: Act, frame: Frame) -> bool:
        return any(True for _ in self.reader.firing(clause, bind(clause.head.variables, act.arguments), frame))

    def _excepted(self, clause: ir.Permission | ir.Prohibition, act: Act, frame: Frame) -> Iterator[tuple[str, str]]:
        for env in self._instances(clause, act):
            if self.reader.met(clause.head.guard, env, frame):
                for by in self.reader.excepting(clause, env, frame):
                    yield clause.head.id, by


def _matches(pattern: Sequence[int | None], arguments: Sequence[int]) -> bool:
    return all(wanted is None or wanted == value for wanted, value in zip(pattern, arguments, strict=True))
