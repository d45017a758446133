# SPDX-License-Identifier: Apache-2.0
"""Tails: calls timed one by one, kept as a sketch of their distribution.

The mean of a chunk hides the call in a thousand that takes ten times as long. Here a target's calls are timed singly,
with the clock read before and after each. Reading the clock takes about as long as a short call: what it takes is
measured with the same loop around nothing and kept beside (``timer_ns``), never subtracted, so a quantile is to be
compared with those of other targets of the same process and not with the means of chunks.

Durations go into a DDSketch (C. Masson, J. E. Rim and H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch
with relative-error guarantees", PVLDB 12(12), 2019): bins whose bounds grow by a factor, so that every quantile is
right within :data:`ACCURACY`, and sketches of processes add up without loss. The measuring process and the driver use
this module alike; besides the standard library it needs ``ddsketch`` alone, which is pure Python.
"""

import gc
import sys
import time
from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from cside_suite.process.sketch import Sketch

MOST_CALLS: Final = 10_000
WARM_CALLS: Final = 3_000 if sys.implementation.name == "pypy" else 64
"""Before the first that counts, in the same loop: above PyPy's thresholds for loops (1,039) and then for bridges."""
WARM_SHARE: Final = 10 if sys.implementation.name == "pypy" else 0.25
"""Of the budget: what these may take."""
WARM: Final = 1.5
"""Calls are warm whose median is no more than this many times the time per call that is known from the rounds."""
WARMEST_SHARE: Final = 50
"""Of the budget: what warming up may take where calls are not so yet. PyPy's ctypes needs 20,000 of them."""
TIMER_PAIRS: Final = 200

_SOURCE: Final = """
def make(function, arguments, clock, keep):
    {bind}
    def calls(most, budget, durations):
        f = function
        {locals}
        append = durations.append
        result = None
        spent = 0
        for _ in range(most):
            start = clock()
            {body}
            end = clock()
            append(end - start)
            spent += end - start
            if spent >= budget:
                break
        keep[0] = result
    return calls
"""

Clock = Callable[[], int]
"""Nanoseconds, monotonic."""
Loop = Callable[[int, float, list[int]], None]
"""Takes the most calls, the budget in ns and the list that durations are appended to."""


def compile_loop(function: Callable[..., Any] | None, arguments: tuple[Any, ...], clock: Clock) -> Loop:
    """A loop of code of its own that times single calls of ``function(*arguments)``, or nothing for ``None``.

    Function and arguments are locals beforehand, and the last result is kept, as in :mod:`.chunks`.
    """
    names = [f"a{index}" for index in range(len(arguments))]
    source = _SOURCE.format(
        bind=f"({', '.join(names)},) = arguments" if names else "pass",
        locals="; ".join(f"x{name} = {name}" for name in names) or "pass",
        body="pass" if function is None else f"result = f({', '.join('x' + name for name in names)})",
    )
    namespace: dict[str, Any] = {}
    exec(compile(source, "<latency>", "exec"), namespace)  # our own source, from the template above
    loop: Loop = namespace["make"](function, arguments, clock, [None])
    return loop


_timers: Final[dict[Clock, Loop]] = {}


def timer_ns(clock: Clock = time.perf_counter_ns) -> float:
    """What the two readings of the clock around a call take at this moment, ns; the median of many pairs."""
    if clock not in _timers:
        _timers[clock] = compile_loop(None, (), clock)
        _timers[clock](WARM_CALLS, 1e9, [])
    durations: list[int] = []
    _timers[clock](TIMER_PAIRS, 1e9, durations)
    return float(median(durations))


def warm_up(loop: Loop, budget_ns: float, warm_ns: float) -> list[int]:
    """Run the loop until its calls are warm, or it is no use; returns the durations of the last batch."""
    spent = 0
    while True:
        durations: list[int] = []
        loop(WARM_CALLS, budget_ns * WARM_SHARE, durations)
        spent += sum(durations)
        if median(durations) <= warm_ns or spent >= budget_ns * WARMEST_SHARE:
            return durations


def observe(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    budget_ns: float,
    clock: Clock = time.perf_counter_ns,
    steady_ns: float | None = None,
) -> Sketch:
    """Time single calls of ``function(*arguments)`` until they have taken ``budget_ns``.

    There is at least one, and at most :data:`MOST_CALLS`. Calls that warm the loop up come first and do not count, but
    for one that takes the budget by itself: one batch, or, given the time per call that other chunks of the process
    reached (``steady_ns``), as many as it takes to come near it, within :data:`WARMEST_SHARE` of the budget. The
    garbage collector is off meanwhile (PyPy's young collections, which belong to allocation, go on). Whatever the
    function raises passes through.
    """
    loop = compile_loop(function, arguments, clock)
    sketch = Sketch(timer_ns=timer_ns(clock))
    warm_ns = float("inf") if steady_ns is None else WARM * (steady_ns + sketch.timer_ns)
    collects = gc.isenabled()
    gc.disable()
    try:
        durations = warm_up(loop, budget_ns, warm_ns)
        if durations[0] < budget_ns:
            durations = []
            loop(MOST_CALLS, budget_ns, durations)
    finally:
        if collects:
            gc.enable()
    sketch.add(Counter(durations))
    return sketch
