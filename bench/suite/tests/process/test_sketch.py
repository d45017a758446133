# SPDX-License-Identifier: Apache-2.0
"""Quantiles of many calls from a small sketch."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from cside_suite.process import sketch as process_sketch
from hypothesis import given, settings
from hypothesis import strategies as st


def sketch_of(durations: list[int]) -> process_sketch.Sketch:
    """A sketch of these calls, ns."""
    sketch = process_sketch.Sketch()
    sketch.add(Counter(durations))
    return sketch


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**9), min_size=100, max_size=400), st.sampled_from([0.5, 0.9]))
def test_quantiles_are_right_within_one_per_cent(durations: list[int], quantile: float) -> None:
    """Quantiles of arbitrary durations are compared with those of the sorted list."""
    (found,) = process_sketch.quantiles(sketch_of(durations), [quantile])
    exact = sorted(durations)[int(quantile * (len(durations) - 1))]
    assert found == pytest.approx(exact, rel=0.0101)


def test_a_tail_that_a_mean_hides_is_seen() -> None:
    """One call in two hundred that takes a hundred times as long shows at p99.9 and not at p50 or p99."""
    sketch = sketch_of([100] * 19_900 + [10_000] * 100)
    p50, p99, p999 = process_sketch.quantiles(sketch, [0.5, 0.99, 0.999])
    assert p50 == pytest.approx(100, rel=0.01)
    assert p99 == pytest.approx(100, rel=0.01)
    assert p999 == pytest.approx(10_000, rel=0.01)
    assert sketch.mean == pytest.approx(149.5)


@pytest.mark.parametrize(("quantile", "calls"), [(0.5, 20), (0.9, 100), (0.99, 1_000), (0.999, 10_000)])
def test_a_quantile_needs_ten_calls_beyond_it(quantile: float, calls: int) -> None:
    """With one call fewer the quantile is not given."""
    assert process_sketch.quantiles(sketch_of([50] * (calls - 1)), [quantile]) == [None]
    assert process_sketch.quantiles(sketch_of([50] * calls), [quantile]) == [50.0]


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 10**7), max_size=50), min_size=1, max_size=5))
def test_merging_processes_loses_nothing(processes: list[list[int]]) -> None:
    """Sketches of several processes, merged, are the sketch of all their calls."""
    together = [duration for process in processes for duration in process]
    merged = process_sketch.merge(sketch_of(process) for process in processes)
    assert process_sketch.plain(merged) == process_sketch.plain(sketch_of(together))


def test_merging_leaves_its_arguments_alone() -> None:
    """The same sketches can be merged again."""
    parts = [sketch_of([10, 20]), sketch_of([5, 30_000])]
    before = [process_sketch.plain(part) for part in parts]
    process_sketch.merge(parts)
    assert [process_sketch.plain(part) for part in parts] == before


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**10), max_size=200))
def test_a_sketch_survives_its_file(durations: list[int]) -> None:
    """Written as JSON and read back it is the same."""
    sketch = sketch_of(durations)
    sketch.timer_ns = 41.5
    document = json.loads(json.dumps(process_sketch.plain(sketch)))
    assert process_sketch.plain(process_sketch.restore(document)) == document


@pytest.mark.parametrize("change", [{"gamma": 1.05}, {"count": 3}])
def test_a_damaged_file_is_refused(change: dict[str, float]) -> None:
    """Other bins, or calls that are missing, are no sketch of ours."""
    with pytest.raises(ValueError, match=r"expected|announced"):
        process_sketch.restore(process_sketch.plain(sketch_of([1, 2])) | change)


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**8), min_size=1, max_size=300), st.integers(1, 80))
def test_histograms_hold_every_call(durations: list[int], bins: int) -> None:
    """Counts add up, bins follow each other without holes, and there are no more than asked for."""
    found = process_sketch.histogram(sketch_of(durations), bins)
    assert sum(count for _, _, count in found) == len(durations)
    positive = [entry for entry in found if entry[1]]
    assert len(positive) <= bins
    assert all(one[1] == pytest.approx(two[0]) for one, two in pairwise(positive))


@settings(deadline=None)
@given(st.integers(1, 10**10))
def test_a_call_is_in_its_bin(duration: int) -> None:
    """A histogram's bounds hold the durations that are counted in it, and are 2 % apart."""
    ((low, high, count),) = process_sketch.histogram(sketch_of([duration]))
    assert count == 1
    assert low * 0.999999 <= duration <= high * 1.000001
    assert high / low == pytest.approx(1.02, rel=0.001)
