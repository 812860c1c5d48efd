"""In: the place where the grammar stopped. Out: one diagnostic that says what is wrong there and what would help."""

from __future__ import annotations

import re
from dataclasses import dataclass

from svod.diagnostics import Code, Text
from svod.syntax import codes
from svod.syntax.expectations import begins_statement, did_you_mean, keywords_of, list_expected, some_starts
from svod.syntax.keywords import KEYWORDS, LETTER, SYMBOL, reserved_words
from svod.syntax.parsing import Failure

_WORD = re.compile(f"[0-9_{LETTER}{SYMBOL}]+")
_NUMBER_WITH_DASH = re.compile(f"[{LETTER}]{{1,3}}[–—−][0-9][0-9.]*")
_QUOTES = "«»“”„\"'"
_EFFECTS = ("EVENT", "BEGIN", "GO_TO", "OPEN", "CLOSE", "RESTORE")
_COMPARISONS = ("EQUAL_SIGN", "UNEQUAL_SIGN", "LESS_SIGN", "LESS_OR_EQUAL_SIGN", "MORE_SIGN", "MORE_OR_EQUAL_SIGN")


@dataclass(frozen=True, slots=True)
class Hint:
    """What to report, at `start:end`."""

    code: Code
    message: Text
    start: int
    end: int
    help: Text | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A failure in its surroundings: the whole text, where the statement begins that holds it, the language."""

    failure: Failure
    text: str
    statement: int
    language: str

    @property
    def before(self) -> str:
        """The statement up to the failure, without spaces at its end."""
        return self.text[self.statement : self.failure.start].rstrip()


def explain(failure: Failure, text: str, statement: int, language: str, at_boundary: bool) -> Hint:
    """The likeliest reason for a failure; `statement` is where the statement begins that holds it.

    `at_boundary`: the failure is at the end of the fence or at a word that begins another statement.
    """
    place = Place(failure, text, statement, language)
    start = failure.start
    if at_boundary:
        return _slip_before(place) or _broken_off(place)
    if failure.kind is None and failure.found in _QUOTES:
        message = Text("кавычки открыты и не закрыты", "quotation marks are opened and not closed")
        return Hint(codes.UNCLOSED_QUOTE, message, start, start + 1, Text("закройте: «…»", "close them: «…»"))
    dashed = _NUMBER_WITH_DASH.match(text, start)
    if dashed and "RULE_NUMBER" in failure.expected:
        message = Text(f"«{dashed[0]}» не номер пункта", f"“{dashed[0]}” is not a rule number")
        help = Text("в номере пишется дефис `-`, а не тире", "a number has a hyphen `-`, not a dash")
        return Hint(codes.UNKNOWN_CHARACTER, message, start, dashed.end(), help)
    found = _WORD.match(text, start)
    return _at_sign(place) if found is None else _at_word(place, found[0])


# ------------------------------------------------------------------------------------------------ broken off


def _broken_off(place: Place) -> Hint:
    """The statement stopped before the grammar was satisfied."""
    before, expected = place.before, place.failure.expected
    end = place.statement + len(before)
    if before.endswith(";"):
        message = Text("после последнего действия точка с запятой не нужна", "no semicolon after the last effect")
        return Hint(codes.NEEDLESS_SEMICOLON, message, end - 1, end, Text("уберите `;`", "delete `;`"))
    opened = _open_parenthesis(place.text, place.statement, end)
    if opened is not None and "_RPAR" in expected:
        return _unclosed(opened)
    start = max(place.statement, end - len(_last_word(before)))
    if "_ADOPTED" in expected:
        word = KEYWORDS["ADOPTED"].word(place.language)
        message = Text("чтения не закончены: не сказано, какое принято", "the readings do not end: none is adopted")
        return Hint(codes.UNFINISHED, message, start, end, Text(f"добавьте `{word} А: «…»`", f"add `{word} A: «…»`"))
    message = Text("запись оборвалась после этого", "the statement breaks off after this")
    return Hint(codes.UNFINISHED, message, start, max(end, start + 1), list_expected(expected, place.language))


def _unclosed(place: int) -> Hint:
    message = Text("скобка открыта и не закрыта", "the parenthesis is opened and not closed")
    return Hint(codes.UNCLOSED_PARENTHESIS, message, place, place + 1, Text("поставьте `)`", "put `)`"))


# ------------------------------------------------------------------------------------------------ at a word


def _at_word(place: Place, word: str) -> Hint:
    failure, language, expected = place.failure, place.language, place.failure.expected
    start, end = failure.start, failure.start + len(word)
    comma = _missing_comma(place)
    if comma is not None:
        return comma
    opened = _open_parenthesis(place.text, place.statement, start)
    if "NAME" in expected and word in reserved_words(language):
        near = did_you_mean(word, (key for key in keywords_of(expected) if word in key.text(language)), language)
        message = Text(f"«{word}» — слово языка, а не имя", f"“{word}” is a word of the language, not a name")
        return Hint(codes.RESERVED_WORD, message, start, end, near or list_expected(expected, language))
    first = _first_on_line(place.text, start)
    candidates = [key for key in keywords_of(expected) if first or not begins_statement(key)]
    help = did_you_mean(word, candidates, language)
    if help is None and first and any(begins_statement(keyword) for keyword in keywords_of(expected)):
        body = KEYWORDS["BODY"].word(language)
        if "_BODY" in expected and "→" in place.text[start:].split("\n")[0]:
            message = Text("действия пишутся после слова `тело`", "effects are written after the word `body`")
            return Hint(codes.SYNTAX, message, start, end, Text(f"напишите `{body}:`", f"write `{body}:`"))
        help = some_starts(expected, language)
    if first and any(begins_statement(keyword) for keyword in keywords_of(expected)):
        message = Text(f"запись не может начинаться со слова «{word}»", f"a statement cannot begin with “{word}”")
        return Hint(codes.UNKNOWN_WORD, message, start, end, help)
    slip = None if help is not None else _slip_before(place)
    if slip is not None:
        return slip
    if opened is not None and help is None and _goes_on_after_parenthesis(failure):
        return _unclosed(opened)
    if help is None and opened is not None and {"_COMMA", "_RPAR"} <= expected:
        message = Text(f"пропущена запятая перед «{word}»", f"a comma is missing before “{word}”")
        return Hint(codes.MISSING_COMMA, message, start, end, Text(f"напишите `, {word}`", f"write `, {word}`"))
    if help is None and word[0].isdigit() and not word.isdigit():
        help = Text("имя не начинается с цифры", "a name does not begin with a digit")
    return _unexpected(word, start, help or list_expected(expected, language))


def _unexpected(word: str, start: int, help: Text | None) -> Hint:
    message = Text(f"непонятно слово «{word}»", f"unexpected word “{word}”")
    return Hint(codes.SYNTAX, message, start, start + len(word), help)


def _goes_on_after_parenthesis(failure: Failure) -> bool:
    """Whether what was found goes on with a statement whose parenthesis should have been closed."""
    after = ("_COLON", "_SEMICOLON", "_ARROW", "_ASSIGN", "_COMMA_IF", "_COMMA_WHILE", "_COMMA_DESPITE", "_COMMA_AFTER")
    return "_RPAR" in failure.expected and failure.kind in after


def _missing_comma(place: Place) -> Hint | None:
    start = place.failure.start
    for keyword in keywords_of(place.failure.expected):
        if keyword.comma[place.language] != ",":
            continue
        found = re.match(keyword.bare_pattern(place.language), place.text[start : start + 40])
        if found:
            message = Text(f"пропущена запятая перед `{found[0]}`", f"a comma is missing before `{found[0]}`")
            help = Text(f"напишите `, {found[0]}`", f"write `, {found[0]}`")
            return Hint(codes.MISSING_COMMA, message, start, start + len(found[0]), help)
    return None


def _slip_before(place: Place) -> Hint | None:
    """A word taken for a name just before the failure that is a slip of a joining word (`, есле` for `, если`), or of a
    word that begins an effect (`: откыть дверь`)."""
    found = re.search(rf"(?P<sign>[,:;(])\s*(?P<word>[{LETTER}]+)$", place.before)
    if found is None or (found["sign"] != "," and "_ARROW" not in place.failure.expected):
        return None
    joining = [keyword for keyword in KEYWORDS.values() if keyword.comma["ru"]]
    candidates = joining if found["sign"] == "," else [KEYWORDS[name] for name in _EFFECTS]
    help = did_you_mean(found["word"], candidates, place.language)
    if help is None or any(found["word"] in keyword.forms[place.language] for keyword in candidates):
        return None
    return _unexpected(found["word"], place.statement + found.start("word"), help)


# ------------------------------------------------------------------------------------------------ at a sign


def _at_sign(place: Place) -> Hint:
    failure, expected, text = place.failure, place.failure.expected, place.text
    start, sign = failure.start, failure.found or text[failure.start : failure.start + 1]
    if failure.kind is None:
        return _stray(place, sign)
    opened = _open_parenthesis(text, place.statement, start)
    if opened is not None and _goes_on_after_parenthesis(failure):
        then = re.search(KEYWORDS["COMMA_THEN"].pattern(place.language), text[start : start + 200])
        if failure.kind == "_COMMA_IF" and then:
            word = KEYWORDS["IF"].word(place.language)
            advice = Text(f"возьмите его в скобки: `({word} …)`", f"put it in parentheses: `({word} …)`")
            return _unexpected(word, start + len(sign) - len(word), advice)
        return _unclosed(opened)
    joined = re.match(rf",\s*([{LETTER}]+)", text[start : start + 60])
    help: Text | None = None
    if joined:
        slip = did_you_mean(joined[1], (key for key in keywords_of(expected) if key.comma["ru"]), place.language)
        if slip is not None or failure.kind != "_COMMA":
            return _unexpected(joined[1], start + joined.start(1), slip or list_expected(expected, place.language))
    if sign == "," and "_SEMICOLON" in expected:
        help = Text("действия разделяет `;`", "effects are divided by `;`")
    elif sign == "=" and "_ASSIGN" in expected:
        help = Text("значение дают знаком `:=`", "a value is given with `:=`")
    elif sign == ":=" and "EQUAL_SIGN" in expected:
        help = Text("сравнивают знаком `=`", "compare with `=`")
    elif sign == "=" and "_GIVEN" in expected:
        help = Text("части одной строки примера разделяет `;`", "parts of a line of an example are divided by `;`")
    elif failure.kind in _COMPARISONS and "_AND" in expected:
        word = KEYWORDS["AND"].word(place.language)
        help = Text(f"сравнения не сцепляются: `a < b {word} b < c`", f"comparisons do not chain: `a < b {word} b < c`")
    elif sign == "-" and _inside_word(text, start):
        help = Text("в имени вместо дефиса пишется `_`", "a name has `_` in place of a hyphen")
    elif sign == ")" and opened is None:
        help = Text("эта скобка ничего не закрывает", "this parenthesis closes nothing")
    message = Text(f"непонятен знак `{sign}`", f"unexpected sign `{sign}`")
    return Hint(codes.SYNTAX, message, start, start + len(sign), help or list_expected(expected, place.language))


def _stray(place: Place, sign: str) -> Hint:
    start = place.failure.start
    shown = sign if sign.isprintable() and not sign.isspace() else f"U+{ord(sign):04X}" if sign else "?"
    help = list_expected(place.failure.expected, place.language)
    if not sign.isprintable():
        help = Text("удалите невидимый знак", "delete the invisible character")
    elif sign in "–—":
        help = Text("дефис в номере и вычитание — `-`", "the hyphen of a number and minus are `-`")
    elif sign in "&|":
        word = KEYWORDS["AND" if sign == "&" else "OR"].word(place.language)
        help = Text(f"пишите `{word}`", f"write `{word}`")
    message = Text(f"посторонний знак `{shown}`", f"stray character `{shown}`")
    return Hint(codes.UNKNOWN_CHARACTER, message, start, start + 1, help)


# ------------------------------------------------------------------------------------------------------- texts


def _open_parenthesis(text: str, start: int, end: int) -> int | None:
    """The last parenthesis in the stretch that stays open."""
    opened = []
    for match in re.finditer(r"#[^\n]*|«[^»]*»?|\"[^\"\n]*\"|[()]", text[start:end]):
        if match[0] == "(":
            opened.append(start + match.start())
        elif match[0] == ")" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _first_on_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()


def _inside_word(text: str, place: int) -> bool:
    return bool(_WORD.match(text, place + 1)) and place > 0 and bool(_WORD.match(text[place - 1]))


def _last_word(text: str) -> str:
    found = re.search(r"\S+$", text)
    return found[0][-40:] if found else ""
