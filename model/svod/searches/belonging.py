"""In: rules from which answers follow. Out: those that belong to them in the book: invariants, items that say more of
an act or have no clauses of their own, definitions that depend on a parameter."""

from __future__ import annotations

from collections.abc import Iterator

from svod.naive.mentions import parts
from svod.norms import ir
from svod.norms.parameters import parameters_of
from svod.norms.trace import Position
from svod.rulebook import numbers
from svod.rulebook.book import Book, BookItem
from svod.rulebook.references import prose_mentions, resolve_mention
from svod.searches.citation_reading import ACT, DECIDES, REMARKS, SUPPORTS, Chain, Reading
from svod.syntax import tree


class Belonging:
    """What belongs to cited rules in the book."""

    def __init__(
        self, reading: Reading, chain: Chain, book: Book, places: set[str], together: list[set[str]], start: Position
    ) -> None:
        self.reading = reading
        self.together = together
        self.start = start
        self.chain = chain
        self.book = book
        self.zones = places
        self.order = tuple(item.number for item in book.items)

    def add(self) -> None:
        """Add everything that belongs to what has been found."""
        for key in [key for key in self.chain.found if key.startswith(ACT)]:
            self._elaborations(key.removeprefix(ACT))
        self._invariants()
        self._definitions()
        self._informative()

    def _close(self) -> set[str]:
        return {rule for rule, (rank, _) in self.chain.found.items() if rank <= SUPPORTS and not rule.startswith(ACT)}

    def _elaborations(self, name: str) -> None:
        """Rules that answer such an act and whose prose refers to the rule that declares it."""
        declared = self.reading.actions[name].rule
        for item in self.book.items:
            names = {reference.number for reference in item.references}
            answers = any(
                isinstance(clause.cause, ir.OnAct) and clause.cause.action == name and clause.head.rule == item.number
                for clause in self.reading.triggers
            )
            if answers and declared in names:
                self.chain.add(item.number, SUPPORTS)

    def _invariants(self) -> None:
        """Those that name two rules found for one question, or speak of two zones and only of zones asked about."""
        for clause in self.reading.norms.clauses:
            if not isinstance(clause, ir.Invariant):
                continue
            item = self.book.find(clause.head.rule)
            named = {each.number for each in item.references} if item is not None else set()
            zones = {part.zone for part in parts((clause.holds, clause.head.guard)) if isinstance(part, ir.ZoneRef)}
            guards = any(len(named & rules) > 1 for rules in self.together)
            if guards or (len(zones) > 1 and zones <= self.zones and not self._idle(clause.holds)):
                self.chain.add(clause.head.rule, REMARKS, clause.head.id)

    def _idle(self, holds: ir.Expression) -> bool:
        """Whether an invariant says nothing in this stage: an alternative that reads registers alone is true."""
        for part in holds.parts if isinstance(holds, ir.Or) else ():
            plain = part.of if isinstance(part, ir.Before) else part
            kinds = {type(each) for each in parts(plain)}
            if (
                ir.ReadRegister in kinds
                and not kinds & {ir.ZoneRef, ir.Variable}
                and self.reading.clauses.met(self.start, plain, {})
            ):
                return True
        return False

    def _definitions(self) -> None:
        """Where a parameter has not its first value: orders that depend on it, and terms that name their ends."""
        chosen = dict(self.reading.norms.parameters)
        special = {p.name for p in parameters_of(self.book) if not p.seats and chosen.get(p.name) != str(p.default)}
        sorts = {
            statement.name: item.number
            for item in self.book.items
            for statement in item.statements
            if isinstance(statement, tree.SortDeclaration) and statement.condition is not None
        }
        if not special or not sorts:
            return
        clauses = [self.reading.by_id[each] for _, found in self.chain.found.values() for each in found]
        for clause in [each for each in clauses if each.head.rule in self._close()]:
            for read in self._read(clause):
                kinds = {type(part) for part in parts((read.head.guard, read.value))}
                if ir.Extreme in kinds:
                    self.chain.add(read.head.rule, SUPPORTS, read.head.id)
                elif ir.StepValue in kinds or any(
                    isinstance(part, ir.Compare)
                    and part.relation not in (ir.Relation.EQUAL, ir.Relation.UNEQUAL)
                    and isinstance(part.left, ir.Component)
                    for part in parts((read.head.guard, read.value))
                ):
                    for number in sorts.values():
                        self.chain.add(number, SUPPORTS)

    def _read(self, clause: ir.Clause) -> list[ir.TermClause]:
        """Clauses of all terms that a clause reads, and of what they read."""
        found: dict[str, None] = {}
        waiting: list[object] = [clause]
        while waiting:
            for part in parts(waiting.pop()):
                if isinstance(part, ir.ReadTerm) and part.term not in found:
                    found[part.term] = None
                    waiting += self.reading.terms.get(part.term, ())
        read = [each for name in found for each in self.reading.terms.get(name, ())]
        return [*([clause] if isinstance(clause, ir.TermClause) else []), *read]

    # -------------------------------------------------------------------------------------------- informative

    def _informative(self) -> None:
        """Items without clauses that refer to a rule that decides, near it in the book or of a variant in force."""
        deciding = {rule for rule, (rank, _) in self.chain.found.items() if rank == DECIDES}
        declared = {zone.rule for zone in self.reading.norms.zones if zone.name in self.zones}
        on = {
            rule
            for variant in self.reading.norms.variants
            if variant.name in self.reading.switches
            for rule in variant.rules
        }
        for item in self.book.items:
            if item.status is None or item.status.kind != "informative":
                continue
            for number in self._named(item):
                near = _chapter(number) == _chapter(item.number)
                varied = bool({number, item.number} & on)
                if (number in deciding and (near or varied)) or (number in declared and self._same_zone(item)):
                    self.chain.add(item.number, REMARKS)

    def _named(self, item: BookItem) -> Iterator[str]:
        yield from (reference.number for reference in item.references)
        if item.status is not None:
            for mention in prose_mentions(item.status.reason, self.order):
                ends = [resolve_mention(each, self.order) for each in (mention.number, mention.range_to) if each]
                known = [each for each in ends if each is not None]
                if len(known) == 2:
                    low, high = sorted(self.order.index(each) for each in known)
                    known = list(self.order[low : high + 1])
                yield from known

    def _same_zone(self, item: BookItem) -> bool:
        """A remark on a zone counts where rules of its own chapter decide."""
        return any(_chapter(rule) == _chapter(item.number) for rule in self._close())


def _chapter(number: str) -> tuple[str, int] | None:
    found = numbers.parts(number)
    return None if found is None else (found.prefix, found.path[0])
