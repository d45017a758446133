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

import pytest

from cside_suite.conformance.codec import stdlib
from cside_suite.subjects.bindings import Implementation


def test_zlibs_own_tests_pass(implementation: Implementation) -> None:
    """All tests of ``test.test_zlib`` of this interpreter pass for ``codec``; none is left out."""
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
    assert ran >= (70 if sys.version_info >= (3, 12) else 40), f"only {ran} tests ran"
    if result["failed"] or result["unexpected"]:
        texts = [f"--- {name}\n{text}" for name, text in result["failed"].items()]
        pytest.fail(f"{implementation.name}\n" + "\n".join([*texts, *result["unexpected"]]), pytrace=False)
