# SPDX-License-Identifier: Apache-2.0
"""The rounds of one measuring process: how its chunks are made, warmed up, put in random order and run."""

import gc
import random
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Final, Protocol

from cside_suite.process import calls_singly, controls
from cside_suite.process import sketch as process_sketch
from cside_suite.process.block_file import Cell
from cside_suite.process.chunks import CHUNK_NS, JIT, Pause, compile_chunk, estimate_ns, loops_for, unroll_for
from cside_suite.process.collector import Target
from cside_suite.process.floor import Floor, NoFloor
from cside_suite.process.garbage import Garbage
from cside_suite.process.native_trace import NativeTrace
from cside_suite.process.request import FLOOR, Request, key
from cside_suite.subjects import names as subjects_names

CALIBRATION_NS: Final = 3_000_000
"""Time to estimate the duration of one call."""

INSIDE_NS: Final = 3_000_000
"""Time to measure the share of one target's time that passes inside its PKCS #11 module."""

LEAD_NS: Final = 2_000_000 if JIT else 350_000
"""Time of the chunks that are run before a workload and not counted: ten with a JIT, else three or four."""

LONGEST_LEAD_NS: Final = 10_000_000
"""A workload with a longer chunk needs none of them: a chunk warms caches up by itself."""

WINDOW_NS: Final = 2_000_000
"""Length of a window at the end of a warm-up by calls; the first windows are as short as a chunk."""

GROWTH: Final = 1.5
"""How much longer each window of a warm-up is than the one before it, up to :data:`WINDOW_NS`."""

WINDOWS: Final = 5
"""Windows that are compared with as many before them."""

AGREEMENT: Final = 0.05
"""Largest relative difference between the fastest window of either group: the call no longer becomes faster."""

FEWER_CALLS_FROM_NS: Final = 50_000
"""A call that takes longer needs no more than :data:`FEWER_CALLS` calls, however many the tier asks for."""

FEWER_CALLS: Final = 3_000
"""Calls after which a loop and its most frequent branches are compiled: PyPy's thresholds are 1,039 and 200."""

ANY_CALLS_FROM_NS: Final = 5_000_000
"""A call that takes longer is warm once its windows agree, however few calls were made: what is interpreted around it
is a small part of it.
"""

COLD: Final = 20
"""How many times as long a call may take before it is compiled, about."""

SETTLING: Final = 3
"""Rounds that are run first and count as warm-up, with a JIT: what other cells compile may change a shared trace."""

CALLS_SINGLY: Final = 10
"""Targets whose calls are timed one by one between two steps of the garbage collection."""


class Says(Protocol):
    """An object to which progress is reported."""

    def step(self, phase: str, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` parts of a phase are done."""

    def turn(self) -> int | None:
        """Wait for this process's turn; return its place among those of all processes, None if there is no more."""


def pause_of(request: Request, target: Target) -> Pause | None:
    """Return how a target is slowed down on purpose; None if it is not."""
    if target.subject == subjects_names.DELAYED:
        return Pause(100 * subjects_names.DELAY)
    for workload, subject, percent in request.handicaps:
        if (workload, subject) == (target.workload, target.subject):
            return Pause(percent)
    return None


def chunk_ns_of(request: Request) -> int:
    """Return the length of the chunks of the rounds that is aimed at."""
    return request.chunk_ns or CHUNK_NS


def chunks_of(request: Request, targets: list[Target], floor: Floor | NoFloor) -> dict[str, list[Cell]]:
    """Return the cells to time, by workload: one for each valid target, and those of the native floor.

    A workload that is excluded for :data:`cside_suite.process.request.FLOOR` has none of the latter. Controls have the
    calibration of their originals: chunks of other lengths would differ by what it takes to begin a chunk. The host of
    the loops in C has no cell.
    """
    cells: dict[str, list[Cell]] = defaultdict(list)
    chunk_ns = chunk_ns_of(request)
    for target in targets:
        if target.void is not None:
            continue
        members = cells[target.workload]
        if target.subject == subjects_names.HOST:
            continue
        name = key(target.workload, target.subject)
        ns = request.calibration.get(
            key(target.workload, subjects_names.original_of(target.subject, request.reference))
        )
        if ns is None:  # not calibrated: it failed in the calibrating process and works in this one
            ns = estimate_ns(target.function, target.draws, CALIBRATION_NS)
        unroll = unroll_for(ns / COLD if request.warm_calls else ns, len(target.draws))
        pause = pause_of(request, target)
        compiled = partial(compile_chunk, target.function, target.draws, unroll, name)
        cell = Cell(target.workload, target.subject, compiled(), loops_for(ns, unroll, chunk_ns), unroll, ns, pause)
        cell.recompile = compiled
        members.append(cell)
    for workload, members in cells.items():
        first = next(it for it in targets if it.workload == workload and it.void is None)
        for way, chunk in [] if (workload, FLOOR) in request.exclude else floor.chunks(first):
            if (workload, f"{FLOOR}.{way}") in request.exclude:
                continue
            calls, empty = chunk(1)
            ns = max(calls - empty, 1)
            for loops in (100, 10_000):
                if ns * loops < 10_000_000:
                    ns = max(chunk(loops)[0] / loops, 0.5)
            members.append(Cell(workload, f"{FLOOR}.{way}", chunk, loops_for(ns, 1, chunk_ns), 1, ns))
    return cells


def warm_up(cells: dict[str, list[Cell]], request: Request, progress: Says) -> None:
    """Run each cell for a while, as a JIT and a specialising interpreter need it, and keep every chunk.

    Then calibrate the delay of each cell that is slowed down.
    """
    everything = [cell for members in cells.values() for cell in members]
    for done, cell in enumerate(everything, start=1):
        progress.step("warm-up", done, len(everything))
        warm(cell, request)
        if cell.pause is not None:
            before = cell.chunk
            controls.calibrate(cell)
            if cell.chunk is not before:  # new code, which has to be warmed up as well
                warm(cell, request, resize=False)


def warm(cell: Cell, request: Request, *, resize: bool = True) -> None:
    """Warm one cell up: by calls until its windows agree, or for a time."""
    if request.warm_calls:
        chunk_ns = chunk_ns_of(request) if resize else 0
        cell.agreed = warm_until_steady(cell, request.warm_calls, request.warm_up_ns, chunk_ns=chunk_ns)
        return
    spent = 0
    while spent < request.warm_up_ns:
        spent += cell.run_warm()
        if cell.ns > request.warm_up_ns:
            break


def warm_until_steady(
    cell: Cell,
    least_calls: int,
    most_ns: int,
    *,
    chunk_ns: int = CHUNK_NS,
    clock: Callable[[], int] = time.process_time_ns,
) -> bool:
    """Run windows of a cell until it has made ``least_calls`` and its windows agree; return whether they did.

    Windows begin as short as a chunk and grow, since a call may take fifty times as long before it is compiled as
    after. After ``most_ns`` of processor time the warm-up ends in any case. The cell's chunks then get the length
    ``chunk_ns``, by the time that a warm call takes; if it is 0 they stay as they are.
    """
    first, calls, end = len(cell.warm_ns), 0, clock() + most_ns
    ns, length = max(cell.ns, 0.5), float(CHUNK_NS)
    levels: list[float] = []
    agreed = False
    while not agreed and clock() < end:
        cell.run_warm(max(1, round(length / (ns * cell.unroll))))
        calls += cell.warm_calls[-1]
        ns = max(cell.warm_ns[-1] / cell.warm_calls[-1], 0.5)
        if length >= WINDOW_NS:
            levels.append(ns)
        length = min(length * GROWTH, WINDOW_NS)
        fastest = min(levels, default=0)
        enough = calls >= (least_calls if fastest < FEWER_CALLS_FROM_NS else min(least_calls, FEWER_CALLS))
        agreed = (enough or fastest >= ANY_CALLS_FROM_NS) and agree(levels)
    if chunk_ns and len(cell.warm_ns) > first:
        cell.ns = min(levels[-WINDOWS:], default=ns)
        cell.loops = loops_for(cell.ns, cell.unroll, chunk_ns)
    return agreed


def agree(levels: list[float]) -> bool:
    """Whether the last :data:`WINDOWS` windows are as fast as those before them, to :data:`AGREEMENT`.

    The fastest window of each group is compared, which an interruption does not change.
    """
    if len(levels) < 2 * WINDOWS:
        return False
    before, after = min(levels[-2 * WINDOWS : -WINDOWS]), min(levels[-WINDOWS:])
    return abs(after - before) <= AGREEMENT * max(before, after)


def measure(cells: dict[str, list[Cell]], request: Request, draw: random.Random, progress: Says) -> None:
    """Run the rounds: in each round the workloads in random order, and the targets of each workload in random order.

    A slow workload takes part in some of the rounds only (:func:`visits`). All targets of a workload take part in the
    same rounds, so that their ratios are paired. Processes that measure in turns have the workloads of a round in the
    same order, those too of which they have no target, so that a turn is of the same workloads in all of them. Such a
    process ends when it gets no further turn, and the position of its chunks is the place of its turn.

    The first target of a workload would find caches filled and branch predictors trained by another workload, or by
    another process. That cost a few percent, and a quarter in workloads that decode bits; on PyPy, where compiled code
    is large, half after a turn of others. So some chunks of targets drawn at random are run first and not counted.
    """
    schedule: list[list[str]] = [[] for _ in range(request.rounds)]
    for workload in request.workloads if request.turn_visits else cells:
        for index in visits(workload, cells.get(workload, []), request, draw):
            schedule[index].append(workload)
    if JIT:
        schedule = [list(cells) for _ in range(SETTLING)] + schedule
    common = random.Random(f"{request.seed} order") if request.turn_visits else draw  # to seed it takes PyPy 2 ms
    total, done, visited, place, before = sum(map(len, schedule)), 0, 0, None, ""
    with Garbage() as garbage:
        if hasattr(gc, "freeze"):
            gc.freeze()
        for number, of_round in enumerate(schedule, start=request.rounds - len(schedule)):
            (draw if number < 0 else common).shuffle(of_round)
            for workload in of_round:
                if request.turn_visits and number >= 0:
                    if visited % request.turn_visits == 0:
                        place = progress.turn()
                        if place is None:
                            return
                        before = ""
                    visited += 1
                members = list(cells.get(workload, ()))
                if workload != before:
                    lead_in(members, draw)
                follows = workload == before and len(members) == 1
                before = workload
                draw.shuffle(members)
                for position, cell in enumerate(members):
                    if number < 0:
                        cell.run_warm()
                        cell.settling += 1
                    else:
                        cell.run(number, position if place is None else place, follows=follows)
                done += 1
                progress.step("measure", done, total)
            garbage.between_rounds(sum(len(cells.get(workload, ())) for workload in of_round))


def visits(workload: str, members: list[Cell], request: Request, draw: random.Random) -> list[int]:
    """Return the numbers of the rounds in which a workload takes part, drawn at random.

    A slow workload takes part in so many that it takes no more time than a fast one, ``least_visits`` at least. For
    processes that measure in turns this depends on what they have in common only: the seed, and the calibration of all.
    """
    chunk_ns = chunk_ns_of(request)
    if request.turn_visits:
        draw = random.Random(f"{request.seed} {workload} rounds")
        known = [ns for name, ns in request.calibration.items() if name.rpartition(" ")[0] == workload]
        mean_ns = max(median(known), chunk_ns) if known else chunk_ns
    else:
        mean_ns = sum(max(cell.loops * cell.unroll * cell.ns, 1.0) for cell in members) / len(members)
    count = int(request.rounds * 1.25 * chunk_ns / mean_ns)
    return draw.sample(range(request.rounds), min(request.rounds, max(request.least_visits, count)))


def lead_in(members: list[Cell], draw: random.Random) -> None:
    """Run chunks of randomly drawn cells for :data:`LEAD_NS`, without keeping their times."""
    spent = 0
    while members and spent < LEAD_NS:
        leader = draw.choice(members)
        if leader.loops * leader.unroll * leader.ns > LONGEST_LEAD_NS:
            return
        spent += sum(leader.chunk(leader.loops))


def time_calls(
    targets: list[Target], cells: dict[str, list[Cell]], request: Request, progress: Says
) -> dict[tuple[str, str], dict[str, object]]:
    """Time single calls of each target, for the tails that a chunk's mean hides; after the rounds, when all is warm."""
    steady = {
        (cell.workload, cell.subject): median(cell.calls_ns) / (cell.loops * cell.unroll)
        for members in cells.values()
        for cell in members
        if cell.calls_ns
    }
    found: dict[tuple[str, str], dict[str, object]] = {}
    if request.latency_ns:
        valid = [target for target in targets if target.void is None]
        with Garbage() as garbage:
            for done, target in enumerate(valid, start=1):
                progress.step("latency", done, len(valid))
                known = steady.get((target.workload, target.subject))
                sketch = calls_singly.observe(target.function, target.draws, request.latency_ns, steady_ns=known)
                found[(target.workload, target.subject)] = process_sketch.plain(sketch)
                if done % CALLS_SINGLY == 0:
                    garbage.between_rounds(CALLS_SINGLY * max(1, request.latency_ns // CHUNK_NS))
    return found


def time_inside(targets: list[Target], trace: NativeTrace) -> dict[tuple[str, str], float]:
    """Measure the share of each call that passes inside its PKCS #11 module, for targets that call one.

    This is done last, since tracing takes time.
    """
    found = {}
    for target in targets:
        names = [name for name in target.counts if name.startswith("C_")]
        if target.void is None and names:
            share = trace.inside_share(partial(target.function, *target.arguments), names, INSIDE_NS)
            found[(target.workload, target.subject)] = share
    return found


def calibrate(targets: list[Target], request: Request, progress: Says) -> dict[str, float]:
    """Return the ns per call of each valid target, by name."""
    found = {}
    valid = [target for target in targets if target.void is None]
    for done, target in enumerate(valid, start=1):
        progress.step("calibrate", done, len(valid))
        found[key(target.workload, target.subject)] = estimate_ns(
            target.function, target.draws, max(CALIBRATION_NS, 0 if request.warm_calls else request.warm_up_ns)
        )
    return found


class Stopwatch:
    """The seconds that each phase of the process took, from which the driver plans later processes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.monotonic()

    def lap(self, phase: str) -> None:
        """Record the time since the last call as that of ``phase``."""
        now = time.monotonic()
        self.seconds[phase] = round(now - self._last, 3)
        self._last = now
