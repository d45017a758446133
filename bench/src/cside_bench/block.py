"""One measuring process: ``python -m cside_bench.block REQUEST``.

It loads every binding, runs the tests of :mod:`cside_bench.workloads` once each for their assertions, compares
native work and results with the reference binding, then times all targets in interleaved, shuffled chunks, and
writes the rounds in pytest-benchmark's format. The process is the replicate; nothing is averaged over processes here.

Standard output carries progress, one JSON object a line; everything else goes to standard error.
"""

import gc
import json
import os
import random
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import cside_native
import pytest

from cside_bench import images, workloads
from cside_bench.bindings import BindingError, Implementation, discover
from cside_bench.chunks import compile_chunk, estimate_ns, loops_for, unroll_for
from cside_bench.collecting import Collector, Skip, Target, Twin
from cside_bench.floor import Floor
from cside_bench.native_trace import NativeTrace, difference
from cside_bench.policy import gil_policy
from cside_bench.processes import Request, key
from cside_bench.raw import Cell, write_block
from cside_bench.references import REFERENCES

PROGRESS_EVERY_NS: Final = 200_000_000
CALIBRATION_NS: Final = 3_000_000
INSIDE_NS: Final = 3_000_000
"""Time given to each target for the share that it spends inside its module."""


class Progress:
    """Lines for the driver, on the standard output that this process was started with."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
        os.dup2(2, 1)  # whatever else is printed, by pytest or a binding, is no progress
        self._last = 0

    def say(self, **fields: object) -> None:
        """One line."""
        self._stream.write(json.dumps(fields) + "\n")

    def step(self, phase: str, done: int, total: int) -> None:
        """One line, unless the last one is too recent."""
        now = time.monotonic_ns()
        if now - self._last > PROGRESS_EVERY_NS or done == total:
            self._last = now
            self.say(phase=phase, done=done, total=total)


def load_subjects(request: Request, progress: Progress, draw: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """Import the bindings in random order; return the subjects, and why each of them is void that is."""
    void: dict[str, str] = {}
    try:
        implementations = discover(request.bindings)
    except BindingError as error:
        raise SystemExit(str(error)) from error
    draw.shuffle(implementations)
    for implementation in implementations:
        before = images.mapped()
        progress.say(phase="import", workload="import", subject=implementation.name)
        try:
            implementation.features, implementation.gaps  # noqa: B018  # asked for the effect, which is to import
            implementation.idioms, implementation.codec, implementation.pkcs11  # noqa: B018
        except Exception as error:  # any failure to import voids the binding and no other
            void[implementation.name] = f"cannot be used: {error}"
            continue
        if (problem := images.foreign(before, request.library_sha256)) is not None:
            void[implementation.name] = problem
    subjects: dict[str, Any] = {it.name: it for it in implementations if it.name not in void}
    subjects |= {reference.name: reference for reference in REFERENCES}
    if request.reference in subjects:
        subjects["twin"] = Twin(subjects[request.reference])
    return subjects, void


def collect(request: Request, progress: Progress, subjects: dict[str, Any], trace: NativeTrace) -> Collector:
    """Run the tests of the workloads, once each."""

    def announce(workload: str, subject: str) -> None:
        progress.say(phase="check", workload=workload, subject=subject)

    collector = Collector(
        subjects=subjects,
        trace=trace,
        announce=announce,
        exclude=frozenset(request.exclude),
        only=tuple(request.only),
    )
    arguments = [str(Path(workloads.__file__).parent), "-q", "--no-header", "--tb=short", "-p", "no:cacheprovider"]
    arguments += ["-p", "no:hypothesispytest", "-p", "no:benchmark"]
    code = pytest.main(arguments, plugins=[collector])
    sys.stdout.flush()  # before anything that is said on standard error
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        raise SystemExit(f"no workload has any of these in its name: {', '.join(request.only)}")
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"pytest ended with {pytest.ExitCode(code)!r}; its output is above")
    return collector


def judge(request: Request, collector: Collector, floor: Floor) -> None:
    """Void every target that failed its test, or differs from the reference in results or native work.

    The reference itself is held to the C loop, where there is one that counts its calls.
    """
    references = {it.workload: it for it in collector.targets if it.subject == request.reference}
    native = {name for name, it in collector.subjects.items() if isinstance(it, Implementation | Twin)}
    for target in collector.targets:
        target.void = collector.failures.get((target.workload, target.subject))
        reference = references.get(target.workload)
        if target.void is not None or reference is None or target.subject not in native:
            continue
        if target.digest != reference.digest:
            target.void = f"result differs from that of {request.reference}"
        else:
            target.void = difference(target.counts, reference.counts)
        if target is reference and target.void is None and (calls := floor.calls(target)) is not None:
            own = {name: count[0] for name, count in target.counts.items()}
            if own != calls:
                target.void = f"unequal native work: {own}, and in C {calls}"


def chunks_of(request: Request, targets: list[Target], floor: Floor) -> dict[str, list[Cell]]:
    """What to time, by workload: one cell for each valid target, and those of the native floor."""
    cells: dict[str, list[Cell]] = defaultdict(list)
    for target in targets:
        if target.void is not None:
            continue
        ns = request.calibration.get(key(target.workload, target.subject))
        if ns is None:  # not calibrated: it failed there, and works here
            ns = estimate_ns(target.function, target.arguments, CALIBRATION_NS)
        unroll = unroll_for(ns)
        chunk = compile_chunk(target.function, target.arguments, unroll, key(target.workload, target.subject))
        cells[target.workload].append(Cell(target.workload, target.subject, chunk, loops_for(ns, unroll), unroll, ns))
    for workload, members in cells.items():
        for way, chunk in floor.chunks(next(it for it in targets if it.workload == workload and it.void is None)):
            calls, empty = chunk(1)
            ns = max(calls - empty, 1)
            for loops in (100, 10_000):
                if ns * loops < 10_000_000:
                    ns = max(chunk(loops)[0] / loops, 0.5)
            members.append(Cell(workload, f"floor.{way}", chunk, loops_for(ns, 1), 1, ns))
    return cells


def warm_up(cells: dict[str, list[Cell]], warm_up_ns: int, progress: Progress) -> None:
    """Run each target for a while; a JIT and a specialising interpreter need it."""
    everything = [cell for members in cells.values() for cell in members]
    for done, cell in enumerate(everything, start=1):
        progress.step("warm-up", done, len(everything))
        spent = 0
        while spent < warm_up_ns:
            spent += sum(cell.chunk(cell.loops))
            if cell.ns > warm_up_ns:
                break


def measure(cells: dict[str, list[Cell]], request: Request, draw: random.Random, progress: Progress) -> None:
    """Run the rounds: in each, the workloads in random order, and the targets of each in random order.

    A slow workload takes part in some rounds only, drawn at random, so that it costs no more time than a fast one,
    but in ``least_visits`` at least. All targets of a workload take part in the same rounds: their ratios are paired.
    """
    schedule: list[list[str]] = [[] for _ in range(request.rounds)]
    for workload, members in cells.items():
        chunk_ns = sum(max(cell.loops * cell.unroll * cell.ns, 1.0) for cell in members)
        budget_ns = request.rounds * len(members) * 250_000
        visits = min(request.rounds, max(request.least_visits, int(budget_ns / chunk_ns)))
        for index in draw.sample(range(request.rounds), visits):
            schedule[index].append(workload)
    total, done = sum(map(len, schedule)), 0
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()
    gc.disable()
    for visited in schedule:
        draw.shuffle(visited)
        for workload in visited:
            members = list(cells[workload])
            draw.shuffle(members)
            for cell in members:
                cell.run()
            done += 1
            progress.step("measure", done, total)
        gc.collect(0)
    gc.enable()


def time_inside(targets: list[Target], trace: NativeTrace) -> dict[tuple[str, str], float]:
    """Share of each call inside its PKCS #11 module, for those that call one; last of all, since tracing costs time."""
    found = {}
    for target in targets:
        names = [name for name in target.counts if name.startswith("C_")]
        if target.void is None and names:
            share = trace.inside_share(partial(target.function, *target.arguments), names, INSIDE_NS)
            found[(target.workload, target.subject)] = share
    return found


def calibrate(targets: list[Target], request: Request, progress: Progress) -> dict[str, float]:
    """ns per call of each valid target."""
    found = {}
    valid = [target for target in targets if target.void is None]
    for done, target in enumerate(valid, start=1):
        progress.step("calibrate", done, len(valid))
        found[key(target.workload, target.subject)] = estimate_ns(
            target.function, target.arguments, max(CALIBRATION_NS, request.warm_up_ns)
        )
    return found


def void_all(subjects: dict[str, str], targets: list[Target], skips: list[Skip]) -> list[Target]:
    """A void target for each workload that a subject that could not be loaded would have run."""
    names = {(it.workload, it.calls) for it in targets} | {(it.workload, it.workload.partition("[")[0]) for it in skips}
    once = dict(sorted(names, reverse=True))
    return [
        Target(workload, subject, calls, _nothing, (), {}, None, reason)
        for subject, reason in subjects.items()
        for workload, calls in once.items()
    ]


def _nothing() -> None:
    """Stands for a callable that there is not."""


def time_import(request: Request, progress: Progress) -> dict[str, Any]:
    """Seconds to import `idioms` and `codec` of the one binding asked for, in a process that imported none before."""
    (implementation,) = [it for it in discover(request.bindings) if it.name == request.bindings[0]]
    progress.say(phase="import", workload="import", subject=implementation.name)
    start = time.perf_counter_ns()
    implementation.idioms, implementation.codec  # noqa: B018  # asked for the effect, which is to import
    return {"subject": implementation.name, "ns": time.perf_counter_ns() - start}


def main(path: str) -> None:
    """Do what the request in the file ``path`` says."""
    started = datetime.now(UTC)
    request = Request.load(Path(path))
    progress = Progress()
    out = Path(request.out)
    draw = random.Random(request.seed)
    if request.mode == "import":
        out.write_text(json.dumps(time_import(request, progress)), encoding="utf-8")
        return
    sys.setswitchinterval(10)  # no other Python thread runs while a chunk does, unless a workload starts one
    subjects, unloadable = load_subjects(request, progress, draw)
    trace = NativeTrace(cside_native.library())
    if (problem := images.foreign(frozenset(), request.library_sha256)) is not None and not unloadable:
        raise RuntimeError(f"this environment {problem}")
    collector = collect(request, progress, subjects, trace)
    floor = Floor(trace)
    judge(request, collector, floor)
    if request.mode == "calibrate":
        found = {
            "implementations": sorted(name for name, it in subjects.items() if isinstance(it, Implementation)),
            "ns": calibrate(collector.targets, request, progress),
        }
        out.write_text(json.dumps(found), encoding="utf-8")
        return
    targets = collector.targets + void_all(unloadable, collector.targets, collector.skips)
    cells = chunks_of(request, targets, floor)
    warm_up(cells, request.warm_up_ns, progress)
    measure(cells, request, draw, progress)
    inside = time_inside(targets, trace)
    features = {name: subject.features for name, subject in subjects.items()}
    failed = {
        pair: reason
        for pair, reason in collector.failures.items()
        if pair not in {(t.workload, t.subject) for t in targets}
    }
    write_block(
        out,
        request=request,
        started=started,
        targets=targets,
        failed=failed,
        cells=cells,
        skips=collector.skips,
        inside=inside,
        gil=lambda target: gil_policy(target.calls, target.workload, features.get(target.subject)),
        facts={"engine_version": trace.engine_version, "pytest_benchmark": version("pytest-benchmark")},
    )


if __name__ == "__main__":
    main(sys.argv[1])
