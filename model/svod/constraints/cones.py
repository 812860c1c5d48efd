"""Which zones and registers a question looks at, and the lighter backgrounds that follow.

A question that has no answer among looser states has none at all, so a proof may forget what is said about places it
does not look at. A witness may be looked for where those places are empty first, which is far easier to find.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import z3
from z3 import z3core

from svod.constraints import terms as t
from svod.constraints.symbols import KEPT, Cell, State, World, columns, pile_length
from svod.constraints.terms import Bits, Truth
from svod.constraints.well_typed import disjoint, kept_conditions, register_conditions, zone_conditions

_LONG = 8  # piles that may hold more cards than this are looked at short first
_SHORT = 3
FRAME = "the frame"  # a place like any other, whose name no zone or register has


@dataclass
class Cones:
    """Finds the places of one symbolic state in conditions."""

    world: World
    state: State
    initial: dict[Cell, Bits]
    _owners: dict[int, str] = field(default_factory=dict)
    _known: dict[int, tuple[frozenset[str], Any]] = field(default_factory=dict)
    _parts: dict[str, Truth] = field(default_factory=dict)
    _cut: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, term, _ in columns(self.world, self.state):
            if not isinstance(term, int):
                self._owners[term.get_id()] = _place_name(place)

    def of(self, conditions: Iterable[Truth]) -> frozenset[str]:
        """Names of zones and registers whose constants occur."""
        found: set[str] = set()
        for condition in conditions:
            if not isinstance(condition, bool):
                found |= self._of(condition)
        return frozenset(found)

    def _of(self, condition: Any) -> frozenset[str]:
        known = self._known.get(condition.get_id())
        if known is None:
            context = z3.main_ctx().ref()
            found: set[str] = set()
            seen: set[int] = set()
            stack = [condition.as_ast()]
            while stack:
                node = stack.pop()
                identity = z3core.Z3_get_ast_id(context, node)
                if identity in seen or z3core.Z3_get_ast_kind(context, node) != z3.Z3_APP_AST:
                    continue
                seen.add(identity)
                app = z3core.Z3_to_app(context, node)
                count = z3core.Z3_get_app_num_args(context, app)
                if count == 0 and identity in self._owners:
                    found.add(self._owners[identity])
                stack += [z3core.Z3_get_app_arg(context, app, i) for i in range(count)]
            known = self._known[condition.get_id()] = (frozenset(found), condition)
        return known[0]

    @property
    def long_piles(self) -> frozenset[str]:
        """Pile zones that may hold many cards: hard to fill, so they are tried empty first."""
        return frozenset(zone.name for zone in self.world.norms.zones if zone.pile and zone.capacity > _LONG)

    def without_piles(self, condition: Truth) -> Truth:
        """The condition in states whose long piles are empty."""
        if isinstance(condition, bool) or not self.long_piles:
            return condition
        known = self._cut.get(condition.get_id())
        if known is None:
            pairs = [
                (term, t.bits(0, width))
                for place, term, width in columns(self.world, self.state)
                if _board_place(place) in self.long_piles and not isinstance(term, int)
            ]
            known = self._cut[condition.get_id()] = (z3.simplify(z3.substitute(condition, *pairs)), condition)
        return known[0]

    def whole(self, zones: frozenset[str]) -> Truth:
        """These zones hold the whole deck between them."""
        return disjoint(self.world, self.state, zones, True)

    def relaxed(self, cone: frozenset[str]) -> list[Truth]:
        """What well-typed states satisfy, as far as these places go."""
        parts = [disjoint(self.world, self.state, cone, False)]
        for zone in self.world.norms.zones:
            if zone.name in cone:
                parts.append(self._part(f"zone {zone.name}", zone))
        for register in self.world.norms.registers:
            if register.name in cone:
                parts.append(self._part(f"register {register.name}", register))
        if FRAME in cone and self.state.kept is not None:
            parts.append(self.frame)
        return parts

    @property
    def frame(self) -> Truth:
        """What is said of the board that is kept."""
        if self.state.kept is not None and FRAME not in self._parts:
            self._parts[FRAME] = kept_conditions(self.world, self.state, self.state.kept, self.initial)
        return self._parts.get(FRAME, True)

    def _part(self, name: str, of: Any) -> Truth:
        if name not in self._parts:
            if name.startswith("zone "):
                self._parts[name] = zone_conditions(self.world, self.state, of)
            else:
                self._parts[name] = register_conditions(self.world, self.state, of, self.initial)
        return self._parts[name]

    def narrowed(self, cone: frozenset[str]) -> dict[str, Truth]:
        """For each pile zone: it is empty if the question does not look at it, else short."""
        found: dict[str, Truth] = {}
        for zone in self.world.norms.zones:
            if zone.pile and (zone.name not in cone or zone.capacity > _LONG):
                most = t.constant(_SHORT if zone.name in cone else 0)
                piles = [self.state.piles[place] for place in self.world.places(zone)]
                found[zone.name] = t.conjunction(*(t.negation(t.less(most, pile_length(pile))) for pile in piles))
        return found


def _place_name(column: str) -> str:
    """«кон.card3» and «рука[1]» belong to the zone; «место[0]» to the register; all that is kept to the frame."""
    return FRAME if column.startswith(KEPT) else _board_place(column)


def _board_place(column: str) -> str:
    column = column.removeprefix(KEPT)
    return (
        column.split("[")[0]
        if ".card" not in column and ".author" not in column and ".length" not in column
        else (column.rsplit(".", 1)[0].split("[")[0])
    )
