"""In: a stretch of a text and what to expect in it. Out: a Lark tree, or the place and kind of the first error.

The only door to Lark. Every other module sees `Parsed` and `Failure`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from lark import Lark, TextSlice, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from svod.syntax.keywords import KEYWORDS, RULE_NUMBER, STEP_NUMBER, name_pattern

STARTS = ("statements", "pieces", "example", "expression_alone", "pattern_alone")

# Punctuation: (terminal, spelling as a regular expression, priority where one sign begins another).
PUNCTUATION = (
    ("_COLON", r":", 0),
    ("_COMMA", r",", 0),
    ("_SEMICOLON", r";", 0),
    ("_PIPE", r"\|", 0),
    ("_LPAR", r"\(", 0),
    ("_RPAR", r"\)", 0),
    ("_QUESTION", r"\?", 0),
    ("_DOTS", r"\.\.|…", 1),
    ("_ASSIGN", r":=", 1),
    ("_PLUS_ASSIGN", r"\+=", 1),
    ("_ARROW", r"→|->", 1),
    ("EQUAL_SIGN", r"=", 0),
    ("UNEQUAL_SIGN", r"≠|!=", 0),
    ("LESS_OR_EQUAL_SIGN", r"≤|<=", 1),
    ("LESS_SIGN", r"<", 0),
    ("MORE_OR_EQUAL_SIGN", r"≥|>=", 1),
    ("MORE_SIGN", r">", 0),
    ("_PLUS", r"\+", 0),
    ("_MINUS", r"−|-", 0),
    ("_TIMES", r"×|\*", 0),
)


@dataclass(frozen=True, slots=True)
class Failure:
    """Where parsing stopped: offset, the text found there (empty at the end); `expected_at` tells what could go on."""

    start: int
    found: str
    kind: str | None  # terminal of what was found, None when no terminal matches
    expected: frozenset[str] = frozenset()


def parse(language: str, start: str, text: str, begin: int, end: int) -> Tree[Token] | Failure:
    """Parse `text[begin:end]`; positions in the result count from the start of `text`."""
    try:
        return _parser(language).parse(TextSlice(text, begin, end), start=start)
    except UnexpectedToken as error:
        if error.token.type == "$END" or error.token.start_pos is None:
            return Failure(_last_visible(text, begin, end), "", "$END")
        return Failure(error.token.start_pos, str(error.token), error.token.type)
    except UnexpectedCharacters as error:
        place = begin if error.pos_in_stream is None else error.pos_in_stream
        return Failure(place, text[place : place + 1], None)


def tokens(language: str, start: str, text: str, begin: int, end: int) -> tuple[Token, ...]:
    """The tokens of a stretch as the parser saw them, up to its first error."""
    seen = []
    try:
        for token in _parser(language).parse_interactive(TextSlice(text, begin, end), start=start).iter_parse():
            seen.append(token)
    except (UnexpectedToken, UnexpectedCharacters):
        pass
    return tuple(seen)


def expected_at(language: str, start: str, text: str, begin: int, end: int) -> frozenset[str]:
    """What could have stood where the first error is.

    The parser reduces before it notices an error, and then no longer knows all that it would have taken; so the
    stretch is read again up to the place, and there every terminal is tried.
    """
    parser = _parser(language)
    fed = _feed(parser.parse_interactive(TextSlice(text, begin, end), start=start), None)
    again = parser.parse_interactive(TextSlice(text, begin, end), start=start)
    _feed(again, fed)
    return frozenset(again.accepts())  # type: ignore[no-untyped-call]  # Lark's own annotation is missing


def _feed(parser: InteractiveParser, limit: int | None) -> int:
    """Feeds tokens up to `limit` or to the first error; how many were taken."""
    fed = 0
    try:
        for token in parser.lexer_thread.lex(parser.parser_state):  # type: ignore[no-untyped-call]
            if fed == limit:
                break
            parser.feed_token(token)
            fed += 1
    except (UnexpectedToken, UnexpectedCharacters):
        pass
    return fed


def _last_visible(text: str, begin: int, end: int) -> int:
    """Offset just after the last character that is not a space."""
    return begin + len(text[begin:end].rstrip())


@cache
def _parser(language: str) -> Lark:
    return Lark(
        grammar(language),
        parser="lalr",
        lexer="contextual",
        start=list(STARTS),
        propagate_positions=True,
        maybe_placeholders=False,
    )


def grammar(language: str) -> str:
    """The grammar with the words of one language filled in."""
    # The grammar is part of the program, like its code: reading it is not input from outside.
    text = resources.files("svod.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    rows = [(f"_{word.terminal}", word.pattern(language), word.priority(language)) for word in KEYWORDS.values()]
    rows += PUNCTUATION
    rows += [
        ("NAME", name_pattern(language), 0),
        ("NUMBER", "[0-9]+(?![0-9_A-Za-zЀ-ӿ■-◿☀-➓⭐🀀-🫿])", 0),
        ("RULE_NUMBER", RULE_NUMBER, 5),
        ("STEP_NUMBER", STEP_NUMBER, 5),
        ("STRING", r"«[^»]*»|“[^”]*”|\"[^\"\n]*\"", 0),
        ("_CROSS", r"×|\*|[xх](?![0-9_A-Za-zЀ-ӿ])", 0),
        ("BLANK", r"\s+", 0),
        ("COMMENT", r"\#[^\n]*", 0),
    ]
    terminals = [f"{name}.{priority}: /{pattern}/" for name, pattern, priority in rows]
    return "\n".join([text, *terminals, "%ignore BLANK", "%ignore COMMENT", ""])
