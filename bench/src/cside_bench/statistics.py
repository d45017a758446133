"""From paired ratios of processes to intervals and verdicts.

The process is the replicate and the paired ratio the observation: all rounds of a process give one number per
target, and inference is over processes only.
"""

import warnings
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Array = NDArray[np.float64]

RESAMPLES: Final = 9_999
CONFIDENCE: Final = 0.95
SEED: Final = 7
"""Of the bootstrap: the same raw rounds always give the same table."""
BATCH: Final = 250
"""Resamples at a time; bounds the memory."""
SMALLEST_MARGIN: Final = 0.03
"""A difference of less than 3 % is of no consequence for the choice of a binding."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its bounds; all NaN where nothing was resolved. Bounds are NaN for fewer than two processes."""

    value: float
    low: float
    high: float
    processes: int


def bootstrap_means(observations: Array) -> tuple[Array, Array, Array]:
    """Means and bounds of each row of ``observations`` (cells x processes), by resampling processes.

    Bias-corrected and accelerated bootstrap (B. Efron, "Better bootstrap confidence intervals", JASA 82, 1987), as
    ``scipy.stats.bootstrap`` has it. Rows of equal values have bounds equal to the mean.
    """
    means = observations.mean(axis=1)
    if observations.shape[1] < 2:
        unknown = np.full_like(means, np.nan)
        return means, unknown, unknown.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # degenerate rows, handled below
        result = stats.bootstrap(
            (observations,),
            np.mean,
            axis=1,
            n_resamples=RESAMPLES,
            batch=BATCH,
            confidence_level=CONFIDENCE,
            method="BCa",
            rng=np.random.default_rng(SEED),
        )
    low, high = np.asarray(result.confidence_interval.low), np.asarray(result.confidence_interval.high)
    flat = np.ptp(observations, axis=1) == 0
    low[flat], high[flat] = means[flat], means[flat]
    return means, low, high


def intervals(observations: list[list[float]], *, logarithmic: bool) -> list[Interval]:
    """An interval for each cell from one observation per process; NaN observations are left out.

    ``logarithmic`` is for ratios: the mean is the geometric one and bounds are those of the mean log ratio.
    """
    cleaned = [
        np.asarray([value for value in row if np.isfinite(value) and (value > 0 or not logarithmic)])
        for row in observations
    ]
    found: list[Interval] = [Interval(np.nan, np.nan, np.nan, 0)] * len(cleaned)
    for size in sorted({len(row) for row in cleaned} - {0}):
        indices = [index for index, row in enumerate(cleaned) if len(row) == size]
        table = np.vstack([cleaned[index] for index in indices])
        means, low, high = bootstrap_means(np.log(table) if logarithmic else table)
        if logarithmic:
            means, low, high = np.exp(means), np.exp(low), np.exp(high)
        for index, *bounds in zip(indices, means.tolist(), low.tolist(), high.tolist(), strict=True):
            found[index] = Interval(bounds[0], bounds[1], bounds[2], size)
    return found


def margin(twin: list[Interval]) -> float:
    """The margin of equivalence: 3 %, or what 95 % of the A/A ratios of the run stay within, if that is more."""
    errors = [abs(np.log(interval.value)) for interval in twin if np.isfinite(interval.value)]
    return max(SMALLEST_MARGIN, float(np.expm1(np.quantile(errors, 0.95)))) if errors else SMALLEST_MARGIN


def verdict(interval: Interval, margin: float) -> str:
    """``faster``, ``slower``, ``equivalent`` or ``inconclusive``, by where the interval of the ratio lies.

    Faster and slower mean that the whole interval is beyond the margin, equivalent that it is within.
    """
    if not np.isfinite(interval.low) or not np.isfinite(interval.high):
        return "inconclusive"
    below, above = 1 / (1 + margin), 1 + margin
    if interval.high < below:
        return "faster"
    if interval.low > above:
        return "slower"
    if below <= interval.low and interval.high <= above:
        return "equivalent"
    return "inconclusive"
