# SPDX-License-Identifier: Apache-2.0
"""Comparisons of a family: noise in parts, dependence between cells, and random signs."""

import numpy as np
import pytest
from cside_bench.statistics.family import Part, inverse_trigamma, signs_of
from noise import noise
from scipy import special


def test_a_noisy_cell_does_not_hide_among_quiet_ones() -> None:
    """Moderation raises standard deviations and never lowers them."""
    table = noise(11, 200, 8)
    table[0] *= 20
    part = Part.of(table, None)
    assert part.freedom > 0
    assert (part.moderated >= part.variance).all()
    assert part.moderated[0] == part.variance[0]


def test_what_the_rounds_show_of_the_noise_is_used() -> None:
    """Where the rounds tell which cells are noisy, more is known of each: d0 is larger."""
    draw = np.random.default_rng(12)
    expected = np.exp(draw.normal(-4.5, 0.8, 500))
    table = draw.standard_normal((500, 8)) * expected[:, None]
    assert Part.of(table, expected).freedom > 2 * Part.of(table, None).freedom
    assert Part.of(table, np.where(np.arange(500) < 250, expected, np.nan)).freedom > Part.of(table, None).freedom


def test_dependence_between_cells_is_kept() -> None:
    """A hundred copies of one cell under one resample of processes have the largest statistic of that one cell."""
    one = noise(13, 1, 8)
    single, copies = Part.of(one, None), Part.of(np.repeat(one, 100, axis=0), None)
    assert copies.resample(signs_of(8))[0] == pytest.approx(np.repeat(single.resample(signs_of(8))[0], 100, axis=0))


def test_signs_are_exhausted_or_drawn() -> None:
    """Eight processes have 128 patterns of signs, up to the opposite; thirty have 10,000 drawn, always the same."""
    few = signs_of(8)
    assert few.shape == (8, 128)
    assert len({tuple(column * column[0]) for column in few.T}) == 128
    assert signs_of(30).shape == (30, 10_000)
    assert np.array_equal(signs_of(30), signs_of(30))


def test_trigamma_is_inverted() -> None:
    """Within its bounds the inverse is exact to many digits; beyond them it is the bound."""
    for value in (0.01, 0.7, 30.0):
        assert special.polygamma(1, inverse_trigamma(value)) == pytest.approx(value)
    assert inverse_trigamma(-1.0) == 1e6
    assert inverse_trigamma(1e9) == 1e-3
