# SPDX-License-Identifier: Apache-2.0
"""The part of a ratio's error that stays the same in all processes of a run: where code and data lie.

Identical code that was loaded from another copy, or linked in another order, is a little faster or slower than the
reference in every process alike. Student's interval over processes does not contain that, so it holds the true ratio
of identical code less often than it promises. The size of the effect is estimated in each run from its cells of
identical code, of which the true ratio is 1, and is never assumed.

The estimate is the general method of moments of R. DerSimonian, R. Kacker, "Random-effects model for meta-analysis of
clinical trials: an update", Contemporary Clinical Trials 28, 2007, with the mean known to be 0: a cell is a study,
its mean log ratio y has the variance s² / n + τ², and τ² is the weighted mean of y² - s² / n, or 0 if that is
negative. Weights are 1 / (v + τ²), iterated. v is what the rounds of a cell let expect and not its own s² / n: a weight
that depends on s² prefers cells whose s² is too small by accident, and makes the estimate too large.

A ratio of two subjects contains the placement of both, and so do the ratios of identical code. τ² is therefore added to
the variance of the mean of any ratio of different binaries, and half of it to that of the log time of one subject.
"""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

LEAST_CELLS: Final = 10
"""Least number of cells of identical code for an estimate."""
ITERATIONS: Final = 50
"""Number of iterations of the weights; ten are enough for four digits."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Variance of log ratios that processes share, one number or one for each cell."""

    variance: float | Array = 0.0
    cells: int = 1
    """Number of cells of identical code it was estimated from, which are its degrees of freedom."""

    def where(self, cells: NDArray[np.bool_]) -> Self:
        """Return the variance of each cell: 0 for those whose two sides are the same binary, which are False."""
        return type(self)(np.where(cells, self.variance, 0.0), self.cells)

    def only(self, cells: NDArray[np.bool_]) -> Self:
        """Return the variance of some of the cells."""
        return type(self)(np.broadcast_to(self.variance, cells.shape)[cells], self.cells)


NONE: Final = Placement()
"""Stands for no placement: what was measured twice is the same binary at the same place."""


def estimate(table: ArrayLike, expected: ArrayLike) -> Placement:
    """Estimate the variance from log ratios of identical code, cells x processes, with NaN for missing observations.

    ``expected`` is the spread of each cell that its rounds predict. Fewer than :data:`LEAST_CELLS` cells that two
    processes measured give no estimate.
    """
    logs = np.asarray(table, dtype=np.float64)
    logs = logs.reshape(len(logs), -1 if logs.size else 0)
    there = np.isfinite(logs)
    sizes = there.sum(axis=1)
    use = sizes > 1
    if use.sum() < LEAST_CELLS:
        return NONE
    logs, there, sizes = logs[use], there[use], sizes[use]
    filled = np.where(there, logs, 0.0)
    mean = filled.sum(axis=1) / sizes
    own = np.where(there, filled - mean[:, None], 0.0)
    excess = mean**2 - (own**2).sum(axis=1) / (sizes - 1) / sizes
    spread = np.asarray(expected, dtype=np.float64)[use] ** 2
    known = np.isfinite(spread) & (spread > 0)
    weighed = np.where(known, spread, np.median(spread[known]) if known.any() else 1.0) / sizes
    found = 0.0
    for _ in range(ITERATIONS):
        weights = 1 / (weighed + found)
        found = max(float(weights @ excess / weights.sum()), 0.0)
    return Placement(found, int(use.sum()))
