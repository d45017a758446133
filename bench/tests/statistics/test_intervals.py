# SPDX-License-Identifier: Apache-2.0
"""Intervals, families of comparisons, verdicts and ranks."""

import itertools
import math

import numpy as np
import pytest
from cside_bench.results.rounds import Process
from cside_bench.statistics.intervals import (
    LEAST_PROCESSES,
    Comparison,
    Interval,
    intervals,
    margin,
    ranks,
    simultaneous,
    simultaneous_between,
    stars,
    student,
    verdict,
)
from noise import noise

KEY, REFERENCE = ("w", "other"), ("w", "reference")


def test_an_interval_alone_is_students() -> None:
    """Textbook values: 1 to 5 have mean 3, standard error sqrt(0.5), and 2.7764 as the quantile of t."""
    found = student([1, 2, 3, 4, 5, math.nan])
    assert found.value == 3
    assert found.processes == 5
    assert found.high - 3 == pytest.approx(2.7764451 * math.sqrt(0.5))
    (ratio,) = intervals([[math.exp(it) for it in (1, 2, 3, 4, 5)]], logarithmic=True)
    assert math.log(ratio.low) == pytest.approx(found.low)


def test_intervals_alone_cover_the_truth() -> None:
    """The 95 % interval holds the true ratio in 93 to 97 % of 4,000 cells of eight processes."""
    found = intervals(np.exp(noise(4, 4_000, 8) + np.log(1.1)).tolist(), logarithmic=True)
    assert 0.93 <= np.mean([it.low <= 1.1 <= it.high for it in found]) <= 0.97


def test_a_family_is_seldom_wrong_where_single_intervals_nearly_always_are() -> None:
    """In 200 families of 100 identical cells of unequal noise, nearly all have an interval alone that excludes 1; few
    have an adjusted one (5 %, with room for chance).
    """
    draw = np.random.default_rng(5)
    alone, adjusted = 0, 0
    for _ in range(200):
        found = simultaneous(draw.standard_normal((100, 8)) * np.exp(draw.normal(-4.5, 0.8, (100, 1))))
        alone += any(it.low > 1 or it.high < 1 for it in found)
        adjusted += any(it.found for it in found)
    assert alone > 190
    assert adjusted <= 18  # exceeded once in 10,000 times at a true 5 %


def test_the_adjusted_interval_and_p_value_agree() -> None:
    """A difference is found exactly if p is below 0.05, and no adjusted interval is narrower than that alone."""
    table = noise(6, 300, 8) + np.linspace(0, 0.06, 300)[:, None]
    found = simultaneous(table)
    assert 30 < sum(it.found for it in found) < 270
    assert all(it.found == (it.adjusted_p < 0.05) == bool(stars(it)) for it in found)
    assert all(it.adjusted_low <= it.low <= it.value <= it.high <= it.adjusted_high for it in found)


def test_intervals_move_with_the_true_ratio() -> None:
    """A real difference of one cell does not widen or narrow any interval: false positives do not depend on it."""
    table = noise(7, 50, 8)
    before, after = simultaneous(table), simultaneous(table + np.log(1.5) * np.eye(1, 50).T)
    assert after[0].adjusted_high == pytest.approx(1.5 * before[0].adjusted_high)
    assert after[1].adjusted_high == pytest.approx(before[1].adjusted_high)


def test_a_larger_family_has_wider_intervals() -> None:
    """More comparisons cost width, whether they are given or only counted."""
    table = noise(8, 40, 8)
    own, among_many = simultaneous(table), simultaneous(table, comparisons=3_000)
    assert all(more.adjusted_high > it.adjusted_high for it, more in zip(own, among_many, strict=True))


def test_a_standard_deviation_tiny_by_accident_is_not_believed() -> None:
    """One cell's processes agree by chance to 0.01 % where its neighbours' differ by 1 %: 0.3 % off is no finding."""
    table = noise(9, 200, 8)
    table[0] = 0.003 + noise(10, 1, 8, 0.0001)
    assert not simultaneous(table)[0].found
    assert simultaneous(table)[0].low > 1


@pytest.mark.parametrize("processes", [1, 2, LEAST_PROCESSES - 1])
def test_too_few_processes_decide_nothing(processes: int) -> None:
    """They give an estimate, with two an interval alone, and no verdict, no star and nothing found."""
    (found,) = simultaneous(np.full((1, processes), np.log(1.5)) + noise(14, 1, processes))
    assert found.value == pytest.approx(1.5, rel=0.05)
    assert math.isnan(found.low) == (processes < 2)
    assert math.isnan(found.adjusted_low) and math.isnan(found.adjusted_p)
    assert verdict(found, 0.03) == "inconclusive"
    assert not found.found
    assert stars(found) == ""


def test_missing_observations_cost_their_cell_only() -> None:
    """A cell with a process less has one less to go by; one with too few does not count in the family."""
    table = noise(15, 30, 8)
    table[0, 0] = np.nan
    table[1, :4] = np.nan
    found = simultaneous(table)
    assert [it.processes for it in found[:3]] == [7, 4, 8]
    assert math.isfinite(found[0].adjusted_low) and math.isnan(found[1].adjusted_low)
    assert found[0].value == pytest.approx(np.exp(table[0, 1:].mean()))
    assert simultaneous(np.full((1, 8), np.nan))[0].processes == 0
    assert simultaneous([]) == []


def test_equal_observations_are_exact() -> None:
    """Rows without spread, which made-up data have, give a point and no warning."""
    same, other = simultaneous([[0.0] * 8, [0.5] * 8])
    assert (same.adjusted_low, same.adjusted_high, same.found) == (1.0, 1.0, False)
    assert other.adjusted_low == other.adjusted_high == pytest.approx(np.exp(0.5))
    assert other.found


def test_the_same_rounds_give_the_same_table() -> None:
    """Resampling has a fixed seed."""
    table = noise(16, 20, 20)
    assert simultaneous(table) == simultaneous(table)


def test_runs_are_compared_as_independent_samples() -> None:
    """Of two runs with different numbers of processes, the cell that changed by 10 % is found, and no other."""
    base, other = noise(17, 100, 8), noise(18, 100, 10)
    other[3] += np.log(1.1)
    found = simultaneous_between(base, other)
    assert [at for at, it in enumerate(found) if it.found] == [3]
    assert found[3].value == pytest.approx(1.1, rel=0.02)
    assert verdict(found[3], 0.03) == "slower"
    assert found[0].processes == 8
    with pytest.raises(ValueError, match="same cells"):
        simultaneous_between(base, other[1:])


def test_two_runs_of_the_same_are_seldom_different() -> None:
    """In 100 pairs of runs of unequal size and noise, at most 5 % (with room for chance) show any difference."""
    draw = np.random.default_rng(19)
    wrong = 0
    for _ in range(100):
        sd = np.exp(draw.normal(-4.5, 0.5, (60, 1)))
        base, other = draw.standard_normal((60, 7)) * sd, draw.standard_normal((60, 6)) * 2 * sd
        wrong += any(it.found for it in simultaneous_between(base, other))
    assert wrong <= 12  # exceeded once in 700 times at a true 5 %


@pytest.mark.parametrize(
    ("p", "expected"), [(0.0009, "***"), (0.001, "**"), (0.0099, "**"), (0.049, "*"), (0.05, ""), (math.nan, "")]
)
def test_stars_stand_for_adjusted_p_values(p: float, expected: str) -> None:
    """Below 0.05, 0.01 and 0.001."""
    assert stars(Comparison(1.0, adjusted_p=p)) == expected


def test_eight_processes_reach_two_stars() -> None:
    """However large the difference: 128 patterns of signs give no smaller p value than 1 in 129."""
    (found,) = simultaneous(np.log(2) + noise(20, 1, 8))
    assert stars(found) == "**"
    (found,) = simultaneous(np.log(2) + noise(20, 1, 11))
    assert stars(found) == "***"


def test_one_process_has_no_interval() -> None:
    """A single process is no evidence: no bounds, and no verdict but inconclusive."""
    (found,) = intervals([[1.5]], logarithmic=True)
    assert found.value == pytest.approx(1.5)
    assert np.isnan(found.low)
    assert verdict(found, 0.03) == "inconclusive"


def test_nothing_resolved_gives_nothing() -> None:
    """A call that the JIT removed has no ratio."""
    process = Process(net={KEY: np.zeros(5), REFERENCE: np.full(5, 30.0)})
    assert np.isnan(process.ratio(KEY, REFERENCE))
    (found,) = intervals([[float("nan")] * 3], logarithmic=True)
    assert found.processes == 0


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.90, 0.96, "faster"),
        (0.90, 0.98, "inconclusive"),
        (0.98, 1.02, "equivalent"),
        (1.01, 1.05, "inconclusive"),
        (1.04, 1.05, "slower"),
        (0.5, 2.0, "inconclusive"),
        (math.nan, math.nan, "inconclusive"),
    ],
)
def test_verdicts_go_by_the_whole_interval(low: float, high: float, expected: str) -> None:
    """Not the estimate but where both ends lie against the margin decides, and in a family the adjusted ends."""
    assert verdict(Interval(1.0, low, high, 10), 0.03) == expected
    assert verdict(Comparison(1.0, 0.999, 1.001, low, high, 0.5, 10), 0.03) == expected


def test_margin_grows_with_the_noise_of_the_run() -> None:
    """The margin is 3 %, or more where identical code differs more from itself in 5 % of the cells."""
    assert margin([0.99, 1.0, 1.01]) == 0.03
    assert margin([0.8, 1.0, 1.25]) > 0.15
    assert margin([1.0] * 99 + [2.0]) == 0.03
    assert margin([1 / 1.1] * 20) == pytest.approx(0.1)
    assert margin([1.0] * 17 + [1.2]) == pytest.approx(0.2)  # of eighteen, the largest
    assert margin([]) == margin([math.nan]) == 0.03


def test_the_margin_holds_for_a_further_workload() -> None:
    """Of thirty ratios it is exceeded by 5 % of others like them; the plain quantile of the thirty by more."""
    draw = np.random.default_rng(3)
    logs = 0.05 * draw.standard_normal((4_000, 31))
    missed = [abs(row[-1]) > np.log1p(margin(np.exp(row[:-1]).tolist())) for row in logs]
    assert np.mean(missed) == pytest.approx(0.05, abs=0.01)
    plain = [abs(row[-1]) > np.quantile(np.abs(row[:-1]), 0.95) for row in logs]
    assert np.mean(plain) > 0.065


def test_ties_share_a_rank() -> None:
    """Rank is 1 and the number of those decided faster, whatever the estimates are."""
    assert ranks(["a", "b", "c"], {}) == {"a": 1, "b": 1, "c": 1}
    assert ranks(["a", "b", "c"], {("a", "c"): "faster", ("a", "b"): "equivalent"}) == {"a": 1, "b": 1, "c": 2}
    assert ranks(["a", "b", "c"], {("c", "a"): "slower", ("c", "b"): "slower"}) == {"a": 1, "b": 1, "c": 3}
    assert ranks(["a"], {("a", "gone"): "slower", ("a", "a"): "equivalent"}) == {"a": 1}


def test_whatever_is_slower_has_the_larger_rank() -> None:
    """Also where verdicts are not transitive: a < b < c implies a < c, though that pair alone is inconclusive."""
    found = ranks(["a", "b", "c"], {("a", "b"): "faster", ("b", "c"): "faster", ("a", "c"): "inconclusive"})
    assert found == {"a": 1, "b": 2, "c": 3}
    draw = np.random.default_rng(21)
    names = list("abcdefg")
    for _ in range(200):
        order = draw.permutation(names).tolist()
        pairs = {pair: "faster" for pair in itertools.combinations(order, 2) if draw.random() < 0.3}
        found = ranks(names, pairs)
        assert all(found[first] < found[second] for first, second in pairs)
        assert min(found.values()) == 1


def test_verdicts_that_contradict_each_other_rank_nobody() -> None:
    """Three that are each faster than the next, in a circle, share a rank; what all of them beat comes after."""
    circle = {("a", "b"): "faster", ("b", "c"): "faster", ("c", "a"): "faster", ("c", "d"): "faster"}
    assert ranks(list("abcd"), circle) == {"a": 1, "b": 1, "c": 1, "d": 4}
