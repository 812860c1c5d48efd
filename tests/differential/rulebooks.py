"""The rulebooks of the repository as norms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from svod.diagnostics import Problems
from svod.norms import ir
from svod.pipeline import compile_texts
from svod.source import Source

ROOT = Path(__file__).resolve().parents[2]


def rulebook(
    name: str,
    edition: str,
    values: Mapping[str, int],
    overlays: Sequence[Path] = (),
    cards: Sequence[str] | None = None,
) -> ir.Norms:
    """A rulebook under spec/ at these parameters, in an edition ("" for the first), with overlays on top."""
    folder = ROOT / "spec" / name
    paths = [folder / "editions" / f"{edition}.md"] if edition else []
    texts = [Source(path.name, path.read_text(encoding="utf-8")) for path in (*paths, *overlays)]
    chapters = [Source(path.name, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.md"))]
    problems = Problems()
    compilation = compile_texts(chapters, texts, problems)
    assert compilation is not None, list(problems)
    norms = compilation.norms(values, problems, cards)
    assert norms is not None, list(problems)
    return norms


def departures(norms: ir.Norms) -> frozenset[str]:
    """Every variant on, and every reading the last of its options."""
    readings = {reading.switch(reading.options[-1][0]) for reading in norms.readings}
    return frozenset(readings | {variant.name for variant in norms.variants})
