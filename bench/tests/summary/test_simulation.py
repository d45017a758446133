# SPDX-License-Identifier: Apache-2.0
"""Simulated runs have the noise of real ones."""

import itertools

import numpy as np
import pytest
from cside_bench.results.rounds import Process
from cside_bench.statistics.intervals import expected_spread
from cside_bench.statistics.simulation import SCENARIOS, ratios, simulate

KEY, REFERENCE = ("w", "other"), ("w", "reference")


QUIET, DRIFT = SCENARIOS[0], next(it for it in SCENARIOS if it.name == "drift")


def test_drift_cancels_in_paired_ratios() -> None:
    """A machine that gets slower and runs at half speed for a while does not move the ratio."""
    run = simulate(DRIFT, 100, 36, np.random.default_rng(1), workloads=1, effects=(0.25,))
    logs, _ = ratios(run, 1, 0)
    assert np.exp(np.mean(logs)) == pytest.approx(1.25, rel=0.01)


def test_the_simulation_takes_ratios_as_real_runs_do() -> None:
    """What the self-test computes for all cells at once is what one process and one cell give."""
    run = simulate(DRIFT, 4, 24, np.random.default_rng(2), workloads=3)
    logs, spread = ratios(run, slice(1, None), 0)
    for workload, subject in itertools.product(range(3), range(5)):
        paired = []
        for at in range(4):
            times = run.times[workload, :, at]
            process = Process(net={KEY: times[1 + subject], REFERENCE: times[0]})
            assert np.log(process.ratio(KEY, REFERENCE)) == pytest.approx(logs[workload, subject, at], abs=1e-12)
            paired.append(times[1 + subject] / times[0])
        assert expected_spread(paired) == pytest.approx(spread[workload, subject])


def test_the_noise_is_that_of_a_real_run() -> None:
    """In the quiet scenario of 36 rounds, log ratios differ between processes by the 1.4 % of the median cell."""
    draw = np.random.default_rng(4)
    run = simulate(SCENARIOS[0], 200, 36, draw, workloads=20)
    logs, _ = ratios(run, slice(1, None), 0)
    assert np.median(logs.std(axis=-1, ddof=1)) == pytest.approx(0.014, rel=0.05)
    assert run.noise[0] == pytest.approx(0.014, rel=0.02)


def test_all_positions_are_drawn() -> None:
    """Every round of a workload has each place once."""
    run = simulate(SCENARIOS[0], 2, 5, np.random.default_rng(5), workloads=3)
    assert (np.sort(run.positions, axis=1) == np.arange(6)[None, :, None, None]).all()
