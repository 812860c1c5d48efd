"""Triggers → functions for each of them, for a wave, and for waves until none is enabled."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from svod.engine.breaches import Breaches
from svod.engine.caching import groups_of_terms, shadowed_slots
from svod.engine.core import Scope
from svod.engine.effects import Effects
from svod.engine.lawfulness import Lawfulness
from svod.engine.layout import BitPlace, StepCode
from svod.engine.text import TRUE, block, both, each_bit, either, identifier, indented, union
from svod.engine.walk import conjuncts, free_variables, substitute
from svod.norms import ir

QUICK_MAX = 24  # tests of at most so many characters are made before a function is called
PENDING_MAX = 16  # events waiting are looked at together if they take at most so many slots
WAVES_MAX = 64  # so many waves may fire
BEGINNING = 1 << 61  # a bit of no place: set at the start of a play, for edges that read nothing
IN_WAVE = Scope("S", "D", True)


class Settling:
    """Prints the functions that change a position."""

    def __init__(self, effects: Effects, acts: Lawfulness, breaches: Breaches) -> None:
        self.e = effects
        self.breaches = breaches
        self.p = effects.p
        self.world = effects.world
        self.acts = acts
        triggers = [c for c in self.world.norms.clauses if isinstance(c, ir.Trigger)]
        self.ranks = _ranks(triggers)
        self.triggers = sorted(triggers, key=lambda t: self.ranks[t.head.id])
        known = {t.rule for t in (c.head for c in triggers)}
        waited = sorted({r for t in triggers for r in t.after if r in known and r != t.head.rule})
        self.waited = {rule: i for i, rule in enumerate(waited)}
        self.groups = groups_of_terms(self.world, self.p.caches)
        self.shadowed, self.shadowed_terms = shadowed_slots(self.world, self.p.layout, self.triggers)
        slots = set(self.shadowed)
        self.e.remembered = frozenset(name for (name, _), slot in self.p.layout.registers if slot in slots)
        self.reordered = self.triggers != triggers
        self.later = [t for t in self.triggers if not of_act(t) or t.after]  # those that can fire after the first wave

    def functions(self) -> None:
        """Print everything about waves."""
        self._shadow()
        for trigger in self.triggers:
            if not isinstance(trigger.cause, ir.OnEdge):
                self._on(trigger)
        self._wave("wave", "D")
        if any(map(self.remembers, self.triggers)):
            self._wave("first_wave", None)
        self._settle()

    def add(self, name: str, lines: list[str]) -> None:
        """A function of the program."""
        self.p.text.used.add(name)
        self.p.text.functions.append(lines)

    # ------------------------------------------------------------------------------------------- the shadow

    def _shadow(self) -> None:
        if self.shadowed:
            lines = [f"D[{s}] = S[{s}]" for s in self.shadowed]
            self.add(
                "shadow",
                ["def shadow(S, D):", "    # the state as triggers remember it", *indented(lines), "    return 0"],
            )

    def copying(self, triggers: list[ir.Trigger], inline: int = 0) -> list[str]:
        """Keep what these triggers will ask of the state before; written out if these are at most `inline` slots."""
        if not self.shadowed or not any(map(self.remembers, triggers)):
            return []
        slots = shadowed_slots(self.world, self.p.layout, triggers)[0] if inline else self.shadowed
        return [f"D[{s}] = S[{s}]" for s in slots] if len(slots) <= inline else ["shadow(S, D)"]

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
        return guarded(f"{self.e.trigger_function(trigger, before)}({names})")

    def remembers(self, trigger: ir.Trigger) -> bool:
        """Whether the trigger reads the state before."""
        return "before" in self.e.reads_of_firing(trigger) | self.world.effect_reads(trigger.effects)

    def edge(self, trigger: ir.Trigger, before: str | None) -> str:
        """Name of the function of an edge trigger, which fires for every valuation that has come to meet the guard."""
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
        """A function for one instance of an act or event, where the statements cannot stand in the step itself."""
        parameters = self._cause_parameters(trigger)
        if isinstance(trigger.cause, ir.OnAct) and self.stands_in_step(trigger):
            return
        locals_ = [identifier(p.name) + "_c" for p in parameters]
        body = self.instance(trigger, locals_)
        name = self.p.text.fresh(f"on_{trigger.head.id}")
        self.p.text.names["on", trigger.head.id] = name
        arguments = ", ".join(["S", "D", *locals_, "a"])
        self.p.text.functions.append([f"def {name}({arguments}):", *indented([*body, "return 0"])])

    def stands_in_step(self, trigger: ir.Trigger) -> bool:
        """Whether the trigger of an act never waits and its variables do not get in the way of the act's own."""
        assert isinstance(trigger.cause, ir.OnAct)
        own = [identifier(p.name) for p in self._cause_parameters(trigger)]
        bound = dict(zip(own, trigger.cause.bindings, strict=True))
        names = {identifier(v.name) for v in trigger.head.variables}
        return not self._gives_way(trigger) and all(n not in own or identifier(bound[n] or "") == n for n in names)

    def instance(self, trigger: ir.Trigger, locals_: list[str]) -> list[str]:
        """What one act or event sets off: the trigger fires if its guard is met, or remembers that it has to wait."""
        head = trigger.head
        parameters = self._cause_parameters(trigger)
        assert isinstance(trigger.cause, ir.OnAct | ir.OnEvent)
        places = [ir.Variable(f"{p.name}_c", p.sort) for p in parameters]
        pairs = list(zip(trigger.cause.bindings, places, strict=True))
        values = {binding: place for binding, place in pairs if binding}
        names = {place.name: local for place, local in zip(places, locals_, strict=True)}
        scope = IN_WAVE.bind(*head.variables)
        scope = replace(scope, names={**scope.names, **names})
        condition: ir.Expression = substitute(self.world.fires(head.id), values)
        repeated = [ir.Compare(ir.Relation.EQUAL, values[b], v) for b, v in pairs if b and values[b] != v]
        condition = ir.And((*repeated, condition)) if repeated else condition
        body = [f"# {head.id}"]
        body += [f"{identifier(b)} = {names[v.name]}" for b, v in values.items() if identifier(b) != names[v.name]]
        free = [v for v in head.variables if v.name not in values]
        waiting = self._wait(trigger, locals_, self._gives_way(trigger))
        fire = self._fire(trigger, "D")
        inner = [*self._announce(trigger), *(["if _waits == 0:", *indented(fire)] if waiting else fire)]
        body += waiting
        if not free:
            return [*body, *block(f"if {self.p.true(condition, scope)}:", inner)]
        *outer, last = free
        loop = self.p.each(last, condition, scope, inner)
        for variable in reversed(outer):
            loop = block(f"for {identifier(variable.name)} in range({self.world.count(variable.sort)}):", loop)
        return [*body, *loop]

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

    def _wave(self, name: str, before: str | None) -> None:
        """Every wave after the first: events and edges. At the start of a play nothing was before."""
        lines = ["_d = D[DIRTY]", "D[DIRTY] = 0"]
        lines += ["recall(S, _d, D[STALE])", "D[STALE] = 0"] if self.p.caches else []
        lines += ["D[ENABLED] = 0"] if self.waited else []
        lines += self._nothing_to_do()
        for event, triggers in groupby(self.triggers, self._plain_event):
            body = [line for trigger in triggers for line in self._in_wave(trigger, before)]
            lines += body if event is None else block(f"if {self._some(event)} != 0:", body)
        comment = "    # all triggers of a wave but those of acts"
        self.add(name, [f"def {name}(S, D):", comment, *indented([*lines, "return 0"])])

    def _nothing_to_do(self) -> list[str]:
        """Most waves change nothing that an edge looks at and raise no event; one test says so."""
        edges = [t for t in self.triggers if isinstance(t.cause, ir.OnEdge)]
        reads = [self.e.reads_of_firing(t) for t in edges]
        pending = [s for p in self.p.events.values() for s in range(p.base, p.base + p.slots)]
        if any("before" in names for names in reads) or len(pending) > PENDING_MAX:
            return []
        watched = 0
        for names in reads:
            watched |= self.e.bits(names) or BEGINNING
        waiting = union([f"_d & {watched}", *(f"S[{slot}]" for slot in pending)])
        return [f"if {waiting} == 0:", "    return 0"]

    def _plain_event(self, trigger: ir.Trigger) -> str | None:
        """The event of a trigger that never waits."""
        return trigger.cause.event if isinstance(trigger.cause, ir.OnEvent) and not trigger.after else None

    def _some(self, event: str) -> str:
        place = self.p.events[event]
        return union(f"S[{slot}]" for slot in range(place.base, place.base + place.slots))

    def could_rise(self, trigger: ir.Trigger) -> str:
        """A quick condition without which an edge neither rises nor has to be noted down as fallen."""
        place = dict(self.p.layout.edges)[trigger.head.id]
        due = self.p.events.get(f"due:{trigger.head.id}")
        if place.slots != 1:
            return TRUE
        parts = [p for p in conjuncts(trigger.head.guard) if not free_variables(p) and not self.p.needs_before(p)]
        tests = [t for t in (self.p.true(p, IN_WAVE) for p in parts) if len(t) <= QUICK_MAX and "_" not in t]
        held = [f"S[{p.base}] != 0" for p in (place, due) if p is not None]
        return either(*held, both(*tests)) if tests else TRUE

    def _in_wave(self, trigger: ir.Trigger, before: str | None) -> list[str]:
        name = trigger.head.id
        due = self.p.events.get(f"due:{name}")
        match trigger.cause:
            case ir.OnEdge():
                call = guarded(f"{self.edge(trigger, before)}(S, D)")
                reads = self.e.reads_of_firing(trigger)
                tests = "1" if "before" in reads else f"_d & {self.e.bits(reads) or BEGINNING} != 0"
                owed = [f"S[{due.base + i}] != 0" for i in range(due.slots)] if due and self._gives_way(trigger) else []
                return block(f"if {both(either(tests, *owed), self.could_rise(trigger))}:", call)
            case ir.OnEvent(event=event):
                return self._events(trigger, event, due)
            case ir.OnAct(action=action):
                if due is None or not self._gives_way(trigger):
                    return []
                parameters = self.world.actions[action].parameters
                if before is None:
                    return []
                call = guarded(self.on_call(trigger, [identifier(p.name) for p in parameters], "a"))
                decode = [f"a = S[{due.base}] - 1", f"S[{due.base}] = 0"]
                decode += self.acts.decoded(self.world.actions[action])
                return block(f"if S[{due.base}] != 0:", [*decode, *call])

    def on_call(self, trigger: ir.Trigger, names: list[str], act: str) -> str:
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
        call = guarded(self.on_call(trigger, names, "-1"))
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
        shadow = self.copying(self.later)
        asked = self.breaches.asked()
        loop = [
            "if D[RACE] != 0:",
            f"    return {int(StepCode.RACE)}",
            f"if _n > {WAVES_MAX}:",
            f"    return outcome(D, {int(StepCode.LIMIT)}, {place}, -1, -1)",
            *(["tidy(D)"] if self.reordered else []),
            *shadow,
            *block("if D[LOG_COUNT] != D[WAVE_START]:", guarded("apply(S, D)")),
            *asked,
            "D[WAVE_START] = D[LOG_COUNT]",
            "D[FIRED_WAVE] = D[FIRED_COUNT]",
            "D[ACTIVE] = 0",
            *turn,
            *block("if _back != 0:", ["renew(S, D)"] if asked else []),
            *guarded("wave(S, D)"),
            "_n += 1",
        ]
        lines = ["_n = 1", *block("while D[ACTIVE] != 0:", loop), *self.breaches.at_rest(), "return rest(S, D)"]
        self.add("settle", ["def settle(S, D):", "    # waves until none is enabled", *indented(lines)])


def guarded(call: str) -> list[str]:
    """Statements that make a call and leave with its code unless it is 0."""
    return [f"_code = {call}", "if _code != 0:", "    return _code"]


def of_act(trigger: ir.Trigger, action: str | None = None) -> bool:
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
