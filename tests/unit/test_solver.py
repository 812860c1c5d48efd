"""The solver answers questions and leaves Ctrl-C to the program."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import z3

from svod.constraints.solver import Budget, NotDecided, Sat, Unsat, solve


def pigeons(count: int) -> list[z3.BoolRef]:
    """More pigeons than holes: soon more than any solver finishes."""
    sits = [[z3.Bool(f"pigeon {i} {j}") for j in range(count - 1)] for i in range(count)]
    apart = [z3.Not(z3.And(sits[a][j], sits[b][j])) for j in range(count - 1) for a in range(count) for b in range(a)]
    return [*(z3.Or(row) for row in sits), *apart]


def test_answers() -> None:
    budget = Budget(resources=1_000_000, seconds=10.0)
    assert isinstance(solve([z3.Bool("a")], budget), Sat)
    assert isinstance(solve(pigeons(3), budget), Unsat)


def test_an_interrupt_while_the_solver_runs_in_the_background_reaches_the_program() -> None:
    outcomes: list[object] = []
    budget = Budget(resources=2_000_000_000, seconds=3.0)
    thread = threading.Thread(target=lambda: outcomes.append(solve(pigeons(14), budget)))
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)
        while thread.is_alive():
            thread.join(0.1)
    thread.join()
    assert len(outcomes) == 1 and isinstance(outcomes[0], NotDecided)
