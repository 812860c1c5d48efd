"""In: a position and the events of a case. Out: what was done, act by act, and every position on the way.

An event stands for one act or several, as the vocabulary says; some acts the judge adds himself: what follows from a
claim that nobody disputes, and payments that the case does not spell out. What the text of an event tells is done with
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from svod.norms.trace import Act, Next, Position, Status, StepOutcome
from svod.norms.watching import forgetting
from svod.searches.case_reading import REST, Event, acts_of, sequences
from svod.searches.case_words import Call, Follow
from svod.searches.cases import NO_SUCH_EVENT, Table, Unreadable

PAYMENTS_MAX = 64
Chooser: TypeAlias = Callable[[Sequence[Act], int], Act]
"""(acts that could be done, how many payments came before) → the one that is done."""


@dataclass(frozen=True, slots=True)
class Done:
    """One act. `own`: it stands in the case, the judge did not add it."""

    before: Position
    act: Act
    status: Status
    outcome: StepOutcome
    own: bool

    @property
    def after(self) -> Position | None:
        """What followed, if anything definite did."""
        return self.outcome.position if isinstance(self.outcome, Next) else None


@dataclass(frozen=True, slots=True)
class Happened:
    """One event. `done`: its acts and what the judge added; `paid`: payments after them. `before` is None, and nothing
    is done, after the rules gave no answer to an earlier event. `prelude`: it is part of the next event."""

    word: str
    before: Position | None
    done: tuple[Done, ...] = ()
    paid: tuple[Done, ...] = ()
    prelude: bool = False

    @property
    def main(self) -> Done | None:
        """The act that the event is about: the last one of its own."""
        return next((done for done in reversed(self.done) if done.own), None)

    @property
    def judged(self) -> Position | None:
        """The position before payments."""
        return self.done[-1].after if self.done else self.before

    @property
    def after(self) -> Position | None:
        """The position in the end."""
        return self.paid[-1].after if self.paid else self.judged


@dataclass(frozen=True, slots=True)
class Course:
    """One way in which the case may have gone: the position at the start, and each event by its number."""

    start: Position
    events: Mapping[int, Happened]

    def at(self, moment: int) -> Position | None:
        """The position after this event (0: the start)."""
        return self.start if moment == 0 else self.events[moment].after

    @property
    def payments(self) -> bool:
        """Whether the judge chose what somebody pays."""
        return any(happened.paid for happened in self.events.values())

    def steps(self, moment: int) -> Iterator[Done]:
        """Everything done up to this event."""
        for number, happened in self.events.items():
            if number <= moment:
                yield from (*happened.done, *happened.paid)


# ------------------------------------------------------------------------------------------------------ playing


def play(table: Table, start: Position, events: Sequence[Event], choose: Chooser) -> Course:
    """Play the events one after another; `Unreadable` if one of them cannot happen."""
    played: dict[int, Happened] = {}
    position: Position | None = start
    for place, event in enumerate(events):
        following = events[place + 1].word if place + 1 < len(events) else ""
        if position is None:
            happened = Happened(event.word, None)
        elif following in table.layout.prelude.get(event.word, ()) and _same_player(event, events[place + 1]):
            happened = Happened(event.word, position, prelude=True)
        else:
            happened = _happen(table, forgetting(position), event, following, choose)
        played[event.number] = happened
        position = happened.after
    return Course(start, played)


def _same_player(event: Event, other: Event) -> bool:
    return event.data.get("by") == other.data.get("by")


def _happen(table: Table, position: Position, event: Event, following: str, choose: Chooser) -> Happened:
    done = _told_and_own(table, position, event)
    for follow in table.layout.follow:
        after = done[-1].after
        if after is not None and event.word in follow.after and following not in follow.unless:
            added = _sequence(table, after, follow.do, event, own=False)
            done += added or []
    happened = Happened(event.word, position, tuple(done))
    payments, judged = table.layout.payments, happened.judged
    if payments is None or judged is None or event.word not in payments.after or following in payments.unless:
        return happened
    return Happened(event.word, position, tuple(done), tuple(_payments(table, judged, payments, choose)))


def _told_and_own(table: Table, position: Position, event: Event) -> list[Done]:
    """The acts of an event, with those that its text tells of before and after it, as far as they are lawful then."""
    earlier = list(_told(table, position, event, [(each.before, each.named) for each in event.text.deeds], own=True))
    now = earlier[-1].after if earlier else position
    if now is None:
        return earlier
    try:
        done = [*earlier, *_own_acts(table, now, event)]
    except Unreadable:
        if not earlier:
            raise
        done = _own_acts(table, position, event)
    after = done[-1].after
    if after is not None:
        done += _told(table, after, event, [(each.after, each.named) for each in event.text.deeds], own=False)
    return done


def _told(
    table: Table,
    position: Position,
    event: Event,
    deeds: Sequence[tuple[tuple[Call, ...], Mapping[str, str]]],
    *,
    own: bool,
) -> Iterator[Done]:
    """Acts told in a text that are lawful; their arguments are places of the phrase, or fields of the event."""
    now = position
    for calls, named in deeds:
        told = Event(event.number, event.word, {**event.data, **named}, event.path)
        for act in [act for call in calls for act in acts_of(table, call, told)]:
            if table.player.status(now, act) is not Status.LAWFUL:
                continue
            done = Done(now, act, Status.LAWFUL, table.player.step(now, act), own)
            yield done
            if done.after is None:
                return
            now = done.after


def _own_acts(table: Table, position: Position, event: Event) -> list[Done]:
    """The first sequence of acts that can be done."""
    for calls in sequences(table, event.word):
        done = _sequence(table, position, calls, event, own=True)
        if done:
            unlawful = next((each for each in done if each.status is not Status.LAWFUL), None)
            if unlawful is not None and event.word in table.layout.must_be_lawful:
                raise Unreadable(
                    f"событие {event.number}: «{event.word}» так не бывает, правила этого не дают",
                    f"event {event.number}: “{event.word}” cannot be like this, the rules do not allow it",
                    event.path,
                    NO_SUCH_EVENT,
                )
            return done
    attempt = _attempt(table, position, event)
    if attempt is not None:
        return [attempt]
    raise Unreadable(
        f"событие {event.number}: «{event.word}» сделать нельзя",
        f"event {event.number}: “{event.word}” cannot be done",
        event.path,
        NO_SUCH_EVENT,
    )


def _attempt(table: Table, position: Position, event: Event) -> Done | None:
    """An event that comes to nothing: what is named is not at hand, though it lies before the player."""
    place = _place(position, table.card(event.data["card"])) if "card" in event.data else None
    if event.word not in table.layout.attempts or place is None or place[1] != table.seat(event.data.get("by")):
        return None
    (act,) = acts_of(table, sequences(table, event.word)[0][0], event)
    return Done(position, act, Status.IMPOSSIBLE, Next(position, ()), True)


def _sequence(table: Table, position: Position, calls: Sequence[Call], event: Event, *, own: bool) -> list[Done] | None:
    """The acts one after another; None if one of them cannot be done, or one that only prepares the next is not
    lawful."""
    done: list[Done] = []
    now: Position | None = position
    for place, call in enumerate(calls):
        prepares = place < len(calls) - 1 and event.word not in table.layout.must_be_lawful
        for act in acts_of(table, call, event):
            if now is None:
                return done
            status = table.player.status(now, act)
            if call.arguments is not None and REST in call.arguments and status is not Status.LAWFUL:
                continue
            if status is Status.IMPOSSIBLE or (own and prepares and status is not Status.LAWFUL):
                return None
            undone = own and event.word in table.layout.attempts and status is not Status.LAWFUL
            outcome = Next(now, ()) if undone else table.player.step(now, act)
            done.append(Done(now, act, status, outcome, own))
            if own and not prepares and not _card_moved(table, act, event, done[-1]):
                return None
            now = done[-1].after
    return done


def _card_moved(table: Table, act: Act, event: Event, done: Done) -> bool:
    """An act that does not name the card of its event has to move it."""
    action = table.action(act.action)
    after = done.after
    if "card" not in event.data or action is None or after is None or event.word in table.layout.attempts:
        return True
    if any(parameter.sort == table.norms.card_sort for parameter in action.parameters):
        return True
    card = table.card(event.data["card"])
    return _place(done.before, card) != _place(after, card)


def _place(position: Position, card: int) -> tuple[str, int | None] | None:
    return next((key for key, cards in position.zones if any(laid.card == card for laid in cards)), None)


def _payments(table: Table, position: Position, payments: Follow, choose: Chooser) -> Iterator[Done]:
    """Pay what is owed, as the chooser says."""
    names = {call.name for call in payments.do}
    now: Position | None = position
    for number in range(PAYMENTS_MAX):
        if now is None:
            return
        acts = [act for act in table.player.acts(now) if act.action in names]
        if not acts:
            return
        act = choose(acts, number)
        yield Done(now, act, Status.LAWFUL, table.player.step(now, act), False)
        outcome = table.player.step(now, act)
        now = outcome.position if isinstance(outcome, Next) else None
