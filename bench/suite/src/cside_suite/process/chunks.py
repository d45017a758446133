"""Inner timing: how one chunk of calls is run and timed.

Every target gets a code object of its own, compiled from fresh source, so that neither the specialising interpreter of
CPython nor a tracing JIT shares what it learnt between targets. Calls are unrolled, function and arguments bound as
locals beforehand. The same loop with an empty body, compiled for this target alone, is timed beside each chunk.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from cside_suite.workloads._empty import spin

CHUNK_NS: Final = 200_000
"""Length of a chunk that is aimed at."""
UNROLL: Final = 10
SLOW_NS: Final = CHUNK_NS / UNROLL
"""Calls that take longer are not unrolled: a chunk holds less than :data:`UNROLL` of them."""

Chunk = Callable[[int], tuple[int, int]]
"""Takes the number of loops; returns (ns of the loop with calls, ns of the empty loop)."""

_SOURCE: Final = """
def make(function, arguments, clock, keep, pause):
    {bind}
    def calls(loops):
        f = function
        {delay}
        {locals}
        result = None
        loop = range(loops)
        start = clock()
        for _ in loop:
            {body}
        {after}
        end = clock()
        keep[0] = result
        return end - start
    def empty(loops):
        loop = range(loops)
        start = clock()
        for _ in loop:
            pass
        end = clock()
        return end - start
    return calls, empty
"""

_serial = 0


class Pause:
    """What slows each chunk of a cell down on purpose: a control, or a handicap.

    Where a chunk has calls enough, it is more of them, which nobody counts: whatever slows a call down slows these down
    as well. Else it is counting in C, whose length is found out beforehand.
    """

    def __init__(self, percent: float) -> None:
        self.percent = percent
        """Of the chunk's own net time."""
        self.loops = 0
        """Loops more than counted."""
        self.steps = 0
        """Of :func:`cside_suite.workloads._empty.spin`."""

    def __call__(self) -> None:
        """Count; within the time of the chunk."""
        if self.steps:
            spin(self.steps)


def compile_chunk(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    unroll: int,
    name: str = "",
    pause: Pause | None = None,
) -> Chunk:
    """A chunk of ``unroll`` calls a loop of ``function(*arguments)``; ``name`` is what a traceback shows.

    The last result is kept until the next chunk, so that no JIT may drop the calls. A ``pause`` is within the time.
    """
    global _serial
    _serial += 1
    names = [f"a{index}" for index in range(len(arguments))]
    source = _SOURCE.format(
        bind=f"({', '.join(names)},) = arguments" if names else "pass",
        locals="; ".join(f"x{name} = {name}" for name in names) or "pass",
        delay="p = pause" if pause is not None else "",
        after="p()" if pause is not None else "",
        body="\n            ".join([f"result = f({', '.join('x' + name for name in names)})"] * unroll),
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, f"<chunk {_serial} {name}>", "exec"), namespace)  # our own source, from the template above
    calls, empty = namespace["make"](function, arguments, time.perf_counter_ns, [None], pause)

    def chunk(loops: int) -> tuple[int, int]:
        return calls(loops), empty(loops)

    return chunk


def unroll_for(ns_per_call: float) -> int:
    """How often to unroll calls of that length."""
    return 1 if ns_per_call > SLOW_NS else UNROLL


def loops_for(ns_per_call: float, unroll: int) -> int:
    """How many loops make a chunk."""
    return max(1, round(CHUNK_NS / (max(ns_per_call, 0.5) * unroll)))


def estimate_ns(function: Callable[..., Any], arguments: tuple[Any, ...], warm_up_ns: int) -> float:
    """ns per call, after running for about ``warm_up_ns``.

    Each number of loops is tried three times and the fastest counts, so that a stall of the machine is not taken for a
    slow call. For calibration only: what it returns is never reported.
    """
    chunk = compile_chunk(function, arguments, 1)
    loops, spent = 1, 0
    while True:
        tries = [chunk(loops)[0] for _ in range(3)]
        spent += sum(tries)
        best = min(tries)
        if best >= CHUNK_NS / 4 and spent >= warm_up_ns:
            return best / loops
        if best < CHUNK_NS:
            loops *= 2
