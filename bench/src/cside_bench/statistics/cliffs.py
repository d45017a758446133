# SPDX-License-Identifier: Apache-2.0
"""Straight pieces of a curve of time by size, and the cliffs between them: jumps and bends that are not chance.

A curve is cut where that lowers the squared distance of the mean over processes from straight lines, in units of its
own uncertainty, by more than a penalty per cut (PELT, R. Killick, P. Fearnhead and I. A. Eckley, JASA 107, 2012, as
ruptures has it). The uncertainty is the standard error between processes, what a process has in common at all sizes
taken out, and never less than :data:`SHAPE` and :data:`CYCLES_NS`, because layout and alignment bend a curve by as much
and more processes do not average that away. The penalty is the quantile of chi squared with three degrees of freedom
(one piece more has an offset, a slope and a place) that noise exceeds anywhere in one of twenty families: Bonferroni
over places and curves.

What is cut for an approach is its time *over that of C alone* in the same process, where the sweep has that: the native
library's curve is no straight line itself, and its cliffs are nobody else's. The jump at a cut is then estimated in
every process by itself, as the difference of the two pieces at the first size after it; its interval is over
processes. Where the pieces meet between the two sizes, as far as one can tell, it is a bend.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import ruptures  # type: ignore[import-untyped]
from numpy.typing import NDArray
from ruptures.base import BaseCost  # type: ignore[import-untyped]
from scipy import stats

from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval

Array = NDArray[np.float64]

SHAPE: Final = 0.005
"""Relative uncertainty of a size's time that no number of processes removes."""
CYCLES_NS: Final = 0.5
"""The same of short calls: a cycle or two."""
CHANCE: Final = 0.05
"""Of a false cut anywhere in the family."""
SHORTEST: Final = 3
"""Sizes in a piece: two always lie on a line, the third shows that there is one."""
RELEVANT: Final = 0.01
"""Of the whole time of the call: a smaller jump, and a bend that amounts to less at the piece's end, is no cliff."""
NEIGHBOURS: Final = 2.0
"""Sizes further apart than by this factor tell of a bend between them, but not how large a jump is in it."""


@dataclass(frozen=True, slots=True)
class Cliff:
    """Between two neighbouring sizes of a sweep. Slopes are over C alone, where that was measured."""

    below_nbytes: int
    above_nbytes: int
    kind: str
    """``step``, or ``slope`` where the pieces meet, or the sizes are too far apart to tell."""
    step_ns: Interval
    """Time at ``above_nbytes`` minus what the piece before it foretells there; NaN for a slope."""
    step_share: float
    """The same as a share of the whole time there."""
    slope_before_ns: float
    """ns per byte."""
    slope_after_ns: float


@dataclass(frozen=True, slots=True)
class Curve:
    """One approach by size, in the processes that have all sizes."""

    sizes: Array
    values: Array
    """ns, sizes x processes: the time of a call, or its difference to another's."""
    sigma: Array
    """Uncertainty of the mean over processes, ns, one per size."""
    total: Array
    """Time of a call, ns, mean over processes, one per size."""


def curve_of(sizes: Array, times: Array, base: Array | None = None) -> Curve | None:
    """The curve of ``times`` (ns, sizes x processes), or of their difference to ``base``.

    ``None`` where no process has all sizes.
    """
    known = (np.isfinite(times) & (times > 0)).all(axis=0)
    if base is not None:
        known &= (np.isfinite(base) & (base > 0)).all(axis=0)
    if not known.any():
        return None
    own = times[:, known]
    total = own.mean(axis=1)
    values, paired = (own, own) if base is None else (own - base[:, known], own / base[:, known])
    return Curve(sizes, values, np.hypot(total * uncertainty(paired), CYCLES_NS), total)


def uncertainty(values: Array) -> Array:
    """Relative standard error of each size's mean over processes.

    Half own, half the mean over all sizes, since few processes tell little about each; levels common to a process out.
    """
    levels = np.log(values)
    rest = levels - levels.mean(axis=0, keepdims=True)
    processes = values.shape[1]
    own = rest.var(axis=1, ddof=1) / processes if processes > 1 else np.zeros(len(values))
    return np.asarray(np.sqrt((own + own.mean()) / 2 + SHAPE**2))


def fit_line(sizes: Array, values: Array, sigma: Array) -> Array:
    """(a, b) of a + b·size by least squares in units of ``sigma``, a row for each column of ``values``."""
    rows = np.column_stack([1 / sigma, sizes / sigma])
    scale = np.linalg.norm(rows, axis=0)
    solution, *_ = np.linalg.lstsq(rows / scale, values / sigma[:, None], rcond=None)
    return np.asarray((solution / scale[:, None]).T)


class _Pieces(BaseCost):  # type: ignore[misc]  # ruptures has no types
    """Squared distance of the mean from a straight line."""

    model = "weighted line"
    min_size = SHORTEST

    def fit(self, signal: Array) -> "_Pieces":
        """``signal`` has columns size, mean, uncertainty."""
        self.signal = signal
        return self

    def error(self, start: int, end: int) -> float:
        """The cost of one piece."""
        size, mean, sigma = self.signal[start:end].T
        weight = 1 / sigma**2
        weight = weight / weight.sum()
        x, y = size - weight @ size, mean - weight @ mean
        slope = (weight @ (x * y)) / (weight @ x**2)
        return float(np.sum(((y - slope * x) / sigma) ** 2))


def edges(curve: Curve, comparisons: int = 1) -> list[int]:
    """Where pieces begin and end: indices into the sizes, 0 first and the number of sizes last.

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
    """(start, end, lines) of each piece: indices into the sizes, and (a, b) of each process."""
    ends = edges(curve, comparisons)
    return [
        (start, end, fit_line(curve.sizes[start:end], curve.values[start:end], curve.sigma[start:end]))
        for start, end in pairwise(ends)
    ]


def cliffs_of(curve: Curve, comparisons: int) -> list[Cliff]:
    """The cliffs of one curve."""
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
    """The cliffs of every subject of a family. ``times`` are ns, sizes x processes; ``floor`` names the one that is C.

    With fewer than six sizes none can be found, and none with fewer than three sizes on either side. A single process
    gives no interval and therefore no cliff.
    """
    found = {}
    for name, table in times.items():
        curve = curve_of(sizes, table, None if floor is None or name == floor else times[floor])
        found[name] = [] if curve is None else cliffs_of(curve, max(1, len(times)))
    return found
