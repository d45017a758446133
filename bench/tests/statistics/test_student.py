# SPDX-License-Identifier: Apache-2.0
"""Student's interval is that of scipy, for one sample and for many."""

import numpy as np
import pytest
from cside_bench.statistics.student import critical, rows, student
from scipy import stats


@pytest.mark.parametrize(("size", "comparisons"), [(2, 1), (5, 1), (10, 1), (10, 40)])
def test_the_interval_is_that_of_scipy(size: int, comparisons: int) -> None:
    """`scipy.stats.ttest_1samp` computes the same bounds, at a level divided by the number of comparisons."""
    sample = np.random.default_rng(1).normal(3, 2, size)
    its = student(sample, comparisons)
    other = stats.ttest_1samp(sample, 0).confidence_interval(1 - 0.05 / comparisons)
    assert (its.value, its.low, its.high) == pytest.approx((sample.mean(), other.low, other.high))
    assert its.processes == size


def test_rows_are_samples() -> None:
    """Each row has the interval that it has by itself."""
    table = np.random.default_rng(2).normal(size=(4, 7))
    for row, bounds in zip(table, zip(*rows(table, 3), strict=True), strict=True):
        its = student(row, 3)
        assert (its.value, its.low, its.high) == pytest.approx(bounds)


def test_what_is_missing_is_left_out_and_one_process_bounds_nothing() -> None:
    """NaN where nothing can be said."""
    assert student([1.0, np.nan, 3.0]).processes == 2
    assert np.isnan([student([]).value, student([5.0]).low, student([5.0]).high]).all()
    assert student([5.0]).value == 5.0
    middle, low, high = rows(np.array([[2.0]]))
    assert (middle[0], low[0], high[0]) == (2.0, -np.inf, np.inf)


def test_the_critical_value_is_the_quantile() -> None:
    """For any degrees of freedom, also fractions."""
    assert critical([1, 9.5, 30]) == pytest.approx(stats.t.isf(0.025, [1, 9.5, 30]))
