# SPDX-License-Identifier: Apache-2.0
"""Random draws from the noise of a run."""

from pathlib import Path

import numpy as np
import pytest
from cside_bench.recommend import draws


def test_a_draw_has_the_interval_that_the_report_shows() -> None:
    """Quantiles of the draws of a mean are Student's, for few processes too."""
    logs = np.array([0.0, 0.1, -0.05, 0.2, 0.07, 0.02, -0.1])
    found = draws.Deviates("x", 1, 200_000, len(logs)).means(logs)
    assert found[0] == pytest.approx(logs.mean())
    half = 2.4469 * logs.std(ddof=1) / np.sqrt(len(logs))  # Student's t of 6 degrees of freedom, 97.5 %
    low, high = np.quantile(found[1:], [0.025, 0.975])
    assert high - logs.mean() == pytest.approx(half, rel=0.03)
    assert logs.mean() - low == pytest.approx(half, rel=0.03)


def test_what_two_cells_have_in_common_they_have_in_common_in_a_draw() -> None:
    """The difference of two cells that differ by a constant in each process is that constant in every draw."""
    logs = np.array([0.3, 0.1, -0.2, 0.0])
    deviates = draws.Deviates("x", 1, 1000, 4)
    assert np.allclose(deviates.means(logs + 0.5) - deviates.means(logs), 0.5)


def test_the_probability_is_right_about_what_it_says(tmp_path: Path) -> None:
    """Of two equal approaches, either is said to be best with 90 % or more in about a tenth of the runs."""
    deviates = draws.Deviates("x", 1, 2000, 6)
    generator = np.random.default_rng(5)
    shares = np.array([np.mean(deviates.means(generator.normal(0, 0.1, 6))[1:] > 0) for _ in range(400)])
    assert np.mean(shares > 0.9) == pytest.approx(0.1, abs=0.05)
    assert np.mean(shares < 0.1) == pytest.approx(0.1, abs=0.05)


def test_placement_is_each_cell_s_own() -> None:
    """Its draws have half of the variance of a ratio's, the estimate has none, and two cells share nothing."""
    one, two = (draws.placed(name, 1, 100_000, 0.01) for name in ("w/one", "w/two"))
    assert one[0] == two[0] == 0.0
    assert (one - two).std() == pytest.approx(0.01, rel=0.02)
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.02
