# SPDX-License-Identifier: Apache-2.0
"""C's own time, and packages that do other work than the reference; test_staging.py counts real ones."""

import pytest
from cside_bench.library.native import REPEATS, Clock, _differences, _ns

CLOCK = Clock(tick_ns=0.5, empty=20.0)


def test_the_least_time_counts_without_that_of_counting() -> None:
    """A package that failed has none."""
    own = {
        "cext": {"f": [REPEATS, REPEATS * 220, 0, 0]},
        "ctypes": {"f": [REPEATS, REPEATS * 120, 0, 0]},
        "swig": "AttributeError: f",
        "cffi": {},
    }
    assert _ns(own, CLOCK) == pytest.approx(50.0)
    assert _ns({"swig": "AttributeError: f"}, CLOCK) is None


def test_other_calls_and_other_bytes_are_unequal_work() -> None:
    """But for calls that prepare the values, and those that finalisers make."""
    base = {"f": [REPEATS, 9, REPEATS * 16, 0], "free": [REPEATS, 9, 0, 0], "make": [1, 9, 0, 0]}
    own = {
        "cext": base,
        "cython": base | {"free": [3, 1, 0, 0], "make": [2, 9, 0, 0]},
        "swig": base | {"f": [2 * REPEATS, 9, REPEATS * 16, 0]},
        "cffi": base | {"f": [REPEATS, 9, REPEATS * 8, 0]},
        "ctypes": base | {"g": [REPEATS, 9, 0, 0]},
    }
    assert set(_differences(own, "cext", {"free"})) == {"swig", "cffi", "ctypes"}
    assert _differences(own, "nobody", set()) == {}
