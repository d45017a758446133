# SPDX-License-Identifier: Apache-2.0
"""Moderated standard deviations of a family of cells, and the maximum statistic under random signs of its processes.

These are the computations of :mod:`cside_bench.statistics.intervals`, whose docstring gives the method and its sources.
"""

from dataclasses import dataclass
from itertools import product
from typing import Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from cside_bench.statistics import student
from cside_bench.statistics.placement import NONE, Placement

Array = NDArray[np.float64]

RESAMPLES: Final = 10_000
"""Number of random patterns of signs for more than :data:`EXHAUSTIVE` processes."""
EXHAUSTIVE: Final = 14
"""Largest number of processes with all patterns of signs: 2^13 = 8,192, since opposite ones give the same result."""
BATCH: Final = 500
"""Number of resamples that are computed at a time, which limits the memory."""
SEED: Final = 7
"""Seed for the resamples, so that the same raw rounds always give the same table."""
LEAST_CELLS: Final = 10
"""Least number of cells for moderation. A smaller family says too little about how variances differ between cells."""
FLOOR: Final = 1e-4
"""Share of the family's median variance below which a variance only shows a clock's resolution and is not fitted."""


@dataclass(frozen=True, slots=True)
class Part:
    """Statistics of one sample of processes. Arrays have one element per cell; ``deviations`` is cells x processes."""

    mean: Array
    sizes: Array
    """Number of observations of each cell."""
    deviations: Array
    """Deviations from the cell's mean, 0 where there is no observation. They are multiplied by sqrt(n / (n - 1)), so
    that their spread is that of the errors.
    """
    variance: Array
    """Variance of the observations of each cell."""
    moderated: Array
    """Moderated variance of each cell, never less than ``variance``."""
    common: Array
    """Prior variance s0² of each cell."""
    freedom: float
    """Prior degrees of freedom d0, at most those of a cell with all processes; 0 if nothing is moderated."""

    @classmethod
    def of(cls, table: Array, expected: Array | None) -> Self:
        """Compute the statistics from log ratios, cells x processes, with NaN for missing observations."""
        there = np.isfinite(table)
        sizes = there.sum(axis=1).astype(np.float64)
        filled = np.where(there, table, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = filled.sum(axis=1) / sizes
            deviations = np.where(there, filled - mean[:, None], 0.0)
            variance = np.where(sizes > 1, (deviations**2).sum(axis=1) / (sizes - 1), np.nan)
            deviations *= np.where(sizes > 1, np.sqrt(sizes / (sizes - 1)), 0.0)[:, None]
        freedom, common = prior(variance, sizes - 1, expected)
        freedom = min(freedom, max(table.shape[1] - 1.0, 0.0))
        return cls(mean, sizes, deviations, variance, moderate(variance, sizes - 1, freedom, common), common, freedom)

    def only(self, cells: NDArray[np.bool_]) -> Self:
        """Return the statistics of these cells, moderated as before."""
        return type(self)(
            mean=self.mean[cells],
            sizes=self.sizes[cells],
            deviations=self.deviations[cells],
            variance=self.variance[cells],
            moderated=self.moderated[cells],
            common=self.common[cells],
            freedom=self.freedom,
        )

    def resample(self, signs: Array) -> tuple[Array, Array]:
        """Return means and their moderated variances, cells x resamples, for signs of processes x resamples."""
        size = self.sizes[:, None]
        means = self.deviations @ signs
        means /= size
        squares = (self.deviations**2).sum(axis=1, keepdims=True)
        variances = np.maximum(squares - size * means**2, 0.0) / (size - 1)
        return means, moderate(variances, size - 1, self.freedom, self.common[:, None]) / size


def moderate(variance: Array, own: Array, freedom: float, common: Array) -> Array:
    """Return the posterior variance of Smyth (2004), but no less than the variance itself.

    ``own`` is the cells' own degrees of freedom.
    """
    if freedom == 0:
        return variance
    return np.maximum(variance, (freedom * common + own * variance) / (freedom + own))


def prior(variance: Array, own: Array, expected: Array | None) -> tuple[float, Array]:
    """Estimate d0, and s0² of each cell, by the moments of log variances (Smyth 2004, section 6.2).

    d0 is 0 for a small family. With ``expected``, log s0² is a linear function of its logarithm, with a slope between 0
    and 1.5. Cells whose ``expected`` is not known get the mean.
    """
    nothing = 0.0, np.zeros_like(variance)
    use = (own > 0) & (variance > 0)
    if use.sum() >= LEAST_CELLS:
        use &= variance > FLOOR * np.median(variance[use])
    if use.sum() < LEAST_CELLS:
        return nothing
    half = own[use] / 2
    logs = np.log(variance[use]) - special.digamma(half) + np.log(half)
    trend = np.full(len(variance), logs.mean())
    parameters = 1
    if expected is not None:
        known = np.isfinite(expected) & (expected > 0)
        if (known & use).sum() >= LEAST_CELLS:
            scale = np.full(len(variance), np.nan)
            scale[known] = 2 * np.log(expected[known])
            scale = np.where(known, scale, scale[known & use].mean())
            centre = scale[use] - scale[use].mean()
            slope = float((centre @ logs) / max(centre @ centre, 1e-12))
            trend += np.clip(slope, 0.0, 1.5) * (scale - scale[use].mean())
            parameters = 2
    excess = float(((logs - trend[use]) ** 2).sum() / (use.sum() - parameters) - special.polygamma(1, half).mean())
    freedom = 2 * inverse_trigamma(excess)
    return freedom, np.exp(trend + special.digamma(freedom / 2) - np.log(freedom / 2))


def inverse_trigamma(value: float) -> float:
    """Return the argument at which the trigamma function has this value, limited to between 0.001 and 1,000,000."""
    least, most = 1e-3, 1e6
    if value <= special.polygamma(1, most):
        return most
    if value >= special.polygamma(1, least):
        return least
    found = optimize.brentq(lambda at: float(special.polygamma(1, at)) - value, least, most)
    return float(found)


def signs_of(processes: int) -> Array:
    """Return signs, processes x resamples: each pattern once for few processes, else random ones."""
    if processes <= EXHAUSTIVE:
        return np.array([(1.0, *rest) for rest in product((1.0, -1.0), repeat=processes - 1)]).T
    return np.random.default_rng(SEED).choice(np.array([-1.0, 1.0]), size=(processes, RESAMPLES))


def largest_statistics(parts: list[Part]) -> Array:
    """Return the largest absolute statistic over all cells in each resample, sorted.

    Two parts have one statistic: that of the difference of their means.
    """
    signs = signs_of(sum(part.deviations.shape[1] for part in parts))
    edges = np.cumsum([part.deviations.shape[1] for part in parts])[:-1]
    found = []
    for start in range(0, signs.shape[1], BATCH):
        by_part = np.split(signs[:, start : start + BATCH], edges)
        difference: Array | float = 0.0
        variance: Array | float = 0.0
        for part, part_signs in zip(parts, by_part, strict=True):
            means, squared = part.resample(part_signs)
            difference = means - difference
            variance = squared + variance
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(difference == 0, 0.0, np.square(difference) / variance)
        found.append(np.sqrt(ratios.max(axis=0)))
    return np.sort(np.concatenate(found))


def satterthwaite(parts: list[Part], *, moderated: bool, placement: Placement = NONE) -> Array:
    """Return the degrees of freedom of a mean, or of the difference between two, with what processes share."""
    freedoms: list[ArrayLike] = [part.sizes - 1 + (part.freedom if moderated else 0.0) for part in parts]
    if len(parts) == 1 and not np.any(placement.variance):
        return np.asarray(freedoms[0])
    variances = [(part.moderated if moderated else part.variance) / part.sizes for part in parts]
    if np.any(placement.variance):
        variances.append(np.broadcast_to(placement.variance, variances[0].shape))
        freedoms.append(placement.cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        return student.satterthwaite(variances, freedoms)


def squared_error(parts: list[Part], *, moderated: bool, placement: Placement = NONE) -> Array:
    """Return the variance of a mean, or of the difference between two, with what processes share."""
    own = [(part.moderated if moderated else part.variance) / part.sizes for part in parts]
    return np.asarray(np.sum(own, axis=0) + placement.variance)
