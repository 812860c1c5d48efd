"""`python -m svod_tools` and the command `svod`. Ctrl-C is answered from the first moment, while modules load."""

from __future__ import annotations

import os
import signal
import time
from types import FrameType

DEAF_SECONDS = 1.0
"""So long after one Ctrl-C others are taken for the same: a second one must not spoil the way out."""


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGINT, _leave)
    from svod_tools.cli import main as run

    signal.signal(signal.SIGINT, Interrupts())
    run()


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(130)


class Interrupts:
    """Ctrl-C as `KeyboardInterrupt`, not twice within a moment."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def __call__(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._last > DEAF_SECONDS:
            self._last = now
            raise KeyboardInterrupt


if __name__ == "__main__":
    main()
