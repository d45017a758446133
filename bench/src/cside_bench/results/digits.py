# SPDX-License-Identifier: Apache-2.0
"""Rounding of the numbers that are written to files of results."""

import math


def number(value: float | None) -> float | None:
    """Round to five significant digits; return None for None and for a value that is not finite."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.5g}")
