# SPDX-License-Identifier: Apache-2.0
"""Ratios with bounds, for claims: those of the run where it has them, otherwise computed from its processes.

The run compares every subject with the reference, every whole binding with every other and partial variants with their
own, and adjusts all of these intervals together. What it did not compare (one variant with another, one workload with
another) is composed here: logarithms of the ratio within each process, Student's interval over processes, at a level
divided by the number of comparisons of the interpreter (C. Bonferroni), so that it is no easier to decide by than the
run's own.
It knows no moderated standard deviations, and is the wider for it.
"""

import math
from dataclasses import dataclass

import numpy as np

from cside_bench.results.evidence import Run
from cside_bench.statistics.student import LEAST_PROCESSES, Array, student


@dataclass(frozen=True, slots=True)
class Bound:
    """A value and its bounds; the bounds are None where there are too few processes."""

    value: float
    low: float | None
    high: float | None

    def side(self, threshold: float) -> int:
        """Return -1 if the whole interval is below the threshold, 1 if it is at or above, and 0 otherwise."""
        if self.low is None or self.high is None:
            return 0
        return -1 if self.high < threshold else (1 if self.low >= threshold else 0)

    def within(self, factor: float) -> int:
        """Return 1 if the whole interval is between 1 / factor and factor, -1 if none of it is, and 0 otherwise."""
        if self.low is None or self.high is None:
            return 0
        if self.low > factor or self.high < 1 / factor:
            return -1
        return 1 if self.low >= 1 / factor and self.high <= factor else 0


def ratio(run: Run, label: str, workload: str, one: str, two: str) -> Bound | None:
    """Return the ratio of the times of two subjects, adjusted over the run; None if either was not measured."""
    found = run.pair(label, workload, one, two)
    if found is not None:
        return Bound(found.value, found.low, found.high)
    return composed(run.ratios(label, workload, one), run.ratios(label, workload, two), divisor=comparisons(run, label))


def comparisons(run: Run, label: str) -> int:
    """Return the number of comparisons that the intervals of an interpreter are adjusted for."""
    return next((int(it["comparisons"]) for it in run.summary["interpreters"] if it["label"] == label), 1)


def composed(one: Array, two: Array, *, divisor: int) -> Bound | None:
    """Return the ratio of two times of the same processes, by the mean of its logarithm; None if there is none."""
    if len(one) != len(two) or not len(one):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(one / two)
    found = mean(logs, divisor=divisor)
    if found is None:
        return None
    low, high = (None if it is None else math.exp(min(it, 700.0)) for it in (found.low, found.high))
    return Bound(math.exp(found.value), low, high)


def mean(values: Array, *, divisor: int) -> Bound | None:
    """Return the mean over processes with Student's interval at a level divided by ``divisor``; None for no values."""
    sample = values[np.isfinite(values)]
    if not len(sample):
        return None
    if len(sample) < LEAST_PROCESSES:
        return Bound(float(sample.mean()), None, None)
    found = student(sample, max(divisor, 1))
    return Bound(found.value, found.low, found.high)
