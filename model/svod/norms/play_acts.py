"""Norms in, the same norms without free speech out: what lawful play is searched and played at random in.

Speech that costs nothing and changes nothing on the table is possible without end; searches and random lawful play
would drown in it. Here an act of a player that moves nothing and does not drive the game is possible only while some
duty asks for that very act.
"""

from __future__ import annotations

from dataclasses import replace

from svod.norms import ir
from svod.norms.fires import clause_table, fires_in
from svod.norms.walk import substitute


def acts_of_play(norms: ir.Norms) -> ir.Norms:
    """The norms of lawful play. Codes of acts stay what they are; doing this twice changes nothing more."""
    duties = [clause for clause in norms.clauses if isinstance(clause, ir.Duty)]
    actions = tuple(_when_owed(norms, a, duties) if is_talk(a) else a for a in norms.actions)
    return norms if actions == norms.actions else replace(norms, actions=actions)


def is_talk(action: ir.Action) -> bool:
    """Whether acts of this kind are a player's, move nothing and do not drive the game."""
    return action.actor is not None and not action.turn and not action.body


def _when_owed(norms: ir.Norms, action: ir.Action, duties: list[ir.Duty]) -> ir.Action:
    owed = tuple(_asks_for(norms, duty, action) for duty in duties if duty.action == action.name)
    given = action.possible.parts if isinstance(action.possible, ir.And) else (action.possible,)
    asked: ir.Expression = ir.Or(owed) if len(owed) > 1 else owed[0] if owed else ir.Boolean(False)
    return action if asked in given else replace(action, possible=ir.And((*given, asked)))


def _asks_for(norms: ir.Norms, duty: ir.Duty, action: ir.Action) -> ir.Expression:
    """Some duty of this clause is there and the act fulfils it; always defined."""
    taken = {parameter.name for parameter in action.parameters}
    own: dict[str, ir.Variable] = {}
    for variable in duty.head.variables:
        fresh = variable
        while fresh.name in taken:  # a variable of the duty must not be taken for a parameter of the act
            fresh = ir.Variable(fresh.name + "′", variable.sort)
        taken.add(fresh.name)
        own[variable.name] = fresh
    values: dict[str, ir.Expression] = dict(own)
    wanted: list[tuple[ir.Variable, ir.Expression]] = []
    for parameter, argument in zip(action.parameters, duty.arguments, strict=True):
        if isinstance(argument, ir.Variable) and values.get(argument.name) == own.get(argument.name):
            values[argument.name] = parameter  # the variable is read off the act
        elif argument is not None:
            wanted.append((parameter, argument))
    same = [ir.Compare(ir.Relation.EQUAL, place, substitute(value, values)) for place, value in wanted]
    fires = substitute(fires_in(clause_table(norms), duty), values)
    result: ir.Expression = ir.And((fires, *same)) if same else fires
    loose = [variable for name, variable in own.items() if values[name] == variable]
    for variable in reversed(loose or [ir.Variable("_", norms.seats)]):
        result = ir.Exists(variable, result)
    return result
