"""Why an act has its status, and which invariants fail → functions `why` and `invariants`."""

from __future__ import annotations

from svod.engine.act_norms import ActionNorms, actor_offends
from svod.engine.core import Scope
from svod.engine.lawfulness import AT_REST, Lawfulness
from svod.engine.program import Role
from svod.engine.text import block, identifier, indented, negated
from svod.engine.walk import substitute
from svod.norms import ir


class Reasons:
    """Prints explanations."""

    def __init__(self, acts: Lawfulness, clauses: dict[str, int]) -> None:
        self.acts = acts
        self.p = acts.p
        self.world = acts.world
        self.clauses = clauses

    def functions(self) -> None:
        """Print both functions."""
        ladder: dict[str, list[str]] = {}
        for norms in self.acts.norms:
            name = self._why(norms)
            names = ["S", "R", *(identifier(p.name) for p in norms.action.parameters)]
            ladder[norms.action.name] = [*self.acts.decoded(norms.action), f"return {name}({', '.join(names)})"]
        self._add("why", ["def why(S, a, R):", *indented(self.acts.per_action(ladder, "0"))])
        self._invariants()

    def _add(self, name: str, lines: list[str]) -> None:
        self.p.text.used.add(name)
        self.p.text.functions.append(lines)

    def _note(self, role: Role, clause_id: str) -> list[str]:
        return [f"R[n] = {int(role)}", f"R[n + 1] = {self.clauses[clause_id]}", "n += 2"]

    def _why(self, norms: ActionNorms) -> str:
        scope = AT_REST.bind(*norms.action.parameters)
        lines = ["n = 0"]
        for clause_id, condition in norms.rights + norms.permissions:
            fires = self.p.true(condition, scope)
            lines += self._either(fires, self._note(Role.PERMITS, clause_id), self._note(Role.FAILED, clause_id))
        for clause_id, condition in norms.duties:
            lines += block(f"if {self.p.true(condition, scope)}:", self._note(Role.PERMITS, clause_id))
        for clause_id, condition in norms.prohibitions:
            lines += block(f"if {self.p.true(condition, scope)}:", self._note(Role.FORBIDS, clause_id))
        for clause_id, condition in norms.blocks:
            lines += block(f"if {self.p.true(condition, scope)}:", self._note(Role.BLOCKS, clause_id))
        for clause_id, _ in norms.rights + norms.permissions + norms.prohibitions:
            lines += self._exceptions(clause_id, norms.action, scope)
        name = self.p.text.fresh(f"why_{norms.action.name}")
        names = ["S", "R", *(identifier(p.name) for p in norms.action.parameters)]
        self.p.text.functions.append([f"def {name}({', '.join(names)}):", *indented([*lines, "return n"])])
        return name

    def _either(self, condition: str, then: list[str], otherwise: list[str]) -> list[str]:
        return [*block(f"if {condition}:", then), *block(f"if {negated(condition)}:", otherwise)]

    def _exceptions(self, clause_id: str, action: ir.Action, scope: Scope) -> list[str]:
        """Exceptions that keep a clause from firing although its own guard is met."""
        head = self.world.clauses[clause_id].head
        if len(head.variables) > len(action.parameters):
            return []  # several instances speak of one act; which of them is excepted is not told
        values = dict(zip((v.name for v in head.variables), action.parameters, strict=True))
        met = head.guard
        clause = self.world.clauses[clause_id]
        if isinstance(clause, ir.Violation):
            met = ir.And((met, actor_offends(self.p, clause)))
        guard = self.p.true(substitute(met, values), scope)
        lines: list[str] = []
        for exempt in head.exceptions:
            excepts = self.p.true(substitute(self.world.exempts(exempt), values), scope)
            lines += block(
                f"if {excepts}:", [*self._note(Role.EXCEPTED, clause_id), *self._note(Role.EXCEPTING, exempt.by)]
            )
        return block(f"if {guard}:", lines)

    def _invariants(self) -> None:
        """The condition is read at rest; the state before is an array of its own."""
        scope = Scope("S", "B", True)
        lines = ["n = 0"]
        for clause in self.world.norms.clauses:
            if isinstance(clause, ir.Invariant):
                broken: ir.Expression = ir.And((self.world.firing(clause.head.id), self.p.unmet(clause.holds)))
                for variable in reversed(clause.head.variables):
                    broken = ir.Exists(variable, broken)
                number = self.clauses[clause.head.id]
                lines += block(f"if {self.p.true(broken, scope)}:", [f"R[n] = {number}", "n += 1"])
        self._add("invariants", ["def invariants(S, B, R):", *indented([*lines, "return n"])])
