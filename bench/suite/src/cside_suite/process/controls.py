# SPDX-License-Identifier: Apache-2.0
"""Controls: subjects of which the truth is known, measured in every process beside the bindings.

``twin``      the reference binding's package, byte for byte, loaded a second time from a copy of its files: whatever
              differs is noise, or where in memory code and data came to lie (A/A)
``relinked``  the same object files, linked in another order: how much the layout of code matters
``delayed``   the twin made 5 % slower within the timed region: a difference that has to be found

A copy is a file of its own, so that the loader maps it anew, and each process makes its own.
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
"""Modules of a binding that a copy shares with its original: compiled code imports them by name when it first needs them,
and finds those of the original."""

CALIBRATION_NS: Final = 4_000_000
"""About the time given to find out how long the counting of one cell has to be."""
MOST_TRIES: Final = 9
STEPS: Final = 20_000
LONGEST_NS: Final = 1_000_000
"""Of a chunk that is lengthened for the sake of whole loops. Much longer than the others, it would be interrupted more
often than they are."""
ROUNDING: Final = 0.03
"""Loops are whole: a delay of 5 % may be one of 4.85 to 5.15 %."""


def load_copy(original: Implementation, source: Path, folder: Path, name: str) -> Copy:
    """Copy the package at ``source`` into ``folder`` and import it beside the original, which has to be loaded before.

    Raises `RuntimeError` where the copy's modules do not come from the copy.
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
    """The controls of a process by name; ``folder`` is empty and outlives it."""
    original.idioms, original.codec, original.pkcs11  # noqa: B018  # loaded first, for the sake of what they share
    file = original.package.__file__
    assert file is not None
    twin = load_copy(original, Path(file).parent, folder / TWIN, TWIN)
    found = {TWIN: twin, DELAYED: twin.renamed(DELAYED)}
    if relinked:
        package = original.target.partition(".")[0]
        found[RELINKED] = load_copy(original, Path(relinked) / package, folder / RELINKED, RELINKED)
    return found


def calibrate(cell: Cell) -> None:
    """Settle how a cell is slowed down; just before the rounds, in their process.

    Where 5 % is less than a loop, the chunk is made longer; where that is too long, the cell's own chunk and the
    counting are timed in turn, so that a slow second of the machine hits both.
    """
    pause = cell.pause
    assert isinstance(pause, Pause)
    loop_ns = max(cell.unroll * cell.ns, 1.0)
    for loops in range(cell.loops, 4 * cell.loops + 20):  # the fewest of which so many percent are whole loops
        wanted = loops * pause.percent / 100
        if round(wanted) and abs(round(wanted) / wanted - 1) <= ROUNDING and loops * loop_ns <= LONGEST_NS:
            cell.loops, pause.loops = loops, round(wanted)
            return  # by the same code as any other's
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
