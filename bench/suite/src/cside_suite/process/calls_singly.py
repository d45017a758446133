# SPDX-License-Identifier: Apache-2.0
"""Timing of single calls, for the tails of their distribution.

The mean of a chunk hides the call in a thousand that takes ten times as long. This module times the calls of a target
one by one: it reads the clock before and after each. Reading the clock takes about as long as a short call. That time
is measured with the same loop without a call, and kept beside the durations (``timer_ns``); it is never subtracted.
Therefore a quantile can be compared with the quantiles of other targets of the same process, but not with the means of
chunks. The durations are kept as a sketch of their distribution (:mod:`.sketch`).
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from statistics import median
from typing import Any, Final

from cside_suite.process.chunks import Arguments
from cside_suite.process.garbage import Garbage
from cside_suite.process.sketch import Sketch

MOST_CALLS: Final = 10_000
"""The largest number of calls that are timed for one target."""

WARM_CALLS: Final = 3_000 if sys.implementation.name == "pypy" else 64
"""Calls in a batch of the warm-up, in the same loop: above PyPy's thresholds for loops (1,039) and then for bridges."""

WARM_SHARE: Final = 10 if sys.implementation.name == "pypy" else 0.25
"""Largest duration of one batch of the warm-up, as a multiple of the budget."""

WARM: Final = 1.5
"""A target is warm if the median of its calls is at most this multiple of the time per call in the rounds."""

WARMEST_SHARE: Final = 50
"""Largest duration of the whole warm-up, as a multiple of the budget. PyPy's ctypes needs 20,000 calls."""

TIMER_PAIRS: Final = 200
"""Pairs of readings of the clock from which its own time is taken."""

_SOURCE: Final = """
def make(function, draws, clock, keep):
    def calls(most, budget, durations):
        f = function
        append = durations.append
        result = None
        spent = 0
        for {targets} in islice(cycle(draws), most):
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
"""Returns nanoseconds and never goes back."""
Loop = Callable[[int, float, list[int]], None]
"""Takes the largest number of calls, the budget in ns, and the list to which it appends the durations in ns."""


def compile_loop(function: Callable[..., Any] | None, draws: Sequence[Arguments], clock: Clock) -> Loop:
    """Compile a loop that times single calls of ``function``, which take the ``draws`` by turns; None for a loop
    without a call.

    The loop has a code object of its own. Function and arguments are local variables in it, and the last result is
    kept, as in :mod:`.chunks`.
    """
    names = [f"x{index}" for index in range(len(draws[0]))]
    source = _SOURCE.format(
        targets="".join(f"{name}, " for name in names) or "_nothing",
        body="pass" if function is None else f"result = f({', '.join(names)})",
    )
    namespace: dict[str, Any] = {"islice": islice, "cycle": cycle}
    exec(compile(source, "<latency>", "exec"), namespace)  # our own source, from the template above
    loop: Loop = namespace["make"](function, list(draws), clock, [None])
    return loop


_timers: Final[dict[Clock, Loop]] = {}


def timer_ns(clock: Clock = time.perf_counter_ns) -> float:
    """Return the time in ns that the two readings of the clock around a call take now: the median of many pairs."""
    if clock not in _timers:
        _timers[clock] = compile_loop(None, [()], clock)
        _timers[clock](WARM_CALLS, 1e9, [])
    durations: list[int] = []
    _timers[clock](TIMER_PAIRS, 1e9, durations)
    return float(median(durations))


def warm_up(loop: Loop, budget_ns: float, warm_ns: float) -> list[int]:
    """Run batches of calls until the calls are warm or the time is over; return the durations of the last batch.

    Calls are warm if the median of a batch is at most ``warm_ns``.
    """
    spent = 0
    while True:
        durations: list[int] = []
        loop(WARM_CALLS, budget_ns * WARM_SHARE, durations)
        spent += sum(durations)
        if median(durations) <= warm_ns or spent >= budget_ns * WARMEST_SHARE:
            return durations


def observe(
    function: Callable[..., Any],
    draws: Sequence[Arguments],
    budget_ns: float,
    clock: Clock = time.perf_counter_ns,
    steady_ns: float | None = None,
) -> Sketch:
    """Time single calls of ``function``, which take the ``draws`` by turns, until they have taken ``budget_ns``.

    At least one call is timed, and at most :data:`MOST_CALLS`. Calls that warm the loop up are made before and do not
    count, except for a call that takes the whole budget. The warm-up is one batch. If the time per call in the rounds
    of this process is known (``steady_ns``), it is as many batches as are needed to come near to it, limited by
    :data:`WARMEST_SHARE`. Garbage is collected as :mod:`cside_suite.process.garbage` says. Whatever the function raises
    is passed on.
    """
    loop = compile_loop(function, draws, clock)
    sketch = Sketch(timer_ns=timer_ns(clock))
    warm_ns = float("inf") if steady_ns is None else WARM * (steady_ns + sketch.timer_ns)
    with Garbage():
        durations = warm_up(loop, budget_ns, warm_ns)
        if durations[0] < budget_ns:
            durations = []
            loop(MOST_CALLS, budget_ns, durations)
    sketch.add(Counter(durations))
    return sketch
