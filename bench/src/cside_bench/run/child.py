# SPDX-License-Identifier: Apache-2.0
"""Start one child process of the driver, with its environment, and describe how it ended."""

import json
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_suite.workloads import corpus

MALLOC_TUNABLES: Final = "glibc.malloc.trim_threshold=100000000:glibc.malloc.mmap_threshold=100000000"
"""Without these, glibc returns a stream's memory to the system after each call, and page faults are what is
measured.
"""


ENVIRONMENT_PADDING_NBYTES: Final = 4096
"""The environment's size moves the stack; T. Mytkowicz et al., "Producing wrong data without doing anything obviously
wrong!", ASPLOS 2009. Each process draws its own."""


MOST_TRIES: Final = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a process ended, and the last target that it announced."""

    code: int
    phase: str
    blamed: tuple[str, str] | None


def environment(seed: int, folder: Path) -> dict[str, str]:
    """Environment of a measuring process: nuisances drawn from ``seed``, allocator thresholds fixed."""
    draw = random.Random(seed)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CSIDE_"))}
    env["PYTHONHASHSEED"] = str(draw.randrange(1, 2**32))
    env["PYTHONNOUSERSITE"] = "1"
    env["GLIBC_TUNABLES"] = MALLOC_TUNABLES
    env["CSIDE_PADDING"] = "x" * draw.randrange(ENVIRONMENT_PADDING_NBYTES)
    env[corpus.FOLDER_VARIABLE] = str(folder / "corpus")
    return env


def messages(process: "subprocess.Popen[bytes]") -> Iterator[dict[str, Any]]:
    """What a process says on its standard output."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)


def last_line(log: Path) -> str:
    """The last thing that a process printed, which is the exception's own line where there was one."""
    lines = [line for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1] if lines else "it printed nothing"


def describe(code: int) -> str:
    """An exit code in words."""
    if code < 0:
        try:
            return f"{signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"
    return f"exit code {code}"
