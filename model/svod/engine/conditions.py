"""Conditions → text of tests: «defined and true» and «defined and false», never anything that could fail."""

from __future__ import annotations

from dataclasses import replace

from svod.engine.core import Core, Scope, Val
from svod.engine.prepare import HOLDS
from svod.engine.static import sort_or_none
from svod.engine.text import FALSE, TRUE, both, either, negated
from svod.engine.walk import bound_variable, children, conjuncts, mentions, substitute
from svod.engine.world import FIRING
from svod.norms import ir

_SIGNS = {
    ir.Relation.EQUAL: "==",
    ir.Relation.UNEQUAL: "!=",
    ir.Relation.LESS: "<",
    ir.Relation.LESS_EQUAL: "<=",
    ir.Relation.GREATER: ">",
    ir.Relation.GREATER_EQUAL: ">=",
}
_ONE, _NAUGHT = "== 1", "== 0"
_OPPOSITE = {
    ir.Relation.EQUAL: ir.Relation.UNEQUAL,
    ir.Relation.UNEQUAL: ir.Relation.EQUAL,
    ir.Relation.LESS: ir.Relation.GREATER_EQUAL,
    ir.Relation.LESS_EQUAL: ir.Relation.GREATER,
    ir.Relation.GREATER: ir.Relation.LESS_EQUAL,
    ir.Relation.GREATER_EQUAL: ir.Relation.LESS,
}


INLINE_MAX = 9  # terms with at most so many reads and comparisons are printed in place


class Conditions(Core):
    """Prints conditions."""

    _total_terms: dict[str, bool]
    _inlining: set[str]

    def true(self, e: ir.Expression, scope: Scope) -> str:
        return self._test(e, scope, True)

    def false(self, e: ir.Expression, scope: Scope) -> str:
        if self.total(e) and not isinstance(e, ir.Not | ir.Compare):
            return negated(self.true(e, scope))
        return self._test(e, scope, False)

    def _test(self, e: ir.Expression, scope: Scope, want: bool) -> str:
        match e:
            case ir.Boolean(value=value):
                return TRUE if value is want else FALSE
            case ir.Not(of=of):
                return self.false(of, scope) if want else self.true(of, scope)
            case ir.And(parts=parts):
                return both(*(self.true(p, scope) for p in parts)) if want else self._shielded(parts, scope, False)
            case ir.Or(parts=parts):
                return self._shielded(parts, scope, True) if want else both(*(self.false(p, scope) for p in parts))
            case ir.Compare():
                return self._compare(e, scope, want)
            case ir.InZone():
                return self._in_zone(e, scope, want)
            case ir.Exists() | ir.ForAll():
                found = self._exists(e, scope) if isinstance(e, ir.Exists) else self._for_all(e, scope)
                return found if want else negated(found)
            case ir.Switch(name=name):
                return self._switch(name, want)
            case ir.Choose():
                then, otherwise = self._test(e.then, scope, want), self._test(e.otherwise, scope, want)
                return either(
                    both(self.true(e.condition, scope), then), both(self.false(e.condition, scope), otherwise)
                )
            case ir.Before(of=of):
                if scope.before is None:
                    return FALSE
                inner = replace(scope, array=scope.before, before=None)
                return self.true(of, inner) if want else self.false(of, inner)
            case ir.ReadTerm() if (short := self.inlined(e, scope)) is not None:
                return self._test(short, scope, want)
            case ir.Happened():
                bit = self.event_bit(e, scope)
                return both(*bit.conditions, f"{bit.text} {'!=' if want else '=='} 0")
            case _:
                val = self.value(e, scope)
                return both(*val.conditions, f"{val.text} {_ONE if want else _NAUGHT}")

    def _shielded(self, parts: tuple[ir.Expression, ...], scope: Scope, want: bool) -> str:
        """The first part with value `want`, all before it defined and otherwise."""
        alternatives: list[str] = []
        before: list[str] = []
        for part in parts:
            alternatives.append(both(*before, self._test_any(part, scope, want)))
            if not self.total(part):
                before.append(self._test_any(part, scope, not want))
        return either(*alternatives)

    def _test_any(self, e: ir.Expression, scope: Scope, want: bool) -> str:
        return self.true(e, scope) if want else self.false(e, scope)

    def _switch(self, name: str, want: bool) -> str:
        if self.world.switches is not None:
            return TRUE if (name in self.world.switches) is want else FALSE
        return f"S[{self.switch_slots[name]}] {'!=' if want else '=='} 0"

    def _compare(self, e: ir.Compare, scope: Scope, want: bool) -> str:
        relation = e.relation if want else _OPPOSITE[e.relation]
        if isinstance(e.left, ir.Size) or isinstance(e.right, ir.Size):
            short = self._emptiness(e, relation, scope)
            if short is not None:
                return short
        if e.relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL):
            left, right = self.present(e.left, scope).settled(), self.present(e.right, scope).settled()
        else:
            left, right = self._comparable(e, relation, scope)
        if left.text.isdigit() and right.text.isdigit():
            holds = HOLDS[relation](int(left.text), int(right.text))
            return both(*left.conditions, *right.conditions, TRUE if holds else FALSE)
        return both(*left.conditions, *right.conditions, f"{left.text} {_SIGNS[relation]} {right.text}")

    def _comparable(self, e: ir.Compare, relation: ir.Relation, scope: Scope) -> tuple[Val, Val]:
        """HOLE equals no value, so for equality one side may stay unchecked."""
        left, right = self.value(e.left, scope), self.value(e.right, scope)
        if relation is ir.Relation.EQUAL and not (left.sentinel and right.sentinel):
            return left, right
        return left.settled(), right.settled()

    def _emptiness(self, e: ir.Compare, relation: ir.Relation, scope: Scope) -> str | None:
        """`size = 0` and the like need no counting."""
        if isinstance(e.left, ir.Size) and isinstance(e.right, ir.Number):
            size, number, sign = e.left, e.right.value, relation
        elif isinstance(e.right, ir.Size) and isinstance(e.left, ir.Number):
            swap = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
            sign = ir.Relation({s.value: s for s in ir.Relation}[relation.value].value)
            flipped = swap.get(_SIGNS[sign], _SIGNS[sign])
            sign = next(r for r, text in _SIGNS.items() if text == flipped)
            size, number = e.right, e.left.value
        else:
            return None
        empty = (sign, number) in {
            (ir.Relation.EQUAL, 0),
            (ir.Relation.LESS_EQUAL, 0),
            (ir.Relation.LESS, 1),
        }
        full = (sign, number) in {
            (ir.Relation.UNEQUAL, 0),
            (ir.Relation.GREATER, 0),
            (ir.Relation.GREATER_EQUAL, 1),
        }
        if not (empty or full):
            return None
        held = self.zone_mask(size.zone, scope)
        return both(*held.conditions, f"{held.text} {'==' if empty else '!='} 0")

    def _in_zone(self, e: ir.InZone, scope: Scope, want: bool) -> str:
        held = self.zone_mask(e.zone, scope)
        card = self.present(e.card, scope).settled()
        sign = "!=" if want else "=="
        if card.text.isdigit():
            return both(*card.conditions, *held.conditions, f"{held.text} & {1 << int(card.text)} {sign} 0")
        return both(*card.conditions, *held.conditions, f"{held.text} >> {card.text} & 1 {sign} 0")

    def _exists(self, e: ir.Exists, scope: Scope) -> str:
        if not mentions(e.where, e.variable.name):
            return self.true(e.where, scope)
        if not self.liftable(e.variable.sort):
            return f"{self.quantified(e, scope).text} != 0"
        if self.asks_record(e.where):
            return f"({self.breach_open(scope)} and {self.quantified(e, scope).text} != 0)"
        mask = self.quick_mask(e.where, e.variable, scope)
        if mask is not None:
            return FALSE if mask == "0" else f"{mask} != 0"
        return f"{self.quantified(e, scope).text} != 0"

    def asks_record(self, e: ir.Expression) -> bool:
        """Whether a condition can be met only while some breach is open."""
        catalogue = self.world.norms.catalogue
        if catalogue is None or self.layout.frame is None:
            return False
        return any(isinstance(p, ir.ReadRegister) and p.register == catalogue.record for p in conjuncts(e))

    def breach_open(self, scope: Scope) -> str:
        """Quick test without which no breach is open."""
        assert self.layout.frame is not None
        return f"{scope.array}[{self.layout.frame.open}] != 0"

    def _for_all(self, e: ir.ForAll, scope: Scope) -> str:
        broken = ir.Exists(e.variable, ir.And((e.where, self.unmet(e.holds))))
        return negated(self._exists(broken, scope))

    def unmet(self, e: ir.Expression) -> ir.Expression:
        """That a condition is false or undefined, as a condition that is always defined."""
        if self.total(e):
            return ir.Not(e)
        return ir.Not(ir.Exists(ir.Variable("_", self.world.norms.seats), e))

    def met(self, e: ir.Expression) -> ir.Expression:
        """That a condition is defined and true, as a condition that is always defined."""
        return e if self.total(e) else ir.Exists(ir.Variable("_", self.world.norms.seats), e)

    def total(self, e: ir.Expression) -> bool:
        match e:
            case ir.Exists() | ir.ForAll() | ir.Count() | ir.Switch():
                return True
            case ir.Compare(relation=relation):
                ordered = relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL)
                return all(self.total(x) and not (ordered and self._optional(x)) for x in (e.left, e.right))
            case (
                ir.Present()
                | ir.Top()
                | ir.Bottom()
                | ir.Author()
                | ir.CardAbove()
                | ir.Only()
                | ir.Best()
                | ir.Sum()
                | ir.FirstClockwise()
                | ir.Before()
                | ir.Compose()
            ):
                return False
            case ir.StepValue(of=of, wrap=wrap):
                sort = sort_or_none(self.world, of)
                wraps = wrap or (sort is not None and (self.world.sorts[sort].ring or self.world.sorts[sort].seats))
                return wraps and self._given(of)
            case ir.ReadTerm(term=name, arguments=arguments):
                return all(map(self._given, arguments)) and self.term_total(name)
            case (
                ir.Arithmetic()
                | ir.ReadRegister()
                | ir.Happened()
                | ir.Component()
                | ir.Distance()
                | ir.Size()
                | ir.InZone()
            ):
                return all(map(self._given, children(e)))
            case ir.ZonesHolding():
                return self._given(e.card)
            case _:
                return all(map(self.total, children(e)))

    def _given(self, e: ir.Expression) -> bool:
        return self.total(e) and not self._optional(e)

    def _optional(self, e: ir.Expression) -> bool:
        match e:
            case ir.Nothing():
                return True
            case ir.ReadRegister(register=name):
                kind = self.world.registers[name].type
            case ir.ReadTerm(term=name) if not name.startswith(FIRING):
                kind = self.world.terms[name].type
            case ir.Author():
                return True
            case ir.Choose(then=then, otherwise=otherwise):
                return self._optional(then) or self._optional(otherwise)
            case ir.Before(of=of):
                return self._optional(of)
            case _:
                return False
        return self.optional_type(kind)

    def optional_type(self, kind: ir.Type) -> bool:
        """Whether «нет» is among the values of the type."""
        return isinstance(kind, ir.Member | ir.Whole) and kind.optional

    def term_total(self, name: str) -> bool:
        """Whether a term has a value for all arguments in all states, as far as is seen at a glance."""
        if name.startswith(FIRING):
            return True
        if name not in self._total_terms:
            self._total_terms[name] = False
            clauses = self.world.term_clauses.get(name, ())
            first = self.world.terms[name].combination is ir.Combination.FIRST
            always = [c for c in clauses if c.head.guard == ir.Boolean(True) and not c.head.exceptions]
            alone = bool(always) and (len(clauses) == 1 or (first and always[-1] is clauses[-1]))
            self._total_terms[name] = alone and all(self.total(c.value) for c in clauses)
        return self._total_terms[name]

    def inlined(self, e: ir.ReadTerm, scope: Scope) -> ir.Expression | None:
        """What a short term says of plain arguments, to be printed in its place; `None` if a call is better."""
        if not all(isinstance(a, ir.Variable | ir.Value) for a in e.arguments):
            return None
        if (scope.cached and e.term in self.caches) or e.term in self._inlining or self.world.meets_circle(e.term):
            return None
        if e.term.startswith(FIRING):
            head = self.world.clauses[e.term.removeprefix(FIRING)].head
            body, parameters = self.met(self.world.fires(head.id)), head.variables
        else:
            clauses = self.world.term_clauses.get(e.term, ())
            if len(clauses) != 1 or clauses[0].head.guard != ir.Boolean(True) or clauses[0].head.exceptions:
                return None
            body, parameters = clauses[0].value, clauses[0].head.variables
        body = substitute(body, {v.name: a for v, a in zip(parameters, e.arguments, strict=True) if v != a})
        self._inlining.add(e.term)
        short = self._length(body, scope) <= INLINE_MAX
        self._inlining.discard(e.term)
        return body if short else None

    def _length(self, e: ir.Expression, scope: Scope) -> int:
        """How long the text would be, terms inside inlined."""
        size = 0 if isinstance(e, ir.And | ir.Or | ir.Not | ir.Boolean | ir.Value | ir.Variable | ir.Number) else 1
        if isinstance(e, ir.ReadTerm):
            inner = self.inlined(e, scope)
            if inner is not None:
                return self._length(inner, scope)
        if bound_variable(e) is not None and not isinstance(e, ir.Exists):
            size += 2
        return size + sum(self._length(c, scope) for c in children(e))

    # Offered by other parts.

    def zone_mask(self, zone: ir.ZoneRef, scope: Scope) -> Val:
        """Cards of a zone as a mask."""
        raise NotImplementedError

    def event_bit(self, e: ir.Happened, scope: Scope) -> Val:
        """Whether the event is among those of this wave, as a number."""
        raise NotImplementedError

    def quick_mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope) -> str | None:
        """The mask of a whole condition, if that takes no loop."""
        raise NotImplementedError
