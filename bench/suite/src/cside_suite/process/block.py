"""One measuring process: ``python -m cside_suite.process.block REQUEST``.

The process loads every binding and runs each test of :mod:`cside_suite.workloads` once, for its assertions. It compares
native work and results with those of the reference binding. Then it times all targets in chunks that are interleaved in
random order, and writes the rounds in pytest-benchmark's format. The process is the replicate; nothing is averaged over
processes here.

Progress goes to standard output, one JSON object per line; everything else goes to standard error.
"""

import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from io import RawIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cside_native
import pytest

from cside_suite import workloads
from cside_suite.process import children, images, layouts, load, rounds, timing
from cside_suite.process.block_file import write_block
from cside_suite.process.collector import Collector, Skip, Target, run_tests
from cside_suite.process.floor import Floor, NoFloor
from cside_suite.process.native_trace import NativeTrace, Trace, Uncounted, difference
from cside_suite.process.request import GO, TURN, Request
from cside_suite.process.rounds import Says, Stopwatch
from cside_suite.process.timing import Measured
from cside_suite.subjects.bindings import Implementation
from cside_suite.subjects.copies import Copy
from cside_suite.subjects.gil import gil_policy
from cside_suite.subjects.library import LibrarySet
from cside_suite.subjects.names import HOST, SINGLE
from cside_suite.workloads import participation

LIBRARY_CALLS: Final = "library_calls.py"
"""Name of the file with the workloads of a user's library."""
PLUGINS_LEFT_OUT: Final = (
    "benchmark",
    "cacheprovider",
    "hypothesispytest",
    "logging",
    "threadexception",
    "unraisableexception",
    "warnings",
)
"""Plugins of pytest that do nothing for a workload. The last four do something before and after each test; with the
capture of output, they take a fifth of the time in which a process runs each workload once.
"""
PROGRESS_EVERY_NS: Final = 200_000_000
"""Shortest time between two lines of progress in one phase."""


class Progress:
    """Writes progress for the driver to the standard output that this process was started with."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
        os.dup2(2, 1)  # what pytest or a binding prints goes to standard error
        self._last = 0
        self._told: RawIOBase | None = None

    def listen(self) -> None:
        """Take the standard input for turns; whatever else reads it finds it empty."""
        self._told = os.fdopen(os.dup(0), "rb", buffering=0)  # a child reads on where its parent or a sibling was
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)

    def turn(self) -> int | None:
        """Wait until the driver lets this process go on; return the place of its turn, None after the last turn."""
        assert self._told is not None
        self.say(phase=TURN)
        word, _, place = self._told.readline().decode().partition(" ")
        return int(place) if word == GO else None

    def say(self, **fields: object) -> None:
        """Write one line."""
        self._stream.write(json.dumps(fields) + "\n")

    def step(self, phase: str, done: int, total: int) -> None:
        """Write one line, unless the last one is too recent."""
        now = time.monotonic_ns()
        if now - self._last > PROGRESS_EVERY_NS or done == total:
            self._last = now
            self.say(phase=phase, done=done, total=total)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a process has loaded before it runs anything."""

    subjects: dict[str, Any]
    """The bindings, variants, references and controls, by name."""
    unloadable: dict[str, str]
    """The reason for each one that is void."""
    library: LibrarySet | None
    """The set of a user's library; None for cside's."""
    trace: Trace
    floor: Floor | NoFloor


def load_all(request: Request, progress: Progress, draw: random.Random, folder: Path) -> Loaded:
    """Load the subjects of this process; ``folder`` is for files that are needed as long as it runs."""

    def announce(name: str) -> None:
        progress.say(phase="import", workload="import", subject=name)

    subjects, unloadable = load.load(request, announce, draw, folder)
    library = LibrarySet.load(request.library) if request.library else None
    trace = NativeTrace(cside_native.library()) if library is None else Uncounted()
    check_images(request, unloadable, images.STEM if library is None else library.stem)
    floor = Floor(trace) if isinstance(trace, NativeTrace) else NoFloor()
    return Loaded(subjects, unloadable, library, trace, floor)


def check_images(request: Request, unloadable: Mapping[str, str], stem: str = images.STEM) -> None:
    """Raise `RuntimeError` if the process has loaded another library than the one built, or two files of libcside.

    Where a binding is void because it could not be loaded, it may have left such a file behind, and the others go on.
    A twin that its binding declares impossible is no such case.
    """
    if not all(reason.startswith(SINGLE) for reason in unloadable.values()):
        return
    problem = images.foreign(frozenset(), request.library_sha256, stem)
    if problem is None and stem == images.STEM:
        problem = images.several(stem)
    if problem is not None:
        raise RuntimeError(f"this environment {problem}")


def collect(
    request: Request,
    progress: Progress,
    loaded: Loaded,
    instead: Callable[[Collector, dict[str, list[pytest.Item]]], None] | None = None,
) -> Collector:
    """Run each test of the workloads once, and return what was collected.

    ``instead`` is called in place of that, with the collector and the tests of each workload.
    """

    def announce(workload: str, subject: str) -> None:
        progress.say(phase="check", workload=workload, subject=subject)

    library = loaded.library
    few = bool(request.only) or library is not None
    collector = Collector(
        subjects=loaded.subjects,
        library=library,
        trace=loaded.trace,
        announce=announce,
        exclude=frozenset(request.exclude),
        only=tuple(request.only),
        skip=tuple(request.skip),
        keep=tuple(request.keep),
        without=tuple(request.without),
        workloads=frozenset(request.workloads),
        seed=request.seed,
        refuses=participation.refuses(loaded.subjects, few=few, twins=request.twins),
    )
    folder = Path(workloads.__file__).parent
    arguments = [str(folder if library is None else folder / LIBRARY_CALLS), "-q", "--no-header", "--tb=short"]
    arguments += ["--capture=no", *(f"-pno:{name}" for name in PLUGINS_LEFT_OUT)]
    if instead is not None:
        collector.instead = partial(instead, collector)
    code = pytest.main(arguments, plugins=[collector])
    sys.stdout.flush()  # before anything else is written to standard error
    if collector.problem is not None:
        raise collector.problem
    if code == pytest.ExitCode.NO_TESTS_COLLECTED and not request.exclude:  # else a look may have decided all of them
        raise SystemExit(f"no workload has any of these in its name: {', '.join(request.only)}")
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"pytest ended with {pytest.ExitCode(code)!r}; its output is above")
    return collector


def judge(request: Request, collector: Collector, floor: Floor | NoFloor) -> None:
    """Void every target that failed its test or differs from the reference in its result or its native work.

    The native work of the reference itself is compared with that of the loop in C, if there is one.
    """
    references = {it.workload: it for it in collector.targets if it.subject == request.reference}
    native = {name for name, it in collector.subjects.items() if isinstance(it, Implementation | Copy)}
    for target in collector.targets:
        target.void = collector.failures.get((target.workload, target.subject))
        reference = references.get(target.workload)
        if target.void is not None or target.subject not in native:
            continue
        if reference is not None and target.digest != reference.digest:
            target.void = f"result differs from that of {request.reference}"
        elif reference is not None:
            target.void = difference(target.counts, reference.counts)
        first = target is reference or reference is None
        if first and target.void is None and (calls := floor.calls(target)) is not None:
            own = {name: count[0] for name, count in target.counts.items()}
            if own != {name: count * len(target.draws) for name, count in calls.items()}:
                target.void = f"unequal native work: {own}, and in C {calls}"


def void_all(subjects: dict[str, str], targets: list[Target], skips: list[Skip]) -> list[Target]:
    """Return a void target for each workload of each subject that could not be loaded."""
    names = {(it.workload, it.calls) for it in targets} | {(it.workload, it.workload.partition("[")[0]) for it in skips}
    once = dict(sorted(names, reverse=True))
    return [
        Target(workload, subject, calls, _nothing, ((),), {}, None, 0, reason)
        for subject, reason in subjects.items()
        for workload, calls in once.items()
    ]


def members_of(collector: Collector) -> dict[str, int]:
    """Return the number of subjects of each workload, those that skip or fail it too."""
    pairs = {(it.workload, it.subject) for it in collector.targets} | collector.failures.keys()
    pairs |= {(it.workload, it.subject) for it in collector.skips}
    return dict(sorted(Counter(workload for workload, _ in pairs).items()))


def _nothing() -> None:
    """Take the place of the callable of a subject that could not be loaded."""


def measure(request: Request, collector: Collector, loaded: Loaded, draw: random.Random, progress: Says) -> Measured:
    """Time the cells of what was collected and judged."""
    targets = collector.targets + void_all(loaded.unloadable, collector.targets, collector.skips)
    cells = rounds.chunks_of(request, targets, loaded.floor)
    targets = [it for it in targets if it.subject != HOST]
    found = timing.time_cells(cells, targets, request, draw, progress, loaded.trace)
    found.skips = [it for it in collector.skips if it.subject != HOST]
    found.failures = collector.failures
    return found


def measure_in_children(request: Request, progress: Progress, loaded: Loaded) -> Measured:
    """Run the test of each workload, and time its cells, in a child of this process."""
    measured = Measured()

    def each(collector: Collector, tests: dict[str, list[pytest.Item]]) -> None:
        def work(its: Request, part: Says) -> Measured:
            watch = Stopwatch()
            (workload,) = its.workloads
            run_tests(tests[workload])
            judge(its, collector, loaded.floor)
            watch.lap("check")
            found = measure(its, collector, loaded, random.Random(f"{its.seed} {workload} {its.alone}"), part)
            found.seconds |= watch.seconds
            return found

        measured.add(children.each_workload(request, progress, tests, work))

    collect(request, progress, loaded, each)
    return measured


def calibrate(request: Request, progress: Progress, loaded: Loaded, watch: Stopwatch) -> None:
    """Write the time per call of each target, and what is there to measure."""
    collector = collect(request, progress, loaded)
    judge(request, collector, loaded.floor)
    watch.lap("check")
    ns = rounds.calibrate(collector.targets, request, progress)
    watch.lap("calibrate")
    bindings = {name: it for name, it in loaded.subjects.items() if isinstance(it, Implementation)}
    found = {
        "implementations": sorted(bindings),
        "whole": sorted(name for name, it in bindings.items() if not it.partial),
        "ns": ns,
        "cells": len(ns),
        "workloads": members_of(collector),
        "seconds": watch.seconds,
    }
    Path(request.out).write_text(json.dumps(found), encoding="utf-8")


def write(request: Request, started: datetime, measured: Measured, loaded: Loaded) -> None:
    """Write what was measured to the file that the request names."""
    features = {name: subject.features for name, subject in loaded.subjects.items()}
    known = {(target.workload, target.subject) for target in measured.targets}

    def gil(target: Target) -> str:
        if loaded.library is not None:
            return "released"
        return gil_policy(target.calls, target.workload, features.get(target.subject))

    write_block(
        Path(request.out),
        request=request,
        started=started,
        targets=measured.targets,
        failed={pair: reason for pair, reason in measured.failures.items() if pair not in known},
        cells=measured.cells,
        skips=measured.skips,
        inside=measured.inside,
        latencies=measured.latencies,
        gil=gil,
        facts={
            "engine_version": loaded.trace.engine_version,
            "in_turns": bool(request.turn_visits),
            "forks": request.forks,
            "layouts": layouts.draw(request),
            "jit": measured.jit,
            "pytest_benchmark": version("pytest-benchmark"),
            "seconds": measured.seconds,
        },
    )


def start_a_thread() -> None:
    """Start a thread and wait for its end on CPython, so that calls that release the GIL cost as much in each process.

    They cost less until a process starts its first thread: :func:`noop` of cffi took 72 ns before and 90 ns after
    (CPython 3.14, glibc 2.36). The tests of some workloads start threads, and a process with one workload may have none
    of these. On PyPy each workload has a process, so that nothing has to be made equal.
    """
    if sys.implementation.name != "pypy":
        thread = threading.Thread(target=_nothing)
        thread.start()
        thread.join()


def run(request: Request, folder: Path) -> None:
    """Calibrate or measure, as the request says; ``folder`` is for files that are needed as long as the process."""
    started = datetime.now(UTC)
    watch = Stopwatch()
    progress = Progress()
    if request.turn_visits:
        progress.listen()
    draw = random.Random(request.seed)
    sys.setswitchinterval(10)  # no other Python thread runs while a chunk does, unless a workload starts one
    if request.cpu is not None:
        os.sched_setaffinity(0, {request.cpu})
    start_a_thread()
    loaded = load_all(request, progress, draw, folder)
    watch.lap("import")
    if request.mode == "calibrate":
        calibrate(request, progress, loaded, watch)
        return
    if request.forks:
        measured = measure_in_children(request, progress, loaded)
    else:
        collector = collect(request, progress, loaded)
        judge(request, collector, loaded.floor)
        watch.lap("check")
        measured = measure(request, collector, loaded, draw, progress)
    measured.seconds |= watch.seconds
    write(request, started, measured, loaded)


def main(path: str) -> None:
    """Carry out the request in the file ``path``."""
    with TemporaryDirectory(prefix="cside-") as folder:
        run(Request.load(Path(path)), Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
