# SPDX-License-Identifier: Apache-2.0
"""Build libcside and every binding with two sanitizers, and run the conformance suite."""

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from provision import commands, paths, toolchain, workshop
from provision.commands import Problem
from provision.interpreters import Interpreter
from provision.reliability.sanitizers import BINDINGS, Row

SANITIZE = "address,undefined"
SETTINGS = {
    # The interpreter itself leaks on purpose; other tests look for leaks of bindings.
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:handle_segv=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "PYTHONMALLOC": "malloc",
}
LEFT_OUT = {
    "test_no_call_leaks_memory": "it counts blocks of Python's allocator, which is off",
}
"""Tests that mean nothing with a sanitizer, with the reason."""


class Sanitized(Interpreter):
    """An interpreter whose builds and environment are kept apart from the usual ones."""

    @property
    def label(self) -> str:
        """Its name, as in the names of folders."""
        return f"sanitize-{super().label}"


def runtimes() -> list[Path]:
    """The sanitizers' libraries of gcc, which have to be loaded before anything else. `Problem` if there are none."""
    if shutil.which("gcc") is None:
        raise Problem("bindings are built with sanitizers by gcc, which is not there: apt-get install gcc")
    names = ("libasan.so", "libubsan.so")
    found = [Path(commands.output(["gcc", f"-print-file-name={name}"]).strip()) for name in names]
    if missing := [file.name for file in found if not file.is_absolute()]:
        raise Problem(f"gcc lacks {missing[0]}, which is a part of its package on most systems")
    return [file.resolve() for file in found]


@contextlib.contextmanager
def flags() -> Iterator[None]:
    """What compilers and CMake read from the environment, and what the loader has to accept while wheels are tried."""
    ours = {
        "CC": "gcc",
        "CFLAGS": f"-fsanitize={SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1",
        "LDFLAGS": f"-fsanitize={SANITIZE}",
        "CMAKE_ARGS": f"-DCSIDE_SANITIZE={SANITIZE}",
        "ASAN_OPTIONS": "verify_asan_link_order=0:detect_leaks=0",
    }
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update(ours)
    toolchain.identity.cache_clear()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        toolchain.identity.cache_clear()


def run(name: str, words: Sequence[str] = ()) -> Row:
    """Build for the interpreter of this name and run the suite, whose output is shown; ``words`` go to pytest."""
    python = workshop.interpreter(name)
    if not isinstance(python, Interpreter):
        raise Problem(str(python))
    loaded = os.pathsep.join(map(str, runtimes()))
    ours = Sanitized(python.name, python.executable, python.source, python.facts)
    commands.say(f"bindings: building them by gcc with -fsanitize={SANITIZE} for {python.label}")
    with flags():
        env, _ = workshop.prepare([ours])[ours.label]
    results = paths.BUILD / f"{ours.label}.xml"
    results.unlink(missing_ok=True)
    deselected = " and ".join(f"not {test}" for test in LEFT_OUT)
    suite = [env.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs", "cside_suite.conformance"]
    began = time.monotonic()
    try:
        commands.show(
            [*suite, "-m", "not alone", "-k", deselected, f"--junit-xml={results}", *words],
            env=commands.environment(LD_PRELOAD=loaded, **SETTINGS),
        )
    except Problem:
        if not results.exists():  # the process has died, and its report is above
            return Row(
                BINDINGS, "gcc", 0, tuple(LEFT_OUT), ("the process that ran the suite",), time.monotonic() - began
            )
    cases = list(ET.parse(results).iter("testcase"))
    wrong = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    failed = tuple(str(case.get("name")) for case in wrong)
    return Row(BINDINGS, "gcc", len(cases), tuple(LEFT_OUT), failed, time.monotonic() - began)
