# SPDX-License-Identifier: Apache-2.0
"""Running code that may crash: in a forked child, or in a new interpreter."""

import faulthandler
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from typing import Final

import pytest

from cside_suite.subjects.bindings import Implementation

CAN_FORK: Final = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether :func:`run_forked` works here. macOS has ``fork``, but not for programs that use its frameworks."""

TIMEOUT_S: Final = 120.0
"""The longest time that the code may take."""

_PASSED, _FAILED, _SKIPPED = b"P", b"F", b"S"
"""The first byte of a child's report."""


def run_forked(body: Callable[[], object], what: str, timeout_s: float = TIMEOUT_S) -> None:
    """Call ``body`` in a forked child; return, fail or skip here as it did there.

    If the child dies by a signal or hangs, the failure names ``what`` and shows the child's traceback.
    """
    with tempfile.TemporaryFile() as trace:
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _be_child(body, writer, trace.fileno())
        os.close(writer)
        report = _read_all(reader, child, timeout_s)
        _, status = os.waitpid(child, 0)
        trace.seek(0)
        where = trace.read().decode(errors="replace")
    if report[:1] == _PASSED and status == 0:
        return
    if report[:1] == _SKIPPED:
        pytest.skip(report[1:].decode(errors="replace"))
    if report[:1] == _FAILED:
        pytest.fail(report[1:].decode(errors="replace"), pytrace=False)
    pytest.fail(f"{what}: the interpreter {_describe(status)}\n{where}", pytrace=False)


def run_fresh(
    implementation: Implementation, source: str, *arguments: str, timeout_s: float = TIMEOUT_S
) -> "subprocess.CompletedProcess[str]":
    """Run ``source`` in a new interpreter, with the implementation's package as ``sys.argv[1]``.

    Unless it exits with 0, the test fails with the implementation's name and what the child printed.
    """
    command = [sys.executable, "-X", "faulthandler", "-c", source, implementation.target, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired as error:
        pytest.fail(f"{implementation.name}: still running after {error.timeout:g} s", pytrace=False)
    if done.returncode != 0:
        what = f"{implementation.name}: the interpreter exited with {done.returncode}"
        pytest.fail(f"{what}\n{done.stdout[-4000:]}\n{done.stderr[-8000:]}", pytrace=False)
    return done


def _be_child(body: Callable[[], object], writer: int, trace: int) -> None:
    """Call ``body``, write the report, and end the process."""
    code = 1
    try:
        faulthandler.enable(file=trace)
        try:
            body()
            report, code = _PASSED, 0
        except pytest.skip.Exception as reason:
            report = _SKIPPED + str(reason).encode()
        except BaseException:
            report = _FAILED + traceback.format_exc().encode()
        while report:
            report = report[os.write(writer, report) :]
        os.close(writer)
    finally:
        os._exit(code)  # without flushing or tearing down what belongs to the parent


def _read_all(reader: int, child: int, timeout_s: float) -> bytes:
    parts: list[bytes] = []
    end = time.monotonic() + timeout_s
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                os.kill(child, signal.SIGABRT)  # faulthandler then writes the traceback
                time.sleep(1)
                os.kill(child, signal.SIGKILL)
                return b""
            part = pipe.read(65536)
            if not part:
                return b"".join(parts)
            parts.append(part)


def _describe(status: int) -> str:
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        how = "was stopped after hanging" if number in (signal.SIGABRT, signal.SIGKILL) else "died"
        return f"{how}, by {signal.Signals(number).name}"
    return f"exited with {os.WEXITSTATUS(status)} without a report"
