"""In: the findings of a check. Out: their page, each with its rules, its position and its play move by move."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from svod.findings import Finding
from svod_tools.finding_words import FAMILIES, GRADES, RANKS, method_text, scope_text, split_rules
from svod_tools.publish.anchors import Addresses, slug
from svod_tools.publish.markdown import block, coloured, escaped, folded, numbered, position_table

ANCHOR_RULES_MAX = 4
"""An address names so many rules; of more rules a checksum stands for the rest."""


def finding_anchors(findings: Sequence[Finding]) -> dict[tuple[str, tuple[str, ...]], str]:
    """Key of a finding → its address, stable while its code and its rules stay."""
    found: dict[tuple[str, tuple[str, ...]], str] = {}
    used: set[str] = set()
    for finding in findings:
        base = candidate = "-".join([slug(finding.code.name), *_anchor_rules(finding.rules)])
        count = 2
        while candidate in used and finding.key not in found:
            candidate, count = f"{base}--{count}", count + 1
        used.add(candidate)
        found.setdefault(finding.key, candidate)
    return found


def _anchor_rules(rules: tuple[str, ...]) -> list[str]:
    named = [slug(rule) for rule in rules[:ANCHOR_RULES_MAX]]
    rest = rules[ANCHOR_RULES_MAX:]
    return [*named, hashlib.sha256(" ".join(rest).encode()).hexdigest()[:6]] if rest else named


def finding_line(finding: Finding, target: str) -> str:
    """One line under an item, with a link to the whole."""
    title = coloured(escaped(finding.title.ru))
    rank = RANKS[finding.severity].ru
    mark = "принято" if finding.accepted is not None else f"**{rank}**" if finding.is_error else rank
    return f"{mark}: {title} — [{finding.code.name}, {GRADES[finding.grade].ru}]({target})"


def findings_page(findings: Sequence[Finding], addresses: Addresses, page: str, edition: str) -> str:
    """All findings, by family."""
    anchors = finding_anchors(findings)
    parts = [f"# Что нашла проверка: редакция {escaped(edition)}"]
    if not findings:
        parts.append("Проверка ничего не нашла.")
    for family, title in FAMILIES.items():
        mine = [finding for finding in findings if finding.family is family]
        if mine:
            parts.append(f"## {title.ru[0].upper()}{title.ru[1:]} {{#{family.value}}}")
            parts += _unique(mine, anchors, addresses, page)
    return "\n\n".join(parts) + "\n"


def _unique(
    findings: Sequence[Finding],
    anchors: Mapping[tuple[str, tuple[str, ...]], str],
    addresses: Addresses,
    page: str,
) -> list[str]:
    """Findings that share code and rules stand under one address, one after the other."""
    shown: set[str] = set()
    parts = []
    for finding in findings:
        anchor = anchors[finding.key]
        parts.append(_finding(finding, "" if anchor in shown else anchor, addresses, page))
        shown.add(anchor)
    return parts


def _finding(finding: Finding, anchor: str, addresses: Addresses, page: str) -> str:
    address = f" {{#{anchor}}}" if anchor else ""
    rules, more = split_rules(finding.rules, "ru")
    rank = _opened(RANKS[finding.severity].ru)
    parts = [
        f"### {_opened(coloured(escaped(finding.title.ru)))}{address}",
        f"{rank} [{finding.code.name}](codes.md#{slug(finding.code.name)}). Правила: "
        f"{addresses.links(rules, page)}{more}. Основание: {GRADES[finding.grade].ru}.",
        _opened(coloured(addresses.linked(escaped(finding.verdict.ru), page))) + ".",
    ]
    if finding.accepted is not None:
        parts.append(f"Принято в своде: {escaped(finding.accepted)}.")
    if finding.play:
        moves = [_move(move.text, move.rules, addresses, page) for move in finding.play]
        parts.append(folded("play", f"Партия: {_moves(len(moves))}", numbered(moves)))
    position = position_table(finding.position_json or {})
    if position:
        parts.append(folded("position", "Положение", position))
    method = escaped(f"{method_text(finding, 'ru')}; {scope_text(finding.scope, 'ru')}")
    parts.append(f'<p class="svod-scope" markdown="span">{coloured(method)}</p>')
    return block("finding", "", "\n\n".join(parts)) if not anchor else "\n\n".join(parts)


def _opened(text: str) -> str:
    """The first letter large, unless the text begins with markup."""
    return text[:1].upper() + text[1:]


def _move(text: str, rules: tuple[str, ...], addresses: Addresses, page: str) -> str:
    why = f" — {addresses.links(rules, page)}" if rules else ""
    return coloured(escaped(text)) + why


def _moves(count: int) -> str:
    tail = count % 100
    last = count % 10
    word = "ходов" if tail in range(11, 15) or last in (0, 5, 6, 7, 8, 9) else "ход" if last == 1 else "хода"
    return f"{count} {word}"
