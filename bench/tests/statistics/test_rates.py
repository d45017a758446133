# SPDX-License-Identifier: Apache-2.0
"""Rates of simulated events, and when a bound counts as missed."""

from cside_bench.statistics.rates import Row, bounds, of_cells, of_runs, percent


def test_a_bound_is_missed_only_beyond_the_error_of_the_simulation() -> None:
    """3 in 20 may still be 5 %, 300 in 2,000 are not; the same for bounds from below and for cells."""
    assert of_runs("s", "m", [True] * 3 + [False] * 17, most=0.05).passed is True
    assert of_runs("s", "m", [True] * 300 + [False] * 1700, most=0.05).passed is False
    assert of_runs("s", "m", [True] * 1800 + [False] * 200, least=0.95).passed is False
    assert of_cells("s", "m", [0.91, 0.92, 0.9, 0.91], least=0.93, most=0.97).passed is False
    assert of_cells("s", "m", [0.9, 1.0, 0.94, 0.96], least=0.93, most=0.97).passed is True
    assert Row("s", "m", 0.5, 0.4, 0.6).passed is None


def test_one_run_tells_the_rate_of_its_cells_and_no_interval() -> None:
    """Nothing is missed by a single run, since nothing says how much runs differ."""
    row = of_cells("s", "m", [0.5], most=0.05)
    assert (row.rate, row.low, row.high, row.passed) == (0.5, 0.0, 1.0, True)


def test_rates_and_bounds_are_percentages() -> None:
    """A bound may be a least, a most, both or none."""
    assert percent(0.0512) == "5.1"
    rows = [Row("s", "m", 0.5, 0.4, 0.6, *its) for its in ((None, 0.05), (0.9, None), (0.93, 0.97), (None, None))]
    assert [bounds(row) for row in rows] == ["≤ 5", "≥ 90", "93 to 97", ""]
