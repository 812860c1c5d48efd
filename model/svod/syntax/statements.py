"""In: a Lark tree of a fence. Out: statements and effects; the base classes build the rest."""

from __future__ import annotations

from typing import Any

from lark import v_args
from lark.tree import Meta

from svod.syntax import tree
from svod.syntax.building import Part, parts, string, word
from svod.syntax.declarations import DeclarationBuilder, type_of
from svod.syntax.keywords import canonical_number


@v_args(meta=True)
class EffectBuilder(DeclarationBuilder):
    """Builds effects."""

    def effects(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def source(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("source", meta, children[0])

    def under(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("under", meta)

    def laid_by(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("author", meta, children[0])

    def move(self, meta: Meta, children: list[Any]) -> tree.Move:
        what, target = (child for child in children if not isinstance(child, Part))
        found = parts(children)
        under = found.get("under", False)
        return tree.Move(what, found.get("source"), target, under, found.get("author"), span=self._span(meta))

    def _assign(self, meta: Meta, children: list[Any], adds: bool) -> tree.Assign:
        register, value = children
        if isinstance(register, tree.Call):
            return tree.Assign(register.name, register.arguments, value, adds, span=self._span(meta))
        return tree.Assign(register.text, (), value, adds, span=self._span(meta))

    def assign(self, meta: Meta, children: list[Any]) -> tree.Assign:
        return self._assign(meta, children, False)

    def add(self, meta: Meta, children: list[Any]) -> tree.Assign:
        return self._assign(meta, children, True)

    def raise_event(self, meta: Meta, children: list[Any]) -> tree.Raise:
        return tree.Raise(word(children[0]), parts(children).get("arguments", ()), span=self._span(meta))

    def begin(self, meta: Meta, children: list[Any]) -> tree.Begin:
        return tree.Begin(word(children[0]), span=self._span(meta))

    def go_to(self, meta: Meta, children: list[Any]) -> tree.GoTo:
        return tree.GoTo(children[0].number, span=self._span(meta))

    def _window(self, meta: Meta, children: list[Any], opens: bool) -> tree.SetWindow:
        window = children[0]
        if isinstance(window, tree.Call):
            return tree.SetWindow(window.name, window.arguments, opens, span=self._span(meta))
        return tree.SetWindow(window.text, (), opens, span=self._span(meta))

    def open(self, meta: Meta, children: list[Any]) -> tree.SetWindow:
        return self._window(meta, children, True)

    def close(self, meta: Meta, children: list[Any]) -> tree.SetWindow:
        return self._window(meta, children, False)

    def restore(self, meta: Meta, children: list[Any]) -> tree.Restore:
        return tree.Restore(span=self._span(meta))

    def for_each(self, meta: Meta, children: list[Any]) -> tree.ForEach:
        where = parts(children).get("where")
        return tree.ForEach(word(children[0]), where, children[-1], span=self._span(meta))


@v_args(meta=True)
class StatementBuilder(EffectBuilder):
    """Builds clauses and whole fences of clauses."""

    def statements(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    def pieces(self, meta: Meta, children: list[Any]) -> tuple[Any, ...]:
        return tuple(child for child in children if not isinstance(child, Part))

    def exception(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("excepts", meta, children[0].value)

    def despite(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("excepts", meta, children[0].value)

    def after(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("after", meta, children[0].value)

    def edged(self, meta: Meta, children: list[Any]) -> tree.Edged:
        (clause,) = (child for child in children if not isinstance(child, Part))
        edges: dict[str, tuple[tree.RuleName, ...]] = {"excepts": (), "after": ()}
        for child in children:
            if isinstance(child, Part):
                edges[child.kind] += child.value
        return tree.Edged(clause, edges["excepts"], edges["after"], span=self._span(meta))

    def term(self, meta: Meta, children: list[Any]) -> tree.TermDefinition:
        found = parts(children)
        (value,) = (child for child in children[1:] if not isinstance(child, Part))
        parameters, condition = found.get("parameters", ()), found.get("condition")
        return tree.TermDefinition(
            word(children[0]), parameters, type_of(found), value, condition, span=self._span(meta)
        )

    def _norm(self, kind: str, meta: Meta, children: list[Any]) -> tree.NormClause:
        return tree.NormClause(kind, children[0], parts(children).get("condition"), span=self._span(meta))

    def may(self, meta: Meta, children: list[Any]) -> tree.NormClause:
        return self._norm("may", meta, children)

    def entitled(self, meta: Meta, children: list[Any]) -> tree.NormClause:
        return self._norm("entitled", meta, children)

    def forbid(self, meta: Meta, children: list[Any]) -> tree.NormClause:
        return self._norm("forbid", meta, children)

    def at_once(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("deadline", meta, ("now", ()))

    def untimed(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("deadline", meta, ("none", ()))

    def deadline(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("deadline", meta, ("before", children[0]))

    def while_(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("while", meta, children[0])

    def duty(self, meta: Meta, children: list[Any]) -> tree.DutyClause:
        found = parts(children)
        deadline, before = found.get("deadline", ("now", ()))
        return tree.DutyClause(children[0], deadline, before, found.get("while"), span=self._span(meta))

    def on(self, meta: Meta, children: list[Any]) -> tree.OnClause:
        condition = parts(children).get("condition")
        return tree.OnClause(children[0], condition, children[-1], span=self._span(meta))

    def edge(self, meta: Meta, children: list[Any]) -> tree.EdgeClause:
        return tree.EdgeClause(children[0], children[1], span=self._span(meta))

    def violation(self, meta: Meta, children: list[Any]) -> tree.ViolationClause:
        found = parts(children)
        (pattern,) = (child for child in children if isinstance(child, tree.Pattern))
        name = canonical_number(word(children[0]))
        offenders, condition, breaks = found.get("arguments", ()), found.get("condition"), found.get("breaks", ())
        return tree.ViolationClause(name, offenders, pattern, condition, breaks, span=self._span(meta))

    def breaks(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("breaks", meta, children[0].value)

    def lapse(self, meta: Meta, children: list[Any]) -> tree.LapseClause:
        return tree.LapseClause(children[0], parts(children).get("condition"), span=self._span(meta))

    def penalty(self, meta: Meta, children: list[Any]) -> tree.PenaltyClause:
        number, found = canonical_number(word(children[0])), parts(children)
        arguments, condition = found["arguments"], found.get("condition")
        return tree.PenaltyClause(number, arguments, condition, children[-1], span=self._span(meta))

    def ending(self, meta: Meta, children: list[Any]) -> tree.EndingClause:
        return tree.EndingClause(children[0], span=self._span(meta))

    def invariant(self, meta: Meta, children: list[Any]) -> tree.InvariantClause:
        return tree.InvariantClause(children[0], span=self._span(meta))

    # ----------------------------------------------------------------------------------------------- readings

    def reading_head(self, meta: Meta, children: list[Any]) -> Part:
        label = string(children[1]) if len(children) > 1 else ""
        return self._part("head", meta, (word(children[0]), label))

    def reading_option(self, meta: Meta, children: list[Any]) -> tree.ReadingOption:
        letter, label = children[0].value
        return tree.ReadingOption(letter, label, tuple(children[1:]), span=self._span(meta))

    def reading_adopted(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("adopted", meta, (word(children[0]), string(children[1])))

    def reading_group(self, meta: Meta, children: list[Any]) -> tree.ReadingGroup:
        letter, reason = children[-1].value
        return tree.ReadingGroup(tuple(children[:-1]), letter, reason, span=self._span(meta))

    # -------------------------------------------------------------------------------------- remarks, amendments

    def informative(self, meta: Meta, children: list[Any]) -> tree.Status:
        return tree.Status("informative", string(children[0]), span=self._span(meta))

    def not_formalised(self, meta: Meta, children: list[Any]) -> tree.Status:
        return tree.Status("pending", string(children[0]), span=self._span(meta))

    def acceptance(self, meta: Meta, children: list[Any]) -> tree.Acceptance:
        rules = parts(children).get("rules", ())
        return tree.Acceptance(word(children[0]), rules, string(children[-1]), span=self._span(meta))

    def reading_withdrawal(self, meta: Meta, children: list[Any]) -> tree.ReadingWithdrawal:
        return tree.ReadingWithdrawal(word(children[0]), span=self._span(meta))

    def answers(self, meta: Meta, children: list[Any]) -> tree.Answers:
        return tree.Answers(tuple(string(child) for child in children), span=self._span(meta))

    def basis(self, meta: Meta, children: list[Any]) -> tree.Basis:
        return tree.Basis(string(children[0]), span=self._span(meta))
