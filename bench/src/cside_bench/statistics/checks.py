# SPDX-License-Identifier: Apache-2.0
"""Checks of a run for which the right answer is known, per interpreter.

Each check has one number per process, and Student's interval over the processes. A check fails when its whole interval
is beyond a limit. Noise alone makes no check fail: it widens intervals, which by itself makes verdicts rarer. Bias
makes checks fail. A check that could not be made does not pass. The checks of one kind that each technique has share
the 5 % of an interval (C. Bonferroni): else an honest run of many techniques would fail more often than one of few.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cside_bench.statistics.intervals import SMALLEST_MARGIN, Comparison, as_table, verdict
from cside_bench.statistics.student import Interval, student

Array = NDArray[np.float64]

SMALLEST: Final = 0.01
"""Largest bias that is tolerated: less than 1 %, a third of the smallest margin, changes no verdict to its opposite."""
OF_TECHNIQUE: Final = SMALLEST_MARGIN
"""Largest drift or effect of the position of a single technique that is tolerated, as a share: the smallest margin. A
median over rounds in random order takes half of it at most.
"""
FALSE_VERDICTS: Final = 0.05
"""Largest share of cells of identical code that may be called faster or slower."""
TRIMMED: Final = 0.1
"""Share of workloads left out at either end for the mean of one process, so that a slow workload does not move it."""
OUTLIER: Final = 5.0
"""Number of standard deviations (by the median absolute deviation) at which residuals are clipped."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    ``estimate``, ``low``, ``high`` and ``limit`` are shares (0.01 is 1 %), NaN if not measured. ``passed`` is None if
    the check could not be made. ``decides`` says whether the trustworthiness of the run depends on the check; other
    checks are information only.
    """

    name: str
    estimate: float
    low: float
    high: float
    limit: float
    passed: bool | None
    says: str
    decides: bool = True


@dataclass(frozen=True, slots=True)
class Rounds:
    """The chunks of one workload in one process, cells x rounds; NaN where a round did not include a cell."""

    times: Array
    """ns per call, net or raw."""
    positions: Array
    """Place in the shuffled order of the round, from 0."""
    row: int | None = None
    """The cell of which the effect is asked; None for all."""


def trustworthy(checks: Sequence[Check]) -> bool:
    """Whether every check that decides was made and passed."""
    deciding = [check for check in checks if check.decides]
    return bool(deciding) and all(check.passed is not None and bool(check.passed) for check in deciding)


def same_code(
    name: str, table: ArrayLike, compared: Sequence[Comparison], *, layout: bool = False, comparisons: int = 1
) -> Check:
    """Make the A/A check: the same code measured twice.

    ``table`` has log ratios, workloads x processes; ``compared`` has the comparisons of the same cells within their
    family. The check fails if the whole interval of the pooled ratio is beyond ±1 %, or if the verdict rule with the
    smallest margin calls more than 5 % of the cells faster or slower.

    ``layout`` is for the relinked control. The same code at other addresses may really be a little faster or slower, in
    every process alike, which is no fault of the measurement. This difference must not be attributed to a technique,
    and therefore it widens the margin. So this control does not decide; it is marked as failed only by the share of its
    verdicts. ``comparisons`` is the number of techniques that have such a check, which share its 5 %.
    """
    what = "identical code in another layout" if layout else "identical code"
    pooled = student(per_process(table), comparisons)
    judged = [it for it in compared if math.isfinite(it.adjusted_low) and math.isfinite(it.adjusted_high)]
    if not bounded(pooled) or not judged:
        return missing(name, SMALLEST, f"{what} was timed in too few processes or not at all", decides=not layout)
    called = sum(verdict(it, SMALLEST_MARGIN) in {"faster", "slower"} for it in judged)
    biased = beyond(pooled, np.log1p(SMALLEST))
    often = called > FALSE_VERDICTS * len(judged)
    if biased and not layout:
        says = f"{what} differs from itself by {percent(pooled)} on average, which is a bias"
    elif often:
        says = f"{called} of {len(judged)} cells of {what} are called faster or slower, which is wrong"
    else:
        calls = f"{called} of {len(judged)} cells are called faster or slower"
        says = f"{what} differs by {percent(pooled)} on average; {calls}"
    if often and layout:
        says = (
            f"{called} of {len(judged)} cells of {what} differ by more than {SMALLEST_MARGIN:.0%}: "
            "the layout alone has this effect here, and the margin is widened by it"
        )
    return from_logs(name, pooled, SMALLEST, not often and (layout or not biased), says, decides=not layout)


def delay(
    table: ArrayLike,
    compared: Sequence[Comparison] = (),
    *,
    expected: float = 0.05,
    tolerance: float = 0.01,
    margin: float = SMALLEST_MARGIN,
) -> Check:
    """Make the check with a known delay.

    ``table`` has log ratios of the delayed twin to the twin, workloads x processes. The interval of the pooled ratio
    has to reach 1 + ``expected`` ± ``tolerance`` and to exclude 1. ``compared`` gives the number of single cells in
    which a difference is found, and in which the verdict with this ``margin`` is "slower". Both are information only:
    single cells may be too noisy.
    """
    name = "delayed"
    pooled = student(per_process(table))
    if not bounded(pooled):
        return missing(name, expected, "the delayed twin was timed in too few processes or not at all")
    low, high = np.log1p(expected - tolerance), np.log1p(expected + tolerance)
    seen = pooled.low > 0
    right = pooled.low <= high and pooled.high >= low
    judged = [it for it in compared if math.isfinite(it.adjusted_low)]
    found = sum(it.found for it in judged)
    called = sum(verdict(it, margin) == "slower" for it in judged)
    share = f"; of {len(judged)} single cells {called} are called slower, and {found} found different" if judged else ""
    if not seen:
        says = f"a delay of {expected:.0%} is not detected: it is measured as {percent(pooled)}{share}"
    elif not right:
        says = f"a delay of {expected:.0%} is measured as {percent(pooled)}, so sizes of differences are wrong{share}"
    else:
        says = f"a delay of {expected:.0%} is measured as {percent(pooled)}{share}"
    return from_logs(name, pooled, expected, seen and right, says)


def position(processes: Sequence[Sequence[Rounds]], technique: str = "", comparisons: int = 1) -> Check:
    """Check whether the place in the shuffled order of a round predicts the time, of all subjects or of a technique.

    ``processes`` has the workloads of each process. The effect is that of being last instead of first. The check fails
    if the whole interval is beyond ±1 %, or ±3 % for a single technique. ``comparisons`` is the number of techniques.
    """
    name = f"position: {technique}" if technique else "position"
    limit = OF_TECHNIQUE if technique else SMALLEST
    pooled = student([position_effect(workloads) for workloads in processes], comparisons)
    if not bounded(pooled):
        return missing(name, limit, "too few processes show whether the place within a round changes a time")
    biased = beyond(pooled, np.log1p(limit))
    whose = f"a time of {technique}" if technique else "a time"
    says = f"being timed last in a round instead of first changes {whose} by {percent(pooled)}"
    return from_logs(name, pooled, limit, not biased, says + (", which is a bias" if biased else ""))


def drift(processes: Sequence[Sequence[tuple[Array, Array]]], technique: str = "", comparisons: int = 1) -> Check:
    """Check whether the number of the round predicts the paired ratio, of the twin or of a technique.

    ``processes`` has (round, ratio) of each process for each workload. The effect is that of the last round compared
    with the first. The check fails if the whole interval is beyond ±1 %, or ±3 % for a technique. ``comparisons`` is
    the number of techniques.
    """
    name = f"drift: {technique}" if technique else "drift"
    limit = OF_TECHNIQUE if technique else SMALLEST
    pooled = student([round_effect(workloads) for workloads in processes], comparisons)
    if not bounded(pooled):
        return missing(name, limit, "too few processes show whether paired ratios drift")
    biased = beyond(pooled, np.log1p(limit))
    says = (
        f"from the first round to the last, the ratio of {technique or 'identical code'} changes by {percent(pooled)}"
    )
    return from_logs(name, pooled, limit, not biased, says + (", which is a bias" if biased else ""))


def machine(processes: Sequence[Sequence[tuple[Array, Array]]]) -> Check:
    """Report, as information only, by how much the reference's own time drifted.

    ``processes`` has (round, ns per call) of each process for each workload.
    """
    name = "machine"
    pooled = student([round_effect(workloads) for workloads in processes])
    if not bounded(pooled):
        return missing(name, math.nan, "too few processes show how much the machine drifted", decides=False)
    says = f"the reference's own times changed by {percent(pooled)} from first round to last; pairing removes this"
    return from_logs(name, pooled, math.nan, True, says, decides=False)


def position_effect(workloads: Sequence[Rounds]) -> float:
    """Return the slope of log time over the place, from first to last, in one process; NaN if there is nothing to fit.

    Times and places are centred within the cell (some cells are slower) and within the round (some rounds are).
    """
    places, times = [], []
    for it in workloads:
        if it.times.shape[0] < 2 or it.times.shape[1] < 2:
            continue
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(it.times)
        whole = np.isfinite(logs) & np.isfinite(it.positions)
        if not whole.any():
            continue
        logs = np.where(whole, logs, np.nan)
        order = np.where(whole, it.positions, np.nan) / max(float(np.max(it.positions[whole])), 1.0)
        logs, order = centre_twice(logs), centre_twice(order)
        if it.row is not None:
            whole[np.arange(len(whole)) != it.row] = False
        times.append(logs[whole])
        places.append(order[whole])
    return slope(places, times)


def round_effect(workloads: Sequence[tuple[Array, Array]]) -> float:
    """Return the slope of a number's logarithm over the round, from first to last, in one process.

    Numbers that are not positive are left out, and the logarithms are centred within workloads.
    """
    numbers, values = [], []
    last = max((float(np.max(rounds)) for rounds, _ in workloads if len(rounds)), default=0.0)
    for rounds, measured in workloads:
        use = np.isfinite(measured) & (measured > 0)
        if use.sum() < 2 or last == 0:
            continue
        logs = np.log(measured[use])
        numbers.append(rounds[use] / last - np.mean(rounds[use] / last))
        values.append(logs - np.median(logs))
    return slope(numbers, values)


def centre_twice(values: Array) -> Array:
    """Return residuals from the means of rows and columns; four iterations are enough if entries are missing."""
    out = values.copy()
    for _ in range(4 if np.isnan(out).any() else 1):
        for axis in (1, 0):
            there = np.isfinite(out)
            count = there.sum(axis=axis, keepdims=True)
            out = out - np.where(there, out, 0.0).sum(axis=axis, keepdims=True) / np.maximum(count, 1)
    return out


def slope(places: Sequence[Array], values: Sequence[Array]) -> float:
    """Return the least-squares slope through the origin, with outlying residuals clipped; NaN if nothing varies."""
    if not places:
        return math.nan
    at, found = np.concatenate(places), np.concatenate(values)
    square = float(at @ at)
    if square == 0:
        return math.nan
    fitted = at * (at @ found) / square  # residuals, so that a true slope is not taken for an outlier
    residual = found - fitted
    most = OUTLIER * 1.4826 * float(np.median(np.abs(residual - np.median(residual))))
    return float(at @ (fitted + np.clip(residual, -most, most)) / square)


def per_process(table: ArrayLike) -> Array:
    """Return one number per process: the trimmed mean over the workloads that it measured."""
    columns = as_table(table).T
    kept = [column[np.isfinite(column)] for column in columns]
    return np.array([stats.trim_mean(column, TRIMMED) if len(column) else np.nan for column in kept])


def bounded(interval: Interval) -> bool:
    """Whether the bounds of an interval are finite."""
    return math.isfinite(interval.low) and math.isfinite(interval.high)


def beyond(interval: Interval, limit: float) -> bool:
    """Whether the whole interval is on one side of -limit to +limit."""
    return bool(interval.low > limit or interval.high < -limit)


def changes(interval: Interval) -> tuple[float, float, float]:
    """Convert an interval of logarithms to shares of change. Bounds may overflow with two processes."""
    with np.errstate(over="ignore"):
        value, low, high = np.expm1([interval.value, interval.low, interval.high]).tolist()
    return value, low, high


def percent(interval: Interval) -> str:
    """Format an interval of logarithms as percentages of change."""
    value, low, high = (100 * it for it in changes(interval))
    return f"{value:+.2f} % ({low:+.2f} to {high:+.2f} %)"


def from_logs(name: str, pooled: Interval, limit: float, passed: bool, says: str, *, decides: bool = True) -> Check:
    """Make a check from an interval of logarithms."""
    value, low, high = changes(pooled)
    return Check(name, value, low, high, limit, bool(passed), sentence(says), decides)


def missing(name: str, limit: float, says: str, *, decides: bool = True) -> Check:
    """Make a check that could not be measured."""
    return Check(name, math.nan, math.nan, math.nan, limit, None, f"Not measured: {says}.", decides)


def sentence(text: str) -> str:
    """Make a sentence of a text: add a capital letter and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
