"""Hypothesis strategies of trees that a text can have, one for each kind of node."""

from __future__ import annotations

from hypothesis import strategies as st

from svod.source import Span
from svod.syntax import tree
from svod.syntax.keywords import KEYWORDS, LANGUAGES, reserved_words

AT = Span("", 0, 0)

_RESERVED = {word for language in LANGUAGES for word in reserved_words(language)}
_SPOKEN = {form for word in KEYWORDS.values() for language in LANGUAGES for form in word.forms[language]}

# Words of the language that are free as names are tried as well: the grammar has to tell them apart.
_FREE = sorted(word for word in _SPOKEN - _RESERVED if " " not in word and "," not in word)
# An effect that begins with one of these opens or closes a window, so what it names is called otherwise.
_EFFECT_WORDS = {
    form for name in ("OPEN", "CLOSE") for language in LANGUAGES for form in KEYWORDS[name].forms[language]
}
_PLAIN = ("игрок", "карта", "рука", "кон", "ходит", "a", "table", "x1", "и_так", "по_кругу", "Т", "_")
_VALUES = ("♠", "9♦", "Д♥", "10♣", "П1", "Joker★")


def words() -> st.SearchStrategy[str]:
    """Names that a rulebook may use."""
    return st.sampled_from(_PLAIN + _VALUES)


def any_words() -> st.SearchStrategy[str]:
    """Names, also such as the language uses itself elsewhere."""
    return st.sampled_from(_PLAIN + tuple(_FREE))


def numbers() -> st.SearchStrategy[str]:
    return st.sampled_from(("R-3.7.2", "Ш-4b", "I-7", "V-1", "R-5.3b", "Sh-1"))


def rules() -> st.SearchStrategy[tuple[tree.RuleName, ...]]:
    return st.lists(numbers().map(lambda number: tree.RuleName(number, span=AT)), min_size=1, max_size=3).map(tuple)


def strings() -> st.SearchStrategy[str]:
    return st.text(st.sampled_from("абв ,.!#»"), max_size=8) | st.text(st.sampled_from("a\"' #"), max_size=8)


def names() -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(words(), min_size=1, max_size=3).map(tuple)


def some(strategy: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tuple[tree.Expression, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


def leaves() -> st.SearchStrategy[tree.Expression]:
    return st.one_of(
        any_words()
        .filter(lambda word: word not in _EXPECTED_WORDS | _EFFECT_WORDS)
        .map(lambda word: tree.Name(word, span=AT)),
        words().map(lambda word: tree.Name(word, span=AT)),
        st.integers(0, 999_999_999).map(lambda value: tree.Numeral(value, span=AT)),
        numbers().map(lambda number: tree.RuleName(number, span=AT)),
        st.booleans().map(lambda value: tree.Truth(value, span=AT)),
        st.just(tree.Nothing(span=AT)),
        numbers().map(lambda number: tree.StepOf(number, span=AT)),
    )


# What an example says of acts stands where an expression can stand too, so there these words are not free.
_EXPECTED_WORDS = {
    form
    for name in ("LAWFUL", "UNLAWFUL", "CONTESTED", "IMPOSSIBLE", "HOLE", "RACE", "CLASH")
    for language in LANGUAGES
    for form in KEYWORDS[name].forms[language]
}


def _larger(inner: st.SearchStrategy[tree.Expression]) -> st.SearchStrategy[tree.Expression]:
    maybe = st.none() | inner
    operators = st.sampled_from(("and", "or", "=", "≠", "<", "≤", ">", "≥", "+", "−", "×"))
    return st.one_of(
        st.builds(tree.Call, words(), some(inner), span=st.just(AT)),
        st.builds(tree.Binary, operators, inner, inner, span=st.just(AT)),
        st.builds(tree.Not, inner, span=st.just(AT)),
        st.builds(tree.Minus, inner, span=st.just(AT)),
        st.builds(tree.Emptiness, inner, st.booleans(), span=st.just(AT)),
        st.builds(tree.Membership, inner, inner, st.booleans(), span=st.just(AT)),
        st.builds(tree.Conditional, inner, inner, inner, span=st.just(AT)),
        st.builds(tree.Before, inner, span=st.just(AT)),
        st.builds(tree.HappenedNow, words(), some(inner), span=st.just(AT)),
        st.builds(tree.Allowed, words(), some(inner), span=st.just(AT)),
        st.builds(tree.FirstClockwise, words(), inner, st.booleans(), maybe, span=st.just(AT)),
        st.builds(
            tree.Quantifier,
            st.sampled_from(("exists", "count", "only")),
            words(),
            maybe,
            maybe,
            st.none(),
            span=st.just(AT),
        ),
        st.builds(
            tree.Quantifier,
            st.sampled_from(("all", "sum", "largest", "smallest")),
            words(),
            maybe,
            maybe,
            inner,
            span=st.just(AT),
        ),
    )


def expressions() -> st.SearchStrategy[tree.Expression]:
    return st.recursive(leaves(), _larger, max_leaves=8)


def small() -> st.SearchStrategy[tree.Expression]:
    """Expressions that keep statements short."""
    return st.recursive(leaves(), _larger, max_leaves=3)


def maybe_small() -> st.SearchStrategy[tree.Expression | None]:
    return st.none() | small()


def patterns() -> st.SearchStrategy[tree.Pattern]:
    return st.builds(tree.Pattern, words(), some(small()), span=st.just(AT))


def many_patterns() -> st.SearchStrategy[tuple[tree.Pattern, ...]]:
    return st.lists(patterns(), min_size=1, max_size=2).map(tuple)


# ---------------------------------------------------------------------------------------------------- effects


def effects() -> st.SearchStrategy[tuple[tree.Effect, ...]]:
    movable = small().filter(lambda node: not isinstance(node, tree.Numeral)) | st.just(tree.Numeral(6, span=AT))
    written = any_words().filter(lambda word: word not in _EFFECT_WORDS)
    simple: st.SearchStrategy[tree.Effect] = st.one_of(
        st.builds(tree.Move, movable, maybe_small(), small(), st.booleans(), maybe_small(), span=st.just(AT)),
        st.builds(tree.Assign, written, some(small()), small(), st.booleans(), span=st.just(AT)),
        st.builds(tree.SetWindow, any_words(), some(small()), st.booleans(), span=st.just(AT)),
        st.just(tree.Restore(span=AT)),
        st.builds(tree.Raise, words(), some(small()), span=st.just(AT)),
        st.builds(tree.Begin, any_words(), span=st.just(AT)),
        st.builds(tree.GoTo, numbers(), span=st.just(AT)),
    )
    several = st.lists(simple, min_size=1, max_size=3).map(tuple)
    each = st.builds(tree.ForEach, words(), maybe_small(), several, span=st.just(AT))
    return st.lists(simple | each, min_size=1, max_size=3).map(tuple)


# ----------------------------------------------------------------------------------------------- declarations


def types() -> st.SearchStrategy[tree.TypeName]:
    none = st.none()
    values = st.lists(words() | st.sampled_from(("6", "10")), min_size=2, max_size=3).map(tuple)
    flag = st.booleans()
    return st.one_of(
        st.builds(tree.TypeName, words(), st.just(()), none, none, st.just(False), flag, span=st.just(AT)),
        st.builds(tree.TypeName, none, values, none, none, st.just(False), flag, span=st.just(AT)),
        st.builds(tree.TypeName, none, st.just(()), small(), small(), st.just(False), flag, span=st.just(AT)),
        st.builds(tree.TypeName, none, st.just(()), none, none, st.just(True), flag, span=st.just(AT)),
    )


def declarations() -> st.SearchStrategy[tree.Statement]:
    at, parameters = st.just(AT), st.just(()) | names()
    values = st.lists(words() | st.sampled_from(("2", "6", "10")), min_size=1, max_size=4).map(tuple)
    several = st.lists(st.integers(0, 60), min_size=1, max_size=4).map(tuple)
    visible = st.sampled_from(("all", "owner", "nobody"))
    return st.one_of(
        st.builds(tree.ParameterDeclaration, any_words(), st.none() | several, span=at),
        st.builds(tree.SortDeclaration, words(), values, st.booleans(), maybe_small(), span=at),
        st.builds(tree.ProductDeclaration, words(), st.tuples(words(), words()), span=at),
        st.builds(tree.CatalogueDeclaration, any_words(), words(), words(), span=at),
        st.builds(tree.SeatsDeclaration, words(), words(), words(), span=at),
        st.builds(tree.VariablesDeclaration, names(), words(), span=at),
        st.builds(
            tree.ZoneDeclaration,
            any_words(),
            st.none() | words(),
            st.booleans(),
            st.booleans(),
            visible,
            maybe_small(),
            st.none() | words(),
            st.booleans(),
            st.booleans(),
            span=at,
        ),
        st.builds(
            tree.RegisterDeclaration,
            any_words(),
            parameters,
            types(),
            maybe_small(),
            st.booleans(),
            st.none() | words(),
            st.just(False),
            st.booleans(),
            span=at,
        ),
        st.builds(
            tree.RegisterDeclaration,
            any_words(),
            parameters,
            st.none(),
            st.none(),
            st.just(False),
            st.none() | words(),
            st.just(False),
            st.booleans(),
            st.just(True),
            span=at,
        ),
        st.builds(
            tree.RegisterDeclaration,
            any_words(),
            parameters,
            st.none(),
            maybe_small(),
            st.just(False),
            st.none(),
            st.just(True),
            st.booleans(),
            span=at,
        ),
        st.builds(tree.StagesDeclaration, names(), span=at),
        st.builds(tree.EventDeclaration, words(), parameters, span=at),
        st.builds(tree.ClassDeclaration, words(), st.booleans(), st.booleans(), span=at),
        actions(),
        slots(),
        st.builds(tree.ProcedureDeclaration, numbers(), rules(), span=at),
        st.builds(tree.VariantDeclaration, words(), rules(), span=at),
        st.builds(tree.ProjectionDeclaration, words(), names(), span=at),
        st.builds(tree.CheckDecksDeclaration, some(small()), span=at),
    )


def slots() -> st.SearchStrategy[tree.SlotOption]:
    at = st.just(AT)
    return st.one_of(
        st.builds(tree.SlotOption, words(), st.just("asked"), maybe_small(), st.none(), span=at),
        st.builds(tree.SlotOption, any_words(), st.just("outcome"), st.none(), st.none(), span=at),
        st.builds(
            tree.SlotOption,
            words(),
            st.just("combination"),
            st.none(),
            st.sampled_from(("first", "unique", "any")),
            span=at,
        ),
    )


def actions() -> st.SearchStrategy[tree.ActionDeclaration]:
    parameters, body = st.just(()) | names(), st.just(()) | effects()
    common = (any_words(), parameters, st.none() | words())
    own = st.builds(
        tree.ActionDeclaration, *common, st.just(()) | names(), st.just(False), maybe_small(), body, span=st.just(AT)
    )
    nobody = st.builds(
        tree.ActionDeclaration, *common, st.just(()), st.just(True), maybe_small(), body, span=st.just(AT)
    )
    return own | nobody


# ---------------------------------------------------------------------------------------------------- clauses


def duties() -> st.SearchStrategy[tree.DutyClause]:
    at = st.just(AT)
    free = st.sampled_from(("now", "none"))
    return st.builds(tree.DutyClause, patterns(), free, st.just(()), maybe_small(), span=at) | st.builds(
        tree.DutyClause, patterns(), st.just("before"), many_patterns(), maybe_small(), span=at
    )


def clauses() -> st.SearchStrategy[tree.BareClause]:
    at, parameters = st.just(AT), st.just(()) | names()
    kinds = st.sampled_from(("may", "entitled", "forbid"))
    named, breaks = numbers() | words(), st.just(()) | rules()
    return st.one_of(
        st.builds(tree.TermDefinition, words(), parameters, st.none() | types(), expressions(), maybe_small(), span=at),
        st.builds(tree.NormClause, kinds, many_patterns(), maybe_small(), span=at),
        duties(),
        st.builds(tree.OnClause, patterns(), maybe_small(), effects(), span=at),
        st.builds(tree.EdgeClause, small(), effects(), span=at),
        st.builds(tree.ViolationClause, named, some(small()), patterns(), maybe_small(), breaks, span=at),
        st.builds(tree.LapseClause, patterns(), maybe_small(), span=at),
        st.builds(tree.PenaltyClause, named, some(small()), maybe_small(), effects(), span=at),
        st.builds(tree.EndingClause, expressions(), span=at),
        st.builds(tree.InvariantClause, expressions(), span=at),
    )


def edged() -> st.SearchStrategy[tree.Edged]:
    edges = st.just(()) | rules()
    return st.builds(tree.Edged, clauses(), edges, edges, span=st.just(AT))


def remarks() -> st.SearchStrategy[tree.Statement]:
    at = st.just(AT)
    return st.one_of(
        st.builds(tree.Status, st.sampled_from(("informative", "pending")), strings(), span=at),
        st.builds(tree.Acceptance, st.sampled_from(("F201", "X7")), st.just(()) | rules(), strings(), span=at),
        st.builds(tree.ReadingWithdrawal, words(), span=at),
        st.builds(tree.Answers, st.lists(strings(), min_size=1, max_size=2).map(tuple), span=at),
        st.builds(tree.Basis, strings(), span=at),
    )


def plain_statements() -> st.SearchStrategy[tree.Statement]:
    return st.one_of(declarations(), edged(), remarks())


def readings() -> st.SearchStrategy[tree.ReadingGroup]:
    letters = st.sampled_from(("А", "Б", "В"))
    inner = st.lists(plain_statements(), max_size=2).map(tuple)
    option = st.builds(tree.ReadingOption, letters, strings(), inner, span=st.just(AT))
    options = st.lists(option, min_size=1, max_size=3).map(tuple)
    return st.builds(tree.ReadingGroup, options, letters, strings(), span=st.just(AT))


def statements() -> st.SearchStrategy[tree.Statement]:
    return plain_statements() | readings()


# --------------------------------------------------------------------------------------------------- examples


def example_lines() -> st.SearchStrategy[tree.ExampleLine]:
    at, cards = st.just(AT), words().map(lambda word: tree.Name(word, span=AT))
    authored = st.lists(st.tuples(cards, st.none() | cards), min_size=2, max_size=4).map(tuple)
    first = st.tuples(st.tuples(cards, cards))
    statuses = st.sampled_from(("lawful", "unlawful", "contested", "impossible"))
    outcomes, none = st.sampled_from(("hole", "race", "clash")), st.none()
    return st.one_of(
        st.builds(tree.Given, any_words(), some(small()), small(), none, span=at),
        st.builds(tree.Given, words(), some(small()), none, st.just(()) | authored | first, span=at),
        st.builds(tree.Rest, small(), span=at),
        st.builds(tree.Do, patterns(), span=at),
        st.builds(tree.Expect, expressions(), none, none, none, none, span=at),
        st.builds(tree.Expect, none, statuses, none, patterns(), none, span=at),
        st.builds(tree.Expect, none, none, outcomes, none, none | words() | numbers(), span=at),
    )
