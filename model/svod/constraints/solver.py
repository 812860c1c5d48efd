"""Z3 with a budget: conditions in, a model, a core of named conditions, or the reason for not knowing out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, TypeAlias

import z3

from svod.constraints import terms as t
from svod.constraints.terms import Truth


@dataclass(frozen=True, slots=True)
class Budget:
    """`resources`: solver resource units a question may use (the same everywhere); `seconds`: an upper limit on top."""

    resources: int = 40_000_000
    seconds: float = 20.0

    @property
    def described(self) -> str:
        return f"{self.resources} solver units, {self.seconds:g} s a question"


@dataclass(frozen=True, slots=True)
class Sat:
    model: Any


@dataclass(frozen=True, slots=True)
class Unsat:
    """`core`: names of conditions that already contradict each other (empty where none were asked for)."""

    core: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NotDecided:
    reason: str


Outcome: TypeAlias = Sat | Unsat | NotDecided


def _limits(solver: Any, budget: Budget) -> None:
    solver.set("rlimit", budget.resources)
    solver.set("timeout", max(1, int(budget.seconds * 1000)))
    solver.set("ctrl_c", False)  # else the solver takes Ctrl-C for itself, and the program never hears of it


def _outcome(solver: Any, result: Any, names: Mapping[int, str]) -> Outcome:
    if result == z3.sat:
        return Sat(solver.model())
    if result == z3.unsat:
        return Unsat(tuple(names[literal.get_id()] for literal in solver.unsat_core()) if names else ())
    reason = str(solver.reason_unknown())
    return NotDecided("budget: " + reason)


def solve(conditions: list[Truth], budget: Budget) -> Outcome:
    """One hard question with a solver of its own, so that it can simplify the whole of it first."""
    if any(condition is False for condition in conditions):
        return Unsat()
    solver = z3.SolverFor("QF_BV")
    _limits(solver, budget)
    solver.add([condition for condition in conditions if condition is not True])
    return _outcome(solver, solver.check(), {})


class Incremental:
    """Many easy questions over one background: each condition gets a literal once and is assumed by name."""

    def __init__(self, background: list[Truth], budget: Budget) -> None:
        self.solver = z3.SolverFor("QF_BV")
        self.budget = budget
        _limits(self.solver, budget)
        self.solver.add([t.as_truth(condition) for condition in background])
        self._literals: dict[int, tuple[Any, Any]] = {}

    def ask(self, conditions: Mapping[str, Truth]) -> Outcome:
        """Can all of these hold together? Keys are names for the core."""
        names: dict[int, str] = {}
        literals = []
        for name, condition in conditions.items():
            if condition is True:
                continue
            if condition is False:
                return Unsat((name,))
            literal = self._literal(condition)
            names[literal.get_id()] = name
            literals.append(literal)
        return _outcome(self.solver, self.solver.check(literals), names)

    def _literal(self, condition: Any) -> Any:
        found = self._literals.get(condition.get_id())
        if found is None:
            literal = z3.FreshBool("ask")
            self.solver.add(z3.Implies(literal, condition))
            found = self._literals[condition.get_id()] = (literal, condition)
        return found[0]


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._start = monotonic()

    @property
    def seconds(self) -> float:
        return monotonic() - self._start
