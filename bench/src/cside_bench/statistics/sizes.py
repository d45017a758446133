# SPDX-License-Identifier: Apache-2.0
"""Time by size: the line t = a + b·bytes of each approach, where it breaks, and the size from which the choice does not
matter.

The input is one *sweep*: net ns per call of one workload at several sizes, in several processes. All estimates are made
in each process separately, and intervals are over processes.

Two lines are fitted to each approach. The line of the whole call is the time that a user waits. It does not fit where
the native library itself is not a straight line, and its residual then says by how much. The line of the time *over C
alone* in the same process is the approach's own cost: ns per call and ns per byte; the latter is zero for an approach
that copies nothing.

Approaches are compared by the difference of their times, which is cut into straight pieces
(:mod:`cside_bench.statistics.cliffs`) and fitted in each process, so that the noise of the largest sizes does not
decide. Crossovers, and the size from which the choice matters less than 5 %, are computed from these fits and are
marked as extrapolated if they are beyond the last size.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.statistics import student
from cside_bench.statistics.cliffs import Cliff, curve_of, find_cliffs, fit_line, pieces
from cside_bench.statistics.intervals import intervals
from cside_bench.statistics.student import Interval

Array = NDArray[np.float64]

WITHIN: Final = 0.05
"""Relative difference of total times below which the choice of an approach is said to make no difference."""
FEWEST_SIZES: Final = 4
"""Least number of sizes in a sweep."""
STEPS: Final = 24
"""Number of points per doubling of the size at which curves are compared."""
LEAST_SHARE: Final = 0.01
"""Least share of another approach's time that a fit may give; a smaller one is an error of the fit."""
EVEN_SLOPE: Final = 0.01
"""Relative difference below which slopes are equal, so that no crossover is predicted from their difference."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """One family of workloads on one interpreter."""

    family: str
    sizes: Array
    """Sizes in bytes, ascending."""
    times: dict[str, Array]
    """Times by subject: ns per call, sizes x processes; NaN where a process has none."""
    floor: str | None = None
    """The subject that is C alone; where its line breaks, the cause is the native library."""
    peers: tuple[str, ...] = ()
    """Approaches that a user chooses between; references are fitted but not compared. Empty means all but the floor."""

    @property
    def choices(self) -> list[str]:
        """Subjects that are compared in pairs."""
        return [name for name in self.times if (name in self.peers if self.peers else name != self.floor)]


@dataclass(frozen=True, slots=True)
class Line:
    """The line t = a + b·bytes over all sizes."""

    a_ns: Interval
    b_ns: Interval
    residual: float
    """Largest distance of a size's time from the line, as the mean over processes and as a share of the whole call."""
    residual_nbytes: int
    """Size with the largest distance from the line."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A range of sizes within which a straight line holds for the whole call."""

    first_nbytes: int
    last_nbytes: int
    a_ns: Interval
    b_ns: Interval


@dataclass(frozen=True, slots=True)
class Crossing:
    """A size at which two approaches take the same time.

    ``low`` and ``high`` are the nearest sizes at which one of them is certainly faster. ``faster_below`` and
    ``faster_above`` name the faster one on each side.
    """

    nbytes: float
    low: float
    high: float
    faster_below: str
    faster_above: str
    extrapolated: bool = False


@dataclass(frozen=True, slots=True)
class Near:
    """The size from which the total time of an approach is within 5 % of another's; ``inf`` if there is none."""

    subject: str
    against: str
    nbytes: float
    low: float
    high: float
    extrapolated: bool


@dataclass(slots=True)
class Model:
    """All results of one sweep."""

    sweep: Sweep
    lines: dict[str, Line] = field(default_factory=dict)
    """Lines of the whole call, by subject."""
    over: dict[str, Line] = field(default_factory=dict)
    """Lines of the time over C alone, by subject; empty if the sweep has no C alone."""
    parts: dict[str, list[Piece]] = field(default_factory=dict)
    cliffs: dict[str, list[Cliff]] = field(default_factory=dict)
    crossings: dict[tuple[str, str], list[Crossing]] = field(default_factory=dict)
    near: list[Near] = field(default_factory=list)
    all_near: Near | None = None
    """The size from which every choice is within 5 % of the fastest; None if it cannot be computed."""


def line(sizes: Array, times: Array, base: Array | None = None) -> Line | None:
    """Fit the line of ``times``, or of their difference to ``base`` (ns, sizes x processes).

    Return ``None`` if no process has all sizes. The fit is least squares in each process, weighted by the inverse of
    the whole time, so that relative errors count the same at all sizes.
    """
    curve = curve_of(sizes, times, base)
    if curve is None:
        return None
    fitted = fit_line(sizes, curve.values, curve.total)
    predicted = fitted[:, 0] + np.outer(sizes, fitted[:, 1])
    away = (curve.values - predicted).mean(axis=1) / curve.total
    worst = int(np.argmax(np.abs(away)))
    offset, slope = intervals([fitted[:, 0].tolist(), fitted[:, 1].tolist()], logarithmic=False)
    return Line(offset, slope, float(away[worst]), int(sizes[worst]))


def parts(sweep: Sweep, subject: str) -> list[Piece]:
    """Return the straight pieces of the whole call."""
    curve = curve_of(sweep.sizes, sweep.times[subject])
    found = []
    for start, end, lines in pieces(curve, len(sweep.times)) if curve is not None else []:
        offset, slope = intervals([lines[:, 0].tolist(), lines[:, 1].tolist()], logarithmic=False)
        found.append(Piece(int(sweep.sizes[start]), int(sweep.sizes[end - 1]), offset, slope))
    return found


def grid(sizes: Array) -> Array:
    """Return the sizes at which curves are compared: the measured ones and :data:`STEPS` per doubling between them."""
    low, high = max(1.0, sizes[sizes > 0].min()), sizes.max()
    steps = max(2, int(np.ceil(np.log2(high / low) * STEPS)))
    return np.unique(np.concatenate([sizes, np.geomspace(low, high, steps)]))


def log_ratios(sweep: Sweep, subject: str, against: str, at: Array) -> Array:
    """Return the log of the ratio of whole times at the sizes ``at``, sizes x processes.

    The difference of the times is that of the fitted pieces, interpolated linearly between pieces. It is added to the
    measured time of ``against``, interpolated linearly between sizes.
    """
    mine, other = sweep.times[subject], sweep.times[against]
    known = (np.isfinite(mine) & (mine > 0) & np.isfinite(other) & (other > 0)).all(axis=0)
    curve = curve_of(sweep.sizes, mine[:, known], other[:, known])
    if curve is None:
        return np.empty((len(at), 0))
    fitted = np.empty_like(curve.values)
    for start, end, lines in pieces(curve, len(sweep.times)):
        fitted[start:end] = (lines[:, 0] + np.outer(sweep.sizes[start:end], lines[:, 1])).reshape(end - start, -1)
    base, gap = (
        np.column_stack([np.interp(at, sweep.sizes, column) for column in table.T])
        for table in (other[:, known], fitted)
    )
    return np.asarray(np.log(np.maximum(base + gap, LEAST_SHARE * base) / base))


def crossings(sweep: Sweep, one: str, two: str) -> list[Crossing]:
    """Return the sizes at which the faster one of ``one`` and ``two`` changes.

    A change counts if one is certainly faster at some size and the other is at a later size, by intervals over
    processes that are adjusted for the number of sizes. The crossing is in between, where neither is.
    """
    at = grid(sweep.sizes)
    middle, low, high = student.rows(log_ratios(sweep, one, two, at), len(sweep.sizes))
    ahead = np.where(high < 0, -1, np.where(low > 0, 1, 0))
    sure = np.flatnonzero(ahead)
    found = []
    for left, right in pairwise(sure):
        if ahead[left] == ahead[right]:
            continue
        between = middle[left : right + 1]
        change = left + int(np.flatnonzero(np.sign(between[:-1]) != np.sign(between[1:]))[0])
        share = middle[change] / (middle[change] - middle[change + 1])
        names = (one, two) if ahead[left] < 0 else (two, one)
        nbytes = float(at[change] + share * (at[change + 1] - at[change]))
        found.append(Crossing(nbytes, float(at[left]), float(at[right]), *names))
    if not found and len(sure):
        found += beyond(sweep, one, two, int(ahead[sure[-1]]))
    return found


def tail(sweep: Sweep, subject: str, against: str) -> tuple[Array, Array]:
    """Return (a, b) of each process in the last straight piece, of the difference of both and of ``against``."""
    mine, other = sweep.times[subject], sweep.times[against]
    known = (np.isfinite(mine) & (mine > 0) & np.isfinite(other) & (other > 0)).all(axis=0)
    curve, base = curve_of(sweep.sizes, mine[:, known], other[:, known]), curve_of(sweep.sizes, other[:, known])
    if curve is None or base is None:
        return np.empty((0, 2)), np.empty((0, 2))
    return pieces(curve, len(sweep.times))[-1][2], pieces(base, len(sweep.times))[-1][2]


def beyond(sweep: Sweep, one: str, two: str, ahead: int) -> list[Crossing]:
    """Return the crossing that the lines predict beyond the last size, if slopes certainly differ enough."""
    gap, base = tail(sweep, one, two)
    slope, level = intervals([gap[:, 1].tolist(), base[:, 1].tolist()], logarithmic=False)
    sure = slope.low > 0 or slope.high < 0
    if not sure or abs(slope.value) < EVEN_SLOPE * level.value or np.sign(slope.value) == ahead:
        return []
    places = -gap[:, 0] / gap[:, 1]
    if not (np.isfinite(places) & (places > sweep.sizes[-1])).all():
        return []
    (place,) = intervals([places.tolist()], logarithmic=True)
    names = (one, two) if ahead < 0 else (two, one)
    return [Crossing(place.value, place.low, place.high, *names, extrapolated=True)]


def last_apart(at: Array, apart: NDArray[np.bool_]) -> float:
    """Return the first size from which ``apart`` is false at all sizes; ``inf`` if it is true at the last."""
    where = np.flatnonzero(apart)
    if not len(where):
        return float(at[0])
    return float(at[where[-1] + 1]) if where[-1] + 1 < len(at) else float("inf")


def near(sweep: Sweep, subject: str, against: str) -> Near:
    """Return the size from which ``subject`` is within 5 % of ``against``, faster or slower.

    ``low`` and ``high`` are the sizes from which the interval of the ratio touches the 5 %, and from which it is
    completely within them. ``inf`` means that this does not happen within the sweep.
    """
    at = grid(sweep.sizes)
    middle, low, high = student.rows(log_ratios(sweep, subject, against, at))
    limit = np.log1p(WITHIN)
    inner = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high)))
    outer = np.maximum(np.abs(low), np.abs(high))
    value, first, last = (last_apart(at, curve > limit) for curve in (np.abs(middle), inner, outer))
    if np.isfinite(value):
        return Near(subject, against, value, first, last, False)
    predicted = near_beyond(sweep, subject, against)
    if not np.isfinite(predicted[0]):
        return Near(subject, against, value, first, last, False)
    return Near(subject, against, *predicted, True)


def near_beyond(sweep: Sweep, subject: str, against: str) -> tuple[float, float, float]:
    """Return size, low and high of :func:`near` beyond the last size, by the lines of the last pieces.

    They are ``inf`` if the slopes of a process are too different.
    """
    gap, base = tail(sweep, subject, against)
    limit = np.where(gap @ [1.0, sweep.sizes[-1]] > 0, WITHIN, 1 / (1 + WITHIN) - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        places = (limit * base[:, 0] - gap[:, 0]) / (gap[:, 1] - limit * base[:, 1])
    if not len(places) or not (np.isfinite(places) & (places > sweep.sizes[-1])).all():
        return float("inf"), float("inf"), float("inf")
    (place,) = intervals([places.tolist()], logarithmic=True)
    return place.value, place.low, place.high


def near_all(sweep: Sweep) -> Near | None:
    """Return the size from which the slowest choice is within 5 % of the fastest."""
    names = sweep.choices
    if len(names) < 2:
        return None
    at = grid(sweep.sizes)
    tables = [log_ratios(sweep, name, names[0], at) for name in names]
    if len({table.shape[1] for table in tables}) != 1 or not tables[0].shape[1]:
        return None
    stack = np.stack(tables)
    means = stack.mean(axis=2)
    fastest, slowest = means.argmin(axis=0), means.argmax(axis=0)
    columns = np.arange(len(at))
    spread = stack[slowest, columns] - stack[fastest, columns]
    middle, low, high = student.rows(spread)
    limit = np.log1p(WITHIN)
    value, first, last = (last_apart(at, curve > limit) for curve in (middle, low, high))
    return Near("all", "fastest", value, first, last, False)


def model(sweep: Sweep, against: str) -> Model:
    """Compute all results of one sweep; ``against`` is the approach with which the others are compared.

    Raises :class:`ValueError` for fewer than four sizes, or for sizes that are not in ascending order.
    """
    if len(sweep.sizes) < FEWEST_SIZES or not (np.diff(sweep.sizes) > 0).all():
        raise ValueError(f"{sweep.family}: at least {FEWEST_SIZES} sizes in ascending order are needed")
    found = Model(sweep)
    base = None if sweep.floor is None else sweep.times[sweep.floor]
    for name, times in sweep.times.items():
        whole, over = line(sweep.sizes, times), line(sweep.sizes, times, base)
        if whole is not None:
            found.lines[name], found.parts[name] = whole, parts(sweep, name)
        if over is not None and base is not None and name != sweep.floor:
            found.over[name] = over
    found.cliffs = find_cliffs(sweep.sizes, sweep.times, sweep.floor)
    names = sweep.choices
    found.crossings = {
        (one, two): crossings(sweep, one, two) for place, one in enumerate(names) for two in names[place + 1 :]
    }
    if against in sweep.times:
        found.near = [near(sweep, name, against) for name in names if name != against]
    found.all_near = near_all(sweep)
    return found
