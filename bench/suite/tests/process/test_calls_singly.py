# SPDX-License-Identifier: Apache-2.0
"""Calls are timed one by one."""

import gc
from collections.abc import Iterator
from itertools import chain, repeat

import pytest
from cside_suite.process import calls_singly
from cside_suite.process import sketch as process_sketch


class Ticks:
    """A clock that a test winds by hand: each reading takes 40 ns, each call of ``work`` the next of ``lengths``."""

    def __init__(self, lengths: Iterator[int]) -> None:
        self.now = 0
        self.lengths = lengths
        self.calls = 0

    def __call__(self) -> int:
        self.now += 40
        return self.now

    def work(self, *arguments: object) -> None:
        self.calls += 1
        self.now += next(self.lengths)


def test_calls_are_timed_one_by_one_and_the_clock_is_not_subtracted() -> None:
    """Each duration is the call's own plus one reading of the clock, which is told beside."""
    ticks = Ticks(repeat(1_000))
    sketch = calls_singly.observe(ticks.work, [("argument",)], 200_000, ticks)
    assert sketch.timer_ns == 40
    assert sketch.least == sketch.most == 1_040
    assert 180 <= sketch.count <= 200


def test_calls_take_the_draws_by_turns() -> None:
    """What is timed one by one is given what the chunks are given."""
    seen: list[object] = []
    calls_singly.observe(seen.append, [(1,), (2,), (3,)], 50_000)
    assert seen[:6] == [1, 2, 3, 1, 2, 3]


def test_warm_calls_do_not_count() -> None:
    """What the first calls take, which warm the loop up, is not in the sketch."""
    ticks = Ticks(chain(repeat(5_000, 30), repeat(100)))
    sketch = calls_singly.observe(ticks.work, [()], 1_000_000, ticks)
    assert sketch.most == 140
    assert ticks.calls >= sketch.count + 30


def test_calls_are_warmed_until_they_are_as_fast_as_is_known() -> None:
    """A call that needs ten thousand runs to be compiled is observed afterwards, given what it takes by then."""
    ticks = Ticks(chain(repeat(3_000, 10_000), repeat(100)))
    assert calls_singly.observe(ticks.work, [()], 1_000_000, ticks, steady_ns=100).most == 140
    ticks = Ticks(chain(repeat(3_000, 10_000), repeat(100)))
    assert calls_singly.observe(ticks.work, [()], 1_000_000, ticks).most == 3_040


def test_warming_up_ends_where_it_does_not_help() -> None:
    """A call that never gets as fast as it was costs a bounded time."""
    ticks = Ticks(repeat(3_000))
    calls_singly.observe(ticks.work, [()], 1_000_000, ticks, steady_ns=100)
    assert ticks.now < (calls_singly.WARMEST_SHARE + calls_singly.WARM_SHARE + 2) * 1_100_000


def test_the_number_of_calls_is_bounded() -> None:
    """Short calls end at the most, however large the budget."""
    ticks = Ticks(repeat(1))
    assert calls_singly.observe(ticks.work, [()], 1e12, ticks).count == calls_singly.MOST_CALLS


def test_a_call_longer_than_the_budget_is_made_once() -> None:
    """A slow workload costs one call."""
    ticks = Ticks(repeat(30_000_000))
    sketch = calls_singly.observe(ticks.work, [()], 1_000_000, ticks)
    assert (sketch.count, ticks.calls) == (1, 1)
    assert process_sketch.quantiles(sketch) == [None] * 4


def test_the_collector_is_off_while_calls_are_observed() -> None:
    """The collector is on again afterwards, even where the function raises."""
    seen = set()

    def look() -> None:
        seen.add(gc.isenabled())
        if len(seen) > 1:
            raise RuntimeError

    assert gc.isenabled()
    calls_singly.observe(look, [()], 10_000)
    assert seen == {False}
    seen.add(True)
    with pytest.raises(RuntimeError):
        calls_singly.observe(look, [()], 10_000)
    assert gc.isenabled()
