# SPDX-License-Identifier: Apache-2.0
"""What sanitizers find in modules that an interpreter loads, and what is said of it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from provision import commands, paths
from provision.commands import Problem
from provision.reliability import sanitized_bindings, suite
from provision.reliability.rows import Row

MODULE = """
#include <cstdlib>
#include <stdexcept>
static char *volatile unknown; /* the compiler does not know how large it is */
extern "C" int past_the_end(int index)
{
    unknown = static_cast<char *>(std::calloc(16, 1));
    int found = unknown[index];
    std::free(unknown);
    return found;
}
extern "C" int shifted(int by)
{
    return 1 << by;
}
extern "C" int thrown(int value)
{
    try {
        throw std::runtime_error("caught");
    } catch (const std::exception &) {
        return value;
    }
}
"""
RESULTS = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest">
  <testcase classname="test_text" name="test_plain" time="0.1"/>
  <testcase classname="test_text" name="test_gap" time="0.1"><skipped message="lacks ops"/></testcase>
  <testcase classname="test_text" name="test_wrong" time="0.1"><failure message="assert"/></testcase>
  <testcase classname="test_text" name="test_fixture" time="0.1"><error message="setup"/></testcase>
</testsuite></testsuites>
"""


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the session loads gcc's runtimes by LD_PRELOAD")


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shared library in C++ that is built as bindings are."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is not there")
    folder = tmp_path_factory.mktemp("module")
    (folder / "module.cpp").write_text(MODULE, encoding="utf-8")
    built = folder / "module.so"
    flags = sanitized_bindings.FLAGS.split()
    subprocess.run(["g++", "-shared", "-fPIC", *flags, folder / "module.cpp", "-o", built], check=True)
    return built


def call(module: Path, function: str, argument: int) -> subprocess.CompletedProcess[str]:
    """Call a function of the library in an interpreter that loads the sanitizers' runtimes first."""
    program = "import ctypes, sys; print(getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])(int(sys.argv[3])))"
    return subprocess.run(
        [sys.executable, "-c", program, str(module), function, str(argument)],
        capture_output=True,
        text=True,
        env=commands.environment(None, **sanitized_bindings.variables()),
        check=False,
    )


@pytest.mark.parametrize(
    ("function", "wrong", "found"),
    [("past_the_end", 16, "heap-buffer-overflow"), ("shifted", 40, "shift exponent 40 is too large")],
)
def test_a_mistake_in_a_module_ends_the_process(module: Path, function: str, wrong: int, found: str) -> None:
    """The interpreter itself was built without sanitizers; a call without the mistake succeeds."""
    assert call(module, function, 1).returncode == 0
    ended = call(module, function, wrong)
    assert ended.returncode == 9
    assert found in ended.stderr


def test_exceptions_of_cpp_pass_through_the_sanitizer(module: Path) -> None:
    """Its runtime looks for the function that throws them before any module in C++ is loaded."""
    assert call(module, "thrown", 7).stdout == "7\n"


def test_a_row_counts_what_the_suite_skipped_and_names_what_failed(tmp_path: Path) -> None:
    """An error before a test is a failure, too."""
    results = tmp_path / "swig.xml"
    results.write_text(RESULTS, encoding="utf-8")
    row = suite.read(results, "bindings", "gcc", "swig", 2.0)
    assert row == Row("bindings: swig", "gcc", 4, ("1",), ("test_wrong", "test_fixture"), 2.0)


def test_a_report_after_the_last_test_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The results are written before the interpreter ends, and what it frees then may be found wrong."""
    passed = '<testsuites><testsuite name="pytest"><testcase name="test_plain"/></testsuite></testsuites>'

    def ends_badly(command: list[str], **_: object) -> None:
        Path(command[-1].removeprefix("--junitxml=")).write_text(passed, encoding="utf-8")
        raise Problem("exit code 9")

    monkeypatch.setattr(commands, "run", ends_badly)
    monkeypatch.setattr(paths, "BUILD", tmp_path)
    row = suite.test("bindings", "gcc", sys.executable, "swig", {}, ())
    assert row.tests == 1 and "the process ended with an error" in row.failed[0]


def test_a_process_that_a_sanitizer_ended_is_a_failure(tmp_path: Path) -> None:
    """It leaves no results; a suite without a test is no success either."""
    row = suite.read(tmp_path / "none.xml", "bindings", "gcc", "swig", 2.0, "the process ended, see a log")
    assert row.failed == ("the process ended, see a log",)
    (tmp_path / "empty.xml").write_text("<testsuites/>", encoding="utf-8")
    with pytest.raises(Problem, match="no test for swig"):
        suite.read(tmp_path / "empty.xml", "bindings", "gcc", "swig", 2.0)
