"""What the printers of expressions share: scopes, values with their definedness, helper functions of the program.

The printer is one class made of parts (conditions, values, masks, quantifiers, terms); `Core` declares what each part
may ask of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from svod.engine.layout import HOLE, NONE, Layout
from svod.engine.static import Static
from svod.engine.text import FALSE, ProgramText, both, identifier
from svod.engine.walk import children, free_variables
from svod.engine.world import World, terms_read
from svod.norms import ir

MASK_MAX = 62  # sorts of at most so many values are handled as bit masks
TABLE_MAX = 8192  # largest table worked out in advance


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is read. `array`: the state; `before`: the state before, if there is one; `cached`: cached
    terms are up to date; `names`: text of each variable; `busy`: in a circular term, the bits of those under way."""

    array: str = "S"
    before: str | None = None
    cached: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    busy: str | None = None

    def bind(self, *variables: ir.Variable) -> Scope:
        """The scope with these variables as locals of their own name."""
        return replace(self, names={**self.names, **{v.name: identifier(v.name) for v in variables}})


@dataclass(frozen=True, slots=True)
class Val:
    """A value as text. It may be read where all `conditions` hold; with `sentinel` it may still be HOLE or CLASH.
    `low`..`high` bound it (`None`: no bound); `optional`: it may be «нет», −1."""

    text: str
    conditions: tuple[str, ...] = ()
    sentinel: bool = False
    low: int | None = None
    high: int | None = None
    optional: bool = False

    @property
    def total(self) -> bool:
        """Always defined."""
        return not self.conditions and not self.sentinel

    @property
    def defined(self) -> str:
        """The condition under which it has a value."""
        return both(*self.settled().conditions)

    def settled(self) -> Val:
        """The same value, its definedness wholly in `conditions`."""
        if not self.sentinel:
            return self
        return replace(self, conditions=(*self.conditions, f"{self.text} < HOLE"), sentinel=False)


class Core:
    """The state of a printer."""

    def __init__(self, world: World, static: Static, layout: Layout) -> None:
        self.world = world
        self.static = static
        self.layout = layout
        self.text = ProgramText()
        self.registers = dict(layout.registers)
        self.constants = {name: value for (name, _), value in layout.constants}
        self.caches = dict(layout.caches)
        self.switch_slots = dict(layout.switches)
        self.events = dict(layout.events)
        self.zone_places = {(z.zone, z.owner): z for z in layout.zones}
        self.zone_numbers = {(z.zone, z.owner): i for i, z in enumerate(layout.zones)}

    # What the parts offer each other.

    def true(self, e: ir.Expression, scope: Scope) -> str:
        """Condition: defined and true."""
        raise NotImplementedError

    def false(self, e: ir.Expression, scope: Scope) -> str:
        """Condition: defined and false."""
        raise NotImplementedError

    def total(self, e: ir.Expression) -> bool:
        """Whether the expression certainly always has a value."""
        raise NotImplementedError

    def value(self, e: ir.Expression, scope: Scope) -> Val:
        """The value of any expression."""
        raise NotImplementedError

    def mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope, want: bool = True) -> str | None:
        """Values of the variable for which the condition is defined and as wanted; `None` if that takes a loop."""
        raise NotImplementedError

    def full_mask(self, e: ir.Expression, variable: ir.Variable, scope: Scope) -> str:
        """Values of the variable that meet the condition, by a loop in a helper function where it must be."""
        raise NotImplementedError

    def term_call(self, name: str, arguments: tuple[str, ...], scope: Scope) -> str:
        """A call of the function for a term or the firing of a clause."""
        raise NotImplementedError

    def quantified(self, e: ir.Expression, scope: Scope) -> Val:
        """The value of a quantifier that is not a condition."""
        raise NotImplementedError

    def zone_field(self, zone: ir.ZoneRef, field: str, scope: Scope) -> Val:
        """Slot number of a part of a zone (`mask`, `cards`, `authors`, `length`) for its owner, as text."""
        raise NotImplementedError

    def absent(self, zone: ir.ZoneRef) -> bool:
        """Whether the zone is always empty and has no place."""
        raise NotImplementedError

    # Helpers.

    def full(self, sort: str) -> int:
        """All values of a sort as a mask."""
        return (1 << self.world.count(sort)) - 1

    def liftable(self, sort: str) -> bool:
        """Whether sets of values of the sort fit into a mask."""
        return self.world.count(sort) <= MASK_MAX

    def needs_before(self, e: ir.Expression) -> bool:
        """Whether the state before is read somewhere."""
        return "before" in self.world.reads(e)

    def reads_cache(self, e: ir.Expression) -> bool:
        """Whether a cached term is read somewhere, so that it matters whether caches are up to date."""
        if isinstance(e, ir.ReadTerm) and (e.term in self.caches or self._term_reads_cache(e.term, set())):
            return True
        return any(map(self.reads_cache, children(e)))

    def _term_reads_cache(self, name: str, seen: set[str]) -> bool:
        if name in self.caches:
            return True
        if name in seen:
            return False
        seen.add(name)
        return any(self._mentions_cache(e, seen) for e in self.world.term_expressions(name))

    def _mentions_cache(self, e: ir.Expression, seen: set[str]) -> bool:
        if isinstance(e, ir.ReadTerm) and self._term_reads_cache(e.term, seen):
            return True
        return any(self._mentions_cache(child, seen) for child in children(e))

    def present(self, e: ir.Expression, scope: Scope) -> Val:
        """The value where one has to be there: «нет» counts as undefined."""
        val = self.value(e, scope)
        if not val.optional:
            return val
        val = val.settled()
        there = FALSE if val.text == str(NONE) else f"{val.text} >= 0"
        return replace(val, conditions=(*val.conditions, there), low=0, optional=False)

    def helper(self, kind: str, e: ir.Expression, scope: Scope, hint: str, build: Callable[[Scope], list[str]]) -> str:
        """A call of a helper function that works on `e`; `build` prints its body for an inner scope."""
        variables = free_variables(e)
        before = scope.before is not None and self.needs_before(e)
        cached = scope.cached and self.reads_cache(e)
        busy = scope.busy is not None and any(map(self.world.meets_circle, terms_read(e)))
        inner = Scope("S", "B" if before else None, cached, busy="_busy" if busy else None).bind(*variables)
        arrays = ["S", "B"] if before else ["S"]
        parameters = ", ".join([*arrays, *(inner.names[v.name] for v in variables), *(["_busy"] if busy else [])])

        def printed(name: str) -> list[str]:
            return [f"def {name}({parameters}):", *("    " + line for line in build(inner))]

        name = self.text.function((kind, e, before, cached, busy), hint, printed)
        actual = [scope.array, *([scope.before] if before and scope.before else [])]
        actual += [scope.names[v.name] for v in variables]
        actual += [scope.busy] if busy and scope.busy else []
        return f"{name}({', '.join(actual)})"

    def table_value(self, hint: str, values: list[int], index: str, conditions: tuple[str, ...]) -> Val:
        """A look-up; entries HOLE make it partial."""
        known = [v for v in values if v < HOLE]
        partial = len(known) < len(values)
        low, high = (min(known), max(known)) if known else (0, 0)
        if known and not partial and low == high:
            return Val(str(low), conditions, False, low, high)
        return Val(f"{self.text.table(hint, values)}[{index}]", conditions, partial, low, high)
