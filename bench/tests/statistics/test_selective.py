# SPDX-License-Identifier: Apache-2.0
"""Intervals with a false coverage rate of at most 5 %, on families whose true ratios are known."""

import numpy as np
import pytest
from cside_bench.statistics.intervals import Comparison, simultaneous, verdict
from cside_bench.statistics.selective import ALL, DECIDED, selective
from numpy.typing import NDArray

MARGIN = 0.03
Array = NDArray[np.float64]
EFFECTS = np.log([1.0, 1.0, 1.01, 1.03, 1.05, 0.8, 1.5, 3.0])


def family(
    seed: int, dependence: float, workloads: int = 60, subjects: int = 16, processes: int = 10
) -> tuple[Array, Array, Array]:
    """True log ratios, the observed ones, and the spread of each cell; subjects of a workload share their reference."""
    draw = np.random.default_rng(seed)
    truth = draw.choice(EFFECTS, size=(workloads, subjects))
    sd = 0.014 * np.exp(draw.normal(0, 0.8, (workloads, subjects, 1)))
    own = draw.standard_normal((workloads, subjects, processes))
    shared = draw.standard_normal((workloads, 1, processes))
    noise = sd * (np.sqrt(1 - dependence**2) * own + dependence * shared)
    return truth.ravel(), (truth[..., None] + noise).reshape(-1, processes), sd.ravel()


def holds(compared: Comparison, truth: float) -> bool:
    """Whether the adjusted interval holds the true log ratio."""
    return bool(compared.adjusted_low <= np.exp(truth) <= compared.adjusted_high)


@pytest.mark.parametrize("dependence", [0.0, 0.6, 0.95])
def test_at_most_one_in_twenty_deciding_intervals_is_wrong(dependence: float) -> None:
    """The share of deciding intervals that miss the truth, averaged over families, is at most 5 %."""
    shares, called, null = [], 0, 0
    for seed in range(12):
        truth, table, sd = family(seed, dependence)
        found = selective(table, MARGIN, expected=sd)
        verdicts = [verdict(it, MARGIN) for it in found]
        missed = [
            not holds(it, at) for it, at, says in zip(found, truth, verdicts, strict=True) if says != "inconclusive"
        ]
        shares.append(np.mean(missed))
        called += sum(says in {"faster", "slower"} for says, at in zip(verdicts, truth, strict=True) if at == 0)
        null += int((truth == 0).sum())
    assert 0.005 < np.mean(shares) <= 0.05
    assert called <= 0.002 * null


def test_it_decides_where_intervals_that_all_hold_at_once_do_not() -> None:
    """A delay of 5 % is called slower in most cells, which a family of a thousand cells does not allow otherwise."""
    truth, table, sd = family(3, 0.6)
    delayed = truth == np.log(1.05)
    few, many = (
        np.mean([verdict(it, MARGIN) == "slower" for it, wanted in zip(found, delayed, strict=True) if wanted])
        for found in (simultaneous(table, expected=sd), selective(table, MARGIN, expected=sd))
    )
    assert few < 0.4 < 0.6 < many


def test_identical_code_is_not_found_different() -> None:
    """In a family without any difference, hardly ever is one found: the false discovery rate is then that of any."""
    draw = np.random.default_rng(5)
    found = [selective(draw.standard_normal((300, 10)) * 0.01, MARGIN) for _ in range(40)]
    assert sum(any(it.found for it in one) for one in found) <= 5  # expected: at most 2
    assert all(verdict(it, MARGIN) == "equivalent" for one in found for it in one if it.adjusted_high < 1.02)


def test_the_headline_rows_hold_at_once() -> None:
    """Cells that are marked have the interval of their own small family; all others have the guarantee of deciding."""
    truth, table, sd = family(7, 0.6)
    together = np.zeros(len(truth), dtype=bool)
    together[:40] = True
    found = selective(table, MARGIN, expected=sd, together=together)
    assert {it.guarantee for it in found[:40]} == {ALL}
    assert {it.guarantee for it in found[40:]} == {DECIDED}
    plain = selective(table, MARGIN, expected=sd)
    assert found[40:] == plain[40:]
    assert all(one.adjusted_high > it.adjusted_high for one, it in zip(found[:40], plain[:40], strict=True))
    misses = 0
    for seed in range(60):
        truth, table, sd = family(100 + seed, 0.6, workloads=20)
        found = selective(table, MARGIN, expected=sd, together=together[: len(truth)])
        misses += not all(holds(it, at) for it, at in zip(found[:40], truth[:40], strict=True))
    assert misses <= 8  # 5 % of 60 is 3; exceeded once in a thousand times


def test_too_few_processes_decide_nothing() -> None:
    """A cell with five observations has its interval alone only, and takes no part in the family."""
    table = np.random.default_rng(1).standard_normal((20, 10)) * 0.01 + 0.5
    table[0, 5:] = np.nan
    found = selective(table, MARGIN)
    assert np.isnan(found[0].adjusted_low) and np.isfinite(found[0].low)
    assert verdict(found[0], MARGIN) == "inconclusive"
    assert [verdict(it, MARGIN) for it in found[1:]] == ["slower"] * 19
    assert selective(np.empty((0, 10)), MARGIN) == []


def test_cells_without_any_noise_are_decided() -> None:
    """Equal observations have an interval of no width."""
    found = selective(np.full((3, 10), np.log(2.0)), MARGIN)
    assert [verdict(it, MARGIN) for it in found] == ["slower"] * 3
