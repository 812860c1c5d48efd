"""Effects of triggers and bodies of acts → functions of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from svod.engine.core import Scope, Val
from svod.engine.layout import FIRED_MAX, NONE, StepCode
from svod.engine.quantifiers import Printer
from svod.engine.runtime import KEEP_AUTHOR
from svod.engine.text import FALSE, TRUE, block, both, identifier, indented
from svod.engine.walk import flat_effects
from svod.norms import ir

PLACE_BITS = 60


class Effects:
    """Prints what changes the state. `clauses` and `places` number clauses and places, `triggers` the triggers."""

    def __init__(
        self, printer: Printer, clauses: dict[str, int], places: dict[str, int], triggers: dict[str, int]
    ) -> None:
        self.p = printer
        self.world = printer.world
        self.clauses = clauses
        self.places = places
        self.triggers = triggers
        self.remembered = frozenset[str]()  # registers that a trigger reads in the state before
        self.watched = {name: i % PLACE_BITS for i, name in enumerate(self._watched())}

        self.unrivalled = self._unrivalled()
        self.delayed: list[list[str]] | None = None  # inside a step: writes that wait for the end of its first wave

    def _watched(self) -> list[str]:
        """Places that an edge or a cached term reads; each has a bit in the masks of what was written."""
        found: dict[str, None] = {}
        for clause in self.world.norms.clauses:
            if isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnEdge):
                found.update(dict.fromkeys(sorted(self.reads_of_firing(clause))))
        for name in self.p.caches:
            found.update(dict.fromkeys(sorted(self.world.term_reads(name))))
        return [name for name in found if name.split(":")[0] in ("zone", "register", "event")]

    def reads_of_firing(self, trigger: ir.Trigger) -> frozenset[str]:
        """What the firing of a trigger depends on."""
        return self.world.reads(self.world.fires(trigger.head.id))

    def bits(self, names: frozenset[str]) -> int:
        """The places as a mask."""
        mask = 0
        for name in names:
            if name in self.watched:
                mask |= 1 << self.watched[name]
        return mask

    # ----------------------------------------------------------------------------------------------- triggers

    def consequences(self, trigger: ir.Trigger, before: str | None) -> list[str]:
        """Statements that log what one instance of a trigger writes; `before`: the array of the state before."""
        head = trigger.head
        before = before if "before" in self.world.effect_reads(trigger.effects) else None
        scope = Scope("S", before, True).bind(*head.variables)
        body = self._fired(trigger)
        dirty = self.bits(self.world.writes(trigger.effects))
        body += [f"D[DIRTY] |= {dirty}"] if dirty else []
        for effect in trigger.effects:
            body += self.effect(effect, trigger, scope)
        return body

    def _fired(self, trigger: ir.Trigger) -> list[str]:
        """Note that the trigger fires; written out where it can do so only once in its wave."""
        number = self.clauses[trigger.head.id]
        if self.delayed is None or len(self.triggers) >= FIRED_MAX or not _one_instance(trigger):
            return [f"fired(D, {number})"]
        return [f"D[FIRED + D[FIRED_COUNT]] = {number}", "D[FIRED_COUNT] += 1", "D[ACTIVE] = 1"]

    def _delay(self, slot: Val, val: Val, register: ir.Register, trigger: ir.Trigger) -> list[str]:
        """A write that no other can meet needs no log: the value is kept until the wave is over."""
        assert self.delayed is not None
        number = len(self.delayed)
        defined = both(*slot.conditions, *val.settled().conditions)
        keep = [f"_new{number} = {val.text}"]
        where = slot.text
        if not where.isdigit():
            keep.insert(0, f"_at{number} = {where}")
            where = f"_at{number}"
        self.delayed.append([f"if _new{number} < HOLE:", f"    S[{where}] = _new{number}"])
        return self._written(keep, register, trigger, defined)

    def trigger_function(self, trigger: ir.Trigger, before: str | None) -> str:
        """Name of the function that logs what one instance of a trigger writes."""
        head = trigger.head
        before = before if "before" in self.world.effect_reads(trigger.effects) else None

        def build(name: str) -> list[str]:
            parameters = ", ".join(["S", "D", *(identifier(v.name) for v in head.variables)])
            lines = [f"def {name}({parameters}):", f"    # what {head.id} brings about"]
            return [*lines, *indented([*self.consequences(trigger, before), "return 0"])]

        return self.p.text.function(("do", head.id, before), f"do_{head.id}", build)

    def effect(self, effect: ir.Effect, trigger: ir.Trigger, scope: Scope) -> list[str]:
        """Statements that log one effect."""
        match effect:
            case ir.Assign():
                return self._assign(effect, trigger, scope)
            case ir.Post():
                return self._post(effect, trigger, scope)
            case ir.MoveCard():
                return self._move_card(effect, trigger, scope)
            case ir.MoveAll():
                return self._move_all(effect, trigger, scope)
            case ir.Raise():
                return self._raise(effect, trigger, scope)
            case ir.ForEach():
                inner = scope.bind(effect.variable)
                body = [line for e in effect.effects for line in self.effect(e, trigger, inner)]
                return self.p.each(effect.variable, effect.where, scope, body)
            case ir.Restore():
                return self._restore(trigger)
            case _:
                assert_never(effect)

    def _restore(self, trigger: ir.Trigger) -> list[str]:
        """Ask for the frame; of several in one wave the first in text order is remembered, should it fail."""
        number = self.clauses[trigger.head.id] + 1
        names = [identifier(v.name) for v in trigger.head.variables][:6]
        note = [f"D[RESTORE] = {number}", f"D[RESTORE_COUNT] = {len(names)}"]
        note += [f"D[RESTORE_PLACE] = {self.places[trigger.head.id]}"]
        note += [f"D[RESTORE_ARGUMENTS + {i}] = {name}" for i, name in enumerate(names)]
        return block(f"if D[RESTORE] == 0 or D[RESTORE] > {number}:", note)

    def _undefined(self, conditions: Sequence[str], trigger: ir.Trigger) -> list[str]:
        """Leave with a hole unless the conditions hold."""
        condition = both(*conditions)
        if condition == TRUE:
            return []
        clause = self.clauses[trigger.head.id]
        place = self.places[trigger.head.id]
        names = [identifier(v.name) for v in trigger.head.variables]
        hole = [f"outcome(D, {int(StepCode.HOLE)}, {place}, {clause}, -1)", f"D[ARGUMENT_COUNT] = {len(names)}"]
        hole += [f"D[ARGUMENTS + {i}] = {name}" for i, name in enumerate(names[:6])]
        return block(f"if not ({condition}):", [*hole, f"return {int(StepCode.HOLE)}"])

    def _call(self, call: str) -> list[str]:
        return [f"_code = {call}", "if _code != 0:", "    return _code"]

    def _assign(self, effect: ir.Assign, trigger: ir.Trigger, scope: Scope) -> list[str]:
        register = self.world.registers[effect.register]
        slot = self.p.register_slot(effect.register, effect.arguments, scope)
        optional = self.p.optional_type(register.type)
        val = (self.p.value if optional else self.p.present)(effect.value, scope)
        place = self.places[effect.register]
        if optional and not val.optional and (val.low is None or val.low < 0):  # no number is taken for «нет»
            val = replace(val, text=f"({val.text} if {val.text} >= 0 else {NONE - 1})", low=NONE - 1)
        number = self.triggers[trigger.head.id]
        check = int(self._may_leave(val, register))
        if self.delayed is not None and register.name in self.unrivalled - self.remembered and not check:
            return self._delay(slot, val, register, trigger)
        text = val.text
        if val.sentinel:
            text = "_v"
            val = replace(val, sentinel=False)
        if register.name in self.unrivalled:
            write = self._call(f"entry(D, 1, {slot.text}, {text}, {number}, 0, 0, {check})")
        else:
            write = self._call(f"put(D, {slot.text}, {text}, {number}, {place}, {check})")
        if text == "_v":
            bind = block(f"if {both(*val.conditions)}:", [f"_v = {val.text}"])
            bind = bind if len(bind) == 1 else ["_v = HOLE", *bind]
            return [*bind, *self._written(write, register, trigger, both("_v < HOLE", *slot.conditions))]
        return self._written(write, register, trigger, both(*slot.conditions, *val.conditions))

    def _unrivalled(self) -> frozenset[str]:
        """Registers that one trigger instance at most writes in a step, so that no race can be about them.

        Such are those that only triggers of acts write, at most one for each action, once, and for one valuation.
        """
        writers: dict[str, list[ir.Trigger]] = {}
        for clause in self.world.norms.clauses:
            if isinstance(clause, ir.Trigger):
                for effect in flat_effects(clause.effects):
                    if isinstance(effect, ir.Assign | ir.Post):
                        writers.setdefault(effect.register, []).append(clause)
        return frozenset(name for name, found in writers.items() if _one_for_each_action(found))

    def _written(self, write: list[str], register: ir.Register, trigger: ir.Trigger, defined: str) -> list[str]:
        """The write if it is defined; else a hole, which for an output register only leaves a note."""
        if not register.output or defined == TRUE:
            return [*self._undefined((defined,), trigger), *write]
        note = [f"soft(D, {self.places[trigger.head.id]})"]
        return note if defined == FALSE else [f"if {defined}:", *indented(write), "else:", *indented(note)]

    def _may_leave(self, val: Val, register: ir.Register) -> bool:
        """Whether the value could lie outside the range of the register."""
        low, high = self.p.type_range(register.type)
        below = low is not None and (val.low is None or val.low < low)
        return below or (high is not None and (val.high is None or val.high > high))

    def _post(self, effect: ir.Post, trigger: ir.Trigger, scope: Scope) -> list[str]:
        register = self.world.registers[effect.register]
        slot = self.p.register_slot(effect.register, effect.arguments, scope)
        val = self.p.present(effect.amount, scope).settled()
        held = (f"{scope.array}[{slot.text}] >= 0",) if self.p.optional_type(register.type) else ()
        number, place = self.triggers[trigger.head.id], self.places[effect.register]
        write = self._call(f"add(D, {slot.text}, {val.text}, {number}, {place})")
        return self._written(write, register, trigger, both(*slot.conditions, *held, *val.conditions))

    def zone_number(self, zone: ir.ZoneRef, scope: Scope) -> Val:
        """Number of the zone instance in the zone tables."""
        if zone.owner is None:
            return Val(str(self.p.zone_numbers[zone.zone, None]))
        first = self.p.zone_numbers[zone.zone, 0]
        owner = self.p.present(zone.owner, scope).settled()
        if owner.text.isdigit():
            return Val(str(first + int(owner.text)), owner.conditions)
        return Val(f"{first} + {owner.text}", owner.conditions)

    def author(self, author: ir.Expression | None, target: ir.ZoneRef, scope: Scope) -> Val:
        """Number of the author as kept in a pile."""
        seats = len(self.world.seats.values)
        if author is None or not self.world.zones[target.zone].authors:
            return Val(str(seats))
        val = self.p.value(author, scope).settled()
        if val.low is not None and val.low < 0:
            return Val(f"({val.text} if {val.text} >= 0 else {seats})", val.conditions)
        return val

    def _move_card(self, effect: ir.MoveCard, trigger: ir.Trigger, scope: Scope) -> list[str]:
        lies = self.p.true(ir.InZone(effect.card, effect.source), scope)
        if self.p.absent(effect.source):
            return self._undefined(("0",), trigger)
        card = self.p.present(effect.card, scope).settled()
        source, target = self.zone_number(effect.source, scope), self.zone_number(effect.target, scope)
        author = self.author(effect.author, effect.target, scope)
        conditions = (lies, *source.conditions, *target.conditions, *author.conditions)
        number, place = self.triggers[trigger.head.id], self.places[effect.source.zone]
        arguments = f"1 << {card.text}, {source.text}, {target.text}, {number}, {author.text}"
        call = f"move(S, D, {arguments}, {int(effect.to_bottom)}, {place})"
        return [*self._undefined(conditions, trigger), *self._call(call)]

    def _move_all(self, effect: ir.MoveAll, trigger: ir.Trigger, scope: Scope) -> list[str]:
        owners = [z.owner for z in (effect.source, effect.target) if z.owner is not None]
        given = [c for o in owners for c in self.p.present(o, scope).settled().conditions]
        if self.p.absent(effect.source):
            return self._undefined(given, trigger)
        source, target = self.zone_number(effect.source, scope), self.zone_number(effect.target, scope)
        held = self.p.zone_mask(effect.source, scope)
        number, place = self.triggers[trigger.head.id], self.places[effect.source.zone]
        keep = self._kept(effect)
        call = f"move(S, D, {held.text}, {source.text}, {target.text}, {number}, {keep}, 0, {place})"
        return [*self._undefined(given, trigger), *block(f"if {held.text} != 0:", self._call(call))]

    def _kept(self, move: ir.MoveAll) -> int:
        """How authors go along with the cards."""
        zones = self.world.zones
        both_keep = zones[move.source.zone].authors and zones[move.target.zone].authors
        return KEEP_AUTHOR if both_keep else len(self.world.seats.values)

    def _raise(self, effect: ir.Raise, trigger: ir.Trigger, scope: Scope) -> list[str]:
        place = self.p.events[effect.event]
        vals = tuple(self.p.present(a, scope).settled() for a in effect.arguments)
        slot, bit = self.p.bit_position(place, vals)
        conditions = [c for v in vals for c in v.conditions]
        where, bind = _later(slot, place.slots), []
        if "(" in where:  # a place that is written through is worked out once, before
            where, bind = "_where", [f"_where = {where}"]
        return [*self._undefined(conditions, trigger), *bind, f"S[{where}] |= 1 << {bit}"]

    # --------------------------------------------------------------------------------------------------- body

    def body(self, action: ir.Action) -> list[str]:
        """Statements that do what an act itself does; every move is defined, for the act is possible."""
        scope = Scope("S", None, True).bind(*action.parameters)
        moves = [m for m in action.body if not self.p.absent(m.source)]
        if len(moves) == 1 and isinstance(moves[0], ir.MoveCard):
            return self._single(moves[0], scope)
        lines: list[str] = []
        for move in moves:
            source, target = self.zone_number(move.source, scope), self.zone_number(move.target, scope)
            if isinstance(move, ir.MoveCard):
                cards, author = (
                    f"1 << {self.p.value(move.card, scope).text}",
                    self.author(move.author, move.target, scope).text,
                )
                under = int(move.to_bottom)
            else:
                cards, author, under = self.p.zone_mask(move.source, scope).text, str(self._kept(move)), 0
            fields = f"{cards}, {target.text}, TRIGGERS, {source.text}, {author}, {under}"
            lines += self._call(f"entry(D, 3, {fields})")
        if lines:
            lines += [*self._call("apply(S, D)"), "D[LOG_COUNT] = 0"]
        return lines

    def _single(self, move: ir.MoveCard, scope: Scope) -> list[str]:
        """One card is moved: written out where it goes on top, or comes from or goes to a set."""
        lines: list[str] = [f"_card = {self.p.value(move.card, scope).text}"]
        target_pile, source_pile = self.world.zones[move.target.zone].pile, self.world.zones[move.source.zone].pile
        full = [f"return outcome(D, {int(StepCode.LIMIT)}, {self.places[move.target.zone]}, -1, -1)"]
        mask = self.p.zone_field(move.target, "mask", scope).text
        lines.append(f"_target = {mask}")
        if target_pile and move.to_bottom:
            number = self.zone_number(move.target, scope).text
            author = self.author(move.author, move.target, scope).text
            put = block(f"if lay(S, {number}, _card, {author}, 1) != 0:", full)
        elif target_pile:
            lines += [f"_first = {self.p.zone_field(move.target, 'cards', scope).text}"]
            lines += [f"_length = {self.p.zone_field(move.target, 'length', scope).text}"]
            put = [
                "_n = S[_length]",
                *block(f"if _n == {self._capacity(move.target)}:", full),
                "S[_first + _n] = _card",
            ]
            if self.world.zones[move.target.zone].authors:
                lines += [f"_authors = {self.p.zone_field(move.target, 'authors', scope).text}"]
                lines += [f"_author = {self.author(move.author, move.target, scope).text}"]
                put.append("S[_authors + _n] = _author")
            put += ["S[_length] = _n + 1", "S[_target] |= 1 << _card"]
        else:
            put = ["S[_target] |= 1 << _card"]
            if self._bounded(move.target):
                put += block(f"if S[_target].bit_count() > {self._capacity(move.target)}:", full)
        if source_pile:
            lines.append(f"take(S, D, {self.zone_number(move.source, scope).text}, 1 << _card, 0)")
        else:
            lines.append(f"S[{self.p.zone_field(move.source, 'mask', scope).text}] ^= 1 << _card")
        return [*lines, *put]

    def _capacity(self, zone: ir.ZoneRef) -> int:
        return self.p.zone_places[zone.zone, None if zone.owner is None else 0].capacity

    def _bounded(self, zone: ir.ZoneRef) -> bool:
        declared = self.world.zones[zone.zone]
        return declared.capacity < self.world.count(declared.card_sort)


def _one_for_each_action(triggers: list[ir.Trigger]) -> bool:
    actions = [t.cause.action for t in triggers if isinstance(t.cause, ir.OnAct)]
    if len(actions) < len(triggers) or len(set(actions)) < len(actions):
        return False
    return all(_one_instance(t) and not any(isinstance(e, ir.ForEach) for e in t.effects) for t in triggers)


def _one_instance(trigger: ir.Trigger) -> bool:
    """Whether the act binds all variables of the trigger."""
    bound = trigger.cause.bindings if isinstance(trigger.cause, ir.OnAct) else ()
    return {v.name for v in trigger.head.variables} <= set(bound)


def _later(slot: str, slots: int) -> str:
    """The slot for the next wave of an event's slot."""
    head, plus, rest = slot.partition(" + ")
    return f"{int(head) + slots}{plus}{rest}"


__all__ = ["Effects", "identifier"]
