"""In: the findings of all checks and searches about one rulebook. Out: a report in a stable order, with its exit code.

The rulebook's acceptances are applied here: an accepted finding stays in the report and no longer counts as an error;
an acceptance that matches no finding is a finding itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from svod.diagnostics import Code, Diagnostic, Severity, Text
from svod.findings import Family, Finding, Grade, Scope
from svod.norms import ir

UNMATCHED_ACCEPTANCE = Code(
    "X101",
    Text("принято то, чего нет", "acceptance that matches nothing"),
    Text(
        "Свод принимает находку с этим кодом и этими номерами, а проверка такой больше не находит: текст изменился. "
        "Уберите строку `принять`, чтобы она не скрыла новую находку.",
        "The rulebook accepts a finding with this code and these numbers, and the check no longer finds it: the text "
        "has changed. Remove the `accept` line, or it will hide a new finding.",
    ),
)

CUT_SHORT = 4
"""Exit code of a check that was cut short and found no error until then."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How many findings of each level; `unknown` are questions that stayed open, whatever their level."""

    errors: int
    warnings: int
    notes: int
    accepted: int
    unknown: int
    families: tuple[tuple[Family, int], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What `svod check` says of one rulebook. `diagnostics`: problems of the text that did not stop the check;
    `unfinished`: how many searches were cut short."""

    rulebook: str
    edition: str
    scope: Scope
    findings: tuple[Finding, ...]
    summary: Summary
    diagnostics: tuple[Diagnostic, ...] = ()
    unfinished: int = 0

    @property
    def exit_code(self) -> int:
        """1 if a finding is an error; else 4 if not all was looked at, so that nobody takes it for clean; else 0."""
        return 1 if self.summary.errors else CUT_SHORT if self.unfinished else 0


def make_report(
    rulebook: str,
    edition: str,
    scope: Scope,
    findings: Iterable[Finding],
    *,
    order: Sequence[str] = (),
    acceptances: Sequence[ir.Acceptance] = (),
    diagnostics: Iterable[Diagnostic] = (),
    unfinished: int = 0,
    left_open: int = 0,
) -> Report:
    """Sort, accept and count. `order`: numbers of all items in text order. Warnings about the text become findings.
    `unfinished`: how many searches were cut short; `left_open`: how many runs of proofs were, whose questions are told
    as not decided. With either, an acceptance without a finding may well have one.
    """
    kept = tuple(diagnostics)
    gathered = [*findings, *(_from_warning(diagnostic, scope) for diagnostic in kept if _is_warning(diagnostic))]
    accepted = _accept(gathered, acceptances, scope, complete=unfinished + left_open == 0)
    ordered = tuple(sorted(accepted, key=_Order(order)))
    return Report(rulebook, edition, scope, ordered, _summary(ordered, unfinished + left_open), kept, unfinished)


# ----------------------------------------------------------------------------------------------- acceptances


def _accept(
    findings: Sequence[Finding], acceptances: Sequence[ir.Acceptance], scope: Scope, *, complete: bool
) -> list[Finding]:
    """Findings with the reason for which they are accepted; if all was looked at, one more for each acceptance without
    a finding."""
    reasons = {_accepted_key(acceptance): acceptance for acceptance in acceptances}
    met: set[tuple[str, frozenset[str]]] = set()
    result = []
    for finding in findings:
        key = (finding.code.name, frozenset(finding.rules))
        if key in reasons:
            met.add(key)
            result.append(replace(finding, accepted=reasons[key].reason))
        else:
            result.append(finding)
    if not complete:
        return result
    return [*result, *(_unmatched(acceptance, scope) for key, acceptance in reasons.items() if key not in met)]


def _accepted_key(acceptance: ir.Acceptance) -> tuple[str, frozenset[str]]:
    return acceptance.code, frozenset(acceptance.rules)


def _unmatched(acceptance: ir.Acceptance, scope: Scope) -> Finding:
    numbers = ", ".join(acceptance.rules)
    return Finding(
        UNMATCHED_ACCEPTANCE,
        Family.INPUT,
        Grade.TEXT,
        tuple(dict.fromkeys((acceptance.rule, *acceptance.rules))),
        Text(
            f"принята находка {acceptance.code} о {numbers}, а её нет",
            f"finding {acceptance.code} about {numbers} is accepted and does not exist",
        ),
        Text(f"принято с причиной: «{acceptance.reason}»", f"accepted for the reason “{acceptance.reason}”"),
        "text",
        scope,
        0.0,
        UNMATCHED_ACCEPTANCE.severity,
    )


def _is_warning(diagnostic: Diagnostic) -> bool:
    return diagnostic.code.severity is Severity.WARNING


def _from_warning(diagnostic: Diagnostic, scope: Scope) -> Finding:
    """A warning about the text as a static finding, so that it can be accepted like any other."""
    return Finding(
        diagnostic.code,
        Family.STATIC,
        Grade.TEXT,
        () if diagnostic.rule is None else (diagnostic.rule,),
        diagnostic.message,
        diagnostic.help or diagnostic.code.title,
        "text",
        scope,
        0.0,
        diagnostic.code.severity,
    )


# ----------------------------------------------------------------------------------------------------- order


class _Order:
    """Errors, warnings, notes, then what is accepted; inside by family, code, and numbers as the text has them."""

    def __init__(self, order: Sequence[str]) -> None:
        self.places = {number: place for place, number in enumerate(order)}

    def __call__(self, finding: Finding) -> tuple[object, ...]:
        level = list(Severity).index(finding.severity) if finding.accepted is None else len(Severity)
        families = list(Family)
        numbers = tuple((self.places.get(number, len(self.places)), number) for number in finding.rules)
        return level, families.index(finding.family), finding.code.name, numbers, finding.title.en, finding.verdict.en


def _summary(findings: Sequence[Finding], unfinished: int) -> Summary:
    accepted = sum(finding.accepted is not None for finding in findings)
    levels = Counter(finding.severity for finding in findings if finding.accepted is None)
    families = Counter(finding.family for finding in findings)
    return Summary(
        levels[Severity.ERROR],
        levels[Severity.WARNING],
        levels[Severity.NOTE],
        accepted,
        sum(finding.grade is Grade.UNKNOWN for finding in findings) + unfinished,
        tuple((family, families[family]) for family in Family if families[family]),
    )
