"""Every code of a message is unique, well named and explained in both languages."""

from __future__ import annotations

import re

import pytest

from svod.diagnostics import Code, Text
from svod_tools.commands.explain import all_codes

CODES = all_codes()  # raises if two modules declare one name differently


def sound(text: Text) -> bool:
    russian = re.search(r"[А-Яа-яЁё]", text.ru)
    # English texts may quote a word of the rules language, but are not Russian.
    foreign = len(re.findall(r"[А-Яа-яЁё]", text.en))
    return bool(russian) and bool(re.search(r"[A-Za-z]{2}", text.en)) and foreign < len(text.en) / 4


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.name)
def test_code_is_explained(code: Code) -> None:
    assert re.fullmatch(r"[SNTAXFC]\d{3}", code.name)
    assert sound(code.title)
    assert sound(code.explanation)
    assert len(code.explanation.ru) > len(code.title.ru), "an explanation says more than the title"


def test_there_are_codes() -> None:
    assert len(CODES) > 8
