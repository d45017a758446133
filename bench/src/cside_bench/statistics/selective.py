# SPDX-License-Identifier: Apache-2.0
"""Intervals of the cells that a run decides, with a false coverage rate of at most 5 %.

A run makes some three thousand comparisons on an interpreter. Intervals that all hold at once have to be so wide, with
ten processes, that most of them decide nothing. A reader looks at those that decide something. Therefore the intervals
of cells follow Y. Benjamini, D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals for selected
parameters", Journal of the American Statistical Association 100, 2005: of the intervals that *decide*, at most 5 % are
expected to miss their true ratio.

1. For each comparison the smallest level is computed at which its interval would decide: lie beyond the margin as a
   whole, or within it. It is the p value of Student's statistic for the distance between the mean and the nearer end of
   the margin, whichever side the mean is on. Standard deviations are moderated as in
   :mod:`cside_bench.statistics.intervals`, and what processes share is added to the variance
   (:mod:`cside_bench.statistics.placement`).
2. The procedure of Y. Benjamini, Y. Hochberg (Journal of the Royal Statistical Society B 57, 1995) at 5 % says which R
   of the m comparisons decide.
3. Every interval of the m has the level 1 - 0.05 R / m. Those of the R decide by construction.

The procedure assumes that the comparisons are independent or positively dependent. Ratios to one reference are: what
slows the reference down lowers all of them. ``bench/tests/statistics/test_selective.py`` has families with that
dependence.

**Looks.** Where a run looks at its results before it ends, and goes on with the cells that are undecided only, the
5 % are spent in two parts, one at each look. A cell is decided at one of them. So the expected share of wrong intervals
is at most the sum of both parts. How much the first look may spend is that of P. C. O'Brien, T. R. Fleming (Biometrics
35, 1979) in the form of K. K. G. Lan, D. L. DeMets (Biometrika 70, 1983): little, so that the last look keeps most.

The few comparisons of the headline rows keep intervals that all hold at once, among themselves
(:func:`cside_bench.statistics.intervals.judge_family`). The p value of "no difference" is adjusted for the false
discovery rate over all comparisons, again by Benjamini and Hochberg, and among the headline rows for the family.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cside_bench.statistics.family import Part, satterthwaite, squared_error
from cside_bench.statistics.intervals import Comparison, as_table, judge_family, reach_alone, spread
from cside_bench.statistics.placement import NONE, Placement
from cside_bench.statistics.student import LEAST_PROCESSES, critical

Array = NDArray[np.float64]

FALSE_COVERAGE = 0.05
"""Expected share of deciding intervals that miss their true ratio, at most."""
DECIDED = "decided"
"""The guarantee of a :class:`Comparison` whose interval is adjusted for the false coverage rate."""
ALL = "all"
"""The guarantee of a :class:`Comparison` whose interval holds at once with all others of its family."""


def spent(share: float) -> float:
    """Return how much of :data:`FALSE_COVERAGE` a look spends that has this share of the processes; all of it at 1."""
    if share >= 1:
        return FALSE_COVERAGE
    return float(2 * stats.norm.sf(stats.norm.isf(FALSE_COVERAGE / 2) / np.sqrt(share)))


def selective(
    table: ArrayLike,
    margin: float,
    *,
    expected: ArrayLike | None = None,
    together: ArrayLike | None = None,
    placement: Placement = NONE,
    level: float = FALSE_COVERAGE,
) -> list[Comparison]:
    """Compare all cells of a run: log ratios, cells x processes, with NaN where a process has none.

    ``margin`` is the margin of equivalence (0.03 is 3 %). ``expected`` is the spread of each cell that its rounds
    predict. ``together`` marks the cells whose intervals hold at once. ``placement`` is the variance that processes
    share, which all intervals contain. A cell with fewer than :data:`LEAST_PROCESSES` observations has no adjusted
    interval and takes no part. ``level`` is the false coverage rate, less than the whole for one of several looks.
    """
    part = Part.of(as_table(table), spread(expected))
    placement = Placement(np.broadcast_to(placement.variance, part.mean.shape), placement.cells)
    found = judge_alone(part, placement)
    at_once = np.zeros(len(found), dtype=np.bool_) if together is None else np.asarray(together, dtype=np.bool_)
    enough = part.sizes >= LEAST_PROCESSES
    if enough.any():
        reach, p = decided(part.only(enough), margin, level, placement.only(enough))
        for index, half, value in zip(np.flatnonzero(enough).tolist(), reach.tolist(), p.tolist(), strict=True):
            found[index] = adjusted(found[index], float(part.mean[index]), half, value)
    if at_once.any():
        sizes = part.sizes[at_once].astype(np.int64)
        few = judge_family([part.only(at_once)], part.mean[at_once], sizes, None, placement.only(at_once))
        for index, comparison in zip(np.flatnonzero(at_once).tolist(), few, strict=True):
            found[index] = comparison
    return found


def decided(part: Part, margin: float, level: float, placement: Placement = NONE) -> tuple[Array, Array]:
    """Return half the width of each interval, as a logarithm, and the adjusted p value of "no difference"."""
    error = np.sqrt(squared_error([part], moderated=True, placement=placement))
    freedom = satterthwaite([part], moderated=True, placement=placement)
    with np.errstate(divide="ignore", invalid="ignore"):
        distance = np.where(error > 0, np.abs(np.abs(part.mean) - np.log1p(margin)) / error, np.inf)
        difference = np.where(part.mean == 0, 0.0, np.abs(part.mean) / error)
    deciding = stats.false_discovery_control(2 * stats.t.sf(distance, freedom)) <= level
    each = level * max(int(deciding.sum()), 1) / len(deciding)
    return critical(freedom, each) * error, stats.false_discovery_control(2 * stats.t.sf(difference, freedom))


def judge_alone(part: Part, placement: Placement = NONE) -> list[Comparison]:
    """Return the comparisons with their intervals alone, which are not adjusted for anything."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        reach = reach_alone([part], placement)
        bounds = np.exp([part.mean, part.mean - reach, part.mean + reach])
    rows = zip(*bounds.tolist(), part.sizes.astype(np.int64).tolist(), strict=True)
    return [Comparison(value, low, high, processes=count) for value, low, high, count in rows]


def adjusted(alone: Comparison, mean: float, reach: float, p: float) -> Comparison:
    """Return the comparison with an interval that is adjusted for the false coverage rate."""
    low, high = np.exp([mean - reach, mean + reach]).tolist()
    return Comparison(alone.value, alone.low, alone.high, low, high, p, alone.processes, DECIDED)
