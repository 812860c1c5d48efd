"""In: the place where the grammar stopped. Out: one diagnostic that says what is wrong there and what would help."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from svod.diagnostics import Code, Text
from svod.syntax import codes
from svod.syntax.keywords import KEYWORDS, LANGUAGES, LETTER, SYMBOL, Keyword, reserved_words
from svod.syntax.lookalike import skeleton
from svod.syntax.parsing import PUNCTUATION, Failure

_WORD = re.compile(f"[0-9_{LETTER}{SYMBOL}]+")
_SIGNS = {name: pattern.split("|")[0].replace("\\", "") for name, pattern, _ in PUNCTUATION} | {"_PIPE": "|"}
_QUOTES = "«»“”„\"'"
_CLASSES = {
    "NAME": Text("имя", "a name"),
    "NUMBER": Text("число", "a number"),
    "RULE_NUMBER": Text("номер пункта", "a rule number"),
    "STRING": Text("текст в кавычках «…»", "a text in quotation marks «…»"),
}
_COMPARISONS = ("EQUAL_SIGN", "UNEQUAL_SIGN", "LESS_SIGN", "LESS_OR_EQUAL_SIGN", "MORE_SIGN", "MORE_OR_EQUAL_SIGN")


@dataclass(frozen=True, slots=True)
class Hint:
    """What to report, at `start:end`."""

    code: Code
    message: Text
    start: int
    end: int
    help: Text | None = None


def explain(failure: Failure, text: str, statement: int, language: str, at_boundary: bool) -> Hint:
    """The likeliest reason for a failure; `statement` is where the statement begins that holds it.

    `at_boundary`: the failure is at the end of the fence or at a word that begins another statement.
    """
    if at_boundary:
        return _broken_off(failure, text, statement, language)
    if failure.kind is None and failure.found in _QUOTES:
        help = Text("закройте кавычки: «…»", "close the quotation marks: «…»")
        message = Text("кавычки открыты и не закрыты", "quotation marks are opened and not closed")
        return Hint(codes.UNCLOSED_QUOTE, message, failure.start, failure.start + 1, help)
    found = _WORD.match(text, failure.start)
    if found is None:
        return _at_sign(failure, text, statement, language)
    return _at_word(failure, text, found[0], language)


# ------------------------------------------------------------------------------------------------------ places


def _broken_off(failure: Failure, text: str, statement: int, language: str) -> Hint:
    """The statement stopped before the grammar was satisfied."""
    before = text[statement : failure.start].rstrip()
    end = statement + len(before)
    if before.endswith(";"):
        message = Text("после последнего действия точка с запятой не нужна", "no semicolon after the last effect")
        return Hint(codes.NEEDLESS_SEMICOLON, message, end - 1, end, Text("уберите `;`", "delete `;`"))
    opened = _open_parenthesis(text, statement, end)
    if opened is not None:
        return _unclosed(opened)
    start = max(statement, end - len(_last_word(before)))
    message = Text("запись оборвалась после этого", "the statement breaks off after this")
    return Hint(codes.UNFINISHED, message, start, max(end, start + 1), _list_expected(failure, language))


def _unclosed(place: int) -> Hint:
    message = Text("скобка открыта и не закрыта", "the parenthesis is opened and not closed")
    return Hint(codes.UNCLOSED_PARENTHESIS, message, place, place + 1, Text("поставьте `)`", "put `)`"))


def _at_word(failure: Failure, text: str, word: str, language: str) -> Hint:
    start, end = failure.start, failure.start + len(word)
    comma = _missing_comma(failure, text, language)
    if comma is not None:
        return comma
    help = _did_you_mean(word, failure, language)
    starts = any(keyword.starts_statement for keyword in _expected_keywords(failure))
    if starts and _first_on_line(text, start):
        message = Text(f"запись не может начинаться со слова «{word}»", f"a statement cannot begin with “{word}”")
        return Hint(codes.UNKNOWN_WORD, message, start, end, help or _some_starts(language))
    if "NAME" in failure.expected and word in reserved_words(language):
        message = Text(f"«{word}» — слово языка, а не имя", f"“{word}” is a word of the language, not a name")
        return Hint(codes.RESERVED_WORD, message, start, end, help or _list_expected(failure, language))
    message = Text(f"непонятно слово «{word}»", f"unexpected word “{word}”")
    return Hint(codes.SYNTAX, message, start, end, help or _list_expected(failure, language))


def _at_sign(failure: Failure, text: str, statement: int, language: str) -> Hint:
    start, sign, expected = failure.start, failure.found or text[failure.start : failure.start + 1], failure.expected
    if failure.kind is None:
        return _stray(failure, sign, language)
    help = None
    if sign == "=" and "_ASSIGN" in expected:
        help = Text("значение дают знаком `:=`", "a value is given with `:=`")
    elif sign == ":=" and "EQUAL_SIGN" in expected:
        help = Text("сравнивают знаком `=`", "compare with `=`")
    elif failure.kind in _COMPARISONS and "_AND" in expected:
        help = Text("сравнения не сцепляются: `a < b и b < c`", "comparisons do not chain: `a < b and b < c`")
    elif failure.kind in ("_COLON", "_SEMICOLON", "_ARROW", "_ASSIGN") and "_RPAR" in expected:
        opened = _open_parenthesis(text, statement, start)
        if opened is not None:
            return _unclosed(opened)
    message = Text(f"непонятен знак `{sign}`", f"unexpected sign `{sign}`")
    return Hint(codes.SYNTAX, message, start, start + len(sign), help or _list_expected(failure, language))


def _stray(failure: Failure, sign: str, language: str) -> Hint:
    shown = sign if sign.isprintable() and not sign.isspace() else f"U+{ord(sign):04X}" if sign else "?"
    message = Text(f"посторонний знак `{shown}`", f"stray character `{shown}`")
    help = _list_expected(failure, language)
    if not sign.isprintable():
        help = Text("удалите невидимый знак", "delete the invisible character")
    elif sign in "–—":
        help = Text("дефис в номере и вычитание — `-`", "the hyphen of a number and minus are `-`")
    elif sign == "&":
        help = Text("пишите `и`", "write `and`")
    return Hint(codes.UNKNOWN_CHARACTER, message, failure.start, failure.start + 1, help)


# ------------------------------------------------------------------------------------------------ expectations


def _expected_keywords(failure: Failure) -> list[Keyword]:
    return [KEYWORDS[name[1:]] for name in sorted(failure.expected) if name[1:] in KEYWORDS and name[0] == "_"]


def _missing_comma(failure: Failure, text: str, language: str) -> Hint | None:
    for keyword in _expected_keywords(failure):
        if keyword.comma[language] != ",":
            continue
        found = re.match(keyword.bare_pattern(language), text[failure.start : failure.start + 40])
        if found:
            message = Text(f"пропущена запятая перед `{found[0]}`", f"a comma is missing before `{found[0]}`")
            help = Text(f"напишите `, {found[0]}`", f"write `, {found[0]}`")
            return Hint(codes.MISSING_COMMA, message, failure.start, failure.start + len(found[0]), help)
    return None


def _did_you_mean(word: str, failure: Failure, language: str) -> Text | None:
    expected = _expected_keywords(failure)
    forms = {form: keyword for keyword in expected for form in keyword.forms[language]}
    for form in forms:
        if word != form and skeleton(word) == skeleton(form):
            return Text(f"`{form}` набрано буквами другого алфавита", f"`{form}` is typed in another alphabet")
    for other in LANGUAGES:
        for keyword in expected:
            if other != language and any(word.casefold() == form.split()[0] for form in keyword.forms[other]):
                printed = keyword.text(language)
                return Text(f"на языке этого файла это `{printed}`", f"in the language of this file it is `{printed}`")
    first_words = {form.split()[0].rstrip(","): form for form in forms}
    close = difflib.get_close_matches(word.casefold(), first_words, n=1, cutoff=0.7)
    if not close:
        return None
    return Text(f"возможно, `{first_words[close[0]]}`?", f"perhaps `{first_words[close[0]]}`?")


def _some_starts(language: str) -> Text:
    shown = ("MAY", "ENTITLED", "FORBID", "MUST", "TERM", "ON", "AS_SOON_AS", "ACTION", "ZONE", "REGISTER")
    words = ", ".join(f"`{KEYWORDS[name].word(language)}`" for name in shown)
    return Text(f"записи начинаются словами {words} и другими", f"statements begin with {words} and others")


def _list_expected(failure: Failure, language: str) -> Text | None:
    """Up to eight things that could stand here; nothing where almost anything could."""
    names = sorted(failure.expected)
    if "NAME" in names and "_IF" in names:
        return Text("здесь ожидается выражение", "an expression is expected here")
    signs = [f"`{_SIGNS[name]}`" for name in names if name in _SIGNS]
    words = [
        f"`{keyword.text(language).lstrip(', ') if not keyword.comma[language] else keyword.text(language)}`"
        for keyword in _expected_keywords(failure)
        if not keyword.starts_statement
    ]
    kinds = [_CLASSES[name] for name in names if name in _CLASSES]
    russian = [kind.ru for kind in kinds] + signs + words
    english = [kind.en for kind in kinds] + signs + words
    if not russian or len(russian) > 8:
        return None
    return Text("здесь ожидается: " + ", ".join(russian), "expected here: " + ", ".join(english))


# ------------------------------------------------------------------------------------------------------- texts


def _open_parenthesis(text: str, start: int, end: int) -> int | None:
    """The last parenthesis in the stretch that stays open."""
    opened = []
    for match in re.finditer(r"#[^\n]*|«[^»]*»|\"[^\"\n]*\"|[()]", text[start:end]):
        if match[0] == "(":
            opened.append(start + match.start())
        elif match[0] == ")" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _first_on_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()


def _last_word(text: str) -> str:
    found = re.search(r"\S+$", text)
    return found[0][-40:] if found else ""
