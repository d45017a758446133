# SPDX-License-Identifier: Apache-2.0
"""Ratios with bounds, for claims: the run's own where it has them, else computed from its processes.

The run compares every subject with the reference, every whole binding with every other and partial variants with their
own, and adjusts all of these intervals together. What it did not compare (one variant with another, one workload with
another) is composed here: logarithms of the ratio within each process, Student's interval over processes, at a level
divided by the number of comparisons of the interpreter (C. Bonferroni), so that it is no easier to decide by than the
run's own.
It knows no moderated standard deviations, and is the wider for it.
"""

import math

import numpy as np

from cside_bench.results.evidence import Run
from cside_bench.statistics.intervals import LEAST_PROCESSES, Array, Bound, mean


def ratio(run: Run, label: str, workload: str, one: str, two: str) -> Bound | None:
    """How the times of two subjects compare, adjusted over the run; None where either was not measured."""
    found = run.pair(label, workload, one, two)
    if found is not None:
        return Bound(found.value, found.low, found.high)
    return composed(run.ratios(label, workload, one), run.ratios(label, workload, two), divisor=comparisons(run, label))


def comparisons(run: Run, label: str) -> int:
    """How many comparisons the intervals of an interpreter are adjusted for."""
    return next((int(it["comparisons"]) for it in run.summary["interpreters"] if it["label"] == label), 1)


def composed(one: Array, two: Array, *, divisor: int, least: int = LEAST_PROCESSES) -> Bound | None:
    """The ratio of two times of the same processes, by the mean of its logarithm; None where there is none."""
    if len(one) != len(two) or not len(one):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(one / two)
    found = mean(logs, divisor=divisor, least=least)
    if found is None:
        return None
    low, high = (None if it is None else math.exp(min(it, 700.0)) for it in (found.low, found.high))
    return Bound(math.exp(found.value), low, high)
