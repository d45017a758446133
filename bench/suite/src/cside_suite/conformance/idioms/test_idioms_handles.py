# SPDX-License-Identifier: Apache-2.0
"""Opaque handles: they are opened, used, closed once, and closed when nothing refers to them any more."""

import pickle
import threading
from typing import Any

import pytest

from cside_suite.conformance.collect import collect, collect_until
from cside_suite.conformance.native import Native
from cside_suite.conformance.outcome import failure, outcome, status, told
from cside_suite.contract.idioms import Idioms

pytestmark = pytest.mark.crash_prone

BUSY = (-104, "CS_E_BUSY")
CLOSED = ("ValueError", "the handle is closed")
LIMIT = 65_536
"""The largest number of counters that can be open."""


def test_what_pickle_would_call_ends_no_process(idioms: Idioms) -> None:
    """A program may call `__reduce__` itself: it is refused or gives something, and the object works as before."""
    counter, point = idioms.Counter(5), idioms.Point(1.0, 2.0)
    for one in (counter, point):
        outcome(one.__reduce__)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            outcome(one.__reduce_ex__, protocol)
    assert (counter.add(1), point.x) == (6, 1.0)


def test_add_returns_the_new_total(idioms: Idioms) -> None:
    """A counter begins at its start value, adds, and wraps around at 64 bits."""
    counter = idioms.Counter(5)
    assert [counter.add(n) for n in (1, -10, 0)] == [6, -4, -4]
    assert idioms.Counter().add(0) == 0
    assert idioms.Counter(2**63 - 1).add(1) == -(2**63)
    assert idioms.Counter(-(2**63)).add(-1) == 2**63 - 1


def test_start_and_add_are_64_bit_numbers(idioms: Any) -> None:
    """A number that does not fit is `OverflowError`, an object that is no integer `TypeError`."""
    counter = idioms.Counter()
    for call in (idioms.Counter, counter.add, lambda n: counter.each(n, int)):
        assert outcome(call, 2**64) == "OverflowError"
        assert outcome(call, -(2**63) - 1) == "OverflowError"
        for bad in (None, "1", 1.0, object()):
            assert outcome(call, bad) == "TypeError"
    assert outcome(idioms.Counter, 1, 2) == "TypeError"
    assert outcome(counter.add) == "TypeError"
    assert outcome(counter.add, 1, 2) == "TypeError"
    assert outcome(counter.close, 1) == "TypeError"
    assert outcome(lambda: counter.add(n=1)) == "TypeError"
    assert outcome(lambda: idioms.Counter(start=1)) == "TypeError"
    assert counter.add(0) == 0


def test_a_closed_counter_is_refused(idioms: Idioms) -> None:
    """Using a closed counter is `ValueError` with its message each time; closing it again does nothing."""
    counter = idioms.Counter(1)
    assert outcome(counter.close) == "returned None"
    for _ in range(3):
        assert told(counter.add, 1) == CLOSED
        counter.close()


@pytest.mark.needs("callbacks")
def test_each_after_close_is_refused(idioms: Idioms) -> None:
    """``each`` of a closed counter is the same `ValueError`, and no callback runs."""
    counter = idioms.Counter(1)
    counter.close()
    seen: list[int] = []
    assert told(counter.each, 1, seen.append) == CLOSED
    assert seen == []


def test_a_closed_handle_is_not_a_new_one(idioms: Idioms) -> None:
    """A closed counter never gives access to a counter that was opened later."""
    old = idioms.Counter(1)
    old.close()
    new = [idioms.Counter(100) for _ in range(10)]
    assert told(old.add, 1) == CLOSED
    old.close()
    assert [counter.add(0) for counter in new] == [100] * 10


def test_with_closes(idioms: Idioms) -> None:
    """``with`` returns the counter itself and closes it at the end, also if an exception leaves the block."""
    with idioms.Counter(3) as counter:
        assert counter.add(1) == 4
    assert told(counter.add, 1) == CLOSED
    error = KeyError("inside")
    other = idioms.Counter()

    def fail() -> None:
        with other as same:
            assert same is other
            raise error

    assert failure(fail) is error
    assert told(other.add, 1) == CLOSED
    with idioms.Counter() as early:
        early.close()


def test_counter_is_a_class(idioms: Idioms) -> None:
    """``Counter`` is a class, and counters are its instances."""
    kind: object = idioms.Counter
    assert isinstance(kind, type)
    assert isinstance(idioms.Counter(), kind)


def test_a_counter_nobody_holds_is_closed(idioms: Idioms, native: Native) -> None:
    """Finalisation closes a counter once if it is still open."""

    def open_and_drop() -> None:
        counters = [idioms.Counter(number) for number in range(10)]
        for counter in counters[:5]:
            counter.close()
        del counter, counters
        collect_until(lambda: native.calls().get("cs_counter_close", 0) >= 10)

    collect()
    calls = native.counted(open_and_drop)
    assert calls["cs_counter_open"] == 10
    assert calls["cs_counter_close"] == 10


def test_dropped_counters_do_not_use_up_the_library(idioms: Idioms) -> None:
    """More counters than the library can hold may be opened and dropped one after the other."""
    for number in range(70_000):
        idioms.Counter(number)
        if number % 10_000 == 0:
            collect()
    collect()
    assert idioms.Counter(5).add(1) == 6


@pytest.mark.thread_unsafe(reason="the limit is that of the process")
def test_too_many_open_counters_are_a_memory_error(idioms: Idioms) -> None:
    """Opening more counters than the library can hold is `MemoryError`; closing one makes room for another."""
    held = [idioms.Counter() for _ in range(LIMIT)]
    assert outcome(idioms.Counter) == "MemoryError"
    held[100].close()
    held[100] = idioms.Counter(7)
    assert held[100].add(0) == 7
    assert outcome(idioms.Counter) == "MemoryError"


@pytest.mark.needs("callbacks")
def test_each_sums_over_the_total(idioms: Idioms) -> None:
    """``each`` passes the counter's total modulo 2**31 to the callback and sums the results."""
    counter = idioms.Counter(7)
    seen: list[int] = []

    def note(value: int) -> int:
        seen.append(value)
        return 10

    assert counter.each(3, note) == 30
    assert seen == [7, 7, 7]
    assert counter.add(0) == 7
    assert counter.each(0, note) == 0
    assert idioms.Counter(2**31 + 5).each(1, lambda value: value) == 5


@pytest.mark.needs("callbacks")
def test_close_inside_each_is_busy(idioms: Idioms) -> None:
    """Closing a counter in its own callback is ``CS_E_BUSY``, and it stays open and usable."""
    counter = idioms.Counter(1)

    def close(value: int) -> int:
        counter.close()
        return 0

    error: Any = failure(counter.each, 2, close)
    assert status(idioms, error) == BUSY
    assert counter.add(1) == 2
    assert counter.each(1, lambda value: value) == 2
    counter.close()
    assert told(counter.add, 1) == CLOSED


@pytest.mark.needs("callbacks")
def test_busy_may_be_caught_inside(idioms: Idioms) -> None:
    """A callback may catch that error and go on; the counter can be used meanwhile, and closed later."""
    counter = idioms.Counter(1)

    def close(value: int) -> int:
        try:
            counter.close()
        except idioms.StatusError:
            return counter.add(1)
        return -1

    assert counter.each(2, close) == 2 + 3
    with counter:
        pass
    assert told(counter.add, 1) == CLOSED


@pytest.mark.needs("callbacks")
def test_leaving_with_inside_each_is_busy(idioms: Idioms) -> None:
    """Leaving a ``with`` block of the counter in its own callback is ``CS_E_BUSY`` as well."""
    counter = idioms.Counter(1)

    def leave(value: int) -> int:
        with counter:
            return 0

    error: Any = failure(counter.each, 1, leave)
    assert status(idioms, error) == BUSY
    assert counter.add(0) == 1


@pytest.mark.needs("callbacks")
def test_the_last_reference_may_go_inside_each(idioms: Idioms) -> None:
    """Dropping the last reference to a counter in its own callback is safe."""
    holder = [idioms.Counter(9)]

    def drop(value: int) -> int:
        holder.clear()
        collect()
        return value

    assert holder[0].each(3, drop) == 27
    collect()
    assert idioms.Counter(1).add(1) == 2


@pytest.mark.needs("callbacks")
def test_close_in_another_thread_while_each_runs_is_busy(idioms: Idioms) -> None:
    """While ``each`` runs, closing the counter on another thread is ``CS_E_BUSY``; afterwards it works."""
    counter = idioms.Counter(1)
    got: list[str] = []

    def close_elsewhere(value: int) -> int:
        thread = threading.Thread(target=lambda: got.append(outcome(counter.close)))
        thread.start()
        thread.join()
        return 0

    assert counter.each(2, close_elsewhere) == 0
    assert got == ["StatusError"] * 2 or set(got) == {idioms.StatusError.__name__}
    counter.close()


def test_half_made_counters_are_harmless(idioms: Any) -> None:
    """A counter that was not initialised, or initialised twice, may raise an exception but never crashes."""
    bare = outcome(lambda: idioms.Counter.__new__(idioms.Counter).add(1))
    assert not bare.startswith("returned") or bare == "returned 1"
    outcome(lambda: idioms.Counter.__new__(idioms.Counter).close())
    outcome(lambda: idioms.Counter.__new__(idioms.Counter).each(1, int))
    twice = idioms.Counter(1)
    for _ in range(100):
        outcome(twice.__init__, 5)
    outcome(twice.add, 1)
    outcome(twice.close)
    del twice
    collect()


def test_many_threads_share_one_counter(idioms: Idioms) -> None:
    """Additions of several threads all count; if one thread closes the counter, the others get `ValueError`."""
    counter = idioms.Counter()

    def add() -> None:
        for _ in range(2000):
            counter.add(1)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.add(0) == 8000
    got: list[str] = []
    threads = [threading.Thread(target=lambda: got.append(outcome(add))) for _ in range(3)]
    for thread in threads:
        thread.start()
    counter.close()
    for thread in threads:
        thread.join()
    assert set(got) <= {"ValueError", "returned None"}
