"""What the norms say about acts → functions `lawful`, `contested`, `possible`, `status`, `over`, `group`, `actor`."""

from __future__ import annotations

from collections.abc import Iterable

from svod.engine.act_norms import ActionNorms, ActNorms
from svod.engine.core import Scope
from svod.engine.layout_from_norms import action_sizes
from svod.engine.prepare import never_true
from svod.engine.quantifiers import Printer
from svod.engine.text import TRUE, block, both, each_bit, either, identifier, indented, negated, union
from svod.engine.walk import conjunction, free_variables, mentions, substitute
from svod.engine.world import FIRING
from svod.norms import ir
from svod.norms.play_acts import is_talk
from svod.norms.trace import Status

AT_REST = Scope(cached=True)


class Lawfulness:
    """Prints the functions about acts."""

    def __init__(self, printer: Printer, offsets: dict[str, int], *, careless: bool) -> None:
        self.p = printer
        self.careless = careless
        self._listed: dict[tuple[str, str, bool], list[str]] = {}
        self.world = printer.world
        self.offsets = offsets
        collector = ActNorms(printer)
        self.norms = tuple(map(collector.of, self.world.norms.actions))
        self.status_of: dict[str, str] = {}  # action → the function that gives the status of its acts

    # ----------------------------------------------------------------------------------------- list of acts

    def functions(self) -> None:
        """Print everything about acts."""
        self._over()
        for kind in ("lawful", "contested", "possible"):
            self._listing(kind, kind)
        for entry, kind in (("played", "lawful"), ("doable", "possible")):
            if self.careless:
                self._listing(entry, kind)
            else:  # speech is kept out already
                self._entry(entry, [f"def {entry}(S, A):", f"    return {kind}(S, A)"])
        self._status()
        self._group()
        self._actor()

    def _over(self) -> None:
        lines = ["def over(S):"]
        ended: list[str] = []
        for clause in self.world.norms.clauses:
            if isinstance(clause, ir.Ending):
                condition: ir.Expression = self.world.firing(clause.head.id)
                for variable in clause.head.variables:
                    condition = ir.Exists(variable, condition)
                lines.append(f"    # {clause.head.id}")
                ended.append(self.p.true(condition, AT_REST))
                lines += indented(block(f"if {ended[-1]}:", ["return 1"]))
        self._ended = either(*ended) if len(ended) == 1 else "over(S) != 0"
        self.p.text.used.add("over")
        self.p.text.functions.append([*lines, "    return 0"])

    def table_functions(self) -> None:
        """Print what players at a table choose from besides: lawful speech that a right backs, apart from what is owed.
        `grounded`: a right that speaks of the record of breaches; `entitled`: another."""
        catalogue = self.world.norms.catalogue
        record = None if catalogue is None else f"register:{catalogue.record}"
        for name, wanted in (("grounded", True), ("entitled", False)):
            calls: list[str] = []
            for norms in self.norms:
                rights = [(c, e) for c, e in norms.rights if (record in self.world.reads(e)) is wanted]
                if is_talk(norms.action) and rights and not never_true(norms.possible):
                    sources = tuple(e for _, e in rights)
                    calls += indented(self._action_listing("lawful", norms, sources))
            lines = [f"def {name}(S, A):", f"    if {self._ended}:", "        return 0", "    n = 0"]
            self._entry(name, [*lines, *calls, "    return n"])

    def _entry(self, name: str, lines: list[str]) -> None:
        self.p.text.used.add(name)
        self.p.text.functions.append(lines)

    def _listing(self, entry: str, kind: str) -> None:
        """The entry point that lists acts of a kind; without idle speech if it is called otherwise than the kind."""
        calls: list[str] = []
        for norms in self.norms:
            talk = entry != kind and is_talk(norms.action)
            if talk and kind == "possible":
                continue
            sources = tuple(e for _, e in norms.duties) if talk else self._sources(kind, norms)
            silent = sources == () or never_true(norms.possible) or (kind == "contested" and not norms.prohibitions)
            if not silent:
                key = (kind, norms.action.name, talk)
                if key not in self._listed:
                    self._listed[key] = indented(self._action_listing(kind, norms, sources))
                calls += self._listed[key]
        lines = [f"def {entry}(S, A):"]
        if kind != "possible":
            lines += [f"    if {self._ended}:", "        return 0"]
        self._entry(entry, [*lines, "    n = 0", *calls, "    return n"])

    def _sources(self, kind: str, norms: ActionNorms) -> tuple[ir.Expression, ...] | None:
        """Conditions of which one must be met; `None` if none has to."""
        if kind == "possible" or (kind == "lawful" and norms.free):
            return None
        pairs = norms.rights if kind == "contested" else norms.rights + norms.permissions + norms.duties
        return tuple(e for _, e in pairs)

    def _action_listing(self, kind: str, norms: ActionNorms, sources: tuple[ir.Expression, ...] | None) -> list[str]:
        """Print the function that lists the acts of one kind; statements that call it if there may be any."""
        action = norms.action
        lifted = self._lifted(action)
        scope = AT_REST.bind(*action.parameters)
        outer = [p for i, p in enumerate(action.parameters) if i != lifted]
        body = self._innermost(kind, norms, sources, lifted, scope)
        for depth in range(len(outer) - 1, 0, -1):
            candidates = self._candidates(norms, sources, outer[: depth + 1], scope)
            body = each_bit(candidates, identifier(outer[depth].name), body, f"o{depth}")
        name = self.p.text.fresh(f"{kind}_{action.name}")
        sort = lifted is not None and lifted != len(action.parameters) - 1
        shown = f"    # {action.name}({', '.join(p.name for p in action.parameters)})"
        if outer:
            body = each_bit("tried", identifier(outer[0].name), body, "o0")
        lines = [f"def {name}(S, A, n{', tried' if outer else ''}):", shown]
        lines += [] if kind == "possible" else self._told(norms)
        lines += ["    _start = n"] if sort else []
        lines += [*indented(body), *(indented(_sorting()) if sort else []), "    return n"]
        self.p.text.functions.append(lines)
        if not outer:
            return [f"n = {name}(S, A, n)"]
        condition, candidates = self._gated(norms, sources, outer[0], scope)
        lines = [f"_m = {candidates}", *block("if _m != 0:", [f"n = {name}(S, A, n, _m)"])]
        return lines if condition is None else block(f"if {condition}:", lines)

    def _gated(
        self, norms: ActionNorms, sources: tuple[ir.Expression, ...] | None, first: ir.Variable, scope: Scope
    ) -> tuple[str | None, str]:
        """As `_candidates`, with what is possible for all or for nobody told apart: most kinds of act are not possible
        in most positions, and one comparison says so."""
        full = str(self.p.full(first.sort))
        allowed, feasible = self._worth_trying(norms, sources, [first], scope)
        marked = self._marked(norms, first)
        inner = feasible.removeprefix(f"({full} if ").removesuffix(" else 0)")
        if len(inner) == len(feasible) - len(f"({full} if  else 0)") and " else " not in inner:
            return both(inner, marked), allowed
        return None if marked == TRUE else marked, _meet(allowed, feasible, full)

    def _marked(self, norms: ActionNorms, first: ir.Variable) -> str:
        """That a truth register which the act asks for is on for somebody; it has a cell for each value of `first`."""
        tests: list[str] = []
        for part in self._necessary(norms.possible):
            if isinstance(part, ir.ReadRegister) and part.arguments == (first,) and self.p.total(part):
                slots = [slot for (name, _), slot in self.p.layout.registers if name == part.register]
                tests += [f"{union(f'S[{slot}]' for slot in slots)} != 0"] if slots else []
        return both(*tests)

    def _told(self, norms: ActionNorms) -> list[str]:
        """Comments: which clauses bear on the act."""
        kinds = (
            ("rights", norms.rights),
            ("permitted by", norms.permissions + norms.duties),
            ("forbidden by", norms.prohibitions),
            ("held up by", norms.blocks),
        )
        return [f"    # {word} {', '.join(dict.fromkeys(c for c, _ in pairs))}" for word, pairs in kinds if pairs]

    def _lifted(self, action: ir.Action) -> int | None:
        """The parameter handled as a mask: the largest one, if it is larger than the number of seats."""
        sizes = action_sizes(self.world, action)
        fitting = [
            i for i, p in enumerate(action.parameters) if self.p.liftable(p.sort) and p.sort != self.world.norms.seats
        ]
        return max(fitting, key=lambda i: (sizes[i], i), default=None)

    def _code(self, action: ir.Action) -> str:
        offset, sizes = self.offsets[action.name], action_sizes(self.world, action)
        weight, parts = 1, []
        for parameter, size in zip(reversed(action.parameters), reversed(sizes), strict=True):
            name = identifier(parameter.name)
            parts.append(name if weight == 1 else f"{name} * {weight}")
            weight *= size
        head = [str(offset)] if offset or not parts else []
        return " + ".join([*head, *reversed(parts)])

    def _candidates(
        self,
        norms: ActionNorms,
        sources: tuple[ir.Expression, ...] | None,
        known: list[ir.Variable],
        scope: Scope,
    ) -> str:
        """Values of the last known parameter worth trying, as a mask; too many do no harm."""
        allowed, feasible = self._worth_trying(norms, sources, known, scope)
        return _meet(allowed, feasible, str(self.p.full(known[-1].sort)))

    def _worth_trying(
        self,
        norms: ActionNorms,
        sources: tuple[ir.Expression, ...] | None,
        known: list[ir.Variable],
        scope: Scope,
    ) -> tuple[str, str]:
        """Two masks of values of the last known parameter: what some clause allows, and what is possible."""
        names = {v.name for v in known}
        full = str(self.p.full(known[-1].sort))
        if not self.p.liftable(known[-1].sort):
            raise ValueError(f"too many values of {known[-1].sort} for a parameter")

        def loose(e: ir.Expression) -> str:
            parts = [p for p in self._necessary(e) if {v.name for v in free_variables(p)} <= names]
            mask, _ = self.p.select(conjunction(tuple(parts)), known[-1], scope)
            return mask

        return full if sources is None else union(_widest(map(loose, sources))), loose(norms.possible)

    def _necessary(self, e: ir.Expression) -> list[ir.Expression]:
        """Conditions without which this one is not met, one by one: firings are opened, exceptions left out."""
        match e:
            case ir.And(parts=parts):
                return [n for part in parts for n in self._necessary(part)]
            case ir.Exists(variable=variable, where=where):
                return [n for n in self._necessary(where) if not mentions(n, variable.name)]
            case ir.ReadTerm(term=term, arguments=arguments) if term.startswith(FIRING):
                head = self.world.clauses[term.removeprefix(FIRING)].head
                values = {v.name: a for v, a in zip(head.variables, arguments, strict=True)}
                return self._necessary(substitute(head.guard, values))
            case _:
                return [e]

    def _innermost(
        self,
        kind: str,
        norms: ActionNorms,
        sources: tuple[ir.Expression, ...] | None,
        lifted: int | None,
        scope: Scope,
    ) -> list[str]:
        code = self._code(norms.action)
        found = [f"A[n] = {code}", "n += 1"]
        against = [] if kind == "possible" else list(norms.blocks)
        if kind == "lawful":
            against += norms.prohibitions
        if lifted is None:
            tests = [self.p.true(norms.possible, scope)]
            if sources is not None:
                tests.append(either(*(self.p.true(e, scope) for e in sources)))
            tests += [negated(self.p.true(e, scope)) for _, e in against]
            if kind == "contested":
                tests.append(either(*(self.p.true(e, scope) for _, e in norms.prohibitions)))
            return block(f"if {both(*tests)}:", found)
        variable = norms.action.parameters[lifted]
        lines = [f"_a = {self.p.full_mask(norms.possible, variable, scope)}"]
        stages: list[list[str]] = []
        if sources is not None:
            stages.append([f"_a &= {self.p.mask_of(sources, variable, scope)}"])
        if kind == "contested":
            stages.append([f"_a &= {self.p.mask_of([e for _, e in norms.prohibitions], variable, scope)}"])
        whole = [pair for pair in against if not mentions(pair[1], variable.name)]
        for clause_id, e in against:
            if mentions(e, variable.name):
                taken = f"_a &= ~{self.p.full_mask(e, variable, scope)}"
                if not any(taken in stage for stage in stages):  # two rules may forbid the same
                    stages.append([f"# but not {clause_id}", taken])
        inner = each_bit("_a", identifier(variable.name), found, "a")
        for stage in reversed(stages):
            inner = [*stage, *block("if _a != 0:", inner)]
        for clause_id, e in reversed(whole):
            inner = [f"# unless {clause_id}", *block(f"if {negated(self.p.true(e, scope))}:", inner)]
        return [*lines, *block("if _a != 0:", inner)]

    # --------------------------------------------------------------------------------------------- one act

    def decoded(self, action: ir.Action) -> list[str]:
        """Statements that give every parameter its local, from the code `a`."""
        weight = 1
        lines: list[str] = []
        sizes = action_sizes(self.world, action)
        offset = self.offsets[action.name]
        rest = f"(a - {offset})" if offset else "a"
        for index in range(len(sizes) - 1, -1, -1):
            name = identifier(action.parameters[index].name)
            quotient = rest if weight == 1 else f"{rest} // {weight}"
            lines.insert(0, f"{name} = {quotient}" if index == 0 else f"{name} = {quotient} % {sizes[index]}")
            weight *= sizes[index]
        return lines

    def per_action(self, make: dict[str, list[str]], otherwise: str) -> list[str]:
        """The statements for the action of the code `a`, found by halving."""
        return [*self._halved([a.name for a in self.world.norms.actions], make, otherwise), f"return {otherwise}"]

    def _halved(self, names: list[str], make: dict[str, list[str]], otherwise: str) -> list[str]:
        if len(names) == 1:
            return make.get(names[0], [f"return {otherwise}"])
        if not names:
            return []
        middle = len(names) // 2
        first = self._halved(names[:middle], make, otherwise)
        return [*block(f"if a < {self.offsets[names[middle]]}:", first), *self._halved(names[middle:], make, otherwise)]

    def _status(self) -> None:
        ladder: dict[str, list[str]] = {}
        for norms in self.norms:
            call = self.status_of[norms.action.name] = self._action_status(norms)
            names = ", ".join(["S", *(identifier(p.name) for p in norms.action.parameters)])
            ladder[norms.action.name] = [*self.decoded(norms.action), f"return {call}({names})"]
        self.p.text.used.add("status")
        body = self.per_action(ladder, str(int(Status.IMPOSSIBLE)))
        self.p.text.functions.append(["def status(S, a):", *indented(body)])

    def _action_status(self, norms: ActionNorms) -> str:
        scope = AT_REST.bind(*norms.action.parameters)

        def any_of(pairs: tuple[tuple[str, ir.Expression], ...]) -> str:
            return either(*(self.p.true(e, scope) for _, e in pairs))

        unlawful = f"return {int(Status.UNLAWFUL)}"
        body = [
            *block(f"if {negated(self.p.true(norms.possible, scope))}:", [f"return {int(Status.IMPOSSIBLE)}"]),
            *block(f"if {either('over(S) != 0', any_of(norms.blocks))}:", [unlawful]),
        ]
        forbidden = any_of(norms.prohibitions)
        contested = block(f"if {any_of(norms.rights)}:", [f"return {int(Status.CONTESTED)}"])
        body += block(f"if {forbidden}:", [*contested, unlawful])
        allowed = TRUE if norms.free else any_of(norms.rights + norms.permissions + norms.duties)
        body += block(f"if {allowed}:", [f"return {int(Status.LAWFUL)}"])
        if allowed != TRUE:
            body.append(unlawful)
        name = self.p.text.fresh(f"status_{norms.action.name}")
        parameters = ", ".join(["S", *(identifier(p.name) for p in norms.action.parameters)])
        self.p.text.functions.append([f"def {name}({parameters}):", *indented(body)])
        return name

    def _group(self) -> None:
        ladder: dict[str, list[str]] = {}
        for action in self.world.norms.actions:
            sizes = action_sizes(self.world, action)
            lines: list[str] = [] if not action.chance else self.decoded(action)
            for index in action.chance:
                lines.append(f"{identifier(action.parameters[index].name)} = 0")
            ladder[action.name] = [*lines, f"return {self._code(action)}"] if sizes and action.chance else ["return a"]
        self.p.text.used.add("group")
        self.p.text.functions.append(["def group(a):", *indented(self.per_action(ladder, "a"))])

    def _actor(self) -> None:
        ladder: dict[str, list[str]] = {}
        for action in self.world.norms.actions:
            if action.actor is not None:
                name = identifier(action.parameters[action.actor].name)
                ladder[action.name] = [*self.decoded(action), f"return {name}"]
        self.p.text.used.add("actor")
        self.p.text.functions.append(["def actor(S, a):", *indented(self.per_action(ladder, "-1"))])


def _sorting() -> list[str]:
    """Put the codes from `_start` to `n` in order (insertion)."""
    return [
        "_i = _start + 1",
        "while _i < n:",
        "    _c = A[_i]",
        "    _j = _i",
        "    while _j > _start and A[_j - 1] > _c:",
        "        A[_j] = A[_j - 1]",
        "        _j -= 1",
        "    A[_j] = _c",
        "    _i += 1",
    ]


def _meet(allowed: str, feasible: str, full: str) -> str:
    if feasible == full:
        return allowed
    return feasible if allowed == full else f"({allowed} & {feasible})"


def _widest(masks: Iterable[str]) -> list[str]:
    """Without those that are one of the others under a condition: they add nothing to it."""
    whole = list(dict.fromkeys(masks))
    return [m for m in whole if not any(m.startswith(f"({other} if ") and m.endswith(" else 0)") for other in whole)]
