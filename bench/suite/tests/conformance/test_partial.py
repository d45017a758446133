# SPDX-License-Identifier: Apache-2.0
"""The suite skips what concerns a noun that a binding declares missing, and fails where the declaration is wrong."""

import os
import re
import subprocess
import sys
from pathlib import Path

from binding_without_a_noun import REASON, install

NOUNS_ARE_THERE = "test_nouns_are_there_unless_they_are_declared_missing"


def run(folder: Path, *chosen: str, **how: bool) -> "subprocess.CompletedProcess[str]":
    """Run a part of the conformance suite on the binding without a noun."""
    name = install(folder, **how)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "--tb=short", "--binding", name]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [*command, "--pyargs", *chosen], env=environment, capture_output=True, text=True, check=False, cwd=folder
    )


def numbers(done: "subprocess.CompletedProcess[str]") -> dict[str, int]:
    """How many tests passed, failed and were skipped."""
    return {what: int(count) for count, what in re.findall(r"(\d+) (\w+)", done.stdout.splitlines()[-1])}


def test_all_tests_of_the_noun_are_skipped_with_the_declared_reason(tmp_path: Path) -> None:
    """None passes, none fails, and none is left out without a word."""
    done = run(tmp_path, "cside_suite.conformance.pkcs11")
    told = numbers(done)
    assert done.returncode == 0, done.stdout
    assert told.get("passed", 0) == told.get("failed", 0) == told.get("errors", 0) == 0, done.stdout
    assert told["skipped"] > 100
    reasons = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    own = [line for line in reasons if "no binding with the noun pkcs11" not in line]
    assert own
    assert all(f"halfbound has no pkcs11: {REASON}" in line for line in own)


def test_tests_of_whole_bindings_test_the_nouns_that_are_there(tmp_path: Path) -> None:
    """Names, docstrings, ends of processes and subinterpreters: what passes without the noun is tested without it."""
    modules = ("test_contract", "test_docstrings", "test_endings", "test_interpreters")
    done = run(tmp_path, *(f"cside_suite.conformance.{module}" for module in modules))
    assert done.returncode == 0, done.stdout
    assert numbers(done)["passed"] > 20


def test_a_module_that_is_declared_missing_must_not_exist(tmp_path: Path) -> None:
    """It would be held to nothing."""
    done = run(tmp_path, "cside_suite.conformance.test_contract", present=True)
    assert done.returncode == 1
    assert numbers(done)["failed"] == 1, done.stdout
    assert f"{NOUNS_ARE_THERE}[halfbound]" in done.stdout


def test_a_missing_module_that_is_not_declared_fails(tmp_path: Path) -> None:
    """The failure names the module."""
    done = run(tmp_path, "cside_suite.conformance.test_contract", declared=False)
    assert done.returncode == 1
    assert NOUNS_ARE_THERE in done.stdout
    assert "pkcs11" in done.stdout
