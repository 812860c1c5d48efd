"""Games of careless players: the same natively and in CPython, rates do what they say, and what goes wrong is told."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from svod.engine.backend import Backend, Compiler, in_python
from svod.engine.from_norms import program_from_norms
from svod.engine.options import Options
from svod.engine.play import Engine
from svod.engine.search_careless_play import CarelessCounts, CarelessGames, Rates
from svod.engine.search_table import FoundKind
from svod.norms import ir
from svod.norms.trace import Next
from svod.norms.watching import unwatched, watched
from svod_tools import cli
from svod_tools.compilers import Compilers
from svod_tools.native import compile_native
from svod_tools.table import RandomTable

from .court_rulebook import COURT, court_norms


def games_of(norms: ir.Norms, rates: Rates, compiler: Compiler = in_python, cap: int = 300) -> CarelessGames:
    whole = watched(norms)
    return CarelessGames(whole, program_from_norms(whole, Options(table=True)), compiler, rates, cap=cap)


def counts_of(rates: Rates, games: int = 150, text: str = COURT) -> CarelessCounts:
    table = games_of(court_norms(3, text), rates, Compilers())
    table.play(1, games)
    return table.counts


def natively(source: str, entries: Iterable[str]) -> Backend:
    backend, reason = compile_native(source, tuple(entries))
    if backend is None:
        pytest.skip(reason.en if reason else "no compiler")
    return backend


def test_native_code_plays_the_same_games() -> None:
    rates = Rates(0.2, 0.6, 0.3, 0.8)
    slow, fast = games_of(court_norms(3), rates), games_of(court_norms(3), rates, natively)
    slow.play(5, 60)
    fast.play(5, 60)
    assert slow.counts == fast.counts and slow.found == fast.found
    assert slow.last == fast.last and slow.state() == fast.state()


def test_without_carelessness_they_are_lawful_games() -> None:
    norms = court_norms(3)
    lawful = RandomTable(norms, frozenset(), in_python, 300)
    careless = games_of(norms, Rates(0, 0, 0, 1, 0))
    for seed in range(1, 20):
        lawful.game(seed)
        careless.play(seed, 1)
        assert tuple(map(lawful.engine.encode, lawful.acts)) == careless.last.acts
    counts = careless.counts
    assert counts.strayed == counts.claims == 0 and not any(each.entered for each in counts.numbers.values())


def test_rates_do_what_they_say() -> None:
    none, few, many = (counts_of(Rates(rate, 0.5)) for rate in (0.0, 0.05, 0.3))
    assert none.strayed == 0 < few.strayed < many.strayed
    blind, sharp = counts_of(Rates(0.2, 0.0)), counts_of(Rates(0.2, 1.0))
    assert blind.noticed == blind.claims == 0
    assert sharp.noticed == sum(each.entered for each in sharp.numbers.values()) and sharp.claims > 10
    assert sharp.numbers["V-1"].punished > 5
    honest, liars = counts_of(Rates(0.2, 1.0, 0.2, 1.0)), counts_of(Rates(0.2, 1.0, 0.2, 0.0))
    # With honest voters the guilty are punished, and nobody else; with liars it is the other way round.
    assert honest.dishonest == 0 and honest.numbers["V-1"].wronged <= honest.numbers["V-1"].punished // 4
    assert liars.dishonest > 20 and liars.numbers["V-1"].wronged > liars.numbers["V-1"].punished


def test_rights_that_no_breach_gave_are_used_at_rates_of_their_own() -> None:
    text = COURT + (
        "\n### T-9 Questions\n```rule\naction ask(player): word\naction hum(player): word\n"
        "  possible if stage = play\nentitled ask(player), if turn = player\nentitled hum(player)\n```\n"
    ).replace("action ask(player): word\n", "action ask(player): word\n  possible if stage = play\n")
    silent, curious, noisy = (counts_of(Rates(0, 0, d, 1, c), 20, text) for d, c in ((0, 0), (0.5, 0), (0, 0.5)))
    assert silent.made["ask"] == silent.made["hum"] == silent.entitled == 0
    assert curious.made["ask"] > 40 and curious.made["hum"] < 20  # to hum one has a right from the first move on
    assert noisy.made["hum"] > noisy.made["ask"] > 20
    assert noisy.made["hum"] + noisy.made["ask"] == noisy.entitled


WRONG = [
    ("register fine(Player): 0..60 = 0", "register fine(Player): 0..0 = 0", FoundKind.LIMIT, "fine"),
    (" and exists player where hand(player) is not empty", "", FoundKind.HOLE, "turn"),
    ("end when stage = play and accused = none and no", "end when size(heap) > 7 and no", FoundKind.DEAD_END, None),
    (
        "as soon as accused ≠ none and none player where ballot(player) = none: event decided",
        "",
        FoundKind.DEAD_END,
        None,
    ),
    ("always none player where size(hand(player)) > 2", "always heap is empty", FoundKind.INVARIANT, None),
]


@pytest.mark.parametrize(("old", "new", "kind", "place"), WRONG)
def test_what_goes_wrong_is_noted_with_a_seed_that_leads_there(
    old: str, new: str, kind: FoundKind, place: str | None
) -> None:
    assert old in COURT
    games = games_of(court_norms(2, COURT.replace(old, new)), Rates(0.3, 0.9))
    games.play(1, 80)
    found = next(each for each in games.found if each.kind is kind)
    assert found.place_name(games.program) == place and found.times > 0
    if kind is not FoundKind.INVARIANT:
        games.play(found.where, 1)
        assert games.last.end is kind and len(games.last.acts) == found.length


def test_a_lost_card_is_noticed() -> None:
    norms = watched(court_norms(2))
    program = program_from_norms(norms, Options(table=True))
    cards = next(zone for zone in program.layout.zones if zone.zone == "heap")
    source = program.source.replace("\ndef step(S, a, D):\n", f"\ndef step(S, a, D):\n    S[{cards.mask}] |= 1\n", 1)
    assert source != program.source
    games = CarelessGames(norms, replace(program, source=source), in_python, Rates(0), cap=100)
    games.play(1, 3)
    assert games.counts.ends == {FoundKind.LOST: 3} and games.found[0].kind is FoundKind.LOST


def test_endless_games_are_cut_off() -> None:
    endless = COURT.replace("body: card from hand(player) → heap", "")
    games = games_of(court_norms(2, endless), Rates(0.05), cap=40)
    games.play(1, 5)
    assert games.counts.ends == {FoundKind.LONG: 5} and games.counts.longest == 40


def test_a_rulebook_without_a_catalogue_can_be_played_carelessly() -> None:
    text = COURT[: COURT.index("### T-5")].replace("catalogue Article: V, else other\nvariables article: Article\n", "")
    text = text.replace(" and accused = none", "").replace("then breached(P2, V-1)", "then turn = P1")
    games = games_of(court_norms(2, text), Rates(0.3))
    games.play(1, 20)
    assert games.counts.numbers == {} and games.counts.strayed > 10 and games.counts.ends == {FoundKind.OVER: 20}


def test_the_ledger_of_punishments_leaves_no_trace() -> None:
    norms = court_norms(2)
    assert watched(norms) != norms and watched(norms).registers[:-1] == norms.registers
    plain = replace(norms, catalogue=None)
    assert watched(plain) is plain
    one, two = Engine.of(norms).initial(), Engine.of(watched(norms)).initial()
    assert isinstance(one, Next) and isinstance(two, Next)
    assert one.position != two.position and one.position == unwatched(two.position)


# ------------------------------------------------------------------------------------------------- commands


@pytest.fixture
def book(tmp_path: Path) -> str:
    (tmp_path / "01-court.md").write_text(COURT, encoding="utf-8")
    return str(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_simulate_tells_what_was_broken(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", book, "-n", "40", "--breaches", "0.2", "--noticing", "0.9", "--seed", "3")
    code, out, _ = run(capsys, *arguments, "--lang", "en")
    assert code == 0 and "breaches 0.2, noticing 0.9" in out and "V-1" in out and "speech: claim" in out
    code, out, _ = run(capsys, *arguments, "--format", "json")
    careless = json.loads(out)["careless"]
    assert code == 0 and careless["rates"]["breaches"] == 0.2
    assert careless["numbers"]["V-1"]["broken"] >= careless["numbers"]["V-1"]["punished"] > 0
    assert sum(careless["acts"].values()) == json.loads(out)["moves"]


def test_every_deck_and_number_of_players(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", book, "--every", "--games", "250", "--breaches", "0.1", "--lang", "en")
    assert code == 0
    assert "players 2: 250 games, 250 to the end" in out and "players 3: 250 games" in out
    assert "in all 500 games" in out and "0 lost cards, 0 cut off, 0 failing “always”, 0 other" in out
    code, out, _ = run(capsys, "simulate", book, "--every", "-n", "5", "--format", "json")
    data = json.loads(out)
    assert code == 0 and [each["parameters"] for each in data["settings"]] == [{"players": "2"}, {"players": "3"}]
    assert data["settings"][0]["ends"] == {"over": 5} and data["settings"][0]["strayed"] == 0


def test_every_setting_reports_what_goes_wrong(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = COURT.replace("register fine(Player): 0..60 = 0", "register fine(Player): 0..0 = 0")
    Path(book, "01-court.md").write_text(text, encoding="utf-8")
    code, out, _ = run(capsys, "simulate", book, "--every", "-n", "50", "--breaches", "0.3", "--lang", "en")
    assert code == 1 and "a declared bound was exceeded — «fine» (T-8); seed" in out


@pytest.mark.parametrize("rate", ["--breaches=1.5", "--noticing=-0.1", "--honesty=2", "--disputing=x"])
def test_rates_are_checked(rate: str, book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", book, rate)
    assert code == 2 and "[C001]" in err and not out


# ----------------------------------------------------------------------------------------------------- playing


def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code, out, err = run(capsys, "play", *arguments, "--lang", "en")
    assert code == 0 and not err.strip()
    return out


def test_a_person_can_break_rules_and_pays(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = "claim P1 V-1\n!claim P1 V-1\nvote innocent\nq\n"
    out = play(monkeypatch, capsys, typed, book, "--players", "2", "--seat", "2", "--seed", "4", "--honesty", "1")
    assert "forbidden by V-3" in out and "to do it all the same: !claim P1 V-1" in out
    assert "you have broken: V-3" in out and "P2 is punished: V-3" in out and "fine P2 = 1" in out
    assert "breached" not in out  # what is open, nobody tells


def test_speech_is_listed_only_when_asked_for(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = play(monkeypatch, capsys, "q\n", book, "--players", "3")
    assert "1. " in out and "claim" not in out
    out = play(monkeypatch, capsys, "all\nP2: lay 1♠\nclaim P1 P2 V-1\nq\n", book, "--players", "3")
    assert "possible, not allowed" in out and "claim P2 V-1 | P2 V-2" in out
    assert "lay" in out


def test_what_others_do_is_not_for_the_person_to_do(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = play(monkeypatch, capsys, "claim P2 P1 V-1\nq\n", book, "--players", "2")
    assert "this is not for you to do: you are P1" in out


def test_breaches_of_a_person_are_noticed(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seat 2 lays a card out of turn while P1 waits for a claim; P1 sees it and says so, both vote."""
    script = "!claim P1 V-1\nvote innocent\n"
    game = str(Path(book, "game.txt"))
    play(monkeypatch, capsys, script, book, "--players", "2", "--seat", "2", "--seed", "4", "--record", game)
    code, out, _ = run(capsys, "replay", book, game, "--lang", "en")
    assert code == 0 and "commits V-3 — punished" in out


def test_careless_computers_are_watched(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = ("--breaches", "0.5", "--noticing", "1", "--honesty", "1")
    game = str(Path(book, "game.txt"))
    out = play(monkeypatch, capsys, "auto\n\n" * 60, book, "--players", "3", *rates, "--seed", "6", "--record", game)
    assert "breaches 0.5" in out and "is punished" in out and "… " in out
    code, out, _ = run(capsys, "replay", book, game, "--lang", "en")
    assert code == 0 and "the first unlawful move" in out
