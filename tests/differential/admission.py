"""In: an engine and the constraints of the same norms. Out: the first step of random play on which they part, if any.

Both ways: every step of the engine is admitted by the asserted terms, and the terms know no other lawful act (and, as
the next state is one term of the state before, no other successor).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from svod.constraints.agreement import Agreement, Disagreement
from svod.engine.play import Engine
from svod.norms.trace import Act, Next, Position, Status


def first_unadmitted(
    engine: Engine,
    constraints: Agreement,
    steps: int,
    seed: int,
    *,
    unlawful_each: int = 0,
    progress: Callable[[int], None] = lambda taken: None,
) -> Disagreement | None:
    """Random play of so many steps, each kind of act with the same chance; one in `unlawful_each` is possible but not
    lawful (0: none): so breaches, claims and what follows from them are among the steps."""
    random = Random(seed)
    start = position = _start(engine)
    for taken in range(steps):
        lawful = engine.acts(position)
        found = constraints.acts_disagreement(position, lawful)
        if found is not None:
            return found
        others = []
        if unlawful_each and random.randrange(unlawful_each) == 0:
            others = [a for a, status in constraints.statuses(position).items() if status is not Status.LAWFUL]
        acts = others or (moving(engine, lawful) if random.randrange(3) else lawful)
        if not acts or engine.over(position):
            position = start
            continue
        kind = random.choice(sorted({act.action for act in acts}))
        act = random.choice([act for act in acts if act.action == kind])
        outcome = engine.step(position, act)
        found = constraints.disagreement(position, act, outcome)
        if found is not None:
            return found
        position = outcome.position if isinstance(outcome, Next) else start
        progress(taken + 1)
    return None


def moving(engine: Engine, acts: Sequence[Act]) -> Sequence[Act]:
    """Those that bring the play on: moves, chance, what moves cards; all, if there are none."""
    on = {action.name for action in engine.norms.actions if action.turn or action.actor is None or action.body}
    return [act for act in acts if act.action in on] or acts


def _start(engine: Engine) -> Position:
    outcome = engine.initial()
    if not isinstance(outcome, Next):
        raise ValueError("the play does not begin: there is nothing to compare")
    return outcome.position
