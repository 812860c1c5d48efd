"""Violations, lapses and restorations → the statements of a step that enter open breaches and bring the frame back."""

from __future__ import annotations

from svod.engine.effects import Effects
from svod.engine.lawfulness import AT_REST, Lawfulness
from svod.engine.layout import FrameState, StepCode
from svod.engine.text import FALSE, block, both, either, identifier, indented, union
from svod.engine.walk import flat_effects, substitute
from svod.norms import ir
from svod.norms.trace import Status


class Breaches:
    """Prints nothing at all where no breach is ever entered."""

    def __init__(self, effects: Effects, acts: Lawfulness, record: str | None) -> None:
        self.e = effects
        self.p = effects.p
        self.world = effects.world
        self.acts = acts
        self.record = record
        clauses = self.world.norms.clauses if record is not None else ()
        self.violations = [c for c in clauses if isinstance(c, ir.Violation)]
        self.lapses = [c for c in clauses if isinstance(c, ir.Lapse)]
        triggers = [c for c in clauses if isinstance(c, ir.Trigger)]
        self.restores = any(isinstance(e, ir.Restore) for t in triggers for e in flat_effects(t.effects))

    def writes(self, action: ir.Action) -> frozenset[str]:
        """What a step of this kind writes besides the body."""
        if self.record is None or not (self._numbers(action) or action.actor is not None or self._lapse(action)):
            return frozenset()
        return frozenset({"register:" + self.record})

    def touched(self, action: ir.Action) -> str:
        """The condition, after the body, that the step has written into the record by itself."""
        return "(_broken != 0 or _lapse != 0)" if self._lapse(action) else "_broken != 0"

    # ------------------------------------------------------------------------------------------- phase 0

    def before_body(self, action: ir.Action) -> list[str]:
        """Read off the state before the act who becomes guilty of what; the first open breach keeps that state."""
        if not self.writes(action):
            return []
        numbers = self._numbers(action)
        lines: list[str] = []
        for number, violations in numbers.items():
            lines.append(f"_guilty{number} = 0")
            for violation in violations:
                lines += self._offenders(violation, action, f"_guilty{number}")
        guilty = union(f"_guilty{number}" for number in numbers)
        other = self._other(action, guilty)
        lines += [f"_broken = {guilty}", *other]
        lapse = self._lapse(action)
        kept = f"S[{self._open}] == {int(FrameState.KEPT)}"
        if lapse:
            lines.append(f"_lapse = (1 if S[{self._open}] != 0 and {lapse} else 0)")
            kept = f"({kept} and _lapse == 0)"
        return [*lines, *block(f"if _broken != 0 and not {kept}:", ["keep_frame(S)"])]

    def after_body(self, action: ir.Action) -> list[str]:
        """Lapses first, then what the act breaks; all of it counts as written by the body."""
        if not self.writes(action):
            return []
        lines: list[str] = []
        if self._lapse(action):
            lines += ["if _lapse != 0:", "    clear_record(S)", *indented(["if _broken == 0:", "    drop_frame(S)"])]
        enter = [f"accuse(S, _guilty{number}, {number})" for number in self._numbers(action)]
        if action.actor is not None:
            enter.append(f"accuse(S, _other, {self._number(self._catalogue.other)})")
        return [*lines, *block("if _broken != 0:", enter)]

    @property
    def _catalogue(self) -> ir.Catalogue:
        catalogue = self.world.norms.catalogue
        assert catalogue is not None
        return catalogue

    @property
    def _open(self) -> int:
        frame = self.p.layout.frame
        assert frame is not None
        return frame.open

    def _number(self, name: str) -> int:
        return self.world.sorts[self._catalogue.sort].values.index(name)

    def _numbers(self, action: ir.Action) -> dict[int, list[ir.Violation]]:
        """The violations that an act of this kind can commit, by their number in the catalogue."""
        found: dict[int, list[ir.Violation]] = {}
        for violation in self.violations:
            if violation.action == action.name:
                found.setdefault(self._number(violation.name), []).append(violation)
        return dict(sorted(found.items()))

    def _offenders(self, violation: ir.Violation, action: ir.Action, mask: str) -> list[str]:
        """Add to the mask who offends."""
        parameters = action.parameters
        extra = [ir.Variable(f"{v.name}_e", v.sort) for v in violation.head.variables[len(parameters) :]]
        own = (*parameters, *extra)
        values = {v.name: o for v, o in zip(violation.head.variables, own, strict=True) if v != o}
        scope = AT_REST.bind(*own)
        fires = self.p.true(self.world.firing(violation.head.id, own), scope)
        found: list[str] = []
        for offender in violation.offenders:
            val = self.p.present(substitute(offender, values), scope).settled()
            found += block(f"if {both(*val.conditions)}:", [f"{mask} |= 1 << {val.text}"])
        lines = block(f"if {fires}:", found)
        for variable in reversed(extra):
            lines = block(f"for {identifier(variable.name)} in range({self.world.count(variable.sort)}):", lines)
        return [f"# {violation.head.id}", *lines] if lines else []

    def _other(self, action: ir.Action, guilty: str) -> list[str]:
        """An unlawful act that no number names."""
        if action.actor is None:
            return []
        names = [identifier(p.name) for p in action.parameters]
        status = f"{self.acts.status_of[action.name]}({', '.join(['S', *names])})"
        free = "" if guilty == "0" else "_broken == 0 and "
        test = f"if {free}{status} == {int(Status.UNLAWFUL)}:"
        return ["_other = 0", test, f"    _other = 1 << {names[action.actor]}", "    _broken = _other"]

    def _lapse(self, action: ir.Action) -> str:
        """The condition under which an act of this kind ends every open breach; empty if it never does."""
        scope = AT_REST.bind(*action.parameters)
        mine = [c for c in self.lapses if c.action == action.name]
        condition = either(*(self.p.true(self.world.over_parameters(c), scope) for c in mine))
        return "" if condition == FALSE else condition

    # ------------------------------------------------------------------------------------------- restoration

    def asked(self) -> list[str]:
        """After the writes of a wave: what came first is back if a trigger asked for it. `_back` tells."""
        if not self.restores:
            return []
        hole, limit = int(StepCode.HOLE), int(StepCode.LIMIT)
        return [
            "_back = 0",
            f"if D[RESTORE] != 0 and S[{self._open}] == {int(FrameState.KEPT)}:",
            *indented(
                [
                    "_back = 1",
                    "_code = restore(S, D)",
                    "if _code == 1:",
                    f"    outcome(D, {hole}, D[RESTORE_PLACE], D[RESTORE] - 1, -1)",
                    *indented(_arguments()),
                    f"    return {hole}",
                    "if _code != 0:",
                    f"    return outcome(D, {limit}, ZONE_PLACE[_code - 2], D[RESTORE] - 1, -1)",
                    "D[DIRTY] = 0",
                    "D[STALE] = 0",
                ]
            ),
            "D[RESTORE] = 0",
        ]

    def at_rest(self) -> list[str]:
        """At rest the frame is kept for open breaches only."""
        if self.record is None:
            return []
        return [f"if S[{self._open}] != 0 and innocent(S) != 0:", "    drop_frame(S)"]


def _arguments() -> list[str]:
    return [
        "D[ARGUMENT_COUNT] = D[RESTORE_COUNT]",
        "_i = 0",
        "while _i < D[RESTORE_COUNT] and _i < 6:",
        "    D[ARGUMENTS + _i] = D[RESTORE_ARGUMENTS + _i]",
        "    _i += 1",
    ]
