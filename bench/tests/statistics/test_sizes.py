# SPDX-License-Identifier: Apache-2.0
"""Cost as a function of size: lines, crossings, and sizes from which the choice stops to matter."""

import numpy as np
import pytest
from cside_bench.statistics.sizes import Sweep, line, model
from known_sweep import SIZES, library, modelled, noisy


def test_small_sizes_count_as_much_as_large_ones() -> None:
    """An offset of 40 ns is right within 3 %, though the largest call is uncertain by fifty times as much."""
    found = modelled(1, {"one": np.full(len(SIZES), 40.0)})
    assert found.over["one"].a_ns.value == pytest.approx(40, rel=0.03)


def test_the_interval_holds_the_true_offset_and_slope() -> None:
    """In at least 85 of 100 runs of eight processes, for 40 ns a call and 0.05 ns a byte over C."""
    held = np.zeros(2)
    draw = np.random.default_rng(2)
    for _ in range(100):
        found = line(SIZES, noisy(draw, library() + 40 + 0.05 * SIZES), noisy(draw, library()))
        assert found is not None
        held += [found.a_ns.low <= 40 <= found.a_ns.high, found.b_ns.low <= 0.05 <= found.b_ns.high]
    assert (held >= 85).all()


def test_the_release_of_the_gil_is_found() -> None:
    """62 ns more from 5,120 bytes on, in every run, at the right place and with the right height."""
    for seed in range(10):
        found = modelled(seed, {"one": 40 + 62.0 * (SIZES >= 5120), "other": np.full(len(SIZES), 160.0)})
        (cliff,) = found.cliffs["one"]
        assert (cliff.below_nbytes, cliff.above_nbytes, cliff.kind) == (5119, 5120, "step")
        assert cliff.step_ns.value == pytest.approx(62, rel=0.25)
        assert cliff.step_ns.low > 0
        assert found.cliffs["other"] == []


def test_the_librarys_own_bend_is_the_librarys() -> None:
    """C alone bends between 256 and 512 bytes; an approach with a constant cost over it does not."""
    found = modelled(3, {"one": np.full(len(SIZES), 40.0)})
    assert [it.kind for it in found.cliffs["floor.direct"]] == ["slope"]
    assert found.cliffs["one"] == []
    assert found.lines["one"].residual > 0.1


def test_a_jump_between_sizes_far_apart_is_not_measured() -> None:
    """Between 256 and 4,096 bytes there is a bend somewhere; how high a step would be is not said."""
    sizes = np.asarray([0, 16, 256, 4096, 65536, 1048576], dtype=np.float64)
    found = modelled(5, {"one": np.where(sizes > 256, 400.0, 40.0)}, sizes=sizes)
    (cliff,) = found.cliffs["one"]
    assert cliff.kind == "slope"
    assert np.isnan(cliff.step_ns.value)


def test_one_process_has_no_cliffs_and_no_bounds() -> None:
    """A single process is no evidence."""
    found = modelled(6, {"one": 40 + 62.0 * (SIZES >= 5120), "other": 200 - 0.01 * SIZES}, processes=1)
    assert not any(found.cliffs.values())
    assert np.isnan(found.lines["one"].a_ns.low)
    assert not any(found.crossings.values())


def test_approaches_change_places_where_their_costs_are_equal() -> None:
    """20 ns and 0.05 ns a byte against 220 ns: at 4,000 bytes, within the sizes where each is surely ahead."""
    found = modelled(7, {"copies": 20 + 0.05 * SIZES, "does not": np.full(len(SIZES), 220.0)})
    (crossing,) = found.crossings["copies", "does not"]
    assert crossing.nbytes == pytest.approx(4000, rel=0.1)
    assert crossing.low < 4000 < crossing.high
    assert (crossing.faster_below, crossing.faster_above) == ("copies", "does not")
    assert not crossing.extrapolated


def test_approaches_that_never_change_places_have_no_crossing() -> None:
    """A constant difference, however small beside the largest calls, is none: in at most one of 30 pairs."""
    wrong = 0
    for seed in range(10):
        found = modelled(seed, {"a": np.full(len(SIZES), 20.0), "b": np.full(len(SIZES), 60.0), "c": 600 + 0 * SIZES})
        wrong += sum(map(bool, found.crossings.values()))
    assert wrong <= 1


def test_nothing_is_made_up_between_sizes_far_apart() -> None:
    """A cost that falls from 50 to 30 µs below 256 bytes and stays there is never below zero: nobody changes places."""
    sizes = np.asarray([0, 16, 256, 4096, 65536, 1048576], dtype=np.float64)
    falling = np.asarray([50_000, 48_700, 30_000, 30_000, 30_000, 30_000], dtype=np.float64)
    found = modelled(14, {"one": np.full(6, 40.0), "falling": falling}, sizes=sizes)
    assert found.crossings == {("one", "falling"): []}


def test_a_crossing_beyond_the_sweep_is_marked() -> None:
    """20 ns and 0.05 ns a byte against 220 ns, up to 2,048 bytes only: at about 4,000, extrapolated."""
    sizes = SIZES[:7]
    found = modelled(8, {"copies": 20 + 0.05 * sizes, "does not": np.full(len(sizes), 220.0)}, sizes=sizes)
    (crossing,) = found.crossings["copies", "does not"]
    assert crossing.extrapolated
    assert crossing.nbytes == pytest.approx(4000, rel=0.25)
    assert (crossing.faster_below, crossing.faster_above) == ("copies", "does not")


def test_the_choice_stops_to_matter_where_the_difference_is_five_per_cent() -> None:
    """140 ns more than another that takes 0.17 ns a byte: from about 16 KiB on, inside the interval."""
    found = modelled(9, {"one": np.full(len(SIZES), 20.0), "other": np.full(len(SIZES), 160.0)})
    dense = np.geomspace(1000, 1e6, 100_000)
    base = library(dense) + 20
    true = dense[np.argmax(140 / base < 0.05)]
    (near,) = found.near
    assert near.nbytes == pytest.approx(true, rel=0.25)
    assert near.low <= true <= near.high
    assert found.all_near is not None
    assert found.all_near.nbytes == pytest.approx(true, rel=0.25)


def test_a_choice_that_always_matters_is_said_to() -> None:
    """One that copies every byte is never within 5 %; one that does only beyond the sweep is extrapolated."""
    sizes = SIZES[:12]
    found = modelled(
        10, {"one": np.full(len(sizes), 20.0), "copies": 20 + 0.1 * sizes, "late": 400 + 0 * sizes}, sizes=sizes
    )
    near = {it.subject: it for it in found.near}
    assert near["copies"].nbytes == float("inf")
    assert not near["copies"].extrapolated
    assert near["late"].extrapolated
    assert near["late"].nbytes == pytest.approx(380 / 0.05 / 0.17, rel=0.25)


def test_too_few_sizes_are_refused() -> None:
    """Three points make no model, and sizes must ascend."""
    times = {"one": np.ones((3, 2))}
    with pytest.raises(ValueError, match="at least 4 sizes"):
        model(Sweep("f", np.asarray([1.0, 2.0, 3.0]), times), "one")
    with pytest.raises(ValueError, match="ascending"):
        model(Sweep("f", np.asarray([1.0, 2.0, 2.0, 3.0]), {"one": np.ones((4, 2))}), "one")
