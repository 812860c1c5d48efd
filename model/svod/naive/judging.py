"""From a moment and an act to what the norms say about it, and by which clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from svod.naive.reader import Reader
from svod.naive.world import Environment, Scene, Undefined, World, bind
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

    scene: Scene
    owed: tuple[Owed, ...]
    over: bool
    lawful: dict[tuple[Act, bool], bool | None] = field(default_factory=dict)  # answers; None: being looked for


@dataclass(frozen=True, slots=True)
class Weighed:
    """The status of an act, with what speaks for it (permissions, duties that it fulfils) and against it."""

    status: Status
    given: list[ir.Permission]
    fulfilled: list[str]
    against: list[ir.Prohibition | ir.Violation]
    blocked: list[str]


class Judge:
    """Decides about acts."""

    def __init__(self, world: World, reader: Reader, writer: Writer) -> None:
        self.world = world
        self.reader = reader
        self.writer = writer
        self._moments: list[Moment] = []  # of the last states in which it was asked what is lawful
        reader.lawful = self.lawful

    def moment(self, scene: Scene) -> Moment:
        """What holds in the state of this moment, looked at as if at rest."""
        still = Scene(scene.state) if scene.before or scene.happened else scene
        return Moment(still, tuple(self._owed(still)), self._over(still))

    def _over(self, scene: Scene) -> bool:
        return any(True for ending in self.world.endings for _ in self.reader.firing(ending, {}, scene))

    def lawful(self, act: Act, scene: Scene, apart: bool) -> bool:
        """Whether the act is possible and lawful in the state of this moment; undefined while just that is asked.

        `apart`: whatever violations say of it.
        """
        moment = next((known for known in self._moments if known.scene.state is scene.state), None)
        if moment is None:
            moment = self.moment(scene)
            self._moments = [moment, *self._moments[:3]]
        asked = (act, apart)
        if asked not in moment.lawful:
            moment.lawful[asked] = None
            possible = self.body(act, moment.scene) is not None
            moment.lawful[asked] = possible and self._weighed(act, moment, apart).status is Status.LAWFUL
        answer = moment.lawful[asked]
        if answer is None:
            raise Undefined
        return answer

    # -------------------------------------------------------------------------------------------- possible

    def body(self, act: Act, scene: Scene) -> list[Laying] | None:
        """What the act itself moves; None if the act is not possible."""
        action = self.world.actions.get(act.action)
        if action is None or len(act.arguments) != len(action.parameters):
            return None
        for parameter, value in zip(action.parameters, act.arguments, strict=True):
            if not 0 <= value < self.world.size(parameter.sort):
                return None
        env = bind(action.parameters, act.arguments)
        return self._moved(action, env, scene) if self.reader.met(action.possible, env, scene) else None

    def _moved(self, action: ir.Action, env: Environment, scene: Scene) -> list[Laying] | None:
        try:
            return [laying for move in action.body for laying in self.writer.layings(move, action.name, env, scene)]
        except Undefined:
            return None

    def possible(self, scene: Scene) -> Iterator[Act]:
        """All possible acts in canonical order."""
        for action in self.world.norms.actions:
            for env in self.reader.solutions(action.parameters, action.possible, {}, scene):
                if self._moved(action, env, scene) is not None:
                    yield Act(action.name, tuple(env[parameter.name] or 0 for parameter in action.parameters))

    # ---------------------------------------------------------------------------------------------- duties

    def _owed(self, scene: Scene) -> list[Owed]:
        found: list[Owed] = []
        for duty in self.world.duties:
            for env in self.reader.firing(duty, {}, scene):
                arguments = self._pattern(duty.arguments, env, scene)
                blocks = [(block.action, self._pattern(block.arguments, env, scene)) for block in duty.blocks]
                if duty.deadline is ir.Deadline.NONE:
                    blocks = []
                known = tuple((action, pattern) for action, pattern in blocks if pattern is not None)
                if arguments is None:  # the act it asks for cannot be named, so nothing fulfils it
                    found.append(Owed(duty.head.id, "", (), known))
                else:
                    found.append(Owed(duty.head.id, duty.action, arguments, known))
        return found

    def _pattern(
        self, parts: Sequence[ir.Expression | None], env: Environment, scene: Scene
    ) -> tuple[int | None, ...] | None:
        """The values of a pattern, `None` for a place left open; None as a whole if a value is undefined."""
        try:
            return tuple(None if part is None else self.reader.present(part, env, scene) for part in parts)
        except Undefined:
            return None

    # --------------------------------------------------------------------------------------------- decision

    def decide(self, act: Act, moment: Moment) -> Decision:
        """The status of a possible act and the clauses that give it."""
        weighed = self._weighed(act, moment, False)
        permissions = self.world.permissions[act.action]
        return Decision(
            weighed.status,
            tuple(dict.fromkeys([clause.head.id for clause in weighed.given] + weighed.fulfilled)),
            tuple(clause.head.id for clause in weighed.against),
            tuple(dict.fromkeys(weighed.blocked)),
            tuple(dict.fromkeys(self._excepted(act, moment.scene))),
            tuple(clause.head.id for clause in permissions if clause not in weighed.given),
        )

    def _weighed(self, act: Act, moment: Moment, apart: bool) -> Weighed:
        """What speaks for and against a possible act; `apart`: violations are left out."""
        action = self.world.actions[act.action]
        against = self._against(act, moment.scene, apart)
        given = [c for c in self.world.permissions[act.action] if self.speaks(c, act, moment.scene)]
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
        return Weighed(status, given, fulfilled, against, blocked)

    def _against(self, act: Act, scene: Scene, apart: bool) -> list[ir.Prohibition | ir.Violation]:
        """What forbids the act: prohibitions, and violations that make its actor guilty."""
        found: list[ir.Prohibition | ir.Violation] = []
        found += [clause for clause in self.world.prohibitions[act.action] if self.speaks(clause, act, scene)]
        actor = self.world.actor(act)
        if actor is not None and not apart:
            found += [v for v in self.world.violations[act.action] if actor in self.offenders(v, act, scene)]
        return found

    def offenders(self, violation: ir.Violation, act: Act, scene: Scene) -> set[int]:
        """Who becomes guilty by the act; an offender without a value is nobody."""
        bound = bind(violation.head.variables, act.arguments)
        instances = list(self.reader.firing(violation, bound, scene))
        return {seat for env in instances for seat in self._named(violation, env, scene)}

    def _named(self, violation: ir.Violation, env: Environment, scene: Scene) -> Iterator[int]:
        for offender in violation.offenders:
            try:
                yield self.reader.present(offender, env, scene)
            except Undefined:
                continue

    def speaks(self, clause: ir.Clause, act: Act, scene: Scene) -> bool:
        """Whether a clause about kinds of act fires for this one."""
        return any(True for _ in self.reader.firing(clause, bind(clause.head.variables, act.arguments), scene))

    def _excepted(self, act: Act, scene: Scene) -> Iterator[tuple[str, str]]:
        """The clauses that would have decided about the act, each with one that excepts it."""
        actor = self.world.actor(act)
        clauses: list[ir.Clause] = [*self.world.permissions[act.action], *self.world.prohibitions[act.action]]
        for clause in [*clauses, *self.world.violations[act.action]]:
            for env in self.world.valuations(clause.head.variables, bind(clause.head.variables, act.arguments)):
                if not self.reader.met(clause.head.guard, env, scene):
                    continue
                if isinstance(clause, ir.Violation) and actor not in set(self._named(clause, env, scene)):
                    continue
                for by in self.reader.excepting(clause, env, scene):
                    yield clause.head.id, by


def _matches(pattern: Sequence[int | None], arguments: Sequence[int]) -> bool:
    return all(wanted is None or wanted == value for wanted, value in zip(pattern, arguments, strict=True))
