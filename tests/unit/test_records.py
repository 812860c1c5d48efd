"""Records of games: what is written is read back, mistakes have their places, and a record is checked move by move."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from svod.diagnostics import Problems, Severity
from svod.engine.play import Engine
from svod.engine.search_careless_play import Rates
from svod.norms.trace import Act, Next, Status
from svod.searches.record_check import BreachEnd, GameEnd, RecordChecker, RecordVerdict, check_record
from svod.searches.record_reading import (
    acts_of_record,
    check_head,
    parse_record,
    record_parameters,
    record_switches,
)
from svod.searches.records import book_mark, head_of, record_text
from svod.source import Source
from svod_tools import cli
from svod_tools.compilers import Compilers
from svod_tools.table import CarelessTable
from svod_tools.vocabulary import Vocabulary

from .court_rulebook import COURT, court, court_norms

HEAD = "rulebook: Court\nedition: 1\nparameters: players 2\n\n"
DEAL = "1. chance: draw P1 1♠\n2. chance: draw P2 2♠\n3. chance: draw P1 1♥\n4. chance: draw P2 3♠\n"


def read(text: str, players: int = 2) -> tuple[RecordVerdict | None, Problems]:
    problems = Problems()
    record = parse_record(Source("game.txt", text), problems)
    if record is None:
        return None, problems
    check_head(record, court().book, problems)
    record_parameters(record, court().parameters, problems)
    norms = court_norms(players)
    moves = acts_of_record(record, norms, Vocabulary(), problems)
    if moves is None or problems.has_errors:
        return None, problems
    return check_record(norms, record_switches(record, norms, problems), moves), problems


def verdict(text: str) -> RecordVerdict:
    found, problems = read(text)
    assert found is not None, [problem.message.en for problem in problems]
    return found


def messages(text: str) -> list[tuple[int, str]]:
    """(line, message) of every problem."""
    source = Source("game.txt", text)
    _, problems = read(text)
    lines = []
    for problem in problems:
        assert problem.primary is not None
        lines.append((source.line_column(problem.primary.span.start)[0], problem.message.en))
    return lines


# ------------------------------------------------------------------------------------------- writing and reading


@pytest.mark.parametrize("language", ["ru", "en"])
def test_what_is_written_is_read_back(language: str) -> None:
    norms = court_norms(2)
    switches = frozenset[str]()
    engine = Engine.of(norms, switches)
    acts, outcome = engine.playout(7, 200)
    assert isinstance(outcome, Next) and engine.over(outcome.position)
    head = head_of(court().book, norms, switches, 7)
    text = record_text(
        type(head)(**{**{f: getattr(head, f) for f in head.__slots__}, "language": language}),
        norms, acts, remarks={0: "the first"}, footer=["done"],
    )  # fmt: skip
    problems = Problems()
    record = parse_record(Source("game.txt", text), problems)
    assert record is not None and not list(problems)
    check_head(record, court().book, problems)
    assert record_parameters(record, court().parameters, problems) == {"players": 2}
    moves = acts_of_record(record, norms, Vocabulary(), problems)
    assert moves is not None and tuple(move.acts[0] for move in moves) == acts and not list(problems)
    assert record.said("seed") == "7" and record.said("mark") == book_mark(court().book)


def test_the_mark_changes_with_the_wording() -> None:
    assert book_mark(court().book) == book_mark(court(COURT.replace("Everybody gets", "Everybody  gets")).book)
    assert book_mark(court().book) != book_mark(court(COURT.replace("Everybody gets", "All get")).book)


def test_moves_may_be_written_as_calls_and_without_numbers() -> None:
    calls = "draw(P1, 1♠)\ndraw(P2, 2♠)\nchance: draw(P1, 1♥)\ndraw P2 3♠  # the last\n\nlay(P1, 1♠)\nP2: lay(2♠)\n"
    found = verdict(HEAD + calls)
    assert [move.status for move in found.moves] == [Status.LAWFUL] * 6
    assert found.end is GameEnd.UNFINISHED and found.first_unlawful is None


def test_mistakes_are_told_all_at_once_with_their_lines() -> None:
    text = HEAD + DEAL + "5. P1: lya 1♠\n6. P3: lay 1♥\n7. P1: lay 9♠\n9. P2: lay\n10. chance: lay P1 1♠\nnonsense:\n"
    told = messages(text)
    assert sorted(line for line, _ in told) == [9, 10, 11, 12, 12, 13, 14]
    said = " ".join(message for _, message in told)
    for part in ("“lya”", "“P3”", "“9♠”", "takes 1 values, 0 are given", "not done by that one"):
        assert part in said, said


def test_a_slip_is_helped() -> None:
    problems = read(HEAD + DEAL + "5. P1: clam P2 V-1\n")[1]
    assert [problem.help.en for problem in problems if problem.help] == ["close: claim"]


@pytest.mark.parametrize(
    ("head", "part"),
    [
        ("rulebook: Court\n\n", "edition"),
        ("rulebook: Court\nedition: 1\n\n", "players"),
        ("rulebook: Court\nedition: 1\nparameters: players 9\n\n", "cannot be 9"),
        ("rulebook: Court\nedition: 1\nparameters: players 2, players 3\n\n", "stands twice"),
        ("rulebook: Court\nedition: 1\nparameters: deck 36\n\n", "“deck”"),
        ("rulebok: Court\nedition: 1\nparameters: players 2\n\n", "no key “rulebok”"),
        ("rulebook: Court\nrulebook: Court\nedition: 1\nparameters: players 2\n\n", "twice"),
        ("rulebook: Chess\nedition: 1\nparameters: players 2\n\n", "not of “Court”"),
        ("rulebook: Court\nedition: 1\nparameters: players 2\nvariants: W\n\n", "“W”"),
        ("just a line\n", "key: value"),
        ("", "no line"),
    ],
)
def test_headers_are_checked(head: str, part: str) -> None:
    problems = Problems()
    record = parse_record(Source("game.txt", head + DEAL), problems)
    if record is not None:
        check_head(record, court().book, problems)
        record_parameters(record, court().parameters, problems)
        record_switches(record, court_norms(2), problems)
    assert problems.has_errors and part in " ".join(problem.message.en for problem in problems)


@pytest.mark.parametrize("line", ["edition: 3", "edition: 1\nhash: 000000000000"])
def test_another_edition_is_a_warning(line: str) -> None:
    found, problems = read(HEAD.replace("edition: 1", line) + DEAL)
    assert found is not None
    assert [problem.code.severity for problem in problems] == [Severity.WARNING]


# ------------------------------------------------------------------------------------------------- checking

UNPUNISHED = HEAD + DEAL + "5. P2: lay 2♠\n6. P1: lay 1♠\n"
PUNISHED = HEAD + DEAL + "5. P2: lay 2♠\n6. P1: claim P2 V-1\n7. P1: vote guilty\n8. P2: vote guilty\n9. P1: lay 1♠\n"
WRONGED = HEAD + DEAL + "5. P1: claim P2 V-1\n6. P1: vote guilty\n7. P2: vote guilty\n"


def test_a_breach_that_nobody_claims_lapses() -> None:
    found = verdict(UNPUNISHED)
    first = found.first_unlawful
    assert first is not None and (first.number, first.line, first.act.action) == (5, 9, "lay")
    assert first.rules == ("V-1",)
    assert [(b.offender, b.name, b.move, b.end, b.ended) for b in found.breaches] == [
        (1, "V-1", 5, BreachEnd.LAPSED, 6)
    ]
    assert found.penalties == ()


def test_a_breach_that_is_claimed_is_punished_and_the_position_restored() -> None:
    found = verdict(PUNISHED)
    assert found.first_unlawful is not None and found.first_unlawful.number == 5
    assert [(b.name, b.end, b.ended) for b in found.breaches] == [("V-1", BreachEnd.PUNISHED, 8)]
    assert [(p.offender, p.name, p.move, p.breach) for p in found.penalties] == [(1, "V-1", 8, 0)]
    assert found.moves[-1].status is Status.LAWFUL
    before = dict(found.moves[7].before.zones)["heap", None]
    after = found.moves[7].after
    assert len(before) == 1 and after is not None and dict(after.zones)["heap", None] == ()
    assert {name for (name, _), _ in after.registers} == {register.name for register in court_norms(2).registers}


def test_who_is_punished_without_guilt_is_named() -> None:
    found = verdict(WRONGED)
    assert [(b.offender, b.name) for b in found.breaches] == [(0, "V-3")]
    assert [(p.offender, p.name, p.breach) for p in found.penalties] == [(1, "V-1", None)]


@pytest.mark.parametrize(
    ("moves", "end", "made"),
    [
        ("5. P1: lay 2♠\n", GameEnd.IMPOSSIBLE, 4),
        ("5. P1: lay 1♠\n6. P2: lay 2♠\n7. P1: lay 1♥\n8. P2: lay 3♠\n9. P1: claim P2 V-1\n", GameEnd.AFTER_END, 8),
        ("5. P1: lay 1♠\n6. P2: lay 2♠\n7. P1: lay 1♥\n8. P2: lay 3♠\n", GameEnd.OVER, 8),
        ("", GameEnd.UNFINISHED, 4),
    ],
)
def test_where_a_record_leaves_the_game(moves: str, end: GameEnd, made: int) -> None:
    found = verdict(HEAD + DEAL + moves)
    assert found.end is end and len(found.moves) == made
    assert (found.culprit is not None) == (end in (GameEnd.IMPOSSIBLE, GameEnd.AFTER_END))


def test_a_record_that_the_rules_stop() -> None:
    text = COURT.replace("register fine(Player): 0..60 = 0", "register fine(Player): 0..0 = 0")
    norms = court_norms(2, text)
    problems = Problems()
    record = parse_record(Source("game.txt", PUNISHED), problems)
    assert record is not None
    moves = acts_of_record(record, norms, Vocabulary(), problems)
    assert moves is not None
    found = check_record(norms, frozenset(), moves)
    assert found.end is GameEnd.STOPPED and len(found.moves) == 8 and found.moves[-1].after is None


def test_a_plain_name_means_the_act_that_is_possible() -> None:
    problems = Problems()
    record = parse_record(Source("game.txt", HEAD + DEAL + "5. P1: do 1♠\n"), problems)
    assert record is not None
    norms = court_norms(2)
    moves = acts_of_record(record, norms, Vocabulary(actions={"do": ("gone", "lay")}), problems)
    assert moves is not None and moves[-1].acts == (Act("lay", (0, 0)),)


def test_records_of_careless_games_say_what_the_games_counted() -> None:
    """Breaches and penalties found by reading the records are those that the games themselves counted."""
    norms = court_norms(3)
    table = CarelessTable(norms, frozenset(), Compilers(), Rates(0.15), cap=400)
    checker = RecordChecker(norms, frozenset())
    broken: dict[str, int] = {}
    punished: dict[str, int] = {}
    for seed in range(1, 41):
        table.game(seed * 7_919)
        problems = Problems()
        text = record_text(head_of(court().book, norms, frozenset(), seed), norms, table.acts)
        record = parse_record(Source("game.txt", text), problems)
        assert record is not None
        moves = acts_of_record(record, norms, Vocabulary(), problems)
        assert moves is not None
        found = checker.check(moves)
        assert found.end is GameEnd.OVER
        for breach in found.breaches:
            broken[breach.name] = broken.get(breach.name, 0) + 1
        for penalty in found.penalties:
            key = penalty.name if penalty.breach is not None else f"{penalty.name}?"
            punished[key] = punished.get(key, 0) + 1
    counts = table.counts.numbers
    assert broken == {name: each.entered for name, each in counts.items() if each.entered}
    assert punished == {name: each.punished for name, each in counts.items() if each.punished} | {
        f"{name}?": each.wronged for name, each in counts.items() if each.wronged
    }
    assert sum(punished.values()) > 5


# ------------------------------------------------------------------------------------------------- commands


@pytest.fixture
def book(tmp_path: Path) -> str:
    (tmp_path / "01-court.md").write_text(COURT, encoding="utf-8")
    return str(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def kept(folder: str, text: str) -> str:
    Path(folder, "game.txt").write_text(text, encoding="utf-8")
    return str(Path(folder, "game.txt"))


def test_simulate_writes_what_replay_reads(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = Path(book, "games")
    code, _, err = run(capsys, "simulate", book, "-n", "3", "--players", "2", "--record", f"{folder}/")
    assert code == 0 and not err.strip()
    assert sorted(file.name for file in folder.iterdir()) == ["0001.txt", "0002.txt", "0003.txt"]
    code, out, err = run(capsys, "replay", book, str(folder / "0002.txt"))
    assert code == 0 and not err and "ходов 8, все законны" in out and "игра окончена" in out


def test_replay_names_breaches_and_penalties(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", book, kept(book, PUNISHED), "--lang", "en")
    assert code == 0 and not err
    assert "P2: lay 2♠  — unlawful" in out and "P2 commits V-1" in out and "P2 is punished, V-1: for move 5" in out
    assert "the first unlawful move is 5 (line 9): P2: lay 2♠ — unlawful: V-1" in out
    assert "move 5: P2 commits V-1 — punished (move 8)" in out


def test_replay_of_some_moves(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "replay", book, kept(book, PUNISHED), "--from", "5", "--to", "6", "--format", "json")
    data = json.loads(out)
    assert code == 0 and [move["number"] for move in data["played"]] == [5, 6]
    assert data["first_unlawful"] == 5 and data["breaches"][0]["end"] == "punished" and data["moves"] == 9
    assert data["played"][0]["position"]["zones"]["heap"] == [{"card": "2♠", "by": "P2"}]
    assert run(capsys, "replay", book, kept(book, PUNISHED), "--from", "6", "--to", "5")[0] == 2


def test_replay_step_by_step(book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n5\nwhy\nback\nx\nq\n"))
    code, out, err = run(capsys, "replay", book, kept(book, PUNISHED), "--step", "--lang", "en")
    assert code == 0 and not err
    assert "forbidden by V-1" in out and out.count("P2: lay 2♠") == 1 and "an empty line" in out
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run(capsys, "replay", book, kept(book, PUNISHED), "--step")[0] == 0


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (HEAD + DEAL + "5. P1: lay 2♠\n", "такой ход невозможен"),
        (HEAD + DEAL + "5. P1: lie 2♠\n", "[C703]"),
        ("\x00\x01", "[C701]"),
    ],
)
def test_records_that_cannot_be_played(text: str, part: str, book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "replay", book, kept(book, text))
    assert code == 2 and part in out + err and "Traceback" not in err and "внутренняя" not in err


def test_a_record_is_written_whole_or_not_at_all(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(book, "taken").mkdir()
    Path(book, "taken", "0001.txt").mkdir()
    code, _, err = run(capsys, "simulate", book, "-n", "1", "--record", str(Path(book, "taken")))
    assert code == 2 and "[C608]" in err
    assert [entry.name for entry in Path(book, "taken").iterdir()] == ["0001.txt"]


def test_play_keeps_the_game_so_far(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    game = str(Path(book, "mine.txt"))
    assert run(capsys, "play", book, "--players", "2", "--record", game)[0] == 0
    code, out, _ = run(capsys, "replay", book, game)
    assert code == 0 and "запись кончается раньше игры" in out and "все законны" in out


OVERLAY = """---
amendment: no fines
to: Court
edition: 1
language: en
---
# No fines

### Replace V-2 The one of hearts
```rule
forbid lay(_, 1♥), if heap is empty
```
"""
VARIANT = "\n### W-1 Mild\n```rule\nvariant Mild: W-2\n```\n### W-2 Mildly\n```rule\nforbid lay(_, 2♠)\n```\n"
READINGS = (
    "\n### W-3 Two ways\n```rule\nreading A “so”: forbid lay(_, 2♥)\nreading B “or so”: forbid lay(_, 3♥)\n"
    "adopted A: “it is said so”\n```\n"
)


def test_overlays_variants_and_readings_come_back(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(book, "01-court.md").write_text(COURT + VARIANT + READINGS, encoding="utf-8")
    overlay, game = Path(book, "house", "mild.md"), str(Path(book, "game.txt"))
    overlay.parent.mkdir()
    overlay.write_text(OVERLAY, encoding="utf-8")
    code, _, err = run(
        capsys, "simulate", book, "-n", "1", "--players", "2", "--record", game,
        "--with", "mild", "--with", "Mild", "--with", "W-3=B",
    )  # fmt: skip
    assert code == 0, err
    text = Path(game).read_text(encoding="utf-8")
    assert "overlays: mild\n" in text and "variants: Mild\n" in text and "readings: W-3=B\n" in text
    code, out, err = run(capsys, "replay", book, game, "--format", "json")
    data = json.loads(out)
    assert code == 0 and not err and data["switches"] == ["Mild", "W-3=B"] and data["warnings"] == []
    # What the command line names goes first; without the overlay the text is another one.
    code, out, err = run(capsys, "replay", book, game, "--format", "json", "--with", "W-3=A")
    data = json.loads(out)
    assert code == 0 and "[C704]" in err and data["switches"] == ["W-3=A"] and len(data["warnings"]) == 1


def test_every_setting_keeps_the_shortest_game_to_what_goes_wrong(
    book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = COURT.replace("register fine(Player): 0..60 = 0", "register fine(Player): 0..0 = 0")
    text = text.replace("as soon as accused ≠ none and none player where ballot(player) = none: event decided", "")
    text = text.replace(
        "penalty _(player): fine(player) += 1", "on claim(player, _, _), if last = none: fine(player) += 1"
    )
    Path(book, "01-court.md").write_text(text, encoding="utf-8")
    folder = Path(book, "wrong")
    code, out, _ = run(
        capsys, "simulate", book, "--every", "-n", "60", "--breaches", "0.3", "--record", str(folder), "--lang", "en"
    )
    names = sorted(file.name for file in folder.iterdir())
    assert code == 1 and names == ["2-dead-end-1.txt", "2-limit-1.txt", "3-dead-end-1.txt", "3-limit-1.txt"]
    code, out, _ = run(capsys, "replay", book, str(folder / "3-limit-1.txt"), "--lang", "en")
    assert code == 0 and "the game stopped: a declared bound was exceeded — “fine”" in out.replace("«", "“").replace(
        "»", "”"
    )
    assert "fine" in (folder / "3-limit-1.txt").read_text(encoding="utf-8").splitlines()[-1]
