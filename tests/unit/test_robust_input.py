"""Files and answers that nobody meant: told in their place, never a fault of ours."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from svod.diagnostics import Problems
from svod.source import Source
from svod_tools import cli
from svod_tools.__main__ import Interrupts
from svod_tools.case_files import read_cases
from svod_tools.vocabulary import read_vocabulary

ROOT = Path(__file__).resolve().parents[2]
SHUKH = str(ROOT / "spec" / "shukh")
LAUGH = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        "title: !foo bar",
        "- !!python/object/apply:os.system [id]",
        "<<: {x: 1}",
        "deck: !!int abc",
        "title: 2020-13-45",
        "a: !!bool foo",
        "!!int '': a",
        "- &a [*a]",
        "[" * 5000,
        LAUGH,
        "a: \x00",
    ],
    ids=["tag", "object", "merge", "int", "date", "bool", "key", "loop", "deep", "laugh", "nul"],
)
def test_a_file_of_cases_that_cannot_be_meant(text: str) -> None:
    problems = Problems()
    assert read_cases(Source("cases.yaml", text), problems) is None
    assert {problem.code.name for problem in problems} == {"C505"}
    assert all(problem.primary is not None for problem in problems)


@pytest.mark.parametrize("value", ["2020-13-45", "!!bool foo", "!!timestamp foo"])
def test_a_vocabulary_with_a_value_that_is_none(value: str) -> None:
    problems = Problems()
    read_vocabulary(Source("vocabulary.yaml", f"values: {{J: {value}}}"), problems)
    assert [problem.code.name for problem in problems] == ["C411"]


TOLD = """abc
40
36
A
A A
A B C D
X


play


A: QC; A: 7S; B: 9C KH; C: JS 6H AC; D: 10D 8S KC


8D:A



discard
B

D play 10D 8S
D play 10D
end
"""


def test_a_hearing_asks_again_where_an_answer_cannot_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(TOLD))
    assert cli.run(["judge", SHUKH, "--lang", "en"]) == 0
    out = capsys.readouterr().out
    told = ("it may be: 36, 52", "different names, please", "variants of the rulebook: V", "“8S” is too much here")
    for part in told:
        assert part in out
    assert "7S" in out and "QC" in out


def test_a_hearing_that_breaks_off_before_the_position_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("36\nA B C\n"))
    assert cli.run(["judge", SHUKH, "--lang", "en"]) == 2
    assert "was not told to its end" in capsys.readouterr().out


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "svod_tools", "judge", SHUKH],
        input="абв\n".encode(),
        capture_output=True,
        env={"PYTHONPATH": ":".join(sys.path), "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 2 and b"Traceback" not in done.stderr


def test_ctrl_c_while_modules_load() -> None:
    """Nothing is told about where it struck, whenever it does."""
    for seconds in (0.03, 0.06, 0.1, 0.2):
        process = subprocess.Popen(
            [sys.executable, "-m", "svod_tools", "check", SHUKH],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
        assert process.returncode == 130 or b"svod" not in told, told.decode()


def test_a_second_ctrl_c_at_once_is_the_same() -> None:
    handler = Interrupts()
    with pytest.raises(KeyboardInterrupt):
        handler(signal.SIGINT, None)
    handler(signal.SIGINT, None)
