"""In: nothing. Out: the words of the language in Russian and in English as one table, and patterns that match them.

A row gives a terminal of `grammar.lark` its spelling in each language. Forms of one word are separated by `|`, the
first form is the one that is printed. A leading comma belongs to the keyword («, если»): the grammar can then tell
«, где» that goes on from a comma that separates. `,?` is a comma that may be left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LANGUAGES = ("ru", "en")

LETTER = "A-Za-zÀ-ÖØ-öø-ſЀ-ҁҊ-ӿ"
SYMBOL = "■-◿☀-➓⭐🀀-🫿"
VARIATION = "\ufe0e\ufe0f"
WORD_END = f"(?![0-9_{LETTER}{SYMBOL}])"
GAP = r"(?:\s|#[^\n]*\n)*"


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or phrase: `forms[language]` without the comma, printed form first; `comma[language]`: "", "," or ",?"."""

    terminal: str
    forms: dict[str, tuple[str, ...]]
    comma: dict[str, str]
    starts_statement: bool
    reserved: bool

    def text(self, language: str) -> str:
        """The printed form, with its comma where the Russian form has one."""
        return (", " if self.comma["ru"] else "") + self.forms[language][0]

    def word(self, language: str) -> str:
        """The printed form without a comma."""
        return self.forms[language][0]

    def agreeing(self, language: str, noun: str) -> str:
        """The form that agrees with a noun by its ending: «рука пуста», «кон пуст», «поле пусто», «руки пусты»."""
        forms = self.forms[language]
        ending = {"а": "а", "я": "а", "о": "о", "е": "о", "ы": "ы", "и": "ы"}.get(noun.split("_")[0][-1:], "")
        return next((form for form in forms if ending and form == forms[0] + ending), forms[0])

    def pattern(self, language: str) -> str:
        """Regular expression of all forms as whole words."""
        comma = {"": "", ",": "," + GAP, ",?": "(?:," + GAP + ")?"}[self.comma[language]]
        return comma + self.bare_pattern(language)

    def bare_pattern(self, language: str) -> str:
        """The same without the comma."""
        forms = sorted(self.forms[language], key=len, reverse=True)
        return "(?:" + "|".join(_phrase(form) for form in forms) + ")" + WORD_END

    def priority(self, language: str) -> int:
        """Longer phrases are tried first, so «не в» wins over «не»."""
        words = max(form.count(" ") for form in self.forms[language]) + 1
        return 10 * words + (100 if self.comma[language] else 0)


def _phrase(form: str) -> str:
    return r"\s+".join(re.escape(word) for word in form.split()).replace(r",\s+", r"\s*,?\s*")


# Terminals that begin a statement. The words of the second group stay free as names: the grammar tells them apart.
_STATEMENTS = (
    ("PARAMETER", "параметр", "parameter"),
    ("SORT", "сорт", "sort"),
    ("ORDER", "порядок", "order"),
    ("VARIABLES", "переменные|переменная", "variables|variable"),
    ("ZONE", "зона", "zone"),
    ("REGISTER", "ячейка", "register"),
    ("LEDGER", "счёт|счет", "ledger"),
    ("STAGES", "этапы", "stages"),
    ("EVENT", "событие", "event"),
    ("CLASS", "класс", "class"),
    ("ACTION", "действие", "action"),
    ("CHANCE", "случай", "chance"),
    ("TERM", "термин", "define"),
    ("ASKED", "спрашивается", "asked"),
    ("COMBINATION", "сочетание", "combination"),
    ("MAY", "может|могут", "may"),
    ("ENTITLED", "вправе", "entitled"),
    ("FORBID", "запрещено", "forbid"),
    ("MUST", "обязан|обязана|обязаны", "must"),
    ("ON", "при", "on"),
    ("AS_SOON_AS", "как только", "as soon as"),
    ("EXCEPT", "кроме", "except"),
    ("STEPS", "шаги", "steps"),
    ("END_WHEN", "конец, когда", "end when"),
    ("ALWAYS", "всегда", "always"),
    ("VIOLATION", "нарушение", "violation"),
    ("BREACHES_LAPSE", "нарушение забыто|нарушения забыты", "breaches lapse"),
    ("PENALTY", "штраф", "penalty"),
    ("WINDOW", "окно", "window"),
    ("READING", "чтение", "reading"),
    ("ADOPTED", "принято", "adopted"),
    ("VARIANT", "вариант", "variant"),
    ("PROJECTION", "проекция", "projection"),
    (
        "FOR_CHECKING",
        "для проверки любая часть колоды",
        "for checking any part of the deck|for checking any part of deck",
    ),
    ("NOT_FORMALISED", "не формализовано", "not formalised|not formalized"),
    ("WITHDRAW_READING", "снять чтение", "withdraw reading"),
)
_FREE_STATEMENTS = (
    ("SEATS", "места", "seats"),
    ("CATALOGUE", "каталог", "catalogue|catalog"),
    ("OUTCOME", "исход", "outcome"),
    ("INFORMATIVE", "информативно", "informative"),
    ("ACCEPT", "принять", "accept"),
    ("ANSWERS", "отвечает на", "answers"),
    ("BASIS", "основа", "basis"),
)
_EXPRESSIONS = (
    ("IF", "если", "if"),
    ("AND", "и", "and"),
    ("OR", "или", "or"),
    ("NOT", "не", "not"),
    ("IN", "в", "in"),
    ("NOT_IN", "не в", "not in"),
    ("IS_EMPTY", "пуст|пуста|пусто|пусты", "is empty|are empty"),
    ("IS_NOT_EMPTY", "не пуст|не пуста|не пусто|не пусты", "is not empty|are not empty"),
    ("EXISTS", "есть", "exists"),
    ("NONE", "нет", "none"),
    ("YES", "да", "yes"),
    ("NO", "ложь", "no"),
    ("FOR_ALL", "для всех", "for all"),
    ("FOR", "для", "for"),
    ("COUNT", "число", "count"),
    ("ONLY", "единственный|единственная|единственное", "only"),
    ("SUM", "сумма", "sum"),
    ("LARGEST", "наибольший|наибольшая|наибольшее", "largest"),
    ("SMALLEST", "наименьший|наименьшая|наименьшее", "smallest"),
    ("BY", "по", "by"),
    ("FIRST", "первый|первая|первое", "first"),
    ("WAS", "было", "before"),
    ("HAPPENED_NOW", "сейчас", "now"),
    ("ALLOWED", "можно", "allowed"),
    ("STEP_OF", "шаг", "step"),
    ("FROM", "из", "from"),
    ("BEGIN", "начать", "begin"),
    ("GO_TO", "перейти к", "go to"),
    ("GIVEN", "дано", "given"),
    ("EXPECT", "тогда", "then"),
)
# Words that the grammar expects only where no name can stand.
_OTHERS = (
    ("NAMES", "имена", "names"),
    ("SET", "набор", "set"),
    ("PILE", "стопка", "pile"),
    ("WITH_AUTHORS", "с авторами", "with authors"),
    ("SEEN_BY_ALL", "видят все|видит всякий", "seen by all"),
    ("SEEN_BY_OWNER", "видит владелец", "seen by owner"),
    ("SEEN_BY_NOBODY", "не видит никто|никто не видит", "seen by nobody"),
    ("AT_MOST", "не больше", "at most"),
    ("PART_OF", "часть", "part of"),
    ("FULL_AT_START", "полна в начале|полон в начале|полно в начале", "full at start"),
    ("OUTSIDE_FRAME", "вне снимка", "outside the frame|outside frame"),
    ("YES_OR_NO", "да или нет", "yes or no"),
    ("OUTPUT", "итог", "output"),
    ("ON_STAGE", "на этап|на этапе", "on stage"),
    ("DRIVES", "ведёт игру|ведет игру", "drives the game"),
    ("SILENCE_PERMITS", "молчание разрешает", "silence permits"),
    ("POSSIBLE_IF", "возможно, если", "possible if"),
    ("BODY", "тело", "body"),
    ("MODE_FIRST", "первое", "first"),
    ("MODE_UNIQUE", "единственное", "unique"),
    ("MODE_ANY", "любое", "any"),
    ("AT_ONCE", "сразу", "now"),
    ("UNTIMED", "без срока", "untimed"),
    ("BEFORE_ACT", "до", "before"),
    ("CLOCKWISE_AFTER", "по часовой после", "clockwise after"),
    ("CLOCKWISE_FROM", "по часовой от", "clockwise from"),
    ("UNDER", "под", "under"),
    ("OPEN", "открыть", "open"),
    ("CLOSE", "закрыть", "close"),
    ("RESTORE", "восстановить положение", "restore the position|restore position"),
    ("DO", "действие", "do"),
    ("REST_IN", "остальное в|остальные в", "rest in"),
    ("LAID_FROM", "от", "laid by"),
    ("LAWFUL", "законно", "lawful"),
    ("UNLAWFUL", "незаконно", "unlawful"),
    ("CONTESTED", "спорно", "contested"),
    ("IMPOSSIBLE", "невозможно", "impossible"),
    ("HOLE", "дыра", "hole"),
    ("RACE", "гонка", "race"),
    ("CLASH", "спор", "clash"),
)
# Words that go on after a comma. They are reserved: a list of names has commas too.
_JOINING = (
    ("COMMA_IF", ", если", ",? if"),
    ("COMMA_THEN", ", то", ", then"),
    ("COMMA_ELSE", ", иначе", ",? else"),
    ("COMMA_WHERE", ", где", ",? where"),
    ("COMMA_WHEN", ", когда", ",? when"),
    ("COMMA_WHILE", ", пока", ",? while"),
    ("COMMA_DESPITE", ", несмотря на", ",? despite"),
    ("COMMA_AFTER", ", после", ",? after"),
    ("COMMA_UNDER_RULE", ", по", ",? under"),
    ("COMMA_LAID_BY", ", положил|, положила|, положили", ", laid by"),
    ("COMMA_CHANCE", ", случай", ", chance"),
    ("COMMA_WITH", ", с|, со", ", with"),
)


def _row(terminal: str, ru: str, en: str, starts: bool, reserved: bool) -> Keyword:
    forms, comma = {}, {}
    for language, cell in (("ru", ru), ("en", en)):
        comma[language] = cell.split(" ")[0] if cell.startswith(",") else ""
        forms[language] = tuple(form.lstrip(",? ").strip() for form in cell.split("|"))
    return Keyword(terminal, forms, comma, starts, reserved)


KEYWORDS: dict[str, Keyword] = {
    terminal: _row(terminal, ru, en, starts, reserved)
    for rows, starts, reserved in (
        (_STATEMENTS, True, True),
        (_FREE_STATEMENTS, True, False),
        (_EXPRESSIONS, False, True),
        (_OTHERS, False, False),
        (_JOINING, False, True),
    )
    for terminal, ru, en in rows
}

FENCES = {"clauses": {"ru": "правило", "en": "rule"}, "example": {"ru": "пример", "en": "example"}}
OPERATIONS = {
    "replace": {"ru": "Заменить", "en": "Replace"},
    "add": {"ru": "Добавить", "en": "Add"},
    "extend": {"ru": "Дополнить", "en": "Extend"},
    "withdraw": {"ru": "Изъять", "en": "Withdraw"},
}


def word(terminal: str, language: str) -> str:
    """The printed form of a terminal without a comma."""
    return KEYWORDS[terminal].word(language)


def reserved_words(language: str) -> tuple[str, ...]:
    """Single words that cannot be names."""
    return tuple(
        form for keyword in KEYWORDS.values() if keyword.reserved for form in keyword.forms[language] if " " not in form
    )


# Letters, a hyphen (after capitals it may be absent), numbers with dots; a small letter may end each number.
_DASH = "[-‐‑]"
_NUMBER_TAIL = r"[0-9]+[a-zа-яё]?(?:\.[0-9]+[a-zа-яё]?)*" + WORD_END
STEP_NUMBER = f"[A-ZА-ЯЁ][A-Za-zА-Яа-яЁё]{{0,2}}{_DASH}{_NUMBER_TAIL}"
RULE_NUMBER = f"(?:{STEP_NUMBER}|[A-ZА-ЯЁ]{{1,3}}{_NUMBER_TAIL})"


def canonical_number(text: str) -> str:
    """A rule number with the plain hyphen in place of its typographic twins."""
    return re.sub(_DASH, "-", text)


def name_pattern(language: str) -> str:
    """A word, a value such as 9♦, or a symbol alone, and none of the reserved words."""
    reserved = "|".join(sorted((re.escape(item) for item in reserved_words(language)), key=len, reverse=True))
    word_characters = f"[0-9_{LETTER}]"
    value = f"{word_characters}*[{SYMBOL}][{VARIATION}]?"
    return f"(?!(?:{reserved}){WORD_END})(?:{value}|[_{LETTER}]{word_characters}*)"
