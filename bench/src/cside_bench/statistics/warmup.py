# SPDX-License-Identifier: Apache-2.0
"""Warm-up and steady state: whether and when each cell stops getting faster or slower.

The method is that of E. Barrett, C. F. Bolz-Tereick, R. Killick, S. Mount and L. Tratt, "Virtual Machine Warmup Blows
Hot and Cold", OOPSLA 2017: outliers are set aside, changepoints are found by PELT (R. Killick, P. Fearnhead and I. A.
Eckley, JASA 107, 2012) with their penalty of 15 log n, segments whose levels are equivalent count as one, and a series
is classified as flat, warmup, slowdown or without steady state by its segments. The differences, and the reasons for
them:

- Levels are logarithms of ns per call, since noise is proportional to time and cells span six orders of magnitude.
- Changepoints are those of the mean; the paper's are of mean and variance. A noisy period is not a change of level, and
  the noise is measured by the spread of the latter half of the series.
- Outliers are distances from the median of the neighbours (F. R. Hampel, JASA 69, 1974) and not percentiles, because
  a slow period of a shared machine is longer than a tenth of a window. As in the paper, the start has no outliers.
- Segments are equivalent within the larger of :data:`cside_bench.statistics.changepoints.TOLERANCE` and the last one's
  standard deviation. The paper has an absolute millisecond instead of the former, which fits iterations of a second.
- A slow period of the machine that ends at the level before it is set aside like an outlier.
- The warm-up runs one cell in immediate succession, and the rounds interleave all cells. This alone shifts levels by
  some per cent, at one known place. A shift there, after a warm-up that had settled, is reported separately as
  ``interleaving`` and is not a slowdown.
- A cell is classified by its *consensus* series: chunk by chunk, the median of levels and of calls over processes.
  The same chunk begins after about as many calls in every process, not after exactly as many. This separates
  the effects of the machine from those of the JIT. A compiler acts at the same number of calls in every process, so
  its effect stays in the median; other programs on the machine do not, so their effect disappears. Slow periods are
  also divided out beforehand where cells of the same process ran at the same time (:func:`slowness`), since such a
  period slows all of them. As in the paper, each process is also classified by itself; if more of them are in another
  class, the cell is ``inconsistent``.

Everything here is computed from the series of one cell at a time; inference is over processes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from cside_bench.statistics.changepoints import SETTLED, Segment, limit_of, segment, two_phases, without_excursions
from cside_bench.statistics.intervals import intervals

Array = NDArray[np.float64]

CLASSES: Final = ("flat", "warmup", "slowdown", "no steady state", "unresolved")
"""Classes of a process; a cell can also be ``inconsistent``."""
STEADY_SHARE: Final = 0.25
"""Share of the series over which the last segments have to be equivalent; Barrett et al. require 500 of 2,000."""
FEWEST: Final = 12
"""Least number of chunks of a series that is classified."""
RESAMPLES: Final = 39
"""Number of resamples of the processes for the time to steady state: the least number whose extremes cover 95 %, since
the true value is equally likely to be at each of 40 places and 2 of them are outside.
"""
FEWEST_PROCESSES: Final = 5
"""Least number of processes for bounds; resampling fewer says too little."""
SEED: Final = 7
"""Seed for the resamples, so that the same raw rounds always give the same bounds."""
CURVE_POINTS: Final = 60
"""Largest number of points of a curve."""
CURVE_STEP: Final = 0.03
"""Relative difference that is too small to be visible in a plot."""


@dataclass(frozen=True, slots=True)
class Series:
    """All iterations of one cell in one process, in order; arrays have one element per chunk."""

    first_call_ns: float
    """Time of the very first call, which is not part of any chunk; NaN if it was not timed."""
    calls: Array
    """Number of calls in each chunk."""
    ns: Array
    """Duration of each chunk, with all its calls and the loop around them."""
    rounds_from: int = 0
    """Index of the first chunk that ran interleaved with other cells; earlier chunks ran in immediate succession."""
    slowness: Array | None = None
    """How much slower the machine was during each chunk, 1 for normal speed; see :func:`slowness`."""
    overhead_ns: float = 0.0
    """Time of the empty loop per call. It is subtracted from the reported level, but not from the classified one."""

    @property
    def ns_per_call(self) -> Array:
        """Mean time per call of each chunk."""
        return np.asarray(self.ns / self.calls, dtype=np.float64)

    @property
    def level_ns(self) -> Array:
        """Mean time per call of each chunk, with the machine's known slow periods divided out."""
        return self.ns_per_call if self.slowness is None else np.asarray(self.ns_per_call / self.slowness)


Cells = Mapping[tuple[str, str], Sequence[Series]]
"""Series by (workload, subject), one per process."""
Bounds = dict[str, float | None]
"""An estimate with the keys ``value``, ``low`` and ``high``."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The classification of one series; numbers are NaN if there is no steady state."""

    kind: str
    start: int
    """Index of the first chunk in steady state; the number of chunks if there is no steady state."""
    after_ns: float
    """Time spent in the cell's own calls before steady state, including the first call; 0 if flat."""
    after_calls: float
    """Number of the cell's own calls before steady state."""
    interleaving: float
    """Level of the rounds relative to that of the settled warm-up; NaN if interleaving explains no shift."""
    segments: tuple[Segment, ...]


def slowness(members: Array, baseline: Array | None = None) -> Array:
    """Return how much slower the machine was in each round: one factor per round, 1 for normal speed.

    ``members`` are ns per call (cells x rounds) of cells that ran next to each other in the same rounds, with or
    without the cell in question; NaN where a cell did not run. Each cell is divided by its own ``baseline``, by default
    its median. The factor is the median over cells, so that a change of one cell among five or more does not affect it.
    The function also serves for the warm-up: there, each row is another cell that ran at about that time, each column
    is a moment, and ``baseline`` has the medians of the rounds. Rounds with fewer than three cells have the factor 1.
    """
    usual = np.nanmedian(members, axis=1) if baseline is None else baseline
    relative = np.full(members.shape, np.nan)
    np.divide(members, usual[:, None], out=relative, where=usual[:, None] > 0)
    enough = np.isfinite(relative).sum(axis=0) >= 3
    factors = np.ones(members.shape[1])
    if enough.any():
        factors[enough] = np.nanmedian(relative[:, enough], axis=0)
        factors /= np.median(factors[enough])
        factors[~enough] = 1.0
    return factors


def classify(series: Series) -> Verdict:
    """Classify one series."""
    size = len(series.ns)
    if size < FEWEST or not (series.ns > 0).all():
        return Verdict("unresolved", size, np.nan, np.nan, np.nan, ())
    levels = np.log(series.level_ns)
    interleaving = float("nan")
    if SETTLED <= series.rounds_from <= size - SETTLED:
        found, interleaving = two_phases(levels, series.rounds_from)
    else:
        found = without_excursions(segment(levels))
    final = found[-1]
    limit = limit_of(final)
    same = [abs(it.level - final.level) <= limit for it in found]
    first = len(found)
    while first and same[first - 1]:
        first -= 1
    steady = found[first:]
    start = begin(levels, steady[0], limit, series.rounds_from, interleaving)
    if sum(it.nchunks for it in steady) < STEADY_SHARE * sum(it.nchunks for it in found):
        return Verdict("no steady state", size, np.nan, np.nan, interleaving, tuple(found))
    if all(same):
        kind, after_ns, after_calls = "flat", 0.0, 0.0
    else:
        faster = any(it.level < final.level - limit for it in found)
        kind = "slowdown" if faster else "warmup"
        first_ns = series.first_call_ns if np.isfinite(series.first_call_ns) else 0.0
        after_ns = first_ns + float(series.ns[:start].sum())
        after_calls = 1.0 + float(series.calls[:start].sum())
    return Verdict(kind, start, after_ns, after_calls, interleaving, tuple(found))


def begin(levels: Array, first: Segment, limit: float, rounds_from: int, interleaving: float) -> int:
    """Return the index of the first chunk as fast as the segment ``first``.

    It is in the segment or, if chunks just before were taken for outliers, among these.
    """
    moved = np.isfinite(interleaving) and first.start < rounds_from
    level = first.level - (np.log(interleaving) if moved else 0.0)
    start = first.start
    while start > 0 and start != rounds_from and abs(levels[start - 1] - level) <= limit:
        start -= 1
    return start


@dataclass(frozen=True, slots=True)
class Aligned:
    """The processes of a cell, aligned by chunks."""

    levels: Array
    """Logarithm of ns per call, processes x chunks, relative to the median of the process's rounds; NaN if no chunk."""
    bases: Array
    """Median level of the rounds, one per process."""
    firsts: Array
    """Time of the first call in ns, one per process."""
    calls: Array
    """Number of calls in each chunk, processes x chunks; NaN if no chunk. The windows of a warm-up by calls grow."""
    warm: int
    """Number of chunks in the warm-up: the median over processes, since warm-ups end by time."""
    overhead_ns: float
    """Time of the empty loop per call: the median over processes."""

    @classmethod
    def of(cls, processes: Sequence[Series]) -> Self:
        """Align the series of the processes: warm-ups at their first chunk, and rounds at their first chunk."""
        warm = int(np.median([series.rounds_from for series in processes]))
        rounds = min(len(series.ns) - series.rounds_from for series in processes)
        table = np.full((len(processes), warm + rounds), np.nan)
        calls = np.full(table.shape, np.nan)
        bases = np.empty(len(processes))
        for place, series in enumerate(processes):
            level = np.full(len(series.ns), np.nan)
            np.log(series.level_ns, out=level, where=series.ns > 0)
            bases[place] = (
                np.nanmedian(level[series.rounds_from :] if rounds else level) if (series.ns > 0).any() else np.nan
            )
            first = min(warm, series.rounds_from)
            table[place, :first] = level[:first] - bases[place]
            table[place, warm:] = level[series.rounds_from : series.rounds_from + rounds] - bases[place]
            calls[place, :first] = series.calls[:first]
            calls[place, warm:] = series.calls[series.rounds_from : series.rounds_from + rounds]
        return cls(
            levels=table,
            bases=bases,
            firsts=np.asarray([series.first_call_ns for series in processes]),
            calls=calls,
            warm=warm,
            overhead_ns=float(np.median([series.overhead_ns for series in processes])),
        )

    def consensus(self, chosen: Sequence[int] | NDArray[np.int64] | None = None) -> Series:
        """Return the median over all or the chosen processes, chunk by chunk, at the mean level of their rounds.

        A chunk has as many calls as that chunk of the median process.
        """
        places = np.arange(len(self.bases)) if chosen is None else np.asarray(chosen)
        ordered = np.sort(self.levels[places], axis=0)  # NaN are last
        known = np.isfinite(ordered).sum(axis=0)
        calls = np.nanmedian(self.calls[places][:, known > 0], axis=0)
        ordered, known = ordered[:, known > 0], known[known > 0]
        columns = np.arange(len(known))
        middle = (ordered[(known - 1) // 2, columns] + ordered[known // 2, columns]) / 2
        rounds = self.levels.shape[1] - self.warm
        firsts = self.firsts[places]
        firsts = firsts[np.isfinite(firsts)]
        bases = self.bases[places]
        base = float(bases[np.isfinite(bases)].mean()) if len(middle) else 0.0
        return Series(
            first_call_ns=float(np.median(firsts)) if len(firsts) else float("nan"),
            calls=calls,
            ns=np.exp(middle + base) * calls,
            rounds_from=len(middle) - rounds,
            overhead_ns=self.overhead_ns,
        )


def agree(kind: str, counts: Mapping[str, int]) -> str:
    """Return the class of a cell: that of its consensus, or ``inconsistent`` if more processes are in another class.

    Processes that are too short to be classified do not count.
    """
    classified = {name: count for name, count in counts.items() if name != "unresolved"}
    if not classified or kind == "unresolved" or classified.get(kind) == max(classified.values()):
        return kind
    return "inconsistent"


def number(value: float) -> float | None:
    """Round to five significant digits; return ``None`` for a value that is not finite.

    The rule of :func:`cside_bench.results.digits.number`, which this package does not import.
    """
    return float(f"{value:.5g}") if np.isfinite(value) else None


def when(cell: Aligned, verdict: Verdict) -> tuple[Bounds, Bounds]:
    """Return time (ns) and number of calls to steady state, with bounds from resampled processes.

    All are ``None`` if there is no steady state. A resample without one counts as infinitely long.
    """
    estimates = [(verdict.after_ns, verdict.after_calls)]
    size = len(cell.bases)
    if verdict.kind in ("warmup", "slowdown") and size >= FEWEST_PROCESSES:
        draw = np.random.default_rng(SEED)
        for _ in range(RESAMPLES):
            again = classify(cell.consensus(draw.integers(size, size=size)))
            lost = again.kind in ("no steady state", "unresolved")
            estimates.append((np.inf, np.inf) if lost else (again.after_ns, again.after_calls))
    found = []
    for value, *others in zip(*estimates, strict=True):
        low, high = (min(others), max(others)) if others else (np.nan, np.nan)
        found.append({"value": number(value), "low": number(low), "high": number(high)})
    return found[0], found[1]


def curve(series: Series) -> list[list[float]]:
    """Return at most :data:`CURVE_POINTS` pairs of elapsed ns and ns per call, in logarithmic bins of elapsed time.

    Elapsed time is the time spent in the cell's own calls up to the middle of a chunk. The first pair is the first
    call, if that was timed. Points that differ from both neighbours by less than :data:`CURVE_STEP` are left out.
    """
    known = bool(np.isfinite(series.first_call_ns))
    pairs = [[series.first_call_ns, series.first_call_ns]] if known else []
    if not len(series.ns):
        return []
    elapsed = (series.first_call_ns if known else 0.0) + np.cumsum(series.ns) - series.ns / 2
    per_call = series.ns_per_call - series.overhead_ns
    places = np.searchsorted(np.geomspace(elapsed.min(), elapsed.max(), CURVE_POINTS - 1), elapsed)
    for place in np.unique(places):
        inside = places == place
        pairs.append([float(np.median(elapsed[inside])), float(np.median(per_call[inside]))])
    kept = pairs[:1]
    for point, following in pairwise(pairs[1:]):
        if not all(abs(point[1] - other[1]) < CURVE_STEP * abs(point[1]) for other in (kept[-1], following)):
            kept.append(point)
    kept += pairs[-1:]
    return [[float(f"{value:.4g}") for value in pair] for pair in kept]


def steady_cells(cells: Cells) -> list[dict[str, Any]]:
    """Return one object per cell, as in ``warmup.schema.json``, from the series of its processes.

    Steady ns per call is the geometric mean over processes of the median of their rounds in steady state. Cells without
    a process are left out.
    """
    present = {key: processes for key, processes in sorted(cells.items()) if processes}
    aligned = {key: Aligned.of(processes) for key, processes in present.items()}
    typical = {key: cell.consensus() for key, cell in aligned.items()}
    verdicts = {key: classify(series) for key, series in typical.items()}
    levels = intervals(
        [
            [steady_level(series, verdicts[key].start - typical[key].rounds_from) for series in processes]
            for key, processes in present.items()
        ],
        logarithmic=True,
    )
    firsts = intervals([[series.first_call_ns for series in own] for own in present.values()], logarithmic=True)
    found = []
    for (key, processes), level, first in zip(present.items(), levels, firsts, strict=True):
        verdict = verdicts[key]
        counts = Counter(classify(series).kind for series in processes)
        after_ns, after_calls = when(aligned[key], verdict)
        found.append(
            {
                "workload": key[0],
                "subject": key[1],
                "classification": agree(verdict.kind, counts),
                "counts": {kind: counts[kind] for kind in CLASSES if counts[kind]},
                "processes": len(processes),
                "first_call_ns": {"value": number(first.value), "low": number(first.low), "high": number(first.high)},
                "steady_after_ns": after_ns,
                "steady_after_calls": after_calls,
                "steady_ns": {"value": number(level.value), "low": number(level.low), "high": number(level.high)},
                "interleaving": number(verdict.interleaving),
                "curve": curve(typical[key]),
            }
        )
    return found


def steady_level(series: Series, rounds_after: int) -> float:
    """Return ns per call of one process: the median of its rounds from the given one on; NaN if none is left."""
    rounds = series.ns_per_call[series.rounds_from + max(0, rounds_after) :]
    return float(np.median(rounds)) - series.overhead_ns if len(rounds) else float("nan")


def overview(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return one row per subject: its workloads by class, and the median and latest time to steady state."""
    rows = []
    for subject in dict.fromkeys(cell["subject"] for cell in cells):
        own = [cell for cell in cells if cell["subject"] == subject]
        counts = Counter(cell["classification"] for cell in own)
        times = sorted(
            (cell["steady_after_ns"]["value"], cell["workload"])
            for cell in own
            if cell["steady_after_ns"]["value"] is not None
        )
        firsts = [cell["first_call_ns"]["value"] for cell in own if cell["first_call_ns"]["value"] is not None]
        rows.append(
            {
                "subject": subject,
                "counts": {kind: counts[kind] for kind in (*CLASSES, "inconsistent") if counts[kind]},
                "first_call_ns": number(float(np.median(firsts))) if firsts else None,
                "steady_after_ns": times[len(times) // 2][0] if times else None,
                "latest_ns": times[-1][0] if times else None,
                "latest_workload": times[-1][1] if times else None,
            }
        )
    return rows


def section(interpreters: Mapping[str, Cells]) -> list[dict[str, Any]]:
    """Return the section ``steady`` of ``summary.json``: one object per interpreter's label."""
    found = []
    for label, cells in interpreters.items():
        judged = steady_cells(cells)
        normalised = any(series.slowness is not None for processes in cells.values() for series in processes)
        found.append({"label": label, "normalised": normalised, "subjects": overview(judged), "cells": judged})
    return found
