"""The codes of the problems that reading a text can have."""

from __future__ import annotations

from svod.diagnostics import Code, Severity, Text


def _code(name: str, ru: str, en: str, more_ru: str, more_en: str, severity: Severity = Severity.ERROR) -> Code:
    return Code(name, Text(ru, en), Text(more_ru, more_en), severity)


NOT_UTF8 = _code(
    "S001",
    "файл не в UTF-8",
    "the file is not UTF-8",
    "Свод читается в кодировке UTF-8. Пересохраните файл: в редакторе это «Сохранить как… UTF-8».",
    "A rulebook is read as UTF-8. Save the file again: in an editor this is “Save as… UTF-8”.",
)
EMPTY_TEXT = _code(
    "S002",
    "текст пуст",
    "the text is empty",
    "В файле нет ни одного видимого знака. Удалите файл или впишите в него пункты.",
    "The file holds no visible character. Delete the file or write items into it.",
)
TOO_LARGE = _code(
    "S003",
    "текст слишком велик",
    "the text is too large",
    "Одна глава не больше двух миллионов знаков. Разделите её на несколько файлов.",
    "One chapter is at most two million characters. Split it into several files.",
)
TOO_DEEP = _code(
    "S004",
    "слишком глубокая вложенность",
    "nested too deeply",
    "Выражение вложено глубже ста уровней. Дайте его частям имена с помощью `термин`.",
    "An expression is nested deeper than a hundred levels. Give its parts names with `define`.",
)
FRONT_MATTER = _code(
    "S005",
    "не читается шапка файла",
    "the front matter cannot be read",
    "Шапка стоит между двумя строками `---`, в каждой её строке `ключ: значение`; один ключ встречается один раз.",
    "The front matter stands between two lines `---`; each of its lines is `key: value`, and a key occurs once.",
)
LANGUAGE = _code(
    "S006",
    "неизвестный язык",
    "unknown language",
    "Слова языка правил есть по-русски (`ru`) и по-английски (`en`). Язык назван в шапке первой главы.",
    "The words of the language exist in Russian (`ru`) and English (`en`); the front matter names one of them.",
)
UNCLOSED_FENCE = _code(
    "S010",
    "блок не закрыт",
    "the fence is not closed",
    "Блок начинается строкой из трёх обратных кавычек и кончается такой же строкой без слов после кавычек.",
    "A fence begins with a line of three backticks and ends with such a line that has no words after the backticks.",
)
UNKNOWN_FENCE = _code(
    "S011",
    "неизвестный вид блока",
    "unknown kind of fence",
    "В пункте бывают блоки `правило` и `пример` (`rule` и `example`). Прочий код, например `text`, не читается.",
    "An item has fences `rule` and `example` (`правило` and `пример`). Other code such as `text` is not read.",
)
OUTSIDE_ITEM = _code(
    "S012",
    "блок вне пункта",
    "a fence outside of an item",
    "Каждая запись принадлежит пункту с номером: так её можно назвать, изменить и изъять.",
    "Every clause belongs to an item with a number: so it can be named, amended and withdrawn.",
)
MALFORMED_NUMBER = _code(
    "S013",
    "неверно записан номер пункта",
    "malformed number of an item",
    "Номер: до трёх букв, первая заглавная, дефис и числа через точку; число может кончаться строчной буквой.",
    "A number: up to three letters, the first a capital, a hyphen, numbers with dots that may end in a small letter.",
)
SECOND_FENCE = _code(
    "S014",
    "второй блок правила в пункте",
    "second rule fence in an item",
    "У пункта один блок `правило`, чтобы поправка к пункту заменяла его целиком.",
    "An item has one `rule` fence, so that an amendment of the item replaces the whole of it.",
)
EMPTY_FENCE = _code(
    "S015",
    "пустой блок",
    "an empty fence",
    "В блоке нет ни одной записи. Удалите его или напишите `не формализовано «причина»`.",
    "The fence holds no statement. Delete it or write `not formalised “reason”`.",
    Severity.WARNING,
)
SYNTAX = _code(
    "S020",
    "запись не читается",
    "the clause cannot be read",
    "На этом месте грамматика ждёт другого. Посмотрите образцы записей в описании языка.",
    "The grammar expects something else here. See the sample clauses in the description of the language.",
)
MISSING_COMMA = _code(
    "S021",
    "пропущена запятая",
    "a comma is missing",
    "Перед `если`, `то`, `иначе`, `где`, `когда`, `пока`, `после`, `несмотря на` стоит запятая.",
    "A comma stands before `then`, `chance`, `with`, `laid by` and, if you like, before the other joining words.",
)
UNKNOWN_WORD = _code(
    "S022",
    "неизвестное слово в начале записи",
    "unknown word at the start of a statement",
    "Каждая запись начинается с одного из слов языка: `может`, `запрещено`, `термин`, `при` и других.",
    "Every statement begins with one of the words of the language: `may`, `forbid`, `define`, `on` and others.",
)
UNCLOSED_QUOTE = _code(
    "S023",
    "кавычки не закрыты",
    "quotation marks are not closed",
    'Текст стоит в кавычках «…» или "…"; открытые кавычки надо закрыть.',
    'A text stands in quotation marks «…» or "…"; what is opened has to be closed.',
)
UNKNOWN_CHARACTER = _code(
    "S024",
    "посторонний знак",
    "a stray character",
    "Этого знака нет в языке правил. Невидимые знаки часто приходят вместе со скопированным текстом.",
    "The language has no such character. Invisible characters often come with copied text.",
)
RESERVED_WORD = _code(
    "S025",
    "слово языка вместо имени",
    "a word of the language in place of a name",
    "Слова языка не могут быть именами. Возьмите другое слово или добавьте к нему второе через `_`.",
    "Words of the language cannot be names. Take another word or join a second one with `_`.",
)
UNCLOSED_PARENTHESIS = _code(
    "S026",
    "скобка не закрыта",
    "a parenthesis is not closed",
    "Каждой открывающей скобке нужна закрывающая в той же записи.",
    "Every opening parenthesis needs a closing one in the same statement.",
)
NUMBER_TOO_LARGE = _code(
    "S027",
    "слишком большое число",
    "the number is too large",
    "Числа в своде не длиннее девяти цифр, а перечень `a..b` не длиннее тысячи значений.",
    "Numbers have at most nine digits, and a list `a..b` at most a thousand values.",
)
UNFINISHED = _code(
    "S028",
    "запись не окончена",
    "the statement is unfinished",
    "Запись оборвалась: дальше идёт другая запись или конец блока.",
    "The statement breaks off: another statement or the end of the fence follows.",
)
NEEDLESS_SEMICOLON = _code(
    "S029",
    "лишняя точка с запятой",
    "a needless semicolon",
    "Точка с запятой разделяет действия внутри одной записи; в конце записи она не ставится.",
    "A semicolon separates the effects inside a statement; there is none at its end.",
)
MIXED_LETTERS = _code(
    "S030",
    "в слове смешаны кириллица и латиница",
    "a word mixes Cyrillic and Latin letters",
    "Одинаковые на вид буквы двух алфавитов для машины различны. Наберите слово буквами одного алфавита.",
    "Letters of two alphabets that look the same are different to a machine. Type the word in letters of one alphabet.",
)
LOOKALIKE = _code(
    "S031",
    "два имени выглядят одинаково",
    "two names look the same",
    "Имена отличаются только буквами, одинаковыми на вид. Это почти всегда одно имя, набранное двумя способами.",
    "The names differ only in letters that look the same. This is almost always one name typed in two ways.",
)
REPEATED_OPTION = _code(
    "S032",
    "свойство указано дважды",
    "a property is stated twice",
    "Каждое свойство зоны, ячейки или класса указывается один раз.",
    "Each property of a zone, register or class is stated once.",
)

CODES: tuple[Code, ...] = (
    NOT_UTF8,
    EMPTY_TEXT,
    TOO_LARGE,
    TOO_DEEP,
    FRONT_MATTER,
    LANGUAGE,
    UNCLOSED_FENCE,
    UNKNOWN_FENCE,
    OUTSIDE_ITEM,
    MALFORMED_NUMBER,
    SECOND_FENCE,
    EMPTY_FENCE,
    SYNTAX,
    MISSING_COMMA,
    UNKNOWN_WORD,
    UNCLOSED_QUOTE,
    UNKNOWN_CHARACTER,
    RESERVED_WORD,
    UNCLOSED_PARENTHESIS,
    NUMBER_TOO_LARGE,
    UNFINISHED,
    NEEDLESS_SEMICOLON,
    MIXED_LETTERS,
    LOOKALIKE,
    REPEATED_OPTION,
)
