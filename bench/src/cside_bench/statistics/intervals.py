# SPDX-License-Identifier: Apache-2.0
"""From paired ratios of processes to intervals and verdicts.

The process is the replicate and the paired ratio the observation: all rounds of a process give one number per
target, and inference is over processes only, on the logarithm.

**Alone.** The interval of one cell is Student's. The percentile and BCa bootstraps are too narrow for eight
observations; the simulation of :mod:`.selftest` shows the coverage of what is used.

**Adjusted.** All comparisons of one interpreter are one family: with 95 % confidence, *every* adjusted interval of the
family holds its true ratio. Among a thousand cells with eight processes each, some have a standard deviation that is
tiny by accident, and a studentised maximum is all about those. Therefore:

1. Standard deviations are *moderated* by what the whole family shows, as in G. K. Smyth, "Linear models and empirical
   Bayes methods for assessing differential expression in microarray experiments", Statistical Applications in
   Genetics and Molecular Biology 3(1), 2004: variances vary between cells as an inverse chi-square of d0 degrees of
   freedom around s0², both estimated from the family; optionally s0 follows a trend on a known covariate, here the
   spread that the rounds within the processes let expect (the idea of M. A. Sartor et al., BMC Bioinformatics 7:538,
   2006, and of limma's ``trend``). Two cautions are our own: moderation may raise a cell's standard deviation and
   never lowers it, so that no noisy cell hides among quiet ones, and d0 counts for no more than the cell's own d, since
   cells of one process are not independent.
2. The critical value is the larger of two. First, Z. Šidák's (JASA 62, 1967) for the size of the family, from
   Student's t with d0 + d degrees of freedom. Second, the maximum over the family (max-T; P. H. Westfall, S. S. Young,
   "Resampling-based multiple testing", 1993) in a wild bootstrap over processes: a resample gives each process a
   random sign, by which its deviations in *all* cells are multiplied, so that dependence between cells is kept; means
   and moderated standard deviations are computed anew in each (R. Y. Liu, Annals of Statistics 16, 1988; on signs as
   the weights, R. Davidson, E. Flachaire, Journal of Econometrics 146, 2008). With up to fourteen processes all
   patterns of signs are used, else 10,000.

What was tried and left out, on families of 300 cells and 6 to 30 processes: drawing processes with replacement holds
the 5 %, but of eight processes it often draws one four times, and on a real run its critical value was 14 to 23 where
7 is enough; Gaussian multipliers alone call 10 to 50 % of identical families different.

**What is assumed:** that processes are independent, and their deviations symmetric. For identical code they are, as the
two sides of the ratio could change places. Where only one side falls into a rare mode, the mean of few processes that
all missed it is off, and nothing in them tells: intervals alone are too narrow, and a *difference found* can be false,
though hardly a *verdict*, which needs the whole interval beyond the margin. The self-test has such a scenario.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cside_bench.statistics.family import Part, largest_statistics, satterthwaite
from cside_bench.statistics.student import LEAST_PROCESSES, Interval, critical, student

Array = NDArray[np.float64]

CONFIDENCE: Final = 0.95
SMALLEST_MARGIN: Final = 0.03
"""A difference of less than 3 % is of no consequence for the choice of a binding."""
STARS: Final = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
AA_SHARE: Final = 0.95
"""Of the A/A ratios, which stay within the A/A bound."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A ratio, its 95 % interval alone, and the one adjusted over its family.

    ``adjusted_p`` is the p value of "no difference", adjusted likewise: below 0.05 if and only if the adjusted interval
    excludes 1. NaN stands for what the number of processes does not allow.
    """

    value: float
    low: float = np.nan
    high: float = np.nan
    adjusted_low: float = np.nan
    adjusted_high: float = np.nan
    adjusted_p: float = np.nan
    processes: int = 0

    @property
    def found(self) -> bool:
        """Whether a difference is found: the adjusted interval excludes 1. No statement on its size."""
        return self.adjusted_low > 1 or self.adjusted_high < 1


def intervals(observations: Sequence[Sequence[float]], *, logarithmic: bool) -> list[Interval]:
    """An interval for each cell, alone, from one observation per process; NaN observations are left out.

    ``logarithmic`` is for ratios: the mean is the geometric one, bounds are those of the mean log ratio, and
    observations that are not positive are left out too.
    """
    found = []
    for row in observations:
        values = np.asarray(row, dtype=np.float64)
        if logarithmic:
            its = student(logarithms(values))
            with np.errstate(over="ignore"):  # two processes bound nothing
                value, low, high = np.exp([its.value, its.low, its.high]).tolist()
            its = Interval(value, low, high, its.processes)
        else:
            its = student(values)
        found.append(its)
    return found


def logarithms(ratios: ArrayLike) -> Array:
    """The logarithms; NaN for what has none."""
    values = np.asarray(ratios, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(values)
    return np.where(np.isfinite(logs), logs, np.nan)


def expected_spread(paired: Sequence[ArrayLike]) -> float:
    """The standard deviation of a process's median log ratio that its rounds let expect; for ``expected``.

    ``paired`` holds the paired ratios of the rounds, one array per process. From the median absolute deviation, which
    outliers do not move: 1.4826 MAD estimates sigma, and the median of n values has the standard error
    sqrt(pi / 2) sigma / sqrt(n) under normal noise. NaN where no process has two rounds.
    """
    variances = []
    for rounds in paired:
        logs = logarithms(rounds)
        logs = logs[np.isfinite(logs)]
        if len(logs) > 1:
            variances.append(np.pi / 2 * (1.4826 * np.median(np.abs(logs - np.median(logs)))) ** 2 / len(logs))
    return float(np.sqrt(np.mean(variances))) if variances else np.nan


def simultaneous(
    table: ArrayLike, *, expected: ArrayLike | None = None, comparisons: int | None = None
) -> list[Comparison]:
    """Compare all cells of a family: log ratios, cells x processes, with NaN where a process has none.

    ``expected`` is the spread that the rounds let expect for each cell (:func:`expected_spread`): it makes intervals
    narrower, since cells are then moderated by those that are as noisy. ``comparisons`` is the size of the family where
    it is more than the rows given. A cell with fewer than :data:`LEAST_PROCESSES` observations has no adjusted interval
    and does not count. The module's docstring has the method.
    """
    part = Part.of(as_table(table), spread(expected))
    return judge_family([part], part.mean, part.sizes.astype(np.int64), comparisons)


def simultaneous_between(
    base: ArrayLike,
    other: ArrayLike,
    *,
    expected: tuple[ArrayLike, ArrayLike] | None = None,
    comparisons: int | None = None,
) -> list[Comparison]:
    """The change from one run to another, other / base: log ratios, same cells x processes, which differ in number.

    Processes of the runs are independent samples of unequal variance: B. L. Welch's statistic, with Satterthwaite's
    degrees of freedom (Biometrika 34, 1947), each run moderated by its own family. The rest is that of
    :func:`simultaneous`; ``processes`` is the smaller of both numbers.
    """
    spreads = (None, None) if expected is None else expected
    parts = [Part.of(as_table(it), spread(its)) for it, its in zip((other, base), spreads[::-1], strict=True)]
    if len(parts[0].mean) != len(parts[1].mean):
        raise ValueError("both runs need the same cells")
    processes = np.minimum(parts[0].sizes, parts[1].sizes).astype(np.int64)
    return judge_family(parts, parts[0].mean - parts[1].mean, processes, comparisons)


def as_table(values: ArrayLike) -> Array:
    """Cells x processes; an empty family too."""
    table = np.asarray(values, dtype=np.float64)
    return table.reshape(len(table), -1 if table.size else 0)


def spread(expected: ArrayLike | None) -> Array | None:
    """As an array, if given."""
    return None if expected is None else np.asarray(expected, dtype=np.float64)


def judge_family(
    parts: list[Part], mean: Array, processes: NDArray[np.int64], comparisons: int | None
) -> list[Comparison]:
    """Intervals of ``mean``, the log ratio of one part or the difference between two."""
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt(np.sum([part.variance / part.sizes for part in parts], axis=0))
        width = error * critical(satterthwaite(parts, moderated=False))
    adjusted_width, adjusted_p = np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    enough = processes >= LEAST_PROCESSES
    if enough.any():
        size = max(int(enough.sum()), comparisons or 0)
        adjusted_width[enough], adjusted_p[enough] = adjust([part.only(enough) for part in parts], mean[enough], size)
    with np.errstate(over="ignore"):  # two processes bound nothing
        bounds = np.exp([mean, mean - width, mean + width, mean - adjusted_width, mean + adjusted_width])
    columns = [*bounds.tolist(), adjusted_p.tolist(), processes.tolist()]
    return [Comparison(*row) for row in zip(*columns, strict=True)]


def adjust(parts: list[Part], mean: Array, size: int) -> tuple[Array, Array]:
    """Half the width of each cell's adjusted interval, and its adjusted p value, in a family of ``size``."""
    error = np.sqrt(np.sum([part.moderated / part.sizes for part in parts], axis=0))
    freedom = satterthwaite(parts, moderated=True)
    largest = largest_statistics(parts)
    exceeded = int((1 - CONFIDENCE) * (len(largest) + 1) + 1e-9)  # so many resamples may be as large, and no more
    single = -np.expm1(np.log(CONFIDENCE) / size)
    threshold = np.maximum(critical(freedom, single), largest[len(largest) - exceeded])
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0, 0.0, np.abs(mean) / error)
    one = np.minimum(2 * stats.t.sf(statistic, freedom), 1 - 1e-16)
    sidak = -np.expm1(size * np.log1p(-one))
    resampled = (1 + len(largest) - np.searchsorted(largest, statistic)) / (1 + len(largest))
    return threshold * error, np.maximum(sidak, resampled)


def stars(comparison: Comparison) -> str:
    """Significance of the difference from 1, adjusted: ``*`` below 0.05, ``**`` below 0.01, ``***`` below 0.001.

    The smallest p value that n processes can give is about 1 / 2^(n - 1): for three stars it takes eleven.
    """
    return next((text for level, text in STARS if comparison.adjusted_p < level), "")


def margin(aa_ratios: Sequence[float]) -> float:
    """The margin of equivalence: 3 %, or the run's A/A bound, if that is more.

    ``aa_ratios`` are the run's ratios of one code to itself (twin and relinked to the reference, one number per
    workload); the bound is what 95 % of them stay within.
    """
    errors = np.abs(logarithms(list(aa_ratios)))
    errors = errors[np.isfinite(errors)]
    return max(SMALLEST_MARGIN, float(np.expm1(np.quantile(errors, AA_SHARE)))) if len(errors) else SMALLEST_MARGIN


def verdict(compared: Comparison | Interval, margin: float) -> str:
    """``faster``, ``slower``, ``equivalent`` or ``inconclusive``, by where the interval of the ratio lies.

    Faster and slower mean that the whole interval is beyond the margin, equivalent that it is within. It is the
    adjusted one of a :class:`Comparison`. What has none is inconclusive.
    """
    if isinstance(compared, Comparison):
        low, high = compared.adjusted_low, compared.adjusted_high
    else:
        low, high = compared.low, compared.high
    below, above = 1 / (1 + margin), 1 + margin
    if high < below:
        return "faster"
    if low > above:
        return "slower"
    if below <= low and high <= above:
        return "equivalent"
    return "inconclusive"


def ranks(names: Sequence[str], pairwise: Mapping[tuple[str, str], str]) -> dict[str, int]:
    """Shared ranks within a workload: 1 + the number of others that are decided faster.

    ``pairwise`` has the verdict of the ratio first / second, for either order of a pair; a pair that is missing is
    undecided. Point estimates play no part. What follows is decided too: where A is faster than B and B than C, A is
    faster than C even if that pair by itself is inconclusive. So whatever is decided slower has the larger rank. Those
    that contradict each other, each being faster than the other by some way, are undecided among themselves.
    """
    index = {name: at for at, name in enumerate(names)}
    beats = np.zeros((len(index), len(index)), dtype=np.bool_)
    for (first, second), found in pairwise.items():
        if first in index and second in index and found in {"faster", "slower"}:
            winner, loser = (first, second) if found == "faster" else (second, first)
            beats[index[winner], index[loser]] = True
    for via in range(len(index)):  # S. Warshall, "A theorem on Boolean matrices", Journal of the ACM 9, 1962
        beats |= np.outer(beats[:, via], beats[via])
    decided = beats & ~beats.T
    return {name: 1 + int(decided[:, at].sum()) for name, at in index.items()}
