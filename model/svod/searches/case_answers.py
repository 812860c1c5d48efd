"""In: one way in which a case may have gone, and a question. Out: the answer, or why the rules give none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from svod.norms import ir
from svod.norms.trace import Act, Clash, Hole, Laid, Next, Position, Status
from svod.norms.watching import punishments
from svod.searches.case_clauses import Breach
from svod.searches.case_events import Course, Done, Happened
from svod.searches.case_outcomes import Unsettled, no_outcome
from svod.searches.case_words import Form
from svod.searches.cases import Table, Unreadable, given_position
from svod.searches.plays import action_named

FORCED_MAX, NONE = 64, "none"  # acts in a row: a case that goes on longer is not settled; the word for no number


@dataclass(frozen=True, slots=True)
class Asking:
    """One question in one course of a case; `who` is the player asked about."""

    table: Table
    data: Mapping[str, object]
    course: Course
    moment: int
    who: object

    def answer(self, form: Form) -> object:
        """The value of the question's form."""
        name = form.names[0] if form.names else ""
        asked: dict[str, Callable[[], object]] = {
            "acts": lambda: self._acts(form.names),
            "verdict": self._verdict,
            "violation": self._violation,
            "penalty": self._penalty,
            "offenders": lambda: frozenset(self.table.seats[seat] for seat, _ in self.punished()),
            "owed_now": lambda: self._owed_now(name),
            "owed": lambda: self._owed(name),
            "each": lambda: self._values(name),
            "risen": lambda: frozenset(self._risen(name)),
            "has_last": lambda: self._last(name) is not None,
            "size": lambda: len(self._zone(name, self.asked_seat() if self._owned(name) else None)),
            "cards": lambda: self._cards_named(form.names),
            "duties": lambda: self._duties(form.names),
            "turn": self._turn,
            "value": lambda: self._shown(self.now(), name),
            "values": lambda: self._values(name),
            "seats": lambda: frozenset(self._holding(self.now(), name)),
            "left": lambda: self._left(name),
            "left_now": lambda: self._left_now(name),
            "last": lambda: self._last(name),
            "over": lambda: self.table.player.over(self.now()),
            "filled": lambda: bool(self._zone(name, None)),
            "zone": lambda: self._cards_of(self._first_filled(form.names)),
            "zones": lambda: {seat: self._ordered(name, place) for place, seat in enumerate(self.table.seats)},
            "forced": lambda: self._forced(form.names),
            "target": lambda: self._target(form.names),
            "changed": lambda: self._shown(self.now(), name) != self._shown(self.before(), name),
        }
        return asked[form.kind]()

    def asked_seat(self) -> int:
        """The seat of the player that the question is about."""
        if self.who is None:
            raise Unreadable("не сказано, о каком игроке вопрос (who)", "the question does not say about whom (who)")
        if not isinstance(self.who, str):
            raise Unreadable("вопрос задают об одном игроке (who)", "the question is about one player (who)")
        return self.table.seat(self.who)

    # ------------------------------------------------------------------------------------------- moments

    def now(self) -> Position:
        """The position that the question is about."""
        position = self.course.at(self.moment)
        if position is None:
            raise self._stopped()
        return position

    def _stopped(self) -> Unsettled:
        """Why the course does not go on to the event."""
        return no_outcome(next((done for done in self.course.steps(self.moment) if done.after is None), None))

    def happened(self) -> Happened:
        """The event that the question is about."""
        if self.moment == 0:
            raise Unreadable("вопрос о событии задан до событий", "a question about an event asked before any")
        return self.course.events[self.moment]

    def before(self) -> Position:
        """The position before the event."""
        position = self.happened().before
        if position is None:
            raise self._stopped()
        return position

    def judged(self) -> Position:
        """The position after the event, before anybody has paid."""
        position = self.happened().judged
        return self.now() if position is None else position

    def main(self) -> Done:
        """The act that the event is about."""
        done = self.happened().main
        if done is None:
            raise self._stopped()
        return done

    def punished(self) -> tuple[tuple[int, int], ...]:
        """(offender, number) of the punishments that the event brought."""
        return tuple(punishments(self.judged()))

    # ------------------------------------------------------------------------------------------- values

    def _value(self, position: Position, name: str, *arguments: int) -> int | None:
        value = self.table.value(position, name, *arguments)
        if isinstance(value, Hole):
            raise Unsettled(f"ни одно правило не даёт «{name}»", f"no rule gives “{name}”", value.rules)
        if isinstance(value, Clash):
            raise Unsettled(f"правила расходятся о «{name}»", f"the rules disagree about “{name}”", value.clauses)
        return value

    def _turn(self) -> object:
        name = self.table.turn(self.now())
        if name is None:
            raise Unsettled("на этом этапе никто не ходит", "nobody in particular is to move in this stage")
        return self._shown(self.now(), name)

    def _shown(self, position: Position, name: str, *arguments: int) -> object:
        value = self._value(position, name, *arguments)
        kind = self.table.type_of(name)
        if isinstance(kind, ir.Truth):
            return bool(value)
        if isinstance(kind, ir.Member) and value is not None:
            return self.table.plain(kind.sort, value)
        return value

    def _values(self, name: str) -> dict[str, object]:
        shown = ((seat, self._shown(self.now(), name, place)) for place, seat in enumerate(self.table.seats))
        return {seat: value for seat, value in shown if value is not None}

    def _holding(self, position: Position, name: str) -> list[str]:
        return [seat for place, seat in enumerate(self.table.seats) if self._value(position, name, place)]

    def _left(self, name: str) -> tuple[str, ...]:
        """Those for whom the term stopped to hold, in the order of events; before them whom the case lists itself."""
        now = self.now()
        held = self._holding(self.course.start, name)
        listed = next((self.data_list(word) for word in self._ordered_fields()), [])
        gone = [*listed, *(seat for seat in self.table.seats if seat not in held and seat not in listed)]
        for number in sorted(self.course.events):
            position = self.course.at(number)
            if number > self.moment:
                break
            if position is not None:
                gone += [seat for seat in self.table.seats if seat not in (*self._holding(position, name), *gone)]
        held = self._holding(now, name)  # who came back has not left
        return tuple(seat for seat in gone if seat not in held)

    def _ordered_fields(self) -> Iterator[str]:
        for word, forms in self.table.layout.given.items():
            if any(form.kind == "order" for form in forms):
                yield word

    def data_list(self, word: str) -> list[str]:
        """A list of players that the position gives."""
        listed = given_position(self.data, self.table.layout.given).get(word)
        return [str(name) for name in listed] if isinstance(listed, list) else []

    def _left_now(self, name: str) -> frozenset[str]:
        """For whom it ceased to hold by the event."""
        return frozenset(self._holding(self.outset(), name)) - frozenset(self._holding(self.now(), name))

    def outset(self) -> Position:
        """The position before the event, or before the last one that drove the play if the event completes it."""
        earlier = [number for number in sorted(self.course.events) if number < self.moment]
        for number in reversed(earlier if self.happened().word in self.table.layout.completes else []):
            main = self.course.events[number].main
            if main is not None and self._action(main.act).turn:
                return main.before
        return self.before()

    def _last(self, name: str) -> object:
        if not self.table.player.over(self.now()):
            return None
        values = {seat: self._value(self.now(), name, place) for place, seat in enumerate(self.table.seats)}
        if None in values.values():
            raise Unsettled(f"не у всех есть «{name}»", f"not everybody has a “{name}”")
        return max(values, key=lambda seat: values[seat] or 0)

    # -------------------------------------------------------------------------------------------- cards

    def _owned(self, name: str) -> bool:
        return any(zone.name == name and zone.owned for zone in self.table.norms.zones)

    def _zone(self, name: str, owner: int | None) -> tuple[Laid, ...]:
        lying = dict(self.now().zones)
        if (name, owner) not in lying:
            raise Unreadable(f"нет зоны «{name}»", f"there is no zone “{name}”")
        return lying[name, owner]

    def _ordered(self, name: str, owner: int | None) -> tuple[str, ...]:
        sort = self.table.norms.card_sort
        return tuple(self.table.plain(sort, laid.card) for laid in self._zone(name, owner))

    def _first_filled(self, names: Sequence[str]) -> str:
        """The first of these zones that holds a card, else the first."""
        owner = self.asked_seat() if self._owned(names[0]) else None
        return next((name for name in names if self._zone(name, owner)), names[0])

    def _cards_of(self, name: str) -> object:
        zone = next((zone for zone in self.table.norms.zones if zone.name == name), None)
        if zone is None:
            raise Unreadable(f"нет зоны «{name}»", f"there is no zone “{name}”")
        cards = self._ordered(name, self.asked_seat() if zone.owned else None)
        return cards if zone.pile else frozenset(cards)

    # --------------------------------------------------------------------------------------------- acts

    def _among(self, position: Position, words: Sequence[str]) -> list[Act]:
        """Lawful acts that these words may stand for."""
        names = {action.name for action in self._actions(words)}
        return [act for act in self.table.player.acts(position) if act.action in names]

    def _actions(self, words: Sequence[str]) -> list[ir.Action]:
        return [action for word in words for action in self.table.actions(word)]

    def _action(self, act: Act) -> ir.Action:
        return action_named(self.table.norms, act.action)

    def _acts(self, words: Sequence[str]) -> frozenset[str]:
        seat = self.asked_seat()
        acts = self._among(self.now(), words)
        return frozenset(self.table.worded(act) for act in acts if self.actor(act) == seat)

    def actor(self, act: Act) -> int | None:
        """The seat that acts; None for chance."""
        actor = self._action(act).actor
        return None if actor is None else act.arguments[actor]

    def _verdict(self) -> str:
        if self.happened().prelude:
            return "lawful"
        done = self.main()
        actor = self.actor(done.act)
        if any(actor in breach.offenders for breach in self._numbered()):
            return "violation"
        if done.status is Status.CONTESTED:
            decision = self.table.player.decide(done.before, done.act)
            raise Unsettled(
                "право встречает запрет, и исключения нет",
                "a right meets a prohibition and neither is an exception",
                (*decision.permitted_by, *decision.forbidden_by),
            )
        self._not_between_duties(done)
        return "lawful" if done.status is Status.LAWFUL else "unlawful"

    def _not_between_duties(self, done: Done) -> None:
        """An act that one duty asks for and another holds up is not settled."""
        decision = self.table.player.decide(done.before, done.act)
        owed = [each for each in decision.permitted_by if isinstance(self.table.clauses.by_id[each], ir.Duty)]
        if done.status is Status.UNLAWFUL and owed and decision.blocked_by and not decision.forbidden_by:
            raise Unsettled(
                "обязанности спорят: одна требует этого, другая — сначала другого",
                "duties collide: one asks for this, another for something else first",
                (*owed, *decision.blocked_by),
            )

    def _numbered(self) -> list[Breach]:
        """Violations of the event that have a number of the catalogue."""
        catalogue = self.table.norms.catalogue
        if catalogue is None or self.happened().prelude:
            return []
        done = self.main()
        other = self.table.norms.sort(catalogue.sort).values.index(catalogue.other)
        return [each for each in self.table.clauses.breaches(done.before, done.act) if each.number != other]

    def _violation(self) -> str:
        return self._one_number({breach.number for breach in self._numbered() if breach.offenders})

    def _penalty(self) -> str:
        return self._one_number({number for _, number in self.punished()})

    def _one_number(self, numbers: set[int]) -> str:
        catalogue = self.table.norms.catalogue
        if catalogue is None or not numbers:
            return NONE
        names = sorted(self.table.plain(catalogue.sort, number) for number in numbers)
        if len(names) > 1:
            listed = ", ".join(names)
            raise Unsettled(f"подходят сразу {listed}", f"several apply: {listed}")
        return names[0]

    # ------------------------------------------------------------------------------------ debts and duties

    def _owed_now(self, name: str) -> dict[str, frozenset[str]]:
        """Who owes more than before the event, by whom it is owed to."""
        seats = self.table.seats
        before, after = self._table_of(self.before(), name), self._table_of(self.judged(), name)
        found: dict[str, set[str]] = {seats[offender]: set() for offender, _ in self.punished()}
        for (debtor, creditor), amount in after.items():
            if amount > before.get((debtor, creditor), 0):
                found.setdefault(seats[creditor], set()).add(seats[debtor])
        return {creditor: frozenset(debtors) for creditor, debtors in found.items()}

    def _owed(self, name: str) -> dict[str, dict[str, int]]:
        seats = self.table.seats
        found: dict[str, dict[str, int]] = {}
        for (debtor, creditor), amount in self._table_of(self.now(), name).items():
            if amount > 0:
                found.setdefault(seats[creditor], {})[seats[debtor]] = amount
        return found

    def _table_of(self, position: Position, name: str) -> dict[tuple[int, int], int]:
        """The values of something with two players: (debtor, creditor) → how much."""
        seats = range(len(self.table.seats))
        pairs = [(one, two) for one in seats for two in seats]
        return {pair: value for pair in pairs if (value := self._value(position, name, *pair)) is not None}

    def _risen(self, name: str) -> Iterator[str]:
        for place, seat in enumerate(self.table.seats):
            before, after = self._value(self.outset(), name, place), self._value(self.now(), name, place)
            if (after or 0) > (before or 0):
                yield seat

    def _duties(self, words: Sequence[str]) -> dict[str, object]:
        """Whose duty it is, and the card of the act where it names one."""
        found: dict[str, object] = {}
        for action in self._actions(words):
            for _, bearer, arguments in self.table.clauses.duties(self.now(), action.name):
                cards = [
                    value
                    for parameter, value in zip(action.parameters, arguments, strict=True)
                    if parameter.sort == self.table.norms.card_sort and value is not None
                ]
                found[self.table.seats[bearer]] = (
                    self.table.plain(self.table.norms.card_sort, cards[0]) if cards else True
                )
        return found

    def _cards_named(self, words: Sequence[str]) -> frozenset[str]:
        """Cards that the player may name in a lawful act."""
        seat, sort = self.asked_seat(), self.table.norms.card_sort
        found = set()
        for act in self._among(self.now(), words):
            if self.actor(act) == seat:
                parameters = zip(self._action(act).parameters, act.arguments, strict=True)
                found |= {self.table.plain(sort, value) for parameter, value in parameters if parameter.sort == sort}
        return frozenset(found)

    def _target(self, words: Sequence[str]) -> str:
        """At whom the lawful acts aim: their last player besides the actor."""
        aimed = set()
        for act in self._among(self.now(), words):
            action = self._action(act)
            places = [
                place
                for place, parameter in enumerate(action.parameters)
                if parameter.sort == self.table.norms.seats and place != action.actor
            ]
            aimed |= {act.arguments[place] for place in places[-1:]}
        if len(aimed) != 1:
            duties = (self.table.clauses.duties(self.now(), action.name) for action in self._actions(words))
            owed = [clause.head.id for each in duties for clause, _, _ in each]
            if not aimed and owed:
                raise Unsettled(
                    "обязанность есть, а законного действия нет", "there is a duty and no lawful act to meet it", owed
                )
            raise Unsettled(f"законных адресатов {len(aimed)}", f"the lawful acts aim at {len(aimed)} players", owed)
        return self.table.seats[aimed.pop()]

    def _forced(self, words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """While exactly one of the acts is lawful it is done: which cards went to whom."""
        position = self.now()
        moved: list[tuple[str, ...]] = []
        for _ in range(FORCED_MAX):
            acts = self._among(position, words)
            if not acts:
                return tuple(moved)
            if len(acts) > 1:
                raise Unsettled(
                    "законных действий несколько, ни одно не вынуждено", "several acts are lawful, none is forced"
                )
            outcome = self.table.player.step(position, acts[0])
            if not isinstance(outcome, Next):
                raise Unsettled(
                    "что следует из вынужденного действия, правила не говорят",
                    "nothing definite follows from a forced act",
                )
            moved += self.table.moved(position, outcome.position)
            position = outcome.position
        raise Unsettled("вынужденные действия не кончаются", "forced acts do not end")
