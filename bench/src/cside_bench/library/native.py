# SPDX-License-Identifier: Apache-2.0
"""What each workload of a user's library does in C: which calls, how long, and whether all packages do the same.

A process of its own runs all workloads under the audit library of ``cside profile``. Packages whose calls differ from
the reference's are void in the run; C's own time of a workload is the least that any package found.
"""

import ctypes
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_suite.process import library_counts
from cside_wrap.errors import WrapError
from cside_wrap.profile import counters
from cside_wrap.profile.run import check_system
from cside_wrap.profile.source import Audit, build
from cside_wrap.project import reading

from cside_bench.results.files import LIBRARY_FILE, NATIVE_FILE

REPEATS: Final = 2000
"""Calls of each workload. Their mean time in C is that of a warm call."""
CALLS, TICKS, IN, OUT = 0, 1, 5, 72
"""Places in a record of audit.h: calls, ticks, bytes in, bytes out."""
TIMEOUT_S: Final = 600


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the counters: ns of a tick, and ticks that the counting of a call takes."""

    tick_ns: float
    empty: float


def take(project: Path, run: Path, interpreters: Mapping[str, str], reference: str) -> list[dict[str, str]]:
    """Write the file of a run; return the cells whose work is not the reference's, each with the reason.

    ``interpreters`` has their programs by label. Where there is no glibc, nothing is counted and no cell is returned.
    """
    try:
        check_system()
        its = reading.read(project)
    except WrapError:
        return []
    found: dict[str, Any] = {}
    unequal: list[dict[str, str]] = []
    closing = {it.close for it in its.form().objects.values()}
    with tempfile.TemporaryDirectory(prefix="cside-native-") as name:
        flags = its.settings.flags(its.folder)
        audit = build(its.described, its.header, its.settings.header_paths(its.folder), flags, Path(name))
        for label, program in interpreters.items():
            counted, clock = _counted(audit, run, label, program, Path(name))
            if counted is None:
                continue
            found[label] = {workload: _ns(own, clock) for workload, own in counted.items()}
            for workload, own in counted.items():
                for subject, why in _differences(own, reference, closing).items():
                    unequal.append({"interpreter": label, "workload": workload, "subject": subject, "reason": why})
    write_json(run / NATIVE_FILE, found, indent=1)
    return unequal


def _counted(audit: Audit, run: Path, label: str, program: str, folder: Path) -> tuple[dict[str, Any] | None, Clock]:
    """Run the process; None where it fails, whose reason a measuring process will find."""
    file, out = folder / f"{label}.counters", folder / f"{label}.json"
    counters.make(file, len(audit.functions))
    request = library_counts.Request(
        str(run / LIBRARY_FILE), label, str(file), counters.HEADER, list(audit.functions), counters.RECORD,
        [CALLS, TICKS, IN, OUT], REPEATS, str(out),
    )  # fmt: skip
    request.save(folder / f"{label}.request")
    clock = ctypes.CDLL(str(audit.path))
    clock.cside_profile_ticks.restype = ctypes.c_uint64
    clock.cside_profile_empty.restype = ctypes.c_double
    environment = os.environ | {"LD_AUDIT": str(audit.path), "CSIDE_PROFILE_COUNTERS": str(file)}
    environment["LD_PRELOAD"] = " ".join(json.loads((run / LIBRARY_FILE).read_text(encoding="utf-8"))["files"])
    start, ticks, empty = time.perf_counter_ns(), clock.cside_profile_ticks(), clock.cside_profile_empty()
    command = [program, "-m", "cside_suite.process.library_counts", str(folder / f"{label}.request")]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=TIMEOUT_S)
    passed = (time.perf_counter_ns() - start) / (clock.cside_profile_ticks() - ticks)
    if done.returncode or not out.exists():
        return None, Clock(passed, empty)
    return json.loads(out.read_text(encoding="utf-8")), Clock(passed, empty)


def _ns(own: Mapping[str, Any], clock: Clock) -> float | None:
    """Return ns in C of one run of a workload, the least of all packages; None where nothing was counted."""
    times = [
        sum(max(it[1] - it[0] * clock.empty, 0.0) for it in functions.values()) * clock.tick_ns / REPEATS
        for functions in own.values()
        if isinstance(functions, dict) and functions
    ]
    return min(times, default=None)


def _differences(own: Mapping[str, Any], reference: str, closing: Set[str]) -> dict[str, str]:
    """Return the packages whose calls or bytes are not those of the reference.

    Functions that close objects are not compared, since the interpreter decides when finalisers run. A hundredth is
    allowed, for the calls that prepare the values.
    """
    base = own.get(reference)
    if not isinstance(base, dict):
        return {}
    found = {}
    for subject, functions in own.items():
        if not isinstance(functions, dict):
            continue
        for name in sorted((base.keys() | functions.keys()) - closing):
            mine, other = functions.get(name, [0] * 4), base.get(name, [0] * 4)
            if any(abs(mine[at] - other[at]) > REPEATS // 100 * max(other[at] // REPEATS, 1) for at in (0, 2, 3)):
                found[subject] = f"unequal native work: {name} {mine[0]} calls, {other[0]} with {reference}"
                break
    return found
