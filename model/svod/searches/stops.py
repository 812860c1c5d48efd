"""In: a replayed play that ends where the rules give no lawful way on. Out: the finding, classified, with the rules
it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from svod.diagnostics import Code, Severity, Text
from svod.engine.play import Engine
from svod.findings import Family, Finding, Grade, Scope
from svod.norms import ir
from svod.norms.positions import position_to_json
from svod.norms.trace import Act, Clash, Decision, Hole, Limit, Next, Position, Race, Status
from svod.searches.plays import Replay, act_text, action_named, actor_of, rules_of
from svod.searches.world import second_opinion

RIGHT_AGAINST_PROHIBITION = Code(
    "F101",
    Text("право против запрета", "a right against a prohibition"),
    Text(
        "Один пункт даёт право на действие («вправе»), другой его запрещает, и ни один не назван исключением из "
        "другого. "
        "Решите, какой сильнее, и запишите: «несмотря на R-…» или «кроме R-…».",
        "One item entitles to an act, another forbids it, and neither is named as an exception to the other. "
        "Decide which is stronger and write it down: “despite R-…” or “except R-…”.",
    ),
)
RACE = Code(
    "F102",
    Text("последствия спорят", "consequences clash"),
    Text(
        "От одного действия сработали два правила, которые отправляют одни и те же карты в разные места или "
        "пишут в ячейку "
        "разное; порядок между ними не назван. Укажите его: «после R-…» или исключение.",
        "One act made two rules fire that send the same cards to different places or write different values into "
        "a register, "
        "and no order between them is stated. State it: “after R-…” or an exception.",
    ),
)
DILEMMA = Code(
    "F103",
    Text("обязанности мешают друг другу", "duties block each other"),
    Text(
        "Игрок обязан сделать два дела, и каждое из них запрещено, пока не сделано другое: законного действия нет.",
        "A player must do two things, and each is barred until the other is done: there is no lawful act.",
    ),
)
SLOT_CLASH = Code(
    "F104",
    Text("два разных ответа на один вопрос", "two answers to one question"),
    Text(
        "Два правила дают термину разные значения в одной позиции, и ни одно не исключение из другого.",
        "Two rules give a term different values in one position, and neither excepts the other.",
    ),
)
NO_ANSWER = Code(
    "F201",
    Text("на вопрос нет ответа", "a question without an answer"),
    Text(
        "Игра спрашивает значение термина (например, чей ход), а ни одно правило его не даёт.",
        "The game asks for the value of a term (whose turn it is, say) and no rule gives one.",
    ),
)
DEAD_END = Code(
    "F202",
    Text("тупик: законного действия нет", "dead end: no lawful act"),
    Text(
        "Партия не окончена, а сделать законно нельзя ничего.",
        "The play is not over and nothing can be done lawfully.",
    ),
)
UNDEFINED_EFFECT = Code(
    "F203",
    Text("последствие не определено", "an undefined consequence"),
    Text(
        "Правило сработало, но то, что оно должно записать или переложить, в этой позиции не определено.",
        "A rule fired, but what it should write or move is undefined in this position.",
    ),
)
NO_RESULT = Code(
    "F204",
    Text("итог не определён", "a result is left open"),
    Text(
        "Партия идёт дальше, но результат (место, проигравший), о котором спрашивают правила, остаётся без значения.",
        "Play goes on, but a result that the rules ask for (a place, a loser) has no value.",
    ),
)
BOUND_HIT = Code(
    "F205",
    Text("объявленная граница нарушена", "a declared bound is exceeded"),
    Text(
        "В зоне оказалось бы больше карт, чем объявлено, ячейка вышла бы за свои пределы или последствиям нет конца.",
        "A zone would hold more cards than declared, a register leave its range, or consequences never end.",
    ),
)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a play got stuck: what kind, which rules, in words."""

    code: Code
    family: Family
    rules: tuple[str, ...]
    title: Text
    severity: Severity = Severity.ERROR


def stop_of(engine: Engine, replay: Replay) -> Stop | None:
    """What is wrong at the end of the play; None if nothing is: it is over or can go on."""
    norms = engine.norms
    match replay.outcome:
        case Hole() as hole:
            return _hole(norms, hole)
        case Clash() as clash:
            rules = rules_of(norms, clash.clauses)
            return Stop(
                SLOT_CLASH,
                Family.CONTRADICTION,
                rules,
                Text(f"«{clash.place}» получает два разных значения", f"“{clash.place}” gets two different values"),
            )
        case Race() as race:
            rules = rules_of(norms, race.clauses)
            return Stop(
                RACE,
                Family.CONTRADICTION,
                rules,
                Text(
                    f"правила по-разному распоряжаются «{race.place}»", f"rules dispose of “{race.place}” differently"
                ),
            )
        case Limit() as limit:
            return _bound_hit(norms, limit)
        case Next(position=position):
            return _stuck(engine, position, replay)


def _hole(norms: ir.Norms, hole: Hole) -> Stop:
    if any(clause.head.id == hole.place for clause in norms.clauses):
        rules = rules_of(norms, (hole.place,))
        title = Text(
            "значение, которое правило должно записать, не определено", "what the rule should write is undefined"
        )
        return Stop(UNDEFINED_EFFECT, Family.GAP, rules, title)
    place = source_of(norms, hole.place)
    title = Text(f"ни одно правило не говорит, чему равно «{place}»", f"no rule says what “{place}” is")
    return Stop(NO_ANSWER, Family.GAP, term_rules(norms, place), title)


def source_of(norms: ir.Norms, term: str) -> str:
    """The term that lacks a value where this one only repeats it: `a := b` without a condition."""
    seen: set[str] = set()
    while term not in seen:
        seen.add(term)
        clauses = [c for c in norms.clauses if isinstance(c, ir.TermClause) and c.term == term]
        plain = [c.value.term for c in clauses if c.head.guard == ir.Boolean(True) and isinstance(c.value, ir.ReadTerm)]
        if len(plain) == 1:
            term = plain[0]
    return term


def term_rules(norms: ir.Norms, term: str) -> tuple[str, ...]:
    """Items whose clauses give the term a value, in text order; the item that declares it if there is none."""
    given = (c.head.rule for c in norms.clauses if isinstance(c, ir.TermClause) and c.term == term)
    declared = (t.rule for t in norms.terms if t.name == term)
    return tuple(dict.fromkeys(given)) or tuple(declared)


def _stuck(engine: Engine, position: Position, replay: Replay) -> Stop | None:
    if engine.over(position) or engine.acts(position) or engine.contested(position):
        return None
    decisions = [(act, engine.decide(position, act)) for act in engine.possible_acts(position)]
    return dead_end(engine, position, replay, decisions)


def dead_end(engine: Engine, position: Position, replay: Replay, decisions: Sequence[tuple[Act, Decision]]) -> Stop:
    """What keeps everybody from going on, given what the norms say of every possible act."""
    norms = engine.norms
    duties = {c.head.id for c in norms.clauses if isinstance(c, ir.Duty)}
    blocked = [
        clause
        for _, decision in decisions
        if duties.intersection(decision.permitted_by) and decision.blocked_by and not decision.forbidden_by
        for clause in (*duties.intersection(decision.permitted_by), *decision.blocked_by)
    ]
    if blocked:
        title = Text("каждая обязанность ждёт другую", "each duty waits for the other")
        led_here = direct_consequences(norms, replay)  # a rule that demanded the next step is a party to the quarrel
        rules = tuple(dict.fromkeys((*rules_of(norms, _by_text(norms, blocked)), *led_here)))
        return Stop(DILEMMA, Family.CONTRADICTION, rules, title)
    awaited = awaited_seats(engine, position)
    concerned = [(act, d) for act, d in decisions if not awaited or actor_of(norms, act) in awaited]
    clauses = [
        clause
        for act, d in concerned
        for clause in (
            *d.forbidden_by,
            *d.blocked_by,
            *d.permitted_by,
            *clauses_that_speak_of(engine, position, act, d.failed),
        )
    ]
    title = Text("партия не окончена, а законного действия нет", "the play is not over and there is no lawful act")
    rules = rules_of(norms, _by_text(norms, clauses)) or tuple(r for move in replay.moves[-1:] for r in move.rules)
    return Stop(DEAD_END, Family.GAP, rules, title)


def clauses_that_speak_of(engine: Engine, position: Position, act: Act, failed: Iterable[str]) -> list[str]:
    """Of the permissions that failed those whose pattern the act meets: a permission for another card says nothing
    here."""
    norms = engine.norms
    naive = second_opinion(engine)
    action = action_named(norms, act.action)
    values = {v.name: i for v, i in zip(action.parameters, act.arguments, strict=True)}
    chosen = set(failed)
    return [
        clause.head.id
        for clause in norms.clauses
        if clause.head.id in chosen
        and isinstance(clause, ir.Permission)
        and all(naive.evaluate(position, part, values) == 1 for part in _pattern(clause.head.guard, action))
    ]


def _pattern(guard: ir.Expression, action: ir.Action) -> list[ir.Expression]:
    """Equalities by which a clause's pattern fixes a parameter of the act other than the actor."""
    own = {v.name for i, v in enumerate(action.parameters) if i != action.actor}
    parts = guard.parts if isinstance(guard, ir.And) else (guard,)
    return [
        part
        for part in parts
        if isinstance(part, ir.Compare)
        and part.relation is ir.Relation.EQUAL
        and any(isinstance(side, ir.Variable) and side.name in own for side in (part.left, part.right))
    ]


def awaited_seats(engine: Engine, position: Position) -> frozenset[int]:
    """Seats that the slots asked for name (whose turn it is): those from whom an act is expected."""
    norms = engine.norms
    seats: set[int] = set()
    for term in norms.terms:
        wanted = isinstance(term.type, ir.Member) and term.type.sort == norms.seats
        if wanted and term.asked is not None and not term.parameters and not term.output:
            value = engine.term(position, term.name)
            if isinstance(value, int):
                seats.add(value)
    return frozenset(seats)


def _by_text(norms: ir.Norms, clauses: Iterable[str]) -> list[str]:
    chosen = set(clauses)
    return [clause.head.id for clause in norms.clauses if clause.head.id in chosen]


def contested_stop(engine: Engine, position: Position, act: Act) -> Stop:
    """A right meets a prohibition; invariants that the act would break are named with them."""
    norms = engine.norms
    decision: Decision = engine.decide(position, act)
    if decision.status is not Status.CONTESTED:
        raise ValueError(f"{act_text(norms, act)} is not contested")
    strong = {c.head.id for c in norms.clauses if isinstance(c, ir.Permission) and c.strong}
    clauses = [*(c for c in decision.permitted_by if c in strong), *decision.forbidden_by]
    after = engine.step(position, act)
    broken = engine.violated(after.position, position) if isinstance(after, Next) else ()
    title = Text(
        f"на {act_text(norms, act)} есть и право, и запрет", f"{act_text(norms, act)} is both a right and forbidden"
    )
    return Stop(
        RIGHT_AGAINST_PROHIBITION, Family.CONTRADICTION, rules_of(norms, (*_by_text(norms, clauses), *broken)), title
    )


def _bound_hit(norms: ir.Norms, limit: Limit) -> Stop:
    """The rules that wrote past the bound; where only the body of an act did, the item that declares the bound."""
    places = {zone.name: zone.rule for zone in norms.zones} | {cell.name: cell.rule for cell in norms.registers}
    declared = (places[limit.what],) if limit.what in places else ()
    rules = rules_of(norms, (*limit.clauses, *limit.fired[-1:])) or declared
    title = Text(f"предел «{limit.what}»", f"bound “{limit.what}”")
    if not declared:
        title = Text("последствиям нет конца", "consequences never end")
    return Stop(BOUND_HIT, Family.GAP, rules, title)


def direct_consequences(norms: ir.Norms, replay: Replay) -> tuple[str, ...]:
    """Items whose triggers answered the last act itself, not what followed from it."""
    fired = set(replay.outcome.fired)
    return rules_of(
        norms,
        [
            clause.head.id
            for clause in norms.clauses
            if clause.head.id in fired and isinstance(clause, ir.Trigger) and isinstance(clause.cause, ir.OnAct)
        ],
    )


def soft_stop(engine: Engine, position: Position, place: str) -> Stop:
    """An output that is left without a value, or that two rules give different ones."""
    norms = engine.norms
    name = place.split(":", 1)[1] if ":" in place else place
    clause = next((c for c in norms.clauses if c.head.id == name), None)
    if clause is None:
        clash = _clash_of(engine, position, name)
        if clash is not None:
            title = Text(f"«{name}» получает два разных значения", f"“{name}” gets two different values")
            return Stop(SLOT_CLASH, Family.CONTRADICTION, rules_of(norms, _by_text(norms, clash.clauses)), title)
    rules = (clause.head.rule,) if clause is not None else term_rules(norms, name)
    title = Text(f"«{name}» остаётся без значения", f"“{name}” is left without a value")
    return Stop(NO_RESULT, Family.GAP, rules, title)


def _clash_of(engine: Engine, position: Position, term: str) -> Clash | None:
    """The first clash of the term in the position, for any of its arguments."""
    parameters = next((each.parameters for each in engine.norms.terms if each.name == term), ())
    sizes = [range(len(engine.norms.sort(variable.sort).values)) for variable in parameters]
    naive = second_opinion(engine)
    values = (naive.term(position, term, arguments) for arguments in product(*sizes))
    return next((value for value in values if isinstance(value, Clash)), None)


def finding_of(stop: Stop, engine: Engine, replay: Replay, scope: Scope, seconds: float, method: str) -> Finding:
    """The finding, reachable by the play that was replayed."""
    count = len(replay.moves)
    verdict = Text(
        f"достижимо: игра от раздачи, ходов: {count}; повторена движком и наивным вычислителем",
        f"reachable: a play from the deal, {count} moves; replayed by the engine and by the naive evaluator",
    )
    position = replay.position
    return Finding(
        code=stop.code,
        family=stop.family,
        grade=Grade.REACHABLE,
        rules=stop.rules,
        title=stop.title,
        verdict=verdict,
        method=method,
        scope=scope,
        seconds=seconds,
        severity=stop.severity,
        position=position,
        position_json=None if position is None else position_to_json(engine.norms, position),
        play=replay.moves,
    )
