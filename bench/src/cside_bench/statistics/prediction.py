# SPDX-License-Identifier: Apache-2.0
"""The interval in which new processes are expected, if they measure the same as those of a run.

An interval of a *mean* says where the true mean lies. It does not promise to hold a new observation, which deviates
from that mean itself. For the mean of m new observations from the same normal distribution, the interval is
m_run ± t(n - 1) s sqrt(1 / m + 1 / n), where n, m_run and s are the number, mean and standard deviation of the run's
observations (G. J. Hahn, W. Q. Meeker, "Statistical Intervals", Wiley 1991, chapter 4).

Here an observation of the run is the log ratio of two subjects that share a block and its rounds, and on CPython a
process. A new one has two processes, one for each subject and each with one workload, so that nothing cancels which
slows a process down as a whole. So it scatters more: its variance is s² + u². What pairing cancels belongs to processes
and not to a cell, so u² is taken to be the same for all cells, quiet or noisy, and is estimated from the new
observations of all cells together (:func:`excess`), where each cell has two of them or more:

    m_run ± t sqrt(s² (1 / m + 1 / n) + u² / m)

The degrees of freedom of t are those of Welch and Satterthwaite for the two terms (B. L. Welch, Biometrika 34, 1947).
One u² for all cells is too small for a cell whose processes fall into modes, as some do by where their memory lies. So
where the new observations of a cell scatter more than s² + u², their own variance takes its place (:func:`scatters`),
moderated by those of all cells as in :mod:`cside_bench.statistics.family`.

Where no cell has two new observations nothing is known of u², and it is taken to be s². A machine that is noisier than
during the run makes the intervals wider, so a reader has to be shown u and the width of the intervals beside how many
cells lie within.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cside_bench.statistics.family import Part
from cside_bench.statistics.student import Array, Interval, critical


@dataclass(frozen=True, slots=True)
class Excess:
    """The variance u² that a new observation has beyond that of one of the run, and its degrees of freedom."""

    variance: float
    freedom: float


def finite(values: ArrayLike) -> Array:
    """Return the values that are finite numbers."""
    array = np.asarray(values, dtype=np.float64)
    return array[np.isfinite(array)]


def excess(cells: Iterable[tuple[ArrayLike, ArrayLike]], freedom: float | None = None) -> Excess | None:
    """Return the excess of the (new, run) log ratios of cells; None if no cell has two of each.

    It is that u² for which the mean over cells of log(s² + u²) is that of the logarithms of the new variances, 0 at
    least. The logarithm makes cells of unequal noise count alike. Variances are corrected for their degrees of freedom
    d: the logarithm of a sample variance is less than that of the variance by log(d / 2) - digamma(d / 2) on average
    (G. K. Smyth 2004, section 6.2). ``freedom`` is to be given where cells are not independent.
    """
    from scipy.special import digamma

    known = []
    degrees = 0
    for cell in cells:
        new, run = (finite(values) for values in cell)
        if min(len(new), len(run)) > 1 and min(new.var(), run.var()) > 0:
            degrees += len(new) - 1
            halves = [(len(values) - 1) / 2 for values in (new, run)]
            known.append(
                [
                    math.log(values.var(ddof=1)) + math.log(half) - float(digamma(half))
                    for values, half in zip((new, run), halves, strict=True)
                ]
            )
    if not known:
        return None
    table = np.asarray(known, dtype=np.float64)
    wanted, own = float(table[:, 0].mean()), np.exp(table[:, 1])
    low, high = 0.0, float(np.exp(table[:, 0]).max())
    for _ in range(60):  # log(s² + u²) grows with u²
        middle = (low + high) / 2
        low, high = (middle, high) if float(np.log(own + middle).mean()) < wanted else (low, middle)
    return Excess(low if low > 1e-12 else 0.0, float(degrees) if freedom is None else freedom)


@dataclass(frozen=True, slots=True)
class Scatter:
    """The variance of the new observations of one cell, and its degrees of freedom."""

    variance: float
    freedom: float


def scatters(cells: Iterable[ArrayLike]) -> list[Scatter | None]:
    """Return the moderated variance of the new log ratios of each cell; None for a cell that has fewer than two."""
    rows = [finite(values) for values in cells]
    table = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for row, values in zip(table, rows, strict=True):
        row[: len(values)] = values
    part = Part.of(table, None)
    return [
        Scatter(float(variance), float(size - 1 + part.freedom)) if size > 1 else None
        for variance, size in zip(part.moderated, part.sizes, strict=True)
    ]


def predict(run: ArrayLike, new: int, beyond: Excess | None, own: Scatter | None = None) -> Interval:
    """Return the interval of the mean of ``new`` new observations, at 95 %, on the scale of the values.

    ``run`` are the run's observations and ``beyond`` is that of :func:`excess`; None takes u² for s². ``own`` is the
    scatter of the new observations of this cell, which counts if it is larger. The bounds are NaN if the run has fewer
    than two observations.
    """
    values = finite(run)
    count = len(values)
    if count < 2 or new < 1:
        return Interval(float(values.mean()) if count else np.nan, np.nan, np.nan, count)
    variance = float(values.var(ddof=1))
    known = beyond or Excess(variance, count - 1)
    terms = [(variance * (1 / new + 1 / count), count - 1.0), (known.variance / new, known.freedom)]
    if own is not None and own.variance > variance + known.variance:
        terms = [(variance / count, count - 1.0), (own.variance / new, own.freedom)]
    total = sum(term for term, _ in terms)
    parts = sum(term**2 / degrees for term, degrees in terms)
    reach = float(critical(total**2 / parts)) * math.sqrt(total) if total > 0 else 0.0
    middle = float(values.mean())
    return Interval(middle, middle - reach, middle + reach, count)


def pooled(rows: Sequence[tuple[Sequence[float], ArrayLike]], beyond: Excess | None) -> Interval:
    """Return by how much new observations are shifted against the run's, pooled over cells that shared processes.

    Each row is a cell: its new log ratios, one per new process, and the run's, one per process, with NaN where a
    process has none. The cells of a process are not independent, so that they are averaged within each process first,
    and u² is not divided by their number. The bounds are those of a prediction: a shift whose whole interval is on one
    side of 0 is not explained by how processes differ.
    """
    both = [(np.asarray(new, dtype=np.float64), np.asarray(run, dtype=np.float64)) for new, run in rows]
    new = finite(np.mean([row for row, _ in both], axis=0)) if both else np.empty(0)
    if not len(new):
        return Interval(np.nan, np.nan, np.nan, 0)
    known = predict(np.mean([row for _, row in both], axis=0), len(new), beyond)
    shift, reach = float(new.mean()) - known.value, known.high - known.value
    return Interval(shift, shift - reach, shift + reach, len(new))
