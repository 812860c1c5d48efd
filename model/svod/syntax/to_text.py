"""In: nodes of the tree. Out: their canonical text in Russian or English words; reading it gives the same nodes back.

Comments and layout are not in the tree. A whole file whose words change language is rewritten by `rewording`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import assert_never

from svod.syntax import tree
from svod.syntax.declarations_to_text import DeclarationPrinter, quoted
from svod.syntax.keywords import FENCES, KEYWORDS, OPERATIONS
from svod.syntax.wrapping import wrapped


def format_statements(statements: Iterable[tree.Statement], language: str) -> str:
    """Statements, one under another, each ended by a line end."""
    printer = StatementPrinter(language)
    lines = (line for statement in statements for line in printer.statement(statement).split("\n"))
    return "".join(f"{wrapped(line, language)}\n" for line in lines)


def format_example(lines: Sequence[tree.ExampleLine], language: str) -> str:
    """Lines of an example; what is given and what is expected stands together."""
    printer = StatementPrinter(language)
    groups = (list(group) for _, group in groupby(lines, key=printer.head_of))
    texts = (f"{printer.head_of(group[0])} {'; '.join(map(printer.example_line, group))}" for group in groups)
    return "".join(f"{wrapped(text, language)}\n" for text in texts)


def format_expression(expression: tree.Expression, language: str) -> str:
    """One expression."""
    return StatementPrinter(language).expression(expression)


def format_pattern(pattern: tree.Pattern, language: str) -> str:
    """One act or pattern of acts."""
    return StatementPrinter(language).pattern(pattern)


def format_item(item: tree.Item, language: str) -> str:
    """Heading, prose, clauses, examples."""
    operation = "" if item.operation is None else f"{OPERATIONS[item.operation][language]} "
    parts = [f"{'#' * item.level} {operation}{item.number} {item.title}".rstrip()]
    if item.prose:
        parts.append(item.prose)
    if item.statements:
        parts.append(_fence(FENCES["clauses"][language], format_statements(item.statements, language)))
    for example in item.examples:
        head = f"{FENCES['example'][language]} {example.title}".rstrip()
        parts.append(_fence(head, format_example(example.lines, language)))
    return "\n\n".join(parts) + "\n"


def format_chapter(chapter: tree.Chapter, language: str) -> str:
    """A whole file in canonical form, without the comments of its clauses."""
    parts = []
    if chapter.front_matter:
        keys = ((key, language if key in ("язык", "language") else value) for key, value in chapter.front_matter)
        parts.append("---\n" + "".join(f"{key}: {_scalar(value)}\n" for key, value in keys) + "---\n")
    for block in chapter.blocks:
        match block:
            case tree.Item():
                parts.append(format_item(block, language))
            case tree.Section(title, prose, level):
                heading = f"{'#' * level} {title}".rstrip() if level else ""
                parts.append("\n\n".join(part for part in (heading, prose) if part) + "\n")
            case _:
                assert_never(block)
    return "\n".join(parts)


def _fence(head: str, content: str) -> str:
    return f"```{head}\n{content}```"


def _scalar(value: str) -> str:
    if not value or (value[0] not in "'\"[{&*!|>%@`#" and " #" not in value and ": " not in value):
        return value
    return f'"{value}"' if '"' not in value else f"'{value}'"


class StatementPrinter(DeclarationPrinter):
    """Prints statements and example lines in one language."""

    def statement(self, node: tree.Statement) -> str:
        """One statement, without a line end after it."""
        match node:
            case tree.Edged():
                return self._edged(node)
            case tree.ReadingGroup(options, adopted, reason):
                lines = [self._option(option) for option in options]
                return "\n".join([*lines, f"{self.key('ADOPTED')} {adopted}: {quoted(reason)}"])
            case tree.Status(kind, reason):
                word = self.key("INFORMATIVE" if kind == "informative" else "NOT_FORMALISED")
                return f"{word} {quoted(reason)}"
            case tree.Acceptance(code, rules, reason):
                listed = f" {self.rules(rules)}" if rules else ""
                return f"{self.key('ACCEPT')} {code}{listed}: {quoted(reason)}"
            case tree.ReadingWithdrawal(letter):
                return f"{self.key('WITHDRAW_READING')} {letter}"
            case tree.Answers(findings):
                return f"{self.key('ANSWERS')} {', '.join(map(quoted, findings))}"
            case tree.Basis(fingerprint):
                return f"{self.key('BASIS')} {quoted(fingerprint)}"
            case _:
                return self.declaration(node)

    def _option(self, option: tree.ReadingOption) -> str:
        label = f" {quoted(option.label)}" if option.label else ""
        inner = [self.statement(statement).replace("\n", "\n  ") for statement in option.statements]
        return "\n  ".join([f"{self.key('READING')} {option.letter}{label}:", *inner])

    # ------------------------------------------------------------------------------------------------ clauses

    def _edged(self, node: tree.Edged) -> str:
        text, before = self._clause(node.clause), ""
        if node.excepts:
            if isinstance(node.clause, tree.NormClause) and node.clause.kind == "entitled":
                text += f"{self.key('COMMA_DESPITE')} {self.rules(node.excepts)}"
            else:
                before = f"{self.key('EXCEPT')} {self.rules(node.excepts)}: "
        if node.after:
            text += f"{self.key('COMMA_AFTER')} {self.rules(node.after)}"
        return before + text

    def _condition(self, condition: tree.Expression | None, terminal: str = "COMMA_IF") -> str:
        return "" if condition is None else f"{self.key(terminal)} {self.expression(condition)}"

    def _clause(self, node: tree.BareClause) -> str:
        match node:
            case tree.TermDefinition(name, parameters, of_type, value, condition):
                head = f"{self.key('TERM')} {name}{self.parameters(parameters)}"
                mark = "" if of_type is None else f": {self.type_name(of_type)}"
                return f"{head}{mark} := {self.expression(value)}{self._condition(condition)}"
            case tree.NormClause(kind, patterns, condition):
                word = {"may": "MAY", "entitled": "ENTITLED", "forbid": "FORBID"}[kind]
                return f"{self.key(word)} {self.patterns(patterns)}{self._condition(condition)}"
            case tree.DutyClause(pattern, deadline, before, condition):
                time = {"now": "", "none": f" {self.key('UNTIMED')}", "before": f" {self.key('BEFORE_ACT')} "}[deadline]
                acts = self.patterns(before)
                rest = self._condition(condition, "COMMA_WHILE")
                return f"{self.key('MUST')} {self.pattern(pattern)}{time}{acts}{rest}"
            case tree.OnClause(pattern, condition, effects):
                head = f"{self.key('ON')} {self.pattern(pattern)}{self._condition(condition)}"
                return f"{head}: {self.effects(effects)}"
            case tree.EdgeClause(condition, effects):
                return f"{self.key('AS_SOON_AS')} {self.expression(condition)}: {self.effects(effects)}"
            case tree.ViolationClause(name, offenders, pattern, condition, breaks):
                head = f"{self.key('VIOLATION')} {self.call(name, offenders or None)}"
                under = f"{self.key('COMMA_UNDER_RULE')} {self.rules(breaks)}" if breaks else ""
                return f"{head} {self.key('ON')} {self.pattern(pattern)}{self._condition(condition)}{under}"
            case tree.LapseClause(pattern, condition):
                head = f"{self.key('BREACHES_LAPSE')} {self.key('ON')} {self.pattern(pattern)}"
                return f"{head}{self._condition(condition)}"
            case tree.PenaltyClause(number, arguments, condition, effects):
                head = f"{self.key('PENALTY')} {self.call(number, arguments)}{self._condition(condition)}"
                return f"{head}: {self.effects(effects)}"
            case tree.EndingClause(condition):
                return f"{self.key('END_WHEN')} {self.expression(condition)}"
            case tree.InvariantClause(holds):
                return f"{self.key('ALWAYS')} {self.expression(holds)}"
        assert_never(node)

    # ----------------------------------------------------------------------------------------------- examples

    def head_of(self, line: tree.ExampleLine) -> str:
        """The word that begins the line: given, do, then."""
        match line:
            case tree.Given() | tree.Rest():
                return self.key("GIVEN")
            case tree.Do():
                return self.key("DO")
            case tree.Expect():
                return self.key("EXPECT")
        assert_never(line)

    def example_line(self, line: tree.ExampleLine) -> str:
        """One line without the word that begins it."""
        match line:
            case tree.Given(name, arguments, value, cards):
                target = self.call(name, arguments or None)
                if value is not None:
                    return f"{target} = {self.expression(value)}"
                if not cards:
                    return f"{target} {KEYWORDS['IS_EMPTY'].agreeing(self.language, name)}"
                return f"{target} = {self._cards(cards)}"
            case tree.Rest(zone):
                return f"{self.key('REST_IN')} {self.place(zone)}"
            case tree.Do(act):
                return self.pattern(act)
            case tree.Expect():
                return self._expectation(line)
        assert_never(line)

    def _cards(self, cards: Sequence[tuple[tree.Expression, tree.Expression | None]]) -> str:
        authored = any(author is not None for _, author in cards)
        texts = (
            self.expression(card) + ("" if author is None else f" {self.key('LAID_FROM')} {self.expression(author)}")
            for card, author in cards
        )
        return (", " if authored else " ").join(texts)

    def _expectation(self, line: tree.Expect) -> str:
        if line.condition is not None:
            return self.expression(line.condition)
        if line.status is not None and line.act is not None:
            return f"{self.key(line.status.upper())} {self.pattern(line.act)}"
        place = "" if line.place is None else f" {line.place}"
        return f"{self.key((line.outcome or '').upper())}{place}"
