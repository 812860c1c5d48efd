"""Codes of problems found while names are resolved and types are checked; nothing goes in."""

from __future__ import annotations

from svod.diagnostics import Code, Severity, Text


def _code(name: str, ru: tuple[str, str], en: tuple[str, str], severity: Severity = Severity.ERROR) -> Code:
    return Code(name, Text(ru[0], en[0]), Text(ru[1], en[1]), severity)


UNKNOWN_NAME = _code(
    "N101",
    ("неизвестное слово", "Слово не объявлено. Проверьте написание, в том числе буквы другого алфавита."),
    ("unknown word", "The word is not declared. Check its spelling, letters of the other alphabet included."),
)
UNKNOWN_VARIABLE = _code(
    "N102",
    ("неизвестная переменная", "Переменные объявляют: `переменные игрок, соперник: Игрок`."),
    ("unknown variable", "Variables are declared: `variables player, other: Player`."),
)
DECLARED_TWICE = _code(
    "N103",
    ("объявлено дважды", "Одно имя значит одно. Переименуйте второе объявление."),
    ("declared twice", "One name means one thing. Rename the second declaration."),
)
LOOKALIKE_NAME = _code(
    "N104",
    (
        "имена неотличимы на глаз",
        "Два имени различаются только буквами, которые выглядят одинаково, например кириллической и латинской «о».",
    ),
    ("names look the same", "Two names differ only in letters that look alike, such as Cyrillic and Latin “o”."),
)
BUILTIN_NAME = _code(
    "N105",
    ("имя занято языком", "Так называется встроенная функция. Возьмите другое имя."),
    ("the language has this name", "A built-in function is called so. Take another name."),
)
ARITY = _code(
    "N106",
    ("не то число аргументов", "Аргументов должно быть столько, сколько параметров в объявлении, и тех же сортов."),
    (
        "wrong number of arguments",
        "There must be as many arguments as the declaration has parameters, of the same sorts.",
    ),
)
UNBOUND_VARIABLE = _code(
    "N107",
    (
        "переменная ничем не связана",
        "Переменную связывает образец клаузы, параметр термина или квантор (`есть`, `для всех`, `число`…).",
    ),
    (
        "unbound variable",
        "A variable is bound by the clause's pattern, a term's parameter or a quantifier (`exists`, `count`…).",
    ),
)
SHADOWED = _code(
    "N108",
    ("переменная занята", "Внутри выражения одно слово не должно значить двух значений сразу."),
    ("variable taken", "Inside an expression one word must not stand for two values at once."),
)
AMBIGUOUS_VALUE = _code(
    "N109",
    ("значение нескольких сортов", "Имя значения есть у нескольких сортов, и место не подсказывает, какой нужен."),
    ("value of several sorts", "Several sorts have a value of this name, and the place does not tell which is meant."),
)
NOT_A_ZONE = _code(
    "N110",
    ("не зона", "Здесь может стоять только объявленная зона, с владельцем, если она чья-то."),
    ("not a zone", "Only a declared zone may stand here, with its owner if it is owned."),
)
ZONE_AS_VALUE = _code(
    "N111",
    ("зона вместо значения", "Зона не значение: спрашивают о её картах (`карт`, `верх`, `низ`, `в`, `пуста`)."),
    ("zone used as a value", "A zone is not a value: ask about its cards (`size`, `top`, `bottom`, `in`, `is empty`)."),
)
WILDCARD = _code(
    "N112",
    ("«_» не на месте", "«_» значит «любое» и бывает только аргументом образца."),
    ("“_” out of place", "“_” means “any” and occurs only as an argument of a pattern."),
)
TERM_CYCLE = _code(
    "N113",
    ("термины определяются по кругу", "Термин не может зависеть от самого себя: у него не было бы значения."),
    ("terms define each other in a circle", "A term cannot depend on itself: it would have no value."),
)
EXCEPTION_CYCLE = _code(
    "N114",
    ("исключения по кругу", "Если A исключает B, то B не может исключать A, ни прямо, ни через другие пункты."),
    ("exceptions form a circle", "If A excepts B, B cannot except A, neither directly nor through other items."),
)
NOTHING_TO_EXCEPT = _code(
    "N115",
    (
        "исключать нечего",
        "У названного пункта нет клаузы, которую могло бы исключить это «кроме» или «несмотря на».",
    ),
    ("nothing to except", "The named item has no clause that this `except` or `despite` could concern."),
)
ORDER_OF_TRIGGERS = _code(
    "N116",
    ("«после» не о последствиях", "Порядок бывает только между последствиями (`при`, `как только`)."),
    ("`after` not between consequences", "Only consequences (`on`, `as soon as`) have an order."),
)
ORDER_CYCLE = _code(
    "N117",
    ("порядок по кругу", "Последствия ждут друг друга, и первым не может быть ни одно."),
    ("order in a circle", "The consequences wait for each other, and none can be first."),
)
NOT_HERE = _code(
    "N118",
    ("здесь этому не место", "Слово имеет смысл только в клаузах другого рода."),
    ("out of place", "The word has a meaning only in clauses of another kind."),
)
EMPTY_CLASS = _code(
    "N119",
    ("в классе нет действий", "Клауза о классе действий, в котором нет ни одного подходящего действия, пуста."),
    ("the class has no actions", "A clause about a class without any fitting action says nothing."),
)
DUTY_NEEDS_ACTION = _code(
    "N120",
    ("обязанность не к действию", "Обязан бывает сделать одно названное действие."),
    ("duty without an action", "A duty is to do one named action."),
)
NO_BEARER = _code(
    "N121",
    ("чья обязанность, не сказано", "У обязанности есть тот, кто обязан: назовите его."),
    ("nobody bears the duty", "A duty has somebody who bears it: name him."),
)
NO_ACTOR = _code(
    "N122",
    ("кто действует, не видно", "Первый параметр из сорта мест это тот, кто действует."),
    ("nobody acts", "The first parameter that is a seat is the one who acts."),
)
NO_CARD_SORT = _code(
    "N123",
    ("какой сорт карты, не видно", "Картами считается сорт «Карта» (Card), а если его нет, единственное произведение."),
    ("no sort of cards", "Cards are the sort called Card, or else the only product sort."),
)
FILLED_ZONE = _code(
    "N124",
    ("где карты в начале", "В начале все карты лежат в одной ничьей зоне, помеченной «полна в начале»."),
    ("where the cards are at the start", "At the start all cards lie in one zone of nobody, marked `full at start`."),
)
NOT_SEATS = _code(
    "N125",
    ("владелец не место", "Зоной владеет игрок: значение сорта, объявленного словом «места»."),
    ("the owner is not a seat", "Zones are owned by players: values of the sort declared with `seats`."),
)
UNKNOWN_CARD = _code(
    "N126",
    ("неизвестная карта", "Сокращённая колода называет карту, которой в своде нет."),
    ("unknown card", "The reduced deck names a card that the rulebook does not have."),
)
PARAMETER_VALUE = _code(
    "C101",
    ("значение параметра", "Параметру нужно значение из тех, что допускает свод."),
    ("value of a parameter", "A parameter needs one of the values that the rulebook allows."),
)
SORT_WITHOUT_VALUES = _code(
    "N127",
    ("сорт без значений", "При выбранных параметрах ни одно объявление сорта не действует."),
    ("sort without values", "At the chosen parameters no declaration of the sort holds."),
)
TOO_LARGE = _code(
    "N128",
    ("сорт слишком велик", "У сорта от одного до шестидесяти двух значений: их множество помещается в машинное слово."),
    ("the sort is too large", "A sort has one to sixty-two values, so that a set of them fits a machine word."),
)
LONG_CHAIN = _code(
    "N129",
    ("слишком длинная цепочка", "Термины через термины и исключения из исключений идут не глубже шестидесяти."),
    ("chain too long", "Terms through terms and exceptions of exceptions go at most sixty deep."),
)
NOT_IN_CATALOGUE = _code(
    "N132",
    (
        "номера нет в каталоге",
        "Нарушением и значением каталога бывает номер пункта с буквой, которую называет `каталог`.",
    ),
    (
        "the number is not in the catalogue",
        "A violation, and a value of the catalogue, is the number of an item with the letter that `catalogue` names.",
    ),
)
NO_CATALOGUE = _code(
    "N133",
    (
        "каталога нарушений нет",
        "Забывать, наказывать и восстанавливать положение можно, когда свод объявляет каталог нарушений.",
    ),
    (
        "no catalogue of violations",
        "Breaches lapse, are punished and undone by a restoration where the rulebook declares a catalogue of them.",
    ),
)
RECORD_WRITTEN = _code(
    "N134",
    (
        "запись о нарушениях пишет шаг",
        "Кто в чём виновен, записывает сам шаг по клаузам `нарушение`. Правило может только закрыть одно нарушение.",
    ),
    (
        "the record is written by the step",
        "Who is guilty of what is entered by the step itself, from clauses `violation`. A rule may only end a breach.",
    ),
)
NOT_A_WINDOW = _code(
    "N135",
    ("не окно", "Открывают и закрывают то, что объявлено словом `окно`."),
    ("not a window", "What opens and closes is declared with the word `window`."),
)
EMPTY_CATALOGUE = _code(
    "N136",
    ("в каталоге нет номеров", "Каталог собирает номера всех пунктов с названной буквой: хотя бы один должен быть."),
    (
        "the catalogue has no numbers",
        "The catalogue gathers the numbers of all items with the letter named: there must be one at least.",
    ),
)
PILE_OUTSIDE_FRAME = _code(
    "N137",
    (
        "стопка вне снимка",
        "Восстановление возвращает стопке порядок из снимка, поэтому вне снимка бывают только наборы.",
    ),
    (
        "a pile outside the frame",
        "A restoration gives a pile the order that it has in the frame, so only sets may lie outside the frame.",
    ),
)
LAWFUL_CYCLE = _code(
    "N138",
    (
        "законность зависит от самой себя",
        "Нормы о действиях решают, что можно. Если исключение из такой нормы само об этом спрашивает, ответа нет.",
    ),
    (
        "lawfulness depends on itself",
        "Norms about acts decide what is allowed. If an exception from such a norm asks that itself, no answer exists.",
    ),
)
NO_OFFENDER = _code(
    "N139",
    ("кто виновен, не сказано", "Нарушение записывают за кем-то: назовите виновного в скобках после номера."),
    ("nobody is guilty", "A breach is entered against somebody: name the offender in parentheses after the number."),
)

TYPE_MISMATCH = _code(
    "T001",
    ("не тот тип", "Здесь нужно значение другого сорта или рода."),
    ("wrong type", "A value of another sort or kind is needed here."),
)
TYPE_UNKNOWN = _code(
    "T002",
    ("тип не виден", "По этому месту не понять, какого сорта значение. Укажите тип или сравните с известным."),
    ("type unknown", "The place does not tell the sort of the value. State the type or compare with something known."),
)
NOT_ORDERED = _code(
    "T003",
    ("нет порядка", "Больше и меньше, следующий и предыдущий бывают у чисел и сортов, объявленных словом «порядок»."),
    ("no order", "Less and greater, next and previous need numbers or a sort declared with `order`."),
)
NEVER_NONE = _code(
    "T004",
    ("значение есть всегда", "Сравнение с «нет» ничего не решает: это значение есть в любом положении."),
    ("never none", "Comparing with none decides nothing: this value is always there."),
)
NEEDS_PILE = _code(
    "T005",
    ("нужна стопка", "Верх, низ, порядок и авторы карт есть только у стопки."),
    ("needs a pile", "Only a pile has a top, a bottom, an order and authors."),
)
NO_AUTHORS = _code(
    "T006",
    ("зона не помнит авторов", "Кто положил карту, помнит зона, объявленная «с авторами»."),
    ("the zone keeps no authors", "Who laid a card is kept by a zone declared `with authors`."),
)
BODY_WRITES = _code(
    "T007",
    ("тело не только перекладывает", "Тело действия перекладывает карты; остальное последствия, клаузы `при`."),
    ("the body does more than move", "An action's body moves cards; everything else is a consequence, a clause `on`."),
)
MOVE_WITHOUT_SOURCE = _code(
    "T008",
    ("откуда карта, не сказано", "Карту берут из названной зоны: `карта из зона → зона`."),
    ("no source of the card", "A card is taken from a named zone: `card from zone → zone`."),
)
SET_ONTO_PILE = _code(
    "T009",
    ("набор на стопку", "У набора нет порядка, поэтому целиком его на стопку не положить."),
    ("set onto a pile", "A set has no order, so it cannot be laid on a pile as a whole."),
)
OUT_OF_RANGE = _code(
    "T010",
    ("вне диапазона", "Число не помещается в ячейку."),
    ("out of range", "The number does not fit the register."),
)
RANGE = _code(
    "T011",
    (
        "негодный диапазон",
        "Нижняя граница не больше верхней, обе не дальше миллиона от нуля, а с «или нет» ещё и не меньше нуля.",
    ),
    (
        "unsuitable range",
        "Lower bound up to upper one, both within a million of zero, and with `or none` none of them below zero.",
    ),
)
NOT_CONSTANT = _code(
    "T012",
    ("не постоянное", "Размеры и условия объявлений зависят только от чисел и параметров."),
    ("not a constant", "Sizes and conditions of declarations depend on numbers and parameters only."),
)
OUTPUT_READ = _code(
    "T013",
    (
        "игра зависит от итога",
        "Ячейка с пометкой «итог» может остаться незаписанной, поэтому от неё не должны зависеть ходы и конец игры.",
    ),
    (
        "a norm reads an output",
        "A register marked `output` may stay without a value, so lawfulness must not depend on it.",
    ),
)
EXAMPLE_FORM = _code(
    "T014",
    ("пример не понят", "В примере «дано» называет положение, действия даны значениями, карта лежит в одном месте."),
    ("example not understood", "`given` states a position, acts have values, and a card lies in one place."),
)

CODES = tuple(value for value in list(globals().values()) if isinstance(value, Code))
