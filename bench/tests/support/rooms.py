# SPDX-License-Identifier: Apache-2.0
"""Every module of a package has a test: a file of its name, or an entry in the table of its package's ``test_room.py``.

Tests of ``cside_bench.statistics.warmup`` are in ``bench/tests/statistics/test_warmup.py``, those of
``cside_suite.process.block`` in ``bench/suite/tests/process/test_block.py``.
"""

import ast
from collections.abc import Mapping
from pathlib import Path

from repository import ROOT

SOURCES = {
    ROOT / "bench" / "tests": ROOT / "bench" / "src" / "cside_bench",
    ROOT / "wrap" / "tests": ROOT / "wrap" / "src" / "cside_wrap",
    ROOT / "bench" / "suite" / "tests": ROOT / "bench" / "suite" / "src" / "cside_suite",
}
"""The package that a folder of tests mirrors."""


def has_code(module: Path) -> bool:
    """Whether a module has more than a docstring."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    return any(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in body)


def is_test(module: Path) -> bool:
    """Whether a module of the package is itself a test, or a file that pytest reads."""
    return module.name.startswith("test_") or module.name == "conftest.py"


def wrong_entries(test_room: str, elsewhere: Mapping[str, str]) -> list[str]:
    """Modules of a package that have no test, and entries of its table that are wrong; empty where all is right.

    ``test_room`` is the path of the package's ``test_room.py``. ``elsewhere`` says for modules without a test file of
    their own where they are tested: a module as its path within the package without ``.py``, and a test file as its
    path from the folder of ``test_room.py``, or from the top of the repository.
    """
    here = Path(test_room).resolve().parent
    (tests,) = (folder for folder in SOURCES if here.is_relative_to(folder))
    package = SOURCES[tests] / here.relative_to(tests)
    nested = [one.parent for one in here.rglob("test_room.py") if one.parent != here]
    wrong = []
    known = set()
    for module in sorted(package.rglob("*.py")):
        name = module.relative_to(package).with_suffix("").as_posix()
        mirrored = here / module.relative_to(package)
        if is_test(module) or not has_code(module) or any(mirrored.is_relative_to(one) for one in nested):
            continue
        known.add(name)
        own = mirrored.with_name(f"test_{module.stem.strip('_')}.py")
        if own.exists() and name in elsewhere:
            wrong.append(f"{name} has {own.name}: its entry is not needed")
        elif not own.exists() and name not in elsewhere:
            wrong.append(f"{name} has no {own.relative_to(tests)} and no entry that says where it is tested")
    wrong += [f"{name} is no module of {package.name}" for name in sorted(set(elsewhere) - known)]
    for name, where in elsewhere.items():
        if not any((folder / where).is_file() for folder in (here, ROOT)):
            wrong.append(f"{name} is said to be tested in {where}, which does not exist")
    return wrong
