# SPDX-License-Identifier: Apache-2.0
"""Formats nanoseconds and ratios with their significant digits."""

from typing import Any, Final

from cside_bench.results.evidence import MARKS

LOOSE: Final = 100.0
"""Factor between the ends of an interval from which on the interval is too wide to be shown."""


def ns(value: float | None) -> str:
    """Format ns as s, ms, µs or ns with three digits."""
    if value is None:
        return "—"
    if abs(value) < 1:
        return "< 1 ns"
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} ns"


def time(cell: dict[str, Any] | None) -> str:
    """Format the time of a cell, or the reason why it has none that may be compared."""
    if cell is None:
        return "—"
    if cell["void"] is not None:
        return "void"
    return "not steady" if cell.get("unsteady") else ns(cell["ns_net"])


def ratio(cell: dict[str, Any] | None, *, interval: bool = True) -> str:
    """Format the ratio of a cell with its interval and the mark of its verdict."""
    if cell is None:
        return "gap"
    if cell["void"] is not None:
        return "void"
    if cell.get("unsteady"):
        return "not steady"
    if cell["ratio"] is None:
        return "—"
    text = f"{cell['ratio']:.3g}"
    low, high = (
        (cell[f"{kind}_low"] for kind in ("ratio", "alone")),
        (cell[f"{kind}_high"] for kind in ("ratio", "alone")),
    )
    bounds = next(((a, b) for a, b in zip(low, high, strict=True) if a is not None), None)
    if interval and bounds is not None and bounds[0] != bounds[1] and bounds[1] < LOOSE * bounds[0]:
        text += f" ({bounds[0]:.3g} to {bounds[1]:.3g})"
    return f"{text} {MARKS[cell['verdict']]}" if cell["verdict"] in MARKS else text
