# SPDX-License-Identifier: Apache-2.0
"""A run of CPython's own ``test.test_zlib`` on one codec: ``python -m cside_suite.conformance.codec.stdlib MODULE``.

The test module is imported while ``sys.modules["zlib"]`` is that codec, so that it tests the codec. The program runs in
a process of its own, in which nothing else needs the real ``zlib``. It prints one JSON object.
"""

import importlib
import json
import sys
import tomllib
import unittest
from collections.abc import Iterator
from importlib.resources import files
from types import ModuleType
from typing import Final

DESELECTED: Final = "stdlib_deselected.toml"
"""The file that names the tests that are not run."""

NO_TESTS: Final = 77
"""The exit status if the interpreter does not have ``test.test_zlib``."""


def deselected() -> dict[str, str]:
    """Return the names of the tests that are not run (``Class`` or ``Class.method``), each with the reason."""
    table = tomllib.loads(files(__package__).joinpath(DESELECTED).read_text(encoding="utf-8"))
    return {name: entry["reason"] for name, entry in table.items()}


def load(codec: ModuleType) -> ModuleType:
    """Import ``test.test_zlib`` with ``codec`` in the place of ``zlib``."""
    try:
        importlib.import_module("_testcapi")
    except Exception:  # PyPy compiles it on its first import, and a packaged PyPy may lack the source
        sys.modules["_testcapi"] = None  # type: ignore[assignment]  # makes the import an ImportError, which test.support expects
    importlib.import_module("test.support.import_helper")  # modules that need the real zlib are imported before
    for needed in ("binascii", "copy", "gzip", "zipfile", "unittest.mock"):
        importlib.import_module(needed)
    sys.modules["zlib"] = codec
    module = importlib.import_module("test.test_zlib")
    if module.zlib is not codec:
        raise RuntimeError("test.test_zlib does not use the codec that it was given")
    return module


def cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    """Yield the single tests of a suite, in order."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from cases(one)
        else:
            yield one


def name_of(case: unittest.TestCase) -> str:
    """Return the name of a test, ``Class.method``."""
    return ".".join(case.id().split(".")[-2:])


def run(module: ModuleType) -> dict[str, object]:
    """Run all tests that are not deselected; return their names by outcome."""
    left_out = deselected()
    chosen, names = unittest.TestSuite(), []
    for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module)):
        name = name_of(case)
        names.append(name)
        if not {name, name.partition(".")[0]} & set(left_out):
            chosen.addTest(case)
    with open("/dev/null" if sys.platform != "win32" else "nul", "w", encoding="utf-8") as nowhere:
        result = unittest.TextTestRunner(stream=nowhere).run(chosen)
    return {
        "all": names,
        "run": result.testsRun,
        "skipped": {name_of(case): reason for case, reason in result.skipped},
        "failed": {case.id(): text for case, text in [*result.failures, *result.errors]},
        "unexpected": [case.id() for case in result.unexpectedSuccesses],
    }


def main() -> int:
    """Test the module that the command line names."""
    codec = importlib.import_module(sys.argv[1])
    try:
        module = load(codec)
    except ModuleNotFoundError as error:
        print(json.dumps({"missing": str(error)}))
        return NO_TESTS
    print(json.dumps(run(module)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
