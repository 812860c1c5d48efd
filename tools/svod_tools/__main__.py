"""`python -m svod_tools` and the command `svod`. Ctrl-C is answered from the first moment, while modules load."""

from __future__ import annotations

import os
import signal
import sys
import time
from types import FrameType

DEAF_SECONDS = 1.0
"""So long after one Ctrl-C others are taken for the same: a second one must not spoil the way out."""


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGINT, _leave)
    from svod_tools.cli import main as run

    signal.signal(signal.SIGINT, Interrupts())
    try:
        run()
    except KeyboardInterrupt:  # between two of our own handlers: nothing has begun yet, or all is done
        sys.exit(130)
    finally:
        # A Python handler is reset to death by signal while the interpreter closes down; an ignored signal is not.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # CPython dies by signal after an interrupt inside `exec` of a text, caught or not (modules that load make their
        # dataclasses so); the next `exec` forgets it.
        exec("")


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
