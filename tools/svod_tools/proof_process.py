"""Out: a process in which proofs are made, and our end of the line to it; it ends with its context, finished or not."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing.connection import Connection, Pipe
from typing import Self

from svod.searches import proving


class ProofProcess:
    """A process of its own, since the solver and play would hold each other up in one, and since a process can always
    be stopped."""

    def __enter__(self) -> Self:
        self.line, theirs = Pipe()
        with theirs:
            self.process = subprocess.Popen(
                (sys.executable, "-c", f"from {__name__} import serve; serve({theirs.fileno()})"),
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                pass_fds=(theirs.fileno(),),
                process_group=0,  # Ctrl-C is for the program, which ends this one itself
            )
        return self

    def __exit__(self, *failure: object) -> None:
        self.process.kill()
        self.process.wait()
        self.line.close()


def serve(descriptor: int) -> None:
    """What runs in the process: `svod.searches.proving.serve` at the line with this descriptor."""
    proving.serve(Connection(descriptor))
