"""Proofs go on in a process of their own: it ends when told to, leaves Ctrl-C to the program, and tells what failed."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace

import pytest

from svod.diagnostics import InternalError
from svod.naive.world import default_switches
from svod.searches.check import Searched, Setting
from svod.searches.proofs import PROOFS, Proofs
from svod_tools.proof_process import ProofProcess

from ..differential.samples import small_game


def setting() -> Setting:
    norms = small_game(2, 2)
    return Setting(norms, default_switches(norms))


def test_it_ends_with_its_context() -> None:
    with ProofProcess() as process:
        Proofs(process.line, [setting()], "1", None)
        assert process.process.poll() is None
    assert process.process.poll() is not None


def test_time_that_is_up_leaves_the_proofs_open() -> None:
    searched = Searched()
    with ProofProcess() as process:
        proofs = Proofs(process.line, [setting()], "1", time.monotonic() - 1)
        proofs.finish(searched, lambda step: None)
    assert searched.left_open == [PROOFS]


def test_ctrl_c_reaches_the_program_and_not_the_proofs() -> None:
    searched = Searched()
    with ProofProcess() as process:
        proofs = Proofs(process.line, [setting()], "1", None)
        assert os.getpgid(process.process.pid) != os.getpgrp(), "the terminal sends Ctrl-C to the whole group"
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(5)
        proofs.finish(searched, lambda step: None)
    assert not searched.left_open, "what was asked is answered all the same"


def test_a_fault_of_ours_is_told_with_its_place() -> None:
    broken = setting()
    lost = replace(broken.norms, clauses=(*broken.norms.clauses, "no clause"))  # type: ignore[arg-type]
    with ProofProcess() as process, pytest.raises(InternalError, match="Traceback"):
        proofs = Proofs(process.line, [Setting(lost, broken.switches)], "1", None)
        while True:
            proofs.hear(1.0)


def test_a_process_that_is_gone_leaves_the_proofs_open() -> None:
    searched = Searched()
    with ProofProcess() as process:
        proofs = Proofs(process.line, [setting()], "1", None)
        process.process.kill()
        proofs.finish(searched, lambda step: None)
    assert searched.left_open == [PROOFS]
