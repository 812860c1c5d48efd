"""In: one way in which a case went, and one question. Out: the rules from which its answer follows, each with its rank.

What counts, by kind of question:

* an act: what permits it, forbids it, blocks it; what would have permitted it if it speaks of such an act; a right that
  a prohibition overrides; prohibitions that only the choice of the card escapes; the rules that a breach breaks;
* a place: the triggers that wrote it since the start, or what allowed the act that did; how its cards came there;
* a term: the clauses that give the value and those excepted; what they read, where it changed since the start;
* a punishment: the rules broken, and what brought the event about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from svod.naive.mentions import conjuncts
from svod.norms import ir
from svod.norms.trace import Act, Position, Status
from svod.searches.case_clauses import env_of
from svod.searches.case_events import Done
from svod.searches.citation_reading import ACT, DECIDES, REMARKS, SUPPORTS, Env, Place, shifted
from svod.searches.tracing import Tracing


class Citing(Tracing):
    """One question under way: acts, places and terms."""

    # ------------------------------------------------------------------------------------------------- acts

    def permitted(self, done: Done, rank: int) -> None:
        """What allows an act, or its action where silence does."""
        decision = self.asking.table.player.decide(done.before, done.act)
        for each in decision.permitted_by:
            self.clause(each, rank)
        if not decision.permitted_by:
            self.rule(self.reading.actions[done.act.action].rule, rank)

    def judged(self, position: Position, act: Act, rank: int, *, verdict: bool, unpermitted: bool = False) -> None:
        """What makes an act lawful or not; `verdict`: it is asked about itself; `unpermitted`: no act of its kind is
        lawful, so what would permit it is told, whatever else forbids it."""
        decision = self.asking.table.player.decide(position, act)
        catalogued = [c for c in decision.forbidden_by if isinstance(self.reading.by_id[c], ir.Violation)]
        if decision.status is Status.LAWFUL:
            for each in decision.permitted_by:
                self.clause(each, rank)
                self.nested(self.reading.by_id[each], act)
            if verdict:
                for prohibition in self.reading.escaped(act, position):
                    self.clause(prohibition.head.id, SUPPORTS)
        else:
            for each in decision.forbidden_by:
                self.clause(each, rank if verdict else SUPPORTS)
            if decision.forbidden_by:
                self._owed_otherwise(position, act)
            for each in decision.blocked_by:
                self.clause(each, SUPPORTS)
            if not catalogued:
                self._overridden(decision.permitted_by)
            free = not (decision.forbidden_by or decision.blocked_by)
            if verdict or free or unpermitted:
                self._failed(position, act, decision.failed, free=free)
        for pair in decision.excepted:
            for each in pair:
                self.clause(each, SUPPORTS)

    def _owed_otherwise(self, position: Position, act: Act) -> None:
        """Pending duties of the same player about the very card that the act names."""
        cards, actor = self._cards_of(act), self.asking.actor(act)
        for name in dict.fromkeys(clause.action for clause in self.reading.duties) if cards else ():
            sorts = [parameter.sort for parameter in self.reading.actions[name].parameters]
            for clause, bearer, arguments in self.asking.table.clauses.duties(position, name):
                named = {v for v, sort in zip(arguments, sorts, strict=True) if sort == self.norms.card_sort}
                if bearer == actor and named & cards:
                    self.clause(clause.head.id, REMARKS)

    def _overridden(self, permitted: Iterable[str]) -> None:
        """Permissions of this very card or value that a prohibition overrides."""
        for each in permitted:
            if self.reading.names_value(self.reading.by_id[each]):
                self.clause(each, REMARKS)

    def _failed(self, position: Position, act: Act, failed: Iterable[str], *, free: bool) -> None:
        """What would permit the act; a variant that is off only if nothing else stands in the way."""
        variants = {variant.name for variant in self.norms.variants}
        for each in failed:
            clause = self.reading.by_id[each]
            if clause.head.variant in variants - self.reading.switches and not free:
                continue
            if self.reading.speaks(clause, env_of(clause.head.variables, act.arguments), position):
                self.clause(each, SUPPORTS)
                self.nested(clause, act)

    def breaches(self, done: Done, rank: int) -> None:
        """The rules that an act breaks, and what its violations look at."""
        for breach in self.asking.table.clauses.breaches(done.before, done.act):
            self.clause(breach.clause.head.id, rank)
            self.looked_at(breach.clause, env_of(breach.clause.head.variables, done.act.arguments), done.before)

    def looked_at(self, clause: ir.Clause, env: Env, position: Position) -> None:
        """Terms that a guard asks about somebody or something, and who wrote its registers."""
        self.measures(clause)
        self.writers(clause.head.guard, env, position)

    def measures(self, clause: ir.Clause) -> None:
        """Terms by which a guard counts or tests somebody; who comes next is taken as known."""
        types = {term.name: term.type for term in self.norms.terms}
        for term in self.reading.functions(self.reading.read_terms(clause.head.guard), deep=False):
            if not isinstance(types[term.term], ir.Member):
                self.rule(term.head.rule, REMARKS, term.head.id)

    def escaped_breaches(self, done: Done) -> None:
        """Violations of this kind of act that it is not, for want of one condition: that condition."""
        for clause in self.norms.clauses:
            if not isinstance(clause, ir.Violation) or clause.action != done.act.action:
                continue
            env = env_of(clause.head.variables, done.act.arguments)
            failing = self.reading.failing(clause, env, done.before)
            if not failing or any(self.reading.pins(each) for each in failing):
                continue
            for broken in clause.breaks:
                self.rule(broken, SUPPORTS)
            for condition in failing:
                self.writers(condition, env, done.before)
            self.measures(clause)

    def nested(self, clause: ir.Clause, act: Act | None = None) -> None:
        """Terms behind a permission or a duty that say something of what they are asked about."""
        named = self._cards_of(act) if act is not None else set()
        names = self.reading.read_terms(*self.reading.clause_expressions(clause))
        deep = isinstance(clause, ir.Duty)
        for term in self.reading.functions(names, deep=deep):
            wraps = self.wraps(term, named)
            if not wraps and (not isinstance(clause, ir.Duty) or isinstance(term.value, ir.StepValue)):
                continue
            self.rule(term.head.rule, SUPPORTS, term.head.id)

    def _cards_of(self, act: Act) -> set[int]:
        parameters = self.reading.actions[act.action].parameters
        pairs = zip(parameters, act.arguments, strict=True)
        return {value for parameter, value in pairs if parameter.sort == self.norms.card_sort}

    def wraps(self, term: ir.TermClause, named: set[int]) -> bool:
        """Whether a term is the next value of something and goes round from the last to the first, for a card that an
        act names or that lies at the end of a pile."""
        value = term.value
        if not isinstance(value, ir.StepValue) or not value.wrap:
            return False
        sort = self._sort_of(value.of)
        if sort is None:
            return False
        last = len(self.norms.sort(sort).values) - 1 if value.delta > 0 else 0
        return any(self._at_end(term, value.of, card, last) for card in named | self._ends())

    def _at_end(self, term: ir.TermClause, of: ir.Expression, card: int, last: int) -> bool:
        env: dict[str, int | None] = {variable.name: card for variable in term.head.variables}
        return self.asking.table.clauses.value(self.asking.course.start, of, env) == last

    def _sort_of(self, expression: ir.Expression) -> str | None:
        if isinstance(expression, ir.Component):
            card = self.norms.sort(self.norms.card_sort)
            return card.factors[expression.factor] if card.factors else None
        return expression.sort if isinstance(expression, ir.Variable) else None

    def _ends(self) -> set[int]:
        """Cards that lie on top or at the bottom of a pile, before and on the way."""
        positions = [self.asking.course.start, *(done.before for done in self.steps())]
        piles = {zone.name for zone in self.norms.zones if zone.pile}
        found: set[int] = set()
        for position in positions:
            for (name, _), cards in position.zones:
                if name in piles and cards:
                    found |= {cards[-1].card, cards[0].card}
        return found

    # ------------------------------------------------------------------------------------------------ places

    def places(self, wanted: Sequence[Place], rank: int, *, asked: bool) -> None:
        """How places came to be as they are: who wrote them since the start, how their cards came there; `asked`: what
        allowed every act on the way, else only what the event itself did and what was paid."""
        start, now = dict(self.asking.course.start.zones), dict(self.asking.now().zones)
        keys = set(wanted)
        moved = {laid.card for key in keys for laid in now.get(key, ()) if laid not in start.get(key, ())}
        zones = {zone.name: zone for zone in self.norms.zones}
        framed = any(not zones[name].outside_frame for name, _ in keys if name in zones)
        steps = self.steps()
        last = self.asking.happened() if self.asking.moment else None
        late = [done for done in steps if not done.own or (last is not None and done in last.done)]
        restorations = [place for place, done in enumerate(steps) if self._restores(done)]
        for place, done in enumerate(steps):
            if done.after is None:
                continue
            before, after = dict(done.before.zones), dict(done.after.zones)
            if restorations and place < restorations[-1]:
                before = {key: cards for key, cards in before.items() if zones[key[0]].outside_frame}
                after = {key: cards for key, cards in after.items() if zones[key[0]].outside_frame}
            changed = {key for key in keys if before.get(key) != after.get(key)}
            carried = moved & shifted(before, after)
            if changed and self.wrote(done, {name for name, _ in changed}, rank):
                continue
            if (changed and (asked or done in late)) or (carried and asked):
                self.permitted(done, rank if changed else SUPPORTS)
            if changed or carried:
                self.elaborated(done.act, rank)
        if framed:
            self.restored(SUPPORTS)

    def elaborated(self, act: Act, rank: int) -> None:
        """Noted for the book: rules that say more of such an act."""
        self.chain.found.setdefault(ACT + act.action, (rank, {}))

    def filled(self, name: str, *, holds: bool) -> None:
        """Whether a zone holds a card: who filled it, or who might have."""
        for done in self.event_steps():
            if self.wrote(done, [name], DECIDES) and holds:
                self._might_have(done, name, SUPPORTS)
            elif not holds:
                self._might_have(done, name, DECIDES)

    def _might_have(self, done: Done, name: str, rank: int) -> None:
        """Triggers that answer such a step, would fill the zone, and did not."""
        for trigger in self.reading.triggers:
            if trigger.head.id in done.outcome.fired or name not in self.reading.writes(trigger.effects):
                continue
            env: dict[str, int | None] = {}
            if isinstance(trigger.cause, ir.OnAct):
                if trigger.cause.action != done.act.action:
                    continue
                pairs = zip(trigger.cause.bindings, done.act.arguments, strict=True)
                env = {variable: value for variable, value in pairs if variable is not None}
            elif isinstance(trigger.cause, ir.OnEvent):
                continue
            failing = self.reading.failing(trigger, env, done.after or done.before)
            if failing and not any(self.reading.pins(each) for each in failing):
                self.clause(trigger.head.id, rank)

    # ------------------------------------------------------------------------------------------------- terms

    def term(self, name: str, arguments: Sequence[int], rank: int) -> None:
        """The clauses that give a term its value, through those that only pass another term on."""
        position = self.asking.now()
        for clause in self.reading.value_clauses(position, name, arguments):
            env = env_of(clause.head.variables, arguments)
            inner = self._passed_on(clause, position, env)
            if inner is not None:
                self.term(inner.term, (), rank)
                continue
            self.clause(clause.head.id, rank)
            for register in {r for each in conjuncts(clause.head.guard) for r in self.reading.read_registers(each)}:
                self.writer(register, position)
        for identifier in self.reading.excepted(position, name, arguments):
            self.clause(identifier, SUPPORTS)

    def _passed_on(self, clause: ir.TermClause, position: Position, env: dict[str, int | None]) -> ir.ReadTerm | None:
        """The term whose value a clause passes on as it is, and which does not only name a register."""
        value = clause.value
        while isinstance(value, ir.Choose):
            value = value.then if self.asking.table.clauses.met(position, value.condition, env) else value.otherwise
        plain = isinstance(value, ir.ReadTerm) and not value.arguments and clause.head.guard == ir.Boolean(True)
        return value if plain and isinstance(value, ir.ReadTerm) else None

    def same_reason(self, name: str) -> bool:
        """Whether a term has its value as at the start and by the same clauses."""
        start, now = self.asking.course.start, self.asking.now()
        table, stage = self.asking.table, self.norms.stage_register
        if stage is not None and table.value(start, stage) != table.value(now, stage):
            return False
        return table.value(start, name) == table.value(now, name) and self._reasons(start, name) == self._reasons(
            now, name
        )

    def _reasons(self, position: Position, name: str) -> list[str]:
        found: list[str] = []
        for clause in self.reading.value_clauses(position, name, ()):
            inner = self._passed_on(clause, position, {})
            found += [clause.head.id] if inner is None else self._reasons(position, inner.term)
        return found
