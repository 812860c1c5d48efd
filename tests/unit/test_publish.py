"""The published rulebook: stable addresses, links, findings with their plays; and one real build without network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from svod.diagnostics import Problems, Severity, Text
from svod.findings import Family, Finding, Grade, Move, Scope
from svod.norms.trace import Act
from svod.prose.document import Document
from svod.searches.stops import NO_ANSWER
from svod_tools import files
from svod_tools.options import Choice
from svod_tools.publish import site
from svod_tools.publish.anchors import Addresses, slug, slugs
from svod_tools.publish.findings import finding_anchors
from svod_tools.publish.markdown import coloured, escaped, fence, position_table
from svod_tools.workbench import Workbench, open_workbench


def finding(*rules: str, grade: Grade = Grade.REACHABLE) -> Finding:
    return Finding(
        NO_ANSWER,
        Family.GAP,
        grade,
        rules,
        Text("после 6♥ правила молчат", "silent after 6♥"),
        Text(f"см. {rules[0]}", f"see {rules[0]}"),
        "search",
        Scope("36", "2"),
        0.1,
        Severity.ERROR,
        position_json={"zones": {"стопка": ["6♥", {"card": "7♠", "by": "П1"}], "пусто": []}},
        play=(Move(Act("x", ()), "П1: «ход» (6♥)", "П1", rules),),
    )


@pytest.mark.parametrize(
    ("number", "address"),
    [("R-3.7.2", "r-3-7-2"), ("Ш-4b", "sh-4b"), ("П-12", "p-12"), ("K1", "k1"), ("§3. Кон", "3-kon")],
)
def test_addresses_are_ascii(number: str, address: str) -> None:
    assert slug(number) == address


def test_addresses_never_coincide() -> None:
    found = slugs(["Ш-1", "SH-1", "sh.1", "R-1"])
    assert len(set(found.values())) == 4 and found["Ш-1"] == "sh-1"


def test_numbers_in_a_text_become_links() -> None:
    addresses = Addresses({"R-1": "a.md", "R-1.2": "b.md", "R-1.2.3": "b.md"}, slugs(["R-1", "R-1.2", "R-1.2.3"]))
    text = "см. R-1.2.3, R-1.2 и R-1; не R-1.2.4, не R-12, `R-1`, [R-1](x), XR-1. Конец R-1.2."
    assert addresses.linked(text, "a.md", own="R-1") == (
        "см. [R-1.2.3](b.md#r-1-2-3), [R-1.2](b.md#r-1-2) и R-1; не R-1.2.4, не R-12, `R-1`, [R-1](x), XR-1. "
        "Конец [R-1.2](b.md#r-1-2)."
    )
    assert addresses.link("R-1", "a.md") == "[R-1](#r-1)"
    assert addresses.link("R-9", "a.md") == "R-9"


def test_pieces_of_markdown() -> None:
    assert escaped("a_b*c[1]<x>") == r"a\_b\*c\[1\]\<x\>"
    assert coloured("10♦ и ♠") == '<span class="svod-red">10♦</span> и <span class="svod-black">♠</span>'
    assert fence("```\nx\n```", "text").startswith("````")
    table = position_table(finding("R-1").position_json or {})
    assert "7♠</span> (П1)" in table and "пусто" not in table


def test_findings_have_one_address_each() -> None:
    anchors = finding_anchors([finding("R-1"), finding("R-2"), finding("R-1")])
    assert anchors == {("F201", ("R-1",)): "f201-r-1", ("F201", ("R-2",)): "f201-r-2"}


@pytest.fixture(scope="module", params=files.shipped_names())
def bench(request: pytest.FixtureRequest) -> Workbench:
    opened = open_workbench(Choice(request.param, "ru"))
    assert isinstance(opened, Workbench)
    return opened


def pages(bench: Workbench) -> dict[str, str]:
    problems = Problems()
    norms = bench.norms(problems)
    assert norms is not None and not problems.found
    document = Document(bench.compilation.book, norms, "ru")
    numbers = [item.number for item in bench.compilation.book.items]
    found = [finding(numbers[0], numbers[-1]), finding(numbers[1], grade=Grade.LOCAL)]
    newest = open_workbench(Choice(bench.choice.path, "ru", newest=True))
    assert isinstance(newest, Workbench)
    newer = Document(newest.compilation.book, newest.norms(problems), "ru")
    edition = site.Edition(newer, found[:1], newest.sources) if newest.loaded.editions else None
    return site.pages_of(site.Edition(document, found, bench.sources), edition)


def test_every_item_has_its_place_and_its_reading(bench: Workbench) -> None:
    whole = "\n".join(pages(bench).values())
    for number, address in slugs(item.number for item in bench.compilation.book.items).items():
        assert len(re.findall(rf"^#+ {re.escape(number)} .*\{{#{re.escape(address)} ", whole, re.MULTILINE)) == 1
    assert "Как понял движок" in whole


def test_every_link_leads_somewhere(bench: Workbench) -> None:
    made = pages(bench)
    targets = {f"{name}#{anchor}" for name, text in made.items() for anchor in re.findall(r"\{#([\w-]+)", text)}
    for name, text in made.items():
        for page, anchor in re.findall(r"\]\(([\w-]*(?:\.md)?)#([\w-]+)\)", text):
            assert f"{page or name}#{anchor}" in targets


def test_findings_stand_under_their_rules_with_their_plays(bench: Workbench) -> None:
    made = pages(bench)
    assert "Партия: 1 ход" in made["findings-1.md"] and "«ход»" in made["findings-1.md"]
    first = bench.compilation.book.items[0]
    page = next(text for text in made.values() if f"{{#{slug(first.number)} " in text)
    assert "Что нашла проверка" in page and "(findings-1.md#f201-" in page


def test_a_site_is_printed_without_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    smallest = min(files.shipped_names(), key=lambda name: sum(len(s.text) for s in _loaded(name).chapters))
    opened = open_workbench(Choice(smallest, "ru"))
    assert isinstance(opened, Workbench)
    made = pages(opened)
    problems = Problems()
    document = Document(opened.compilation.book, opened.norms(problems), "ru")
    assert site.build(made, document, tmp_path / "site", problems), [each.help for each in problems]
    html = [path.read_text(encoding="utf-8") for path in (tmp_path / "site").rglob("*.html")]
    assert len(html) >= len(made)
    elsewhere = r"<(?:script|img|iframe)[^>]*src=\"?https?:|<link[^>]*stylesheet[^>]*https?:|url\(https?:"
    assert not [text for text in html if re.search(elsewhere, text)]
    problems = Problems()
    made["index.md"] += "\n[битая](nowhere.md)\n"
    assert not site.build(made, document, tmp_path / "site", problems)
    assert [each.code.name for each in problems] == ["C401"]


def _loaded(name: str) -> files.Loaded:
    loaded = files.load_rulebook(name, Problems())
    assert loaded is not None
    return loaded
