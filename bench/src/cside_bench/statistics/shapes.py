# SPDX-License-Identifier: Apache-2.0
"""Costs by the shape of a call: its time is C's own and a sum of non-negative costs, one for each term of the shape.

The costs of one approach on one interpreter are fitted to measured calls by non-negative least squares (C. L. Lawson,
R. J. Hanson, "Solving Least Squares Problems", 1974, chapter 23; `scipy.optimize.nnls`) with a slight ridge. What is
made least is the sum of squared logs of predicted / measured, so that calls of 30 ns and of 3 µs count alike, and so do
half and twice the time: the rows are weighted anew (:func:`weights_of`) until the solution is that minimum.

The errors of predictions are those of calls that were not fitted. Several workloads of one kind, as a checksum of
several sizes, share a weight of one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cside_bench.statistics.student import critical

Array = NDArray[np.float64]

ROUNDS: Final = 20
"""Most iterations of the weights."""
SETTLED_NS: Final = 0.01
"""Change of the costs in ns, or a thousandth of them, at which the iterations end."""
LEAST_CALLS: Final = 12
"""Least number of calls to which costs are fitted."""
RIDGE: Final = 0.03
"""Weight of the ridge: a term that took the whole time of its calls would count as an error of 3 %. Without it the
costs of terms that always occur together would not be determined (A. E. Hoerl, R. W. Kennard, "Ridge Regression",
Technometrics 12, 1970). Error factors of CPython 3.14 changed by at most 0.02 for weights from 0.001 to 0.1."""
CLOSE: Final = 1e-6
"""Relative error below which the limit of a weight is used."""
LEAST_NS: Final = 1.0
"""Least predicted time of a call in ns, a few clock cycles: the fit may give a call no cost at all."""
DRAWS: Final = 200
"""Bootstrap draws over processes."""
FEWEST: Final = 3
"""Least number of misses that say something of a spread."""
MOST: Final = 0.9
"""Share of the errors that lies within the second figure of :func:`factors`, and probability of an interval."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of one approach on one interpreter."""

    value: Array
    """ns by term; NaN for a term that no measured call has."""
    low: Array
    high: Array
    """Bounds of 95 % over bootstrap draws of the processes; NaN for fewer than two processes."""
    covariance: Array
    """ns², terms x terms, over the same draws; 0 where a cost is NaN."""
    within: Array
    """Prediction / measured time of each call that was fitted."""
    rows: int


def solve(shapes: Array, native: Array, times: Array) -> tuple[Array, Array]:
    """Fit the costs to ``times`` (ns by call) beyond ``native`` (ns by call), for ``shapes`` (calls x terms).

    Return the costs in ns by term, and the weights of the calls, by which an error in ns is multiplied.
    """
    predicted = np.maximum(times, LEAST_NS)
    costs = np.zeros(shapes.shape[1])
    weights = 1 / predicted
    for _ in range(ROUNDS):
        weights = weights_of(predicted, times)
        before, costs = costs, weighted(shapes, native, times, weights)
        if np.allclose(costs, before, rtol=1e-3, atol=SETTLED_NS):
            break
        predicted = np.maximum(native + shapes @ costs, LEAST_NS)
    return costs, weights


def weights_of(predicted: Array, times: Array) -> Array:
    """Return weights w with which Σ w² (p - t)² / 2 has the gradient of Σ log² (p / t) / 2 where it is taken.

    So w² = log(p / t) / (p (p - t)), which is 1 / t² where p is t.
    """
    error = predicted / times - 1
    near = np.abs(error) < CLOSE
    ratio = np.where(near, 1.0, np.log1p(error) / np.where(near, 1.0, error))
    return np.asarray(np.sqrt(ratio / (predicted * times)))


def weighted(shapes: Array, native: Array, times: Array, weights: Array) -> Array:
    """Return the non-negative costs that make the weighted sum of squared errors least."""
    from scipy.optimize import nnls  # the import takes longer than reading a run

    table = shapes * weights[:, None]
    ridge = np.diag(RIDGE * np.sqrt((table**2).sum(axis=0) / np.maximum((shapes > 0).sum(axis=0), 1)))
    wanted = np.concatenate([np.maximum(times - native, 0.0) * weights, np.zeros(len(ridge))])
    found, _ = nnls(np.vstack([table, ridge]), wanted)
    return np.asarray(found, dtype=np.float64)


def geometric(logs: Array) -> Array:
    """Return the geometric mean over processes of each row of ``logs`` (calls x processes, NaN for none)."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.exp(np.nansum(logs, axis=1) / np.isfinite(logs).sum(axis=1)))


def fit(shapes: ArrayLike, native: ArrayLike, times: ArrayLike, seed: int, draws: int = DRAWS) -> Costs:
    """Fit the costs of one approach.

    ``shapes`` is calls x terms, ``native`` C's own time in ns by call, ``times`` ns, calls x processes, with NaN where
    a process has none; each call has one number at least. Raises `ValueError` for fewer calls than :data:`LEAST_CALLS`.
    """
    table = np.asarray(shapes, dtype=np.float64)
    own = np.asarray(native, dtype=np.float64)
    logs = np.log(np.asarray(times, dtype=np.float64))
    used = table.any(axis=0)
    if len(table) < LEAST_CALLS:
        raise ValueError(f"a fit takes {LEAST_CALLS} measured calls, and the run has {len(table)}")
    middle = geometric(logs)
    costs, weights = solve(table[:, used], own, middle)
    drawn = resampled(table[:, used], own, logs, weights, seed, draws)
    value, low, high = (np.full(table.shape[1], np.nan) for _ in range(3))
    covariance = np.zeros((table.shape[1], table.shape[1]))
    value[used] = costs
    if len(drawn) > 1:
        low[used], high[used] = np.percentile(drawn, [2.5, 97.5], axis=0)
        covariance[np.ix_(used, used)] = np.cov(drawn, rowvar=False)
    within = np.maximum(own + table[:, used] @ costs, LEAST_NS) / middle
    return Costs(value, low, high, covariance, within, len(table))


def resampled(shapes: Array, native: Array, logs: Array, weights: Array, seed: int, draws: int) -> Array:
    """Return the costs of bootstrap draws over processes (draws x terms); no draws for fewer than two processes.

    A draw takes as many processes as there are, with replacement, the same ones for all calls, so that what the calls
    of a process share is shared in the draw. A call that has no number in the processes of a draw keeps its mean.
    """
    processes = logs.shape[1]
    if processes < 2:
        return np.empty((0, shapes.shape[1]))
    generator = np.random.default_rng(seed)
    middle = geometric(logs)
    found = []
    for _ in range(draws):
        times = geometric(logs[:, generator.integers(processes, size=processes)])
        found.append(weighted(shapes, native, np.where(np.isfinite(times), times, middle), weights))
    return np.asarray(found)


def predict(shapes: ArrayLike, native: ArrayLike, costs: Array) -> Array:
    """Return the predicted ns of calls; NaN where a call has a term whose cost is not known."""
    table = np.asarray(shapes, dtype=np.float64)
    lacking = (table[:, np.isnan(costs)] != 0).any(axis=1)
    predicted = np.asarray(native, dtype=np.float64) + table @ np.nan_to_num(costs)
    return np.where(lacking, np.nan, np.maximum(predicted, LEAST_NS))


def left_out(shapes: ArrayLike, native: ArrayLike, times: ArrayLike, kinds: Sequence[str]) -> Array:
    """Return each call's time as predicted by a fit to the calls of all other kinds; NaN where that is not possible.

    ``kinds`` has the kind of each call; calls of one kind are left out together.
    """
    table, own = np.asarray(shapes, dtype=np.float64), np.asarray(native, dtype=np.float64)
    middle = geometric(np.log(np.asarray(times, dtype=np.float64)))
    predicted = np.full(len(table), np.nan)
    for one in dict.fromkeys(kinds):
        out = np.array([it == one for it in kinds])
        used = table[~out].any(axis=0)
        costs = np.full(table.shape[1], np.nan)
        costs[used] = solve(table[~out][:, used], own[~out], middle[~out])[0]
        predicted[out] = predict(table[out], own[out], costs)
    return predicted


@dataclass(frozen=True, slots=True)
class Factors:
    """How far predictions are from measurements, as factors of 1 or more: max(p / m, m / p)."""

    median: float
    most: float
    """The factor within which :data:`MOST` of the kinds lie."""
    kinds: int
    calls: int


def factors(predicted: ArrayLike, measured: ArrayLike, kinds: Sequence[str]) -> Factors:
    """Return the error factors of predictions; pairs with a NaN or a number that is not positive are left out.

    Each kind has the same weight, whatever its number of calls. Quantiles are the least factor at which the share is
    reached.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        errors = np.abs(np.log(np.asarray(predicted, dtype=np.float64) / np.asarray(measured, dtype=np.float64)))
    known = np.isfinite(errors)
    if not known.any():
        return Factors(np.nan, np.nan, 0, 0)
    names = [name for name, good in zip(kinds, known, strict=True) if good]
    weights = np.array([1 / names.count(name) for name in names])
    order = np.argsort(errors[known])
    reached = np.cumsum(weights[order]) / weights.sum()
    ordered = errors[known][order]
    places = np.minimum(np.searchsorted(reached, np.array([0.5, MOST]) - 1e-12), len(ordered) - 1)
    middle, most = np.exp(ordered[places]).tolist()
    return Factors(middle, most, len(set(names)), len(names))


def misses(predicted: ArrayLike, measured: ArrayLike, kinds: Sequence[str], of: Sequence[str]) -> Array:
    """Return the mean log of measured / predicted of each kind of ``of``, NaN for a kind without a number."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(np.asarray(measured, dtype=np.float64) / np.asarray(predicted, dtype=np.float64))
    found = []
    for one in of:
        own = [log for log, name in zip(logs.tolist(), kinds, strict=True) if name == one and np.isfinite(log)]
        found.append(float(np.mean(own)) if own else np.nan)
    return np.array(found)


def reach(misses_: ArrayLike) -> float:
    """Return the factor within which a further call's cost lies from its prediction, with probability :data:`MOST`.

    The log of measured / predicted is taken to be normal about 0, with the mean square of the misses: a bias of the
    predictions counts as an error. NaN for fewer than :data:`FEWEST` misses.
    """
    known = np.asarray(misses_, dtype=np.float64)
    known = known[np.isfinite(known)]
    if len(known) < FEWEST:
        return float("nan")
    return float(np.exp(critical(len(known), 1 - MOST) * np.sqrt(np.mean(known**2))))
