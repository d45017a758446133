# SPDX-License-Identifier: Apache-2.0
"""The codec passes CPython's own tests of ``zlib``.

An interpreter may lack these tests: Debian has them in the packages ``libpythonX.Y-testsuite`` and
``pypy3-lib-testsuite``. The test is then skipped, or fails if the environment variable ``CSIDE_REQUIRE_STDLIB_TESTS``
is 1.
"""

import json
import os
import subprocess
import sys
import tomllib
from importlib.resources import files

import pytest

from cside_suite.conformance.codec import stdlib
from cside_suite.subjects.bindings import Implementation


def test_zlibs_own_tests_pass(implementation: Implementation) -> None:
    """All tests of ``zlib`` in ``test.test_zlib`` of this interpreter pass for ``codec``."""
    command = [sys.executable, "-X", "faulthandler", "-m", stdlib.__name__, f"{implementation.target}.codec"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode == stdlib.NO_TESTS:
        reason = f"this interpreter has no test.test_zlib: {json.loads(done.stdout)['missing']}"
        if os.environ.get("CSIDE_REQUIRE_STDLIB_TESTS") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    if done.returncode != 0:
        pytest.fail(f"{implementation.name}: exit status {done.returncode}\n{done.stderr[-8000:]}", pytrace=False)
    result = json.loads(done.stdout.splitlines()[-1])
    ran = result["run"] - len(result["skipped"])
    assert ran >= 40, f"only {ran} tests ran"
    if result["failed"] or result["unexpected"]:
        texts = [f"--- {name}\n{text}" for name, text in result["failed"].items()]
        pytest.fail(f"{implementation.name}\n" + "\n".join([*texts, *result["unexpected"]]), pytrace=False)
    missing = _known_here() - {name.partition(".")[0] for name in result["all"]} - set(result["all"])
    assert not missing, f"{stdlib.DESELECTED} names tests that Python {_version()} does not have"


def test_each_deselected_test_has_a_reason() -> None:
    """Every test that is left out has a sentence as its reason, and the versions of Python that have the test."""
    table = tomllib.loads(files(stdlib.__package__).joinpath(stdlib.DESELECTED).read_text(encoding="utf-8"))
    for name, entry in table.items():
        assert set(entry) == {"reason", "known"}, name
        assert len(entry["reason"].split()) >= 5, name
        assert entry["known"] and set(entry["known"]) <= {"3.11", "3.12", "3.13", "3.14"}, name


def _version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _known_here() -> set[str]:
    table = tomllib.loads(files(stdlib.__package__).joinpath(stdlib.DESELECTED).read_text(encoding="utf-8"))
    return {name for name, entry in table.items() if _version() in entry["known"]}
