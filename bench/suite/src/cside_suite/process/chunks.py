"""Inner timing: how one chunk of calls is run and timed.

Every target gets a code object of its own, compiled from fresh source, so that neither the specialising interpreter of
CPython nor a tracing JIT shares between targets what it has learnt. Calls are unrolled; function and arguments are
local variables. The same loop with an empty body, compiled for this target alone, is timed beside each chunk.
"""

import time
from collections.abc import Callable
from typing import Any, Final

from cside_suite.workloads._empty import spin

CHUNK_NS: Final = 200_000
"""The length of a chunk that is aimed at."""

UNROLL: Final = 10
"""Calls in one pass of the loop."""

SLOW_NS: Final = CHUNK_NS / UNROLL
"""Calls that take longer are not unrolled: a chunk has fewer than :data:`UNROLL` of them."""

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
    """A delay that slows each chunk of a cell down on purpose, for a control or a handicap.

    If a chunk has enough calls, the delay is further calls that are not counted: whatever slows a call down slows the
    delay down as well. Otherwise it is counting in C, whose length is calibrated beforehand.
    """

    def __init__(self, percent: float) -> None:
        self.percent = percent
        """The delay, in percent of the chunk's own net time."""
        self.loops = 0
        """Loops that are run but not counted."""
        self.steps = 0
        """Steps of :func:`cside_suite.workloads._empty.spin`."""

    def __call__(self) -> None:
        """Count in C; the chunk calls this within its timed region."""
        if self.steps:
            spin(self.steps)


def compile_chunk(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    unroll: int,
    name: str = "",
    pause: Pause | None = None,
) -> Chunk:
    """Compile a chunk with ``unroll`` calls of ``function(*arguments)`` per loop.

    ``name`` is what a traceback shows. The last result is kept until the next chunk, so that a JIT cannot remove the
    calls. A ``pause`` is called within the timed region.
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
    """Return how often to unroll calls of this duration."""
    return 1 if ns_per_call > SLOW_NS else UNROLL


def loops_for(ns_per_call: float, unroll: int) -> int:
    """Return the number of loops in a chunk."""
    return max(1, round(CHUNK_NS / (max(ns_per_call, 0.5) * unroll)))


def estimate_ns(function: Callable[..., Any], arguments: tuple[Any, ...], warm_up_ns: int) -> float:
    """Estimate the ns per call, after running for about ``warm_up_ns``.

    Each number of loops is timed three times and the fastest time counts, so that an interruption is not mistaken for a
    slow call. The estimate is for calibration only and never reported.
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
