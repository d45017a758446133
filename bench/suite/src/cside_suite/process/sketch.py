# SPDX-License-Identifier: Apache-2.0
"""Quantile sketches: the distribution of the durations of calls that are timed one by one.

A sketch is a DDSketch (C. Masson, J. E. Rim and H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with
relative-error guarantees", PVLDB 12(12), 2019). Its bins grow by a constant factor, so that every quantile is right
within :data:`ACCURACY`, and the sketches of several processes add up without loss. The measuring process fills sketches
(:mod:`.calls_singly`); the driver reads, merges and evaluates them by this module too. Besides the standard library it
needs ``ddsketch`` only, which is pure Python.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from ddsketch.ddsketch import BaseDDSketch
from ddsketch.mapping import LogarithmicMapping
from ddsketch.store import DenseStore

ACCURACY: Final = 0.01
"""The largest relative error of a quantile."""

MAPPING: Final = LogarithmicMapping(ACCURACY)
"""The numbering of the bins: durations from gamma^(k-1) to gamma^k ns are in bin k."""

QUANTILES: Final = (0.5, 0.9, 0.99, 0.999)
"""The quantiles that are reported."""

BEYOND: Final = 10
"""The number of calls that must lie beyond a quantile for it to be reported.

That number is random, and its standard deviation is its square root. With ten calls the share beyond the quantile is
right within a third; with fewer, single interrupts decide the result.
"""


@dataclass(slots=True)
class Sketch:
    """The distribution of the durations of single calls, in ns."""

    store: Any = field(default_factory=DenseStore)
    """The number of calls in each bin of :data:`MAPPING`."""
    zeros: int = 0
    """The number of calls whose duration the clock showed as 0."""
    least: int = 0
    """The shortest duration."""
    most: int = 0
    """The longest duration."""
    total: int = 0
    """The sum of all durations."""
    timer_ns: float = 0.0
    """The median duration of no call at all, measured with the same clock and loop."""

    @property
    def count(self) -> int:
        """The number of calls."""
        return int(self.store.count) + self.zeros

    @property
    def mean(self) -> float:
        """The mean duration in ns, which includes the clock's own time; NaN without calls."""
        return self.total / self.count if self.count else float("nan")

    def add(self, durations: Mapping[int, int]) -> None:
        """Add durations in ns, each with its number of calls. Raises `ValueError` for a negative duration."""
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


def plain(sketch: Sketch) -> dict[str, Any]:
    """Return the sketch as it is written to JSON (see ``latency.schema.json``), without empty bins."""
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
    """Return the sketch that :func:`plain` wrote.

    Raises `ValueError` if the document has other bins, or counts that do not add up.
    """
    if abs(document["gamma"] - MAPPING.gamma) > 1e-9:
        raise ValueError(f"bins of growth {document['gamma']}, {MAPPING.gamma} was expected")
    sketch = Sketch(
        zeros=document["zeros"],
        least=document["min"],
        most=document["max"],
        total=document["sum"],
        timer_ns=document["timer_ns"],
    )
    counts = dict(zip(document["keys"], document["counts"], strict=True))
    if counts:
        store = sketch.store
        for key in {min(counts), max(counts)}:  # makes room for all bins at once
            store.add(key, counts.pop(key))
        for key, count in counts.items():
            store.bins[key - store.offset] += count
            store.count += count
    if sketch.count != document["count"]:
        raise ValueError(f"{sketch.count} calls in the bins, {document['count']} were announced")
    return sketch


def merge(sketches: Iterable[Sketch]) -> Sketch:
    """Return one sketch of the calls of all sketches, with the median of their timers. The sketches stay unchanged."""
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
    """Return the number of calls that a quantile needs: :data:`BEYOND` of them on its rarer side."""
    return round(BEYOND / min(quantile, 1 - quantile))


def quantiles(sketch: Sketch, wanted: Iterable[float] = QUANTILES) -> list[float | None]:
    """Return the ns at each quantile, right within :data:`ACCURACY`; None with too few calls (:func:`enough`)."""
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
    """Return (from ns, to ns, calls) of each bin, in ascending order and without gaps.

    Neighbouring bins are joined until there are at most ``most_bins``. Bins have equal widths in the logarithm.
    Durations of zero are in a bin of their own, from 0 to 0.
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
