# SPDX-License-Identifier: Apache-2.0
"""Finalisation of objects without references, also on interpreters that delay it."""

import gc
import sys
import time
from collections.abc import Callable

PATIENCE_S = 10.0  # until an object that was not finalised counts as one that never is


def collect() -> None:
    """Finalise all objects without references. CPython has already done so, except for those in young cycles."""
    if sys.implementation.name == "cpython":
        gc.collect(1)
    else:
        for _ in range(3):  # the finaliser of an extension's object may need a second and a third collection
            gc.collect()


def collect_until(done: Callable[[], bool]) -> None:
    """Finalise objects without references until ``done``, or until `PATIENCE_S` is over.

    PyPy promises to finalise an object some time, not in a given collection. CPython collects once.
    """
    collect()
    deadline = time.monotonic() + PATIENCE_S
    while sys.implementation.name != "cpython" and not done() and time.monotonic() < deadline:
        collect()
