# SPDX-License-Identifier: Apache-2.0
"""Run CPython's own ``test.test_zlib`` against one codec: ``python -m cside_suite.conformance.codec.stdlib MODULE``.

The test module is imported with ``sys.modules["zlib"]`` being that codec, so that all it does goes there. That happens
in a process of its own, where nothing else needs the real one. Prints one JSON object.
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
NO_TESTS: Final = 77
"""Exit status when the interpreter came without ``test.test_zlib``."""


def deselected() -> dict[str, str]:
    """Names that are left out (``Class`` or ``Class.method``), with the reason of each."""
    table = tomllib.loads(files(__package__).joinpath(DESELECTED).read_text(encoding="utf-8"))
    return {name: entry["reason"] for name, entry in table.items()}


def load(codec: ModuleType) -> ModuleType:
    """``test.test_zlib``, with ``codec`` in the place of ``zlib``."""
    try:
        importlib.import_module("_testcapi")
    except Exception:  # PyPy compiles it when it is first imported, and a packaged one may lack the source
        sys.modules["_testcapi"] = None  # type: ignore[assignment]  # an ImportError, which test.support expects
    importlib.import_module("test.support.import_helper")  # what needs the real zlib is imported before the swap
    for needed in ("binascii", "copy", "gzip", "zipfile", "unittest.mock"):
        importlib.import_module(needed)
    sys.modules["zlib"] = codec
    module = importlib.import_module("test.test_zlib")
    if module.zlib is not codec:
        raise RuntimeError("test.test_zlib does not use the codec that it was given")
    return module


def cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    """The single tests of a suite, in order."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from cases(one)
        else:
            yield one


def name_of(case: unittest.TestCase) -> str:
    """``Class.method``."""
    return ".".join(case.id().split(".")[-2:])


def run(module: ModuleType) -> dict[str, object]:
    """Run all but the deselected tests; names of those by outcome."""
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
    """Run for the module named on the command line."""
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
