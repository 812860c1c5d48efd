"""Steps → functions `init`, `refresh`, `step`: the body of an act, waves of triggers, and what is asked for at rest."""

from __future__ import annotations

from dataclasses import replace

from svod.engine.core import Scope
from svod.engine.effects import Effects
from svod.engine.layout import BitPlace, Kind, StepCode
from svod.engine.lawfulness import AT_REST, Lawfulness
from svod.engine.prepare import initial_value
from svod.engine.text import block, both, each_bit, identifier, indented, union
from svod.engine.walk import children, effect_parts, free_variables, substitute
from svod.engine.world import renamed
from svod.norms import ir

WAVES_MAX = 64  # so many waves may fire
BEGINNING = 1 << 61  # a bit of no place: set at the start of a play, for edges that read nothing
IN_WAVE = Scope("S", "D", True)


class Settling:
    """Prints the functions that change a position."""

    def __init__(self, effects: Effects, acts: Lawfulness) -> None:
        self.e = effects
        self.p = effects.p
        self.world = effects.world
        self.acts = acts
        triggers = [c for c in self.world.norms.clauses if isinstance(c, ir.Trigger)]
        self.ranks = _ranks(triggers)
        self.triggers = sorted(triggers, key=lambda t: self.ranks[t.head.id])
        known = {t.rule for t in (c.head for c in triggers)}
        waited = sorted({r for t in triggers for r in t.after if r in known and r != t.head.rule})
        self.waited = {rule: i for i, rule in enumerate(waited)}
        self.shadowed = self._shadowed()
        self.reordered = self.triggers != triggers

    def functions(self) -> None:
        """Print everything about steps."""
        self._shadow()
        self._recall()
        for trigger in self.triggers:
            if not isinstance(trigger.cause, ir.OnEdge):
                self._on(trigger)
        self._wave("wave", "D")
        if any(map(self.remembers, self.triggers)):
            self._wave("first_wave", None)
        self._rest()
        self._settle()
        self._refresh()
        self._init()
        self._step()

    def add(self, name: str, lines: list[str]) -> None:
        """A function of the program."""
        self.p.text.used.add(name)
        self.p.text.functions.append(lines)

    # ------------------------------------------------------------------------------------------- the shadow

    def _shadowed(self) -> list[int]:
        """Slots that some trigger reads in the state before."""
        names: set[str] = set()
        for trigger in self.triggers:
            for e in (self.world.fires(trigger.head.id), *(x for f in trigger.effects for x in effect_parts(f))):
                names |= self._before(e, set())
        slots = [s for (n, _), s in self.p.layout.registers if "register:" + n in names]
        for place in self.p.layout.zones:
            if "zone:" + place.zone in names:
                slots.append(place.mask)
                if place.pile:
                    slots += range(place.cards, place.length + 1)
        return sorted(slots)

    def _before(self, e: ir.Expression, seen: set[str]) -> frozenset[str]:
        if isinstance(e, ir.Before):
            return self.world.reads(e.of)
        names: frozenset[str] = frozenset()
        if isinstance(e, ir.ReadTerm) and e.term not in seen:
            seen.add(e.term)
            names = names.union(*(self._before(x, seen) for x in self.world.term_expressions(e.term)))
        return names.union(*(self._before(c, seen) for c in children(e)))

    def _shadow(self) -> None:
        if self.shadowed:
            lines = [f"D[{s}] = S[{s}]" for s in self.shadowed]
            self.add("shadow", ["def shadow(S, D):", "    # the state as triggers remember it", *indented(lines), "    return 0"])

    def _copying(self, triggers: list[ir.Trigger]) -> list[str]:
        """Keep what these triggers will ask of the state before."""
        return ["shadow(S, D)"] if self.shadowed and any(map(self.remembers, triggers)) else []

    # --------------------------------------------------------------------------------------------- triggers

    def _gives_way(self, trigger: ir.Trigger) -> int:
        """Rules that this trigger waits for, as a mask."""
        mask = 0
        for rule in trigger.after:
            if rule in self.waited and rule != trigger.head.rule:
                mask |= 1 << self.waited[rule]
        return mask

    def _announce(self, trigger: ir.Trigger) -> list[str]:
        rule = trigger.head.rule
        return [f"D[ENABLED] |= {1 << self.waited[rule]}"] if rule in self.waited else []

    def _fire(self, trigger: ir.Trigger, before: str | None) -> list[str]:
        if not isinstance(trigger.cause, ir.OnEdge):
            return self.e.consequences(trigger, before)
        names = ", ".join(["S", "D", *(identifier(v.name) for v in trigger.head.variables)])
        return self._guarded(f"{self.e.trigger_function(trigger, before)}({names})")

    def remembers(self, trigger: ir.Trigger) -> bool:
        """Whether the trigger reads the state before."""
        return "before" in self.e.reads_of_firing(trigger) | self.world.effect_reads(trigger.effects)

    def _edge(self, trigger: ir.Trigger, before: str | None) -> str:
        """Name of the function of an edge trigger: it fires for every valuation for which the condition has become true."""
        key = ("edge", trigger.head.id, before if self.remembers(trigger) else None)
        return self.p.text.function(key, f"edge_{trigger.head.id}", lambda name: self._edge_body(name, trigger, before))

    def _edge_body(self, name: str, trigger: ir.Trigger, before: str | None) -> list[str]:
        head, place = trigger.head, dict(self.p.layout.edges)[trigger.head.id]
        due = self.p.events.get(f"due:{head.id}")
        scope = Scope("S", before, True).bind(*head.variables)
        condition = self.world.fires(head.id)
        waits = self._gives_way(trigger)
        outer, last = head.variables[:-1], head.variables[-1] if head.variables else None
        slot = self.slot(place, head.variables)
        if last is None:
            now = f"(1 if {self.p.true(condition, scope)} else 0)"
        else:
            now = self.p.full_mask(condition, last, scope)
        body = [f"_now = {now}", f"_new = _now & ~S[{slot}]", f"S[{slot}] = _now"]
        later: list[str] = []
        if due is not None and waits:
            owed = self.slot(due, head.variables)
            body += [f"_new |= S[{owed}] & _now", f"S[{owed}] = 0"]
            later = [f"if _new != 0 and D[ENABLED] & {waits} != 0:", f"    S[{owed}] = _new", "    D[ACTIVE] = 1"]
            later += [*indented(self._announce(trigger)), "    _new = 0"]
        fire = self._fire(trigger, before)
        firing = fire if last is None else each_bit("_new", identifier(last.name), fire, "n")
        body += [*later, *block("if _new != 0:", [*self._announce(trigger), *firing])]
        for variable in reversed(outer):
            count = self.world.count(variable.sort)
            body = block(f"for {identifier(variable.name)} in range({count}):", body)
        comment = f"    # {head.id}: as soon as its condition holds"
        return [f"def {name}(S, D):", comment, *indented([*body, "return 0"])]

    def slot(self, place: BitPlace, variables: tuple[ir.Variable, ...]) -> str:
        """Slot of the bits for the last variable, the others being locals."""
        weight, parts = 1, []
        for variable, size in zip(reversed(variables[:-1]), reversed(place.sizes[:-1]), strict=True):
            name = identifier(variable.name)
            parts.append(name if weight == 1 else f"{name} * {weight}")
            weight *= size
        return " + ".join([str(place.base), *reversed(parts)])

    def _on(self, trigger: ir.Trigger) -> None:
        """One instance of an act or event: the trigger fires if its guard is met, or remembers that it has to wait."""
        head = trigger.head
        parameters = self._cause_parameters(trigger)
        locals_ = [identifier(p.name) + "_c" for p in parameters]
        assert isinstance(trigger.cause, ir.OnAct | ir.OnEvent)
        values = {b: ir.Variable(f"{p.name}_c", p.sort) for b, p in zip(trigger.cause.bindings, parameters, strict=True) if b}
        scope = IN_WAVE.bind(*head.variables)
        scope = replace(scope, names={**scope.names, **{f"{p.name}_c": n for p, n in zip(parameters, locals_, strict=True)}})
        condition = substitute(self.world.fires(head.id), values)
        repeated = [
            ir.Compare(ir.Relation.EQUAL, values[b], ir.Variable(f"{p.name}_c", p.sort))
            for b, p in zip(trigger.cause.bindings, parameters, strict=True)
            if b and values[b].name != f"{p.name}_c"
        ]
        condition = ir.And((*repeated, condition)) if repeated else condition
        body = [f"{identifier(b)} = {scope.names[v.name]}" for b, v in values.items()]
        free = [v for v in head.variables if v.name not in values]
        arguments = ", ".join(["S", "D", *locals_, "a"])
        waits = self._gives_way(trigger)
        waiting = self._wait(trigger, locals_, waits)
        if waiting:
            fire = ["if _waits == 0:", *indented(self._fire(trigger, "D"))]
        else:
            fire = self._fire(trigger, "D")
        inner = [*self._announce(trigger), *fire]
        body += waiting
        if not free:
            body += block(f"if {self.p.true(condition, scope)}:", inner)
        else:
            *outer, last = free
            loop = self.p.each(last, condition, scope, inner)
            for variable in reversed(outer):
                loop = block(f"for {identifier(variable.name)} in range({self.world.count(variable.sort)}):", loop)
            body += loop
        name = self.p.text.fresh(f"on_{head.id}")
        self.p.text.names["on", head.id] = name
        self.p.text.functions.append([f"def {name}({arguments}):", f"    # {head.id}", *indented([*body, "return 0"])])

    def _cause_parameters(self, trigger: ir.Trigger) -> tuple[ir.Variable, ...]:
        match trigger.cause:
            case ir.OnAct(action=action):
                return self.world.actions[action].parameters
            case ir.OnEvent(event=event):
                return self.world.events[event].parameters
            case ir.OnEdge():
                return ()

    def _wait(self, trigger: ir.Trigger, locals_: list[str], waits: int) -> list[str]:
        if not waits:
            return []
        place = self.p.events[f"due:{trigger.head.id}"]
        if isinstance(trigger.cause, ir.OnAct):
            remember = f"S[{place.base}] = a + 1"
        else:
            names = self._cause_parameters(trigger)
            slot = self.slot(place, names).replace(identifier(names[0].name), locals_[0]) if names else str(place.base)
            remember = f"S[{slot}] |= 1 << {locals_[-1] if locals_ else '0'}"
        return [f"_waits = D[ENABLED] & {waits}", "if _waits != 0:", f"    {remember}", "    D[ACTIVE] = 1"]

    # ------------------------------------------------------------------------------------------------ waves

    def _guarded(self, call: str) -> list[str]:
        return [f"_code = {call}", "if _code != 0:", "    return _code"]

    def _wave(self, name: str, before: str | None) -> None:
        """Every wave after the first: events and edges. At the start of a play nothing was before."""
        lines = ["_d = D[DIRTY]", "D[DIRTY] = 0"]
        lines += ["recall(S, _d)"] if self.p.caches else []
        lines += ["D[ENABLED] = 0"] if self.waited else []
        for trigger in self.triggers:
            lines += self._in_wave(trigger, before)
        comment = "    # all triggers of a wave but those of acts"
        self.add(name, [f"def {name}(S, D):", comment, *indented([*lines, "return 0"])])

    def _in_wave(self, trigger: ir.Trigger, before: str | None) -> list[str]:
        name = trigger.head.id
        due = self.p.events.get(f"due:{name}")
        match trigger.cause:
            case ir.OnEdge():
                call = self._guarded(f"{self._edge(trigger, before)}(S, D)")
                reads = self.e.reads_of_firing(trigger)
                tests = "1" if "before" in reads else f"_d & {self.e.bits(reads) or BEGINNING} != 0"
                owed = [f"S[{due.base + i}] != 0" for i in range(due.slots)] if due and self._gives_way(trigger) else []
                return block(f"if {' or '.join([tests, *owed])}:", call) if tests != "1" else call
            case ir.OnEvent(event=event):
                return self._events(trigger, event, due)
            case ir.OnAct(action=action):
                if due is None or not self._gives_way(trigger):
                    return []
                parameters = self.world.actions[action].parameters
                if before is None:
                    return []
                call = self._guarded(self._on_call(trigger, [identifier(p.name) for p in parameters], "a"))
                decode = [f"a = S[{due.base}] - 1", f"S[{due.base}] = 0"]
                decode += self.acts.decoded(self.world.actions[action])
                return block(f"if S[{due.base}] != 0:", [*decode, *call])

    def _on_call(self, trigger: ir.Trigger, names: list[str], act: str) -> str:
        return f"{self.p.text.names['on', trigger.head.id]}({', '.join(['S', 'D', *names, act])})"

    def _events(self, trigger: ir.Trigger, event: str, due: BitPlace | None) -> list[str]:
        place = self.p.events[event]
        parameters = self._cause_parameters(trigger)
        names = [identifier(p.name) for p in parameters]
        slot = self.slot(self.p.events.get(f"fresh:{event}", place), parameters)
        owed = due is not None and bool(self._gives_way(trigger))
        pending = f"S[{slot}]"
        prelude: list[str] = []
        if owed and due is not None:
            due_slot = self.slot(due, parameters)
            prelude = [f"_p = S[{slot}] | S[{due_slot}]", f"S[{due_slot}] = 0"]
            pending = "_p"
        call = self._guarded(self._on_call(trigger, names, "-1"))
        if parameters:
            body = [*prelude, *each_bit(pending, names[-1], call, "e")]
        else:
            body = [*prelude, *block(f"if {pending} != 0:", call)]
        for variable in reversed(parameters[:-1]):
            body = block(f"for {identifier(variable.name)} in range({self.world.count(variable.sort)}):", body)
        return body

    def _turn(self) -> list[str]:
        """Events raised in the last wave become those of the next one."""
        lines: list[str] = []
        for event in self.world.norms.events:
            place = self.p.events[event.name]
            bit = self.e.bits(frozenset({"event:" + event.name}))
            fresh = self.p.events.get(f"fresh:{event.name}")
            owed = [self.p.events[f"due:{t.head.id}"] for t in self.triggers if self._owes(t, event.name)]
            for i in range(place.slots):
                now, later = place.base + i, place.base + place.slots + i
                happened = union([f"S[{later}]", *(f"S[{due.base + i}]" for due in owed)])
                move = [f"S[{now}] = {happened}"]
                move += [f"S[{fresh.base + i}] = S[{later}]"] if fresh else []
                move += [f"S[{later}] = 0", *([f"D[DIRTY] |= {bit}"] if bit else [])]
                lines += block(f"if S[{now}] | {happened} != 0:", move)
        return lines

    def _owes(self, trigger: ir.Trigger, event: str) -> bool:
        return isinstance(trigger.cause, ir.OnEvent) and trigger.cause.event == event and bool(trigger.after)

    def _settle(self) -> None:
        turn = self._turn()
        place = self.e.places["waves"]
        loop = [
            f"if _n > {WAVES_MAX}:",
            f"    return outcome(D, {int(StepCode.LIMIT)}, {place}, -1, -1)",
            *(["tidy(D)"] if self.reordered else []),
            *(self._copying([t for t in self.triggers if not _of_act(t) or t.after])),
            *self._guarded("apply(S, D)"),
            "D[WAVE_START] = D[LOG_COUNT]",
            "D[FIRED_WAVE] = D[FIRED_COUNT]",
            "D[ACTIVE] = 0",
            *turn,
            *self._guarded("wave(S, D)"),
            "_n += 1",
        ]
        lines = ["_n = 1", *block("while D[ACTIVE] != 0:", loop), "return rest(S, D)"]
        self.add("settle", ["def settle(S, D):", "    # waves until none is enabled", *indented(lines)])

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
        """Remembered terms are brought up to date after writes; `d` are the places written."""
        lines: list[str] = []
        for name in self.p.caches:
            bits = self.e.bits(self.world.term_reads(name))
            lines += block(f"if d & {bits} != 0:", self._remember(name))
        self.add("recall", ["def recall(S, d):", *indented([*lines, "return 0"])])

    def _rest(self) -> None:
        lines = self._forgetting()
        for term in self.world.norms.terms:
            if term.asked is not None and self.world.term_reads(term.name):
                lines += self._asked(term)
        self.add("rest", ["def rest(S, D):", "    # what is asked for once nothing fires", *indented([*lines, "return 0"])])

    def _forgetting(self) -> list[str]:
        """At rest nothing was before and no event happens: the edges that looked at that are read again, none fires."""
        events = [slot for e in self.world.norms.events for slot in self._slots_of(self.p.events[e.name])]
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
        return [*block(f"if {union(f'S[{s}]' for s in events)} != 0:", [*(f"S[{s}] = 0" for s in events), *after]), *always]

    def _slots_of(self, place: BitPlace) -> range:
        return range(place.base, place.base + place.slots)

    def _edge_bits(self, trigger: ir.Trigger) -> list[str]:
        head, place = trigger.head, dict(self.p.layout.edges)[trigger.head.id]
        scope = AT_REST.bind(*head.variables)
        condition = self.world.fires(head.id)
        slot = self.slot(place, head.variables)
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
            found = [f"if _v < HOLE and _v != {val.text}:", "    D[FIRST] = _f", f"    D[SECOND] = {number}", "    return 1"]
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

    def _transient(self, slot: int) -> bool:
        return slot < self.p.layout.size and self.p.layout.slots[slot].kind is Kind.EVENT

    # ------------------------------------------------------------------------------------------- init, step

    def _reset(self) -> list[str]:
        return ["D[FIRED_COUNT] = 0", "D[SOFT_COUNT] = 0", "D[LOG_COUNT] = 0", "D[WAVE_START] = 0", "D[FIRED_WAVE] = 0", "D[ACTIVE] = 0"]

    def _init(self) -> None:
        layout = self.p.layout
        switch = {slot for _, slot in layout.switches}
        lines = [f"S[{i}] = 0" for i in range(layout.size) if i not in switch]
        lines += self._fill()
        for register in self.world.norms.registers:
            lines += self._first_value(register)
        everything = 2 * BEGINNING - 1
        lines += [*self._reset(), f"D[DIRTY] = {everything}", "D[ENABLED] = 0"]
        wave = "first_wave" if any(map(self.remembers, self.triggers)) else "wave"
        lines += [*self._guarded(f"{wave}(S, D)"), "return settle(S, D)"]
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
            name = self.p.text.fresh(f"step_{action.name}")
            names = [identifier(p.name) for p in action.parameters]
            arguments = ", ".join(["S", "D", "a", *names])
            self.p.text.functions.append([f"def {name}({arguments}):", *indented(self._action_step(action))])
            ladder[action.name] = [*self.acts.decoded(action), f"return {name}({arguments})"]
        self.add("step", ["def step(S, a, D):", *indented(self.acts.per_action(ladder, str(int(StepCode.LIMIT))))])

    def _action_step(self, action: ir.Action) -> list[str]:
        """Body and first wave."""
        written = self.world.writes(action.body)
        lines = self._reset()
        first = [t for t in self.triggers if isinstance(t.cause, ir.OnEdge) or _of_act(t, action.name)]
        lines += self._copying(first)
        lines += self.e.body(action)
        lines.append("D[DIRTY] = 0")
        for name in self.p.caches:
            if self.world.term_reads(name) & written:
                lines += self._remember(name)
        lines += ["D[ENABLED] = 0"] if self.waited else []
        for trigger in self.triggers:
            match trigger.cause:
                case ir.OnAct(action=name) if name == action.name:
                    lines += self._guarded(self._on_call(trigger, [identifier(p.name) for p in action.parameters], "a"))
                case ir.OnEdge():
                    reads = self.e.reads_of_firing(trigger)
                    if reads & written or "before" in reads:
                        lines += self._guarded(f"{self._edge(trigger, 'D')}(S, D)")
                case _:
                    pass
        return [*lines, "return settle(S, D)"]


def _of_act(trigger: ir.Trigger, action: str | None = None) -> bool:
    """Whether the trigger answers an act (of this action)."""
    return isinstance(trigger.cause, ir.OnAct) and (action is None or trigger.cause.action == action)


def _ranks(triggers: list[ir.Trigger]) -> dict[str, int]:
    """Places in the order of a wave: text order, but what waits comes after what it waits for."""
    order: list[ir.Trigger] = []
    state: dict[str, int] = {}

    def visit(trigger: ir.Trigger) -> None:
        if trigger.head.id in state:
            return
        state[trigger.head.id] = 1
        for other in triggers:
            if other.head.rule in trigger.after and other.head.rule != trigger.head.rule:
                visit(other)
        order.append(trigger)

    for trigger in triggers:
        visit(trigger)
    return {t.head.id: i for i, t in enumerate(order)}
