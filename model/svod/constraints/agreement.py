"""Plays held against the constraints: steps of an engine in, disagreements out.

The transition of each kind of act and the lawfulness of every act are built as Z3 terms, printed once as Python and
run. The transition is one equation for each variable of the next state, so it has no other successor; a sampled
question to the solver confirms that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import z3

from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.moments import Moment
from svod.constraints.printing import compile_function
from svod.constraints.solver import Budget, NotDecided, Unsat, solve
from svod.constraints.step import Step, Stepper
from svod.constraints.symbols import Options, State, World, columns, fresh_state
from svod.constraints.terms import Quantity
from svod.constraints.to_trace import packed, unpacked
from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Limit, Next, Position, Race, Status, StepOutcome


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Where constraints and the other side part: a position, an act (None: its whole set of acts), what each says."""

    position: Position
    act: Act | None
    constraints: str
    other: str


@dataclass
class _Transition:
    """One kind of act: the step, and its printed form with the names of its outputs."""

    step: Step
    run: Callable[[list[int]], tuple[Any, ...]]
    names: list[tuple[str, Any]]


@dataclass
class Agreement:
    """Norms at a fixed number of players and fixed switches as runnable transition terms."""

    norms: ir.Norms
    switches: Iterable[str] | None = None
    waves_max: int = 8
    world: World = field(init=False)
    before: State = field(init=False)

    def __post_init__(self) -> None:
        fixed: list[tuple[str, bool | None]] = []
        if self.switches is not None:
            on = set(self.switches)
            fixed = [(name, name in on) for name in self.norms.switches]
        self.world = World(self.norms, Options(switches=tuple(fixed), waves_max=self.waves_max))
        self.before = fresh_state(self.world, "")
        self._frame = Moment(self.world, self.before)
        self._stepper = Stepper(self.world)
        self._inputs = [term for _, term, _ in columns(self.world, self.before)]
        self._on = tuple(sorted(name for name, truth in self.world.switches.items() if truth is True))
        self._transitions: dict[str, _Transition] = {}
        self._statuses: tuple[tuple[Act, ...], Callable[[list[int]], tuple[Any, ...]]] | None = None

    # ------------------------------------------------------------------------------------------------------ acts

    def statuses(self, before: Position) -> dict[Act, Status]:
        """What the norms say about every act that is possible."""
        acts, run = self._printed_statuses()
        values = run(packed(self.world, before))
        lawful, contested, possible = values[0::3], values[1::3], values[2::3]
        found: dict[Act, Status] = {}
        for place, act in enumerate(acts):
            if possible[place]:
                found[act] = Status.LAWFUL if lawful[place] else Status.UNLAWFUL
                if contested[place]:
                    found[act] = Status.CONTESTED
        return found

    def lawful(self, before: Position) -> frozenset[Act]:
        """The lawful acts."""
        acts, run = self._printed_statuses()
        values = run(packed(self.world, before))
        return frozenset(act for act, lawful in zip(acts, values[0::3], strict=True) if lawful)

    def _printed_statuses(self) -> tuple[tuple[Act, ...], Callable[[list[int]], tuple[Any, ...]]]:
        if self._statuses is None:
            acts: list[Act] = []
            outputs: list[Any] = []
            for action in self.norms.actions:
                for index in product(*(range(self.world.values(v.sort)) for v in action.parameters)):
                    said = law.act_terms(action, tuple(t.constant(i) for i in index), self._frame)
                    acts.append(Act(action.name, index))
                    outputs += [t.as_truth(said.lawful), t.as_truth(said.contested), t.as_truth(said.possible)]
            self._statuses = tuple(acts), compile_function("statuses", self._inputs, outputs)
        return self._statuses

    # ----------------------------------------------------------------------------------------------------- steps

    def transition(self, action: ir.Action) -> _Transition:
        """The step of an act of this kind with free arguments, printed."""
        found = self._transitions.get(action.name)
        if found is None:
            arguments = self._arguments(action)
            step = self._stepper.step(self._frame, action, arguments)
            names: list[tuple[str, Any]] = [("possible", None)]
            outputs = [t.as_truth(law.possible(action, arguments, self._frame))]
            for book in ("holes", "clashes", "races", "limits", "soft", "fired"):
                for key, condition in getattr(step, book).items():
                    names.append((book, key))
                    outputs.append(t.as_truth(condition))
            names += [("stopped", None), ("overrun", None)]
            outputs += [t.as_truth(step.stopped), t.as_truth(step.overrun)]
            outputs += [t.bits(term, width) for _, term, width in columns(self.world, step.after)]
            inputs = [*self._inputs, *(value.number for value in arguments)]
            found = _Transition(step, compile_function("transition", inputs, outputs), names)
            self._transitions[action.name] = found
        return found

    def _arguments(self, action: ir.Action) -> tuple[Quantity, ...]:
        found = []
        for place, variable in enumerate(action.parameters):
            most = self.world.values(variable.sort) - 1
            found.append(Quantity(0, most, z3.BitVec(f"argument{place}", t.width_for(0, most))))
        return tuple(found)

    def outcomes(self, before: Position, act: Act) -> dict[str, Any]:
        """What the constraints say about the step: book → keys that hold, and the «next» position if there is one."""
        transition = self.transition(self.world.actions[act.action])
        values = transition.run([*packed(self.world, before), *act.arguments])
        found: dict[str, Any] = {}
        for (book, key), value in zip(transition.names, values, strict=False):
            if value:
                found.setdefault(book, []).append(key)
        if "possible" in found and "stopped" not in found and "overrun" not in found:
            found["next"] = unpacked(self.world, values[len(transition.names) :], self._on)
        return found

    def disagreement(self, before: Position, act: Act, outcome: StepOutcome) -> Disagreement | None:
        """What the constraints have against this step."""
        said = self.outcomes(before, act)
        if "possible" not in said:
            return Disagreement(before, act, "not possible", repr(outcome))
        match outcome:
            case Next(position, fired, soft):
                same = said.get("next") == position and set(said.get("fired", ())) == set(fired)
                same = same and set(said.get("soft", ())) == set(soft)
            case Hole(place=place):
                same = place in said.get("holes", ())
            case Clash(place=place):
                same = place in said.get("clashes", ())
            case Race(place=place, clauses=pair):
                same = any(key[0] == place and set(key[1:]) == set(pair) for key in said.get("races", ()))
            case Limit(what=what):
                same = what in said.get("limits", ()) or "overrun" in said
        return None if same else Disagreement(before, act, repr(said), repr(outcome))

    def admits(self, before: Position, act: Act, outcome: StepOutcome) -> bool:
        """The constraints agree with this step."""
        return self.disagreement(before, act, outcome) is None

    def acts_disagreement(self, before: Position, lawful: Iterable[Act]) -> Disagreement | None:
        """The set of lawful acts is another one."""
        ours, theirs = self.lawful(before), frozenset(lawful)
        if ours == theirs:
            return None
        return Disagreement(before, None, f"also {sorted(ours - theirs)}", f"also {sorted(theirs - ours)}")

    # ------------------------------------------------------------------------------------------------ uniqueness

    def no_other_successor(self, before: Position, act: Act, after: Position, budget: Budget) -> str:
        """Ask the solver for another successor: «none», «another», or why it does not know."""
        action = self.world.actions[act.action]
        step = self.transition(action).step
        following = fresh_state(self.world, "next ")
        conditions: list[Any] = []
        for (_, term, width), value in zip(columns(self.world, self.before), packed(self.world, before), strict=True):
            conditions.append(t.bits(term, width) == value)
        for argument, value in zip(self._arguments(action), act.arguments, strict=True):
            conditions.append(argument.number == value)
        differ = []
        rows = zip(
            columns(self.world, step.after),
            columns(self.world, following),
            packed(self.world, after),
            strict=True,
        )
        for (_, term, width), (_, variable, _), value in rows:
            conditions.append(variable == t.bits(term, width))
            differ.append(variable != value)
        outcome = solve([*conditions, t.as_truth(step.succeeds), z3.Or(differ)], budget)
        match outcome:
            case Unsat():
                return "none"
            case NotDecided(reason=reason):
                return reason
            case _:
                return "another"
