"""In: clauses of norms and positions. Out: what they write and read, and why they did not fire: small questions from
which a chain of rules is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from svod.naive.evaluator import Naive
from svod.naive.mentions import conjuncts, parts
from svod.norms import ir
from svod.norms.trace import Act, Laid, Next, Position
from svod.searches.case_clauses import Clauses, env_of
from svod.searches.case_events import Done

Place: TypeAlias = tuple[str, int | None]
Env: TypeAlias = Mapping[str, int | None]
STATE_FREE = (
    ir.Variable,
    ir.Value,
    ir.Number,
    ir.Boolean,
    ir.Nothing,
    ir.Component,
    ir.Compose,
    ir.Compare,
    ir.Not,
    ir.And,
    ir.Or,
    ir.StepValue,
    ir.Extreme,
    ir.Relation,
)


DECIDES, SUPPORTS, REMARKS = 1, 2, 3
ACT = "act:"  # before the name of a kind of act: what the book says more of it is still to be found


@dataclass
class Chain:
    """Rules found so far: number → rank and clauses, in the order in which they were found."""

    found: dict[str, tuple[int, dict[str, None]]] = field(default_factory=dict)

    def add(self, rule: str, rank: int, clause: str | None = None) -> None:
        """Cite a rule; the closest rank counts."""
        old, clauses = self.found.get(rule, (rank, {}))
        if clause is not None:
            clauses[clause] = None
        self.found[rule] = (min(old, rank), clauses)

    def take(self, other: Chain) -> None:
        """Add what another chain has found."""
        for rule, (rank, clauses) in other.found.items():
            self.add(rule, rank)
            self.found[rule][1].update(clauses)


class Reading:
    """Norms as they are read for citations."""

    def __init__(self, norms: ir.Norms, clauses: Clauses, switches: frozenset[str]) -> None:
        self.norms = norms
        self.clauses = clauses
        self.switches = switches
        self.by_id = clauses.by_id
        self.terms: dict[str, list[ir.TermClause]] = {}
        for clause in norms.clauses:
            if isinstance(clause, ir.TermClause):
                self.terms.setdefault(clause.term, []).append(clause)
        self.triggers = [clause for clause in norms.clauses if isinstance(clause, ir.Trigger)]
        self.duties = [clause for clause in norms.clauses if isinstance(clause, ir.Duty)]
        self.actions = {action.name: action for action in norms.actions}
        self._free: dict[str, bool] = {}
        self._without: dict[str, Naive] = {}

    # ------------------------------------------------------------------------------------------------- writes

    def writes(self, effects: Iterable[ir.Effect], position: Position | None = None) -> Iterator[str]:
        """Names of zones and registers that the effects write; «*» is the whole frame. Where a position is given, loops
        over nobody are left out."""
        for effect in effects:
            match effect:
                case ir.MoveCard() | ir.MoveAll():
                    yield effect.source.zone
                    yield effect.target.zone
                case ir.Assign() | ir.Post():
                    yield effect.register
                case ir.ForEach():
                    if position is None or self._anybody(effect, position):
                        yield from self.writes(effect.effects, position)
                case ir.Restore():
                    yield "*"
                case ir.Raise():
                    continue
                case _:
                    assert_never(effect)

    def _anybody(self, effect: ir.ForEach, position: Position) -> bool:
        """Whether a loop runs for anybody, if that can be seen from the position alone."""
        named = {part.name for part in parts(effect.where) if isinstance(part, ir.Variable)}
        if named - {effect.variable.name}:
            return True
        size = len(self.norms.sort(effect.variable.sort).values)
        return any(self.clauses.met(position, effect.where, {effect.variable.name: value}) for value in range(size))

    def raises(self, effects: Iterable[ir.Effect]) -> bool:
        """Whether the effects let an event happen."""
        return any(isinstance(part, ir.Raise) for part in parts(tuple(effects)))

    def fired(self, identifiers: Iterable[str]) -> list[ir.Trigger]:
        """The triggers of these ids, each once."""
        found = [self.by_id[each] for each in dict.fromkeys(identifiers) if each in self.by_id]
        return [clause for clause in found if isinstance(clause, ir.Trigger)]

    def matters(self, rule: str, done: Done, places: set[str]) -> bool:
        """Whether these zones and registers would be otherwise after a step if the rule had no triggers."""
        if rule not in self._without:
            gone = {trigger.head.id for trigger in self.triggers if trigger.head.rule == rule}
            kept = tuple(clause for clause in self.norms.clauses if clause.head.id not in gone)
            if any(each.by in gone for clause in kept for each in clause.head.exceptions):
                return True
            self._without[rule] = Naive(replace(self.norms, clauses=kept), self.switches)
        outcome = self._without[rule].step(done.before, done.act)
        if not isinstance(outcome, Next) or done.after is None:
            return True
        return _at(outcome.position, places) != _at(done.after, places)

    # ---------------------------------------------------------------------------------------- why not fired

    def failing(self, clause: ir.Clause, env: Env, position: Position) -> list[ir.Expression]:
        """The conditions of a clause that are not met."""
        return [each for each in conjuncts(clause.head.guard) if not self._met(position, each, env)]

    def _met(self, position: Position, condition: ir.Expression, env: Env) -> bool:
        if {part.name for part in parts(condition) if isinstance(part, ir.Variable)} - set(env) - set(bound(condition)):
            return False
        return self.clauses.met(position, condition, env)

    def speaks(self, clause: ir.Clause, env: Env, position: Position) -> bool:
        """Whether a clause that did not fire speaks of such an act: it does not name another card, player or value, and
        no variant or reading that is off is needed for it besides other things."""
        failing = self.failing(clause, env, position)
        off = [each for each in failing if isinstance(each, ir.Switch)]
        if off:
            variants = {variant.name for variant in self.norms.variants}
            return len(failing) == len(off) and all(isinstance(e, ir.Switch) and e.name in variants for e in off)
        return not any(self.pins(each) for each in failing)

    def pins(self, condition: ir.Expression) -> bool:
        """Whether a condition says which value a variable has."""
        if not isinstance(condition, ir.Compare) or condition.relation is not ir.Relation.EQUAL:
            return False
        sides = (condition.left, condition.right)
        return any(
            isinstance(one, ir.Variable) and not any(isinstance(part, ir.Variable) for part in parts(other))
            for one, other in (sides, sides[::-1])
        )

    def names_value(self, clause: ir.Clause) -> bool:
        """Whether a clause speaks of one card or value only."""
        return any(self.pins(each) and self.state_free(each) for each in conjuncts(clause.head.guard))

    def escaped(self, act: Act, position: Position) -> Iterator[ir.Prohibition]:
        """Prohibitions of the act's kind that only the choice of what it names escapes."""
        for clause in self.norms.clauses:
            if not isinstance(clause, ir.Prohibition) or clause.action != act.action:
                continue
            failing = self.failing(clause, env_of(clause.head.variables, act.arguments), position)
            chosen = (self.state_free(each) and not self.pins(each) and self._of_choice(each) for each in failing)
            if failing and all(chosen):
                yield clause

    def _of_choice(self, condition: ir.Expression) -> bool:
        return any(isinstance(part, ir.Variable) for part in parts(condition))

    def state_free(self, expression: ir.Expression) -> bool:
        """Whether the value does not depend on the position."""
        return all(
            self._term_free(part.term) if isinstance(part, ir.ReadTerm) else isinstance(part, STATE_FREE)
            for part in parts(expression)
            if is_expression(part)
        )

    def _term_free(self, name: str) -> bool:
        if name not in self._free:
            self._free[name] = False  # a term that asks for itself
            clauses = self.terms.get(name, ())
            self._free[name] = all(self.state_free(c.head.guard) and self.state_free(c.value) for c in clauses)
        return self._free[name]

    # ------------------------------------------------------------------------------------------------- reads

    def read_registers(self, *expressions: ir.Expression) -> list[str]:
        """Registers that the expressions read themselves."""
        return list(dict.fromkeys(p.register for p in parts(expressions) if isinstance(p, ir.ReadRegister)))

    def read_terms(self, *expressions: ir.Expression) -> list[str]:
        """Terms that the expressions read themselves."""
        return list(dict.fromkeys(part.term for part in parts(expressions) if isinstance(part, ir.ReadTerm)))

    def functions(self, names: Iterable[str], *, deep: bool) -> list[ir.TermClause]:
        """Clauses of those terms that say something of what they are asked about; `deep`: and of what they read."""
        found: dict[str, None] = {}
        waiting = list(names)
        parameters = {term.name: term.parameters for term in self.norms.terms}
        while waiting:
            name = waiting.pop(0)
            if name in found or not parameters.get(name):
                continue
            found[name] = None
            if deep:
                waiting += [
                    n for clause in self.terms.get(name, ()) for n in self.read_terms(clause.head.guard, clause.value)
                ]
        return [clause for name in found for clause in self.terms.get(name, ())]

    def clause_expressions(self, clause: ir.Clause) -> tuple[ir.Expression, ...]:
        """The guard, and for a duty the act that it asks for."""
        if isinstance(clause, ir.Duty):
            return (clause.head.guard, *(each for each in clause.arguments if each is not None))
        return (clause.head.guard,)

    def value_clauses(self, position: Position, name: str, arguments: Sequence[int]) -> list[ir.TermClause]:
        """The clauses that give a term its value."""
        return [
            clause
            for clause in self.terms.get(name, ())
            if self.clauses.fires(position, clause, env_of(clause.head.variables, arguments))
        ]

    def excepted(self, position: Position, name: str, arguments: Sequence[int]) -> list[str]:
        """Ids of the clauses of a term that would give it a value and are excepted, each with what excepts it."""
        found: list[str] = []
        for clause in self.terms.get(name, ()):
            env = env_of(clause.head.variables, arguments)
            if self.clauses.met(position, clause.head.guard, env):
                by = self.clauses.excepting(position, clause, env)
                found += [clause.head.id, *by] if by else []
        return found


def _at(position: Position, places: set[str]) -> tuple[object, ...]:
    """What zones and registers of these names hold."""
    zones = tuple(entry for entry in position.zones if entry[0][0] in places)
    return zones, tuple(entry for entry in position.registers if entry[0][0] in places)


def is_expression(part: object) -> bool:
    """Whether a part of an expression is one itself: not a name, a zone or a list."""
    return not isinstance(part, tuple | str | int | bool | ir.ZoneRef | ir.Relation | ir.Operator) and part is not None


def bound(expression: ir.Expression) -> Iterator[str]:
    """Names of the variables that the expression itself runs over."""
    for part in parts(expression):
        if isinstance(part, ir.Exists | ir.ForAll | ir.Count | ir.Only | ir.Best | ir.Sum | ir.FirstClockwise):
            yield part.variable.name


def shifted(before: dict[Place, tuple[Laid, ...]], after: dict[Place, tuple[Laid, ...]]) -> set[int]:
    """Cards that lie elsewhere now."""
    places = {laid.card: key for key, cards in before.items() for laid in cards}
    return {laid.card for key, cards in after.items() for laid in cards if places.get(laid.card) != key}
