# SPDX-License-Identifier: Apache-2.0
"""Warm-up and steady state: whether and when each cell stops getting faster or slower.

The method is that of E. Barrett, C. F. Bolz-Tereick, R. Killick, S. Mount and L. Tratt, "Virtual Machine Warmup Blows
Hot and Cold", OOPSLA 2017: outliers are set aside, changepoints found by PELT (R. Killick, P. Fearnhead and
I. A. Eckley, JASA 107, 2012) with their penalty of 15 log n, segments whose levels are equivalent count as one, and a
series is called flat, warmup, slowdown or without steady state by its segments. What differs here, and why:

- Levels are logarithms of ns per call, since noise is proportional to time and cells span six orders of magnitude.
- Changepoints are those of the mean; the paper's are of mean and variance. A noisy spell is no change of level, and
  the spread of the series' latter half is the measure.
- Outliers are told from the median of their neighbours (F. R. Hampel, JASA 69, 1974) and not from percentiles, because
  a slow spell of a shared machine lasts longer than a tenth of a window. As in the paper, none are sought at the start.
- Segments are equivalent within the larger of :data:`.changepoints.TOLERANCE` and the last one's standard deviation.
  The paper has an absolute millisecond in the place of the first, which fits iterations of a second.
- A slow spell of the machine that returns to where it came from is set aside like an outlier.
- The warm-up runs one cell back to back, the rounds interleave all. That alone shifts levels by some per cent, at one
  known place; a shift there, after a warm-up that had settled, is kept apart as ``interleaving`` and is no slowdown.
- A cell is classified by its *consensus* series: at each number of calls, the median over processes. That is how the
  machine is told from the JIT. A compiler acts at the same number of calls in every process, and stays in the
  median; a neighbour on the machine does not, and falls out of it. Spells are also divided out beforehand where cells
  of the same process ran beside (:func:`slowness`), since a spell slows all of them at that time. As in the paper
  each process is classified by itself too; where more of them are of another class, the cell is ``inconsistent``.

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
"""Of a process; a cell can be ``inconsistent`` besides."""
STEADY_SHARE: Final = 0.25
"""The last segments must be equivalent over this share of the series; Barrett et al. ask for 500 of 2,000."""
FEWEST: Final = 12
"""Chunks; a series of fewer is not classified."""
RESAMPLES: Final = 39
"""Of the processes, for the time to steady state: the least number whose extremes hold 95 %, with 2 of 40 left out."""
FEWEST_PROCESSES: Final = 5
"""For bounds; resampling fewer says too little."""
SEED: Final = 7
CURVE_POINTS: Final = 60
CURVE_STEP: Final = 0.03
"""Relative difference that a plot does not show."""


@dataclass(frozen=True, slots=True)
class Series:
    """All iterations of one cell in one process, in order; arrays have one element per chunk."""

    first_call_ns: float
    """The very first call, not part of any chunk; NaN where it was not timed."""
    calls: Array
    ns: Array
    """Length of the chunk, all its calls together; the loop around them included."""
    rounds_from: int = 0
    """Index of the first chunk that ran interleaved with other cells; those before ran back to back."""
    slowness: Array | None = None
    """How much slower the machine was during each chunk, 1 for as usual; see :func:`slowness`."""
    overhead_ns: float = 0.0
    """Per call, of the empty loop; taken off the level that is reported, not off what is classified."""

    @property
    def ns_per_call(self) -> Array:
        """Mean of each chunk."""
        return np.asarray(self.ns / self.calls, dtype=np.float64)

    @property
    def level_ns(self) -> Array:
        """The same with the machine's slow spells divided out, as far as they are known."""
        return self.ns_per_call if self.slowness is None else np.asarray(self.ns_per_call / self.slowness)


Cells = Mapping[tuple[str, str], Sequence[Series]]
"""By (workload, subject), one series per process."""
Bounds = dict[str, float | None]
"""``value``, ``low``, ``high``."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one series says; NaN where there is no steady state."""

    kind: str
    start: int
    """Index of the first chunk in steady state; the number of chunks where there is none."""
    after_ns: float
    """Time spent in the cell's own calls before that, the first call included; 0 if flat."""
    after_calls: float
    interleaving: float
    """Level of the rounds relative to that of the settled warm-up; NaN where there was none."""
    segments: tuple[Segment, ...]


def slowness(members: Array, baseline: Array | None = None) -> Array:
    """How much slower the machine was in each round: one factor per round, 1 for as usual.

    ``members`` are ns per call (cells x rounds) of cells that ran next to each other in the same rounds, the cell in
    question among them or not; NaN where one took no part. Each is divided by its own ``baseline``, by default its
    median; the median over cells is the factor, so that a change of one cell among five or more does not show in it.
    The same serves for the warm-up: one row per other cell that ran at about the time, one column per moment,
    and medians of the rounds as ``baseline``. Rounds in which fewer than three cells took part have factor 1.
    """
    own = np.nanmedian(members, axis=1) if baseline is None else baseline
    relative = np.full(members.shape, np.nan)
    np.divide(members, own[:, None], out=relative, where=own[:, None] > 0)
    enough = np.isfinite(relative).sum(axis=0) >= 3
    factors = np.ones(members.shape[1])
    if enough.any():
        factors[enough] = np.nanmedian(relative[:, enough], axis=0)
        factors /= np.median(factors[enough])
        factors[~enough] = 1.0
    return factors


def classify(series: Series) -> Verdict:
    """Judge one series."""
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
    """Index of the first chunk as fast as the segment ``first``, in it or, where taken for an outlier, just before."""
    moved = np.isfinite(interleaving) and first.start < rounds_from
    level = first.level - (np.log(interleaving) if moved else 0.0)
    start = first.start
    while start > 0 and start != rounds_from and abs(levels[start - 1] - level) <= limit:
        start -= 1
    return start


@dataclass(frozen=True, slots=True)
class Aligned:
    """The processes of a cell, chunk under chunk."""

    levels: Array
    """Processes x chunks; logarithm, relative to the median of the process's rounds; NaN where there is no chunk."""
    bases: Array
    """That median, one per process."""
    firsts: Array
    """First calls, ns."""
    calls: float
    """In a chunk."""
    warm: int
    """Chunks of warm-up: the median over processes, as they end by time and differ in number."""
    overhead_ns: float

    @classmethod
    def of(cls, processes: Sequence[Series]) -> Self:
        """Warm-ups are aligned at their begin, rounds at theirs."""
        warm = int(np.median([series.rounds_from for series in processes]))
        rounds = min(len(series.ns) - series.rounds_from for series in processes)
        table = np.full((len(processes), warm + rounds), np.nan)
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
        return cls(
            levels=table,
            bases=bases,
            firsts=np.asarray([series.first_call_ns for series in processes]),
            calls=float(processes[0].calls[0]),
            warm=warm,
            overhead_ns=float(np.median([series.overhead_ns for series in processes])),
        )

    def consensus(self, chosen: Sequence[int] | NDArray[np.int64] | None = None) -> Series:
        """The median over processes, or those chosen, chunk by chunk, at the mean level of their rounds."""
        places = np.arange(len(self.bases)) if chosen is None else np.asarray(chosen)
        ordered = np.sort(self.levels[places], axis=0)  # NaN come last
        known = np.isfinite(ordered).sum(axis=0)
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
            calls=np.full(len(middle), self.calls),
            ns=np.exp(middle + base) * self.calls,
            rounds_from=len(middle) - rounds,
            overhead_ns=self.overhead_ns,
        )


def agree(kind: str, counts: Mapping[str, int]) -> str:
    """The class of a cell: that of its consensus, or ``inconsistent`` where more processes are of another.

    Processes too short to be classified contradict nothing.
    """
    told = {name: count for name, count in counts.items() if name != "unresolved"}
    return kind if not told or kind == "unresolved" or told.get(kind) == max(told.values()) else "inconsistent"


def number(value: float) -> float | None:
    """Five significant digits; ``None`` for what is not a finite number."""
    return float(f"{value:.5g}") if np.isfinite(value) else None


def when(cell: Aligned, verdict: Verdict) -> tuple[Bounds, Bounds]:
    """Time (ns) and number of calls to steady state, with bounds from resampled processes.

    All are ``None`` where there is no steady state. A resample without one takes longer than all others.
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
    """At most :data:`CURVE_POINTS` pairs of elapsed ns and ns per call; bins are even in the logarithm of the former.

    Elapsed is the time spent in the cell's own calls up to the middle of a chunk. The first pair is the first call,
    where that was timed. Points that differ from both neighbours by less than :data:`CURVE_STEP` are left out.
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
    """One plain object per cell, as in ``steady.schema.json``, from the series of its processes.

    Steady ns per call is the geometric mean over processes of the median of their rounds in steady state. Cells without
    any process are left out.
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
    """ns per call of one process: median of its rounds from that one on; NaN where none is left."""
    rounds = series.ns_per_call[series.rounds_from + max(0, rounds_after) :]
    return float(np.median(rounds)) - series.overhead_ns if len(rounds) else float("nan")


def overview(cells: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One row per subject: how many of its workloads are of each class, and when half and all of them are steady."""
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
    """The part of ``summary.json`` called ``steady``: one object per interpreter's label."""
    found = []
    for label, cells in interpreters.items():
        judged = steady_cells(cells)
        normalised = any(series.slowness is not None for processes in cells.values() for series in processes)
        found.append({"label": label, "normalised": normalised, "subjects": overview(judged), "cells": judged})
    return found
