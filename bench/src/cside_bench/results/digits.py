# SPDX-License-Identifier: Apache-2.0
"""How many digits of a number go into a document."""

import math




def number(value: float | None) -> float | None:
    """Five significant digits; None for what is not a finite number."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.5g}")
