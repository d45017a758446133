# SPDX-License-Identifier: Apache-2.0
"""A run of CPython's own ``test.test_zlib`` on one codec: ``python -m cside_suite.conformance.codec.stdlib MODULE``.

The test module is imported while ``sys.modules["zlib"]`` is that codec, so that it tests the codec. The program runs in
a process of its own, in which nothing else needs the real ``zlib``. It prints one JSON object.
"""

import importlib
import json
import sys
import unittest
from types import ModuleType
from typing import Final

NO_TESTS: Final = 77
"""The exit status if the interpreter does not have ``test.test_zlib``."""


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


def name_of(case: unittest.TestCase) -> str:
    """Return the name of a test, ``Class.method``."""
    return ".".join(case.id().split(".")[-2:])


def run(module: ModuleType) -> dict[str, object]:
    """Run all tests of the module; return their number, and their names by outcome."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    with open("/dev/null" if sys.platform != "win32" else "nul", "w", encoding="utf-8") as nowhere:
        result = unittest.TextTestRunner(stream=nowhere).run(suite)
    return {
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
