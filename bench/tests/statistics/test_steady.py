# SPDX-License-Identifier: Apache-2.0
"""A cell that moves during its rounds is rejected, whatever moves it; a steady one hardly ever is, however noisy."""

import math

import numpy as np
import pytest
from cside_bench.statistics.steady import COMPILED_BELOW_NS, Calls, cold, drift, move, singly, speeds
from numpy.typing import NDArray

CELLS = 400
"""Simulated cells; at most 1 % of them may be rejected wrongly."""


def rounds(
    draw: np.random.Generator, processes: int, number: int, *, scatter: float = 0.06, between: float = 0.02
) -> NDArray[np.float64]:
    """Log ratios of a steady cell, processes x rounds, with heavy tails in the rounds."""
    own = draw.standard_normal((processes, 1)) * between
    return own + scatter * draw.standard_t(3, (processes, number))


def rejected(draw: np.random.Generator, processes: int, number: int, **options: float) -> float:
    """The share of steady cells that are rejected."""
    return float(
        np.mean(
            [
                drift([move(row) for row in np.exp(rounds(draw, processes, number, **options))]) is not None
                for _ in range(CELLS)
            ]
        )
    )


@pytest.mark.parametrize(("processes", "number"), [(3, 20), (7, 40), (10, 20), (10, 4)])
@pytest.mark.parametrize("scatter", [0.005, 0.06, 0.25], ids=["quiet", "typical", "noisy"])
def test_steady_cells_are_kept(processes: int, number: int, scatter: float) -> None:
    """At least 99 in 100, of every tier, in rounds of heavy tails, where slow workloads have four rounds too."""
    assert rejected(np.random.default_rng(1), processes, number, scatter=scatter) <= 0.01


def test_steady_cells_are_kept_on_a_machine_with_slow_spells() -> None:
    """In a sixth of the processes the machine slows one side of the ratio down for half of the rounds."""
    draw = np.random.default_rng(2)
    wrong = 0
    for _ in range(CELLS):
        logs = rounds(draw, 10, 20)
        for process in np.flatnonzero(draw.random(10) < 1 / 6):
            start = int(draw.integers(0, 20))
            logs[process, start : start + 10] += draw.choice((-1, 1)) * draw.uniform(0.2, 0.5)
        wrong += drift([move(row) for row in np.exp(logs)]) is not None
    assert wrong <= 0.01 * CELLS


@pytest.mark.parametrize(("processes", "number"), [(7, 40), (10, 20)])
@pytest.mark.parametrize("change", [-0.135, -0.3, 0.2])
def test_a_drift_of_every_process_is_found(processes: int, number: int, change: float) -> None:
    """From the first to the last third by 13.5 %, as it was found on PyPy before targets were warm, or by more."""
    draw = np.random.default_rng(3)
    slope = np.linspace(0, 1.5, number) * math.log1p(change)  # the medians of thirds are two thirds apart
    found = [
        drift([move(row) for row in np.exp(rounds(draw, processes, number) + slope)]) is not None for _ in range(100)
    ]
    assert np.mean(found) >= 0.95


def test_a_small_change_is_tolerated() -> None:
    """A drift of 1 % turns no verdict, since the margin is 3 %."""
    draw = np.random.default_rng(4)
    slope = np.linspace(0, 1.5, 20) * 0.01
    found = [drift([move(row) for row in np.exp(rounds(draw, 10, 20) + slope)]) is not None for _ in range(200)]
    assert np.mean(found) <= 0.01


def test_a_cell_that_some_processes_compile_late_is_found() -> None:
    """Four of ten processes compile it in the midst of their rounds, so that the mean has a wide interval."""
    draw = np.random.default_rng(5)
    found = []
    for _ in range(100):
        logs = rounds(draw, 10, 20)
        for process in range(4):
            logs[process, : int(draw.integers(8, 13))] += math.log(20)
        found.append(drift([move(row) for row in np.exp(logs)]))
    assert all(it is not None for it in found)
    assert any(it is not None and "4 of 10 processes" in it for it in found)


def test_a_move_is_that_of_the_medians_of_thirds() -> None:
    """Nothing is read from fewer than three rounds, nor from a ratio that has no logarithm."""
    made = move([2.0, 2.0, 7.0, 7.0, 1.0, 1.0])
    assert made.change == pytest.approx(math.log(0.5))
    assert math.isnan(move([1.0, 2.0]).change)
    assert math.isnan(move([math.nan, -1.0, 0.0, 1.0, 1.0]).change)
    assert drift([move([1.0, 2.0])] * 10) is None
    assert drift([]) is None
    assert drift([move([1.0, 1.0, 9.0])]) is None


def test_an_interrupted_round_of_few_is_no_leap() -> None:
    """A slow workload has four rounds; a chunk that was interrupted is five times as long."""
    draw = np.random.default_rng(6)
    wrong = 0
    for _ in range(CELLS):
        logs = rounds(draw, 10, 4) + np.where(draw.random((10, 4)) < 0.15, math.log(5), 0.0)
        wrong += drift([move(row) for row in np.exp(logs)]) is not None
    assert wrong <= 0.01 * CELLS


def test_the_reason_has_the_number() -> None:
    """A reader sees by how much the ratio moved."""
    moves = [move([1.0, 1.0, 0.9, 0.9, 0.865, 0.865 + 0.001 * number]) for number in range(8)]
    reason = drift(moves)
    assert reason is not None
    assert "-13." in reason


@pytest.mark.parametrize(
    ("net", "p50", "timer", "steady"),
    [
        (64_000, 2_060, 60, False),  # compiled only after the rounds
        (2_000, 64_060, 60, False),  # slower by itself than in the rounds
        (30, 90, 60, True),
        (30, 150, 60, True),  # two readings of the clock
        (500, 110, 60, False),
        (2_000, 2_060, 60, True),
        (2_000, 3_500, 60, True),
        (3_500, 2_060, 60, True),
    ],
)
def test_chunks_are_compared_with_single_calls(net: float, p50: float, timer: float, steady: bool) -> None:
    """A factor of two, beyond what reading the clock may take; in most processes."""
    calls = Calls(net, p50, timer)
    assert (singly([calls] * 10) is None) == steady
    fine = Calls(100.0, 160.0, 60.0)
    assert singly([calls] * 5 + [fine] * 5) is None
    assert (singly([calls] * 6 + [fine] * 4) is None) == steady


def test_what_is_not_known_is_not_compared() -> None:
    """A call that was timed too few times has no median."""
    assert singly([]) is None
    assert singly([Calls(64_000, math.nan, 60)] * 10) is None


def test_a_cell_that_was_not_compiled_is_found() -> None:
    """It may be steady and slow: too few calls, unless each takes so long that it does not matter."""
    assert cold([400] * 7, [64_000] * 7) is not None
    assert cold([6_000] * 7, [2_000] * 7) is None
    assert cold([100] * 7, [5e6] * 7) is None
    assert cold([100] * 7, [COMPILED_BELOW_NS] * 7) is None
    assert cold([400] * 3 + [6_000] * 4, [64_000] * 7) is None
    assert cold([], []) is None


@pytest.mark.parametrize(
    ("ratios", "reason"),
    [
        ([6.9, 2.5, 2.5, 5.4, 2.4, 5.2, 2.7], "its 7 processes take 2.4 to 6.9 times as long as the reference"),
        ([7.7, 8.2, 3.6, 3.6, 3.9, 5.5, 3.3], "its 7 processes take 3.3 to 8.2 times as long as the reference"),
        ([1.0, 1.0, 1.8, 1.8], "its 4 processes take 1 to 1.8 times as long as the reference"),
        ([1.0, 1.0, 1.7, 1.7], None),  # not far enough apart
        ([1.0, 1.8, 1.8], None),  # too few
        ([0.01, 0.003, 0.003, 0.004, 0.004, 0.003, 0.003], None),  # a single process, which widens the interval
        ([1.0, math.nan, 1.0], None),
        ([], None),
    ],
)
def test_processes_at_different_speeds_are_found(ratios: list[float], reason: str | None) -> None:
    """Two at least on each side; the first two lines are runs on PyPy."""
    assert speeds(ratios) == reason


@pytest.mark.parametrize("processes", [3, 4, 7, 10])
def test_one_speed_is_not_taken_for_several(processes: int) -> None:
    """At least 99 in 100, with heavy tails; processes differ by 13 %, as in PyPy's noisiest twentieth of cells."""
    draw = np.random.default_rng(5)
    found = [speeds(np.exp(0.1 * draw.standard_t(5, processes)).tolist()) for _ in range(10 * CELLS)]
    assert sum(it is not None for it in found) <= 0.01 * len(found)
