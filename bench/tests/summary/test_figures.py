# SPDX-License-Identifier: Apache-2.0
"""``figures.json``: lines and changes of level during warm-up."""

import numpy as np
import pytest
from cside_bench.statistics.warmup import Series, classify
from cside_bench.summary.figures import changes, line


def test_the_line_of_a_process_keeps_its_shape_and_leaves_out_what_does_not_change() -> None:
    """It begins with the first call, has the drop, and few points where nothing happens."""
    calls = np.full(200, 10.0)
    ns = np.where(np.arange(200) < 50, 1000.0, 100.0) * calls
    points = line(Series(first_call_ns=5000.0, calls=calls, ns=ns))
    assert points[0] == (5000.0, 5000.0)
    assert points[1][1] == pytest.approx(1000) and points[-1][1] == pytest.approx(100)
    assert len(points) <= 8 and [it[0] for it in points] == sorted(it[0] for it in points)


def test_a_changepoint_is_where_the_median_series_changes_its_level() -> None:
    """The change has both levels, with the empty loop subtracted."""
    calls = np.full(200, 10.0)
    ns = np.where(np.arange(200) < 50, 1000.0, 100.0) * calls
    typical = Series(first_call_ns=float("nan"), calls=calls, ns=ns, overhead_ns=10.0)
    (change,) = changes(typical, classify(typical))
    assert change["elapsed_ns"] == pytest.approx(50 * 10_000)
    assert change["before_ns"] == pytest.approx(990) and change["after_ns"] == pytest.approx(90)
