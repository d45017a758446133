# SPDX-License-Identifier: Apache-2.0
"""Quantile sketches of calls that are timed one by one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any, Final

from ddsketch.ddsketch import BaseDDSketch
from ddsketch.mapping import LogarithmicMapping
from ddsketch.store import DenseStore

ACCURACY: Final = 0.01
"""Relative error of a quantile."""


MAPPING: Final = LogarithmicMapping(ACCURACY)


BEYOND: Final = 10
"""Calls that must lie beyond a quantile for it to be told. How many do is a matter of chance, with the root of their
number as its standard deviation: with ten the share beyond is right within a third, with fewer single interrupts
decide.
"""


QUANTILES: Final = (0.5, 0.9, 0.99, 0.999)


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
