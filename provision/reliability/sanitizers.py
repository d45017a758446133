# SPDX-License-Identifier: Apache-2.0
"""Build libcside and the bindings with the sanitizers of the compilers that are there, and run their tests."""

import re
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as ET

from provision import commands, paths, toolchain
from provision.commands import Problem
from provision.reliability import debug_interpreter, sanitized_bindings
from provision.reliability.build import Build
from provision.reliability.rows import Row

COMPILERS = ("gcc", "clang")
"""Each finds other mistakes; one that is not there is named and left out."""


FORKS = "_fork$"
"""Tests that a sanitizer leaves out: they fork while threads are busy. The runtime of a sanitizer has locks of its own,
which are not released in the child, so that the child may wait for them for ever. Valgrind has none.
"""
GAVE_UP = "LeakSanitizer has encountered a fatal error"
"""What the search for leaks prints when it has crashed itself (issue 1353 of github.com/google/sanitizers): it has then
found nothing and excluded nothing. In 1,057 processes of the test that this has happened to, it did not happen again.
"""


@dataclass(frozen=True)
class Sanitizer:
    """One build: the value of CMake's option ``CSIDE_SANITIZE``, and the programs by which tests are run."""

    option: str
    finds: str
    prefix: tuple[str, ...] = ()
    """What ctest is run by."""
    around: tuple[str, ...] = ()
    """What each test is run by."""
    compilers: tuple[str, ...] = COMPILERS


SANITIZERS = {
    "address": Sanitizer("address,undefined", "memory errors, leaks, undefined behaviour"),
    # the runtime of gcc 12 and clang 14 does not know the kernel's newer address layouts
    "thread": Sanitizer("thread", "data races", prefix=("setarch", "-R")),
    "memcheck": Sanitizer(
        "",
        "uninitialised memory",
        around=(
            "valgrind",
            "--quiet",
            "--error-exitcode=9",
            # leaks are found by the other build; here a child of fork() would be told of the memory of threads it lost
            "--leak-check=no",
            "--num-callers=30",
            # the allocator of a test that makes allocations fail stays in its place, and calls valgrind's
            "--soname-synonyms=somalloc=nouserintercepts",
        ),
        compilers=("gcc",),  # it looks at the program, and finds the same whichever compiler made it
    ),
}
BINDINGS = {sanitized_bindings.NAME: sanitized_bindings.run, debug_interpreter.NAME: debug_interpreter.run}
"""What runs the conformance suite on each binding, by name."""
FINDS = {
    **{name: it.finds for name, it in SANITIZERS.items()},
    sanitized_bindings.NAME: "memory errors, undefined behaviour",
    debug_interpreter.NAME: "misuse of the C API",
}
"""What each kind of build finds, by its name."""


def run(names: Sequence[str] = ()) -> list[Row]:
    """Build and test with the sanitizers of these names, or with all. Raises `Problem` for a name that is unknown.

    A build that fails is a `Problem`, too; tests that fail are in the rows.
    """
    if unknown := [name for name in names if name not in FINDS]:
        raise Problem(f"no sanitizer has the name {unknown[0]!r}; there are {', '.join(FINDS)}")
    rows: list[Row] = []
    if library := [name for name in names or FINDS if name in SANITIZERS]:
        rows += of_library(library)
    for name, others in BINDINGS.items():
        if name in (names or FINDS):
            rows += others()
    if not rows:
        raise Problem("nothing is left to run")
    return rows


def of_library(names: Sequence[str]) -> list[Row]:
    """Build and test libcside with the sanitizers of these names."""
    toolchain.check()
    there = [name for name in COMPILERS if shutil.which(name)]
    for name in COMPILERS:
        if name not in there:
            commands.say(f"{name} is not there, and tests nothing: apt-get install {name}")
    if not there:
        raise Problem("sanitizers need gcc or clang: apt-get install gcc")
    wanted = [name for name in names if _can_run(name)]
    with paths.one_at_a_time():
        return [
            build_and_test(name, compiler)
            for name in wanted
            for compiler in there
            if compiler in SANITIZERS[name].compilers and _has_runtime(compiler, SANITIZERS[name].option)
        ]


def _can_run(name: str) -> bool:
    """Whether the program that tests are run by is there; the user is told if not."""
    program = next(iter(SANITIZERS[name].around), None)
    if program is None or shutil.which(program):
        return True
    commands.say(f"{program} is not there, and tests nothing: apt-get install {program}")
    return False


def _has_runtime(compiler: str, option: str) -> bool:
    """Whether the compiler has the sanitizers' libraries, which may be a package apart; the user is told if not."""
    if not option:
        return True
    with tempfile.TemporaryDirectory() as folder:
        probe = Path(folder) / "probe.c"
        probe.write_text("int main(void)\n{\n    return 0;\n}\n", encoding="utf-8")
        try:
            commands.output([compiler, f"-fsanitize={option}", probe, "-o", Path(folder) / "probe"])
        except Problem:
            version = re.search(r"version (\d+)", commands.output([compiler, "--version"]))
            runtime = f"libclang-rt-{version[1]}-dev" if version else "its sanitizers' libraries"
            commands.say(f"{compiler} lacks the libraries of -fsanitize={option}, and tests nothing: install {runtime}")
            return False
    return True


def build_and_test(name: str, compiler: str) -> Row:
    """Build libcside with one sanitizer and one compiler, and run ctest, whose output is shown."""
    sanitizer = SANITIZERS[name]
    build = Build(
        f"sanitize-{name}-{compiler}",
        compiler,
        (
            "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
            f"-DCSIDE_SANITIZE={sanitizer.option}",
            f"-DCMAKE_CROSSCOMPILING_EMULATOR={';'.join(sanitizer.around)}",
        ),
    )
    commands.say(f"libcside: building its tests by {compiler} for {sanitizer.finds}")
    programs = build.make()
    began = time.monotonic()
    # without the test of more than 4 GiB, which is slow even without a sanitizer
    chosen = ["-LE", "large", *(["-E", FORKS] if sanitizer.option else [])]
    results = _ctest(build.folder, programs, sanitizer, chosen, "results.xml")
    row = read(results, name, compiler, time.monotonic() - began)
    if again := gave_up(results):
        commands.say(f"the search for leaks itself crashed in {', '.join(again)}: running again what it has not judged")
        results = _ctest(build.folder, programs, sanitizer, ["-R", f"^({'|'.join(again)})$"], "again.xml")
        row = repeated(row, again, read(results, name, compiler, time.monotonic() - began))
    return row


def _ctest(folder: Path, programs: Path, sanitizer: Sanitizer, chosen: Sequence[str], name: str) -> Path:
    """Run the chosen tests, and return the file of this name with their results. Tests that fail are no `Problem`."""
    results = folder / name
    results.unlink(missing_ok=True)
    ctest = [programs / "ctest", "--test-dir", folder, *chosen, "--output-on-failure", "--output-junit", results]
    try:
        commands.show([*sanitizer.prefix, *ctest], env=commands.environment(first_on_path=programs))
    except Problem:
        if not results.exists():  # ctest itself has failed
            raise
    return results


def gave_up(results: Path) -> list[str]:
    """The tests that failed because the sanitizer crashed, and not because it found something."""
    cases = ET.parse(results).iter("testcase")
    return [
        case.get("name", "?")
        for case in cases
        if case.get("status") == "fail" and GAVE_UP in case.findtext("system-out", "")
    ]


def repeated(first: Row, again: Sequence[str], second: Row) -> Row:
    """The row of a build of which some tests were run again: the second time tells whether those failed."""
    failed = (*(name for name in first.failed if name not in again), *second.failed)
    return replace(first, failed=failed, seconds=second.seconds, repeated=tuple(again))


def read(results: Path, name: str, compiler: str, seconds: float) -> Row:
    """The row of one run of ctest, from the file in JUnit's format that it has written."""
    cases = {case.get("name", "?"): case for case in ET.parse(results).iter("testcase")}
    if not cases:
        raise Problem(f"ctest ran no test of the build {name} by {compiler}")
    skipped = tuple(each for each, case in cases.items() if case.find("skipped") is not None)
    failed = tuple(each for each, case in cases.items() if case.get("status") != "run" and each not in skipped)
    return Row(name, compiler, len(cases), skipped, failed, seconds)
