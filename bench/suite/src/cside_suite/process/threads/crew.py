# SPDX-License-Identifier: Apache-2.0
"""A crew of threads that repeat one call until a common deadline: the timing of :mod:`.measure`.

Each thread makes its arguments itself, so that the threads share the function that they call but no data. It waits at a
gate for the others. Then it makes calls in chunks and reads the clock after each chunk, until the deadline has passed.
The wall time ends with the last chunk of the last thread, and all calls count: a chunk that begins before the deadline
is counted in full, and so is its time.

The gate is one lock per thread. The waiting thread opens all of them at once, so that a thread has to take the GIL once
to begin. With a ``threading.Barrier`` it would have to take the GIL several times. If a call holds the GIL, each of
these is a turn lost, and threads that start late would look slow.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

CHUNK_NS: Final = 200_000
"""The length of a chunk that is aimed at: short compared with a shift, long compared with reading the clock."""

UNROLL: Final = 10
"""Calls in one pass of the loop."""

HANGING_S: Final = 60.0
"""A thread that has not ended this long after its deadline is taken to hang."""

_SOURCE: Final = """
def make(function, clock):
    def work({parameters}loops, deadline):
        f = function
        done = 0
        while True:
            for _ in range(loops):
                {body}
            done += loops
            now = clock()
            if now >= deadline:
                return done, now, result
    return work
"""

Arguments = tuple[Any, ...]
"""The arguments of one call."""

_serial = 0


class Hanging(Exception):
    """A thread did not begin or end in time; the process cannot go on."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What a crew did between the opening of the gate and the deadline."""

    calls: tuple[int, ...]
    """The number of calls of each thread."""
    ns: int
    """The wall time from the opening of the gate to the end of the last thread."""
    cpu_ns: int
    """The CPU time of the whole process meanwhile; divided by ``ns``, the number of cores that it had."""
    results: tuple[object, ...]
    """The last result of each thread."""


class Work:
    """A call, in a loop with a code object of its own, which all threads of a crew run.

    The loop is compiled from fresh source, so that neither the specialising interpreter nor a JIT shares with another
    target what it has learnt.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Arguments], *, name: str) -> None:
        """Compile the loop of ``function(*make())``; each thread calls ``make`` once. A traceback shows ``name``."""
        self.function = function
        self.make = make
        self._name = name
        self._loop = _compile(function, len(make()), 1, name)
        self._unroll = 1
        self._loops = 1

    def calibrate(self, warm_up_ns: int) -> None:
        """Find the number of calls in a chunk, by making calls on this thread for at least about ``warm_up_ns``."""
        arguments = self.make()
        for unroll in (1, UNROLL):
            self._unroll = unroll
            self._loop = _compile(self.function, len(arguments), unroll, self._name)
            loops, spent = 1, 0
            while True:
                start = time.perf_counter_ns()
                end = self._loop(*arguments, loops, 0)[1]
                spent += end - start
                if end - start >= CHUNK_NS / 2:
                    if spent >= warm_up_ns:
                        break
                elif loops < 1 << 40:
                    loops *= 2
            self._loops = max(1, round(loops * CHUNK_NS / (end - start)))
            if self._loops < UNROLL:  # slow calls gain nothing from unrolling
                break

    @property
    def chunk(self) -> int:
        """The number of calls in a chunk."""
        return self._loops * self._unroll

    def shift(self, threads: int, duration_ns: int) -> Shift:
        """Let ``threads`` new threads make calls for ``duration_ns``, and then to the end of their chunks.

        A single thread is a new one, too. Raises what the first failing thread raised, and `Hanging` if a thread does
        not begin or end.
        """
        deadline = 0
        done: list[tuple[int, int, object]] = [(0, 0, None)] * threads
        failed: list[BaseException] = []
        ready, gates = _closed(threads), _closed(threads)

        def member(number: int) -> None:
            try:
                arguments = self.make()
                ready[number].release()
                gates[number].acquire()
                done[number] = self._loop(*arguments, self._loops, deadline)
            except BaseException as error:  # raised by the thread that waits for all
                failed.append(error)
                if ready[number].locked():
                    ready[number].release()

        crew = [threading.Thread(target=member, args=(number,), daemon=True) for number in range(threads)]
        for thread in crew:
            thread.start()
        for lock in ready:
            if not lock.acquire(timeout=HANGING_S):
                raise Hanging(f"{self._name}: a thread of {threads} has not begun for {HANGING_S:.0f} s")
        cpu_start = time.process_time_ns()
        start = time.perf_counter_ns()
        deadline = start + duration_ns
        for lock in gates:
            lock.release()
        for thread in crew:
            thread.join(duration_ns * 1e-9 + HANGING_S)
            if thread.is_alive():
                raise Hanging(f"{self._name}: a thread of {threads} has not come back for {HANGING_S:.0f} s")
        if failed:
            raise failed[0]
        return Shift(
            tuple(loops * self._unroll for loops, _, _ in done),
            max(end for _, end, _ in done) - start,
            time.process_time_ns() - cpu_start,
            tuple(result for _, _, result in done),
        )


def _closed(count: int) -> list[threading.Lock]:
    """Return locks that are taken."""
    locks = [threading.Lock() for _ in range(count)]
    for lock in locks:
        lock.acquire()
    return locks


def _compile(
    function: Callable[..., Any], arguments: int, unroll: int, name: str
) -> Callable[..., tuple[int, int, object]]:
    global _serial
    _serial += 1
    names = [f"a{index}" for index in range(arguments)]
    source = _SOURCE.format(
        parameters="".join(f"{name}, " for name in names),
        body="\n                ".join([f"result = f({', '.join(names)})"] * unroll),
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, f"<crew {_serial} {name}>", "exec"), namespace)  # our own source, from the template above
    work: Callable[..., tuple[int, int, object]] = namespace["make"](function, time.perf_counter_ns)
    return work
