# SPDX-License-Identifier: Apache-2.0
"""A crew of threads counts its calls and reports failures."""

import threading
from typing import Any

import pytest
from cside_suite.process.threads.crew import Work


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_call_is_counted_for_its_thread(threads: int) -> None:
    """The counts of a shift are the calls that each thread made, all chunks whole."""
    tallies: list[list[int]] = []

    def make() -> tuple[list[int]]:
        tallies.append(tally := [0])
        return (tally,)

    def count(tally: list[int]) -> list[int]:
        tally[0] += 1
        return tally

    work = Work(count, make, name="count")
    work.calibrate(0)
    tallies.clear()
    shift = work.shift(threads, 2_000_000)
    assert sorted(shift.calls) == sorted(tally[0] for tally in tallies)
    assert [result[0] for result in shift.results] == list(shift.calls)  # type: ignore[index]  # each its own tally
    assert all(number > 0 and number % work.chunk == 0 for number in shift.calls)
    assert shift.ns >= 2_000_000


def test_threads_make_their_own_arguments() -> None:
    """No thread gets another's data, nor the waiting thread's."""
    made: list[bytearray] = []

    def make() -> tuple[bytearray]:
        made.append(data := bytearray(8))
        return (data,)

    shift = Work(lambda data: data, make, name="own").shift(4, 2_000_000)
    assert len({id(result) for result in shift.results}) == 4
    assert {id(result) for result in shift.results} < {id(data) for data in made}


def test_a_failing_thread_is_told_and_leaves_nobody_waiting() -> None:
    """An exception in one thread, at work or before, comes out of the shift, and the other threads end."""
    before = threading.active_count()
    failing = iter([False, True, False])

    def sometimes() -> tuple[int]:
        if next(failing):
            raise LookupError("no data")
        return (1,)

    with pytest.raises(ZeroDivisionError):
        Work(lambda: 1 // 0, tuple, name="fails").shift(3, 1_000_000)
    work = Work(abs, lambda: (1,), name="fails early")
    work.make = sometimes
    with pytest.raises(LookupError, match="no data"):
        work.shift(3, 1_000_000)
    assert threading.active_count() == before


def test_each_work_has_code_of_its_own() -> None:
    """Two works on one function share no code object, so that no JIT shares what it learnt."""
    loops: list[Any] = [Work(len, lambda: ("",), name="same")._loop for _ in range(2)]
    assert loops[0].__code__ is not loops[1].__code__
