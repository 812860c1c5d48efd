"""Norms in; whoever can play them out: one interface of engine and naive evaluator, and engines for any switches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from svod.engine.backend import Compiler
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.program import ENTRY_POINTS
from svod.norms import ir
from svod.norms.trace import Act, Clash, Decision, Hole, Position, Status, StepOutcome


class Player(Protocol):
    """Plays norms at fixed parameters and switches."""

    def initial(self) -> StepOutcome: ...

    def acts(self, position: Position) -> tuple[Act, ...]: ...

    def possible_acts(self, position: Position) -> tuple[Act, ...]: ...

    def status(self, position: Position, act: Act) -> Status: ...

    def decide(self, position: Position, act: Act) -> Decision: ...

    def step(self, position: Position, act: Act) -> StepOutcome: ...

    def over(self, position: Position) -> bool: ...

    def term(self, position: Position, name: str, arguments: tuple[int, ...] = ()) -> int | Hole | Clash | None: ...


PlayerFor: TypeAlias = Callable[[frozenset[str]], Player]
PlayersFor: TypeAlias = Callable[[ir.Norms], PlayerFor]


def engines_for(compiler: Compiler) -> PlayersFor:
    """Engines of one program for each set of norms, with the switches left free and positions taken from outside."""

    def for_norms(norms: ir.Norms) -> PlayerFor:
        program = program_from_norms(norms, Options(free_switches=True, fold=False))
        entries = [name for name, _ in ENTRY_POINTS] + [term.function for term in program.terms]
        backend = compiler(program.source, entries)

        def player(switches: frozenset[str]) -> Player:
            return Engine(norms, program, backend, switches=switches)

        return player

    return for_norms
