"""The C compiler and its cache: compiled once, found again, done without where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod_tools import native
from svod_tools.native import compile_native, native_compiler

SOURCE = """\
def twice(a):
    return a + a

def total(A, n):
    s = 0
    i = 0
    while i < n:
        s += A[i]
        i += 1
    return s
"""
ENTRIES = ("twice", "total")
needs_compiler = pytest.mark.skipif(native_compiler()[0] is None, reason="no C compiler here")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "svod" / "native"


@needs_compiler
def test_a_program_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend, reason = compile_native(SOURCE, ENTRIES)
    assert backend is not None and reason is None and backend.native
    assert backend.call("twice", -21) == -42
    made = list(folder.iterdir())
    assert [p.suffix for p in made] == [".so"]
    monkeypatch.setattr(native.CCompiler, "_compile", lambda *_: pytest.fail("compiled again"))
    again, _ = compile_native(SOURCE, ENTRIES)
    assert again is not None and again.call("twice", 4) == 8


@needs_compiler
def test_another_text_or_level_is_another_object(folder: Path) -> None:
    for source, level in ((SOURCE, "-O1"), (SOURCE, "-O2"), (SOURCE.replace("a + a", "a + a + 1"), "-O1")):
        backend, _ = compile_native(source, ENTRIES, level)
        assert backend is not None and backend.call("twice", 1) == (3 if "+ 1\n\ndef total" in source else 2)
        assert level in backend.description
    assert len(list(folder.iterdir())) == 3


@needs_compiler
@pytest.mark.parametrize("size", [3, native.LARGE_BUFFER_WORDS * 2])
def test_buffers_hold_and_grow(folder: Path, size: int) -> None:
    backend, _ = compile_native(SOURCE, ENTRIES)
    assert backend is not None
    buffer = backend.buffer(size)
    for i in (0, 1, size - 1):
        buffer[i] = 10 + i
    before = backend.call("total", buffer, size)
    assert before == sum(buffer[i] for i in range(size)) and before > 30
    larger = backend.grown(buffer, size * 3)
    assert len(larger) >= size * 3 and backend.call("total", larger, size * 3) == before


def test_without_a_compiler_there_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("CC", raising=False)
    backend, reason = compile_native(SOURCE, ENTRIES)
    assert backend is None and reason is not None and reason.en and reason.ru
    monkeypatch.setenv("SVOD_NATIVE", "off")
    backend, reason = compile_native(SOURCE, ENTRIES)
    assert backend is None and reason is not None and "SVOD_NATIVE" in reason.en


def test_a_compiler_that_fails_is_a_reason_too(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = tmp_path / "cc"
    bad.write_text("#!/bin/sh\n[ \"$1\" = --version ] && echo 'bad 1.0' && exit 0\necho no such luck >&2\nexit 1\n")
    bad.chmod(0o755)
    monkeypatch.setenv("CC", str(bad))
    backend, reason = compile_native(SOURCE, ENTRIES)
    assert backend is None and reason is not None and "no such luck" in reason.en
    assert list(folder.iterdir()) == []
