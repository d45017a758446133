# SPDX-License-Identifier: Apache-2.0
"""Lines through the times of a sweep, and jumps between neighbouring sizes."""

import numpy as np
import pytest
from cside_bench.statistics.cliffs import find_cliffs, fit_line
from known_sweep import SIZES, noisy


def test_a_line_is_found_exactly_where_there_is_one() -> None:
    """Without noise a and b are what they were, from the smallest size to the largest."""
    times = np.column_stack([7 + 0.3 * SIZES, 9 + 0.2 * SIZES])
    found = fit_line(SIZES, times, times.mean(axis=1))
    assert found == pytest.approx(np.asarray([[7, 0.3], [9, 0.2]]), rel=1e-9)


def test_noise_makes_no_cliffs() -> None:
    """Over 100 families of four straight approaches, at most 5 have a cliff anywhere."""
    draw = np.random.default_rng(4)
    wrong = 0
    for _ in range(100):
        times = {name: noisy(draw, a + 0.2 * SIZES) for name, a in (("a", 20), ("b", 40), ("c", 160), ("d", 600))}
        wrong += any(find_cliffs(SIZES, times, None).values())
    assert wrong <= 5
