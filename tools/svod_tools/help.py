"""In: a command of the command line and a language. Out: its help, in our own words; Russian unless asked otherwise."""

from __future__ import annotations

import re
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from svod.diagnostics import Text

COMMANDS: dict[str, Text] = {
    "check": Text(
        "Проверить свод: противоречия, пробелы, двусмысленности, недостижимое, утверждения «всегда».",
        "Check a rulebook: contradictions, gaps, ambiguities, what is unreachable, what must always hold.",
    ),
    "explore": Text(
        "Обойти все состояния малой игры и сосчитать их.", "Visit all states of a small game and count them."
    ),
    "play": Text("Сыграть в терминале против случайных игроков.", "Play in the terminal against random players."),
    "simulate": Text(
        "Сыграть много случайных партий и сказать, что встретилось.", "Play many random games and tell what was met."
    ),
    "replay": Text(
        "Разыграть записанную партию ход за ходом, с правилами.",
        "Play a recorded game again, move by move, with its rules.",
    ),
    "judge": Text(
        "Рассудить: случаи из файла, записанную партию или, без файла, спор за столом.",
        "Judge: cases of a file, a recorded game or, without a file, a quarrel at the table.",
    ),
    "coverage": Text(
        "Сказать по пунктам, что формально и какой пример это задействует.",
        "Tell item by item what is formal and which example exercises it.",
    ),
    "show": Text(
        "Показать пункт: текст, запись, как её понял движок, исключения и ссылки.",
        "Show an item: text, clauses, the sentence read back, exceptions and references.",
    ),
    "explain": Text("Объяснить код сообщения; без кода — перечень.", "Explain a code; without one, list them."),
    "build": Text("Напечатать проверенный свод как сайт.", "Print the checked rulebook as a site."),
    "fmt": Text("Привести записи правил к единому виду.", "Bring the clauses to their canonical form."),
    "bench": Text("Измерить скорость и согласие движков.", "Measure speed and agreement of the engines."),
}

OPTIONS: dict[str, Text] = {
    "path": Text("папка свода, файл .md или имя свода из поставки", "folder, .md file or name of a shipped rulebook"),
    "number": Text("номер пункта, например N-1.2", "number of an item, say N-1.2"),
    "code": Text("код сообщения, например C601", "code of a message, say C601"),
    "edition": Text("редакция; основной текст — первая", "edition; the base text is the first"),
    "overlays": Text(
        "файл поправки, поправка из house/, вариант или прочтение; можно несколько раз",
        "overlay file, overlay from house/, variant or reading; may be repeated",
    ),
    "players": Text("число игроков (check: и промежуток, 2..4)", "number of players (check: also a range, 2..4)"),
    "deck": Text("размер колоды", "size of the deck"),
    "settings": Text("другой параметр свода: имя=число", "another parameter of the rulebook: name=number"),
    "budget": Text("предел времени, например 60s или 2m", "time limit, say 60s or 2m"),
    "format": Text("text или json", "text or json"),
    "cards": Text("карты колоды через пробел", "cards of the deck, separated by spaces"),
    "project": Text("имя проекции из свода", "name of a projection of the rulebook"),
    "histories": Text(
        "дерево партий вместо состояний: истории, информационные множества, средние исходы",
        "the tree of plays instead of states: histories, information sets, mean outcomes",
    ),
    "count": Text("сколько партий", "how many games"),
    "seed": Text("зерно случайности: то же зерно — та же игра", "seed: the same seed, the same game"),
    "cap": Text("предел ходов в одной партии", "move limit of one game"),
    "output": Text("папка для сайта", "folder for the site"),
    "verify": Text("только сказать, изменилось бы что-нибудь", "only say whether something would change"),
    "agree": Text("сверить движки на стольких шагах", "compare the engines on so many steps"),
    "seat": Text("за какого игрока играете (по счёту)", "which player you are (counted from one)"),
    "record": Text("куда записать партию; несколько — папка", "where to keep the game; several — a folder"),
    "cited": Text("файл случаев: чьи решения тоже задействуют пункты", "file of cases whose rulings count as well"),
    "game": Text("файл записи партии", "file of a recorded game"),
    "cases": Text("файл случаев (YAML); без него судья спрашивает", "file of cases (YAML); without it the judge asks"),
    "recorded": Text("рассудить записанную партию: файл записи", "judge a recorded game: its file"),
    "protocol": Text("куда записать протокол", "where to keep the protocol"),
    "first": Text("с какого хода", "from which move on"),
    "last": Text("до какого хода", "up to which move"),
    "step": Text("по одному ходу, по нажатию Enter", "one move at a time, on Enter"),
    "breaches": Text(
        "как часто игроки делают недозволенное, от 0 до 1; без этого играют по правилам",
        "how often players do what is not allowed, 0 to 1; without it they keep the rules",
    ),
    "noticing": Text("какую долю нарушений замечают", "which part of the breaches is noticed"),
    "disputing": Text(
        "как охотно пользуются возникшим правом слова", "how readily a right to speak is used as it arises"
    ),
    "chatter": Text("как часто говорят по праву, которое есть всегда", "how often standing rights to speak are used"),
    "honesty": Text("какая доля ответов честна", "which part of the answers is honest"),
    "every": Text("при всех колодах и числах игроков", "at every deck and number of players"),
    "interpreter": Text("не компилировать, считать в Python", "do not compile, run in Python"),
    "lang": Text("язык сообщений: ru или en", "language of messages: ru or en"),
    "help": Text("эта подсказка", "this help"),
}

_WORDS = {
    "usage": Text("Использование", "Usage"),
    "arguments": Text("Аргументы", "Arguments"),
    "options": Text("Параметры", "Options"),
    "commands": Text("Команды", "Commands"),
    "about": Text(
        "Свод: язык правил карточных игр. Проверить, сыграть, прочесть.",
        "Svod: a language for rulebooks of card games. Check, play, read.",
    ),
    "codes": Text(
        "Код выхода: 0 — чисто, 1 — найденное на уровне ошибок, 2 — плохой ввод, 3 — внутренняя ошибка.",
        "Exit code: 0 clean, 1 findings at error level, 2 bad input, 3 internal error.",
    ),
    "more": Text("Подробнее: svod КОМАНДА --help", "More: svod COMMAND --help"),
}

_METAVARS = {
    "path": Text("ПУТЬ", "PATH"),
    "number": Text("НОМЕР", "NUMBER"),
    "game": Text("ЗАПИСЬ", "GAME"),
    "cases": Text("[СЛУЧАЙ]", "[CASE]"),
    "code": Text("[КОД]", "[CODE]"),
    "command": Text("КОМАНДА", "COMMAND"),
}


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max((len(left) for left, _ in rows), default=0)
    return [f"  {left.ljust(width)}  {right}" for left, right in rows]


def command_help(command: TyperCommand, name: str, language: str) -> str:
    """Help of one subcommand."""

    def word(key: str) -> str:
        return _WORDS[key].in_language(language)

    arguments: list[tuple[str, str]] = []
    options: list[tuple[str, str]] = []
    for parameter in command.params:
        if parameter.name is None or parameter.name == "help":
            continue
        text = OPTIONS[parameter.name].in_language(language)
        if parameter.param_type_name == "argument":
            arguments.append((_METAVARS[parameter.name].in_language(language), text))
        else:
            options.append((", ".join(sorted(parameter.opts, key=len)), text))
    options += [(f"--{key}", OPTIONS[key].in_language(language)) for key in ("lang", "help")]
    places = " ".join(left for left, _ in arguments)
    bracket = "[параметры]" if language == "ru" else "[options]"
    lines = [f"{word('usage')}: svod {name} {places} {bracket}", "", COMMANDS[name].in_language(language), ""]
    if arguments:
        lines += [word("arguments") + ":", *_columns(arguments), ""]
    lines += [word("options") + ":", *_columns(options), ""]
    return "\n".join(lines)


def overview(language: str) -> str:
    """Help of the program as a whole."""
    rows = [(name, text.in_language(language)) for name, text in COMMANDS.items()]
    words = {key: text.in_language(language) for key, text in _WORDS.items()}
    lines = [
        f"{words['usage']}: svod {_METAVARS['command'].in_language(language)} …",
        "",
        words["about"],
        "",
        words["commands"] + ":",
        *_columns(rows),
        "",
        words["codes"],
        words["more"],
        "",
    ]
    return "\n".join(lines)


class HelpfulCommand(TyperCommand):
    """A subcommand whose help comes from the tables above."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(command_help(self, self.name or "", str(ctx.obj or "ru")))


class HelpfulGroup(TyperGroup):
    """The program, whose help comes from the tables above."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview(str(ctx.obj or "ru")))


_RUSSIAN = (
    (r"No such option: (\S+).*", r"нет параметра \1"),
    (r"No such command '([^']*)'.*", r"нет команды «\1»"),
    (r"Missing argument 'path'.*", "не указан свод: папка, файл .md или имя"),
    (r"Missing argument 'number'.*", "не указан номер пункта"),
    (r"Missing argument 'game'.*", "не указан файл записи"),
    (r"Missing argument '?([^'.]*)'?.*", r"не хватает аргумента \1"),
    (r"Missing option '?([^'.]*)'?.*", r"не хватает параметра \1"),
    (r"Missing command.*", "не указана команда"),
    (r"Option '([^']*)' requires an argument.*", r"параметру \1 нужно значение"),
    (r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", r"лишние аргументы: \1"),
    (r"Invalid value for '?([^':]*)'?.*integer.*", r"\1: нужно целое число"),
    (r"Invalid value for '?([^':]*)'?.*", r"\1: такое значение не подходит"),
)


def usage_problem(error: typer.TyperException) -> Text:
    """What is wrong with the arguments, in both languages."""
    english = " ".join(error.format_message().split())
    for pattern, russian in _RUSSIAN:
        found = re.fullmatch(pattern, english)
        if found:
            return Text(found.expand(russian), english)
    return Text(f"аргументы не поняты: {english}", english)
