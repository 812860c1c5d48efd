"""Norms in, a symbolic model out: the state before, what it satisfies, and steps with the waves that can happen."""

from __future__ import annotations

from collections.abc import Mapping

from svod.constraints.solver import Budget, Incremental, Unsat
from svod.constraints.step import Stepper
from svod.constraints.symbols import State, World, well_typed
from svod.constraints.terms import Truth

PRUNING = Budget(resources=1_000_000, seconds=2.0)


def stepper_from(world: World, before: State, budget: Budget) -> Stepper:
    """A stepper that leaves out what no well-typed state `before` can enable, as far as the budget shows."""
    stepper = Stepper(world)
    conditions = {**world.constants_conditions(), **well_typed(world, before, stepper.initial().registers)}
    solver = Incremental(list(conditions.values()), budget)

    def feasible(asked: Mapping[str, Truth]) -> bool:
        return not isinstance(solver.ask(asked), Unsat)

    stepper.feasible = feasible
    return stepper
