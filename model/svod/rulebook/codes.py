"""Codes of problems with numbers, references, items and amendments; nothing goes in."""

from __future__ import annotations

from svod.diagnostics import Code, Severity, Text


def _code(name: str, ru: tuple[str, str], en: tuple[str, str], severity: Severity = Severity.ERROR) -> Code:
    return Code(name, Text(ru[0], en[0]), Text(ru[1], en[1]), severity)


DUPLICATE_NUMBER = _code(
    "N001",
    (
        "номер повторяется",
        "Каждый номер стоит в своде один раз: по нему ссылаются и спорят. Дайте второму пункту свой номер.",
    ),
    (
        "number used twice",
        "A number stands once in a rulebook: it is what people cite. Give the second item a number of its own.",
    ),
)
UNKNOWN_RULE = _code(
    "N002",
    (
        "неизвестный номер",
        "Клауза называет пункт, которого в своде нет. Проверьте номер, в том числе буквы, похожие на латинские.",
    ),
    (
        "unknown number",
        "A clause names an item that the rulebook does not have. Check the number, look-alike letters included.",
    ),
)
UNKNOWN_MENTION = _code(
    "N003",
    ("в тексте назван неизвестный номер", "Проза ссылается на пункт, которого в своде нет: читатель его не найдёт."),
    (
        "prose mentions an unknown number",
        "The prose refers to an item that the rulebook does not have: no reader will find it.",
    ),
    Severity.WARNING,
)
WITHDRAWN_RULE = _code(
    "N004",
    (
        "ссылка на изъятый пункт",
        "Поправка изъяла пункт, а клауза другого пункта его называет. Уберите ссылку или замените и этот пункт.",
    ),
    (
        "reference to a withdrawn item",
        "An amendment withdrew the item, yet a clause names it. Drop the reference or amend that item too.",
    ),
)
NUMBERING_GAP = _code(
    "N005",
    ("пропуск в нумерации", "Между соседними номерами одного не хватает. Если пункт изъят, это говорит поправка."),
    (
        "gap in the numbering",
        "A number is missing among its neighbours. If the item was withdrawn, an amendment says so.",
    ),
    Severity.WARNING,
)
LOOKALIKE_NUMBER = _code(
    "N006",
    (
        "номера неотличимы на глаз",
        "Номера различаются только буквами, которые выглядят одинаково (Р и P, в и b). Пишите номера одним алфавитом.",
    ),
    (
        "numbers look the same",
        "Two numbers differ only in letters that look alike (Cyrillic Р and Latin P). Write numbers in one alphabet.",
    ),
)
SILENT_ITEM = _code(
    "N007",
    (
        "пункт без клауз и без причины",
        "У пункта нет клауз и не сказано, почему. Напишите `информативно «…»` или `не формализовано «…»`.",
    ),
    (
        "item without clauses or a reason",
        "The item has no clauses and does not say why. Write `informative «…»` or `not formalised «…»`.",
    ),
    Severity.WARNING,
)
EMPTY_BOOK = _code(
    "N008",
    ("в своде нет пунктов", "Пункт это заголовок, который начинается с номера: `### R-1 Название`."),
    ("the rulebook has no items", "An item is a heading that begins with a number: `### R-1 Title`."),
)
LETTER_REPEATED = _code(
    "N009",
    ("чтения пункта путаются", "У пункта одна группа чтений, буквы в ней различны, и принята одна из них."),
    (
        "readings of the item are muddled",
        "An item has one group of readings with different letters, one of which is adopted.",
    ),
)
MENTION_WITHDRAWN = _code(
    "N010",
    ("в тексте назван изъятый пункт", "Проза ссылается на пункт, который поправка изъяла."),
    ("prose mentions a withdrawn item", "The prose refers to an item that an amendment withdrew."),
    Severity.WARNING,
)

NO_OPERATION = _code(
    "A001",
    (
        "в поправке не сказано, что делать с пунктом",
        "Заголовок пункта поправки начинается словом «Заменить», «Добавить», «Дополнить» или «Изъять».",
    ),
    (
        "the amendment does not say what to do with the item",
        "The heading of an amended item begins with Replace, Add, Extend or Withdraw.",
    ),
)
AMENDS_UNKNOWN = _code(
    "A002",
    ("поправка к пункту, которого нет", "Заменить, дополнить или изъять можно только пункт, который в своде есть."),
    (
        "amendment of an item that does not exist",
        "Only an item that the rulebook has can be replaced, extended or withdrawn.",
    ),
)
ADDED_TWICE = _code(
    "A003",
    ("добавляемый пункт уже есть", "Добавить можно пункт с новым номером; прежний замените или дополните."),
    ("the added item exists already", "An added item needs a new number; replace or extend the existing one."),
)
BASIS_CHANGED = _code(
    "A004",
    (
        "текст пункта изменился с тех пор, как писали поправку",
        "Отпечаток после слова «основа» не подходит к нынешнему тексту пункта. Перечитайте пункт и обновите отпечаток.",
    ),
    (
        "the item has changed since the amendment was written",
        "The fingerprint after `basis` is not that of the present text. Read the item again and renew the fingerprint.",
    ),
)
NO_SUCH_READING = _code(
    "A005",
    ("снимается чтение, которого нет", "Снять можно чтение, которое пункт перечисляет."),
    ("the withdrawn reading does not exist", "Only a reading that the item lists can be withdrawn."),
)
ADOPTED_WITHDRAWN = _code(
    "A006",
    (
        "снято принятое чтение, а осталось несколько",
        "Когда чтений остаётся больше одного, поправка должна оставить принятое: замените пункт целиком.",
    ),
    (
        "the adopted reading is withdrawn and several are left",
        "With more than one reading left, the adopted one must stay: replace the whole item.",
    ),
)
OTHER_BOOK = _code(
    "A007",
    ("поправка к другому своду", "В заголовке файла поправки после `к:` стоит имя другого свода."),
    ("amendment of another rulebook", "The front matter of the amendment names another rulebook after `to:`."),
)
AMENDMENT_WORD = _code(
    "A008",
    ("слово поправки в самом своде", "`снять чтение`, `отвечает на` и `основа` пишут только в поправках."),
    (
        "an amendment's word in the rulebook itself",
        "`withdraw reading`, `answers` and `basis` belong to amendments only.",
    ),
)
AMENDED_TWICE = _code(
    "A009",
    ("одна поправка меняет пункт дважды", "В одной поправке пункт упоминается один раз: соедините изменения."),
    ("one amendment changes the item twice", "An item occurs once in an amendment: join the changes."),
)
NOT_AN_AMENDMENT = _code(
    "A010",
    (
        "это не поправка",
        "В файле поправки есть хотя бы один пункт с заголовком вида `### Заменить N-1`, а здесь нет ни одного. "
        "Вероятно, указан не тот файл.",
    ),
    (
        "not an amendment",
        "An amendment has at least one item under a heading like `### Replace N-1`; this file has none. "
        "Probably it is the wrong file.",
    ),
)

CODES = (
    DUPLICATE_NUMBER,
    UNKNOWN_RULE,
    UNKNOWN_MENTION,
    WITHDRAWN_RULE,
    NUMBERING_GAP,
    LOOKALIKE_NUMBER,
    SILENT_ITEM,
    EMPTY_BOOK,
    LETTER_REPEATED,
    MENTION_WITHDRAWN,
    NO_OPERATION,
    AMENDS_UNKNOWN,
    ADDED_TWICE,
    BASIS_CHANGED,
    NO_SUCH_READING,
    ADOPTED_WITHDRAWN,
    OTHER_BOOK,
    AMENDMENT_WORD,
    AMENDED_TWICE,
    NOT_AN_AMENDMENT,
)
