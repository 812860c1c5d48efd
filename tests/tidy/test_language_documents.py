"""The documents of the language name all that the program knows: fields, grades, families, forms of a vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from svod.findings import Family, Grade
from svod.report import report_schema
from svod.searches.case_words import GIVEN_FORMS, QUESTION_FORMS
from svod_tools.vocabulary import SECTIONS

FOLDER = Path(__file__).resolve().parents[2] / "site" / "docs" / "language"


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def properties(schema: Any) -> Iterator[str]:
    """Names of all fields of a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                yield from value
            yield from properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties(value)


def test_report_names_every_field() -> None:
    text = page("report")
    missing = {name for name in properties(report_schema()) if f"`{name}`" not in text and f'"{name}"' not in text}
    assert missing <= {family.value for family in Family}  # named with `family`
    assert all(f"`{each.value}`" in text for each in (*Family, *Grade))


def test_meaning_names_every_grade_and_family() -> None:
    text = page("meaning")
    assert all(f"`{grade.value}`" in text for grade in Grade)
    assert all(f"| {family.value} |" in text for family in Family)


def test_vocabulary_names_every_section_and_form() -> None:
    text = page("vocabulary")
    assert all(f"`{section}`" in text for section in SECTIONS)
    assert all(f"`{form}: " in text for form in GIVEN_FORMS | QUESTION_FORMS)
