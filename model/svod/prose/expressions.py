"""In: an expression of the norms. Out: how a person would say it, in Russian or English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from svod.norms import ir
from svod.prose.wording import RELATIONS, phrase, quoted

_Atom: TypeAlias = ir.Number | ir.Boolean | ir.Value | ir.Nothing | ir.Variable | ir.Switch | ir.SeatCount
_Read: TypeAlias = ir.ReadRegister | ir.ReadTerm | ir.Happened | ir.Component | ir.Compose | ir.StepValue | ir.Extreme
_Chosen: TypeAlias = ir.FirstClockwise | ir.Only | ir.Best | ir.Count | ir.Sum | ir.Exists | ir.ForAll
_Zoned: TypeAlias = ir.Size | ir.Top | ir.Bottom | ir.Author | ir.CardAbove | ir.InZone | ir.ZonesHolding
_Logic: TypeAlias = ir.Not | ir.And | ir.Or | ir.Compare | ir.Arithmetic | ir.Choose


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says expressions of `norms` in `language`; `said` replaces variables whose value a pattern fixes."""

    norms: ir.Norms
    language: str
    said: Mapping[str, str] = field(default_factory=dict)

    def phrase(self, kind: str, /, **parts: str) -> str:
        """A phrase of the wording table."""
        return phrase(kind, self.language, **parts)

    def name(self, name: str) -> str:
        """A name of the rulebook in quotes."""
        return quoted(name, self.language)

    def variable(self, variable: ir.Variable) -> str:
        """A variable by its name, or by what the pattern says it is."""
        return self.said.get(variable.name, variable.name.replace("_", " ").strip() or variable.sort)

    def call(self, name: str, arguments: tuple[ir.Expression | None, ...]) -> str:
        """A name with what it is applied to; `None` leaves a place open."""
        if not arguments:
            return self.name(name)
        said = [self.phrase("any") if each is None else self.expression(each) for each in arguments]
        return f"{self.name(name)} ({', '.join(said)})"

    def zone(self, zone: ir.ZoneRef) -> str:
        """A zone with its owner."""
        return self.call(zone.zone, () if zone.owner is None else (zone.owner,))

    def expression(self, expression: ir.Expression) -> str:
        """The whole phrase."""
        match expression:
            case ir.Number() | ir.Boolean() | ir.Value() | ir.Nothing() | ir.Variable() | ir.Switch() | ir.SeatCount():
                return self._atom(expression)
            case (
                ir.ReadRegister()
                | ir.ReadTerm()
                | ir.Happened()
                | ir.Component()
                | ir.Compose()
                | ir.StepValue()
                | ir.Extreme()
            ):
                return self._read(expression)
            case ir.FirstClockwise() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Exists() | ir.ForAll():
                return self._chosen(expression)
            case ir.Size() | ir.Top() | ir.Bottom() | ir.Author() | ir.CardAbove() | ir.InZone() | ir.ZonesHolding():
                return self._zoned(expression)
            case ir.Not() | ir.And() | ir.Or() | ir.Compare() | ir.Arithmetic() | ir.Choose():
                return self._logic(expression)
            case ir.Distance(origin, target):
                return self.phrase("distance", origin=self.operand(origin), target=self.operand(target))
            case ir.Present(of):
                return self.expression(of)
            case ir.Before(of):
                return self.phrase("before", of=self.operand(of))
            case ir.Lawful(action, arguments):
                return self.phrase("allowed", act=self.call(action, arguments))
            case _:
                assert_never(expression)

    def operand(self, expression: ir.Expression) -> str:
        """As part of another phrase: whatever has inner structure stands in parentheses."""
        text = self.expression(expression)
        match expression:
            case ir.And() | ir.Or() | ir.Choose() | ir.ForAll() | ir.Arithmetic() | ir.Before() | ir.FirstClockwise():
                return f"({text})"
            case ir.Exists() | ir.Only() | ir.Best() | ir.Count() | ir.Sum() | ir.Compare():
                return f"({text})"
            case ir.Present(of):
                return self.operand(of)
            case _:
                return text

    def _atom(self, expression: _Atom) -> str:
        match expression:
            case ir.Number(value):
                return str(value)
            case ir.Boolean(value):
                return self.phrase("yes" if value else "no")
            case ir.Value(sort, index):
                return self.norms.sort(sort).values[index].replace("_", " ")
            case ir.Nothing():
                return self.phrase("nothing")
            case ir.Variable():
                return self.variable(expression)
            case ir.Switch(name):
                return self.phrase("switch", name=name)
            case ir.SeatCount():
                return self.phrase("seat_count")
            case _:
                assert_never(expression)

    def _read(self, expression: _Read) -> str:
        match expression:
            case ir.ReadRegister(name, (offender, number)) if self._is_record(name):
                return self.phrase("guilty", offender=self.expression(offender), number=self.expression(number))
            case ir.ReadRegister(name, arguments) | ir.ReadTerm(name, arguments):
                return self.call(name, arguments)
            case ir.Happened(event, arguments):
                return self.phrase("happened", event=self.call(event, arguments))
            case ir.Component(of, factor):
                return self.phrase("component", factor=self._factor(of, factor), of=self.expression(of))
            case ir.Compose(sort, parts):
                return self.phrase("compose", sort=sort, parts=", ".join(self.expression(part) for part in parts))
            case ir.StepValue(of, delta, wrap):
                seats = self._sort_of(of) == self.norms.seats
                key = ("next" if delta > 0 else "previous") + ("_seat" if seats else "")
                step = self.phrase(key, of=self.operand(of))
                return self.phrase("wrapped", step=step) if wrap and not seats else step
            case ir.Extreme(sort, greatest):
                return self.phrase("greatest" if greatest else "least", sort=sort.replace("_", " "))
            case _:
                assert_never(expression)

    def _is_record(self, register: str) -> bool:
        return self.norms.catalogue is not None and register == self.norms.catalogue.record

    def _chosen(self, expression: _Chosen) -> str:
        variable = self.variable(expression.variable)
        where = self.where(expression.where)
        match expression:
            case ir.FirstClockwise(start, inclusive):
                key = "first_from" if inclusive else "first_after"
                return self.phrase(key, start=self.operand(start), variable=variable, where=where)
            case ir.Best():
                key = "largest" if expression.largest else "smallest"
                return self.phrase(key, variable=variable, where=where, key=self.operand(expression.key))
            case ir.Sum():
                return self.phrase("sum", variable=variable, where=where, of=self.operand(expression.of))
            case ir.ForAll():
                return self.phrase("for_all", variable=variable, where=where, holds=self.operand(expression.holds))
            case ir.Only():
                return self.phrase("only", variable=variable, where=where)
            case ir.Count():
                return self.phrase("count", variable=variable, where=where)
            case ir.Exists():
                return self.phrase("exists", variable=variable, where=where)
            case _:
                assert_never(expression)

    def where(self, condition: ir.Expression) -> str:
        """«, что …», or nothing for a condition that is always met."""
        if condition == ir.Boolean(True):
            return ""
        return self.phrase("where", condition=self.operand(condition))

    def _zoned(self, expression: _Zoned) -> str:
        match expression:
            case ir.Size(zone):
                return self.phrase("size", zone=self.zone(zone))
            case ir.Top(zone):
                return self.phrase("top", zone=self.zone(zone))
            case ir.Bottom(zone):
                return self.phrase("bottom", zone=self.zone(zone))
            case ir.Author(card, zone):
                return self.phrase("author", card=self.operand(card), zone=self.zone(zone))
            case ir.CardAbove(card, zone):
                return self.phrase("above", card=self.operand(card), zone=self.zone(zone))
            case ir.InZone(card, zone):
                return self.phrase("in", card=self.operand(card), zone=self.zone(zone))
            case ir.ZonesHolding(card):
                return self.phrase("zones_holding", card=self.operand(card))
            case _:
                assert_never(expression)

    def _logic(self, expression: _Logic) -> str:
        match expression:
            case ir.Not(of):
                return self._negated(of)
            case ir.And(parts) | ir.Or(parts):
                if not parts:
                    return self.phrase("yes" if isinstance(expression, ir.And) else "no")
                if len(parts) == 1:
                    return self.expression(parts[0])
                joint = self.phrase("and" if isinstance(expression, ir.And) else "or")
                return joint.join(self._part(part) for part in parts)
            case ir.Compare():
                return self._comparison(expression)
            case ir.Arithmetic(operator, left, right):
                return f"{self.operand(left)} {operator.value} {self.operand(right)}"
            case ir.Choose(condition, then, otherwise):
                return self.phrase(
                    "choose",
                    condition=self._part(condition),
                    then=self._part(then),
                    otherwise=self._part(otherwise),
                )
            case _:
                assert_never(expression)

    def _part(self, expression: ir.Expression) -> str:
        """One of several conditions side by side: a plain comparison needs no parentheses there."""
        return self.expression(expression) if isinstance(expression, ir.Compare) else self.operand(expression)

    def _negated(self, of: ir.Expression) -> str:
        match of:
            case ir.InZone(card, zone):
                return self.phrase("not_in", card=self.operand(card), zone=self.zone(zone))
            case ir.Exists():
                return self.phrase("exists_none", variable=self.variable(of.variable), where=self.where(of.where))
            case ir.Compare(ir.Relation.EQUAL, ir.Size(zone), ir.Number(0)):
                return self.phrase("not_empty", zone=self.zone(zone))
            case _:
                return self.phrase("not", of=self.operand(of))

    def _comparison(self, compare: ir.Compare) -> str:
        left, right = compare.left, compare.right
        match compare:
            case ir.Compare(ir.Relation.EQUAL, ir.Size(zone), ir.Number(0)):
                return self.phrase("empty", zone=self.zone(zone))
            case ir.Compare(ir.Relation.UNEQUAL | ir.Relation.GREATER, ir.Size(zone), ir.Number(0)):
                return self.phrase("not_empty", zone=self.zone(zone))
            case ir.Compare(ir.Relation.EQUAL, _, ir.Nothing()):
                return self.phrase("equal_nothing", left=self.operand(left))
            case ir.Compare(ir.Relation.UNEQUAL, _, ir.Nothing()):
                return self.phrase("unequal_nothing", left=self.operand(left))
            case _:
                words = RELATIONS[compare.relation].in_language(self.language)
                return words.format(left=self.operand(left), right=self.operand(right))

    def _factor(self, of: ir.Expression, factor: int) -> str:
        sort = self._sort_of(of)
        factors = self.norms.sort(sort).factors if sort else ()
        return factors[factor].lower().replace("_", " ") if factors else str(factor + 1)

    def _sort_of(self, expression: ir.Expression) -> str | None:
        """The sort of a value, as far as the phrases need it."""
        match expression:
            case ir.Variable(_, sort) | ir.Value(sort) | ir.Compose(sort) | ir.Extreme(sort) | ir.Nothing(sort):
                return sort
            case ir.Top() | ir.Bottom() | ir.CardAbove():
                return self.norms.card_sort
            case ir.Author() | ir.FirstClockwise():
                return self.norms.seats
            case ir.Only(variable) | ir.Best(variable):
                return variable.sort
            case ir.Present(of) | ir.Before(of) | ir.StepValue(of):
                return self._sort_of(of)
            case ir.Component(of, factor):
                product = self._sort_of(of)
                return self.norms.sort(product).factors[factor] if product else None
            case ir.ReadRegister(name):
                return next((_member(each.type) for each in self.norms.registers if each.name == name), None)
            case ir.ReadTerm(name):
                return next((_member(each.type) for each in self.norms.terms if each.name == name), None)
            case ir.Choose(_, then):
                return self._sort_of(then)
            case _:
                return None


def _member(type_: ir.Type) -> str | None:
    return type_.sort if isinstance(type_, ir.Member) else None
