# SPDX-License-Identifier: Apache-2.0
"""One process that measures how calls scale over threads: ``python -m cside_suite.process.threads.measure REQUEST``.

Every binding, the standard library and the native ceiling (threads that run one loop in C each) make the same calls
with 1, 2, 4 and 8 threads, but no more than two for each CPU. In each round the calls come in random order, and for
each call all pairs of subject and number of threads in random order, so that what is compared was measured within a
second or two. Speed-ups are not computed here: the file has the calls of each thread and the wall time of each cell,
round by round, for :mod:`cside_bench.summary.threads`.

The process is not pinned to a CPU. The switch interval stays as the interpreter sets it, so that a thread keeps the GIL
as long as in a user's program.

On a free-threaded build, importing a binding may switch the GIL on for the whole process. Therefore each binding is
first imported in a process of its own. Those that switch the GIL on are measured apart, each in a process of its own.

Progress goes to standard output, one JSON object per line, as in :mod:`cside_suite.process.block`.
"""

import json
import os
import platform
import random
import subprocess
import sys
import sysconfig
import time
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import cside_native

from cside_suite.files import write_json
from cside_suite.process import images
from cside_suite.process.garbage import Garbage
from cside_suite.process.threads.calls import Call, Machine, calls
from cside_suite.process.threads.crew import Hanging, Shift, Work
from cside_suite.process.threads.request import Request, Shape, divide, usable_cpus
from cside_suite.subjects.bindings import Implementation, discover
from cside_suite.subjects.gil import gil_policy
from cside_suite.subjects.thread_calls import NATIVE, STDLIB

FORMAT: Final = 1
"""The version of the file's format."""

WARM_UP_NS: Final = {"cpython": 5_000_000, "pypy": 100_000_000}
"""The warm-up of each call, by implementation."""

CHECKED_NS: Final = 10_000_000
"""The time for which all threads make a call at once and compare its results, before anything is timed."""

PROGRESS_EVERY_NS: Final = 200_000_000
"""The shortest time between two lines of progress in one phase."""


@dataclass(frozen=True, slots=True)
class Target:
    """The call of one subject, checked and warmed up."""

    call: Call
    subject: str
    gil: str
    """``held`` or ``released`` during the native call, ``off`` without a GIL, ``none`` for the native ceiling."""
    work: Work


@dataclass(slots=True)
class Prepared:
    """The targets to be timed, and the calls that are not timed, with the reasons."""

    targets: list[Target] = field(default_factory=list)
    void: list[dict[str, str]] = field(default_factory=list)
    gaps: list[dict[str, str]] = field(default_factory=list)
    """Calls that a binding declares missing."""


@dataclass(slots=True)
class Cell:
    """A target with one number of threads, and its results."""

    target: Target
    threads: int
    duration_ns: int
    shifts: list[Shift] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        """The names of the call and the subject."""
        return self.target.call.name, self.target.subject

    def run(self) -> str | None:
        """Run one shift; return what is wrong with it, or None."""
        try:
            shift = self.target.work.shift(self.threads, self.duration_ns)
        except Hanging:
            raise
        except Exception as error:  # a call that raises is void; other calls are not
            return f"{type(error).__name__} with {self.threads} threads: {error}"
        self.shifts.append(Shift(shift.calls, shift.ns, shift.cpu_ns, ()))
        right = self.target.subject == NATIVE or all(self.target.call.right(result) for result in shift.results)
        return None if right else f"gives a wrong result with {self.threads} threads"


class Progress:
    """Writes progress for the driver to the standard output that this process was started with."""

    def __init__(self) -> None:
        self._stream = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
        os.dup2(2, 1)  # what a binding or a child process prints goes to standard error
        self._last = 0

    def say(self, **fields: object) -> None:
        """Write one line."""
        self._stream.write(json.dumps(fields) + "\n")

    def step(self, phase: str, done: int, total: int) -> None:
        """Write one line, unless the last one is too recent."""
        now = time.monotonic_ns()
        if now - self._last > PROGRESS_EVERY_NS or done == total:
            self._last = now
            self.say(phase=phase, done=done, total=total)


def gil_enabled() -> bool:
    """Return whether this process has a GIL that is switched on."""
    probe = getattr(sys, "_is_gil_enabled", None)
    return probe is None or bool(probe())


def chosen(request: Request) -> list[Implementation]:
    """Return the bindings that the request names, or, without names, all bindings but no variants.

    Raises `BindingError` for a name that is not installed.
    """
    found = discover(request.bindings)
    return [it for it in found if (it.name in request.bindings if request.bindings else not it.variant)]


def load(implementation: Implementation, library_sha256: str) -> str | None:
    """Import a binding; return why it cannot be used, or None."""
    before = images.mapped()
    try:
        implementation.features, implementation.idioms, implementation.codec  # noqa: B018  # reading them imports them
    except Exception as error:  # a binding that fails to import is void; the others are not
        return f"cannot be used: {error}"
    return images.foreign(before, library_sha256) if library_sha256 else None


def switches_gil_on(name: str) -> bool:
    """Return whether importing this binding alone, in a new process of this interpreter, switches the GIL on."""
    source = (
        "import sys\nfrom cside_suite.subjects.bindings import discover\n"
        "it, = [it for it in discover([sys.argv[1]]) if it.name == sys.argv[1]]\n"
        "it.idioms, it.codec\nprint(int(sys._is_gil_enabled()))\n"
    )
    done = subprocess.run([sys.executable, "-c", source, name], capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout.strip() == "1"


def check(call: Call, work: Work, threads: int) -> str | None:
    """Return why a call is void (a wrong result, a result unlike that of one thread, or an exception), or None."""
    try:
        alone = work.function(*work.make())
        if not call.right(alone):
            return "gives a wrong result"
        wrong: list[object] = []

        def compare(*arguments: Any) -> None:
            result = work.function(*arguments)
            if result != alone:
                wrong.append(result)

        Work(compare, work.make, name=f"check {call.name}").shift(threads, CHECKED_NS)
    except Hanging:
        raise
    except Exception as error:  # a call that raises is void; other calls are not
        return f"{type(error).__name__} with {threads} threads: {error}"
    return f"{len(wrong)} results with {threads} threads are not that of one thread" if wrong else None


def prepare(
    request: Request, implementations: Iterable[Implementation], machine: Machine, progress: Progress
) -> Prepared:
    """Import the bindings, check every call of each with all threads, and warm it up."""
    excluded = set(request.exclude)
    wanted = [it for it in calls(machine) if not request.only or any(part in it.name for part in request.only)]
    if not wanted:
        raise SystemExit(f"no call has any of these in its name: {', '.join(request.only)}")
    found, loaded = Prepared(), []
    for implementation in implementations:
        progress.say(phase="import", workload="import", subject=implementation.name)
        if (reason := load(implementation, request.library_sha256)) is None:
            loaded.append(implementation)
        else:
            found.void += [{"call": call.name, "subject": implementation.name, "reason": reason} for call in wanted]
    warm_up_ns = WARM_UP_NS.get(sys.implementation.name, max(WARM_UP_NS.values()))
    held = gil_enabled()
    for done, call in enumerate(wanted, start=1):
        loop = machine.loop(call)
        native = Work(loop.run, loop.make, name=f"{call.name} {NATIVE}")
        found.targets.append(Target(call, NATIVE, "none", native))
        candidates: list[tuple[str, Any, frozenset[str]]] = [
            (it.name, getattr(it, call.noun), it.features)
            for it in loaded
            if call.needs is None or call.needs in it.features
        ]
        if call.noun == "codec" and not request.apart:
            candidates.append((STDLIB, zlib, frozenset()))
        for subject, module, features in candidates:
            if (call.name, subject) in excluded:
                continue
            progress.say(phase="check", workload=call.name, subject=subject)
            work = Work(getattr(module, call.function), call.make, name=f"{call.name} {subject}")
            if (reason := check(call, work, max(request.threads))) is not None:
                found.void.append({"call": call.name, "subject": subject, "reason": reason})
                continue
            work.calibrate(warm_up_ns)
            policy = gil_policy(call.calls, call.name, features)
            found.targets.append(Target(call, subject, policy if held else "off", work))
        progress.step("warm-up", done, len(wanted))
    found.gaps = [
        {"call": call.name, "subject": it.name, "reason": it.gaps.get(call.needs, f"lacks {call.needs}")}
        for call in wanted
        for it in loaded
        if call.needs is not None and call.needs not in it.features
    ]
    return found


def measure(cells: list[Cell], rounds: int, draw: random.Random, progress: Progress) -> list[dict[str, str]]:
    """Run the rounds; return the calls that turned out to be void, whose cells are incomplete."""
    by_call: dict[str, list[Cell]] = {}
    for cell in cells:
        by_call.setdefault(cell.target.call.name, []).append(cell)
    broken: dict[tuple[str, str], str] = {}
    total, done = rounds * len(cells), 0
    with Garbage() as garbage:
        for _ in range(rounds):
            order = list(by_call.values())
            draw.shuffle(order)
            for members in order:
                draw.shuffle(members)
                for cell in members:
                    if cell.key not in broken:
                        # if the process crashes, the driver knows what ran
                        progress.say(phase="measure", workload=cell.key[0], subject=cell.key[1])
                        if (reason := cell.run()) is not None:
                            broken[cell.key] = reason
                    done += 1
                    progress.step("measure", done, total)
            garbage.between_rounds(10 * len(cells))  # each cell ran for milliseconds
    return [{"call": call, "subject": subject, "reason": reason} for (call, subject), reason in broken.items()]


def part(request: Request, implementations: list[Implementation], progress: Progress) -> dict[str, Any]:
    """Measure these bindings in this process."""
    at_start = gil_enabled()
    prepared = prepare(request, implementations, Machine(), progress)
    after_imports = gil_enabled()
    switch_s = sys.getswitchinterval()
    shapes = {
        (target, threads): Shape(threads, target.gil, target.subject == NATIVE)
        for target in prepared.targets
        for threads in request.threads
    }
    rounds, cell_ns = divide(shapes.values(), request, switch_s)
    cells = [Cell(target, threads, shape.lasting(cell_ns, switch_s)) for (target, threads), shape in shapes.items()]
    void = prepared.void + measure(cells, rounds, random.Random(request.seed), progress)
    lost = {(it["call"], it["subject"]) for it in void}
    return {
        "subjects": [it.name for it in implementations],
        "gil_enabled": {"at_start": at_start, "after_imports": after_imports, "at_end": gil_enabled()},
        "rounds": rounds,
        "cell_ms": cell_ns / 1e6,
        "cells": [
            {
                "call": cell.key[0],
                "subject": cell.key[1],
                "threads": cell.threads,
                "gil": cell.target.gil,
                "calls": [list(shift.calls) for shift in cell.shifts],
                "ns": [shift.ns for shift in cell.shifts],
                "cpu_ns": [shift.cpu_ns for shift in cell.shifts],
            }
            for cell in cells
            if cell.key not in lost
        ],
        "void": void,
        "gaps": prepared.gaps,
        "usage": usage(),
    }


def usage() -> dict[str, float] | None:
    """Return what the system counted for this process so far, or None if it counts nothing."""
    try:
        import resource
    except ImportError:
        return None
    own = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "user_s": own.ru_utime,
        "system_s": own.ru_stime,
        "voluntary_switches": own.ru_nvcsw,
        "involuntary_switches": own.ru_nivcsw,
        "major_faults": own.ru_majflt,
    }


def measure_apart(request: Request, name: str, budget_ms: float) -> dict[str, Any]:
    """Measure one binding that switches the GIL on in a process of its own. Raises `RuntimeError` if that fails."""
    out = Path(request.out).with_suffix(f".{name}")
    path = out.with_suffix(f".{name}-request")
    replace(request, bindings=[name], apart=True, out=str(out), budget_ms=budget_ms).save(path)
    try:
        command = [sys.executable, "-X", "faulthandler", "-m", "cside_suite.process.threads.measure", str(path)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"the process that measures {name} apart ended with code {done.returncode}")
        (found,) = json.loads(out.read_text(encoding="utf-8"))["processes"]
    finally:
        path.unlink(missing_ok=True)
        out.unlink(missing_ok=True)
    return dict(found)


def main(path: str) -> None:
    """Carry out the request in the file ``path``."""
    started = datetime.now(UTC)
    request = Request.load(Path(path))
    progress = Progress()
    implementations = chosen(request)
    apart = []
    if not gil_enabled() and not request.apart:
        apart = [it.name for it in implementations if switches_gil_on(it.name)]
    together = [it for it in implementations if it.name not in apart]
    random.Random(request.seed).shuffle(together)
    share = request.budget_ms / max(len(implementations), 1)
    processes = [part(replace(request, budget_ms=request.budget_ms - share * len(apart)), together, progress)]
    for name in apart:
        progress.say(phase="check", workload="threads", subject=name)
        processes.append(measure_apart(request, name, share))
    document = {
        "format": FORMAT,
        "interpreter": request.interpreter,
        "started": started.isoformat(),
        "seed": request.seed,
        "implementation": sys.implementation.name,
        "implementation_version": ".".join(map(str, sys.implementation.version[:3])),
        "python_version": platform.python_version(),
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "switches_gil_on": apart,
        "cpus": usable_cpus(),
        "affinity": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "switch_interval_s": sys.getswitchinterval(),
        "threads": request.threads,
        "library": images.sha256(cside_native.library()),
        "processes": processes,
    }
    write_json(Path(request.out), document)


if __name__ == "__main__":
    main(sys.argv[1])
