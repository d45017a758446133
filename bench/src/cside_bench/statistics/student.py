# SPDX-License-Identifier: Apache-2.0
"""Student's interval of a mean over processes; no other module computes it.

:mod:`scipy.special` is imported at its first use, since most commands that show a run do not need it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

LEVEL: Final = 0.05
"""Probability that an interval does not hold the truth: intervals are 95 % intervals."""
LEAST_PROCESSES: Final = 6
"""Least number of processes for an adjusted interval. Five symmetric deviations all have the same sign once in sixteen
times: with so few, no test that assumes only symmetry of the noise reaches 5 %.
"""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its bounds, which are NaN for fewer than two processes; all are NaN if nothing was measured."""

    value: float
    low: float
    high: float
    processes: int


def critical(freedom: ArrayLike, level: float = LEVEL) -> Array:
    """Return the two-sided critical value of Student's t for these degrees of freedom at a level of significance."""
    from scipy.special import stdtrit  # the import takes longer than judging most claims

    return np.asarray(stdtrit(np.asarray(freedom, dtype=np.float64), 1 - level / 2), dtype=np.float64)


def satterthwaite(variances: Sequence[Array], freedoms: Sequence[ArrayLike]) -> Array:
    """Return the degrees of freedom of a sum of variances (F. E. Satterthwaite, Biometrics 2, 1946); where all are 0,
    the sum of the degrees of freedom.
    """
    total = np.sum(variances, axis=0)
    weighted = np.sum(
        [variance**2 / np.asarray(its) for variance, its in zip(variances, freedoms, strict=True)], axis=0
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(weighted > 0, np.square(total) / weighted, np.sum(np.broadcast_arrays(*freedoms), axis=0))
    return np.asarray(found, dtype=np.float64)


def rows(table: ArrayLike, comparisons: int = 1, level: float = LEVEL) -> tuple[Array, Array, Array]:
    """Return mean, lower and upper bound of each row of ``table`` (cells x processes), which has no NaN.

    The level is divided by the number of comparisons (C. Bonferroni). Bounds are infinite for fewer than two processes.
    """
    values = np.asarray(table, dtype=np.float64)
    processes = values.shape[1]
    if processes < 2:
        middle = values.mean(axis=1) if processes else np.full(len(values), np.nan)
        return middle, np.full(len(values), -np.inf), np.full(len(values), np.inf)
    middle = values.mean(axis=1)
    reach = critical(processes - 1, level / comparisons) * values.std(axis=1, ddof=1) / np.sqrt(processes)
    return middle, middle - reach, middle + reach


def student(
    values: ArrayLike, comparisons: int = 1, *, level: float = LEVEL, extra: tuple[float, float] = (0.0, 1.0)
) -> Interval:
    """Return the mean and bounds of a sample, as :func:`rows` does, without its NaN; ``processes`` is its size.

    ``extra`` is a variance of the mean that the sample does not show, with its degrees of freedom.
    """
    sample = np.asarray(values, dtype=np.float64)
    sample = sample[np.isfinite(sample)]
    if len(sample) < 2:
        return Interval(float(sample[0]) if len(sample) else np.nan, np.nan, np.nan, len(sample))
    (value,), (low,), (high,) = (column.tolist() for column in rows(sample[np.newaxis], comparisons, level))
    if extra[0] > 0:
        own = sample.var(ddof=1) / len(sample)
        freedom = satterthwaite([own, np.asarray(extra[0])], [len(sample) - 1, extra[1]])
        reach = float(critical(freedom, level / comparisons) * np.sqrt(own + extra[0]))
        low, high = min(low, value - reach), max(high, value + reach)  # more freedom never makes it narrower
    return Interval(value, low, high, len(sample))
