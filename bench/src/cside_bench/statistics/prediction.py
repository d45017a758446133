# SPDX-License-Identifier: Apache-2.0
"""The interval in which new processes are expected, if they measure the same as those of a run.

An interval of a *mean* says where the true mean lies. It does not promise to hold a new observation, which deviates
from that mean itself. For the mean of m new observations from the same normal distribution, the interval is
m_run ± t(n - 1) s sqrt(1 / m + 1 / n), where n, m_run and s are the number, mean and standard deviation of the run's
observations (G. J. Hahn, W. Q. Meeker, "Statistical Intervals", Wiley 1991, chapter 4).

Here an observation of the run is the log ratio of two subjects that share a process and its rounds. A new one has two
processes, one for each subject, so that nothing which slows a process down as a whole cancels, but for what the anchor
beside each subject tells. So it scatters more, by a factor that is not known beforehand, because it depends on how much
of a process's deviation its cells share: the variance of a paired ratio has the deviations that are each subject's own,
twice; what is common to a process adds to those of a new one, twice again. The factor is estimated from the new
observations of all cells together (:func:`excess`), where each cell has two of them or more, and the variance of a new
observation is s² times that factor:

    m_run ± t(n - 1) s sqrt(excess / m + 1 / n)

The factor is never less than 1. It makes the interval wider on a machine that is noisier than it was during the run, so
a reader has to be shown it, and the width of the intervals, beside how many cells lie within.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from cside_bench.statistics.student import Array, Interval, critical

ASSUMED: Final = 2.0
"""Factor where no cell has two new observations: what two processes do not share is as large as what they do."""


def finite(values: ArrayLike) -> Array:
    """Return the values that are finite numbers."""
    array = np.asarray(values, dtype=np.float64)
    return array[np.isfinite(array)]


def excess(cells: Iterable[tuple[ArrayLike, ArrayLike]]) -> float:
    """Return how many times as large the variance of a new observation is, from the (new, run) log ratios of cells.

    It is the ratio of geometric means of the variances, each corrected for its degrees of freedom: the logarithm of a
    sample variance with d degrees of freedom is less than that of the variance by log(d / 2) - digamma(d / 2) on
    average (G. K. Smyth 2004, section 6.2). Cells of unequal noise then count alike. The result is 1 at least, and
    :data:`ASSUMED` if no cell has two new and two old observations that differ.
    """
    from scipy.special import digamma

    differences = []
    for new, run in cells:
        logs = []
        for values in (finite(new), finite(run)):
            if len(values) > 1 and (variance := float(values.var(ddof=1))) > 0:
                half = (len(values) - 1) / 2
                logs.append(math.log(variance) + math.log(half) - float(digamma(half)))
        if len(logs) == 2:
            differences.append(logs[0] - logs[1])
    return max(1.0, math.exp(float(np.mean(differences)))) if differences else ASSUMED


def predict(run: ArrayLike, new: int, factor: float) -> Interval:
    """Return the interval of the mean of ``new`` new observations, at 95 %, on the scale of the values.

    ``run`` are the run's observations and ``factor`` is that of :func:`excess`. The bounds are NaN if the run has fewer
    than two observations.
    """
    values = finite(run)
    count = len(values)
    if count < 2 or new < 1:
        return Interval(float(values.mean()) if count else np.nan, np.nan, np.nan, count)
    reach = float(critical(count - 1)) * float(values.std(ddof=1)) * math.sqrt(factor / new + 1 / count)
    middle = float(values.mean())
    return Interval(middle, middle - reach, middle + reach, count)


def pooled(rows: Sequence[tuple[Sequence[float], ArrayLike]], factor: float) -> Interval:
    """Return by how much new observations are shifted against the run's, pooled over cells that shared processes.

    Each row is a cell: its new log ratios, one per new process, and the run's, one per process, with NaN where a
    process has none. The cells of a process are not independent, so that they are averaged within each process first.
    The bounds are those of a prediction: a shift whose whole interval is on one side of 0 is not explained by how
    processes differ.
    """
    both = [(np.asarray(new, dtype=np.float64), np.asarray(run, dtype=np.float64)) for new, run in rows]
    if not both:
        return Interval(np.nan, np.nan, np.nan, 0)
    new = finite(np.mean([row for row, _ in both], axis=0))
    known = predict(np.mean([row for _, row in both], axis=0), len(new), factor)
    if not len(new):
        return Interval(np.nan, np.nan, np.nan, 0)
    shift, reach = float(new.mean()) - known.value, known.high - known.value
    return Interval(shift, shift - reach, shift + reach, len(new))
