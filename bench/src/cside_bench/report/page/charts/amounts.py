# SPDX-License-Identifier: Apache-2.0
"""Formats amounts for captions and labels."""

from collections.abc import Sequence


def short(value: float) -> str:
    """Format a number with three digits and no exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def ns(value: float) -> str:
    """Format ns as s, ms, µs or ns."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= size:
            return f"{short(value / size)} {unit}"
    return f"{short(value)} ns" if abs(value) >= 1 else "< 1 ns"


def nbytes(value: float) -> str:
    """Format bytes as B, KiB or MiB."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if abs(value) >= size:
            return f"{short(value / size)} {unit}"
    return f"{value:.0f} B"


def ratio(value: float) -> str:
    """Format a ratio of times."""
    return f"{short(value)} times"


def percent(value: float, digits: int = 0) -> str:
    """Format a share as percent."""
    return f"{100 * value:.{digits}f} %"


def listing(parts: Sequence[str]) -> str:
    """Join parts with commas, and the last with "and"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
