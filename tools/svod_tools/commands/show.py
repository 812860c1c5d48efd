"""In: the number of an item. Out: its text, clauses, the sentences read back, exceptions, references and history."""

from __future__ import annotations

import difflib

from rich.text import Text as Rich

from svod.diagnostics import Code, Problems, Text
from svod.prose.document import Article, Document
from svod_tools import terminal
from svod_tools.options import Choice
from svod_tools.workbench import Workbench, open_workbench

NO_ITEM = Code(
    "C004",
    Text("такого пункта нет", "no such item"),
    Text(
        "В своде (с учётом редакции и поправок) нет пункта с этим номером. Номер пишется как в заголовке пункта.",
        "The rulebook (at this edition, with these overlays) has no item of this number. "
        "A number is written as in the item's heading.",
    ),
)

_STATUS = {
    "informative": Text("информативно", "informative"),
    "pending": Text("не формализовано", "not formalised"),
}
_OPERATIONS = {
    "replace": Text("заменён", "replaced"),
    "add": Text("добавлен", "added"),
    "extend": Text("дополнен", "extended"),
    "withdraw": Text("изъят", "withdrawn"),
}


def run(choice: Choice, number: str) -> int:
    """Print everything about one item."""
    bench = open_workbench(choice)
    if isinstance(bench, int):
        return bench
    problems = Problems()
    norms = bench.norms(problems)
    if norms is not None:
        bench.switches(norms, problems)  # shown or not, a name that is nothing is told
    if problems.has_errors:
        return bench.fail(problems)
    found = _find(bench, number, problems)
    if found is None:
        return bench.fail(problems)
    article = Document(bench.compilation.book, norms, choice.language).article(found)
    terminal.show(article_text(article, choice.language))
    return 0


def _find(bench: Workbench, number: str, problems: Problems) -> str | None:
    """The number as the rulebook writes it: case, dashes and look-alike letters are forgiven."""
    numbers = [item.number for item in bench.compilation.book.items]
    if number in numbers:
        return number
    alike = [each for each in numbers if _plain(each) == _plain(number)]
    if len(alike) == 1:
        return alike[0]
    close = ", ".join(difflib.get_close_matches(number, numbers, 3, 0.5)) or f"{numbers[0]} … {numbers[-1]}"
    withdrawn = {item.number for item in bench.compilation.book.withdrawn}
    if number in withdrawn:
        message = Text(f"пункт {number} изъят", f"item {number} is withdrawn")
    else:
        message = Text(f"пункта «{number}» нет", f"there is no item “{number}”")
    problems.report(NO_ITEM, message, None, help=Text(f"похоже: {close}", f"close: {close}"))
    return None


def _plain(number: str) -> str:
    table = str.maketrans("абвеёкмнорстух", "abbeekmhopctyx")
    return "".join(letter for letter in number.lower() if letter.isalnum() or letter == ".").translate(table)


def article_text(article: Article, language: str) -> Rich:
    """The item as the terminal shows it."""
    item = article.item
    text = Rich(f"{item.number} {item.title}\n", style="bold")
    if item.prose.strip():
        text.append(f"\n{item.prose.strip()}\n", style="")
    if item.status is not None:
        text.append(f"\n{_STATUS[item.status.kind].in_language(language)}: {item.status.reason}\n", style="yellow")
    elif item.clause_text.strip():
        _titled(text, Text("Запись", "Clauses"), language)
        text.append("\n".join(f"  {line}" for line in item.clause_text.strip("\n").splitlines()) + "\n", style="cyan")
    lines = [*article.declared, *(each.sentence for each in article.sentences)]
    if lines:
        _titled(text, Text("Как понял движок", "As the engine understood it"), language)
        text.append("".join(f"  – {line}\n" for line in lines))
    for title, numbers in _references(article):
        if numbers:
            text.append(f"\n{title.in_language(language)}: ", style="bold").append(", ".join(numbers))
    examples = [example.title or "…" for example in item.examples]
    if examples:
        text.append("\n").append(Text("Примеры", "Examples").in_language(language) + ": ", style="bold")
        text.append("; ".join(examples))
    for change in item.history:
        done = _OPERATIONS[change.operation].in_language(language) if change.operation in _OPERATIONS else ""
        answers = f" ({', '.join(change.answers)})" if change.answers else ""
        text.append(f"\n{change.overlay}: {done}{answers}", style="magenta")
    return text


def _titled(text: Rich, title: Text, language: str) -> None:
    text.append(f"\n{title.in_language(language)}:\n", style="bold")


def _references(article: Article) -> tuple[tuple[Text, tuple[str, ...]], ...]:
    return (
        (Text("Исключение из", "Excepts"), article.excepts),
        (Text("Уступает", "Yields to"), article.excepted_by),
        (Text("Идёт после", "Goes after"), article.goes_after),
        (Text("Ссылается на", "Refers to"), article.refers_to),
        (Text("На него ссылаются", "Referred to by"), article.referred_by),
    )
