# SPDX-License-Identifier: Apache-2.0
"""Straight pieces of a curve of time by size, and the cliffs between them: jumps and bends that chance does not
explain.

A curve is cut where a cut lowers the squared distance of the mean over processes from straight lines, in units of its
uncertainty, by more than a penalty per cut (PELT, R. Killick, P. Fearnhead and I. A. Eckley, JASA 107, 2012, in the
implementation of ruptures). The uncertainty is the standard error between processes, after removing what a process has
in common at all sizes. It is never less than :data:`SHAPE` and :data:`CYCLES_NS`, because layout and alignment bend a
curve by as much and more processes do not average that away. The penalty is the quantile of chi squared with three
degrees of freedom (one more piece has an offset, a slope and a place) that noise exceeds anywhere in one of twenty
families, with Bonferroni's correction for places and curves.

If the sweep has C alone, the curve of an approach is its time *over that of C alone* in the same process. The native
library's own curve is not a straight line, and its cliffs are not those of the approach. The jump at a cut is then
estimated in each process as the difference of the two pieces at the first size after the cut; its interval is over
processes. Where the pieces meet between the two sizes, within their uncertainty, the cliff is a bend.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import ruptures  # type: ignore[import-untyped]  # it has no types
from numpy.typing import NDArray
from ruptures.base import BaseCost  # type: ignore[import-untyped]  # as above
from scipy import stats

from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval

Array = NDArray[np.float64]

SHAPE: Final = 0.005
"""Relative uncertainty of the time at a size that no number of processes removes."""
CYCLES_NS: Final = 0.5
"""Uncertainty in ns of the time of a short call that no number of processes removes: a cycle or two."""
CHANCE: Final = 0.05
"""Probability of a false cut anywhere in the family."""
SHORTEST: Final = 3
"""Least number of sizes in a piece. Two points are always on a line; the third shows whether there is one."""
RELEVANT: Final = 0.01
"""Least relevant share of the whole time of the call. A smaller jump, or a bend that has a smaller effect at the end of
the piece, is not a cliff.
"""
NEIGHBOURS: Final = 2.0
"""Largest ratio of two neighbouring sizes between which a jump can be measured. Sizes that are further apart show that
there is a bend, but not how large a jump in it is.
"""


@dataclass(frozen=True, slots=True)
class Cliff:
    """A cliff between two neighbouring sizes of a sweep; slopes are over C alone if C alone was measured."""

    below_nbytes: int
    above_nbytes: int
    kind: str
    """``step``; or ``slope`` if the pieces meet, or if the sizes are too far apart to tell."""
    step_ns: Interval
    """Time at ``above_nbytes`` minus the prediction of the piece before it; NaN for a slope."""
    step_share: float
    """``step_ns`` as a share of the whole time at ``above_nbytes``."""
    slope_before_ns: float
    """ns per byte in the piece before the cliff."""
    slope_after_ns: float
    """ns per byte in the piece after the cliff."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The times of one approach by size, in the processes that measured all sizes."""

    sizes: Array
    values: Array
    """ns, sizes x processes: the time of a call, or its difference to another time."""
    sigma: Array
    """Uncertainty of the mean over processes in ns, one per size."""
    total: Array
    """Whole time of a call in ns, the mean over processes, one per size."""


def curve_of(sizes: Array, times: Array, base: Array | None = None) -> Curve | None:
    """Return the curve of ``times`` (ns, sizes x processes), or of their difference to ``base``.

    Return ``None`` if no process has all sizes.
    """
    known = (np.isfinite(times) & (times > 0)).all(axis=0)
    if base is not None:
        known &= (np.isfinite(base) & (base > 0)).all(axis=0)
    if not known.any():
        return None
    whole = times[:, known]
    total = whole.mean(axis=1)
    values, paired = (whole, whole) if base is None else (whole - base[:, known], whole / base[:, known])
    return Curve(sizes, values, np.hypot(total * uncertainty(paired), CYCLES_NS), total)


def uncertainty(values: Array) -> Array:
    """Return the relative standard error of each size's mean over processes.

    Levels common to all sizes of a process are removed. The variance is half the size's own and half the mean over all
    sizes, since few processes say little about one size.
    """
    levels = np.log(values)
    rest = levels - levels.mean(axis=0, keepdims=True)
    processes = values.shape[1]
    own = rest.var(axis=1, ddof=1) / processes if processes > 1 else np.zeros(len(values))
    return np.asarray(np.sqrt((own + own.mean()) / 2 + SHAPE**2))


def fit_line(sizes: Array, values: Array, sigma: Array) -> Array:
    """Return (a, b) of a + b·size by least squares in units of ``sigma``, one row for each column of ``values``."""
    rows = np.column_stack([1 / sigma, sizes / sigma])
    scale = np.linalg.norm(rows, axis=0)
    solution, *_ = np.linalg.lstsq(rows / scale, values / sigma[:, None], rcond=None)
    return np.asarray((solution / scale[:, None]).T)


class _Pieces(BaseCost):  # type: ignore[misc]  # ruptures has no types
    """Cost of a piece for ruptures: the squared distance of the mean from a straight line."""

    model = "weighted line"
    min_size = SHORTEST

    def fit(self, signal: Array) -> "_Pieces":
        """Set the signal, which has the columns size, mean and uncertainty."""
        self.signal = signal
        return self

    def error(self, start: int, end: int) -> float:
        """Return the cost of the piece from ``start`` to ``end`` (exclusive)."""
        size, mean, sigma = self.signal[start:end].T
        weight = 1 / sigma**2
        weight = weight / weight.sum()
        x, y = size - weight @ size, mean - weight @ mean
        slope = (weight @ (x * y)) / (weight @ x**2)
        return float(np.sum(((y - slope * x) / sigma) ** 2))


def edges(curve: Curve, comparisons: int = 1) -> list[int]:
    """Return where pieces begin and end: indices into the sizes, 0 first and the number of sizes last.

    ``comparisons`` is the number of curves in the family.
    """
    size = len(curve.sizes)
    if size < 2 * SHORTEST:
        return [0, size]
    places = size - 2 * SHORTEST + 1
    table = np.column_stack([curve.sizes, curve.values.mean(axis=1), curve.sigma])
    penalty = float(stats.chi2.isf(CHANCE / (places * comparisons), 3))
    search = ruptures.Pelt(custom_cost=_Pieces(), min_size=SHORTEST, jump=1).fit(table)
    return [0, *(int(end) for end in search.predict(pen=penalty))]


def pieces(curve: Curve, comparisons: int = 1) -> list[tuple[int, int, Array]]:
    """Return (start, end, lines) of each piece: indices into the sizes, and (a, b) of each process."""
    ends = edges(curve, comparisons)
    return [
        (start, end, fit_line(curve.sizes[start:end], curve.values[start:end], curve.sigma[start:end]))
        for start, end in pairwise(ends)
    ]


def cliffs_of(curve: Curve, comparisons: int) -> list[Cliff]:
    """Return the cliffs of one curve in a family of ``comparisons`` curves."""
    found = []
    parts = pieces(curve, comparisons)
    for (_, cut, before), (_, end, after) in pairwise(parts):
        below, above, last = curve.sizes[cut - 1], curve.sizes[cut], curve.sizes[end - 1]
        gaps = [((after - before) @ [1.0, at]).tolist() for at in (below, above)]
        left, step, turn = intervals([*gaps, (after[:, 1] - before[:, 1]).tolist()], logarithmic=False)
        share = step.value / float(curve.total[cut])
        jumps = (step.low > 0 or step.high < 0) and abs(share) >= RELEVANT
        bends = (turn.low > 0 or turn.high < 0) and abs(turn.value) * last >= RELEVANT * curve.total[end - 1]
        if not jumps and not bends:
            continue
        apart = (left.low > 0 and step.low > 0) or (left.high < 0 and step.high < 0)
        kind = "step" if jumps and apart and above <= NEIGHBOURS * below else "slope"
        if kind == "slope":
            step, share = Interval(np.nan, np.nan, np.nan, step.processes), float("nan")
        slopes = float(before[:, 1].mean()), float(after[:, 1].mean())
        found.append(Cliff(int(below), int(above), kind, step, share, *slopes))
    return found


def find_cliffs(sizes: Array, times: Mapping[str, Array], floor: str | None) -> dict[str, list[Cliff]]:
    """Return the cliffs of every subject of a family.

    ``times`` are ns, sizes x processes; ``floor`` names the subject that is C alone. Each side of a cliff has at least
    three sizes, so fewer than six sizes have no cliff. A single process gives no interval and therefore no cliff.
    """
    found = {}
    for name, table in times.items():
        curve = curve_of(sizes, table, None if floor is None or name == floor else times[floor])
        found[name] = [] if curve is None else cliffs_of(curve, max(1, len(times)))
    return found
