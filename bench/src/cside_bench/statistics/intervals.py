# SPDX-License-Identifier: Apache-2.0
"""Intervals and verdicts from the paired ratios of processes.

The process is the replicate and the paired ratio is the observation: all rounds of a process give one number per
target, and inference is over processes only, on the logarithm.

**Alone.** The interval of one cell is Student's, and contains what the processes of a run share
(:mod:`cside_bench.statistics.placement`). The percentile and BCa bootstraps are too narrow for eight observations;
``cside selftest`` shows the coverage of the intervals used here.

**Adjusted.** Where a family has to hold at once (the headline rows of a run, and the cells of two runs compared), every
adjusted interval of the family holds its true ratio, with 95 % confidence. Other comparisons of a run are adjusted by
:mod:`cside_bench.statistics.selective`. Among a thousand cells with eight processes each, some have a very small
standard deviation by accident, and these cells would determine a studentised maximum. Therefore:

1. Standard deviations are *moderated* by those of the whole family, as in G. K. Smyth, "Linear models and empirical
   Bayes methods for assessing differential expression in microarray experiments", Statistical Applications in
   Genetics and Molecular Biology 3(1), 2004: variances vary between cells as an inverse chi-square of d0 degrees of
   freedom around s0², both estimated from the family. Optionally s0 follows a trend on a known covariate, here the
   spread that is expected from the rounds within the processes (the idea of M. A. Sartor et al., BMC Bioinformatics
   7:538, 2006, and of limma's ``trend``). Two restrictions are our own. Moderation may raise a cell's standard
   deviation and never lowers it, so that no noisy cell hides among quiet ones. And d0 counts for no more than the
   cell's own d, since the cells of one process are not independent.
2. The critical value is the larger of two. The first is Z. Šidák's (JASA 62, 1967) for the size of the family, from
   Student's t with d0 + d degrees of freedom. The second is the maximum over the family (max-T; P. H. Westfall,
   S. S. Young, "Resampling-based multiple testing", 1993) in a wild bootstrap over processes: a resample gives each
   process a random sign and multiplies its deviations in *all* cells by it, so that the dependence between cells is
   kept; means and moderated standard deviations are computed again in each resample (R. Y. Liu, Annals of Statistics
   16, 1988; on signs as the weights, R. Davidson, E. Flachaire, Journal of Econometrics 146, 2008). With up to
   fourteen processes all patterns of signs are used, otherwise 10,000.

Two alternatives were tried and rejected, on families of 300 cells and 6 to 30 processes. Drawing processes with
replacement holds the 5 %, but it often draws one of eight processes four times, and on a real run its critical value
was 14 to 23 where 7 is enough. Gaussian multipliers alone call 10 to 50 % of identical families different.

**Assumptions.** Processes are independent, and their deviations are symmetric. For identical code the deviations are
symmetric, since the two sides of the ratio could be exchanged. If only one side has a rare mode, the mean of few
processes that all missed it is wrong, and nothing in these processes shows it: their intervals are then too narrow, and
a *difference found* can be false. A *verdict* is hardly affected, since it needs the whole interval beyond the margin.
The self-test has such a scenario.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cside_bench.statistics.family import Part, largest_statistics, satterthwaite, squared_error
from cside_bench.statistics.placement import NONE, Placement
from cside_bench.statistics.student import LEAST_PROCESSES, LEVEL, Interval, critical, student

Array = NDArray[np.float64]

CONFIDENCE: Final = 0.95
"""Confidence of the intervals, and of all adjusted intervals of a family together."""
SMALLEST_MARGIN: Final = 0.03
"""Smallest margin of equivalence: a difference of less than 3 % does not matter for the choice of a binding."""
STARS: Final = ((0.001, "***"), (0.01, "**"), (0.05, "*"))
"""Stars for p values below each level."""
AA_SHARE: Final = 0.95
"""Share of the A/A ratios that stay within the A/A bound."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A ratio with its 95 % interval alone and the interval adjusted over its family.

    ``adjusted_p`` is the p value of "no difference", adjusted as well. NaN stands for a number that too few processes
    do not allow to compute. ``guarantee`` is ``all`` if all adjusted intervals of the family hold at once, and
    ``decided`` if at most 5 % of those that decide are wrong (:mod:`cside_bench.statistics.selective`).
    """

    value: float
    low: float = np.nan
    high: float = np.nan
    adjusted_low: float = np.nan
    adjusted_high: float = np.nan
    adjusted_p: float = np.nan
    processes: int = 0
    guarantee: str = "all"

    @property
    def found(self) -> bool:
        """Whether a difference of any size is found: the adjusted p value is below 0.05."""
        return self.adjusted_p < LEVEL


def intervals(
    observations: Sequence[Sequence[float]], *, logarithmic: bool, extra: tuple[float, float] = (0.0, 1.0)
) -> list[Interval]:
    """Compute an interval for each cell alone, from one observation per process; NaN observations are left out.

    ``extra`` is a variance of the mean that processes do not show, and its degrees of freedom.

    ``logarithmic`` is for ratios: the mean is the geometric mean, bounds are those of the mean log ratio, and
    observations that are not positive are left out too.
    """
    found = []
    for row in observations:
        values = np.asarray(row, dtype=np.float64)
        if logarithmic:
            interval = student(logarithms(values), extra=extra)
            with np.errstate(over="ignore"):  # the interval of two processes may be too wide for a number
                value, low, high = np.exp([interval.value, interval.low, interval.high]).tolist()
            interval = Interval(value, low, high, interval.processes)
        else:
            interval = student(values, extra=extra)
        found.append(interval)
    return found


def logarithms(ratios: ArrayLike) -> Array:
    """Return the logarithms of ratios; NaN for a ratio that has no finite logarithm."""
    values = np.asarray(ratios, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(values)
    return np.where(np.isfinite(logs), logs, np.nan)


def expected_spread(paired: Sequence[ArrayLike]) -> float:
    """Return the standard deviation of a process's median log ratio that its rounds predict.

    ``paired`` holds the paired ratios of the rounds, one array per process. The estimate uses the median absolute
    deviation, which outliers do not move: 1.4826 MAD estimates sigma, and under normal noise the median of n values has
    the standard error sqrt(pi / 2) sigma / sqrt(n). The result is NaN if no process has two rounds.
    :func:`simultaneous` takes it as ``expected``.
    """
    variances: list[float] = []
    by_length: dict[int, list[Array]] = {}
    for rounds in paired:
        logs = logarithms(rounds)
        logs = logs[np.isfinite(logs)]
        by_length.setdefault(len(logs), []).append(logs)
    for length, several in by_length.items():
        if length > 1:
            table = np.vstack(several)
            deviations = np.abs(table - np.median(table, axis=1, keepdims=True))
            variances += (np.pi / 2 * (1.4826 * np.median(deviations, axis=1)) ** 2 / length).tolist()
    return float(np.sqrt(np.mean(variances))) if variances else np.nan


def simultaneous(
    table: ArrayLike, *, expected: ArrayLike | None = None, comparisons: int | None = None
) -> list[Comparison]:
    """Compare all cells of a family: log ratios, cells x processes, with NaN where a process has none.

    ``expected`` is the spread of each cell that its rounds predict (:func:`expected_spread`). It makes intervals
    narrower, since each cell is then moderated by cells that are as noisy. ``comparisons`` is the size of the family if
    that is more than the number of rows. A cell with fewer than :data:`LEAST_PROCESSES` observations has no adjusted
    interval and does not count for the family. The module's docstring describes the method.
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
    """Compare two runs: the change other / base of log ratios, which are cells x processes.

    Both runs have the same cells and any number of processes. The processes of the runs are independent samples of
    unequal variance. The statistic is B. L. Welch's with Satterthwaite's degrees of freedom (Biometrika 34, 1947), and
    each run is moderated by its own family. The rest is as in :func:`simultaneous`; ``processes`` is the smaller number
    of the two runs.
    """
    spreads = (None, None) if expected is None else expected
    parts = [Part.of(as_table(it), spread(its)) for it, its in zip((other, base), spreads[::-1], strict=True)]
    if len(parts[0].mean) != len(parts[1].mean):
        raise ValueError("both runs need the same cells")
    processes = np.minimum(parts[0].sizes, parts[1].sizes).astype(np.int64)
    return judge_family(parts, parts[0].mean - parts[1].mean, processes, comparisons)


def as_table(values: ArrayLike) -> Array:
    """Return the values as a table of cells x processes, which may be empty."""
    table = np.asarray(values, dtype=np.float64)
    return table.reshape(len(table), -1 if table.size else 0)


def spread(expected: ArrayLike | None) -> Array | None:
    """Return the expected spread as an array; None if it is not given."""
    return None if expected is None else np.asarray(expected, dtype=np.float64)


def judge_family(
    parts: list[Part],
    mean: Array,
    processes: NDArray[np.int64],
    comparisons: int | None,
    placement: Placement = NONE,
) -> list[Comparison]:
    """Compute the intervals of ``mean``, which is the log ratio of one part or the difference between two.

    ``placement`` is what the processes of a run share. In the difference between two runs of the same files it cancels.
    """
    width = reach_alone(parts, placement)
    adjusted_width, adjusted_p = np.full_like(mean, np.nan), np.full_like(mean, np.nan)
    enough = processes >= LEAST_PROCESSES
    if enough.any():
        size = max(int(enough.sum()), comparisons or 0)
        adjusted_width[enough], adjusted_p[enough] = adjust(
            [part.only(enough) for part in parts], mean[enough], size, placement.only(enough)
        )
    with np.errstate(over="ignore"):  # the interval of two processes may be too wide for a number
        bounds = np.exp([mean, mean - width, mean + width, mean - adjusted_width, mean + adjusted_width])
    columns = [*bounds.tolist(), adjusted_p.tolist(), processes.tolist()]
    return [Comparison(*row) for row in zip(*columns, strict=True)]


def reach_alone(parts: list[Part], placement: Placement = NONE) -> Array:
    """Return half the width of intervals alone, as logarithms.

    What processes share has more degrees of freedom than few processes have, and never makes an interval narrower.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found = [
            np.sqrt(squared_error(parts, moderated=False, placement=its))
            * critical(satterthwaite(parts, moderated=False, placement=its))
            for its in (NONE, placement)
        ]
    return np.maximum(*found)


def adjust(parts: list[Part], mean: Array, size: int, placement: Placement = NONE) -> tuple[Array, Array]:
    """Half the width of the adjusted intervals, and the adjusted p values, in a family of ``size`` comparisons."""
    error = np.sqrt(squared_error(parts, moderated=True, placement=placement))
    freedom = satterthwaite(parts, moderated=True, placement=placement)
    largest = largest_statistics(parts)
    exceeded = int((1 - CONFIDENCE) * (len(largest) + 1) + 1e-9)  # largest number of resamples that may be as large
    single = -np.expm1(np.log(CONFIDENCE) / size)
    threshold = np.maximum(critical(freedom, single), largest[len(largest) - exceeded])
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(mean == 0, 0.0, np.abs(mean) / error)
    one = np.minimum(2 * stats.t.sf(statistic, freedom), 1 - 1e-16)
    sidak = -np.expm1(size * np.log1p(-one))
    resampled = (1 + len(largest) - np.searchsorted(largest, statistic)) / (1 + len(largest))
    return threshold * error, np.maximum(sidak, resampled)


def stars(comparison: Comparison) -> str:
    """Return the stars of a difference from 1, by its adjusted p value: ``*`` below 0.05, ``**`` 0.01, ``***`` 0.001.

    The smallest p value that n processes can give is about 1 / 2^(n - 1), so three stars need eleven processes.
    """
    return next((text for level, text in STARS if comparison.adjusted_p < level), "")


def margin(aa_ratios: Sequence[float]) -> float:
    """Return the margin of equivalence: 3 %, or the run's A/A bound if that is larger.

    ``aa_ratios`` are the run's ratios of identical code in different layouts (relinked to the reference), one number
    per workload: the geometric mean over processes. The A/A bound is the deviation from 1, on the logarithm, that the
    ratio of one more workload would not exceed with a probability of 95 %. It is estimated by the order statistic at 95
    % of n + 1 (R. J. Hyndman, Y. Fan, "Sample quantiles in statistical packages", The American Statistician 50, 1996,
    definition 6), since the controls take part in some thirty workloads only: of n numbers as they are, the 95 %
    quantile is exceeded by more than 5 % of others. With less than nineteen workloads it is the largest deviation.
    """
    errors = np.abs(logarithms(list(aa_ratios)))
    errors = errors[np.isfinite(errors)]
    if not len(errors):
        return SMALLEST_MARGIN
    return max(SMALLEST_MARGIN, float(np.expm1(np.quantile(errors, AA_SHARE, method="weibull"))))


def verdict(compared: Comparison | Interval, margin: float) -> str:
    """Return ``faster``, ``slower``, ``equivalent`` or ``inconclusive``, by the position of the ratio's interval.

    Faster and slower mean that the whole interval is beyond the margin; equivalent means that it is within. The
    interval of a :class:`Comparison` is the adjusted one. A ratio without an interval is inconclusive.
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
    """Return shared ranks within a workload: 1 + the number of others that are decided faster.

    ``pairwise`` has the verdict of the ratio first / second, for either order of a pair; a missing pair is undecided.
    Point estimates are not used. Decisions are transitive: if A is faster than B and B is faster than C, A is faster
    than C even if that pair alone is inconclusive. So a subject that is decided slower always has the larger rank.
    Subjects whose decisions contradict each other, because each is faster than the other along some path, are undecided
    among themselves.
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
