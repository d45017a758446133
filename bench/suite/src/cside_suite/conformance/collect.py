# SPDX-License-Identifier: Apache-2.0
"""Finalisation of objects without references, also on interpreters that delay it."""

import gc
import sys


def collect() -> None:
    """Finalise all objects without references. CPython has already done so, except for those in young cycles."""
    if sys.implementation.name == "cpython":
        gc.collect(1)
    else:
        for _ in range(3):  # the finaliser of an extension's object may need a second and a third collection
            gc.collect()
