# SPDX-License-Identifier: Apache-2.0
"""Computes ``figures.json``: the statistics that the page's figures show and that ``summary.json`` does not have.

The file has, by the label of an interpreter:

``speed``       for each whole binding, the geometric mean of the ratio to the reference over the workloads of the
                short table that all of them have, within each process, with Student's bounds over processes; and the
                number of ``workloads``
``inside``      by workload and subject, the time of the same call in a C loop (``floor.direct``) divided by the
                subject's: the geometric mean over processes with Student's bounds, and the number of ``processes``
``warmup``      by workload and binding, on interpreters that compile while they run: the lines of single processes as
                pairs of elapsed ns and ns per call, and the changepoints of their median

Each interval holds alone: it is not adjusted for the number of figures.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
from cside_suite.files import write_json

from cside_bench.results import headline
from cside_bench.results.evidence import FIGURES_FILE, Run
from cside_bench.results.rounds import Sample
from cside_bench.statistics import warmup as statistics_warmup
from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval
from cside_bench.statistics.warmup import Series, Verdict
from cside_bench.summary.warmup import series_of

FORMAT: Final = 1
"""Version of the format of ``figures.json``."""
FLOOR: Final = "floor.direct"
"""Subject that makes the same calls in a C loop."""
ALIKE: Final = 0.10
"""Relative difference that the line of a single process leaves out; the method counts levels within it as one."""
BINS: Final = 20
"""Largest number of points of the line of a single process."""

Point = tuple[float, float]
"""A point of a line: elapsed ns and ns per call."""


def write(run: Run, samples: dict[str, Sample]) -> None:
    """Compute the file from a run that has a summary and from its raw samples, and write it."""
    document = {
        "format": FORMAT,
        "interpreters": {
            label: {
                "speed": speeds(run, label),
                "inside": insides(run, label),
                "warmup": warmups(run, label, samples[label]) if label in samples else {},
            }
            for label in run.labels
        },
    }
    write_json(run.folder / FIGURES_FILE, document)


def plain(interval: Interval) -> dict[str, float | None]:
    """Return an interval as plain data, with None for a number that is not known."""
    found = {"value": interval.value, "low": interval.low, "high": interval.high}
    return {name: value if np.isfinite(value) else None for name, value in found.items()}


def speeds(run: Run, label: str) -> dict[str, Any]:
    """Return the section ``speed``; empty if no workload was measured for all whole bindings."""
    usable = [
        row["workload"]
        for row in headline.of_run(run.folder)
        if row["workload"] != "import"
        and all(
            (cell := run.cell(label, row["workload"], name)) is not None
            and cell["void"] is None
            and cell["ratio"] is not None
            for name in run.bindings
        )
    ]
    rows = []
    for name in run.bindings:
        found = [run.ratios(label, workload, name) for workload in usable]
        if not found or len({len(it) for it in found}) != 1 or not len(found[0]):
            return {}
        with np.errstate(divide="ignore", invalid="ignore"):
            rows.append(np.exp(np.log(np.vstack(found)).mean(axis=0)).tolist())
    return {
        "workloads": len(usable),
        "bindings": {
            name: plain(interval)
            for name, interval in zip(run.bindings, intervals(rows, logarithmic=True), strict=True)
            if np.isfinite(interval.value)
        },
    }


def insides(run: Run, label: str) -> dict[str, Any]:
    """Return the section ``inside``: the workloads whose call is also made in a C loop."""
    found: dict[str, Any] = {}
    for workload in run.workloads(label):
        floor = run.ratios(label, workload, FLOOR)
        known, shares = [], []
        for subject in (*run.bindings, "stdlib"):
            mine = run.ratios(label, workload, subject)
            if len(mine) and len(mine) == len(floor) and np.isfinite(floor / mine).any():
                known.append(subject)
                shares.append((floor / mine).tolist())
        if known:
            found[workload] = {
                subject: plain(interval) | {"processes": interval.processes}
                for subject, interval in zip(known, intervals(shares, logarithmic=True), strict=True)
            }
    return found


def warmups(run: Run, label: str, sample: Sample) -> dict[str, Any]:
    """Return the section ``warmup``: the cells for which ``summary.json`` has a steady state."""
    section = next((it for it in run.summary["steady"] or [] if it["label"] == label), None)
    if section is None:
        return {}
    cells = {(it["workload"], it["subject"]) for it in section["cells"]}
    found: dict[str, Any] = {}
    series = series_of(sample, sorted({workload for workload, _ in cells}), run.bindings)
    for workload, subject in sorted(cells & series.keys()):
        processes = series[(workload, subject)]
        typical = statistics_warmup.Aligned.of(processes).consensus()
        found.setdefault(workload, {})[subject] = {
            "lines": [line(each) for each in processes],
            "changes": list(changes(typical, statistics_warmup.classify(typical))) if len(typical.ns) else [],
        }
    return found


def line(series: Series) -> list[Point]:
    """Return elapsed ns and ns per call of one process: geometric means of bins of equal width in log elapsed time.

    The first point is the first call. A point that differs by less than :data:`ALIKE` from the last point kept and from
    the next one is left out.
    """
    first = series.first_call_ns if np.isfinite(series.first_call_ns) else 0.0
    points = [(first, first)] if first else []
    levels = series.ns_per_call - series.overhead_ns
    use = levels > 0
    if use.any():
        elapsed = (first + np.cumsum(series.ns) - series.ns / 2)[use]
        bins = np.searchsorted(np.geomspace(elapsed[0], elapsed[-1], BINS), elapsed)
        starts = np.flatnonzero(np.diff(bins, prepend=-1))
        counts = np.diff(starts, append=len(bins))
        means = (np.exp(np.add.reduceat(np.log(it), starts) / counts) for it in (elapsed, levels[use]))
        points += list(zip(*(it.tolist() for it in means), strict=True))
    kept = points[:1]
    for point, following in pairwise(points[1:]):
        if any(abs(point[1] - other[1]) > ALIKE * point[1] for other in (kept[-1], following)):
            kept.append(point)
    return [*kept, points[-1]] if len(points) > 1 else kept


def changes(typical: Series, verdict: Verdict) -> Iterator[dict[str, float]]:
    """Yield the changes of level of the median series: elapsed ns, and ns per call before and after."""
    first = typical.first_call_ns if np.isfinite(typical.first_call_ns) else 0.0
    elapsed = first + np.concatenate([[0.0], np.cumsum(typical.ns)])
    for before, after in pairwise(verdict.segments):
        low, high = (float(np.exp(it.level)) - typical.overhead_ns for it in (before, after))
        if min(low, high) > 0:
            yield {"elapsed_ns": float(elapsed[after.start]), "before_ns": low, "after_ns": high}
