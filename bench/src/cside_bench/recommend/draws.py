# SPDX-License-Identifier: Apache-2.0
"""Random draws of the uncertainty that remains after few processes.

A draw of a cell's mean log time is ``mean + spread * t``, where t is Student's with one degree of freedom less than
there are processes: the posterior of a normal mean with nothing known beforehand (W. S. Gosset, "The probable error
of a mean", Biometrika 6, 1908; A. Gelman et al., "Bayesian Data Analysis", 3rd ed., 2013, section 3.2). So the
interval of one cell is the unadjusted interval that the report shows. All cells of an interpreter share the normal
deviates, one for each *process*, and the chi-square: a draw is a weighted sum of the processes' deviations, so an
effect that two cells share in a process is shared in the draw too. That is a multivariate Student t whose
correlations are those of the processes, however many cells there are. What the processes of a run share (the place of
code and data in memory, :mod:`cside_bench.statistics.placement`) is drawn for each cell by itself, and added.

The Bayesian bootstrap over processes (D. B. Rubin, "The Bayesian bootstrap", Annals of Statistics 9, 1981) keeps the
same correlations; but the variance of its mean is (n - 1) / (n + 1) of s²/n, 0.8 for ten processes and 0.5 for three,
and it never exceeds the smallest and the largest value. It is used for the changes of the drill, whose outcomes have
no normal distribution.
"""

import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

FARTHEST: Final = 5.0
"""Log deviation at which draws are clipped, a factor of 148: with two or three processes t has no finite variance."""


class Deviates:
    """The random deviates that all cells measured in the same processes share.

    ``name`` and ``seed`` determine the numbers, so that a change of the profile changes no draw.
    """

    def __init__(self, name: str, seed: int, draws: int, replicates: int) -> None:
        generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
        self.normal: Array = generator.standard_normal((draws, replicates))
        self.squares: Array = generator.standard_normal((draws, replicates)) ** 2

    def means(self, logs: Array, *, ahead: bool = False) -> Array:
        """Return draws of the mean of ``logs`` (one per replicate, NaN for none); the first row is the mean itself.

        ``ahead`` draws a further replicate instead of the mean. The result is NaN without any replicate, and has no
        spread with a single one.
        """
        found = np.isfinite(logs)
        size = int(found.sum())
        rows = len(self.normal)
        if size == 0:
            return np.full(rows + 1, np.nan)
        mean = float(logs[found].mean())
        if size == 1:
            return np.full(rows + 1, mean)
        spread = self.normal[:, found] @ (logs[found] - mean) / np.sqrt(size - 1)  # variance s²
        spread *= np.sqrt(1 + 1 / size) if ahead else np.sqrt(1 / size)
        spread /= np.sqrt(self.squares[:, : size - 1].sum(axis=1) / (size - 1))
        return np.concatenate([[mean], mean + np.clip(spread, -FARTHEST, FARTHEST)])


def placed(name: str, seed: int, draws: int, spread: float) -> Array:
    """Return draws of what placement adds to the mean log time of one cell, alone; the first row is 0.

    ``spread`` is the standard deviation that placement gives to log ratios, half of whose variance is that of one side.
    """
    generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
    return np.concatenate([[0.0], generator.standard_normal(draws) * spread / np.sqrt(2)])


def shares(name: str, seed: int, draws: int, of: Array) -> Array:
    """Return Bayesian bootstrap draws of the column means of ``of`` (cases x columns); the first row is the means."""
    generator = np.random.default_rng([seed, zlib.crc32(name.encode())])
    weights = generator.dirichlet(np.ones(len(of)), draws)
    return np.vstack([of.mean(axis=0), weights @ of])


def weights(seed: int, draws: int, stated: Array, concentration: float) -> Array:
    """Return draws of weights that sum to 1, from a Dirichlet around the stated ones; a weight of 0 stays 0."""
    generator = np.random.default_rng([seed, zlib.crc32(b"weights")])
    found = np.zeros((draws, len(stated)))
    used = stated > 0
    found[:, used] = generator.dirichlet(stated[used] / stated.sum() * concentration, draws)
    return found
