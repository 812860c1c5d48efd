"""In: a Lark tree of a fence. Out: declarations; expressions are built by the base class."""

from __future__ import annotations

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from svod.syntax import tree
from svod.syntax.building import LARGEST_RANGE, ExpressionBuilder, Part, parts, word


def words(children: list[Any]) -> tuple[str, ...]:
    return tuple(word(child) for child in children if isinstance(child, Token))


def type_of(found: dict[str, Any]) -> tree.TypeName | None:
    value = found.get("type")
    assert value is None or isinstance(value, tree.TypeName)
    return value


@v_args(meta=True)
class DeclarationBuilder(ExpressionBuilder):
    """Builds declarations."""

    def value(self, meta: Meta, children: list[Any]) -> str:
        token = children[0]
        return str(self._number(token)) if token.type == "NUMBER" else word(token)

    def names(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("names", meta, words(children))

    def parameters(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("parameters", meta, words(children))

    # ------------------------------------------------------------------------------------ parameters and sorts

    def parameter(self, meta: Meta, children: list[Any]) -> tree.ParameterDeclaration:
        return tree.ParameterDeclaration(word(children[0]), parts(children)["values"], span=self._span(meta))

    def number_list(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("values", meta, tuple(self._number(child) for child in children))

    def number_range(self, meta: Meta, children: list[Any]) -> Part:
        low, high = (self._number(child) for child in children)
        if high - low >= LARGEST_RANGE:
            self.too_large.append(self._span(meta))
            high = low
        return self._part("values", meta, tuple(range(low, high + 1)))

    def unknown(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("values", meta, None)

    def _sort(self, meta: Meta, children: list[Any], ordered: bool) -> tree.SortDeclaration:
        values = tuple(child for child in children[1:] if isinstance(child, str) and not isinstance(child, Token))
        condition = parts(children).get("condition")
        return tree.SortDeclaration(word(children[0]), values, ordered, condition, span=self._span(meta))

    def sort(self, meta: Meta, children: list[Any]) -> tree.SortDeclaration:
        return self._sort(meta, children, False)

    def order(self, meta: Meta, children: list[Any]) -> tree.SortDeclaration:
        return self._sort(meta, children, True)

    def product(self, meta: Meta, children: list[Any]) -> tree.ProductDeclaration:
        name, first, second = words(children)
        return tree.ProductDeclaration(name, (first, second), span=self._span(meta))

    def catalogue(self, meta: Meta, children: list[Any]) -> tree.CatalogueDeclaration:
        name, prefix, other = words(children)
        return tree.CatalogueDeclaration(name, prefix, other, span=self._span(meta))

    def seats(self, meta: Meta, children: list[Any]) -> tree.SeatsDeclaration:
        name, parameter, prefix = words(children)
        return tree.SeatsDeclaration(name, parameter, prefix, span=self._span(meta))

    def variables(self, meta: Meta, children: list[Any]) -> tree.VariablesDeclaration:
        return tree.VariablesDeclaration(parts(children)["names"], word(children[-1]), span=self._span(meta))

    # -------------------------------------------------------------------------------------- zones and registers

    def owner(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("owner", meta, word(children[0]))

    def set_kind(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("pile", meta, False)

    def pile_kind(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("pile", meta, True)

    def with_authors(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("authors", meta)

    def seen_by_all(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("visibility", meta, "all")

    def seen_by_owner(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("visibility", meta, "owner")

    def seen_by_nobody(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("visibility", meta, "nobody")

    def at_most(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("capacity", meta, children[0])

    def part_of(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("part_of", meta, word(children[0]))

    def full_at_start(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("filled", meta)

    def outside_frame(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("outside_frame", meta)

    def zone(self, meta: Meta, children: list[Any]) -> tree.ZoneDeclaration:
        self._note_repeated(children)
        found = parts(children)
        return tree.ZoneDeclaration(
            name=word(children[0]),
            owner=found.get("owner"),
            pile=found["pile"],
            authors=found.get("authors", False),
            visibility=found.get("visibility", "all"),
            capacity=found.get("capacity"),
            part_of=found.get("part_of"),
            filled=found.get("filled", False),
            outside_frame=found.get("outside_frame", False),
            span=self._span(meta),
        )

    def _note_repeated(self, children: list[Any]) -> None:
        seen: set[str] = set()
        for child in children:
            if isinstance(child, Part):
                if child.kind in seen:
                    self.repeated.append(child.span)
                seen.add(child.kind)

    def sort_type(self, meta: Meta, children: list[Any]) -> tree.TypeName:
        return tree.TypeName(word(children[0]), (), None, None, False, False, span=self._span(meta))

    def values_type(self, meta: Meta, children: list[Any]) -> tree.TypeName:
        return tree.TypeName(None, tuple(children), None, None, False, False, span=self._span(meta))

    def range_type(self, meta: Meta, children: list[Any]) -> tree.TypeName:
        return tree.TypeName(None, (), children[0], children[1], False, False, span=self._span(meta))

    def truth_type(self, meta: Meta, children: list[Any]) -> tree.TypeName:
        return tree.TypeName(None, (), None, None, True, False, span=self._span(meta))

    def or_none(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("optional", meta)

    def type_mark(self, meta: Meta, children: list[Any]) -> Part:
        plain: tree.TypeName = children[0]
        span = plain.span
        if len(children) > 1:
            span = self._span_between(plain.span, children[1].span)
        whole = tree.TypeName(
            plain.sort, plain.values, plain.low, plain.high, plain.truth, len(children) > 1, span=span
        )
        return self._part("type", meta, whole)

    def initial(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("initial", meta, children[-1])

    def output(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("output", meta)

    def on_stage(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("stage", meta, word(children[0]))

    def _register(self, meta: Meta, children: list[Any], kind: str = "register") -> tree.RegisterDeclaration:
        self._note_repeated(children)
        found = parts(children)
        return tree.RegisterDeclaration(
            name=word(children[0]),
            index=found.get("parameters", ()),
            type=type_of(found),
            initial=found.get("initial"),
            output=found.get("output", False),
            stage=found.get("stage"),
            ledger=kind == "ledger",
            outside_frame=found.get("outside_frame", False),
            window=kind == "window",
            span=self._span(meta),
        )

    def register(self, meta: Meta, children: list[Any]) -> tree.RegisterDeclaration:
        return self._register(meta, children)

    def ledger(self, meta: Meta, children: list[Any]) -> tree.RegisterDeclaration:
        return self._register(meta, children, "ledger")

    def window(self, meta: Meta, children: list[Any]) -> tree.RegisterDeclaration:
        return self._register(meta, children, "window")

    # ---------------------------------------------------------------------------------------------- acts, slots

    def stages(self, meta: Meta, children: list[Any]) -> tree.StagesDeclaration:
        return tree.StagesDeclaration(parts(children)["names"], span=self._span(meta))

    def event_declaration(self, meta: Meta, children: list[Any]) -> tree.EventDeclaration:
        parameters = parts(children).get("parameters", ())
        return tree.EventDeclaration(word(children[0]), parameters, span=self._span(meta))

    def drives(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("turn", meta)

    def silence_permits(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("silence", meta)

    def act_class(self, meta: Meta, children: list[Any]) -> tree.ClassDeclaration:
        self._note_repeated(children)
        found = parts(children)
        turn, silence = found.get("turn", False), found.get("silence", False)
        return tree.ClassDeclaration(word(children[0]), turn, silence, span=self._span(meta))

    def class_mark(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("class", meta, word(children[0]))

    def by_chance(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("chance", meta, children[0].value)

    def possible(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("possible", meta, children[0])

    def body(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("body", meta, children[0])

    def _action(self, meta: Meta, children: list[Any], by_chance: bool) -> tree.ActionDeclaration:
        found = parts(children)
        return tree.ActionDeclaration(
            name=word(children[0]),
            parameters=found.get("parameters", ()),
            act_class=found.get("class"),
            chance=found.get("chance", ()),
            by_chance=by_chance,
            possible=found.get("possible"),
            body=found.get("body", ()),
            span=self._span(meta),
        )

    def action(self, meta: Meta, children: list[Any]) -> tree.ActionDeclaration:
        return self._action(meta, children, False)

    def chance_act(self, meta: Meta, children: list[Any]) -> tree.ActionDeclaration:
        return self._action(meta, children, True)

    def when(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("when", meta, children[0])

    def asked(self, meta: Meta, children: list[Any]) -> tree.SlotOption:
        when = parts(children).get("when")
        return tree.SlotOption(word(children[0]), "asked", when, None, span=self._span(meta))

    def outcome(self, meta: Meta, children: list[Any]) -> tree.SlotOption:
        return tree.SlotOption(word(children[0]), "outcome", None, None, span=self._span(meta))

    def mode_first(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("mode", meta, "first")

    def mode_unique(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("mode", meta, "unique")

    def mode_any(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("mode", meta, "any")

    def combination(self, meta: Meta, children: list[Any]) -> tree.SlotOption:
        mode = parts(children)["mode"]
        return tree.SlotOption(word(children[0]), "combination", None, mode, span=self._span(meta))

    def projection(self, meta: Meta, children: list[Any]) -> tree.ProjectionDeclaration:
        return tree.ProjectionDeclaration(word(children[0]), parts(children)["names"], span=self._span(meta))

    def required(self, meta: Meta, children: list[Any]) -> Part:
        return self._part("required", meta, tuple(children))

    def check_decks(self, meta: Meta, children: list[Any]) -> tree.CheckDecksDeclaration:
        return tree.CheckDecksDeclaration(parts(children).get("required", ()), span=self._span(meta))

    def procedure(self, meta: Meta, children: list[Any]) -> tree.ProcedureDeclaration:
        return tree.ProcedureDeclaration(children[0].number, parts(children)["rules"], span=self._span(meta))

    def variant(self, meta: Meta, children: list[Any]) -> tree.VariantDeclaration:
        return tree.VariantDeclaration(word(children[0]), parts(children)["rules"], span=self._span(meta))
