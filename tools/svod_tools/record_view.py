"""In: what the rules say of a recorded game. Out: its moves, breaches and penalties, for people and as data."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text as Rich

from svod.diagnostics import Text
from svod.norms import ir
from svod.norms.positions import position_to_json
from svod.norms.trace import Next, Status
from svod.searches.plays import actor_of, rules_of
from svod.searches.record_check import Breach, BreachEnd, CheckedMove, GameEnd, RecordVerdict
from svod.searches.records import act_line
from svod_tools import terminal
from svod_tools.table import KIND_OF_STOP, STOP_KINDS, stop_place, stop_rules

STATUS_WORDS = {
    Status.LAWFUL: Text("законно", "lawful"),
    Status.UNLAWFUL: Text("незаконно", "unlawful"),
    Status.CONTESTED: Text("спорно", "contested"),
    Status.IMPOSSIBLE: Text("невозможно", "impossible"),
}
END_WORDS = {
    GameEnd.OVER: Text("игра окончена", "the game is over"),
    GameEnd.UNFINISHED: Text("запись кончается раньше игры", "the record ends before the game does"),
    GameEnd.STOPPED: Text("игра остановилась", "the game stopped"),
    GameEnd.IMPOSSIBLE: Text("такой ход невозможен", "this move cannot be made"),
    GameEnd.AFTER_END: Text("ход после конца игры", "a move after the end of the game"),
}
BREACH_WORDS = {
    BreachEnd.OPEN: Text("не замечено", "not noticed"),
    BreachEnd.PUNISHED: Text("наказано", "punished"),
    BreachEnd.LAPSED: Text("не замечено, теперь уже поздно", "not noticed, it can no longer be claimed"),
    BreachEnd.CLEARED: Text("снято вместе с другими", "cleared together with others"),
}


def seat_name(norms: ir.Norms, seat: int) -> str:
    """A player by name."""
    return norms.sort(norms.seats).values[seat]


def move_line(norms: ir.Norms, verdict: RecordVerdict, move: CheckedMove, language: str) -> Rich:
    """One move: number, act, rules, and what was wrong with it."""
    line = Rich(f"{move.number:>5}. ").append_text(terminal.cards(act_line(norms, move.act, language)))
    if move.status is not Status.LAWFUL:
        line.append(f"  — {STATUS_WORDS[move.status].in_language(language)}", style="bold red")
    rules = tuple(dict.fromkeys((*move.rules, *rules_of(norms, move.fired))))
    line.append(f"   {', '.join(rules)}".rstrip(), style="dim")
    for breach in (verdict.breaches[place] for place in move.breaches):
        line.append(f"\n         {_breach_made(norms, breach, language)}", style="red")
    for penalty in (verdict.penalties[place] for place in move.penalties):
        who = seat_name(norms, penalty.offender)
        if penalty.breach is None:
            told = Text(f"наказан {who}, {penalty.name}", f"{who} is punished, {penalty.name}")
        else:
            cause = verdict.breaches[penalty.breach].move
            told = Text(
                f"наказан {who}, {penalty.name}: за ход {cause}", f"{who} is punished, {penalty.name}: for move {cause}"
            )
        line.append(f"\n         {told.in_language(language)}", style="yellow")
    return line


def _breach_made(norms: ir.Norms, breach: Breach, language: str) -> str:
    who = seat_name(norms, breach.offender)
    return Text(f"нарушил {who}: {breach.name}", f"{who} commits {breach.name}").in_language(language)


def verdict_lines(norms: ir.Norms, verdict: RecordVerdict, language: str) -> Iterator[str]:
    """The whole record in a few lines: the first unlawful move, all breaches and penalties, how it ends."""

    def said(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    first = verdict.first_unlawful
    if first is None:
        yield said(f"ходов {len(verdict.moves)}, все законны", f"{len(verdict.moves)} moves, all lawful")
    else:
        act = act_line(norms, first.act, language)
        rules = ", ".join(first.rules) or "—"
        status = STATUS_WORDS[first.status].in_language(language)
        yield said(
            f"первый незаконный ход — {first.number} (строка {first.line}): {act} — {status}: {rules}",
            f"the first unlawful move is {first.number} (line {first.line}): {act} — {status}: {rules}",
        )
    for breach in verdict.breaches:
        yield f"  {_breach_line(norms, breach, language)}"
    for penalty in verdict.penalties:
        if penalty.breach is None:
            who = seat_name(norms, penalty.offender)
            yield "  " + said(
                f"ход {penalty.move}: {who} наказан по {penalty.name}, хотя этого не нарушал",
                f"move {penalty.move}: {who} is punished by {penalty.name} without being guilty of it",
            )
    yield _end_line(norms, verdict, language)


def _breach_line(norms: ir.Norms, breach: Breach, language: str) -> str:
    made = _breach_made(norms, breach, language)
    move = Text("ход", "move").in_language(language)
    became = BREACH_WORDS[breach.end].in_language(language)
    when = "" if breach.ended is None else f" ({move} {breach.ended})"
    return f"{move} {breach.move}: {made} — {became}{when}"


def _end_line(norms: ir.Norms, verdict: RecordVerdict, language: str) -> str:
    words = END_WORDS[verdict.end].in_language(language)
    if verdict.stopped is not None and not isinstance(verdict.stopped, Next):
        kind = STOP_KINDS[type(verdict.stopped)].in_language(language)
        rules = ", ".join(stop_rules(norms, verdict.stopped)) or "—"
        words = f"{words}: {kind} — «{stop_place(verdict.stopped)}» ({rules})"
    if verdict.culprit is not None and verdict.stopped is None:
        line = Text("строка", "line").in_language(language)
        act = act_line(norms, verdict.culprit.acts[0], language)
        words = f"{words}: {act} ({line} {verdict.culprit.line})"
    return words


# ------------------------------------------------------------------------------------------------------- data


def move_json(norms: ir.Norms, move: CheckedMove, language: str) -> dict[str, object]:
    """One move as data."""
    seat = actor_of(norms, move.act)
    return {
        "number": move.number,
        "line": move.line,
        "act": act_line(norms, move.act, language),
        "by": None if seat is None else seat_name(norms, seat),
        "status": move.status.name.lower(),
        "rules": list(move.rules),
        "followed": list(rules_of(norms, move.fired)),
        "breaches": list(move.breaches),
        "penalties": list(move.penalties),
        "position": None if move.after is None else dict(position_to_json(norms, move.after)),
    }


def verdict_json(norms: ir.Norms, verdict: RecordVerdict, language: str) -> dict[str, object]:
    """The whole record as data, its moves apart."""
    first = verdict.first_unlawful
    stopped = verdict.stopped
    return {
        "moves": len(verdict.moves),
        "first_unlawful": None if first is None else first.number,
        "end": verdict.end.value,
        "stopped": None
        if stopped is None or isinstance(stopped, Next)
        else {
            "kind": KIND_OF_STOP[type(stopped)],
            "place": stop_place(stopped),
            "rules": list(stop_rules(norms, stopped)),
        },
        "impossible": None
        if verdict.culprit is None
        else {"line": verdict.culprit.line, "act": act_line(norms, verdict.culprit.acts[0], language)},
        "breaches": [
            {
                "move": breach.move,
                "offender": seat_name(norms, breach.offender),
                "number": breach.name,
                "end": breach.end.value,
                "ended": breach.ended,
            }
            for breach in verdict.breaches
        ],
        "penalties": [
            {
                "move": penalty.move,
                "offender": seat_name(norms, penalty.offender),
                "number": penalty.name,
                "breach": penalty.breach,
            }
            for penalty in verdict.penalties
        ],
    }
