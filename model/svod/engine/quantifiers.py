"""Quantifiers, and terms with their clauses → functions of the program; together the whole printer of expressions."""

from __future__ import annotations

from collections.abc import Sequence

from svod.engine.core import MASK_MAX, Scope, Val
from svod.engine.layout import Layout
from svod.engine.masks import Masks
from svod.engine.static import Static
from svod.engine.text import FALSE, TRUE, block, both, identifier, indented, negated, union
from svod.engine.world import FIRING, World, renamed
from svod.norms import ir


class Quantifiers(Masks):
    """Prints quantifiers that are values."""

    def quantified(self, e: ir.Expression, scope: Scope) -> Val:
        match e:
            case ir.Exists(variable=variable):
                return Val(self.helper("exists", e, scope, "exists", lambda s: self._exists_body(e, s)), low=0, high=1)
            case ir.Count(variable=variable, where=where):
                high = self.world.count(variable.sort)
                mask = self.quick_mask(where, variable, scope.bind(variable)) if self.liftable(variable.sort) else None
                if mask is not None:
                    return Val(f"{_grouped(mask)}.bit_count()", low=0, high=high)
                return Val(self.helper("count", e, scope, "count", lambda s: self._count_body(e, s)), low=0, high=high)
            case ir.Only(variable=variable):
                call = self.helper("only", e, scope, "only", lambda s: self._only_body(e, s))
                return Val(call, (), True, 0, self.world.count(variable.sort) - 1)
            case ir.Best(variable=variable):
                call = self.helper("best", e, scope, "best", lambda s: self._best_body(e, s))
                return Val(call, (), True, 0, self.world.count(variable.sort) - 1)
            case ir.Sum():
                return Val(self.helper("sum", e, scope, "total", lambda s: self._sum_body(e, s)), (), True)
            case ir.FirstClockwise(start=start, variable=variable):
                origin = self.present(start, scope).settled()
                helper = self._first_clockwise(e, origin, scope)
                return Val(helper, origin.conditions, True, 0, self.world.count(variable.sort) - 1)
            case _:
                raise TypeError(f"no quantifier: {type(e).__name__}")

    def _exists_body(self, e: ir.Exists, scope: Scope) -> list[str]:
        return [*self.each(e.variable, e.where, scope, ["return 1"]), "return 0"]

    def _count_body(self, e: ir.Count, scope: Scope) -> list[str]:
        return ["_n = 0", *self.each(e.variable, e.where, scope, ["_n += 1"]), "return _n"]

    def _only_body(self, e: ir.Only, scope: Scope) -> list[str]:
        name = identifier(e.variable.name)
        found = [*block("if _r < HOLE:", ["return HOLE"]), f"_r = {name}"]
        return ["_r = HOLE", *self.each(e.variable, e.where, scope, found), "return _r"]

    def _best_body(self, e: ir.Best, scope: Scope) -> list[str]:
        name = identifier(e.variable.name)
        key = self.value(e.key, scope.bind(e.variable)).settled()
        body = [
            *(block(f"if not ({both(*key.conditions)}):", ["return HOLE"]) if key.conditions else []),
            f"_k = {key.text}",
            f"if _any == 0 or _k {'>' if e.largest else '<'} _best:",
            "    _best = _k",
            f"    _r = {name}",
            "elif _k == _best:",
            "    _r = HOLE",
            "_any = 1",
        ]
        return ["_r = HOLE", "_best = 0", "_any = 0", *self.each(e.variable, e.where, scope, body), "return _r"]

    def _sum_body(self, e: ir.Sum, scope: Scope) -> list[str]:
        of = self.value(e.of, scope.bind(e.variable)).settled()
        body = block(f"if not ({both(*of.conditions)}):", ["return HOLE"]) if of.conditions else []
        return ["_n = 0", *self.each(e.variable, e.where, scope, [*body, f"_n += {of.text}"]), "return _n"]

    def _first_clockwise(self, e: ir.FirstClockwise, origin: Val, scope: Scope) -> str:
        """Bits of the candidates, turned so that the seat to try first is bit 0."""
        seats = len(self.world.seats.values)
        mask = self.full_mask(e.where, e.variable, scope.bind(e.variable))

        def build(name: str) -> list[str]:
            return [
                f"def {name}(seats, start):",
                "    # first of these seats clockwise from `start`, which is tried first; HOLE if there are none",
                f"    turned = (seats >> start | seats << {seats} - start) & {(1 << seats) - 1}",
                "    if turned == 0:",
                "        return HOLE",
                f"    return (T67[(turned & -turned) % 67] + start) % {seats}",
            ]

        function = self.text.function("first_clockwise", "first_clockwise", build)
        first = origin.text if e.inclusive else f"({origin.text} + 1) % {seats}"
        return f"{function}({mask}, {first})"


class Printer(Quantifiers):
    """Prints any expression; terms and firings become functions on demand."""

    def __init__(self, world: World, static: Static, layout: Layout) -> None:
        super().__init__(world, static, layout)
        self._total_terms: dict[str, bool] = {}
        self._inlining: set[str] = set()
        self._relations: dict[tuple[ir.Expression, ir.Variable, tuple[range, ...], bool], list[int]] = {}

    def _term_key(self, name: str, scope: Scope) -> tuple[bool, bool]:
        before = scope.before is not None and "before" in self.world.term_reads(name)
        cached = scope.cached and any(self.reads_cache(e) for e in self.world.term_expressions(name))
        return before, cached

    def term_call(self, name: str, arguments: tuple[str, ...], scope: Scope) -> str:
        function, arrays = self.term_function(name, scope)
        busy = [scope.busy or "0"] if self._watched(name, scope) else []
        return f"{function}({', '.join([*arrays, *arguments, *busy])})"

    def _watched(self, name: str, scope: Scope) -> bool:
        """Whether the function is told which circular terms are under way."""
        return self.world.circular(name) or (scope.busy is not None and self.world.meets_circle(name))

    def term_function(self, name: str, scope: Scope) -> tuple[str, list[str]]:
        """Name of the function for a term (or firing), and the arrays to call it with."""
        before, cached = self._term_key(name, scope)
        busy = self._watched(name, scope)
        inner = Scope("S", "B" if before else None, cached, busy="_busy" if busy else None)
        key = ("term", name, before, cached, busy)
        arrays = [scope.array, *([scope.before] if before and scope.before else [])]
        if name.startswith(FIRING):
            clause_id = name.removeprefix(FIRING)
            return self.text.function(key, f"fires_{clause_id}", lambda n: self._firing(n, clause_id, inner)), arrays
        return self.text.function(key, f"t_{name}", lambda n: self._term_body(n, name, inner)), arrays

    def _head(self, function: str, scope: Scope, variables: Sequence[ir.Variable], comment: str) -> list[str]:
        arrays = [scope.array, *([scope.before] if scope.before else [])]
        busy = [scope.busy] if scope.busy else []
        parameters = ", ".join([*arrays, *(scope.names[v.name] for v in variables), *busy])
        return [f"def {function}({parameters}):", f"    # {comment}"]

    def _firing(self, function: str, clause_id: str, scope: Scope) -> list[str]:
        head = self.world.clauses[clause_id].head
        scope = scope.bind(*head.variables)
        lines = self._head(function, scope, head.variables, f"{clause_id} fires")
        condition = self.true(self.world.fires(clause_id), scope)
        return [*lines, *("    " + x for x in [*block(f"if {condition}:", ["return 1"]), "return 0"])]

    def _term_body(self, function: str, name: str, scope: Scope) -> list[str]:
        term = self.world.terms[name]
        scope = scope.bind(*term.parameters)
        lines = self._head(function, scope, term.parameters, name)
        clauses = self.world.term_clauses.get(name, ())
        first = term.combination is ir.Combination.FIRST or len(clauses) == 1
        body = self._under_way(term) if self.world.circular(name) else []
        body += [] if first else ["_v = HOLE", "_hole = 0"]
        for clause in clauses:
            parts = renamed(self.world.fires(clause.head.id), clause.head.variables, term.parameters)
            condition = self.true(parts, scope)
            value = self.value(renamed(clause.value, clause.head.variables, term.parameters), scope)
            body.append(f"# {clause.head.id}")
            body += block(f"if {condition}:", self._found(value, first))
            if first and condition == TRUE:
                break
        else:
            body.append("return HOLE" if first else "return HOLE if _hole != 0 else _v")
        return [*lines, *("    " + x for x in body)]

    def _under_way(self, term: ir.Term) -> list[str]:
        """A term that is asked for while it is being worked out has no value there."""
        sizes = tuple(self.world.count(p.sort) for p in term.parameters)
        circle = [t for t in self.world.terms.values() if self.world.circular(t.name)]
        first = 0
        for other in circle[: circle.index(term)]:
            first += _product(tuple(self.world.count(p.sort) for p in other.parameters))
        if first + _product(sizes) > MASK_MAX:
            raise ValueError(f"too many values of terms that ask for themselves: {term.name}")
        vals = tuple(Val(identifier(p.name)) for p in term.parameters)
        bit = f"_bit = 1 << {self._index(vals, sizes, first)}"
        return [bit, *block("if _busy & _bit != 0:", ["return HOLE"]), "_busy |= _bit"]

    def _found(self, value: Val, first: bool) -> list[str]:
        if first and value.sentinel:
            missing = block(f"if {negated(both(*value.conditions))}:", ["return HOLE"])
            return [*missing, f"_v = {value.text}", "return _v if _v < HOLE else HOLE"]
        sentinel = value.sentinel
        defined = both(*value.conditions)
        if first:
            return [*(block(f"if {negated(defined)}:", ["return HOLE"])), f"return {value.text}"]
        found = ["if _v < HOLE and _v != _w:", "    return CLASH", "_v = _w"]
        if sentinel:
            found = ["if _w < HOLE:", *indented(found), "else:", "    _hole = 1"]
        found = [f"_w = {value.text}", *found]
        if defined == TRUE:
            return found
        return ["_hole = 1"] if defined == FALSE else [*block(f"if {defined}:", found), "else:", "    _hole = 1"]

    def term_mask_call(self, name: str, at: int, arguments: tuple[str, ...], scope: Scope, want: bool) -> str:
        before, cached = self._term_key(name, scope)
        inner = Scope("S", "B" if before else None, cached)
        arrays = [scope.array, *([scope.before] if before and scope.before else [])]
        if name.startswith(FIRING) and not want:
            positive = self.term_mask_call(name, at, arguments, scope, True)
            variable = self.world.clauses[name.removeprefix(FIRING)].head.variables[at]
            return f"({positive} ^ {self.full(variable.sort)})"
        key = ("mask", name, at, want, before, cached)
        hint = f"{'all' if want else 'all_not'}_{name.removeprefix(FIRING)}"
        function = self.text.function(key, hint, lambda n: self._mask_function(n, name, at, inner, want))
        return f"{function}({', '.join([*arrays, *arguments])})"

    def _mask_function(self, function: str, name: str, at: int, scope: Scope, want: bool) -> list[str]:
        if name.startswith(FIRING):
            parameters: tuple[ir.Variable, ...] = self.world.clauses[name.removeprefix(FIRING)].head.variables
        else:
            parameters = self.world.terms[name].parameters
        variable = parameters[at]
        others = parameters[:at] + parameters[at + 1 :]
        scope = scope.bind(*others)
        comment = f"values of {variable.name} for which {name.removeprefix(FIRING)} is {'true' if want else 'false'}"
        lines = self._head(function, scope, others, comment)
        if name.startswith(FIRING):
            mask = self.full_mask(self.world.fires(name.removeprefix(FIRING)), variable, scope)
            return [*lines, f"    return {mask}"]
        return [*lines, *("    " + x for x in self._mask_of_clauses(name, variable, scope, want))]

    def _mask_of_clauses(self, name: str, variable: ir.Variable, scope: Scope, want: bool) -> list[str]:
        """Yes and no are what firing clauses say; a value that meets its opposite, or an undefined one, is neither."""
        term = self.world.terms[name]
        clauses = self.world.term_clauses.get(name, ())
        if len(clauses) == 1:
            whole = renamed(self.world.fires(clauses[0].head.id), clauses[0].head.variables, term.parameters)
            value = renamed(clauses[0].value, clauses[0].head.variables, term.parameters)
            parts = (self.met(whole), value if want else ir.Not(value))
            return [f"# {clauses[0].head.id}", f"return {self.full_mask(ir.And(parts), variable, scope)}"]
        first = term.combination is ir.Combination.FIRST
        body = ["_yes = 0", "_no = 0", "_bad = 0"]
        for clause in self.world.term_clauses.get(name, ()):
            fires = renamed(self.world.fires(clause.head.id), clause.head.variables, term.parameters)
            value = renamed(clause.value, clause.head.variables, term.parameters)
            body += [f"# {clause.head.id}", f"_f = {self.full_mask(fires, variable, scope)}"]
            if first:
                body.append("_f &= ~(_yes | _no | _bad)")
            if value == ir.Boolean(True) or value == ir.Boolean(False):
                body.append(f"{'_yes' if value == ir.Boolean(True) else '_no'} |= _f")
                continue
            body += [
                f"_t = _f & {self.full_mask(value, variable, scope)}",
                f"_u = _f & {self.full_mask(ir.Not(value), variable, scope)}",
                "_yes |= _t",
                "_no |= _u",
                "_bad |= _f & ~(_t | _u)",
            ]
        wanted, other = ("_yes", "_no") if want else ("_no", "_yes")
        return [*body, f"return {wanted} & ~({other} | _bad)" if not first else f"return {wanted}"]

    def mask_of(self, parts: Sequence[ir.Expression], variable: ir.Variable, scope: Scope) -> str:
        """Values that meet one of these conditions."""
        return union(self.full_mask(p, variable, scope) for p in parts)


def _product(sizes: tuple[int, ...]) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def _grouped(mask: str) -> str:
    simple = mask.startswith("(") or mask.endswith("]") or mask.endswith(")")
    return mask if simple and " " not in mask.split("(")[0] else f"({mask})"
