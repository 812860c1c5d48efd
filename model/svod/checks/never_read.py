"""A register or a term that nothing reads, an event that nothing answers: words that decide nothing."""

from __future__ import annotations

from collections.abc import Iterator

from svod.checks.check import Check, Subject, static_finding
from svod.checks.usage import usage_of
from svod.diagnostics import Code, Severity, Text
from svod.findings import Finding

NEVER_READ = Code(
    "X003",
    Text("объявлено и никем не читается", "declared and never read"),
    Text(
        "Ячейку или термин не читает ни одна клауза, ни один пример, ни итог, ни проекция; на событие никто не "
        "отзывается. Слово введено, но ничего не решает: либо недостаёт правила, либо слово лишнее.",
        "No clause, example, outcome or projection reads the register or the term; nothing answers the event. "
        "The word was introduced and decides nothing: either a rule is missing or the word is superfluous.",
    ),
    Severity.WARNING,
)


def run(subject: Subject) -> Iterator[Finding]:
    norms, usage = subject.norms, usage_of(subject.book, subject.norms)
    own = {norms.stage_register, *(procedure.register for procedure in norms.procedures)}  # made by the language itself
    silent = [
        *(("ячейка", "register", r.name, r.rule) for r in norms.registers if r.name not in usage.registers_read | own),
        *(("термин", "term", term.name, term.rule) for term in norms.terms if term.name not in usage.terms_read),
        *(("событие", "event", e.name, e.rule) for e in norms.events if e.name not in usage.events_answered),
    ]
    for ru, en, name, rule in silent:
        yield static_finding(
            NEVER_READ,
            subject.scope,
            (rule,),
            Text(f"{ru} «{name}»: никто не читает", f"the {en} “{name}” is never read"),
            Text(
                f"ни клауза, ни пример, ни итог, ни проекция не пользуются словом «{name}»",
                f"no clause, example, outcome or projection uses “{name}”",
            ),
        )


CHECK = Check(NEVER_READ, run)
