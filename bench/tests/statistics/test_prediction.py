# SPDX-License-Identifier: Apache-2.0
"""A prediction interval holds 95 % of new means, which an interval of a mean does not."""

import numpy as np
import pytest
from cside_bench.statistics.prediction import Excess, Scatter, excess, pooled, predict, scatters
from cside_bench.statistics.student import student


@pytest.mark.parametrize(("new", "extra"), [(1, 0.0), (3, 0.0), (3, 0.04), (3, 0.2)])
def test_it_holds_what_it_promises(new: int, extra: float) -> None:
    """Of 4,000 cells 95 % lie within, and far fewer within the interval of the run's mean."""
    draw = np.random.default_rng(4)
    inside, inside_mean = 0, 0
    beyond = Excess(extra**2, 80.0)
    for _ in range(4_000):
        run, value = draw.normal(0.7, 0.02, 10), draw.normal(0.7, (0.02**2 + extra**2) ** 0.5, new).mean()
        expected, known = predict(run, new, beyond), student(run)
        inside += expected.low <= value <= expected.high
        inside_mean += known.low <= value <= known.high
    assert 0.94 <= inside / 4_000 <= 0.965
    assert inside_mean / 4_000 < 0.8


def test_the_scatter_of_new_ratios_is_found_among_cells_of_unequal_noise() -> None:
    """What two processes do not share is the same for quiet and noisy cells, and is found by three of each cell."""
    draw = np.random.default_rng(5)
    noises = draw.lognormal(-4.5, 0.8, 80)
    for extra in (0.03, 0.08):
        cells = [(draw.normal(0, np.hypot(noise, extra), 3), draw.normal(0, noise, 10)) for noise in noises]
        found = excess(cells)
        assert found is not None and found.freedom == 160
        assert found.variance**0.5 == pytest.approx(extra, rel=0.25)


def test_quiet_and_noisy_cells_lie_within_alike() -> None:
    """A factor on the run's own spread would miss the quiet ones: two processes differ by more than they do."""
    draw = np.random.default_rng(8)
    inside = {0.003: 0, 0.05: 0}
    for _ in range(40):
        cells = {
            (noise, at): (draw.normal(0, np.hypot(noise, 0.03), 3), draw.normal(0, noise, 10))
            for noise in inside
            for at in range(20)
        }
        beyond = excess(cells.values())
        for (noise, _), (new, run) in cells.items():
            its = predict(run, 3, beyond)
            inside[noise] += its.low <= new.mean() <= its.high
    assert all(0.92 <= count / 800 <= 0.98 for count in inside.values()), inside


def test_a_cell_whose_processes_fall_into_modes_is_judged_by_its_own_scatter() -> None:
    """A fifth of the cells have processes that are 40 % slower now and then, in the run too; the others are quiet."""
    draw = np.random.default_rng(9)
    inside = {False: 0, True: 0}
    with_own = {False: 0, True: 0}
    cells = 0
    for _ in range(40):
        table = []
        for at in range(50):
            modal = at < 10
            new, run = (draw.normal(0, 0.01, size) + modal * 0.34 * (draw.random(size) < 0.3) for size in (3, 10))
            table.append((modal, new, run))
        beyond = excess((new, run) for _, new, run in table)
        for (modal, new, run), own in zip(table, scatters(new for _, new, _ in table), strict=True):
            cells += modal
            for counts, its in ((inside, predict(run, 3, beyond)), (with_own, predict(run, 3, beyond, own))):
                counts[modal] += its.low <= new.mean() <= its.high
    assert with_own[True] / cells >= inside[True] / cells + 0.02
    assert with_own[True] / cells >= 0.93
    assert 0.94 <= with_own[False] / (4 * cells) <= 0.99


def test_a_cell_of_one_new_process_has_no_scatter_of_its_own() -> None:
    """Its interval is that of all cells."""
    run = np.random.default_rng(10).normal(0, 0.02, 10)
    lone, several = scatters([[0.1], [0.1, 0.3]])
    assert lone is None
    assert several == Scatter(pytest.approx(0.02), 1.0)
    assert predict(run, 1, Excess(0.0, 9.0), lone) == predict(run, 1, Excess(0.0, 9.0))


def test_the_scatter_is_never_less_than_that_of_the_run() -> None:
    """New ratios that agree by accident do not make intervals narrower; without two of them it is not known."""
    draw = np.random.default_rng(6)
    found = excess([(draw.normal(0, 0.001, 3), draw.normal(0, 0.1, 10)) for _ in range(20)])
    assert found is not None and found.variance == 0.0
    assert excess([([0.1], draw.normal(0, 0.1, 10))]) is excess([]) is None


def test_a_run_of_one_process_predicts_nothing() -> None:
    """There is a mean, and there are no bounds."""
    expected = predict([0.5, np.nan], 3, None)
    assert expected.value == 0.5
    assert np.isnan([expected.low, expected.high]).all()


def test_a_shift_of_all_cells_is_found_although_they_share_processes() -> None:
    """Six cells of a process move together; 3 % are found, and nothing is found where nothing is shifted."""
    draw = np.random.default_rng(7)
    found = {0.0: 0, 0.03: 0}
    for shift in found:
        for _ in range(500):
            common, new = draw.normal(0, 0.01, 10), draw.normal(0, 0.01, 2)
            rows = [
                ((shift + new + draw.normal(0, 0.005, 2)).tolist(), common + draw.normal(0, 0.005, 10))
                for _ in range(6)
            ]
            its = pooled(rows, Excess(0.0, 9.0))
            found[shift] += not its.low <= 0 <= its.high
    assert found[0.0] <= 45  # 5 % of 500, and three standard errors
    assert found[0.03] >= 400
    assert pooled([], None).processes == 0
