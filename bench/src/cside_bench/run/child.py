# SPDX-License-Identifier: Apache-2.0
"""The environment and messages of the driver's child processes, and descriptions of how they ended."""

import json
import os
import random
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_suite.workloads import corpus

from cside_bench.results.files import LIBRARY_FILE

MALLOC_TUNABLES: Final = "glibc.malloc.trim_threshold=100000000:glibc.malloc.mmap_threshold=100000000"
"""glibc settings of every measured process. Without them, glibc returns a stream's memory to the system after each
call, and the measurement is dominated by page faults.
"""
NURSERY: Final = "4M"
"""Size of the nursery of PyPy's collector, unless the user sets :data:`NURSERY_VARIABLE`. PyPy takes this size where it
does not know the last-level cache, and else half of that cache, of which a virtual machine may show more than it has.
"""
NURSERY_VARIABLE: Final = "PYPY_GC_NURSERY"
ENVIRONMENT_PADDING_NBYTES: Final = 4096
"""Largest padding of a process's environment. The size of the environment moves the stack; see T. Mytkowicz et al.,
"Producing wrong data without doing anything obviously wrong!", ASPLOS 2009. The driver draws a padding for each
process.
"""
PKCS11_MODULE_VARIABLES: Final = ("CSIDE_SOFTHSM2",)
"""Variables of the user by which a measuring process finds a PKCS #11 module that is not where systems put it."""
MOST_TRIES: Final = 8
"""Most times that a process is started again without a target that crashed it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code of a process, and the last phase and target that it announced."""

    code: int
    phase: str
    blamed: tuple[str, str] | None


def nursery() -> str:
    """Return the size of the nursery of PyPy's collector in measuring processes."""
    return os.environ.get(NURSERY_VARIABLE, NURSERY)


def environment(seed: int, folder: Path) -> dict[str, str]:
    """Return the environment of a measuring process, with hash seed and padding drawn from ``seed``.

    ``folder`` is that of the run. Of a run on a user's library, the dynamic linker loads that library first.
    """
    draw = random.Random(seed)
    env = {
        name: value
        for name, value in os.environ.items()
        if name in PKCS11_MODULE_VARIABLES or not name.startswith(("PYTHON", "CSIDE_"))
    }
    env["PYTHONHASHSEED"] = str(draw.randrange(1, 2**32))
    env["PYTHONNOUSERSITE"] = "1"
    env["GLIBC_TUNABLES"] = MALLOC_TUNABLES
    env[NURSERY_VARIABLE] = nursery()
    if (library := folder / LIBRARY_FILE).exists():  # before the interpreter loads a file of this name that is its own
        env["LD_PRELOAD"] = " ".join(json.loads(library.read_text(encoding="utf-8"))["files"])
    env["CSIDE_PADDING"] = "x" * draw.randrange(ENVIRONMENT_PADDING_NBYTES)
    env[corpus.FOLDER_VARIABLE] = str(folder / "corpus")
    return env


def working_folder(folder: Path) -> Path | None:
    """Return the working folder of a run's processes; None for the user's own.

    Calls of a user's library may write files, so that they get a folder of their own within the run's.
    """
    if not (folder / LIBRARY_FILE).exists():
        return None
    found = folder / "place"
    found.mkdir(exist_ok=True)
    return found


@contextmanager
def started(
    command: Sequence[str], log: Path, env: Mapping[str, str], cwd: Path | None = None, *, spoken_to: bool = False
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start a process whose standard error goes to ``log``; with ``spoken_to`` it can be written to.

    When the context ends while the process runs, as after Ctrl-C, it is killed with all that it started.
    """
    with log.open("wb") as errors:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=errors,
            stdin=subprocess.PIPE if spoken_to else subprocess.DEVNULL,
            env=dict(env),
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(BrokenPipeError):
                        stream.close()


def follow(
    command: Sequence[str],
    log: Path,
    env: Mapping[str, str],
    show: Callable[[str, float], None],
    cwd: Path | None = None,
) -> Outcome:
    """Run a process to its end. Its standard error goes to ``log``.

    ``show`` is called with each phase that the process announces and the share of it that is done, 0 to 1. On an
    exception, Ctrl-C too, the process is killed with all that it started.
    """
    phase, blamed = "start", None
    with started(command, log, env, cwd) as process:
        for message in messages(process):
            phase = message["phase"]
            if "subject" in message:
                blamed = (message["workload"], message["subject"])
            elif message["total"]:
                show(phase, message["done"] / message["total"])
        code = process.wait()
    return Outcome(code, phase, blamed)


def messages(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    """Yield the messages that a process writes to its standard output."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def last_line(log: Path) -> str:
    """Return the last line that a process printed; after an exception, this is the exception's own line."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def describe(code: int) -> str:
    """Describe an exit code: the name of the signal that ended the process, or the number."""
    if code < 0:
        try:
            return f"{signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
