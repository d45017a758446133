"""Inner timing: how one chunk of calls is run and timed.

Every target gets a code object of its own, compiled from fresh source, so that neither the specialising interpreter of
CPython nor a tracing JIT shares between targets what it has learnt. The same loop with an empty body, compiled for this
target alone, is timed beside each chunk.

The calls of one pass of the loop take the draws of the workload's arguments by turns. On CPython the pass is unrolled
and all arguments are local variables, so that taking turns costs nothing. With a JIT each pass of the loop makes one
call, whose arguments it reads from a list of the draws, and the empty loop reads them too. There are three reasons. A
trace of eight calls may exceed the longest trace that PyPy compiles. What is constant in a loop, such as the conversion
of an argument that never changes, is moved out of it by the compiler; what is read from a list in each pass is not. And
there is no inner loop: where PyPy begins to trace depends on how often the code ran before, and a trace of an inner
loop that begins at the last draw is that of a loop which ends after one pass. Such a cell ran a third slower than the
same cell in another process.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from cside_suite.workloads._empty import spin

JIT: Final = sys.implementation.name == "pypy"
"""Whether the interpreter compiles loops while they run."""

CHUNK_NS: Final = 200_000 if JIT else 100_000
"""The length of a chunk that is aimed at.

Chunks of twice the length scattered twice as much on CPython, on a machine that is interrupted often
(``docs/method.md``).
"""

UNROLL: Final = 8
"""Calls in one pass of the loop."""

UNROLLED_BELOW_NS: Final = CHUNK_NS / UNROLL
"""Calls that take longer are not unrolled, since a chunk has fewer than :data:`UNROLL` of them: one pass of the loop
makes one call of each draw, and a single call where there are no draws.
"""

Chunk = Callable[[int], tuple[int, int]]
"""Takes the number of loops; returns (ns of the loop with calls, ns of the empty loop)."""
Arguments = tuple[Any, ...]
"""The arguments of one call."""

_UNROLLED: Final = """
def make(function, turns, clock, keep, pause):
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

_INDEXED: Final = """
def make(function, turns, clock, keep, pause):
    def calls(loops):
        f = function
        {delay}
        sequence = turns
        result = None
        loop = range(loops * {count})
        start = clock()
        for index in loop:
            {targets} = sequence[index % {count}]
            result = f({names})
        {after}
        end = clock()
        keep[0] = result
        return end - start
    def empty(loops):
        sequence = turns
        loop = range(loops * {count})
        start = clock()
        for index in loop:
            {targets} = sequence[index % {count}]
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


def turns_of(draws: Sequence[Arguments], unroll: int) -> list[Arguments]:
    """Return the arguments of the calls in one pass of the loop: the draws by turns."""
    return [draws[index % len(draws)] for index in range(unroll)]


def body_of(turns: Sequence[Arguments]) -> tuple[str, str, list[str]]:
    """Return source for unrolled calls: what unpacks ``turns``, what makes local variables of that, and each call.

    A draw that takes its turn more than once has one set of variables.
    """
    places: dict[int, int] = {}
    for arguments in turns:
        places.setdefault(id(arguments), len(places))
    of_turn = [places[id(arguments)] for arguments in turns]
    names = [[f"a{place}_{index}" for index in range(len(turns[of_turn.index(place)]))] for place in range(len(places))]
    bind = "; ".join(f"({', '.join(own)},) = turns[{of_turn.index(place)}]" for place, own in enumerate(names) if own)
    local = "; ".join(f"x{name} = {name}" for own in names for name in own)
    calls = [f"result = f({', '.join('x' + name for name in names[place])})" for place in of_turn]
    return bind or "pass", local or "pass", calls


def compile_chunk(
    function: Callable[..., Any],
    draws: Sequence[Arguments],
    unroll: int,
    name: str = "",
    pause: Pause | None = None,
    *,
    indexed: bool = JIT,
) -> Chunk:
    """Compile a chunk with ``unroll`` calls of ``function`` per loop, which take the ``draws`` by turns.

    ``name`` is what a traceback shows. The last result is kept until the next chunk, so that a JIT cannot remove the
    calls. A ``pause`` is called within the timed region. ``indexed`` makes one call in each pass of the loop, with
    arguments that it reads from a list.
    """
    global _serial
    _serial += 1
    turns = turns_of(draws, unroll)
    delay, after = ("p = pause", "p()") if pause is not None else ("", "")
    if indexed:
        names = [f"x{index}" for index in range(len(turns[0]))]
        source = _INDEXED.format(
            targets="".join(f"{name}, " for name in names) or "_nothing",
            names=", ".join(names),
            count=len(turns),
            delay=delay,
            after=after,
        )
    else:
        bind, local, calls = body_of(turns)
        source = _UNROLLED.format(bind=bind, locals=local, delay=delay, after=after, body="\n            ".join(calls))
    namespace: dict[str, Any] = {}
    exec(compile(source, f"<chunk {_serial} {name}>", "exec"), namespace)  # our own source, from the templates above
    run, empty = namespace["make"](function, turns, time.perf_counter_ns, [None], pause)

    def chunk(loops: int) -> tuple[int, int]:
        return run(loops), empty(loops)

    return chunk


def unroll_for(ns_per_call: float, draws: int = 1) -> int:
    """Return how many calls of this duration one loop makes.

    With several draws it is one of each at least: the chunks of a workload must not differ in what they are given.
    """
    return max(1, draws) if ns_per_call > UNROLLED_BELOW_NS else max(UNROLL, draws)


def loops_for(ns_per_call: float, unroll: int, chunk_ns: int = CHUNK_NS) -> int:
    """Return the number of loops in a chunk of about ``chunk_ns``."""
    return max(1, round(chunk_ns / (max(ns_per_call, 0.5) * unroll)))


def estimate_ns(function: Callable[..., Any], draws: Sequence[Arguments], warm_up_ns: int) -> float:
    """Estimate the ns per call, after running for about ``warm_up_ns``.

    Each number of loops is timed three times and the fastest time counts, so that an interruption is not mistaken for a
    slow call. The estimate is for calibration only and never reported.
    """
    calls = max(1, len(draws))
    chunk = compile_chunk(function, draws, calls)
    loops, spent = 1, 0
    while True:
        tries = [chunk(loops)[0] for _ in range(3)]
        spent += sum(tries)
        best = min(tries)
        if best >= CHUNK_NS / 4 and spent >= warm_up_ns:
            return best / loops / calls
        if best < CHUNK_NS:
            loops *= 2
