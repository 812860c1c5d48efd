"""In: a rulebook's book and norms. Out: findings that can be read off the text; one module for each kind of finding."""

from __future__ import annotations

import importlib
import pkgutil

from svod.checks.check import Check, Subject
from svod.findings import Finding


def all_checks() -> tuple[Check, ...]:
    """Every check of this package, by code: each module that declares a `CHECK`."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found = [module.CHECK for module in modules if hasattr(module, "CHECK")]
    return tuple(sorted(found, key=lambda check: check.code.name))


def run_checks(subject: Subject) -> tuple[Finding, ...]:
    """Findings of all checks, check by check."""
    return tuple(finding for check in all_checks() for finding in check.run(subject))
