"""Proofs that go on in the background end when told to: the solver serves one thread at a time."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path

from svod.diagnostics import Problems
from svod.searches.check import Setting
from svod.searches.proofs import Proofs
from svod_tools.options import Choice
from svod_tools.workbench import open_workbench

ROOT = Path(__file__).resolve().parents[2]


def setting() -> Setting:
    bench = open_workbench(Choice(str(ROOT / "spec" / "shukh"), "en"))
    assert not isinstance(bench, int)
    problems = Problems()
    norms = bench.norms(problems)
    assert norms is not None and not problems.has_errors
    return Setting(norms, bench.switches(norms, problems))


def test_two_checks_in_one_process_do_not_meet_in_the_solver() -> None:
    chosen = setting()
    before = threading.active_count()
    for _ in range(2):
        proofs = Proofs([chosen], "1", None)
        proofs.start()
        time.sleep(1.5)
        assert threading.active_count() == before + 1, "there is enough to prove"
        proofs.stop()
        assert threading.active_count() == before
        del proofs
        gc.collect()
