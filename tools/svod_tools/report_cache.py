"""In: everything that a report depends on. Out: the report made from the same things before, if it is kept.

The key hashes the texts, the choices and the product's own code, so that a kept report can never be stale.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import svod
import svod_tools
from svod.report import Report
from svod.source import Source
from svod_tools.native import cache_folder


def key_of(sources: Iterable[Source], choices: object) -> str:
    """Hash of the texts, the choices and our code."""
    digest = hashlib.sha256(_code().encode())
    for source in sorted(sources, key=lambda source: source.name):
        digest.update(f"\x00{source.name}\x00{source.text}".encode())
    digest.update(repr(choices).encode())
    digest.update(os.environ.get("SVOD_NATIVE", "").encode())
    return digest.hexdigest()


@cache
def _code() -> str:
    digest = hashlib.sha256()
    for package in (svod, svod_tools):
        root = Path(package.__file__ or "").parent
        for file in sorted(root.rglob("*")):
            if file.suffix in (".py", ".lark"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def load(key: str) -> Report | None:
    """The kept report; None if there is none or it cannot be read."""
    try:
        with _place(key).open("rb") as file:
            kept = pickle.load(file)
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ImportError):
        return None
    return kept if isinstance(kept, Report) else None


def save(key: str, report: Report) -> None:
    """Keep a report; where the folder cannot be written nothing is kept, which costs time and nothing else."""
    place = _place(key)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
            pickle.dump(report, file)
        Path(file.name).replace(place)
    except OSError:
        return


def _place(key: str) -> Path:
    return cache_folder().parent / "reports" / f"{key}.pickle"
