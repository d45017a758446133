# SPDX-License-Identifier: Apache-2.0
"""One process that counts instructions: ``python -m cside_suite.process.instructions REQUEST``, under callgrind.

It loads and checks the same subjects as a measuring process (:mod:`cside_suite.process.block`), and then counts the
instructions of every target's calls instead of timing them. :mod:`cside_bench.run.instructions` starts it, and keeps
equal whatever might make two such processes differ.

Before the counting begins, callgrind instruments nothing, which is ten times as fast. A count is what
``_marker.count`` dumps: all instructions in user mode, of all threads, from the beginning to the end of one chunk of
calls. The difference between chunks of N and of 2 N loops removes what is done once per chunk.

The native floor runs an empty loop and the calls in one function of C and reads the clock between the two. Callgrind is
told to dump there as well, so that the parts of such a count are the parts that the floor times. Since other code reads
the clock too (in CPython 3.13, all code that takes a lock), floors are counted in a process of their own.
"""

import gc
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from cside_suite.process import _marker
from cside_suite.process.block import Progress, collect, judge, load_all, void_all
from cside_suite.process.chunks import UNROLL, Arguments, body_of, turns_of
from cside_suite.process.collector import Target
from cside_suite.process.floor import TRACED, Floor, NoFloor
from cside_suite.process.heap import Heap
from cside_suite.process.request import Request
from cside_suite.subjects import names as subjects_names
from cside_suite.workloads._empty import spin

FLOOR_MODE: Final = "count-floor"
"""The mode of a request for the floors only; that of a request for the targets only is ``count``."""

AIM: Final = 200_000
"""Instructions in the shorter of two chunks, about."""

UNROLLED: Final = 20_000
"""Calls of fewer instructions are unrolled, as :mod:`cside_suite.process.chunks` unrolls fast calls."""

LONG: Final = 1_000_000
"""Single calls are counted from this number of instructions on: what is done once per chunk is less than 0.1 %."""

MOST_LOOPS: Final = 64
"""The largest number of loops in the shorter chunk: twice as many are below 257, and CPython keeps such integers."""

FLOOR_LOOPS: Final = 1000
"""The largest number of loops in C."""

TOLERANCE: Final = 0.005
"""A cell is stable if two counts differ by at most this share."""

TRIES: Final = 3
"""The number of tries for a cell that is not stable, each with four times as many loops as the one before."""

REPEATS: Final = 4
"""Counts of each chunk in each of the two halves of a try; see :func:`cleanest`."""

PATIENCE: Final = 10_000_000
"""The number of instructions in a chunk beyond which a further try has no more loops."""

WARM_UP_LOOPS: Final = 20
"""Loops of each chunk before the counting: CPython 3.11 to 3.14 specialise a call after fewer."""

WARM_UP_NS: Final = 3_000_000
"""Calls that take longer than this in total get fewer loops: their own code has loops, or is not Python's."""

SPIN_STEPS: Final = 10_000
"""Steps of ``spin`` from which the instructions of one step are counted."""

UNTOLD: Final = "the trace reads the clock, which takes another way under valgrind"
"""Why the floor with the library's trace is not counted."""

_SOURCE: Final = """
def make(function, turns, keep, drag):
    {bind}
    def calls(loops):
        f = function
        {locals}
        result = None
        for _ in range(loops):
            {body}
        {after}
        keep[0] = result
    return calls
"""

Chunk = Callable[[int], object]
"""Takes the number of loops."""


class Drag:
    """Instructions added to each chunk of a handicapped cell; :class:`cside_suite.process.chunks.Pause` adds time."""

    def __init__(self, percent: float) -> None:
        self.percent = percent
        """The instructions that are added, in percent of the cell's own."""
        self.steps = 0.0
        """Steps of :func:`cside_suite.workloads._empty.spin` per call; 0 until the cell itself has been counted."""

    def __call__(self, calls: int) -> None:
        """Execute the instructions for this number of calls."""
        spin(round(self.steps * calls))


@dataclass(slots=True)
class Count:
    """The count of one cell, as the result file has it."""

    workload: str
    subject: str
    instructions: float | None = None
    """The instructions of one call in user mode, without those of the empty loop."""
    calls: int = 0
    """The number of calls in the longest chunk that was counted."""
    stable: bool = False
    """Whether the two counts differ by at most :data:`TOLERANCE`."""
    spread: float | None = None
    """The relative difference of the two counts in this process."""
    void: str | None = None
    """Why the cell was not counted; None if it was."""


class Counter:
    """Runs chunks and reads what callgrind dumps; ``stem`` is the path that callgrind was given for its output."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self._part = 0

    def parts(self, chunk: Chunk, loops: int) -> list[int]:
        """Return the instructions of ``chunk(loops)``, split where the clock was read.

        Raises `RuntimeError` if callgrind dumped nothing.
        """
        for _ in self._dumped():
            pass  # dumps of what the process did between two counts
        _marker.count(chunk, loops)
        found = list(self._dumped())
        if not found:
            raise RuntimeError(f"callgrind wrote no dump to {self._stem}.*")
        return found

    def total(self, chunk: Chunk, loops: int) -> int:
        """Return the instructions of ``chunk(loops)``."""
        return sum(self.parts(chunk, loops))

    def _dumped(self) -> Iterator[int]:
        """Yield the totals of the new dumps in their order, and delete the dumps."""
        while True:
            path = f"{self._stem}.{self._part + 1}"
            try:
                with open(path, "rb", buffering=0) as stream:
                    stream.seek(max(0, os.fstat(stream.fileno()).st_size - 100))
                    tail = stream.read()
            except FileNotFoundError:
                return
            os.unlink(path)
            self._part += 1
            yield total_of(tail)


def total_of(dump: bytes) -> int:
    """Return the total of a dump, of which this is the end. Raises `ValueError` if there is none."""
    _, found, rest = dump.rpartition(b"\ntotals:")
    if not found:
        raise ValueError("a dump of callgrind ends without a total")
    return int(rest)


def compile_calls(
    function: Callable[..., Any], draws: Sequence[Arguments], unroll: int, name: str, drag: Drag | None = None
) -> Chunk:
    """Compile the loop of :func:`cside_suite.process.chunks.compile_chunk` without its clock, from fresh source."""
    turns = turns_of(draws, unroll)
    bind, local, calls = body_of(turns)
    source = _SOURCE.format(
        bind=bind,
        locals=local,
        body="\n            ".join(calls) or "pass",
        after=f"drag({unroll} * loops)" if drag is not None else "",
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, f"<count {name}>", "exec"), namespace)  # our own source, from the template above
    made: Chunk = namespace["make"](function, turns, [None], drag)
    return made


def difference(counter: Callable[[Chunk, int], int], chunk: Chunk, loops: int) -> float:
    """Return the instructions of one loop: the difference between a chunk and one with twice as many loops."""
    once, twice = counter(chunk, loops), counter(chunk, 2 * loops)
    return (twice - once) / loops


def cleanest(counter: Callable[[Chunk, int], int], chunk: Chunk, loops: int) -> tuple[int, int]:
    """Return the smallest counts of a chunk and of one twice as long, each counted :data:`REPEATS` times in turn.

    A chunk keeps its last result, so that the next chunk finds the allocator's free blocks in another order. In some of
    these orders each loop takes the last block of a pool, which costs up to 100 instructions more. The smallest count
    is that of the call alone.
    """
    found = [(counter(chunk, loops), counter(chunk, 2 * loops)) for _ in range(REPEATS)]
    return min(once for once, _ in found), min(twice for _, twice in found)


def spread(first: float, second: float) -> float:
    """Return the relative difference of two counts; 0 if both are 0."""
    return abs(first - second) / max(abs(first), abs(second)) if first != second else 0.0


class Process:
    """Counts the cells of one process."""

    def __init__(self, counter: Counter) -> None:
        self.counter = counter
        empty = compile_calls(_marker.active, [()], 0, "empty")
        for _ in range(WARM_UP_LOOPS):
            empty(MOST_LOOPS)
        self.per_loop = median(difference(counter.total, empty, MOST_LOOPS) for _ in range(TRIES))
        """The instructions of a loop without any call."""
        one = compile_calls(_marker.active, [()], 1, "one call")
        for _ in range(WARM_UP_LOOPS):
            one(1)
        self.per_chunk = 2 * counter.total(one, 1) - counter.total(one, 2)
        """The instructions of a chunk without any loop."""

    def calls(self, count: Count, chunks: dict[int, Chunk], drag: Drag | None = None) -> None:
        """Count a target's calls: ``chunks`` are its chunks by the calls in a loop, ``drag`` slows them down."""
        self._calls(count, chunks)
        if drag is not None and count.instructions is not None:
            step = difference(self.counter.total, spin, SPIN_STEPS)
            drag.steps = count.instructions * drag.percent / 100 / step
            self._calls(count, chunks)

    def _calls(self, count: Count, chunks: dict[int, Chunk]) -> None:
        total = self.counter.total
        single = total(chunks[1], 1) - self.per_chunk - self.per_loop
        if single > LONG:
            self._note(count, single, total(chunks[1], 1) - self.per_chunk - self.per_loop, 1)
            if count.stable:
                return
        else:  # the first call after other work takes more instructions
            single = total(chunks[1], 1) - self.per_chunk - self.per_loop
        unroll = UNROLL if single < UNROLLED else 1
        loops = max(1, min(MOST_LOOPS, round(AIM / max(single * unroll, 1))))
        for _ in range(TRIES):
            total(chunks[unroll], loops)
            halves = [cleanest(total, chunks[unroll], loops) for _ in range(2)]
            both = [min(totals) for totals in zip(*halves, strict=True)]
            first, second, all_ = (((twice - once) / loops - self.per_loop) / unroll for once, twice in (*halves, both))
            self._note(count, first, second, 2 * loops * unroll)
            count.instructions = all_
            if count.stable:
                return
            loops = max(loops, min(MOST_LOOPS, 4 * loops, round(PATIENCE / max(single * unroll, 1))))

    def floor(self, count: Count, chunk: Chunk) -> None:
        """Count a loop in C."""

        def calls(chunk: Chunk, loops: int) -> int:
            _, empty, _, *rest = self.counter.parts(chunk, loops)
            return sum(rest[:-1]) - empty

        single = calls(chunk, 1)
        if single > LONG:
            self._note(count, single, calls(chunk, 1), 1)
            if count.stable:
                return
        loops = max(1, min(FLOOR_LOOPS, round(AIM / max(single, 1))))
        for _ in range(TRIES):
            first, second = (difference(calls, chunk, loops) for _ in range(2))
            self._note(count, first, second, 2 * loops)
            if count.stable:
                return
            loops *= 2

    @staticmethod
    def _note(count: Count, first: float, second: float, calls: int) -> None:
        count.instructions = (first + second) / 2
        count.calls = calls
        count.spread = spread(first, second)
        count.stable = count.spread <= TOLERANCE


def warm(chunks: dict[int, Chunk]) -> None:
    """Run each chunk of a target until the interpreter has specialised it, for :data:`WARM_UP_NS` at most."""
    end = time.perf_counter_ns() + WARM_UP_NS
    for chunk in chunks.values():
        for _ in range(WARM_UP_LOOPS):
            chunk(1)
            if time.perf_counter_ns() > end:
                return


Todo = list[tuple[Count, Callable[[Process], None]]]
"""Cells to count, each with the function that counts it."""


def prepare_targets(targets: list[Target], drags: dict[tuple[str, str], Drag], progress: Progress) -> Todo:
    """Return the cell of each target with the function that counts it, and warm the target up."""
    found: Todo = []
    for done, target in enumerate(targets, start=1):
        progress.step("warm-up", done, len(targets))
        if target.subject == subjects_names.DELAYED:
            continue  # its delay is time, not instructions
        count = Count(target.workload, target.subject, void=target.void)
        chunks: dict[int, Chunk] = {}
        drag = drags.get((target.workload, target.subject))
        if target.void is None:
            name = f"{target.workload} {target.subject}"
            for unroll in (1, UNROLL):
                chunks[unroll] = compile_calls(target.function, target.draws, unroll, name, drag)
            warm(chunks)
        found.append((count, partial(Process.calls, count=count, chunks=chunks, drag=drag)))
    return found


def prepare_floors(targets: list[Target], floor: Floor | NoFloor, progress: Progress) -> Todo:
    """Return the cells of the floors of each workload that has a valid target."""
    found: Todo = []
    first = {target.workload: target for target in reversed(targets) if target.void is None}
    for done, target in enumerate(first.values(), start=1):
        progress.step("warm-up", done, len(first))
        for way, chunk in floor.chunks(target):
            count = Count(target.workload, f"floor.{way}", void=UNTOLD if way == TRACED else None)
            if count.void is None:
                chunk(1)
            found.append((count, partial(Process.floor, count=count, chunk=chunk)))
    return found


def count_all(todo: Todo, counter: Counter, progress: Progress) -> list[Count]:
    """Count every cell that is not void."""
    gc.collect()
    gc.freeze()
    gc.disable()
    _marker.start()
    process, heap = Process(counter), Heap()
    for done, (count, run) in enumerate(todo, start=1):
        progress.say(phase="count", workload=count.workload, subject=count.subject)
        progress.step("count", done, len(todo))
        try:
            if count.void is None:
                heap.settle()
                run(process)
        except Exception as error:  # a cell that fails is void; the others are not
            count.instructions, count.void = None, f"failed when it was counted: {error}"
        gc.collect(0)
    _marker.stop()
    return [count for count, _ in todo]


def run(request: Request, folder: Path) -> None:
    """Count everything that the request asks for."""
    progress = Progress()
    if not _marker.active():
        raise SystemExit("this process has to run under valgrind --tool=callgrind")
    sys.setswitchinterval(10)  # no other Python thread runs while a chunk does, unless a workload starts one
    loaded = load_all(request, progress, random.Random(request.seed), folder)
    collector = collect(request, progress, loaded)
    judge(request, collector, loaded.floor)
    counter = Counter(stem(request.out))
    if request.mode == FLOOR_MODE:
        counts = count_all(prepare_floors(collector.targets, loaded.floor, progress), counter, progress)
    else:
        targets = collector.targets + void_all(loaded.unloadable, collector.targets, collector.skips)
        known = {(target.workload, target.subject) for target in targets}
        drags = {(workload, subject): Drag(percent) for workload, subject, percent in request.handicaps}
        counts = count_all(prepare_targets(targets, drags, progress), counter, progress)
        counts += [Count(*pair, void=reason) for pair, reason in collector.failures.items() if pair not in known]
    document = {"python": sys.version, "cells": [asdict(count) for count in counts]}
    Path(request.out).write_text(json.dumps(document), encoding="utf-8")


def stem(out: str) -> str:
    """Return the path to which callgrind dumps what it counts for a request that writes to ``out``."""
    return f"{out}.callgrind"


def main(path: str) -> None:
    """Carry out the request in the file ``path``."""
    with TemporaryDirectory(prefix="cside-") as folder:
        run(Request.load(Path(path)), Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
