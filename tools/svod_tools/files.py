"""In: a path or name of a rulebook, an edition, overlays. Out: Sources or diagnostics. The one door to files."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from svod.diagnostics import Code, Problems, Text
from svod.source import Source

LARGEST_FILE = 4_000_000
"""Bytes; a chapter above this is refused rather than parsed for minutes."""

NOT_FOUND = Code(
    "C601",
    Text("свод не найден", "rulebook not found"),
    Text(
        "Путь не ведёт ни к папке со сводом, ни к файлу .md, и свода с таким именем в поставке нет. "
        "Укажите папку с файлами вида 01-глава.md или имя свода из списка в подсказке.",
        "The path leads to no rulebook folder and no .md file, and no rulebook of this name ships with the package. "
        "Give a folder with files like 01-chapter.md or one of the names that the help lists.",
    ),
)
UNREADABLE = Code(
    "C602",
    Text("файл не читается", "file cannot be read"),
    Text(
        "Операционная система не отдала файл: нет прав, диск недоступен или это не файл. Проверьте права и путь.",
        "The operating system did not hand the file over: no permission, disk gone, or not a file. Check both.",
    ),
)
NOT_UTF8 = Code(
    "C603",
    Text("файл не в UTF-8", "file is not UTF-8"),
    Text(
        "Тексты сводов хранятся в кодировке UTF-8. Пересохраните файл в этой кодировке "
        "(в большинстве редакторов: «Сохранить как…» → UTF-8).",
        "Rulebook texts are kept in UTF-8. Save the file again in this encoding.",
    ),
)
EMPTY = Code(
    "C604",
    Text("в своде нет текста", "rulebook has no text"),
    Text(
        "Файл пуст, или в папке нет ни одного файла .md с текстом. Свод начинается с файла 01-….md.",
        "The file is empty, or the folder holds no .md file with text. A rulebook begins with a file 01-….md.",
    ),
)
TOO_LARGE = Code(
    "C605",
    Text("файл слишком велик", "file is too large"),
    Text(
        "Глава свода не может быть такой длины; вероятно, указан не тот файл. Разделите главу на несколько файлов.",
        "No chapter is this long; probably it is the wrong file. Split the chapter into several files.",
    ),
)
NO_EDITION = Code(
    "C606",
    Text("такой редакции нет", "no such edition"),
    Text(
        "Редакции свода — это основной текст и файлы editions/N.md рядом с ним. Укажите номер из подсказки.",
        "The editions of a rulebook are its base text and the files editions/N.md beside it. Give one the help lists.",
    ),
)
NO_OVERLAY = Code(
    "C607",
    Text("поправка не найдена", "overlay not found"),
    Text(
        "Параметр --with называет файл поправки (.md), поправку из папки house/ свода, вариант или прочтение. "
        "Файла с таким именем нет.",
        "--with names an overlay file (.md), an overlay in the rulebook's folder house/, a variant or a reading. "
        "There is no file of this name.",
    ),
)
CANNOT_WRITE = Code(
    "C608",
    Text("не удалось записать", "cannot write"),
    Text(
        "Файл или папку не удалось создать: нет прав, нет места или на этом месте уже что-то есть.",
        "A file or folder could not be made: no permission, no space, or something else is in its place.",
    ),
)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The texts of one rulebook as asked for.

    `overlays` are applied in order: editions up to `edition`, then those named with --with. `switches` are the other
    names given with --with: variants and readings, which only the rulebook itself can tell from mistakes.
    """

    name: str
    shown: str
    chapters: tuple[Source, ...]
    overlays: tuple[Source, ...]
    switches: tuple[str, ...]
    vocabulary: Source | None
    editions: tuple[int, ...]

    @property
    def sources(self) -> dict[str, Source]:
        """Every text by its name, for rendering diagnostics."""
        texts = (*self.chapters, *self.overlays, *((self.vocabulary,) if self.vocabulary else ()))
        return {source.name: source for source in texts}


def shipped_folder() -> Path:
    """Where the rulebooks of the package lie: package data, or `spec/` of a working copy."""
    here = Path(__file__).resolve().parent
    packaged = here / "data" / "spec"
    return packaged if packaged.is_dir() else here.parents[1] / "spec"


def site_configuration() -> Path:
    """The mkdocs configuration: package data, or `site/mkdocs.yml` of a working copy."""
    here = Path(__file__).resolve().parent
    packaged = here / "data" / "site" / "mkdocs.yml"
    return packaged if packaged.is_file() else here.parents[1] / "site" / "mkdocs.yml"


def package_text(name: str) -> str:
    """A text that is part of the tools themselves."""
    return (Path(__file__).resolve().parent / name).read_text(encoding="utf-8")


def shipped_names() -> tuple[str, ...]:
    """Names of the rulebooks that ship with the package."""
    folder = shipped_folder()
    if not folder.is_dir():
        return ()
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and _chapters_of(entry)))


def editions_of(path: str) -> tuple[int, ...]:
    """Editions of the rulebook at a path, the base text among them; empty where there is no rulebook."""
    place = _find(path, Problems())
    if place is None:
        return ()
    later = _editions_of(place[0])
    return (_base_edition(later), *sorted(later))


def load_rulebook(
    path: str, problems: Problems, *, edition: int | None = None, newest: bool = False, overlays: Sequence[str] = ()
) -> Loaded | None:
    """Read a rulebook. `edition=None` is the base text, or with `newest` the last edition there is."""
    place = _find(path, problems)
    if place is None:
        return None
    folder, files, shown = place
    chapters = _read_chapters(files, shown if folder is not None else None, problems)
    editions = _editions_of(folder)
    chosen = _choose_editions(editions, edition, newest, problems)
    texts = [_read(file, _shown_name(shown, file, folder), problems) for file in chosen]
    switches: list[str] = []
    for name in overlays:
        found = _find_overlay(name, folder, problems)
        if found is None:
            switches.append(name)
        elif found.is_file():
            texts.append(_read(found, _shown_name(shown, found, folder), problems))
    vocabulary = None
    if folder is not None and (folder / "vocabulary.yaml").is_file():
        vocabulary = _read(folder / "vocabulary.yaml", f"{shown}/vocabulary.yaml", problems)
    if problems.has_errors:
        return None
    name = folder.name if folder is not None else files[0].stem
    read = tuple(text for text in texts if text is not None)
    return Loaded(name, shown, chapters, read, tuple(switches), vocabulary, tuple(sorted(editions)))


def read_source(path: str, problems: Problems) -> Source | None:
    """One text given on the command line."""
    return _read(Path(path), path, problems)


def write_text(path: Path, text: str, problems: Problems) -> bool:
    """Write one text, making the folders above it; a failure is a diagnostic."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        _report_write(path, error, problems)
        return False
    return True


def write_whole(path: Path, text: str, problems: Problems) -> bool:
    """Write one text so that nobody ever sees half of it: under another name first, then renamed into place."""
    made: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        made = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        made.chmod(0o666 & ~_umask())
        made.replace(path)
        made = None
    except OSError as error:
        _report_write(path, error, problems)
        return False
    finally:
        if made is not None:
            made.unlink(missing_ok=True)
    return True


def clear_folder(path: Path, marker: str, problems: Problems) -> bool:
    """Empty a folder for generated files; refuses a folder with other things in it (no `marker` file)."""
    try:
        if path.exists() and any(path.iterdir()) and not (path / marker).is_file():
            message = Text(
                f"папка {path} не пуста и сделана не этой командой", f"folder {path} is not empty and not made by this"
            )
            help_text = Text("укажите новую или пустую папку", "name a new or an empty folder")
            problems.report(CANNOT_WRITE, message, None, help=help_text)
            return False
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True, exist_ok=True)
        (path / marker).write_text("", encoding="utf-8")
    except OSError as error:
        _report_write(path, error, problems)
        return False
    return True


@contextmanager
def workspace(output: Path) -> Iterator[Path]:
    """Where to keep what a site is printed from: `build/` for `build/…`, so that it can be looked at; else a folder
    that goes when it is no longer needed."""
    if output.parent.name == "build":
        yield output.parent
        return
    with tempfile.TemporaryDirectory(prefix="svod-") as folder:
        yield Path(folder)


def to_json(value: object) -> str:
    """Canonical JSON for output: readable, letters as they are, stable order given by the caller."""
    return json.dumps(value, ensure_ascii=False, indent=2)


# ------------------------------------------------------------------------------------------------- finding


def _find(path: str, problems: Problems) -> tuple[Path | None, tuple[Path, ...], str] | None:
    """Folder (None for a single file), its chapters, and how to show the place."""
    try:
        given = Path(path)
        if given.is_dir():
            return given, _chapters_of(given), path.rstrip("/") or path
        if given.exists():
            return None, (given,), path
        shipped = shipped_folder() / path
        if path in shipped_names():
            return shipped, _chapters_of(shipped), path
    except (OSError, ValueError) as error:
        message = Text(f"путь «{path}» не читается: {error}", f"path “{path}” cannot be read: {error}")
        problems.report(UNREADABLE, message, None)
        return None
    names = ", ".join(shipped_names()) or "—"
    message = Text(f"нет ни папки, ни свода «{path}»", f"there is no folder and no rulebook “{path}”")
    help_text = Text(f"своды в поставке: {names}", f"rulebooks in the package: {names}")
    problems.report(NOT_FOUND, message, None, help=help_text)
    return None


def _chapters_of(folder: Path) -> tuple[Path, ...]:
    """Chapter files in reading order: by their leading number, then by name; README.md is none."""

    def order(file: Path) -> tuple[int, str]:
        number = re.match(r"\d+", file.name)
        return (int(number.group()) if number else 10**9, file.name)

    found = [file for file in folder.glob("*.md") if file.is_file() and file.name.lower() != "readme.md"]
    return tuple(sorted(found, key=order))


def _editions_of(folder: Path | None) -> dict[int, Path]:
    if folder is None or not (folder / "editions").is_dir():
        return {}
    files = (folder / "editions").glob("*.md")
    return {int(file.stem): file for file in files if file.stem.isdecimal() and file.is_file()}


def _base_edition(editions: dict[int, Path]) -> int:
    return min(editions) - 1 if editions else 1


def _choose_editions(editions: dict[int, Path], wanted: int | None, newest: bool, problems: Problems) -> list[Path]:
    """Files to apply, oldest first: each edition amends the one before it."""
    base = _base_edition(editions)
    if wanted is None:
        wanted = max(editions, default=base) if newest else base
    if wanted != base and wanted not in editions:
        known = ", ".join(str(number) for number in (base, *sorted(editions)))
        message = Text(f"редакции {wanted} нет", f"there is no edition {wanted}")
        problems.report(NO_EDITION, message, None, help=Text(f"есть: {known}", f"there are: {known}"))
        return []
    return [editions[number] for number in sorted(editions) if number <= wanted]


def _find_overlay(name: str, folder: Path | None, problems: Problems) -> Path | None:
    """The overlay file that the name means, or None where it can only be a variant or a reading."""
    try:
        if folder is not None and (folder / "house" / f"{name}.md").is_file():
            return folder / "house" / f"{name}.md"
        given = Path(name)
        if given.is_file():
            return given
    except (OSError, ValueError):
        given = Path("-")
    if name.endswith(".md") or "/" in name:
        message = Text(f"файла поправки «{name}» нет", f"there is no overlay file “{name}”")
        problems.report(NO_OVERLAY, message, None)
        return given
    return None


# ------------------------------------------------------------------------------------------------- reading


def _read_chapters(files: tuple[Path, ...], folder: str | None, problems: Problems) -> tuple[Source, ...]:
    names = [str(file) if folder is None else f"{folder}/{file.name}" for file in files]
    read = [_read(file, name, problems) for file, name in zip(files, names, strict=True)]
    texts = tuple(source for source in read if source is not None)
    if not problems.has_errors and not any(source.text.strip() for source in texts):
        place = folder or (names[0] if names else "")
        message = Text(f"в «{place}» нет текста свода", f"there is no rulebook text in “{place}”")
        problems.report(EMPTY, message, None)
    return texts


def _shown_name(shown: str, file: Path, folder: Path | None) -> str:
    if folder is not None and file.is_relative_to(folder):
        return f"{shown}/{file.relative_to(folder).as_posix()}"
    return str(file)


def _read(file: Path, name: str, problems: Problems) -> Source | None:
    try:
        size = file.stat().st_size
        if size > LARGEST_FILE:
            message = Text(f"{name}: {size} байт, больше {LARGEST_FILE}", f"{name}: {size} bytes, over {LARGEST_FILE}")
            problems.report(TOO_LARGE, message, None)
            return None
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        problems.report(UNREADABLE, Text(f"{name}: не читается ({reason})", f"{name}: {reason}"), None)
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = Text(f"{name}:{line}: байты не в UTF-8", f"{name}:{line}: bytes that are not UTF-8")
        problems.report(NOT_UTF8, message, None)
        return None
    return Source(name, text.replace("\r\n", "\n").replace("\r", "\n"))


def _umask() -> int:
    """Which permissions new files go without; it can only be asked for by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def _report_write(path: Path, error: OSError, problems: Problems) -> None:
    reason = error.strerror or type(error).__name__
    problems.report(CANNOT_WRITE, Text(f"{path}: не записано ({reason})", f"{path}: not written ({reason})"), None)
