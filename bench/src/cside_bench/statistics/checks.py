# SPDX-License-Identifier: Apache-2.0
"""The run judges itself: checks of which the right answer is known, per interpreter.

Each gives one number per process, and Student's interval over the processes. A check fails when its whole interval is
beyond a limit: noise alone does not condemn a run, for noise widens intervals and that costs verdicts by itself; bias
does. What could not be measured does not pass.
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
"""A bias of less than 1 %, a third of the smallest margin, turns no verdict."""
FALSE_VERDICTS: Final = 0.05
"""Share of cells of one code that may be called faster or slower than itself."""
TRIMMED: Final = 0.1
"""Of the workloads at either end, in one process's mean over them: one that stalled does not move it."""
OUTLIER: Final = 5.0
"""Residuals beyond so many standard deviations (by the median absolute deviation) are drawn in to there."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check. ``estimate``, ``low``, ``high`` and ``limit`` are shares (0.01 is 1 %); NaN where not measured.

    ``passed`` is None where the check could not be made. ``decides`` tells whether the run's trust depends on it;
    the others are information.
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
    """The chunks of one workload in one process, cells x rounds; NaN where a cell took no part in a round."""

    times: Array
    """ns per call, net or raw."""
    positions: Array
    """Place in the shuffled order of the round, from 0."""


def trustworthy(checks: Sequence[Check]) -> bool:
    """Whether every check that decides was made, and passed."""
    deciding = [check for check in checks if check.decides]
    return bool(deciding) and all(check.passed is not None and bool(check.passed) for check in deciding)


def same_code(name: str, table: ArrayLike, compared: Sequence[Comparison], *, layout: bool = False) -> Check:
    """A/A: one code measured twice, as log ratios, workloads x processes, and as they were compared in their family.

    Fails where the whole interval of the pooled ratio is beyond ±1 %, or where the verdict rule with the smallest
    margin calls more than 5 % of the cells faster or slower.

    ``layout`` is for the relinked control. Object files in another order may truly be a little faster or slower, in
    every process alike, which is no fault of the measurement: it is the size of what must not be taken for a
    difference between techniques, and therefore widens the margin. So it informs and does not decide, and is
    marked as failed only by the share of its verdicts.
    """
    what = "the same object files in another order" if layout else "identical code"
    pooled = student(per_process(table))
    judged = [it for it in compared if math.isfinite(it.adjusted_low) and math.isfinite(it.adjusted_high)]
    if not bounded(pooled) or not judged:
        return missing(name, SMALLEST, f"{what} was timed in too few processes, if at all", decides=not layout)
    called = sum(verdict(it, SMALLEST_MARGIN) in {"faster", "slower"} for it in judged)
    biased = beyond(pooled, np.log1p(SMALLEST))
    often = called > FALSE_VERDICTS * len(judged)
    if biased and not layout:
        says = f"{what} differs from itself by {percent(pooled)} on average, which is a bias"
    elif often:
        says = f"{called} of {len(judged)} cells of {what} are called faster or slower, which they are not"
    else:
        calls = f"{called} of {len(judged)} cells are called faster or slower"
        says = f"{what} differs by {percent(pooled)} on average; {calls}"
    if often and layout:
        says = (
            f"{called} of {len(judged)} cells of {what} differ by more than {SMALLEST_MARGIN:.0%}: "
            "layout alone does that here, and the margin allows for it"
        )
    return from_logs(name, pooled, SMALLEST, not often and (layout or not biased), says, decides=not layout)


def delay(
    table: ArrayLike, compared: Sequence[Comparison] = (), *, expected: float = 0.05, tolerance: float = 0.01
) -> Check:
    """The control with a known delay: log ratios of the delayed twin to the twin, workloads x processes.

    The interval of the pooled ratio has to reach 1 + ``expected`` ± ``tolerance``, and to exclude 1. ``compared`` is for the share of its
    cells in which a difference is found, which informs: single cells may be too noisy.
    """
    name = "delayed"
    pooled = student(per_process(table))
    if not bounded(pooled):
        return missing(name, expected, "the twin with a delay was not measured")
    low, high = np.log1p(expected - tolerance), np.log1p(expected + tolerance)
    seen = pooled.low > 0
    right = pooled.low <= high and pooled.high >= low
    judged = [it for it in compared if math.isfinite(it.adjusted_low)]
    share = f"; it is found in {sum(it.found for it in judged)} of {len(judged)} single cells" if judged else ""
    if not seen:
        says = f"a delay of {expected:.0%} is missed: it is measured as {percent(pooled)}{share}"
    elif not right:
        says = f"a delay of {expected:.0%} is measured as {percent(pooled)}, so sizes cannot be trusted{share}"
    else:
        says = f"a delay of {expected:.0%} is measured as {percent(pooled)}{share}"
    return from_logs(name, pooled, expected, seen and right, says)


def position(processes: Sequence[Sequence[Rounds]]) -> Check:
    """Whether the place in the shuffled order of a round predicts the time: the workloads of each process.

    The effect is that of being last instead of first. Fails when the whole interval is beyond ±1 %.
    """
    name = "position"
    pooled = student([position_effect(workloads) for workloads in processes])
    if not bounded(pooled):
        return missing(name, SMALLEST, "whether the place within a round matters is not known")
    biased = beyond(pooled, np.log1p(SMALLEST))
    says = f"to be timed last in a round rather than first changes a time by {percent(pooled)}"
    return from_logs(name, pooled, SMALLEST, not biased, says + (", which is a bias" if biased else ""))


def drift(processes: Sequence[Sequence[tuple[Array, Array]]]) -> Check:
    """Whether the round predicts the twin's paired ratio: of each process, for each workload, (round, ratio).

    The effect is that of the last round against the first. Fails when the whole interval is beyond ±1 %.
    """
    name = "drift"
    pooled = student([round_effect(workloads) for workloads in processes])
    if not bounded(pooled):
        return missing(name, SMALLEST, "whether paired ratios drift is not known")
    biased = beyond(pooled, np.log1p(SMALLEST))
    says = f"from the first round to the last, the ratio of identical code moves by {percent(pooled)}"
    return from_logs(name, pooled, SMALLEST, not biased, says + (", which is a bias" if biased else ""))


def machine(processes: Sequence[Sequence[tuple[Array, Array]]]) -> Check:
    """Information: by how much the reference's own time drifted, as (round, ns per call) of each workload."""
    name = "machine"
    pooled = student([round_effect(workloads) for workloads in processes])
    if not bounded(pooled):
        return missing(name, math.nan, "how much the machine drifted is not known", decides=False)
    says = f"the reference's own times moved by {percent(pooled)} from first round to last, which pairing takes out"
    return from_logs(name, pooled, math.nan, True, says, decides=False)


def position_effect(workloads: Sequence[Rounds]) -> float:
    """Slope of log time on place, first to last, in one process; NaN where there is nothing to fit.

    Times are centred within the cell (some are slower) and within the round (some seconds are), and places likewise.
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
        order = np.where(whole, it.positions, np.nan) / (it.times.shape[0] - 1)
        logs, order = centre_twice(logs), centre_twice(order)
        times.append(logs[whole])
        places.append(order[whole])
    return slope(places, times)


def round_effect(workloads: Sequence[tuple[Array, Array]]) -> float:
    """Slope of a positive number's logarithm on the round, first to last, in one process, centred within workloads."""
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
    """Residuals from the means of rows and columns; a few sweeps do where entries are missing."""
    out = values.copy()
    for _ in range(4 if np.isnan(out).any() else 1):
        for axis in (1, 0):
            there = np.isfinite(out)
            count = there.sum(axis=axis, keepdims=True)
            out = out - np.where(there, out, 0.0).sum(axis=axis, keepdims=True) / np.maximum(count, 1)
    return out


def slope(places: Sequence[Array], values: Sequence[Array]) -> float:
    """Least squares through the origin, of residuals with outliers drawn in; NaN where nothing varies."""
    if not places:
        return math.nan
    at, found = np.concatenate(places), np.concatenate(values)
    square = float(at @ at)
    if square == 0:
        return math.nan
    fitted = at * (at @ found) / square  # so that a true slope is not taken for an outlier
    residual = found - fitted
    most = OUTLIER * 1.4826 * float(np.median(np.abs(residual - np.median(residual))))
    return float(at @ (fitted + np.clip(residual, -most, most)) / square)


def per_process(table: ArrayLike) -> Array:
    """One number per process: the trimmed mean over the workloads that it measured."""
    columns = as_table(table).T
    kept = [column[np.isfinite(column)] for column in columns]
    return np.array([stats.trim_mean(column, TRIMMED) if len(column) else np.nan for column in kept])


def bounded(interval: Interval) -> bool:
    """Whether there is an interval."""
    return math.isfinite(interval.low) and math.isfinite(interval.high)


def beyond(interval: Interval, limit: float) -> bool:
    """Whether the whole interval is on one side of -limit to +limit."""
    return bool(interval.low > limit or interval.high < -limit)


def changes(interval: Interval) -> tuple[float, float, float]:
    """An interval of logarithms as shares of change: value, low and high. Two processes may bound nothing."""
    with np.errstate(over="ignore"):
        value, low, high = np.expm1([interval.value, interval.low, interval.high]).tolist()
    return value, low, high


def percent(interval: Interval) -> str:
    """An interval of logarithms for people, as percentages of change."""
    value, low, high = (100 * it for it in changes(interval))
    return f"{value:+.2f} % ({low:+.2f} to {high:+.2f} %)"


def from_logs(name: str, pooled: Interval, limit: float, passed: bool, says: str, *, decides: bool = True) -> Check:
    """A check on an interval of logarithms."""
    value, low, high = changes(pooled)
    return Check(name, value, low, high, limit, bool(passed), sentence(says), decides)


def missing(name: str, limit: float, says: str, *, decides: bool = True) -> Check:
    """A check that could not be made."""
    return Check(name, math.nan, math.nan, math.nan, limit, None, f"Not measured: {says}.", decides)


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[0].upper()}{text[1:]}."
