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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from ddsketch.ddsketch import BaseDDSketch
from ddsketch.mapping import LogarithmicMapping
from ddsketch.store import DenseStore

ACCURACY: Final = 0.01
"""Relative error of a quantile."""
MAPPING: Final = LogarithmicMapping(ACCURACY)
MOST_CALLS: Final = 10_000
BEYOND: Final = 10
"""Calls that must lie beyond a quantile for it to be told. How many do is a matter of chance, with the root of their
number as its standard deviation: with ten the share beyond is right within a third, with fewer single interrupts
decide.
"""
QUANTILES: Final = (0.5, 0.9, 0.99, 0.999)
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


@dataclass(slots=True)
class Sketch:
    """The distribution of single calls, ns."""

    store: Any = field(default_factory=DenseStore)
    """Counts by bin; bin k reaches from gamma^(k-1) to gamma^k ns."""
    zeros: int = 0
    """Durations that the clock could not tell from none."""
    least: int = 0
    most: int = 0
    total: int = 0
    timer_ns: float = 0.0
    """Median duration of nothing at all, by the same clock and loop."""

    @property
    def count(self) -> int:
        """Calls."""
        return int(self.store.count) + self.zeros

    @property
    def mean(self) -> float:
        """ns per call, the clock's own time included; NaN without calls."""
        return self.total / self.count if self.count else float("nan")

    def add(self, durations: Mapping[int, int]) -> None:
        """Durations in ns and how often each occurred. Raises :class:`ValueError` for a negative one."""
        if not durations:
            return
        least, most = min(durations), max(durations)
        if least < 0:
            raise ValueError(f"a call cannot take {least} ns")
        self.least = min(self.least, least) if self.count else least
        self.most = max(self.most, most)
        for ns, times in durations.items():
            if ns:
                self.store.add(MAPPING.key(ns), times)
            else:
                self.zeros += times
            self.total += ns * times


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


def plain(sketch: Sketch) -> dict[str, Any]:
    """The sketch as JSON has it; see ``latency.schema.json``. Empty bins are left out."""
    store = sketch.store
    bins = [(store.offset + place, int(count)) for place, count in enumerate(store.bins) if count]
    return {
        "gamma": MAPPING.gamma,
        "keys": [key for key, _ in bins],
        "counts": [count for _, count in bins],
        "zeros": sketch.zeros,
        "min": sketch.least,
        "max": sketch.most,
        "sum": sketch.total,
        "count": sketch.count,
        "timer_ns": sketch.timer_ns,
    }


def restore(document: Mapping[str, Any]) -> Sketch:
    """What :func:`plain` wrote. Raises :class:`ValueError` where it has other bins, or counts that do not add up."""
    if abs(document["gamma"] - MAPPING.gamma) > 1e-9:
        raise ValueError(f"bins of growth {document['gamma']}, {MAPPING.gamma} was expected")
    sketch = Sketch(
        zeros=document["zeros"],
        least=document["min"],
        most=document["max"],
        total=document["sum"],
        timer_ns=document["timer_ns"],
    )
    for key, count in zip(document["keys"], document["counts"], strict=True):
        sketch.store.add(key, count)
    if sketch.count != document["count"]:
        raise ValueError(f"{sketch.count} calls in the bins, {document['count']} were announced")
    return sketch


def merge(sketches: Iterable[Sketch]) -> Sketch:
    """All calls of all of them; the timer's share is the median of theirs. None of them is changed."""
    filled = [sketch for sketch in sketches if sketch.count]
    merged = Sketch()
    if not filled:
        return merged
    for sketch in filled:
        merged.store.merge(sketch.store)
        merged.zeros += sketch.zeros
        merged.total += sketch.total
    merged.least = min(sketch.least for sketch in filled)
    merged.most = max(sketch.most for sketch in filled)
    merged.timer_ns = float(median(sketch.timer_ns for sketch in filled))
    return merged


def enough(quantile: float) -> int:
    """How many calls it takes to tell a quantile: :data:`BEYOND` on its rarer side."""
    return round(BEYOND / min(quantile, 1 - quantile))


def quantiles(sketch: Sketch, wanted: Iterable[float] = QUANTILES) -> list[float | None]:
    """ns at each quantile, right within :data:`ACCURACY`; ``None`` where there are too few calls (:func:`enough`)."""
    library = BaseDDSketch(MAPPING, sketch.store, DenseStore(), sketch.zeros)
    found: list[float | None] = []
    for quantile in wanted:
        if sketch.count < enough(quantile):
            found.append(None)
            continue
        value = library.get_quantile_value(quantile)
        assert value is not None  # there are calls
        found.append(min(max(float(value), float(sketch.least)), float(sketch.most)))
    return found


def histogram(sketch: Sketch, most_bins: int = 60) -> list[tuple[float, float, int]]:
    """(from ns, to ns, calls) of each bin, ascending and without holes, neighbours joined to at most so many.

    Bins are even in the logarithm. Durations of zero are in a bin of their own, from 0 to 0.
    """
    found: list[tuple[float, float, int]] = [(0.0, 0.0, sketch.zeros)] if sketch.zeros else []
    store = sketch.store
    if not store.count:
        return found
    low, high = int(store.min_key), int(store.max_key)
    width = -(-(high - low + 1) // most_bins)
    for start in range(low, high + 1, width):
        counts = [store.bins[key - store.offset] for key in range(start, min(start + width, high + 1))]
        bounds = MAPPING.gamma ** (start - 1), MAPPING.gamma ** (start + width - 1)
        found.append((bounds[0], bounds[1], int(sum(counts))))
    return found
