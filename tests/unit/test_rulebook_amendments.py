"""Overlays: what each operation does to a book, its history, its readings, and who is named as the author."""

from __future__ import annotations

from svod.diagnostics import Problems
from svod.norms import ir
from svod.norms.from_rulebook import norms_from_book
from svod.rulebook.amendments import amend
from svod.rulebook.book import Book, BookChapter, ItemPlace, fingerprint
from svod.rulebook.from_tree import book_from_tree
from svod.source import Source
from svod.syntax.from_text import parse_rulebook

BASE = """---
rulebook: Trial
edition: 1
language: en
---

# Chapter

### R-1 Seats

```rule
parameter players: 2
seats Player: players, names P
variables player: Player
register last: Player or none
action wave(player)
```

### R-2 Waving

Anybody waves.

```rule
may wave(player)
```

### R-3 Readings

```rule
reading A “first”: define leader := P1
reading B “second”: define leader := P2
reading C “nobody”: define leader := last
adopted A: “simplest”
```

### R-10 Last

```rule
not formalised “later”
```
"""


def item(heading: str, clauses: str, prose: str = "New words.") -> str:
    return f"### {heading}\n\n{prose}\n\n```rule\n{clauses}\n```\n\n"


def amended(*items: str, base: str = BASE, name: str = "edition 2", edition: str = "2") -> tuple[Book, Problems]:
    problems = Problems()
    book = book_from_tree(parse_rulebook([Source("base.md", base)], problems), problems)
    matter = f"---\namendment: {name}\nto: trial\nedition: {edition}\nlanguage: en\n---\n\n"
    overlay = parse_rulebook([Source(f"{name}.md", matter + "".join(items))], problems)
    assert not problems.has_errors
    return amend(book, overlay, problems), problems


def errors(problems: Problems) -> list[str]:
    return [problem.code.name for problem in problems if problem.code.severity.value == "error"]


def test_replace_keeps_the_place_and_the_history() -> None:
    book, problems = amended(item("Replace R-2 Waving twice", "answers “K-1”\nforbid wave(player)"))
    new = book.item("R-2")
    assert errors(problems) == []
    assert [each.number for each in book.items] == ["R-1", "R-2", "R-3", "R-10"]
    assert (new.title, new.amended_by, new.answers) == ("Waving twice", "edition 2", ("K-1",))
    assert [(change.operation, change.answers) for change in new.history] == [("replace", ("K-1",))]
    assert new.history[0].before is not None and new.history[0].before.prose.strip() == "Anybody waves."
    assert (book.edition, book.overlays) == ("2", ("edition 2",))


def test_added_item_goes_after_its_predecessor_by_number() -> None:
    book, problems = amended(item("Add R-3.1 More", "may wave(player), if last = none"))
    assert errors(problems) == []
    assert [each.number for each in book.items] == ["R-1", "R-2", "R-3", "R-3.1", "R-10"]
    places = [block for block in book.chapters[0].blocks if isinstance(block, ItemPlace)]
    assert places.index(ItemPlace("R-3.1")) == places.index(ItemPlace("R-3")) + 1


def test_extended_item_says_who_wrote_which_clause() -> None:
    book, problems = amended(item("Extend R-2", "may wave(player), if last = player"))
    norms = norms_from_book(book, {}, problems)
    assert norms is not None
    by = {clause.head.id: clause.head.amended_by for clause in norms.clauses if clause.head.rule == "R-2"}
    assert by == {"R-2#1": None, "R-2#2": "edition 2"}
    assert book.item("R-2").prose.split() == ["Anybody", "waves.", "New", "words."]


def test_extending_a_pending_item_makes_it_formal() -> None:
    book, _ = amended(item("Extend R-10", "forbid wave(player), if last = player"))
    assert book.item("R-10").status is None


def test_withdrawn_item_is_kept_apart() -> None:
    book, problems = amended("### Withdraw R-2\n")
    assert errors(problems) == []
    assert [each.number for each in book.withdrawn] == ["R-2"]
    assert book.find("R-2") is None and ItemPlace("R-2") not in book.chapters[0].blocks
    assert book.withdrawn[0].history[-1].operation == "withdraw"


def test_withdrawn_number_leaves_no_gap() -> None:
    _, problems = amended("### Withdraw R-2\n")
    assert "N005" not in [problem.code.name for problem in problems if problem.rule == "R-3"]


def test_a_reading_left_alone_is_a_plain_clause() -> None:
    book, problems = amended(item("Extend R-3", "withdraw reading A\nwithdraw reading C"))
    norms = norms_from_book(book, {}, problems)
    assert norms is not None and errors(problems) == []
    assert norms.readings == ()
    (clause,) = [clause for clause in norms.clauses if clause.head.rule == "R-3"]
    assert isinstance(clause, ir.TermClause)
    assert (clause.head.guard, clause.head.reading) == (ir.Boolean(True), None)
    assert clause.head.amended_by == "edition 2"


def test_other_readings_stay() -> None:
    book, problems = amended(item("Extend R-3", "withdraw reading C"))
    norms = norms_from_book(book, {}, problems)
    assert norms is not None
    assert [letter for letter, _ in norms.readings[0].options] == ["A", "B"]


def test_basis_of_the_present_text_is_accepted() -> None:
    problems = Problems()
    old = book_from_tree(parse_rulebook([Source("base.md", BASE)], problems), problems).item("R-2")
    _, problems = amended(item("Replace R-2", f"basis “{fingerprint(old)}”\nmay wave(player)"))
    assert errors(problems) == []


def test_fingerprint_ignores_spacing_only() -> None:
    def of(text: str) -> str:
        return fingerprint(book_from_tree(parse_rulebook([Source("b.md", text)], Problems()), Problems()).item("R-2"))

    assert of(BASE) == of(BASE.replace("Anybody waves.", "Anybody\n  waves."))
    assert of(BASE) != of(BASE.replace("Anybody waves.", "Nobody waves."))
    assert of(BASE) != of(BASE.replace("may wave(player)", "forbid wave(player)"))


def test_overlays_apply_one_after_another() -> None:
    book, problems = amended(item("Add R-4 New", "forbid wave(player), if last = player"))
    matter = "---\namendment: house\nto: Trial\nlanguage: en\n---\n\n"
    text = matter + item("Replace R-4 Newer", "forbid wave(player)")
    book = amend(book, parse_rulebook([Source("house.md", text)], problems), problems)
    assert errors(problems) == []
    assert [change.overlay for change in book.item("R-4").history] == ["edition 2", "house"]
    assert book.edition == "2"


def test_withdrawing_twice_is_reported() -> None:
    book, problems = amended("### Withdraw R-2\n")
    matter = "---\namendment: house\nto: Trial\nlanguage: en\n---\n\n"
    amend(book, parse_rulebook([Source("house.md", matter + "### Withdraw R-2\n")], problems), problems)
    assert errors(problems) == ["A002"]


def test_words_of_an_amendment_are_refused_in_a_rulebook() -> None:
    problems = Problems()
    text = BASE.replace("may wave(player)", "may wave(player)\nanswers “K-1”")
    book_from_tree(parse_rulebook([Source("base.md", text)], problems), problems)
    assert errors(problems) == ["A008"]


def test_chapters_without_the_item_are_untouched() -> None:
    book, _ = amended("### Withdraw R-2\n")
    assert all(isinstance(chapter, BookChapter) for chapter in book.chapters)
    assert book.chapters[0].front_matter[0] == ("rulebook", "Trial")


def test_added_items_join_the_catalogue_and_withdrawn_ones_leave_it() -> None:
    base = BASE.replace("action wave(player)\n", "action wave(player)\ncatalogue Article: V, else unnamed\n")
    base += "\n### V-1 First\n\n```rule\nviolation V-1(player) on wave(player)\n```\n"
    base += "\n### V-4b Last\n\n```rule\nviolation V-4b(player) on wave(player)\n```\n"

    def values(*items: str) -> tuple[str, ...]:
        book, problems = amended(*items, base=base)
        norms = norms_from_book(book, {}, problems)
        assert norms is not None and errors(problems) == []
        return norms.sort("Article").values

    assert values(item("Extend R-2", "may wave(player), if last = player")) == ("V-1", "V-4b", "unnamed")
    added = item("Add V-3 More", "violation V-3(player) on wave(player), if last = player, under R-2")
    assert values(added) == ("V-1", "V-3", "V-4b", "unnamed")
    assert values(added, "### Withdraw V-1\n") == ("V-3", "V-4b", "unnamed")


def test_a_number_that_was_withdrawn_is_no_violation() -> None:
    base = BASE.replace("action wave(player)\n", "action wave(player)\ncatalogue Article: V, else unnamed\n")
    base += "\n### V-1 First\n\n```rule\ninformative “said”\n```\n\n### V-2 Next\n\n```rule\ninformative “said”\n```\n"
    book, problems = amended(
        item("Extend R-2", "violation V-1(player) on wave(player)"), "### Withdraw V-1\n", base=base
    )
    assert norms_from_book(book, {}, problems) is None
    assert "N132" in errors(problems)
