"""Reading rulebooks: folders, files, shipped names, editions, overlays, and every way in which reading fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod_tools import files


def codes(problems: Problems) -> list[str]:
    return [problem.code.name for problem in problems]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    book = tmp_path / "book"
    (book / "editions").mkdir(parents=True)
    (book / "house").mkdir()
    (book / "02-b.md").write_text("# b\n", encoding="utf-8")
    (book / "10-c.md").write_text("# c\n", encoding="utf-8")
    (book / "01-a.md").write_bytes("﻿# а\r\nтекст\r\n".encode())
    (book / "README.md").write_text("not a chapter", encoding="utf-8")
    (book / "editions" / "2.md").write_text("second", encoding="utf-8")
    (book / "editions" / "3.md").write_text("third", encoding="utf-8")
    (book / "house" / "long.md").write_text("longer", encoding="utf-8")
    return book


def test_chapters_come_in_order_without_marks_and_carriage_returns(folder: Path) -> None:
    problems = Problems()
    loaded = files.load_rulebook(str(folder), problems)
    assert loaded is not None and not codes(problems)
    assert [Path(source.name).name for source in loaded.chapters] == ["01-a.md", "02-b.md", "10-c.md"]
    assert loaded.chapters[0].text == "# а\nтекст\n"
    assert loaded.overlays == () and loaded.editions == (2, 3)


@pytest.mark.parametrize(
    ("edition", "newest", "texts"),
    [
        (None, False, []),
        (1, False, []),
        (2, False, ["second"]),
        (3, False, ["second", "third"]),
        (None, True, ["second", "third"]),
    ],
)
def test_editions_build_on_each_other(folder: Path, edition: int | None, newest: bool, texts: list[str]) -> None:
    loaded = files.load_rulebook(str(folder), Problems(), edition=edition, newest=newest)
    assert loaded is not None
    assert [source.text for source in loaded.overlays] == texts


def test_overlays_are_files_house_names_or_switches(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    problems = Problems()
    names = ["long", str(tmp_path / "mine.md"), "V", "R-1=А"]
    loaded = files.load_rulebook(str(folder), problems, overlays=names)
    assert loaded is not None and not codes(problems)
    assert [source.text for source in loaded.overlays] == ["longer", "mine"]
    assert loaded.switches == ("V", "R-1=А")


def test_a_single_file_is_a_rulebook(folder: Path) -> None:
    loaded = files.load_rulebook(str(folder / "02-b.md"), Problems())
    assert loaded is not None and loaded.name == "02-b" and len(loaded.chapters) == 1


def test_shipped_rulebooks_are_found_by_name() -> None:
    assert len(files.shipped_names()) >= 2
    for name in files.shipped_names():
        assert files.load_rulebook(name, Problems()) is not None


@pytest.mark.parametrize("path", ["nowhere", "", "a\x00b", "x" * 5000])
def test_a_path_that_leads_nowhere_is_a_diagnostic(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    problems = Problems()
    assert files.load_rulebook(path, problems) is None
    assert len(codes(problems)) == 1


def test_bad_bytes_name_file_and_line(folder: Path) -> None:
    (folder / "02-b.md").write_bytes("строка\n".encode() + "ещё".encode("cp1251"))
    problems = Problems()
    assert files.load_rulebook(str(folder), problems) is None
    assert codes(problems) == [files.NOT_UTF8.name]
    assert "02-b.md:2" in next(iter(problems)).message.ru


def test_nothing_to_read_is_a_diagnostic(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank").mkdir()
    (tmp_path / "blank" / "01.md").write_text(" \n", encoding="utf-8")
    for name in ("empty", "blank"):
        problems = Problems()
        assert files.load_rulebook(str(tmp_path / name), problems) is None
        assert codes(problems) == [files.EMPTY.name]


def test_a_huge_file_is_refused(folder: Path) -> None:
    (folder / "02-b.md").write_bytes(b"x" * (files.LARGEST_FILE + 1))
    problems = Problems()
    assert files.load_rulebook(str(folder), problems) is None
    assert codes(problems) == [files.TOO_LARGE.name]


def test_a_missing_edition_or_overlay_is_a_diagnostic(folder: Path) -> None:
    problems = Problems()
    assert files.load_rulebook(str(folder), problems, edition=7, overlays=["gone.md"]) is None
    assert codes(problems) == [files.NO_EDITION.name, files.NO_OVERLAY.name]
    assert "1, 2, 3" in next(iter(problems)).help.ru  # type: ignore[union-attr]


def test_only_our_own_folders_are_cleared(tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("keep", encoding="utf-8")
    problems = Problems()
    assert not files.clear_folder(tmp_path, ".mark", problems)
    assert codes(problems) == [files.CANNOT_WRITE.name]
    assert (tmp_path / "precious.txt").exists()
    fresh = tmp_path / "new"
    assert files.clear_folder(fresh, ".mark", Problems())
    (fresh / "old").write_text("", encoding="utf-8")
    assert files.clear_folder(fresh, ".mark", Problems()) and not (fresh / "old").exists()
