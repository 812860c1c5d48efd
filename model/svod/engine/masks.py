"""Conditions → sets: all values of one variable that meet a condition, as one bit mask instead of a loop."""

from __future__ import annotations

from itertools import product

from svod.engine.core import TABLE_MAX, Scope, Val
from svod.engine.piles import seats_that_laid
from svod.engine.static import sort_or_none
from svod.engine.text import FALSE, TRUE, block, both, chosen, each_bit, identifier, intersection, negated, union
from svod.engine.values import Values
from svod.engine.walk import children, conjuncts, free_variables, map_children, mentions, substitute
from svod.norms import ir


class Masks(Values):
    """Prints masks."""

    _relations: dict[tuple[ir.Expression, ir.Variable, tuple[range, ...], bool], list[int]]

    def mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope, want: bool = True) -> str | None:
        if not self.liftable(variable.sort):
            return None
        if not mentions(e, variable.name):
            condition = self.true(e, scope) if want else self.false(e, scope)
            return chosen(condition, str(self.full(variable.sort)), "0")
        static = self._tabulated(e, variable, scope, want)
        if static is not None:
            return static
        match e:
            case ir.Not(of=of):
                return self.mask(of, variable, scope, not want)
            case ir.And(parts=parts):
                return self._all(parts, variable, scope) if want else self._shielded_mask(parts, variable, scope, False)
            case ir.Or(parts=parts):
                if want:
                    return self._shielded_mask(parts, variable, scope, True)
                return self._all(tuple(map(ir.Not, parts)), variable, scope)
            case ir.InZone(card=ir.Variable(name=name)) if name == variable.name:
                return self._cards_of(e.zone, variable, scope, want)
            case ir.Compare(relation=ir.Relation.EQUAL) if want:
                return self._laid_by(e, variable, scope)
            case ir.Choose() if not mentions(e.condition, variable.name):
                return self._chosen_mask(e, variable, scope, want)
            case ir.Exists(variable=inner, where=where):
                return self._some(inner, where, variable, scope, want)
            case ir.ForAll(variable=inner):
                broken = ir.And((e.where, self.unmet(e.holds)))
                return self._some(inner, broken, variable, scope, not want)
            case ir.ReadTerm():
                return self._term_mask(e, variable, scope, want)
            case _:
                return None

    def quick_mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope) -> str | None:
        mask, rest = self.select(e, variable, scope)
        return None if rest else mask

    def full_mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope) -> str:
        mask = self.quick_mask(e, variable, scope)
        if mask is not None:
            return mask

        def build(inner: Scope) -> list[str]:
            loop = self.each(variable, e, inner, [f"_r |= 1 << {identifier(variable.name)}"])
            return ["_r = 0", *loop, "return _r"]

        return self.helper("where", closed(e, variable), scope, "where", build)

    def each(self, variable: ir.Variable, where: ir.Expression, scope: Scope, body: list[str]) -> list[str]:
        """Statements that run the body for every value with `where`, ascending; the variable is a local of the body."""
        name = identifier(variable.name)
        bound = scope.bind(variable)
        if self.liftable(variable.sort):
            mask, rest = self.select(where, variable, bound)
            tests = both(*(self.true(r, bound) for r in rest))
            return each_bit(mask, name, block(f"if {tests}:", body), name)
        count = self.world.count(variable.sort)
        return block(f"for {name} in range({count}):", block(f"if {self.true(where, bound)}:", body))

    def select(self, e: ir.Expression, variable: ir.Variable, scope: Scope) -> tuple[str, tuple[ir.Expression, ...]]:
        """Candidates as a mask, and what remains to be tested for each of them."""
        masks, rest, guards = [str(self.full(variable.sort))], [], []
        for part in self._parts(e):
            if not mentions(part, variable.name):
                guards.append(self.true(part, scope))
                continue
            mask = self.mask(part, variable, scope)
            if mask is None:
                rest.append(part)
            else:
                masks.append(mask)
        return self._guarded(masks, guards), tuple(rest)

    def _parts(self, e: ir.Expression) -> tuple[ir.Expression, ...]:
        """Conditions that have to be met all; a quantifier over a variable that does not occur is none."""
        found: list[ir.Expression] = []
        for part in conjuncts(e):
            if isinstance(part, ir.Exists) and not mentions(part.where, part.variable.name):
                found.extend(self._parts(part.where))
            else:
                found.append(part)
        return tuple(found)

    def _guarded(self, masks: list[str], guards: list[str]) -> str:
        full, *kept = masks
        kept = [m for m in kept if m != full]
        return chosen(both(*guards), intersection(kept or [full]), "0")

    def _all(self, parts: tuple[ir.Expression, ...], variable: ir.Variable, scope: Scope) -> str | None:
        masks, guards = [str(self.full(variable.sort))], []
        for part in parts:
            if not mentions(part, variable.name):
                guards.append(self.true(part, scope))
                continue
            mask = self.mask(part, variable, scope)
            if mask is None:
                return None
            masks.append(mask)
        return self._guarded(masks, guards)

    def _shielded_mask(
        self, parts: tuple[ir.Expression, ...], variable: ir.Variable, scope: Scope, want: bool
    ) -> str | None:
        alternatives: list[str] = []
        before: list[str] = []
        for part in parts:
            mask = self.mask(part, variable, scope, want)
            if mask is None:
                return None
            alternatives.append(intersection([*before, mask]))
            if not self.total(part):
                other = self.mask(part, variable, scope, not want)
                if other is None:
                    return None
                before.append(other)
        return union(alternatives)

    def _cards_of(self, zone: ir.ZoneRef, variable: ir.Variable, scope: Scope, want: bool) -> str | None:
        if zone.owner is not None and mentions(zone.owner, variable.name):
            return None
        held = self.zone_mask(zone, scope)
        text = held.text if want else f"({held.text} ^ {self.full(variable.sort)})"
        return chosen(both(*held.conditions), text, "0")

    def _laid_by(self, e: ir.Compare, variable: ir.Variable, scope: Scope) -> str | None:
        """`author(card, zone) = e` for every card of the pile at once."""
        author, other = (e.left, e.right) if isinstance(e.left, ir.Author) else (e.right, e.left)
        if not isinstance(author, ir.Author) or author.card != variable or mentions(other, variable.name):
            return None
        zone = author.zone
        if self.absent(zone):
            return "0"
        if zone.owner is not None and mentions(zone.owner, variable.name):
            return None
        val = self.value(other, scope).settled()
        if val.low is not None and val.low < 0:
            seats = len(self.world.seats.values)
            who = chosen(f"{val.text} >= 0", val.text, str(seats))
        else:
            who = val.text
        fields = [self.zone_field(zone, f, scope) for f in ("cards", "authors", "length")]
        conditions = both(*val.conditions, *(c for f in fields for c in f.conditions))
        call = f"{self.laid_by()}({scope.array}, {', '.join(f.text for f in fields)}, {who})"
        return chosen(conditions, call, "0")

    def _chosen_mask(self, e: ir.Choose, variable: ir.Variable, scope: Scope, want: bool) -> str | None:
        then = self.mask(e.then, variable, scope, want)
        otherwise = self.mask(e.otherwise, variable, scope, want)
        if then is None or otherwise is None:
            return None
        if self.total(e.condition):
            return chosen(self.true(e.condition, scope), then, otherwise)
        no = chosen(self.false(e.condition, scope), otherwise, "0")
        return chosen(self.true(e.condition, scope), then, no)

    # ------------------------------------------------------------------------------------------ quantifiers

    def _some(
        self, inner: ir.Variable, where: ir.Expression, variable: ir.Variable, scope: Scope, want: bool
    ) -> str | None:
        """The union over the inner variable of what the condition admits."""
        if inner.name == variable.name or not self.liftable(inner.sort):
            return None
        if not mentions(where, inner.name):
            mask = self.mask(where, variable, scope)
            return mask if want or mask is None else f"({mask} ^ {self.full(variable.sort)})"
        laid = seats_that_laid(self, inner, where, variable, scope)
        if laid is not None:
            return laid if want else f"({laid} ^ {self.full(variable.sort)})"
        own = tuple(p for p in conjuncts(where) if not mentions(p, variable.name))
        rest = tuple(p for p in conjuncts(where) if mentions(p, variable.name))
        trial = scope.bind(inner)
        if self._all(rest, variable, trial) is None:
            return None
        target = ir.Exists(inner, where)

        def build(scope: Scope) -> list[str]:
            bound = scope.bind(inner)
            candidates = self.full_mask(ir.And(own), inner, bound) if own else str(self.full(inner.sort))
            mask = self._all(rest, variable, bound)
            loop = each_bit(candidates, identifier(inner.name), [f"_r |= {mask}"], "s")
            return ["_r = 0", *loop, "return _r"]

        call = self.helper(f"some {variable.name}", closed(target, variable), scope, "some", build)
        call = chosen(self.breach_open(scope), call, "0") if self.asks_record(where) else call
        return call if want else f"({call} ^ {self.full(variable.sort)})"

    # ------------------------------------------------------------------------------------------------ terms

    def _term_mask(self, e: ir.ReadTerm, variable: ir.Variable, scope: Scope, want: bool) -> str | None:
        """A condition that is a term: the masks of its clauses put together."""
        short = self.inlined(e, scope)
        if short is not None:
            inlined = self.mask(short, variable, scope, want)
            if inlined is not None:
                return inlined
        if scope.cached and e.term in self.caches and e.arguments == (variable,):
            held = f"{scope.array}[{self.caches[e.term]}]"
            return held if want else f"({held} ^ {self.full(variable.sort)})"
        if self.world.meets_circle(e.term):
            return None
        places = [i for i, a in enumerate(e.arguments) if mentions(a, variable.name)]
        if len(places) != 1 or e.arguments[places[0]] != variable:
            return None
        at = places[0]
        vals = self._arguments(e.arguments[:at], scope) + self._arguments(e.arguments[at + 1 :], scope)
        call = self.term_mask_call(e.term, at, tuple(v.text for v in vals), scope, want)
        return chosen(both(*(c for v in vals for c in v.conditions)), call, "0")

    def term_mask_call(self, name: str, at: int, arguments: tuple[str, ...], scope: Scope, want: bool) -> str:
        """A call of the function that gives the arguments at place `at` for which a term is true (or false)."""
        raise NotImplementedError

    # ------------------------------------------------------------------------------------- static relations

    def _tabulated(self, e: ir.Expression, variable: ir.Variable, scope: Scope, want: bool) -> str | None:
        """A relation between the variable and a few values of the moment that is worked out in advance."""
        if not isinstance(e, ir.Compare | ir.ReadTerm) and self.world.reads(e):
            return None
        leaves: list[tuple[ir.Variable, Val]] = []
        pattern = self._pattern(e, variable, scope, leaves)
        if pattern is None or self.world.reads(pattern):
            return None
        ranges: list[range] = []
        count = self.world.count(variable.sort) if isinstance(e, ir.And | ir.Or | ir.Not | ir.Exists | ir.ForAll) else 1
        for _, val in leaves:
            if val.low is None or val.high is None:
                return None
            if val.low > val.high or FALSE in val.conditions:
                return "0"  # it never has a value
            ranges.append(range(val.low, val.high + 1))
            count *= len(ranges[-1])
        if count > TABLE_MAX:
            return None
        entries = self._entries(pattern, variable, leaves, tuple(ranges), want)
        if len(set(entries)) == 1:
            conditions = both(*(c for _, v in leaves for c in v.conditions))
            return chosen(conditions if entries[0] else TRUE, str(entries[0]), "0")
        name = self.text.table(e.term if isinstance(e, ir.ReadTerm) else f"{variable.sort}_mask", entries)
        if any("(" in c for _, v in leaves for c in v.conditions):
            return self._looked_up(e, variable, scope, want, name, ranges)
        index = self._leaf_index([v for _, v in leaves], ranges)
        return chosen(both(*(c for _, v in leaves for c in v.conditions)), f"{name}[{index}]", "0")

    def _looked_up(
        self, e: ir.Expression, variable: ir.Variable, scope: Scope, want: bool, table: str, ranges: list[range]
    ) -> str:
        """The look-up in a function of its own, so that calls are made once."""

        def build(inner: Scope) -> list[str]:
            leaves: list[tuple[ir.Variable, Val]] = []
            self._pattern(e, variable, inner, leaves, settle=False)
            lines: list[str] = []
            for number, (_, val) in enumerate(leaves):
                if val.conditions:
                    lines += block(f"if {negated(both(*val.conditions))}:", ["return 0"])
                lines.append(f"_l{number} = {val.text}")
                if val.sentinel:
                    lines += [f"if _l{number} >= HOLE:", "    return 0"]
            index = self._leaf_index([Val(f"_l{number}") for number in range(len(leaves))], ranges)
            return [*lines, f"return {table}[{index}]"]

        return self.helper(f"look up {want}", closed(e, variable), scope, "related", build)

    def _leaf_index(self, leaves: list[Val], ranges: list[range]) -> str:
        weight, constant, parts = 1, 0, []
        for val, span in zip(reversed(leaves), reversed(ranges), strict=True):
            constant -= span.start * weight
            if val.text.lstrip("-").isdigit():
                constant += int(val.text) * weight
            else:
                parts.append(val.text if weight == 1 else f"{val.text} * {weight}")
            weight *= len(span)
        sign = [] if not constant and parts else [str(constant)]
        return " + ".join([*reversed(parts), *sign])

    def _entries(
        self,
        pattern: ir.Expression,
        variable: ir.Variable,
        leaves: list[tuple[ir.Variable, Val]],
        ranges: tuple[range, ...],
        want: bool,
    ) -> list[int]:
        """The table of a relation, worked out once."""
        key = (pattern, variable, ranges, want)
        if key not in self._relations:
            found = [self._static_mask(pattern, variable, leaves, values, want) for values in product(*ranges)]
            self._relations[key] = found
        return self._relations[key]

    def _static_mask(
        self,
        pattern: ir.Expression,
        variable: ir.Variable,
        leaves: list[tuple[ir.Variable, Val]],
        values: tuple[int, ...],
        want: bool,
    ) -> int:
        env = {leaf.name: v for (leaf, _), v in zip(leaves, values, strict=True)}
        mask = 0
        for index in range(self.world.count(variable.sort)):
            if self.static.value(pattern, {**env, variable.name: index}) == int(want):
                mask |= 1 << index
        return mask

    def _pattern(
        self,
        e: ir.Expression,
        variable: ir.Variable,
        scope: Scope,
        leaves: list[tuple[ir.Variable, Val]],
        settle: bool = True,
    ) -> ir.Expression | None:
        """The relation with placeholders for what does not depend on the variable; `None` if the state is mixed in."""
        if e == variable:
            return e
        if not mentions(e, variable.name):
            if not children(e) and not isinstance(e, ir.Variable | ir.ReadRegister | ir.ReadTerm | ir.Size):
                return e
            return self._leaf(e, scope, leaves, settle) if self._plain(e) else None
        match e:
            case ir.Compare() | ir.Arithmetic() | ir.Component() | ir.StepValue() | ir.Compose() | ir.Distance():
                pass
            case ir.Present():
                pass
            case ir.ReadTerm(term=name) if not self.world.term_reads(name):
                pass
            case _ if not self.world.reads(e):
                return self._leaves_for_variables(e, variable, scope, leaves)
            case _:
                return None
        failed: list[ir.Expression] = []

        def inner(child: ir.Expression) -> ir.Expression:
            pattern = self._pattern(child, variable, scope, leaves, settle)
            if pattern is None:
                failed.append(child)
                return child
            return pattern

        result = map_children(e, inner)
        return None if failed else result

    def _plain(self, e: ir.Expression) -> bool:
        """Whether «нет» needs no care: a member of a sort, or a number that is always there."""
        return sort_or_none(self.world, e) is not None or not self._optional(e)

    def _leaf(
        self, e: ir.Expression, scope: Scope, leaves: list[tuple[ir.Variable, Val]], settle: bool
    ) -> ir.Expression:
        val = self.value(e, scope).settled() if settle else self.value(e, scope)
        placeholder = ir.Variable(f"${len(leaves)}", sort_or_none(self.world, e) or "")
        leaves.append((placeholder, val))
        return placeholder

    def _leaves_for_variables(
        self, e: ir.Expression, variable: ir.Variable, scope: Scope, leaves: list[tuple[ir.Variable, Val]]
    ) -> ir.Expression:
        others = [v for v in free_variables(e) if v.name != variable.name]
        return substitute(e, {v.name: self._leaf(v, scope, leaves, True) for v in others})


def closed(e: ir.Expression, variable: ir.Variable) -> ir.Expression:
    """The condition with the variable bound, so that it is no parameter of a helper."""
    return ir.Count(variable, e)
