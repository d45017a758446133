# SPDX-License-Identifier: Apache-2.0
"""A run's checks of itself: identical code, a known delay, position and drift."""

import math

import numpy as np
import pytest
from cside_bench.statistics.checks import (
    Check,
    Rounds,
    centre_twice,
    delay,
    drift,
    machine,
    position,
    position_effect,
    round_effect,
    same_code,
    trustworthy,
)
from cside_bench.statistics.intervals import simultaneous, verdict
from rounds_of_a_workload import workload

Array = np.ndarray


def table(seed: int, ratio: float, workloads: int = 40, processes: int = 8, sd: float = 0.01) -> Array:
    """Log ratios, workloads x processes."""
    return np.random.default_rng(seed).normal(np.log(ratio), sd, (workloads, processes))


def test_identical_code_passes() -> None:
    """Noise alone condemns no run."""
    logs = table(1, 1.0)
    found = same_code("twin", logs, simultaneous(logs))
    assert found.passed is True
    assert found.low < found.estimate < found.high
    assert abs(found.estimate) < 0.01
    assert found.says.startswith("Identical code differs by ")


@pytest.mark.parametrize("ratio", [0.97, 1.03])
def test_a_bias_between_identical_code_fails(ratio: float) -> None:
    """The whole interval of the pooled ratio is beyond 1 %, on either side."""
    logs = table(2, ratio)
    found = same_code("twin", logs, simultaneous(logs))
    assert found.passed is False
    assert found.estimate == pytest.approx(ratio - 1, abs=0.002)
    assert found.says.endswith("which is a bias.")


def test_a_bias_within_the_tolerance_passes() -> None:
    """Half a per cent, however certain, turns no verdict."""
    logs = table(3, 1.005, sd=0.0005)
    assert same_code("twin", logs, simultaneous(logs)).passed is True


def failing_runs(comparisons: int) -> float:
    """The share of 400 runs in which one of seven techniques fails, all of which are off by just what is tolerated."""
    pooled = np.random.default_rng(5).normal(np.log1p(0.01), 0.03, (400, 7, 1, 6))
    compared = simultaneous(table(1, 1.0))
    return float(
        np.mean(
            [any(not same_code("twin", one, compared, comparisons=comparisons).passed for one in run) for run in pooled]
        )
    )


def test_seven_techniques_fail_an_honest_run_as_rarely_as_one() -> None:
    """They share the 5 %, of which half is on this side; if each had all of it, one run in six would fail."""
    assert failing_runs(7) < 0.05
    assert failing_runs(1) > 0.1


def test_false_verdicts_on_identical_code_fail() -> None:
    """Three of forty cells differ by 10 % one way and three the other: no bias on average, and yet not trustworthy."""
    logs = table(4, 1.0)
    logs[:3] += 0.1
    logs[3:6] -= 0.1
    found = same_code("twin", logs, simultaneous(logs))
    assert found.passed is False
    assert found.says == "6 of 40 cells of identical code are called faster or slower, which is wrong."


def test_code_layout_informs_and_does_not_decide() -> None:
    """What another link order does is no fault of the measurement; the share of its verdicts is marked."""
    biased, mixed = table(5, 1.02), table(6, 1.0)
    mixed[:6] += 0.1
    first = same_code("relinked", biased, simultaneous(biased), layout=True)
    second = same_code("relinked", mixed, simultaneous(mixed), layout=True)
    assert (first.passed, second.passed) == (True, False)
    assert not first.decides and not second.decides
    assert "6 of 40 cells" in second.says


def test_the_delay_is_found() -> None:
    """5 % within the tolerance, and the share of cells in which it is found."""
    logs = table(7, 1.05)
    found = delay(logs, simultaneous(logs))
    assert found.passed is True
    assert found.estimate == pytest.approx(0.05, abs=0.003)
    compared = simultaneous(logs)
    slower = sum(verdict(it, 0.03) == "slower" for it in compared)
    different = sum(it.found for it in compared)
    assert found.says.endswith(f"of 40 single cells {slower} are called slower, and {different} found different.")


@pytest.mark.parametrize(
    ("ratio", "word"), [(1.0, "not detected"), (1.02, "sizes"), (1.08, "sizes"), (0.95, "not detected")]
)
def test_a_delay_that_is_missed_or_mismeasured_fails(ratio: float, word: str) -> None:
    """Not to see it fails, and so does a wrong size."""
    found = delay(table(8, ratio))
    assert found.passed is False
    assert word in found.says


def test_a_delay_lost_in_noise_fails() -> None:
    """An interval from below 1 to above 1.06 finds nothing."""
    assert delay(table(9, 1.05, workloads=2, sd=0.2)).passed is False


def test_one_stalled_workload_does_not_move_the_pooled_ratio() -> None:
    """A cell that stood still in one process is trimmed."""
    logs = table(10, 1.05)
    logs[0, 0] = 3.0
    assert delay(logs).passed is True


def test_position_is_found_and_measured() -> None:
    """An effect of being last is measured, in spite of cells and rounds of different speed; none is not."""
    draw = np.random.default_rng(11)
    biased = position([[workload(draw, np.log(1.04)) for _ in range(20)] for _ in range(8)])
    assert biased.passed is False
    assert biased.estimate == pytest.approx(0.04, abs=0.004)
    assert biased.says.endswith("which is a bias.")
    fair = position([[workload(draw) for _ in range(20)] for _ in range(8)])
    assert fair.passed is True


def test_the_slope_of_a_clean_table_is_exact() -> None:
    """Also where chunks are missing."""
    draw = np.random.default_rng(12)
    clean = workload(draw)
    exact = Rounds(np.exp(0.1 * clean.positions / 5 + np.arange(6)[:, None]), clean.positions)
    assert position_effect([exact]) == pytest.approx(0.1)
    exact.times[0, :2] = math.nan
    assert position_effect([exact]) == pytest.approx(0.1, rel=0.02)


def test_centring_leaves_no_mean() -> None:
    """After centring, the means of all rows and columns are zero."""
    found = centre_twice(np.random.default_rng(13).normal(size=(4, 7)) + np.arange(7))
    assert np.abs(found.mean(axis=0)).max() < 1e-12
    assert np.abs(found.mean(axis=1)).max() < 1e-12


def test_drift_of_a_ratio_is_found() -> None:
    """A ratio that moves by 4 % over the rounds fails; one that stays passes, though the machine itself slows down."""
    draw = np.random.default_rng(14)
    numbers = np.arange(36.0)

    def rounds(change: float, level: float = 1.0) -> list[list[tuple[Array, Array]]]:
        return [
            [(numbers, level * np.exp(draw.normal(0, 0.05, 36) + np.log1p(change) * numbers / 35)) for _ in range(30)]
            for _ in range(8)
        ]

    moving = drift(rounds(0.04))
    assert moving.passed is False
    assert moving.estimate == pytest.approx(0.04, abs=0.006)
    assert drift(rounds(0.0)).passed is True
    slower = machine(rounds(0.2, 75.0))
    assert slower.estimate == pytest.approx(0.2, abs=0.02)
    assert not slower.decides


def test_rounds_without_a_time_are_left_out() -> None:
    """Net times below zero have no logarithm."""
    numbers = np.arange(10.0)
    values = np.exp(0.3 * numbers / 9)
    values[4] = -1.0
    assert round_effect([(numbers, values)]) == pytest.approx(0.3)
    assert math.isnan(round_effect([]))
    assert math.isnan(round_effect([(np.zeros(3), np.ones(3))]))


def test_what_was_not_measured_does_not_pass() -> None:
    """A check without data says that it was not measured, and the run is not trustworthy."""
    none = np.empty((0, 8))
    checks = [same_code("twin", none, []), delay(none), position([]), drift([[]]), machine([])]
    assert all(check.passed is None and check.says.startswith("Not measured: ") for check in checks)
    assert all(math.isnan(check.estimate) for check in checks)
    assert not trustworthy(checks)


def test_one_process_judges_nothing() -> None:
    """A run of one process, or of too few for verdicts, has no checks."""
    assert same_code("twin", table(15, 1.0, processes=1), []).passed is None
    logs = table(15, 1.0, processes=3)
    assert same_code("twin", logs, simultaneous(logs)).passed is None
    assert delay(table(16, 1.05, processes=1)).passed is None


def test_two_processes_that_disagree_bound_nothing() -> None:
    """An interval without an end is no error, and no delay is seen in it."""
    found = delay(np.array([[0.05, 150.0]]))
    assert found.passed is False
    assert found.high == math.inf


def test_trust_needs_every_check_that_decides() -> None:
    """A run with one deciding check that failed or is missing is not trusted; checks that inform do not matter."""

    def check(passed: bool | None, decides: bool = True) -> Check:
        return Check("a", 0, 0, 0, 0.01, passed, "It is.", decides)

    assert trustworthy([check(True), check(False, False), check(None, False)])
    assert not trustworthy([check(True), check(False)])
    assert not trustworthy([check(True), check(None)])
    assert not trustworthy([])
    assert not trustworthy([check(True, False)])
