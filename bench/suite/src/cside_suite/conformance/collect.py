# SPDX-License-Identifier: Apache-2.0
"""Have what nobody holds finalised, on interpreters that wait with it too."""

import gc
import sys


def collect() -> None:
    """Finalise what was dropped. CPython has done so already, young cycles aside."""
    if sys.implementation.name == "cpython":
        gc.collect(1)
    else:
        for _ in range(3):  # a finaliser of an extension's object may need a second and third look
            gc.collect()
