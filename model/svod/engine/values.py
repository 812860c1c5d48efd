"""Values → text with its definedness: registers, terms, cards of zones, functions of sorts as look-ups."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from svod.engine.conditions import Conditions
from svod.engine.core import TABLE_MAX, Scope, Val
from svod.engine.layout import HOLE, NONE, BitPlace, ZonePlace
from svod.engine.static import sort_of
from svod.engine.text import FALSE, both, chosen
from svod.engine.world import FIRING
from svod.norms import ir


class Values(Conditions):
    """Prints values."""

    def value(self, e: ir.Expression, scope: Scope) -> Val:
        match e:
            case ir.Number(value=number):
                return Val(str(number), low=number, high=number)
            case ir.Value(index=index):
                return Val(str(index), low=index, high=index)
            case ir.Nothing():
                return Val("-1", low=-1, high=-1, optional=True)
            case ir.Variable(name=name, sort=sort):
                return Val(scope.names[name], low=0, high=self.world.count(sort) - 1)
            case ir.SeatCount():
                count = len(self.world.seats.values)
                return Val(str(count), low=count, high=count)
            case ir.Extreme(sort=sort, greatest=greatest):
                index = self.world.count(sort) - 1 if greatest else 0
                return Val(str(index), low=index, high=index)
            case ir.ReadRegister():
                return self._register(e, scope)
            case ir.ReadTerm():
                return self._term(e, scope)
            case ir.Component() | ir.StepValue():
                return self._of_one(e, scope)
            case ir.Compose(parts=parts):
                return self._compose(e, parts, scope)
            case ir.Distance():
                return self._distance(e, scope)
            case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove():
                return self._of_zone(e, scope)
            case ir.ZonesHolding(card=card):
                return self._zones_holding(card, scope)
            case ir.Arithmetic():
                return self._arithmetic(e, scope)
            case ir.Choose() if not self._condition(e):
                return self._choose(e, scope)
            case ir.Present(of=of):
                return self.present(of, scope)
            case ir.Before(of=of) if not self._condition(of):
                if scope.before is None:
                    return Val("0", ("0",), low=0, high=0)
                return self.value(of, replace(scope, array=scope.before, before=None))
            case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum():
                return self.quantified(e, scope)
            case _:
                return self._truth(e, scope)

    def _condition(self, e: ir.Expression) -> bool:
        """Whether the expression is a condition."""
        match e:
            case ir.Choose(then=then):
                return self._condition(then)
            case ir.Before(of=of):
                return self._condition(of)
            case ir.ReadRegister(register=name):
                return isinstance(self.world.registers[name].type, ir.Truth)
            case ir.ReadTerm(term=name):
                return name.startswith(FIRING) or isinstance(self.world.terms[name].type, ir.Truth)
            case (
                ir.Boolean()
                | ir.Not()
                | ir.And()
                | ir.Or()
                | ir.Compare()
                | ir.InZone()
                | ir.Exists()
                | ir.ForAll()
                | ir.Happened()
                | ir.Switch()
            ):
                return True
            case _:
                return False

    def _truth(self, e: ir.Expression, scope: Scope) -> Val:
        true = self.true(e, scope)
        conditions = () if self.total(e) else (self.either_way(e, scope),)
        return Val(chosen(true, "1", "0"), conditions, low=0, high=1)

    def either_way(self, e: ir.Expression, scope: Scope) -> str:
        """The condition under which a condition is defined."""
        return f"({self.true(e, scope)} or {self.false(e, scope)})"

    # --------------------------------------------------------------------------------------- registers, terms

    def _index(self, vals: tuple[Val, ...], sizes: tuple[int, ...], base: int) -> str:
        """Text of base + mixed radix of the values."""
        weight, constant, parts = 1, base, []
        for val, size in zip(reversed(vals), reversed(sizes), strict=True):
            if val.text.isdigit():
                constant += int(val.text) * weight
            else:
                parts.append(val.text if weight == 1 else f"{val.text} * {weight}")
            weight *= size
        head = [str(constant)] if constant or not parts else []
        return " + ".join([*head, *reversed(parts)])

    def _arguments(self, arguments: tuple[ir.Expression, ...], scope: Scope) -> tuple[Val, ...]:
        return tuple(self.present(a, scope).settled() for a in arguments)

    def register_slot(self, name: str, arguments: tuple[ir.Expression, ...], scope: Scope) -> Val:
        """Slot number of a register; it has one if the arguments are defined."""
        vals = self._arguments(arguments, scope)
        sizes = tuple(map(self.world.count, self.world.registers[name].index))
        base = self.registers[name, (0,) * len(sizes)]
        return Val(self._index(vals, sizes, base), tuple(c for v in vals for c in v.conditions))

    def type_range(self, kind: ir.Type) -> tuple[int | None, int | None]:
        """Least and greatest number that stands for a value of the type."""
        match kind:
            case ir.Truth():
                return 0, 1
            case ir.Whole(low=low, high=high, optional=optional):
                return (NONE if optional else low), high
            case ir.Member(sort=sort, optional=optional):
                return (NONE if optional else 0), self.world.count(sort) - 1

    def _register(self, e: ir.ReadRegister, scope: Scope) -> Val:
        low, high = self.type_range(self.world.registers[e.register].type)
        optional = self.optional_type(self.world.registers[e.register].type)
        if e.register in self.constants:
            known = self.constants[e.register]
            conditions = tuple(c for v in self._arguments(e.arguments, scope) for c in v.conditions)
            return Val(str(known), conditions, low=known, high=known, optional=optional and known < 0)
        slot = self.register_slot(e.register, e.arguments, scope)
        return Val(f"{scope.array}[{slot.text}]", slot.conditions, low=low, high=high, optional=optional)

    def _term(self, e: ir.ReadTerm, scope: Scope) -> Val:
        firing = e.term.startswith(FIRING)
        optional = not firing and self.optional_type(self.world.terms[e.term].type)
        low, high = (0, 1) if firing else self.type_range(self.world.terms[e.term].type)
        vals = self._arguments(e.arguments, scope)
        conditions = tuple(c for v in vals for c in v.conditions)
        if not self.world.term_reads(e.term) and (firing or self.world.terms[e.term].asked is None):
            table = self._static_term(e, vals, conditions)
            if table is not None:
                return replace(table, optional=optional)
        partial = not self.term_total(e.term)
        short = None if firing else self.inlined(e, scope)
        if short is not None:
            inner = self.value(short, scope)
            return replace(inner, low=low, high=high, optional=optional)
        if scope.cached and e.term in self.caches:
            slot = f"{scope.array}[{self.caches[e.term]}]"
            if vals:
                return Val(f"({slot} >> {vals[0].text} & 1)", conditions, False, 0, 1)
            return Val(slot, conditions, partial, low, high, optional)
        call = self.term_call(e.term, tuple(v.text for v in vals), scope)
        return Val(call, conditions, partial, low, high, optional)

    def _static_term(self, e: ir.ReadTerm, vals: tuple[Val, ...], conditions: tuple[str, ...]) -> Val | None:
        if e.term.startswith(FIRING):
            parameters = self.world.clauses[e.term.removeprefix(FIRING)].head.variables
        else:
            parameters = self.world.terms[e.term].parameters
        sizes = tuple(self.world.count(p.sort) for p in parameters)
        count = 1
        for size in sizes:
            count *= size
        if count > TABLE_MAX:
            return None
        entries: list[int] = []
        for values in product(*map(range, sizes)):
            env = {p.name: v for p, v in zip(parameters, values, strict=True)}
            entry = self.static.value(ir.ReadTerm(e.term, parameters), env)
            entries.append(HOLE if entry is None else entry)
        return self.table_value(e.term, entries, self._index(vals, sizes, 0), conditions)

    # ------------------------------------------------------------------------------------ functions of sorts

    def _of_one(self, e: ir.Component | ir.StepValue, scope: Scope) -> Val:
        of = self.present(e.of, scope).settled()
        sort = sort_of(self.world, e.of)
        argument = ir.Variable("$", sort)
        entries = []
        for index in range(self.world.count(sort)):
            entry = self.static.value(replace(e, of=argument), {"$": index})
            entries.append(HOLE if entry is None else entry)
        if of.text.isdigit():
            known = entries[int(of.text)]
            if known < HOLE:
                return Val(str(known), of.conditions, low=known, high=known)
        hint = f"{sort}_{self.world.sorts[sort].factors[e.factor]}" if isinstance(e, ir.Component) else f"{sort}_step"
        return self.table_value(hint, entries, of.text, of.conditions)

    def _compose(self, e: ir.Compose, parts: tuple[ir.Expression, ...], scope: Scope) -> Val:
        vals = self._arguments(parts, scope)
        sizes = tuple(map(self.world.count, self.world.sorts[e.sort].factors))
        known = {c: i for i, c in enumerate(self.world.sorts[e.sort].components)}
        entries = [known.get(values, HOLE) for values in product(*map(range, sizes))]
        conditions = tuple(c for v in vals for c in v.conditions)
        return self.table_value(e.sort, entries, self._index(vals, sizes, 0), conditions)

    def _distance(self, e: ir.Distance, scope: Scope) -> Val:
        a, b = self.present(e.origin, scope).settled(), self.present(e.target, scope).settled()
        count = len(self.world.seats.values)
        text = f"({b.text} + {count} - {a.text}) % {count}"
        return Val(f"({text})", (*a.conditions, *b.conditions), low=0, high=count - 1)

    def _arithmetic(self, e: ir.Arithmetic, scope: Scope) -> Val:
        a, b = self.present(e.left, scope).settled(), self.present(e.right, scope).settled()
        conditions = (*a.conditions, *b.conditions)
        signs = {ir.Operator.ADD: "+", ir.Operator.SUBTRACT: "-", ir.Operator.MULTIPLY: "*"}
        text = f"({a.text} {signs[e.operator]} {b.text})"
        if a.low is None or a.high is None or b.low is None or b.high is None:
            return Val(text, conditions)
        match e.operator:
            case ir.Operator.ADD:
                low, high = a.low + b.low, a.high + b.high
            case ir.Operator.SUBTRACT:
                low, high = a.low - b.high, a.high - b.low
            case ir.Operator.MULTIPLY:
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                low, high = min(corners), max(corners)
        if low == high:
            text = str(low) if low >= 0 else f"({low})"
        return Val(text, conditions, low=low, high=high)

    def _choose(self, e: ir.Choose, scope: Scope) -> Val:
        condition = self.true(e.condition, scope)
        a, b = self.value(e.then, scope), self.value(e.otherwise, scope)
        conditions: tuple[str, ...] = () if self.total(e.condition) else (self.either_way(e.condition, scope),)
        sentinel = (a.sentinel or b.sentinel) and not a.conditions and not b.conditions
        if not sentinel:
            a, b = a.settled(), b.settled()
        if a.conditions or b.conditions:
            conditions += (chosen(condition, both(*a.conditions), both(*b.conditions)),)
        low = None if a.low is None or b.low is None else min(a.low, b.low)
        high = None if a.high is None or b.high is None else max(a.high, b.high)
        return Val(chosen(condition, a.text, b.text), conditions, sentinel, low, high, a.optional or b.optional)

    # ----------------------------------------------------------------------------------------------- zones

    def zone_field(self, zone: ir.ZoneRef, field: str, scope: Scope) -> Val:
        if zone.owner is None:
            return Val(str(part_of_place(self.zone_places[zone.zone, None], field)))
        owner = self.present(zone.owner, scope).settled()
        if owner.text.isdigit():
            place = self.zone_places[zone.zone, int(owner.text)]
            return Val(str(part_of_place(place, field)), owner.conditions)
        first = part_of_place(self.zone_places[zone.zone, 0], field)
        count = len(self.world.seats.values)
        stride = part_of_place(self.zone_places[zone.zone, 1], field) - first if count > 1 else 1
        factor = owner.text if stride == 1 else f"{owner.text} * {stride}"
        return Val(f"{first} + {factor}", owner.conditions)

    def absent(self, zone: ir.ZoneRef) -> bool:
        return (zone.zone, None if zone.owner is None else 0) not in self.zone_places

    def _owner_conditions(self, zone: ir.ZoneRef, scope: Scope) -> tuple[str, ...]:
        return () if zone.owner is None else self.present(zone.owner, scope).settled().conditions

    def zone_mask(self, zone: ir.ZoneRef, scope: Scope) -> Val:
        if self.absent(zone):
            return Val("0", self._owner_conditions(zone, scope), low=0, high=0)
        slot = self.zone_field(zone, "mask", scope)
        return Val(f"{scope.array}[{slot.text}]", slot.conditions, low=0)

    def _of_zone(self, e: ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove, scope: Scope) -> Val:
        zone = e.zone
        if self.absent(zone):
            owned = self._owner_conditions(zone, scope)
            return Val("0", owned if isinstance(e, ir.Size) else (FALSE,), low=0, high=0)
        cards = self.world.count(self.world.zones[zone.zone].card_sort)
        if isinstance(e, ir.Size) and not self.world.zones[zone.zone].pile:
            mask = self.zone_mask(zone, scope)
            return Val(f"{mask.text}.bit_count()", mask.conditions, low=0, high=cards)
        length = self.zone_field(zone, "length", scope)
        held = f"{scope.array}[{length.text}]"
        if isinstance(e, ir.Size):
            return Val(held, length.conditions, low=0, high=self.world.zones[zone.zone].capacity)
        first = self.zone_field(zone, "cards", scope)
        filled = (*length.conditions, f"{held} > 0")
        if isinstance(e, ir.Bottom):
            return Val(f"{scope.array}[{first.text}]", filled, low=0, high=cards - 1)
        if isinstance(e, ir.Top):
            return Val(f"{scope.array}[{_shifted(first.text, -1)} + {held}]", filled, low=0, high=cards - 1)
        card = self.present(e.card, scope).settled()
        conditions = (*card.conditions, *first.conditions)
        if isinstance(e, ir.CardAbove):
            call = f"{self.card_above()}({scope.array}, {first.text}, {length.text}, {card.text})"
            return Val(call, conditions, True, 0, cards - 1)
        authors = self.zone_field(zone, "authors", scope)
        call = f"{self.author_of()}({scope.array}, {first.text}, {authors.text}, {length.text}, {card.text})"
        return Val(call, conditions, True, NONE, len(self.world.seats.values) - 1, True)

    def _zones_holding(self, card: ir.Expression, scope: Scope) -> Val:
        val = self.present(card, scope).settled()
        slots = [*(place.mask for place in self.layout.zones), *([self.layout.box] if self.layout.box >= 0 else [])]
        bits = [f"({scope.array}[{slot}] >> {val.text} & 1)" for slot in slots]
        text = f"({' + '.join(bits)})" if bits else "0"
        return Val(text, val.conditions, low=0, high=len(bits))

    def event_bit(self, e: ir.Happened, scope: Scope) -> Val:
        if e.event not in self.events:
            return Val("0", low=0, high=0)
        vals = self._arguments(e.arguments, scope)
        slot, bit = self.bit_position(self.events[e.event], vals)
        return Val(f"({scope.array}[{slot}] >> {bit} & 1)", tuple(c for v in vals for c in v.conditions), low=0, high=1)

    def bit_position(self, place: BitPlace, vals: tuple[Val, ...]) -> tuple[str, str]:
        """Slot and bit for these values."""
        if not vals:
            return str(place.base), "0"
        return self._index(vals[:-1], place.sizes[:-1], place.base), vals[-1].text

    # ------------------------------------------------------------------------------- functions on piles

    def author_of(self) -> str:
        """Name of the function that looks for a card in a pile and returns who laid it."""
        seats = len(self.world.seats.values)

        def build(name: str) -> list[str]:
            return [
                f"def {name}(S, cards, authors, length, card):",
                "    # who laid the card; −1 nobody, HOLE if it does not lie here",
                "    i = 0",
                "    while i < S[length]:",
                "        if S[cards + i] == card:",
                f"            return S[authors + i] if S[authors + i] < {seats} else -1",
                "        i += 1",
                "    return HOLE",
            ]

        return self.text.function("author_of", "author_of", build)

    def laid_by(self) -> str:
        """Name of the function that collects the cards of a pile that one author laid."""

        def build(name: str) -> list[str]:
            return [
                f"def {name}(S, cards, authors, length, author):",
                "    # cards of a pile laid by one author, as a mask",
                "    m = 0",
                "    i = 0",
                "    while i < S[length]:",
                "        if S[authors + i] == author:",
                "            m |= 1 << S[cards + i]",
                "        i += 1",
                "    return m",
            ]

        return self.text.function("laid_by", "laid_by", build)

    def card_above(self) -> str:
        """Name of the function that returns the card lying on another."""

        def build(name: str) -> list[str]:
            return [
                f"def {name}(S, cards, length, card):",
                "    # the card lying on this one; HOLE for the top card and for cards elsewhere",
                "    i = 1",
                "    while i < S[length]:",
                "        if S[cards + i - 1] == card:",
                "            return S[cards + i]",
                "        i += 1",
                "    return HOLE",
            ]

        return self.text.function("card_above", "card_above", build)


def part_of_place(place: ZonePlace, field: str) -> int:
    """A part of a zone's place by name."""
    match field:
        case "mask":
            return place.mask
        case "cards":
            return place.cards
        case "authors":
            return place.authors
        case "length":
            return place.length
        case _:
            raise KeyError(field)


def _shifted(text: str, by: int) -> str:
    """`base + rest` with another base."""
    head, plus, rest = text.partition(" + ")
    return f"{int(head) + by}{plus}{rest}"
