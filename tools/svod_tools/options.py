"""In: what was typed after a command. Out: frozen options, one value for each command; bad values are diagnostics."""

from __future__ import annotations

import re
from dataclasses import dataclass

from svod.diagnostics import Code, Problems, Text

BAD_ARGUMENTS = Code(
    "C001",
    Text("аргументы команды не поняты", "arguments not understood"),
    Text(
        "Команда вызвана с неизвестным параметром, без обязательного или со значением не того вида. "
        "Полный список параметров печатает `svod КОМАНДА --help`.",
        "The command was called with an unknown option, without a required one, or with a value of the wrong kind. "
        "`svod COMMAND --help` prints all options.",
    ),
)

BUDGET_DEFAULT = 90.0


@dataclass(frozen=True, slots=True)
class Choice:
    """Which rulebook is meant, and at which parameters. `None` leaves the choice to the command."""

    path: str
    language: str
    edition: int | None = None
    newest: bool = False
    overlays: tuple[str, ...] = ()
    players: tuple[int, ...] = ()
    deck: tuple[int, ...] = ()
    settings: tuple[tuple[str, int], ...] = ()


def parse_numbers(text: str | None, option: str, problems: Problems) -> tuple[int, ...]:
    """«4», «2..8» or «36,52» as numbers; nothing for an option that was not given."""
    if text is None:
        return ()
    numbers: list[int] = []
    for part in text.replace("|", ",").split(","):
        found = re.fullmatch(r"\s*(\d{1,4})\s*(?:(?:\.\.|-|–|…)\s*(\d{1,4})\s*)?", part)
        if found is None:
            message = Text(
                f"{option}: «{text}» — не число и не промежуток", f"{option}: “{text}” is no number and no range"
            )
            problems.report(BAD_ARGUMENTS, message, None, help=Text("например: 4, 2..8, 36,52", "say: 4, 2..8, 36,52"))
            return ()
        first, last = int(found[1]), int(found[2] or found[1])
        if last < first:
            message = Text(f"{option}: промежуток «{part}» пуст", f"{option}: range “{part}” is empty")
            problems.report(BAD_ARGUMENTS, message, None)
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


def parse_settings(texts: list[str], problems: Problems) -> tuple[tuple[str, int], ...]:
    """«имя=число» of --set, for parameters that have no option of their own."""
    settings: list[tuple[str, int]] = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or re.fullmatch(r"\s*[0-9]{1,9}\s*", value) is None:
            message = Text(f"--set: «{text}» — не вида имя=число", f"--set: “{text}” is not name=number")
            problems.report(BAD_ARGUMENTS, message, None)
        else:
            settings.append((name.strip(), int(value)))
    return tuple(settings)


def parse_seconds(text: str | None, problems: Problems) -> float:
    """«60», «60s», «60с», «2m», «1.5м» as seconds."""
    if text is None:
        return BUDGET_DEFAULT
    found = re.fullmatch(r"\s*(\d+(?:[.,]\d+)?)\s*([a-zа-я]*)\.?\s*", text.lower())
    units = {"": 1.0, "s": 1.0, "sec": 1.0, "с": 1.0, "сек": 1.0, "m": 60.0, "min": 60.0, "м": 60.0, "мин": 60.0}
    if found is None or found[2] not in units or float(found[1].replace(",", ".")) <= 0:
        message = Text(f"--budget: «{text}» — не время", f"--budget: “{text}” is no time")
        problems.report(BAD_ARGUMENTS, message, None, help=Text("например: 60s, 2m", "say: 60s, 2m"))
        return BUDGET_DEFAULT
    return float(found[1].replace(",", ".")) * units[found[2]]


def check_rate(value: float, option: str, problems: Problems) -> None:
    """A rate is a number from 0 to 1."""
    if not 0.0 <= value <= 1.0:
        message = Text(f"{option}: {value:g} — не от 0 до 1", f"{option}: {value:g} is not from 0 to 1")
        problems.report(BAD_ARGUMENTS, message, None, help=Text("например: 0.05", "say: 0.05"))
