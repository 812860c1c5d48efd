"""A program in the integer subset → machine code, through the C compiler of the system; kept in the user's cache.

Without a compiler nothing is lost but speed: `native_compiler` then gives `None` and the reason in both languages.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import mmap
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from svod.diagnostics import InternalError, Text
from svod.engine.backend import Backend, Buffer
from svod.engine.parsed import parsed
from svod.engine.to_c import c_from_module, entry_name, is_array

FLAGS = ("-std=gnu11", "-shared", "-fPIC", "-fwrapv", "-fno-strict-aliasing", "-w")
COMPILE_SECONDS_MAX = 300
LARGE_BUFFER_WORDS = 1 << 16

_WORD = ctypes.c_int64
_WORDS = ctypes.POINTER(ctypes.c_int64)


@dataclass(frozen=True, slots=True)
class CCompiler:
    """A C compiler that answered, and the level of optimisation to ask of it."""

    path: str
    version: str
    level: str = "-O1"

    def __call__(self, source: str, entries: Iterable[str]) -> Backend:
        names = tuple(entries)
        module = parsed(source)
        library = self._library(c_from_module(module, names))
        return NativeBackend(library, module, names, f"{self.version} {self.level}")

    def _library(self, text: str) -> Path:
        key = "\0".join((text, self.version, self.level, *FLAGS, sys.platform, os.uname().machine))
        target = cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.so"
        if not target.exists():
            self._compile(text, target)
        return target

    def _compile(self, text: str, target: Path) -> None:
        """Two who compile the same text at once do not disturb each other: the result is renamed into place."""
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            source, made = Path(folder, "program.c"), Path(folder, "program.so")
            source.write_text(text, encoding="utf-8")
            command = [self.path, self.level, *FLAGS, "-o", str(made), str(source)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS_MAX, check=False)
            if done.returncode != 0:
                raise CompilationFailed(done.stderr[:2000])
            os.replace(made, target)


class CompilationFailed(Exception):
    """The C compiler refused a program or could not write its result."""


class NativeBackend:
    """A loaded shared object and the entry points of the program in it."""

    __slots__ = ("_counts", "_functions", "_library", "description")

    native = True

    def __init__(self, library: Path, module: ast.Module, entries: Iterable[str], description: str) -> None:
        self._library = ctypes.CDLL(str(library))
        self.description = description
        parameters = {f.name: [a.arg for a in f.args.args] for f in module.body if isinstance(f, ast.FunctionDef)}
        self._counts = {name: len(formal) for name, formal in parameters.items()}
        self._functions: dict[str, Callable[..., int]] = {}
        for name in entries:
            function = self._library[entry_name(name)]
            function.restype = _WORD
            function.argtypes = [_WORDS if is_array(p) else _WORD for p in parameters[name]]
            self._functions[name] = function

    def buffer(self, size: int) -> Buffer:
        """Large arrays take memory only where they are touched."""
        if size < LARGE_BUFFER_WORDS:
            return (_WORD * max(size, 1))()
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        pages = mmap.mmap(-1, size * 8, flags=flags)
        return (_WORD * size).from_buffer(pages)

    def grown(self, buffer: Buffer, size: int) -> Buffer:
        assert isinstance(buffer, ctypes.Array)
        larger = self.buffer(size)
        assert isinstance(larger, ctypes.Array)
        ctypes.memmove(larger, buffer, ctypes.sizeof(buffer))
        return larger

    def copy(self, source: Buffer, target: Buffer) -> None:
        assert isinstance(source, ctypes.Array) and isinstance(target, ctypes.Array)
        ctypes.memmove(target, source, min(ctypes.sizeof(source), ctypes.sizeof(target)))

    def call(self, name: str, *arguments: int | Buffer) -> int:
        if len(arguments) != self._counts[name]:  # C itself would not notice
            raise InternalError("native", f"{name} takes {self._counts[name]} arguments")
        return self._functions[name](*arguments)

    def function(self, name: str) -> Callable[..., int]:
        return self._functions[name]


def cache_folder() -> Path:
    """Where compiled programs are kept: `XDG_CACHE_HOME`, else `.cache` in the user's folder, else a temporary one."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    folder = root / "svod" / "native"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    private = Path(tempfile.gettempdir(), f"svod-native-{os.getuid()}")
    private.mkdir(mode=0o700, exist_ok=True)
    if private.stat().st_uid != os.getuid():  # code is loaded from here: a folder someone else made will not do
        raise CompilationFailed(f"{private} belongs to someone else")
    return private


@cache
def _version(path: str) -> str | None:
    """First line of what the compiler says of itself, or None if it does not run."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = done.stdout.splitlines()
    return lines[0].strip() if done.returncode == 0 and lines else None


def native_compiler(level: str = "-O1") -> tuple[CCompiler | None, Text | None]:
    """The system's C compiler (`CC`, else cc, else gcc, else clang), or None and why there is none."""
    if os.environ.get("SVOD_NATIVE", "") == "off":
        return None, Text("машинный код выключен переменной SVOD_NATIVE", "native code is switched off by SVOD_NATIVE")
    if not hasattr(os, "uname"):
        return None, Text("машинный код на этой системе не поддержан", "native code is not supported on this system")
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        path = shutil.which(name) if name else None
        version = _version(path) if path else None
        if path and version:
            return CCompiler(path, version, level), None
    return None, Text("компилятор C не найден: считает CPython, медленнее", "no C compiler: CPython computes, slower")


def compile_native(source: str, entries: Iterable[str], level: str = "-O1") -> tuple[Backend | None, Text | None]:
    """The program as machine code, or None and the reason why CPython has to do."""
    compiler, reason = native_compiler(level)
    if compiler is None:
        return None, reason
    try:
        return compiler(source, entries), None
    except (CompilationFailed, OSError, subprocess.SubprocessError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        return None, Text(f"компилятор C не справился: {why}", f"the C compiler failed: {why}")
