"""Steps → functions `init`, `refresh`, `step`: the body of an act and its first wave, and what is asked for at rest."""

from __future__ import annotations

from svod.engine.core import Scope
from svod.engine.lawfulness import AT_REST, Lawfulness
from svod.engine.layout import BitPlace, Kind, StepCode
from svod.engine.prepare import initial_value, mask_in_box, never_true
from svod.engine.settle import BEGINNING, Settling, guarded, of_act
from svod.engine.text import block, both, identifier, indented, union
from svod.engine.walk import effect_parts, free_variables, map_children
from svod.engine.world import renamed, terms_read
from svod.norms import ir

INLINE_MAX = 16  # so many slots of the state before an act are kept without calling a function


class Steps:
    """Prints the functions that change a position from outside."""

    def __init__(self, waves: Settling, acts: Lawfulness) -> None:
        self.waves = waves
        self.e = waves.e
        self.p = waves.p
        self.world = waves.world
        self.triggers = waves.triggers
        self.acts = acts
        self.groups = waves.groups

    def functions(self) -> None:
        """Print everything about steps."""
        self._recall()
        self._rest()
        self._refresh()
        if self.waves.breaches.restores:
            self._renew()
        self._init()
        self._step()

    def add(self, name: str, lines: list[str]) -> None:
        """A function of the program."""
        self.waves.add(name, lines)

    # ---------------------------------------------------------------------------------------------- at rest

    def _remember(self, name: str) -> list[str]:
        """Work out a remembered term; those that it reads have been worked out before."""
        term = self.world.terms[name]
        if term.parameters:
            value = self.p.term_mask_call(name, 0, (), AT_REST, True)
        else:
            value = self.p.term_call(name, (), AT_REST)
        return [f"S[{self.p.caches[name]}] = {value}"]

    def _recall(self) -> None:
        """Remembered terms are brought up to date: those that read a written place (`d`), and `stale` ones."""
        places = max(self.e.watched.values(), default=-1) + 1
        together = places + len(self.groups) <= 62  # one number for both makes one test of two
        lines = [f"d = d & {(1 << places) - 1} | stale << {places}"] if together else []
        for number, names in enumerate(self.groups):
            bits = self.e.bits(self.world.term_reads(names[0]))
            body = [line for name in names for line in self._remember(name)]
            stale = 1 << number
            test = f"d & {bits | stale << places}" if together else f"d & {bits} | stale & {stale}"
            lines += block(f"if {test} != 0:", body)
        self.add("recall", ["def recall(S, d, stale):", *indented([*lines, "return 0"])])

    def _rest(self) -> None:
        lines = ["if D[STALE] != 0:", "    recall(S, 0, D[STALE])"] if self.p.caches else []
        lines += self._forgetting()
        for term in self.world.norms.terms:
            if term.asked is not None:
                lines += self._asked(term)
        self.add(
            "rest", ["def rest(S, D):", "    # what is asked for once nothing fires", *indented([*lines, "return 0"])]
        )

    def _forgetting(self) -> list[str]:
        """At rest nothing was before and no event happens: the edges that looked at that are read again, none fires."""
        names = [name for e in self.world.norms.events for name in (e.name, f"fresh:{e.name}")]
        events = [slot for name in names if name in self.p.events for slot in self._slots_of(self.p.events[name])]
        after: list[str] = []
        always: list[str] = []
        for trigger in self.triggers:
            if isinstance(trigger.cause, ir.OnEdge):
                reads = self.e.reads_of_firing(trigger)
                if "before" in reads:
                    always += self._edge_bits(trigger)
                elif any(r.startswith("event:") for r in reads):
                    after += self._edge_bits(trigger)
        if not events:
            return always
        return [
            *block(f"if {union(f'S[{s}]' for s in events)} != 0:", [*(f"S[{s}] = 0" for s in events), *after]),
            *always,
        ]

    def _slots_of(self, place: BitPlace) -> range:
        return range(place.base, place.base + place.slots)

    def _edge_bits(self, trigger: ir.Trigger, before: str | None = None) -> list[str]:
        head, place = trigger.head, dict(self.p.layout.edges)[trigger.head.id]
        scope = Scope("S", before, True).bind(*head.variables)
        condition = self.world.fires(head.id)
        slot = self.waves.slot(place, head.variables)
        if not head.variables:
            return [f"S[{slot}] = (1 if {self.p.true(condition, scope)} else 0)"]
        body = [f"S[{slot}] = {self.p.full_mask(condition, head.variables[-1], scope)}"]
        for variable in reversed(head.variables[:-1]):
            body = block(f"for {identifier(variable.name)} in range({self.world.count(variable.sort)}):", body)
        return body

    def _asked(self, term: ir.Term) -> list[str]:
        """Evaluate an asked slot for all arguments; a hole or clash ends the step unless the slot is an output."""
        assert term.asked is not None
        scope = AT_REST.bind(*term.parameters)
        val = self.p.value(ir.ReadTerm(term.name, term.parameters), scope)
        if val.total:
            return []
        names = [identifier(p.name) for p in term.parameters]
        place = self.e.places[term.name]
        lines = [f"_v = {val.text}"]
        if term.output:
            lines += ["if _v >= HOLE:", f"    soft(D, {place})"]
        else:
            lines += ["if _v >= HOLE:"]
            stop = [f"outcome(D, {int(StepCode.HOLE)}, {place}, -1, -1)", f"D[ARGUMENT_COUNT] = {len(names)}"]
            stop += [f"D[ARGUMENTS + {i}] = {n}" for i, n in enumerate(names)]
            stop += ["if _v == CLASH:", f"    {self._clash(term)}({', '.join(['S', 'D', *names])})"]
            stop += [f"    return {int(StepCode.CLASH)}", f"return {int(StepCode.HOLE)}"]
            lines += indented(stop)
        free = {v.name for v in free_variables(term.asked)}
        own = {p.name for p in term.parameters}
        apart = free.isdisjoint(own)
        lines = lines if apart else block(f"if {self.p.true(term.asked, scope)}:", lines)
        for parameter in reversed(term.parameters):
            lines = block(f"for {identifier(parameter.name)} in range({self.world.count(parameter.sort)}):", lines)
        return block(f"if {self.p.true(term.asked, scope)}:", lines) if apart else lines

    def _clash(self, term: ir.Term) -> str:
        """Name of the function that notes two clauses whose values differ."""
        scope = AT_REST.bind(*term.parameters)
        names = [scope.names[p.name] for p in term.parameters]
        lines = ["_v = HOLE", "_f = -1"]
        for clause in self.world.term_clauses.get(term.name, ()):
            fires = renamed(self.world.fires(clause.head.id), clause.head.variables, term.parameters)
            val = self.p.value(renamed(clause.value, clause.head.variables, term.parameters), scope).settled()
            number = self.e.clauses[clause.head.id]
            found = [
                f"if _v < HOLE and _v != {val.text}:",
                "    D[FIRST] = _f",
                f"    D[SECOND] = {number}",
                "    return 1",
            ]
            found += [f"_v = {val.text}", f"_f = {number}"]
            lines += block(f"if {both(self.p.true(fires, scope), *val.conditions)}:", found)

        def build(name: str) -> list[str]:
            return [f"def {name}({', '.join(['S', 'D', *names])}):", *indented([*lines, "return 0"])]

        return self.p.text.function(("clash", term.name), f"clash_{term.name}", build)

    def _refresh(self) -> None:
        lines: list[str] = []
        for place in self.p.layout.zones:
            if place.pile:
                lines += [
                    "_m = 0",
                    "_i = 0",
                    f"while _i < S[{place.length}]:",
                    f"    _m |= 1 << S[{place.cards} + _i]",
                    "    _i += 1",
                    f"S[{place.mask}] = _m",
                ]
        for place_ in self.p.events.values():
            copies = 2 * place_.slots
            lines += [f"S[{i}] = 0" for i in range(place_.base, place_.base + copies) if self._transient(i)]
        for name in self.p.caches:
            lines += self._remember(name)
        for trigger in self.triggers:
            if isinstance(trigger.cause, ir.OnEdge):
                lines += self._edge_bits(trigger)
        self.add("refresh", ["def refresh(S):", "    # derived slots from the others", *indented([*lines, "return 0"])])

    def _renew(self) -> None:
        """After a restoration: what is remembered, and the edges, none of which counts as risen."""
        lines = [line for name in self.p.caches for line in self._remember(name)]
        lines += self.waves.copying(self.waves.later)
        for trigger in self.triggers:
            if isinstance(trigger.cause, ir.OnEdge):
                lines += self._edge_bits(trigger, "D")
        self.add("renew", ["def renew(S, D):", "    # the frame is back", *indented([*lines, "return 0"])])

    def _transient(self, slot: int) -> bool:
        return slot < self.p.layout.size and self.p.layout.slots[slot].kind is Kind.EVENT

    # ------------------------------------------------------------------------------------------- init, step

    def _reset(self) -> list[str]:
        counters = ["FIRED_COUNT", "SOFT_COUNT", "LOG_COUNT", "WAVE_START", "FIRED_WAVE", "ACTIVE", "RACE"]
        counters += ["RESTORE"] if self.waves.breaches.restores else []
        return [f"D[{name}] = 0" for name in counters]

    def _init(self) -> None:
        layout = self.p.layout
        switch = {slot for _, slot in layout.switches}
        lines = [f"S[{i}] = 0" for i in range(layout.size) if i not in switch]
        lines += self._fill()
        if layout.box >= 0:
            lines.append(f"S[{layout.box}] = {mask_in_box(self.world.norms)}")
        for register in self.world.norms.registers:
            lines += self._first_value(register)
        everything = 2 * BEGINNING - 1
        lines += [*self._reset(), f"D[DIRTY] = {everything}", "D[ENABLED] = 0", "D[STALE] = 0"]
        wave = "first_wave" if any(map(self.waves.remembers, self.triggers)) else "wave"
        lines += [*guarded(f"{wave}(S, D)"), "return settle(S, D)"]
        self.add("init", ["def init(S, D):", "    # the start of a play", *indented(lines)])

    def _fill(self) -> list[str]:
        norms = self.world.norms
        zone = norms.filled
        cards = norms.deck or tuple(range(self.world.count(self.world.zones[zone].card_sort)))
        mask = sum(1 << c for c in cards)
        place = self.p.zone_places[zone, None]
        lines = [f"S[{place.mask}] = {mask}"]
        if place.pile:
            lines += [f"S[{place.cards + i}] = {c}" for i, c in enumerate(cards)]
            lines += [f"S[{place.length}] = {len(cards)}"]
            if place.authors >= 0:
                lines += [f"S[{place.authors + i}] = SEATS" for i in range(len(cards))]
        return lines

    def _first_value(self, register: ir.Register) -> list[str]:
        slots = [slot for (name, _), slot in self.p.layout.registers if name == register.name]
        known = initial_value(self.p.static, register)
        if known is not None:
            return [f"S[{slot}] = {known}" for slot in slots if known != 0]
        val = self.p.value(register.initial, Scope()).settled() if slots else None
        if val is None:
            return []
        return [line for s in slots for line in block(f"if {both(*val.conditions)}:", [f"S[{s}] = {val.text}"])]

    def _step(self) -> None:
        ladder: dict[str, list[str]] = {}
        for action in self.world.norms.actions:
            if never_true(action.possible):
                continue
            name = self.p.text.fresh(f"step_{action.name}")
            names = [identifier(p.name) for p in action.parameters]
            arguments = ", ".join(["S", "D", "a", *names])
            self.p.text.functions.append([f"def {name}({arguments}):", *indented(self._action_step(action))])
            ladder[action.name] = [*self.acts.decoded(action), f"return {name}({arguments})"]
        self.add("step", ["def step(S, a, D):", *indented(self.acts.per_action(ladder, str(int(StepCode.LIMIT))))])

    def _action_step(self, action: ir.Action) -> list[str]:
        """Body and first wave; terms that nothing in it reads are worked out later."""
        moved = self.world.writes(action.body)
        written = moved | self.waves.breaches.writes(action)
        lines = self._reset()
        first = [t for t in self.triggers if isinstance(t.cause, ir.OnEdge) or of_act(t, action.name)]
        first = [t for t in first if of_act(t) or (written | {"before"}) & self.e.reads_of_firing(t)]
        lines += self.waves.copying(first, INLINE_MAX)
        lines += self.waves.breaches.before_body(action)
        lines += self.e.body(action)
        lines += self.waves.breaches.after_body(action)
        needed = self._terms_of(first)
        for shown in self.waves.shadowed_terms if self.waves.copying(self.waves.later) else ():
            needed |= {shown, *self.world.terms_needed(shown)}
        stale = rarely_stale = 0
        for number, group in enumerate(self.groups):
            reads = self.world.term_reads(group[0])
            for name in group if reads & written else []:
                if name in needed:
                    lines += self._if_touched(action, reads, moved, self._remember(name))
                elif reads & moved:
                    stale |= 1 << number
                else:
                    rarely_stale |= 1 << number
        lines += ["D[DIRTY] = 0", f"D[STALE] = {stale}", *(["D[ENABLED] = 0"] if self.waves.waited else [])]
        if rarely_stale:
            lines += block(f"if {self.waves.breaches.touched(action)}:", [f"D[STALE] |= {rarely_stale}"])
        wave, delayed = self._first_wave(action, first, moved)
        made = [number for number in range(len(delayed)) if any(f"_new{number} = " in line for line in wave)]
        lines += [f"_new{number} = HOLE" for number in made]  # the others stand where nothing ever comes to them
        return [*lines, *wave, *(line for number in made for line in delayed[number]), "return settle(S, D)"]

    def _if_touched(
        self, action: ir.Action, reads: frozenset[str], moved: frozenset[str], lines: list[str]
    ) -> list[str]:
        """The statements, under the condition that a breach was entered or lapsed if nothing else makes them needed."""
        if not lines or reads & (moved | {"before"}):
            return lines
        return block(f"if {self.waves.breaches.touched(action)}:", lines)

    def _first_wave(
        self, action: ir.Action, first: list[ir.Trigger], moved: frozenset[str]
    ) -> tuple[list[str], list[list[str]]]:
        """Statements of the first wave, and the writes that wait for its end."""
        names = [identifier(p.name) for p in action.parameters]
        lines: list[str] = []
        delayed: list[list[str]] = []
        for trigger in first:
            if isinstance(trigger.cause, ir.OnEdge):
                call = guarded(f"{self.waves.edge(trigger, 'D')}(S, D)")
                rising = block(f"if {self.waves.could_rise(trigger)}:", call)
                lines += self._if_touched(action, self.e.reads_of_firing(trigger), moved, rising)
            elif self.waves.stands_in_step(trigger):
                self.e.delayed = delayed
                lines += self.waves.instance(trigger, names)
                self.e.delayed = None
            else:
                lines += guarded(self.waves.on_call(trigger, names, "a"))
        return lines, delayed

    def _terms_of(self, triggers: list[ir.Trigger]) -> set[str]:
        """Terms that the triggers read in the present state, directly or not."""
        found: set[str] = set()
        for trigger in triggers:
            for e in (self.world.fires(trigger.head.id), *(x for f in trigger.effects for x in effect_parts(f))):
                for name in terms_read(_present(e)):
                    found |= {name, *self.world.terms_needed(name)}
        return found


def _present(e: ir.Expression) -> ir.Expression:
    """The expression without what it asks of the state before."""
    return map_children(e, _present) if not isinstance(e, ir.Before) else ir.Boolean(False)
