# SPDX-License-Identifier: Apache-2.0
"""The controls: subjects whose true ratio is known, measured beside the bindings in every process.

``twin``      a byte-identical copy of the reference binding's package, loaded a second time (A/A): a difference to the
              original is noise, or comes from the places of code and data in memory
``twin.X``    the same of the whole binding X, whose noise may be another
``relinked``  the reference in another layout of its code (:mod:`cside_suite.process.layouts`)
``delayed``   the twin, made 5 % slower within the timed region: a difference that the measurement must find

Each process copies the files anew, so that the loader maps them a second time. What that is depends on the technique:

- A C extension and Cython's modules have their types and functions in static data and in the module's state, so that
  all of it exists twice. Cython keeps the type of its functions, which the modules of one Cython share, in a module
  that it adds to `sys.modules`; the copy makes one of its own.
- SWIG's modules share a table of types, by a capsule in a module that the first of them adds to `sys.modules`. A copy
  that found the table of its original would replace the Python types that belong to the C types, and the original would
  then return objects of the copy. So the copy does not see that module, and makes a table of its own.
- cffi's compiled module has an ``ffi`` and a ``lib`` of its own, with its own types of structs; types such as ``int``
  belong to ``_cffi_backend``, which exists once.
- ctypes has no code of the binding. The copy opens the library once more, which gives the same handle and a new object;
  the functions with their converters, the structs and all Python functions exist twice.

What exists once is the interpreter, `libcside` and its state, ``cside_native`` with the constants of PKCS #11, and the
modules :data:`SHARED`.
"""

import importlib
import shutil
import statistics
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from cside_suite.process import layouts
from cside_suite.process.block_file import Cell
from cside_suite.process.chunks import Pause
from cside_suite.process.request import Request
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.copies import Copy
from cside_suite.subjects.names import DELAYED, RELINKED, SINGLE, TWIN, twin_of
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


_kept: Final[list[ModuleType]] = []
"""Modules without a file that copies made for themselves, which live as long as the process: SWIG's table of types dies
with the module that holds it.
"""


def made_at_run_time() -> dict[str, ModuleType]:
    """Return the modules that compiled code has made at its import, in which copies would find what is the original's.

    They are those without a specification: nothing imported them.
    """
    others = {"__main__", *sys.builtin_module_names}
    return {
        name: module
        for name, module in sys.modules.items()
        if name not in others and isinstance(module, ModuleType) and getattr(module, "__spec__", None) is None
    }


def load_copy(
    original: Implementation, source: Path, folder: Path, name: str, compiled: Mapping[str, Path] | None = None
) -> Copy:
    """Copy the package at ``source`` into ``folder`` and import it beside the original, which must be loaded before.

    ``compiled`` are the compiled modules by their paths within ``folder`` that replace those of ``source``. Raises
    `RuntimeError` if one of the copy's modules was not loaded from the copy.
    """
    package = original.target.partition(".")[0]
    shutil.copytree(source, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for path, file in (compiled or {}).items():
        shutil.copy2(file, folder / path)
    own = {key: module for key, module in sys.modules.items() if key == package or key.startswith(f"{package}.")}
    shared = {f"{original.target}.{name}" for name in SHARED}
    kept = made_at_run_time() | own
    for key in kept.keys() - shared:
        del sys.modules[key]
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        names = {noun: f"{original.target}.{noun}" if noun else original.target for noun in original.nouns}
        modules = {noun: importlib.import_module(name) for noun, name in names.items()}
        loaded = {key for key in sys.modules if key.startswith(f"{package}.")} - shared | {package}
        files = {key: getattr(sys.modules[key], "__file__", None) for key in loaded}
        strange = [key for key, file in files.items() if file is not None and not file.startswith(str(folder))]
        if strange:
            raise RuntimeError(f"control {name!r}: {', '.join(sorted(strange))} did not come from the copy")
    finally:
        sys.path.remove(str(folder))
        _kept.extend(made_at_run_time().values())
        for key in [key for key in sys.modules if key == package or key.startswith(f"{package}.")]:
            del sys.modules[key]
        sys.modules.update(kept)
    return Copy(original, name, modules)


def load(
    request: Request, subjects: Mapping[str, Any], drawn: Mapping[str, int], folder: Path
) -> tuple[dict[str, Copy], dict[str, str]]:
    """Return the controls of this process by name, and the reason for each twin that could not be loaded.

    ``subjects`` are what was loaded, the reference among it; ``drawn`` are the numbers of their layouts. ``folder`` is
    empty and must exist as long as the process runs.
    """
    void: dict[str, str] = {}
    reference: Implementation = subjects[request.reference]
    twin = again(request, reference, TWIN, drawn.get(reference.name, layouts.INSTALLED), folder)
    found = {TWIN: twin, DELAYED: twin.renamed(DELAYED)}
    if RELINKED in drawn:
        found[RELINKED] = again(request, reference, RELINKED, drawn[RELINKED], folder)
    for one in subjects.values():
        if request.twins and isinstance(one, Implementation) and not (one.partial or one.variant or one is reference):
            name = twin_of(one.name)
            if reason := one.gaps.get("second-copy"):  # what a failed attempt leaves behind could spoil the original
                void[name] = f"{SINGLE}{reason}"
                continue
            try:
                found[name] = again(request, one, name, drawn.get(one.name, layouts.INSTALLED), folder)
            except Exception as error:  # a technique that cannot be loaded twice has no twin; the others have
                void[name] = f"failed when it was loaded a second time: {error}"
    return found, void


def again(request: Request, original: Implementation, name: str, layout: int, folder: Path) -> Copy:
    """Load a binding once more, in one of its layouts."""
    for noun in original.nouns:
        original.noun(noun)  # first: copies share modules with it
    file = original.package.__file__
    assert file is not None
    compiled = layouts.compiled(layouts.folder_of(request, original.name, layout))
    return load_copy(original, Path(file).parent, folder / name, name, compiled)


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
