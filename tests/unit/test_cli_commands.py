"""The commands on whole rulebooks: show, play, simulate, fmt, check, and bad texts of every kind."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from svod_tools import cli, files

RULES = """---
свод: Проба
редакция: 1
язык: ru
---
# Проба

### N-1 Всё нужное
Двое берут карты из кучи. См. N-2.

```правило
параметр игроков: 2..3
сорт Масть: ♥ | ♠
порядок Номинал: 1 < 2
сорт Карта: Номинал × Масть
места Игрок: игроков, имена П
переменные игрок: Игрок
переменные карта: Карта
зона куча: набор, видят все, полна в начале
зона рука(Игрок): набор, видит владелец
ячейка последний: Игрок или нет
класс ход, ведёт игру
действие брать(игрок, карта): ход
  возможно, если карта в куча
  тело: карта из куча → рука(игрок)
термин ходит := П1, если последний = нет
термин ходит := следующий(последний), если последний ≠ нет
при ход(игрок): последний := игрок
конец, когда куча пуста
```

### N-2 Кто берёт
```правило
может брать(игрок, карта), если ходит = игрок
исход взято
термин взято(игрок) := карт(рука(игрок))
```

### N-3 Чего брать нельзя
```правило
запрещено брать(_, 2♠), если карт(куча) = 4
```
"""


@pytest.fixture
def book(tmp_path: Path) -> str:
    (tmp_path / "01-rules.md").write_text(RULES, encoding="utf-8")
    (tmp_path / "vocabulary.yaml").write_text("values: {H: ♥, S: ♠}\nactions: {take: брать}\n", encoding="utf-8")
    return str(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def play(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))


def test_show_reads_an_item_back(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "show", book, "n 3")
    assert code == 0 and not err
    assert "Игрок не имеет права «брать» (2♠), если число карт в зоне «куча» — это 4." in out
    code, out, _ = run(capsys, "show", book, "N-2", "--lang", "en")
    assert code == 0 and "Referred to by: N-1" in out
    code, _, err = run(capsys, "show", book, "N-9")
    assert code == 2 and "N-" in err and "C004" in err


def test_play_numbers_moves_explains_refusals_and_ends(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, "почему брать 2♠\nwhy 1\ntake 2S\nбрать 9♣\n1\nстол\nсам\n")
    code, out, err = run(capsys, "play", book, "--players", "2", "--seed", "5")
    assert code == 0 and not err
    assert "запрещает N-3" in out and "разрешает N-2" in out and "так нельзя" in out
    assert "Игра окончена." in out and "П1: взято = 2" in out


@pytest.mark.parametrize("typed", ["", "выход\n", "99\n-1\n\x00\nq\n"])
def test_play_stops_cleanly(
    typed: str, book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, typed)
    code, out, err = run(capsys, "play", book)
    assert code == 0 and "не доиграна" in out and not err


def test_play_hides_what_others_hold(
    book: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, "1\n")
    _, out, _ = run(capsys, "play", book, "--players", "2")
    assert "рука П2: карт 1" in out


def test_simulate_is_the_same_for_the_same_seed(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    first = run(capsys, "simulate", book, "-n", "20", "--seed", "7", "--format", "json")
    assert first == run(capsys, "simulate", book, "-n", "20", "--seed", "7", "--format", "json")
    data = json.loads(first[1])
    assert data["games"] == 20 and data["moves"] == 80 and data["lengths"]["shortest"] == 4
    assert data["ends"] == [{"kind": "over", "place": "", "rules": [], "games": 20}]


def test_simulate_reports_the_move_cap(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", book, "-n", "3", "--cap", "2", "--format", "json")
    assert code == 0 and json.loads(out)["cap_reached"] == 3
    code, out, _ = run(capsys, "simulate", book, "-n", "3", "--cap", "2")
    assert "предел ходов достигнут" in out


@pytest.mark.parametrize(
    ("removed", "kind", "place"),
    [
        ("термин ходит := следующий(последний), если последний ≠ нет\n", "dead end", ""),
        ("конец, когда куча пуста\n", "dead end", ""),
    ],
)
def test_simulate_meets_dead_ends(
    removed: str, kind: str, place: str, book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert removed in RULES
    Path(book, "01-rules.md").write_text(RULES.replace(removed, ""), encoding="utf-8")
    _, out, err = run(capsys, "simulate", book, "-n", "2", "--format", "json")
    assert [(end["kind"], end["place"]) for end in json.loads(out)["ends"]] == [(kind, place)], err


def test_simulate_meets_holes(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = RULES.replace(
        "термин ходит := следующий(последний), если последний ≠ нет", "спрашивается ходит, когда куча не пуста"
    )
    Path(book, "01-rules.md").write_text(text, encoding="utf-8")
    _, out, _ = run(capsys, "simulate", book, "-n", "2", "--format", "json")
    assert [(end["kind"], end["place"], end["games"]) for end in json.loads(out)["ends"]] == [("hole", "ходит", 2)]


def test_parameters_are_checked(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--players", "9"], ["--deck", "36"], ["--set", "нет=1"], ["--with", "V"], ["--with", "gone.md"]):
        code, out, err = run(capsys, "simulate", book, "-n", "1", *arguments)
        assert code == 2 and "[C" in err and not out
    assert run(capsys, "simulate", book, "-n", "1", "--set", "игроков=3")[0] == 0


def test_fmt_leaves_prose_comments_and_meaning_alone(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    chapter = Path(book, "01-rules.md")
    spread = RULES.replace("запрещено брать(_, 2♠), если", "запрещено   брать( _ ,2♠ ),\n   если")
    chapter.write_text(spread.replace("исход взято", "исход взято # важно"), encoding="utf-8")
    code, out, _ = run(capsys, "fmt", book, "--check")
    assert code == 1 and "01-rules.md" in out
    assert run(capsys, "fmt", book)[0] == 0
    text = chapter.read_text(encoding="utf-8")
    assert "запрещено брать(_, 2♠), если карт(куча) = 4" in text and "исход взято # важно" in text
    assert "Двое берут карты из кучи." in text
    assert run(capsys, "fmt", book, "--check")[0] == 0


@pytest.mark.parametrize(
    "spoilt",
    [
        b"\xff\xfe\x00",
        b"",
        "### N-1 Раз\n```правило\nвздор здесь\n```\n".encode(),
        "### N-1 Раз\n```правило\nможет брать(игрок)\n".encode(),
        RULES.replace("N-2 Кто", "N-1 Кто").encode(),
        RULES.replace("конец, когда куча пуста", "конец, когда нечто").encode(),
        RULES.replace("запрещено брать", "кроме N-77: запрещено брать").encode(),
        RULES.replace("карт(куча) = 4", "карт(куча) = ♥").encode(),
        ("### N-1 Раз\n```правило\nконец, когда " + "(" * 3000 + "\n```\n").encode(),
        RULES.replace("N-3 Чего", "N-3").encode() + b"\x00",
    ],
    ids=range(10),
)
@pytest.mark.parametrize("command", ["check", "show", "simulate", "fmt"])
def test_bad_texts_are_diagnostics(command: str, spoilt: bytes, book: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(book, "01-rules.md").write_bytes(spoilt)
    code, _, err = run(capsys, command, book, *(["N-1"] if command == "show" else []))
    assert code in ((0, 2) if command == "fmt" or b"\x00" in spoilt[-1:] else (2,)), err
    assert "Traceback" not in err and "внутренняя" not in err


def test_a_broken_vocabulary_is_a_diagnostic(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(book, "vocabulary.yaml").write_text("actions: {take: красть}", encoding="utf-8")
    code, out, _ = run(capsys, "check", book)
    assert code == 0 and "C412" in out and "красть" in out
    Path(book, "vocabulary.yaml").write_text("actions: [", encoding="utf-8")
    code, _, err = run(capsys, "simulate", book)
    assert code == 2 and "C411" in err


@pytest.mark.parametrize("name", files.shipped_names())
def test_shipped_rulebooks_play_in_their_newest_edition(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", name, "-n", "2", "--players", "2", "--format", "json")
    assert code == 0, err
    assert {end["kind"] for end in json.loads(out)["ends"]} == {"over"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["simulate", "--cap", "99999999999999999999"], "C001"),
        (["simulate", "-n", "0"], "C001"),
        (["simulate", "--set", "игроков=" + "9" * 5000], "C001"),
        (["bench", "--agree", "-1"], "C001"),
        (["explore", "--cards", "1♥ 2♥ 1♥"], "C423"),
        (["explore", "--cards", " "], "C423"),
        (["explore", "--cards", "9♥"], "C421"),
        (["show", "N-1", "--with", "чушь"], "C201"),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each)[:30],
)
def test_impossible_wishes_are_exit_2(
    arguments: list[str], code: str, book: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code, out, err = run(capsys, arguments[0], book, *arguments[1:])
    assert exit_code == 2 and f"[{code}]" in err and not out


def test_a_file_that_is_no_amendment_is_refused(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("root:x:0:0\n", encoding="utf-8")
    code, out, err = run(capsys, "show", book, "N-1", "--with", str(other))
    assert code == 2 and "[A010]" in err and not out
