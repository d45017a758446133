# SPDX-License-Identifier: Apache-2.0
"""A prediction interval holds 95 % of new means, which an interval of a mean does not."""

import numpy as np
import pytest
from cside_bench.statistics.prediction import ASSUMED, excess, pooled, predict
from cside_bench.statistics.student import student


@pytest.mark.parametrize(("new", "scatter"), [(1, 1.0), (3, 1.0), (3, 4.0)])
def test_it_holds_what_it_promises(new: int, scatter: float) -> None:
    """Of 4,000 cells 95 % lie within, and far fewer within the interval of the run's mean."""
    draw = np.random.default_rng(4)
    inside, inside_mean = 0, 0
    for _ in range(4_000):
        run, value = draw.normal(0.7, 0.02, 10), draw.normal(0.7, 0.02 * scatter**0.5, new).mean()
        expected, known = predict(run, new, scatter), student(run)
        inside += expected.low <= value <= expected.high
        inside_mean += known.low <= value <= known.high
    assert 0.94 <= inside / 4_000 <= 0.96
    assert inside_mean / 4_000 < 0.8


def test_the_scatter_of_new_ratios_is_found_among_cells_of_unequal_noise() -> None:
    """Variances four times as large are told from equal ones by three processes of each of sixty cells."""
    draw = np.random.default_rng(5)
    noises = draw.lognormal(-4, 0.8, 60)
    for factor in (1.0, 4.0):
        cells = [(draw.normal(0, noise * factor**0.5, 3), draw.normal(0, noise, 10)) for noise in noises]
        assert excess(cells) == pytest.approx(factor, rel=0.35)


def test_the_scatter_is_never_less_than_that_of_the_run() -> None:
    """New ratios that agree by accident do not make intervals narrower; without two of them it is assumed."""
    draw = np.random.default_rng(6)
    assert excess([(draw.normal(0, 0.001, 3), draw.normal(0, 0.1, 10)) for _ in range(20)]) == 1.0
    assert excess([([0.1], draw.normal(0, 0.1, 10))]) == excess([]) == ASSUMED


def test_a_run_of_one_process_predicts_nothing() -> None:
    """There is a mean, and there are no bounds."""
    expected = predict([0.5, np.nan], 3, 1.0)
    assert expected.value == 0.5
    assert np.isnan([expected.low, expected.high]).all()


def test_a_shift_of_all_cells_is_found_although_they_share_processes() -> None:
    """Six cells of a process move together; 3 % are found, and nothing is found where nothing is shifted."""
    draw = np.random.default_rng(7)
    found = {0.0: 0, 0.03: 0}
    for shift in found:
        for _ in range(500):
            common, new = draw.normal(0, 0.01, 10), draw.normal(0, 0.01, 2)
            rows = [
                ((shift + new + draw.normal(0, 0.005, 2)).tolist(), common + draw.normal(0, 0.005, 10))
                for _ in range(6)
            ]
            its = pooled(rows, 1.0)
            found[shift] += not its.low <= 0 <= its.high
    assert found[0.0] <= 45  # 5 % of 500, and three standard errors
    assert found[0.03] >= 400
    assert pooled([], 1.0).processes == 0
