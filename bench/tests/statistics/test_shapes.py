# SPDX-License-Identifier: Apache-2.0
"""Costs by the shape of a call, on calls whose costs are known."""

import numpy as np
import pytest
from cside_bench.statistics import shapes
from numpy.typing import NDArray

Array = NDArray[np.float64]

COSTS = np.array([20.0, 5.0, 0.0, 300.0])
"""ns by term; the third costs nothing."""
CALLS = 40
KINDS = [f"kind{number // 2}" for number in range(CALLS)]


@pytest.fixture(scope="module")
def table() -> Array:
    """Shapes of calls: one call each, and any number of three other terms."""
    draw = np.random.default_rng(7)
    counts = draw.integers(0, 4, size=(CALLS, 3)) * (draw.random((CALLS, 3)) < 0.6)
    return np.column_stack([np.ones(CALLS), counts])


def measured(table: Array, native: Array, processes: int = 10, noise: float = 0.02, seed: int = 1) -> Array:
    """Return times of calls in several processes: the true time, and noise that is log-normal."""
    draw = np.random.default_rng(seed)
    true = native + table @ COSTS
    return np.asarray(true[:, None] * np.exp(draw.standard_normal((len(table), processes)) * noise))


def test_known_costs_are_found(table: Array) -> None:
    """From 25 ns to 1 µs, beside C's own time of 2 ns."""
    native = np.full(CALLS, 2.0)
    found = shapes.fit(table, native, measured(table, native), 1)
    assert found.value == pytest.approx(COSTS, rel=0.03, abs=0.5)
    assert (found.value >= 0).all() and found.rows == CALLS
    assert found.within == pytest.approx(np.ones(CALLS), rel=0.05)


def test_intervals_hold_the_truth_about_as_often_as_they_say(table: Array) -> None:
    """Of 60 sets of processes, for the cost of a call; a bootstrap of ten processes is a little too narrow."""
    native = np.full(CALLS, 2.0)
    inside = 0
    for seed in range(60):
        found = shapes.fit(table, native, measured(table, native, seed=seed), seed, draws=60)
        inside += bool(found.low[0] <= COSTS[0] <= found.high[0])
    assert 45 <= inside <= 60


def test_the_covariance_is_that_of_predictions(table: Array) -> None:
    """The spread of a prediction over draws is that of the fits to other processes."""
    native = np.full(CALLS, 2.0)
    own = np.array([1.0, 2.0, 1.0, 1.0])
    fits = [shapes.fit(table, native, measured(table, native, seed=seed), seed, draws=60) for seed in range(60)]
    truth = np.std([own @ found.value for found in fits])
    said = np.median([np.sqrt(own @ found.covariance @ own) for found in fits])
    assert said == pytest.approx(truth, rel=0.4)


def test_short_and_long_calls_count_alike() -> None:
    """One call of a millisecond that is off by half does not move the cost of short ones."""
    table = np.array([[1.0, 0.0]] * 12 + [[1.0, 1.0]] * 12)
    times = np.array([20.0] * 12 + [1_000_020.0] * 11 + [500_020.0])[:, None]
    found = shapes.fit(table, np.zeros(24), times, 1)
    assert found.value[0] == pytest.approx(20.0, rel=0.01)


def test_half_and_twice_count_alike() -> None:
    """Of one term whose calls take 50 and 200 the cost is the geometric mean, not near the smaller one."""
    times = np.array([50.0, 200.0] * 8)[:, None]
    found = shapes.fit(np.ones((16, 1)), np.zeros(16), times, 1)
    assert found.value[0] == pytest.approx(100.0, rel=0.02)


def test_terms_that_always_occur_together_share_their_cost() -> None:
    """Nothing tells them apart, and the sum is right."""
    table = np.array([[1.0, 0.0, 0.0]] * 8 + [[1.0, 1.0, 1.0]] * 8)
    times = np.array([10.0] * 8 + [50.0] * 8)[:, None]
    found = shapes.fit(table, np.zeros(16), times, 1)
    assert found.value[1] == pytest.approx(20.0, rel=0.05) and found.value[2] == pytest.approx(20.0, rel=0.05)


def test_a_term_that_no_call_has_costs_nan_and_predicts_nan() -> None:
    """A price that includes it would be invented."""
    table = np.column_stack([np.ones(16), np.zeros(16)])
    found = shapes.fit(table, np.zeros(16), np.full((16, 3), 10.0), 1)
    assert np.isnan(found.value[1]) and found.covariance[1, 1] == 0
    predicted = shapes.predict([[1, 0], [1, 1]], [5.0, 5.0], found.value)
    assert predicted[0] == pytest.approx(15.0, rel=0.01) and np.isnan(predicted[1])


def test_a_single_process_has_costs_without_an_interval() -> None:
    """Nothing is known of how processes differ."""
    found = shapes.fit(np.ones((16, 1)), np.zeros(16), np.full((16, 1), 10.0), 1)
    assert found.value[0] == pytest.approx(10.0, rel=0.01) and np.isnan(found.low[0]) and found.covariance[0, 0] == 0


def test_missing_processes_are_left_out_of_a_calls_mean(table: Array) -> None:
    """As in runs whose later processes leave out what is decided."""
    native = np.full(CALLS, 2.0)
    times = measured(table, native)
    times[::2, 6:] = np.nan
    assert shapes.fit(table, native, times, 1).value == pytest.approx(COSTS, rel=0.03, abs=0.6)


def test_few_calls_are_refused() -> None:
    """The message has their number."""
    with pytest.raises(ValueError, match="a fit takes 12 measured calls, and the run has 3"):
        shapes.fit(np.ones((3, 1)), np.zeros(3), np.ones((3, 1)), 1)


def test_a_kind_is_predicted_without_its_own_calls(table: Array) -> None:
    """A kind that takes twice what its shape says is missed by two, although a fit to it as well would be nearer."""
    native = np.full(CALLS, 2.0)
    times = measured(table, native, noise=0.0)
    times[0:2] *= 2
    predicted = shapes.left_out(table, native, times, KINDS)
    assert times[0, 0] / predicted[0] == pytest.approx(2.0, rel=0.02)


def test_a_kind_with_a_term_of_its_own_cannot_be_left_out() -> None:
    """Then no other call has the term."""
    table = np.column_stack([np.ones(16), [1.0, 1.0] + [0.0] * 14])
    predicted = shapes.left_out(table, np.zeros(16), np.full((16, 1), 10.0), ["own", "own", *map(str, range(14))])
    assert np.isnan(predicted[:2]).all() and np.isfinite(predicted[2:]).all()


def test_each_kind_weighs_the_same_in_the_error_factors() -> None:
    """Nine sizes of one function that are predicted well do not hide two functions that are not."""
    predicted = [100.0] * 9 + [50.0, 400.0]
    found = shapes.factors(predicted, [100.0] * 11, ["checksum"] * 9 + ["one", "two"])
    assert (found.median, found.most) == (pytest.approx(2.0), pytest.approx(4.0))
    assert (found.kinds, found.calls) == (3, 11)


def test_factors_have_no_direction_and_leave_out_what_is_unknown() -> None:
    """Half and twice are both a factor of two."""
    found = shapes.factors([50.0, 200.0, np.nan, 10.0], [100.0, 100.0, 1.0, np.nan], ["a", "b", "c", "d"])
    assert found.median == pytest.approx(2.0) and found.kinds == 2
    assert shapes.factors([np.nan], [1.0], ["a"]).kinds == 0


def test_misses_are_means_by_kind() -> None:
    """A kind that was not measured is NaN."""
    found = shapes.misses([10.0, 10.0, 10.0], [20.0, 5.0, 20.0], ["a", "a", "b"], ["a", "b", "c"])
    assert found[:2] == pytest.approx([0.0, np.log(2)]) and np.isnan(found[2])


def test_the_reach_counts_a_bias_as_an_error() -> None:
    """Ten misses of twice, all to one side, reach further than twice, by Student's t of ten."""
    assert shapes.reach([np.log(2)] * 10) == pytest.approx(2**1.8125, rel=1e-3)
    assert np.isnan(shapes.reach([0.1, np.nan]))


def test_the_reach_holds_as_many_further_calls_as_it_says() -> None:
    """90 %, for normal misses about 0."""
    draw = np.random.default_rng(3)
    inside = 0
    for _ in range(2000):
        *known, further = draw.standard_normal(13) * 0.5
        inside += abs(further) <= np.log(shapes.reach(known))
    assert 0.88 <= inside / 2000 <= 0.92
