# SPDX-License-Identifier: Apache-2.0
"""Whether a call holds or releases the GIL, observed by a second thread.

The second Python thread wakes up about 2,000 times a second and counts. The switch interval is set to minutes, so that
the calling thread never gives up the GIL by itself. Therefore the count grows during a call if and only if the call
releases the GIL.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

needs_a_gil = pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this interpreter runs without a GIL"
)
"""Skips a test on an interpreter without a GIL."""

STRAY = 0 if sys.implementation.name == "cpython" else 2
"""Counts during a call that holds the GIL: PyPy has no switch interval and may switch threads just before the call."""


@contextmanager
def counting() -> Iterator[Callable[[], int]]:
    """Run the second thread during the block; the value is a function that returns the count so far."""
    count = 0
    stop = False

    def work() -> None:
        nonlocal count
        while not stop:
            time.sleep(0.0005)
            count += 1

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=work)
    thread.start()
    sys.setswitchinterval(300)
    try:
        time.sleep(0.01)
        yield lambda: count
    finally:
        stop = True
        sys.setswitchinterval(interval)
        thread.join()


def progress(call: Callable[[], object]) -> int:
    """Return how far the second thread counts during one call."""
    with counting() as count:
        time.sleep(0.002)
        before = count()
        call()
        return count() - before


def releases(call: Callable[[], object]) -> bool:
    """Return whether the second thread counts during the call; it has several tries, since it may get no CPU."""
    return any(progress(call) > STRAY + 1 for _ in range(6))


def holds(call: Callable[[], object]) -> bool:
    """Return whether the second thread does not count during the call, which it can only if the GIL is released."""
    return any(progress(call) <= STRAY for _ in range(3 if STRAY else 1))
