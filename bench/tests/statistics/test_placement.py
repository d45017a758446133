# SPDX-License-Identifier: Apache-2.0
"""What the processes of a run share is found in identical code, and makes intervals hold what they promise."""

import numpy as np
import pytest
from cside_bench.statistics.placement import LEAST_CELLS, NONE, Placement, estimate
from cside_bench.statistics.selective import selective
from numpy.typing import NDArray

Array = NDArray[np.float64]


def identical(cells: int, shared: float, seed: int, processes: int = 10) -> tuple[Array, Array]:
    """Log ratios of identical code and the spread of each cell; ``shared`` is the standard deviation of the cells."""
    draw = np.random.default_rng(seed)
    sd = 0.014 * np.exp(draw.normal(0, 0.5, cells))
    table = draw.standard_normal((cells, processes)) * sd[:, None]
    return table + shared * draw.standard_normal((cells, 1)), sd


def test_the_variance_is_found() -> None:
    """Its estimates have the mean of the true variance, whatever it is; without any, few are more than a trace."""
    for shared in (0.004, 0.01):
        found = [float(estimate(*identical(200, shared, seed)).variance) for seed in range(60)]
        assert np.mean(found) == pytest.approx(shared**2, rel=0.08)
    none = [float(estimate(*identical(200, 0.0, seed)).variance) for seed in range(60)]
    assert np.median(np.sqrt(none)) < 0.0015


def test_intervals_alone_hold_the_truth_in_new_cells() -> None:
    """Estimated from some cells, it makes 95 % intervals of others hold in 95 % of cases; without it they do not."""
    before: list[float] = []
    after: list[float] = []
    for seed in range(20):
        found = estimate(*identical(150, 0.008, seed))
        table, sd = identical(400, 0.008, 1000 + seed)
        for its, placement in ((before, NONE), (after, found)):
            judged = selective(table, 0.03, expected=sd, placement=placement)
            its.append(sum([it.low <= 1 <= it.high for it in judged]) / len(judged))
    assert np.mean(before) < 0.80
    assert 0.94 < np.mean(after) < 0.96


def test_few_cells_and_missing_processes() -> None:
    """Too few cells say nothing; a cell of one process is left out, others count with the processes they have."""
    table, sd = identical(LEAST_CELLS, 0.02, 4)
    assert estimate(table[1:], sd[1:]) is NONE
    assert estimate([], []) is NONE
    table[0, 1:] = np.nan
    assert estimate(table, sd) is NONE
    table, sd = identical(100, 0.02, 5)
    table[::3, 6:] = np.nan
    sd[0] = np.nan
    found = estimate(table, sd)
    assert found.cells == 100
    assert np.sqrt(found.variance) == pytest.approx(0.02, rel=0.2)


def test_pairs_of_one_binary_have_none() -> None:
    """Cells of which both sides are the same binary keep their own interval, the others have wider ones."""
    table, sd = identical(40, 0.0, 6)
    apart = np.arange(40) % 2 == 0
    placement = Placement(0.01**2, 100).where(apart)
    plain, placed = (selective(table, 0.03, expected=sd, placement=its) for its in (NONE, placement))
    wider = [new.high > old.high for new, old in zip(placed, plain, strict=True)]
    assert wider == apart.tolist()
    together = np.ones(40, dtype=bool)
    plain, placed = (selective(table, 0.03, expected=sd, together=together, placement=its) for its in (NONE, placement))
    assert [new.adjusted_high > old.adjusted_high for new, old in zip(placed, plain, strict=True)] == apart.tolist()
