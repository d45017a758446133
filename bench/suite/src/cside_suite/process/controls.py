# SPDX-License-Identifier: Apache-2.0
"""The controls: subjects whose true ratio to the reference is known, measured beside the bindings in every process.

``twin``      a byte-identical copy of the reference binding's package, loaded a second time (A/A): a difference to the
              original is noise, or comes from the places of code and data in memory
``relinked``  the same object files linked in another order: shows how much the layout of the code matters
``delayed``   the twin, made 5 % slower within the timed region: a difference that the measurement must find

Each process copies the files anew, so that the loader maps them a second time.
"""

import importlib
import shutil
import statistics
import sys
import time
from pathlib import Path
from typing import Final

from cside_suite.process.block_file import Cell
from cside_suite.process.chunks import Pause
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.copies import Copy
from cside_suite.subjects.names import DELAYED, RELINKED, TWIN
from cside_suite.workloads._empty import spin

SHARED: Final = ("_pkcs11_errors",)
"""Modules of a binding that a copy shares with its original.

Compiled code imports them by name when it first needs them, and finds those of the original.
"""

CALIBRATION_NS: Final = 4_000_000
"""Time to calibrate the delay of one cell that is made by counting, about."""

MOST_TRIES: Final = 9
"""The largest number of pairs that are timed for it."""

STEPS: Final = 20_000
"""Steps of the counting that is timed for it."""

LONGEST_NS: Final = 1_000_000
"""Longest chunk that is lengthened until its delay is a whole number of loops.

A chunk that is much longer than those of other cells would be interrupted more often than they are.
"""

ROUNDING: Final = 0.03
"""Largest relative error of a delay that is a whole number of loops: 5 % may be 4.85 to 5.15 %."""


def load_copy(original: Implementation, source: Path, folder: Path, name: str) -> Copy:
    """Copy the package at ``source`` into ``folder`` and import it beside the original, which must be loaded before.

    Raises `RuntimeError` if one of the copy's modules was not loaded from the copy.
    """
    package = original.target.partition(".")[0]
    shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    kept = {key: module for key, module in sys.modules.items() if key == package or key.startswith(f"{package}.")}
    shared = {f"{original.target}.{name}" for name in SHARED}
    for key in kept.keys() - shared:
        del sys.modules[key]
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        modules = {noun: importlib.import_module(f"{original.target}.{noun}") for noun in ("idioms", "codec", "pkcs11")}
        loaded = {key for key in sys.modules if key == package or key.startswith(f"{package}.")} - shared
        strange = [key for key in loaded if not str(getattr(sys.modules[key], "__file__", "")).startswith(str(folder))]
        if strange:
            raise RuntimeError(f"control {name!r}: {', '.join(sorted(strange))} did not come from the copy")
    finally:
        sys.path.remove(str(folder))
        for key in [key for key in sys.modules if key == package or key.startswith(f"{package}.")]:
            del sys.modules[key]
        sys.modules.update(kept)
    return Copy(original, name, modules)


def load(original: Implementation, relinked: str, folder: Path) -> dict[str, Copy]:
    """Return the controls of this process by name. ``folder`` is empty and must exist as long as the process runs."""
    original.idioms, original.codec, original.pkcs11  # noqa: B018  # first: copies share modules with it
    file = original.package.__file__
    assert file is not None
    twin = load_copy(original, Path(file).parent, folder / TWIN, TWIN)
    found = {TWIN: twin, DELAYED: twin.renamed(DELAYED)}
    if relinked:
        package = original.target.partition(".")[0]
        found[RELINKED] = load_copy(original, Path(relinked) / package, folder / RELINKED, RELINKED)
    return found


def calibrate(cell: Cell) -> None:
    """Decide how a cell is slowed down. This is called in the measuring process, just before the rounds.

    The delay is a whole number of further loops. If the delay is less than one loop, the chunk is made longer. If that
    would be too long, the delay is made by counting in C instead; the chunk and the counting are then timed in turn, so
    that a slow second of the machine affects both.
    """
    pause = cell.pause
    assert isinstance(pause, Pause)
    loop_ns = max(cell.unroll * cell.ns, 1.0)
    for loops in range(cell.loops, 4 * cell.loops + 20):  # until the delay is a whole number of loops
        wanted = loops * pause.percent / 100
        if round(wanted) and abs(round(wanted) / wanted - 1) <= ROUNDING and loops * loop_ns <= LONGEST_NS:
            cell.loops, pause.loops = loops, round(wanted)
            return  # the chunk runs the same code as that of any other cell
    chunk_ns = cell.loops * loop_ns
    tries = max(3, min(MOST_TRIES, int(CALIBRATION_NS / chunk_ns)))
    shares = []
    for _ in range(tries):
        calls, empty = cell.chunk(cell.loops)
        start = time.perf_counter_ns()
        spin(STEPS)
        shares.append((calls - empty) / max(time.perf_counter_ns() - start, 1))
    assert cell.recompile is not None
    cell.chunk = cell.recompile(pause)
    pause.steps = max(1, round(statistics.median(shares) * STEPS * pause.percent / 100))
