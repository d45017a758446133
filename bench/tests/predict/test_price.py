# SPDX-License-Identifier: Apache-2.0
"""Prices of shapes, on runs whose costs are known."""

from pathlib import Path

import pytest
from cside_bench.predict.price import Pricing, Unpriced
from cside_bench.results.evidence import Run
from cside_bench.results.shapes import FILE
from cside_bench.summary import shapes
from synthetic_shapes import COSTS, LABEL, TIMES, write


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose held-out calls take up to twice and down to half of what their shape says."""
    factors = [0.5, 0.7, 1.0, 1.4, 2.0]
    found = write(
        tmp_path_factory.mktemp("runs") / "run", held_out=lambda key: factors[len(key) % len(factors)], noise=0.01
    )
    shapes.write(found)
    return Run.load(found.folder)


def test_a_price_is_c_and_the_sum_of_the_costs(run: Run) -> None:
    """By approach, the cheapest first, with its parts."""
    found = Pricing(run, 1).prices(LABEL, {"call": 1, "int": 2}, 100.0)
    assert [it.subject for it in found] == sorted(TIMES, key=lambda name: TIMES[name])
    for it in found:
        cost = TIMES[it.subject] * (COSTS["call"] + 2 * COSTS["int"])
        assert it.ns == pytest.approx(100.0 + cost, rel=0.05)
        assert it.parts["int"] == pytest.approx(2 * TIMES[it.subject] * COSTS["int"], rel=0.1)


def test_the_range_is_that_of_the_held_out_calls_and_cancels_in_ratios(run: Run) -> None:
    """All approaches miss alike here, so that their ratio is sure where their times are not."""
    found = {it.subject: it for it in Pricing(run, 1).prices(LABEL, {"call": 1, "int": 2}, 0.0)}
    one = found["ctypes"]
    assert one.ns is not None and one.low is not None and one.high is not None
    assert one.low < 0.7 * one.ns and one.high > 1.5 * one.ns
    assert one.ratio == pytest.approx(20.0, rel=0.1)
    assert one.ratio_low == pytest.approx(20.0, rel=0.2) and one.ratio_high == pytest.approx(20.0, rel=0.2)
    assert found["cext"].ratio == 1.0


def test_c_itself_has_no_range(run: Run) -> None:
    """What is uncertain is what the binding adds."""
    found = Pricing(run, 1).prices(LABEL, {"call": 1}, 1e6)[0]
    assert found.low is not None and found.high is not None and found.high / found.low < 1.001


def test_the_release_of_the_gil_costs_only_where_it_is_a_choice(run: Run) -> None:
    """cffi always releases it: that is in the cost of its call."""
    pricing = Pricing(run, 1)
    held, released = (
        {it.subject: it.ns or 0.0 for it in pricing.prices(LABEL, {"call": 1, **more}, 0.0)}
        for more in ({}, {"released": 1.0})
    )
    assert released["cffi"] == held["cffi"]
    assert released["cext"] - held["cext"] == pytest.approx(COSTS["released"], rel=0.1)


def test_a_part_without_a_cost_has_no_price_and_says_why(tmp_path: Path) -> None:
    """Where nothing stands for it; where another term does, the price says which."""
    lacking = write(tmp_path / "run", measured=lambda key, shape: not {"callback", "struct_local"} & set(shape))
    shapes.write(lacking)
    pricing = Pricing(Run.load(lacking.folder), 1)
    for it in pricing.prices(LABEL, {"call": 1, "callback": 1}, 0.0):
        assert it.ns is None and it.lacks == "no measured call has the term “callback passed”"
    found = pricing.prices(LABEL, {"call": 1, "struct_local": 1}, 0.0)[0]
    assert found.notes == ("“struct of one call” is priced as “struct object in”",)


def test_a_run_without_the_file_says_what_to_type(run: Run, tmp_path: Path) -> None:
    """It was written by an older version."""
    older = write(tmp_path / "older")
    assert not (older.folder / FILE).exists()
    with pytest.raises(Unpriced, match="cside report older"):
        Pricing(older, 1)


def test_without_held_out_calls_it_is_told_that_nothing_was_checked(tmp_path: Path) -> None:
    """The range is then that of the processes alone."""
    alone = write(tmp_path / "run", measured=lambda key, shape: key.startswith("idioms."))
    shapes.write(alone)
    pricing = Pricing(Run.load(alone.folder), 1)
    assert not pricing.checked(LABEL)
    assert pricing.prices(LABEL, {"call": 1}, 0.0)[0].mostly == {"median": None, "most": None, "kinds": 0, "calls": 0}
