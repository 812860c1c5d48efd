"""How fast a backend plays: acts of random lawful play a second, beside a fixed loop of pure Python to quote ratios."""

from __future__ import annotations

import time
from dataclasses import dataclass

from svod.engine.backend import Backend
from svod.engine.search_play import Games
from svod.engine.search_source import SearchProgram

REFERENCE_ROUNDS = 200_000
LAPS = 5


@dataclass(frozen=True, slots=True)
class Rate:
    """Median over the laps, in seconds of processor time: other work on the machine does not count. `checksum` is that
    of the games of the first lap: equal on every backend."""

    acts_per_second: float
    acts: int
    games: int
    checksum: int
    machine: str
    native: bool


def play_rate(
    searched: SearchProgram,
    backend: Backend,
    *,
    seed: int = 1,
    games: int = 100,
    seconds: float = 0.5,
    cap: int = 20_000,
) -> Rate:
    """Rate of random lawful play from the start of a play to its end; at least `games` games and `seconds` a lap."""
    rates: list[float] = []
    acts = checksum = 0
    for lap in range(LAPS):
        played = Games(searched, backend, seed=seed, cap=cap)
        started = time.process_time()
        played.play(games)
        if lap == 0:
            acts, checksum = played.statistics.acts, played.statistics.checksum
        while time.process_time() - started < seconds:
            played.play(games)
        rates.append(played.statistics.acts / (time.process_time() - started))
    return Rate(sorted(rates)[LAPS // 2], acts, games, checksum, backend.description, backend.native)


def reference_rate() -> float:
    """Rounds a second of a fixed loop of pure Python (arithmetic, a list, a table): the unit for ratios."""
    rates = []
    for _ in range(LAPS):
        started = time.process_time()
        reference_loop(REFERENCE_ROUNDS)
        rates.append(REFERENCE_ROUNDS / (time.process_time() - started))
    return sorted(rates)[LAPS // 2]


def reference_loop(rounds: int) -> int:
    """NOTE(never change): figures quoted elsewhere are multiples of this loop."""
    cells = [0] * 64
    table = tuple((i * 37 + 11) % 64 for i in range(64))
    x = 1
    total = 0
    for _ in range(rounds):
        x = x * 48271 % 2147483647
        place = table[x & 63]
        cells[place] = (cells[place] + x) & 0xFFFF
        if cells[place] > 0x7FFF:
            total += place
        else:
            total ^= cells[place]
    return total
