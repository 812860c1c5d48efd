"""Norms in, a symbolic model out: a state with what it satisfies, the acts, the steps, and a solver over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import z3

from svod.constraints import clauses as c
from svod.constraints import lawfulness as law
from svod.constraints import terms as t
from svod.constraints.answers import Answer, Fails, Holds, Kind, QuestionScope, Unknown, Verdict
from svod.constraints.cones import Cones
from svod.constraints.expressions import met
from svod.constraints.moments import Moment
from svod.constraints.solver import Budget, Clock, Incremental, NotDecided, Outcome, Sat, Unsat, solve
from svod.constraints.step import Step, Stepper
from svod.constraints.symbols import Options, State, World, fresh_state
from svod.constraints.terms import Quantity, Truth
from svod.constraints.to_trace import Witness, witness_of
from svod.constraints.well_typed import some_breach, well_typed
from svod.norms import ir
from svod.norms.trace import Position


@dataclass(frozen=True, slots=True)
class SymbolicAct:
    """An act of one kind with free arguments, and what the norms say about it in the state before."""

    action: ir.Action
    arguments: tuple[Quantity, ...]
    said: law.ActTerms


@dataclass
class Model:
    """Norms as questions over one symbolic state `before`. Proved invariants are added to what states satisfy.

    `samples`: positions met in play with these switches and this number of players; they save the search for
    invariants the trouble of refuting what play has refuted.
    """

    norms: ir.Norms
    options: Options = field(default_factory=Options)
    budget: Budget = field(default_factory=Budget)
    samples: tuple[Position, ...] = ()
    world: World = field(init=False)
    before: State = field(init=False)
    moment: Moment = field(init=False)
    stepper: Stepper = field(init=False)
    background: dict[str, Truth] = field(init=False)
    cones: Cones = field(init=False)
    proved: tuple[str, ...] = ()
    strengthened: bool = False

    def __post_init__(self) -> None:
        self._given = self.norms
        self.world = World(self.norms, self.options)
        self.norms = self.world.norms
        self.before = fresh_state(self.world, "")
        self.moment = Moment(self.world, self.before)
        self.stepper = Stepper(self.world)
        initial = dict(self.stepper.initial().registers)
        self.background = {**self.world.constants_conditions(), **well_typed(self.world, self.before, initial)}
        self.cones = Cones(self.world, self.before, initial)
        self._acts: dict[str, SymbolicAct] = {}
        self._steps: dict[str, Step] = {}
        self._start: Step | None = None
        self._solver: Incremental | None = None
        self._bare: Incremental | None = None
        self._short: list[Truth] | None = None

    # ----------------------------------------------------------------------------------------------------- parts

    def act(self, name: str) -> SymbolicAct:
        """An act of this kind with free arguments."""
        found = self._acts.get(name)
        if found is None:
            action = self.world.actions[name]
            arguments = self.variables(action.parameters, f"{name} ")
            found = self._acts[name] = SymbolicAct(action, arguments, law.act_terms(action, arguments, self.moment))
        return found

    def variables(self, parameters: tuple[ir.Variable, ...], prefix: str) -> tuple[Quantity, ...]:
        """Free values for these variables; `clauses.exist` says that they are in range."""
        found = []
        for place, variable in enumerate(parameters):
            most = self.world.values(variable.sort) - 1
            name = f"{prefix}{place} {variable.name}"
            found.append(Quantity(0, most, z3.BitVec(name, t.width_for(0, most))))
        return tuple(found)

    def step(self, name: str) -> Step:
        """The step that follows the act of this kind."""
        found = self._steps.get(name)
        if found is None:
            act = self.act(name)
            found = self._steps[name] = self.stepper.step(self.moment, act.action, act.arguments)
        return found

    def start(self) -> Step:
        """The start of a play."""
        if self._start is None:
            self._start = self.stepper.start()
        return self._start

    def after(self, name: str) -> Moment:
        """The quiescent state after the act, as invariants see it (with the state before)."""
        return Moment(self.world, self.step(name).after, None, Moment(self.world, self.before))

    def holds(self, invariant: ir.Invariant, moment: Moment) -> Truth:
        """Every instance of the invariant whose guard is met holds in this moment."""
        parts = []
        for env, exists in c.environments(self.world, invariant.head.variables, {}):
            asked = t.conjunction(exists, c.fires(invariant, env, moment))
            if asked is not False:
                parts.append(t.implication(asked, met(invariant.holds, env, moment)))
        return t.conjunction(*parts)

    def assume(self, name: str, condition: Truth) -> None:
        """From now on states are taken to satisfy this; it has been proved."""
        self.background[f"invariant {name}"] = condition
        self.proved = (*self.proved, name)
        self._solver = self._short = None

    # --------------------------------------------------------------------------------------------------- solving

    def ask(self, conditions: Mapping[str, Truth]) -> Outcome:
        """An easy question: can a state satisfy these? First incrementally, over states whose long piles are empty and
        in which no breach is open; where none of those does, for all states."""
        if self._solver is None:
            self._solver = Incremental(self._background_without_piles(), self.budget)
        outcome = self._solver.ask({name: self.cones.without_piles(c) for name, c in conditions.items()})
        if isinstance(outcome, Sat) or not self._narrow:
            return outcome
        if self._bare is None:
            self._bare = Incremental(list(self.world.constants_conditions().values()), self.budget)
        bare = self._bare.ask(conditions)  # a contradiction of rules often needs nothing about states
        return bare if isinstance(bare, Unsat) else self._ask_all(list(conditions.values()))

    def ask_alone(self, conditions: list[Truth], *, background: bool = True) -> Outcome:
        """A hard question, with solvers of its own: where long piles are empty, then loosely for all, then in full."""
        constants = list(self.world.constants_conditions().values())
        if not background:
            return solve([*constants, *conditions], self.budget)
        if self._narrow:
            outcome = self.ask_without_piles(conditions, self.budget)
            if isinstance(outcome, Sat):
                return outcome
        return self._ask_all(conditions)

    def ask_bare(self, conditions: list[Truth]) -> Outcome:
        """A question that brings what it needs to know about states; only proved invariants are added."""
        constants = list(self.world.constants_conditions().values())
        known = [condition for name, condition in self.background.items() if name.startswith("invariant ")]
        return solve([*constants, *known, *conditions], self.budget)

    def ask_without_piles(self, conditions: list[Truth], budget: Budget) -> Outcome:
        """The question about states whose long piles are empty and in which no breach is open: a witness there is one
        anywhere."""
        cut = [self.cones.without_piles(condition) for condition in conditions]
        return solve([*self._background_without_piles(), *cut], budget)

    def _ask_all(self, conditions: list[Truth]) -> Outcome:
        """Loosely for a proof, then for a witness with short piles, then in full."""
        outcome = self.ask_loosely(conditions)
        if not isinstance(outcome, Sat):
            return outcome
        every = [*self.background.values(), *conditions]
        short = solve([*every, *self.cones.narrowed(self._cone(conditions)).values()], self.budget)
        return short if isinstance(short, Sat) or not self.cones.long_piles else solve(every, self.budget)

    @property
    def _narrow(self) -> bool:
        """The first try leaves states out: those with cards on long piles, those with an open breach."""
        return bool(self.cones.long_piles) or self.before.kept is not None

    def _background_without_piles(self) -> list[Truth]:
        if self._short is None:
            kept = frozenset(self.world.zones) - self.cones.long_piles
            parts: list[Truth] = list(self.world.constants_conditions().values())
            parts += [*self.cones.relaxed(kept | frozenset(self.world.registers)), self.cones.whole(kept)]
            if self.before.kept is not None:
                there = t.bit(self.before.kept.there, 0)
                parts += [t.negation(some_breach(self.world, self.before)), t.negation(there)]
            for name, condition in self.background.items():
                if name.startswith("invariant "):
                    parts.append(self.cones.without_piles(condition))
            self._short = parts
        return self._short

    def ask_loosely(self, conditions: list[Truth], budget: Budget | None = None, *, short: bool = False) -> Outcome:
        """A hard question about states of which only the places it looks at are well-typed: good for proofs.
        With `short` about such of them as have short piles: good for finding some."""
        cone = self._cone(conditions)
        if short:
            conditions = [*conditions, *self.cones.narrowed(cone).values()]
        constants = list(self.world.constants_conditions().values())
        known = [condition for name, condition in self.background.items() if name.startswith("invariant ")]
        return solve([*constants, *self.cones.relaxed(cone), *known, *conditions], budget or self.budget)

    def _cone(self, conditions: Iterable[Truth]) -> frozenset[str]:
        """The places that the conditions look at, and those that proved invariants tie to them."""
        cone = self.cones.of(conditions)
        for name, condition in self.background.items():
            if name.startswith("invariant "):
                tied = self.cones.of([condition])
                cone = cone | tied if tied & cone else cone
        return cone

    def verdict(self, outcome: Outcome, method: str, *, act: str | None = None, after: bool = False) -> Verdict:
        """A verdict on "no state satisfies this"."""
        match outcome:
            case Unsat(core=core):
                return Holds(method, core)
            case NotDecided(reason=reason):
                return Unknown(reason)
            case Sat():
                return Fails(self.witness(outcome, act, after))

    def witness(self, outcome: Sat, act: str | None = None, after: bool = False) -> Witness:
        """The state (and the act, and what follows) of a model."""
        chosen = None if act is None else (self.act(act).action, self.act(act).arguments)
        following = self.step(act).after if act is not None and after else None
        return witness_of(self.world, outcome.model, self.before, chosen, following)

    def scope(self, waves: int = 0) -> QuestionScope:
        """What answers of this model speak about."""
        most = self.norms.player_count
        players = str(most) if self.world.seats.constant is not None else f"2..{most}"
        named = []
        for name, truth in self.world.switches.items():
            if not isinstance(truth, bool):
                named.append(f"*{name}")
            elif truth:
                named.append(name)
        cards = len(self.norms.deck) or self.world.cards
        return QuestionScope(cards, players, tuple(named), self.budget.described, self.proved, waves)

    def answer(
        self, kind: Kind, verdict: Verdict, clauses: tuple[str, ...], place: str, clock: Clock, waves: int = 0
    ) -> Answer:
        """The answer with scope and time."""
        rules = tuple(
            dict.fromkeys(self.world.clauses[name].head.rule for name in clauses if name in self.world.clauses)
        )
        return Answer(kind, verdict, clauses, rules, place, self.scope(waves), clock.seconds)

    def with_switches(self, switches: Mapping[str, bool | None]) -> Model:
        """The same question with other switches (and nothing proved yet)."""
        chosen = {**dict(self.options.switches), **switches}
        return Model(self._given, replace(self.options, switches=tuple(chosen.items())), self.budget)

    def read_as(self, reading: ir.Reading, letter: str) -> Model:
        """The same question with this item read by the letter."""
        return self.with_switches({name: name == reading.switch(letter) for name in sorted(reading.switches)})


def invariants_of(norms: ir.Norms) -> Iterator[ir.Invariant]:
    """The declared invariants, in text order."""
    for clause in norms.clauses:
        if isinstance(clause, ir.Invariant):
            yield clause
