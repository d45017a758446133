# SPDX-License-Identifier: Apache-2.0
"""What ``nox -s sanitize`` says of the tests of a build, and what it refuses."""

import shutil
from pathlib import Path

import pytest

from provision import toolchain
from provision.commands import Problem
from provision.reliability import sanitizers
from provision.reliability.rows import Row, table

RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="Linux-c++" tests="4" failures="1" skipped="1">
  <testcase name="codec_memory" classname="codec_memory" time="0.1" status="run"><system-out/></testcase>
  <testcase name="pkcs11_fork" classname="pkcs11_fork" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/>
  </testcase>
  <testcase name="trace_load" classname="trace_load" time="0.1" status="fail"><failure message=""/></testcase>
  <testcase name="trace_fork" classname="trace_fork" time="0.1" status="notrun"/>
</testsuite>
"""


def test_a_row_tells_which_tests_failed_and_which_were_skipped(tmp_path: Path) -> None:
    """A test that was skipped has found nothing, and one whose program was not built has failed."""
    results = tmp_path / "results.xml"
    results.write_text(RESULTS, encoding="utf-8")
    row = sanitizers.read(results, "thread", "gcc", 12.3)
    assert row == Row("thread", "gcc", 4, ("pkcs11_fork",), ("trace_load", "trace_fork"), 12.3)
    short = Row("thread", "gcc", 4, ("pkcs11_fork",), ("loader",), 12.3)
    printed = table([short, Row("address", "clang", 70, (), (), 61.0)], sanitizers.FINDS)
    assert printed.splitlines() == [
        "build    compiler  finds                                      tests  seconds  skipped      run again  failed",
        "thread   gcc       data races                                 4      12       pkcs11_fork  none       loader",
        "address  clang     memory errors, leaks, undefined behaviour  70     61       none         none       none",
    ]


def test_a_test_in_which_the_search_for_leaks_crashed_is_judged_by_its_second_run(tmp_path: Path) -> None:
    """What a sanitizer prints of itself is no finding; a leak is one, and so is what fails the second time."""
    results = tmp_path / "results.xml"
    crashed = "Tracer caught signal 11\n==7==LeakSanitizer has encountered a fatal error.\n"
    leaked = "==8==ERROR: LeakSanitizer: detected memory leaks\n"
    results.write_text(
        "<testsuite>"
        f'<testcase name="modules" status="fail"><failure message=""/><system-out>{crashed}</system-out></testcase>'
        f'<testcase name="loader" status="fail"><failure message=""/><system-out>{leaked}</system-out></testcase>'
        "</testsuite>",
        encoding="utf-8",
    )
    assert sanitizers.gave_up(results) == ["modules"]
    first = sanitizers.read(results, "address", "gcc", 10.0)
    passes = Row("address", "gcc", 1, (), (), 11.0)
    assert sanitizers.repeated(first, ["modules"], passes) == Row(
        "address", "gcc", 2, (), ("loader",), 11.0, ("modules",)
    )
    fails = Row("address", "gcc", 1, (), ("modules",), 11.0)
    assert sanitizers.repeated(first, ["modules"], fails).failed == ("loader", "modules")


def test_a_run_without_tests_is_a_problem(tmp_path: Path) -> None:
    """No test that failed is no success where there was no test."""
    results = tmp_path / "results.xml"
    results.write_text("<testsuite/>", encoding="utf-8")
    with pytest.raises(Problem, match="ctest ran no test of the build thread by gcc"):
        sanitizers.read(results, "thread", "gcc", 0.0)


def test_an_unknown_name_is_told_with_the_names_that_there_are() -> None:
    """The problem comes before anything is built."""
    with pytest.raises(
        Problem, match="no sanitizer has the name 'memory'; there are address, thread, memcheck, bindings, debug"
    ):
        sanitizers.run(["memory"])


def test_without_a_compiler_the_problem_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sanitizers are those of gcc and clang; another compiler that CC names does not do."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(toolchain, "check", lambda: None)
    with pytest.raises(Problem, match="apt-get install gcc"):
        sanitizers.run(["address"])
