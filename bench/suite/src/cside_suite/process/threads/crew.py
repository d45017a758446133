# SPDX-License-Identifier: Apache-2.0
"""A crew of threads that makes one call until a common deadline, and counts: the inner timing of
:mod:`cside_suite.process.threads.measure`.

Each thread makes its arguments itself, so that threads share the function that they call and no data, meets the others
at a gate and calls in chunks, reading the clock after each, until the deadline has passed. The wall time ends with the
last thread's last chunk, and all calls that were finished count: a chunk that begins before the deadline is neither
lost nor free.

The gate is a lock for each thread, opened by the waiting thread in one go: to begin, a thread has to take the GIL
once. A ``threading.Barrier`` makes it take the GIL several times, and where a call holds the GIL each of them is a
turn lost, so that late starters would look like slow ones.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

CHUNK_NS: Final = 200_000
"""Length of a chunk that is aimed at: short against a shift, long against reading the clock."""
UNROLL: Final = 10
HANGING_S: Final = 60.0
"""A thread that is not back this long after its deadline never will be."""

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
_serial = 0


class Hanging(Exception):
    """Threads that did not come back; the process cannot go on."""


@dataclass(frozen=True, slots=True)
class Shift:
    """What a crew did in one go."""

    calls: tuple[int, ...]
    """Finished by each thread."""
    ns: int
    """Wall time from the opening of the gate to the end of the last thread."""
    cpu_ns: int
    """CPU time of the whole process meanwhile: over ``ns``, the cores that it got."""
    results: tuple[object, ...]
    """Each thread's last."""


class Work:
    """A call with code of its own, which all threads of a crew run.

    The code is compiled from fresh source, so that neither the specialising interpreter nor a JIT shares what it
    learnt with another target.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Arguments], *, name: str) -> None:
        """Calls ``function(*make())``; ``make`` runs once in each thread. ``name`` is what a traceback shows."""
        self.function = function
        self.make = make
        self._name = name
        self._loop = _compile(function, len(make()), 1, name)
        self._unroll = 1
        self._loops = 1

    def calibrate(self, warm_up_ns: int) -> None:
        """Find how many calls make a chunk, running them for about ``warm_up_ns`` at least, on this thread."""
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
        """Calls in a chunk."""
        return self._loops * self._unroll

    def shift(self, threads: int, duration_ns: int) -> Shift:
        """Let ``threads`` new threads work for ``duration_ns`` and to the end of their chunks.

        Raises what the first failing thread raised, or :class:`Hanging`. One thread alone is a new one, too.
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
            except BaseException as error:  # told by the thread that waits for all
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
    """Locks that are taken."""
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
