# SPDX-License-Identifier: Apache-2.0
"""Rounds of a run are read from its files."""

import pytest
from cside_bench.results.rounds import Process
from cside_bench.results.rounds import Sample
from cside_bench.results.rounds import anchored


def test_isolated_times_are_brought_to_one_speed() -> None:
    """A process that is twice as slow as another does not make its binding look twice as slow."""
    import numpy as np

    sample = Sample("x", [Process()])
    fast = {("w", "a"): np.array([10.0, 10.0]), ("w", "anchor"): np.array([2.0, 2.0])}
    slow = {("w", "b"): np.array([20.0, 20.0]), ("w", "anchor"): np.array([4.0, 4.0])}
    anchored(fast, sample)
    anchored(slow, sample)
    assert fast == {("w", "a"): pytest.approx([10, 10])}
    assert slow == {("w", "b"): pytest.approx([10, 10])}
