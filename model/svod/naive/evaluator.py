"""From norms, switches and positions to acts, decisions and steps, straight from the definitions and without haste.

Nothing here is shared with the engine, so that the two can be held against each other. Where the definitions in
`svod.norms.ir` leave something open, this is what is meant here:

* «нет» where a present value is needed (an argument, an operand, an order relation, a card, an owner) is undefined;
  `=` and `≠` treat it as a value. Assigning «нет» to a register that cannot hold it is an undefined right-hand side.
* `and`, `or` read strictly left to right: an undefined operand reached before the decision makes the whole undefined.
  `Best` is undefined if the key of a candidate is, `Sum` if a summand is. `ForAll`: undefined `holds` is false.
* A slot with an undefined value in a firing clause has a hole, unless two defined values differ (then a clash).
  With `FIRST` only the first firing clause is looked at. A slot that asks for itself is undefined at that place.
* `Before` inside `Before`, and outside triggers and invariants, is undefined; at the start of a play too.
* "The condition of an edge a wave ago" is the truth value it had in that wave, with that wave's events and `Before`;
  before an act it is the value in the quiescent position, where no event happens and `Before` is undefined.
* An exception by a trigger counts while the trigger's guard is met and nothing excepts it, whatever its cause: what has
  to be the same act or event is said by the pairs of variables.
* A rule is enabled in a wave if one of its triggers has its cause there and its guard met; a postponed trigger is
  enabled too. A trigger waits for the rules it names, directly (the order is not closed transitively). While it waits
  it keeps the acts and events that it answers, whatever its guard says meanwhile; an edge is kept if it was enabled.
  `Happened` is true of events raised in the last wave and of events that a waiting trigger still keeps.
* Place of a card: the zone where it lies, which end it was laid on, who laid it. Two moves of one card in one wave
  that differ there are a race; the zone named is the one it was taken from. Moving an empty zone is never a race.
  Where an exception or an order ties the rules, the excepting (the later) rule has the last word.
  Cards leave their zones first, then are laid in the order of clauses, instances, effects.
* Overwrite races compare each assignment by a rule with all those of other rules in earlier waves of the step; postings
  take no part. A card that one wave laid somewhere may be moved on from there by a later wave: that is no race.
* If several things go wrong in one wave, each of them is a right answer (`outcomes` lists them all); `step` gives the
  first hole, else the first race, else the first limit. A race names the two clauses that disagree.
* 64 waves are allowed; needing one more is `Limit("waves")`. Capacity and ranges are looked at after every wave.
* A violation or a lapse is read in the position before the act, for the arguments of the act; further variables range
  freely and all instances count. An offender that is undefined or «нет» is nobody; the others named are guilty.
  If that leaves nobody, an unlawful act still enters `other`. Without a catalogue these clauses do nothing at all.
* A violation forbids only where the actor is among its offenders; an act of nobody is not forbidden by it, and enters
  its offenders all the same.
* An act with an actor after the end of a play is unlawful, and enters breaches like any other.
* Entering breaches belongs to the body: it is no race with anything, and happens after the bounds of the body.
* A restoration takes place if there is a frame when its wave begins, even if rules have emptied the record meanwhile in
  this step, and only if the other writes of the wave succeed (races with earlier waves among them); else they are the
  outcome. A pile of the frame that misses a card is a hole of one of the restoring instances; cards that return to a
  zone outside the frame may be more than it holds: that is a limit. Without a frame the trigger has fired all the same.
* After a restoration no edge rises in the next wave: each condition counts as having had before the value that it has
  there, even one that speaks of `Happened` or `Before`. Edges that wait, and acts and events that a waiting trigger
  keeps, stay. Assignments inside the frame made up to then may be overwritten: what is gone is no race.
* A position may be given with a frame and no breach (it is dropped at the next rest) or the other way round (the frame
  is made when the next breach is entered, and there is nothing to restore till then).
* `Lawful` is asked of the state of a moment as if at rest: nothing happens there and `Before` is undefined. An argument
  that is undefined or «нет» makes it undefined. Asked apart from violations it is what permissions, prohibitions and
  duties make of the act. If it asks for itself, by way of violations, it is undefined there.
* When a play is over an act is impossible or unlawful, never contested.
* A dead end is a position where nothing contested and no lawful act of a turn class, of chance or of a duty is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from svod.naive.breaches import Breaches
from svod.naive.judging import Judge, Moment
from svod.naive.mentions import speaks_of_before
from svod.naive.reader import Reader
from svod.naive.waves import NOTHING_HELD, Waves
from svod.naive.world import (
    UNDEFINED,
    NoValue,
    Scene,
    Undefined,
    Value,
    World,
    act_happens,
    default_switches,
)
from svod.naive.writes import Writer, Writes
from svod.norms import ir
from svod.norms.trace import Act, Clash, Decision, Hole, Limit, Position, Race, Status, StepOutcome


class Naive:
    """One rulebook at fixed parameters and switches, played by its definitions. A `reader` of another class may listen
    to what is read."""

    def __init__(
        self, norms: ir.Norms, switches: Iterable[str] | None = None, *, reader: type[Reader] = Reader
    ) -> None:
        chosen = default_switches(norms) if switches is None else frozenset(switches)
        self.norms = norms
        self.switches = chosen
        self._world = World(norms, chosen)
        self._reader = reader(self._world)
        self._writer = Writer(self._world, self._reader)
        self._judge = Judge(self._world, self._reader, self._writer)
        self._breaches = Breaches(self._world, self._reader, self._judge)
        self._waves = Waves(self._world, self._reader, self._writer, self._breaches)
        self._last: tuple[Position, Moment] | None = None

    @property
    def reader(self) -> Reader:
        """Who reads clauses here."""
        return self._reader

    # ------------------------------------------------------------------------------------------------ steps

    def initial(self, cards: Iterable[int] = ()) -> StepOutcome:
        """The start of a play, settled from "nothing held before"; with these cards in the deck if any are given."""
        world = self._world
        state = world.empty()
        scene = Scene(state)
        for name, index in world.cell_keys():
            register = world.registers[name]
            try:
                value = self._reader.value(register.initial, {}, scene)
            except Undefined:
                value = None
            state.cells[name, index] = None if value is None else int(value)
            scene.slots.clear()
        if world.norms.filled:
            state.zones[world.norms.filled, None] = [(card, None) for card in sorted(cards) or sorted(world.deck)]
        return _foremost(self._waves.settle(None, state, NOTHING_HELD, frozenset()))

    def outcomes(self, position: Position, act: Act) -> tuple[StepOutcome, ...]:
        """Every right answer to "what follows": one if the step succeeds; ValueError if the act is not possible."""
        moment = self._moment(position)
        scene, before = moment.scene, moment.scene.state
        layings = self._judge.body(act, scene)
        if layings is None:
            raise ValueError(f"not possible: {act}")
        writes = Writes(layings=layings)
        after = self._writer.apply(writes, before)
        if writes.failures:
            return tuple(writes.failures)
        self._breaches.enter(act, moment, after)
        truths = self._waves.truths(scene)
        return tuple(self._waves.settle(before, after, truths, frozenset([act_happens(act)])))

    def step(self, position: Position, act: Act) -> StepOutcome:
        """What follows from an act, lawful or not; ValueError if it is not possible."""
        return _foremost(self.outcomes(position, act))

    # ----------------------------------------------------------------------------------------------- status

    def decide(self, position: Position, act: Act) -> Decision:
        """The status of an act and the clauses that give it."""
        moment = self._moment(position)
        if self._judge.body(act, moment.scene) is None:
            return Decision(Status.IMPOSSIBLE)
        return self._judge.decide(act, moment)

    def status(self, position: Position, act: Act) -> Status:
        return self.decide(position, act).status

    def statuses(self, position: Position) -> dict[Act, Status]:
        """The status of every possible act, in canonical order."""
        moment = self._moment(position)
        return {act: self._judge.decide(act, moment).status for act in self._judge.possible(moment.scene)}

    def acts(self, position: Position) -> tuple[Act, ...]:
        """The lawful acts in canonical order."""
        return self._with_status(position, Status.LAWFUL)

    def contested(self, position: Position) -> tuple[Act, ...]:
        """The acts to which somebody has a right and which are forbidden."""
        return self._with_status(position, Status.CONTESTED)

    def possible_acts(self, position: Position) -> tuple[Act, ...]:
        return tuple(self._judge.possible(self._scene(position)))

    def owed(self, position: Position) -> tuple[Act, ...]:
        """The possible acts that fulfil some pending duty, whatever its deadline, in canonical order."""
        duties = self._moment(position).owed
        return tuple(act for act in self.possible_acts(position) if any(duty.fulfilled_by(act) for duty in duties))

    def _with_status(self, position: Position, wanted: Status) -> tuple[Act, ...]:
        return tuple(act for act, status in self.statuses(position).items() if status is wanted)

    def over(self, position: Position) -> bool:
        return self._moment(position).over

    def stuck(self, position: Position) -> bool:
        """A dead end: not over, nothing that makes the play progress is lawful, and nothing is contested."""
        moment = self._moment(position)
        if moment.over:
            return False
        for act, status in self.statuses(position).items():
            action = self._world.actions[act.action]
            progress = action.turn or action.actor is None or any(duty.fulfilled_by(act) for duty in moment.owed)
            if status is Status.CONTESTED or (status is Status.LAWFUL and progress):
                return False
        return True

    # ------------------------------------------------------------------------------------------------ terms

    def term(self, position: Position, name: str, arguments: tuple[int, ...] = ()) -> int | Hole | Clash | None:
        """The value of a slot («нет» is None), or its hole or clash."""
        slot = self._reader.slot(name, arguments, self._scene(position))
        if slot.defined:
            return None if slot.value is None else int(slot.value)
        if slot.clash:
            return Clash(name, arguments, slot.clauses, ())
        rules = tuple(dict.fromkeys(clause.head.rule for clause in self._world.term_clauses[name]))
        return Hole(name, arguments, rules or (self._world.terms[name].rule,), ())

    def evaluate(
        self, position: Position, expression: ir.Expression, bindings: Mapping[str, int | None] | None = None
    ) -> Value | NoValue:
        """The value of an expression in a position; `UNDEFINED` where it has none."""
        try:
            return self._reader.value(expression, dict(bindings or {}), self._scene(position))
        except Undefined:
            return UNDEFINED

    def violated(self, position: Position, before: Position | None) -> tuple[str, ...]:
        """Ids of the invariants that do not hold; those that speak of steps hold at the start of a play."""
        earlier = None if before is None else Scene(self._world.state(before))
        scene = Scene(self._world.state(position), earlier)
        found: list[str] = []
        for invariant in self._world.invariants:
            if before is None and speaks_of_before(self.norms, invariant):
                continue
            instances = self._reader.firing(invariant, {}, scene)
            if not all(self._reader.met(invariant.holds, env, scene) for env in instances):
                found.append(invariant.head.id)
        return tuple(found)

    def restless(self, position: Position) -> tuple[str, ...]:
        """Ids of clauses that would already have moved cards and ended what they answer: no play rests here."""
        return tuple(trigger.head.id for trigger in self._waves.restless(self._world.state(position)))

    def tuples(self, parameters: Sequence[ir.Variable]) -> Iterator[tuple[int, ...]]:
        """Every tuple of values for these parameters, in lexicographic order."""
        return self._world.tuples(parameters)

    def _moment(self, position: Position) -> Moment:
        """What holds in a position; the last one is kept, with what its slots were found to say."""
        if self._last is None or self._last[0] != position:
            self._last = position, self._judge.moment(Scene(self._world.state(position)))
        return self._last[1]

    def _scene(self, position: Position) -> Scene:
        return self._moment(position).scene


def _foremost(outcomes: Iterable[StepOutcome]) -> StepOutcome:
    """The outcome to report: a hole before a race before a limit, else the first."""
    found = list(outcomes)
    for kind in (Hole, Clash, Race, Limit):
        for outcome in found:
            if isinstance(outcome, kind):
                return outcome
    return found[0]
