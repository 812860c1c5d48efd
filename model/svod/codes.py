"""In: a package. Out: every `Code` that its modules declare, for `svod explain`, the site and the tests."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from svod.diagnostics import Code


def collect(package: ModuleType) -> dict[str, Code]:
    """Name → code of all modules under `package`, sorted by name. Two different codes of one name are our bug."""
    found: dict[str, Code] = {}
    for module in _modules(package):
        for value in vars(module).values():
            codes = value if isinstance(value, tuple) else (value,)
            for code in codes:
                if isinstance(code, Code) and found.setdefault(code.name, code) != code:
                    raise ValueError(f"code {code.name} is declared twice")
    return dict(sorted(found.items()))


def _modules(package: ModuleType) -> list[ModuleType]:
    names = [info.name for info in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return [importlib.import_module(name) for name in names if not name.endswith("__main__")]
