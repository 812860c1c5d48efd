"""In: declarations and effects. Out: their canonical text in one of the languages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from svod.syntax import tree
from svod.syntax.expressions_to_text import SUM, ExpressionPrinter

Declaration = (
    tree.ParameterDeclaration
    | tree.SortDeclaration
    | tree.ProductDeclaration
    | tree.CatalogueDeclaration
    | tree.SeatsDeclaration
    | tree.VariablesDeclaration
    | tree.ZoneDeclaration
    | tree.RegisterDeclaration
    | tree.StagesDeclaration
    | tree.EventDeclaration
    | tree.ClassDeclaration
    | tree.ActionDeclaration
    | tree.SlotOption
    | tree.ProcedureDeclaration
    | tree.VariantDeclaration
    | tree.ProjectionDeclaration
    | tree.CheckDecksDeclaration
)


def quoted(text: str) -> str:
    """The text in quotation marks that it does not hold itself."""
    if "»" not in text:
        return f"«{text}»"
    return f'"{text}"' if '"' not in text and "\n" not in text else f"“{text}”"


class DeclarationPrinter(ExpressionPrinter):
    """Prints declarations, patterns and effects in one language."""

    def parameters(self, names: Sequence[str]) -> str:
        """Names in parentheses, or nothing."""
        return f"({', '.join(names)})" if names else ""

    def rules(self, rules: Sequence[tree.RuleName]) -> str:
        """Rule numbers with commas."""
        return ", ".join(rule.number for rule in rules)

    def pattern(self, pattern: tree.Pattern) -> str:
        """An act, an event or a class with what stands in its parentheses."""
        return self.call(pattern.name, pattern.arguments or None)

    def patterns(self, patterns: Sequence[tree.Pattern]) -> str:
        """Patterns with commas."""
        return ", ".join(map(self.pattern, patterns))

    def declaration(self, node: Declaration) -> str:
        """One declaration, without a line end after it."""
        match node:
            case tree.ParameterDeclaration(name, values):
                return f"{self.key('PARAMETER')} {name}: {_numbers(values)}"
            case tree.SortDeclaration(name, values, ordered, condition):
                word, sign = (self.key("ORDER"), " < ") if ordered else (self.key("SORT"), " | ")
                rest = "" if condition is None else f"{self.key('COMMA_IF')} {self.expression(condition)}"
                return f"{word} {name}: {sign.join(values)}{rest}"
            case tree.ProductDeclaration(name, (first, second)):
                return f"{self.key('SORT')} {name}: {first} × {second}"
            case tree.CatalogueDeclaration(name, prefix, other):
                return f"{self.key('CATALOGUE')} {name}: {prefix}{self.key('COMMA_ELSE')} {other}"
            case tree.SeatsDeclaration(name, parameter, prefix):
                return f"{self.key('SEATS')} {name}: {parameter}, {self.key('NAMES')} {prefix}"
            case tree.VariablesDeclaration(names, sort):
                return f"{self.key('VARIABLES')} {', '.join(names)}: {sort}"
            case tree.ZoneDeclaration():
                return self._zone(node)
            case tree.RegisterDeclaration():
                return self._register(node)
            case tree.StagesDeclaration(names):
                return f"{self.key('STAGES')} {', '.join(names)}"
            case tree.EventDeclaration(name, parameters):
                return f"{self.key('EVENT')} {name}{self.parameters(parameters)}"
            case tree.ClassDeclaration(name, turn, silence_permits):
                drives = f", {self.key('DRIVES')}" if turn else ""
                silence = f", {self.key('SILENCE_PERMITS')}" if silence_permits else ""
                return f"{self.key('CLASS')} {name}{drives}{silence}"
            case tree.ActionDeclaration():
                return self._action(node)
            case tree.SlotOption():
                return self._slot(node)
            case tree.ProcedureDeclaration(procedure, steps):
                return f"{self.key('STEPS')} {procedure}: {self.rules(steps)}"
            case tree.VariantDeclaration(name, rules):
                return f"{self.key('VARIANT')} {name}: {self.rules(rules)}"
            case tree.ProjectionDeclaration(name, members):
                return f"{self.key('PROJECTION')} {name}: {', '.join(members)}"
            case tree.CheckDecksDeclaration(required):
                rest = f"{self.key('COMMA_WITH')} {', '.join(map(self.place, required))}" if required else ""
                return f"{self.key('FOR_CHECKING')}{rest}"
        assert_never(node)

    def _zone(self, node: tree.ZoneDeclaration) -> str:
        owner = f"({node.owner})" if node.owner is not None else ""
        parts = [f"{self.key('ZONE')} {node.name}{owner}: {self.key('PILE' if node.pile else 'SET')}"]
        if node.authors:
            parts.append(self.key("WITH_AUTHORS"))
        if node.visibility != "all":
            parts.append(self.key(f"SEEN_BY_{node.visibility.upper()}"))
        if node.capacity is not None:
            parts.append(f"{self.key('AT_MOST')} {self.expression(node.capacity, SUM)}")
        if node.part_of is not None:
            parts.append(f"{self.key('PART_OF')} {node.part_of}")
        if node.filled:
            parts.append(self.key("FULL_AT_START"))
        if node.outside_frame:
            parts.append(self.key("OUTSIDE_FRAME"))
        return ", ".join(parts)

    def type_name(self, node: tree.TypeName) -> str:
        """A type as it stands after a colon."""
        if node.truth:
            text = self.key("YES_OR_NO")
        elif node.sort is not None:
            text = node.sort
        elif node.low is not None and node.high is not None:
            text = f"{self.expression(node.low, SUM)}..{self.expression(node.high, SUM, last=False)}"
        else:
            text = " | ".join(node.values)
        return f"{text} {self.key('OR')} {self.key('NONE')}" if node.optional else text

    def _register(self, node: tree.RegisterDeclaration) -> str:
        word = self.key("LEDGER" if node.ledger else "WINDOW" if node.window else "REGISTER")
        kind = "" if node.type is None else f": {self.type_name(node.type)}"
        initial = "" if node.initial is None else f" = {self.expression(node.initial)}"
        output = f", {self.key('OUTPUT')}" if node.output else ""
        stage = f", {self.key('ON_STAGE')} {node.stage}" if node.stage is not None else ""
        outside = f", {self.key('OUTSIDE_FRAME')}" if node.outside_frame else ""
        return f"{word} {node.name}{self.parameters(node.index)}{kind}{initial}{output}{stage}{outside}"

    def _action(self, node: tree.ActionDeclaration) -> str:
        word = self.key("CHANCE" if node.by_chance else "ACTION")
        act_class = "" if node.act_class is None else f": {node.act_class}"
        chance = f"{self.key('COMMA_CHANCE')} {', '.join(node.chance)}" if node.chance else ""
        lines = [f"{word} {node.name}{self.parameters(node.parameters)}{act_class}{chance}"]
        if node.possible is not None:
            lines.append(f"{self.key('POSSIBLE_IF')} {self.expression(node.possible)}")
        if node.body:
            lines.append(f"{self.key('BODY')}: {self.effects(node.body)}")
        return "\n  ".join(lines)

    def _slot(self, node: tree.SlotOption) -> str:
        if node.kind == "asked":
            when = "" if node.when is None else f"{self.key('COMMA_WHEN')} {self.expression(node.when)}"
            return f"{self.key('ASKED')} {node.name}{when}"
        if node.kind == "outcome":
            return f"{self.key('OUTCOME')} {node.name}"
        return f"{self.key('COMBINATION')} {node.name}: {self.key(f'MODE_{(node.mode or str()).upper()}')}"

    # ------------------------------------------------------------------------------------------------ effects

    def effects(self, effects: Sequence[tree.Effect]) -> str:
        """Effects with semicolons."""
        return "; ".join(map(self.effect, effects))

    def effect(self, node: tree.Effect) -> str:
        """One effect."""
        match node:
            case tree.Move():
                return self._move(node)
            case tree.Assign(register, arguments, value, adds):
                return f"{self.call(register, arguments or None)} {'+=' if adds else ':='} {self.expression(value)}"
            case tree.Raise(event, arguments):
                return f"{self.key('EVENT')} {self.call(event, arguments or None)}"
            case tree.Begin(stage):
                return f"{self.key('BEGIN')} {stage}"
            case tree.GoTo(step):
                return f"{self.key('GO_TO')} {step}"
            case tree.SetWindow(window, arguments, opens):
                return f"{self.key('OPEN' if opens else 'CLOSE')} {self.call(window, arguments or None)}"
            case tree.Restore():
                return self.key("RESTORE")
            case tree.ForEach(variable, where, effects):
                return f"{self.key('FOR_ALL')} {variable}{self.where(where)}: ({self.effects(effects)})"
        assert_never(node)

    def _move(self, node: tree.Move) -> str:
        moved = str(node.what.value) if isinstance(node.what, tree.Numeral) else self.place(node.what)
        origin = "" if node.source is None else f" {self.key('FROM')} {self.place(node.source)}"
        under = f"{self.key('UNDER')} " if node.to_bottom else ""
        laid = "" if node.author is None else f"{self.key('COMMA_LAID_BY')} {self.expression(node.author)}"
        return f"{moved}{origin} → {under}{self.place(node.target)}{laid}"


def _numbers(values: tuple[int, ...] | None) -> str:
    """`?`, a range where there are three numbers in a row or more, or a list."""
    if values is None:
        return "?"
    if len(values) > 2 and values == tuple(range(values[0], values[-1] + 1)):
        return f"{values[0]}..{values[-1]}"
    return " | ".join(map(str, values))
