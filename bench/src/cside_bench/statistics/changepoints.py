# SPDX-License-Identifier: Apache-2.0
"""Changepoints: the places where a series of chunks changes from one level to another for reasons other than noise.

:mod:`cside_bench.statistics.warmup` uses these functions; its docstring gives the method and the source of the
constants. Levels are logarithms of ns per call.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import ruptures  # type: ignore[import-untyped]  # it has no types
from numpy.typing import NDArray
from scipy import ndimage

Array = NDArray[np.float64]

PENALTY: Final = 15.0
"""Penalty of a changepoint: this number times log n, in units of minus twice the log likelihood, as in the paper."""
TOLERANCE: Final = 0.10
"""Relative difference below which two levels count as the same. On a shared machine, the level of code that does not
change varies by 5 to 8 % within a process, and cells that run next to each other vary independently. What a compiler
does changes a level by more.
"""
OUTLIER: Final = 3.0
"""Number of robust standard deviations from the median of its neighbours beyond which a chunk is an outlier."""
WINDOW: Final = 21
"""Number of chunks in the window around a chunk, with the chunk itself in the middle."""
EXCURSION: Final = WINDOW // 2
"""Largest number of chunks in a slow period that ends at the level before it. It is set aside like an outlier."""
START: Final = 10
"""Number of chunks at the start that are never outliers: slow chunks there are what the method looks for."""
QUIETEST: Final = 0.01
"""Least relative standard deviation that is assumed for a series, however well it repeats."""
SETTLED: Final = 8
"""Least number of chunks at one level at the end of a warm-up that has settled."""
INTERLEAVING: Final = 1.5
"""Largest factor by which caches can shift the level between warm-up and rounds."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Chunks ``start`` to ``end`` (exclusive) of a series; the other fields leave out the outliers among them."""

    start: int
    end: int
    level: float
    """Mean of the logarithm of ns per call."""
    spread: float
    """Standard deviation of the logarithm of ns per call."""
    nchunks: int
    """Number of chunks without the outliers."""


def outliers(levels: Array) -> NDArray[np.bool_]:
    """Return which elements are further from the median of their neighbours than the neighbours' spread explains."""
    middle = ndimage.median_filter(levels, size=WINDOW, mode="nearest")
    away = np.abs(levels - middle)
    spread = 1.4826 * ndimage.median_filter(away, size=WINDOW, mode="nearest")
    found = away > OUTLIER * np.maximum(spread, QUIETEST)
    return np.asarray(found, dtype=np.bool_)


def noise(levels: Array) -> float:
    """Return a robust estimate of the noise: the standard deviation of the levels within segments.

    It is computed from the differences of neighbours in the latter half of the series, after the warm-up.
    """
    steps = np.abs(np.diff(levels[len(levels) // 2 :]))
    return max(QUIETEST, 1.4826 * float(np.median(steps)) / np.sqrt(2)) if len(steps) else QUIETEST


def segment(levels: Array, first: int = 0) -> list[Segment]:
    """Divide a series of levels into segments; indices count from ``first``.

    The method is PELT with the cost of a normal distribution of known variance, which is least squares: ``KernelCPD``
    of ruptures (C. Truong, L. Oudre and N. Vayatis, Signal Processing 167, 2020) with its linear kernel.
    """
    away = outliers(levels)
    away[: max(0, START - first)] = False
    kept = np.flatnonzero(~away)
    if len(kept) < 2:
        kept = np.arange(len(levels))
    clean = levels[kept]
    if len(clean) < 2:
        return [Segment(first, first + len(levels), float(clean.mean()), 0.0, len(clean))] if len(clean) else []
    search = ruptures.KernelCPD(kernel="linear", min_size=1).fit((clean / noise(clean)).reshape(-1, 1))
    ends = [int(end) for end in search.predict(pen=PENALTY * np.log(len(clean)))]
    found = []
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        part = clean[start:end]
        limit = len(levels) if end == len(clean) else int(kept[end])
        begin = 0 if start == 0 else int(kept[start])
        found.append(Segment(first + begin, first + limit, float(part.mean()), float(part.std()), len(part)))
    return found


def limit_of(final: Segment) -> float:
    """Return the largest distance from the level of ``final`` at which another level counts as the same."""
    return max(float(np.log1p(TOLERANCE)), final.spread)


def without_excursions(segments: Sequence[Segment]) -> list[Segment]:
    """Remove short slow segments that return to the level before them, and too short slow ones at the end.

    The chunks of a removed segment become part of the segment before it, so that the time spent in them counts.
    """
    found: list[Segment] = []
    place = 0
    while place < len(segments):
        back = found[-1] if found else None
        length = 0 if back is None else excursion(back, segments[place:])
        if back is not None and length:
            end = segments[place + length - 1].end
            found[-1] = Segment(back.start, end, back.level, back.spread, back.nchunks)
            place += length
        else:
            found.append(segments[place])
            place += 1
    return found


def excursion(before: Segment, following: Sequence[Segment]) -> int:
    """Return how many of the following segments are slow before the level is that of ``before`` again; 0 for none."""
    limit, chunks = limit_of(before), 0
    for length, it in enumerate(following):
        if length and abs(it.level - before.level) <= limit:
            return length
        chunks += it.nchunks
        if it.level <= before.level or chunks > EXCURSION:
            return 0
    return len(following) if chunks < SETTLED // 2 else 0


def settled(segments: Sequence[Segment]) -> tuple[float, int]:
    """Return level and number of chunks of the first level that lasts, after at most a short slow period.

    The number is 0 if there is no such level.
    """
    skipped = 0
    for place, start in enumerate(segments):
        limit, level, chunks = limit_of(start), 0.0, 0
        for it in segments[place:]:
            if abs(it.level - start.level) > limit:
                break
            level, chunks = level + it.level * it.nchunks, chunks + it.nchunks
        if chunks >= SETTLED:
            return level / chunks, chunks
        skipped += start.nchunks
        if skipped > EXCURSION or (place + 1 < len(segments) and segments[place + 1].level > start.level):
            break
    return float("nan"), 0


def two_phases(levels: Array, rounds_from: int) -> tuple[list[Segment], float]:
    """Return the segments over warm-up and rounds, and the shift between the two that interleaving explains.

    The shift is removed from the levels of the warm-up. It is NaN if interleaving explains none.
    """
    warm_up = without_excursions(segment(levels[:rounds_from]))
    rounds = without_excursions(segment(levels[rounds_from:], rounds_from))
    (before, chunks), (after, held) = settled(warm_up[::-1]), settled(rounds)
    shift = after - before
    if chunks < max(SETTLED, rounds_from // 4) or not held or abs(shift) > np.log(INTERLEAVING):
        return warm_up + rounds, float("nan")
    moved = [Segment(it.start, it.end, it.level + shift, it.spread, it.nchunks) for it in warm_up]
    return without_excursions(moved + rounds), float(np.exp(shift))
