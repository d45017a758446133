# SPDX-License-Identifier: Apache-2.0
"""Amounts as captions and labels tell them."""

from collections.abc import Sequence


def short(value: float) -> str:
    """Three digits, never an exponent."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def ns(value: float) -> str:
    """A time in ns with its unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= size:
            return f"{short(value / size)} {unit}"
    return f"{short(value)} ns" if abs(value) >= 1 else "< 1 ns"


def nbytes(value: float) -> str:
    """Bytes with a binary unit."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if abs(value) >= size:
            return f"{short(value / size)} {unit}"
    return f"{value:.0f} B"


def ratio(value: float) -> str:
    """A ratio of times."""
    return f"{short(value)} times"


def percent(value: float, digits: int = 0) -> str:
    """A share of one."""
    return f"{100 * value:.{digits}f} %"


def listing(parts: Sequence[str]) -> str:
    """Parts with commas, the last with an "and"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
