"""In: the counts of careless games. Out: what was broken, noticed and punished, number by number, for people and as
data."""

from __future__ import annotations

from collections.abc import Mapping

from svod.diagnostics import Text
from svod.engine.search_careless_play import CarelessCounts, NumberCount, Rates
from svod.norms import ir
from svod.norms.play_acts import is_talk


def rates_text(rates: Rates, language: str) -> str:
    """How careless the players are, in words."""
    words = Text(
        f"небрежность {rates.breaches:g}, замечают {rates.noticing:g}, спорят {rates.disputing:g}, "
        f"честны {rates.honesty:g}, болтливость {rates.chatter:g}",
        f"breaches {rates.breaches:g}, noticing {rates.noticing:g}, disputing {rates.disputing:g}, "
        f"honesty {rates.honesty:g}, chatter {rates.chatter:g}",
    )
    return words.in_language(language)


def careless_lines(norms: ir.Norms, counts: CarelessCounts, language: str) -> list[str]:
    """The statistics as lines."""

    def said(ru: str, en: str) -> str:
        return Text(ru, en).in_language(language)

    sums = _sums(counts)
    lines = [
        said(
            f"сделано не по правилам или сказано без нужды: {counts.strayed}; нарушений {sums.entered}, "
            f"замечено {counts.noticed}; наказаний {sums.punished + sums.wronged}, из них без вины {sums.wronged}; "
            f"кончилось без наказания {sums.ended}",
            f"done against the rules or said needlessly: {counts.strayed}; breaches {sums.entered}, "
            f"noticed {counts.noticed}; punishments {sums.punished + sums.wronged}, of them without guilt "
            f"{sums.wronged}; ended without a punishment {sums.ended}",
        ),
        said(
            f"по праву предъявлено {counts.claims}, других прав использовано {counts.entitled}, "
            f"нечестных ответов {counts.dishonest}",
            f"claims with a right {counts.claims}, other rights used {counts.entitled}, "
            f"dishonest answers {counts.dishonest}",
        ),
    ]
    if counts.broken:
        lines.append(
            said(
                f"положений, где неверно какое-то «всегда»: {counts.broken}",
                f"positions in which some “always” fails: {counts.broken}",
            )
        )
    met = {name: each for name, each in counts.numbers.items() if any((each.entered, each.punished, each.wronged))}
    if met:
        lines.append(_row("", said("нарушено", "broken"), said("наказано", "punished"), said("без наказания", "ended"),
                          said("без вины", "no guilt")))  # fmt: skip
        lines += [_row(name, each.entered, each.punished, each.ended, each.wronged) for name, each in met.items()]
    for ru, en, talk in (("ходы и платежи", "moves and payments", False), ("речь", "speech", True)):
        listed = _by_kind(norms, counts, talk)
        if listed:
            lines.append(f"{said(ru, en)}: {', '.join(listed)}")
    return lines


def _row(name: str, *cells: object) -> str:
    return f"  {name:<8}" + "".join(f"{cell!s:>15}" for cell in cells)


def _by_kind(norms: ir.Norms, counts: CarelessCounts, talk: bool) -> list[str]:
    """`kind 120`, with what of it lawful play would not see: `kind 120 (7)`."""
    found = []
    for action in norms.actions:
        made, strays = counts.made[action.name], counts.strays[action.name]
        if is_talk(action) is talk and made:
            found.append(f"{action.name} {made}" + (f" ({strays})" if strays else ""))
    return found


def _sums(counts: CarelessCounts) -> NumberCount:
    every = counts.numbers.values()
    return NumberCount(
        sum(each.entered for each in every),
        sum(each.punished for each in every),
        sum(each.ended for each in every),
        sum(each.wronged for each in every),
    )


def careless_json(rates: Rates, counts: CarelessCounts) -> dict[str, object]:
    """The statistics as data."""
    return {
        "rates": {
            "breaches": rates.breaches,
            "noticing": rates.noticing,
            "disputing": rates.disputing,
            "honesty": rates.honesty,
            "chatter": rates.chatter,
        },
        "strayed": counts.strayed,
        "noticed": counts.noticed,
        "claims": counts.claims,
        "entitled": counts.entitled,
        "dishonest": counts.dishonest,
        "invariants_broken": counts.broken,
        "numbers": {name: _number_json(each) for name, each in counts.numbers.items()},
        "acts": _nonzero(counts.made),
        "strays": _nonzero(counts.strays),
    }


def _number_json(count: NumberCount) -> dict[str, int]:
    return {
        "broken": count.entered,
        "punished": count.punished,
        "ended": count.ended,
        "without_guilt": count.wronged,
    }


def _nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
